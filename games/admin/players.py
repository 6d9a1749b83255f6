"""Admin pages of players, API tokens, reports and reported chat messages."""

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
from games.selectors.handovers import has_held_seat
from games.services import players, tokens

from .base import ReadOnlyAdmin, SingleFieldAdmin


@admin.register(Player)
class PlayerAdmin(ReadOnlyAdmin):
    """Accounts and guests; they can be blocked and unblocked."""

    list_display = ["name", "email", "joined_at", "seen_at", "guest", "is_active", "is_staff"]
    list_filter = ["is_active", "guest", "is_staff"]
    search_fields = ["^name", "^email"]
    ordering = ["-pk"]
    display_fields = [
        *("name", "email", "language", "time_zone", "mails", "tournament_mails", "joined_at", "last_login"),
        *("seen_at", "mailed_at", "dead_at", "dead_why", "away_from", "away_until", "guest", "is_active"),
        "is_staff",
    ]
    actions = ["block", "unblock"]

    @admin.action(description="Block: they cannot come in any more", permissions=["operate"])
    def block(self, request: HttpRequest, queryset: QuerySet[Player]) -> HttpResponse | None:
        """Block the selected players."""

        def block_player(player: Player, now: datetime) -> None:
            players.block_player(player=player, now=now)

        return self.run_action(request, queryset, "blocked", block_player, "Block these players?")

    @admin.action(description="Unblock: they may come in again", permissions=["operate"])
    def unblock(self, request: HttpRequest, queryset: QuerySet[Player]) -> HttpResponse | None:
        """Unblock the selected players."""

        def unblock_player(player: Player, now: datetime) -> None:
            players.unblock_player(player=player, now=now)

        return self.run_action(request, queryset, "unblocked", unblock_player)


@admin.register(Token)
class TokenAdmin(ReadOnlyAdmin):
    """API tokens by name; the token itself is stored as a hash only."""

    list_display = ["name", "player", "scopes", "created_at", "expires_at", "last_used", "revoked_at"]
    search_fields = ["player__name__iexact"]
    ordering = ["-pk"]
    joined_relations = ["player"]
    display_fields = ["name", "player", "scopes", "created_at", "expires_at", "last_used", "revoked_at"]
    actions = ["revoke"]

    @admin.action(description="Revoke: they open nothing any more", permissions=["operate"])
    def revoke(self, request: HttpRequest, queryset: QuerySet[Token]) -> HttpResponse | None:
        """Revoke the selected tokens."""

        def revoke_token(token: Token, now: datetime) -> None:
            tokens.revoke_token(player=token.player, token_id=token.pk, now=now)

        return self.run_action(request, queryset, "revoked", revoke_token, "Revoke these tokens?")


@admin.register(Report)
class ReportAdmin(SingleFieldAdmin):
    """Reports, open ones first; only `settled` can be changed."""

    list_display = ["at", "message_text", "player", "why", "settled"]
    list_filter = ["settled"]
    ordering = ["settled", "-at"]
    joined_relations = ["message__game", "message__player", "player"]
    display_fields = ["at", "message", "message_text", "player", "why", "settled"]
    editable_field = "settled"

    @admin.display(description="message")
    def message_text(self, report: Report) -> str:
        """The text of the reported message."""
        return report.message.text


@admin.register(Message)
class MessageAdmin(SingleFieldAdmin):
    """Reported chat messages; only `hidden` can be changed."""

    list_display = ["at", "game", "player", "text", "hidden"]
    list_filter = ["hidden"]
    ordering = ["-at"]
    joined_relations = ["game", "player"]
    display_fields = ["at", "game", "player", "text", "hidden"]
    editable_field = "hidden"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Message]:
        """Only messages that somebody reported."""
        return super().get_queryset(request).filter(reports__isnull=False).distinct()

    def has_change_permission(self, request: HttpRequest, obj: Message | None = None) -> bool:
        """Operators may not judge messages of games they play or played in."""
        is_own_game = getattr(obj, "is_own_game", None)  # called several times per page
        if obj is not None and is_own_game is None and isinstance(request.user, Player):
            is_own_game = has_held_seat(request.user, obj.game)
            obj.is_own_game = is_own_game  # type: ignore[attr-defined]
        return super().has_change_permission(request, obj) and not is_own_game
