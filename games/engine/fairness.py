"""Randomness that anyone can check: seeds in, shuffles out."""

from __future__ import annotations

import hashlib
import hmac
import struct
from collections.abc import Iterator, Sequence
from typing import TypeVar

from .errors import Unfit
from .phrases import gettext_noop as _

T = TypeVar("T")

SEED_BYTES = 32
CLIENT_SEED_LENGTH = 64
_eight_words = struct.Struct(">8I").unpack


def commitment(server_seed: bytes) -> str:
    """What is published before anyone joins."""
    return hashlib.sha256(server_seed).hexdigest()


def game_key(server_seed: bytes, client_seeds: Sequence[str]) -> bytes:
    """The key all shuffles of a game come from. Raises ValueError on an unusable client seed."""
    for seed in client_seeds:
        check_client_seed(seed)
    message = "otto-v1|" + "|".join(client_seeds)
    return hmac.digest(server_seed, message.encode(), "sha256")


def derive_game_seed(event_seed: bytes, match: str, game: int, attempt: int) -> bytes:
    """The server seed of an event's game: its number in a match, in the attempt at that match."""
    return hmac.digest(event_seed, f"otto-game-v1|{match}|{game}|{attempt}".encode(), "sha256")


def derive_season_seed(league_seed: bytes, number: int) -> bytes:
    """The seed of a season of a league."""
    return hmac.digest(league_seed, f"otto-season-v1|{number}".encode(), "sha256")


def derive_event_seed(season_seed: bytes, division: int, group: int) -> bytes:
    """The seed of what a group of a division plays in a season of a league."""
    return hmac.digest(season_seed, f"otto-event-v1|{division}|{group}".encode(), "sha256")


def check_client_seed(seed: object) -> None:
    """Raise ValueError unless `seed` is text of 1 to 64 characters without a bar."""
    if not isinstance(seed, str) or not 1 <= len(seed) <= CLIENT_SEED_LENGTH or "|" in seed:
        raise Unfit(
            _("a client seed is text of 1 to {longest} characters without '|'"), longest=CLIENT_SEED_LENGTH
        )
    try:
        seed.encode()
    except UnicodeEncodeError as error:
        raise Unfit(_("a client seed is text that UTF-8 can write")) from error


def numbers(key: bytes, label: str) -> Iterator[int]:
    """The endless unsigned 32-bit numbers of a label."""
    block = 0
    while True:
        yield from _eight_words(hmac.digest(key, f"{label}|{block}".encode(), "sha256"))
        block += 1


def below(source: Iterator[int], n: int) -> int:
    """The next number of the source, fairly brought under n."""
    limit = 2**32 - 2**32 % n
    x = next(source)
    while x >= limit:
        x = next(source)
    return x % n


def shuffled(key: bytes, label: str, items: Sequence[T]) -> list[T]:
    """The items in the order that the label gives them."""
    result = list(items)
    i, block = len(result) - 1, 0
    while i > 0:  # numbers() and below(), written out: every match shuffles a tower
        for x in _eight_words(hmac.digest(key, f"{label}|{block}".encode(), "sha256")):
            if x < 2**32 - 2**32 % (i + 1):
                j = x % (i + 1)
                result[i], result[j] = result[j], result[i]
                i -= 1
                if i == 0:
                    break
        block += 1
    return result


def seating(
    server_seed: bytes, client_seeds: Sequence[str], *, couples: Sequence[tuple[int, int]] = ()
) -> list[int]:
    """Seat of each player, in joining order, for the seat order `shuffled`.

    `client_seeds` are in joining order; `couples` are pairs of joining numbers (from 0) who joined together
    and take opposite seats: who sits lower stays, the partner changes places with whoever sits opposite.
    """
    key = game_key(server_seed, client_seeds)
    order = shuffled(key, "seats", range(len(client_seeds)))
    return seats_of(opposite(order, couples))


def opposite(order: Sequence[int], couples: Sequence[tuple[int, int]]) -> list[int]:
    """The players around the table, with every couple brought to opposite places."""
    table = list(order)
    for couple in couples:
        first, second = sorted(table.index(player) for player in couple)
        across = (first + 2) % 4
        table[second], table[across] = table[across], table[second]
    return table


def seats_of(order: Sequence[int]) -> list[int]:
    """From "who sits at place i" to "where does player i sit", seats from 1."""
    seats = [0] * len(order)
    for place, player in enumerate(order):
        seats[player] = place + 1
    return seats
