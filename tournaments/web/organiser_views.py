"""Views for organisers of a tournament: create, edit, and every organiser action."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from accounts.web.request_utils import current_player
from common.service_errors import Conflict, NotFound, ServiceError
from tournaments.models import Tournament
from tournaments.services import tournaments

from . import (
    decision_action_forms,
    entrant_action_forms,
    organiser_dashboard,
    preview,
    tournament_action_forms,
)
from .decorators import organiser_required
from .game_settings_form import add_service_error
from .organiser_action_forms import OrganiserActionForm
from .tournament_form import TournamentForm, build_initial_values, list_fixed_fields

allow_get_and_post = require_http_methods(["GET", "HEAD", "POST"])


@allow_get_and_post
@login_required
def create_tournament(request: HttpRequest) -> HttpResponse:
    """Create a draft."""
    form = TournamentForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        try:
            tournament = tournaments.create_tournament(
                organiser=current_player(request), now=timezone.now(), **form.build_settings()
            )
            messages.success(request, _("Draft created. Check it, then publish it."))
            return redirect("tournament-organise", code=tournament.code)
        except ServiceError as error:
            add_service_error(form, error)
    status = 422 if form.is_bound else 200
    return render(request, "tournaments/organise/form.html", {"form": form}, status=status)


@allow_get_and_post
@organiser_required
def edit_tournament(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Change the settings that may still change."""
    data, fixed_fields = request.POST if request.method == "POST" else None, list_fixed_fields(tournament)
    form = TournamentForm(data, initial=build_initial_values(tournament), fixed_fields=fixed_fields)
    if form.is_valid():
        try:
            tournaments.edit_tournament(
                by=current_player(request),
                code=tournament.code,
                now=timezone.now(),
                **form.build_changes(),
            )
            messages.success(request, _("Saved."))
            return redirect("tournament-organise", code=tournament.code)
        except ServiceError as error:
            add_service_error(form, error)
    status = 422 if form.is_bound else 200
    context = {"form": form, "tournament": tournament, "fixed_fields": fixed_fields}
    return render(request, "tournaments/organise/form.html", context, status=status)


def build_command_view(url_name: str, form_class: type[OrganiserActionForm]) -> Callable[..., HttpResponse]:
    """Make a view of an organiser command: it explains itself on GET and runs on POST; some have no page."""

    @organiser_required
    def view(request: HttpRequest, tournament: Tournament) -> HttpResponse:
        return run_organiser_command(request, tournament, url_name, form_class)

    @require_POST
    def post_only_view(request: HttpRequest, code: str) -> HttpResponse:
        if not request.user.is_authenticated:  # who signs in comes back by GET
            return redirect_to_login(reverse("tournament-organise", args=[code]))
        return view(request, code)

    return post_only_view if form_class.is_immediate else allow_get_and_post(view)


def run_organiser_command(
    request: HttpRequest, tournament: Tournament, url_name: str, form_class: type[OrganiserActionForm]
) -> HttpResponse:
    """Show the form on GET, perform it on POST; then redirect to its page of the dashboard."""
    bound = request.method == "POST"
    form = form_class(
        tournament, current_player(request), request.POST if bound else request.GET, bound=bound
    )
    status = 200
    if bound:
        status = 422
        try:
            if form.is_valid() and (message := form.perform_action(timezone.now())):
                messages.success(request, message)
                return (
                    redirect(form.return_url_name, code=tournament.code)
                    if form.return_url_name != "tournaments"
                    else redirect(form.return_url_name)
                )
        except NotFound:
            raise Http404 from None
        except ServiceError as error:
            add_service_error(form, error)
            status = 409 if isinstance(error, Conflict) else 422
        if form_class.is_immediate:
            for error_text in (item for errors in form.errors.values() for item in errors):
                messages.error(request, str(error_text))
            return redirect(form.return_url_name, code=tournament.code)
    context = {"form": form, "tournament": tournament, "command_url_name": url_name, **form.page_context()}
    return render(request, form.page_template, context, status=status)


# By the last part of the URL; the URL name is the same with `tournament-organise-` before it.
ORGANISER_COMMANDS = (
    tournament_action_forms.TOURNAMENT_COMMANDS
    | entrant_action_forms.ENTRANT_COMMANDS
    | decision_action_forms.DECISION_COMMANDS
)
urlpatterns = [
    path("new/", create_tournament, name="tournament-new"),
    path("<slug:code>/edit/", edit_tournament, name="tournament-edit"),
    path("<slug:code>/preview/", preview.show_round_preview, name="tournament-preview"),
    path("<slug:code>/organise/", organiser_dashboard.show_dashboard, name="tournament-organise"),
    path(
        "<slug:code>/organise/entrants/",
        organiser_dashboard.show_entrants,
        name="tournament-organise-entrants",
    ),
    path(
        "<slug:code>/organise/tables/", organiser_dashboard.show_pairings, name="tournament-organise-tables"
    ),
    path(
        "<slug:code>/organise/appeals/", organiser_dashboard.show_appeals, name="tournament-organise-appeals"
    ),
    path("<slug:code>/organise/log/", organiser_dashboard.show_decisions, name="tournament-organise-log"),
    path(
        "<slug:code>/organise/people/",
        organiser_dashboard.show_organisers_and_invites,
        name="tournament-organise-people",
    ),
    *(
        path(f"<slug:code>/organise/{name}/", build_command_view(url_name, form_class), name=url_name)
        for name, form_class in ORGANISER_COMMANDS.items()
        for url_name in [f"tournament-organise-{name}"]
    ),
]
