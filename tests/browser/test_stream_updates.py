"""Updates of a page by a stream: at once, in place, announced once; and how a page shows a move.

The stream is simulated with the site's events: these tests are about the page.
"""

from __future__ import annotations

import json
from datetime import timedelta
from html import unescape

import pytest
from playwright.sync_api import Page, Route, expect

from accounts.models import Player
from games.models import Game
from games.selectors import state_fingerprint_for
from games.services import lobby, social
from tests.factories.cast import player
from tests.factories.stored_positions import put_position

from .conftest import NewPage, sign_in
from .table import TURN, Seat, get_now, start_game

QUIET = {"turn": 1, "drawn": "B", "table": {1: "C", 2: "B"}, "tower": "CCCCEEEE"}
RETRY_MS = 200  # before a browser reopens an ended stream
# The layout shift so far; measure_layout_shift would wait for frames that a paused clock never draws.
READ_SHIFT = "() => { count_jumps(jumps.takeRecords()); return jumped; }"
COUNT_ANIMATIONS = """
window.animations = 0;
const animate = Element.prototype.animate;
Element.prototype.animate = function (...details) {
  window.animations += 1;
  return animate.apply(this, details);
};
"""
# Audio that begins suspended: it starts some time after it is asked to, or never.
COUNT_TONES = """
window.tones = 0;
window.AudioContext = class extends AudioContext {
  #state = "suspended";
  get state() { return this.#state; }
  resume() {
    const wait = START_MS, setRunning = () => { this.#state = "running"; };
    return new Promise(resolve => wait && setTimeout(() => { setRunning(); resolve(); }, wait));
  }
  close() { this.#state = "closed"; window.isClosedUnplayed = !window.tones; return super.close(); }
  createOscillator() { window.tones += 1; return super.createOscillator(); }
};
"""


class Stream:
    """Answers a page's requests for the stream with the events so far."""

    def __init__(self, page: Page) -> None:
        self.versions: dict[str, str] = {}
        self.waiting: int | None = None
        self.topics: set[str] = set()
        page.route("**/live/?*", self.answer)
        page.route("**/*", self.name_stream)

    def name_stream(self, route: Route) -> None:
        """Add the URL of the stream to every page."""
        if route.request.resource_type != "document":
            return route.fallback()
        response = route.fetch()
        text = response.text()
        if "data-stream-url" not in text:
            text = text.replace("<body", '<body data-stream-url="/live/"', 1)
        return route.fulfill(response=response, body=text)

    def answer(self, route: Route) -> None:
        """Send all events and end the stream: the browser reopens it."""
        self.topics |= {part.partition("=")[2] for part in route.request.url.partition("?")[2].split("&")}
        events = [("change", {"topic": topic, "version": text}) for topic, text in self.versions.items()]
        if self.waiting is not None:
            events.append(("turns", {"waiting": self.waiting}))
        lines = [f"event: {name}\ndata: {json.dumps(data)}\n\n" for name, data in events]
        body = "".join([f"retry: {RETRY_MS}\n\n", *lines])
        route.fulfill(status=200, content_type="text/event-stream", body=body)

    def name_game(self, game: Game, viewer: Player) -> None:
        """Record the current version of a game for this viewer."""
        game.refresh_from_db()
        self.versions[f"game:{game.code}"] = f'"{state_fingerprint_for(viewer, game.code)}"'


def open_waiting_page(page: Page) -> tuple[Seat, Stream]:
    """Open bob's page while ada is to act; its clock is paused, so that only the stream reports changes."""
    game = put_position(start_game(1, "ada", "bob"), {"b3": "A"}, **QUIET)
    stream = Stream(page)
    page.clock.install()
    bob = Seat(page, game, "bob")
    stream.name_game(game, bob.player)
    bob.sit()
    page.clock.pause_at(get_now() + timedelta(seconds=30))
    expect(bob.heading("Waiting for ada")).to_be_visible()
    return bob, stream


def play(bob: Seat, stream: Stream) -> None:
    """Let ada play and the stream report the change."""
    Seat.play_for(bob.game, "ada", "B-c2-90")
    stream.name_game(bob.game, bob.player)
    expect(bob.heading(TURN)).to_be_visible()


def test_a_move_comes_at_once_and_moves_nothing_else(page: Page) -> None:
    bob, stream = open_waiting_page(page)
    page.evaluate("window.still = true; scrollTo(0, 40)")
    before = page.locator("#board").bounding_box()
    shift = page.evaluate(READ_SHIFT)
    play(bob, stream)
    assert page.evaluate("window.still"), "the page was not loaded again"
    assert page.locator("#board").bounding_box() == before
    assert page.evaluate(READ_SHIFT) - shift < 0.01
    expect(bob.news).to_have_text("ada put tile B on c2, turned by 90 degrees. bob drew tile C. Your turn.")
    assert {f"game%3A{bob.game.code}", "me"} <= stream.topics


@pytest.mark.parametrize("scripts", [True, False])
def test_the_last_move_stays_marked_and_is_said(new_page: NewPage, scripts: bool) -> None:
    game = put_position(start_game(1, "ada", "bob"), {"b3": "A"}, **QUIET)
    Seat.play_for(game, "ada", "B-c2-90")
    for name in ("bob", "ada"):
        page = new_page(java_script_enabled=scripts)
        Seat(page, game, name).sit()
        marked = page.locator(".last-move")
        expect(marked).to_have_count(1)
        expect(marked).to_have_attribute("data-cell", "c2")
        expect(marked).to_contain_text("the last move")
        assert marked.evaluate("cell => getComputedStyle(cell, '::after').borderTopStyle") == "solid"


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_a_tile_slides_in_unless_motion_is_unwanted(new_page: NewPage, motion: str) -> None:
    page = new_page(reduced_motion=motion)
    page.add_init_script(COUNT_ANIMATIONS)
    bob, stream = open_waiting_page(page)
    play(bob, stream)
    expect(page.locator(".last-move")).to_have_attribute("data-cell", "c2")
    assert bool(page.evaluate("window.animations")) == (motion == "no-preference")


def test_a_chat_message_comes_at_once_and_keeps_what_is_chosen(page: Page) -> None:
    game = put_position(start_game(1, "ada", "bob"), {"b3": "A"}, **QUIET)
    stream = Stream(page)
    page.clock.install()
    ada = Seat(page, game)
    stream.name_game(game, ada.player)
    ada.sit()
    page.clock.pause_at(get_now() + timedelta(seconds=30))
    ada.tile("C").click()
    social.post_chat_message(player=player("bob"), code=game.code, text="Are you there?", now=game.created_at)
    stream.name_game(game, ada.player)
    expect(page.locator(".chat").get_by_text("Are you there?")).to_be_visible()
    expect(ada.tile("C")).to_have_attribute("aria-pressed", "true")
    expect(ada.news).to_have_text("bob: Are you there?")
    social.post_chat_message(player=player("bob"), code=game.code, text="No hurry.", now=get_now())
    stream.name_game(game, ada.player)
    expect(ada.news).to_have_text("bob: No hurry.")


def test_the_number_of_waiting_turns_is_in_the_menu_and_in_the_title(page: Page) -> None:
    stream = Stream(page)
    sign_in(page, player("ada"))
    page.goto("/rules/")
    number = page.locator("[data-number]")
    expect(number).to_be_hidden()
    stream.waiting = 3
    expect(number).to_be_visible()
    expect(page.locator("[data-turn-count]")).to_have_text("3 waiting for you")
    assert page.title().startswith("(3) ")
    stream.waiting = 0
    expect(number).to_be_hidden()
    assert not page.title().startswith("(")


@pytest.mark.parametrize("width", [320, 1280])
def test_a_number_of_two_digits_covers_no_link(new_page: NewPage, width: int) -> None:
    page = new_page(viewport={"width": width, "height": 800})
    stream = Stream(page)
    sign_in(page, player("ada"))
    page.goto("/rules/")
    stream.waiting = 88
    number, lobby_link = page.locator("[data-number]"), page.get_by_role("link", name="Lobby")
    expect(number).to_have_text("88")
    number_box, link_box = number.bounding_box(), lobby_link.bounding_box()
    assert number_box
    assert link_box
    assert number_box["x"] + number_box["width"] <= link_box["x"]
    assert number.evaluate("element => element.scrollWidth <= element.clientWidth")


@pytest.mark.parametrize("scripts", [True, False])
def test_the_server_counts_waiting_turns_too(new_page: NewPage, scripts: bool) -> None:
    for _ in range(2):
        put_position(start_game(1, "ada", "bob"), {"b3": "A"}, **QUIET)
    page = new_page(java_script_enabled=scripts)
    sign_in(page, player("ada"))
    page.goto("/rules/")
    expect(page.locator("[data-turn-count]")).to_have_text("2 waiting for you")
    assert page.title().startswith("(2) ")
    sign_in(page, player("bob"))
    page.goto("/rules/")
    expect(page.locator("[data-number]")).to_be_hidden()
    assert not page.title().startswith("(")


def test_my_games_and_the_lobby_are_replaced_in_place(page: Page) -> None:
    stream = Stream(page)
    stream.versions = {"me": "1", "lobby": "1"}
    sign_in(page, player("ada"))
    for path, topic in (("/games/", "me"), ("/lobby/", "lobby")):
        page.goto(path)
        page.evaluate("window.still = true")
        link = page.get_by_role("main").get_by_role("link", name="New game")
        link.focus()
        before = page.locator("main .rows li").count()
        if topic == "me":
            start_game(1, "ada", "bob")
        else:
            lobby.create_game(player=player("bob"), now=get_now(), seat_count=2)
            lobby.join_game(player=player("bob"), code=Game.objects.latest("pk").code, now=get_now())
        stream.versions[topic] = "2"
        expect(page.locator("main .rows li")).not_to_have_count(before)
        expect(link).to_be_focused()
        assert page.evaluate("window.still"), "the page was not loaded again"


@pytest.mark.parametrize(("sound", "start_ms"), [(True, 50), (True, 0), (False, 50)])
def test_a_tone_is_played_only_for_who_wants_it_and_where_sound_may_start(
    page: Page, sound: bool, start_ms: int
) -> None:
    stream = Stream(page)
    page.add_init_script(COUNT_TONES.replace("START_MS", str(start_ms)))
    sign_in(page, player("ada"))
    page.goto("/display/")
    if sound:
        page.get_by_label("Play a sound when it is my turn").check()
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Saved.")).to_be_visible()
    page.get_by_role("heading", name="Display").click()  # browsers play no sound before the first interaction
    stream.waiting = 1
    expect(page.locator("[data-number]")).to_be_visible()
    page.wait_for_timeout(1000)
    assert bool(page.evaluate("window.tones")) == (sound and start_ms > 0)
    assert bool(page.evaluate("window.isClosedUnplayed")) == (sound and not start_ms), (
        "audio that never starts is closed"
    )


def test_clocks_tick_by_the_minute_and_under_an_hour_by_the_second(page: Page) -> None:
    game = put_position(start_game(1, "ada", "bob"), {"b3": "A"}, **QUIET)
    page.clock.install()
    Seat(page, game).sit()
    clock = page.locator(".seats time[data-countdown]")
    deadline = clock.get_attribute("datetime")
    assert deadline
    end = page.evaluate("text => Date.parse(text)", unescape(deadline)) / 1000
    expect(clock).to_have_text("1 week, 2 days")
    page.clock.pause_at(end - 2 * 3600 - 61)
    expect(clock).to_have_text("2 hours, 1 minute")
    page.clock.run_for(2000)
    expect(clock).to_have_text("2 hours")
    urgent = page.locator(".seats .urgent")
    expect(urgent).to_have_count(1)
    page.clock.pause_at(end - 3599)
    expect(clock).to_have_text("59:59")
    page.clock.run_for(1000)
    expect(clock).to_have_text("59:58")
    page.clock.pause_at(end + 5)
    expect(clock).to_have_text("0:00")
