"""Vacation: earned, planned, or taken by the hour when a deadline passes."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest

from accounts.models import Player
from common.service_errors import Conflict, Invalid
from games.models import Game, GameSecrets
from games.services import sweep, vacation
from notifications.models import FeedEntry
from tests.factories.cast import NOW, player
from tests.factories.timing import (
    CALM,
    DAY,
    HOUR,
    MINUTE,
    SECOND,
    check_all_games_are_sound,
    compute_time_left,
    get_deadline,
    get_name_to_act,
    get_seat_clock,
    let_time_run_out,
    list_feed_entries,
    list_log_lines,
    play_first_legal,
    play_until_turn_of,
    reload_player,
    set_vacation_balance,
    start_quick_game,
    start_seeded_game,
    start_vacation_game,
    sweep_games,
    take_turn,
)

pytestmark = pytest.mark.django_db
NONE = timedelta()


def get_balance(name: str, now: datetime) -> timedelta:
    return vacation.compute_vacation_balance(reload_player(name), now)


def plan_vacation(name: str, start: datetime, end: datetime, now: datetime = NOW) -> Player:
    return vacation.plan_vacation(player=reload_player(name), start=start, end=end, now=now)


# --------------------------------------------------------------------------------------- earning and planning


def test_twelve_days_of_membership_earn_one_of_vacation_up_to_thirty() -> None:
    ada = player("ada")
    assert ada.joined_at == NOW - 100 * DAY
    assert vacation.compute_vacation_balance(ada, NOW) == 100 * DAY / 12
    assert vacation.compute_vacation_balance(ada, NOW + 260 * DAY) == 30 * DAY
    assert vacation.compute_vacation_balance(ada, NOW + 2000 * DAY) == 30 * DAY


def test_what_is_taken_is_gone_and_grows_again() -> None:
    set_vacation_balance("ada", 5 * DAY)
    plan_vacation("ada", NOW, NOW + 2 * DAY)
    assert get_balance("ada", NOW) == 3 * DAY
    assert get_balance("ada", NOW + 12 * DAY) == 4 * DAY


@pytest.mark.parametrize(
    ("start", "end", "code"),
    [
        (NONE, DAY - SECOND, "invalid-value"),
        (DAY, DAY, "invalid-value"),
        (2 * DAY, DAY, "invalid-value"),
        (-2 * DAY, timedelta(hours=23), "invalid-value"),  # time that has passed does not count
        (NONE, 5 * DAY + SECOND, "too-little-vacation"),
        (100 * DAY, 106 * DAY, "too-little-vacation"),
    ],
)
def test_a_vacation_that_cannot_be_is_refused(start: timedelta, end: timedelta, code: str) -> None:
    set_vacation_balance("ada", 5 * DAY)
    before = Player.objects.values().get(name="ada")
    with pytest.raises(Invalid) as refused:
        plan_vacation("ada", NOW + start, NOW + end)
    assert refused.value.code == code
    assert Player.objects.values().get(name="ada") == before


def test_a_vacation_of_just_a_day_and_of_all_there_is_can_be() -> None:
    set_vacation_balance("ada", 5 * DAY)
    plan_vacation("ada", NOW, NOW + DAY)
    set_vacation_balance("bob", 5 * DAY)
    plan_vacation("bob", NOW, NOW + 5 * DAY)
    assert get_balance("bob", NOW) == NONE


def test_there_is_one_vacation_at_a_time() -> None:
    set_vacation_balance("ada", 10 * DAY)
    plan_vacation("ada", NOW + 5 * DAY, NOW + 7 * DAY)
    for start in (NONE, 5 * DAY, 20 * DAY):
        with pytest.raises(Conflict) as refused:
            plan_vacation("ada", NOW + start, NOW + start + DAY)
        assert refused.value.code == "on-vacation"
    plan_vacation("ada", NOW + 8 * DAY, NOW + 9 * DAY, NOW + 7 * DAY)


def test_who_is_not_away_cannot_come_back() -> None:
    with pytest.raises(Conflict) as refused:
        vacation.end_vacation(player=player("ada"), now=NOW)
    assert refused.value.code == "not-on-vacation"
    plan_vacation("ada", NOW, NOW + DAY)
    with pytest.raises(Conflict):
        vacation.end_vacation(player=reload_player("ada"), now=NOW + DAY)


def test_who_comes_back_early_gets_the_rest_back_but_for_the_first_day() -> None:
    set_vacation_balance("ada", 6 * DAY)
    plan_vacation("ada", NOW, NOW + 5 * DAY)
    vacation.end_vacation(player=reload_player("ada"), now=NOW + 2 * DAY)
    assert get_balance("ada", NOW + 2 * DAY) == 4 * DAY + 2 * DAY / 12
    set_vacation_balance("bob", 6 * DAY)
    plan_vacation("bob", NOW, NOW + 5 * DAY)
    vacation.end_vacation(player=reload_player("bob"), now=NOW + HOUR)
    assert get_balance("bob", NOW + HOUR) == 5 * DAY + HOUR / 12
    assert not vacation.has_vacation(reload_player("bob"), NOW + HOUR)


def test_who_changes_their_mind_before_it_begins_gets_all_of_it_back() -> None:
    set_vacation_balance("ada", 6 * DAY)
    plan_vacation("ada", NOW + 10 * DAY, NOW + 15 * DAY)
    vacation.end_vacation(player=reload_player("ada"), now=NOW + DAY)
    assert get_balance("ada", NOW + DAY) == 6 * DAY + DAY / 12
    assert reload_player("ada").vacation_end is None
    plan_vacation("ada", NOW + 10 * DAY, NOW + 15 * DAY, NOW + DAY)


def test_nobody_gets_more_than_the_most_by_coming_back() -> None:
    set_vacation_balance("ada", 30 * DAY)
    plan_vacation("ada", NOW + 300 * DAY, NOW + 330 * DAY)
    vacation.end_vacation(player=reload_player("ada"), now=NOW + 290 * DAY)
    assert get_balance("ada", NOW + 290 * DAY) == 30 * DAY


def test_a_vacation_that_is_planned_is_shown_to_nobody() -> None:
    start_vacation_game("ada", "bob")
    FeedEntry.objects.all().delete()
    plan_vacation("ada", NOW, NOW + 3 * DAY)
    vacation.end_vacation(player=reload_player("ada"), now=NOW + DAY)
    assert not FeedEntry.objects.exists()


# --------------------------------------------------------------------------------------------- resting clocks


def test_a_vacation_puts_a_deadline_off_by_its_length_and_the_others_not() -> None:
    game, waiting = start_vacation_game("ada", "bob"), start_vacation_game("bob", "ada")
    until, waiting_deadline = get_deadline(game), get_deadline(waiting)
    plan_vacation("ada", NOW + HOUR, NOW + HOUR + 3 * DAY, NOW)
    assert get_deadline(game) == until + 3 * DAY
    assert get_deadline(waiting) == waiting_deadline
    seq = game.seq
    sweep_games(until + 3 * DAY - SECOND)
    assert get_deadline(game) == until + 3 * DAY
    assert game.seq == seq
    assert compute_time_left(game, "ada", until + 3 * DAY - SECOND) == SECOND


def test_a_turn_that_comes_during_a_vacation_waits_for_its_end() -> None:
    game = start_vacation_game("ada", "bob")
    plan_vacation("bob", NOW, NOW + 2 * DAY)
    take_turn(game, NOW + HOUR)
    assert get_name_to_act(game) == "bob"
    assert get_deadline(game) == NOW + 2 * DAY + 27 * HOUR


def test_a_vacation_planned_for_later_counts_when_it_comes() -> None:
    game = start_vacation_game("ada", "bob")
    until = get_deadline(game)
    plan_vacation("ada", until + HOUR, until + HOUR + DAY)
    assert get_deadline(game) == until
    game = start_vacation_game("ada", "bob")
    vacation.end_vacation(player=reload_player("ada"), now=NOW)
    plan_vacation("ada", until - HOUR, until + DAY - HOUR)
    assert get_deadline(game) == until + DAY


def test_to_come_back_early_lets_the_clock_go_on_where_it_was() -> None:
    game = start_vacation_game("ada", "bob")
    until = get_deadline(game)
    plan_vacation("ada", NOW + 2 * HOUR, NOW + 2 * HOUR + 5 * DAY)
    assert get_deadline(game) == until + 5 * DAY
    vacation.end_vacation(player=reload_player("ada"), now=NOW + 2 * HOUR + 2 * DAY)
    assert get_deadline(game) == until + 2 * DAY
    assert compute_time_left(game, "ada", NOW + 2 * HOUR + 2 * DAY) == 27 * HOUR - 2 * HOUR + MINUTE


def test_a_vacation_that_ended_is_not_counted_again() -> None:
    """Clocks are recomputed before the calendar changes, so that a row need only hold the last vacation."""
    game = start_vacation_game("ada", "bob", allowance=20 * 86_400)
    until = get_deadline(game)
    set_vacation_balance("ada", 20 * DAY)
    for n in range(1, 5):
        start = NOW + n * 3 * DAY
        plan_vacation("ada", start, start + DAY, start)
        assert get_deadline(game) == until + n * DAY
    vacation.end_vacation(player=reload_player("ada"), now=start + HOUR)
    assert get_deadline(game) == until + 3 * DAY + HOUR


def test_one_can_move_while_on_vacation() -> None:
    game = start_vacation_game("ada", "bob")
    plan_vacation("ada", NOW, NOW + 5 * DAY)
    play_first_legal(game, "draw", NOW + DAY)
    take_turn(game, NOW + DAY)
    assert get_name_to_act(game) == "bob"
    assert get_seat_clock(game, "ada").bank == 2 * HOUR
    check_all_games_are_sound(game)


@pytest.mark.parametrize("live", [False, True])
def test_where_the_event_allows_no_vacation_clocks_run_on(live: bool) -> None:
    game = (
        start_seeded_game(CALM, "ada", "bob", time_control="live") if live else start_quick_game("ada", "bob")
    )
    play_until_turn_of(game, "ada")
    until = get_deadline(game)
    plan_vacation("ada", NOW, NOW + 5 * DAY)
    assert get_deadline(game) == until
    assert sweep_games(until) == {"autoplay": 1}


# --------------------------------------------------------------------------------------- vacation by the hour


def test_a_deadline_takes_an_hour_of_vacation_rather_than_the_game() -> None:
    game, other = start_vacation_game("ada", "bob"), start_vacation_game("ada", "cleo", bank=3 * 3600)
    elsewhere = start_vacation_game("bob", "ada")
    set_vacation_balance("ada", 3 * HOUR)
    until, longer = get_deadline(game), get_deadline(other)
    assert longer == until + HOUR
    set_vacation_balance("bob", NONE, until)
    assert sweep_games(until) == {"vacation": 1, "autoplay": 1}
    assert list_log_lines(elsewhere)[-1][2] == "clock"
    # A day and three hours have earned 2 h 15 min more.
    assert get_balance("ada", until) == 3 * HOUR + (until - NOW) / 12 - HOUR
    assert get_deadline(game) == until + HOUR
    assert get_deadline(other) == longer + HOUR
    assert get_seat_clock(game, "bob").bank == 2 * HOUR
    assert [line.data["game"] for line in list_feed_entries("ada", "timeout")] == [elsewhere.code]
    (line,) = list_feed_entries("ada", "vacation")
    assert line.notify_at == until
    assert line.data == {"left_seconds": int(get_balance("ada", until).total_seconds())}
    assert not list_feed_entries("bob", "vacation")
    check_all_games_are_sound(game, other)


def test_hour_after_hour_is_taken_and_announced_once_a_day_until_there_is_none() -> None:
    game = start_vacation_game("ada", "bob")
    set_vacation_balance("ada", HOUR, get_deadline(game))
    hours_taken = 0
    until = get_deadline(game)
    while sweep_games(get_deadline(game)) == {"vacation": 1}:
        hours_taken += 1
        assert get_deadline(game) == until + hours_taken * HOUR
    assert hours_taken == 1
    assert get_deadline(game) > until + HOUR
    assert list_log_lines(game)[-1][2] == "clock"
    set_vacation_balance("ada", DAY, NOW)
    play_until_turn_of(game, "ada", NOW + 3 * DAY)
    days = set()
    while (done := sweep_games(now := get_deadline(game))) == {"vacation": 1}:
        days.add(now.date())
    assert done == {"autoplay": 1}
    reasons = [line.dedup_key for line in list_feed_entries("ada", "vacation")]
    assert reasons[1:] == [f"vacation:{day}" for day in sorted(days)]
    assert len(days) > 1
    check_all_games_are_sound(game)


def test_of_two_deadlines_at_once_one_hour_serves_both() -> None:
    games = [start_vacation_game("ada", "bob") for _ in range(3)]
    until = get_deadline(games[0])
    set_vacation_balance("ada", 5 * HOUR, until)
    assert sweep_games(until) == {"vacation": 3}
    assert get_balance("ada", until) == 4 * HOUR
    assert {get_deadline(game) for game in games} == {until + HOUR}


def test_with_less_than_an_hour_left_the_server_plays() -> None:
    game = start_vacation_game("ada", "bob")
    set_vacation_balance("ada", HOUR - SECOND, get_deadline(game))
    assert sweep_games(get_deadline(game)) == {"autoplay": 1}


def test_where_the_event_forfeits_an_hour_is_taken_all_the_same() -> None:
    game = start_vacation_game("ada", "bob", timeout_policy="forfeit")
    set_vacation_balance("ada", HOUR, get_deadline(game))
    assert sweep_games(get_deadline(game)) == {"vacation": 1}
    assert sweep_games(get_deadline(game)) == {"resigned": 1}


def test_a_game_without_vacation_loses_its_turn_while_another_is_saved() -> None:
    game, strict = start_vacation_game("ada", "bob"), start_vacation_game("ada", "bob", vacation=False)
    until = get_deadline(game)
    set_vacation_balance("ada", DAY, until)
    assert sweep_games(until) == {"vacation": 1, "autoplay": 1}
    assert get_deadline(game) == until + HOUR
    assert list_log_lines(strict)[-1][2] == "clock"
    check_all_games_are_sound(game, strict)


def test_next_to_a_planned_vacation_an_hour_is_taken_too_and_the_plan_stays() -> None:
    """Planned vacation is already paid for; a player with more than that can still take an hour."""
    games = [
        start_vacation_game("ada", "bob"),
        start_vacation_game("ada", "cleo", bank=3 * 3600),
        start_vacation_game("ada", "bob", vacation=False, bank=50 * 86_400),
    ]
    until, longer, strict = map(get_deadline, games)
    set_vacation_balance("ada", 10 * DAY)
    plan_vacation("ada", NOW + 30 * DAY, NOW + 39 * DAY)
    left = get_balance("ada", until)
    assert sweep.sweep_games(now=until, limit=50) == {"vacation": 1}
    assert get_balance("ada", until) == left - HOUR
    assert (reload_player("ada").vacation_start, reload_player("ada").vacation_end) == (
        NOW + 30 * DAY,
        NOW + 39 * DAY,
    )
    assert [get_deadline(game) for game in games] == [until + HOUR, longer + HOUR, strict]
    assert [line.kind for line in list_feed_entries("ada", "vacation")] == ["vacation"]
    hours = 1
    while (done := sweep.sweep_games(now=get_deadline(games[0]), limit=50)) == {"vacation": 1}:
        hours += 1
    assert "autoplay" in done
    assert get_balance("ada", until + hours * HOUR) < HOUR
    check_all_games_are_sound(*games)


def test_two_deadlines_next_to_a_planned_vacation_take_one_hour() -> None:
    games = [start_vacation_game("ada", "bob") for _ in range(2)]
    until = get_deadline(games[0])
    set_vacation_balance("ada", 5 * DAY)
    plan_vacation("ada", NOW + 30 * DAY, NOW + 31 * DAY)
    before = get_balance("ada", until)
    assert sweep_games(until) == {"vacation": 2}
    assert get_balance("ada", until) == before - HOUR
    assert {get_deadline(game) for game in games} == {until + HOUR}


def test_a_sweeper_that_dies_before_it_takes_the_hour_leaves_it_to_the_next(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = start_vacation_game("ada", "bob")
    set_vacation_balance("ada", 5 * HOUR, get_deadline(game))
    until = get_deadline(game)

    def raise_system_exit(*kwargs: Any) -> None:
        raise SystemExit

    with monkeypatch.context() as patch:
        patch.setattr(sweep, "take_vacation_for_player", raise_system_exit)
        with pytest.raises(SystemExit):
            sweep_games(until)
    assert get_balance("ada", until) == 5 * HOUR
    assert not sweep_games(until)
    later = until + sweep.VACATION_GRACE
    assert sweep_games(later) == {"vacation": 1}
    assert get_balance("ada", later) == 4 * HOUR + sweep.VACATION_GRACE / 12
    assert get_deadline(game) == later + HOUR
    check_all_games_are_sound(game)


def test_a_broken_game_of_the_same_player_does_not_keep_the_hour_from_the_others(
    caplog: pytest.LogCaptureFixture,
) -> None:
    broken, game = start_vacation_game("ada", "bob"), start_vacation_game("ada", "cleo")
    until = get_deadline(game)
    GameSecrets.objects.filter(game=broken).update(state="{")
    Game.objects.filter(pk=broken.pk).update(next_sweep_at=until + DAY)
    set_vacation_balance("ada", 5 * HOUR, until)
    assert sweep_games(until) == {"vacation": 1}
    assert get_deadline(game) == until + HOUR
    assert broken.code in caplog.text


def test_who_has_left_vacation_and_moves_in_that_hour_gets_the_rest_of_it_for_all_games() -> None:
    game = start_vacation_game("ada", "bob")
    set_vacation_balance("ada", 5 * HOUR, get_deadline(game))
    until = let_time_run_out(game)
    take_turn(game, until + 10 * MINUTE)
    assert get_name_to_act(game) == "bob"
    assert get_seat_clock(game, "ada").bank == NONE
    play_until_turn_of(game, "ada", until + 20 * MINUTE)
    # The new turn begins within that hour, and its clock starts after it.
    assert get_deadline(game) == until + HOUR + 25 * HOUR
    vacation.end_vacation(player=reload_player("ada"), now=until + 30 * MINUTE)
    assert get_balance("ada", until + 30 * MINUTE) == 4.5 * HOUR + 30 * MINUTE / 12
    assert get_deadline(game) == until + 30 * MINUTE + 25 * HOUR
