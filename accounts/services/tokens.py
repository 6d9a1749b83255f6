"""Personal API tokens. The token is shown once; only its hash is stored."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Iterable
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from accounts.models import Player, Token
from accounts.scopes import SCOPES
from common.compiled_queryset import CompiledQueryset
from common.service_errors import Conflict, Denied, Invalid, NotAuthenticated, NotFound

from . import players

TOKEN_PREFIX = "otto_"
TOKEN_BYTES = 32
MAX_TOKENS_PER_PLAYER = 50  # active ones
MAX_TOKEN_DAYS = 3650  # days
LAST_USED_INTERVAL = timedelta(hours=1)  # resolution of last_used_at, which avoids a write per request
LAST_USED_INTERVAL_OF_BOTS = timedelta(minutes=5)  # the list of bots shows which of them are here


def digest_token(plain_token: str) -> str:
    """Return the stored hash of a token; tokens are random enough for a plain hash."""
    return hashlib.sha256(plain_token.encode("utf-8", "surrogatepass")).hexdigest()


def validate_scopes(scopes: Iterable[str]) -> tuple[str, ...]:
    """Return the scopes, unique and in canonical order. Raises Invalid for none or an unknown one."""
    requested = set(scopes)
    if not requested:
        raise Invalid(_("A token needs at least one scope."), code="no-scopes")
    if unknown_scopes := requested.difference(SCOPES):
        raise Invalid(
            _("There is no scope %(name)s.") % {"name": sorted(unknown_scopes)[0]}, code="unknown-scope"
        )
    return tuple(scope for scope in SCOPES if scope in requested)


def create_token(
    *,
    player: Player,
    name: str,
    scopes: Iterable[str],
    expires_in_days: int | None = None,
    parent: Token | None = None,
    now: datetime,
) -> tuple[Token, str]:
    """Create a token; return its row and the plain token, which is shown only once.

    A child of a `parent` token has a subset of its scopes, expires no later, and is revoked with it. Raises
    Invalid, Denied for a scope that the parent lacks, NotAuthenticated for a parent that has ended, Conflict
    for too many tokens.
    """
    granted_scopes = validate_scopes(scopes)
    allowed_scopes = parent.scopes.split() if parent else SCOPES
    if excess_scopes := [scope for scope in granted_scopes if scope not in allowed_scopes]:
        raise Denied(
            _("A token can only pass on its own scopes, and this one lacks %(scope)s.")
            % {"scope": excess_scopes[0]},
            code="missing-scope",
            scope=excess_scopes[0],
        )
    if expires_in_days is not None and not 1 <= expires_in_days <= MAX_TOKEN_DAYS:
        raise Invalid(
            _("A token can last from 1 to %(most)d days.") % {"most": MAX_TOKEN_DAYS}, code="bad-expiry"
        )
    expires_at = None if expires_in_days is None else now + timedelta(days=expires_in_days)
    if parent and parent.expires_at is not None:
        expires_at = parent.expires_at if expires_at is None else min(expires_at, parent.expires_at)
    plain_token = TOKEN_PREFIX + secrets.token_urlsafe(TOKEN_BYTES)
    with transaction.atomic():
        players.lock_player(player)
        # Revoking locks the player as well: it sees this child, or the parent is revoked here.
        if parent and not list_active_tokens(player=player, now=now).filter(pk=parent.pk).exists():
            raise NotAuthenticated(_("This token has been revoked."), code="token-revoked")
        if list_active_tokens(player=player, now=now).count() >= MAX_TOKENS_PER_PLAYER:
            raise Conflict(
                _("You have %(most)d tokens, which is the limit. Revoke one first.")
                % {"most": MAX_TOKENS_PER_PLAYER},
                code="too-many",
            )
        token = Token.objects.create(
            player=player,
            name=name,
            digest=digest_token(plain_token),
            scopes=" ".join(granted_scopes),
            parent=parent,
            created_at=now,
            expires_at=expires_at,
        )
    return token, plain_token


# Rarely used player fields are loaded on demand.
DEFERRED_PLAYER_FIELDS = [
    f"player__{name}"
    for name in ("vacation_balance", "vacation_accrued_at", "last_seen_at", "last_turn_mail_at", "last_login")
]
tokens_by_digest = CompiledQueryset(
    lambda digest: Token.objects.select_related("player").defer(*DEFERRED_PLAYER_FIELDS).filter(digest=digest)
)


def find_token(*, plain_token: str) -> Token | None:
    """Return the row of a token with its player in one query, also if expired or revoked."""
    digest = digest_token(plain_token)
    token = next(iter(tokens_by_digest(digest)), None)
    if token is None or not hmac.compare_digest(token.digest, digest):
        return None
    return token


def list_active_tokens(*, player: Player, now: datetime) -> QuerySet[Token]:
    """Return a player's tokens that are neither revoked nor expired, newest first."""
    is_unexpired = Q(expires_at=None) | Q(expires_at__gt=now)
    own_tokens = Token.objects.filter(is_unexpired, player=player, revoked_at=None).select_related("parent")
    return own_tokens.order_by("-created_at", "-id")


def touch_token(*, token: Token, now: datetime) -> None:
    """Record the use of a token, at most once an hour; of a bot's, every five minutes."""
    interval = LAST_USED_INTERVAL_OF_BOTS if token.player.is_bot else LAST_USED_INTERVAL
    if token.last_used_at is None or now - token.last_used_at >= interval:
        Token.objects.filter(pk=token.pk).update(last_used_at=now)
        token.last_used_at = now


def get_token(*, player: Player, token_id: int) -> Token:
    """Return a player's token, valid or not. Raises NotFound, also for another player's token."""
    token = Token.objects.filter(player=player, pk=token_id).first()
    if token is None:
        raise NotFound(_("You do not have this token."))
    return token


def revoke_token(*, player: Player, token_id: int, now: datetime) -> None:
    """Revoke a token and its descendants. Idempotent. Raises NotFound for another player's token."""
    with transaction.atomic():
        players.lock_player(player)
        own_tokens = Token.objects.filter(player=player)
        token_ids = set(own_tokens.filter(pk=token_id).values_list("pk", flat=True))
        if not token_ids:
            raise NotFound(_("You do not have this token."))
        while token_ids:
            own_tokens.filter(pk__in=token_ids, revoked_at=None).update(revoked_at=now)
            token_ids = set(own_tokens.filter(parent__in=token_ids).values_list("pk", flat=True))


def revoke_all_tokens(*, player: Player, now: datetime) -> int:
    """Revoke every token of a player; return how many."""
    with transaction.atomic():
        players.lock_player(player)
        return Token.objects.filter(player=player, revoked_at=None).update(revoked_at=now)
