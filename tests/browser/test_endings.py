"""Endings in a browser, with scripts and without: a match, an 8, a game, its rematch, a solo match."""

from __future__ import annotations

import re

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from games.engine.board import CELL_INDEX
from games.models import Game
from games.services import social, turns
from tests.factories.cast import player
from tests.factories.played_games import EIGHT_SEED, SILLY_SEED, is_in_match, is_over, play_greedily
from tests.factories.stored_positions import put_position

from .conftest import NewPage, sign_in
from .page_checks import (
    find_axe_violations,
    find_cut_text,
    find_sideways_scroll,
    measure_layout_shift,
    take_album,
)
from .table import start_game

PHONE = {"width": 390, "height": 844}
DESKTOP = {"width": 1280, "height": 900}
SCRIPTS = pytest.mark.parametrize("scripts", [True, False], ids=["with scripts", "without scripts"])


def open_game(page: Page, game: Game, name: str) -> Page:
    """Open the page of a game as a player."""
    sign_in(page, player(name))
    page.goto(f"/games/{game.code}/")
    return page


def check_look(page: Page, name: str, *, scripts: bool) -> None:
    """Check accessibility and layout in light and dark, on a desktop and on a phone."""
    if not scripts:
        return  # axe needs scripts; the page is the same without
    assert measure_layout_shift(page) < 0.01
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        assert find_axe_violations(page) == []
    page.emulate_media(color_scheme="light")
    for width in (390, 320):
        page.set_viewport_size({"width": width, "height": 844})
        assert find_sideways_scroll(page) == []
        assert find_cut_text(page) == []
    take_album(page, name)
    page.set_viewport_size(DESKTOP)  # type: ignore[arg-type]
    page.emulate_media(color_scheme="light")


def heading(page: Page) -> str:
    return page.get_by_role("heading", level=1).inner_text()


@SCRIPTS
def test_the_end_of_a_match_stays_until_the_player_goes_on(new_page: NewPage, scripts: bool) -> None:
    game = play_greedily(start_game(SILLY_SEED, "ada", "bob"), is_in_match(2), timezone.now())
    page = open_game(new_page(java_script_enabled=scripts), game, "bob")
    assert heading(page) == "Match 1 is over: the board is full"
    table = page.get_by_role("table").first
    expect(table).to_contain_text("silly match: tile A on the table gives 16 points")
    expect(page.get_by_role("img", name="The board at the end of the match")).to_be_visible()
    expect(page.get_by_text("bob leads and starts match 2.")).to_be_visible()
    check_look(page, "match-end", scripts=scripts)
    page.get_by_role("link", name="Continue: your turn").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Match 2")
    expect(page.get_by_role("heading", name="Your turn")).to_be_visible()
    page.goto(f"/games/{game.code}/")
    assert heading(page) == "Match 2"


@SCRIPTS
def test_an_8_glows_and_names_its_maker_and_the_answers(new_page: NewPage, scripts: bool) -> None:
    game = play_greedily(start_game(EIGHT_SEED, "ada", "bob"), is_in_match(2), timezone.now())
    page = open_game(new_page(java_script_enabled=scripts), game, "ada")
    assert heading(page) == "An 8 by ada ends match 1"
    expect(page.locator(".match-end").get_by_text("bob protected the points with the 8.")).to_be_visible()
    if scripts:
        name = "e => getComputedStyle(e).animationName"
        glow = page.locator('.board g[stroke] > use[href="#otto-eight"]').first
        assert glow.evaluate(name) == "glow"
        page.emulate_media(reduced_motion="reduce")
        assert glow.evaluate(name) == "none"
        page.emulate_media(reduced_motion="no-preference")
    check_look(page, "match-end-eight", scripts=scripts)


def test_the_end_of_a_match_comes_to_whoever_waits_on_the_page_and_keeps_what_they_write(page: Page) -> None:
    game, now = start_game(SILLY_SEED, "ada", "bob"), timezone.now()
    play_greedily(game, lambda game: game.seq >= 10, now)
    page.clock.install()
    open_game(page, game, "bob")
    assert heading(page) == "Match 1"
    page.get_by_label("Message").fill("well play")
    play_greedily(game, is_in_match(2), now)
    page.clock.fast_forward(90_000)
    expect(page.get_by_role("heading", level=1)).to_have_text("Match 1 is over: the board is full")
    expect(page.get_by_label("Message")).to_have_value("well play")
    expect(page.locator("#news")).to_contain_text("Match 1: summary")
    expect(page.locator(".last-board .last-move")).to_be_attached()


@SCRIPTS
def test_a_game_is_won_and_lost_and_both_join_one_rematch(new_page: NewPage, scripts: bool) -> None:
    game = play_greedily(start_game(SILLY_SEED, "ada", "bob"), is_over, timezone.now())
    ada, bob = (open_game(new_page(java_script_enabled=scripts), game, name) for name in ("ada", "bob"))
    assert (heading(ada), heading(bob)) == ("You lost 9 : 24", "You won 24 : 9")
    for page, name in ((ada, "game-lost"), (bob, "game-won")):
        expect(page.get_by_text("The target of 24 is reached, and the highest total wins.")).to_be_visible()
        expect(page.get_by_role("link", name="Next waiting game")).to_be_visible()
        check_look(page, name, scripts=scripts)
    if scripts:
        social.post_chat_message(player=player("bob"), code=game.code, text="Again?", now=timezone.now())
        expect(ada.locator(".chat").get_by_text("Again?")).to_be_visible()
    ada.get_by_role("button", name="Rematch").click()
    expect(ada.get_by_role("heading", level=1)).to_have_text("Waiting for players")
    # Bob's page is older: with scripts it shows the rematch; without, he presses the button "Rematch", too.
    if scripts:
        expect(bob.locator(".rematch-offer")).to_have_text("ada waits for you in the rematch.")
        expect(bob.locator("#news")).to_have_text("ada waits for you in the rematch.")
        check_look(bob, "rematch", scripts=scripts)
        bob.get_by_role("button", name="Join the rematch").click()
    else:
        later = open_game(new_page(java_script_enabled=False), game, "bob")
        expect(later.locator(".rematch-offer")).to_have_text("ada waits for you in the rematch.")
        check_look(later, "rematch", scripts=scripts)
        bob.get_by_role("button", name="Rematch").click()
        expect(bob.locator(".notice.error")).to_have_count(0)
        bob.get_by_role("button", name="Take a seat").click()
    expect(bob.get_by_role("heading", level=1)).to_have_text("Match 1")
    rematch = Game.objects.get(rematch_of=game)
    assert re.search(rematch.code, bob.url)
    assert (rematch.status, rematch.seats.count()) == (Game.Status.RUNNING, 2)


@SCRIPTS
def test_a_solo_match_says_its_goal_and_the_level_reached(new_page: NewPage, scripts: bool) -> None:
    game = start_game(1, "ada", mode="solo")
    cells = {name: "I" for name in CELL_INDEX if name not in ("c3", "c4", "a1", "e1")} | {
        "b4": "H",
        "d4": "H",
    }
    put_position(game, cells, drawn="D", kind="solo", markers={1: (0, 0, 0)})
    page = open_game(new_page(java_script_enabled=scripts), game, "ada")
    goal = page.get_by_role("region", name="Goal", exact=True)
    expect(goal).to_contain_text("Still within reach: 36 points, good.")
    check_look(page, "solo-goal", scripts=scripts)
    turns.play_action(player=player("ada"), code=game.code, text="D-c4-0", seq=0, key="", now=timezone.now())
    page.reload()
    assert heading(page) == "Solved with 36 points: good"
    expect(page.get_by_role("region", name="The game is over")).to_contain_text(
        "1 point more would be great."
    )
    check_look(page, "solo-won", scripts=scripts)
