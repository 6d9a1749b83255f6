"""What organisers open: making a tournament, changing it, the desk, and every deed."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from games.services.errors import Conflict, NotFound, Refusal
from tournaments.models import Event
from tournaments.services import events

from . import decisions, deeds, desk, entrants, preview
from .gate import for_organisers, player_of
from .organise_form import TournamentForm, as_laid_down, fixed
from .terms_form import add_refusal

show_or_act = require_http_methods(["GET", "HEAD", "POST"])


@show_or_act
@login_required
def new(request: HttpRequest) -> HttpResponse:
    """Make a tournament, which nobody sees before it is published."""
    form = TournamentForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        try:
            event = events.create(organiser=player_of(request), now=timezone.now(), **form.laid_down())
            messages.success(request, _("It is made. Look it over, then publish it."))
            return redirect("tournament-organise", code=event.code)
        except Refusal as refusal:
            add_refusal(form, refusal)
    status = 422 if form.is_bound else 200
    return render(request, "tournaments/organise/form.html", {"form": form}, status=status)


@show_or_act
@for_organisers
def edit(request: HttpRequest, event: Event) -> HttpResponse:
    """Change what was laid down, as far as it still can be."""
    data, stays = request.POST if request.method == "POST" else None, fixed(event)
    form = TournamentForm(data, initial=as_laid_down(event), fixed=stays)
    if form.is_valid():
        try:
            events.edit(by=player_of(request), code=event.code, now=timezone.now(), **form.changes())
            messages.success(request, _("Saved."))
            return redirect("tournament-organise", code=event.code)
        except Refusal as refusal:
            add_refusal(form, refusal)
    status = 422 if form.is_bound else 200
    facts = {"form": form, "event": event, "stays": stays}
    return render(request, "tournaments/organise/form.html", facts, status=status)


@show_or_act
@for_organisers
def act(request: HttpRequest, event: Event, deed: str) -> HttpResponse:
    """One deed: shown on GET, done on POST; then the part of the desk that it belongs to."""
    kind = DEEDS.get(deed)
    if kind is None:
        raise Http404
    bound = request.method == "POST"
    if kind.at_once and not bound:
        return redirect("tournament-organise", code=event.code)
    form = kind(event, player_of(request), request.POST if bound else request.GET, bound=bound)
    status = 200
    if bound:
        status = 422
        try:
            if form.is_valid() and (said := form.do(timezone.now())):
                messages.success(request, said)
                return (
                    redirect(form.back, code=event.code)
                    if form.back != "tournaments"
                    else redirect(form.back)
                )
        except NotFound:
            raise Http404 from None
        except Refusal as refusal:
            add_refusal(form, refusal)
            status = 409 if isinstance(refusal, Conflict) else 422
        if kind.at_once:
            for wrong in (one for errors in form.errors.values() for one in errors):
                messages.error(request, str(wrong))
            return redirect(form.back, code=event.code)
    facts = {"form": form, "event": event, "deed": deed, **form.facts()}
    return render(request, form.template, facts, status=status)


DEEDS = deeds.DEEDS | entrants.DEEDS | decisions.DEEDS
urlpatterns = [
    path("new/", new, name="tournament-new"),
    path("<slug:code>/edit/", edit, name="tournament-edit"),
    path("<slug:code>/preview/", preview.preview, name="tournament-preview"),
    path("<slug:code>/organise/", desk.desk, name="tournament-organise"),
    path("<slug:code>/organise/entrants/", desk.entrants, name="tournament-organise-entrants"),
    path("<slug:code>/organise/tables/", desk.tables, name="tournament-organise-tables"),
    path("<slug:code>/organise/appeals/", desk.appeals, name="tournament-organise-appeals"),
    path("<slug:code>/organise/log/", desk.log, name="tournament-organise-log"),
    path("<slug:code>/organise/people/", desk.people, name="tournament-organise-people"),
    path("<slug:code>/organise/<slug:deed>/", act, name="tournament-organise-act"),
]
