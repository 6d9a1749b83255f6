"""Invitations, notes, chat messages and reports."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from .limits import MAX_MESSAGE_LENGTH, MAX_NOTE_LENGTH, MAX_REPORT_LENGTH


class Invitation(models.Model):
    """A seat reserved for somebody, by name or by email; it ends when the open game expires."""

    game = models.ForeignKey("Game", on_delete=models.CASCADE, related_name="invitations")
    by = models.ForeignKey("Player", on_delete=models.CASCADE, related_name="+")
    player = models.ForeignKey("Player", null=True, on_delete=models.CASCADE, related_name="invitations")
    email = models.EmailField(blank=True, default="")
    partner = models.BooleanField(default=False, help_text="to play as the inviter's partner")
    opponent = models.BooleanField(db_default=False, help_text="to play against the inviter, in pairs")
    at = models.DateTimeField()
    due_at = models.DateTimeField(null=True, help_text="when the mail is to be tried next")
    tries = models.SmallIntegerField(db_default=0)
    sent_at = models.DateTimeField(null=True, help_text="when the mail went out")
    trouble = models.CharField(max_length=200, blank=True, default="", help_text="why it did not")
    answered = models.CharField(
        max_length=10, blank=True, default="", help_text="joined, declined, or lost: no mail reaches them"
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["game", "player"], condition=Q(answered="", player__isnull=False), name="invited_once"
            ),
            models.UniqueConstraint(
                fields=["game", "email"], condition=Q(answered="", player__isnull=True), name="mailed_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.game_id} for {self.player_id or 'somebody by email'}"


class Note(models.Model):
    """A player's private notes on a game."""

    game = models.ForeignKey("Game", on_delete=models.CASCADE, related_name="+")
    player = models.ForeignKey("Player", on_delete=models.CASCADE, related_name="notes")
    text = models.TextField(max_length=MAX_NOTE_LENGTH)
    at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["game", "player"], name="note_once")]

    def __str__(self) -> str:
        return f"{self.player_id} on {self.game_id}"


class Message(models.Model):
    """A chat message in a game."""

    game = models.ForeignKey("Game", on_delete=models.CASCADE, related_name="messages")
    player = models.ForeignKey("Player", null=True, on_delete=models.SET_NULL, related_name="messages")
    text = models.CharField(max_length=MAX_MESSAGE_LENGTH)
    at = models.DateTimeField()
    hidden = models.BooleanField(default=False, help_text="taken down by an operator")

    def __str__(self) -> str:
        return f"{self.game_id} {self.id}"


class Report(models.Model):
    """A player's report of a chat message, resolved by an operator."""

    message = models.ForeignKey(Message, on_delete=models.CASCADE, related_name="reports")
    player = models.ForeignKey("Player", on_delete=models.CASCADE, related_name="+")
    why = models.CharField(max_length=MAX_REPORT_LENGTH, blank=True, default="")
    at = models.DateTimeField()
    settled = models.BooleanField(default=False)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["message", "player"], name="reported_once")]

    def __str__(self) -> str:
        return f"report {self.id}"
