"""Public pages of tournaments: the list, entrants, standings, fairness."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path
from django.utils import timezone
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as lazy
from django.utils.translation import pgettext_lazy
from django.views.decorators.http import require_safe

from accounts.models import Player
from accounts.web.request_utils import viewer_of
from games.engine import fairness as engine_fairness
from tournaments import text
from tournaments.api.request_costs import charge_and_load_state
from tournaments.models import Entrant, Tournament
from tournaments.ratings.selectors import display_rating, load_ratings
from tournaments.selectors import (
    list_tournaments,
    list_tournaments_of,
    organiser_dashboard,
    seeding,
    seeds,
    tournament_page,
    tournament_read_models,
)
from tournaments.text import fairness as fairness_text

from . import bracket, overview, player_commands, rounds, settings_text
from .organiser_presenters import build_public_decision_rows
from .presenters import (
    build_standing_row,
    describe_criteria,
    find_playing_entrant_ids,
    get_viewer_context,
    name_stages,
    paginate_rows,
    render_tournament_page,
)

ROWS_PER_STATUS, TOURNAMENTS_PER_PAGE = 8, 20  # per status on the start page, and on the page of one status
ROWS_PER_PAGE = 50  # standings and entrants
DECISIONS_PER_PAGE = 25  # on the fairness page
# The sections of the list, with their headings.
LISTED_STATUSES = {
    Tournament.Status.PUBLISHED: lazy("Open for entries"),
    Tournament.Status.RUNNING: lazy("In progress"),
    Tournament.Status.FINISHED: pgettext_lazy("tournaments", "Finished"),
}


# -------------------------------------------------------------------------------------------------- the list


@require_safe
def show_tournaments(request: HttpRequest) -> HttpResponse:
    """Show open, running and finished tournaments, the viewer's own first."""
    viewer, now = viewer_of(request), timezone.now()
    chosen_status = request.GET.get("show", "")
    if chosen_status in LISTED_STATUSES:
        page = paginate_rows(
            request, tournament_read_models.with_counts(list_tournaments(chosen_status)), TOURNAMENTS_PER_PAGE
        )
        heading = LISTED_STATUSES[Tournament.Status(chosen_status)]
        only_group = {"status": chosen_status, "rows": build_tournament_rows(page, viewer), "page": page}
        return render(
            request,
            "tournaments/list.html",
            {"status_groups": [only_group], "heading": heading, "now": now},
        )
    own_tournaments: list[Tournament] = []
    if viewer and not viewer.is_guest:
        unfinished_tournaments = list_tournaments_of(viewer).unfinished()
        own_tournaments = list(
            tournament_read_models.with_counts(
                Tournament.objects.filter(pk__in=unfinished_tournaments.values("pk"))
            ).order_by("-pk")[:TOURNAMENTS_PER_PAGE]
        )
    status_groups: list[dict[str, Any]] = []
    for status, heading in LISTED_STATUSES.items():
        status_tournaments = list(
            tournament_read_models.with_counts(
                list_tournaments(status).exclude(pk__in=[tournament.pk for tournament in own_tournaments])
            )[: ROWS_PER_STATUS + 1]
        )
        if status_tournaments:
            has_more = len(status_tournaments) > ROWS_PER_STATUS
            status_groups.append(
                {
                    "status": status,
                    "heading": heading,
                    "rows": build_tournament_rows(status_tournaments[:ROWS_PER_STATUS], viewer),
                    "has_more": has_more,
                }
            )
    turn_tournament_ids = tournament_page.find_tournaments_to_move_in(
        viewer, [tournament.pk for tournament in own_tournaments]
    )
    return render(
        request,
        "tournaments/list.html",
        {
            "own_tournaments": build_tournament_rows(own_tournaments, viewer, turn_tournament_ids),
            "status_groups": status_groups,
            "is_empty": not status_groups,
            "now": now,
        },
    )


def build_tournament_rows(
    tournaments: Iterable[Tournament], viewer: Player | None, turn_tournament_ids: Iterable[int] = ()
) -> list[dict[str, Any]]:
    """Return the rows of a tournament list."""
    return [
        vars(tournament_read_models.build_summary(tournament))
        | {
            "summary": capfirst(
                f"{text.label_format(tournament.format)} · {settings_text.summarise_settings(tournament)}"
            ),
            "status_text": text.describe_tournament_status(tournament.status),
            "is_own_turn": tournament.pk in turn_tournament_ids,
            "is_published": tournament.is_published,
            "is_finished": tournament.is_finished,
            "by_invitation": tournament.by_invitation,
            "when_full": tournament.when_full,
            "free_places": max(tournament.capacity - tournament.entered, 0) if tournament.capacity else None,  # type: ignore[attr-defined]
        }
        for tournament in tournaments
    ]


# -------------------------------------------------------------------------------------- pages of a tournament


@require_safe
def show_entrants(request: HttpRequest, code: str) -> HttpResponse:
    """Show all entrants by seed, then the waitlist."""
    viewer_context = get_viewer_context(request, code)
    page = paginate_rows(request, tournament_page.list_entrants(viewer_context.tournament), ROWS_PER_PAGE)
    entrant_counts = tournament_page.count_entrants_by_status(viewer_context.tournament)
    count_before_waitlist = sum(entrant_counts.values()) - entrant_counts[Entrant.Status.WAITING]
    players = [
        entrant_player.player
        for entrant in page
        for entrant_player in entrant.entrant_players.all()
        if entrant_player.player
    ]
    rating_by_player = {
        player_id: display_rating(mu)
        for player_id, mu in load_ratings(
            [entrant.pk for entrant in players], viewer_context.tournament.mode
        ).items()
    }
    rows = [
        vars(tournament_read_models.build_entrant(entrant))
        | {
            "number": position if not entrant.is_waiting else position - count_before_waitlist,
            "is_own": viewer_context.entrant is not None and entrant.pk == viewer_context.entrant.pk,
            "status_text": "" if entrant.status == Entrant.Status.ENTERED else entrant.get_status_display(),
            "former_players_text": text.describe_former_players(
                tournament_read_models.build_former_players(entrant)
            ),
            "players": [
                {
                    "name": entrant_player.player.name,
                    "is_bot": entrant_player.player.is_bot,
                    "rating": rating_by_player.get(entrant_player.player.pk),
                }
                for entrant_player in sorted(
                    entrant.entrant_players.all(), key=lambda entrant_player: entrant_player.position
                )
                if entrant_player.player
            ],
        }
        for position, entrant in enumerate(page, page.start_index())
    ]
    waiting_status = Entrant.Status.WAITING
    return render_tournament_page(
        request,
        viewer_context,
        "entrants",
        current_tab="entrants",
        page=page,
        entered_count=entrant_counts[Entrant.Status.ENTERED],
        waiting_count=entrant_counts[waiting_status],
        lines=[row for row in rows if row["status"] != waiting_status],
        waiting_lines=[row for row in rows if row["status"] == waiting_status],
    )


@require_safe
def show_standings(request: HttpRequest, code: str) -> HttpResponse:
    """Show the standings and explain the columns."""
    viewer_context = get_viewer_context(request, code)
    own_entrant_id = viewer_context.entrant.pk if viewer_context.entrant else None
    state = charge_and_load_state(request, viewer_context.tournament)
    standings = tournament_read_models.build_standings(state)
    page = paginate_rows(request, standings, ROWS_PER_PAGE)
    is_elimination = viewer_context.tournament.format in (
        Tournament.Format.KNOCKOUT,
        Tournament.Format.DOUBLE,
    )
    matches = tournament_read_models.build_bracket(state).matches if is_elimination and standings else []
    stage_names, playing_entrant_ids = name_stages(matches), find_playing_entrant_ids(matches)
    own_index = next(
        (index for index, standing in enumerate(standings) if standing.entrant == own_entrant_id), None
    )
    return render_tournament_page(
        request,
        viewer_context,
        "standings",
        current_tab="standings",
        page=page,
        lines=[
            build_standing_row(standing, stage_names, own_entrant_id, playing_entrant_ids)
            for standing in page
        ],
        columns=describe_criteria(
            (criterion.key for criterion in standings[0].criteria), viewer_context.tournament.table_size
        )
        if standings
        else [],
        own_page_no=own_index // ROWS_PER_PAGE + 1 if own_index is not None else None,
    )


@require_safe
def show_fairness(request: HttpRequest, code: str) -> HttpResponse:
    """Show the commitment, whether the published seed matches it, the draw and all decisions."""
    viewer_context = get_viewer_context(request, code)
    seed = viewer_context.tournament.seed
    is_commitment_kept = (
        bool(seed)
        and engine_fairness.compute_commitment(bytes.fromhex(seed)) == viewer_context.tournament.commitment
    )
    division = tournament_page.get_division(viewer_context.tournament)
    follows_season_seed = False
    if division:
        season_seed = seeds.load_season_seed(division.season.league, division.season.number)
        follows_season_seed = seeds.follows_from_season(viewer_context.tournament, season_seed)
    page = paginate_rows(
        request, organiser_dashboard.list_decisions(viewer_context.tournament), DECISIONS_PER_PAGE
    )
    return render_tournament_page(
        request,
        viewer_context,
        "fairness",
        current_tab="fairness",
        is_commitment_kept=is_commitment_kept,
        division=division,
        follows_season_seed=follows_season_seed,
        seeding=describe_draw(viewer_context.tournament),
        pairing_rules=fairness_text.list_pairing_rules(viewer_context.tournament),
        page=page,
        lines=build_public_decision_rows(list(page)),
    )


def describe_draw(tournament: Tournament) -> list[str]:
    """Describe how entrants are numbered, and who saw the draw before the start."""
    has_started = tournament.started_at is not None
    if tournament.is_cancelled and not has_started:
        return fairness_text.describe_no_draw()
    seeding_report = seeding.build_seeding_report(tournament)
    entrant_names = organiser_dashboard.load_entrant_names(seeding_report.seeded_by_hand)
    return [
        *fairness_text.describe_seeding(seeding_report, entrant_names, has_started=has_started),
        *fairness_text.describe_previews(seeding_report, has_started=has_started),
    ]


urlpatterns = [
    path("", show_tournaments, name="tournaments"),
    path("<slug:code>/", overview.show_tournament, name="tournament"),
    path("<slug:code>/standings/", show_standings, name="tournament-standings"),
    path("<slug:code>/bracket/", bracket.show_bracket, name="tournament-bracket"),
    path("<slug:code>/bracket.svg", bracket.show_bracket_picture, name="tournament-bracket-picture"),
    path("<slug:code>/rounds/<int:number>/", rounds.show_round, name="tournament-round"),
    path("<slug:code>/tables/<int:pk>/", rounds.show_pairing, name="tournament-table"),
    path("<slug:code>/tables/<int:pk>/evidence/", rounds.show_timeout_evidence, name="tournament-evidence"),
    path("<slug:code>/entrants/", show_entrants, name="tournament-entrants"),
    path("<slug:code>/fairness/", show_fairness, name="tournament-fairness"),
    *player_commands.urlpatterns,
]
