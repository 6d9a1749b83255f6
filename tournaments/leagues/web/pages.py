"""Public pages of leagues: the list, a league, a season, the history."""

from __future__ import annotations

from typing import Any

from django.db.models import Case, Value, When
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from tournaments.leagues import text as league_text
from tournaments.leagues.permissions import list_member_actions, list_season_actions
from tournaments.leagues.selectors import division_standings
from tournaments.leagues.selectors import read_models as league_read_models
from tournaments.leagues.selectors.season_entries import find_season_entry
from tournaments.models import League, LeagueMember
from tournaments.selectors import seeds
from tournaments.web import settings_text
from tournaments.web.presenters import paginate_rows
from tournaments.web.proposals import list_league_proposals

from . import commands as league_commands
from . import join as league_join
from . import organiser_views as league_organiser_views
from .join import JoinRequestForm
from .presenters import (
    build_league_context,
    build_own_game_rows,
    current_account,
    get_league_or_404,
    is_league_organiser,
    load_standings_page,
)

LEAGUES_PER_PAGE = 20
MAX_WAITING_NAMES = 60  # before the first season
SEASONS_PER_PAGE = 25  # in the history
CLOSED_LAST_ORDER = Case(When(status=League.Status.CLOSED, then=Value(1)), default=Value(0))


@require_safe
def show_leagues(request: HttpRequest) -> HttpResponse:
    """Show all leagues, closed ones last."""
    queryset = league_read_models.with_counts(League.objects.all(), current_account(request))
    page = paginate_rows(
        request, queryset.order_by(CLOSED_LAST_ORDER, "-created_at", "-pk"), LEAGUES_PER_PAGE
    )
    context = {"page": page, "leagues": [build_league_context(league) for league in page]}
    return render(request, "tournaments/leagues/list.html", context)


@require_safe
def show_league(request: HttpRequest, code: str) -> HttpResponse:
    """Show a league: rules, the viewer's membership, the current season, the calendar."""
    league, viewer, now = get_league_or_404(request, code), current_account(request), timezone.now()
    details = build_league_context(league)
    is_removed: bool = league.is_removed  # type: ignore[attr-defined]
    context: dict[str, Any] = {
        "league": details,
        "allowed_actions": (
            list_member_actions(league, viewer, details["you"], has_removed=is_removed) if viewer else []
        ),
        "is_member": details["you"] == LeagueMember.Status.MEMBER,
        "is_substitute": details["you"] == LeagueMember.Status.SUBSTITUTE,
        "was_member": details["you"] == LeagueMember.Status.OUT,
        "rules": league_text.list_rules(details),
        "setting_sentences": settings_text.list_all_settings(league),
        "is_organiser": is_league_organiser(viewer, league),
        "is_removed": is_removed,
        "account": viewer,
        "is_open": not league.is_closed,
        "form": JoinRequestForm(),
        "newcomer_policy": league_text.describe_newcomer_policy(details),
        "proposals": list_league_proposals(league, viewer) if league.has_open_proposal else [],  # type: ignore[attr-defined]
        "next_season": seeds.build_next_season(
            league, member_count=details["members"], last_season_no=details["season"] or 0
        ),
        "own_seed": league.client_seed,  # type: ignore[attr-defined]
        "now": now,
    }
    current_season = None
    season_no = details["season"]
    if season_no:
        divisions = list(division_standings.list_divisions(league, season_no, viewer))
        current_season = divisions[0].season
        loaded_standings, season_context = load_standings_page(request, league, divisions, viewer)
        context |= season_context
        if viewer and season_context["own_division_no"] is not None:
            season_entry = None
            if not current_season.finished_at:
                season_entry = loaded_standings.find_entry(viewer) or find_season_entry(league, viewer)
            context["allowed_actions"] += list_season_actions(season_entry)
            context["has_left_season"] = season_entry is not None and not season_entry.entrant.is_active
            context["plays_season"] = not context["has_left_season"]
        if viewer and season_context["own_division_no"] is not None and season_context["page"].number == 1:
            context["games"] = build_own_game_rows(loaded_standings.list_pairings_of(viewer))
        if current_season.number > 1 or current_season.finished_at:
            context["champion"] = next(iter(league_read_models.list_champions(league, limit=1)), None)
    else:
        waiting_members = league.league_members.filter(status=LeagueMember.Status.MEMBER).order_by(
            "status_changed_at", "pk"
        )
        context["names"] = list(waiting_members.values_list("player__name", flat=True)[:MAX_WAITING_NAMES])
        context["more_names"] = max(details["members"] - MAX_WAITING_NAMES, 0)
    calendar = league_read_models.build_calendar(league, current_season, now)
    context["calendar"] = [
        vars(calendar_entry) | {"text": league_text.describe_calendar_entry(calendar_entry, details)}
        for calendar_entry in calendar
    ]
    return render(request, "tournaments/leagues/league.html", context)


@require_safe
def show_season(request: HttpRequest, code: str, number: int) -> HttpResponse:
    """Show a season with its divisions."""
    league, viewer = get_league_or_404(request, code), current_account(request)
    last_season: int = league.season or 0  # type: ignore[attr-defined]
    divisions = (
        list(division_standings.list_divisions(league, number, viewer)) if number <= last_season else []
    )
    if not divisions:
        raise Http404(_("Season not found."))
    _read, context = load_standings_page(request, league, divisions, viewer)
    context |= {
        "season_commitment": seeds.build_season_commitment(divisions[0].season),
        "league": build_league_context(league),
        "previous_number": number - 1,
        "next_number": number + 1 if number < league.season else None,  # type: ignore[attr-defined]
    }
    return render(request, "tournaments/leagues/season.html", context)


@require_safe
def show_league_history(request: HttpRequest, code: str) -> HttpResponse:
    """Show the champions of all seasons and the title counts."""
    league = get_league_or_404(request, code)
    champions = league_read_models.list_champions(league)
    page = paginate_rows(request, champions, SEASONS_PER_PAGE)
    context = {
        "league": build_league_context(league),
        "page": page,
        "seasons": league_read_models.with_promotions(league, list(page)),
        "titles": league_read_models.count_titles(champions)[:SEASONS_PER_PAGE],
    }
    return render(request, "tournaments/leagues/history.html", context)


# Fixed paths come before `<slug:code>/`.
urlpatterns = [
    path("", show_leagues, name="leagues"),
    path("new/", league_organiser_views.create_league, name="league-new"),
    path("join/<str:token>/", league_join.join_by_link, name="league-link"),
    path("<slug:code>/", show_league, name="league"),
    path("<slug:code>/seasons/<int:number>/", show_season, name="league-season"),
    path("<slug:code>/history/", show_league_history, name="league-history"),
    path("<slug:code>/ask/", league_join.request_join_link, name="league-ask"),
    path("<slug:code>/asked/", league_join.show_link_sent, name="league-asked"),
    path("<slug:code>/edit/", league_organiser_views.edit_league, name="league-edit"),
    path("<slug:code>/organise/", league_organiser_views.show_league_dashboard, name="league-organise"),
    *league_commands.urlpatterns,
]
