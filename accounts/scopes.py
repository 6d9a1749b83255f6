"""Scopes of API tokens and OAuth apps, with the sentences that describe them to players."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

# Scopes for OAuth apps; the consent page shows these sentences.
APP_SCOPES = {
    "read": _("See your games with your cards, and other games as you see them"),
    "email": _("See your email address"),
    "play": _("Join games, tournaments and leagues, play, chat and keep notes in your name"),
    "organise": _("Organise tournaments and leagues in your name"),
}
# Personal tokens may also have `account`; apps never do.
SCOPE_DESCRIPTIONS = APP_SCOPES | {
    "account": _("Change your settings, plan your vacation, create and revoke tokens"),
}
SCOPES = tuple(SCOPE_DESCRIPTIONS)
