"""Who may open an organiser's pages."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from games.models import Player
from games.names import MAX_NAME_LENGTH
from tournaments.models import Event
from tournaments.selectors import NoSuchEvent, event_for, may_organise

View = Callable[..., HttpResponse]


def for_organisers(view: View) -> View:
    """The view gets the event; for others a draft does not exist, and the rest is not theirs."""

    @wraps(view)
    @login_required
    @never_cache
    def opened(request: HttpRequest, code: str, **more: Any) -> HttpResponse:
        player = request.user
        assert isinstance(player, Player)
        try:
            event = event_for(player, code)
        except NoSuchEvent:
            raise Http404(_("There is no such event.")) from None
        if not may_organise(player, event):
            return render(request, "tournaments/organise/forbidden.html", {"event": event}, status=403)
        return view(request, event, **more)

    return opened


def player_of(request: HttpRequest) -> Player:
    """Who organises; `for_organisers` has seen to it."""
    assert isinstance(request.user, Player)
    return request.user


def name_in(request: HttpRequest) -> str:
    """The name, or the part of one, that somebody looks for."""
    return request.GET.get("name", "").replace("\0", "").strip()[:MAX_NAME_LENGTH]


def show(request: HttpRequest, event: Event, here: str, **facts: Any) -> HttpResponse:
    """A page of the desk; `here` is its name among the tabs, and its template's."""
    return render(request, f"tournaments/organise/{here}.html", {"event": event, "here": here, **facts})
