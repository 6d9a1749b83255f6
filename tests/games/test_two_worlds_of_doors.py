"""Two worlds that differ only in what a viewer cannot know look the same to them through every door."""

from __future__ import annotations

import random
import re
import secrets
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client

from games import engine
from games.models import Game, Secret
from tests.engine.test_two_worlds import other_world

from .cast import Api, game_of, player

pytestmark = pytest.mark.django_db
DOORS = (
    "games/{code}/",
    "games/{code}/actions/legal/",
    "games/{code}/record/",
    "games/{code}/log/",
    "games/{code}/log/?after=2&limit=3",
    "games/{code}/notes/",
    "games/{code}/chat/",
    "games/{code}/board.txt",
    "games/{code}/board.svg",
    "games/{code}/board.png?width=100",
    "games/",
    "games/?mine=true",
    "me/",
    "me/turns/",
    "me/export/",
    "events/",
    "events/?after=1&limit=2",
)
PAGES = (
    "/games/{code}/",
    "/games/{code}/?card=QL",
    "/games/{code}/pulse/",
    "/games/{code}/board.svg",
    "/games/{code}/fairness/",
    "/games/",
    "/lobby/",
    "/players/ada/",
    "/",
)
TRIES = (
    "TT",
    "AK-1",
    "AK-2",
    "MI-2",
    "QL-c3-a1-0",
    "OO",
    "8",
    "CV=8",
    "pass",
    "A-a1-0",
    "mi",
    "ak",
    "rubbish",
)
PASSING = {"X-Request-ID", "Date", "RateLimit", "Content-Length"}


def told(answer: Any) -> tuple[int, bytes, dict[str, str]]:
    content = re.sub(rb'"exported_at": "[^"]+"', b"", answer.content)  # the time of asking
    return answer.status_code, content, {k: v for k, v in answer.headers.items() if k not in PASSING}


class Viewer(Api):
    """Somebody with a token and a browser."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.browser = Client()
        if self.name:
            self.browser.force_login(player(self.name))
            self.browser.get("/")  # that they are here is noted once, and their export tells it


def page(answer: Any) -> tuple[int, bytes]:
    """A page without the two marks that are new every time, and without the bots' game that goes on."""
    content = re.sub(rb'name="(csrfmiddlewaretoken|key)" value="[^"]+"', b"", answer.content)
    return answer.status_code, re.sub(rb"<div class=.live. .*?</section>", b"", content, flags=re.DOTALL)


def looks(api: Viewer, code: str, seq: int) -> list[Any]:
    """Everything that a viewer can learn without moving the game on."""
    seen = [told(api.get(door.format(code=code))) for door in DOORS]
    seen += [page(api.browser.get(path.format(code=code))) for path in PAGES]
    tag = api.get(f"games/{code}/").headers.get("ETag", "")
    seen.append(told(api.get(f"games/{code}/", **{"If-None-Match": tag})))
    return seen


def meant(state: engine.State, seat: int | None, text: str) -> str | None:
    """The action that a text is read as, if any."""
    try:
        return engine.read(state, seat or 1, text)
    except engine.Refused:
        return None


def refusals(api: Api, code: str, seq: int, tries: list[str]) -> list[Any]:
    seen = [told(api.play(code, text, seq)) for text in tries]
    return [*seen, told(api.play(code, "draw", seq + 1)), told(api.play(code, "draw", 0))]


def positions(names: tuple[str, ...], terms: dict[str, Any]) -> Iterator[tuple[Game, engine.State]]:
    """A game at some of its moments, played at random through the API."""
    rng = random.Random(str((names, terms)))
    game = game_of(*names, **terms)
    apis = {Api(name).get(f"games/{game.code}/").json()["you"]["seat"]: Api(name) for name in names}
    for step in range(45):
        state = engine.load(Secret.objects.get(game=game).state)
        if state.over:
            return
        if step % 14 == 4 or state.phase in ("react", "stolen"):
            yield game, state
        seat = rng.choice(state.to_act)
        action = rng.choice(engine.legal_actions(state, seat))
        if "draw" in engine.legal_actions(state, seat) and rng.random() < 0.5:
            action = "draw"
        assert apis[seat].play(game.code, action, state.seq).status_code == 201


@pytest.mark.parametrize(
    ("names", "terms"),
    [
        (("ada", "bob"), {}),
        (("ada", "bob", "cleo"), {"edition": "bannan-nl"}),
        (("ada", "bob", "cleo", "dirk"), {"mode": "pairs"}),
    ],
)
def test_no_door_tells_the_two_worlds_apart(names: tuple[str, ...], terms: dict[str, Any]) -> None:
    rng = random.Random("worlds")
    met = 0
    viewers = {name: Viewer(name) for name in (*names, "eve", None)}
    for game, state in positions(names, terms):
        real = Secret.objects.get(game=game)
        for name, api in viewers.items():
            you = api.get(f"games/{game.code}/").json().get("you")
            seat = you["seat"] if you else None
            legal = engine.legal_actions(state, seat) if seat else ()
            tries = [text for text in TRIES if meant(state, seat, text) not in legal]
            here = looks(api, game.code, state.seq) + refusals(api, game.code, state.seq, tries)
            other = other_world(state, seat, rng)
            Secret.objects.filter(game=game).update(
                state=engine.dump(other), server_seed=secrets.token_bytes(32)
            )
            there = looks(api, game.code, state.seq) + refusals(api, game.code, state.seq, tries)
            Secret.objects.filter(game=game).update(state=real.state, server_seed=real.server_seed)
            for one, two in zip(here, there, strict=True):
                assert one == two, name
            met += 1
    assert met >= 8


def test_the_doors_would_show_a_difference_that_a_viewer_may_see() -> None:
    """Guards the test above: with another hand of one's own, the view must differ."""
    game = game_of("ada", "bob")
    ada = Viewer("ada")
    seat = ada.get(f"games/{game.code}/").json()["you"]["seat"]
    state = engine.load(Secret.objects.get(game=game).state)
    before = looks(ada, game.code, 0)
    draft = state.draft()
    hand = draft.hands[seat]
    card = next(card for card in draft.deck if card not in hand)
    draft.hands = tuple((card,) if number == seat else cards for number, cards in enumerate(draft.hands))
    Secret.objects.filter(game=game).update(state=engine.dump(draft.freeze()))
    assert looks(ada, game.code, 0) != before
