"""The action log: the only code that writes a game's state and its actions."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.db import connection, transaction
from django.utils.translation import gettext as _

from common.service_errors import Conflict
from games import clock, engine
from games.engine import ActionSource, State
from games.engine.read_models import GameResultData
from games.game_notice_kinds import GameNoticeKind
from games.models import Game, GameSecrets, Incident, Seat
from games.refusals import Refusal
from games.selectors import LoadedGame, format_instant
from games.selectors.deadlines import deadline_of, round_end_of
from games.selectors.game_views import end_reason_of
from notifications.models import FeedEntry
from notifications.services import notices

from . import action_log_sql, clocks, wake_ups


@dataclass(frozen=True, slots=True)
class NewAction:
    """An action before it is stored; creating a model instance would be ten times slower."""

    game_id: int
    seq: int
    seat: int
    action: str
    by: ActionSource
    at: datetime
    hash: str
    events: list[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class NewFeedEntry:
    """A feed entry before it is stored; its fields are those of `FeedEntry`, and its game."""

    game_id: int
    topic: str
    player_id: int
    kind: GameNoticeKind
    dedup_key: str
    data: dict[str, Any]
    at: datetime
    notify_at: datetime | None = None
    notice_stage: FeedEntry.NoticeStage = FeedEntry.NoticeStage.PENDING
    idempotency_key: str = ""
    request_hash: str = ""
    response_body: str = ""


class StaleWrite(Conflict):
    """The game changed since it was loaded; the action may still be valid."""

    code = "stale"


def chain_hash(
    previous_hash: str, *, code: str, seq: int, seat_no: int, action: str, by: str, at: datetime
) -> str:
    """Return the hash of an action, over the previous hash and all fields of the action."""
    payload = json.dumps([previous_hash, code, seq, seat_no, action, by, at.isoformat()], ensure_ascii=False)
    return hashlib.sha256(payload.encode()).hexdigest()


def encode_seat_bits(seat_numbers: Sequence[int]) -> int:
    """Encode seat numbers as bits of one integer."""
    return sum(1 << seat_no for seat_no in seat_numbers)


def game_columns(
    loaded_game: LoadedGame, state: State, now: datetime, *, opens_blind_match: bool = False
) -> dict[str, Any]:
    """Return the game columns for a state; with `opens_blind_match` a blind match waits to be opened."""
    bot_seats = {seat.seat_no for seat in loaded_game.seats if seat.bot_policy}
    status = (
        Game.Status.OVER
        if state.is_over
        else Game.Status.TIEBREAK
        if opens_blind_match
        else Game.Status.RUNNING
    )
    return {
        "seq": state.seq,
        "phase": state.phase,
        "to_act_mask": encode_seat_bits(state.seats_to_act),
        "bot_to_act": bool(bot_seats & set(state.seats_to_act)),
        "moved_at": now,
        "status": status,
        "finished_at": now if state.is_over else None,
        "result": state.result if state.is_over else None,
    }


def begin_game(*, loaded_game: LoadedGame, setup: engine.Setup, now: datetime) -> LoadedGame:
    """Deal the first match of a full game, and return the started game; the caller holds the game's row."""
    state, game_events = engine.start_game(setup)
    columns = game_columns(loaded_game, state, now) | clocks.advance_clocks(
        loaded_game, state, now=now, game_events=game_events
    )
    columns |= {
        "started_at": now,
        "seniority": list(setup.seniority),
        "head_hash": loaded_game.game.commitment,
        "initial_events": game_events,
    }
    started_game = loaded_game.with_changes(columns, state)
    game = started_game.game
    game.save()
    GameSecrets.objects.filter(game=game).update(state=engine.dump_state(state))
    notices.write_feed_entries(
        action_log_sql.build_feed_entry_models(
            [*build_start_entries(started_game, now), *build_feed_entries(started_game, None, now)]
        )
    )
    wake_ups.wake_bots_after_commit(game)
    wake_ups.wake_viewers_after_commit(game, in_lobby=True)
    return started_game


@dataclass(frozen=True)
class PendingWrite:
    """The changes of one action, or of several in one turn, before they are written.

    `loaded_game` is the game after them, a copy: the game that was loaded stays as it was read.
    """

    loaded_game: LoadedGame
    seen_seq: int  # expected value of the row
    seen_clocks: dict[str, Any]
    seen_seat_changes: int
    game_columns: dict[str, Any]
    new_actions: tuple[NewAction, ...]
    feed_entries: tuple[NewFeedEntry, ...]

    @property
    def serialized_state(self) -> str:
        """The engine's state as stored."""
        assert self.loaded_game.state is not None
        return engine.dump_state(self.loaded_game.state)


def prepare_action(
    *,
    loaded_game: LoadedGame,
    seat_no: int,
    action: str,
    by: ActionSource,
    now: datetime,
    previous_write: PendingWrite | None = None,
    player_acted: bool = False,
    turn_missed: bool = False,
    clock_incidents: Sequence[Incident] | None = None,
    make_own_entry: Callable[[LoadedGame, NewAction], NewFeedEntry | None] = lambda game_after, new_action: (
        None
    ),
) -> PendingWrite:
    """Prepare one action for writing, after those of `previous_write`, whose game must be `loaded_game`.

    `player_acted` and `turn_missed` say whether the seat's player acted, or the server after a timeout.
    `make_own_entry` builds the acting player's own feed entry from the game after the action. Raises the
    engine's ActionError, and Conflict if the game has not started.

    Steps:
    1. Apply the action to the engine state.
    2. Compute the hash and the game columns, including the clocks.
    3. Build the feed entries; if the action opens a blind match, announce it.
    4. Merge them into `previous_write`, whose entries are not notified separately.
    """
    game, state_before = loaded_game.game, loaded_game.state
    if state_before is None:
        raise Refusal.NOT_STARTED.build_error()
    state, game_events = engine.apply_action(state_before, seat_no, action)
    new_action = NewAction(
        game_id=game.pk,
        seq=state.seq,
        seat=seat_no,
        action=action,
        by=by,
        at=now,
        hash=chain_hash(
            game.head_hash, code=game.code, seq=state.seq, seat_no=seat_no, action=action, by=by, at=now
        ),
        events=game_events,
    )
    columns = game_columns(
        loaded_game, state, now, opens_blind_match=clocks.opens_blind_match(game_events)
    ) | {"head_hash": new_action.hash}
    columns |= clocks.advance_clocks(
        loaded_game,
        state,
        now=now,
        game_events=game_events,
        acting_seat_no=seat_no,
        player_acted=player_acted,
        turn_missed=turn_missed,
        clock_incidents=clock_incidents,
    )
    game_after = loaded_game.with_changes(columns, state)
    own_entry = make_own_entry(game_after, new_action)
    entries = [
        entry
        for entry in build_feed_entries(game_after, new_action, now)
        if not own_entry or entry.player_id != own_entry.player_id
    ]
    if own_entry:
        entries.append(own_entry)
    # A move opens a blind match that the sweep has not opened yet.
    if game.current_status.awaits_blind_match and not state.is_over:
        entries += build_blind_match_entries(
            game_after,
            {
                new_entry.player_id
                for new_entry in entries
                if new_entry.notify_at or new_entry.notice_stage != FeedEntry.NoticeStage.PENDING
            },
            now,
        )
    if previous_write is None:
        return PendingWrite(
            loaded_game=game_after,
            seen_seq=game.seq,
            seen_clocks=game.seat_clocks,
            seen_seat_changes=game.seat_changes,
            game_columns=columns,
            new_actions=(new_action,),
            feed_entries=tuple(entries),
        )
    # The later entry of the same turn says more than the earlier ones.
    earlier_entries = drop_notices(previous_write.feed_entries, lambda entry: True)
    return replace(
        previous_write,
        game_columns=columns,
        new_actions=(*previous_write.new_actions, new_action),
        feed_entries=(*earlier_entries, *entries),
        loaded_game=game_after,
    )


def drop_notices(
    entries: Iterable[NewFeedEntry], is_dropped: Callable[[NewFeedEntry], bool]
) -> tuple[NewFeedEntry, ...]:
    """Return feed entries of which those that `is_dropped` chooses are not notified."""
    return tuple(
        replace(entry, notify_at=None) if entry.notify_at and is_dropped(entry) else entry
        for entry in entries
    )


def add_feed_entries(pending_write: PendingWrite, *entries: NewFeedEntry) -> PendingWrite:
    """Return a pending write with more feed entries."""
    return replace(pending_write, feed_entries=(*pending_write.feed_entries, *entries))


def commit_action(
    *,
    loaded_game: LoadedGame,
    seat_no: int,
    action: str,
    by: ActionSource,
    now: datetime,
    player_acted: bool = False,
    make_own_entry: Callable[[LoadedGame, NewAction], NewFeedEntry | None] = lambda game_after, new_action: (
        None
    ),
) -> LoadedGame:
    """Play one action: write action, game row, secrets and feed entries in one transaction.

    Raises the engine's ActionError, and StaleWrite if the game changed since it was loaded.
    """
    pending_write = prepare_action(
        loaded_game=loaded_game,
        seat_no=seat_no,
        action=action,
        by=by,
        now=now,
        player_acted=player_acted,
        make_own_entry=make_own_entry,
    )
    in_one_statement = connection.vendor == "postgresql"
    write = action_log_sql.write_in_one_statement if in_one_statement else action_log_sql.write_with_orm
    with nullcontext() if in_one_statement and not connection.in_atomic_block else transaction.atomic():
        if not write(pending_write):
            raise StaleWrite(_("somebody moved first: the game has moved on"))
        wake_viewers(pending_write)
    if by != ActionSource.BOT:  # the worker that plays for bots goes on by itself
        wake_ups.wake_bots_after_commit(pending_write.loaded_game.game)
    wake_ups.announce_game_ends_after_commit([pending_write.loaded_game.game])
    return pending_write.loaded_game


def commit_pending_writes(pending_writes: Sequence[PendingWrite]) -> set[int]:
    """Write prepared actions of several games in one transaction; return the ids of those not stale."""
    with transaction.atomic():
        if connection.vendor == "postgresql":
            written_ids = action_log_sql.write_many_games(pending_writes) if pending_writes else set()
        else:
            written_ids = {
                pending_write.loaded_game.game.pk
                for pending_write in pending_writes
                if action_log_sql.write_with_orm(pending_write)
            }
        for pending_write in pending_writes:
            if pending_write.loaded_game.game.pk in written_ids:
                wake_ups.wake_bots_after_commit(pending_write.loaded_game.game)
                wake_viewers(pending_write)
        wake_ups.announce_game_ends_after_commit(
            pending_write.loaded_game.game
            for pending_write in pending_writes
            if pending_write.loaded_game.game.pk in written_ids
        )
    return written_ids


def wake_viewers(pending_write: PendingWrite) -> None:
    """Wake, after the commit, the streams of the game and of everybody at the table: their lists show it."""
    player_ids = {seat.player_id for seat in pending_write.loaded_game.seats if seat.player_id}
    wake_ups.wake_viewers_after_commit(pending_write.loaded_game.game, player_ids)


def build_turn_data(game: Game, seq: int) -> dict[str, Any]:
    """Return the data of a feed entry about a turn: game, seq and the first deadline."""
    round_end = round_end_of(game)
    return {
        "game": game.code,
        "seq": seq,
        "deadline": format_instant(deadline_of(game)),
        "round_ends_at": format_instant(round_end.ends_at) if round_end else None,
    }


def build_result_data(game: Game, result: GameResultData) -> dict[str, Any]:
    """Return what the feed entry of a game that is over says of its result: who won, how, and why."""
    return {
        "winner": result["winner"],
        "totals": result["totals"],
        "reason": end_reason_of(game, result),
        "finished_at": format_instant(game.finished_at),
    }


def build_feed_entries(
    loaded_game: LoadedGame, new_action: NewAction | None, now: datetime
) -> list[NewFeedEntry]:
    """Build the feed entry of each player about an action, or about the start."""
    return [
        build_feed_entry(loaded_game, new_action, seat, now) for seat in loaded_game.seats if seat.player_id
    ]


def build_start_entries(loaded_game: LoadedGame, now: datetime) -> list[NewFeedEntry]:
    """Build the feed entries by which those who are on turn at once learn that the game has started.

    Nobody is notified of them: the entry of the turn does that.
    """
    game, to_act = loaded_game.game, loaded_game.to_act
    return [
        NewFeedEntry(
            game_id=game.pk,
            topic=game.topic,
            player_id=seat.player_id,
            kind=GameNoticeKind.STARTED,
            dedup_key=f"{game.code}:started",
            data=build_turn_data(game, game.seq),
            at=now,
        )
        for seat in loaded_game.seats
        if seat.player_id and seat.seat_no in to_act
    ]


def build_blind_match_entries(
    loaded_game: LoadedGame, notified_ids: set[int], now: datetime
) -> list[NewFeedEntry]:
    """Build the feed entries that announce a blind match; `notified_ids` are players with another notice."""
    game = loaded_game.game
    return [
        NewFeedEntry(
            game_id=game.pk,
            topic=game.topic,
            player_id=seat.player_id,
            kind=GameNoticeKind.BLIND,
            dedup_key=f"{game.code}:blind",
            data=build_turn_data(game, game.seq),
            at=now,
            notify_at=None
            if seat.player_id in notified_ids
            else compute_notify_at(loaded_game, seat, GameNoticeKind.BLIND, now, is_own=False),
        )
        for seat in loaded_game.seats
        if seat.player_id
    ]


def build_feed_entry(
    loaded_game: LoadedGame, new_action: NewAction | None, seat: Seat, now: datetime, *, is_own: bool = False
) -> NewFeedEntry:
    """Build one player's feed entry about an action, or about the start; `is_own`: they acted themselves."""
    game, state, seat_no = loaded_game.game, loaded_game.state, seat.seat_no
    assert state is not None
    assert seat.player_id is not None
    if state.is_over:
        kind = GameNoticeKind.OVER
    elif seat_no in state.seats_to_act:
        kind = GameNoticeKind.TURN
    else:
        kind = GameNoticeKind.MOVED if new_action else GameNoticeKind.STARTED
    data = build_turn_data(game, state.seq)
    if new_action:
        data |= {"seat": new_action.seat, "action": new_action.action, "by": new_action.by}
    if state.result:
        data |= build_result_data(game, state.result)
    return NewFeedEntry(
        game_id=game.pk,
        topic=game.topic,
        player_id=seat.player_id,
        kind=kind,
        dedup_key=f"{game.code}:{state.seq}",
        data=data,
        at=now,
        notify_at=compute_notify_at(loaded_game, seat, kind, now, is_own=is_own),
        notice_stage=FeedEntry.NoticeStage.KNOWN if is_own else FeedEntry.NoticeStage.PENDING,
    )


def compute_notify_at(
    loaded_game: LoadedGame, seat: Seat, kind: GameNoticeKind, now: datetime, *, is_own: bool
) -> datetime | None:
    """Return when a player is to be notified of a feed entry; None if not at all."""
    game, state = loaded_game.game, loaded_game.state
    if seat.muted or kind == GameNoticeKind.MOVED or game.current_status.awaits_blind_match:
        return None
    if kind != GameNoticeKind.TURN:
        return (
            None
            if is_own
            else clock.notice_due_at(now, game.allowance, clocks.build_quiet_calendar(seat.player))
        )
    assert state is not None
    assert seat.seat_no is not None
    seat_clock = clocks.seat_clock_of(game, seat.seat_no)
    if seat_clock.turn_seq != state.seq or not seat_clock.is_on_turn:
        return None  # the same turn continues
    # A missing mail must not reveal the hand to a player who has not seen it.
    if clocks.find_automatic_answer(state, seat) and not seat.hand_hidden:
        return None  # answered automatically
    return seat_clock.runs_from
