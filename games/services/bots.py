"""Turns of bots, played through the same code as those of people."""

from __future__ import annotations

import hashlib
import hmac
import random
from collections import deque
from datetime import datetime, timedelta

from django.db import IntegrityError
from django.db.models import F, Window
from django.db.models.functions import RowNumber

from common.budget import Budget
from common.service_errors import Conflict
from games import engine
from games.engine import ActionSource, bots
from games.models import Game
from games.selectors import LoadedGame, load_game

from . import action_log

MAX_BOT_ACTIONS_PER_RUN = 50  # in one game; a game of bots only then waits for the others
MAX_WAITING_GAMES_PER_RUN = 100  # games read by one run
BOT_WORKER_GRACE = timedelta(seconds=2)  # time for the worker woken by a request before a sweep takes over


def play_bot_turns(*, code: str, now: datetime) -> int:
    """Play the turns of a game's bots until a person has to act. Returns how many actions were played."""
    loaded_game = load_game(code)
    action_count = 0
    if loaded_game.game.current_status.awaits_blind_match:
        return action_count  # the blind match must be opened first
    while action_count < MAX_BOT_ACTIONS_PER_RUN:
        seat_no = next(
            (seat_no for seat_no in loaded_game.to_act if loaded_game.seat_by_no(seat_no).bot_policy), None
        )
        if seat_no is None:
            break
        try:
            loaded_game = action_log.commit_action(
                loaded_game=loaded_game,
                seat_no=seat_no,
                action=choose_bot_action(loaded_game, seat_no),
                by=ActionSource.BOT,
                now=now,
            )
        except (Conflict, IntegrityError):
            # Another worker was faster, or a player resigned: they continue. Or another seat changed
            # players meanwhile: a later sweep continues.
            break
        action_count += 1
        if loaded_game.game.current_status.awaits_blind_match:
            break
    return action_count


def choose_bot_action(loaded_game: LoadedGame, seat_no: int, policy: str = "") -> str:
    """Choose a bot's action, with random numbers seeded from the game key, so that an audit can repeat it."""
    state = loaded_game.state
    assert state is not None
    rng = random.Random(hmac.digest(state.setup.key, f"bot/{state.seq}/{seat_no}".encode(), hashlib.sha256))
    policy = policy or loaded_game.seat_by_no(seat_no).bot_policy
    return bots.choose_action(
        policy, engine.build_view(state, seat_no), engine.legal_actions(state, seat_no), rng
    )


def find_waiting_bot_games(*, now: datetime, limit: int = MAX_WAITING_GAMES_PER_RUN) -> list[str]:
    """Return the codes of games in which a bot has been to act for longer than BOT_WORKER_GRACE."""
    overdue_games = Game.objects.running().filter(bot_to_act=True, moved_at__lt=now - BOT_WORKER_GRACE)
    # In rotation between creators: one with many games must not delay the others.
    creator_rank = Window(RowNumber(), partition_by=[F("creator_id")], order_by=[F("moved_at"), F("pk")])
    fair_order = overdue_games.annotate(creator_rank=creator_rank).order_by("creator_rank", "moved_at", "pk")
    return list(fair_order.values_list("code", flat=True)[:limit])


def play_waiting_bot_turns(*, now: datetime, budget: Budget) -> int:
    """Play overdue bot turns, some actions per game in rotation. Returns how many were played."""
    codes, played_count = find_waiting_bot_games(now=now), 0
    queue = deque(codes)
    while queue and budget.allows_more():
        code = queue.popleft()
        action_count = play_bot_turns(code=code, now=now)
        played_count += action_count
        if action_count >= MAX_BOT_ACTIONS_PER_RUN:
            queue.append(code)
    budget.work_left |= len(codes) == MAX_WAITING_GAMES_PER_RUN and played_count > 0
    return played_count
