"""Game pages in a real browser: updates keep the focus, and a form is sent only once."""

from __future__ import annotations

from playwright.sync_api import Page, Route, expect

from games.models import Game, Message
from tests.factories.cast import player
from tests.factories.timing import play_first_legal, start_seeded_game
from tests.helpers.site import Site

from .conftest import sign_in


def open_waiting_page(page: Page) -> Game:
    """Open bob's page of a game in which ada is to act."""
    game = start_seeded_game(7, "ada", "bob")
    sign_in(page, player("bob"))
    page.goto(f"/games/{game.code}/")
    expect(page.locator(".wait h2")).to_be_visible()
    return game


def change_game(page: Page, game: Game) -> None:
    """Let ada draw, and wait until the page shows it."""
    before = page.locator(".story li").count()
    play_first_legal(game, "draw")
    expect(page.locator(".story li")).not_to_have_count(before, timeout=15_000)


def test_whoever_stands_on_a_button_stands_there_after_a_move_of_others(page: Page, site: Site) -> None:
    game = open_waiting_page(page)
    notes = page.locator("summary", has_text="Your notes")
    notes.focus()
    change_game(page, game)
    expect(notes).to_be_focused()


def test_what_is_gone_leaves_the_focus_at_the_table(page: Page, site: Site) -> None:
    game = open_waiting_page(page)
    page.evaluate("document.querySelector('.wait').append(document.createElement('button'))")
    page.locator(".wait button").focus()
    change_game(page, game)
    expect(page.locator("#main")).to_be_focused()


def test_a_second_click_while_the_first_is_on_its_way_sends_nothing(page: Page, site: Site) -> None:
    game = open_waiting_page(page)
    held_routes: list[Route] = []
    page.route("**/say/", lambda route: held_routes.append(route))  # a slow site
    page.fill("#say", "hello")
    twice = "document.querySelector('#say').form.querySelector('button').click()"
    page.evaluate(f"{twice}; setTimeout(() => {{ {twice} }}, 300)")
    page.wait_for_timeout(900)
    assert len(held_routes) == 1
    held_routes[0].continue_()
    expect(page.locator(".chat li")).to_have_count(1)
    assert Message.objects.filter(game=game).count() == 1


def test_a_way_to_lie_is_chosen_by_the_space_bar_like_any_button(page: Page, site: Site) -> None:
    game = start_seeded_game(7, "ada", "bob")
    play_first_legal(game, "draw")
    sign_in(page, player("ada"))
    page.goto(f"/games/{game.code}/")
    page.locator(".cells button").first.click()
    actions = page.locator(".rotations a[role=button]")
    last = actions.count() - 1
    assert last > 0
    before = page.locator("[data-confirm]").get_attribute("value")
    actions.nth(last).focus()
    page.keyboard.press("Space")
    expect(actions.nth(last)).to_have_attribute("aria-current", "true")
    assert page.locator("[data-confirm]").get_attribute("value") != before
