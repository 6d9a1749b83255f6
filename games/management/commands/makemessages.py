"""Django's makemessages, which also finds strings under the short names that we give its translators."""

from __future__ import annotations

from django.core.management.commands import makemessages

SHORT = ["lazy", "noop"]  # gettext_lazy, gettext_noop: where `_` is gettext already


class Command(makemessages.Command):
    xgettext_options = [*makemessages.Command.xgettext_options, *(f"--keyword={name}" for name in SHORT)]
