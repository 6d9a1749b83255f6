"""Ten tournaments start as many games as allowed, and timeouts of other games are not delayed."""

from __future__ import annotations

import time
import uuid

from tests.cluster.world import World
from tests.example_counts import SOAK
from tests.helpers.polling import wait_for
from tournaments.models.limits import MAX_CYCLES
from tournaments.selectors import quotas

EVENTS = quotas.MAX_RUNNING_TOURNAMENTS_PER_ORGANISER
ENTRANTS, CYCLES = 10, MAX_CYCLES
GAMES = ENTRANTS * (ENTRANTS - 1) // 2 * CYCLES
MAX_SWEEP_DELAY_SECONDS = 30.0  # from a deadline to its sweep
ROUNDS, ORDINARY = (6, 40) if SOAK else (2, 10)


def test_timeouts_are_handled_while_ten_tournaments_begin_all_their_games(world: World) -> None:
    assert GAMES <= quotas.MAX_GAMES_AT_ONCE_PER_TOURNAMENT < GAMES + GAMES // CYCLES + ENTRANTS * CYCLES
    name = uuid.uuid4().hex[:8]
    codes = world.clerk("begin_tournaments", name=name, count=EVENTS, entrants=ENTRANTS, cycles=CYCLES)
    try:
        wait_for(lambda: sum(world.clerk("count_opened_games", codes=codes)) > 0, "no tournament has begun")
        waited = []
        for number in range(ROUNDS):
            ordinary = world.clerk("start_late_games", name=f"{name}l{number}", count=ORDINARY, seconds=2)
            opened_games = world.clerk("count_opened_games", codes=codes)
            while late := world.clerk("list_times_without_sweep", codes=ordinary):
                assert max(late) < MAX_SWEEP_DELAY_SECONDS, f"{len(late)} of {ORDINARY} wait"
                waited.append(max(late))
                time.sleep(0.2)
            if number == 0:
                world.kill("tournaments")
            assert sum(opened_games) < EVENTS * GAMES, "by then there was nothing to wait for any more"
        wait_for(
            lambda: min(world.clerk("count_opened_games", codes=codes)) > 0,
            "one tournament starves the others",
        )
        if SOAK:
            wait_for(
                lambda: world.clerk("count_opened_games", codes=codes) == [GAMES] * EVENTS,
                "games are missing",
                900,
            )
        assert world.clerk("count_lost_games") == 0, "whoever was killed left a game that nobody knows"
        assert max(world.clerk("count_opened_games", codes=codes)) <= GAMES
    finally:
        world.clerk("cancel_tournaments", codes=codes)
