"""Game pages in a real browser: taking a tile back, partners, focus outlines, and the state a page shows."""

from __future__ import annotations

from itertools import pairwise

import pytest
from playwright.sync_api import Page, expect

from games.models import Game, Invitation
from games.services import lobby, system_games
from tests.factories.cast import player
from tests.factories.stored_positions import put_position
from tests.helpers.site import Site

from .conftest import NewPage, sign_in
from .page_checks import take_album
from .table import Seat, get_now, start_game

LEAP = {"cells": {"b3": "E", "b2": "D90"}, "turn": 1, "table": {1: "A", 2: "B"}, "hands": {1: ["QL"], 2: []}}
OUTLINE = "element => getComputedStyle(element).outlineStyle"


def open_leap_turn(page: Page) -> Seat:
    """Open a turn in which ada holds a Quantum leap and may play it."""
    game = start_game(1, "ada", "bob")
    fields = dict(LEAP)
    put_position(game, fields.pop("cells"), phase="start", **fields)  # type: ignore[arg-type]
    return Seat(page, game, "ada").sit()


@pytest.mark.parametrize("scripts", [True, False])
def test_a_leap_is_put_back_by_a_click(scripts: bool, new_page: NewPage) -> None:
    ada = open_leap_turn(new_page(java_script_enabled=scripts))
    draw = ada.page.get_by_role("button", name="Draw a tile")
    expect(draw).to_be_visible()
    expect(ada.back).to_have_count(0)
    ada.page.locator("[data-card=QL]").click()
    expect(draw).to_be_hidden()
    take_album(ada.page, f"a leap, {'with' if scripts else 'without'} script")
    expect(ada.back).to_be_visible()
    ada.back.click()
    expect(draw).to_be_visible()
    expect(ada.back).to_be_hidden()


@pytest.mark.parametrize("scripts", [True, False])
def test_the_tile_of_a_leap_is_put_back_by_a_click(scripts: bool, new_page: NewPage) -> None:
    ada = open_leap_turn(new_page(java_script_enabled=scripts))
    ada.page.locator("[data-card=QL]").click()
    ada.page.locator("[data-cell=b3]").locator("a, button").click()
    expect(ada.back).to_be_visible()
    ada.back.click()
    if scripts:  # scripts go back step by step; the link without scripts starts anew
        expect(ada.page.locator("[data-cell=b2] button")).to_be_visible()
        ada.back.click()
    expect(ada.page.get_by_role("button", name="Draw a tile")).to_be_visible()


def test_a_kidnapped_leap_stays_chosen(new_page: NewPage) -> None:
    game = start_game(1, "ada", "bob")
    fields = dict(LEAP) | {"hands": {1: [], 2: []}, "stolen": "QL"}
    put_position(game, fields.pop("cells"), phase="stolen", **fields)  # type: ignore[arg-type]
    ada = Seat(new_page(), game, "ada").sit()
    expect(ada.back).to_be_hidden()
    ada.page.locator("[data-cell=b3] button").click()
    ada.back.click()
    expect(ada.page.locator("[data-cell=b2] button")).to_be_visible()
    ada.page.locator("[data-cell=b2] button").focus()
    ada.page.keyboard.press("Escape")
    expect(ada.page.locator("[data-cell=b2] button")).to_be_visible()


@pytest.mark.parametrize("scripts", [True, False])
def test_a_page_says_that_it_notices_moves_only_if_it_does(scripts: bool, new_page: NewPage) -> None:
    game = start_game(1, "ada", "bob", cards=False)
    waiting_player = next(
        place.player for place in game.seats.all() if not game.to_act_mask >> (place.seat_no or 0) & 1
    )
    assert waiting_player
    page = new_page(java_script_enabled=scripts)
    sign_in(page, waiting_player)
    page.goto(f"/games/{game.code}/")
    promise, reload = (
        page.get_by_text("This page updates itself."),
        page.get_by_role("link", name="Reload"),
    )
    expect(promise if scripts else reload).to_be_visible()
    expect(reload if scripts else promise).to_be_hidden()
    if not scripts:
        reload.click()
        expect(page).to_have_url(f"{page.url.partition('/games/')[0]}/games/{game.code}/")


def test_no_step_of_the_lesson_has_a_ring_around_the_page(page: Page, site: Site) -> None:
    for step in (2, 3, 4):
        page.goto("/lesson/1/")
        page.keyboard.press("Tab")  # keyboard use makes the focus visible
        page.goto(f"/lesson/{step}/#main")
        page.evaluate("document.querySelector('#main').focus({focusVisible: true})")
        expect(page.locator("#main")).to_be_focused()
        assert page.locator("#main").evaluate(OUTLINE) == "none"


def test_buttons_of_the_clocks_do_not_touch(new_page: NewPage) -> None:
    game = start_game(1, "ada", "bob")
    page = new_page()
    sign_in(page, player("ada"))
    page.goto(f"/games/{game.code}/")
    page.locator("summary", has_text="Standing orders").click()
    names = ("Mute this game", "Save orders", "Save")
    buttons = [page.get_by_role("button", name=name, exact=True) for name in names]
    for upper_button, lower_button in pairwise(buttons):
        above, below = upper_button.bounding_box(), lower_button.bounding_box()
        assert above
        assert below
        assert below["y"] - (above["y"] + above["height"]) >= 8
    take_album(page, "clocks of a game")


def test_no_dot_stands_alone_on_my_games(new_page: NewPage) -> None:
    page = new_page(viewport={"width": 390, "height": 844})
    sign_in(page, player("ada"))
    page.goto("/games/")
    link = page.get_by_role("link", name="Clocks and vacation")
    assert link.evaluate("element => getComputedStyle(element.parentElement).display") == "block"


def test_a_host_plays_with_a_friend_against_bots(new_page: NewPage) -> None:
    player("bob")
    page = new_page()
    sign_in(page, player("ada"))
    page.goto("/games/new/?preset=friend")
    side = page.get_by_label("Your friend plays")
    expect(side).to_be_hidden()
    page.get_by_label("Number of players").select_option("pairs")
    expect(side).to_be_visible()
    take_album(page, "new game of pairs with a friend")
    page.get_by_label("Your friend’s name on this site").fill("bob")
    page.get_by_role("button", name="Create game").click()
    expect(page.get_by_text("bob (your partner)")).to_be_visible()
    for _bot in range(2):
        page.get_by_role("button", name="Add bot").click()
        page.wait_for_load_state()
    take_album(page, "waiting room of pairs")
    game = Game.objects.get()
    assert Invitation.objects.get().as_partner
    lobby.join_game(player=player("bob"), code=game.code, now=get_now())
    ada, bob = (game.seats.get(player=player(name)).seat_no or 0 for name in ("ada", "bob"))
    assert abs(ada - bob) == 2


def test_a_newcomer_sees_what_taking_the_seat_means(new_page: NewPage) -> None:
    game = start_game(1, "ada", "bob")
    seat = game.seats.get(player=player("bob")).seat_no or 0
    system_games.replace_player(code=game.code, seat_no=seat, player=player("cleo"), now=get_now())
    page = new_page()
    sign_in(page, player("cleo"))
    page.goto(f"/games/{game.code}/")
    expect(page.get_by_role("button", name="Take seat and see cards")).to_be_visible()
    take_album(page, "a seat taken over")
