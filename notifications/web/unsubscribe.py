"""Links under every mail: unsubscribe from all mails, refuse mail to an address.

GET changes nothing. A mail program that offers "unsubscribe" sends the POST itself (RFC 8058), without cookie
or referrer, so the signed token is the only credential. Each action can be undone and is idempotent.
"""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.mail_refusals import read_refusal
from accounts.models import Player
from accounts.selectors.contacts import is_refused_digest
from accounts.selectors.player_tokens import find_player_by_mail_token
from accounts.services import contact_limits
from notifications.services import notices
from notifications.unsubscribe_links import read_unsubscribe

from .secret_links import open_link_of, secret_link_view


@secret_link_view
def unsubscribe_by_link(request: HttpRequest, token: str) -> HttpResponse:
    """Show whether the player gets mails; on POST unsubscribe, or with `undo` resubscribe."""
    key = read_unsubscribe(token) or ""
    with open_link_of(find_player_by_mail_token(key)) as player:
        if request.method == "POST":
            change_subscription = (
                notices.resubscribe_to_mails if "undo" in request.POST else notices.unsubscribe_from_mails
            )
            change_subscription(player=player, now=timezone.now())
        is_unsubscribed = player.mail_frequency == Player.MailFrequency.NONE
        context = {"is_unsubscribed": is_unsubscribed, "is_submitted": request.method == "POST", "user": None}
        return render(request, "notifications/unsubscribe.html", context)


@secret_link_view
def refuse_mail_by_link(request: HttpRequest, token: str) -> HttpResponse:
    """Show whether an address refuses our mail; on POST refuse, or with `undo` allow it again."""
    digest = read_refusal(token)
    if digest is None:
        raise Http404(_("There is nothing at this address."))
    if request.method == "POST":
        change_refusal = contact_limits.allow_mail if "undo" in request.POST else contact_limits.refuse_mail
        change_refusal(digest=digest, now=timezone.now())
    context = {
        "is_refused": is_refused_digest(digest),
        "is_submitted": request.method == "POST",
        "user": None,
    }
    return render(request, "notifications/mail_refused.html", context)


urlpatterns = [
    path("no-mail/<str:token>/", refuse_mail_by_link, name="refuse-mail"),
    path("unsubscribe/<str:token>/", unsubscribe_by_link, name="unsubscribe"),
]
