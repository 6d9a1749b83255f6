"""Django's makemessages, which also finds strings marked by our short aliases of gettext functions."""

from __future__ import annotations

from django.core.management.commands import makemessages

GETTEXT_ALIASES = ["lazy", "noop"]  # of gettext_lazy and gettext_noop, in modules where `_` is gettext


class Command(makemessages.Command):
    """Adds the aliases to xgettext's keywords."""

    xgettext_options = [
        *makemessages.Command.xgettext_options,
        *(f"--keyword={name}" for name in GETTEXT_ALIASES),
    ]
