"""Tournament games without a tournament row, for tests of the games themselves."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from accounts.models import Player
from games.engine import fairness
from games.models import Game
from games.services import system_games


def open_tournament_game(
    players: Sequence[Player | None], *, now: datetime, event_seed: bytes = b"", **terms: Any
) -> Game:
    """Start a game as tournaments do; games with one `event_seed` are alike, by default each has its own."""
    seed = event_seed or secrets.token_bytes(fairness.SEED_LENGTH_BYTES)
    origin = system_games.SeedOrigin(
        tournament_code=secrets.token_hex(6),
        commitment=fairness.compute_commitment(seed),
        match="R1.1",
        game_number=1,
        attempt=1,
    )
    return system_games.start_tournament_game(
        players=players,
        client_seeds=[str(number) for number, _player in enumerate(players, 1)],
        origin=origin,
        tournament_seed=seed,
        now=now,
        **terms,
    )
