"""Two beat processes request every task twice; if one is killed, the other is enough."""

from __future__ import annotations

from tests.cluster.world import World


def test_what_is_asked_for_twice_is_done_once(world: World) -> None:
    cluster = world.cluster
    cluster.add("second beat", "beat", {})
    try:
        world.seat(2, 1)
        with world.run_players():
            world.wait_for_moves(4)
            cluster.kill("beat", keep_stopped=True)
            world.wait_for_moves(2)
        world.check()
    finally:
        cluster.remove("second beat")
