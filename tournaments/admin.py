"""Read-only admin of tournaments and leagues; decisions are made by their organisers."""

from __future__ import annotations

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from common.read_only_admin import ReadOnlyAdmin
from tournaments.models import Appeal, Decision, Entrant, League, Pairing, Season, Tournament
from tournaments.options import GAME_SETTINGS_OPTIONS, LEAGUE_OPTIONS, TOURNAMENT_OPTIONS


@admin.register(Tournament)
class TournamentAdmin(ReadOnlyAdmin):
    """Tournaments, also those of league groups. `last_error` is why a sweep will retry."""

    list_display = [
        "name",
        "format",
        "status",
        "organiser",
        "created_at",
        "starts_at",
        "next_sweep_at",
        "last_error",
    ]
    list_filter = ["status", "format"]
    search_fields = ["code__exact", "^name"]
    ordering = ["-pk"]
    joined_relations = ["organiser", "division__season"]
    display_fields = [
        *("code", *TOURNAMENT_OPTIONS, "organiser", "status", "created_at", "started_at", "finished_at"),
        *("commitment", "next_sweep_at", "hold_reason", "warnings", "approved_round", "last_error"),
        *("division", "group", *GAME_SETTINGS_OPTIONS),
    ]


@admin.register(League)
class LeagueAdmin(ReadOnlyAdmin):
    """Leagues."""

    list_display = ["name", "status", "organiser", "created_at", "next_sweep_at", "last_error"]
    list_filter = ["status"]
    search_fields = ["code__exact", "^name"]
    ordering = ["-pk"]
    joined_relations = ["organiser"]
    display_fields = [
        *("code", *LEAGUE_OPTIONS, "organiser", "status", "created_at", "commitment", "next_sweep_at"),
        *("last_error", *GAME_SETTINGS_OPTIONS),
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

    list_display = ["tournament", "player_names", "status", "seed", "entered_at", "confirmed_at", "rank"]
    list_filter = ["status"]
    search_fields = ["tournament__code__exact", "entrant_players__player__name__iexact"]
    ordering = ["-pk"]
    joined_relations = ["tournament"]
    display_fields = [
        *(
            "tournament",
            "player_names",
            "status",
            "seed",
            "first_round",
            "left_after_round",
            "absent_rounds",
            "entered_at",
            "confirmed_at",
        ),
        "rank",
    ]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Entrant]:
        """Prefetch the players."""
        return super().get_queryset(request).prefetch_related("entrant_players__player")

    @admin.display(description="players")
    def player_names(self, entrant: Entrant) -> str:
        """Return the names of the entrant's players."""
        return ", ".join(
            entrant_player.player.name if entrant_player.player else "—"
            for entrant_player in entrant.entrant_players.all()
        )


@admin.register(Pairing)
class PairingAdmin(ReadOnlyAdmin):
    """Pairings and their results."""

    list_display = ["tournament", "match", "bracket_round", "game", "settled_at", "is_void"]
    search_fields = ["tournament__code__exact", "game__code__exact"]
    ordering = ["-pk"]
    joined_relations = ["tournament", "round", "game"]
    display_fields = [
        *(
            "tournament",
            "round",
            "match",
            "bracket_round",
            "game_number",
            "attempt",
            "reasons",
            "game",
            "result",
        ),
        *("settled_at", "is_void"),
    ]


@admin.register(Decision)
class DecisionAdmin(ReadOnlyAdmin):
    """Decisions of organisers."""

    list_display = ["created_at", "tournament", "created_by", "action", "reason", "public_note"]
    search_fields = ["tournament__code__exact"]
    ordering = ["-pk"]
    joined_relations = ["tournament", "created_by", "undoes"]
    display_fields = [
        "created_at",
        "tournament",
        "created_by",
        "action",
        "reason",
        "public_note",
        "before",
        "after",
        "undoes",
    ]


@admin.register(Appeal)
class AppealAdmin(ReadOnlyAdmin):
    """Appeals of players, and their answers."""

    list_display = ["created_at", "pairing", "created_by", "text", "answered_at"]
    search_fields = ["pairing__tournament__code__exact"]
    ordering = ["-pk"]
    joined_relations = ["pairing__tournament", "created_by", "answered_by"]
    display_fields = ["created_at", "pairing", "created_by", "text", "answer", "answered_by", "answered_at"]
