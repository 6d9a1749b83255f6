"""Replay and fairness in a real browser: positions with and without scripts, and the check by the browser."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import Page, expect

from games.models import Game
from games.services import bots, turns
from tests.factories.cast import NOW, player
from tests.factories.replays import play_replay_game
from tests.factories.timing import play_first_legal, start_seeded_game
from tests.helpers.site import Site

from .conftest import NewPage


def expect_position(page: Page, seq: int) -> None:
    expect(page.locator("#position")).to_have_attribute("data-seq", str(seq))


def test_without_scripts_the_controls_are_links_and_a_form(new_page: NewPage, site: Site) -> None:
    game = play_replay_game()
    page = new_page(java_script_enabled=False)
    page.goto(f"/games/{game.code}/replay/")
    page.click("text=Forward")
    expect_position(page, 1)
    page.click("text=Last")
    expect_position(page, 6)
    page.click("text=Back")
    expect_position(page, 5)
    page.fill("#at", "2")
    page.click("text=Go >> nth=-1")
    expect_position(page, 2)
    expect(page).to_have_url(f"{site.url}/games/{game.code}/replay/?at=2")
    expect(page.locator("[data-control=play]")).to_be_hidden()
    expect(page.locator("[data-control=copy]")).to_be_hidden()


def test_with_scripts_keys_and_links_change_only_the_position(page: Page, site: Site) -> None:
    game = play_replay_game()
    page.goto(f"/games/{game.code}/replay/")
    page.evaluate("window.still = true")
    page.keyboard.press("ArrowRight")
    expect_position(page, 1)
    expect(page.locator("#announcement")).to_contain_text("ada drew tile")
    page.click("[data-control=forward]")
    expect_position(page, 2)
    expect(page.locator("[data-control=forward]")).to_be_focused()
    page.keyboard.press("End")
    expect_position(page, 6)
    expect(page.locator("#position-title")).to_be_focused()  # the last position has no Forward
    page.keyboard.press("Home")
    for _n in range(3):
        page.keyboard.press("ArrowRight")  # faster than the pages load
    expect_position(page, 3)
    page.click("#at")
    page.keyboard.press("ArrowLeft")  # in a field, the key moves the cursor
    page.fill("#at", "4")
    page.keyboard.press("Enter")
    expect_position(page, 4)
    expect(page).to_have_url(f"{site.url}/games/{game.code}/replay/?at=4")
    expect(page.locator("#share")).to_have_value(f"{site.url}/games/{game.code}/replay/?at=4")
    page.click("#moves summary")
    page.click("[data-control=move-2]")
    expect_position(page, 2)
    assert page.locator("#moves").get_attribute("open") is not None
    assert page.evaluate("window.still")


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_it_plays_by_itself_pauses_and_stops_at_the_end(new_page: NewPage, motion: str) -> None:
    game = play_replay_game()
    page = new_page(reduced_motion=motion)
    page.clock.install()
    page.goto(f"/games/{game.code}/replay/?at=3")
    play = page.locator("[data-control=play]")
    play.click()
    expect(play).to_have_text("Pause")
    expect_position(page, 4)  # wait for the first step
    slides = page.evaluate("getComputedStyle(document.querySelector('.picture > *')).animationName")
    assert slides == ("none" if motion == "reduce" else "slide-in")
    play.click()
    expect(play).to_have_text("Play")
    page.clock.fast_forward(5000)
    expect_position(page, 4)
    play.click()
    for seq in (5, 6):
        page.clock.fast_forward(1600)
        expect_position(page, seq)
    expect(play).to_have_text("Play")
    play.click()  # at the end, Play starts from the beginning
    expect_position(page, 0)
    page.clock.fast_forward(1600)
    expect_position(page, 1)


@pytest.mark.parametrize("mode", ["singles", "pairs"])
def test_the_browser_checks_a_whole_game_by_itself(page: Page, mode: str) -> None:
    seats = {"singles": ("greedy", "greedy"), "pairs": ("greedy", "random", "greedy")}[mode]
    game = start_seeded_game(6, "ada", bots=seats, mode=mode, seat_order="shuffled")
    turns.play_action(player=player("ada"), code=game.code, text="resign", seq=None, key="", now=NOW)
    while bots.play_bot_turns(code=game.code, now=NOW):  # a call plays a limited number of actions
        pass
    game.refresh_from_db()
    assert game.status == "over"
    page.goto(f"/games/{game.code}/fairness/")
    checks = page.locator("#browser-check li")
    expect(checks).to_have_count(4)
    for number in range(4):
        expect(checks.nth(number)).to_have_class("check-passed")
    if mode == "singles":
        drawn = re.search(r"All (\d+) tiles", checks.nth(2).inner_text())
        assert drawn
        assert int(drawn[1]) > 20


def test_the_browser_sees_through_a_seed_that_was_not_promised(page: Page) -> None:
    game = play_replay_game()
    turns.play_action(player=player("bob"), code=game.code, text="resign", seq=None, key="", now=NOW)
    Game.objects.filter(pk=game.pk).update(commitment="0" * 64)
    page.goto(f"/games/{game.code}/fairness/")
    expect(page.locator("#browser-check li").nth(0)).to_have_class("check-failed")
    expect(page.locator("#browser-check li.check-passed")).to_have_count(3)


def test_the_browser_sees_through_tiles_and_cards_that_the_seeds_do_not_give(page: Page) -> None:
    game = start_seeded_game(1, "ada", "bob")
    for action in ("draw", "", "draw", "", "QL-a3-a1-0"):
        play_first_legal(game, action)
    turns.play_action(player=player("bob"), code=game.code, text="resign", seq=None, key="", now=NOW)
    page.goto(f"/games/{game.code}/fairness/")
    positions = page.evaluate(
        """async (api) => {
            const record = await (await fetch(`${api}record/`)).json();
            const { checkGame } = await import(document.querySelector("script[type=module]").src);
            const data = document.getElementById("browser-check").dataset;
            const lines = (await (await fetch(`${api}log/`)).json()).results;
            const events = () => [...JSON.parse(data.initialEvents), ...lines.flatMap((line) => line.events)];
            const checkAfter = async (change) => {
                const changedEvents = structuredClone(events());
                change(changedEvents);
                const results = await checkGame(record, changedEvents, data.tiles, data.deck.split(" "));
                return Object.values(results).map((result) => result.passed);
            };
            return [
                await checkAfter(() => {}),
                await checkAfter((all) => { all.findLast((e) => e.event === "drew").tile = "another"; }),
                await checkAfter((all) => { all.find((e) => e.event === "played").card = "another"; }),
            ];
        }""",
        f"/api/v1/games/{game.code}/",
    )
    no_tournament = None  # the game has no tournament seed to check
    assert positions == [
        [True, no_tournament, True, True, True],
        [True, no_tournament, True, False, True],
        [True, no_tournament, True, True, False],
    ]


def play_to_end(number: int = 6) -> Game:
    """Return a finished game of several matches, played by bots."""
    game = start_seeded_game(number, "ada", bots=("greedy", "greedy"))
    turns.play_action(player=player("ada"), code=game.code, text="resign", seq=None, key="", now=NOW)
    while bots.play_bot_turns(code=game.code, now=NOW):  # a call plays a limited number of actions
        pass
    game.refresh_from_db()
    assert game.status == "over"
    return game


def test_from_match_to_match_and_a_shared_address_shows_the_same(new_page: NewPage, site: Site) -> None:
    game = play_to_end()
    page = new_page()
    page.goto(f"/games/{game.code}/replay/")
    page.evaluate("window.still = true")
    where, matches = page.locator("#position-title"), page.get_by_role("navigation", name="Matches")
    matches.get_by_role("link", name="next match").click()
    expect(where).to_contain_text("Match 2 · move")
    expect(matches.get_by_role("link", name="next match")).to_be_focused()
    matches.get_by_role("link", name="Match 1").click()
    expect(where).to_have_text("Match 1 · the deal")
    matches.get_by_role("link", name="Match 2").click()
    expect(matches.get_by_role("link", name="Match 2")).to_have_attribute("aria-current", "true")
    first_seq = int(page.locator("#position").get_attribute("data-seq") or 0)
    page.keyboard.press("ArrowRight")
    expect_position(page, first_seq + 1)
    assert page.evaluate("window.still"), "the page was not loaded again"
    shared = page.get_by_label("Link to this position").input_value()
    expect(page).to_have_url(shared)
    other = new_page(java_script_enabled=False)
    other.goto(shared)
    for part in ("#position-title", "#position-events", "#plain pre"):
        expect(other.locator(part)).to_have_text(page.locator(part).text_content() or "")


@pytest.mark.parametrize("scripts", [True, False], ids=["with scripts", "without scripts"])
def test_a_record_that_somebody_changed_is_distinguished_from_the_true_one(
    new_page: NewPage, site: Site, scripts: bool
) -> None:
    game = play_to_end()
    page = new_page(java_script_enabled=scripts)
    record = page.request.get(f"{site.url}/api/v1/games/{game.code}/record/").json()

    def read_checks() -> list[str]:
        page.goto("/fairness/")
        page.get_by_label("Or paste its text").fill(json.dumps(record))
        page.get_by_role("button", name="Check", exact=True).click()
        status = page.get_by_role("status", name=f"The record of game {game.code}")
        expect(status).to_be_visible()
        return status.get_by_role("listitem").all_inner_texts()

    assert [line[0] for line in read_checks()] == ["✓"] * 4
    winner = record["result"]["winner"]
    record["result"]["winner"] = 5 - winner
    assert read_checks()[-1].startswith("✗\nThe result does not follow from the actions.")
    record["result"]["winner"] = winner
    placed = next(n for n, action in enumerate(record["actions"]) if action["action"][1] == "-")
    record["actions"][placed]["action"] = "A-e5-0"
    wrong = [line for line in read_checks() if line.startswith("✗")]
    assert f"Action {placed + 1} is not legal" in wrong[0]
