"""Every process is killed with SIGKILL while people play: the others go on, and it is restarted."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from docker.cluster import load_services
from tests.cluster.world import WEBS, World
from tests.example_counts import SOAK, pick_example_count
from tests.helpers.polling import wait_for

# The process for inbound mail is killed in test_mail_in.py, the proxy in test_proxy.py.
OURS = ("web1", "web2", "turns", "tournaments", "mail", "beat", "streams")


def test_every_process_is_killed_somewhere() -> None:
    assert set(load_services()) == {*OURS, "inbound", "proxy", "db", "redis", "migrate"}


@pytest.mark.parametrize("name", OURS)
def test_a_process_that_is_killed_takes_nothing_along(name: str, world: World) -> None:
    world.seat(*((6, 4) if SOAK else (1, 1)))
    with world.run_players():
        for _ in range(pick_example_count(1)):
            world.wait_for_moves(2)
            world.kill(name)
            world.resent += 2 * (name == "mail")  # one for each of its children, which may be sending a mail
            world.wait_for_moves(2, *([world.cluster.web_address(name)] if name in WEBS else []))
    world.check()


@pytest.mark.parametrize("name", ["web1", "turns", "mail"])
def test_a_child_that_is_killed_is_replaced(name: str, world: World) -> None:
    world.seat(1, 1)
    with world.run_players():
        for _ in range(pick_example_count(1)):
            world.wait_for_moves(2)
            kill_child(world, name)
            world.resent += name == "mail"
            world.wait_for_moves(2, *([world.cluster.web_address(name)] if name in WEBS else []))
    world.check()


def kill_child(world: World, name: str) -> None:
    """Kill a child of a process, and wait for another one."""
    parent = world.cluster.running[name].pid
    while len(only := list_children(parent)) == 1:  # skip the supervisor of a web server
        parent = only[0]
    victim = list_children(parent)[-1]
    os.kill(victim, signal.SIGKILL)
    wait_for(
        lambda: victim not in (now := list_children(parent)) and len(now) >= 2,
        f"{name} has lost a child for good",
    )


def list_children(pid: int) -> list[int]:
    """List the child processes of a process."""
    try:
        return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []
