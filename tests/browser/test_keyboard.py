"""From the home page to a move by keyboard alone, with the focus always visible."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, expect

from accounts.models import Player
from games.models import Action, Game
from games.services import bots
from tests.factories.stored_positions import put_position
from tests.helpers.polling import wait_for

from .conftest import NewPage
from .table import TURN, Seat, get_now, start_game

SHOWN = """() => {
  const at = document.activeElement, look = getComputedStyle(at);
  if (at === document.body) return "nothing has the focus";
  if (!at.matches(":focus-visible") || look.outlineStyle === "none" || !parseFloat(look.outlineWidth))
    return `the focus cannot be seen on ${at.outerHTML.slice(0, 200)}`;
  const {width, height} = at.getBoundingClientRect();
  return width && height ? "" : `the focus is on what cannot be seen: ${at.outerHTML.slice(0, 200)}`;
}"""
MAX_TAB_PRESSES = 60  # presses of Tab between any two elements


def press_keys(page: Page, *keys: str) -> None:
    """Press keys that stay on the page; check after each that the focus is visible."""
    for key in keys:
        page.keyboard.press(key)
        assert page.evaluate(SHOWN) == "", key


def has_focus(locator: Locator) -> bool:
    return locator.count() == 1 and bool(locator.evaluate("element => element === document.activeElement"))


def tab_to(page: Page, locator: Locator, key: str = "Tab") -> None:
    for _ in range(MAX_TAB_PRESSES):
        press_keys(page, key)
        if has_focus(locator):
            return
    raise AssertionError(f"nobody comes to {locator} by {key}")


def skip_to_main(page: Page) -> None:
    """Skip the header of a page."""
    tab_to(page, page.get_by_role("link", name="Skip to the content"))
    page.keyboard.press("Enter")
    expect(page.get_by_role("main")).to_be_focused()


def test_from_the_first_page_to_a_move_as_a_guest(page: Page) -> None:
    page.clock.install()
    page.goto("/")
    skip_to_main(page)
    tab_to(page, page.get_by_role("button", name="Play a bot now"))
    with page.expect_navigation():
        page.keyboard.press("Enter")
    game = Game.objects.get()
    put_position(game, {"a2": "I"}, turn=2, drawn="E", table={1: "B", 2: "J"}, tower="CEEEEEEE")
    assert bots.play_bot_turns(code=game.code, now=get_now()) == 1  # the bot has only one legal action
    guest = Seat(page, game, Player.objects.get(is_guest=True))
    page.clock.fast_forward(3000)
    expect(guest.heading(TURN)).to_be_visible()
    expect(guest.cell("b2")).to_be_visible()  # next to the bot's tile: the page is up to date

    skip_to_main(page)
    tab_to(page, guest.cell("c4"))
    for key, cell in (
        ("ArrowDown", "c2"),
        ("ArrowLeft", "b2"),
        ("ArrowUp", "b3"),
        ("ArrowUp", "c4"),
        ("ArrowUp", "c4"),
        ("ArrowDown", "c2"),
        ("ArrowRight", "d3"),
    ):
        press_keys(page, key)
        expect(guest.cell(cell)).to_be_focused()
    press_keys(page, "Enter")
    expect(guest.announcement).to_have_text("Put tile B on d3.")
    press_keys(page, "r")
    expect(guest.announcement).to_have_text("Put tile B on d3, turned by 90 degrees.")
    expect(guest.cell("d3")).to_be_focused()
    press_keys(page, "Escape")
    expect(guest.play).to_be_hidden()
    expect(guest.cell("d3")).to_be_focused()
    tab_to(page, guest.tile("C"))
    press_keys(page, "Space")
    tab_to(page, guest.cell("d3"), "Shift+Tab")
    press_keys(page, "Enter", "Shift+R")
    expect(guest.announcement).to_have_text("Put tile C on d3, turned by 90 degrees.")
    # Outside board and panel, keys have no special meaning.
    tab_to(page, page.get_by_text("Your notes", exact=True))
    press_keys(page, "r", "R", "Escape", "ArrowLeft")
    expect(guest.announcement).to_have_text("Put tile C on d3, turned by 90 degrees.")
    tab_to(page, guest.play, "Shift+Tab")
    page.keyboard.press("Enter")
    wait_for(lambda: Action.objects.filter(game=game, action="C-d3-90").exists(), "it was never played", 20)
    expect(guest.heading("Waiting for")).to_be_visible()


def test_the_focus_stays_while_a_leap_is_chosen_and_taken_back(new_page: NewPage) -> None:
    game = put_position(
        start_game(1, "ada", "bob"),
        {"b3": "E", "d3": "B"},
        phase="start",
        turn=1,
        hands={1: ["QL"]},
        table={1: "A", 2: "A"},
    )
    page = new_page()
    ada = Seat(page, game).sit()
    skip_to_main(page)
    tab_to(page, ada.card("QL"))
    press_keys(page, "Enter")
    expect(ada.cell("b3")).to_be_focused()
    press_keys(page, "Enter")  # this tile looks the same in all rotations, so that its own cell is no target
    expect(ada.cell("b3")).to_have_count(0)
    expect(ada.cell("a5")).to_be_focused()
    press_keys(page, "Enter")
    expect(ada.announcement).to_have_text("Play Quantum leap: the tile on b3 to a5, at 0 degrees.")
    press_keys(page, "Escape")
    expect(ada.cell("a5")).to_be_focused()
    press_keys(page, "Escape")
    expect(ada.cell("b3")).to_be_focused()
    press_keys(page, "Escape")
    expect(ada.card("QL")).to_be_focused()
    expect(ada.immediate_button("draw")).to_be_visible()


def test_what_is_written_is_not_taken_for_a_key(page: Page) -> None:
    game = put_position(start_game(1, "ada", "bob"), {"b3": "A"}, turn=1, drawn="B", table={1: "C", 2: "B"})
    ada = Seat(page, game).sit()
    ada.choose("B-c2-90", "r")
    page.get_by_text("Choose from a list").click()
    page.get_by_label("Your move").focus()
    page.keyboard.press("r")
    page.get_by_label("Message").press_sequentially("really?")
    expect(page.get_by_label("Message")).to_have_value("really?")
    expect(ada.announcement).to_have_text("Put tile B on c2, turned by 90 degrees.")
