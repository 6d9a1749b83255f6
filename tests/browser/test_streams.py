"""Updates of pages by the site's own stream: moves, chat, tournaments, lists; and without a stream."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import APIResponse, Page, Route, expect

from accounts.models import Player
from games.models import Game
from games.services import lobby, social
from games.stream_topics import find_lobby_version
from tests.factories.cast import player
from tests.factories.stored_positions import put_position
from tournaments.models import Tournament
from tournaments.services import entries, tournaments

from .conftest import NewPage, sign_in
from .page_checks import measure_layout_shift
from .page_watch import get_watch
from .table import TURN, Seat, get_now, start_game
from .tournament_world import decide_pairing, start_cup

QUIET = {"turn": 1, "drawn": "B", "table": {1: "C", 2: "B"}, "tower": "CCCCEEEE"}
SECOND_MS = 1000
# Records when a text first appears on the page, by the browser's clock.
WATCH_FOR = """text => {
    window.seenAt = null;
    const look = () => {
        if (window.seenAt === null && document.body.innerText.includes(text)) window.seenAt = Date.now();
    };
    new MutationObserver(look).observe(document.body, {subtree: true, childList: true, characterData: true});
    look();
}"""
READ_ROWS_IN_VIEW = """() => Object.fromEntries(Array.from(document.querySelectorAll(".row-link"), (link) => {
    const {top, bottom} = link.getBoundingClientRect();
    return [link.getAttribute("href"), top, bottom];
}).filter(([, top, bottom]) => bottom > 0 && top < innerHeight))"""
NO_STREAMS = "delete window.EventSource;"
POLL_SOONER = """
const wait = window.setInterval;
window.setInterval = (work, milliseconds) => wait(work, Math.min(milliseconds, 1000));
"""


def wait_for_stream(page: Page) -> None:
    """Wait for the first event of the page's stream."""
    page.wait_for_function("() => window.opened >= 1")


def wait_for_routes(page: Page, routes: list[Any]) -> None:
    """Wait for an intercepted request."""
    for _look in range(500):
        if routes:
            return
        page.wait_for_timeout(20)
    pytest.fail("the request never came")


def count_streams(page: Page) -> None:
    """Let a page record the events of its streams."""
    page.add_init_script(
        """
        window.opened = 0;
        window.versions = {};
        window.EventSource = class extends EventSource {
            constructor(...details) {
                super(...details);
                this.addEventListener("change", (event) => {
                    const {topic, version} = JSON.parse(event.data);
                    window.opened += 1;
                    window.versions[topic] = version;
                });
            }
        };
        """
    )


def see_within(page: Page, text: str, change: Callable[[], object], milliseconds: int = SECOND_MS) -> None:
    """Make a change and check that a text appears on the page in time."""
    page.evaluate(WATCH_FOR, text)
    before = page.evaluate("Date.now()")
    change()
    page.wait_for_function("() => window.seenAt !== null")
    took = page.evaluate("window.seenAt") - before
    assert took < milliseconds, f"{took} ms"


def open_waiting_page(page: Page, *other_players: str) -> Seat:
    """Open bob's page while ada is to act, with an open stream."""
    tables = {seat: "CBCB"[seat - 1] for seat in range(1, len(other_players) + 3)}
    game = put_position(start_game(1, "ada", "bob", *other_players), {"b3": "A"}, **QUIET | {"table": tables})
    count_streams(page)
    bob = Seat(page, game, "bob").sit()
    expect(bob.heading("Waiting for ada")).to_be_visible()
    wait_for_stream(page)
    return bob


def test_the_opponent_s_move_appears_within_a_second_and_nothing_jumps(page: Page) -> None:
    bob = open_waiting_page(page)
    page.evaluate("window.still = true")
    shift = measure_layout_shift(page)
    # The measured time includes the action itself.
    see_within(page, TURN, lambda: Seat.play_for(bob.game, "ada", "B-c2-90"))
    expect(page.locator(".last-move")).to_have_attribute("data-cell", "c2")
    page.wait_for_timeout(1500)  # until the animations of tile and score end
    assert measure_layout_shift(page) == shift
    assert page.evaluate("window.still"), "the page was not loaded again"


def test_nothing_jumps_when_the_turn_passes_round_a_board_of_four(page: Page) -> None:
    bob = open_waiting_page(page, "cleo", "dirk")
    shift = measure_layout_shift(page)
    Seat.play_for(bob.game, "ada", "B-c2-90")
    expect(bob.heading(TURN)).to_be_visible()
    page.wait_for_timeout(1500)  # until the animations of tile and score end
    assert measure_layout_shift(page) == shift


def test_a_chat_message_appears_within_a_second(page: Page) -> None:
    bob = open_waiting_page(page)
    ada = player("ada")

    def say() -> None:
        social.post_chat_message(player=ada, code=bob.game.code, text="Good luck!", now=get_now())

    shift = measure_layout_shift(page)
    see_within(page, "Good luck!", say)
    assert measure_layout_shift(page) == shift


def test_a_spectator_sees_a_move_within_a_second(page: Page) -> None:
    game = put_position(start_game(1, "ada", "bob"), {"b3": "A"}, **QUIET)
    count_streams(page)
    page.goto(f"/games/{game.code}/")
    wait_for_stream(page)
    see_within(page, "Waiting for bob", lambda: Seat.play_for(game, "ada", "B-c2-90"))


def test_a_tournament_s_page_shows_a_result_of_others_within_a_second(page: Page) -> None:
    tournament = start_cup("Live Cup", "round-robin", ("ada", "bob", "cleo"), get_now())
    table = tournament.pairings.exclude(game=None).order_by("pk").first()
    assert table
    count_streams(page)
    page.goto(f"/tournaments/{tournament.code}/standings/")
    wait_for_stream(page)
    before = page.locator("main table").inner_text()
    shift = measure_layout_shift(page)
    asked_at = page.evaluate("Date.now()")
    decide_pairing(tournament, table.pk, get_now())
    expect(page.locator("main table")).not_to_have_text(before)
    page.wait_for_function(
        "text => document.querySelector('main table').innerText !== text", arg=before, polling=20
    )
    assert page.evaluate("Date.now()") - asked_at < SECOND_MS
    assert measure_layout_shift(page) == shift


def publish_cup(name: str) -> Tournament:
    """Publish a tournament that can be entered."""
    organiser = player("dirk")
    cup = tournaments.create_tournament(organiser=organiser, name=name, format="knockout", now=get_now())
    return tournaments.publish_tournament(by=organiser, code=cup.code, now=get_now())


def test_what_changes_before_the_stream_is_open_shows_at_once(page: Page) -> None:
    """A page requests its stream with the version that it shows, so that no change is lost in between."""
    tournament = publish_cup("Early Cup")
    held_routes: list[Route] = []
    page.route("**/live/?*", lambda route: held_routes.append(route))
    page.goto(f"/tournaments/{tournament.code}/entrants/")
    entries.enter_tournament(player=player("cleo"), code=tournament.code, now=get_now())
    expect(page.get_by_role("main").get_by_text("cleo")).to_have_count(0)
    for route in held_routes:
        route.continue_()
    expect(page.get_by_role("main").get_by_text("cleo").first).to_be_visible()


@pytest.mark.parametrize("path", ["/games/", "/lobby/"])
def test_a_list_shows_what_changed_before_its_stream_was_open(page: Page, path: str) -> None:
    sign_in(page, player("ada"))
    held_routes: list[Route] = []
    page.route("**/live/?*", lambda route: held_routes.append(route))
    page.goto(path)
    before = page.locator("main .row").count()
    add_row(path, player("bob"))
    for route in held_routes:
        route.continue_()
    expect(page.locator("main .row")).to_have_count(before + 1)


def add_row(path: str, bob: Player) -> None:
    """Add a game to the list of this page."""
    if path == "/games/":
        start_game(1, "ada", "bob")
        return
    game = lobby.create_game(player=bob, now=get_now(), seat_count=2)
    lobby.join_game(player=bob, code=game.code, now=get_now())


def test_a_change_while_the_page_is_under_way_and_a_page_that_fails_are_asked_for_again(page: Page) -> None:
    held_answers: list[tuple[Route, APIResponse]] = []
    lost_routes: list[Route] = []

    def hold_first_and_lose_others(route: Route) -> None:
        if route.request.resource_type != "fetch" or page.evaluate("window.released"):
            route.continue_()
        elif not held_answers:
            held_answers.append((route, route.fetch()))
        else:
            lost_routes.append(route)
            route.fulfill(status=503)

    count_streams(page)
    get_watch(page).expect(503)
    sign_in(page, player("ada"))
    page.goto("/lobby/")
    wait_for_stream(page)
    before = page.locator("main .row").count()
    page.route("**/lobby/", hold_first_and_lose_others)
    add_row("/lobby/", player("bob"))
    wait_for_routes(page, held_answers)
    add_row("/lobby/", player("bob"))
    version = find_lobby_version(None, "")
    page.wait_for_function("version => window.versions.lobby === version", arg=version)
    route, answer = held_answers[0]
    route.fulfill(response=answer)
    wait_for_routes(page, lost_routes)  # the page requests the newer rows
    page.evaluate("window.released = true")
    expect(page.locator("main .row")).to_have_count(before + 2)


@pytest.mark.parametrize(("path", "scrolls"), [("/lobby/", (350, 600)), ("/games/", (10_000,))])
def test_what_is_in_view_of_a_list_stays_where_it_is_when_a_row_comes(
    page: Page, path: str, scrolls: tuple[int, ...]
) -> None:
    bob = player("bob")
    for _ in range(9):
        add_row(path, bob)
    count_streams(page)
    page.set_viewport_size({"width": 390, "height": 600})
    sign_in(page, player("ada"))
    page.goto(path)
    wait_for_stream(page)
    for scroll in scrolls:
        page.evaluate("top => scrollTo(0, top)", scroll)
        count, before = page.locator("main .row").count(), page.evaluate(READ_ROWS_IN_VIEW)
        assert before
        add_row(path, bob)
        expect(page.locator("main .row")).to_have_count(count + 1)
        after = page.evaluate(READ_ROWS_IN_VIEW)
        assert before.keys() <= after.keys()
        assert all(abs(after[address] - top) < 1 for address, top in before.items())


def test_my_games_show_whose_turn_it_is_within_a_second(page: Page) -> None:
    """Also without a notice for the reader, as after the turn of another player."""
    game = start_game(1, "ada", "bob", "cleo")
    names = {seat.seat_no: seat.player.name for seat in game.seats.select_related("player") if seat.player}
    reader = next(name for seat_no, name in names.items() if seat_no not in game.seats_to_act())
    count_streams(page)
    sign_in(page, player(reader))
    page.goto("/games/")
    wait_for_stream(page)
    picture = page.locator("main .row img").first
    before = picture.get_attribute("src")
    asked_at = page.evaluate("Date.now()")
    mover = names[game.seats_to_act()[0]]
    Seat.play_for(game, mover, "draw")
    expect(picture).not_to_have_attribute("src", str(before))
    assert page.evaluate("Date.now()") - asked_at < SECOND_MS


def test_without_event_source_pages_look_for_themselves(new_page: NewPage) -> None:
    page = new_page()
    page.add_init_script(NO_STREAMS + POLL_SOONER)
    game = put_position(start_game(1, "ada", "bob"), {"b3": "A"}, **QUIET)
    bob = Seat(page, game, "bob").sit()
    expect(bob.heading("Waiting for ada")).to_be_visible()
    Seat.play_for(game, "ada", "B-c2-90")
    expect(bob.heading(TURN)).to_be_visible()
    page.goto("/games/")
    before = page.locator("main .row").count()
    start_game(1, "ada", "bob")
    expect(page.locator("main .row")).to_have_count(before + 1)


def test_a_stream_that_is_refused_leaves_the_page_to_look_for_itself(page: Page) -> None:
    page.add_init_script(POLL_SOONER)
    page.route("**/live/?*", lambda route: route.fulfill(status=204))  # the browser does not reconnect
    sign_in(page, player("ada"))
    page.goto("/games/")
    before = page.locator("main .row").count()
    start_game(1, "ada", "bob")
    expect(page.locator("main .row")).to_have_count(before + 1)


def test_a_turn_elsewhere_is_said_once_beside_title_and_menu(page: Page) -> None:
    game: Game = put_position(start_game(1, "ada", "bob"), {"b3": "A"}, **QUIET)
    count_streams(page)
    sign_in(page, player("bob"))
    page.goto("/rules/")
    wait_for_stream(page)
    page.evaluate(
        """() => {
            window.said = [];
            const news = document.querySelector("[data-turn-news]");
            new MutationObserver(() => window.said.push(news.textContent)).observe(news, {childList: true});
        }"""
    )
    Seat.play_for(game, "ada", "B-c2-90")
    expect(page.locator("[data-turn-news]")).to_have_text("My games 1 waiting for you")
    assert page.title().startswith("(1) ")
    expect(page.locator("[data-turn-news]")).to_have_attribute("aria-live", "polite")
    page.wait_for_timeout(500)
    assert page.evaluate("window.said") == ["My games 1 waiting for you"]


def test_a_table_says_its_own_turn_and_nobody_says_it_again(page: Page) -> None:
    bob = open_waiting_page(page)
    Seat.play_for(bob.game, "ada", "B-c2-90")
    expect(bob.news).to_contain_text("Your turn.")
    page.wait_for_timeout(1500)
    expect(page.locator("[data-turn-news]")).to_have_text("")
