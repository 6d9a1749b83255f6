"""Ten tournaments begin as many games as they may, and nobody's clock waits for that."""

from __future__ import annotations

import time
import uuid

from tests.effort import SOAK
from tournaments.models.limits import MAX_CYCLES
from tournaments.selectors import quotas

from .world import World, wait_for

EVENTS = quotas.MAX_RUNNING_TOURNAMENTS_PER_ORGANISER
ENTRANTS, LAPS = 10, MAX_CYCLES
GAMES = ENTRANTS * (ENTRANTS - 1) // 2 * LAPS
LATE = 30.0  # seconds that a deadline may wait for a worker
ROUNDS, ORDINARY = (6, 40) if SOAK else (2, 10)


def test_timeouts_are_handled_while_ten_tournaments_begin_all_their_games(world: World) -> None:
    assert GAMES <= quotas.MAX_GAMES_AT_ONCE_PER_TOURNAMENT < GAMES + GAMES // LAPS + ENTRANTS * LAPS
    name = uuid.uuid4().hex[:8]
    codes = world.clerk("begin_events", name=name, count=EVENTS, entrants=ENTRANTS, laps=LAPS)
    try:
        wait_for(lambda: sum(world.clerk("opened", codes=codes)) > 0, "no tournament has begun")
        waited = []
        for number in range(ROUNDS):
            ordinary = world.clerk("late_games", name=f"{name}l{number}", count=ORDINARY, seconds=2)
            began = world.clerk("opened", codes=codes)
            while late := world.clerk("untimed", codes=ordinary):
                assert max(late) < LATE, f"{len(late)} of {ORDINARY} wait"
                waited.append(max(late))
                time.sleep(0.2)
            if number == 0:
                world.kill("tournaments")
            assert sum(began) < EVENTS * GAMES, "by then there was nothing to wait for any more"
        wait_for(lambda: min(world.clerk("opened", codes=codes)) > 0, "one tournament starves the others")
        if SOAK:
            wait_for(lambda: world.clerk("opened", codes=codes) == [GAMES] * EVENTS, "games are missing", 900)
        assert world.clerk("lost_games") == 0, "whoever was killed left a game that nobody knows"
        assert max(world.clerk("opened", codes=codes)) <= GAMES
    finally:
        world.clerk("cancel_events", codes=codes)
