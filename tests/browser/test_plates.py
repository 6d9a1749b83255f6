"""On a wide screen the seats lie round the board, in the order of turns; on others they are a list."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from accounts.models import Player
from games.models import Game
from tests.factories.stored_positions import put_position

from .conftest import NewPage
from .page_checks import find_axe_violations, find_sideways_scroll, take_screenshot
from .table import Seat, start_game

NAMES = ("ada", "bob", "cleo", "dirk")
CLOCKWISE = {2: ("below", "above"), 3: ("below", "left", "right"), 4: ("below", "left", "above", "right")}
# Where the middle of each seat's tile lies, seen from the board: names of players by place.
READ_PLACES = """() => {
  const board = document.querySelector("#board").getBoundingClientRect(), places = {};
  for (const seat of document.querySelectorAll(".seat")) {
    const {left, top, width, height} = seat.querySelector(".table-tile").getBoundingClientRect();
    const x = left + width / 2, y = top + height / 2;
    const place = y < board.top ? "above" : y > board.bottom ? "below" : x < board.left ? "left" : "right";
    places[place] = [...(places[place] || []), seat.querySelector(".name").textContent];
  }
  return places;
}"""


def open_turn(new_page: NewPage, count: int, *, width: int, name: str = "bob", pairs: bool = False) -> Page:
    """Open the page of a player in a game of so many, in which seat 1 is to move."""
    mode = {"mode": "pairs", "seat_count": None} if pairs else {}
    game: Game = start_game(1, *NAMES[:count], **mode)
    table = {seat: "ABCE"[seat - 1] for seat in range(1, count + 1)}
    put_position(game, {"b3": "A"}, turn=1, drawn="B", table=table, marked={("frame+e5", 2): 2})
    page = new_page(viewport={"width": width, "height": 800})
    return Seat(page, game, name).sit().page


@pytest.mark.parametrize("count", [2, 3, 4])
def test_seats_lie_clockwise_from_the_viewer(new_page: NewPage, count: int) -> None:
    page = open_turn(new_page, count, width=1280)
    seats = Game.objects.get().seats.select_related("player").order_by("seat_no")
    names = [seat.player.name for seat in seats if seat.player]
    own_index = names.index("bob")
    in_turn = names[own_index:] + names[:own_index]
    assert page.evaluate(READ_PLACES) == {
        place: [name] for place, name in zip(CLOCKWISE[count], in_turn, strict=True)
    }
    take_screenshot(page, f"plates, {count} players")
    assert find_sideways_scroll(page) == []
    assert find_axe_violations(page) == []


def test_partners_lie_opposite_each_other_with_one_score(new_page: NewPage) -> None:
    page = open_turn(new_page, 4, width=1440, pairs=True)
    assert {place: len(names) for place, names in page.evaluate(READ_PLACES).items()} == {
        "below": 1,
        "left": 1,
        "above": 1,
        "right": 1,
    }
    expect(page.locator(".seats .score")).to_have_count(2)
    expect(page.locator(".seats .marker:visible")).to_have_text(["1", "1", "2", "2"])
    take_screenshot(page, "plates, pairs")
    assert find_axe_violations(page) == []


def test_on_a_narrower_screen_seats_are_a_list(new_page: NewPage) -> None:
    page = open_turn(new_page, 4, width=1180, pairs=True)
    assert [*page.evaluate(READ_PLACES)] == ["right"]
    expect(page.locator(".seats .marker:visible")).to_have_text(["1", "2"])


LONG_NAMES = ("ada-of-the-long-name", "bob-of-the-long-name", "cleo-of-a-long-name1", "dirk-of-a-long-name1")
# Texts that run over their plate, or lie under the marker of it.
FIND_OVERFLOWS = """() => [...document.querySelectorAll(".plate")].flatMap((plate) => {
  const box = plate.getBoundingClientRect(), faults = [];
  for (const part of plate.querySelectorAll(".who > *, .score > *, .to-move, .left")) {
    const {top, bottom, left, right} = part.getBoundingClientRect();
    if (top < box.top - 1 || bottom > box.bottom + 1 || left < box.left - 1 || right > box.right + 1) {
      faults.push(`${part.className}: ${part.textContent.trim()}`);
    }
  }
  const chip = plate.querySelector(".to-move")?.getBoundingClientRect();
  for (const other of chip ? plate.querySelectorAll(":scope > .marker, .name") : []) {
    const {top, bottom, left, right} = other.getBoundingClientRect();
    if (left < chip.right && right > chip.left && top < chip.bottom && bottom > chip.top) faults.push("chip");
  }
  return faults;
})"""


@pytest.mark.parametrize("language", ["en", "it", "nl"])
@pytest.mark.parametrize("viewer", ["bob-of-the-long-name", "ada-of-the-long-name"])
def test_long_texts_stay_on_their_plates(new_page: NewPage, language: str, viewer: str) -> None:
    """At the smallest window with plates; bob sees the player who is to move at a side of the board."""
    game: Game = start_game(1, *LONG_NAMES)
    put_position(game, {"b3": "A"}, turn=1, drawn="B", table={1: "A", 2: "B", 3: "C", 4: "E"})
    Player.objects.update(language=language)
    page = new_page(viewport={"width": 1200, "height": 736})
    page = Seat(page, game, viewer).sit().page
    assert {*page.evaluate(READ_PLACES)} == {"below", "left", "above", "right"}
    take_screenshot(page, f"plates, long names, {language}, {viewer[:3]}")
    assert page.evaluate(FIND_OVERFLOWS) == []
    assert find_sideways_scroll(page) == []
