"""Two worlds that differ only in what a viewer cannot know look the same to them through every door."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from django.db import transaction

from games import engine
from games.engine import State
from games.models import Game, Player
from games.services import audit
from tests.effort import SOAK, tries
from tests.engine.random_games import chosen
from tests.games.cast import player

from .doors import LEFT_OUT, Unknown, doors, routes
from .grounds import MODES, Ground, random_ground
from .hearing import Heard, differences
from .viewers import CAST, OPERATOR, Viewer, looks, mails, refusals, wishes
from .worlds import act_for_bot, elsewhere, fork, settled

pytestmark = pytest.mark.django_db

GAMES = tries(12, 500)
SHARE = tries(12, 4)  # every door is asked by everybody once in so many games
LEAKY = "tests.privacy.leaky"


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
    *,
    share: int = SHARE,
    urlconf: str | None = None,
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
            told += looks(viewer, ground, number, share, urlconf)
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
    while not state.over:
        seat, action = chosen(state, rng, 0.5)
        state, _ = engine.apply(state, seat, action)


def cards_of(state: State) -> Counter[str]:
    return Counter([*state.deck, *state.buried, *(card for hand in state.hands for card in hand)])


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
                assert audit.audit_game(Game.objects.select_related("secret").get(pk=ground.game.pk)) is None
            for side in sorted(set(ground.setup.sides)):
                here, told = heard_in(ground, cast, side, number)
                there, told_there = heard_in(ground, cast, side, number, rng)
                apart = differences(told, told_there)
                assert not apart, f"game {number}, side {side}: {apart}"
                heard += len(told)
                if SOAK:
                    valid(there, here, rng)
            transaction.set_rollback(True)
    assert heard > 100 * GAMES / len(MODES)


def test_every_door_is_asked_or_left_out_for_a_reason() -> None:
    assert set(LEFT_OUT) <= set(routes())
    assert len(routes()) > 200
