"""What organisers of a league open: making it, changing it, and its desk."""

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
from games.services.errors import Refusal
from tournaments.models import League, Membership
from tournaments.selectors import league_facts
from tournaments.selectors.proposals import co_organisers_asked
from tournaments.selectors.removals import removals_from
from tournaments.services import leagues
from tournaments.services.terms import why_unplayable
from tournaments.words import events as event_words
from tournaments.words import leagues as words

from .league_form import LeagueForm, as_laid_down
from .league_seen import forbidden, league_of, runs, told
from .proposals import facts_of
from .showing import part
from .terms_form import add_refusal

MEMBERS = 100  # on a page
show_or_act = require_http_methods(["GET", "HEAD", "POST"])
View = Callable[[HttpRequest, League, Player], HttpResponse]


def for_organisers(view: View) -> Callable[[HttpRequest, str], HttpResponse]:
    """The view gets the league and who organises it; to others it says that it is not theirs."""

    @wraps(view)
    @login_required
    @never_cache
    def opened(request: HttpRequest, code: str) -> HttpResponse:
        assert isinstance(request.user, Player)
        league = league_of(request, code)
        if not runs(request.user, league):
            return forbidden(request, league)
        return view(request, league, request.user)

    return opened


@show_or_act
@login_required
def new(request: HttpRequest) -> HttpResponse:
    """Make a league; people can join at once, and its first season begins when its organiser says so."""
    form = LeagueForm(request.POST if request.method == "POST" else None)
    assert isinstance(request.user, Player)
    if form.is_valid():
        try:
            league = leagues.create(organiser=request.user, now=timezone.now(), **form.laid_down())
            messages.success(
                request, _("The league is made, and people can join. Start it when enough are in.")
            )
            return redirect("league-organise", code=league.code)
        except Refusal as refusal:
            add_refusal(form, refusal)
    return render(
        request, "tournaments/leagues/form.html", {"form": form}, status=422 if form.is_bound else 200
    )


@show_or_act
@for_organisers
def edit(request: HttpRequest, league: League, player: Player) -> HttpResponse:
    """Change what was laid down; a season that runs is played as it began."""
    form = LeagueForm(request.POST if request.method == "POST" else None, initial=as_laid_down(league))
    if form.is_valid():
        try:
            leagues.edit(by=player, code=league.code, now=timezone.now(), **form.laid_down())
            messages.success(request, _("Saved."))
            return redirect("league-organise", code=league.code)
        except Refusal as refusal:
            add_refusal(form, refusal)
    facts = {"form": form, "league": told(league)}
    return render(request, "tournaments/leagues/form.html", facts, status=422 if form.is_bound else 200)


def trouble_of(league: League) -> str:
    """Why a league cannot go on; of its settings, what is wrong with them."""
    told = [words.trouble(league.trouble)]
    if league.trouble == leagues.UNPLAYABLE_TERMS:
        told.append(why_unplayable(league))
    return " ".join(one for one in told if one)


@require_safe
@for_organisers
def organise(request: HttpRequest, league: League, player: Player) -> HttpResponse:
    """The desk: what can be done now, who is in, what went wrong."""
    memberships = league.memberships.select_related("player").order_by("status", "at", "pk")
    page = part(request, memberships, MEMBERS)
    playing = league_facts.playing(league)
    waiting = memberships.filter(status=Membership.Status.SUBSTITUTE)
    facts = {
        "league": told(league),
        "due_at": league.due_at,
        "cautions": event_words.cautions(league_facts.laid_down(league)),
        "trouble": trouble_of(league),
        "page": page,
        "members": [
            {
                "name": one.player.name,
                "status": one.status,
                "told": words.next_season(one.status),
                "at": one.at,
                "division": playing.get(one.player_id),
            }
            for one in page
        ],
        "playing": bool(playing),
        "helpers": list(league.helpers.order_by("name").values_list("name", flat=True)),
        "removed": list(removals_from(league)[:MEMBERS]),
        "asked": [facts_of(one, player) for one in co_organisers_asked(league)],
        "substitutes": list(waiting.order_by("at", "pk").values_list("player__name", flat=True)[:MEMBERS]),
    }
    return render(request, "tournaments/leagues/organise.html", facts)
