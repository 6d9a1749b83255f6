"""Lines of an organiser's lists, as their templates take them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tournaments import words
from tournaments.models import Decision, Table
from tournaments.selectors import desk, seats_of
from tournaments.services.undoing import BACK


def table_line(table: Table, names: Mapping[Any, str]) -> dict[str, Any]:
    """A table: who sits there, and how it ended."""
    seats, told = seats_of(table), table.result or {}
    ranks, points = told.get("ranks") or [], told.get("points") or []
    return {
        "pk": table.pk,
        "match": words.match_name(table.match),
        "rematch": table.rematch > 1,
        "bye": len(seats) == 1,
        "over": table.settled_at is not None,
        "ended": words.ended(told.get("by")),
        "by": told.get("by") or "",
        "game": table.game.code if table.game else "",
        "seats": [
            {
                "name": names.get(pk, "–"),
                "rank": ranks[place] if place < len(ranks) else None,
                "points": points[place] if place < len(points) else None,
                "forfeit": pk in told.get("forfeits", ()),
            }
            for place, pk in enumerate(seats)
        ],
    }


def table_lines(tables: Sequence[Table]) -> list[dict[str, Any]]:
    """The lines of some tables; their sittings are at hand."""
    names = desk.names_at(tables)
    return [table_line(table, names) for table in tables]


def said(decisions: Sequence[Decision]) -> list[str]:
    """Decisions in words."""
    names, players = desk.entrants_in(decisions), desk.players_in(decisions)
    matches = desk.matches_in(decisions)
    return [words.decision(one, names, players=players, matches=matches) for one in decisions]


def log_lines(decisions: Sequence[Decision], newest: int) -> list[dict[str, Any]]:
    """The log: who, when, what, why; and whether it may be taken back. `newest` is the newest table."""
    return [
        {
            "pk": one.pk,
            "by": one.by.name if one.by else "",
            "at": one.at,
            "what": what,
            "why": one.why,
            "undone": hasattr(one, "undone_by"),
            "may_undo": one.what in BACK and not hasattr(one, "undone_by") and newest <= one.last_table,
        }
        for one, what in zip(decisions, said(decisions), strict=True)
    ]


def warnings(notes: Sequence[Mapping[str, Any]]) -> list[str]:
    """What an organiser should know before a round, in words."""
    names = desk.names_in(notes)
    return [words.warning(note, names) for note in notes]
