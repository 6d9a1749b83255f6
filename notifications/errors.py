"""Error codes of webhooks and streams."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as lazy

from common.problems import AppErrors

ERRORS = AppErrors(
    codes={
        "bad-webhook": lazy("We cannot call this address, or the preset does not exist."),
        "too-many-streams": lazy("You or your network have too many open streams. Close one."),
        "webhook-exists": lazy("You already have a webhook at this address."),
        "webhook-off": lazy("This webhook is off. Turn it on first."),
    }
)
