"""Vacation: earned, planned, taken by the hour when a deadline falls."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest

from games.models import FeedEntry, Game, GameSecrets, Player
from games.services import sweep, vacation
from games.services.errors import Conflict, Invalid

from .cast import NOW, player
from .timing import (
    CALM,
    DAY,
    HOUR,
    MINUTE,
    SECOND,
    act,
    allowing,
    deadline,
    feed_of,
    left_at,
    lines,
    mover,
    person,
    quick,
    saved,
    seeded,
    swept,
    take_turn,
    time_out,
    turn_of,
    watch,
    well,
)

pytestmark = pytest.mark.django_db
NONE = timedelta()


def left_of(name: str, now: datetime) -> timedelta:
    return vacation.compute_vacation_balance(person(name), now)


def plan(name: str, start: datetime, end: datetime, now: datetime = NOW) -> Player:
    return vacation.plan_vacation(player=person(name), start=start, end=end, now=now)


# ----------------------------------------------------------------------------------------- earned and planned


def test_twelve_days_of_membership_earn_one_of_vacation_up_to_thirty() -> None:
    ada = player("ada")
    assert ada.joined_at == NOW - 100 * DAY
    assert vacation.compute_vacation_balance(ada, NOW) == 100 * DAY / 12
    assert vacation.compute_vacation_balance(ada, NOW + 260 * DAY) == 30 * DAY
    assert vacation.compute_vacation_balance(ada, NOW + 2000 * DAY) == 30 * DAY


def test_what_is_taken_is_gone_and_grows_again() -> None:
    saved("ada", 5 * DAY)
    plan("ada", NOW, NOW + 2 * DAY)
    assert left_of("ada", NOW) == 3 * DAY
    assert left_of("ada", NOW + 12 * DAY) == 4 * DAY


@pytest.mark.parametrize(
    ("start", "end", "code"),
    [
        (NONE, DAY - SECOND, "invalid"),
        (DAY, DAY, "invalid"),
        (2 * DAY, DAY, "invalid"),
        (-2 * DAY, timedelta(hours=23), "invalid"),  # what has passed does not count
        (NONE, 5 * DAY + SECOND, "too-little-vacation"),
        (100 * DAY, 106 * DAY, "too-little-vacation"),
    ],
)
def test_a_vacation_that_cannot_be_is_refused(start: timedelta, end: timedelta, code: str) -> None:
    saved("ada", 5 * DAY)
    before = Player.objects.values().get(name="ada")
    with pytest.raises(Invalid) as refused:
        plan("ada", NOW + start, NOW + end)
    assert refused.value.code == code
    assert Player.objects.values().get(name="ada") == before


def test_a_vacation_of_just_a_day_and_of_all_there_is_can_be() -> None:
    saved("ada", 5 * DAY)
    plan("ada", NOW, NOW + DAY)
    saved("bob", 5 * DAY)
    plan("bob", NOW, NOW + 5 * DAY)
    assert left_of("bob", NOW) == NONE


def test_there_is_one_vacation_at_a_time() -> None:
    saved("ada", 10 * DAY)
    plan("ada", NOW + 5 * DAY, NOW + 7 * DAY)
    for start in (NONE, 5 * DAY, 20 * DAY):
        with pytest.raises(Conflict) as refused:
            plan("ada", NOW + start, NOW + start + DAY)
        assert refused.value.code == "on-vacation"
    plan("ada", NOW + 8 * DAY, NOW + 9 * DAY, NOW + 7 * DAY)


def test_who_is_not_away_cannot_come_back() -> None:
    with pytest.raises(Conflict) as refused:
        vacation.end_vacation(player=player("ada"), now=NOW)
    assert refused.value.code == "not-on-vacation"
    plan("ada", NOW, NOW + DAY)
    with pytest.raises(Conflict):
        vacation.end_vacation(player=person("ada"), now=NOW + DAY)


def test_who_comes_back_early_gets_the_rest_back_but_for_the_first_day() -> None:
    saved("ada", 6 * DAY)
    plan("ada", NOW, NOW + 5 * DAY)
    vacation.end_vacation(player=person("ada"), now=NOW + 2 * DAY)
    assert left_of("ada", NOW + 2 * DAY) == 4 * DAY + 2 * DAY / 12
    saved("bob", 6 * DAY)
    plan("bob", NOW, NOW + 5 * DAY)
    vacation.end_vacation(player=person("bob"), now=NOW + HOUR)
    assert left_of("bob", NOW + HOUR) == 5 * DAY + HOUR / 12
    assert not vacation.has_vacation(person("bob"), NOW + HOUR)


def test_who_changes_their_mind_before_it_begins_gets_all_of_it_back() -> None:
    saved("ada", 6 * DAY)
    plan("ada", NOW + 10 * DAY, NOW + 15 * DAY)
    vacation.end_vacation(player=person("ada"), now=NOW + DAY)
    assert left_of("ada", NOW + DAY) == 6 * DAY + DAY / 12
    assert person("ada").away_until is None
    plan("ada", NOW + 10 * DAY, NOW + 15 * DAY, NOW + DAY)


def test_nobody_gets_more_than_the_most_by_coming_back() -> None:
    saved("ada", 30 * DAY)
    plan("ada", NOW + 300 * DAY, NOW + 330 * DAY)
    vacation.end_vacation(player=person("ada"), now=NOW + 290 * DAY)
    assert left_of("ada", NOW + 290 * DAY) == 30 * DAY


def test_a_vacation_that_is_planned_is_told_to_nobody() -> None:
    allowing("ada", "bob")
    FeedEntry.objects.all().delete()
    plan("ada", NOW, NOW + 3 * DAY)
    vacation.end_vacation(player=person("ada"), now=NOW + DAY)
    assert not FeedEntry.objects.exists()


# ------------------------------------------------------------------------------------------------ clocks rest


def test_a_vacation_puts_a_deadline_off_by_its_length_and_the_others_not() -> None:
    game, waiting = allowing("ada", "bob"), allowing("bob", "ada")
    until, theirs = deadline(game), deadline(waiting)
    plan("ada", NOW + HOUR, NOW + HOUR + 3 * DAY, NOW)
    assert deadline(game) == until + 3 * DAY
    assert deadline(waiting) == theirs
    seq = game.seq
    swept(until + 3 * DAY - SECOND)
    assert deadline(game) == until + 3 * DAY
    assert game.seq == seq
    assert left_at(game, "ada", until + 3 * DAY - SECOND) == SECOND


def test_a_turn_that_comes_during_a_vacation_waits_for_its_end() -> None:
    game = allowing("ada", "bob")
    plan("bob", NOW, NOW + 2 * DAY)
    take_turn(game, NOW + HOUR)
    assert mover(game) == "bob"
    assert deadline(game) == NOW + 2 * DAY + 27 * HOUR


def test_a_vacation_planned_for_later_counts_when_it_comes() -> None:
    game = allowing("ada", "bob")
    until = deadline(game)
    plan("ada", until + HOUR, until + HOUR + DAY)
    assert deadline(game) == until
    game = allowing("ada", "bob")
    vacation.end_vacation(player=person("ada"), now=NOW)
    plan("ada", until - HOUR, until + DAY - HOUR)
    assert deadline(game) == until + DAY


def test_to_come_back_early_lets_the_clock_go_on_where_it_was() -> None:
    game = allowing("ada", "bob")
    until = deadline(game)
    plan("ada", NOW + 2 * HOUR, NOW + 2 * HOUR + 5 * DAY)
    assert deadline(game) == until + 5 * DAY
    vacation.end_vacation(player=person("ada"), now=NOW + 2 * HOUR + 2 * DAY)
    assert deadline(game) == until + 2 * DAY
    assert left_at(game, "ada", NOW + 2 * HOUR + 2 * DAY) == 27 * HOUR - 2 * HOUR + MINUTE


def test_a_vacation_that_ended_is_not_counted_again() -> None:
    """A watch is settled before the calendar changes, so that the last vacation is all a row must hold."""
    game = allowing("ada", "bob", allowance=20 * 86_400)
    until = deadline(game)
    saved("ada", 20 * DAY)
    for n in range(1, 5):
        start = NOW + n * 3 * DAY
        plan("ada", start, start + DAY, start)
        assert deadline(game) == until + n * DAY
    vacation.end_vacation(player=person("ada"), now=start + HOUR)
    assert deadline(game) == until + 3 * DAY + HOUR


def test_one_can_move_while_on_vacation() -> None:
    game = allowing("ada", "bob")
    plan("ada", NOW, NOW + 5 * DAY)
    act(game, "draw", NOW + DAY)
    take_turn(game, NOW + DAY)
    assert mover(game) == "bob"
    assert watch(game, "ada").bank == 2 * HOUR
    well(game)


@pytest.mark.parametrize("live", [False, True])
def test_where_the_event_allows_no_vacation_clocks_run_on(live: bool) -> None:
    game = seeded(CALM, "ada", "bob", clock_name="live") if live else quick("ada", "bob")
    turn_of(game, "ada")
    until = deadline(game)
    plan("ada", NOW, NOW + 5 * DAY)
    assert deadline(game) == until
    assert swept(until) == {"autoplay": 1}


# ------------------------------------------------------------------------------------------------ by the hour


def test_a_deadline_takes_an_hour_of_vacation_rather_than_the_game() -> None:
    game, other = allowing("ada", "bob"), allowing("ada", "cleo", bank=3 * 3600)
    elsewhere = allowing("bob", "ada")
    saved("ada", 3 * HOUR)
    until, longer = deadline(game), deadline(other)
    assert longer == until + HOUR
    saved("bob", NONE, until)
    assert swept(until) == {"vacation": 1, "autoplay": 1}
    assert lines(elsewhere)[-1][2] == "clock"
    # A day and three hours have earned 2 h 15 min more.
    assert left_of("ada", until) == 3 * HOUR + (until - NOW) / 12 - HOUR
    assert deadline(game) == until + HOUR
    assert deadline(other) == longer + HOUR
    assert watch(game, "bob").bank == 2 * HOUR
    assert [line.data["game"] for line in feed_of("ada", "timeout")] == [elsewhere.code]
    (line,) = feed_of("ada", "vacation")
    assert line.due_at == until
    assert line.data == {"left": int(left_of("ada", until).total_seconds())}
    assert not feed_of("bob", "vacation")
    well(game, other)


def test_hour_after_hour_is_taken_and_told_once_a_day_until_there_is_none() -> None:
    game = allowing("ada", "bob")
    saved("ada", HOUR, deadline(game))
    taken = 0
    until = deadline(game)
    while swept(deadline(game)) == {"vacation": 1}:
        taken += 1
        assert deadline(game) == until + taken * HOUR
    assert taken == 1
    assert deadline(game) > until + HOUR
    assert lines(game)[-1][2] == "clock"
    saved("ada", DAY, NOW)
    turn_of(game, "ada", NOW + 3 * DAY)
    days = set()
    while (done := swept(now := deadline(game))) == {"vacation": 1}:
        days.add(now.date())
    assert done == {"autoplay": 1}
    reasons = [line.reason for line in feed_of("ada", "vacation")]
    assert reasons[1:] == [f"vacation:{day}" for day in sorted(days)]
    assert len(days) > 1
    well(game)


def test_of_two_deadlines_at_once_one_hour_serves_both() -> None:
    games = [allowing("ada", "bob") for _ in range(3)]
    until = deadline(games[0])
    saved("ada", 5 * HOUR, until)
    assert swept(until) == {"vacation": 3}
    assert left_of("ada", until) == 4 * HOUR
    assert {deadline(game) for game in games} == {until + HOUR}


def test_with_less_than_an_hour_left_the_server_plays() -> None:
    game = allowing("ada", "bob")
    saved("ada", HOUR - SECOND, deadline(game))
    assert swept(deadline(game)) == {"autoplay": 1}


def test_where_the_event_forfeits_an_hour_is_taken_all_the_same() -> None:
    game = allowing("ada", "bob", timeouts="forfeit")
    saved("ada", HOUR, deadline(game))
    assert swept(deadline(game)) == {"vacation": 1}
    assert swept(deadline(game)) == {"resigned": 1}


def test_a_game_without_vacation_loses_its_turn_while_another_is_saved() -> None:
    game, strict = allowing("ada", "bob"), allowing("ada", "bob", vacation=False)
    until = deadline(game)
    saved("ada", DAY, until)
    assert swept(until) == {"vacation": 1, "autoplay": 1}
    assert deadline(game) == until + HOUR
    assert lines(strict)[-1][2] == "clock"
    well(game, strict)


def test_next_to_a_planned_vacation_an_hour_is_taken_too_and_the_plan_stays() -> None:
    """What was planned is paid for; a player who has more than that is not lost for having planned."""
    games = [
        allowing("ada", "bob"),
        allowing("ada", "cleo", bank=3 * 3600),
        allowing("ada", "bob", vacation=False, bank=50 * 86_400),
    ]
    until, longer, strict = map(deadline, games)
    saved("ada", 10 * DAY)
    plan("ada", NOW + 30 * DAY, NOW + 39 * DAY)
    left = left_of("ada", until)
    assert sweep.sweep_games(now=until, limit=50) == {"vacation": 1}
    assert left_of("ada", until) == left - HOUR
    assert (person("ada").away_from, person("ada").away_until) == (NOW + 30 * DAY, NOW + 39 * DAY)
    assert [deadline(game) for game in games] == [until + HOUR, longer + HOUR, strict]
    assert [line.kind for line in feed_of("ada", "vacation")] == ["vacation"]
    hours = 1
    while (done := sweep.sweep_games(now=deadline(games[0]), limit=50)) == {"vacation": 1}:
        hours += 1
    assert "autoplay" in done
    assert left_of("ada", until + hours * HOUR) < HOUR
    well(*games)


def test_two_deadlines_next_to_a_planned_vacation_take_one_hour() -> None:
    games = [allowing("ada", "bob") for _ in range(2)]
    until = deadline(games[0])
    saved("ada", 5 * DAY)
    plan("ada", NOW + 30 * DAY, NOW + 31 * DAY)
    before = left_of("ada", until)
    assert swept(until) == {"vacation": 2}
    assert left_of("ada", until) == before - HOUR
    assert {deadline(game) for game in games} == {until + HOUR}


def test_a_sweeper_that_dies_before_it_takes_the_hour_leaves_it_to_the_next(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = allowing("ada", "bob")
    saved("ada", 5 * HOUR, deadline(game))
    until = deadline(game)

    def dies(*facts: Any) -> None:
        raise SystemExit

    with monkeypatch.context() as patch:
        patch.setattr(sweep, "take_vacation_for_player", dies)
        with pytest.raises(SystemExit):
            swept(until)
    assert left_of("ada", until) == 5 * HOUR
    assert not swept(until)
    later = until + sweep.VACATION_GRACE
    assert swept(later) == {"vacation": 1}
    assert left_of("ada", later) == 4 * HOUR + sweep.VACATION_GRACE / 12
    assert deadline(game) == later + HOUR
    well(game)


def test_a_broken_game_of_the_same_player_does_not_keep_the_hour_from_the_others(
    caplog: pytest.LogCaptureFixture,
) -> None:
    broken, game = allowing("ada", "bob"), allowing("ada", "cleo")
    until = deadline(game)
    GameSecrets.objects.filter(game=broken).update(state="{")
    Game.objects.filter(pk=broken.pk).update(due_at=until + DAY)
    saved("ada", 5 * HOUR, until)
    assert swept(until) == {"vacation": 1}
    assert deadline(game) == until + HOUR
    assert broken.code in caplog.text


def test_who_has_left_vacation_and_moves_in_that_hour_gets_the_rest_of_it_for_all_games() -> None:
    game = allowing("ada", "bob")
    saved("ada", 5 * HOUR, deadline(game))
    until = time_out(game)
    take_turn(game, until + 10 * MINUTE)
    assert mover(game) == "bob"
    assert watch(game, "ada").bank == NONE
    turn_of(game, "ada", until + 20 * MINUTE)
    # The new turn comes in that hour, and its clock begins after it.
    assert deadline(game) == until + HOUR + 25 * HOUR
    vacation.end_vacation(player=person("ada"), now=until + 30 * MINUTE)
    assert left_of("ada", until + 30 * MINUTE) == 4.5 * HOUR + 30 * MINUTE / 12
    assert deadline(game) == until + 30 * MINUTE + 25 * HOUR
