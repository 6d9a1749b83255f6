"""OAuth apps: registered by their authors, authorized and revoked by players."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from urllib.parse import urlsplit

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _
from oauth2_provider.models import AccessToken, Application, Grant, RefreshToken

from accounts.link_detection import check_no_link
from accounts.models import Player
from common.service_errors import Conflict, Invalid, NotFound

from . import names, players

MAX_APPS_PER_PLAYER = 20
LOOPBACK_HOSTS = {"localhost", "127.0.0.1", "::1"}


def check_redirect_uri(redirect_uri: str) -> str:
    """Return the redirect URI if it is https, or http on the loopback host. Raises Invalid."""
    try:
        parts = urlsplit(redirect_uri)
        host, _port = parts.hostname, parts.port
    except ValueError:
        parts, host = urlsplit(""), None
    if not host or "#" in redirect_uri or any(c.isspace() for c in redirect_uri):
        raise Invalid(_("A browser cannot return to this address. Check it."), code="bad-address")
    if parts.scheme != "https" and not (parts.scheme == "http" and host in LOOPBACK_HOSTS):
        raise Invalid(_("The address must begin with https:// or be on localhost."), code="bad-address")
    return redirect_uri


def register_app(
    *, player: Player, name: str, addresses: list[str], secret: bool, now: datetime
) -> tuple[Any, str]:
    """Register an app; return its row and, if it is confidential, the client secret, shown only once.

    Every app gets the authorization code grant with PKCE and no other. Raises Invalid or Conflict.
    """
    try:
        check_no_link(name)
    except ValidationError as error:
        raise Invalid(error.messages[0], code="name") from None
    if not addresses:
        raise Invalid(_("Enter at least one redirect URI."), code="bad-address")
    app = Application(
        user=player,
        name=names.check_app_name(name),
        redirect_uris=" ".join(check_redirect_uri(redirect_uri) for redirect_uri in addresses),
        client_type=Application.CLIENT_CONFIDENTIAL if secret else Application.CLIENT_PUBLIC,
        authorization_grant_type=Application.GRANT_AUTHORIZATION_CODE,
        created=now,
    )
    plain_secret = app.client_secret  # save() replaces it by its hash
    with transaction.atomic():
        players.lock_player(player)
        if Application.objects.filter(user=player).count() >= MAX_APPS_PER_PLAYER:
            raise Conflict(
                _("You have %(most)d apps, which is the limit. Delete one first.")
                % {"most": MAX_APPS_PER_PLAYER},
                code="too-many",
            )
        app.save()
    return app, plain_secret if secret else ""


def delete_app(*, player: Player, app_id: int) -> None:
    """Delete a player's own app with all its authorizations. Raises NotFound."""
    app = Application.objects.filter(user=player, pk=app_id).first()
    if app is None:
        raise NotFound(_("You do not have this app."))
    app.delete()


@transaction.atomic
def revoke_app(*, player: Player, app_id: int) -> None:
    """Revoke everything that a player authorized an app for."""
    for model in (Grant, RefreshToken, AccessToken):
        model.objects.filter(user=player, application_id=app_id).delete()


def list_own_apps(*, player: Player) -> Any:
    """Return the apps that a player registered."""
    return Application.objects.filter(user=player).order_by("name", "pk")


def list_authorized_apps(*, player: Player, now: datetime) -> list[dict[str, Any]]:
    """Return the apps that can act for a player now or after a token refresh, with their scopes."""
    apps_by_id: dict[int, dict[str, Any]] = {}
    valid_tokens = AccessToken.objects.filter(user=player, expires__gt=now)
    refreshable_tokens = AccessToken.objects.filter(
        user=player, refresh_token__revoked=None, refresh_token__isnull=False
    )
    for token in (valid_tokens | refreshable_tokens).select_related("application").order_by("pk"):
        entry = apps_by_id.setdefault(
            token.application_id, {"app": token.application, "scopes": set(), "since": None}
        )
        entry["scopes"] |= set(token.scope.split())
        entry["since"] = entry["since"] or token.created
    return [entry | {"scopes": sorted(entry["scopes"])} for entry in apps_by_id.values()]
