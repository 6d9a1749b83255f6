"""Players, their tokens, and what they say that others find wrong."""

from __future__ import annotations

from datetime import datetime

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse

from games.models import (
    Message,
    Player,
    Report,
    Token,
)
from games.selectors.handovers import has_sat
from games.services import players, tokens

from .base import Looked, Settled


@admin.register(Player)
class PlayerAdmin(Looked):
    """Accounts and guests; they can be blocked, and let in again."""

    list_display = ["name", "email", "joined_at", "seen_at", "guest", "is_active", "is_staff"]
    list_filter = ["is_active", "guest", "is_staff"]
    search_fields = ["^name", "^email"]
    ordering = ["-pk"]
    shown = [
        *("name", "email", "language", "time_zone", "mails", "tournament_mails", "joined_at", "last_login"),
        *("seen_at", "mailed_at", "dead_at", "dead_why", "away_from", "away_until", "guest", "is_active"),
        "is_staff",
    ]
    actions = ["block", "unblock"]

    @admin.action(description="Block: they cannot come in any more", permissions=["deed"])
    def block(self, request: HttpRequest, chosen: QuerySet[Player]) -> HttpResponse | None:
        def blocked(one: Player, now: datetime) -> None:
            players.block(player=one, now=now)

        return self.deed(request, chosen, "blocked", blocked, "Block these players?")

    @admin.action(description="Unblock: they may come in again", permissions=["deed"])
    def unblock(self, request: HttpRequest, chosen: QuerySet[Player]) -> HttpResponse | None:
        def unblocked(one: Player, now: datetime) -> None:
            players.unblock(player=one, now=now)

        return self.deed(request, chosen, "unblocked", unblocked)


@admin.register(Token)
class TokenAdmin(Looked):
    """Keys to the API, by name; of the key itself nobody here knows anything."""

    list_display = ["name", "player", "scopes", "created_at", "expires_at", "last_used", "revoked_at"]
    search_fields = ["player__name__iexact"]
    ordering = ["-pk"]
    joined = ["player"]
    shown = ["name", "player", "scopes", "created_at", "expires_at", "last_used", "revoked_at"]
    actions = ["revoke"]

    @admin.action(description="Revoke: they open nothing any more", permissions=["deed"])
    def revoke(self, request: HttpRequest, chosen: QuerySet[Token]) -> HttpResponse | None:
        def revoked(one: Token, now: datetime) -> None:
            tokens.revoke(player=one.player, token_id=one.pk, now=now)

        return self.deed(request, chosen, "revoked", revoked, "Revoke these tokens?")


@admin.register(Report)
class ReportAdmin(Settled):
    """Reports, open ones first; only whether one is settled can be changed."""

    list_display = ["at", "words", "player", "why", "settled"]
    list_filter = ["settled"]
    ordering = ["settled", "-at"]
    joined = ["message__game", "message__player", "player"]
    shown = ["at", "message", "words", "player", "why", "settled"]
    changed = "settled"

    @admin.display(description="message")
    def words(self, report: Report) -> str:
        return report.message.text


@admin.register(Message)
class MessageAdmin(Settled):
    """Lines of chat that somebody reported; only whether one is hidden can be changed."""

    list_display = ["at", "game", "player", "text", "hidden"]
    list_filter = ["hidden"]
    ordering = ["-at"]
    joined = ["game", "player"]
    shown = ["at", "game", "player", "text", "hidden"]
    changed = "hidden"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Message]:
        return super().get_queryset(request).filter(reports__isnull=False).distinct()

    def has_change_permission(self, request: HttpRequest, obj: Message | None = None) -> bool:
        """Nobody judges what is said at a table of their own: another operator does."""
        own = getattr(obj, "of_own_table", None)  # asked several times for a page
        if obj is not None and own is None and isinstance(request.user, Player):
            own = has_sat(request.user, obj.game)
            obj.of_own_table = own  # type: ignore[attr-defined]
        return super().has_change_permission(request, obj) and not own
