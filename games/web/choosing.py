"""Choosing what to play: as plain links and forms, step by step, and what a script needs to do it in one.

A choice lives in the address until it is confirmed: `card`, then `start`, `cell`, then `action`. Nothing in
it is believed: what is not legal now is left out, and the page asks again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any
from urllib.parse import urlencode

from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games import picture
from games.engine import edition, text
from games.engine.outlook import Outlook, outlooks, short, told
from games.words import tile_name

from .choosing_script import script
from .ways import AT_ONCE, GRID, holds, leap, power

View = Mapping[str, Any]
STAY = "stay"  # where a leap goes that only turns a tile


class Choice:
    """What a viewer may play, and what of it is chosen so far."""

    def __init__(
        self,
        view: View,
        legal: Sequence[str],
        query: Mapping[str, str],
        words: text.Words,
        keep: Mapping[str, str] | None = None,
    ) -> None:
        """`keep` is what else stands in the address and stays there."""
        self.view, self.legal, self.words, self.keep = view, tuple(legal), words, dict(keep or {})
        self.box = edition(view["edition"])
        self.placing = view["phase"] == "place" and bool(legal)
        self.looks = outlooks(view, legal) if legal else {}
        self.ways = [*legal] if self.placing else []
        self.card = ""
        if not self.placing:
            card = query.get("card", "") or (view.get("stolen") or "")
            self.ways = [way for way in legal if way not in AT_ONCE and power(way) == card]
            self.card = card if self.ways else ""
        self.leaping = self.card.endswith("QL")
        self.start, self.cell, self.action = self._picked(query)
        self.undo = any(query.get(name) for name in ("card", "start", "cell", "action"))

    def _picked(self, query: Mapping[str, str]) -> tuple[str, str, str]:
        """What the address says is chosen; where there is one way only, that one."""
        action = query.get("action", "")
        if action in self.legal:
            self.ways = self.ways or [action]
        start, cell = query.get("start", ""), query.get("cell", "")
        if self.leaping:
            starts = {leap(way)[0] for way in self.ways}
            start = start if start in starts else ""
            cell = start if cell == STAY else cell
            there = [way for way in self.ways if start and leap(way)[:2] == (start, cell)]
        elif self.placing:
            start = ""
            there = [way for way in self.ways if way.split("-")[1] == cell]
        else:
            start, there = "", self.ways if self.card else []
        if action not in self.legal:
            # A duty that leaves one placement needs no choosing; a card is chosen, too, or it is not played.
            single = self.ways if self.placing and not cell else there
            action = single[0] if len(single) == 1 else ""
        if action and (self.placing or leap(action)):
            parts = action.split("-")
            start, cell = (parts[1], parts[2]) if leap(action) else ("", parts[1])
        elif not there:
            cell = ""
        return start, cell, action

    # --------------------------------------------------------------------------------------------- the board

    @cached_property
    def free(self) -> set[str]:
        """The cells that can be chosen now."""
        if self.placing:
            return {way.split("-")[1] for way in self.ways}
        if self.leaping:
            ends = {leap(way)[1] for way in self.ways if leap(way)[0] == self.start}
            return ends if self.start else {leap(way)[0] for way in self.ways}
        return set()

    def board(self) -> SafeString:
        """The board with what is chosen on it as a ghost, and what that would close."""
        ghost = None
        if self.action and self.placing:
            kind, cell, rotation = self.action.split("-")
            ghost = (kind, cell, int(rotation))
        elif self.action and leap(self.action):
            start, end, turn = leap(self.action)
            ghost = (self.view["board"]["cells"][start]["tile"], end, int(turn))
        marked = {self.cell} if self.cell else {self.start} if self.start else self.free
        look = self.looks.get(self.action)
        preview = [(place, value) for _kind, place, value, _marked in look.figures] if look else []
        drawn = picture.svg(
            self.view,
            size=560,
            title=_("The board"),
            words=self.words,
            ghost=ghost,
            highlight=marked,
            preview=preview,
        )
        return mark_safe(drawn)  # drawn by us, every text in it escaped

    @cached_property
    def cells(self) -> list[dict[str, Any]]:
        """Every cell with what it holds and what it would close, and a link where it can be chosen."""
        free = self.free if not self.action or self.placing else set()
        best = self._best()
        return [
            {
                "name": name,
                "label": self._label(name, best),
                "free": name in free,
                "href": self._link(name) if name in free else "",
                "on": name == self.cell or name == self.start,
            }
            for name in GRID
        ]

    def _best(self) -> dict[str, Outlook]:
        """For each cell that can be chosen, the best that lies in it."""
        best: dict[str, Outlook] = {}
        for way in self.ways:
            look = self.looks.get(way)
            place = way.split("-")[1] if self.placing else leap(way)[1] if leap(way) else ""
            if look and (place not in best or look.points > best[place].points):
                best[place] = look
        return best

    def _label(self, name: str, best: dict[str, Outlook]) -> str:
        held = holds(self.view, name)
        if self.placing and name in self.free:
            return f"{held}, {short(best.get(name), self.words)}"
        if self.leaping and self.start and name in self.free:
            ways = [way for way in self.ways if leap(way)[:2] == (self.start, name)]
            found = [self.looks[way] for way in ways if way in self.looks]
            return f"{held}, {short(max(found, key=lambda look: look.points, default=None), self.words)}"
        return held

    def href(self, chosen: Mapping[str, str]) -> str:
        """The address of a page on which this is chosen."""
        asked = urlencode(self.keep | dict(chosen))
        return f"?{asked}#board"

    def _link(self, name: str) -> str:
        if self.placing:
            return self.href({"cell": name})
        chosen = {"card": self.card, "start": self.start or name} | ({"cell": name} if self.start else {})
        return self.href(chosen)

    # -------------------------------------------------------------------------------------------- the choices

    def tiles(self) -> list[dict[str, Any]]:
        """The tiles that the viewer may place from, and why one of them may not be."""
        if not self.placing:
            return []
        seat = self.view["you"]["seat"]
        table = next(entry["table"] for entry in self.view["seats"] if entry["seat"] == seat)
        held = [(self.view["drawn"], _("drawn")), (table, _("from your table"))]
        playable = {way.split("-")[0] for way in self.ways}
        return [
            {
                "kind": kind,
                "picture": self.tile(kind, size=64),
                "whence": whence,
                "value": self.box.tiles[kind].value,
                "playable": kind in playable,
                "why": "" if kind in playable else self._not_now(kind),
            }
            for kind, whence in held
            if kind
        ]

    def _not_now(self, kind: str) -> str:
        special = self.box.tiles[kind].special
        if special == "dark":
            return _("never placed")
        other = {self.box.tiles[way.split("-")[0]].special for way in self.ways}
        return _("the zero tile comes first") if "zero" in other else _("closes nothing, the other one does")

    def tile(self, kind: str, rotation: int = 0, size: int = 56) -> SafeString:
        """A tile by itself."""
        title = tile_name(kind, rotation)
        return mark_safe(picture.tile_svg(self.view["edition"], kind, rotation, size, title))

    def fits(self) -> list[dict[str, Any]]:
        """The ways in which a tile fits where it was put: the last thing to choose."""
        if self.placing and self.cell:
            ways = [way for way in self.ways if way.split("-")[1] == self.cell]
        elif self.leaping and self.start and self.cell:
            ways = [way for way in self.ways if leap(way)[:2] == (self.start, self.cell)]
        else:
            return []
        return [self._fit(way) for way in ways]

    def _fit(self, way: str) -> dict[str, Any]:
        if self.placing:
            kind, _cell, rotation = way.split("-")
        else:
            kind, rotation = self.view["board"]["cells"][self.start]["tile"], leap(way)[2]
        chosen = {"action": way} | ({"card": self.card} if self.card else {})
        return {
            "action": way,
            "href": self.href(chosen),
            "picture": self.tile(kind, int(rotation), size=72),
            "said": self.said(way),
            "closes": short(self.looks.get(way), self.words),
            "points": self.looks[way].points if way in self.looks else 0,
            "on": way == self.action,
        }

    def said(self, action: str) -> str:
        """An action in words."""
        return text.choice(action, self.words)

    def closes(self, action: str) -> str:
        """What an action would close, in sentences."""
        return told(self.looks.get(action), self.words, self.view["kind"])

    def hand(self) -> list[dict[str, Any]]:
        """The viewer's cards with what they do and how they can be played; a kidnapped one alone."""
        you = self.view.get("you")
        if not you or self.view["phase"] not in ("start", "stolen") or not self.legal:
            return []
        stolen = self.view.get("stolen")
        return [self._card(card) for card in ([stolen] if stolen else dict.fromkeys(you["hand"]))]

    def _card(self, card: str) -> dict[str, Any]:
        prefixes = dict.fromkeys(power(way) for way in self.legal if way[:2] == card)
        n = 1 if self.view.get("stolen") else self.view["you"]["hand"].count(card)
        return {
            "code": card,
            "name": self.words.card(card),
            "does": self.words.does(card),
            "n": n,
            "ways": [
                {
                    "card": prefix,
                    "href": self.href({"card": prefix}),
                    "name": self.words.power(prefix),
                    "as": self.words.card(prefix[3:]) if prefix.startswith("CV=") else "",
                    "on": prefix == self.card,
                }
                for prefix in prefixes
            ],
        }

    def targets(self) -> list[dict[str, Any]]:
        """Whom a chosen card can hit, or which way it can go."""
        if not self.card or self.leaping or len(self.ways) < 2:
            return []
        return [
            {
                "href": self.href({"card": self.card, "action": way}),
                "said": self.said(way),
                "on": way == self.action,
            }
            for way in self.ways
        ]

    def leaps(self) -> dict[str, Any]:
        """From where and to where a tile can leap, for a plain form."""
        if not self.leaping or self.cell:
            return {}
        starts = dict.fromkeys(leap(way)[0] for way in self.ways)
        ends = dict.fromkeys(leap(way)[1] for way in self.ways)
        return {
            "starts": [(name, holds(self.view, name)) for name in GRID if name in starts],
            "ends": [name for name in GRID if name in ends and name not in self.view["board"]["cells"]],
            "start": self.start,
        }

    def listed(self) -> list[tuple[str, str]]:
        """Everything in one list, for who likes that better; leaps are too many, and chosen in steps."""
        ways = [way for way in self.legal if way not in AT_ONCE and not leap(way)]
        if not self.placing:
            return [(way, self.said(way)) for way in ways]
        return [(way, f"{self.said(way)}: {short(self.looks.get(way), self.words)}") for way in ways]

    def places(self) -> str:
        """Where a duty can be fulfilled."""
        strict = self.view["options"]["obligation"] == "strict"
        if not (self.placing and strict and self.looks):
            return ""
        names = [name for name in GRID if name in self.free]
        sentence = ngettext(
            "There is one place for it: %(cells)s.", "There are %(n)s places for it: %(cells)s.", len(names)
        )
        return sentence % {"n": len(names), "cells": self.words.listed(names)}

    def facts(self) -> dict[str, Any]:
        """All that the template needs."""
        words, legal = self.words, self.legal
        at_once = [action for action in legal if action in AT_ONCE]
        return {
            "board": self.board(),
            "cells": self.cells,
            "placing": self.placing,
            "card": self.card,
            "card_name": words.power(self.card) if self.card else "",
            "start": self.start,
            "cell": self.cell,
            "action": self.action,
            "said": self.said(self.action) if self.action else "",
            "closes": self.closes(self.action) if self.action and (self.placing or self.leaping) else "",
            "gains": self.action in self.looks,
            "undo": self.undo,
            "undo_at": self.href({}),
            "tiles": self.tiles(),
            "fits": self.fits(),
            "hand": self.hand(),
            "targets": self.targets(),
            "leaps": self.leaps(),
            "stolen": self.view.get("stolen") and words.card(self.view["stolen"]),
            "at_once": [
                (action, self.said(action))
                for action in at_once
                if not self.card or self.view["phase"] == "react"
            ],
            "listed": self.listed(),
            "drawing": self.view["phase"] == "start",
            "duty": text.duty(self.view, words, legal) if legal else "",
            "places": self.places(),
            "script": script(self) if legal else None,
        }
