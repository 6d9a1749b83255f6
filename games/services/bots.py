"""Bots answer through the same path as people."""

from __future__ import annotations

import hashlib
import hmac
import random
from datetime import datetime, timedelta

from django.db import IntegrityError

from games import engine
from games.engine import bots
from games.models import Game
from games.selectors import Table, table

from . import log
from .errors import Conflict

MOST = 500  # actions in one go: a game of bots alone goes on at the next sweep
PATIENCE = timedelta(seconds=2)  # a worker told by the door has this long before a sweep takes over


def answer(*, code: str, now: datetime) -> int:
    """Let the bots of a game act until somebody else has to. Returns how many actions were played."""
    found = table(code)
    played = 0
    if found.game.status == Game.Status.TIEBREAK:
        return played  # the blind match is opened first
    while played < MOST:
        seat = next((seat for seat in found.to_act if found.place(seat).bot), None)
        if seat is None:
            break
        try:
            found = log.append(found=found, seat=seat, action=choice(found, seat), by="bot", now=now)
        except (Conflict, IntegrityError):
            # Somebody else's worker was faster, or a player resigned: it is theirs to go on. Or the seat of
            # another player changed hands in this moment: the sweep comes again.
            break
        played += 1
        if found.game.status == Game.Status.TIEBREAK:
            break
    return played


def choice(found: Table, seat: int, policy: str = "") -> str:
    """What the bot plays: its dice come from the game's key, so that an audit can throw them again."""
    state = found.state
    assert state is not None
    dice = random.Random(hmac.digest(state.setup.key, f"bot/{state.seq}/{seat}".encode(), hashlib.sha256))
    policy = policy or found.place(seat).bot
    return bots.choose(policy, engine.view(state, seat), engine.legal_actions(state, seat), dice)


def waiting(*, now: datetime, limit: int = 100) -> list[str]:
    """Games in which a bot has been on turn for longer than a worker should need."""
    late = Game.objects.filter(
        bot_turn=True, status=Game.Status.RUNNING, moved_at__lt=now - PATIENCE
    ).order_by("moved_at")
    return list(late.values_list("code", flat=True)[:limit])
