"""The games on show: a function of the time, lawful, and the same for everybody."""

from __future__ import annotations

from games.engine import legal_actions
from games.engine.board import filled
from games.engine.show import HELD, LENGTH, PACE, now_shown, show


def test_the_same_time_shows_the_same_to_everybody_whatever_was_looked_at_before() -> None:
    at = 1_900_000_123
    first = now_shown(at)
    show.cache_clear()
    assert now_shown(at) == first
    now_shown(at + LENGTH)
    now_shown(at - 3 * LENGTH)
    assert now_shown(at) == first


def test_a_show_goes_on_tile_by_tile_from_game_to_game() -> None:
    game = show(7)
    game.look(LENGTH // PACE)
    ends = 0
    for (before, _), (after, events) in zip(game.looks, game.looks[1:], strict=False):
        if before.over:
            ends += after.seq == 0
            assert after is before or after.seq == 0
            continue
        assert after.seq > before.seq
        told = {event["event"] for event in events}
        assert after.over or after.match != before.match or told & {"placed", "played"}
        if after.match == before.match and not after.over:
            assert filled(after.cells).bit_count() - filled(before.cells).bit_count() in (0, 1)
    assert ends, "no game ended in a whole show"
    held = sum(state.over for state, _ in game.looks)
    assert ends * HELD <= held < (ends + 1) * HELD + 1
    assert not any(legal_actions(state, seat) for state, _ in game.looks if state.over for seat in (1, 2))


def test_what_is_on_show_tells_no_secret_and_says_how_long_it_lasts() -> None:
    view, _events, lasts = now_shown(1_900_000_000)
    assert "you" not in view
    assert 0 < lasts <= PACE
    assert now_shown(1_900_000_000 + lasts)[2] == PACE
