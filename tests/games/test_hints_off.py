"""Without hints, no page or mail shows where a figure can be closed; breaking a duty is refused."""

from __future__ import annotations

import json
import re
from html import unescape
from typing import Any

import pytest
from django.utils import timezone

from games import engine, selectors
from games.mail.game_context import build_game_context
from games.models import Game
from games.services import clocks, lobby
from games.services.replies import play_reply
from tests.factories.cast import Api, open_browser, player
from tests.factories.linking import (
    get_page,
    get_seat_on_turn,
    make_turn_link,
    open_strict_client,
    put_position,
    read_form,
    start_game,
)

pytestmark = pytest.mark.django_db
# An E on c4 closes two circles; an A closes nothing.
TWO_CIRCLES = {"b3": "E", "b4": "E", "d3": "E", "d4": "E"}
DUTY_BREAKING_ACTION = "A-c2-0"
TELLING = re.compile(r"closes|so you must|a place for it|places for it|for it:|gain\"", re.IGNORECASE)


def start_position(*, hints: bool, **fields: Any) -> Game:
    game = start_game("ada", "bob", cards=False, hints=hints)
    position: dict[str, Any] = {"cells": TWO_CIRCLES, "drawn": "E", "table": {1: "A", 2: "A"}}
    return put_position(game, **position | fields)


def get_name_on_turn(game: Game) -> str:
    seat = get_seat_on_turn(game)
    assert seat.player
    return seat.player.name


def cut_picker(page: str) -> str:
    """Return the part of a page with the move picker."""
    start = page.index('class="duty"')
    return unescape(page[start : page.index("</main>")])


def read_doors(game: Game) -> dict[str, str]:
    """Return the text of each page and mail for the player on turn."""
    name = get_name_on_turn(game)
    browser = open_browser(name)
    path = f"/games/{game.code}/"
    mail = build_game_context(player(name), game.code, timezone.now())
    return {
        "page": cut_picker(browser.get(path).content.decode()),
        "page with a cell": cut_picker(browser.get(f"{path}?cell=c4").content.decode()),
        "page with an action": cut_picker(browser.get(f"{path}?action=E-c4-0").content.decode()),
        "link of a mail": cut_picker(get_page(make_turn_link(game))),
        "mail": json.dumps({key: str(value) for key, value in mail.context_data.items()}),
    }


def test_with_hints_every_door_tells() -> None:
    for place, text in read_doors(start_position(hints=True)).items():
        assert TELLING.search(text), place


def test_without_hints_no_door_tells() -> None:
    for place, text in read_doors(start_position(hints=False)).items():
        assert not TELLING.search(text), (place, TELLING.findall(text))


@pytest.mark.parametrize("hints", [True, False])
def test_a_typed_cell_does_not_find_the_tile_that_closes_without_hints(hints: bool) -> None:
    game = start_position(hints=hints)
    answer = Api(get_name_on_turn(game)).play(game.code, "c4 0", game.seq)
    assert answer.status_code == (201 if hints else 422)
    assert hints or "say which tile" in answer.json()["detail"].lower()


def test_without_hints_a_page_is_the_same_whether_or_not_something_can_be_closed() -> None:
    """The offered cells and actions follow from the tiles alone."""
    pages = []
    for tile in ("E", "H"):
        game = start_position(hints=False, drawn=tile)
        page = read_doors(game)["page"]
        script_data = re.search(r'<script[^>]*type="application/json"[^>]*>(.*?)</script>', page, re.DOTALL)
        assert script_data
        data = json.loads(script_data[1])
        assert (data["previews"], data["texts"]["nothing"], data["texts"]["points"]) == ({}, "", {})
        pages.append({action[2:4] for action in data["legal"]})
    assert pages[0] == pages[1]
    assert len(pages[0]) == 10


def test_what_breaks_a_duty_is_refused_without_saying_where() -> None:
    game = start_position(hints=False)
    name = get_name_on_turn(game)
    path = f"/games/{game.code}/"
    browser = open_browser(name)
    form = read_form(browser.get(path).content.decode(), DUTY_BREAKING_ACTION)
    page = unescape(browser.post(f"{path}play/", form, follow=True).content.decode())
    assert "ou can close a figure, so you must" in page
    assert "E-c4" not in page[page.index("so you must") :][:200]
    link, visitor = make_turn_link(game), open_strict_client()
    form = read_form(get_page(link, client=visitor), DUTY_BREAKING_ACTION)
    page = unescape(visitor.post(link, form, follow=True).content.decode())
    assert "ou can close a figure, so you must" in page
    assert "E-c4" not in page[page.index("so you must") :][:200]
    game.refresh_from_db()
    assert game.seq == 0


def test_the_api_lists_what_is_legal_and_names_the_rule_all_the_same() -> None:
    game = start_position(hints=False)
    api = Api(get_name_on_turn(game))
    assert api.get(f"games/{game.code}/actions/legal/").json() == ["E-c4-0"]
    assert api.get(f"games/{game.code}/").json()["you"]["legal_count"] == 1
    answer = api.play(game.code, DUTY_BREAKING_ACTION, 0)
    assert (answer.status_code, answer.json()["code"], answer.json()["rule"]) == (
        422,
        "illegal",
        "must-close",
    )
    assert ("instead" in answer.json(), "E-c4" in answer.json()["detail"]) == (False, False)
    assert api.play(game.code, "E-c4-0", 0).status_code == 201


def test_with_hints_a_refusal_names_what_would_be_legal() -> None:
    game = start_position(hints=True)
    answer = Api(get_name_on_turn(game)).play(game.code, DUTY_BREAKING_ACTION, 0)
    assert answer.json()["instead"] == ["E-c4-0"]


def test_the_order_to_play_the_only_action_does_not_look_for_figures() -> None:
    for hints, action in ((True, "E-c4-0"), (False, None)):
        game = start_position(hints=hints)
        seat = get_seat_on_turn(game)
        seat.plays_only_action = True
        seat.save()
        loaded_game = selectors.load_game(game.code)
        assert loaded_game.state
        own_seat = loaded_game.seat_by_no(seat.seat_no or 0)
        assert clocks.find_ordered_action(loaded_game.state, own_seat) == action


def test_the_example_in_the_answer_to_a_mail_need_not_close_anything() -> None:
    examples = []
    for hints in (True, False):
        game = start_position(hints=hints)
        seat = get_seat_on_turn(game)
        assert seat.player
        assert seat.seat_no
        answer = play_reply(
            player=seat.player,
            code=game.code,
            seat_no=seat.seat_no,
            turn=0,
            lines=["what now"],
            key="mail-1",
            now=timezone.now(),
        )
        examples.append(answer.text)
    assert "E c4 0" in examples[0]
    assert "E c4 0" not in examples[1]


def test_zero_and_dark_tiles_bind_the_offer_as_ever() -> None:
    state = selectors.load_game(start_position(hints=False, drawn="I").code).state
    assert state
    offered = engine.list_offered_actions(state, state.turn, has_hints=False)
    assert {action[0] for action in offered} == {"I"}


def test_hints_are_on_unless_the_game_says_otherwise() -> None:
    assert lobby.validate_game_settings(hints=False)["hints"] is False
    assert lobby.validate_game_settings()["hints"] is True
