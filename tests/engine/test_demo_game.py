"""The demo games depend on the time alone, follow the rules, and are identical for all viewers."""

from __future__ import annotations

from games.engine import legal_actions
from games.engine.board import build_filled_mask
from games.engine.demo_game import (
    DEMO_LENGTH_SECONDS,
    FINAL_POSITION_COUNT,
    SECONDS_PER_POSITION,
    find_demo_position,
    load_cached_sequence,
    load_demo_sequence,
)


def test_the_same_time_shows_the_same_to_everybody_whatever_was_looked_at_before() -> None:
    at = 1_900_000_123
    first = find_demo_position(at)
    load_cached_sequence.cache_clear()
    assert find_demo_position(at) == first
    find_demo_position(at + DEMO_LENGTH_SECONDS)
    find_demo_position(at - 3 * DEMO_LENGTH_SECONDS)
    assert find_demo_position(at) == first


def test_a_show_goes_on_tile_by_tile_from_game_to_game() -> None:
    game = load_demo_sequence(7)
    game.position_at(DEMO_LENGTH_SECONDS // SECONDS_PER_POSITION)
    ends = 0
    for (before, _), (after, events) in zip(game.positions, game.positions[1:], strict=False):
        if before.is_over:
            ends += after.seq == 0
            assert after is before or after.seq == 0
            continue
        assert after.seq > before.seq
        kinds = {event["event"] for event in events}
        assert after.is_over or after.match_no != before.match_no or kinds & {"placed", "played"}
        if after.match_no == before.match_no and not after.is_over:
            assert build_filled_mask(after.cells).bit_count() - build_filled_mask(
                before.cells
            ).bit_count() in (0, 1)
    assert ends, "no game ended in a whole show"
    final_count = sum(state.is_over for state, _ in game.positions)
    assert ends * FINAL_POSITION_COUNT <= final_count < (ends + 1) * FINAL_POSITION_COUNT + 1
    assert not any(
        legal_actions(state, seat) for state, _ in game.positions if state.is_over for seat in (1, 2)
    )


def test_what_is_on_show_tells_no_secret_and_says_how_long_it_lasts() -> None:
    position = find_demo_position(1_900_000_000)
    lasts = position.seconds_shown
    assert "you" not in position.view
    assert 0 < lasts <= SECONDS_PER_POSITION
    assert find_demo_position(1_900_000_000 + lasts).seconds_shown == SECONDS_PER_POSITION
