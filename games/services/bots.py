"""Bots answer through the same path as people."""

from __future__ import annotations

import hashlib
import hmac
import random
from collections import deque
from datetime import datetime, timedelta

from django.db import IntegrityError
from django.db.models import F, Window
from django.db.models.functions import RowNumber

from games import engine
from games.engine import bots
from games.models import Game
from games.selectors import Table, table

from . import log
from .budget import Budget
from .errors import Conflict

MAX_ACTIONS_AT_ONCE = 50  # in one game: one of bots alone then waits until others had their turn
WAITING_AT_ONCE = 100  # games that one run looks for
PATIENCE = timedelta(seconds=2)  # a worker told by the door has this long before a sweep takes over


def answer(*, code: str, now: datetime) -> int:
    """Let the bots of a game act until somebody else has to. Returns how many actions were played."""
    found = table(code)
    played = 0
    if found.game.status == Game.Status.TIEBREAK:
        return played  # the blind match is opened first
    while played < MAX_ACTIONS_AT_ONCE:
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


def waiting(*, now: datetime, limit: int = WAITING_AT_ONCE) -> list[str]:
    """Games in which a bot has been on turn for longer than a worker should need."""
    late = Game.objects.filter(bot_turn=True, status=Game.Status.RUNNING, moved_at__lt=now - PATIENCE)
    # By turns between those who made the games: whoever has many of them keeps nobody else waiting.
    place = Window(RowNumber(), partition_by=[F("creator_id")], order_by=[F("moved_at"), F("pk")])
    fair = late.annotate(place=place).order_by("place", "moved_at", "pk")
    return list(fair.values_list("code", flat=True)[:limit])


def answer_waiting(*, now: datetime, budget: Budget) -> int:
    """Let the bots act that have waited too long, some actions in each game by turns. Returns how many."""
    codes, done = waiting(now=now), 0
    queue = deque(codes)
    while queue and budget.allows_more():
        code = queue.popleft()
        played = answer(code=code, now=now)
        done += played
        if played >= MAX_ACTIONS_AT_ONCE:
            queue.append(code)
    budget.work_left |= len(codes) == WAITING_AT_ONCE and done > 0
    return done
