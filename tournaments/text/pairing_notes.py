"""Text for the notes of pairings: reasons, warnings, placements."""

from __future__ import annotations

from collections.abc import Callable
from typing import assert_never

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.pairing import NewcomerOrigin, PairingReason, PairingWarning, PlacementReason, TableWarning

from .labels import (
    DataDict,
    EntrantNames,
    format_match_name,
    format_number,
    format_ordinal,
    format_points,
    join_names,
)

NoteFormatter = Callable[[DataDict, EntrantNames], str]


def describe_match_origin(note: DataDict, entrant_names: EntrantNames) -> str:
    """Describe from which match an entrant comes."""
    details = {
        "name": join_names(entrant_names, note["entrant"]),
        "match": format_match_name(str(note["match"])),
    }
    if note["place"] == 1:
        return _("%(name)s won (%(match)s).") % details
    return _("%(name)s came second (%(match)s).") % details


def describe_schedule(note: DataDict, entrant_names: EntrantNames) -> str:
    """Describe a pairing of a round robin."""
    sentence = _("Scheduled for round %(round)s of %(rounds)s.") % dict(note)
    if note["cycle"] > 1:
        sentence += " " + _("Meeting number %(cycle)s.") % dict(note)
    return sentence


def describe_smaller_table(note: DataDict, entrant_names: EntrantNames) -> str:
    """Describe why a table has fewer seats than others."""
    if note.get("absent"):
        return _("A smaller table, because others left: %(names)s.") % {
            "names": join_names(entrant_names, note["absent"])
        }
    return _("A smaller table, because the players do not divide evenly.")


def describe_score_range(note: DataDict, entrant_names: EntrantNames) -> str:
    """Describe the score range at a table of three or four."""
    if note["highest"] == note["lowest"]:
        return _("Everybody at this table has %(points)s.") % {"points": format_points(note["highest"])}
    details = {"lowest": format_number(note["lowest"]), "highest": format_points(note["highest"])}
    return _("Close in the standings: %(lowest)s to %(highest)s.") % details


def describe_table_quality(note: DataDict, entrant_names: EntrantNames) -> str:
    """Describe whether the tables of a round are proven to be the best."""
    if note["proved"]:
        return _("No other tables give fewer repeat meetings or closer scores.")
    return _("The best tables we found for this round; better ones may exist.")


def describe_repeat_meeting(note: DataDict, entrant_names: EntrantNames) -> str:
    """Describe a repeated meeting. Notes of older rounds have no `proved`."""
    details = {"names": join_names(entrant_names, note["entrants"]), "n": note["times"]}
    if note.get("proved"):
        template = ngettext(
            "%(names)s have met once before: no better pairing exists.",
            "%(names)s have met %(n)s times before: no better pairing exists.",
            note["times"],
        )
    else:
        template = ngettext(
            "%(names)s have met once before: we found no better pairing.",
            "%(names)s have met %(n)s times before: we found no better pairing.",
            note["times"],
        )
    return template % details


def describe_bye(note: DataDict, entrant_names: EntrantNames) -> str:
    """Describe who has the bye."""
    details = {"name": join_names(entrant_names, note["entrant"]), "points": format_points(note["points"])}
    return (
        _("An odd number of entrants: %(name)s, low in the standings with %(points)s, gets the bye.")
        % details
    )


def describe_bye_exceptions(note: DataDict, entrant_names: EntrantNames) -> str:
    """Describe why lower-ranked entrants do not have the bye."""
    sentences = []
    if note["had"]:
        sentences.append(
            _("Lower, but already had a bye: %(names)s.") % {"names": join_names(entrant_names, note["had"])}
        )
    if note["rematch"]:
        details = {"names": join_names(entrant_names, note["rematch"])}
        sentences.append(_("Lower, but needed to avoid a repeat meeting: %(names)s.") % details)
    return " ".join(sentences)


def describe_float(note: DataDict, entrant_names: EntrantNames) -> str:
    """Describe a pairing between different scores."""
    details = {
        "name": join_names(entrant_names, note["entrant"]),
        "points": format_points(note["points"]),
        "to": format_points(note["to"]),
    }
    if note["code"] == PairingReason.FLOAT_DOWN:
        sentence = _("%(name)s is paired down, from %(points)s to %(to)s: no equal is free.") % details
    else:
        sentence = _("%(name)s is paired up, from %(points)s to %(to)s.") % details
    return f"{sentence} {describe_float_count(note)}" if note["before"] else sentence


def describe_float_count(note: DataDict) -> str:
    """Describe which time it is that an entrant meets another score, above or below."""
    return _("%(nth)s time paired up or down.") % {"nth": format_ordinal(note["before"] + 1)}


def describe_seat_balance(note: DataDict, entrant_names: EntrantNames) -> str:
    """Describe that the first seat balances seat counts."""
    details = {**note, "name": join_names(entrant_names, note["first"])}
    if note["times"] < note["other"]:
        return _("%(name)s sits first: %(times)s× first so far, the other %(other)s×.") % details
    if "times_second" not in note:  # notes of older rounds have half of the counts
        return _("%(name)s sits first, so that everybody sits first about as often as second.") % details
    return (
        _(
            "%(name)s sits first: so far %(times)s× first and %(times_second)s× second, "
            "the other %(other)s× first and %(other_second)s× second."
        )
        % details
    )


def describe_seat_turn(note: DataDict, entrant_names: EntrantNames) -> str:
    """Describe that the first seat alternates; both have had it equally often."""
    details = {"name": join_names(entrant_names, note["first"])}
    if note["sat_second"]:
        return _("%(name)s sits first, having sat second last time.") % details
    return _("%(name)s sits first, as the other sat first last time.") % details


def make_note_formatter(make_template: Callable[[], str]) -> NoteFormatter:
    """Return a formatter that fills entrant names, match name and note details into one sentence."""

    def format_note(note: DataDict, entrant_names: EntrantNames) -> str:
        entrant_ids = note.get("entrant", note.get("entrants", note.get("absent", note.get("first"))))
        match_name = format_match_name(str(note.get("match", "")))
        return make_template() % {**note, "name": join_names(entrant_names, entrant_ids), "match": match_name}

    return format_note


REASON_FORMATTERS: dict[PairingReason, NoteFormatter] = {
    PairingReason.FROM_SEED: make_note_formatter(lambda: _("%(name)s is seed %(seed)s.")),
    PairingReason.FROM_MATCH: describe_match_origin,
    PairingReason.REMATCH: make_note_formatter(
        lambda: _("The first game was a draw, so they play a rematch.")
    ),
    PairingReason.BY_REMATCH: make_note_formatter(
        lambda: _("The first game was a draw; the rematch decided.")
    ),
    PairingReason.HIGHER_SEED: lambda note, names: (
        _("The rematch was a draw, too: %(name)s advances as seed %(seed)s.")
        % {"name": join_names(names, note["entrants"][0]), "seed": note["seed"]}
    ),
    PairingReason.WALKOVER: make_note_formatter(lambda: _("Forfeit by %(name)s.")),
    PairingReason.SCHEDULE: describe_schedule,
    PairingReason.FREE_ROUND: make_note_formatter(
        lambda: _("An odd number of entrants: by the schedule, %(name)s has a bye in round %(round)s.")
    ),
    PairingReason.SMALLER_TABLE: describe_smaller_table,
    PairingReason.ONE_OF_EACH_STRENGTH: make_note_formatter(
        lambda: _("First round: one player of each strength at every table.")
    ),
    PairingReason.BY_SCORE: describe_score_range,
    PairingReason.BEST_TABLES: describe_table_quality,
    PairingReason.MET_BEFORE: describe_repeat_meeting,
    PairingReason.BYE_ALONE: make_note_formatter(lambda: _("%(name)s has no opponent left.")),
    PairingReason.BYE_LOWEST: describe_bye,
    PairingReason.BYE_PASSED_OVER: describe_bye_exceptions,
    PairingReason.FIRST_ROUND: make_note_formatter(
        lambda: _("First round: seed %(higher)s meets seed %(lower)s.")
    ),
    PairingReason.SAME_SCORE: lambda note, names: (
        _("Both have %(points)s.") % {"points": format_points(note["points"])}
    ),
    PairingReason.FLOAT_DOWN: describe_float,
    PairingReason.FLOAT_UP: describe_float,
    PairingReason.SEAT_LOT: make_note_formatter(lambda: _("%(name)s sits first by lot.")),
    PairingReason.SEAT_TURN: describe_seat_turn,
    PairingReason.SEAT_BALANCE: describe_seat_balance,
    PairingReason.SEAT_RUN: make_note_formatter(
        lambda: _("%(name)s sits first, so that nobody has the same seat three times in a row.")
    ),
}
WARNING_FORMATTERS: dict[PairingWarning, NoteFormatter] = {
    PairingWarning.ABSENT: make_note_formatter(lambda: _("Sitting out this round: %(name)s.")),
    PairingWarning.ODD_NUMBER: make_note_formatter(
        lambda: _("An odd number of entrants: %(name)s would have no game.")
    ),
    PairingWarning.REMATCH_UNAVOIDABLE: make_note_formatter(lambda: _("%(name)s would meet again.")),
    PairingWarning.STALE_RESULT: make_note_formatter(
        lambda: _("A result would no longer count, because others play there now: %(match)s, %(name)s.")
    ),
    PairingWarning.LATE_ENTRY: make_note_formatter(lambda: _("Too late for the draw: %(name)s.")),
}
TABLE_WARNING_FORMATTERS: dict[TableWarning, NoteFormatter] = {
    TableWarning.UNDECIDED: make_note_formatter(
        lambda: _("The game ended while it did not count. Enter its result: %(match)s, %(name)s.")
    ),
}


def describe_reason(note: DataDict, entrant_names: EntrantNames) -> str:
    """Describe why a pairing was made, or how a match was decided."""
    formatter = REASON_FORMATTERS.get(note["code"])
    return formatter(note, entrant_names) if formatter else str(note["code"])


def describe_warning(note: DataDict, entrant_names: EntrantNames) -> str:
    """Describe what an organiser should know before a round is published, or the tournament goes on."""
    formatter = WARNING_FORMATTERS.get(note["code"]) or TABLE_WARNING_FORMATTERS.get(note["code"])
    return formatter(note, entrant_names) if formatter else str(note["code"])


def describe_placement(note: DataDict) -> str:
    """Describe why a player is placed in a division; a placement without a stored reason has no text."""
    if not note:
        return ""
    reason = PlacementReason(note["code"])
    match reason:
        case PlacementReason.NEWCOMER:
            return describe_newcomer_origin(NewcomerOrigin(note["by"]))
        case PlacementReason.STAYS:
            return _("stays")
        case PlacementReason.PROMOTED:
            return _("up from division %(was)s") % dict(note)
        case PlacementReason.RELEGATED:
            return _("down from division %(was)s") % dict(note)
        case _:
            assert_never(reason)


def describe_newcomer_origin(origin: NewcomerOrigin) -> str:
    """Describe why a newcomer is placed in a division."""
    match origin:
        case NewcomerOrigin.START:
            return _("starts here")
        case NewcomerOrigin.RATING:
            return _("new, where the rating fits")
        case NewcomerOrigin.BOTTOM:
            return _("new, from the bottom")
        case _:
            assert_never(origin)
