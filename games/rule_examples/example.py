"""A rule example: a position, actions that the engine plays in it, and what must come out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

from games.engine import (
    DEFAULT_EDITION,
    ActionError,
    GameEvent,
    IllegalAction,
    State,
    apply_action,
    apply_without_consequences,
    build_view,
    legal_actions,
)
from games.engine.actions import check_legal
from games.engine.read_models import PositionData

PLAYER_NAMES = ("Anna", "Bruno", "Cleo", "Dirk")


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """The expected outcome of an example; only given fields are compared. Seats and sides are keys."""

    events: tuple[str, ...] = ()  # that happen, in this order, others between them
    owners: Mapping[str, int | None] | None = None  # the side whose marker lies on each closed figure
    points: Mapping[int, int] | None = None  # of the markers in the match under way
    table: Mapping[int, str | None] | None = None  # the table tiles
    cards: Mapping[int, int] | None = None  # how many cards each seat holds
    partner_hand: tuple[str, ...] | None = None  # what the seat to act sees of its partner's cards
    deck: Mapping[str, int] | None = None  # how many there are of each secret card
    markers: Mapping[int, Mapping[int, int]] | None = None  # by side: what is left of each value
    tower: int | None = None  # tiles left
    cell_tiles: Mapping[str, str] = field(default_factory=dict)  # tiles on the board, such as "E90"
    turn: int | None = None
    drawn: str | None = None
    seniority: tuple[int, ...] | None = None
    # What the seat to act may do: its actions, or the tiles and cells of its placements.
    actions: frozenset[str] | None = None
    tiles: str | None = None
    cells: frozenset[str] | None = None
    # The match that was scored last, and the game.
    ended: str | None = None
    scores: Mapping[int, int] | None = None
    silly: tuple[int, ...] | None = None
    totals: Mapping[int, int] | None = None
    winner: int | None = None  # 0: nobody
    is_over: bool | None = None


@dataclass(frozen=True, kw_only=True)
class RuleExample:
    """A worked example of one statement of the rules page.

    An action is played by the seat that is to act, or by the one in front of it: "2:8". The refused actions
    are tried after the others; each comes with the rule that the engine must name.
    """

    start: Callable[..., State]  # called with the edition
    actions: tuple[str, ...] = ()
    refused: Mapping[str, str] = field(default_factory=dict)
    outcome: Outcome = Outcome()
    editions: tuple[str, ...] = ()  # in which the statement is true; empty: in all

    def find_edition(self, edition: str) -> str:
        """The edition that the example is played in on a page of this edition."""
        return self.editions[0] if self.editions and edition not in self.editions else edition

    def run(self, edition: str = DEFAULT_EDITION) -> ExampleRun:
        """Play the actions. Raises IllegalAction or NotYourTurn where the engine does."""
        states = [self.start(edition=self.find_edition(edition))]
        events: list[GameEvent] = []
        for text in self.actions:
            seat, action = split_action(states[-1], text)
            state, new_events = apply_action(states[-1], seat, action)
            states.append(state)
            events += new_events
        return ExampleRun(self, tuple(states), tuple(events))


class RefusedAction(NamedTuple):
    """An action that the engine refuses, and its error."""

    seat: int
    action: str
    error: ActionError


@dataclass(frozen=True)
class ExampleRun:
    """An example that was played: every state, and everything that happened."""

    example: RuleExample
    states: tuple[State, ...]
    events: tuple[GameEvent, ...]

    @property
    def end(self) -> State:
        """The state after the last action."""
        return self.states[-1]

    @cached_property
    def refusals(self) -> list[RefusedAction]:
        """The refused actions. Raises ValueError if one of them is legal."""
        refusals = []
        for text in self.example.refused:
            seat, action = split_action(self.end, text)
            try:
                check_legal(self.end, seat, action)
            except ActionError as error:
                refusals.append(RefusedAction(seat, action, error))
            else:
                raise ValueError(f"{action} is legal")
        return refusals

    @cached_property
    def last_board(self) -> PositionData:
        """The view whose board is drawn: the last one, or that of the match that the last action ended."""
        if len(self.states) > 1 and self.end.match_no != self.states[-2].match_no:
            seat, action = split_action(self.states[-2], self.example.actions[-1])
            return build_view(apply_without_consequences(self.states[-2], seat, action))
        return build_view(self.end)

    def list_differences(self) -> list[str]:
        """List the differences between engine and example; empty if the example is right."""
        outcome, details = self.example.outcome, self._collect_details()
        differences = [
            f"{name}: {details[name]!r} instead of {getattr(outcome, name)!r}"
            for name in details
            if getattr(outcome, name) is not None and getattr(outcome, name) != details[name]
        ]
        kinds = iter(event["event"] for event in self.events)
        if not all(kind in kinds for kind in outcome.events):
            differences.append(f"events: {[event['event'] for event in self.events]!r}")
        cells = build_view(self.end)["board"]["cells"]
        for cell, label in outcome.cell_tiles.items():
            tile = cells.get(cell)
            if (tile and f"{tile['tile']}{tile['rotation'] or ''}") != label:
                differences.append(f"{cell}: {tile!r} instead of {label}")
        rules = {
            text: error.rule if isinstance(error, IllegalAction) else type(error).__name__
            for text, (_seat, _action, error) in zip(self.example.refused, self.refusals, strict=True)
        }
        if rules != dict(self.example.refused):
            differences.append(f"refused: {rules!r}")
        return differences

    def _collect_details(self) -> dict[str, object]:
        """Collect the details that an outcome may name, as the engine has them."""
        state, view = self.end, build_view(self.end)
        actor = state.seats_to_act[0] if state.seats_to_act else 0
        actions = frozenset(legal_actions(state, actor)) if actor else frozenset()
        placements = [action.split("-") for action in actions if action[1] == "-"]
        partner = build_view(state, actor)["you"]["partner"] if actor else None
        last_match = state.match_results[-1] if state.match_results else None
        return {
            "owners": {figure["place"]: figure["side"] for figure in view["board"]["figures"]},
            "points": _by_number(view["points"]),
            "table": {seat["seat"]: seat["table"] for seat in view["seats"]},
            "cards": {seat["seat"]: seat["cards"] for seat in view["seats"]},
            "deck": Counter(state.setup.edition_data.deck),
            "partner_hand": tuple((partner["hand"] if partner else None) or ()),
            "markers": {side: _by_number(markers) for side, markers in _by_number(view["markers"]).items()},
            "tower": view["tower_left"],
            "turn": view["turn"],
            "drawn": view["drawn"],
            "seniority": state.setup.seniority,
            "actions": actions,
            "tiles": "".join(sorted({placement[0] for placement in placements})),
            "cells": frozenset(placement[1] for placement in placements),
            "ended": last_match and last_match["ended"],
            "scores": last_match and _by_number(last_match["scores"]),
            "silly": last_match and tuple(last_match["silly"]),
            "totals": _by_number(view["totals"]),
            "winner": view["winner"] or 0,
            "is_over": state.is_over,
        }


def split_action(state: State, text: str) -> tuple[int, str]:
    """The seat and the action of an action of an example."""
    seat, separator, action = text.partition(":")
    return (int(seat), action) if separator else (state.seats_to_act[0], text)


def _by_number(values: Mapping[str, Any]) -> dict[int, Any]:
    """A mapping of a view, whose keys are numbers in JSON."""
    return {int(key): value for key, value in values.items()}
