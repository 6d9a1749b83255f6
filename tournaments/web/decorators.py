"""Access to the organiser's pages, and helpers shared by them."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from accounts.models import Player
from accounts.name_validation import MAX_NAME_LENGTH
from tournaments import permissions
from tournaments.models import Tournament
from tournaments.selectors import NoSuchTournament, can_organise_tournament, get_tournament_for

ViewFunction = Callable[..., HttpResponse]


def organiser_required(view: ViewFunction) -> ViewFunction:
    """Pass the tournament to a view for organisers. Others get 404 for a private one, 403 otherwise."""

    @wraps(view)
    @login_required
    @never_cache
    def wrapper(request: HttpRequest, code: str, **kwargs: Any) -> HttpResponse:
        player = request.user
        assert isinstance(player, Player)
        try:
            tournament = get_tournament_for(player, code)
        except NoSuchTournament:
            raise Http404(_("Tournament not found.")) from None
        if not can_organise_tournament(player, tournament):
            return render(
                request, "tournaments/organise/forbidden.html", {"tournament": tournament}, status=403
            )
        return view(request, tournament, **kwargs)

    return wrapper


def read_name_filter(request: HttpRequest) -> str:
    """Return the name, or part of a name, to search for."""
    return request.GET.get("name", "").replace("\0", "").strip()[:MAX_NAME_LENGTH]


def render_organiser_page(
    request: HttpRequest, tournament: Tournament, tab: str, **context: Any
) -> HttpResponse:
    """Render a page of the dashboard, with what may be done; `tab` names both the tab and the template."""
    may = permissions.list_organiser_actions(tournament, timezone.now())
    context = {"tournament": tournament, "current_tab": tab, "allowed_actions": may, **context}
    return render(request, f"tournaments/organise/{tab}.html", context)
