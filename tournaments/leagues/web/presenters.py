"""Template data of league pages."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from accounts.models import Player
from accounts.web.request_utils import viewer_of
from games.web.live_updates import note_version
from notifications.topics import make_topic
from tournaments import text
from tournaments.leagues import text as league_text
from tournaments.leagues.read_models import DivisionData
from tournaments.leagues.selectors import division_standings
from tournaments.leagues.selectors import read_models as league_read_models
from tournaments.models import Division, League, PairingState, Season
from tournaments.read_models.pairings import PairingData, PairingSeatData
from tournaments.stream_topics import LEAGUE_FAMILY
from tournaments.web import settings_text
from tournaments.web.presenters import paginate_rows

STANDING_ROWS_PER_PAGE = 60  # all divisions together
MAX_ROWS_PER_DIVISION = 40  # the rest is on the tournament's own page
MAX_DIVISIONS_PER_PAGE = 10


def get_league_or_404(request: HttpRequest, code: str) -> League:
    """Return the league with its counts. Raises Http404."""
    note_version(request, make_topic(LEAGUE_FAMILY, code))
    league = league_read_models.with_counts(
        League.objects.filter(code=code), current_account(request)
    ).first()
    if league is None:
        raise Http404(_("There is no such league."))
    return league


def current_account(request: HttpRequest) -> Player | None:
    """Return the viewer if they have an account; a guest counts as nobody in leagues."""
    viewer = viewer_of(request)
    return None if viewer is None or viewer.is_guest else viewer


def is_league_organiser(player: Player | None, league: League) -> bool:
    """True if a player organises a league loaded by `with_counts`."""
    if player is None:
        return False
    return league.organiser_id == player.pk or player.is_staff or bool(league.is_co_organiser)  # type: ignore[attr-defined]


def render_forbidden(request: HttpRequest, league: League) -> HttpResponse:
    """Render the 403 page of a league."""
    return render(request, "tournaments/leagues/forbidden.html", {"league": league}, status=403)


def build_league_context(league: League) -> dict[str, Any]:
    """Return the details of a league with display texts."""
    summary = league_read_models.build_summary(league)
    return {
        **league_read_models.settings_dict(league),
        **vars(summary),
        "commitment": league.commitment,
        "seed": league.seed or None,
        "code": league.code,
        "you": summary.membership,
        "is_running": league.is_running,
        "status_text": league_text.describe_league_status(league.status),
        "membership_text": league_text.describe_membership(summary.membership),
        "size_text": league_text.describe_division_size(summary.division_size),
        "summary": capfirst(settings_text.summarise_settings(league)),
    }


def build_division_context(division: DivisionData, viewer: Player | None) -> dict[str, Any]:
    """Return a division with display texts; of a large one only the first rows and the viewer's."""
    placements = []
    for placement in division.placements:
        is_own = viewer is not None and viewer.name in placement.players
        if placement.rank <= MAX_ROWS_PER_DIVISION or is_own:
            placements.append(
                vars(placement)
                | {
                    "is_own": is_own,
                    "reason_text": placement.words,
                    "points_text": text.format_number(placement.points),
                    "movement_text": league_text.describe_movement(placement.heading, division.final),
                }
            )
    return vars(division) | {
        "placements": placements,
        "hidden_count": division.size - len(placements),
        "is_own": any(placement["is_own"] for placement in placements),
        "has_groups": len(division.groups) > 1,
    }


def sort_divisions_for_viewer(divisions: list[Division], own_number: int | None) -> list[int]:
    """Return the division numbers, the viewer's own first."""
    numbers = [division.number for division in divisions]
    return sorted(numbers, key=lambda number: (number != own_number, number))


def load_standings_page(
    request: HttpRequest, league: League, divisions: list[Division], viewer: Player | None
) -> tuple[division_standings.DivisionStandings, dict[str, Any]]:
    """Return a page of a season's standings, the viewer's division first, and its template context."""
    season: Season = divisions[0].season
    own_number = next((division.number for division in divisions if division.is_own), None)  # type: ignore[attr-defined]
    divisions_per_page = max(
        1, min(MAX_DIVISIONS_PER_PAGE, STANDING_ROWS_PER_PAGE // max(league.division_size, 1))
    )
    page = paginate_rows(request, sort_divisions_for_viewer(divisions, own_number), divisions_per_page)
    shown_numbers: list[int] = list(page)
    loaded_standings = division_standings.DivisionStandings(
        league, season, divisions, shown_numbers, describe_placement=text.describe_placement
    )
    division_contexts = {
        division_data.number: build_division_context(division_data, viewer)
        for division_data in loaded_standings.build_divisions()
    }
    return loaded_standings, {
        "season": season,
        "divisions": [division_contexts[number] for number in shown_numbers],
        "division_count": len(divisions),
        "page": page,
        "own_division_no": own_number,
    }


def build_own_game_rows(own_pairings: list[division_standings.OwnPairing]) -> list[dict[str, Any]]:
    """Return the rows of a player's games in a season, running ones first."""
    rows = []
    for own_pairing in own_pairings:
        pairing = own_pairing.pairing
        own_seat = next(seat for seat in pairing.seats if seat.entrant == own_pairing.entrant_id)
        other_seats = [seat for seat in pairing.seats if seat is not own_seat]
        rows.append(
            {
                "bracket_round": pairing.bracket_round,
                "opponents": ", ".join(seat.name for seat in other_seats),
                "game": pairing.game,
                "state": pairing.state,
                "ends_at": pairing.ends_at,
                "outcome": describe_ending(own_seat, pairing),
                "score": " : ".join(
                    str(seat.points) for seat in (own_seat, *other_seats) if seat.points is not None
                ),
            }
        )
    return sorted(rows, key=lambda row: (row["state"] != PairingState.PLAYING, row["bracket_round"]))


def describe_ending(own_seat: PairingSeatData, pairing: PairingData) -> str:
    """Describe how a pairing ended for a player."""
    if pairing.state == PairingState.BYE:
        return capfirst(_("bye"))
    if own_seat.rank is None:
        return ""
    if own_seat.forfeit:
        return _("Lost by forfeit")
    is_level = sum(seat.rank == own_seat.rank for seat in pairing.seats) > 1
    if is_level:
        return _("A draw")
    if len(pairing.seats) > 2:
        return _("Place %(n)s") % {"n": own_seat.rank}
    return _("Won") if own_seat.rank == 1 else _("Lost")
