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

from games.models import Player
from games.services.errors import ServiceError
from tournaments.models import League, LeagueMember
from tournaments.selectors import league_read_models
from tournaments.selectors.proposals import list_open_co_organiser_proposals
from tournaments.selectors.removals import list_removals
from tournaments.services import leagues
from tournaments.services.game_settings import describe_unplayable_settings
from tournaments.text import leagues as league_text
from tournaments.text import tournaments as tournament_text

from .game_settings_form import add_service_error
from .league_form import LeagueForm, build_initial_values
from .league_presenters import build_league_context, get_league_or_404, is_league_organiser, render_forbidden
from .presenters import paginate
from .proposals import build_proposal_context

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
                request, _("The league is made, and people can join. Start it when enough are in.")
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
    """Why a league cannot go on; of its settings, what is wrong with them."""
    sentences = [league_text.describe_last_error(league.trouble)]
    if league.trouble == leagues.UNPLAYABLE_TERMS:
        sentences.append(describe_unplayable_settings(league))
    return " ".join(sentence for sentence in sentences if sentence)


@require_safe
@league_organiser_required
def show_league_dashboard(request: HttpRequest, league: League, player: Player) -> HttpResponse:
    """Show the league's state, members, substitutes, removals and co-organisers."""
    members = league.memberships.select_related("player").order_by("status", "at", "pk")
    page = paginate(request, members, MEMBERS_PER_PAGE)
    division_by_player = league_read_models.load_divisions_by_player(league)
    substitutes = members.filter(status=LeagueMember.Status.SUBSTITUTE)
    context = {
        "league": build_league_context(league),
        "due_at": league.due_at,
        "cautions": tournament_text.list_setting_warnings(league_read_models.settings_dict(league)),
        "trouble": describe_league_error(league),
        "page": page,
        "members": [
            {
                "name": member.player.name,
                "status": member.status,
                "told": league_text.describe_next_season_role(member.status),
                "at": member.at,
                "division": division_by_player.get(member.player_id),
            }
            for member in page
        ],
        "playing": bool(division_by_player),
        "helpers": list(league.helpers.order_by("name").values_list("name", flat=True)),
        "removed": list(list_removals(league)[:MEMBERS_PER_PAGE]),
        "asked": [
            build_proposal_context(proposal, player) for proposal in list_open_co_organiser_proposals(league)
        ],
        "substitutes": list(
            substitutes.order_by("at", "pk").values_list("player__name", flat=True)[:MEMBERS_PER_PAGE]
        ),
    }
    return render(request, "tournaments/leagues/organise.html", context)
