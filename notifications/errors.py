"""Error codes of webhooks."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as lazy

from common.problems import AppErrors

ERRORS = AppErrors(
    codes={
        "bad-webhook": lazy("We do not call this address, or do not know this preset."),
        "webhook-exists": lazy("You have a webhook at this address already."),
        "webhook-off": lazy("This webhook is switched off."),
    }
)
