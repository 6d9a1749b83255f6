"""Error codes of webhooks and streams."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as lazy

from common.problems import AppErrors

ERRORS = AppErrors(
    codes={
        "bad-webhook": lazy("We do not call this address, or do not know this preset."),
        "too-many-streams": lazy("You, or your network, have as many streams open as allowed; close one."),
        "webhook-exists": lazy("You have a webhook at this address already."),
        "webhook-off": lazy("This webhook is switched off."),
    }
)
