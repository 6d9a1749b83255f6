"""Four browsers in a game of pairs: which cards each player sees, an 8, and the answers to it."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from games.models import Action
from tests.factories.stored_positions import put_position

from .conftest import NewPage
from .table import TURN, Seat, start_game

NAMES = ("ada", "bob", "cleo", "dirk")
HANDS = {1: ["TT"], 2: ["OO"], 3: [], 4: ["MI"]}


def open_eight_of_pairs(new_page: NewPage) -> dict[str, Seat]:
    """Open a game of ada and cleo against bob and dirk: ada can make an 8, and both sides have a marker."""
    game = start_game(1, *NAMES, mode="pairs")
    put_position(
        game,
        {"b3": "H", "b2": "D90", "a5": "E", "e5": "E"},
        turn=1,
        drawn="H",
        table={1: "J", 2: "A", 3: "B", 4: "C"},
        hands=HANDS,
        marked={("frame+a5", 2): 1, ("frame+e5", 2): 2},
    )
    pages = {name: new_page() for name in NAMES}
    for page in pages.values():
        page.clock.install()
    return {name: Seat(page, game, name).sit() for name, page in pages.items()}


def check_for_changes(seats: dict[str, Seat]) -> None:
    """Advance the clocks of the pages, so that they check for changes at once."""
    for seat in seats.values():
        seat.page.clock.fast_forward(10_000)


def test_partners_see_each_others_cards_and_an_8_is_answered(new_page: NewPage) -> None:
    seats = open_eight_of_pairs(new_page)
    ada, bob, cleo, dirk = seats.values()
    sees = {"ada": {1}, "bob": {2, 4}, "cleo": {1}, "dirk": {2, 4}}
    for name, seat in seats.items():
        for number, hand in HANDS.items():
            for card in hand:
                partner_card = seat.page.get_by_role("listitem").get_by_text(card, exact=True)
                expect(partner_card).to_have_count(1 if number in sees[name] else 0)
    expect(cleo.heading("Cards of ada")).to_be_visible()
    expect(bob.heading("Cards of dirk")).to_be_visible()
    expect(ada.heading("Cards of cleo")).to_have_count(0)  # cleo holds no card

    ada.choose("H-b1-0")
    expect(ada.page.get_by_text("the match is over, and you score 8")).to_be_visible()
    ada.press(ada.play)
    check_for_changes(seats)
    # Each player with a card and points is asked to answer; the page shows that without a reload.
    for seat, can in ((ada, False), (bob, True), (dirk, False)):
        expect(seat.heading(TURN)).to_be_visible()
        expect(seat.immediate_button("pass")).to_be_visible()
        expect(seat.immediate_button("8")).to_have_count(1 if can else 0)
    expect(cleo.heading("Waiting for ada, bob and dirk")).to_be_visible()
    ada.decide("pass")
    expect(ada.heading("Waiting for bob and dirk")).to_be_visible()
    bob.decide("8")
    check_for_changes(seats)
    # Bob's partner need not answer any more: the match is scored, and the next one begins for all.
    for seat in seats.values():
        expect(seat.heading("Match 2")).to_be_visible()
        scored = seat.page.get_by_role("row", name="1 8 2 an 8")
        expect(scored).to_be_visible()
    assert [*Action.objects.order_by("seq").values_list("action", flat=True)] == ["H-b1-0", "pass", "8"]


@pytest.mark.parametrize("scripts", [True, False], ids=["with scripts", "without scripts"])
def test_who_can_protect_points_may_pass_all_the_same(new_page: NewPage, scripts: bool) -> None:
    game = start_game(1, "ada", "bob")
    board = {"b3": "H", "b2": "D90", "e5": "E"}
    put_position(
        game,
        board,
        turn=1,
        drawn="H",
        table={1: "J", 2: "A"},
        hands={2: ["CV"]},
        marked={("frame+e5", 2): 2},
    )
    Seat.play_for(game, "ada", "H-b1-0")
    bob = Seat(new_page(java_script_enabled=scripts), game, "bob").sit()
    expect(bob.immediate_button("CV=8")).to_be_visible()
    bob.decide("pass")
    expect(bob.heading("Match 2")).to_be_visible()
    expect(bob.page.get_by_role("row", name="1 8 0 an 8")).to_be_visible()
