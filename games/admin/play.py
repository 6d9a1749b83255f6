"""Games from outside, what workers do with them, and the switch that stops all clocks."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.html import format_html
from django.utils.translation import gettext as _

from games.models import (
    Game,
    Incident,
    Tally,
)
from games.selectors import name_at
from games.services import incidents
from games.services.errors import Conflict

from .base import Looked


@admin.register(Game)
class GameAdmin(Looked):
    """Games from outside: terms and times. What their clocks wait for could tell what somebody holds."""

    list_display = ["code", "status", "names", "mode", "seq", "created_at", "moved_at", "deadline", "private"]
    list_filter = ["status", "mode", "rated", "private"]
    search_fields = ["code__exact"]
    ordering = ["-pk"]
    joined = ["creator"]
    shown = [
        *("code", "page", "status", "names", "creator", "created_at", "started_at", "finished_at"),
        *("mode", "edition", "rules", "seats", "cards", "obligation", "target", "order", "private", "rated"),
        *("chat", "clock", "allowance", "bank", "blind_allowance", "timeouts", "weekends", "nights"),
        *("vacation", "paused_from", "paused_until", "seq", "moved_at", "deadline", "commitment"),
    ]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Game]:
        return super().get_queryset(request).defer("clocks", "opening").prefetch_related("places__player")

    @admin.display(description="players")
    def names(self, game: Game) -> str:
        places = sorted(game.places.all(), key=lambda place: (place.number or 9, place.joined))
        return ", ".join(name_at(place) for place in places)

    @admin.display(description="page")
    def page(self, game: Game) -> str:
        return format_html('<a href="/games/{0}/">/games/{0}/</a>', game.code)


@admin.register(Tally)
class TallyAdmin(Looked):
    """What the workers have done, and when they last did."""

    list_display = ["name", "count", "seconds", "at"]
    ordering = ["name"]
    search_fields = ["^name"]
    shown = ["name", "count", "seconds", "at"]


class Opening(forms.ModelForm):
    """All clocks are to rest: why, and for sure."""

    sure = forms.BooleanField(label="Yes: all clocks of all games rest from now on.")

    class Meta:
        model = Incident
        fields = ["why"]

    def clean(self) -> Any:
        if Incident.objects.filter(settled=False).exists():
            raise ValidationError(_("an incident is open already"))
        return super().clean()


@admin.register(Incident)
class IncidentAdmin(Looked):
    """When something is wrong: adding one stops all clocks, ending it lets them go on."""

    list_display = ["started_at", "ended_at", "settled", "why"]
    ordering = ["-started_at"]
    shown = ["why", "started_at", "ended_at", "settled"]
    form = Opening
    actions = ["end"]

    def has_add_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("games.add_incident")

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        return self.shown if obj else ["why", "sure"]

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        return self.shown if obj else []

    def save_model(self, request: HttpRequest, obj: Incident, form: Any, change: bool) -> None:
        obj.pk = incidents.start(now=timezone.now(), why=obj.why).pk

    def add_view(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            return super().add_view(request, *args, **kwargs)
        except Conflict as refused:  # somebody else stopped them in this very moment
            self.message_user(request, str(refused), messages.ERROR)
            return redirect("admin:games_incident_changelist")

    @admin.action(description="End: all clocks go on", permissions=["deed"])
    def end(self, request: HttpRequest, chosen: QuerySet[Incident]) -> HttpResponse | None:
        def ended(one: Incident, now: datetime) -> None:
            incidents.end(now=now)

        open_ones = chosen.filter(settled=False)
        return self.deed(request, open_ones, "ended", ended, "Let all clocks go on?")
