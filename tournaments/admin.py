"""Read-only admin of tournaments and leagues; decisions are made by their organisers."""

from __future__ import annotations

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from games.admin import ReadOnlyAdmin
from tournaments.models import Appeal, Decision, Entrant, League, Pairing, Season, Tournament

GAME_SETTINGS_FIELDS = [
    *("mode", "table", "edition", "cards", "obligation", "target", "clock", "allowance", "bank"),
    *("blind_allowance", "short_allowance", "short_bank", "timeouts", "weekends", "nights", "vacation"),
    *("chat", "rated", "private", "round_length"),
]


@admin.register(Tournament)
class TournamentAdmin(ReadOnlyAdmin):
    """Tournaments, also those of league groups. `last_error` is why a sweep will retry."""

    list_display = ["name", "format", "status", "organiser", "created_at", "starts_at", "due_at", "trouble"]
    list_filter = ["status", "format"]
    search_fields = ["code__exact", "^name"]
    ordering = ["-pk"]
    joined_relations = ["organiser", "division__season"]
    display_fields = [
        *("code", "name", "text", "organiser", "format", "status", "created_at", "started_at", "finished_at"),
        *("opens_at", "closes_at", "starts_at", "when_full", "capacity", "confirmation", "by_invitation"),
        *("late", "least_rating", "most_rating", "seeding", "rounds", "laps", "at_once", "advance"),
        *("third_place", "commitment", "due_at", "ask", "review", "held", "warnings", "accepted", "trouble"),
        *("division", "group", *GAME_SETTINGS_FIELDS),
    ]


@admin.register(League)
class LeagueAdmin(ReadOnlyAdmin):
    """Leagues."""

    list_display = ["name", "status", "organiser", "created_at", "due_at", "trouble"]
    list_filter = ["status"]
    search_fields = ["code__exact", "^name"]
    ordering = ["-pk"]
    joined_relations = ["organiser"]
    display_fields = [
        *("code", "name", "text", "organiser", "status", "created_at", "format", "rounds", "size", "moves"),
        *("groups", "laps", "at_once", "newcomers", "pause", "seasons", "commitment", "due_at", "trouble"),
        *GAME_SETTINGS_FIELDS,
    ]


@admin.register(Season)
class SeasonAdmin(ReadOnlyAdmin):
    """Seasons of leagues."""

    list_display = ["league", "number", "started_at", "finished_at"]
    search_fields = ["league__code__exact"]
    ordering = ["-pk"]
    joined_relations = ["league"]
    display_fields = ["league", "number", "started_at", "finished_at"]


@admin.register(Entrant)
class EntrantAdmin(ReadOnlyAdmin):
    """Entrants, with those who left or were disqualified."""

    list_display = ["event", "player_names", "status", "seed", "entered_at", "confirmed_at", "rank"]
    list_filter = ["status"]
    search_fields = ["event__code__exact", "members__player__name__iexact"]
    ordering = ["-pk"]
    joined_relations = ["event"]
    display_fields = [
        *(
            "event",
            "player_names",
            "status",
            "seed",
            "joined",
            "left",
            "absent",
            "entered_at",
            "confirmed_at",
        ),
        "rank",
    ]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Entrant]:
        """Prefetch the players."""
        return super().get_queryset(request).prefetch_related("members__player")

    @admin.display(description="players")
    def player_names(self, entrant: Entrant) -> str:
        """Return the names of the entrant's players."""
        return ", ".join(
            entrant_player.player.name if entrant_player.player else "—"
            for entrant_player in entrant.members.all()
        )


@admin.register(Pairing)
class PairingAdmin(ReadOnlyAdmin):
    """Pairings and their results."""

    list_display = ["event", "match", "round", "game", "settled_at", "void"]
    search_fields = ["event__code__exact", "game__code__exact"]
    ordering = ["-pk"]
    joined_relations = ["event", "published", "game"]
    display_fields = [
        *("event", "published", "match", "round", "rematch", "attempt", "reasons", "game", "result"),
        *("settled_at", "void"),
    ]


@admin.register(Decision)
class DecisionAdmin(ReadOnlyAdmin):
    """Decisions of organisers."""

    list_display = ["at", "event", "by", "what", "why", "public_note"]
    search_fields = ["event__code__exact"]
    ordering = ["-pk"]
    joined_relations = ["event", "by", "undoes"]
    display_fields = ["at", "event", "by", "what", "why", "public_note", "before", "after", "undoes"]


@admin.register(Appeal)
class AppealAdmin(ReadOnlyAdmin):
    """Appeals of players, and their answers."""

    list_display = ["at", "table", "by", "text", "answered_at"]
    search_fields = ["table__event__code__exact"]
    ordering = ["-pk"]
    joined_relations = ["table__event", "by", "answered_by"]
    display_fields = ["at", "table", "by", "text", "answer", "answered_by", "answered_at"]
