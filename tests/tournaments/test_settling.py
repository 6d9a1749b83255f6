"""Steps of a running tournament: results, forfeits, withdrawals, draws, ends of rounds, errors."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from common.service_errors import Conflict, Denied
from games import engine
from games.models import Action, Game
from games.selectors import load_game
from games.services import sweep as games_sweep
from games.services import system_games, turns
from tests.factories.events import (
    DAY,
    HOUR,
    NOW,
    create_started_tournament,
    decide,
    entrant,
    find_pairing_of,
    get_player,
    list_running_pairings,
    name_at,
    play,
    play_round,
    play_to_end,
    published,
    ranking,
)
from tests.factories.level_results import level
from tournaments.models import Entrant, Pairing, Tournament
from tournaments.selectors import TournamentState, game_results
from tournaments.services import entries, rounds, sweep

pytestmark = pytest.mark.django_db


def sweep_once(now: Any = NOW) -> Counter[str]:
    return sweep.sweep_tournaments(now=now)


def test_a_sweep_with_nothing_to_do_does_nothing() -> None:
    tournament = create_started_tournament("knockout", 4)
    before = Tournament.objects.values().get(pk=tournament.pk), list(Pairing.objects.values())
    for _ in range(3):
        assert not sweep_once()
    assert before == (Tournament.objects.values().get(pk=tournament.pk), list(Pairing.objects.values()))
    with CaptureQueriesContext(
        connection,
    ) as queries:
        sweep_once()
    assert len(queries) <= 3


def test_a_result_is_written_once_and_the_bracket_moves_on() -> None:
    tournament = create_started_tournament("knockout", 4)
    first, second = list_running_pairings(tournament)
    play(first)
    assert sweep_once() == {"settled": 1}
    first.refresh_from_db()
    written = first.result
    assert first.settled_at == NOW
    assert not sweep_once(NOW + HOUR)
    play(second)
    assert sweep_once(NOW + HOUR) == {"settled": 1, "paired": 1, "opened": 1}
    first.refresh_from_db()
    assert (first.result, first.settled_at) == (written, NOW)


def test_a_knockout_does_not_wait_for_a_round_where_it_need_not() -> None:
    tournament = create_started_tournament("knockout", 8)
    upper = [table for table in list_running_pairings(tournament) if table.match in ("R1.1", "R1.2")]
    for table in upper:
        play(table)
    assert sweep_once() == {"settled": 1, "paired": 1, "opened": 1}
    assert tournament.pairings.filter(match="R2.1").exists()
    assert len(list_running_pairings(tournament)) == 3


def test_settling_a_round_and_pairing_the_next_cost_as_much_for_many_tables_as_for_few() -> None:
    costs = []
    for count in (4, 12):
        tournament = create_started_tournament("swiss", count, round_count=2)
        for table in list_running_pairings(tournament):
            play(table)
        Tournament.objects.filter(pk=tournament.pk).update(next_sweep_at=NOW)
        with CaptureQueriesContext(connection) as queries:
            assert sweep.run_next_step(tournament.pk, NOW) == "settled"
            assert sweep.run_next_step(tournament.pk, NOW) == "paired"
        costs.append(len(queries))
    assert costs[0] == costs[1]


# -------------------------------------------------------------------------------------------- absent entrants


def test_who_never_moves_forfeits_and_the_event_goes_on() -> None:
    clock_terms = {"time_control": "custom", "allowance": 3600, "bank": 0, "vacation": False}
    tournament = create_started_tournament("knockout", 2, timeout_policy="forfeit", **clock_terms)
    (table,) = list_running_pairings(tournament)
    assert table.game
    late = load_game(table.game.code).to_act[0]
    games_sweep.sweep_games(now=NOW + 2 * HOUR)
    assert sweep_once(NOW + 2 * HOUR) == {"settled": 1, "finished": 1}
    table.refresh_from_db()
    assert table.result
    seats = [pairing_seat.entrant_id for pairing_seat in table.pairing_seats.order_by("seat_no")]
    assert table.result["forfeits"] == [seats[late - 1]]
    assert table.result["ranks"][late - 1] == 2
    assert entrant(tournament, name_at(table, late - 1)).rank == 2


def test_who_withdraws_loses_the_games_that_run_and_is_paired_no_more() -> None:
    tournament = create_started_tournament("swiss", 6)
    entries.withdraw_from_tournament(player=get_player("p1"), code=tournament.code, now=NOW)
    assert sweep_once()["resigned"] == 1
    table = find_pairing_of(tournament, "p1")
    assert table.game
    assert table.game.status == "over"
    assert Action.objects.filter(game=table.game, action="resign", by="clock").count() == 1
    table.refresh_from_db()
    assert table.settled_at == NOW
    assert table.result
    assert table.result["forfeits"] == [entrant(tournament, "p1").pk]
    assert not sweep_once()
    play_to_end(tournament)
    assert entrant(tournament, "p1").pairing_seats.count() == 1
    assert ranking(tournament)[-1] == "p1"
    with pytest.raises(Conflict):
        entries.withdraw_from_tournament(player=get_player("p1"), code=tournament.code, now=NOW)


def test_at_a_table_of_four_the_others_play_on() -> None:
    tournament = create_started_tournament("knockout", 4, table_size=4)
    entries.withdraw_from_tournament(player=get_player("p2"), code=tournament.code, now=NOW)
    assert sweep_once()["resigned"] == 1
    assert not sweep_once()["resigned"]
    (table,) = list_running_pairings(tournament)
    play(table)
    sweep_once()
    tournament.refresh_from_db()
    assert tournament.status == "finished"
    assert entrant(tournament, "p2").rank == 4


def test_one_of_a_pair_withdraws_for_both() -> None:
    tournament = create_started_tournament("knockout", 2, mode="pairs")
    entries.withdraw_from_tournament(player=get_player("b2"), code=tournament.code, now=NOW)
    sweep_once()
    sweep_once()
    tournament.refresh_from_db()
    assert tournament.status == "finished"
    assert (entrant(tournament, "a1").rank, entrant(tournament, "a2").rank) == (1, 2)


def test_only_who_takes_part_can_withdraw_and_only_while_it_runs() -> None:
    tournament = published("swiss", 2)
    with pytest.raises(Conflict):
        entries.withdraw_from_tournament(player=get_player("p1"), code=tournament.code, now=NOW)
    Tournament.objects.filter(pk=tournament.pk).update(status="running")
    with pytest.raises(Denied):
        entries.withdraw_from_tournament(player=get_player("p9"), code=tournament.code, now=NOW)


def test_when_all_withdraw_the_event_ends() -> None:
    tournament = create_started_tournament("swiss", 4)
    for number in range(1, 5):
        entries.withdraw_from_tournament(player=get_player(f"p{number}"), code=tournament.code, now=NOW)
    for _ in range(3):
        sweep_once()
    tournament.refresh_from_db()
    assert tournament.status == "finished"


# ------------------------------------------------------------------------------------------------------ draws


def test_a_level_knockout_is_played_again_by_the_short_clock_then_the_higher_seed_goes_on() -> None:
    tournament = create_started_tournament("knockout", 2, time_control="custom", allowance=8000, bank=4000)
    (first,) = list_running_pairings(tournament)
    level(first)
    assert sweep_once() == {"paired": 1, "opened": 1}
    (second,) = list_running_pairings(tournament)
    assert second.game
    assert (second.match, second.game_number) == (first.match, 2)
    assert (second.game.allowance, second.game.bank) == (2000, 1000)
    assert second.reasons[0]["code"] == "rematch"
    level(second)
    assert sweep_once()["finished"] == 1
    match = TournamentState(tournament).build_bracket().matches[0]
    assert match.notes[0].code == "higher-seed"
    assert tournament.entrants.get(rank=1).pk == match.notes[0]["entrants"][0]  # type: ignore[index]


def test_at_a_table_points_are_shared_by_rank() -> None:
    tournament = create_started_tournament("swiss", 4, table_size=4, round_count=1)
    level(list_running_pairings(tournament)[0])
    sweep_once()
    assert [line["points"] for line in TournamentState(tournament).build_standings()] == [3, 3, 3, 3]


def test_a_game_without_a_winner_is_level() -> None:
    tournament = create_started_tournament("swiss", 2, round_count=1)
    (table,) = list_running_pairings(tournament)
    assert table.game
    system_games.resign_seat(code=table.game.code, seat_no=1, now=NOW)
    result = {"winner": None, "totals": {"1": 9, "2": 9}, "matches": [], "shootout": []}
    Game.objects.filter(pk=table.game.pk).update(result=result)
    table.game.refresh_from_db()
    assert game_results.build_game_result(table.game, game_results.GameEnding(), [7, 8])["ranks"] == [1, 1]
    assert game_results.rank_sides({1: 9, 2: 12, 3: 12, 4: 30}, 2, {4}) == [3, 1, 2, 4]


# --------------------------------------------------------------------------------------------- ends of rounds


def test_at_the_end_of_a_round_the_points_decide_and_the_game_goes_on_for_nothing() -> None:
    tournament = create_started_tournament("knockout", 2, target=24, round_length=3 * 86400, vacation=False)
    (table,) = list_running_pairings(tournament)
    assert table.game
    code = table.game.code
    loaded_game = load_game(code)
    while not (loaded_game.state and any(loaded_game.state.totals[side] for side in (1, 2))):
        seat = loaded_game.to_act[0]
        player = loaded_game.seat_by_no(seat).player
        assert player
        assert loaded_game.state
        action = engine.legal_actions(loaded_game.state, seat)[0]
        turns.play_action(player=player, code=code, text=action, seq=loaded_game.game.seq, key="", now=NOW)
        loaded_game = load_game(code)
    assert loaded_game.state
    points = list(loaded_game.state.totals[1:])
    for _place, value, side in loaded_game.state.marked_figures:
        points[side - 1] += value
    assert tournament.next_sweep_at == NOW + 3 * DAY
    assert not sweep_once(NOW + 3 * DAY - HOUR)
    done = sweep_once(NOW + 3 * DAY)
    assert done["adjudicated"] == 1
    table.refresh_from_db()
    assert table.result
    assert table.result["by"] == "adjudication"
    assert table.result["points"] == points
    assert table.result["ranks"] == [1 + (points[0] < points[1]), 1 + (points[1] < points[0])]
    game = Game.objects.get(code=code)
    assert (game.status, game.rated) == ("running", False)
    assert not Action.objects.filter(game=game, action="resign").exists()
    # The end of the game does not change the result.
    written = table.result
    system_games.resign_seat(code=code, seat_no=1 + (points[0] < points[1]), now=NOW + 4 * DAY)
    sweep_once(NOW + 4 * DAY)
    table.refresh_from_db()
    assert table.result == written


def test_a_game_that_ended_in_time_is_not_adjudicated() -> None:
    tournament = create_started_tournament("swiss", 4, round_count=1, round_length=86400, time_control="12h")
    for table in list_running_pairings(tournament):
        play(table)
    assert sweep_once(NOW + 2 * DAY) == {"settled": 1, "finished": 1}
    assert {table.result["by"] for table in tournament.pairings.all() if table.result} == {"game"}


def test_a_large_round_is_adjudicated_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rounds, "MAX_ADJUDICATIONS_PER_STEP", 2)
    tournament = create_started_tournament(
        "swiss", 10, round_count=1, target=24, round_length=86400, time_control="12h"
    )
    entries.withdraw_from_tournament(player=get_player("p3"), code=tournament.code, now=NOW)
    sweep_once()
    assert sweep_once(NOW + DAY) == {"adjudicated": 2, "finished": 1}
    how = Counter(table.result["by"] for table in tournament.pairings.all() if table.result)
    assert how == {"adjudication": 4, "game": 1}
    level = [line["points"] for line in TournamentState(tournament).build_standings()]
    assert level == [1, *[0.5] * 8, 0]


def test_every_round_has_its_own_end() -> None:
    tournament = create_started_tournament("swiss", 4, round_count=2, round_length=86400, time_control="12h")
    play_round(tournament, NOW + HOUR)
    assert list(tournament.rounds.values_list("ends_at", flat=True)) == [NOW + DAY, NOW + HOUR + DAY]
    assert tournament.next_sweep_at == NOW + HOUR + DAY


def test_an_order_that_was_decided_is_the_order_of_the_end() -> None:
    tournament = create_started_tournament("round-robin", 3)
    for _ in range(3):
        for table in list_running_pairings(tournament):
            names = sorted(name_at(table, place) for place in range(2))
            decide(table, *names)
        sweep_once()
    tournament.refresh_from_db()
    assert tournament.status == "finished"
    assert ranking(tournament) == ["p1", "p2", "p3"]
    assert [entrant(tournament, f"p{n}").rank for n in (1, 2, 3)] == [1, 2, 3]
    assert Entrant.objects.filter(tournament=tournament, left_after_round=None).count() == 3
    assert rounds.list_seats_of_entrant(tournament, 1) == (2,)
