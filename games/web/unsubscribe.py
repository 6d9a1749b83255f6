"""Links under every mail: mute one game, unsubscribe from all mails, refuse mail to an address.

GET changes nothing. A mail program that offers "unsubscribe" sends the POST itself (RFC 8058), without cookie
or referrer, so the signed token is the only credential. Each action can be undone and is idempotent.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from games import signed_links
from games.models import Player
from games.selectors.contacts import is_refused_digest
from games.selectors.turns import find_player_by_mail_token, find_seat_by_mail_token
from games.services import contact_limits, notices

from .turn_link import secret_link_view


@contextmanager
def use_language_of(player: Player | None) -> Iterator[Player]:
    """Activate the player's language. Raises Http404 without a player."""
    if player is None:
        raise Http404(_("There is nothing at this address."))
    with translation.override(player.language):
        yield player


@secret_link_view
def mute_game_by_link(request: HttpRequest, token: str) -> HttpResponse:
    """Show whether mails about one game are muted; on POST mute, or with `undo` unmute."""
    key, code = signed_links.read_mute(token) or ("", "")
    seat = find_seat_by_mail_token(key, code)
    with use_language_of(seat.player if seat else None):
        assert seat
        if request.method == "POST":
            seat = notices.set_game_muted(
                mail_token=key, code=code, muted="undo" not in request.POST, now=timezone.now()
            )
        context = {"code": code, "off": seat.muted, "done": request.method == "POST", "user": None}
        return render(request, "games/muted.html", context)


@secret_link_view
def unsubscribe_by_link(request: HttpRequest, token: str) -> HttpResponse:
    """Show whether the player gets mails; on POST unsubscribe, or with `undo` resubscribe."""
    key = signed_links.read_unsubscribe(token) or ""
    with use_language_of(find_player_by_mail_token(key)) as player:
        if request.method == "POST":
            change_subscription = (
                notices.resubscribe_to_mails if "undo" in request.POST else notices.unsubscribe_from_mails
            )
            player = change_subscription(mail_token=key, now=timezone.now())
        is_unsubscribed = player.mails == Player.MailFrequency.NONE
        context = {"off": is_unsubscribed, "done": request.method == "POST", "user": None}
        return render(request, "games/unsubscribed.html", context)


@secret_link_view
def refuse_mail_by_link(request: HttpRequest, token: str) -> HttpResponse:
    """Show whether an address refuses our mail; on POST refuse, or with `undo` allow it again."""
    digest = signed_links.read_refusal(token)
    if digest is None:
        raise Http404(_("There is nothing at this address."))
    if request.method == "POST":
        change_refusal = contact_limits.allow_mail if "undo" in request.POST else contact_limits.refuse_mail
        change_refusal(digest=digest, now=timezone.now())
    context = {"off": is_refused_digest(digest), "done": request.method == "POST", "user": None}
    return render(request, "games/refused.html", context)


urlpatterns = [
    path("no-mail/<str:token>/", refuse_mail_by_link, name="refuse-mail"),
    path("mute/<str:token>/", mute_game_by_link, name="mute"),
    path("unsubscribe/<str:token>/", unsubscribe_by_link, name="unsubscribe"),
]
