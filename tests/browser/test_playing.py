"""A whole game against a bot in a browser: by mouse, wheel and key; without scripts by links and forms."""

from __future__ import annotations

import re

from django.utils import timezone
from playwright.sync_api import Page, expect

from games.models import Action, Game
from games.selectors import load_view_for
from games.services import bots, game_audit
from tests.helpers.site import Site

from .conftest import NewPage
from .table import (
    LOST_GAME_SEED,
    WON_GAME_SEED,
    PlainSeat,
    Seat,
    pick_wanted_action,
    start_game,
    wait_for_bots,
)

STEPS = 3  # most page loads for a decision
HOW = ("r", "wheel", "click", "fits", "Shift+R", "wheel up")


def start_short_game(seed: int = WON_GAME_SEED) -> Game:
    return start_game(seed, "ada", bots=("greedy",), target=8)


def pick_action(seat: Seat) -> str:
    game_view = load_view_for(seat.player, seat.game.code)
    return pick_wanted_action(game_view.view, game_view.legal_actions)


def next_turning(seat: Seat) -> str:
    """Return the next way of turning a tile, so that each of them is used."""
    return HOW[len(seat.turnings) % len(HOW)]


def list_played_cards(game: Game) -> list[str]:
    """List the cards that ada has played, in order."""
    actions = Action.objects.filter(game=game, seat=1).order_by("seq").values_list("action", flat=True)
    return [action.split("-")[0] for action in actions if re.match("[A-Z]{2}", action)]


def check_ending(page: Page, game: Game, outcome: str) -> None:
    """Check the end of a game, its replay, and the page of fairness."""
    expect(page.get_by_role("heading", level=1)).to_have_text(outcome)
    expect(page.get_by_role("button", name="Rematch")).to_be_visible()
    page.get_by_role("link", name="Replay").first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text(f"Replay of game {game.code}")
    expect(page.get_by_role("heading", level=2)).to_have_text("Match 1 · the deal")
    page.get_by_role("link", name="Was it fair?").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(f"Is game {game.code} fair?")
    checked = page.get_by_role("region", name="Checked by us").get_by_role("listitem")
    assert all(line.startswith("✓") for line in checked.all_inner_texts())


def test_a_whole_game_with_scripts_and_a_worker_that_answers(page: Page, worker: Site) -> None:
    page.clock.install()  # the clock runs normally, and the test can advance it to the next poll of the page
    game = start_short_game()
    ada = Seat(page, game).sit()
    turns = 0
    while ada.wait_for_turn():
        action = pick_action(ada)
        if turns == 2:  # ada takes a choice back
            ada.choose(action, next_turning(ada))
            ada.back.click()
            expect(ada.play).to_be_hidden()
            expect(page.get_by_text("Choose a marked cell on the board.")).to_be_visible()
        ada.decide(action, next_turning(ada))
        turns += 1
        wait_for_bots(game)
        if turns > 1:  # the bot's first answer is awaited in real time
            page.clock.fast_forward(3000)
    assert {*ada.turnings} == {*HOW}
    assert list_played_cards(game) == ["MI", "QL"]
    assert game_audit.audit_game(Game.objects.select_related("secrets").get(pk=game.pk)) is None
    check_ending(page, game, "You won 8 : 2")
    own = page.get_by_role("region", name="Checked by your own browser").get_by_role("listitem")
    expect(own).to_have_count(4)
    assert all(line.startswith("✓") for line in own.all_inner_texts())


def test_a_whole_game_without_scripts_is_links_and_forms_and_few_of_them(
    new_page: NewPage, site: Site
) -> None:
    game = start_short_game(LOST_GAME_SEED)
    ada = PlainSeat(new_page(java_script_enabled=False), game)
    bots.play_bot_turns(code=game.code, now=timezone.now())
    ada.sit()
    most = 0
    while ada.wait_for_turn():
        ada.decide(pick_action(ada))
        assert ada.steps <= STEPS
        most = max(most, ada.steps)
        bots.play_bot_turns(code=game.code, now=timezone.now())
        ada.page.reload()
    assert most == STEPS
    assert list_played_cards(game) == ["QL"]
    check_ending(ada.page, game, "You lost 0 : 8")


def test_without_scripts_what_was_chosen_can_be_taken_back(new_page: NewPage) -> None:
    game = start_short_game()
    ada = PlainSeat(new_page(java_script_enabled=False), game)
    bots.play_bot_turns(code=game.code, now=timezone.now())
    ada.sit()
    ada.choose("MI-2")
    expect(ada.announcement).to_contain_text("swap table tiles with")
    before = Action.objects.filter(game=game).count()
    ada.press(ada.back)
    expect(ada.announcement).to_be_hidden()
    expect(ada.page.get_by_role("button", name="Draw a tile")).to_be_visible()
    assert Action.objects.filter(game=game).count() == before
