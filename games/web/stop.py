"""Links under every mail: no more of this game, no more mails at all. To look changes nothing.

A mail program that offers "unsubscribe" sends the POST itself (RFC 8058), without cookie or referrer: as on a
turn's page the token alone has the say. Both can be taken back on the same page, and doing either twice is
the same as once.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from games import links
from games.models import Player
from games.selectors.contacts import is_refused_digest
from games.selectors.turns import player_by_key, seat_by_key
from games.services import contacts, notices

from .turn import by_token


@contextmanager
def language_of(player: Player | None) -> Iterator[Player]:
    """Their words. Raises Http404 if there is nobody."""
    if player is None:
        raise Http404(_("There is nothing at this address."))
    with translation.override(player.language):
        yield player


@by_token
def mute(request: HttpRequest, token: str) -> HttpResponse:
    """No more mails about one game, or again."""
    key, code = links.read_mute(token) or ("", "")
    seat = seat_by_key(key, code)
    with language_of(seat.player if seat else None):
        assert seat
        if request.method == "POST":
            seat = notices.mute(key=key, code=code, muted="undo" not in request.POST, now=timezone.now())
        facts = {"code": code, "off": seat.muted, "done": request.method == "POST", "user": None}
        return render(request, "games/muted.html", facts)


@by_token
def unsubscribe(request: HttpRequest, token: str) -> HttpResponse:
    """No more mails at all, or again."""
    key = links.read_unsubscribe(token) or ""
    with language_of(player_by_key(key)) as player:
        if request.method == "POST":
            decide = notices.resubscribe if "undo" in request.POST else notices.unsubscribe
            player = decide(key=key, now=timezone.now())
        off = player.mails == Player.Mails.NONE
        facts = {"off": off, "done": request.method == "POST", "user": None}
        return render(request, "games/unsubscribed.html", facts)


@by_token
def refuse_mail(request: HttpRequest, token: str) -> HttpResponse:
    """No more mail to an address that somebody else gave us, or again; in the language of the browser."""
    digest = links.read_refusal(token)
    if digest is None:
        raise Http404(_("There is nothing at this address."))
    if request.method == "POST":
        decide = contacts.allow_mail if "undo" in request.POST else contacts.refuse_mail
        decide(digest=digest, now=timezone.now())
    facts = {"off": is_refused_digest(digest), "done": request.method == "POST", "user": None}
    return render(request, "games/refused.html", facts)


urlpatterns = [
    path("no-mail/<str:token>/", refuse_mail, name="refuse-mail"),
    path("mute/<str:token>/", mute, name="mute"),
    path("unsubscribe/<str:token>/", unsubscribe, name="unsubscribe"),
]
