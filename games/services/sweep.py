"""Game sweep: timeouts, automatic answers, standing orders, tie-breaks, announcements of shoot-out rounds.

A batch is one transaction. Its rows are locked and skipped by other sweeps, so any number may run at once,
and a crash rolls the batch back. A concurrent move waits for the commit and then finds the game changed;
the compare-and-swap of the action log lets exactly one of the two be written.
"""

from __future__ import annotations

import hashlib
import hmac
import logging
import random
from collections import Counter
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import StrEnum

from django.db import DatabaseError, transaction
from django.db.models import QuerySet

from accounts.models import Player
from common.budget import Budget
from games import clock, engine
from games.clock import SeatClock, TimeoutOutcome
from games.engine import ActionSource, bots
from games.game_notice_kinds import GameNoticeKind
from games.models import Game, Seat
from games.selectors import LoadedGame, format_instant, load_games
from games.selectors.deadlines import deadline_of
from notifications.models import FeedEntry
from notifications.services import notices

from . import action_log, action_log_sql, clocks, incidents, standing_orders, vacation

logger = logging.getLogger(__name__)
SWEEP_BATCH_SIZE = 100  # games per transaction: a concurrent move waits for it
RETRY_AFTER = timedelta(minutes=10)  # for a game that could not be processed
VACATION_GRACE = timedelta(
    minutes=2
)  # time to take vacation after the batch; after a crash a later sweep does it


class SweepOutcome(StrEnum):
    """The outcomes of a swept game besides timeouts; part of the names of metrics."""

    NOTHING = "nothing"
    OPENED = "opened"  # the blind match
    ANNOUNCED = "announced"  # a round of the shoot-out
    ANSWERED = "answered"
    ORDER_PLAYED = "order_played"
    ORDERS_ENDED = "orders_ended"
    RECOMPUTED = "recomputed"
    FAILED = "failed"


@dataclass
class SweepBatch:
    """Decisions of a batch before they are written."""

    now: datetime
    pending_writes: list[action_log.PendingWrite] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    vacation_candidates: dict[int, list[str]] = field(default_factory=dict)  # game codes by player


def sweep_games(*, now: datetime, limit: int = 10_000, budget: Budget | None = None) -> Counter[str]:
    """Process due games in batches within the budget. Returns counts by kind of work."""
    counts: Counter[str] = Counter()
    budget = budget or Budget.unlimited()
    if incidents.must_sweeps_wait(now=now, budget=budget):
        return counts
    while counts.total() < limit and (batch_counts := sweep_batch(now=now)):
        counts += batch_counts
        if not budget.allows_more():
            break
    return counts


def find_due_games(now: datetime) -> QuerySet[Game]:
    """Return games that are due, most urgent first, by a partial index."""
    return Game.objects.filter(next_sweep_at__lte=now).order_by("next_sweep_at")


def sweep_batch(*, now: datetime, limit: int = SWEEP_BATCH_SIZE) -> Counter[str]:
    """Process one batch.

    Steps:
    1. Lock due games, decide for each and write them in one transaction.
    2. If that fails, process the games one by one.
    3. Take an hour of vacation for players whom it saves from a timeout.
    """
    batch = SweepBatch(now)
    game_ids: list[int] = []
    try:
        with transaction.atomic():
            locked_games = find_due_games(now).select_for_update(skip_locked=True, of=("self",))
            game_ids = list(locked_games.values_list("pk", flat=True)[:limit])
            process_batch(game_ids, batch)
    except DatabaseError:
        logger.exception("a batch of %s games could not be written; processing one by one", len(game_ids))
        batch = SweepBatch(now)
        for pk in game_ids:
            process_single_game(pk, batch)
    for player_id, codes in batch.vacation_candidates.items():
        take_vacation_for_player(player_id, codes, now)
    return batch.counts


def process_single_game(pk: int, batch: SweepBatch) -> None:
    """Process one game in its own transaction; postpone it if that fails as well."""
    single_batch = SweepBatch(batch.now)
    try:
        with transaction.atomic():
            process_batch(
                list(
                    find_due_games(batch.now).filter(pk=pk).select_for_update().values_list("pk", flat=True)
                ),
                single_batch,
            )
    except DatabaseError:
        logger.exception("game %s could not be processed", pk)
        postpone_game(pk, batch.now)
        batch.counts[SweepOutcome.FAILED] += 1
        return
    batch.counts += single_batch.counts
    for player_id, codes in single_batch.vacation_candidates.items():
        batch.vacation_candidates.setdefault(player_id, []).extend(codes)


def postpone_game(pk: int, now: datetime) -> None:
    """Postpone a game's next sweep by RETRY_AFTER: a broken game must not stop the rest."""
    Game.objects.filter(pk=pk).update(next_sweep_at=now + RETRY_AFTER)


def process_batch(game_ids: list[int], batch: SweepBatch) -> None:
    """Decide for each game, then write all of them; a broken game is postponed."""
    batch.pending_writes = []

    def postpone_broken_game(game: Game) -> None:
        logger.exception("game %s could not be processed", game.code)
        postpone_game(game.pk, batch.now)
        batch.counts[SweepOutcome.FAILED] += 1

    for loaded_game in load_games(game_ids, postpone_broken_game):
        try:
            batch.counts[process_due_game(loaded_game, batch)] += 1
        except Exception:
            postpone_broken_game(loaded_game.game)
    if batch.pending_writes:
        action_log.commit_pending_writes(batch.pending_writes)


def process_due_game(loaded_game: LoadedGame, batch: SweepBatch) -> SweepOutcome | TimeoutOutcome:
    """Do the one thing that is due in a game, and return what it was. A later batch finds what follows.

    Steps:
    1. A game without a state is no longer due.
    2. Open a waiting blind match.
    3. Announce the next shoot-out round of a finished game.
    4. Play what a standing order says, or end the orders.
    5. Play an automatic answer that is due.
    6. Handle a timeout.
    7. Otherwise recompute the deadline, as a vacation or night hours changed.
    """
    game, state, now = loaded_game.game, loaded_game.state, batch.now
    if state is None:
        Game.objects.filter(pk=game.pk).update(next_sweep_at=None)
        return SweepOutcome.NOTHING
    if game.current_status.awaits_blind_match:
        with transaction.atomic():  # all or nothing
            open_blind_match(loaded_game, now)
        return SweepOutcome.OPENED
    if state.is_over:
        with transaction.atomic():
            announce_shootout_round(loaded_game, now)
        return SweepOutcome.ANNOUNCED
    for seat_no in state.seats_to_act:
        seat, seat_clock = loaded_game.seat_by_no(seat_no), loaded_game.clock_of(seat_no)
        if not seat_clock.is_on_turn:
            continue
        if clocks.find_ordered_action(state, seat):
            return process_standing_orders(loaded_game, seat, batch)
        answer_at = clocks.compute_automatic_answer_time(loaded_game, state, seat_no, seat_clock, now)
        if answer_at is not None and answer_at <= now:
            batch.pending_writes.append(prepare_automatic_answer(loaded_game, seat, now))
            return SweepOutcome.ANSWERED
        deadline = loaded_game.deadline_of(seat_no)
        if deadline is not None and deadline <= now:
            return handle_timeout(loaded_game, seat, seat_clock, batch)
    # Nothing is due: a vacation or night hours changed while a move was being written.
    recomputed_game = clocks.try_recompute_deadline(loaded_game, now)
    next_sweep_at = recomputed_game.game.next_sweep_at if recomputed_game else now
    if next_sweep_at and next_sweep_at <= now:
        logger.error("game %s is due, but the sweep has nothing to do for it", game.code)
        postpone_game(game.pk, now)
    return SweepOutcome.RECOMPUTED


def process_standing_orders(loaded_game: LoadedGame, seat: Seat, batch: SweepBatch) -> SweepOutcome:
    """Play what the orders of a seat say; if something has happened that concerns it, end them instead."""
    order_end = standing_orders.find_order_end(loaded_game, seat)
    if order_end:
        with transaction.atomic():  # all or nothing
            standing_orders.end_orders(loaded_game, seat, order_end, batch.now)
        return SweepOutcome.ORDERS_ENDED
    with transaction.atomic():
        batch.pending_writes.append(standing_orders.prepare_ordered_actions(loaded_game, seat, batch.now))
    return SweepOutcome.ORDER_PLAYED


def prepare_automatic_answer(loaded_game: LoadedGame, seat: Seat, now: datetime) -> action_log.PendingWrite:
    """Prepare an automatic action: the answer to an 8, or the only legal one in a blind match."""
    state, seat_no = loaded_game.state, seat.seat_no
    assert state is not None
    assert seat_no is not None
    if state.phase == "react":
        action = clocks.find_automatic_answer(state, seat)
        if action is not None:
            return action_log.prepare_action(
                loaded_game=loaded_game, seat_no=seat_no, action=action, by=ActionSource.PLAYER, now=now
            )
    (action,) = engine.list_offered_actions(state, seat_no, has_hints=loaded_game.game.hints)
    return action_log.prepare_action(
        loaded_game=loaded_game, seat_no=seat_no, action=action, by=ActionSource.CLOCK, now=now
    )


# ----------------------------------------------------------------------------------------------- timeouts


def handle_timeout(
    loaded_game: LoadedGame, seat: Seat, seat_clock: SeatClock, batch: SweepBatch
) -> TimeoutOutcome:
    """Handle a timeout: an hour of vacation, a turn played by the server, or resignation of the side."""
    game, state, now = loaded_game.game, loaded_game.state, batch.now
    assert state is not None
    assert seat.seat_no is not None
    if (
        seat.player
        and game.vacation
        and vacation.compute_vacation_balance(seat.player, now) >= clock.FLOATING_VACATION_STEP
    ):
        Game.objects.filter(pk=game.pk).update(next_sweep_at=now + VACATION_GRACE)
        batch.vacation_candidates.setdefault(seat.player.pk, []).append(game.code)
        return TimeoutOutcome.VACATION
    side = state.setup.sides[seat.seat_no]
    missed_turns = sum(
        clocks.seat_clock_of(game, partner_seat_no).missed_turns
        for partner_seat_no in state.setup.seats_of_side(side)
    )
    if game.timeout_policy == Game.TimeoutPolicy.FORFEIT or missed_turns >= clock.MAX_AUTOPLAYED_TURNS:
        pending_write = action_log.prepare_action(
            loaded_game=loaded_game,
            seat_no=seat.seat_no,
            action="resign",
            by=ActionSource.CLOCK,
            now=now,
            clock_incidents=(),
        )
        outcome = TimeoutOutcome.RESIGNED
    else:
        pending_write = prepare_autoplay(loaded_game, seat.seat_no, now)
        outcome = TimeoutOutcome.AUTOPLAY
    batch.pending_writes.append(add_timeout_entries(pending_write, seat, outcome, now))
    return outcome


def prepare_autoplay(loaded_game: LoadedGame, seat_no: int, now: datetime) -> action_log.PendingWrite:
    """Prepare the whole turn of an absent player as the server plays it."""
    seat_clock = clocks.seat_clock_of(loaded_game.game, seat_no)
    turn = seat_clock.turn_seq
    pending_write: action_log.PendingWrite | None = None
    while pending_write is None or (
        seat_clock.is_on_turn and seat_clock.turn_seq == turn
    ):  # stop before a blind match
        state = loaded_game.state
        assert state is not None
        rng = random.Random(hmac.digest(state.setup.key, f"clock/{state.seq}".encode(), hashlib.sha256))
        action = bots.autoplay_action(state, seat_no, engine.legal_actions(state, seat_no), rng)
        pending_write = action_log.prepare_action(
            loaded_game=loaded_game,
            seat_no=seat_no,
            action=action,
            by=ActionSource.CLOCK,
            now=now,
            previous_write=pending_write,
            turn_missed=pending_write is None,
            clock_incidents=(),
        )
        loaded_game = pending_write.loaded_game
        seat_clock = clocks.seat_clock_of(loaded_game.game, seat_no)
    return pending_write


def add_timeout_entries(
    pending_write: action_log.PendingWrite, late_seat: Seat, outcome: TimeoutOutcome, now: datetime
) -> action_log.PendingWrite:
    """Add feed entries about a timeout for all players; notify those without another notice of the move."""
    game = pending_write.loaded_game.game
    earlier_entries = action_log.drop_notices(  # the timeout notice covers that of the end
        pending_write.feed_entries,
        lambda entry: entry.kind == GameNoticeKind.OVER and entry.player_id == late_seat.player_id,
    )
    notified_ids = {entry.player_id for entry in earlier_entries if entry.notify_at}
    data = {
        "game": game.code,
        "seq": game.seq,
        "seat": late_seat.seat_no,
        "outcome": outcome,
        "actions": [new_action.action for new_action in pending_write.new_actions],
        "deadline": format_instant(deadline_of(game)),
    }
    timeout_entries = [
        action_log.NewFeedEntry(
            game_id=game.pk,
            topic=game.topic,
            player_id=seat.player_id,
            kind=GameNoticeKind.TIMEOUT,
            dedup_key=f"{game.code}:{game.seq}:timeout",
            data=data,
            at=now,
            notify_at=None
            if seat.muted or (seat.player_id in notified_ids and seat.pk != late_seat.pk)
            else clock.notice_due_at(now, game.allowance, clocks.build_quiet_calendar(seat.player)),
        )
        for seat in pending_write.loaded_game.seats
        if seat.player_id
    ]
    return replace(pending_write, feed_entries=(*earlier_entries, *timeout_entries))


def take_vacation_for_player(player_id: int, codes: list[str], now: datetime) -> None:
    """Take an hour of vacation for a player; if none is left, make the games due again for their timeout."""
    try:
        player = Player.objects.filter(pk=player_id).first()
        was_saved = player is not None and vacation.take_vacation_hour(player=player, now=now)
    except DatabaseError:
        logger.exception("vacation of player %s could not be taken", player_id)
        return  # a later sweep retries
    if not was_saved:
        Game.objects.running().filter(code__in=codes).update(next_sweep_at=now)


# ---------------------------------------------------------------------------------------------- tie-breaks


def open_blind_match(loaded_game: LoadedGame, now: datetime) -> None:
    """Open the blind match: set its shorter clock and notify everybody, once."""
    game, state = loaded_game.game, loaded_game.state
    assert state is not None
    seen_clocks = game.seat_clocks
    clock_columns = clocks.advance_clocks(loaded_game, state, now=now, game_events=())
    game_row = Game.objects.filter(
        pk=game.pk,
        seq=game.seq,
        status=Game.Status.TIEBREAK,
        seat_clocks=seen_clocks,
        seat_changes=game.seat_changes,
    )
    if not game_row.update(status=Game.Status.RUNNING, **clock_columns):
        return
    opened_game = loaded_game.with_changes(clock_columns | {"status": Game.Status.RUNNING}, state)
    notified_ids: set[int] = set()
    for seat in loaded_game.seats:
        notify_at = (
            action_log.compute_notify_at(opened_game, seat, GameNoticeKind.TURN, now, is_own=False)
            if seat.seat_no in state.seats_to_act
            else None
        )
        if notify_at and seat.player_id:  # their turn is in the feed; its notice is now due
            turn_entries = FeedEntry.objects.filter(
                player=seat.player_id, dedup_key=f"{game.code}:{game.seq}"
            )
            turn_entries.update(notify_at=notify_at, notice_stage=FeedEntry.NoticeStage.PENDING)
            notified_ids.add(seat.player_id)
    entries = action_log_sql.build_feed_entry_models(
        action_log.build_blind_match_entries(opened_game, notified_ids, now)
    )
    notices.write_feed_entries(entries)


def announce_shootout_round(loaded_game: LoadedGame, now: datetime) -> None:
    """Add the next shoot-out round to everybody's feed, once."""
    game, state = loaded_game.game, loaded_game.state
    assert state is not None
    round_no = game.announced_rounds + 1
    has_more = len(state.shootout_rounds) > round_no
    game_row = Game.objects.filter(pk=game.pk, announced_rounds=game.announced_rounds)
    if not game_row.update(
        announced_rounds=min(round_no, len(state.shootout_rounds)), next_sweep_at=now if has_more else None
    ):
        return
    if round_no > len(state.shootout_rounds):
        return
    data = {
        "game": game.code,
        "seq": game.seq,
        "round": round_no,
        "tiles": dict(state.shootout_rounds[round_no - 1]),
    }
    notices.notify(
        {seat.player_id: None for seat in loaded_game.seats if seat.player_id},
        topic=game.topic,
        kind=GameNoticeKind.SHOOT_OUT,
        dedup_key=f"{game.code}:shoot-out:{round_no}",
        data=data,
        now=now,
    )
