"""Accounts: what we ask of allauth, and a player's own pages."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.utils import get_next_redirect_url
from allauth.core.exceptions import ImmediateHttpResponse
from django.contrib import messages
from django.db import IntegrityError, transaction
from django.http import HttpRequest
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.models import Player
from games.services import guests

from .guests import guest_of
from .locale import spoken

TAKEN = _("This name is taken.")


class Adapter(DefaultAccountAdapter):
    """Our own answers to allauth's questions."""

    error_messages = {**DefaultAccountAdapter.error_messages, "username_taken": TAKEN}

    def new_user(self, request: HttpRequest) -> Player:
        return Player(joined_at=timezone.now(), language=spoken())

    def save_user(self, request: HttpRequest, user: Player, form: Any, commit: bool = True) -> Player:
        try:
            with transaction.atomic():
                player: Player = super().save_user(request, user, form, commit)
        except IntegrityError:  # two people took the name between the check and now
            messages.error(request, str(TAKEN))
            raise ImmediateHttpResponse(redirect(request.get_full_path())) from None
        if guest := guest_of(request):
            guests.keep(guest=guest, player=player, now=timezone.now())
        return player

    def confirm_email(self, request: HttpRequest, email_address: Any) -> bool:
        """The address is theirs, and now so are the games they began as a guest, in whichever browser."""
        confirmed: bool = super().confirm_email(request, email_address)
        if confirmed:
            guests.hand_over(player=email_address.user, now=timezone.now())
        return confirmed

    def login(self, request: HttpRequest, user: Player) -> None:
        """Whoever was a guest in this browser takes their games along; only confirmed accounts come here."""
        guest, now = guest_of(request), timezone.now()
        super().login(request, user)
        if guest:
            guests.keep(guest=guest, player=user, now=now)
        guests.hand_over(player=user, now=now)

    def get_email_confirmation_url(self, request: HttpRequest, emailconfirmation: Any) -> str:
        """The link remembers where the person was going: it may be opened in another browser."""
        url: str = super().get_email_confirmation_url(request, emailconfirmation)
        onwards = get_next_redirect_url(request)
        return f"{url}?{urlencode({'next': onwards})}" if onwards else url
