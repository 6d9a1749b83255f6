"""Invitations, notes, chat messages and reports."""

from __future__ import annotations

from typing import Self

from django.db import models, transaction
from django.db.models import Q

from notifications.models.deliveries import Delivery

from .limits import MAX_MESSAGE_LENGTH, MAX_NOTE_LENGTH, MAX_REPORT_LENGTH


class InvitationQuerySet(models.QuerySet["Invitation"]):
    """Invitations by their status, deleted together with their deliveries."""

    def open(self) -> Self:
        """Invitations that nobody has answered."""
        return self.filter(status=Invitation.Status.OPEN)

    def accepted(self) -> Self:
        """Invitations whose player has joined."""
        return self.filter(status=Invitation.Status.JOINED)

    def open_or_accepted(self) -> Self:
        """Invitations that keep a seat, or have given it."""
        return self.filter(status__in=(Invitation.Status.OPEN, Invitation.Status.JOINED))

    def delete(self) -> tuple[int, dict[str, int]]:
        """Delete the invitations and their deliveries: a mail server's answer may name the address."""
        with transaction.atomic():
            delivery_ids = list(self.exclude(delivery=None).values_list("delivery", flat=True))
            deleted = super().delete()
            Delivery.objects.filter(pk__in=delivery_ids).delete()
        return deleted


class Invitation(models.Model):
    """A seat reserved for somebody, by name or by email; it ends when the open game expires."""

    class Status(models.TextChoices):
        """The states of an invitation."""

        OPEN = ""
        JOINED = "joined"
        DECLINED = "declined"
        LOST = "lost"  # no mail reaches them

    game = models.ForeignKey("Game", on_delete=models.CASCADE, related_name="invitations")
    inviter = models.ForeignKey("accounts.Player", on_delete=models.CASCADE, related_name="+")
    player = models.ForeignKey(
        "accounts.Player", null=True, on_delete=models.CASCADE, related_name="invitations"
    )
    email = models.EmailField(blank=True, default="")
    as_partner = models.BooleanField(default=False, help_text="to play as the inviter's partner")
    as_opponent = models.BooleanField(db_default=False, help_text="to play against the inviter, in pairs")
    created_at = models.DateTimeField()
    delivery = models.OneToOneField(
        Delivery,
        null=True,
        on_delete=models.SET_NULL,
        related_name="invitation",
        help_text="the mail to `email`; the address is only here",
    )
    status = models.CharField(max_length=10, blank=True, choices=Status.choices, default=Status.OPEN)

    objects = InvitationQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["game", "player"],
                condition=Q(status="", player__isnull=False),
                name="invitation_player_once",
            ),
            models.UniqueConstraint(
                fields=["game", "email"],
                condition=Q(status="", player__isnull=True),
                name="invitation_email_once",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.game_id} for {self.player_id or 'somebody by email'}"

    @property
    def is_open(self) -> bool:
        """Not answered yet."""
        return self.status == self.Status.OPEN


class Note(models.Model):
    """A player's private notes on a game."""

    game = models.ForeignKey("Game", on_delete=models.CASCADE, related_name="+")
    player = models.ForeignKey("accounts.Player", on_delete=models.CASCADE, related_name="notes")
    text = models.TextField(max_length=MAX_NOTE_LENGTH)
    updated_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["game", "player"], name="note_once")]

    def __str__(self) -> str:
        return f"{self.player_id} on {self.game_id}"


class Message(models.Model):
    """A chat message in a game."""

    game = models.ForeignKey("Game", on_delete=models.CASCADE, related_name="messages")
    player = models.ForeignKey(
        "accounts.Player", null=True, on_delete=models.SET_NULL, related_name="messages"
    )
    text = models.CharField(max_length=MAX_MESSAGE_LENGTH)
    created_at = models.DateTimeField()
    hidden = models.BooleanField(default=False, help_text="hidden by an operator")

    def __str__(self) -> str:
        return f"{self.game_id} {self.id}"


class Report(models.Model):
    """A player's report of a chat message, resolved by an operator."""

    message = models.ForeignKey(Message, on_delete=models.CASCADE, related_name="reports")
    player = models.ForeignKey("accounts.Player", on_delete=models.CASCADE, related_name="+")
    reason = models.CharField(max_length=MAX_REPORT_LENGTH, blank=True, default="")
    created_at = models.DateTimeField()
    resolved = models.BooleanField(default=False)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["message", "player"], name="report_once")]

    def __str__(self) -> str:
        return f"report {self.id}"
