"""States of a turn without a URL of their own: each kind of card, six placements, standing orders.

Each is checked on a phone, a small phone and a desktop, in light or dark; in `make soak` in both on each.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from games.services.standing_orders import set_standing_orders
from tests.factories.cast import player
from tests.factories.stored_positions import put_position
from tests.helpers.sampling import sample_combinations

from .conftest import NewPage
from .page_checks import (
    find_axe_violations,
    find_cut_text,
    find_sideways_scroll,
    measure_layout_shift,
    take_screenshot,
)
from .table import Seat, get_now, start_game

CELLS = {"b3": "B", "d3": "E", "c4": "D90", "b4": "H", "d2": "C", "c2": "F"}
TABLE = {"turn": 1, "table": {1: "C", 2: "B"}}
PLACING = {**TABLE, "drawn": "B"}
HOLDING = {**TABLE, "phase": "start", "hands": {1: ["QL", "MI", "TT", "CV"]}}
SCREENS = {"phone": (390, 844), "small phone": (320, 640), "desktop": (1280, 800)}
OUT_OF_VIEW = """selectors => selectors.filter(selector => {
  const {top, bottom} = document.querySelector(selector).getBoundingClientRect();
  return top < 0 || bottom > innerHeight;
})"""


def choose_six_placements(ada: Seat) -> None:
    ada.cell("a4").click()
    expect(ada.page.locator(".rotations li")).to_have_count(6)


def choose_card(card: str) -> Callable[[Seat], None]:
    """Return a function that chooses a card."""

    def choose(ada: Seat) -> None:
        ada.card(card).click()
        expect(ada.back).to_be_visible()

    return choose


def unfold_orders(ada: Seat) -> None:
    ada.page.locator("summary", has_text="Standing orders").click()


STATES: dict[str, tuple[dict[str, Any], Callable[[Seat], None]]] = {
    "six placements": (PLACING, choose_six_placements),
    "no card yet": (HOLDING, lambda ada: None),
    "card that moves a tile": (HOLDING, choose_card("QL")),
    "card against somebody": (HOLDING, choose_card("MI")),
    "card about time": (HOLDING, choose_card("TT")),
    "card that is any card": (HOLDING, choose_card("CV=MI")),
    "standing orders": (HOLDING, unfold_orders),
}


def list_schemes(state: str) -> dict[str, list[str]]:
    """List the colour schemes in which a state is checked, by screen."""
    pairs = sample_combinations(f"turn, {state}", list(SCREENS), ("light", "dark"))
    return {screen: [scheme for name, scheme in pairs if name == screen] for screen in SCREENS}


@pytest.mark.parametrize("state", STATES)
def test_a_state_of_a_turn_can_be_seen_and_read_by_all(new_page: NewPage, state: str) -> None:
    fields, choose = STATES[state]
    schemes = list_schemes(state)
    game = put_position(start_game(1, "ada", "bob"), CELLS, **fields)
    for screen, (width, height) in SCREENS.items():
        is_phone = screen != "desktop"
        page = new_page(viewport={"width": width, "height": height}, has_touch=is_phone, is_mobile=is_phone)
        ada = Seat(page, game).sit()
        shift = measure_layout_shift(page)
        choose(ada)
        assert measure_layout_shift(page) - shift < 0.01, screen
        if state != "standing orders":
            page.evaluate("document.querySelector('#board').scrollIntoView({block: 'nearest'})")
            button = "[data-confirm]" if state != "no card yet" else "[data-immediate] button"
            if page.locator(button).first.is_visible():
                assert page.evaluate(OUT_OF_VIEW, ["#board", button]) == [], screen
        violations = find_sideways_scroll(page) + find_cut_text(page)
        for scheme in schemes[screen]:
            page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
            violations += find_axe_violations(page)
            take_screenshot(page, f"turn {state}, {screen}, {scheme}".replace(" ", "-"))
        assert violations == [], screen


def test_orders_that_are_given_are_shown_with_what_they_do(new_page: NewPage) -> None:
    game = put_position(start_game(1, "ada", "bob"), CELLS, **PLACING)
    set_standing_orders(player=player("ada"), code=game.code, now=get_now(), draw=True, only=True)
    schemes = list_schemes("orders given")
    for screen, (width, height) in SCREENS.items():
        page = new_page(viewport={"width": width, "height": height})
        Seat(page, game).sit()
        expect(page.get_by_label("Draw for me")).to_be_checked()
        violations = find_sideways_scroll(page) + find_cut_text(page)
        for scheme in schemes[screen]:
            page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
            violations += find_axe_violations(page)
            take_screenshot(page, f"turn-orders-given-{screen}-{scheme}".replace(" ", "-"))
        assert violations == [], screen
