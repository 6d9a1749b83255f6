"""The randomness of the reference implementation."""

import hashlib
import hmac
from collections.abc import Iterator
from typing import Any


def derive_game_key(server_seed: bytes, client_seeds: list[str]) -> bytes:
    """The key of all of a game's randomness."""
    return hmac.new(server_seed, "|".join(["otto-v1", *client_seeds]).encode(), hashlib.sha256).digest()


def iter_numbers(key: bytes, label: str) -> Iterator[int]:
    """Yield the endless sequence of 32-bit numbers of a label."""
    block = 0
    while True:
        digest = hmac.new(key, f"{label}|{block}".encode(), hashlib.sha256).digest()
        for start in range(0, len(digest), 4):
            yield int.from_bytes(digest[start : start + 4], "big")
        block += 1


def draw_below(source: Iterator[int], n: int) -> int:
    """Draw a number from 0 to n - 1, all equally likely."""
    return next(x for x in source if x < 2**32 - 2**32 % n) % n


def shuffle_items(key: bytes, label: str, items: list[Any]) -> list[Any]:
    """Return a shuffled copy."""
    source = iter_numbers(key, label)
    result = list(items)
    for i in range(len(result) - 1, 0, -1):
        j = draw_below(source, i + 1)
        result[i], result[j] = result[j], result[i]
    return result
