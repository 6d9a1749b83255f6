"""One mail about a first turn, whether the players are quick, late or asleep, over a real SMTP server."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import datetime, time

import pytest
from django.conf import LazySettings

from accounts.models import Player
from games.engine import legal_actions
from games.models import Game
from games.selectors import load_game
from games.services import sweep as games_sweep
from games.services import turns
from notifications.models import Delivery
from tests.factories.events import (
    DAY,
    HOUR,
    NOW,
    create_started_tournament,
    get_player,
    list_running_pairings,
)
from tests.factories.leagues import create_started_league
from tests.helpers.notice_helpers import get_part
from tests.helpers.tournament_mails import MINUTE, TWO_MINUTES_LATER, mail_only_to, send_mails
from tests.smtp import Sink
from tournaments.selectors import timeout_evidence
from tournaments.services import sweep

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def sink(settings: LazySettings) -> Iterator[Sink]:
    settings.SITE_URL = "https://otto.example.org"
    settings.REPLY_DOMAIN = "play.example.org"
    with Sink() as started:
        for name, value in started.settings().items():
            setattr(settings, name, value)
        yield started


def list_subjects_to(sink: Sink, player: Player) -> list[str]:
    """Return the subjects of the mails to a player, in order."""
    return [str(mail.message["Subject"]) for mail in sink.mails if mail.recipients == [player.email]]


def read_text(sink: Sink, player: Player) -> str:
    return get_part([mail.message for mail in sink.mails if mail.recipients == [player.email]][-1], "plain")


def get_players(game: Game) -> tuple[Player, Player]:
    """Return the player to act and the other player."""
    places = list(game.seats.select_related("player").order_by("seat_no"))
    acts = [place.player for place in places if game.to_act_mask >> (place.seat_no or 0) & 1]
    waiting_players = [place.player for place in places if not game.to_act_mask >> (place.seat_no or 0) & 1]
    assert acts[0]
    assert waiting_players[0]
    return acts[0], waiting_players[0]


def play_until_turn_ends(game: Game, player: Player, now: datetime) -> None:
    """Play until another player is on turn."""
    rng = random.Random(1)
    for _step in range(20):
        loaded_game = load_game(game.code)
        place = loaded_game.seat_of(player)
        assert place
        assert place.seat_no
        assert loaded_game.state
        if place.seat_no not in loaded_game.state.seats_to_act:
            break
        action = rng.choice(legal_actions(loaded_game.state, place.seat_no))
        turns.play_action(
            player=player, code=game.code, text=action, seq=loaded_game.state.seq, key="", now=now
        )
    game.refresh_from_db()


def start_cup() -> tuple[Game, Player, Player]:
    """Start a tournament of two."""
    tournament = create_started_tournament("knockout", 2, round_length=30 * 86_400, target=24)
    (table,) = list_running_pairings(tournament)
    assert table.game
    return table.game, *get_players(table.game)


def test_somebody_quick_does_not_make_two_mails_for_the_others_first_turn(sink: Sink) -> None:
    game, mover, other = start_cup()
    play_until_turn_ends(game, mover, NOW + MINUTE / 2)
    assert get_players(game)[0] == other
    send_mails()
    send_mails(TWO_MINUTES_LATER + 5 * MINUTE)
    assert list_subjects_to(sink, other) == [f"The cup, Final: You play {mover.name}"]
    assert "https://otto.example.org/turn/" in read_text(sink, other), "it tells of the turn, and plays it"


def test_a_turn_after_the_mail_about_the_round_is_mailed_by_its_own(sink: Sink) -> None:
    game, mover, other = start_cup()
    send_mails()
    assert "/turn/" not in read_text(sink, other)
    play_until_turn_ends(game, mover, NOW + HOUR)
    send_mails(NOW + HOUR + 2 * MINUTE)
    assert list_subjects_to(sink, other) == [
        f"The cup, Final: You play {mover.name}",
        f"Your turn against {mover.name}",
    ]


def test_whoever_sleeps_gets_one_mail_in_the_morning(sink: Sink) -> None:
    for name in ("p1", "p2"):
        Player.objects.filter(pk=get_player(name).pk).update(quiet_from=time(11), quiet_until=time(20))
    game, mover, other = start_cup()
    play_until_turn_ends(game, mover, NOW + HOUR)
    send_mails(NOW + 2 * HOUR)
    assert not sink.mails, "hours are quiet"
    send_mails(NOW + 8 * HOUR + MINUTE)
    assert list_subjects_to(sink, other) == [f"The cup, Final: You play {mover.name}"]
    assert "/turn/" in read_text(sink, other)


def test_a_mail_that_has_to_wait_for_the_server_takes_the_turn_along(sink: Sink) -> None:
    game, mover, other = start_cup()
    sink.reject = lambda message: "451 4.7.1 come back later"
    send_mails()
    play_until_turn_ends(game, mover, NOW + 2 * MINUTE)
    sink.reject = lambda message: ""
    send_mails(NOW + 4 * MINUTE)
    assert list_subjects_to(sink, other) == [f"The cup, Final: You play {mover.name}"]
    assert "/turn/" in read_text(sink, other)


def test_a_mail_that_fails_again_and_again_keeps_no_turn_quiet(sink: Sink) -> None:
    game, mover, other = start_cup()
    mail_only_to(other.name)
    sink.reject = lambda message: "451 4.7.1 not this one" if "You play" in message["Subject"] else ""
    for hours in (0, 1, 2):
        send_mails(TWO_MINUTES_LATER + hours * HOUR)
    play_until_turn_ends(game, mover, NOW + 3 * HOUR)
    send_mails(NOW + 3 * HOUR + 2 * MINUTE)
    assert list_subjects_to(sink, other) == [f"Your turn against {mover.name}"]


def test_a_game_of_the_round_that_opened_after_the_mail_is_mailed_by_its_own(sink: Sink) -> None:
    """One mail covers all games of a round; a game that opened later needs its own mail."""
    tournament = create_started_tournament("round-robin", 4, all_rounds_at_once=True, target=24)
    ada = get_player("p1")
    mail_only_to("p1")
    own_pairings = [
        pairing
        for pairing in list_running_pairings(tournament)
        if pairing.game and pairing.game.seats.filter(player=ada).exists()
    ]
    late = own_pairings[-1]
    assert late.game
    sent_of_late = Delivery.objects.filter(player=ada)
    send_mails()
    assert len(list_subjects_to(sink, ada)) == 1
    mail = sent_of_late.get(kind="tournament-pairing")
    assert set(mail.data["shown_turns"]) == {pairing.game.code for pairing in own_pairings if pairing.game}
    # As if the worker had opened the last game after the mail.
    mail.data["shown_turns"].pop(late.game.code)
    mail.save(update_fields=["data"])
    kind = "turn" if get_players(late.game)[0] == ada else "started"
    late_mails = sent_of_late.filter(kind=kind, topic=late.game.topic)
    assert late_mails.get().status == "dropped"
    late_mails.update(status="waiting", next_attempt_at=TWO_MINUTES_LATER, status_reason="")
    send_mails(TWO_MINUTES_LATER + MINUTE)
    assert late_mails.get().status == "sent"
    assert len(list_subjects_to(sink, ada)) == 2


def test_a_season_of_a_league_begins_with_one_mail_for_everybody(sink: Sink) -> None:
    create_started_league(4, division_size=4, target=24)
    movers = {}
    for game in Game.objects.filter(status="running"):
        mover, other = get_players(game)
        movers[other] = mover
        play_until_turn_ends(game, mover, NOW + MINUTE / 2)
    send_mails(NOW + 3 * MINUTE)
    send_mails(NOW + 10 * MINUTE)
    assert movers
    for other, mover in movers.items():
        assert len(list_subjects_to(sink, other)) == 1, list_subjects_to(sink, other)
        assert f"You play {mover.name}" in list_subjects_to(sink, other)[0]


def test_the_evidence_of_a_turn_names_the_mail_about_it(sink: Sink) -> None:
    tournament = create_started_tournament("knockout", 2, target=24, timeout_policy="forfeit", vacation=False)
    (table,) = list_running_pairings(tournament)
    assert table.game
    mover, other = get_players(table.game)
    play_until_turn_ends(table.game, mover, NOW + MINUTE / 2)
    send_mails()
    games_sweep.sweep_games(now=NOW + 10 * DAY)
    sweep.sweep_tournaments(now=NOW + 10 * DAY)
    (late,) = timeout_evidence.list_timeout_evidence(table, other)
    assert late.player == other.name
    status_by_kind = {notice.kind: notice.status for notice in late.notices}
    assert status_by_kind["tournament-pairing"] == "sent"
    assert status_by_kind["turn"] == "dropped"
