"""Nobody keeps a clock from running: not by other hours or zones, not by pauses, not by vacations."""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime, time, timedelta
from itertools import cycle

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from games import clock
from games.models import Game, Player
from games.services import pauses, players, vacation
from games.services.errors import Invalid, ServiceError
from tests.clock.naive import checking
from tests.games.cast import NOW, Api, player
from tests.games.timing import (
    DAY,
    HOUR,
    MINUTE,
    act,
    allowing,
    deadline,
    lines,
    mover,
    person,
    quick,
    saved,
    swept,
    take_turn,
    watch,
)

pytestmark = pytest.mark.django_db

ZONES = ("Pacific/Auckland", "America/Los_Angeles", "Europe/Rome", "Pacific/Kiritimati", "Asia/Tokyo")
TURN, BANK = timedelta(seconds=90_000), timedelta(seconds=7_200)  # of `quick`
BOUND = 2 * (TURN + BANK) + DAY + MINUTE


def bring_night(name: str, now: datetime) -> None:
    """A player picks a zone and hours in which it is evening now, and night from now on."""
    for zone in ZONES:
        local = now.astimezone(clock.load_zone(zone))
        start, end = time(local.hour), time((local.hour + 12) % 24)
        players.change_profile(
            player=person(name), now=now, time_zone=zone, quiet_from=start, quiet_until=end
        )
        if "night" in clock.stop_reasons_at(clock.Calendar(zone, night=(start, end)), now):
            return


# ------------------------------------------------------------------------------------------- hours and zones


def test_a_zone_that_changes_twice_a_day_does_not_keep_it_night() -> None:
    game = allowing("ada", "bob", nights=True, vacation=False)
    until = deadline(game)
    assert until - NOW <= BOUND
    now = NOW
    while now + HOUR < until:
        now += HOUR
        bring_night("ada", now)
        swept(now)
        assert deadline(game) == until
        assert mover(game) == "ada"
    swept(until)
    game.refresh_from_db()
    assert lines(game)[-1][2] == "clock"


def test_over_the_api_a_change_of_hours_leaves_every_running_turn_as_it_is() -> None:
    for terms in ({"nights": True}, {"weekends": True}, {}):
        allowing("ada", "bob", vacation=False, **terms)
    before = list(Game.objects.order_by("pk").values())
    mine = Api("ada", ("read", "account"))
    for zone in ZONES:
        body = {"time_zone": zone, "quiet_from": "01:00", "quiet_until": "13:00"}
        answer = mine.client.patch("/api/v1/me/", body, content_type="application/json", headers=mine.headers)
        assert answer.status_code == 200, answer.content
        assert answer.json()["time_zone"] == zone
    assert list(Game.objects.order_by("pk").values()) == before


def test_hours_that_change_before_every_turn_make_no_turn_longer_than_its_bound() -> None:
    game = allowing("ada", "bob", nights=True, vacation=False)
    now = NOW
    for _turn in range(6):
        bring_night("ada", now)  # while it is bob's turn, or just before ada's ends
        bring_night("bob", now)
        take_turn(game, now)
        late = mover(game)
        until = deadline(game)
        assert watch(game, late).hours == clock.PlayerHours(
            person(late).time_zone, (person(late).quiet_from, person(late).quiet_until)
        )
        assert until - now <= BOUND
        now = until - MINUTE


def test_the_other_players_hours_never_move_a_deadline() -> None:
    game = allowing("ada", "bob", nights=True, weekends=True, vacation=False)
    until = deadline(game)
    for hours in range(1, 40, 3):
        bring_night("bob", NOW + hours * HOUR)
        swept(NOW + hours * HOUR)
        assert deadline(game) == until
        shown = Api("bob").get(f"games/{game.code}/").json()
        falls = [seat["deadline"] for seat in shown["seats"] if seat["deadline"]]
        assert falls == [f"{until.astimezone(UTC).isoformat()[:19]}Z"]


class AnyOrderOfChanges(TestCase):
    """Whatever is changed when, by whom."""

    @checking(25)
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
        game = quick("ada", "bob", nights=True)
        late, until, now = mover(game), deadline(game), NOW
        assert until - NOW <= BOUND
        for name, hours, zone, start, length in changes:
            now += hours * HOUR
            players.change_profile(
                player=person(name),
                now=now,
                time_zone=zone,
                quiet_from=time(start),
                quiet_until=time((start + length) % 24),
            )
            if now >= until:
                break
            swept(now)
            assert deadline(game) == until
            assert mover(game) == late
        swept(max(until, now))
        game.refresh_from_db()
        assert (lines(game)[-1][0], lines(game)[-1][2]) == (watch_seat(game, late), "clock")


def watch_seat(game: Game, name: str) -> int:
    number = game.places.get(player__name=name).number
    assert number
    return number


# ------------------------------------------------------------------------------------------ pauses, vacations


def test_pauses_that_follow_each_other_come_to_an_end() -> None:
    game = quick("ada", "bob")
    now, rested = NOW, timedelta()
    for _pause in range(3):
        until = now + clock.MAX_PAUSE_LENGTH
        pauses.propose_pause(player=person("ada"), code=game.code, until=until, now=now)
        assert pauses.agree_to_pause(player=person("bob"), code=game.code, now=now)
        rested += until - now
        now = until
    assert rested == clock.MAX_PAUSE_LENGTH_PER_GAME
    with pytest.raises(Invalid):
        pauses.propose_pause(player=person("ada"), code=game.code, until=now + HOUR, now=now)
    # What is left of it can be had in parts, and ending one early gives the rest back.
    other = quick("ada", "bob")
    for _pause in range(10):
        until = now + clock.MAX_PAUSE_LENGTH
        pauses.propose_pause(player=person("ada"), code=other.code, until=until, now=now)
        assert pauses.agree_to_pause(player=person("bob"), code=other.code, now=now)
        now += HOUR
        pauses.propose_pause(player=person("ada"), code=other.code, until=now, now=now)
        assert pauses.agree_to_pause(player=person("bob"), code=other.code, now=now)
        now += 5 * HOUR  # one may propose only so often a day
    assert pauses.compute_paused_time(other, now) == 10 * HOUR


def test_vacations_that_are_taken_and_ended_all_the_time_stop_no_clock_for_ever() -> None:
    game = allowing("ada", "bob", nights=True)
    Player.objects.filter(pk=player("ada").pk).update(joined_at=NOW)
    saved("ada", clock.MAX_VACATION_BALANCE)
    start, now = NOW, NOW
    # The turn's own bound, the vacation that is saved, and what is earned in all that time.
    bound = (BOUND + clock.MAX_VACATION_BALANCE) * 12 / 11 + DAY
    tries = cycle([plan_a_day, end_vacation, plan_a_day, plan_later, end_vacation])
    while mover(game) == "ada" and now - start <= 2 * bound:
        now += 5 * HOUR
        with suppress(ServiceError):
            next(tries)(now)
        swept(now)
        game.refresh_from_db()
    assert lines(game)[-1][2] == "clock"
    assert now - start <= bound


def plan_a_day(now: datetime) -> None:
    vacation.plan_vacation(player=person("ada"), start=now, end=now + DAY, now=now)


def plan_later(now: datetime) -> None:
    vacation.plan_vacation(player=person("ada"), start=now + HOUR, end=now + 2 * DAY, now=now)


def end_vacation(now: datetime) -> None:
    vacation.end_vacation(player=person("ada"), now=now)


def test_an_action_within_a_turn_starts_no_clock_anew() -> None:
    game = allowing("ada", "bob", nights=True, vacation=False)
    until = deadline(game)
    bring_night("ada", NOW + HOUR)
    act(game, "draw", now=NOW + HOUR)
    assert mover(game) == "ada"
    assert deadline(game) == until
