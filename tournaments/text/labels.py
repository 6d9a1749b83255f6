"""Labels of numbers, entrants, rounds, matches and match states."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, assert_never

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from tournaments.pairing import MatchState, SeatSource

EntrantNames = Mapping[Any, str]
DataDict = Mapping[str, Any]
FRACTION_SIGNS = {0.25: "¼", 0.5: "½", 0.75: "¾"}
_MATCH_ID_PATTERN = re.compile(r"^([RWL])(\d+)\.(\d+)$")


def format_number(value: float | None) -> str:
    """Format a number of points, with signs for quarters and halves."""
    if value is None:
        return "–"
    integer_part, fraction = divmod(value, 1)
    if fraction not in FRACTION_SIGNS:
        return f"{value:g}"
    return f"{integer_part:g}{FRACTION_SIGNS[fraction]}" if integer_part else FRACTION_SIGNS[fraction]


def format_points(value: float) -> str:
    """Format a number with the word "points"."""
    return ngettext("%(n)s point", "%(n)s points", 1 if value == 1 else 2) % {"n": format_number(value)}


def format_ordinal(number: int) -> str:
    """Format a number as an ordinal; Italian has the feminine form, for “volta”."""
    last_digit = 0 if number % 100 in (11, 12, 13) else number % 10
    templates = {
        1: pgettext("ordinal", "%(n)sst"),
        2: pgettext("ordinal", "%(n)snd"),
        3: pgettext("ordinal", "%(n)srd"),
    }
    return templates.get(last_digit, pgettext("ordinal", "%(n)sth")) % {"n": number}


def join_names(entrant_names: EntrantNames, entrant_ids: Any) -> str:
    """Return the name of an entrant, or the joined names of several."""
    if not isinstance(entrant_ids, list | tuple):
        return entrant_names.get(entrant_ids, "–")
    called_names = [entrant_names.get(entrant_id, "–") for entrant_id in entrant_ids]
    return _(" and ").join(
        [", ".join(called_names[:-1]), called_names[-1]] if len(called_names) > 1 else called_names
    )


def format_round_name(bracket: str, round_no: int, round_count: int | None = None) -> str:
    """Return the name of a round. With `round_count` the last rounds of a knock-out get their names."""
    if bracket == "third":
        return _("Third place")
    if bracket == "final":
        return _("Final") if round_no == 1 else _("Second final")
    if bracket == "losers":
        return _("Losers’ round %(n)s") % {"n": round_no}
    if bracket == "winners":
        return _("Winners’ round %(n)s") % {"n": round_no}
    if round_count and round_count - round_no in (0, 1, 2):
        return [_("Final"), _("Semi-final"), _("Quarter-final")][round_count - round_no]
    return _("Round %(n)s") % {"n": round_no}


def format_match_name(match_id: str, round_count: int | None = None) -> str:
    """Return round and table of a match, from its id such as R1.2."""
    if match_id == "third":
        return format_round_name("third", 1)
    if match_id in ("F1", "F2"):
        return format_round_name("final", int(match_id[1]))
    parsed = _MATCH_ID_PATTERN.match(match_id)
    if parsed is None:
        return match_id
    bracket = {"R": "main", "W": "winners", "L": "losers"}[parsed[1]]
    round_label = format_round_name(bracket, int(parsed[2]), round_count)
    if bracket == "main" and round_count == int(parsed[2]):
        return round_label
    return _("%(round)s, table %(n)s") % {"round": round_label, "n": parsed[3]}


def format_table_name(match_id: str) -> str:
    """Return the table of a match, where its round is clear."""
    parsed = _MATCH_ID_PATTERN.match(match_id)
    return _("Table %(n)s") % {"n": parsed[3]} if parsed else format_match_name(match_id)


def describe_seat_source(seat_source: SeatSource, round_count: int | None = None) -> str:
    """Describe where an empty seat of a bracket is filled from."""
    if seat_source.match:
        details = {"match": format_match_name(seat_source.match, round_count)}
        if seat_source.place == 1:
            return _("winner of %(match)s") % details
        return _("second of %(match)s") % details
    return _("seed %(seed)s") % {"seed": seat_source.seed} if seat_source.seed else _("bye")


def describe_seat_source_briefly(seat_source: SeatSource) -> str:
    """Describe it briefly for the picture, where the round is visible."""
    parsed = _MATCH_ID_PATTERN.match(seat_source.match or "")
    if parsed is None:
        return ""
    details = {"n": parsed[3]}
    return (
        _("winner, table %(n)s") % details if seat_source.place == 1 else _("second, table %(n)s") % details
    )


def describe_match_state(state: MatchState) -> str:
    """Describe the state of a match."""
    match state:
        case MatchState.WAITING | MatchState.READY:
            return _("to come")
        case MatchState.OPEN:
            return _("in progress")
        case MatchState.DECIDED:
            return _("over")
        case MatchState.BYE:
            return _("bye")
        case MatchState.WALKOVER:
            return _("won without playing")
        case MatchState.NOBODY:
            return _("nobody plays")
        case MatchState.NOT_NEEDED:
            return _("not needed")
        case _:
            assert_never(state)


def describe_pending_match() -> str:
    """Describe a match whose entrants may change, as an earlier result was corrected."""
    return _("on hold: an earlier result has changed")
