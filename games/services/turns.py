"""Playing: one action of a player, once, whatever the network does."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from datetime import datetime

from django.db import IntegrityError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop as noop

from games import engine
from games.engine import NotYours, Refused, State
from games.models import Action, Event, Game, Player, Seat
from games.selectors import NoSuchGame, Table, seen_by, shown

from . import log
from .errors import Conflict, Denied, NotFound

TRIES = 5  # for an action that others keep overtaking


@dataclass(frozen=True)
class Played:
    """The answer to an action, as the first request got it."""

    answer: str  # the view, as JSON
    bot_turn: bool


def visible(player: Player, code: str) -> Table:
    """A game that the player may see. Raises NotFound."""
    try:
        return seen_by(player, code)
    except NoSuchGame:
        raise NotFound(_("there is no such game")) from None


def seated(player: Player, code: str) -> tuple[Table, Seat]:
    """A game and the player's place in it. Raises NotFound or Denied."""
    found = visible(player, code)
    place = found.place_of(player)
    if place is None:
        raise not_seated()
    return found, place


def not_seated() -> Denied:
    """What is refused to somebody who does not sit there, or no longer."""
    return Denied(_("you do not sit at this game"), code="not-seated")


def hand_hidden() -> Denied:
    """What is refused to somebody who took a seat over and has not bound themselves to it yet."""
    return Denied(_("first take the seat: then you see its hand, and play it to the end"), code="hand-hidden")


def play(*, player: Player, code: str, text: str, seq: int | None, key: str, now: datetime) -> Played:
    """Play what a player said. `seq` is the game as they saw it; only `resign` may leave it out.

    Raises the engine's refusals, Conflict, Denied or NotFound. With a key, a repeated request gets the first
    answer and changes nothing.
    """
    asked = request_hash(code, text, seq)
    for attempt in range(1, TRIES + 1):
        found, place = seated(player, code)
        try:
            return _play(
                found=found, place=place, player=player, text=text, seq=seq, key=key, asked=asked, now=now
            )
        except (Conflict, Refused, IntegrityError) as refused:
            # Only now is it worth a look whether this request came before.
            answer = repeated(player, key, asked)
            if answer is not None:
                return Played(answer, bot_turn=False)
            # Who was overtaken may still mean it: a resignation, an answer to an 8, a seat whose player left.
            if attempt == TRIES or not isinstance(refused, log.Overtaken | IntegrityError):
                tell_of_timeout(found, place, seq, refused)
                raise
    raise AssertionError("unreachable")


def request_hash(code: str, text: str, seq: int | None) -> str:
    """What makes a request this very request."""
    return hashlib.sha256(json.dumps([code, text, seq]).encode()).hexdigest()


def answered(*, player: Player, code: str, text: str, seq: int | None, key: str) -> str | None:
    """The answer that this very request got when it came first, None if it never did."""
    first = Event.objects.filter(player=player, key=key, asked=request_hash(code, text, seq)).first()
    return first.answer if first and key else None


def tell_of_timeout(found: Table, place: Seat, seq: int | None, refused: Exception) -> None:
    """Raise the same refusal with its reason, if the clock acted for the seat since its player looked."""
    if seq is None or place.number is None or not isinstance(refused, Conflict | NotYours):
        return
    late = Action.objects.filter(game=found.game, seq__gt=seq, seat=place.number, by="clock").first()
    if late is None:
        return
    what = _("the clock resigned for you") if late.action == "resign" else _("the clock played for you")
    code = refused.code if isinstance(refused, Conflict) else "stale"
    raise Conflict(_("your time ran out, and %(what)s") % {"what": what}, code=code) from None


def repeated(player: Player, key: str, asked: str) -> str | None:
    """The first answer to this very request. Raises Conflict if the key belongs to another one."""
    if not key:
        return None
    first = Event.objects.filter(player=player, key=key).first()
    if first is None:
        return None
    if first.asked != asked:
        raise Conflict(_("this Idempotency-Key belongs to another request"), code="idempotency-key-reused")
    return first.answer


def _play(
    *,
    found: Table,
    place: Seat,
    player: Player,
    text: str,
    seq: int | None,
    key: str,
    asked: str,
    now: datetime,
) -> Played:
    state, seat = found.state, place.number
    if found.game.status == Game.Status.OVER:
        raise Conflict(_("the game is over"), code="over")
    if found.game.status == Game.Status.CANCELLED:
        raise Conflict(_("the game is cancelled"), code="cancelled")
    if state is None or seat is None:
        raise Conflict(_("the game has not started"), code="not-started")
    if place.hand_hidden:  # before anything is read: what a text is taken for depends on the hand
        raise hand_hidden()
    action = engine.read(state, seat, text)
    if action != "resign":
        check_seq(state, seat, seq)

    answers: list[str] = []

    def own_event(after: Table, line: log.Line) -> log.Told:
        answers.append(json.dumps(shown(after, player).view))
        event = log.event(after, line, place, now, own=True)
        if key:
            event.key, event.asked = key, asked
            event.answer = answers[0]
        return event

    after = log.append(
        found=found, seat=seat, action=action, by="player", now=now, present=True, note=own_event
    )
    return Played(answers[0], after.game.bot_turn)


def check_seq(state: State, seat: int, seq: int | None) -> None:
    """Raise Conflict unless the client saw the game as it is; in `react`, any seq since the 8 will do."""
    if seq is None or not state.since <= seq <= state.seq:
        said = _("the game is at seq %(seq)s, you saw %(seen)s")
        raise Conflict(said % {"seq": state.seq, "seen": seq}, code="stale")
    if seat not in state.to_act:
        raise NotYours(noop("it is not your turn"))
