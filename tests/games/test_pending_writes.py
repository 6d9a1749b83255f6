"""A pending write is immutable, and preparing it leaves the loaded game unchanged."""

from __future__ import annotations

import dataclasses
from copy import deepcopy

import pytest
from django.utils import timezone

from games import engine
from games.engine import ActionSource
from games.models import Game
from games.selectors import LoadedGame, load_game
from games.services import action_log, clocks, lobby
from tests.factories.cast import player, start_cast_game

pytestmark = pytest.mark.django_db


def prepare(
    loaded_game: LoadedGame, previous: action_log.PendingWrite | None = None
) -> action_log.PendingWrite:
    assert loaded_game.state
    seat_no = loaded_game.to_act[0]
    return action_log.prepare_action(
        loaded_game=loaded_game,
        seat_no=seat_no,
        action=engine.legal_actions(loaded_game.state, seat_no)[0],
        by=ActionSource.CLOCK,
        now=timezone.now(),
        previous_write=previous,
    )


def columns_of(loaded_game: LoadedGame) -> dict[str, object]:
    game = loaded_game.game
    return deepcopy({field.attname: getattr(game, field.attname) for field in game._meta.concrete_fields})


def test_preparing_an_action_leaves_the_loaded_game_as_it_was_read() -> None:
    loaded_game = load_game(start_cast_game("ada", "bob").code)
    columns, state = columns_of(loaded_game), loaded_game.state
    pending_write = prepare(loaded_game)
    assert columns_of(loaded_game) == columns
    assert loaded_game.state is state
    assert pending_write.loaded_game.game.seq == loaded_game.game.seq + 1
    assert pending_write.seen_seq == loaded_game.game.seq


def test_the_next_action_of_a_turn_leaves_the_pending_write_before_it_as_it_was() -> None:
    first_write = prepare(load_game(start_cast_game("ada", "bob").code))
    entries = deepcopy(first_write.feed_entries)
    both_writes = prepare(first_write.loaded_game, first_write)
    assert first_write.feed_entries == entries
    assert len(first_write.new_actions) == 1
    assert len(both_writes.new_actions) == 2
    assert both_writes.seen_seq == first_write.seen_seq


def test_a_pending_write_cannot_be_changed() -> None:
    pending_write = prepare(load_game(start_cast_game("ada", "bob").code))
    for value, name in (
        (pending_write, "seen_seq"),
        (pending_write.feed_entries[0], "notify_at"),
        (pending_write.new_actions[0], "hash"),
        (pending_write.loaded_game, "state"),
    ):
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(value, name, None)


def test_what_is_written_is_returned_and_leaves_the_loaded_game_as_it_was_read() -> None:
    """Neither a rolled-back transaction nor one that is retried leaves traces in memory."""
    now = timezone.now()
    loaded_game = load_game(start_cast_game("ada", "bob").code)
    columns = columns_of(loaded_game)
    recomputed_game = clocks.try_recompute_deadline(loaded_game, now, charge_until=now)
    assert recomputed_game
    assert recomputed_game.game.seat_clocks != loaded_game.game.seat_clocks
    assert columns_of(loaded_game) == columns
    loaded_game = load_game(start_cast_game("ada", seat_count=2).code)
    columns = columns_of(loaded_game)
    full_game = lobby.add_seat(loaded_game, player=player("bob"))
    started_game = lobby.start_game_if_full(full_game, now)
    assert (started_game.game.status, started_game.seats[0].seat_no) == (Game.Status.RUNNING, 1)
    assert started_game.state
    assert columns_of(full_game) == columns_of(loaded_game) == columns
    assert [seat.seat_no for seat in full_game.seats] == [None, None]
    loaded_game = load_game(start_cast_game("ada", seat_count=2).code)
    columns = columns_of(loaded_game)
    assert lobby.cancel_game(loaded_game, now).current_status.is_cancelled
    assert columns_of(loaded_game) == columns


def test_a_stale_recomputation_leaves_the_loaded_game_as_it_was_read() -> None:
    loaded_game = load_game(start_cast_game("ada", "bob").code)
    columns, now = columns_of(loaded_game), timezone.now()
    clocks.increment_seat_changes([loaded_game.game.code])
    assert not clocks.try_recompute_deadline(loaded_game, now, charge_until=now)
    assert columns_of(loaded_game) == columns
