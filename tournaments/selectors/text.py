"""Brackets and standings in plain text, for a terminal."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tournaments.models import Season
from tournaments.pairing import Id, Match, Standing

from .course import Course, name_of


def names(course: Course) -> dict[Id, str]:
    """Entrants by their numbers."""
    return {pk: name_of(entrant) for pk, entrant in course.entrants.items()}


def bracket(course: Course) -> str:
    """All matches, round after round: who sat there, and in which order they came out."""
    called = names(course)
    lines: list[str] = []
    heading = ""
    for match in sorted(course.bracket().matches, key=lambda match: (match.stage, in_numbers(match.id))):
        part = "" if match.bracket == "main" else f"{match.bracket} "
        now = f"{part}round {match.round}" if match.bracket != "third" else "third place"
        if now != heading:
            lines += ["", now] if lines else [now]
            heading = now
        lines.append(f"  {match.id:<8} {told(match, called)}")
    return "\n".join(lines)


def in_numbers(id: str) -> list[tuple[int, str]]:
    """The name of a match, so that the tenth table comes after the ninth."""
    return [(int(part), "") if part.isdigit() else (-1, part) for part in re.split(r"(\d+)", id)]


def told(match: Match, called: dict[Id, str]) -> str:
    """One match."""
    if match.order:
        points = " > ".join(called[id] for id in match.order)
        return points if match.state == "decided" else f"{points} ({match.state})"
    seats = ", ".join(called[id] if id is not None else "?" for id in match.seats)
    return f"{seats} ({match.state})"


def standings(course: Course) -> str:
    """The table of standings, with every tie-break, and by which one a line is behind the line above."""
    called, lines = names(course), course.standings()
    if not lines:
        return ""
    heads = ["", "", *(criterion.key for criterion in lines[0].criteria), "played", "by"]
    rows = [heads, *(row(line, called) for line in lines)]
    widths = [max(len(line[column]) for line in rows) for column in range(len(heads))]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if column == 1 else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in rows
    )


def row(line: Standing, called: dict[Id, str]) -> list[str]:
    """One line of the standings."""
    values = ["–" if one.value is None else f"{one.value:g}" for one in line.criteria]
    return [f"{line.rank}.", called[line.entrant], *values, str(line.played), line.parted_by or ""]


def season(played: Season) -> str:
    """The divisions of a season in their final order, and why everybody was there."""
    lines = [f"season {played.number}"]
    for division in played.divisions.order_by("number"):
        lines.append(f"  division {division.number}")
        places = division.places.select_related("player").order_by("rank", "number")
        lines += [f"    {one.rank or one.number}. {one.player or '–'} ({moved(one.why)})" for one in places]
    return "\n".join(lines)


def moved(why: dict[str, object]) -> str:
    """Why somebody is in a division."""
    return str(why.get("code", ""))


def champions(course: Course) -> Sequence[str]:
    """Who came first; nobody while it is played."""
    return [name_of(one) for one in course.entrants.values() if one.rank == 1]
