"""On a phone, by touch: targets are large enough, and no page is too wide."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from games.models import Action
from tests.factories.stored_positions import put_position

from .conftest import NewPage
from .page_checks import find_axe_violations, find_cut_text, find_sideways_scroll, wait_until_settled
from .table import Seat, start_game

MIN_TARGET_PIXELS = 24
SMALL = """least => [...document.querySelectorAll("button, select, summary, .button, .cells a, nav a")]
  .filter(one => one.checkVisibility() && !one.classList.contains("link"))
  .map(one => [one.getBoundingClientRect(), one])
  .filter(([{width, height}]) => width < least || height < least)
  .map(([{width, height}, one]) => `${width} × ${height}: ${one.outerHTML.slice(0, 120)}`)
"""


def check_phone_layout(page: Page) -> None:
    """Check that a page fits on a small screen and that its targets are large enough."""
    wait_until_settled(page)
    violations = find_sideways_scroll(page) + find_cut_text(page) + find_axe_violations(page, "target-size")
    assert violations + page.evaluate(SMALL, MIN_TARGET_PIXELS) == []


@pytest.mark.parametrize("width", [320, 390])
def test_a_turn_by_touch(new_page: NewPage, width: int) -> None:
    game = put_position(
        start_game(1, "ada", "bob"),
        {"b3": "B"},
        phase="start",
        turn=1,
        hands={1: ["QL", "MI"]},
        table={1: "A", 2: "A"},
        tower="CEEEEEEE",
    )
    page = new_page(viewport={"width": width, "height": 700}, has_touch=True, is_mobile=True)
    ada = Seat(page, game).sit()
    check_phone_layout(page)
    ada.card("QL").tap()
    ada.cell("b3").tap()
    check_phone_layout(page)
    ada.cell("c2").tap()
    ada.turn_button.tap()
    expect(ada.announcement).to_have_text("Play Quantum leap: the tile on b3 to c2, at 90 degrees.")
    check_phone_layout(page)
    with page.expect_navigation():
        ada.play.tap()
    expect(ada.tile("C")).to_be_visible()
    check_phone_layout(page)
    ada.cell("c1").tap()
    ada.tile("C").tap()
    expect(ada.announcement).to_have_text("Put tile C on c1.")
    page.get_by_role("button", name="Put tile C on c1, turned by 90 degrees.").tap()
    expect(ada.announcement).to_have_text("Put tile C on c1, turned by 90 degrees.")
    check_phone_layout(page)
    with page.expect_navigation():
        ada.play.tap()
    expect(ada.heading("Waiting for bob")).to_be_visible()
    check_phone_layout(page)
    actions = Action.objects.filter(game=game).order_by("seq").values_list("action", flat=True)
    assert [*actions] == ["QL-b3-c2-90", "C-c1-90"]


@pytest.mark.parametrize("width", [320, 390])
def test_coming_in_by_touch(new_page: NewPage, width: int) -> None:
    page = new_page(viewport={"width": width, "height": 700}, has_touch=True, is_mobile=True)
    page.goto("/")
    check_phone_layout(page)
    page.get_by_role("link", name="Learn it in two minutes").tap()
    expect(page.get_by_role("heading", level=1)).to_have_text("Place a tile")
    check_phone_layout(page)
    page.goto("/")
    page.get_by_role("button", name="Play a bot now").tap()
    page.wait_for_url("**/games/*/")
    check_phone_layout(page)
