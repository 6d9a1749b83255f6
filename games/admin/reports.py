"""Admin pages of reports and reported chat messages."""

from __future__ import annotations

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from accounts.models import Player
from common.read_only_admin import SingleFieldAdmin
from games.models import Message, Report
from games.selectors.handovers import has_held_seat


@admin.register(Report)
class ReportAdmin(SingleFieldAdmin):
    """Reports, open ones first; only `resolved` can be changed."""

    list_display = ["created_at", "message_text", "player", "reason", "resolved"]
    list_filter = ["resolved"]
    ordering = ["resolved", "-created_at"]
    joined_relations = ["message__game", "message__player", "player"]
    display_fields = ["created_at", "message", "message_text", "player", "reason", "resolved"]
    editable_field = "resolved"

    @admin.display(description="text")
    def message_text(self, report: Report) -> str:
        """The text of the reported message."""
        return report.message.text


@admin.register(Message)
class MessageAdmin(SingleFieldAdmin):
    """Reported chat messages; only `hidden` can be changed."""

    list_display = ["created_at", "game", "player", "text", "hidden"]
    list_filter = ["hidden"]
    ordering = ["-created_at"]
    joined_relations = ["game", "player"]
    display_fields = ["created_at", "game", "player", "text", "hidden"]
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
