"""Two worlds that differ only in what a viewer cannot know look equal through every endpoint."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest
from django.db import transaction

from accounts.models import Player
from games import engine
from games.engine import State
from games.models import Game
from games.services import game_audit
from tests.example_counts import SOAK, pick_example_count
from tests.factories.cast import player
from tests.factories.random_games import choose_seat_and_action
from tests.helpers.sampling import sample_items

from . import other_chance
from .acting import play_step
from .endpoints import LEFT_OUT, Endpoint, UnknownRoute, list_endpoints, list_routes
from .game_fixtures import KINDS, MODES, NAMES, GameFixture, build_random_fixture
from .observations import Observation, list_differences
from .viewers import (
    CAST,
    OPERATOR,
    OTHERS,
    Viewer,
    collect_mails,
    collect_refusals,
    is_time_to_ask,
    look_at_endpoints,
    set_random_wishes,
)
from .worlds import load_state_after, move_to_other_world, roll_back_afterwards

pytestmark = pytest.mark.django_db

GAMES = pick_example_count(12, 500)
SHARE = pick_example_count(12, 6)  # every endpoint is requested in one game of this many
SIDES = pick_example_count(2, 4)  # number of viewing sides at a table; viewers without a seat always look
LEAKY, UNHEARD = "tests.privacy.leaky_views", "tests.privacy.unknown_route"


def create_viewers() -> list[Viewer]:
    """Create all viewers, one of them an operator."""
    player(OPERATOR)
    Player.objects.filter(name=OPERATOR).update(is_staff=True, is_superuser=True)
    return [Viewer(name) for name in CAST]


def observe_world(
    fixture: GameFixture,
    cast: list[Viewer],
    side: int,
    number: int,
    rng: random.Random | None = None,
) -> tuple[State, list[Observation]]:
    """Observe all that a side (0: none) can learn, in the real world or, with `rng`, in another one."""
    own_viewers = [viewer for viewer in cast if viewer.side(fixture) == side and viewer.present(fixture)]
    with roll_back_afterwards():
        for viewer in cast:
            viewer.reset()
        if rng:
            move_to_other_world(fixture, side, rng)
        observations = play_step(fixture, cast, side)
        state = load_state_after(fixture)
        for viewer in own_viewers:
            observations += look_at_endpoints(viewer, fixture, number, SHARE)
        observations += collect_mails(fixture, own_viewers, number)
        for viewer in own_viewers:
            observations += collect_refusals(viewer, fixture, state, number)
    return state, observations


def check_world_is_valid(state: State, real: State, rng: random.Random) -> None:
    """Check that the other world is possible: it has the tiles of the box and can be played to its end."""
    assert Counter(state.tower) == Counter(real.tower)
    assert count_cards(state) == count_cards(real)
    while not state.is_over:
        seat, action = choose_seat_and_action(state, rng, 0.5)
        state, _ = engine.apply_action(state, seat, action)


def count_cards(state: State) -> Counter[str]:
    return Counter([*state.deck, *state.discarded_cards, *(card for hand in state.hands for card in hand)])


def list_player_sides(fixture: GameFixture) -> list[int]:
    return sorted(set(fixture.setup.sides) - {0})


@pytest.mark.parametrize("mode", MODES)
def test_no_door_tells_the_two_worlds_apart(mode: str) -> None:
    cast = create_viewers()
    observation_count = 0
    for number in range(MODES.index(mode), GAMES, len(MODES)):
        rng = random.Random(f"privacy {number}")
        with transaction.atomic():
            set_random_wishes(rng)
            fixture = build_random_fixture(number, mode, rng)
            if SOAK:
                assert (
                    game_audit.audit_game(Game.objects.select_related("secrets").get(pk=fixture.game.pk))
                    is None
                )
            for side in (0, *sample_items(f"sides of game {number}", list_player_sides(fixture), SIDES)):
                world_state, observations = observe_world(fixture, cast, side, number)
                other_state, other_observations = observe_world(fixture, cast, side, number, rng)
                alarms = list_differences(observations, other_observations)
                assert not alarms, f"game {number}, side {side}: {alarms}"
                observation_count += len(observations)
                if SOAK:
                    check_world_is_valid(other_state, world_state, rng)
            transaction.set_rollback(True)
    assert observation_count > 50 * GAMES / len(MODES)


def test_every_door_is_asked_or_left_out_for_a_reason(settings: Any) -> None:
    """A new route is requested automatically; a new kind of parameter raises UnknownRoute, tested below."""
    all_routes = list_routes(settings.ROOT_URLCONF)
    assert set(LEFT_OUT) <= set(all_routes)
    assert len(all_routes) > 200
    for place, route in enumerate(all_routes):
        games = [number for number in range(12) if not lacks_subject(route, number)]
        endpoint = Endpoint(route, "", place)
        assert route in LEFT_OUT or any(
            is_time_to_ask(name, endpoint, n, 12) for n in games for name in OTHERS
        ), route


def lacks_subject(route: str, number: int) -> bool:
    """True if the game with this number has no object for the route."""
    kind = KINDS[number % len(KINDS)]
    return ("leagues/" in route and kind != "league") or ("tournaments/" in route and kind == "lobby")


# ------------------------------------------------------------------------------------------------ guards


def build_two_player_fixture() -> GameFixture:
    """Build a two-player game in which both hold cards."""
    for name in NAMES:
        player(name)
    for attempt in range(100):
        Player.objects.update(is_guest=False)
        fixture = build_random_fixture(0, "2", random.Random(f"leaks {attempt}"))
        if all(fixture.step.before.hands[1:]):
            return fixture
    raise AssertionError("nobody ever holds a card")


def test_a_door_that_tells_of_anothers_hand_is_found(settings: Any) -> None:
    """Guards the tests above: the walk finds the views of tests/privacy/leaky_views.py like any others."""
    settings.ROOT_URLCONF = LEAKY
    rng = random.Random("leaks")
    fixture = build_two_player_fixture()
    viewer = Viewer(NAMES[0])
    leaks = [
        endpoint for endpoint in list_endpoints(fixture, viewer.player) if endpoint.route.startswith("leaks/")
    ]
    assert len(leaks) == 4

    def observe_endpoint(endpoint: Endpoint, other: bool) -> list[Observation]:
        with roll_back_afterwards():
            if other:
                move_to_other_world(fixture, viewer.side(fixture), rng)
            return viewer.ask(endpoint.path)

    for leak in leaks:
        first_observations = observe_endpoint(leak, False)
        assert first_observations[0].status == 200
        assert not list_differences(first_observations, observe_endpoint(leak, False))
        assert any(list_differences(first_observations, observe_endpoint(leak, True)) for _ in range(20)), (
            leak
        )


def test_an_address_with_an_unknown_part_must_be_described(settings: Any) -> None:
    settings.ROOT_URLCONF = UNHEARD
    nowhere: Any = None
    with pytest.raises(UnknownRoute, match="of leaks/<str:unheard>/"):
        list_endpoints(nowhere, None)


def test_the_other_world_really_is_another() -> None:
    """Guards the tests above: with equal worlds they would prove nothing."""
    fixture, rng = build_two_player_fixture(), random.Random(1)
    setup, after = fixture.setup, fixture.step.after
    other_states = [other_chance.build_other_world(fixture.steps, 1, rng)[1] for _ in range(20)]
    assert {other.hands[1] for other in other_states} == {after.hands[1]}
    assert len({other.hands[2] for other in other_states}) > 3
    assert len({other.tower for other in other_states}) == len({other.deck for other in other_states}) == 20
    assert len({other.setup.key for other in other_states} | {setup.key}) == 21
    assert all(engine.load_state(engine.dump_state(other)) == other for other in other_states)
