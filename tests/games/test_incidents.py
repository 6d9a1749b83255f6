"""An incident: one command of an operator's freezes all clocks, another lets them go on."""

from __future__ import annotations

from datetime import datetime, timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from games.models import Game, GameSecrets, Incident
from games.selectors.player_clocks import forecast_absence
from games.services import clocks, incidents, vacation
from games.services.errors import Conflict

from .cast import NOW, Api
from .timing import (
    BEGUN,
    DAY,
    HOUR,
    MINUTE,
    SECOND,
    act,
    asked_by_an_8,
    deadline,
    lines,
    mover,
    person,
    quick,
    state,
    swept,
    take_turn,
    turn_of,
    watch,
    well,
)

pytestmark = pytest.mark.django_db


def start(now: datetime) -> Incident:
    return incidents.start_incident(now=now, reason="the database is on fire")


def end(now: datetime) -> Incident:
    return incidents.end_incident(now=now)


# ---------------------------------------------------------------------------------------------------- frozen


def test_during_an_incident_no_deadline_falls() -> None:
    game = quick("ada", "bob")
    start(NOW + HOUR)
    for days in (1, 10, 100):
        assert not swept(NOW + days * DAY)
    assert lines(game) == []
    assert not swept(deadline(game) + DAY)


def test_after_it_every_deadline_has_moved_by_exactly_its_length() -> None:
    games = [
        quick("ada", "bob"),
        quick("bob", "cleo", nights=False),
        quick("ada", "bob", "cleo", bank=90_000),
    ]
    before = [deadline(game) for game in games]
    start(NOW + HOUR)
    swept(NOW + 2 * DAY)
    end(NOW + 3 * DAY + HOUR)
    assert [deadline(game) for game in games] == [until + 3 * DAY for until in before]
    for game, until in zip(games, before, strict=True):
        assert (game.due_at, watch(game, mover(game)).runs_from) == (until + 3 * DAY, NOW + 3 * DAY + HOUR)
    swept(min(before) + 3 * DAY - SECOND)
    assert not any(lines(game) for game in games)
    assert swept(max(before) + 3 * DAY) == {"autoplay": 3}
    well(*games)


def test_a_turn_that_came_during_it_gains_what_was_left_of_it() -> None:
    game = quick("ada", "bob")
    start(NOW + HOUR)
    name = take_turn(game, NOW + DAY)
    came = watch(game, mover(game))
    assert came.runs_from == NOW + DAY + MINUTE
    end(NOW + 2 * DAY)
    assert deadline(game) == NOW + 2 * DAY + 27 * HOUR
    assert watch(game, name).bank == 2 * HOUR  # whoever moved in it was charged for nothing
    well(game)


def test_a_turn_whose_notice_was_due_after_it_moves_by_nothing() -> None:
    game = quick("ada", "bob")
    start(NOW + HOUR)
    take_turn(game, NOW + 2 * HOUR - 30 * SECOND)
    until = deadline(game)
    end(NOW + 2 * HOUR)
    assert deadline(game) == until


def test_one_can_move_during_an_incident_and_is_charged_for_what_ran_before() -> None:
    game = quick("ada", "bob", allowance=3600)
    name = mover(game)
    start(BEGUN + 2 * HOUR)
    answer = Api(name).play(game.code, "draw", 0)
    assert answer.status_code == 201
    take_turn(game, NOW + 50 * DAY)
    assert watch(game, name).bank == HOUR
    well(game)


def test_who_moves_after_its_end_but_before_the_clocks_are_set_is_not_charged_for_it() -> None:
    game = quick("ada", "bob", allowance=3600)
    name = mover(game)
    start(BEGUN + 2 * HOUR)
    Incident.objects.update(ended_at=NOW + 5 * DAY)
    take_turn(game, NOW + 5 * DAY)
    assert watch(game, name).bank == HOUR
    assert not swept(NOW + 5 * DAY)
    assert deadline(game) == NOW + 5 * DAY + MINUTE + 3 * HOUR


def test_an_answer_that_needs_nobody_waits_as_well_and_comes_after_it() -> None:
    game = asked_by_an_8(vacation=False)
    start(NOW)
    assert not swept(NOW + DAY)
    end(NOW + DAY)
    assert swept(NOW + DAY) == {"answered": 2}
    assert state(game).seats_to_act == (2,)
    assert deadline(game) == NOW + DAY + 9 * DAY


def test_a_vacation_in_an_incident_conserves_time() -> None:
    game = quick("ada", "bob", vacation=True)
    turn_of(game, "ada")
    until = deadline(game)
    start(NOW + HOUR)
    vacation.plan_vacation(
        player=person("ada"), start=NOW + 2 * HOUR, end=NOW + 2 * HOUR + DAY, now=NOW + 2 * HOUR
    )
    end(NOW + 4 * HOUR)
    # It rested from the incident's start to the vacation's end.
    assert deadline(game) == until + DAY + HOUR
    vacation.end_vacation(player=person("ada"), now=NOW + 5 * HOUR)
    assert deadline(game) == until + 4 * HOUR


def test_two_incidents_one_after_the_other_count_both() -> None:
    game = quick("ada", "bob")
    until = deadline(game)
    for n in range(2):
        start(NOW + HOUR + n * 5 * HOUR)
        end(NOW + 3 * HOUR + n * 5 * HOUR)
    assert deadline(game) == until + 4 * HOUR
    assert clocks.load_unprocessed_incidents() == []


# --------------------------------------------------------------------------------------- twice, and half-way


def test_there_is_one_incident_at_a_time() -> None:
    start(NOW)
    with pytest.raises(Conflict) as refused:
        start(NOW + HOUR)
    assert refused.value.code == "incident-open"
    assert Incident.objects.get().started_at == NOW
    end(NOW + HOUR)
    with pytest.raises(Conflict) as refused:
        end(NOW + 2 * HOUR)
    assert refused.value.code == "no-incident"
    start(NOW + 2 * HOUR)


@pytest.mark.parametrize("after", [0, 1, 2, 3])
def test_an_end_that_was_killed_half_way_is_finished_by_the_next_sweep(
    after: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    games = [quick("ada", "bob") for _ in range(3)]
    until = deadline(games[0])
    start(NOW + HOUR)
    left = [after]
    rewound = clocks.try_recompute_deadline

    def dies(*facts: Any) -> bool:
        if not left[0]:
            raise SystemExit
        left[0] -= 1
        return rewound(*facts)

    monkeypatch.setattr(incidents, "SETTLE_BATCH_SIZE", 1)
    with monkeypatch.context() as patch:
        patch.setattr(clocks, "try_recompute_deadline", dies)
        if after == 3:
            patch.setattr(Incident, "save", lambda self, update_fields: save(self, update_fields, left))
        with pytest.raises(SystemExit):
            end(NOW + 3 * HOUR)
    assert not Incident.objects.get().settled
    # The next sweep finds the incident ended: all have the end that was written down first.
    assert not swept(NOW + 10 * HOUR)
    assert Incident.objects.get().settled
    assert [deadline(game) for game in games] == [until + 2 * HOUR] * 3
    assert swept(until + 2 * HOUR) == {"autoplay": 3}
    well(*games)


def save(incident: Incident, fields: list[str], left: list[int]) -> None:
    """Writes down the end, and dies instead of writing that all is settled."""
    if "settled" in fields:
        raise SystemExit
    Incident.objects.filter(pk=incident.pk).update(**{name: getattr(incident, name) for name in fields})


def test_to_settle_twice_is_the_same_as_once() -> None:
    game = quick("ada", "bob")
    until = deadline(game)
    start(NOW + HOUR)
    incident = end(NOW + 3 * HOUR)
    for now in (NOW + 3 * HOUR, NOW + 8 * HOUR, NOW + 20 * HOUR):
        incidents.settle_incident(incident, now, lambda done: None)
        assert deadline(game) == until + 2 * HOUR


def test_a_broken_game_does_not_keep_the_clocks_of_the_others_from_running(
    caplog: pytest.LogCaptureFixture,
) -> None:
    broken, game = quick("ada", "bob"), quick("ada", "bob")
    until = deadline(game)
    GameSecrets.objects.filter(game=broken).update(state="{")
    start(NOW + HOUR)
    end(NOW + 2 * HOUR)
    assert broken.code in caplog.text
    assert Incident.objects.get().settled
    assert deadline(game) == until + HOUR
    assert swept(deadline(game))["autoplay"] == 1


# ------------------------------------------------------------------------------------------------ the command


def command(*words: str) -> str:
    out = StringIO()
    call_command("incident", *words, stdout=out)
    return out.getvalue()


def test_an_operator_starts_and_ends_it_by_one_command_each() -> None:
    assert command("status") == "Clocks run.\n"
    assert "All clocks rest" in command("start", "no power in the cellar")
    assert Incident.objects.get().why == "no power in the cellar"
    assert "no power in the cellar" in command("status")
    with pytest.raises(CommandError, match="open already"):
        command("start")
    Incident.objects.update(started_at=Incident.objects.get().started_at - timedelta(hours=3))
    assert "they rested for 3:00:0" in command("end")
    assert command("status") == "Clocks run.\n"
    with pytest.raises(CommandError, match="no incident is open"):
        command("end")


def test_the_command_finishes_an_end_that_broke_off() -> None:
    game = quick("ada", "bob")
    until = deadline(game)
    start(NOW + HOUR)
    Incident.objects.update(ended_at=NOW + 2 * HOUR)
    assert "being set" in command("status")
    assert "they rested for 1:00:00" in command("end")
    assert deadline(game) == until + HOUR


# --------------------------------------------------------------------------------------------- what one sees


def test_a_player_sees_that_the_clock_rests_and_that_nothing_is_lost() -> None:
    game = quick("ada", "bob")
    name = mover(game)
    start(NOW + HOUR)
    (mine,) = forecast_absence(person(name), NOW + 2 * HOUR).clocks
    assert (mine.stop_reasons, mine.deadline, mine.loses_at) == (("incident",), None, None)
    end(NOW + 3 * HOUR)
    (mine,) = forecast_absence(person(name), NOW + 3 * HOUR).clocks
    assert (mine.stop_reasons, mine.deadline) == ((), deadline(game))
    act(game, now=NOW + 3 * HOUR)
    assert Game.objects.get(pk=game.pk).status == "running"
