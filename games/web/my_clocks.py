"""A player's clocks and vacation, and which game they would lose first if they stopped playing now."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db.models import prefetch_related_objects
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils import timezone
from django.utils.timesince import timeuntil
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from accounts.models import Player
from common.service_errors import ServiceError
from games import clock
from games.selectors.clocks import load_unprocessed_incidents
from games.selectors.player_clocks import RunningClock, forecast_absence
from games.selectors.waiting_turns import describe_other_players
from games.services import vacation

from .game_rows import compute_urgent_time
from .turn_link import pause_reason_texts

# Far enough from the limits of datetime for time zone arithmetic.
REASONABLE_DATE_VALIDATORS = [MinValueValidator(date(2000, 1, 1)), MaxValueValidator(date(2999, 12, 31))]


class VacationForm(forms.Form):
    """A vacation from the morning of one day to the morning of another, in the player's time zone."""

    first = forms.DateField(
        label=lazy("First day away"),
        widget=forms.DateInput({"type": "date"}, "%Y-%m-%d"),
        validators=REASONABLE_DATE_VALIDATORS,
    )
    back = forms.DateField(
        label=lazy("First day back"),
        widget=forms.DateInput({"type": "date"}, "%Y-%m-%d"),
        validators=REASONABLE_DATE_VALIDATORS,
        help_text=lazy("Your clocks stop from midnight to midnight, in your time zone."),
    )

    def start_and_end(self, zone_name: str) -> dict[str, datetime]:
        """Return start and end as points in time."""
        zone, days = clock.load_zone(zone_name), self.cleaned_data
        return {
            "start": clock.local_to_utc(days["first"], time(), zone),
            "end": clock.local_to_utc(days["back"], time(), zone),
        }


@login_required
@never_cache
@require_safe
def show_my_clocks(request: HttpRequest) -> HttpResponse:
    """Show the clocks, with the form to plan a vacation."""
    return render_my_clocks(request, VacationForm())


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def plan_vacation(request: HttpRequest) -> HttpResponse:
    """Plan a vacation; the page shows what is wrong. GET leads to the page, as after signing in."""
    player, form = request.user, VacationForm(request.POST)
    assert isinstance(player, Player)
    if request.method != "POST":
        return redirect("time")
    if form.is_valid():
        try:
            vacation.plan_vacation(player=player, now=timezone.now(), **form.start_and_end(player.time_zone))
        except ServiceError as error:
            messages.error(request, str(error))
        else:
            messages.success(request, _("Your vacation is planned. You can still play your turns."))
            return redirect("time")
    return render_my_clocks(request, form, status=422)


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def end_vacation(request: HttpRequest) -> HttpResponse:
    """End or cancel the vacation. GET leads to the page, as after signing in."""
    player = request.user
    assert isinstance(player, Player)
    if request.method == "POST":
        try:
            vacation.end_vacation(player=player, now=timezone.now())
            messages.success(request, _("Welcome back: your clocks run again."))
        except ServiceError as error:
            messages.error(request, str(error))
    return redirect("time")


def render_my_clocks(request: HttpRequest, form: VacationForm, *, status: int = 200) -> HttpResponse:
    """Render the page with a form to plan a vacation."""
    assert isinstance(request.user, Player)
    context = build_my_clocks_context(request.user, form, timezone.now())
    return render(request, "games/my_clocks.html", context, status=status)


def build_my_clocks_context(player: Player, form: VacationForm, now: datetime) -> dict[str, Any]:
    """Return the context of the page."""
    forecast = forecast_absence(player, now)
    prefetch_related_objects([running_clock.seat.game for running_clock in forecast.clocks], "seats__player")
    return {
        "form": form,
        "now": now,
        "zone": player.time_zone.replace("_", " "),
        "first_code": forecast.first_to_end.seat.game.code if forecast.first_to_end else "",
        "first_at": forecast.first_to_end.loses_at if forecast.first_to_end else None,
        "first_round_end": forecast.first_to_end.round_end if forecast.first_to_end else None,
        "clocks": [clock_row(running_clock, player, now) for running_clock in forecast.clocks],
        "left": format_span(forecast.vacation_left, now),
        "can_plan_vacation": forecast.vacation_left >= clock.MIN_VACATION_LENGTH,
        "vacation_start": forecast.vacation_start,
        "vacation_end": forecast.vacation_end,
        "is_on_vacation": bool(forecast.vacation_start and forecast.vacation_start <= now),
        "has_open_incident": any(incident.ended_at is None for incident in load_unprocessed_incidents()),
    }


def clock_row(running_clock: RunningClock, player: Player, now: datetime) -> dict[str, Any]:
    """Return one clock as a row for the template."""
    game, reason_texts = running_clock.seat.game, pause_reason_texts()
    urgent_time = compute_urgent_time(game.allowance)
    paused_until = game.paused_until if game.paused_until and game.paused_until > now else None
    return {
        "code": game.code,
        "other_names": describe_other_players(game.seats.all(), player),
        "on_turn": running_clock.on_turn,
        "deadline": running_clock.deadline,
        "is_urgent": running_clock.deadline is not None and running_clock.deadline.at - now < urgent_time,
        "urgent_seconds": int(urgent_time.total_seconds()),
        "bank": format_span(running_clock.bank, now),
        "stop_reasons": [reason_texts[reason] for reason in running_clock.stop_reasons],
        "paused_until": paused_until,
        "lost_at": running_clock.loses_at,
        "round_end": running_clock.round_end,
    }


def format_span(span: timedelta, now: datetime) -> str:
    """Return a span of time in words."""
    return timeuntil(now + span, now)


urlpatterns = [
    path("", show_my_clocks, name="time"),
    path("plan/", plan_vacation, name="plan-vacation"),
    path("end/", end_vacation, name="end-vacation"),
]
