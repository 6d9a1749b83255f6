"""Lines of an organiser's lists, as their templates take them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from games.models import Delivery, Player
from games.web.notices import label
from tournaments import words
from tournaments.models import Decision, Table
from tournaments.selectors import desk, details, page
from tournaments.selectors.conflicts import OwnTables, concerns, own_table_reason
from tournaments.services.undoing import BACK

from .organise_form import SOURCES, TournamentForm


def table_line(table: Table) -> dict[str, Any]:
    """A table: who sits there, and how it ended; it comes from `selectors.page`."""
    told = page.told(table)
    free = any(note["code"] == "free-round" for note in table.reasons)
    how = told["by"] if told["state"] != "bye" else "free" if free else "bye"
    how = "undecided" if how is None and told["state"] == "over" else how
    return {**told, "name": words.match_name(table.match), "ended": words.ended(how, told["seats"])}


def evidence_lines(found: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """What was sent before the clock acted for somebody, and what became of it, in words."""
    return [
        {
            **one,
            "notices": [
                {
                    **notice,
                    "name": label(notice["kind"]),
                    "became": Delivery.Status(notice["status"]).label,
                }
                for notice in one["notices"]
            ],
        }
        for one in found
    ]


def said(decisions: Sequence[Decision]) -> list[str]:
    """Decisions in words."""
    names, players = desk.entrants_in(decisions), desk.players_in(decisions)
    matches = desk.matches_in(decisions)
    return [words.decision(one, names, players=players, matches=matches) for one in decisions]


def log_lines(
    decisions: Sequence[Decision], newest: int, viewer: Player, own: OwnTables
) -> list[dict[str, Any]]:
    """The log: who, when, what, why; and whether it may be taken back. `newest` is the newest table."""

    def may_undo(one: Decision) -> bool:
        return one.what in BACK and not hasattr(one, "undone_by") and newest <= one.last_table

    return [
        {
            "pk": one.pk,
            "by": one.by.name if one.by else "",
            "at": one.at,
            "what": what,
            "changed": changed(one),
            "why": one.why,
            "public_note": one.public_note,
            "undone": hasattr(one, "undone_by"),
            "may_undo": may_undo(one),
            "barred": own_table_reason() if may_undo(one) and concerns(viewer, one, own) else "",
        }
        for one, what in zip(decisions, said(decisions), strict=True)
    ]


def public_log_lines(decisions: Sequence[Decision]) -> list[dict[str, Any]]:
    """The log as everybody may read it: who, when, what, and the notes for all; no reasons."""
    told = details.decided(decisions, organises=False)
    return [
        {**line, "what": what, "settings": changed(one)}
        for one, line, what in zip(decisions, told, said(decisions), strict=True)
    ]


def changed(decision: Decision) -> list[str]:
    """Which settings were laid down anew, by the names that they have in the form."""
    if decision.what != "edit":
        return []
    form = TournamentForm.base_fields
    names = [next(iter(SOURCES.get(name, {name}))) if name not in form else name for name in decision.after]
    return list(dict.fromkeys(str(form[name].label) for name in names if name in form))


def warnings(notes: Sequence[Mapping[str, Any]]) -> list[str]:
    """What an organiser should know before a round, in words."""
    names = desk.names_in(notes)
    return [words.warning(note, names) for note in notes]
