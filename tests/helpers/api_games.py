"""Games played at random through the API."""

from __future__ import annotations

import random

from tests.factories.cast import Api


def map_apis_by_seat(code: str, *apis: Api) -> dict[int, Api]:
    return {api.get(f"games/{code}/").json()["you"]["seat"]: api for api in apis}


def play_on(code: str, seats: dict[int, Api], rng: random.Random, most: int = 10_000) -> dict[str, object]:
    """Play at most so many random legal actions, until the game is over."""
    spectator = Api(None)
    for _ in range(most):
        data = spectator.get(f"games/{code}/").json()
        if data["status"] == "over":
            break
        seat = rng.choice(data["to_act"])
        legal = seats[seat].get(f"games/{code}/actions/legal/").json()
        answer = seats[seat].play(code, rng.choice(legal), data["seq"])
        assert answer.status_code == 201, answer.content
    return spectator.get(f"games/{code}/").json()
