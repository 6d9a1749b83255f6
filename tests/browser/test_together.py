"""Several browsers in one game: a page shows the actions of others by itself and keeps unsent input."""

from __future__ import annotations

from datetime import timedelta

from playwright.sync_api import Page, Route, expect

from games.models import Action, Game, Message
from games.services import social
from tests.factories.cast import player
from tests.factories.stored_positions import put_position

from .conftest import NewPage
from .page_watch import get_watch
from .table import TURN, Seat, get_now, start_game

QUIET = {"b3": "A"}  # no figure can be closed beside this tile
TILES = {1: "C", 2: "B"}
NEXT_LOOK = 3000  # milliseconds
SLOWEST_POLL_MS = 60_000  # the longest interval of polls


def start_quiet_game(**fields: object) -> Game:
    """Start a game in which ada, then bob, is to place a B or a C."""
    game = start_game(1, "ada", "bob")
    return put_position(
        game, QUIET, **{"turn": 1, "drawn": "B", "table": TILES, "tower": "CCCCEEEE", **fields}
    )


def ignore_errors_at(page: Page, part: str) -> None:
    """Remove the expected errors of URLs with this part."""
    page_watch = get_watch(page)
    page_watch.errors = [line for line in page_watch.errors if part not in line]


def test_the_other_page_tells_that_it_is_your_turn(new_page: NewPage) -> None:
    game = start_quiet_game()
    ada, bob = (Seat(new_page(), game, name).sit() for name in ("ada", "bob"))
    expect(bob.heading("Waiting for ada")).to_be_visible()
    expect(bob.page).not_to_have_title("Your turn · ada, bob · OTTO online")
    bob.page.evaluate("window.still = true")
    bob.page.get_by_label("Message").press_sequentially("Well pla")
    ada.decide("B-c2-90")
    expect(ada.heading("Waiting for bob")).to_be_visible()
    expect(bob.heading(TURN)).to_be_visible()
    assert bob.page.evaluate("window.still"), "the page was not loaded again"
    expect(bob.page).to_have_title("Your turn · ada, bob · OTTO online")
    expect(bob.news).to_have_text("ada put tile B on c2, turned by 90 degrees. bob drew tile C. Your turn.")
    expect(bob.cell("c1")).to_be_visible()
    # The draft of a message is still there, with the cursor at its place.
    expect(bob.page.get_by_label("Message")).to_be_focused()
    bob.page.keyboard.type("yed!")
    expect(bob.page.get_by_label("Message")).to_have_value("Well played!")
    bob.press(bob.page.get_by_role("button", name="Send", exact=True))
    assert [message.text for message in Message.objects.all()] == ["Well played!"]
    expect(ada.page.locator(".chat").get_by_text("Well played!")).to_be_visible()
    bob.decide("C-c1-90")
    expect(ada.heading(TURN)).to_be_visible()


def test_a_refresh_leaves_open_what_is_open_and_nothing_else(page: Page) -> None:
    game = start_quiet_game()
    page.clock.install()
    bob = Seat(page, game, "bob").sit()
    page.get_by_text("Your notes", exact=True).click()
    page.get_by_label("Only you see your notes.").press_sequentially("She has a")
    page.keyboard.press("ArrowLeft")
    Seat.play_for(game, "ada", "B-c2-0")
    page.clock.fast_forward(NEXT_LOOK)
    expect(bob.heading(TURN)).to_be_visible()
    expect(page.get_by_label("Only you see your notes.")).to_be_focused()
    page.keyboard.type("not ")
    expect(page.get_by_label("Only you see your notes.")).to_have_value("She has not a")
    for hidden in ("You cannot undo this.", "Your move"):
        expect(page.get_by_text(hidden)).to_be_hidden()
    expect(page.get_by_label("Your move")).not_to_have_value("")


def test_somebody_who_speaks_does_not_undo_what_was_chosen(page: Page) -> None:
    game = start_quiet_game()
    page.clock.install()
    ada = Seat(page, game).sit()
    ada.choose("C-c2-90", "r")
    social.post_chat_message(player=player("bob"), code=game.code, text="Are you there?", now=game.created_at)
    page.clock.fast_forward(NEXT_LOOK)
    expect(page.locator(".chat").get_by_text("Are you there?")).to_be_visible()
    expect(ada.announcement).to_have_text("Put tile C on c2, turned by 90 degrees.")
    expect(ada.cell("c2")).to_be_focused()
    page.keyboard.press("r")
    expect(ada.announcement).to_have_text("Put tile C on c2.")
    ada.press(ada.play)
    assert Action.objects.get(game=game, action="C-c2-0")


def test_a_leap_that_was_chosen_is_kept_too(page: Page) -> None:
    game = start_quiet_game(phase="start", drawn="", hands={1: ["QL"]})
    page.clock.install()
    ada = Seat(page, game).sit()
    ada.choose("QL-b3-e5-0", "r")
    social.post_chat_message(player=player("bob"), code=game.code, text="Are you there?", now=game.created_at)
    page.clock.fast_forward(NEXT_LOOK)
    expect(page.locator(".chat").get_by_text("Are you there?")).to_be_visible()
    expect(ada.announcement).to_have_text("Play Quantum leap: the tile on b3 to e5, at 0 degrees.")
    ada.back.click()
    expect(page.get_by_text("Choose a free cell for it, or its own cell to turn it.")).to_be_visible()


def test_away_from_the_net_the_page_stays_as_it_is_and_recovers(page: Page) -> None:
    game = start_quiet_game()
    page.clock.install()
    bob = Seat(page, game, "bob").sit()
    fails: list[str] = []

    def abort_request(route: Route) -> None:
        fails.append(route.request.url)
        route.abort()

    page.route("**/version/", abort_request)
    Seat.play_for(game, "ada", "B-c2-0")
    for attempt_count in (1, 2, 3):
        page.clock.fast_forward(SLOWEST_POLL_MS)
        assert wait_until(page, lambda attempt_count=attempt_count: len(fails) >= attempt_count)  # type: ignore[misc]
        expect(bob.heading("Waiting for ada")).to_be_visible()
    page.unroute("**/version/")
    # Now the page learns of the change but cannot fetch it.
    page.route(f"**/games/{game.code}/", abort_request)
    page.clock.fast_forward(SLOWEST_POLL_MS)
    assert wait_until(page, lambda: fails[-1].endswith(f"/games/{game.code}/"))
    expect(bob.heading("Waiting for ada")).to_be_visible()
    page.unroute(f"**/games/{game.code}/")
    page.clock.fast_forward(SLOWEST_POLL_MS)
    expect(bob.heading(TURN)).to_be_visible()
    ignore_errors_at(page, "ERR_FAILED")
    bob.decide("C-c1-0")
    assert Action.objects.get(game=game, action="C-c1-0")


def test_back_on_the_net_it_looks_at_once(page: Page) -> None:
    game = start_quiet_game()
    page.clock.install()
    bob = Seat(page, game, "bob").sit()
    page.clock.pause_at(get_now() + timedelta(minutes=1))  # no timer fires from here on
    assert wait_until(page, lambda: not get_watch(page).running)  # no request of an earlier poll is left
    page.context.set_offline(True)
    Seat.play_for(game, "ada", "B-c2-0")
    expect(bob.heading("Waiting for ada")).to_be_visible()
    page.context.set_offline(False)
    expect(bob.heading(TURN)).to_be_visible()


def wait_until(page: Page, condition: object) -> bool:
    """Wait until a condition on the requests is true."""
    for _ in range(400):
        if condition():  # type: ignore[operator]
            return True
        page.wait_for_timeout(25)
    return False
