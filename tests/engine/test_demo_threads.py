"""The demo game of the home page is the same for all threads that ask for it at once."""

from __future__ import annotations

import sys
import threading
from concurrent.futures import ThreadPoolExecutor

from games.engine import demo_game
from games.engine.demo_game import DemoSequence, find_demo_position

THREADS = 6


def test_threads_that_ask_at_once_see_the_positions_that_one_alone_would_see() -> None:
    steps = 25
    single_reader = DemoSequence(7)
    expected = [single_reader.position_at(step) for step in range(steps)]
    shared, ready = DemoSequence(7), threading.Barrier(THREADS)

    def look(thread: int) -> list[object]:
        ready.wait(30)
        return [shared.position_at((step + thread) % steps) for step in range(steps)]

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(THREADS) as pool:
            list(pool.map(look, range(THREADS)))
    finally:
        sys.setswitchinterval(interval)
    assert shared.positions == expected


def test_all_threads_share_one_sequence() -> None:
    demo_game.load_cached_sequence.cache_clear()
    ready = threading.Barrier(THREADS)

    def look(_: int) -> int:
        ready.wait(30)
        return id(demo_game.load_demo_sequence(11))

    with ThreadPoolExecutor(THREADS) as pool:
        assert len(set(pool.map(look, range(THREADS)))) == 1
    assert find_demo_position(11 * demo_game.DEMO_LENGTH_SECONDS).view["match"] == 1
