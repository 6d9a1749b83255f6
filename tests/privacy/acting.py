"""The last action of a fixture, played by its owner, before two worlds are compared."""

from __future__ import annotations

from .game_fixtures import GameFixture
from .observations import Observation
from .viewers import Viewer
from .worlds import play_bot_action


def play_step(ground: GameFixture, cast: list[Viewer], side: int) -> list[Observation]:
    """Play the action as its owner; return the response only to the owner's side."""
    step = ground.step
    actor = next((viewer for viewer in cast if viewer.seat(ground) == step.seat), None)
    if actor is None:
        play_bot_action(ground)
        return []
    body = {"action": step.action, "seq": step.before.seq}
    observations = actor.ask(f"/api/v1/games/{ground.game.code}/actions/", data=body)
    assert observations[0].status == 201, observations
    return observations if actor.side(ground) == side else []
