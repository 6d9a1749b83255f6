"""Two worlds that differ only in what a viewer cannot know look the same to them through every door."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest
from django.db import transaction

from games import engine
from games.engine import State
from games.models import Game, Player
from games.services import game_audit
from tests.effort import SOAK, tries
from tests.engine.random_games import chosen
from tests.games.cast import player

from . import chance
from .doors import LEFT_OUT, Door, Unknown, doors, routes
from .grounds import KINDS, MODES, NAMES, Ground, random_ground
from .hearing import Heard, differences
from .viewers import CAST, OPERATOR, OTHERS, Viewer, comes_by, looks, mails, refusals, wishes
from .worlds import act_for_bot, elsewhere, fork, settled

pytestmark = pytest.mark.django_db

GAMES = tries(12, 500)
SHARE = tries(12, 6)  # every door is asked once in so many games
LEAKY, UNHEARD = "tests.privacy.leaky", "tests.privacy.unheard"


def everybody() -> list[Viewer]:
    """All who may ever look; one of them is an operator."""
    player(OPERATOR)
    Player.objects.filter(name=OPERATOR).update(is_staff=True, is_superuser=True)
    return [Viewer(name) for name in CAST]


def heard_in(
    ground: Ground,
    cast: list[Viewer],
    side: int,
    number: int,
    rng: random.Random | None = None,
) -> tuple[State, list[Heard]]:
    """All that those of a side (0: of none) get to know, in this world or, with dice, in another one."""
    mine = [viewer for viewer in cast if viewer.side(ground) == side and viewer.present(ground)]
    with fork():
        for viewer in cast:
            viewer.anew()
        if rng:
            elsewhere(ground, side, rng)
        told = acted(ground, cast, side)
        state = settled(ground)
        for viewer in mine:
            told += looks(viewer, ground, number, SHARE)
        told += mails(ground, mine, number)
        for viewer in mine:
            told += refusals(viewer, ground, state, number)
    return state, told


def acted(ground: Ground, cast: list[Viewer], side: int) -> list[Heard]:
    """The action is played by whose it is; its answer is for them alone."""
    step = ground.step
    actor = next((viewer for viewer in cast if viewer.seat(ground) == step.seat), None)
    if actor is None:
        act_for_bot(ground)
        return []
    asked = {"action": step.action, "seq": step.before.seq}
    told = actor.ask(f"/api/v1/games/{ground.game.code}/actions/", data=asked)
    assert told[0].status == 201, told
    return told if actor.side(ground) == side else []


def valid(state: State, real: State, rng: random.Random) -> None:
    """The other world is one that could be: the same box, and it can be played to its end."""
    assert Counter(state.tower) == Counter(real.tower)
    assert cards_of(state) == cards_of(real)
    while not state.is_over:
        seat, action = chosen(state, rng, 0.5)
        state, _ = engine.apply_action(state, seat, action)


def cards_of(state: State) -> Counter[str]:
    return Counter([*state.deck, *state.discarded_cards, *(card for hand in state.hands for card in hand)])


@pytest.mark.parametrize("mode", MODES)
def test_no_door_tells_the_two_worlds_apart(mode: str) -> None:
    cast = everybody()
    heard = 0
    for number in range(MODES.index(mode), GAMES, len(MODES)):
        rng = random.Random(f"privacy {number}")
        with transaction.atomic():
            wishes(rng)
            ground = random_ground(number, mode, rng)
            if SOAK:
                assert (
                    game_audit.audit_game(Game.objects.select_related("secret").get(pk=ground.game.pk))
                    is None
                )
            for side in sorted(set(ground.setup.sides)):
                here, told = heard_in(ground, cast, side, number)
                there, told_there = heard_in(ground, cast, side, number, rng)
                apart = differences(told, told_there)
                assert not apart, f"game {number}, side {side}: {apart}"
                heard += len(told)
                if SOAK:
                    valid(there, here, rng)
            transaction.set_rollback(True)
    assert heard > 50 * GAMES / len(MODES)


def test_every_door_is_asked_or_left_out_for_a_reason(settings: Any) -> None:
    """A new address is asked without anybody's doing; one with a new kind of part is told of: see below."""
    known = routes(settings.ROOT_URLCONF)
    assert set(LEFT_OUT) <= set(known)
    assert len(known) > 200
    for place, route in enumerate(known):
        games = [number for number in range(12) if not lacks(route, number)]
        door = Door(route, "", place)
        assert route in LEFT_OUT or any(comes_by(name, door, n, 12) for n in games for name in OTHERS), route


def lacks(route: str, number: int) -> bool:
    """Whether the game of that number belongs to no such thing."""
    kind = KINDS[number % len(KINDS)]
    return ("leagues/" in route and kind != "league") or ("tournaments/" in route and kind == "lobby")


# ------------------------------------------------------------------------------------ that it could fail


def a_ground() -> Ground:
    """A game of two in which both hold cards."""
    for name in NAMES:
        player(name)
    for attempt in range(100):
        Player.objects.update(guest=False)
        ground = random_ground(0, "2", random.Random(f"leaks {attempt}"))
        if all(ground.step.before.hands[1:]):
            return ground
    raise AssertionError("nobody ever holds a card")


def test_a_door_that_tells_of_anothers_hand_is_found(settings: Any) -> None:
    """Guards the tests above: views of tests/privacy/leaky.py, which the walk finds like any others."""
    settings.ROOT_URLCONF = LEAKY
    rng = random.Random("leaks")
    ground = a_ground()
    viewer = Viewer(NAMES[0])
    leaks = [door for door in doors(ground, viewer.player) if door.route.startswith("leaks/")]
    assert len(leaks) == 4

    def heard(door: Door, other: bool) -> list[Heard]:
        with fork():
            if other:
                elsewhere(ground, viewer.side(ground), rng)
            return viewer.ask(door.path)

    for door in leaks:
        here = heard(door, False)
        assert here[0].status == 200
        assert not differences(here, heard(door, False))
        assert any(differences(here, heard(door, True)) for _ in range(20)), door


def test_an_address_with_an_unknown_part_asks_to_be_told_of(settings: Any) -> None:
    settings.ROOT_URLCONF = UNHEARD
    nowhere: Any = None
    with pytest.raises(Unknown, match="of leaks/<str:unheard>/"):
        doors(nowhere, None)


def test_the_other_world_really_is_another() -> None:
    """Guards the tests above: were the worlds the same, they would prove nothing."""
    ground, rng = a_ground(), random.Random(1)
    setup, after = ground.setup, ground.step.after
    others = [chance.elsewhere(ground.steps, 1, rng)[1] for _ in range(20)]
    assert {other.hands[1] for other in others} == {after.hands[1]}
    assert len({other.hands[2] for other in others}) > 3
    assert len({other.tower for other in others}) == len({other.deck for other in others}) == 20
    assert len({other.setup.key for other in others} | {setup.key}) == 21
    assert all(engine.load_state(engine.dump_state(other)) == other for other in others)
