"""For operators: what players reported, and the words it is about. Games and their secrets are not here."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from games.models import Message, Report


@admin.register(Report)
class ReportAdmin(admin.ModelAdmin):
    """Reports, open ones first; only whether one is settled can be changed."""

    list_display = ["at", "words", "player", "why", "settled"]
    list_filter = ["settled"]
    list_select_related = ["message", "player"]
    ordering = ["settled", "-at"]
    readonly_fields = ["at", "message", "words", "player", "why"]

    @admin.display(description="message")
    def words(self, report: Report) -> str:
        return report.message.text

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False


@admin.register(Message)
class MessageAdmin(admin.ModelAdmin):
    """Lines of chat; only whether one is hidden can be changed."""

    list_display = ["at", "game", "player", "text", "hidden"]
    list_filter = ["hidden"]
    list_select_related = ["game", "player"]
    ordering = ["-at"]
    readonly_fields = ["at", "game", "player", "text"]

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False
