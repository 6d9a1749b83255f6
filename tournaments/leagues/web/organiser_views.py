"""Views for organisers of a league: create, edit, dashboard."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from accounts.models import Player
from common.service_errors import ServiceError
from tournaments.leagues import permissions as league_permissions
from tournaments.leagues import text as league_text
from tournaments.leagues.selectors import read_models as league_read_models
from tournaments.leagues.services import leagues
from tournaments.models import League, LeagueMember
from tournaments.selectors.proposals import list_open_co_organiser_proposals
from tournaments.selectors.removals import list_removals
from tournaments.services.game_settings import describe_unplayable_settings
from tournaments.text import tournaments as tournament_text
from tournaments.web.game_settings_form import add_service_error
from tournaments.web.presenters import paginate_rows
from tournaments.web.proposals import build_proposal_context

from .form import LeagueForm, build_initial_values
from .presenters import build_league_context, get_league_or_404, is_league_organiser, render_forbidden

MEMBERS_PER_PAGE = 100  # also the limit of the other lists on the dashboard
allow_get_and_post = require_http_methods(["GET", "HEAD", "POST"])
LeagueViewFunction = Callable[[HttpRequest, League, Player], HttpResponse]


def league_organiser_required(view: LeagueViewFunction) -> Callable[[HttpRequest, str], HttpResponse]:
    """Pass the league and the organiser to a view. Others get 403."""

    @wraps(view)
    @login_required
    @never_cache
    def wrapper(request: HttpRequest, code: str) -> HttpResponse:
        assert isinstance(request.user, Player)
        league = get_league_or_404(request, code)
        if not is_league_organiser(request.user, league):
            return render_forbidden(request, league)
        return view(request, league, request.user)

    return wrapper


@allow_get_and_post
@login_required
def create_league(request: HttpRequest) -> HttpResponse:
    """Create a league; players can join at once, and the organiser starts the first season."""
    form = LeagueForm(request.POST if request.method == "POST" else None)
    assert isinstance(request.user, Player)
    if form.is_valid():
        try:
            league = leagues.create_league(
                organiser=request.user, now=timezone.now(), **form.build_settings()
            )
            messages.success(
                request, _("League created. Players can join. Start it when enough have joined.")
            )
            return redirect("league-organise", code=league.code)
        except ServiceError as error:
            add_service_error(form, error)
    return render(
        request, "tournaments/leagues/form.html", {"form": form}, status=422 if form.is_bound else 200
    )


@allow_get_and_post
@league_organiser_required
def edit_league(request: HttpRequest, league: League, player: Player) -> HttpResponse:
    """Change the settings from the next season on."""
    form = LeagueForm(
        request.POST if request.method == "POST" else None, initial=build_initial_values(league)
    )
    if form.is_valid():
        try:
            leagues.edit_league(by=player, code=league.code, now=timezone.now(), **form.build_settings())
            messages.success(request, _("Saved."))
            return redirect("league-organise", code=league.code)
        except ServiceError as error:
            add_service_error(form, error)
    context = {"form": form, "league": build_league_context(league)}
    return render(request, "tournaments/leagues/form.html", context, status=422 if form.is_bound else 200)


def describe_league_error(league: League) -> str:
    """Describe the error that stops a league; for unplayable settings, theirs."""
    sentences = [league_text.describe_last_error(league.last_error)]
    if league.last_error == leagues.UNPLAYABLE_SETTINGS:
        sentences.append(describe_unplayable_settings(league))
    return " ".join(sentence for sentence in sentences if sentence)


@require_safe
@league_organiser_required
def show_league_dashboard(request: HttpRequest, league: League, player: Player) -> HttpResponse:
    """Show the league's state, members, substitutes, removals and co-organisers."""
    members = league.league_members.select_related("player").order_by("status", "status_changed_at", "pk")
    page = paginate_rows(request, members, MEMBERS_PER_PAGE)
    division_by_player = league_read_models.load_divisions_by_player(league)
    substitutes = members.filter(status=LeagueMember.Status.SUBSTITUTE)
    context = {
        "league": build_league_context(league),
        "allowed_actions": league_permissions.list_organiser_actions(league),
        "next_sweep_at": league.next_sweep_at,
        "setting_warnings": tournament_text.list_setting_warnings(league_read_models.settings_dict(league)),
        "last_error": describe_league_error(league),
        "page": page,
        "members": [
            {
                "name": member.player.name,
                "status": member.status,
                "next_season_role": league_text.describe_next_season_role(member.status),
                "status_changed_at": member.status_changed_at,
                "division": division_by_player.get(member.player_id),
            }
            for member in page
        ],
        "has_divisions": bool(division_by_player),
        "co_organisers": list(league.co_organisers.order_by("name").values_list("name", flat=True)),
        "removals": list(list_removals(league)[:MEMBERS_PER_PAGE]),
        "open_proposals": [
            build_proposal_context(proposal, player) for proposal in list_open_co_organiser_proposals(league)
        ],
        "substitutes": list(
            substitutes.order_by("status_changed_at", "pk").values_list("player__name", flat=True)[
                :MEMBERS_PER_PAGE
            ]
        ),
    }
    return render(request, "tournaments/leagues/organise.html", context)
