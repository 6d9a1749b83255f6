"""Pictures of the board: pasted from kept pieces, beside the same boards drawn whole by resvg."""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable
from typing import Any

from _common import middle, print_figure

PEER = "drawn whole by resvg"


def play_boards(count: int) -> list[dict[str, Any]]:
    """What spectators see of games for 2 to 4, each stopped somewhere."""
    from games.engine import Setup, apply, legal_actions, start, view
    from games.engine.bots import choose

    rng, boards = random.Random("pictures"), []
    for _ in range(count):
        seats = rng.choice((2, 2, 2, 3, 4))
        setup = Setup(
            mode="singles", seats=seats, key=rng.randbytes(32), seniority=tuple(range(1, seats + 1))
        )
        state, _ = start(setup)
        for _ in range(rng.randrange(5, 100)):
            if state.over:
                break
            seat = rng.choice(state.to_act)
            state, _ = apply(
                state, seat, choose("greedy", view(state, seat), legal_actions(state, seat), rng)
            )
        boards.append(view(state))
    return boards


def milliseconds(draw: Callable[[], bytes]) -> tuple[float, int]:
    """Of processor, and the bytes drawn."""
    began = time.process_time()
    drawn = draw()
    return (time.process_time() - began) * 1000, len(drawn)


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--quick", action="store_true", help="a few boards")
    boards = play_boards(10 if words.parse_args().quick else 60)
    from games import picture, picture_pixels

    for width in picture_pixels.OFFERED_WIDTHS:
        first, _ = milliseconds(lambda width=width: picture_pixels.board_png(boards[0], width=width))
        for seen in boards:
            picture_pixels.board_png(seen, width=width)
        ours = [milliseconds(lambda b=b, w=width: picture_pixels.board_png(b, width=w)) for b in boards]
        theirs = [milliseconds(lambda b=b, w=width: picture.png(picture.svg(b), w)) for b in boards]
        time_ours, time_theirs = middle([t for t, _ in ours]), middle([t for t, _ in theirs])
        size_ours, size_theirs = middle([float(n) for _, n in ours]), middle([float(n) for _, n in theirs])
        figure = f"board {width} wide"
        print_figure(f"{figure}, ms of processor", time_ours, PEER, time_theirs, time_ours / time_theirs)
        print_figure(f"{figure}, bytes", size_ours, PEER, size_theirs, size_ours / size_theirs)
        print_figure(f"{figure}, the first of a process, ms", first, PEER, time_theirs, first / time_theirs)


if __name__ == "__main__":
    main()
