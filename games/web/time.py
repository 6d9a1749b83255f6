"""A player's time: what is lost first by who stops now, every clock, and vacation."""

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
from django.views.decorators.http import require_http_methods

from games import clock
from games.models import Player
from games.selectors.clocks import incidents
from games.selectors.mail import company
from games.selectors.time import Running, if_you_stop
from games.services import vacation
from games.services.errors import Refusal

from .turn import reason_names

# Days that no arithmetic with zones can push out of the calendar.
REASONABLE = [MinValueValidator(date(2000, 1, 1)), MaxValueValidator(date(2999, 12, 31))]


class VacationForm(forms.Form):
    """From the morning of one day to the morning of another, in the player's zone."""

    first = forms.DateField(
        label=lazy("First day away"),
        widget=forms.DateInput({"type": "date"}, "%Y-%m-%d"),
        validators=REASONABLE,
    )
    back = forms.DateField(
        label=lazy("First day back"),
        widget=forms.DateInput({"type": "date"}, "%Y-%m-%d"),
        validators=REASONABLE,
        help_text=lazy("Your clocks rest from midnight to midnight, in your time zone."),
    )

    def times(self, zone_name: str) -> dict[str, datetime]:
        """Start and end as points in time."""
        zone, days = clock.zone_named(zone_name), self.cleaned_data
        return {
            "start": clock.instant(days["first"], time(), zone),
            "end": clock.instant(days["back"], time(), zone),
        }


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def my_time(request: HttpRequest) -> HttpResponse:
    """The page; on POST a vacation is planned, or ended."""
    player, now = request.user, timezone.now()
    assert isinstance(player, Player)
    form = VacationForm(request.POST if request.POST.get("deed") == "plan" else None)
    if request.method == "POST":
        try:
            if request.POST.get("deed") == "end":
                vacation.end(player=player, now=now)
                messages.success(request, _("Welcome back: your clocks run again."))
                return redirect("time")
            if form.is_valid():
                vacation.plan(player=player, now=now, **form.times(player.time_zone))
                messages.success(
                    request, _("Your vacation is noted. You can move all the same, if you like.")
                )
                return redirect("time")
        except Refusal as refusal:
            messages.error(request, str(refusal))
    return render(
        request, "games/time.html", facts(player, form, now), status=422 if request.method == "POST" else 200
    )


def facts(player: Player, form: VacationForm, now: datetime) -> dict[str, Any]:
    """What the page shows."""
    stop = if_you_stop(player, now)
    prefetch_related_objects([one.place.game for one in stop.clocks], "places__player")
    return {
        "form": form,
        "now": now,
        "zone": player.time_zone.replace("_", " "),
        "first": stop.first_to_end.place.game.code if stop.first_to_end else "",
        "first_at": stop.first_to_end.loses_at if stop.first_to_end else None,
        "first_round_end": stop.first_to_end.round_end if stop.first_to_end else None,
        "clocks": [shown(one, player, now) for one in stop.clocks],
        "left": length(stop.vacation, now),
        "enough": stop.vacation >= clock.VACATION_LEAST,
        "away_from": stop.away_from,
        "away_until": stop.away_until,
        "away_now": bool(stop.away_from and stop.away_from <= now),
        "incident": any(incident.ended_at is None for incident in incidents()),
    }


def shown(one: Running, player: Player, now: datetime) -> dict[str, Any]:
    """One clock, in words."""
    game, names = one.place.game, reason_names()
    paused = game.paused_until if game.paused_until and game.paused_until > now else None
    return {
        "code": game.code,
        "company": company(game.places.all(), player),
        "on_turn": one.on_turn,
        "deadline": one.deadline,
        "bank": length(one.bank, now),
        "resting": [names[why] for why in one.resting],
        "paused_until": paused,
        "lost_at": one.loses_at,
        "round_end": one.round_end,
    }


def length(span: timedelta, now: datetime) -> str:
    """A span of time in words."""
    return timeuntil(now + span, now)


urlpatterns = [path("", my_time, name="time")]
