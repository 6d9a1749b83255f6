"""Apps of other people: registered by whoever writes them, allowed by players, and taken back."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from urllib.parse import urlsplit

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _
from oauth2_provider.models import AccessToken, Application, Grant, RefreshToken

from games.models import Player
from games.plain_names import check_no_link

from . import limits, names
from .errors import Conflict, Invalid, NotFound

MOST = 20  # apps of one player
HERE = {"localhost", "127.0.0.1", "::1"}


def check_address(address: str) -> str:
    """The address to return to: https, or plain http on the reader's own machine. Raises Invalid."""
    try:
        parts = urlsplit(address)
        host, _port = parts.hostname, parts.port
    except ValueError:
        parts, host = urlsplit(""), None
    if not host or "#" in address or any(c.isspace() for c in address):
        raise Invalid(_("This is not an address that a browser can return to."), code="bad-address")
    if parts.scheme != "https" and not (parts.scheme == "http" and host in HERE):
        raise Invalid(_("The address must begin with https://, or be on localhost."), code="bad-address")
    return address


def register(
    *, player: Player, name: str, addresses: list[str], secret: bool, now: datetime
) -> tuple[Any, str]:
    """Make an app; gives its row and, if it can keep a secret, that secret, which nobody can see again.

    Every app gets the authorization code grant with PKCE and no other. Raises Invalid or Conflict.
    """
    try:
        check_no_link(name)
    except ValidationError as error:
        raise Invalid(error.messages[0], code="name") from None
    if not addresses:
        raise Invalid(_("An app needs an address to return to."), code="bad-address")
    app = Application(
        user=player,
        name=names.check_app_name(name),
        redirect_uris=" ".join(check_address(address) for address in addresses),
        client_type=Application.CLIENT_CONFIDENTIAL if secret else Application.CLIENT_PUBLIC,
        authorization_grant_type=Application.GRANT_AUTHORIZATION_CODE,
        created=now,
    )
    plain = app.client_secret  # saving replaces it by its hash
    with transaction.atomic():
        limits.hold(player)
        if Application.objects.filter(user=player).count() >= MOST:
            raise Conflict(_("You have %(most)d apps; delete one first.") % {"most": MOST}, code="too-many")
        app.save()
    return app, plain if secret else ""


def delete(*, player: Player, app_id: int) -> None:
    """Delete an app of one's own, and with it everything that players allowed it. Raises NotFound."""
    app = Application.objects.filter(user=player, pk=app_id).first()
    if app is None:
        raise NotFound(_("You have no such app."))
    app.delete()


@transaction.atomic
def disallow(*, player: Player, app_id: int) -> None:
    """Take back everything that a player allowed an app."""
    for model in (Grant, RefreshToken, AccessToken):
        model.objects.filter(user=player, application_id=app_id).delete()


def own(*, player: Player) -> Any:
    """The apps that a player wrote."""
    return Application.objects.filter(user=player).order_by("name", "pk")


def allowed(*, player: Player, now: datetime) -> list[dict[str, Any]]:
    """The apps that can act for a player now or after refreshing, with their scopes."""
    found: dict[int, dict[str, Any]] = {}
    fresh = AccessToken.objects.filter(user=player, expires__gt=now)
    renewable = AccessToken.objects.filter(
        user=player, refresh_token__revoked=None, refresh_token__isnull=False
    )
    for token in (fresh | renewable).select_related("application").order_by("pk"):
        entry = found.setdefault(
            token.application_id, {"app": token.application, "scopes": set(), "since": None}
        )
        entry["scopes"] |= set(token.scope.split())
        entry["since"] = entry["since"] or token.created
    return [entry | {"scopes": sorted(entry["scopes"])} for entry in found.values()]
