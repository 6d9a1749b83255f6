"""Turns by mail reply: each line of the mail is played as if typed at the board."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import assert_never

from django.utils import translation
from django.utils.translation import gettext as _

from accounts.models import Player
from common.service_errors import Conflict, ServiceError
from games import engine
from games.engine import ActionError, ActionSource, UnreadableAction, text
from games.game_text import build_translator, explain_error
from games.selectors import LoadedGame, load_game, load_view_for, replies
from games.selectors.turns import own_log_of_turn
from notifications.services.inbound_mail import InboundMailResult

from . import clocks, standing_orders, turns

MAX_GREETING_LINES = 12  # lines without an action before the first one
MAX_REPLY_LINES = 60  # lines read in all
MAX_ACTION_WORDS = 6  # a longer line that is almost an action is prose
CONFIRMATION_WORDS = {
    "yes",
    "y",
    "ok",
    "sì",
    "si",
    "sí",
    "ja",
    "j",
    "confirm",
    "confermo",
    "bevestig",
    "resign",
    "i resign",
}


class OrderText(StrEnum):
    """A line of a reply that gives or ends standing orders, as the answer repeats it."""

    DRAW = "auto draw"
    ONLY = "auto only"
    OFF = "auto off"


# What people type in English, Italian and Dutch.
TYPED_ORDERS = {
    OrderText.DRAW: "auto draw|autodraw|auto pesca|auto pesco|autopesca|auto trek|auto trekken|autotrek",
    OrderText.ONLY: "auto only|auto unica|auto unico|auto sola|auto enige|auto enig",
    OrderText.OFF: "auto off|auto stop|auto none|auto no|auto spento|auto basta|auto uit|auto geen",
}
ORDER_LINE_PUNCTUATION = " \t.!*'\"“”„‘’«»`"  # around a line, as in the quotes of the mail's own hint
ORDERS_OF_LINE = {line: orders for orders, lines in TYPED_ORDERS.items() for line in lines.split("|")}


class ReplyResult(StrEnum):
    """The outcomes of a reply that was read; stored with its mail."""

    PLAYED = "played"
    REFUSED = "refused"
    CONFIRM = "confirm"  # they are asked whether they resign
    TURN_PASSED = "late"


def play_reply(
    *, player: Player, code: str, seat_no: int, turn: int, lines: Sequence[str], key: str, now: datetime
) -> InboundMailResult:
    """Play the lines of a reply in order, until one is refused or the turn is over.

    `key` identifies the mail: if it is processed again after a crash, nothing is played twice.
    """
    with translation.override(player.language):
        return ReplyReader(player, code, seat_no, turn, key, now).play_lines(lines[:MAX_REPLY_LINES])


def resign_by_reply(
    *, player: Player, code: str, seat_no: int, turn: int, lines: Sequence[str], key: str, now: datetime
) -> InboundMailResult:
    """Resign if the first line confirms it."""
    with translation.override(player.language):
        return ReplyReader(player, code, seat_no, turn, key, now).resign_if_confirmed(lines[:1])


@dataclass
class ReplyReader:
    """One reply as it is played."""

    player: Player
    code: str
    seat_no: int
    turn: int
    key: str
    now: datetime

    def play_lines(self, lines: Sequence[str]) -> InboundMailResult:
        """Play the lines; see `play_reply`."""
        lines_by_key = {f"{self.key}:{index}": line for index, line in enumerate(lines)}
        played_before = replies.actions_played_by_key(self.player, list(lines_by_key))
        played_actions: list[str] = []
        greeting_count = 0
        for key, line in lines_by_key.items():
            if key in played_before:
                played_actions.append(played_before[key])
                continue
            if orders := read_orders(line):
                try:
                    self.set_orders(orders, key)
                except (ActionError, ServiceError) as error:
                    return self.build_refused_outcome(line, error, played_actions)
                played_actions.append(orders)
                continue
            loaded_game = self.load_current_turn()
            if loaded_game is None:
                # The same mail by another route may have played this line meanwhile.
                played_before = replies.actions_played_by_key(self.player, list(lines_by_key))
                if key in played_before:
                    played_actions.append(played_before[key])
                    continue
                return (
                    self.build_turn_over_outcome(line, played_actions)
                    if played_actions
                    else self.build_late_outcome()
                )
            assert loaded_game.state is not None
            if loaded_game.seat_by_no(self.seat_no).hand_hidden:
                return self.build_hand_hidden_outcome()
            try:
                action = engine.parse_action(
                    loaded_game.state, self.seat_no, line, has_hints=loaded_game.game.hints
                )
            except UnreadableAction as error:
                if looks_like_action(line, error):
                    return self.build_refused_outcome(line, error, played_actions)
                greeting_count += 1
                if played_actions or greeting_count > MAX_GREETING_LINES:
                    break  # text after the actions is ignored
                continue
            if action == "resign":
                return self.build_confirm_outcome(played_actions)
            try:
                self.play_text(line, loaded_game.state.seq, key)
            except (ActionError, ServiceError) as error:
                played_before = replies.actions_played_by_key(self.player, list(lines_by_key))
                if key in played_before:
                    played_actions.append(played_before[key])
                    continue
                if self.load_current_turn() is None:
                    break
                return self.build_refused_outcome(line, error, played_actions)
            played_actions.append(action)
        return self.build_final_outcome(lines, played_actions)

    def resign_if_confirmed(self, lines: Sequence[str]) -> InboundMailResult:
        """Resign if a line confirms it; see `resign_by_reply`."""
        key = f"{self.key}:0"
        if not replies.actions_played_by_key(self.player, [key]):
            loaded_game = self.load_current_turn()
            if loaded_game is None:
                return self.build_late_outcome()
            assert loaded_game.state is not None
            if loaded_game.seat_by_no(self.seat_no).hand_hidden:
                return self.build_hand_hidden_outcome()
            if not any(is_confirmation(loaded_game.state, self.seat_no, line) for line in lines):
                message = _("You have not resigned. To resign, write only “yes” in the first line.")
                return InboundMailResult(ReplyResult.REFUSED, message, "not confirmed")
            try:
                self.play_text("resign", None, key)
            except (ActionError, ServiceError) as error:
                reason = explain_error(error, load_view_for(self.player, self.code).view)
                message = _("You have not resigned: %(reason)s.") % {"reason": reason}
                return InboundMailResult(ReplyResult.REFUSED, message, str(error))
        return InboundMailResult(ReplyResult.PLAYED, _("You have resigned."), "resign")

    def load_current_turn(self) -> LoadedGame | None:
        """Return the game if the seat is still at this turn, or None."""
        loaded_game = load_game(self.code)
        seat_clock = clocks.seat_clock_of(loaded_game.game, self.seat_no)
        is_running = loaded_game.game.is_running and loaded_game.state is not None
        return (
            loaded_game if is_running and seat_clock.is_on_turn and seat_clock.turn_seq == self.turn else None
        )

    def play_text(self, action_text: str, seq: int | None, key: str) -> None:
        """Play a text through `turns.play_action`. Raises what that raises."""
        try:
            turns.play_action(
                player=self.player, code=self.code, text=action_text, seq=seq, key=key, now=self.now
            )
        except Conflict as conflict:
            # The same mail by another route has played this line.
            if conflict.code != "idempotency-key-reused":
                raise

    def set_orders(self, orders: OrderText, key: str) -> None:
        """Give or end standing orders, which needs no turn. Raises ServiceError."""
        is_given = orders != OrderText.OFF
        standing_orders.set_standing_orders(
            player=self.player,
            code=self.code,
            now=self.now,
            draw=is_given if orders in (OrderText.DRAW, OrderText.OFF) else None,
            only=is_given if orders in (OrderText.ONLY, OrderText.OFF) else None,
            key=key,
            text=orders,
        )

    # ------------------------------------------------------------------------------------------ outcomes

    def build_final_outcome(self, lines: Sequence[str], played_actions: list[str]) -> InboundMailResult:
        """Return the outcome after all lines were read."""
        loaded_game = self.load_current_turn()
        if played_actions:
            return InboundMailResult(
                ReplyResult.PLAYED,
                self.describe_played_actions(played_actions),
                ", ".join(played_actions),
            )
        if loaded_game is None:
            return self.build_late_outcome()
        if loaded_game.seat_by_no(self.seat_no).hand_hidden:  # no example, as it would reveal the hand
            return self.build_hand_hidden_outcome()
        if not lines:
            message = _("We played nothing: your mail has no line of your own.")
        else:
            message = _(
                "We played nothing: no line of your mail says what to play. Your mail begins with %(line)s."
            ) % {"line": quote_line(lines[0])}
        return InboundMailResult(
            ReplyResult.REFUSED, f"{message} {self.build_example(loaded_game)}".strip(), "no action"
        )

    def build_example(self, loaded_game: LoadedGame) -> str:
        """Return a hint with a legal action; empty if there is nothing to decide."""
        state, has_hints = loaded_game.state, loaded_game.game.hints
        actions = engine.list_offered_actions(state, self.seat_no, has_hints=has_hints) if state else ()
        if not actions:
            return ""
        return _("Write your move on a line of its own, for example: %(action)s") % {
            "action": actions[0].replace("-", " ")
        }

    def build_turn_over_outcome(self, line: str, played_actions: list[str]) -> InboundMailResult:
        """Return the outcome when the turn ended before the lines; names the line if it is an action."""
        state = load_game(self.code).state
        extra_messages = []
        if state and read_action(state, self.seat_no, line):
            extra_messages = [_("We did not play %(line)s: your turn was over.") % {"line": quote_line(line)}]
        return InboundMailResult(
            ReplyResult.PLAYED,
            self.describe_played_actions(played_actions, *extra_messages),
            ", ".join(played_actions),
        )

    def build_refused_outcome(
        self, line: str, error: Exception, played_actions: list[str]
    ) -> InboundMailResult:
        """Return the outcome for a line that cannot be played, with the reason."""
        reason = explain_error(error, load_view_for(self.player, self.code).view)
        quoted_line = quote_line(line)
        if reason.endswith("."):  # a sentence of its own, not a reason of the rules
            message = _("We did not play %(line)s.") % {"line": quoted_line} + f" {reason}"
        else:
            message = _("We did not play %(line)s: %(reason)s.") % {"line": quoted_line, "reason": reason}
        return InboundMailResult(
            ReplyResult.REFUSED, self.describe_played_actions(played_actions, message), str(error)
        )

    def build_hand_hidden_outcome(self) -> InboundMailResult:
        """Return the outcome for a player who has not taken the seat yet; nothing was read as an action."""
        message = _(
            "We played nothing. First take the seat on the page of this turn; then you see its cards."
        )
        return InboundMailResult(ReplyResult.REFUSED, message, "hand hidden")

    def build_confirm_outcome(self, played_actions: list[str]) -> InboundMailResult:
        """Return the outcome that asks to confirm a resignation by a second mail."""
        return InboundMailResult(
            ReplyResult.CONFIRM,
            self.describe_played_actions(played_actions, _("You wrote that you resign.")),
            "resign",
        )

    def build_late_outcome(self) -> InboundMailResult:
        """Return the outcome for a turn that has passed, with the reason if known."""
        loaded_game = load_game(self.code)
        turn_actions = own_log_of_turn(loaded_game.seat_by_no(self.seat_no), self.turn)
        if loaded_game.is_over:
            message = _("The game is over, so we played nothing from your mail.")
        elif turn_actions and turn_actions[-1]["by"] == ActionSource.CLOCK:
            message = _("Your mail came after your time ran out. We had already played this turn for you.")
        elif turn_actions:
            message = _("You had already played this turn, so we played nothing from your mail.")
        else:
            message = _("This turn is over, so we played nothing from your mail.")
        return InboundMailResult(ReplyResult.TURN_PASSED, message, "the turn has passed")

    def describe_played_actions(self, played_actions: Sequence[str], *extra_messages: str) -> str:
        """Describe the played actions, one per line, as typed and in words."""
        translator = build_translator(load_view_for(self.player, self.code).view)
        lines = [
            f"{action}: {describe_orders(OrderText(action))}"
            if action in ORDERS_OF_LINE
            else f"{action.replace('-', ' ')}: {text.describe_action(action, translator)}"
            for action in played_actions
        ]
        return "\n".join([*lines, *extra_messages])


def looks_like_action(line: str, error: UnreadableAction) -> bool:
    """Return whether an unreadable line was probably meant as an action."""
    return not str(error).endswith("is not an action") and len(line.split()) <= MAX_ACTION_WORDS


def read_orders(line: str) -> OrderText | None:
    """Return the standing orders that a line gives or ends, or None."""
    words = " ".join(line.strip(ORDER_LINE_PUNCTUATION).casefold().replace("-", " ").split())
    return ORDERS_OF_LINE.get(words)


def describe_orders(orders: OrderText) -> str:
    """Describe what a line about standing orders has done."""
    match orders:
        case OrderText.DRAW:
            return _(
                "from now on we draw for you at the start of your turns, until a card changes your tile or"
                " hand, or an 8 is possible"
            )
        case OrderText.ONLY:
            return _(
                "from now on we place your tile, or play a kidnapped card, when there is only one way"
                " to do it"
            )
        case OrderText.OFF:
            return _("you have no standing orders")
        case _:
            assert_never(orders)


def is_confirmation(state: engine.State, seat_no: int, line: str) -> bool:
    """Return whether a line confirms a resignation."""
    return (
        line.strip(" .!\t").casefold() in CONFIRMATION_WORDS or read_action(state, seat_no, line) == "resign"
    )


def read_action(state: engine.State, seat_no: int, line: str) -> str:
    """Return the action of a line, or an empty string."""
    try:
        return engine.parse_action(state, seat_no, line)
    except UnreadableAction:
        return ""


def quote_line(line: str) -> str:
    """Return a line of a mail in quotes, shortened."""
    return f"“{line if len(line) <= 60 else line[:59] + '…'}”"
