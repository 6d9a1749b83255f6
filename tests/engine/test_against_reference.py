"""The engine compared with a second, naive implementation that was written from the rules alone."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from games.engine import (
    RULES_VERSIONS,
    Setup,
    State,
    apply_action,
    legal_actions,
    list_edition_names,
    load_edition,
    start_game,
)
from games.engine import state as state_module
from games.engine.board import CELL_NAMES, PLACE_CELLS, VERTEX_COUNT
from games.engine.edition import Edition
from tests.example_counts import pick_example_count

from . import reference as reference_module
from .reference import Reference
from .reference_chance import derive_game_key

GOLDEN = Path(__file__).parent / "golden"
KINDS = {1: "small", 2: "circle", 4: "square"}


def comparable_fields(state: State) -> dict[str, object]:
    """The fields of a state that both implementations have."""
    setup, board = state.setup, state.setup.board

    def key(place: int, value: int) -> tuple[str, frozenset[str]]:
        assert (place >= VERTEX_COUNT) == (value == 1)
        return KINDS[value], frozenset(CELL_NAMES[x] for x in PLACE_CELLS[place])

    seats = range(1, setup.seats + 1)
    values = [value for value, _ in setup.edition_data.markers]
    return {
        "phase": state.phase,
        "to_act": list(state.seats_to_act),
        "match": state.match_no,
        "turn": state.turn,
        "cells": {CELL_NAMES[x]: board.tile_of_code[t] for x, t in enumerate(state.cells) if t},
        "marked": {key(place, value): side for place, value, side in state.marked_figures},
        "unmarked": {key(place, value) for place, value in state.unmarked_figures + state.lost_figures},
        "lost": {key(place, value) for place, value in state.lost_figures},
        "careless": {*state.missed_duty_sides},
        "markers": {s: dict(zip(values, state.markers_left[s], strict=True)) for s in setup.side_numbers},
        "tower": list(state.tower),
        "deck": list(state.deck),
        "hands": {seat: list(state.hands[seat]) for seat in seats},
        "table": {seat: state.table_tiles[seat] or None for seat in seats},
        "drawn": state.drawn_tile or None,
        "stolen": state.stolen_card or None,
        "totals": {side: state.totals[side] for side in setup.side_numbers},
        "result": state.result,
    }


def reference_fields(reference: Reference) -> dict[str, object]:
    state, _ = start_game(Setup())
    return {name: getattr(reference, name) for name in comparable_fields(state)}


def play_both(
    rng: random.Random,
    *,
    rules: int,
    edition: str,
    mode: str,
    seats: int,
    resigning: float,
    **wishes: Any,
) -> None:
    """Play one random game, with all options of its rules version, in both implementations."""
    terms: dict[str, Any] = {
        "rules": rules,
        "mode": mode,
        "seats": seats,
        "edition": edition,
        "cards": rng.random() < 0.8,
        "obligation": rng.choice(["strict", "strict", "lenient"]),
        "target": rng.choice([24, 24, 8, 1, 40]),
        "key": rng.randbytes(32),
    }
    if rules > 1:
        terms |= {"cards_from": rng.choice([1, 1, 2]), "seniority_rule": rng.choice(["account", "lot"])}
    terms |= wishes
    seniority = rng.sample(range(1, seats + 1), seats)
    is_by_lot = terms.get("seniority_rule") == "lot"
    state, _ = start_game(Setup(**terms, seniority=() if is_by_lot else tuple(seniority)))
    reference = Reference(**terms, seniority=[] if is_by_lot else seniority)
    assert list(state.setup.seniority) == reference.seniority
    actions: list[tuple[int, str]] = []
    eager = rng.random()
    while True:
        actual, expected = comparable_fields(state), reference_fields(reference)
        if rules == 1:  # version 1 ignores missed duties
            actual.pop("careless"), expected.pop("careless")
        if state.phase in ("react", "over"):  # no seat is on turn in these phases
            actual.pop("turn"), expected.pop("turn")
        assert actual == expected, (terms, seniority, actions)
        for seat in range(1, seats + 1):
            legal = legal_actions(state, seat)
            assert len(set(legal)) == len(legal)
            assert set(legal) == reference.legal(seat), (terms, seniority, actions)
        if state.is_over:
            return
        seat = rng.choice(state.seats_to_act)
        legal = legal_actions(state, seat)
        action = rng.choice(legal)
        if rng.random() < eager and "draw" in legal:  # a leap has hundreds of actions: choose the card first
            card = rng.choice(sorted({action[:5] for action in legal}))
            action = rng.choice([action for action in legal if action.startswith(card)])
        if rng.random() < resigning:
            seat = rng.choice(
                [s for s in range(1, seats + 1) if state.setup.sides[s] not in state.resigned_sides]
            )
            action = "resign"
        actions.append((seat, action))
        state, _ = apply_action(state, seat, action)
        reference.do(seat, action)


@pytest.mark.parametrize("path", sorted(GOLDEN.glob("*.json")), ids=lambda path: path.stem)
def test_the_reference_confirms_every_golden_record(path: Path) -> None:
    data = json.loads(path.read_text())
    seeds, options = data["fairness"], dict(data["options"])
    reference = Reference(
        mode=data["mode"],
        seats=len(data["seats"]),
        edition=data["edition"],
        seniority=data["seniority"],
        seniority_rule=options.pop("seniority", "account"),
        key=derive_game_key(bytes.fromhex(seeds["server_seed"]), seeds["client_seeds"]),
        rules=data["rules"],
        **options,
    )
    assert reference.seniority == data["seniority"]
    for row in data["actions"]:
        reference.do(row["seat"], row["action"])
    assert reference.result == data["result"]


EDITIONS_BY_RULES = {1: ("arcastudio-2.2", "bannan-nl"), 2: ("arcastudio-2.2", "bannan-nl", "pergioco-72")}
TABLES = (("singles", 2), ("singles", 3), ("singles", 4), ("pairs", 4), ("solo", 1))


def test_the_comparison_leaves_no_edition_and_no_version_out() -> None:
    assert sorted(EDITIONS_BY_RULES) == list(RULES_VERSIONS)
    assert sorted(EDITIONS_BY_RULES[RULES_VERSIONS[-1]]) == sorted(list_edition_names())


@pytest.mark.parametrize(("mode", "seats"), TABLES)
@pytest.mark.parametrize(
    ("rules", "edition"), [(rules, name) for rules, names in EDITIONS_BY_RULES.items() for name in names]
)
def test_the_engine_and_the_reference_agree_at_every_step(
    rules: int, edition: str, mode: str, seats: int
) -> None:
    rng = random.Random(f"agree {rules} {edition} {mode} {seats}")
    for _ in range(pick_example_count(3, 60)):
        resigning = rng.choice([0, 0, 0.003, 0.02])
        play_both(rng, rules=rules, edition=edition, mode=mode, seats=seats, resigning=resigning)


FEW_MARKERS = {1: 1, 2: 1, 4: 1}


@cache
def load_edition_with_few_markers(name: str) -> Edition:
    return replace(load_edition(name), markers=tuple(FEW_MARKERS.items()))


@pytest.mark.parametrize("edition", EDITIONS_BY_RULES[2])
@pytest.mark.parametrize("obligation", ["strict", "lenient"])
def test_they_agree_where_markers_are_scarce_and_duties_are_passed_up(
    obligation: str, edition: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With one marker of each value, many figures stay unmarked, are passed on or are lost."""
    monkeypatch.setattr(state_module, "load_edition", load_edition_with_few_markers)
    monkeypatch.setattr(reference_module, "STOCK", FEW_MARKERS)
    rng = random.Random(f"scarce {obligation} {edition}")
    for _ in range(pick_example_count(2, 60)):
        mode, seats = rng.choice(TABLES[:-1])
        wishes = {"obligation": obligation, "target": 8}
        play_both(rng, rules=2, edition=edition, mode=mode, seats=seats, resigning=0, **wishes)
