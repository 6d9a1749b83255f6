"""Display settings as the browser computes them, and ticking clocks in lists."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from playwright.sync_api import Page, expect

from games.models import Game
from tests.factories.cast import player
from tests.factories.linking import get_seat_on_turn, make_turn_link, start_game_begun_by
from tests.factories.played_games import SILLY_SEED, is_in_match, play_greedily
from tests.factories.stored_positions import put_position
from tests.factories.timing import get_seat_no
from tournaments.models import Round

from .conftest import NewPage, sign_in
from .page_checks import MOST_ASSET_BYTES, find_axe_violations, measure_assets
from .table import Seat, get_now, start_game
from .tournament_world import start_cup

QUIET = {"turn": 1, "drawn": "B", "table": {1: "C", 2: "B"}, "tower": "CCCCEEEE"}
ENHANCED_RATIO = 7.0  # WCAG 2.2, 1.4.6
READ_COLOURS = """() => {
    const luminance = text => {
        const [red, green, blue] = text.match(/[\\d.]+/g).slice(0, 3).map(Number).map(part => {
            const value = part / 255;
            return value <= .04045 ? value / 12.92 : ((value + .055) / 1.055) ** 2.4;
        });
        return .2126 * red + .7152 * green + .0722 * blue;
    };
    const ground = getComputedStyle(document.body).backgroundColor;
    return Object.fromEntries(["h1", "main .soft", "footer a"].map(selector => {
        const ink = getComputedStyle(document.querySelector(selector)).color;
        const [light, dark] = [luminance(ink), luminance(ground)].sort((one, other) => other - one);
        return [selector, {ink, ground, ratio: (light + .05) / (dark + .05)}];
    }));
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_high_contrast_changes_colours_and_keeps_its_ratio(new_page: NewPage, scheme: str) -> None:
    page = new_page(color_scheme=scheme)
    game = start_game(1, "ada", "bob")
    sign_in(page, player("ada"))
    page.goto(f"/games/{game.code}/")
    before = page.evaluate(READ_COLOURS)
    page.goto("/display/")
    page.get_by_label(re.compile("contrast", re.IGNORECASE)).check()
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Saved.")).to_be_visible()
    page.goto(f"/games/{game.code}/")
    after = page.evaluate(READ_COLOURS)
    for selector, colours in after.items():
        assert (colours["ink"], colours["ground"]) != (before[selector]["ink"], before[selector]["ground"])
        assert colours["ratio"] >= ENHANCED_RATIO, (selector, colours)
        assert colours["ratio"] > before[selector]["ratio"], (selector, colours)
    assert find_axe_violations(page, "color-contrast-enhanced", "color-contrast") == []


def test_clocks_in_my_games_and_on_the_time_page_tick_and_are_coloured_when_urgent(page: Page) -> None:
    mover = get_seat_on_turn(start_game(1, "ada", "bob")).player
    assert mover
    page.clock.install()
    sign_in(page, mover)
    for path, place in (("/games/", ".row.turn .head strong"), ("/me/time/", "tbody b")):
        page.goto(path)
        clock = page.locator(f"{place} time[data-countdown]")
        expect(clock).to_have_text("1 week, 2 days")
        expect(page.locator(f"{place}.urgent")).to_have_count(0)
        calm = page.locator(place).evaluate("element => getComputedStyle(element).color")
        end = page.evaluate("text => Date.parse(text)", clock.get_attribute("datetime")) / 1000
        page.clock.pause_at(end - 1800)
        expect(clock).to_have_text("30:00")
        page.clock.run_for(1000)
        expect(clock).to_have_text("29:59")
        expect(page.locator(f"{place}.urgent")).to_have_count(1)
        assert clock.evaluate("element => getComputedStyle(element).color") != calm
        page.clock.set_system_time(get_now())
        page.clock.resume()


def test_the_end_of_a_round_ticks_in_its_last_hour_on_a_tournament_s_pages(page: Page) -> None:
    tournament = start_cup("Quick Cup", "round-robin", ("ada", "bob"), get_now(), round_length=14 * 86400)
    end = get_now() + timedelta(hours=2)
    Round.objects.filter(tournament=tournament).update(ends_at=end)
    page.clock.install()
    sign_in(page, player("ada"))
    page.goto(f"/tournaments/{tournament.code}/")
    closing = page.locator("[data-closing]").first
    expect(closing).to_be_hidden()
    page.clock.pause_at(end - timedelta(minutes=30))
    expect(closing).to_have_text("· 30:00 left")
    expect(page.locator("[data-closing].urgent")).to_have_count(0)
    page.clock.pause_at(end - timedelta(minutes=9))
    expect(closing).to_have_text("· 9:00 left")
    expect(closing).to_have_class(re.compile("urgent"))
    page.clock.pause_at(end + timedelta(minutes=1))
    expect(closing).to_be_hidden()


def test_a_wrong_clock_of_the_device_is_corrected_on_every_page(page: Page) -> None:
    tournament = start_cup("Slow Cup", "round-robin", ("ada", "bob"), get_now(), round_length=14 * 86400)
    Round.objects.filter(tournament=tournament).update(ends_at=get_now() + timedelta(minutes=40))
    page.clock.install(time=get_now() + timedelta(minutes=20))
    sign_in(page, player("ada"))
    page.goto(f"/tournaments/{tournament.code}/")
    expect(page.locator("[data-closing]").first).to_have_text(re.compile("^· (39|40):.. left$"))
    clock = page.locator("time[data-countdown]").first
    assert clock.get_attribute("data-countdown")


def test_scripts_and_styles_stay_small_with_display_settings_and_updates(page: Page) -> None:
    """Measure a page that loads every script: for a turn, for other games, for the end of a match."""
    game = play_greedily(
        start_game(SILLY_SEED, "ada", "bob"),
        lambda game: game.seq >= 10 and game.seats_to_act() == [get_seat_no(game, "bob")],
        get_now(),
    )
    sign_in(page, player("bob"))
    page.goto("/rules/")
    chosen = {"name": "display", "value": "dark.contrast.sound", "url": page.evaluate("location.origin")}
    page.context.add_cookies([chosen])  # type: ignore[list-item]
    page.goto(f"/games/{game.code}/")
    expect(page.get_by_role("heading", name="Your turn")).to_be_visible()
    play_greedily(game, is_in_match(2), get_now())
    expect(page.get_by_role("heading", level=1)).to_have_text("Match 1 is over: the board is full")
    for _ in range(2):
        start_game_begun_by("bob", "ada", "bob")
    files = ("otto", "table", "display", "endings", "move_picker", "game_page", "turn_news", "tone")
    page.wait_for_function(
        """names => names.every(name => performance.getEntriesByType("resource").some(
            entry => new RegExp(`/${name}[.]`).test(entry.name)))""",
        arg=list(files),
    )
    assert measure_assets(page) < MOST_ASSET_BYTES


@pytest.mark.parametrize("scripts", [True, False])
def test_the_page_of_a_turn_link_marks_the_last_move_and_its_clock_ticks(
    new_page: NewPage, scripts: bool
) -> None:
    game = put_position(start_game(1, "ada", "bob"), {"b3": "A"}, **QUIET)
    Seat.play_for(game, "ada", "B-c2-90")
    game = Game.objects.get(pk=game.pk)
    page = new_page(java_script_enabled=scripts)
    page.goto(make_turn_link(game))
    marked = page.locator(".last-move")
    expect(marked).to_have_count(1)
    expect(marked).to_have_attribute("data-cell", "c2")
    expect(marked).to_contain_text("the last move")
    assert marked.evaluate("cell => getComputedStyle(cell, '::after').borderTopStyle") == "solid"
    expect(page.locator(".time time[data-countdown]")).to_have_count(1)
