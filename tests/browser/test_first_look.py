"""Before the first game: the demo board on the home page, and the whole lesson."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, Request, expect

from .conftest import NewPage
from .page_watch import get_watch

LONG = 20_000  # milliseconds: longer than the board takes between two updates
SCRIPTS = pytest.mark.parametrize("scripts", [True, False], ids=["with scripts", "without scripts"])


def collect_live_requests(page: Page) -> list[str]:
    """Return a list that collects the requests of the page for the demo board."""
    urls: list[str] = []

    def note_request(request: Request) -> None:
        if request.url.endswith("/demo-board/"):
            urls.append(request.url)

    page.on("request", note_request)
    return urls


def let_time_pass(page: Page) -> None:
    """Advance the page's clock, and wait for its requests."""
    page.clock.fast_forward(LONG)
    page.evaluate("() => new Promise(requestAnimationFrame)")
    while get_watch(page).running:
        page.wait_for_timeout(20)


def test_the_board_plays_by_itself(page: Page) -> None:
    page.goto("/")
    board = page.get_by_role("region", name="Live now").locator(".live")
    expect(board).to_be_visible()
    drawn = board.inner_html()
    page.wait_for_function("drawn => document.querySelector('.live').innerHTML !== drawn", arg=drawn)
    expect(page.get_by_role("img", name="Bots playing live")).to_be_visible()


def test_it_stops_when_it_is_held_and_goes_on_when_let_go(page: Page) -> None:
    page.clock.install()
    urls = collect_live_requests(page)
    page.goto("/")
    hold = page.get_by_role("button", name="Pause")
    expect(hold).to_have_attribute("aria-pressed", "false")
    let_time_pass(page)
    assert urls
    hold.click()
    expect(hold).to_have_attribute("aria-pressed", "true")
    url_count = len(urls)
    for _ in range(3):
        let_time_pass(page)
    assert len(urls) == url_count
    hold.click()
    let_time_pass(page)
    assert len(urls) > url_count


def test_who_wants_less_motion_sees_it_move_only_when_asked(new_page: NewPage) -> None:
    page = new_page(reduced_motion="reduce")
    page.clock.install()
    urls = collect_live_requests(page)
    page.goto("/")
    hold = page.get_by_role("button", name="Pause")
    expect(hold).to_have_attribute("aria-pressed", "true")
    for _ in range(3):
        let_time_pass(page)
    assert not urls
    hold.click()
    let_time_pass(page)
    assert urls


def test_without_scripts_there_is_a_board_and_no_button_that_does_nothing(new_page: NewPage) -> None:
    page = new_page(java_script_enabled=False)
    page.goto("/")
    expect(page.get_by_role("img", name="Bots playing live")).to_be_visible()
    expect(page.get_by_role("button", name="Pause")).to_have_count(0)


# ------------------------------------------------------------------------------------------------ the lesson


def place_tile(page: Page, cell: str) -> None:
    """Place the tile on a cell, in the first rotation offered."""
    play = page.get_by_role("button", name="Play this", exact=True)
    cells = page.get_by_role("list", name="Cells, row by row from the top")
    free_cell = cells.get_by_role("button", name=f"{cell}: free").or_(
        cells.get_by_role("link", name=f"{cell}: free")
    )
    expect(free_cell).to_be_visible()
    if not play.is_visible():
        free_cell.click()
        fit = page.get_by_role("link", name="put tile").first
        expect(play.or_(fit)).to_be_visible()
        if not play.is_visible():
            fit.click()
    play.click()


@SCRIPTS
def test_the_lesson_from_the_first_step_to_the_last(new_page: NewPage, scripts: bool) -> None:
    page = new_page(java_script_enabled=scripts)
    page.goto("/")
    page.get_by_role("link", name="Learn it in two minutes").click()
    steps = (
        ("Place a tile", "d4", "That is a turn."),
        ("Close a circle", "d4", "Closed. Your marker lies on it: 2 points."),
        ("Make an 8", "d5", "An 8! The match ends at once."),
        ("Place the zero tile", "d4", "The zero tile always comes first."),
        ("Draw a dark tile", "c5", "The dark tile is your table tile now"),
        ("Play a secret card", "e5", "4 points. The card is out of the game"),
    )
    for number, (heading, cell, learned) in enumerate(steps, 1):
        expect(page.get_by_role("heading", level=1)).to_have_text(heading)
        expect(page.get_by_text(f"step {number} of 6")).to_be_visible()
        if heading == "Draw a dark tile":
            page.get_by_role("button", name="Draw a tile").click()
            expect(page.get_by_text("A dark tile. It has no lines and you never place it")).to_be_visible()
        if heading == "Play a secret card":
            page.get_by_role("link", name="Play this card").click()
            page.get_by_role("button", name="Play this", exact=True).click()
            expect(page.get_by_text("Now the A is yours")).to_be_visible()
        place_tile(page, cell)
        expect(page.get_by_text(learned)).to_be_visible()
        expect(page.get_by_role("heading", name="Well done")).to_be_visible()
        if number < len(steps):
            page.get_by_role("link", name="Next step").click()
    expect(page.get_by_role("link", name="Next lesson")).to_be_visible()
    page.get_by_role("button", name="Play a bot now").click()
    page.wait_for_url("**/games/*/")
    expect(page.get_by_role("heading", level=1)).to_have_text("Match 1")


@SCRIPTS
def test_a_step_can_be_tried_once_more_or_skipped(new_page: NewPage, scripts: bool) -> None:
    page = new_page(java_script_enabled=scripts)
    page.goto("/lesson/3/")
    place_tile(page, "d5")
    page.get_by_role("link", name="Try again").click()
    expect(page.get_by_role("button", name="Play this", exact=True)).to_be_visible()
    page.get_by_role("link", name="Skip this step").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Place the zero tile")
