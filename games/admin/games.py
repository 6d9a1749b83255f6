"""Admin pages of games, worker counters and incidents."""

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

from common.models import MetricCounter
from common.read_only_admin import ReadOnlyAdmin
from common.service_errors import Conflict
from games.models import Game, Incident
from games.options import GAME_OPTIONS
from games.selectors import seat_name
from games.services import incidents


@admin.register(Game)
class GameAdmin(ReadOnlyAdmin):
    """Games without their secrets: settings and times. Seat clocks are left out: they could reveal a hand."""

    list_display = [
        "code",
        "status",
        "player_names",
        "mode",
        "seq",
        "created_at",
        "moved_at",
        "deadline",
        "private",
    ]
    list_filter = ["status", "mode", "rated", "private"]
    search_fields = ["code__exact"]
    ordering = ["-pk"]
    joined_relations = ["creator"]
    display_fields = [
        *(
            "code",
            "page_link",
            "status",
            "player_names",
            "creator",
            "created_at",
            "started_at",
            "finished_at",
        ),
        "rules_version",
        *GAME_OPTIONS,
        *("paused_from", "paused_until", "seq", "moved_at", "deadline", "commitment"),
    ]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Game]:
        """Defer large fields, and load the players for the names."""
        return (
            super()
            .get_queryset(request)
            .defer("seat_clocks", "initial_events")
            .prefetch_related("seats__player")
        )

    @admin.display(description="players")
    def player_names(self, game: Game) -> str:
        """The names of the players, in seat order."""
        seats = sorted(game.seats.all(), key=lambda seat: (seat.seat_no or 9, seat.join_order))
        return ", ".join(seat_name(seat) for seat in seats)

    @admin.display(description="page")
    def page_link(self, game: Game) -> str:
        """A link to the game page."""
        return format_html('<a href="/games/{0}/">/games/{0}/</a>', game.code)


@admin.register(MetricCounter)
class MetricCounterAdmin(ReadOnlyAdmin):
    """The counters of the workers, with the time of their last change."""

    list_display = ["name", "count", "seconds", "updated_at"]
    ordering = ["name"]
    search_fields = ["^name"]
    display_fields = ["name", "count", "seconds", "updated_at"]


class StartIncidentForm(forms.ModelForm):
    """Form that starts an incident: reason and confirmation."""

    sure = forms.BooleanField(label="Yes, stop all clocks of all games now")

    class Meta:
        model = Incident
        fields = ["reason"]

    def clean(self) -> Any:
        """Raise ValidationError if an incident is open already."""
        if Incident.objects.filter(deadlines_recomputed=False).exists():
            raise ValidationError(_("an incident is open already"))
        return super().clean()


@admin.register(Incident)
class IncidentAdmin(ReadOnlyAdmin):
    """Incidents: adding one stops all clocks, ending it starts them again."""

    list_display = ["started_at", "ended_at", "deadlines_recomputed", "reason"]
    ordering = ["-started_at"]
    display_fields = ["reason", "started_at", "ended_at", "deadlines_recomputed"]
    form = StartIncidentForm
    actions = ["end_incident"]

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Operators with the permission may start an incident."""
        return request.user.has_perm("games.add_incident")

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """The form's fields on the add page, all others on the detail page."""
        return self.display_fields if obj else ["reason", "sure"]

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """An existing incident is read-only."""
        return self.display_fields if obj else []

    def save_model(self, request: HttpRequest, obj: Incident, form: Any, change: bool) -> None:
        """Start the incident through the service."""
        obj.pk = incidents.start_incident(now=timezone.now(), reason=obj.reason).pk

    def add_view(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """The add page; shows an error if another operator has just started an incident."""
        try:
            return super().add_view(request, *args, **kwargs)
        except Conflict as error:  # another operator has just started one
            self.message_user(request, str(error), messages.ERROR)
            return redirect("admin:games_incident_changelist")

    @admin.action(description="End incident: restart all clocks", permissions=["operate"])
    def end_incident(self, request: HttpRequest, queryset: QuerySet[Incident]) -> HttpResponse | None:
        """End the selected incident."""

        def end_one(incident: Incident, now: datetime) -> None:
            incidents.end_incident(now=now)

        open_incidents = queryset.filter(deadlines_recomputed=False)
        return self.run_action(
            request,
            open_incidents,
            "ended",
            end_one,
            "End the incident and restart all clocks? You cannot undo this.",
        )
