"""Browsers that show a player's notices as push messages."""

from __future__ import annotations

from urllib.parse import urlsplit

from django.db import models

MAX_ENDPOINT_LENGTH = 500
MAX_LABEL_LENGTH = 80


class PushDevice(models.Model):
    """One browser of a player, with the subscription that it made for this site (RFC 8030, RFC 8291)."""

    player = models.ForeignKey("accounts.Player", on_delete=models.CASCADE, related_name="push_devices")
    endpoint = models.URLField(
        max_length=MAX_ENDPOINT_LENGTH, unique=True, help_text="of the browser's push service; a secret"
    )
    p256dh = models.CharField(max_length=90, help_text="the browser's public key")
    auth = models.CharField(max_length=24, help_text="the secret that the browser shares with this site")
    label = models.CharField(max_length=MAX_LABEL_LENGTH, help_text="browser and system")
    created_at = models.DateTimeField()
    last_used_at = models.DateTimeField(null=True, help_text="the push service last accepted a message then")
    disabled_reason = models.CharField(
        max_length=200,
        blank=True,
        default="",
        help_text="why it gets no messages any more; empty: it gets them",
    )

    def __str__(self) -> str:
        return f"push device {self.pk}"

    @property
    def service_host(self) -> str:
        """The host of its push service; the rest of the endpoint is a secret."""
        return urlsplit(self.endpoint).hostname or ""
