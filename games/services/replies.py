"""Turns by reply: the lines of a mail are played as if they had been typed at the board."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.utils import translation
from django.utils.translation import gettext as _

from games import engine
from games.engine import Refused, Unreadable, text
from games.models import Delivery, Game, Player, Received
from games.selectors import Table, game_for, replies, table
from games.selectors.turns import of_turn
from games.words import why, words_for

from . import clocks, limits, turns
from .errors import Conflict, Refusal

GREETING = 12  # lines without an action that may stand above the first one
MOST = 60  # lines that are read at all
ANSWERS, HOUR = 60, timedelta(hours=1)  # of our answers, a player gets so many an hour: nothing can loop
SHORT = 6  # words: a line of more that is almost an action is prose
YES = {"yes", "y", "ok", "sì", "si", "sí", "ja", "j", "confirm", "confermo", "bevestig", "resign", "i resign"}


@dataclass(frozen=True)
class Outcome:
    """What became of a reply: played, refused, confirm or late; the text tells its writer."""

    outcome: str
    text: str
    why: str = ""  # for the log
    bot_turn: bool = False


def play_lines(
    *, player: Player, code: str, seat: int, turn: int, lines: Sequence[str], key: str, now: datetime
) -> Outcome:
    """Play the lines of a reply, in order, until one is refused or the turn is over.

    `key` is the mail's: should it come again after a crash, what was played is not played twice.
    """
    with translation.override(player.language):
        return Reading(player, code, seat, turn, key, now).play(lines[:MOST])


def resign(
    *, player: Player, code: str, seat: int, turn: int, lines: Sequence[str], key: str, now: datetime
) -> Outcome:
    """Resign, if the first line says yes to the question whether that is meant."""
    with translation.override(player.language):
        return Reading(player, code, seat, turn, key, now).resign(lines[:1])


@dataclass
class Reading:
    """One reply on its way through a turn."""

    player: Player
    code: str
    seat: int
    turn: int
    key: str
    now: datetime
    bot_turn: bool = False

    def play(self, lines: Sequence[str]) -> Outcome:
        """See play_lines."""
        keys = {f"{self.key}:{number}": line for number, line in enumerate(lines)}
        before = replies.played_before(self.player, list(keys))
        played: list[str] = []
        greeting = 0
        for key, line in keys.items():
            if key in before:
                played.append(before[key])
                continue
            found = self.table()
            if found is None:
                # The same mail by another way may have played this line since we looked.
                before = replies.played_before(self.player, list(keys))
                if key in before:
                    played.append(before[key])
                    continue
                return self.too_much(line, played) if played else self.late()
            assert found.state is not None
            if found.place(self.seat).hand_hidden:
                return self.hand_hidden()
            try:
                action = engine.read(found.state, self.seat, line)
            except Unreadable as error:
                if meant(line, error):
                    return self.refused(line, error, played)
                greeting += 1
                if played or greeting > GREETING:
                    break  # below what was played, words are just words
                continue
            if action == "resign":
                return self.confirm(played)
            try:
                self.act(line, found.state.seq, key)
            except (Refused, Refusal) as error:
                before = replies.played_before(self.player, list(keys))
                if key in before:
                    played.append(before[key])
                    continue
                if self.table() is None:
                    break
                return self.refused(line, error, played)
            played.append(action)
        return self.outcome(lines, played)

    def resign(self, lines: Sequence[str]) -> Outcome:
        """See the function of this name."""
        key = f"{self.key}:0"
        if not replies.played_before(self.player, [key]):
            found = self.table()
            if found is None:
                return self.late()
            assert found.state is not None
            if found.place(self.seat).hand_hidden:
                return self.hand_hidden()
            if not any(confirms(found.state, self.seat, line) for line in lines):
                told = _("You have not resigned. If you mean to, write the one word “yes” in the first line.")
                return Outcome("refused", told, "not confirmed")
            try:
                self.act("resign", None, key)
            except (Refused, Refusal) as error:
                reason = why(error, game_for(self.player, self.code).view)
                told = _("You have not resigned: %(reason)s.") % {"reason": reason}
                return Outcome("refused", told, str(error))
        return Outcome("played", _("You have resigned."), "resign", self.bot_turn)

    def table(self) -> Table | None:
        """The game, if it is still this very turn."""
        found = table(self.code)
        watch = clocks.watch_of(found.game, self.seat)
        running = found.game.status == Game.Status.RUNNING and found.state is not None
        return found if running and watch.on and watch.turn == self.turn else None

    def act(self, text: str, seq: int | None, key: str) -> None:
        """Play through the one way there is. Raises what `turns.play` raises."""
        try:
            done = turns.play(player=self.player, code=self.code, text=text, seq=seq, key=key, now=self.now)
            self.bot_turn = done.bot_turn
        except Conflict as conflict:
            # The same mail at the same moment by another way: it has played this line.
            if conflict.code != "idempotency-key-reused":
                raise

    # ------------------------------------------------------------------------------------------ what to say

    def outcome(self, lines: Sequence[str], played: list[str]) -> Outcome:
        """When all lines were read."""
        found = self.table()
        if played:
            return Outcome("played", self.told(played), ", ".join(played), self.bot_turn)
        if found is None:
            return self.late()
        if found.place(self.seat).hand_hidden:  # a mail without lines was not looked at: no example from it
            return self.hand_hidden()
        if not lines:
            told = _("Nothing was played: there was no line of your own in your mail.")
        else:
            told = _(
                "Nothing was played: no line of your mail says what to play; it begins with %(line)s."
            ) % {"line": shown(lines[0])}
        return Outcome("refused", f"{told} {self.example(found)}".strip(), "no action")

    def example(self, found: Table) -> str:
        """What one could write now; empty if nothing is to be decided."""
        legal = engine.legal_actions(found.state, self.seat) if found.state else ()
        if not legal:
            return ""
        return _("Write what you play on a line of its own, for example: %(action)s") % {
            "action": legal[0].replace("-", " ")
        }

    def too_much(self, line: str, played: list[str]) -> Outcome:
        """The turn was over before the lines were; of an action, not of a greeting, that is worth a word."""
        state = table(self.code).state
        more = []
        if state and reads(state, self.seat, line):
            more = [_("%(line)s was not played: your turn was over.") % {"line": shown(line)}]
        return Outcome("played", self.told(played, *more), ", ".join(played), self.bot_turn)

    def refused(self, line: str, error: Exception, played: list[str]) -> Outcome:
        """A line that cannot be played, and why; the mail itself shows what could be."""
        reason = why(error, game_for(self.player, self.code).view)
        said = _("%(line)s was not played: %(reason)s.") % {"line": shown(line), "reason": reason}
        return Outcome("refused", self.told(played, said), str(error), self.bot_turn)

    def hand_hidden(self) -> Outcome:
        """Nothing is read as a move before its writer has bound themselves to the seat."""
        told = _("Nothing was played: first take the seat, on the page of this turn. Then you see its hand.")
        return Outcome("refused", told, "hand hidden")

    def confirm(self, played: list[str]) -> Outcome:
        """To resign takes a second mail."""
        return Outcome("confirm", self.told(played, _("You wrote that you resign.")), "resign", self.bot_turn)

    def late(self) -> Outcome:
        """The turn has passed; why, as far as the log can say."""
        found = table(self.code)
        lines = of_turn(found.place(self.seat), self.turn)
        if found.game.status == Game.Status.OVER:
            told = _("The game is over, so nothing of your mail was played.")
        elif lines and lines[-1]["by"] == "clock":
            told = _("Your mail came when your time was up: the server had played this turn for you.")
        elif lines:
            told = _("You had played this turn already, so nothing of your mail was played.")
        else:
            told = _("This turn is over, so nothing of your mail was played.")
        return Outcome("late", told, "the turn has passed")

    def told(self, played: Sequence[str], *more: str) -> str:
        """What was played, a line for each action: as one types it, and in words."""
        words = words_for(game_for(self.player, self.code).view)
        lines = [f"{action.replace('-', ' ')}: {text.choice(action, words)}" for action in played]
        return "\n".join([*lines, *more])


def meant(line: str, error: Unreadable) -> bool:
    """Whether a line that cannot be read was to be an action: then the reader says what is missing."""
    return not str(error).endswith("is not an action") and len(line.split()) <= SHORT


def confirms(state: engine.State, seat: int, line: str) -> bool:
    """Whether a line says yes to resigning."""
    return line.strip(" .!\t").casefold() in YES or reads(state, seat, line) == "resign"


def reads(state: engine.State, seat: int, line: str) -> str:
    """The action of a line, empty if it holds none."""
    try:
        return engine.read(state, seat, line)
    except Unreadable:
        return ""


def shown(line: str) -> str:
    """A line of somebody's mail, short enough to repeat."""
    return f"“{line if len(line) <= 60 else line[:59] + '…'}”"


# ------------------------------------------------------------------------------------ the log of what came in


def received(*, digest: str, sender: str, recipient: str, now: datetime) -> Received:
    """The row of a mail, made before anything is done with it; one without outcome is not finished."""
    row, _made = Received.objects.get_or_create(
        digest=digest, defaults={"at": now, "sender": sender, "recipient": recipient, "outcome": ""}
    )
    return row


@transaction.atomic
def finished(
    *,
    row: Received,
    outcome: str,
    why: str,
    now: datetime,
    player: Player | None = None,
    game: Game | None = None,
    text: str = "",
    in_reply_to: str = "",
) -> Received:
    """What became of a mail, and with a text the answer to it; of two at once, the first is believed."""
    answers = bool(player and text)
    if player and answers:
        limits.hold(player)  # mails are read by several threads at once
    if player and answers and replies.answers_since(player, now - HOUR) >= ANSWERS:
        answers, why = False, f"no answer, there were many; {why}"
    row.outcome, row.why, row.player, row.game = outcome, why[:300], player, game
    changes = {"outcome": outcome, "why": row.why, "player": player, "game": game}
    if not Received.objects.filter(pk=row.pk, outcome="").update(**changes):
        return row
    if player and text:
        Player.objects.filter(pk=player.pk).update(seen_at=now)  # who writes is here
    if player and answers:
        data = {"outcome": outcome, "text": text, "in_reply_to": in_reply_to}
        answer = Delivery(
            player=player,
            game=game,
            kind="reply",
            reason=replies.answer_reason(row.digest),
            data=data | {"code": game.code if game else ""},
            made_at=now,
            due_at=now,
            address=player.email,
        )
        Delivery.objects.bulk_create([answer], ignore_conflicts=True)
    return row
