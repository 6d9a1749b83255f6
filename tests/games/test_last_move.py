"""The last move: which cell is marked, whether the move is the viewer's own, and which figures it closed."""

from __future__ import annotations

import html
import json
import re
from typing import Any

import pytest

from games.models import Action
from games.selectors import load_game_page
from games.web.last_move import find_last_move
from tests.factories.cast import NOW, open_browser, player, start_cast_game
from tests.factories.played_games import EIGHT_SEED, SILLY_SEED, is_in_match, play_greedily
from tests.factories.stored_positions import put_position
from tests.factories.timing import play_first_legal, start_seeded_game

pytestmark = pytest.mark.django_db


def find_move(code: str, name: str | None = None) -> dict[str, Any] | None:
    """Return the last move as the viewer's page shows it."""
    page = load_game_page(player(name) if name else None, code, NOW)
    return find_last_move(page.match_log, page.game_view.view, page.game_view.seat_no)


def test_a_match_without_a_move_has_none() -> None:
    assert find_move(start_cast_game("ada", "bob", seed=1).code) is None


def test_a_placement_names_its_cell_its_side_and_what_it_closed() -> None:
    game = put_position(
        start_cast_game("ada", "bob", seed=1),
        {"a2": "I"},
        turn=1,
        drawn="E",
        table={1: "J", 2: "A"},
        tower="CEEEEEEE",
    )
    play_first_legal(game, "E-a1-0", name="ada")
    moves = {name: find_move(game.code, name) for name in ("ada", "bob", None)}
    for name, move in moves.items():
        assert move
        assert (move["cell"], move["side"], move["rotation"]) == ("a1", 1, 0)
        assert [figure[2] for figure in move["figures"]] == [2]
        assert move["own"] == (name == "ada")


def test_a_leap_is_a_move_too_and_a_draw_is_none() -> None:
    game = put_position(
        start_cast_game("ada", "bob", seed=1),
        {"b3": "A"},
        phase="start",
        turn=1,
        hands={1: ["QL"]},
        table={1: "C", 2: "B"},
        tower="BCCCEEEE",
    )
    play_first_legal(game, "QL-b3-e5-0", name="ada")
    move = find_move(game.code, "bob")
    assert move
    assert (move["cell"], move["figures"]) == ("e5", [])


def test_a_move_that_ended_a_match_is_not_marked_on_the_next_board() -> None:
    game = put_position(
        start_cast_game("ada", "bob", seed=1),
        {"b3": "H", "b2": "D90"},
        turn=1,
        drawn="H",
        table={1: "J", 2: "A"},
    )
    play_first_legal(game, "H-b1-0", name="ada")
    game.refresh_from_db()
    assert load_game_page(None, game.code, NOW).game_view.view["match"] == 2
    assert find_move(game.code, "bob") is None


@pytest.mark.parametrize(("seed", "has_eight"), [(SILLY_SEED, False), (EIGHT_SEED, True)])
def test_the_last_board_of_a_match_marks_the_move_that_ended_it(seed: int, has_eight: bool) -> None:
    game = play_greedily(start_seeded_game(seed, "ada", "bob"), is_in_match(2), NOW)
    actions = Action.objects.filter(game=game).order_by("-seq")
    placing = next(action for action in actions if re.fullmatch(r"[A-Z]-[a-e][1-5]-\d+", action.action))
    cell = placing.action.split("-")[1]
    mover = {1: "ada", 2: "bob"}[placing.seat]
    for name in ("ada", "bob", ""):
        page = open_browser(name).get(f"/games/{game.code}/").text
        [marked] = re.findall(
            r'<li data-cell="(\w\d)"\s+class="last-move side-(\d)">(.*?)</li>', page, re.DOTALL
        )
        assert marked[:2] == (cell, str(placing.seat))
        assert "the last move" in marked[2]
        [last_move_json] = re.findall('data-last-move="([^"]+)"', page)
        move = json.loads(html.unescape(last_move_json))
        assert (move["cell"], move["own"]) == (cell, name == mover)
        assert any(value == 8 for _x, _y, value in move["figures"]) == has_eight
