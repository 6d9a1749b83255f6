"""Board pictures: composed from cached tiles, beside the same boards rendered whole by resvg."""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable
from typing import Any

from _common import compute_median, print_figure

PEER_NAME = "drawn whole by resvg"


def play_boards(count: int) -> list[dict[str, Any]]:
    """Return spectators' views of random games for 2 to 4 players, stopped somewhere."""
    from games.engine import Setup, apply_action, build_view, legal_actions, start_game
    from games.engine.bots import choose_action

    rng, boards = random.Random("pictures"), []
    for _ in range(count):
        seats = rng.choice((2, 2, 2, 3, 4))
        setup = Setup(
            mode="singles", seats=seats, key=rng.randbytes(32), seniority=tuple(range(1, seats + 1))
        )
        state, _ = start_game(setup)
        for _ in range(rng.randrange(5, 100)):
            if state.is_over:
                break
            seat = rng.choice(state.seats_to_act)
            state, _ = apply_action(
                state, seat, choose_action("greedy", build_view(state, seat), legal_actions(state, seat), rng)
            )
        boards.append(build_view(state))
    return boards


def measure_milliseconds(draw: Callable[[], bytes]) -> tuple[float, int]:
    """Return the processor time and the size of a picture."""
    started_at = time.process_time()
    png = draw()
    return (time.process_time() - started_at) * 1000, len(png)


def main() -> None:
    """Measure every offered width."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a few boards")
    boards = play_boards(10 if parser.parse_args().quick else 60)
    from games import picture_png, picture_svg

    for width in picture_png.OFFERED_WIDTHS:
        first_ms, _ = measure_milliseconds(
            lambda width=width: picture_png.draw_board_png(boards[0], width=width)
        )
        for board in boards:
            picture_png.draw_board_png(board, width=width)
        own_measures = [
            measure_milliseconds(lambda b=b, w=width: picture_png.draw_board_png(b, width=w)) for b in boards
        ]
        peer_measures = [
            measure_milliseconds(
                lambda b=b, w=width: picture_svg.render_png(picture_svg.draw_board_svg(b), w)
            )
            for b in boards
        ]
        time_ours, time_theirs = (
            compute_median([t for t, _ in own_measures]),
            compute_median([t for t, _ in peer_measures]),
        )
        size_ours, size_theirs = (
            compute_median([float(n) for _, n in own_measures]),
            compute_median([float(n) for _, n in peer_measures]),
        )
        figure = f"board {width} wide"
        print_figure(f"{figure}, ms of processor", time_ours, PEER_NAME, time_theirs, time_ours / time_theirs)
        print_figure(f"{figure}, bytes", size_ours, PEER_NAME, size_theirs, size_ours / size_theirs)
        print_figure(
            f"{figure}, the first of a process, ms", first_ms, PEER_NAME, time_theirs, first_ms / time_theirs
        )


if __name__ == "__main__":
    main()
