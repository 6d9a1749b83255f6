"""A player who takes over a seat sees no hand before accepting it: two worlds look equal to them."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import timedelta

import pytest
from django.db import transaction

from accounts.models import Player
from games import engine
from games.engine import State
from games.models import GameSecrets, Seat
from games.services import seat_settings
from notifications.services import notices
from tests.example_counts import pick_example_count
from tests.factories.cast import player
from tests.seeded_secrets import CHANCE
from tournaments.models import EntrantPlayer
from tournaments.services.substitutes import replace_player

from .acting import play_step
from .endpoints import AROUND, TELLING, list_endpoints
from .game_fixtures import LOOK, MOVED, NAMES, STARTED_AT, GameFixture, build_random_fixture
from .observations import Observation, list_differences
from .viewers import REFUSED_TEXTS, Viewer, send_due, send_refused_reply
from .worlds import load_state_after, move_to_other_world, roll_back_afterwards

pytestmark = pytest.mark.django_db

NEWCOMER = "hal"
NEWCOMER_MODES = ("2", "3", "pairs")
GROUNDS = pick_example_count(2, 40)  # per mode
SHARE = pick_example_count(6, 4)  # other endpoints are requested in one game of this many
TABLE_SHARE = pick_example_count(2, 1)  # likewise for table endpoints that are not in TELLING
TRIED_SHARE = pick_example_count(4, 1)  # likewise for each refused action
OBSERVATIONS = pick_example_count(30, 60)  # minimum per game
WORLDS = pick_example_count(1, 2)  # other worlds to compare with the real one


def start_handed_over_game(mode: str, rng: random.Random) -> GameFixture:
    """Start a tournament game and replace a player who holds cards and is not the next to act."""
    for _attempt in range(200):
        with transaction.atomic():
            Player.objects.filter(name__in=NAMES).update(is_guest=False)
            fixture = build_random_fixture(1, mode, rng)
            state = fixture.step.before
            other_names = [
                name
                for name, seat in fixture.seats.items()
                if seat != fixture.step.seat
                and state.hands[seat]
                and state.setup.sides[seat] not in state.resigned_sides
            ]
            if other_names:
                return seat_newcomer(fixture, rng.choice(other_names))
            transaction.set_rollback(True)
    raise AssertionError("nobody ever holds a card")


def seat_newcomer(fixture: GameFixture, name: str) -> GameFixture:
    assert fixture.tournament
    member = EntrantPlayer.objects.get(tournament=fixture.tournament, player__name=name)
    replace_player(fixture.tournament, member, player(NEWCOMER), by=None, now=MOVED)
    fixture.game.refresh_from_db()
    sitting = {who if who != name else NEWCOMER: seat for who, seat in fixture.seats.items()}
    return replace(fixture, seats=sitting)


def observe_as_newcomer(
    fixture: GameFixture, cast: list[Viewer], viewer: Viewer, number: int, rng: random.Random | None = None
) -> tuple[State, list[Observation]]:
    """Observe as the newcomer, in the real world or, with `rng`, in one with other hands."""
    with roll_back_afterwards():
        for member in cast:
            member.reset()
        if rng:
            move_to_other_world(fixture, 0, rng)
            # The policies of the newcomer's seat are empty, and equal in both worlds.
            Seat.objects.filter(game=fixture.game, player=viewer.player).update(
                eight_policy=Seat.EightPolicy.ASK, draws_automatically=False, plays_only_action=False
            )
        play_step(fixture, cast, -1)
        state = load_state_after(fixture)
        observations: list[Observation] = []
        for endpoint in list_endpoints(fixture, viewer.player):
            share = TABLE_SHARE if "games/<slug:code>" in endpoint.route else SHARE
            is_asked = not endpoint.route.startswith(AROUND) and (endpoint.place + number) % share == 0
            if endpoint.route in TELLING or is_asked:
                observations += viewer.ask(endpoint.path)
        soon = LOOK + timedelta(minutes=2)
        while notices.fan_out_notices(now=soon):
            pass
        mail_observations = send_due([viewer], soon)
        assert mail_observations  # contains at least the notice of the handover
        observations += mail_observations
        observations += try_refused_actions(fixture, viewer, state, number)
    return state, observations


def try_refused_actions(fixture: GameFixture, viewer: Viewer, state: State, number: int) -> list[Observation]:
    """Send refused actions over the API, by the mail's link and by reply; return the observations."""
    observations = []
    for text in (*REFUSED_TEXTS, "resign")[number % TRIED_SHARE :: TRIED_SHARE]:
        observations += viewer.ask(
            f"/api/v1/games/{fixture.game.code}/actions/", data={"action": text, "seq": state.seq}
        )
        assert observations[-1].status in (403, 409), observations[-1]
    observations += viewer.ask(f"/api/v1/games/{fixture.game.code}/eight/", data={"eight_policy": "use"})
    return observations + send_refused_reply(viewer, fixture, state, REFUSED_TEXTS[0])


@pytest.mark.parametrize("mode", NEWCOMER_MODES)
def test_a_newcomer_cannot_tell_two_worlds_apart_before_they_take_the_seat(mode: str) -> None:
    cast = [Viewer(name) for name in (*NAMES, "host", NEWCOMER)]
    viewer, observation_count, differing_hands = cast[-1], 0, 0
    first = GROUNDS * NEWCOMER_MODES.index(mode)
    drawn = random.Random(f"{CHANCE}|newcomers").randrange(12)  # selects the endpoints and actions of the run
    for number in range(first + drawn, first + drawn + GROUNDS):  # different numbers in each mode
        rng = random.Random(f"newcomer {mode} {number - drawn}")
        with transaction.atomic():
            fixture = start_handed_over_game(mode, rng)
            state, observations = observe_as_newcomer(fixture, cast, viewer, number)
            seat = fixture.seats[NEWCOMER]
            for _other in range(WORLDS):
                other_state, heard_there = observe_as_newcomer(fixture, cast, viewer, number, rng)
                differing_hands += other_state.hands[seat] != state.hands[seat]
                alarms = list_differences(observations, heard_there)
                assert not alarms, f"{mode}, game {number}: {alarms}"
            observation_count += len(observations)
            transaction.set_rollback(True)
    assert observation_count > OBSERVATIONS * GROUNDS
    assert differing_hands  # otherwise the comparison proves nothing


@pytest.mark.parametrize("mode", ["2", "pairs"])
def test_once_they_take_the_seat_they_see_what_a_player_sees(mode: str) -> None:
    """Guards the test above: after taking the seat, these endpoints show a difference between the worlds."""
    viewer, rng = Viewer(NEWCOMER), random.Random(f"taken {mode}")
    for name in NAMES:
        player(name)
    fixture = start_handed_over_game(mode, rng)
    path, seat = f"/api/v1/games/{fixture.game.code}/", fixture.seats[NEWCOMER]
    assert viewer.player

    def read_hand() -> list[str]:
        answer = viewer.program.get(path, headers={"Authorization": f"Bearer {viewer.tokens[0]}"})
        return list(answer.json()["you"]["hand"])

    assert read_hand() == []
    seat_settings.take_seat(player=viewer.player, code=fixture.game.code, now=STARTED_AT)
    state = engine.load_state(GameSecrets.objects.get(game=fixture.game).state)
    assert read_hand() == list(state.hands[seat])
    assert read_hand()
