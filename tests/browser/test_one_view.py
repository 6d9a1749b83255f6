"""Game pages show the board and its buttons in one window, and a turn takes few steps."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from games.models import Action, Game
from tests.factories.stored_positions import put_position

from .conftest import NewPage
from .page_checks import find_axe_violations, find_sideways_scroll, take_screenshot
from .table import TURN, Seat, start_game

CELLS = {"b3": "B", "d3": "E", "c4": "D90", "b4": "H", "d2": "C", "c2": "F"}
SIX_ROTATIONS = {"turn": 1, "drawn": "B", "table": {1: "C", 2: "B"}}
FOUR_CARDS = {"phase": "start", "turn": 1, "table": {1: "C", 2: "B"}, "hands": {1: ["QL", "MI", "TT", "CV"]}}
QUIET = {"turn": 1, "drawn": "B", "table": {1: "C", 2: "B"}, "tower": "CCCCEEEE"}
SCREENS = {"phone": (390, 844), "small phone": (320, 640), "desktop": (1280, 800)}
MAX_KEY_PRESSES = 8
# The elements that are not wholly within the window, or are covered by another element.
OUT_OF_VIEW = """selectors => selectors.filter(selector => {
  const element = document.querySelector(selector);
  const {top, left, bottom, right} = element.getBoundingClientRect();
  if (top < 0 || left < 0 || bottom > innerHeight || right > innerWidth) return true;
  const at = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
  return !(element.contains(at) || at?.contains(element));
})"""


def open_turn(new_page: NewPage, screen: str, **fields: Any) -> Seat:
    """Open ada's turn on a screen, with touch on small ones."""
    width, height = SCREENS[screen]
    is_phone = screen != "desktop"
    page = new_page(viewport={"width": width, "height": height}, has_touch=is_phone, is_mobile=is_phone)
    game = put_position(start_game(1, "ada", "bob"), CELLS, **fields)
    return Seat(page, game).sit()


def list_actions(game: Game) -> list[str]:
    return [*Action.objects.filter(game=game).order_by("seq").values_list("action", flat=True)]


@pytest.mark.parametrize("screen", SCREENS)
def test_board_and_play_button_are_in_one_view(new_page: NewPage, screen: str) -> None:
    ada = open_turn(new_page, screen, **SIX_ROTATIONS)
    ada.cell("a4").click()
    expect(ada.page.locator(".rotations li")).to_have_count(6)
    ada.page.evaluate("document.querySelector('#board').scrollIntoView({block: 'nearest'})")
    take_screenshot(ada.page, f"one view, {screen}")
    assert ada.page.evaluate(OUT_OF_VIEW, ["#board", "[data-confirm]", "[data-turn]", "[data-undo]"]) == []
    assert find_sideways_scroll(ada.page) == []
    assert find_axe_violations(ada.page) == []


@pytest.mark.parametrize("screen", SCREENS)
def test_with_four_kinds_of_card_each_is_put_back_by_a_button(new_page: NewPage, screen: str) -> None:
    ada = open_turn(new_page, screen, **FOUR_CARDS)
    assert ada.page.evaluate(OUT_OF_VIEW, ["#board", "[data-immediate] button"]) == []
    for card in ("QL", "MI", "TT", "CV=MI"):
        ada.card(card).click()
        expect(ada.back).to_be_visible()
        ada.back.click()
        expect(ada.immediate_button("draw")).to_be_visible()
    assert list_actions(ada.game) == []


def test_a_second_press_on_the_chosen_cell_plays_it(new_page: NewPage) -> None:
    ada = open_turn(new_page, "phone", **SIX_ROTATIONS)
    ada.cell("a4").tap()
    ada.turn_button.tap()
    expect(ada.announcement).to_have_text("Put tile C on a4, turned by 90 degrees.")
    assert list_actions(ada.game) == []
    ada.cell("a4").tap()
    expect(ada.heading("Waiting for bob")).to_be_visible()
    assert list_actions(ada.game) == ["C-a4-90"]


def test_a_double_click_plays_at_once(page: Page) -> None:
    ada = Seat(page, put_position(start_game(1, "ada", "bob"), {"b3": "A"}, **QUIET)).sit()
    ada.cell("c2").dblclick()
    expect(ada.heading("Waiting for bob")).to_be_visible()
    assert len(list_actions(ada.game)) == 1


def test_a_turn_by_keyboard_takes_few_presses(page: Page) -> None:
    game = put_position(
        start_game(1, "ada", "bob"),
        {"b3": "A"},
        phase="start",
        turn=1,
        hands={1: ["MI", "QL", "TT"]},
        table={1: "C", 2: "B"},
        tower="BCCCEEEE",
    )
    ada = Seat(page, game).sit()
    presses = ["Tab", "Enter", "Tab", "Enter"]  # skip the menu, then draw a tile
    for key in presses[:2]:
        page.keyboard.press(key)
    expect(page.locator("#main")).to_be_focused()
    for key in presses[2:]:
        page.keyboard.press(key)
    expect(ada.heading(TURN)).to_be_visible()
    expect(page.locator(".cells button:focus")).to_have_count(1)
    for key in ("ArrowDown", "Enter", "Enter"):
        presses.append(key)
        page.keyboard.press(key)
    expect(ada.heading("Waiting for bob")).to_be_visible()
    assert len(presses) <= MAX_KEY_PRESSES
    assert len(list_actions(game)) == 2
    # Keyboard navigation continues from the board.
    expect(page.locator("#board")).to_be_focused()


@pytest.mark.parametrize("scripts", [True, False])
def test_the_page_stays_at_the_board_after_a_move(new_page: NewPage, scripts: bool) -> None:
    page = new_page(viewport={"width": 390, "height": 600}, java_script_enabled=scripts)
    game = put_position(start_game(1, "ada", "bob"), {"b3": "A"}, **QUIET)
    seat = Seat(page, game).sit()
    page.locator("[data-cell=c2]").locator("a, button").click()
    if not scripts:
        page.locator(".rotations a").first.click()
    page.evaluate("window.still = true; scrollTo(0, 120)")
    top = page.locator("#board").bounding_box()
    seat.play.click()
    expect(seat.heading("Waiting for bob")).to_be_visible()
    after = page.locator("#board").bounding_box()
    assert top
    assert after
    if scripts:
        assert page.evaluate("window.still"), "the page was not loaded again"
        assert after["y"] == pytest.approx(top["y"], abs=1)
    else:
        assert after["y"] == pytest.approx(8, abs=8), "the fragment leads to the board"
    assert page.url.partition("#")[0].endswith(f"/games/{game.code}/")


def test_a_card_is_chosen_played_and_put_back_in_place(new_page: NewPage) -> None:
    page = new_page(viewport={"width": 390, "height": 600})
    game = put_position(start_game(1, "ada", "bob"), CELLS, **FOUR_CARDS | {"hands": {1: ["MI", "CV"]}})
    ada = Seat(page, game).sit()
    page.evaluate("window.still = true")
    ada.card("MI").click()
    expect(ada.play).to_be_focused()
    expect(ada.news).to_contain_text("swap table tiles with bob")
    assert page.evaluate("scrollY") > 0, "the page stays where it was"
    ada.back.click()
    expect(ada.card("MI")).to_be_focused()
    ada.card("CV=MI").click()
    expect(ada.play).to_be_focused()
    assert page.evaluate(OUT_OF_VIEW, ["[data-confirm]"]) == []
    ada.play.press("Enter")
    expect(page.locator(".tiles")).to_be_visible()
    assert page.evaluate("window.still"), "the page was not loaded again"
    assert list_actions(game) == ["CV=MI-2"]


def test_a_card_chosen_after_a_leap_takes_its_place(page: Page) -> None:
    fields = FOUR_CARDS | {"table": {1: "C", 2: "B", 3: "E"}}
    game = put_position(start_game(1, "ada", "bob", "cleo"), {"b3": "E", "d3": "B"}, **fields)
    ada = Seat(page, game).sit()
    page.evaluate("window.still = true")
    ada.card("QL").click()
    ada.cell("d3").click()
    ada.card("MI").click()
    target = page.get_by_role("link", name="swap table tiles with bob")
    expect(target).to_be_focused()
    target.press("Enter")
    expect(ada.play).to_be_focused()
    expect(ada.announcement).to_contain_text("swap table tiles with bob")
    ada.back.click()
    expect(ada.immediate_button("draw")).to_be_visible()
    expect(ada.card("MI")).to_be_focused()
    assert page.evaluate("window.still"), "the page was not loaded again"
    assert page.url.endswith(f"/games/{game.code}/")


def test_hints_fit_the_device(new_page: NewPage) -> None:
    phone = open_turn(new_page, "phone", **SIX_ROTATIONS)
    phone.cell("a4").tap()
    expect(phone.page.get_by_text("Tap again to play.")).to_be_visible()
    expect(phone.page.get_by_text("the wheel")).to_be_hidden()
    desktop = open_turn(new_page, "desktop", **SIX_ROTATIONS)
    desktop.cell("a4").click()
    expect(desktop.page.get_by_text("the wheel")).to_be_visible()
    expect(desktop.page.get_by_text("Tap again")).to_be_hidden()


def test_a_refused_move_is_explained_in_place(page: Page) -> None:
    game = put_position(start_game(1, "ada", "bob"), {"b3": "A"}, **QUIET)
    ada = Seat(page, game).sit()
    ada.cell("c2").click()
    page.evaluate("document.querySelector('[data-confirm]').value = 'C-e5-0'")
    ada.play.click()
    notice = page.locator("#main > .notice.error")
    expect(notice).to_be_visible()
    expect(ada.news).to_have_text(notice.inner_text())
    assert list_actions(game) == []


def test_pairs_have_one_score_and_each_side_its_shape(page: Page) -> None:
    game = start_game(1, "ada", "bob", "cleo", "dirk", mode="pairs")
    put_position(game, CELLS, turn=1, drawn="B", table={1: "C", 2: "B", 3: "D", 4: "E"})
    Seat(page, game).sit()
    sides = page.locator(".seats > .side")
    expect(sides).to_have_count(2)
    expect(sides.first.locator(".score")).to_have_count(1)
    expect(sides.first).to_contain_text("0 this match")
    for name in ("ada", "cleo"):
        expect(sides.first.get_by_role("link", name=name)).to_be_visible()
    expect(sides.first.get_by_text("worth")).to_have_count(2)
    radius = "element => getComputedStyle(element).borderRadius"
    shapes = {sides.nth(n).locator("> .marker").evaluate(radius) for n in (0, 1)}
    assert len(shapes) == 2
