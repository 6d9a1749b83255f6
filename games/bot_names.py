"""Given names of bots, so that three bots at a table can be told apart."""

from __future__ import annotations

import hashlib

# Invented, and meant for nobody. A game of four has at most four bots, so their names differ.
GIVEN_NAMES = (
    "Bixel",
    "Drovi",
    "Fendel",
    "Galdo",
    "Hubrel",
    "Jorvo",
    "Lumbo",
    "Minkel",
    "Nimbel",
    "Orbino",
    "Oskra",
    "Pelko",
    "Plimo",
    "Quibbo",
    "Ruvana",
    "Sorvi",
    "Talpix",
    "Umbri",
    "Vastri",
    "Wimmel",
    "Yendo",
    "Zanfi",
    "Zelpha",
)
NAME_STEP = 7  # has no divisor in common with the number of names, so all names come up before one repeats


def choose_given_name(game_code: str, join_order: int) -> str:
    """The given name of the bot that joined a game at this number: always the same, and its own there."""
    first_index = hashlib.sha256(f"bot names|{game_code}".encode()).digest()[0]
    return GIVEN_NAMES[(first_index + NAME_STEP * join_order) % len(GIVEN_NAMES)]
