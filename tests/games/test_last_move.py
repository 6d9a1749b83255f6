"""The last move: which cell is marked, whether the move is the viewer's own, and which figures it closed."""

from __future__ import annotations

from typing import Any

import pytest

from games.selectors import load_game_page
from games.web.last_move import find_last_move
from tests.factories.cast import NOW, player, start_cast_game
from tests.factories.stored_positions import put_position
from tests.factories.timing import play_first_legal

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
