"""A game page in a browser: the actions of players, located by roles and texts, and games for them."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.utils import timezone
from playwright.sync_api import Locator, Page, expect

from accounts.models import Player
from games.engine import bots as policies
from games.engine import text
from games.models import Game
from games.selectors import load_view_for
from games.services import turns
from tests.factories.cast import player, start_cast_game
from tests.helpers.polling import wait_for

from .conftest import sign_in
from .page_watch import get_watch

expect.set_options(timeout=20_000)  # equal to the default timeout of pages
TURN, OVER = "Your turn", "The game is over"
GO_ON = re.compile("^Go on")
IMMEDIATE_ACTIONS = {"draw", "pass", "8", "CV=8"}
# Seeds of games that ada plays by `pick_wanted_action` against a greedy bot: she swaps tiles, plays a leap,
# and wins by an 8 at her thirteenth decision; or she plays a leap, and the bot wins after her sixth.
WON_GAME_SEED, LOST_GAME_SEED = 137, 348


def start_game(number: int, *names: str, bots: tuple[str, ...] = (), **terms: Any) -> Game:
    """Start a game now, with known shuffles."""
    return start_cast_game(*names, bots=bots, seed=number, now=timezone.now(), **terms)


def get_now() -> datetime:
    return timezone.now()


def pick_wanted_action(view: dict[str, Any], legal: Sequence[str]) -> str:
    """Choose an action: a card if possible, preferably a leap elsewhere, else the greedy bot's action."""
    cards = [action for action in legal if action not in IMMEDIATE_ACTIONS]
    if view["phase"] in ("start", "stolen"):
        leaps = [action.split("-") for action in cards if action.startswith("QL")]
        far = ["-".join(action) for action in leaps if action[1] != action[2] and action[3] != "0"]
        other_actions = [action for action in cards if "QL" not in action]
        return far[len(far) // 2] if far else [*other_actions, *legal][0]
    return policies.choose_action("greedy", view, legal, random.Random(view["seq"]))


def describe_own_action(action: str) -> str:
    """Describe an action as the page does, for actions that name no other player."""
    sentence = text.describe_action(action)
    return f"{sentence[0].upper()}{sentence[1:]}."


class Seat:
    """A player on a game page, with a browser that runs scripts."""

    role: Any = "button"  # the ARIA role of a cell that can be chosen

    def __init__(self, page: Page, game: Game, who: str | Player = "ada") -> None:
        self.page, self.game = page, game
        self.player = player(who) if isinstance(who, str) else who
        self.turnings: list[str] = []  # the ways in which tiles were turned so far

    def sit(self) -> Seat:
        """Sign in and open the game page."""
        sign_in(self.page, self.player)
        self.page.goto(f"/games/{self.game.code}/")
        while get_watch(self.page).running:  # the scripts of the board load after the page
            self.page.wait_for_timeout(20)
        return self

    @staticmethod
    def play_for(game: Game, name: str, action: str) -> None:
        """Play an action of a player outside this page."""
        game.refresh_from_db()
        who, now = player(name), timezone.now()
        turns.play_action(player=who, code=game.code, text=action, seq=game.seq, key="", now=now)

    # -------------------------------------------------------------------------------------- parts of the page

    @property
    def legal(self) -> tuple[str, ...]:
        return load_view_for(self.player, self.game.code).legal_actions

    @property
    def announcement(self) -> Locator:
        return self.page.locator("[data-description]")

    @property
    def play(self) -> Locator:
        return self.page.get_by_role("button", name="Play this", exact=True)

    @property
    def turn_button(self) -> Locator:
        return self.page.get_by_role("button", name="Turn the tile", exact=True)

    @property
    def back(self) -> Locator:
        """The link "Take it back"; proposals have a button with this text."""
        return self.page.get_by_role("link", name="Take it back")

    @property
    def news(self) -> Locator:
        return self.page.locator("#news").and_(self.page.get_by_role("status"))

    def heading(self, name: str | re.Pattern[str]) -> Locator:
        return self.page.get_by_role("heading", name=name)

    def cell(self, name: str) -> Locator:
        """Locate a cell that can be chosen."""
        cells = self.page.get_by_role("list", name="Cells, row by row from the top")
        return cells.get_by_role(self.role, name=re.compile(f"^{name}: "))

    def tile(self, kind: str) -> Locator:
        """Locate a tile in the tray."""
        return self.page.get_by_role("button", name=re.compile(f"^Tile {kind} ")).first

    def card(self, code: str) -> Locator:
        """Locate the link that plays a card; the wildcard has one for each card it can stand for."""
        name = text.ENGLISH_TRANSLATOR.format_card(code.removeprefix("CV="))
        held_card = self.page.get_by_role("listitem").filter(
            has_text=name if "=" not in code else "Cosmic void"
        )
        button = f"as {name}" if "=" in code else "Play this card"
        return held_card.get_by_role("link", name=button, exact=True)

    def immediate_button(self, action: str) -> Locator:
        """Locate the button of an action without choices."""
        return self.page.get_by_role("button", name=describe_own_action(action)[:-1], exact=True)

    def wait_for_turn(self) -> bool:
        """Wait until it is the player's turn or the game is over; return whether it is their turn."""
        go_on = self.page.get_by_role("link", name=GO_ON)
        expect(self.heading(TURN).or_(self.heading(OVER)).or_(go_on)).to_be_visible()
        if go_on.is_visible():  # leave the summary of a finished match
            go_on.click()
            expect(self.heading(TURN).or_(self.heading(OVER))).to_be_visible()
        return self.heading(TURN).is_visible()

    # ---------------------------------------------------------------------------------- actions of the player

    def press(self, button: Locator) -> None:
        """Press a control that loads a page, and wait for that page."""
        with self.page.expect_navigation():
            button.click()

    def choose(self, action: str, how: str = "click") -> None:
        """Choose an action without confirming it."""
        if action.removeprefix("CV=").startswith("QL"):
            self.leap(action, how)
        elif "-" in action and action[1] == "-":
            self.place(action, how)
        else:
            self.card(action.split("-")[0]).click()
            expect(self.announcement).to_contain_text(
                f"Play {text.ENGLISH_TRANSLATOR.format_card_use(action)}"
            )

    def decide(self, action: str, how: str = "click") -> None:
        """Choose an action and play it."""
        if action in IMMEDIATE_ACTIONS:
            self.press(self.immediate_button(action))
            return
        self.choose(action, how)
        self.confirm(action)

    def confirm(self, action: str) -> None:
        self.press(self.play)

    def place(self, action: str, how: str) -> None:
        """Choose the cell, the tile in the tray, then the rotation."""
        kind, cell, _ = action.split("-")
        if self.cell(cell).get_attribute("aria-pressed") != "true":
            self.cell(cell).click()
        if f" tile {kind} " not in self.announcement.inner_text():
            self.tile(kind).click()
        expect(self.tile(kind)).to_have_attribute("aria-pressed", "true")
        self.turn(action, [action for action in self.legal if action.startswith(f"{kind}-{cell}-")], how)

    def leap(self, action: str, how: str) -> None:
        """Choose the card, the start cell, the end cell, then the rotation."""
        card, start, end, _ = action.split("-")
        self.card(card).click()
        expect(self.page.get_by_text("Choose a tile on the board to move.")).to_be_visible()
        self.cell(start).click()
        expect(
            self.page.get_by_text("Choose a free cell for it, or its own cell to turn it.")
        ).to_be_visible()
        self.cell(end).click()
        self.turn(
            action, [action for action in self.legal if action.startswith(f"{card}-{start}-{end}-")], how
        )

    def turn(self, action: str, actions: list[str], how: str) -> None:
        """Turn the chosen tile, at least once if possible, until it has the rotation of the action."""
        expect(self.announcement).to_be_visible()
        at = [describe_own_action(action) for action in actions].index(self.announcement.inner_text())
        self.turnings += [how] * (len(actions) > 1)
        if len(actions) > 1 and how == "fits":
            self.page.get_by_role("button", name=describe_own_action(action)).click()
        while len(actions) > 1 and how != "fits":
            self.turn_once(action, how)
            at = (at + (-1 if how in ("Shift+R", "wheel up") else 1)) % len(actions)
            expect(self.announcement).to_have_text(describe_own_action(actions[at]))
            if actions[at] == action:
                break
        expect(self.announcement).to_have_text(describe_own_action(action))

    def turn_once(self, action: str, how: str) -> None:
        cell = self.cell(action.split("-")[-2])
        if how == "click":
            self.turn_button.click()
        elif how.startswith("wheel"):
            cell.hover()
            self.page.mouse.wheel(0, -100 if how == "wheel up" else 100)
        else:
            self.page.keyboard.press(how)


class PlainSeat(Seat):
    """A player without scripts, who uses links and forms; counts the page loads of a decision."""

    role = "link"
    steps = 0

    def press(self, button: Locator) -> None:
        super().press(button)
        self.steps += 1

    def decide(self, action: str, how: str = "") -> None:
        self.steps = 0
        super().decide(action, how)

    def choose(self, action: str, how: str = "") -> None:
        played_card = action.removeprefix("CV=")
        if played_card.startswith("QL"):
            self.leap(action, how)
        elif played_card[1] == "-":
            self.place(action, how)
        else:
            self.press(self.card(action.split("-")[0]))

    def place(self, action: str, how: str) -> None:
        if self.announcement.is_visible() and self.announcement.inner_text() == describe_own_action(action):
            return  # only one rotation is possible
        self.press(self.cell(action.split("-")[1]))
        if not self.play.is_visible():
            self.press(self.page.get_by_role("link", name=f"{text.describe_action(action)}:"))

    def leap(self, action: str, how: str) -> None:
        card, start, end, _ = action.split("-")
        self.press(self.card(card))
        self.page.get_by_label("Tile", exact=True).select_option(start)
        self.page.get_by_label("To", exact=True).select_option("stay" if start == end else end)
        self.press(self.page.get_by_role("button", name="Next: turn it"))

    def confirm(self, action: str) -> None:
        """Confirm an action; the button of a leap shows the rotation of the tile."""
        lies = self.page.get_by_role("button", name=f"{text.describe_action(action)}:")
        self.press(lies if lies.is_visible() else self.play)


def wait_for_bots(game: Game) -> None:
    """Wait until no bot is to act."""

    def is_idle() -> bool:
        game.refresh_from_db()
        return not game.bot_to_act

    wait_for(is_idle, "the bot never answers", 20)
