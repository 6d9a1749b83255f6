"""Who has taken a seat over sees no hand before they are bound to it: two worlds look the same to them."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import timedelta

import pytest
from django.db import transaction

from games import engine
from games.engine import State
from games.models import GameSecrets, Player, Seat
from games.services import notices, seat_settings
from tests.effort import tries
from tests.games.cast import player
from tournaments.models import EntrantPlayer
from tournaments.services.substitutes import replace_player

from .doors import AROUND, TELLING, doors
from .grounds import BEGAN, LOOK, MOVED, NAMES, Ground, random_ground
from .hearing import Heard, differences
from .test_two_worlds_of_doors import acted
from .viewers import TRIES, Viewer, by_mail, sent
from .worlds import elsewhere, fork, settled

pytestmark = pytest.mark.django_db

NEWCOMER = "hal"
GROUNDS = tries(2, 40)  # of each mode
SHARE = 4  # doors that tell little are asked in one game of so many


def taken_over(mode: str, rng: random.Random) -> Ground:
    """A game of a tournament in which somebody holds cards, is not the next to act, and is replaced."""
    for _attempt in range(200):
        with transaction.atomic():
            Player.objects.filter(name__in=NAMES).update(guest=False)
            ground = random_ground(1, mode, rng)
            state = ground.step.before
            others = [
                name
                for name, seat in ground.seats.items()
                if seat != ground.step.seat
                and state.hands[seat]
                and state.setup.sides[seat] not in state.resigned_sides
            ]
            if others:
                return newcomer_for(ground, rng.choice(others))
            transaction.set_rollback(True)
    raise AssertionError("nobody ever holds a card")


def newcomer_for(ground: Ground, name: str) -> Ground:
    assert ground.event
    member = EntrantPlayer.objects.get(event=ground.event, player__name=name)
    replace_player(ground.event, member, player(NEWCOMER), by=None, now=MOVED)
    ground.game.refresh_from_db()
    sitting = {who if who != name else NEWCOMER: seat for who, seat in ground.seats.items()}
    return replace(ground, seats=sitting)


def heard_by_newcomer(
    ground: Ground, cast: list[Viewer], viewer: Viewer, number: int, rng: random.Random | None = None
) -> tuple[State, list[Heard]]:
    """All that the newcomer gets to know, in this world or, with dice, in one where all hands are others."""
    with fork():
        for one in cast:
            one.anew()
        if rng:
            elsewhere(ground, 0, rng)
            # What the newcomer has decided in advance, nothing yet, is their own and the same in both.
            Seat.objects.filter(game=ground.game, player=viewer.player).update(eight=Seat.EightPolicy.ASK)
        acted(ground, cast, -1)
        state = settled(ground)
        told: list[Heard] = []
        for door in doors(ground, viewer.player):
            often = door.route in TELLING or "games/<slug:code>" in door.route
            if often or (not door.route.startswith(AROUND) and (door.place + number) % SHARE == 0):
                told += viewer.ask(door.path)
        soon = LOOK + timedelta(minutes=2)
        while notices.fan_out_notices(now=soon):
            pass
        mailed = sent([viewer], soon)
        assert mailed  # at least that they play on for somebody
        told += mailed
        told += tried(ground, viewer, state)
    return state, told


def tried(ground: Ground, viewer: Viewer, state: State) -> list[Heard]:
    """Whatever is tried is refused in the same words: over the API, from the mail's link, by reply."""
    told = []
    for text in (*TRIES, "resign"):
        told += viewer.ask(
            f"/api/v1/games/{ground.game.code}/actions/", data={"action": text, "seq": state.seq}
        )
        assert told[-1].status in (403, 409), told[-1]
    told += viewer.ask(f"/api/v1/games/{ground.game.code}/eight/", data={"eight": "use"})
    return told + by_mail(viewer, ground, state, TRIES[0])


@pytest.mark.parametrize("mode", ["2", "3", "pairs"])
def test_a_newcomer_cannot_tell_two_worlds_apart_before_they_take_the_seat(mode: str) -> None:
    cast = [Viewer(name) for name in (*NAMES, "host", NEWCOMER)]
    viewer, told, others = cast[-1], 0, 0
    for number in range(GROUNDS):
        rng = random.Random(f"newcomer {mode} {number}")
        with transaction.atomic():
            ground = taken_over(mode, rng)
            here, heard = heard_by_newcomer(ground, cast, viewer, number)
            seat = ground.seats[NEWCOMER]
            for _other in range(2):
                there, heard_there = heard_by_newcomer(ground, cast, viewer, number, rng)
                others += there.hands[seat] != here.hands[seat]
                apart = differences(heard, heard_there)
                assert not apart, f"{mode}, game {number}: {apart}"
            told += len(heard)
            transaction.set_rollback(True)
    assert told > 60 * GROUNDS
    assert others  # or the worlds would prove nothing


@pytest.mark.parametrize("mode", ["2", "pairs"])
def test_once_they_take_the_seat_they_see_what_a_player_sees(mode: str) -> None:
    """Guards the test above: the same doors do tell the worlds apart from then on."""
    viewer, rng = Viewer(NEWCOMER), random.Random(f"taken {mode}")
    for name in NAMES:
        player(name)
    ground = taken_over(mode, rng)
    path, seat = f"/api/v1/games/{ground.game.code}/", ground.seats[NEWCOMER]
    assert viewer.player

    def hand() -> list[str]:
        answer = viewer.program.get(path, headers={"Authorization": f"Bearer {viewer.tokens[0]}"})
        return list(answer.json()["you"]["hand"])

    assert hand() == []
    seat_settings.take_seat(player=viewer.player, code=ground.game.code, now=BEGAN)
    state = engine.load_state(GameSecrets.objects.get(game=ground.game).state)
    assert hand() == list(state.hands[seat])
    assert hand()
