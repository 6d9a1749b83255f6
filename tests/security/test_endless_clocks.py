"""Nobody keeps a clock from running by changed hours or time zones, pauses, or vacation."""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime, time, timedelta
from itertools import cycle

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from accounts.models import Player
from accounts.services import players
from common.service_errors import Invalid, ServiceError
from games import clock
from games.models import Game
from games.services import pauses, vacation
from tests.example_counts import make_settings
from tests.factories.cast import NOW, Api, player
from tests.factories.timing import (
    DAY,
    HOUR,
    MINUTE,
    get_deadline,
    get_name_to_act,
    get_seat_clock,
    list_log_lines,
    play_first_legal,
    reload_player,
    set_vacation_balance,
    start_quick_game,
    start_vacation_game,
    sweep_games,
    take_turn,
)

pytestmark = pytest.mark.django_db

ZONES = ("Pacific/Auckland", "America/Los_Angeles", "Europe/Rome", "Pacific/Kiritimati", "Asia/Tokyo")
TURN, BANK = timedelta(seconds=90_000), timedelta(seconds=7_200)  # allowance and bank of a quick game
BOUND = 2 * (TURN + BANK) + DAY + MINUTE


def choose_night(name: str, now: datetime) -> None:
    """Choose a time zone and quiet hours that begin at this hour."""
    for zone in ZONES:
        local = now.astimezone(clock.load_zone(zone))
        start, end = time(local.hour), time((local.hour + 12) % 24)
        players.change_profile(
            player=reload_player(name), now=now, time_zone=zone, quiet_from=start, quiet_until=end
        )
        if "night" in clock.stop_reasons_at(clock.Calendar(zone, night=(start, end)), now):
            return


# -------------------------------------------------------------------------------------- hours and time zones


def test_a_zone_that_changes_twice_a_day_does_not_keep_it_night() -> None:
    game = start_vacation_game("ada", "bob", nights=True, vacation=False)
    until = get_deadline(game)
    assert until - NOW <= BOUND
    now = NOW
    while now + HOUR < until:
        now += HOUR
        choose_night("ada", now)
        sweep_games(now)
        assert get_deadline(game) == until
        assert get_name_to_act(game) == "ada"
    sweep_games(until)
    game.refresh_from_db()
    assert list_log_lines(game)[-1][2] == "clock"


def test_over_the_api_a_change_of_hours_leaves_every_running_turn_as_it_is() -> None:
    for terms in ({"nights": True}, {"weekends": True}, {}):
        start_vacation_game("ada", "bob", vacation=False, **terms)
    before = list(Game.objects.order_by("pk").values())
    own_api = Api("ada", ("read", "account"))
    for zone in ZONES:
        body = {"time_zone": zone, "quiet_from": "01:00", "quiet_until": "13:00"}
        answer = own_api.client.patch(
            "/api/v1/me/", body, content_type="application/json", headers=own_api.headers
        )
        assert answer.status_code == 200, answer.content
        assert answer.json()["time_zone"] == zone
    assert list(Game.objects.order_by("pk").values()) == before


def test_hours_that_change_before_every_turn_make_no_turn_longer_than_its_bound() -> None:
    game = start_vacation_game("ada", "bob", nights=True, vacation=False)
    now = NOW
    for _turn in range(6):
        choose_night("ada", now)  # during bob's turn, or just before ada's ends
        choose_night("bob", now)
        take_turn(game, now)
        late = get_name_to_act(game)
        until = get_deadline(game)
        assert get_seat_clock(game, late).hours == clock.PlayerHours(
            reload_player(late).time_zone, (reload_player(late).quiet_from, reload_player(late).quiet_until)
        )
        assert until - now <= BOUND
        now = until - MINUTE


def test_the_other_players_hours_never_move_a_deadline() -> None:
    game = start_vacation_game("ada", "bob", nights=True, weekends=True, vacation=False)
    until = get_deadline(game)
    for hours in range(1, 40, 3):
        choose_night("bob", NOW + hours * HOUR)
        sweep_games(NOW + hours * HOUR)
        assert get_deadline(game) == until
        data = Api("bob").get(f"games/{game.code}/").json()
        falls = [seat["deadline"] for seat in data["seats"] if seat["deadline"]]
        assert falls == [f"{until.astimezone(UTC).isoformat()[:19]}Z"]


class AnyOrderOfChanges(TestCase):
    """Random changes at random times by either player."""

    @make_settings(25)
    @given(
        st.lists(
            st.tuples(
                st.sampled_from(["ada", "bob"]),
                st.integers(1, 30),
                st.sampled_from(ZONES),
                st.integers(0, 23),
                st.integers(1, 12),
            ),
            min_size=1,
            max_size=12,
        )
    )
    def test_a_turn_ends_when_it_said_that_it_would(
        self, changes: list[tuple[str, int, str, int, int]]
    ) -> None:
        game = start_quick_game("ada", "bob", nights=True)
        late, until, now = get_name_to_act(game), get_deadline(game), NOW
        assert until - NOW <= BOUND
        for name, hours, zone, start, length in changes:
            now += hours * HOUR
            players.change_profile(
                player=reload_player(name),
                now=now,
                time_zone=zone,
                quiet_from=time(start),
                quiet_until=time((start + length) % 24),
            )
            if now >= until:
                break
            sweep_games(now)
            assert get_deadline(game) == until
            assert get_name_to_act(game) == late
        sweep_games(max(until, now))
        game.refresh_from_db()
        assert (list_log_lines(game)[-1][0], list_log_lines(game)[-1][2]) == (
            get_seat_number(game, late),
            "clock",
        )


def get_seat_number(game: Game, name: str) -> int:
    number = game.seats.get(player__name=name).seat_no
    assert number
    return number


# ---------------------------------------------------------------------------------------- pauses and vacation


def test_pauses_that_follow_each_other_come_to_an_end() -> None:
    game = start_quick_game("ada", "bob")
    now, rested = NOW, timedelta()
    for _pause in range(3):
        until = now + clock.MAX_PAUSE_LENGTH
        pauses.propose_pause(player=reload_player("ada"), code=game.code, until=until, now=now)
        assert pauses.agree_to_pause(player=reload_player("bob"), code=game.code, now=now)
        rested += until - now
        now = until
    assert rested == clock.MAX_PAUSE_LENGTH_PER_GAME
    with pytest.raises(Invalid):
        pauses.propose_pause(player=reload_player("ada"), code=game.code, until=now + HOUR, now=now)
    # The remaining pause can be taken in parts, and an early end returns the rest.
    other = start_quick_game("ada", "bob")
    for _pause in range(10):
        until = now + clock.MAX_PAUSE_LENGTH
        pauses.propose_pause(player=reload_player("ada"), code=other.code, until=until, now=now)
        assert pauses.agree_to_pause(player=reload_player("bob"), code=other.code, now=now)
        now += HOUR
        pauses.propose_pause(player=reload_player("ada"), code=other.code, until=now, now=now)
        assert pauses.agree_to_pause(player=reload_player("bob"), code=other.code, now=now)
        now += 5 * HOUR  # proposals are limited per day
    assert pauses.compute_paused_time(other, now) == 10 * HOUR


def test_vacations_that_are_taken_and_ended_all_the_time_stop_no_clock_for_ever() -> None:
    game = start_vacation_game("ada", "bob", nights=True)
    Player.objects.filter(pk=player("ada").pk).update(joined_at=NOW)
    set_vacation_balance("ada", clock.MAX_VACATION_BALANCE)
    start, now = NOW, NOW
    # The bound of the turn, the saved vacation, and the vacation earned during that time.
    bound = (BOUND + clock.MAX_VACATION_BALANCE) * 12 / 11 + DAY
    commands = cycle([plan_a_day, end_vacation, plan_a_day, plan_later, end_vacation])
    while get_name_to_act(game) == "ada" and now - start <= 2 * bound:
        now += 5 * HOUR
        with suppress(ServiceError):
            next(commands)(now)
        sweep_games(now)
        game.refresh_from_db()
    assert list_log_lines(game)[-1][2] == "clock"
    assert now - start <= bound


def plan_a_day(now: datetime) -> None:
    vacation.plan_vacation(player=reload_player("ada"), start=now, end=now + DAY, now=now)


def plan_later(now: datetime) -> None:
    vacation.plan_vacation(player=reload_player("ada"), start=now + HOUR, end=now + 2 * DAY, now=now)


def end_vacation(now: datetime) -> None:
    vacation.end_vacation(player=reload_player("ada"), now=now)


def test_an_action_within_a_turn_starts_no_clock_anew() -> None:
    game = start_vacation_game("ada", "bob", nights=True, vacation=False)
    until = get_deadline(game)
    choose_night("ada", NOW + HOUR)
    play_first_legal(game, "draw", now=NOW + HOUR)
    assert get_name_to_act(game) == "ada"
    assert get_deadline(game) == until
