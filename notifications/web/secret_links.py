"""Common code of pages behind signed links in mails: the token in the URL is the only credential."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from accounts.models import Player
from accounts.player_locale import activate_locale_of

ViewFunction = Callable[..., HttpResponse]


def secret_link_view(view: ViewFunction) -> ViewFunction:
    """Decorator for pages with a secret URL: no referrer, no caching, no indexing, no CSRF check."""

    @wraps(view)
    def wrapper(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        response = view(request, *args, **kwargs)
        response["Referrer-Policy"] = "no-referrer"
        response["Cache-Control"] = "no-store, private"
        response["X-Robots-Tag"] = "noindex, nofollow"
        return response

    return csrf_exempt(require_http_methods(["GET", "HEAD", "POST"])(wrapper))


@contextmanager
def open_link_of(player: Player | None) -> Iterator[Player]:
    """Activate the language and time zone of the player whose link it is. Raises Http404 without a player."""
    if player is None:
        raise Http404(_("There is nothing at this address."))
    with activate_locale_of(player):
        yield player
