"""Other shuffles with an unchanged public history: no seed for them can be found, so they are stored."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pytest

from games.engine import (
    ActionError,
    Setup,
    State,
    apply_action,
    build_view,
    cards,
    fairness,
    game,
    matches,
    start_game,
)
from tests.factories.random_games import Step

ATTEMPTS = 50
MARGIN = 10  # tiles that the last action of a match may have revealed after its previous state


@dataclass(frozen=True)
class WrittenChance:
    """Past shuffles by label; later ones come from the key."""

    shuffles: dict[str, list[str]]
    kidnaps: int
    before: bytes  # the key of the past kidnappings


written: dict[bytes, WrittenChance] = {}  # by key of the other world


def shuffle_items(key: bytes, label: str, items: Sequence[Any]) -> list[Any]:
    shuffles = written[key].shuffles if key in written else {}
    return list(shuffles[label]) if label in shuffles else fairness.shuffle_items(key, label, items)


def iter_numbers(key: bytes, label: str) -> Iterator[int]:
    world_key = written.get(key)
    old = (
        world_key and label.startswith("kidnap/") and int(label.removeprefix("kidnap/")) <= world_key.kidnaps
    )
    return fairness.iter_random_numbers(world_key.before if world_key and old else key, label)


def patch_engine_chance(patch: pytest.MonkeyPatch) -> None:
    """Make the engine use stored shuffles for the games that have them."""
    written.clear()
    for room in (game, matches):
        patch.setattr(room, "shuffle_items", shuffle_items)
    patch.setattr(cards, "iter_random_numbers", iter_numbers)


class Card(str):
    """A card that knows its place in the deck; the engine treats it as a plain string."""

    place: int


def replay_steps(setup: Setup, steps: Sequence[Step]) -> Iterator[State]:
    """Replay a game with other shuffles. Raises ActionError or AssertionError if an event differs."""
    state, events = start_game(setup)
    yield state
    for step in steps:
        state, events = apply_action(state, step.seat, step.action)
        assert events == step.events
        yield state


def build_other_world(steps: Sequence[Step], side: int, rng: random.Random) -> tuple[State, State]:
    """Return the states around the last step in a world with other values of all that a side cannot know."""
    setup, last = steps[0].before.setup, steps[-1].after
    deck, free = list_cards(setup, steps, side)
    towers = {match: list_tower(setup, match) for match in range(1, last.match_no + 1)}
    drawn_counts = {match: len(towers[match]) - left for match, left in count_unseen_tiles(steps).items()}
    own_seat = next(iter(setup.seats_of_side(side)), None)
    for _ in range(ATTEMPTS):
        key = rng.randbytes(fairness.SEED_LENGTH_BYTES)
        new: list[str] = list(deck)
        for place, card in zip(free, rng.sample([deck[place] for place in free], len(free)), strict=True):
            new[place] = card
        shuffles = {"deck": [str(card) for card in new]}
        for match, tiles in towers.items():
            hidden = tiles[drawn_counts[match] :]
            shuffles[f"tower/{match}"] = tiles[: drawn_counts[match]] + rng.sample(hidden, len(hidden))
        written[key] = WrittenChance(shuffles, last.kidnap_count, setup.key)
        try:
            *_, before, after = replay_steps(replace(setup, key=key), steps)
        except (
            ActionError,
            AssertionError,
        ):  # another order of a hand can change which card is kidnapped
            continue
        assert build_view(after, own_seat) == build_view(last, own_seat)
        return before, after
    raise AssertionError("no other world is found")


def list_tower(setup: Setup, match: int) -> list[str]:
    """Return the tiles of a match, from the top."""
    return fairness.shuffle_items(setup.key, f"tower/{match}", setup.edition_data.all_tiles)


def count_unseen_tiles(steps: Sequence[Step]) -> dict[int, int]:
    """Count the unseen tiles of each match; for matches that are over, a lower bound."""
    tower_sizes = {step.before.match_no: max(0, len(step.before.tower) - MARGIN) for step in steps}
    return tower_sizes | {steps[-1].after.match_no: len(steps[-1].after.tower)}


def list_cards(setup: Setup, steps: Sequence[Step], side: int) -> tuple[list[Card], list[int]]:
    """Return the deck in dealing order, and the places in it that a side does not know."""
    deck = []
    for place, kind in enumerate(fairness.shuffle_items(setup.key, "deck", setup.edition_data.deck)):
        card = Card(kind)
        card.place = place
        deck.append(card)
    if not setup.has_cards:
        return deck, []
    key = bytes(fairness.SEED_LENGTH_BYTES)
    towers = {f"tower/{match}": list_tower(setup, match) for match in range(1, steps[-1].after.match_no + 1)}
    written[key] = WrittenChance({"deck": deck, **towers}, steps[-1].after.kidnap_count, setup.key)  # type: ignore[dict-item]
    held_places: set[int] = set()
    for state in replay_steps(replace(setup, key=key), steps):
        held_places |= {
            card.place
            for seat in setup.seats_of_side(side)
            for card in check_cards_are_marked(state.hands[seat])
        }
    unseen = [*state.deck, *state.discarded_cards, *(card for hand in state.hands for card in hand)]
    return deck, [card.place for card in check_cards_are_marked(unseen) if card.place not in held_places]


def check_cards_are_marked(cards: Sequence[str]) -> list[Card]:
    assert all(isinstance(card, Card) for card in cards)
    return cards  # type: ignore[return-value]
