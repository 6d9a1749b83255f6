"""The bracket of an elimination tournament and the schedule of a round robin: as a picture and as tables."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from tournaments import svg_drawing, text
from tournaments.api.request_costs import charge_and_load_state
from tournaments.models import Tournament
from tournaments.pairing import EntrantId, MatchState
from tournaments.pairing.outcomes import find_outcome
from tournaments.read_models.pairings import BracketMatchData, BracketSeatData
from tournaments.selectors import TournamentState, tournament_read_models

from .presenters import count_main_rounds, get_viewer_context, paginate_rows, render_tournament_page

MatchDataList = Sequence[BracketMatchData]
MAX_MATCHES_SHOWN_TOGETHER, MATCHES_PER_PAGE = 48, 40  # matches
MAX_CROSS_TABLE_ENTRANTS, MAX_SCHEDULE_ENTRANTS, MAX_OVERVIEW_PICTURE_ENTRANTS = 24, 128, 32  # entrants
PLAYABLE_STATES = (MatchState.OPEN, MatchState.READY)
OVER_STATES = (MatchState.DECIDED, MatchState.WALKOVER, MatchState.BYE)


def is_elimination(tournament: Tournament) -> bool:
    """True if a tournament is a single or double elimination."""
    return tournament.format in (Tournament.Format.KNOCKOUT, Tournament.Format.DOUBLE)


def is_picture_on_overview(state: TournamentState) -> bool:
    """True if the tournament's overview page shows the picture."""
    entrant_count = len(state.entrants)
    return (
        is_elimination(state.tournament) or has_cross_table(state.tournament, entrant_count)
    ) and entrant_count <= MAX_OVERVIEW_PICTURE_ENTRANTS


def has_cross_table(tournament: Tournament, entrant_count: int) -> bool:
    """True if a cross table of all entrants is drawn: a round robin at tables of two, not too large."""
    return (
        tournament.format == Tournament.Format.ROUND_ROBIN
        and tournament.table_size == 2
        and entrant_count <= MAX_CROSS_TABLE_ENTRANTS
    )


# ------------------------------------------------------------------------------------------------ the picture


def draw_picture(
    state: TournamentState, matches: MatchDataList | None = None
) -> svg_drawing.SvgPicture | None:
    """Draw a tournament's picture, None if it has none. `matches` saves building the bracket again."""
    if is_elimination(state.tournament):
        match_data = tournament_read_models.build_bracket(state).matches if matches is None else matches
        last_round = count_main_rounds(match_data)
        return svg_drawing.draw_bracket(
            match_data,
            name_round=lambda bracket, round_no: text.format_round_name(bracket, round_no, last_round),
            describe_empty_seat=lambda seat_source: (
                text.describe_seat_source_briefly(seat_source) if state.tournament.table_size > 2 else ""
            ),
            points=collect_match_points(state),
        )
    if not has_cross_table(state.tournament, len(state.entrants)):
        return None
    standings, cross_results = tournament_read_models.build_standings(state), collect_cross_results(state)
    entrant_ids = [standing.entrant for standing in standings]
    return svg_drawing.draw_cross_table(
        [standing.name for standing in standings],
        [
            [" ".join(cross_results.get((entrant_id, opponent_id), ())) for opponent_id in entrant_ids]
            for entrant_id in entrant_ids
        ],
        [text.format_number(standing.criteria[0].value) for standing in standings],
    )


def measure_picture(state: TournamentState, matches: MatchDataList | None = None) -> tuple[int, int] | None:
    """Return width and height of the picture, so that the page reserves space for it."""
    svg_picture = draw_picture(state, matches)
    return (svg_picture.width, svg_picture.height) if svg_picture else None


def collect_match_points(state: TournamentState) -> dict[str, dict[EntrantId, int]]:
    """Return the game points of each match by entrant; of a rematch, the last game counts."""
    points_by_match: dict[str, dict[EntrantId, int]] = {}
    stale_ids = {pairing.pk for pairing in state.list_stale_pairings()}
    for pairing in state.pairings:
        if pairing.pk in stale_ids:  # a correction gave this match to other entrants
            continue
        stored_result = pairing.result or {}
        if stored_result.get("points") and any(stored_result["points"]):
            pairing_seats = sorted(pairing.pairing_seats.all(), key=lambda pairing_seat: pairing_seat.seat_no)
            entrant_ids = (pairing_seat.entrant_id for pairing_seat in pairing_seats)
            points_by_match[pairing.match] = dict(zip(entrant_ids, stored_result["points"], strict=False))
    return points_by_match


def collect_cross_results(state: TournamentState) -> dict[tuple[EntrantId, EntrantId], list[str]]:
    """Return the scores of each entrant against each other, game by game: 1, ½, 0, or a dot while open."""
    cross_results: dict[tuple[EntrantId, EntrantId], list[str]] = {}
    for result in state.results:
        outcome = find_outcome(state.spec, result)
        for entrant_id, opponent_id in permutations(result.seats, 2):
            score_text = (
                text.format_number(outcome.score_against(entrant_id, opponent_id)) if outcome else "·"
            )
            cross_results.setdefault((entrant_id, opponent_id), []).append(score_text)
    return cross_results


@require_safe
def show_bracket_picture(request: HttpRequest, code: str) -> HttpResponse:
    """Return the picture as SVG; its style follows the light or dark colour scheme by itself."""
    viewer_context = get_viewer_context(request, code)
    tournament = viewer_context.tournament
    has_picture = tournament.started_at and tournament.format != Tournament.Format.SWISS
    svg_picture = draw_picture(charge_and_load_state(request, tournament)) if has_picture else None
    if svg_picture is None:
        raise Http404(_("This tournament has no picture."))
    response = HttpResponse(svg_picture.render(tournament.name), content_type="image/svg+xml")
    response["Content-Security-Policy"] = (
        f"default-src 'none'; style-src '{svg_drawing.STYLE_HASH}'; frame-ancestors 'none'; sandbox"
    )
    response["Cache-Control"] = "private, no-cache"
    return response


# --------------------------------------------------------------------------------------------------- the page


@require_safe
def show_bracket(request: HttpRequest, code: str) -> HttpResponse:
    """Show the picture and the matches by round; a large bracket one round at a time."""
    viewer_context = get_viewer_context(request, code)
    tournament = viewer_context.tournament
    if tournament.started_at is None:
        return render_tournament_page(request, viewer_context, "bracket", current_tab="bracket", rounds=[])
    state = charge_and_load_state(request, tournament)
    is_large_schedule = (
        tournament.format == Tournament.Format.ROUND_ROBIN and len(state.entrants) > MAX_SCHEDULE_ENTRANTS
    )
    if tournament.format == Tournament.Format.SWISS or is_large_schedule:
        round_no = max((pairing.bracket_round for pairing in state.pairings), default=1)
        return redirect("tournament-round", code=code, number=round_no)
    matches = tournament_read_models.build_bracket(state).matches
    last_round = count_main_rounds(matches) if is_elimination(tournament) else None
    matches_by_round: dict[str, list[BracketMatchData]] = {}
    for match in matches:
        matches_by_round.setdefault(f"{match.bracket}-{match.round}", []).append(match)
    round_names = {
        round_key: text.format_round_name(round_matches[0].bracket, round_matches[0].round, last_round)
        for round_key, round_matches in matches_by_round.items()
    }
    chosen_round, page = "", None
    if len(matches) > MAX_MATCHES_SHOWN_TOGETHER:
        chosen_round = request.GET.get("round", "")
        if chosen_round not in matches_by_round:
            undecided_rounds = (
                round_key
                for round_key, round_matches in matches_by_round.items()
                if any(match.state in PLAYABLE_STATES for match in round_matches)
            )
            chosen_round = next(undecided_rounds, list(matches_by_round)[-1])
        page = paginate_rows(request, matches_by_round[chosen_round], MATCHES_PER_PAGE)
        matches_by_round = {chosen_round: list(page)}
    row_builder = MatchRowBuilder(
        state, last_round, viewer_context.entrant.pk if viewer_context.entrant else None
    )
    return render_tournament_page(
        request,
        viewer_context,
        "bracket",
        current_tab="bracket",
        picture=measure_picture(state, matches),
        names=round_names,
        chosen_round=chosen_round,
        page=page,
        rounds=[
            {
                "name": round_names[round_key],
                "key": round_key,
                "lines": [row_builder.build_row(match) for match in round_matches],
            }
            for round_key, round_matches in matches_by_round.items()
        ],
    )


class MatchRowBuilder:
    """Builds the table rows of matches."""

    def __init__(self, state: TournamentState, last_round: int | None, own_entrant_id: int | None) -> None:
        self.is_elimination, self.last_round, self.own_entrant_id = (
            is_elimination(state.tournament),
            last_round,
            own_entrant_id,
        )
        stale_ids = {pairing.pk for pairing in state.list_stale_pairings()}
        self.pairing_ids = {
            pairing.match: pairing.pk for pairing in state.pairings if pairing.pk not in stale_ids
        }
        self.points_by_match = collect_match_points(state)
        self.first_placed: dict[str, list[EntrantId]] = {}
        for result in state.results:
            if len(result.seats) > 1 and (outcome := find_outcome(state.spec, result)):
                self.first_placed[result.match] = next(iter(outcome.group_by_rank()), [])

    def build_row(self, match: BracketMatchData) -> dict[str, Any]:
        """Return the row of a match."""
        entrant_names = {seat.entrant: seat.name or "" for seat in match.seats}
        match_points = self.points_by_match.get(match.match, {})
        return {
            "name": text.format_table_name(match.match),
            "pairing": self.pairing_ids.get(match.match),
            "state": self.describe_state(match),
            "notes": [text.describe_reason(note.details, entrant_names) for note in match.notes],
            "is_own": self.own_entrant_id is not None and self.own_entrant_id in entrant_names,
            "seats": [
                {
                    "name": seat.name,
                    "points": match_points.get(seat.entrant) if seat.entrant is not None else None,
                    "source": "" if seat.name else text.describe_seat_source(seat.source, self.last_round),
                    "ending": self.describe_ending(match, seat),
                }
                for seat in match.seats
            ],
        }

    def describe_state(self, match: BracketMatchData) -> str:
        """Describe the state of a match; empty if its result says it."""
        if match.pending:
            return text.describe_pending_match()
        state = MatchState(match.state)
        return "" if state == MatchState.DECIDED else text.describe_match_state(state)

    def describe_ending(self, match: BracketMatchData, seat: BracketSeatData) -> str:
        """Describe how a match ended for a seat; empty unless it won, was level or advanced."""
        if not self.is_elimination:
            first_placed = self.first_placed.get(match.match, [])
            if seat.entrant not in first_placed:
                return ""
            return _("won") if len(first_placed) == 1 else _("level")
        is_over = match.state in OVER_STATES
        if not is_over or seat.place is None or seat.place > match.advancing_count:
            return ""
        is_last_match = match.bracket in ("final", "third") or match.round == self.last_round
        return _("won") if is_last_match else _("goes on")
