"""Whole tournaments, from the first entry to the end, in every format and table size."""

from __future__ import annotations

import hmac
from typing import Any

import pytest

from games.engine import fairness
from games.models import Game
from games.services import game_audit
from notifications.models import FeedEntry
from tests.factories.events import (
    NOW,
    create_started_tournament,
    get_host,
    list_running_pairings,
    play_to_end,
    published,
)
from tournaments.models import Entrant, Tournament, TournamentSecret
from tournaments.selectors import TournamentState
from tournaments.services import sweep, tournaments

pytestmark = pytest.mark.django_db

EVENTS: list[tuple[str, int, dict[str, Any]]] = [
    ("knockout", 5, {"third_place": True}),
    ("knockout", 7, {"table_size": 3}),
    ("knockout", 9, {"table_size": 4, "advancing_count": 2}),
    ("knockout", 4, {"mode": "pairs"}),
    ("double", 5, {}),
    ("double", 3, {"mode": "pairs"}),
    ("round-robin", 4, {"cycles": 2}),
    ("round-robin", 5, {"all_rounds_at_once": True}),
    ("round-robin", 6, {"table_size": 3}),
    ("round-robin", 8, {"table_size": 4, "round_count": 2}),
    ("round-robin", 3, {"mode": "pairs"}),
    ("swiss", 6, {}),
    ("swiss", 7, {"table_size": 3, "round_count": 3}),
    ("swiss", 9, {"table_size": 4, "round_count": 2}),
    ("swiss", 5, {"mode": "pairs"}),
]


@pytest.mark.parametrize(("format", "count", "fields"), EVENTS, ids=str)
def test_an_event_is_played_to_its_champion(format: str, count: int, fields: dict[str, Any]) -> None:
    tournament = create_started_tournament(format, count, **fields)
    assert tournament.status == "running"
    assert tournament.seed == ""
    size = tournament.table_size
    for table in list_running_pairings(tournament):
        assert table.game
        assert (
            table.game.seat_count
            == (4 if tournament.mode == "pairs" else table.pairing_seats.count())
            <= 2 * size
        )
        assert table.game.creator is None
        assert table.reasons
    now = play_to_end(tournament)
    assert tournament.finished_at == now
    assert tournament.next_sweep_at is None
    ranks = sorted(tournament.entrants.values_list("rank", flat=True))
    assert ranks[0] == 1
    assert len(ranks) == count
    lines = TournamentState(tournament).build_standings()
    assert tournament.entrants.get(pk=lines[0].entrant).rank == 1
    assert fairness.compute_commitment(bytes.fromhex(tournament.seed)) == tournament.commitment
    assert not tournament.pairings.filter(settled_at=None).exists()
    number_of = dict(tournament.entrant_players.values_list("player", "entry_number"))
    assert sorted(number_of.values()) == list(range(1, len(number_of) + 1))
    for game in Game.objects.filter(pairing__tournament=tournament).select_related("secrets"):
        assert game_audit.audit_game(game) is None
        places = list(game.seats.order_by("seat_no"))
        assert [place.client_seed for place in places] == [
            str(number_of[place.player_id]) for place in places
        ]


def test_partners_sit_opposite_each_other() -> None:
    tournament = create_started_tournament("knockout", 2, mode="pairs")
    (table,) = list_running_pairings(tournament)
    assert table.game
    names = [place.player.name for place in table.game.seats.order_by("seat_no") if place.player]
    assert {frozenset(names[::2]), frozenset(names[1::2])} == {
        frozenset({"a1", "b1"}),
        frozenset({"a2", "b2"}),
    }
    assert names[0][0] == names[1][0] == "a"


def test_seeds_of_events_are_drawn_and_those_of_their_games_follow() -> None:
    first, second = [
        tournaments.create_tournament(organiser=get_host(), name="x", format="swiss", now=NOW)
        for _ in range(2)
    ]
    assert first.commitment != second.commitment
    tournament = published("swiss", 2)
    tournaments.start_tournament(by=get_host(), code=tournament.code, now=NOW)
    sweep.sweep_tournaments(now=NOW)
    seed = bytes(TournamentSecret.objects.get(tournament=tournament).seed)
    game = list_running_pairings(tournament)[0].game
    assert game
    derived = bytes(game.secrets.server_seed)
    assert fairness.compute_commitment(derived) == game.commitment
    assert derived == hmac.digest(seed, b"otto-game-v1|R1.1|1|1", "sha256")


def test_the_seed_stays_in_its_own_table_until_the_end() -> None:
    tournament = create_started_tournament("knockout", 2)
    secret = bytes(TournamentSecret.objects.get(tournament=tournament).seed)
    assert tournament.commitment == fairness.compute_commitment(secret)
    row = Tournament.objects.filter(pk=tournament.pk).values().get()
    assert secret.hex() not in str(row)
    play_to_end(tournament)
    assert tournament.seed == secret.hex()


def test_everybody_is_notified_once_of_start_tables_results_and_end() -> None:
    tournament = create_started_tournament("knockout", 4)
    play_to_end(tournament)
    kinds = ["tournament-start", "tournament-pairing", "tournament-result", "tournament-end"]
    entry_counts = {kind: FeedEntry.objects.filter(kind=kind).count() for kind in kinds}
    assert entry_counts == {
        "tournament-start": 4,
        "tournament-pairing": 6,
        "tournament-result": 6,
        "tournament-end": 4,
    }
    line = FeedEntry.objects.filter(kind="tournament-pairing")[0]
    assert line.data["tournament"] == tournament.code
    assert line.topic == f"game:{line.data['game']}"
    assert not FeedEntry.objects.filter(kind__startswith="event-", notify_at=None).exists(), (
        "all of it by mail, too"
    )


def test_a_result_holds_ranks_points_and_eights_of_the_game() -> None:
    tournament = create_started_tournament("knockout", 4, table_size=4)
    play_to_end(tournament)
    table = tournament.pairings.get()
    assert table.game
    assert table.game.result
    totals = table.game.result["totals"]
    assert table.result
    assert table.result["points"] == [totals[str(side)] for side in range(1, 5)]
    assert table.result["by"] == "game"
    if table.game.result["winner"]:
        assert table.result["ranks"][table.game.result["winner"] - 1] == 1
    eights = sum(match["ended"] == "infinity" for match in table.game.result["matches"])
    assert sum(table.result["eights"]) >= eights


def test_the_terms_of_an_event_are_those_of_its_games() -> None:
    tournament = create_started_tournament(
        "swiss", 2, time_control="custom", allowance=7200, bank=3600, blind_allowance=600,
        timeout_policy="forfeit", weekends=True, nights=True, vacation=False, chat=False, rated=False,
        private=True, edition="bannan-nl", obligation="strict", cards=True, target=9,
        cards_from=2, seniority_rule="lot", hints=False,
    )  # fmt: skip
    game = list_running_pairings(tournament)[0].game
    assert game
    wanted = (
        "allowance",
        "bank",
        "blind_allowance",
        "timeout_policy",
        "weekends",
        "nights",
        "vacation",
        "chat",
    )
    wanted += ("cards_from", "seniority_rule", "hints")
    for name in (*wanted, "rated", "private", "edition", "obligation", "cards", "target"):
        assert getattr(game, name) == getattr(tournament, name), name


def test_nobody_plays_before_the_start() -> None:
    tournament = published("knockout", 3)
    assert tournament.status == "published"
    assert not tournament.pairings.exists()
    assert set(tournament.entrants.values_list("status", flat=True)) == {Entrant.Status.ENTERED}
    assert tournament.created_at == NOW
