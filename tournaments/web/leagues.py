"""Leagues: seasons, divisions, history."""

from __future__ import annotations

from typing import Any

from django.db.models import Case, Value, When
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from tournaments.models import League, Membership
from tournaments.selectors import divisions, seeds
from tournaments.selectors import league_facts as leagues
from tournaments.words import leagues as words

from . import league_join, league_organise, league_play, terms
from .league_join import AskForm
from .league_seen import account_of, league_of, my_games, runs, sealed, standings, told
from .proposals import proposals_in
from .showing import part

ON_A_PAGE = 20
LISTED = 60  # names of those who wait for the first season
SEASONS = 25  # of the history, on a page
CLOSED_LAST = Case(When(status=League.Status.CLOSED, then=Value(1)), default=Value(0))


@require_safe
def leagues_list(request: HttpRequest) -> HttpResponse:
    """All leagues, those that one can join before those that are over."""
    found = leagues.counted(League.objects.all(), account_of(request))
    page = part(request, found.order_by(CLOSED_LAST, "-created_at", "-pk"), ON_A_PAGE)
    facts = {"page": page, "leagues": [told(league) for league in page]}
    return render(request, "tournaments/leagues/list.html", facts)


@require_safe
def league(request: HttpRequest, code: str) -> HttpResponse:
    """A league: what it is, how to get in and out, and its present season."""
    found, viewer, now = league_of(request, code), account_of(request), timezone.now()
    facts = told(found)
    context: dict[str, Any] = {
        "league": facts,
        "rules": words.rules(facts),
        "terms": terms.in_full(found),
        "organises": runs(viewer, found),
        "removed": found.removed,  # type: ignore[attr-defined]
        "account": viewer,
        "open": found.status != League.Status.CLOSED,
        "form": AskForm(),
        "newcomers": words.newcomers(facts),
        "proposals": proposals_in(found, viewer) if found.asked else [],  # type: ignore[attr-defined]
        "next_season": sealed(found, members=facts["members"], last=facts["season"] or 0),
        "own_seed": found.client_seed,  # type: ignore[attr-defined]
    }
    current = None
    number = facts["season"]
    if number:
        rows = list(divisions.divisions(found, number, viewer))
        current = rows[0].season
        read, season = standings(request, found, rows, viewer)
        context |= season
        if viewer and season["my_division"] is not None and season["page"].number == 1:
            context["games"] = my_games(read.tables_of(viewer))
        if current.number > 1 or current.finished_at:
            context["champion"] = next(iter(leagues.champions(found, limit=1)), None)
    else:
        waiting = found.memberships.filter(status=Membership.Status.MEMBER).order_by("at", "pk")
        context["names"] = list(waiting.values_list("player__name", flat=True)[:LISTED])
        context["more_names"] = max(facts["members"] - LISTED, 0)
    calendar = leagues.calendar(found, current, now)
    context["calendar"] = [line | {"told": words.comes(line, facts)} for line in calendar]
    return render(request, "tournaments/leagues/league.html", context)


@require_safe
def season(request: HttpRequest, code: str, number: int) -> HttpResponse:
    """A season of a league: its divisions, and what became of everybody."""
    found, viewer = league_of(request, code), account_of(request)
    rows = list(divisions.divisions(found, number, viewer)) if number <= (found.season or 0) else []  # type: ignore[attr-defined]
    if not rows:
        raise Http404(_("There is no such season."))
    _read, context = standings(request, found, rows, viewer)
    context |= {
        "seal": seeds.season_seal(rows[0].season),
        "league": told(found),
        "before": number - 1,
        "after": number + 1 if number < found.season else None,  # type: ignore[attr-defined]
    }
    return render(request, "tournaments/leagues/season.html", context)


@require_safe
def history(request: HttpRequest, code: str) -> HttpResponse:
    """The champions of all seasons, and who has won how often."""
    found = league_of(request, code)
    won = leagues.champions(found)
    page = part(request, won, SEASONS)
    context = {
        "league": told(found),
        "page": page,
        "seasons": leagues.with_moves(found, list(page)),
        "titles": leagues.titles(won)[:SEASONS],
    }
    return render(request, "tournaments/leagues/history.html", context)


# What stands under an address of its own comes before what stands under a league's.
urlpatterns = [
    path("", leagues_list, name="leagues"),
    path("new/", league_organise.new, name="league-new"),
    path("join/<str:token>/", league_join.link, name="league-link"),
    path("<slug:code>/", league, name="league"),
    path("<slug:code>/seasons/<int:number>/", season, name="league-season"),
    path("<slug:code>/history/", history, name="league-history"),
    path("<slug:code>/ask/", league_join.ask, name="league-ask"),
    path("<slug:code>/asked/", league_join.asked, name="league-asked"),
    path("<slug:code>/edit/", league_organise.edit, name="league-edit"),
    path("<slug:code>/organise/", league_organise.organise, name="league-organise"),
    path("<slug:code>/<slug:deed>/", league_play.act, name="league-act"),
]
