"""Admin pages of players and API tokens."""

from __future__ import annotations

from datetime import datetime

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse

from accounts.models import Player, Token
from accounts.services import players, tokens
from common.read_only_admin import ReadOnlyAdmin


@admin.register(Player)
class PlayerAdmin(ReadOnlyAdmin):
    """Accounts and guests; they can be blocked and unblocked."""

    list_display = [
        "name",
        "email",
        "joined_at",
        "last_seen_at",
        "is_guest",
        "is_bot",
        "is_active",
        "is_staff",
    ]
    list_filter = ["is_active", "is_guest", "is_bot", "is_staff"]
    search_fields = ["^name", "^email"]
    ordering = ["-pk"]
    display_fields = [
        *(
            "name",
            "email",
            "language",
            "time_zone",
            "mail_frequency",
            "tournament_mails",
            "joined_at",
            "last_login",
        ),
        *(
            "last_seen_at",
            "last_turn_mail_at",
            "email_bounced_at",
            "email_bounce_reason",
            "vacation_start",
            "vacation_end",
            "is_guest",
            "is_bot",
            "bot_owner",
            "is_active",
        ),
        "is_staff",
    ]
    actions = ["block", "unblock"]

    @admin.action(description="Block: the player can no longer sign in", permissions=["operate"])
    def block(self, request: HttpRequest, queryset: QuerySet[Player]) -> HttpResponse | None:
        """Block the selected players."""

        def block_player(player: Player, now: datetime) -> None:
            players.block_player(player=player, now=now)

        return self.run_action(
            request, queryset, "blocked", block_player, "Block these players? You can unblock them later."
        )

    @admin.action(description="Unblock: the player can sign in again", permissions=["operate"])
    def unblock(self, request: HttpRequest, queryset: QuerySet[Player]) -> HttpResponse | None:
        """Unblock the selected players."""

        def unblock_player(player: Player, now: datetime) -> None:
            players.unblock_player(player=player, now=now)

        return self.run_action(request, queryset, "unblocked", unblock_player)


@admin.register(Token)
class TokenAdmin(ReadOnlyAdmin):
    """API tokens by name; the token itself is stored as a hash only."""

    list_display = ["name", "player", "scopes", "created_at", "expires_at", "last_used_at", "revoked_at"]
    search_fields = ["player__name__iexact"]
    ordering = ["-pk"]
    joined_relations = ["player"]
    display_fields = ["name", "player", "scopes", "created_at", "expires_at", "last_used_at", "revoked_at"]
    actions = ["revoke"]

    @admin.action(description="Revoke: the tokens no longer work", permissions=["operate"])
    def revoke(self, request: HttpRequest, queryset: QuerySet[Token]) -> HttpResponse | None:
        """Revoke the selected tokens."""

        def revoke_token(token: Token, now: datetime) -> None:
            tokens.revoke_token(player=token.player, token_id=token.pk, now=now)

        return self.run_action(
            request, queryset, "revoked", revoke_token, "Revoke these tokens? You cannot undo this."
        )
