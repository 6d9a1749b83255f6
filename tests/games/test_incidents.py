"""An incident: one operator command freezes all clocks, another one lets them run again."""

from __future__ import annotations

from datetime import datetime, timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from common.service_errors import Conflict
from games.models import Game, GameSecrets, Incident
from games.selectors.player_clocks import forecast_absence
from games.services import clocks, incidents, vacation
from tests.factories.cast import NOW, Api
from tests.factories.timing import (
    BEGUN,
    DAY,
    HOUR,
    MINUTE,
    SECOND,
    check_all_games_are_sound,
    get_deadline,
    get_name_to_act,
    get_seat_clock,
    get_state,
    list_log_lines,
    play_first_legal,
    play_until_turn_of,
    reload_player,
    start_game_asked_by_an_8,
    start_quick_game,
    sweep_games,
    take_turn,
)

pytestmark = pytest.mark.django_db


def start_incident(now: datetime) -> Incident:
    return incidents.start_incident(now=now, reason="the database is on fire")


def end_incident(now: datetime) -> Incident:
    return incidents.end_incident(now=now)


# --------------------------------------------------------------------------------------------- frozen clocks


def test_during_an_incident_no_deadline_falls() -> None:
    game = start_quick_game("ada", "bob")
    start_incident(NOW + HOUR)
    for days in (1, 10, 100):
        assert not sweep_games(NOW + days * DAY)
    assert list_log_lines(game) == []
    assert not sweep_games(get_deadline(game) + DAY)


def test_after_it_every_deadline_has_moved_by_exactly_its_length() -> None:
    games = [
        start_quick_game("ada", "bob"),
        start_quick_game("bob", "cleo", nights=False),
        start_quick_game("ada", "bob", "cleo", bank=90_000),
    ]
    before = [get_deadline(game) for game in games]
    start_incident(NOW + HOUR)
    sweep_games(NOW + 2 * DAY)
    end_incident(NOW + 3 * DAY + HOUR)
    assert [get_deadline(game) for game in games] == [until + 3 * DAY for until in before]
    for game, until in zip(games, before, strict=True):
        assert (game.next_sweep_at, get_seat_clock(game, get_name_to_act(game)).runs_from) == (
            until + 3 * DAY,
            NOW + 3 * DAY + HOUR,
        )
    sweep_games(min(before) + 3 * DAY - SECOND)
    assert not any(list_log_lines(game) for game in games)
    assert sweep_games(max(before) + 3 * DAY) == {"autoplay": 3}
    check_all_games_are_sound(*games)


def test_a_turn_that_came_during_it_gains_what_was_left_of_it() -> None:
    game = start_quick_game("ada", "bob")
    start_incident(NOW + HOUR)
    name = take_turn(game, NOW + DAY)
    came = get_seat_clock(game, get_name_to_act(game))
    assert came.runs_from == NOW + DAY + MINUTE
    end_incident(NOW + 2 * DAY)
    assert get_deadline(game) == NOW + 2 * DAY + 27 * HOUR
    assert get_seat_clock(game, name).bank == 2 * HOUR  # the move during the incident cost no time
    check_all_games_are_sound(game)


def test_a_turn_whose_notice_was_due_after_it_moves_by_nothing() -> None:
    game = start_quick_game("ada", "bob")
    start_incident(NOW + HOUR)
    take_turn(game, NOW + 2 * HOUR - 30 * SECOND)
    until = get_deadline(game)
    end_incident(NOW + 2 * HOUR)
    assert get_deadline(game) == until


def test_one_can_move_during_an_incident_and_is_charged_for_what_ran_before() -> None:
    game = start_quick_game("ada", "bob", allowance=3600)
    name = get_name_to_act(game)
    start_incident(BEGUN + 2 * HOUR)
    answer = Api(name).play(game.code, "draw", 0)
    assert answer.status_code == 201
    take_turn(game, NOW + 50 * DAY)
    assert get_seat_clock(game, name).bank == HOUR
    check_all_games_are_sound(game)


def test_who_moves_after_its_end_but_before_the_clocks_are_set_is_not_charged_for_it() -> None:
    game = start_quick_game("ada", "bob", allowance=3600)
    name = get_name_to_act(game)
    start_incident(BEGUN + 2 * HOUR)
    Incident.objects.update(ended_at=NOW + 5 * DAY)
    take_turn(game, NOW + 5 * DAY)
    assert get_seat_clock(game, name).bank == HOUR
    assert not sweep_games(NOW + 5 * DAY)
    assert get_deadline(game) == NOW + 5 * DAY + MINUTE + 3 * HOUR


def test_an_answer_that_needs_nobody_waits_as_well_and_comes_after_it() -> None:
    game = start_game_asked_by_an_8(vacation=False)
    start_incident(NOW)
    assert not sweep_games(NOW + DAY)
    end_incident(NOW + DAY)
    assert sweep_games(NOW + DAY) == {"answered": 2}
    assert get_state(game).seats_to_act == (2,)
    assert get_deadline(game) == NOW + DAY + 9 * DAY


def test_a_vacation_in_an_incident_conserves_time() -> None:
    game = start_quick_game("ada", "bob", vacation=True)
    play_until_turn_of(game, "ada")
    until = get_deadline(game)
    start_incident(NOW + HOUR)
    vacation.plan_vacation(
        player=reload_player("ada"), start=NOW + 2 * HOUR, end=NOW + 2 * HOUR + DAY, now=NOW + 2 * HOUR
    )
    end_incident(NOW + 4 * HOUR)
    # The clock rested from the start of the incident to the end of the vacation.
    assert get_deadline(game) == until + DAY + HOUR
    vacation.end_vacation(player=reload_player("ada"), now=NOW + 5 * HOUR)
    assert get_deadline(game) == until + 4 * HOUR


def test_two_incidents_one_after_the_other_count_both() -> None:
    game = start_quick_game("ada", "bob")
    until = get_deadline(game)
    for n in range(2):
        start_incident(NOW + HOUR + n * 5 * HOUR)
        end_incident(NOW + 3 * HOUR + n * 5 * HOUR)
    assert get_deadline(game) == until + 4 * HOUR
    assert clocks.load_unprocessed_incidents() == []


# ----------------------------------------------------------------------------- repeated and interrupted ends


def test_there_is_one_incident_at_a_time() -> None:
    start_incident(NOW)
    with pytest.raises(Conflict) as refused:
        start_incident(NOW + HOUR)
    assert refused.value.code == "incident-open"
    assert Incident.objects.get().started_at == NOW
    end_incident(NOW + HOUR)
    with pytest.raises(Conflict) as refused:
        end_incident(NOW + 2 * HOUR)
    assert refused.value.code == "no-incident"
    start_incident(NOW + 2 * HOUR)


@pytest.mark.parametrize("after", [0, 1, 2, 3])
def test_an_end_that_was_killed_half_way_is_finished_by_the_next_sweep(
    after: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    games = [start_quick_game("ada", "bob") for _ in range(3)]
    until = get_deadline(games[0])
    start_incident(NOW + HOUR)
    left = [after]
    recompute = clocks.try_recompute_deadline

    def die_after_first(*args: Any) -> bool:
        if not left[0]:
            raise SystemExit
        left[0] -= 1
        return recompute(*args)

    monkeypatch.setattr(incidents, "SETTLE_BATCH_SIZE", 1)
    with monkeypatch.context() as patch:
        patch.setattr(clocks, "try_recompute_deadline", die_after_first)
        if after == 3:
            patch.setattr(
                Incident, "save", lambda self, update_fields: save_and_die(self, update_fields, left)
            )
        with pytest.raises(SystemExit):
            end_incident(NOW + 3 * HOUR)
    assert not Incident.objects.get().deadlines_recomputed
    # The next sweep finds the incident ended and uses the end that was stored first.
    assert not sweep_games(NOW + 10 * HOUR)
    assert Incident.objects.get().deadlines_recomputed
    assert [get_deadline(game) for game in games] == [until + 2 * HOUR] * 3
    assert sweep_games(until + 2 * HOUR) == {"autoplay": 3}
    check_all_games_are_sound(*games)


def save_and_die(incident: Incident, fields: list[str], left: list[int]) -> None:
    """Store the end, and exit instead of storing that the deadlines are recomputed."""
    if "deadlines_recomputed" in fields:
        raise SystemExit
    Incident.objects.filter(pk=incident.pk).update(**{name: getattr(incident, name) for name in fields})


def test_to_settle_twice_is_the_same_as_once() -> None:
    game = start_quick_game("ada", "bob")
    until = get_deadline(game)
    start_incident(NOW + HOUR)
    incident = end_incident(NOW + 3 * HOUR)
    for now in (NOW + 3 * HOUR, NOW + 8 * HOUR, NOW + 20 * HOUR):
        incidents.settle_incident(incident, now, lambda done: None)
        assert get_deadline(game) == until + 2 * HOUR


def test_a_broken_game_does_not_keep_the_clocks_of_the_others_from_running(
    caplog: pytest.LogCaptureFixture,
) -> None:
    broken, game = start_quick_game("ada", "bob"), start_quick_game("ada", "bob")
    until = get_deadline(game)
    GameSecrets.objects.filter(game=broken).update(state="{")
    start_incident(NOW + HOUR)
    end_incident(NOW + 2 * HOUR)
    assert broken.code in caplog.text
    assert Incident.objects.get().deadlines_recomputed
    assert get_deadline(game) == until + HOUR
    assert sweep_games(get_deadline(game))["autoplay"] == 1


# ------------------------------------------------------------------------------------------------ the command


def run_command(*words: str) -> str:
    out = StringIO()
    call_command("incident", *words, stdout=out)
    return out.getvalue()


def test_an_operator_starts_and_ends_it_by_one_command_each() -> None:
    assert run_command("status") == "Clocks are running.\n"
    assert "All clocks have stopped." in run_command("start", "no power in the cellar")
    assert Incident.objects.get().reason == "no power in the cellar"
    assert "no power in the cellar" in run_command("status")
    with pytest.raises(CommandError, match="open already"):
        run_command("start")
    Incident.objects.update(started_at=Incident.objects.get().started_at - timedelta(hours=3))
    assert "They stood still for 3:00:0" in run_command("end")
    assert run_command("status") == "Clocks are running.\n"
    with pytest.raises(CommandError, match="no incident is open"):
        run_command("end")


def test_the_command_finishes_an_end_that_broke_off() -> None:
    game = start_quick_game("ada", "bob")
    until = get_deadline(game)
    start_incident(NOW + HOUR)
    Incident.objects.update(ended_at=NOW + 2 * HOUR)
    assert "some clocks are not set yet" in run_command("status")
    assert "They stood still for 1:00:00" in run_command("end")
    assert get_deadline(game) == until + HOUR


# ------------------------------------------------------------------------------------------------ visibility


def test_a_player_sees_that_the_clock_rests_and_that_nothing_is_lost() -> None:
    game = start_quick_game("ada", "bob")
    name = get_name_to_act(game)
    start_incident(NOW + HOUR)
    (clock_row,) = forecast_absence(reload_player(name), NOW + 2 * HOUR).clocks
    assert (clock_row.stop_reasons, clock_row.deadline, clock_row.loses_at) == (("incident",), None, None)
    end_incident(NOW + 3 * HOUR)
    (clock_row,) = forecast_absence(reload_player(name), NOW + 3 * HOUR).clocks
    assert clock_row.deadline
    assert (clock_row.stop_reasons, clock_row.deadline.at) == ((), get_deadline(game))
    play_first_legal(game, now=NOW + 3 * HOUR)
    assert Game.objects.get(pk=game.pk).status == "running"
