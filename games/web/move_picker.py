"""The move picker: choosing an action step by step with plain links and forms, or at once with the script.

The selection lives in the query string until it is confirmed: `card`, then `start`, `cell`, then `action`.
It is never trusted: whatever is not legal now is dropped, and the page asks again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from urllib.parse import urlencode

from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games import picture_svg
from games.engine import load_edition, text
from games.engine.close_preview import ClosePreview, describe_preview, preview_closings, summarise_preview
from games.game_text import format_tile_name

from .action_parts import CELLS_FROM_TOP, IMMEDIATE_ACTIONS, card_of_action, describe_cell, parse_leap
from .move_picker_data import build_script_data

ViewData = Mapping[str, Any]
STAY_IN_PLACE = "stay"  # target of a leap that only rotates its tile


@dataclass(frozen=True)
class MoveSelection:
    """The cells and the action that are selected so far; each may be empty."""

    start_cell: str
    target_cell: str
    action: str


class MovePicker:
    """The legal actions of a viewer and what is selected so far."""

    def __init__(
        self,
        view: ViewData,
        legal_actions: Sequence[str],
        query: Mapping[str, str],
        translator: text.GameTranslator,
        kept_query: Mapping[str, str] | None = None,
        last_move_cell: str = "",
    ) -> None:
        """Read the selection from `query`; `kept_query` is kept in every link."""
        self.last_move_cell = last_move_cell
        self.view, self.legal_actions, self.words, self.kept_query = (
            view,
            tuple(legal_actions),
            translator,
            dict(kept_query or {}),
        )
        self.edition = load_edition(view["edition"])
        self.is_placing = view["phase"] == "place" and bool(legal_actions)
        self.has_hints = view.get("hints", True)
        self.close_previews = (
            preview_closings(view, legal_actions) if legal_actions and self.has_hints else {}
        )
        self.candidate_actions = [*legal_actions] if self.is_placing else []
        self.card = ""
        if not self.is_placing:
            card = query.get("card", "") or (view.get("stolen") or "")
            self.candidate_actions = [
                candidate
                for candidate in legal_actions
                if candidate not in IMMEDIATE_ACTIONS and card_of_action(candidate) == card
            ]
            self.card = card if self.candidate_actions else ""
        self.is_leaping = self.card.endswith("QL")
        selection = self._read_selection(query)
        self.start_cell, self.target_cell = selection.start_cell, selection.target_cell
        self.action = selection.action
        self.can_undo = any(query.get(name) for name in ("card", "start", "cell", "action"))

    def _read_selection(self, query: Mapping[str, str]) -> MoveSelection:
        """Return what the query selects; with one candidate only, that one."""
        action = query.get("action", "")
        if action in self.legal_actions:
            self.candidate_actions = self.candidate_actions or [action]
        start_cell, target_cell = query.get("start", ""), query.get("cell", "")
        if self.is_leaping:
            starts = {parse_leap(candidate)[0] for candidate in self.candidate_actions}
            start_cell = start_cell if start_cell in starts else ""
            target_cell = start_cell if target_cell == STAY_IN_PLACE else target_cell
            matching_actions = [
                candidate
                for candidate in self.candidate_actions
                if start_cell and parse_leap(candidate)[:2] == (start_cell, target_cell)
            ]
        elif self.is_placing:
            start_cell = ""
            matching_actions = [
                candidate for candidate in self.candidate_actions if candidate.split("-")[1] == target_cell
            ]
        else:
            start_cell, matching_actions = "", self.candidate_actions if self.card else []
        if action not in self.legal_actions:
            # A single legal placement is preselected; a card is played only if the player selected it.
            only_actions = self.candidate_actions if self.is_placing and not target_cell else matching_actions
            action = only_actions[0] if len(only_actions) == 1 else ""
        if action and (self.is_placing or parse_leap(action)):
            parts = action.split("-")
            start_cell, target_cell = (parts[1], parts[2]) if parse_leap(action) else ("", parts[1])
        elif not matching_actions:
            target_cell = ""
        return MoveSelection(start_cell, target_cell, action)

    # --------------------------------------------------------------------------------------------- the board

    @cached_property
    def selectable_cells(self) -> set[str]:
        """The cells that can be selected now."""
        if self.is_placing:
            return {candidate.split("-")[1] for candidate in self.candidate_actions}
        if self.is_leaping:
            ends = {
                parse_leap(candidate)[1]
                for candidate in self.candidate_actions
                if parse_leap(candidate)[0] == self.start_cell
            }
            return (
                ends
                if self.start_cell
                else {parse_leap(candidate)[0] for candidate in self.candidate_actions}
            )
        return set()

    def render_board(self) -> SafeString:
        """Return the board as SVG, with the selected tile as a ghost and the figures that it would close."""
        ghost = None
        if self.action and self.is_placing:
            kind, cell, rotation = self.action.split("-")
            ghost = (kind, cell, int(rotation))
        elif self.action and parse_leap(self.action):
            start, end, leap_rotation = parse_leap(self.action)
            ghost = (self.view["board"]["cells"][start]["tile"], end, int(leap_rotation))
        highlighted = (
            {self.target_cell}
            if self.target_cell
            else {self.start_cell}
            if self.start_cell
            else self.selectable_cells
        )
        close_preview = self.close_previews.get(self.action)
        preview = (
            [(position, value) for _kind, position, value, _marked in close_preview.figures]
            if close_preview
            else []
        )
        svg = picture_svg.draw_board_svg(
            self.view,
            size=560,
            title=_("The board"),
            translator=self.words,
            ghost=ghost,
            highlight=highlighted,
            preview=preview,
        )
        return mark_safe(svg)  # our own SVG, all text escaped

    @cached_property
    def cells(self) -> list[dict[str, Any]]:
        """Every cell with its label, and a link where it can be selected."""
        selectable = self.selectable_cells if not self.action or self.is_placing else set()
        best_previews = self._best_preview_by_cell()
        return [
            {
                "name": name,
                "label": self._label_cell(name, best_previews),
                "free": name in selectable,
                "href": self._build_cell_href(name) if name in selectable else "",
                "is_selected": name in (self.target_cell, self.start_cell),
                "is_last_move": name == self.last_move_cell,
            }
            for name in CELLS_FROM_TOP
        ]

    def _best_preview_by_cell(self) -> dict[str, ClosePreview]:
        """Return the highest-scoring preview for each selectable cell."""
        best_previews: dict[str, ClosePreview] = {}
        for candidate in self.candidate_actions:
            close_preview = self.close_previews.get(candidate)
            cell = (
                candidate.split("-")[1]
                if self.is_placing
                else parse_leap(candidate)[1]
                if parse_leap(candidate)
                else ""
            )
            if close_preview and (
                cell not in best_previews or close_preview.points > best_previews[cell].points
            ):
                best_previews[cell] = close_preview
        return best_previews

    def _label_cell(self, name: str, best_previews: dict[str, ClosePreview]) -> str:
        """Return what lies on a cell and, where a tile can go, what it would close there."""
        cell_text = describe_cell(self.view, name, self.last_move_cell)
        if self.is_placing and name in self.selectable_cells:
            return self._add_preview(cell_text, ", ", best_previews.get(name))
        if self.is_leaping and self.start_cell and name in self.selectable_cells:
            candidates = [
                candidate
                for candidate in self.candidate_actions
                if parse_leap(candidate)[:2] == (self.start_cell, name)
            ]
            previews = [
                self.close_previews[candidate] for candidate in candidates if candidate in self.close_previews
            ]
            best_preview = max(previews, key=lambda preview: preview.points, default=None)
            return self._add_preview(cell_text, ", ", best_preview)
        return cell_text

    def _add_preview(self, label: str, separator: str, preview: ClosePreview | None) -> str:
        """Return a label with what would be closed; without hints the label alone."""
        return f"{label}{separator}{summarise_preview(preview, self.words)}" if self.has_hints else label

    def build_href(self, selection: Mapping[str, str]) -> str:
        """Return the link to this page with the given selection."""
        query_string = urlencode(self.kept_query | dict(selection))
        return f"?{query_string}#board"

    def _build_cell_href(self, name: str) -> str:
        """Return the link that selects a cell."""
        if self.is_placing:
            return self.build_href({"cell": name})
        selection = {"card": self.card, "start": self.start_cell or name} | (
            {"cell": name} if self.start_cell else {}
        )
        return self.build_href(selection)

    # -------------------------------------------------------------------------------------------- the choices

    def list_tiles(self) -> list[dict[str, Any]]:
        """List the tiles that the viewer may place, with the reason why one cannot be placed."""
        if not self.is_placing:
            return []
        seat_no = self.view["you"]["seat"]
        table_tile = next(
            seat_view["table"] for seat_view in self.view["seats"] if seat_view["seat"] == seat_no
        )
        placeable_tiles = [(self.view["drawn"], _("drawn")), (table_tile, _("before you"))]
        playable = {candidate.split("-")[0] for candidate in self.candidate_actions}
        return [
            {
                "kind": kind,
                "picture": self.render_tile(kind, size=64),
                "origin": origin,
                "value": self.edition.tiles[kind].value,
                "is_playable": kind in playable,
                "reason": "" if kind in playable else self._unplayable_reason(kind),
            }
            for kind, origin in placeable_tiles
            if kind
        ]

    def _unplayable_reason(self, kind: str) -> str:
        """Return why a tile cannot be placed now."""
        special = self.edition.tiles[kind].special
        if special == "dark":
            return _("Cannot be placed")
        other_specials = {
            self.edition.tiles[candidate.split("-")[0]].special for candidate in self.candidate_actions
        }
        return (
            _("Your zero tile comes first")
            if "zero" in other_specials
            else _("Not now: your other tile closes a figure")
        )

    def render_tile(self, kind: str, rotation: int = 0, size: int = 56) -> SafeString:
        """Return one tile as SVG."""
        title = format_tile_name(kind, rotation)
        return mark_safe(picture_svg.draw_tile_svg(self.view["edition"], kind, rotation, size, title))

    def list_rotations(self) -> list[dict[str, Any]]:
        """List the rotations that are legal on the selected cell: the last step of the choice."""
        if self.is_placing and self.target_cell:
            candidates = [
                candidate
                for candidate in self.candidate_actions
                if candidate.split("-")[1] == self.target_cell
            ]
        elif self.is_leaping and self.start_cell and self.target_cell:
            candidates = [
                candidate
                for candidate in self.candidate_actions
                if parse_leap(candidate)[:2] == (self.start_cell, self.target_cell)
            ]
        else:
            return []
        return [self._build_rotation(candidate) for candidate in candidates]

    def _build_rotation(self, candidate: str) -> dict[str, Any]:
        """Return one rotation for the template."""
        if self.is_placing:
            kind, _cell, rotation = candidate.split("-")
        else:
            kind, rotation = self.view["board"]["cells"][self.start_cell]["tile"], parse_leap(candidate)[2]
        selection = {"action": candidate} | ({"card": self.card} if self.card else {})
        return {
            "action": candidate,
            "href": self.build_href(selection),
            "picture": self.render_tile(kind, int(rotation), size=72),
            "description": self.describe_action(candidate),
            "preview": self._add_preview("", "", self.close_previews.get(candidate)),
            "points": self.close_previews[candidate].points if candidate in self.close_previews else 0,
            "is_selected": candidate == self.action,
        }

    def describe_action(self, action: str) -> str:
        """Return an action in words."""
        return text.describe_action(action, self.words)

    def describe_closed_figures(self, action: str) -> str:
        """Return the figures that an action would close, in sentences; nothing without hints."""
        if not self.has_hints:
            return ""
        return describe_preview(self.close_previews.get(action), self.words, self.view["kind"])

    def list_hand(self) -> list[dict[str, Any]]:
        """List the viewer's cards, what they do and how they can be played; a stolen card alone."""
        you = self.view.get("you")
        if not you or self.view["phase"] not in ("start", "stolen") or not self.legal_actions:
            return []
        stolen = self.view.get("stolen")
        return [self._build_card(card) for card in ([stolen] if stolen else dict.fromkeys(you["hand"]))]

    def _build_card(self, card: str) -> dict[str, Any]:
        """Return one card and its playable options for the template."""
        prefixes = dict.fromkeys(
            card_of_action(candidate) for candidate in self.legal_actions if candidate[:2] == card
        )
        count = 1 if self.view.get("stolen") else self.view["you"]["hand"].count(card)
        return {
            "code": card,
            "name": self.words.format_card(card),
            "does": self.words.describe_card(card),
            "count": count,
            "plays": [
                {
                    "card": prefix,
                    "href": self.build_href({"card": prefix}),
                    "name": self.words.format_card_use(prefix),
                    "stands_for": self.words.format_card(prefix[3:]) if prefix.startswith("CV=") else "",
                    "is_selected": prefix == self.card,
                }
                for prefix in prefixes
            ],
        }

    def list_targets(self) -> list[dict[str, Any]]:
        """List the targets or directions of the selected card."""
        if not self.card or self.is_leaping or len(self.candidate_actions) < 2:
            return []
        return [
            {
                "href": self.build_href({"card": self.card, "action": candidate}),
                "description": self.describe_action(candidate),
                "is_selected": candidate == self.action,
            }
            for candidate in self.candidate_actions
        ]

    def build_leap_options(self) -> dict[str, Any]:
        """Return the start and end cells of a leap, for a plain form."""
        if not self.is_leaping or self.target_cell:
            return {}
        starts = dict.fromkeys(parse_leap(candidate)[0] for candidate in self.candidate_actions)
        ends = dict.fromkeys(parse_leap(candidate)[1] for candidate in self.candidate_actions)
        return {
            "starts": [(name, describe_cell(self.view, name)) for name in CELLS_FROM_TOP if name in starts],
            "ends": [
                name for name in CELLS_FROM_TOP if name in ends and name not in self.view["board"]["cells"]
            ],
            "start": self.start_cell,
        }

    def list_actions(self) -> list[tuple[str, str]]:
        """List all actions for a select field, except leaps, which are too many."""
        candidates = [
            candidate
            for candidate in self.legal_actions
            if candidate not in IMMEDIATE_ACTIONS and not parse_leap(candidate)
        ]
        if not self.is_placing:
            return [(candidate, self.describe_action(candidate)) for candidate in candidates]
        actions = []
        for candidate in candidates:
            description = self.describe_action(candidate)
            actions.append(
                (candidate, self._add_preview(description, ": ", self.close_previews.get(candidate)))
            )
        return actions

    def describe_duty_cells(self) -> str:
        """Return which cells fulfil the duty to close a figure, in words."""
        is_strict = self.view["options"]["obligation"] == "strict"
        if not (self.is_placing and is_strict and self.close_previews):
            return ""
        cell_names = [name for name in CELLS_FROM_TOP if name in self.selectable_cells]
        sentence = ngettext(
            "You can do so on one cell: %(cells)s.",
            "You can do so on %(n)s cells: %(cells)s.",
            len(cell_names),
        )
        return sentence % {"n": len(cell_names), "cells": self.words.format_and_list(cell_names)}

    def template_context(self) -> dict[str, Any]:
        """Return the context of templates/games/move_picker.html."""
        translator, legal_actions = self.words, self.legal_actions
        immediate_actions = [action for action in legal_actions if action in IMMEDIATE_ACTIONS]
        return {
            "board": self.render_board(),
            "cells": self.cells,
            "is_placing": self.is_placing,
            "card": self.card,
            "card_name": translator.format_card_use(self.card) if self.card else "",
            "start": self.start_cell,
            "cell": self.target_cell,
            "action": self.action,
            "description": self.describe_action(self.action) if self.action else "",
            "preview": self.describe_closed_figures(self.action)
            if self.action and (self.is_placing or self.is_leaping)
            else "",
            "has_preview": self.action in self.close_previews,
            "can_undo": self.can_undo,
            "undo_href": self.build_href({}),
            "tiles": self.list_tiles(),
            "rotations": self.list_rotations(),
            "hand": self.list_hand(),
            "targets": self.list_targets(),
            "leap_options": self.build_leap_options(),
            "stolen_card": self.view.get("stolen") and translator.format_card(self.view["stolen"]),
            "immediate_actions": [
                (action, self.describe_action(action))
                for action in immediate_actions
                if not self.card or self.view["phase"] == "react"
            ],
            "action_choices": self.list_actions(),
            "draws_tile": self.view["phase"] == "start",
            "duty": text.describe_duty(self.view, translator, legal_actions) if legal_actions else "",
            "duty_cells": self.describe_duty_cells(),
            "script_data": build_script_data(self) if legal_actions else None,
        }
