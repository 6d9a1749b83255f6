"""Template data of tournament pages, and the helpers that render them."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from typing import Any, TypeVar

from django.core.paginator import Page, Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from accounts.web.request_utils import viewer_of
from games.web.live_updates import note_version
from notifications.topics import make_topic
from tournaments import text
from tournaments.models import PairingState, ResultSource, Tournament
from tournaments.pairing import EntrantId, PairingReason
from tournaments.pairing.datatypes import UNDECIDED_MATCH_STATES
from tournaments.read_models.pairings import BracketMatchData, PairingData, PairingSeatData, StandingData
from tournaments.selectors import NoSuchTournament, tournament_page
from tournaments.stream_topics import TOURNAMENT_FAMILY
from tournaments.text.labels import EntrantNames

T = TypeVar("T")


def get_viewer_context(request: HttpRequest, code: str) -> tournament_page.ViewerContext:
    """Return the tournament of the URL with the viewer's role. Raises Http404."""
    note_version(request, make_topic(TOURNAMENT_FAMILY, code))
    try:
        return tournament_page.load_viewer_context(viewer_of(request), code)
    except NoSuchTournament:
        raise Http404(_("Tournament not found.")) from None


def paginate_rows(request: HttpRequest, rows: Any, page_size: int) -> Page[Any]:
    """Return the page of a list that the query asks for; an invalid number gives the first."""
    return Paginator(rows, page_size).get_page(request.GET.get("page", "1")[:9])


def render_tournament_page(
    request: HttpRequest, viewer_context: tournament_page.ViewerContext, template: str, **context: Any
) -> HttpResponse:
    """Render a page of a tournament with the context that all of them share."""
    tournament = viewer_context.tournament
    has_rounds = tournament.format in (Tournament.Format.SWISS, Tournament.Format.ROUND_ROBIN)
    base_context = {
        "tournament": tournament,
        "viewer_context": viewer_context,
        "format": text.label_format(tournament.format),
        "status": text.describe_tournament_status(tournament.status),
        "has_rounds": has_rounds,
        "has_bracket": tournament.format != Tournament.Format.SWISS,
        "has_started": tournament.started_at is not None,
        "now": timezone.now(),
    }
    return render(request, f"tournaments/{template}.html", base_context | context)


def build_pairing_row(
    pairing_data: PairingData,
    entrant_names: EntrantNames,
    *,
    round_count: int | None = None,
    own_entrant_id: int | None = None,
) -> dict[str, Any]:
    """Return the row of a pairing: name, seats, state or ending, reasons."""
    is_over = pairing_data.state == PairingState.OVER
    first_placed = [seat for seat in pairing_data.seats if seat.rank == 1 and not seat.forfeit]
    seats = []
    for number, seat in enumerate(pairing_data.seats, 1):
        has_won = is_over and seat in first_placed
        seats.append(
            vars(seat)
            | {
                "number": number,
                "is_own": seat.entrant == own_entrant_id,
                "ending": describe_seat_ending(seat, has_won=has_won, is_level=len(first_placed) > 1)
                if is_over
                else "",
                "has_won": has_won and len(first_placed) == 1,
            }
        )
    return {
        **vars(pairing_data),
        "name": text.format_match_name(pairing_data.match, round_count),
        "table_name": text.format_table_name(pairing_data.match),
        "how": capfirst(_("bye")) if pairing_data.state == PairingState.BYE else "",
        "is_own": any(seat["is_own"] for seat in seats),
        "seats": seats,
        "reasons": [text.describe_reason(note.details, entrant_names) for note in pairing_data.reasons],
        "is_over": is_over,
        "is_bye": pairing_data.state == PairingState.BYE,
        "outcome": describe_progress(pairing_data),
    }


def describe_progress(pairing_data: PairingData) -> str:
    """Describe how a pairing ended, or that it is still being played."""
    match pairing_data.state:
        case PairingState.BYE:
            is_free_round = any(note.code == PairingReason.FREE_ROUND for note in pairing_data.reasons)
            return text.describe_free_round() if is_free_round else text.describe_ending(ResultSource.BYE)
        case PairingState.OVER:
            return describe_ending(pairing_data)
        case _:
            return text.describe_ending(None)


def describe_ending(pairing_data: PairingData) -> str:
    """Describe how the result of a settled pairing came about, or that it has none yet."""
    if pairing_data.by is None:
        return text.describe_undecided_pairing()
    return text.describe_ending(ResultSource(pairing_data.by), pairing_data.seats)


def describe_seat_ending(seat: PairingSeatData, *, has_won: bool, is_level: bool) -> str:
    """Describe how a pairing ended for a seat; empty if its rank says enough."""
    if seat.timeout:
        return _("timeout")
    if seat.forfeit:
        return _("forfeit")
    if has_won:
        return _("level") if is_level else _("won")
    return ""


def join_opponents(row: Mapping[str, Any]) -> str:
    """Join the names of a row's other seats."""
    return text.join_names({index: seat["name"] for index, seat in enumerate(row["seats"])},
                      [index for index, seat in enumerate(row["seats"]) if not seat["is_own"]])  # fmt: skip


def describe_criteria(keys: Iterable[str], table_size: int) -> list[dict[str, str]]:
    """Return the columns of the standings with label and meaning."""
    columns = []
    for key in keys:
        criterion_text = text.describe_criterion(key, table_size)
        columns.append({"key": key, "head": criterion_text.label, "meaning": criterion_text.meaning})
    return columns


def build_standing_row(
    standing_data: StandingData,
    stage_names: Mapping[float, str],
    own_entrant_id: int | None = None,
    playing_entrant_ids: Container[EntrantId] = (),
) -> dict[str, Any]:
    """Return a row of the standings; the round reached in a bracket is shown by its name."""

    def format_value(key: str, value: float | None) -> str:
        if key == "reached":
            return stage_names.get(value or 0, "–")
        return (
            "–"
            if key == "place" and standing_data.entrant in playing_entrant_ids
            else text.format_number(value)
        )

    return {
        **vars(standing_data),
        "is_own": standing_data.entrant == own_entrant_id,
        "values": [format_value(criterion.key, criterion.value) for criterion in standing_data.criteria],
        "separation_text": text.describe_separation(standing_data.separated_by),
        "former_players_text": text.describe_former_players(standing_data.former_players),
    }


def find_playing_entrant_ids(matches: Sequence[BracketMatchData]) -> set[EntrantId]:
    """Return the entrants that have matches left in a bracket."""
    undecided_matches = (match for match in matches if match.state in UNDECIDED_MATCH_STATES)
    return {seat.entrant for match in undecided_matches for seat in match.seats if seat.entrant is not None}


def name_stages(matches: Sequence[BracketMatchData]) -> dict[float, str]:
    """Return the round names of a bracket by stage, the value that standings rank by."""
    last_round = count_main_rounds(matches)
    return {match.stage: text.format_round_name(match.bracket, match.round, last_round) for match in matches}


def count_main_rounds(matches: Sequence[BracketMatchData]) -> int | None:
    """Return the number of rounds of the main bracket, None if there is none."""
    return max((match.round for match in matches if match.bracket == "main"), default=None)
