"""Verifiable randomness: seeds, commitments, shuffles and seating."""

from __future__ import annotations

import hashlib
import hmac
import struct
from collections.abc import Iterator, Sequence
from typing import TypeVar

from .errors import InvalidSetup
from .phrases import gettext_noop as _

T = TypeVar("T")

SEED_LENGTH_BYTES = 32
MAX_CLIENT_SEED_LENGTH = 64
_unpack_eight_uint32 = struct.Struct(">8I").unpack


def compute_commitment(server_seed: bytes) -> str:
    """The SHA-256 commitment to a server seed, published before anyone joins."""
    return hashlib.sha256(server_seed).hexdigest()


def derive_game_key(server_seed: bytes, client_seeds: Sequence[str]) -> bytes:
    """The key that all shuffles of a game derive from. Raises InvalidSetup on an invalid client seed."""
    for seed in client_seeds:
        check_client_seed(seed)
    message = "otto-v1|" + "|".join(client_seeds)
    return hmac.digest(server_seed, message.encode(), "sha256")


def derive_game_seed(tournament_seed: bytes, pairing_id: str, game_number: int, attempt: int) -> bytes:
    """The server seed of a tournament game, by its pairing, game number and attempt."""
    return hmac.digest(
        tournament_seed, f"otto-game-v1|{pairing_id}|{game_number}|{attempt}".encode(), "sha256"
    )


def derive_season_seed(league_seed: bytes, season_number: int) -> bytes:
    """The seed of a season of a league."""
    return hmac.digest(league_seed, f"otto-season-v1|{season_number}".encode(), "sha256")


def derive_tournament_seed(season_seed: bytes, division: int, group: int) -> bytes:
    """The seed of a season's tournament for one group of a division."""
    return hmac.digest(season_seed, f"otto-event-v1|{division}|{group}".encode(), "sha256")


def check_client_seed(seed: object) -> None:
    """Raise InvalidSetup unless `seed` is text of 1 to 64 characters without a bar."""
    if not isinstance(seed, str) or not 1 <= len(seed) <= MAX_CLIENT_SEED_LENGTH or "|" in seed:
        raise InvalidSetup(
            _("a client seed is text of 1 to {longest} characters without `|`"),
            field="client_seed",
            longest=MAX_CLIENT_SEED_LENGTH,
        )
    try:
        seed.encode()
    except UnicodeEncodeError as error:
        raise InvalidSetup(
            _("a client seed must be text that UTF-8 can encode"), field="client_seed"
        ) from error


def iter_random_numbers(key: bytes, label: str) -> Iterator[int]:
    """An endless stream of unsigned 32-bit numbers derived from a key and a label."""
    block = 0
    while True:
        yield from _unpack_eight_uint32(hmac.digest(key, f"{label}|{block}".encode(), "sha256"))
        block += 1


def next_number_below(numbers: Iterator[int], upper_bound: int) -> int:
    """The next number of a stream, mapped to 0..n-1 without bias (rejection sampling)."""
    limit = 2**32 - 2**32 % upper_bound
    x = next(numbers)
    while x >= limit:
        x = next(numbers)
    return x % upper_bound


def shuffle_items(key: bytes, label: str, items: Sequence[T]) -> list[T]:
    """The items shuffled by a key and a label (Fisher-Yates)."""
    result = list(items)
    i, block = len(result) - 1, 0
    while i > 0:  # number stream inlined for speed
        for x in _unpack_eight_uint32(hmac.digest(key, f"{label}|{block}".encode(), "sha256")):
            if x < 2**32 - 2**32 % (i + 1):
                j = x % (i + 1)
                result[i], result[j] = result[j], result[i]
                i -= 1
                if i == 0:
                    break
        block += 1
    return result


def assign_seats(
    server_seed: bytes, client_seeds: Sequence[str], *, couples: Sequence[tuple[int, int]] = ()
) -> list[int]:
    """The seat of each player in joining order, for the seat order `shuffled`.

    `client_seeds` are in joining order. `couples` are pairs of joining indexes (from 0) who joined together
    and sit opposite each other: the one on the lower seat stays, the partner swaps with the player there.
    """
    key = derive_game_key(server_seed, client_seeds)
    order = shuffle_items(key, "seats", range(len(client_seeds)))
    return invert_seat_order(seat_couples_opposite(order, couples))


def seat_couples_opposite(order: Sequence[int], couples: Sequence[tuple[int, int]]) -> list[int]:
    """The seat order with every couple moved to opposite seats."""
    table = list(order)
    for couple in couples:
        first, second = sorted(table.index(player) for player in couple)
        across = (first + 2) % 4
        table[second], table[across] = table[across], table[second]
    return table


def invert_seat_order(order: Sequence[int]) -> list[int]:
    """Invert a seat order: from the player at each seat to the seat of each player, from 1."""
    seats = [0] * len(order)
    for index, player in enumerate(order):
        seats[player] = index + 1
    return seats
