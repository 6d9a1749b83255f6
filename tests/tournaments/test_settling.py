"""What happens while an event is played: results, forfeits, withdrawals, draws, ends of rounds, trouble."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games import engine
from games.models import Action, Game
from games.selectors import load_game
from games.services import sweep as games_sweep
from games.services import system_games, turns
from games.services.errors import Conflict, Denied
from tournaments.models import Entrant, Pairing, Tournament
from tournaments.selectors import TournamentState, game_results
from tournaments.services import decisions, entries, rounds, sweep

from .play import (
    DAY,
    HOUR,
    NOW,
    decide,
    entrant,
    host,
    name_at,
    play,
    play_round,
    play_to_end,
    playing,
    published,
    ranking,
    someone,
    started,
    table_of,
)

pytestmark = pytest.mark.django_db


def swept(now: Any = NOW) -> Counter[str]:
    return sweep.sweep_tournaments(now=now)


def test_a_sweep_with_nothing_to_do_does_nothing() -> None:
    event = started("knockout", 4)
    before = Tournament.objects.values().get(pk=event.pk), list(Pairing.objects.values())
    for _ in range(3):
        assert not swept()
    assert before == (Tournament.objects.values().get(pk=event.pk), list(Pairing.objects.values()))
    with CaptureQueriesContext(
        connection,
    ) as queries:
        swept()
    assert len(queries) <= 3


def test_a_result_is_written_once_and_the_bracket_moves_on() -> None:
    event = started("knockout", 4)
    first, second = playing(event)
    play(first)
    assert swept() == {"settled": 1}
    first.refresh_from_db()
    written = first.result
    assert first.settled_at == NOW
    assert not swept(NOW + HOUR)
    play(second)
    assert swept(NOW + HOUR) == {"settled": 1, "paired": 1, "opened": 1}
    first.refresh_from_db()
    assert (first.result, first.settled_at) == (written, NOW)


def test_a_knock_out_does_not_wait_for_a_round_where_it_need_not() -> None:
    event = started("knockout", 8)
    upper = [table for table in playing(event) if table.match in ("R1.1", "R1.2")]
    for table in upper:
        play(table)
    assert swept() == {"settled": 1, "paired": 1, "opened": 1}
    assert event.tables.filter(match="R2.1").exists()
    assert len(playing(event)) == 3


def test_settling_a_round_and_pairing_the_next_cost_as_much_for_many_tables_as_for_few() -> None:
    costs = []
    for count in (4, 12):
        event = started("swiss", count, rounds=2)
        for table in playing(event):
            play(table)
        Tournament.objects.filter(pk=event.pk).update(due_at=NOW)
        with CaptureQueriesContext(connection) as queries:
            assert sweep.run_next_step(event.pk, NOW) == "settled"
            assert sweep.run_next_step(event.pk, NOW) == "paired"
        costs.append(len(queries))
    assert costs[0] == costs[1]


# ------------------------------------------------------------------------------------------- who is not there


def test_who_never_moves_forfeits_and_the_event_goes_on() -> None:
    event = started("knockout", 2, timeouts="forfeit", clock_name="custom", allowance=3600, bank=0,
                    vacation=False)  # fmt: skip
    (table,) = playing(event)
    assert table.game
    late = load_game(table.game.code).to_act[0]
    games_sweep.sweep_games(now=NOW + 2 * HOUR)
    assert swept(NOW + 2 * HOUR) == {"settled": 1, "finished": 1}
    table.refresh_from_db()
    assert table.result
    seats = [one.entrant_id for one in table.sittings.order_by("number")]
    assert table.result["forfeits"] == [seats[late - 1]]
    assert table.result["ranks"][late - 1] == 2
    assert entrant(event, name_at(table, late - 1)).rank == 2


def test_who_withdraws_loses_the_games_that_run_and_is_paired_no_more() -> None:
    event = started("swiss", 6)
    entries.withdraw_from_tournament(player=someone("p1"), code=event.code, now=NOW)
    assert swept()["resigned"] == 1
    table = table_of(event, "p1")
    assert table.game
    assert table.game.status == "over"
    assert Action.objects.filter(game=table.game, action="resign", by="clock").count() == 1
    table.refresh_from_db()
    assert table.settled_at == NOW
    assert table.result
    assert table.result["forfeits"] == [entrant(event, "p1").pk]
    assert not swept()
    play_to_end(event)
    assert entrant(event, "p1").sittings.count() == 1
    assert ranking(event)[-1] == "p1"
    with pytest.raises(Conflict):
        entries.withdraw_from_tournament(player=someone("p1"), code=event.code, now=NOW)


def test_at_a_table_of_four_the_others_play_on() -> None:
    event = started("knockout", 4, table=4)
    entries.withdraw_from_tournament(player=someone("p2"), code=event.code, now=NOW)
    assert swept()["resigned"] == 1
    assert not swept()["resigned"]
    (table,) = playing(event)
    play(table)
    swept()
    event.refresh_from_db()
    assert event.status == "finished"
    assert entrant(event, "p2").rank == 4


def test_one_of_a_pair_withdraws_for_both() -> None:
    event = started("knockout", 2, mode="pairs")
    entries.withdraw_from_tournament(player=someone("b2"), code=event.code, now=NOW)
    swept()
    swept()
    event.refresh_from_db()
    assert event.status == "finished"
    assert (entrant(event, "a1").rank, entrant(event, "a2").rank) == (1, 2)


def test_only_who_takes_part_can_withdraw_and_only_while_it_runs() -> None:
    event = published("swiss", 2)
    with pytest.raises(Conflict):
        entries.withdraw_from_tournament(player=someone("p1"), code=event.code, now=NOW)
    Tournament.objects.filter(pk=event.pk).update(status="running")
    with pytest.raises(Denied):
        entries.withdraw_from_tournament(player=someone("p9"), code=event.code, now=NOW)


def test_when_all_withdraw_the_event_ends() -> None:
    event = started("swiss", 4)
    for number in range(1, 5):
        entries.withdraw_from_tournament(player=someone(f"p{number}"), code=event.code, now=NOW)
    for _ in range(3):
        swept()
    event.refresh_from_db()
    assert event.status == "finished"


# ------------------------------------------------------------------------------------------------------ draws


def level(table: Pairing) -> None:
    """The organiser writes down that a table ended level."""
    places = table.sittings.count()
    decisions.correct_result(by=host(), code=table.event.code, table=table.pk, ranks=[1] * places, now=NOW)


def test_a_level_knock_out_is_played_again_by_the_short_clock_then_the_higher_seed_goes_on() -> None:
    event = started("knockout", 2, clock_name="custom", allowance=8000, bank=4000)
    (first,) = playing(event)
    level(first)
    assert swept() == {"paired": 1, "opened": 1}
    (second,) = playing(event)
    assert second.game
    assert (second.match, second.rematch) == (first.match, 2)
    assert (second.game.allowance, second.game.bank) == (2000, 1000)
    assert second.reasons[0]["code"] == "rematch"
    level(second)
    assert swept()["finished"] == 1
    match = TournamentState(event).build_bracket().matches[0]
    assert match.notes[0].code == "higher-seed"
    assert event.entrants.get(rank=1).pk == match.notes[0]["entrants"][0]  # type: ignore[index]


def test_at_a_table_points_are_shared_by_rank() -> None:
    event = started("swiss", 4, table=4, rounds=1)
    level(playing(event)[0])
    swept()
    assert [line["points"] for line in TournamentState(event).build_standings()] == [3, 3, 3, 3]


def test_a_game_without_a_winner_is_level() -> None:
    event = started("swiss", 2, rounds=1)
    (table,) = playing(event)
    assert table.game
    system_games.resign_seat(code=table.game.code, seat_no=1, now=NOW)
    result = {"winner": None, "totals": {"1": 9, "2": 9}, "matches": [], "shootout": []}
    Game.objects.filter(pk=table.game.pk).update(result=result)
    table.game.refresh_from_db()
    assert game_results.build_game_result(table.game, game_results.GameEnding(), [7, 8])["ranks"] == [1, 1]
    assert game_results.rank_sides({1: 9, 2: 12, 3: 12, 4: 30}, 2, {4}) == [3, 1, 2, 4]


# --------------------------------------------------------------------------------------------- ends of rounds


def test_at_the_end_of_a_round_the_points_decide_and_the_game_goes_on_for_nothing() -> None:
    event = started("knockout", 2, target=24, round_length=3 * 86400, vacation=False)
    (table,) = playing(event)
    assert table.game
    code = table.game.code
    found = load_game(code)
    while not (found.state and any(found.state.totals[side] for side in (1, 2))):
        seat = found.to_act[0]
        player = found.seat_by_no(seat).player
        assert player
        assert found.state
        action = engine.legal_actions(found.state, seat)[0]
        turns.play_action(player=player, code=code, text=action, seq=found.game.seq, key="", now=NOW)
        found = load_game(code)
    assert found.state
    points = list(found.state.totals[1:])
    for _place, value, side in found.state.marked_figures:
        points[side - 1] += value
    assert event.due_at == NOW + 3 * DAY
    assert not swept(NOW + 3 * DAY - HOUR)
    done = swept(NOW + 3 * DAY)
    assert done["adjudicated"] == 1
    table.refresh_from_db()
    assert table.result
    assert table.result["by"] == "adjudication"
    assert table.result["points"] == points
    assert table.result["ranks"] == [1 + (points[0] < points[1]), 1 + (points[1] < points[0])]
    game = Game.objects.get(code=code)
    assert (game.status, game.rated) == ("running", False)
    assert not Action.objects.filter(game=game, action="resign").exists()
    # Whatever they do with it, the result stays.
    written = table.result
    system_games.resign_seat(code=code, seat_no=1 + (points[0] < points[1]), now=NOW + 4 * DAY)
    swept(NOW + 4 * DAY)
    table.refresh_from_db()
    assert table.result == written


def test_a_game_that_ended_in_time_is_not_adjudicated() -> None:
    event = started("swiss", 4, rounds=1, round_length=86400, clock_name="12h")
    for table in playing(event):
        play(table)
    assert swept(NOW + 2 * DAY) == {"settled": 1, "finished": 1}
    assert {table.result["by"] for table in event.tables.all() if table.result} == {"game"}


def test_a_large_round_is_adjudicated_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rounds, "MAX_ADJUDICATIONS_PER_STEP", 2)
    event = started("swiss", 10, rounds=1, target=24, round_length=86400, clock_name="12h")
    entries.withdraw_from_tournament(player=someone("p3"), code=event.code, now=NOW)
    swept()
    assert swept(NOW + DAY) == {"adjudicated": 2, "finished": 1}
    how = Counter(table.result["by"] for table in event.tables.all() if table.result)
    assert how == {"adjudication": 4, "game": 1}
    level = [line["points"] for line in TournamentState(event).build_standings()]
    assert level == [1, *[0.5] * 8, 0]


def test_every_round_has_its_own_end() -> None:
    event = started("swiss", 4, rounds=2, round_length=86400, clock_name="12h")
    play_round(event, NOW + HOUR)
    assert list(event.published.values_list("ends_at", flat=True)) == [NOW + DAY, NOW + HOUR + DAY]
    assert event.due_at == NOW + HOUR + DAY


def test_an_order_that_was_decided_is_the_order_of_the_end() -> None:
    event = started("round-robin", 3)
    for _ in range(3):
        for table in playing(event):
            names = sorted(name_at(table, place) for place in range(2))
            decide(table, *names)
        swept()
    event.refresh_from_db()
    assert event.status == "finished"
    assert ranking(event) == ["p1", "p2", "p3"]
    assert [entrant(event, f"p{n}").rank for n in (1, 2, 3)] == [1, 2, 3]
    assert Entrant.objects.filter(event=event, left=None).count() == 3
    assert rounds.list_seats_of_entrant(event, 1) == (2,)
