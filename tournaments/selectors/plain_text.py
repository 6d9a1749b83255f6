"""Brackets and standings in plain text, for a terminal."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tournaments.models import Season
from tournaments.pairing import BracketMatch, EntrantId, MatchState, Standing

from .tournament_read_models import get_entrant_names
from .tournament_state import TournamentState, get_entrant_name


def format_bracket(state: TournamentState) -> str:
    """Format all matches by round: who played, and in which order they finished."""
    names = get_entrant_names(state)
    lines: list[str] = []
    heading = ""
    for match in sorted(
        state.build_bracket().matches, key=lambda match: (match.stage, natural_sort_key(match.id))
    ):
        bracket_prefix = "" if match.bracket == "main" else f"{match.bracket} "
        new_heading = f"{bracket_prefix}round {match.round}" if match.bracket != "third" else "third place"
        if new_heading != heading:
            lines += ["", new_heading] if lines else [new_heading]
            heading = new_heading
        lines.append(f"  {match.id:<8} {format_match(match, names)}")
    return "\n".join(lines)


def natural_sort_key(match_id: str) -> list[tuple[int, str]]:
    """Return a sort key for match ids that puts table 10 after table 9."""
    return [(int(part), "") if part.isdigit() else (-1, part) for part in re.split(r"(\d+)", match_id)]


def format_match(match: BracketMatch, names: dict[EntrantId, str]) -> str:
    """Format one match."""
    if match.finishing_order:
        ranked_names = " > ".join(names[entrant_id] for entrant_id in match.finishing_order)
        return ranked_names if match.state == MatchState.DECIDED else f"{ranked_names} ({match.state})"
    seats = ", ".join(names[entrant_id] if entrant_id is not None else "?" for entrant_id in match.seats)
    return f"{seats} ({match.state})"


def format_standings(state: TournamentState) -> str:
    """Format the standings with every tie-break, and the one that separates each line from the line above."""
    names, lines = get_entrant_names(state), state.build_standings()
    if not lines:
        return ""
    heads = ["", "", *(criterion.key for criterion in lines[0].criteria), "played", "by"]
    rows = [heads, *(format_standing(line, names) for line in lines)]
    widths = [max(len(line[column]) for line in rows) for column in range(len(heads))]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if column == 1 else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in rows
    )


def format_standing(line: Standing, names: dict[EntrantId, str]) -> list[str]:
    """Format one line of the standings."""
    values = ["–" if criterion.value is None else f"{criterion.value:g}" for criterion in line.criteria]
    return [f"{line.rank}.", names[line.entrant], *values, str(line.played), line.separated_by or ""]


def format_season(season: Season) -> str:
    """Format the divisions of a season in final order, with the reason of each placement."""
    lines = [f"season {season.number}"]
    for division in season.divisions.order_by("number"):
        lines.append(f"  division {division.number}")
        placements = division.placements.select_related("player", "partner").order_by(
            "rank", "start_position"
        )
        for placement in placements:
            name = (
                " & ".join(player.name for player in (placement.player, placement.partner) if player) or "–"
            )
            rank, reason = (
                placement.rank or placement.start_position,
                format_placement_reason(placement.reason),
            )
            lines.append(f"    {rank}. {name} ({reason})")
    return "\n".join(lines)


def format_placement_reason(reason: dict[str, object]) -> str:
    """Return the code of a placement's reason."""
    return str(reason.get("code", ""))


def list_champions(state: TournamentState) -> Sequence[str]:
    """List the names of the champions; nobody before the end."""
    return [get_entrant_name(entrant) for entrant in state.entrants.values() if entrant.rank == 1]
