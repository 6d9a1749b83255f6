"""For operators: tournaments and leagues, to look at. What there is to decide, their organisers decide."""

from __future__ import annotations

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from games.admin import Looked
from tournaments.models import Appeal, Decision, Entrant, Event, League, Season, Table

TERMS = [
    *("mode", "table", "edition", "cards", "obligation", "target", "clock", "allowance", "bank"),
    *("blind_allowance", "short_allowance", "short_bank", "timeouts", "weekends", "nights", "vacation"),
    *("chat", "rated", "private", "round_length"),
]


@admin.register(Event)
class EventAdmin(Looked):
    """Tournaments, and what groups of a league play. `trouble` is why a sweep will try one later."""

    list_display = ["name", "format", "status", "organiser", "created_at", "starts_at", "due_at", "trouble"]
    list_filter = ["status", "format"]
    search_fields = ["code__exact", "^name"]
    ordering = ["-pk"]
    joined = ["organiser", "division__season"]
    shown = [
        *("code", "name", "text", "organiser", "format", "status", "created_at", "started_at", "finished_at"),
        *("opens_at", "closes_at", "starts_at", "when_full", "capacity", "confirmation", "by_invitation"),
        *("late", "least_rating", "most_rating", "seeding", "rounds", "laps", "at_once", "advance"),
        *("third_place", "commitment", "due_at", "ask", "review", "held", "warnings", "accepted", "trouble"),
        *("division", "group", *TERMS),
    ]


@admin.register(League)
class LeagueAdmin(Looked):
    """Leagues."""

    list_display = ["name", "status", "organiser", "created_at", "due_at", "trouble"]
    list_filter = ["status"]
    search_fields = ["code__exact", "^name"]
    ordering = ["-pk"]
    joined = ["organiser"]
    shown = [
        *("code", "name", "text", "organiser", "status", "created_at", "format", "rounds", "size", "moves"),
        *("groups", "laps", "at_once", "newcomers", "pause", "seasons", "commitment", "due_at", "trouble"),
        *TERMS,
    ]


@admin.register(Season)
class SeasonAdmin(Looked):
    """Seasons of leagues."""

    list_display = ["league", "number", "started_at", "finished_at"]
    search_fields = ["league__code__exact"]
    ordering = ["-pk"]
    joined = ["league"]
    shown = ["league", "number", "started_at", "finished_at"]


@admin.register(Entrant)
class EntrantAdmin(Looked):
    """Who takes part, and who was put out."""

    list_display = ["event", "names", "status", "seed", "entered_at", "confirmed_at", "rank"]
    list_filter = ["status"]
    search_fields = ["event__code__exact", "members__player__name__iexact"]
    ordering = ["-pk"]
    joined = ["event"]
    shown = [
        *("event", "names", "status", "seed", "joined", "left", "absent", "entered_at", "confirmed_at"),
        "rank",
    ]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Entrant]:
        return super().get_queryset(request).prefetch_related("members__player")

    @admin.display(description="players")
    def names(self, entrant: Entrant) -> str:
        return ", ".join(one.player.name if one.player else "—" for one in entrant.members.all())


@admin.register(Table)
class TableAdmin(Looked):
    """Pairings and their results."""

    list_display = ["event", "match", "round", "game", "settled_at", "void"]
    search_fields = ["event__code__exact", "game__code__exact"]
    ordering = ["-pk"]
    joined = ["event", "published", "game"]
    shown = [
        *("event", "published", "match", "round", "rematch", "attempt", "reasons", "game", "result"),
        *("settled_at", "void"),
    ]


@admin.register(Decision)
class DecisionAdmin(Looked):
    """What organisers decided."""

    list_display = ["at", "event", "by", "what", "why", "public_note"]
    search_fields = ["event__code__exact"]
    ordering = ["-pk"]
    joined = ["event", "by", "undoes"]
    shown = ["at", "event", "by", "what", "why", "public_note", "before", "after", "undoes"]


@admin.register(Appeal)
class AppealAdmin(Looked):
    """What players objected to, and what they were told."""

    list_display = ["at", "table", "by", "text", "answered_at"]
    search_fields = ["table__event__code__exact"]
    ordering = ["-pk"]
    joined = ["table__event", "by", "answered_by"]
    shown = ["at", "table", "by", "text", "answer", "answered_by", "answered_at"]
