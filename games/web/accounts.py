"""Accounts: what we ask of allauth, and a player's own pages."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.utils import get_next_redirect_url
from allauth.core.exceptions import ImmediateHttpResponse
from django.conf import settings
from django.contrib import messages
from django.db import IntegrityError, transaction
from django.http import HttpRequest
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from games.models import Player

TAKEN = _("This name is taken.")


class Adapter(DefaultAccountAdapter):
    """Our own answers to allauth's questions."""

    error_messages = {**DefaultAccountAdapter.error_messages, "username_taken": TAKEN}

    def new_user(self, request: HttpRequest) -> Player:
        spoken = get_language() or settings.LANGUAGE_CODE
        language = spoken if spoken in dict(settings.LANGUAGES) else settings.LANGUAGE_CODE
        return Player(joined_at=timezone.now(), language=language)

    def save_user(self, request: HttpRequest, user: Player, form: Any, commit: bool = True) -> Player:
        try:
            with transaction.atomic():
                return super().save_user(request, user, form, commit)
        except IntegrityError:  # two people took the name between the check and now
            messages.error(request, str(TAKEN))
            raise ImmediateHttpResponse(redirect(request.get_full_path())) from None

    def get_email_confirmation_url(self, request: HttpRequest, emailconfirmation: Any) -> str:
        """The link remembers where the person was going: it may be opened in another browser."""
        url: str = super().get_email_confirmation_url(request, emailconfirmation)
        onwards = get_next_redirect_url(request)
        return f"{url}?{urlencode({'next': onwards})}" if onwards else url
