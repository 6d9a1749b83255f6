"""Personal tokens: made, found, revoked. The token itself is shown once; a hash of it is kept."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Iterable
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from games.models import Player, Token
from games.models.compiled import Compiled
from games.scopes import SCOPES

from . import limits
from .errors import Conflict, Denied, Invalid, NotFound

PREFIX = "otto_"
BYTES = 32
MOST = 50  # tokens of one player that still work
LONGEST = 3650  # days
USED_EVERY = timedelta(hours=1)  # last_used is no finer than this, so that reading does not mean writing


def digest_of(plain: str) -> str:
    """What is stored of a token: random enough that a plain hash cannot be searched."""
    return hashlib.sha256(plain.encode("utf-8", "surrogatepass")).hexdigest()


def in_order(scopes: Iterable[str]) -> tuple[str, ...]:
    """The scopes, each once and in their own order. Raises Invalid for none or an unknown one."""
    wanted = set(scopes)
    if not wanted:
        raise Invalid(_("A token needs at least one scope."), code="no-scopes")
    if unknown := wanted.difference(SCOPES):
        raise Invalid(_("There is no scope %(name)s.") % {"name": sorted(unknown)[0]}, code="unknown-scope")
    return tuple(scope for scope in SCOPES if scope in wanted)


def create(
    *,
    player: Player,
    name: str,
    scopes: Iterable[str],
    expires_in_days: int | None = None,
    parent: Token | None = None,
    now: datetime,
) -> tuple[Token, str]:
    """Make a token; gives its row, and the token itself, which nobody can see again.

    `parent` is the token that asks for it: its child has no other scopes, lasts no longer, and is revoked
    with it. Raises Invalid, Denied for a scope beyond those or a parent that has ended, Conflict.
    """
    granted = in_order(scopes)
    allowed = parent.scopes.split() if parent else SCOPES
    if beyond := [scope for scope in granted if scope not in allowed]:
        raise Denied(
            _("A token gives only scopes that it has itself, and this one lacks %(scope)s.")
            % {"scope": beyond[0]},
            code="missing-scope",
            scope=beyond[0],
        )
    if expires_in_days is not None and not 1 <= expires_in_days <= LONGEST:
        raise Invalid(_("A token lasts from 1 to %(most)d days.") % {"most": LONGEST}, code="bad-expiry")
    end = None if expires_in_days is None else now + timedelta(days=expires_in_days)
    if parent and parent.expires_at is not None:
        end = parent.expires_at if end is None else min(end, parent.expires_at)
    plain = PREFIX + secrets.token_urlsafe(BYTES)
    with transaction.atomic():
        limits.hold(player)
        # Revoking holds the player as well: a child is seen by it, or finds its parent revoked here.
        if parent and not working(player=player, now=now).filter(pk=parent.pk).exists():
            raise Denied(_("This token has been revoked."), code="token-revoked")
        if working(player=player, now=now).count() >= MOST:
            raise Conflict(_("You have %(most)d tokens; revoke one first.") % {"most": MOST}, code="too-many")
        token = Token.objects.create(
            player=player,
            name=name,
            digest=digest_of(plain),
            scopes=" ".join(granted),
            parent=parent,
            created_at=now,
            expires_at=end,
        )
    return token, plain


# What is seldom asked for is read when it is.
SELDOM = [
    f"player__{name}" for name in ("vacation_saved", "vacation_at", "seen_at", "mailed_at", "last_login")
]
by_digest = Compiled(
    lambda digest: Token.objects.select_related("player").defer(*SELDOM).filter(digest=digest)
)


def find(*, plain: str) -> Token | None:
    """The row of a token, with its player, in one query; expired and revoked ones too."""
    digest = digest_of(plain)
    token = next(iter(by_digest(digest)), None)
    if token is None or not hmac.compare_digest(token.digest, digest):
        return None
    return token


def working(*, player: Player, now: datetime) -> QuerySet[Token]:
    """A player's tokens that are neither revoked nor expired, newest first."""
    alive = Q(expires_at=None) | Q(expires_at__gt=now)
    mine = Token.objects.filter(alive, player=player, revoked_at=None).select_related("parent")
    return mine.order_by("-created_at", "-id")


def touch(*, token: Token, now: datetime) -> None:
    """Note that it was used, at most once an hour."""
    if token.last_used is None or now - token.last_used >= USED_EVERY:
        Token.objects.filter(pk=token.pk).update(last_used=now)
        token.last_used = now


def revoke(*, player: Player, token_id: int, now: datetime) -> None:
    """End a token and all that came of it; what has ended stays ended. Raises NotFound for another's."""
    with transaction.atomic():
        limits.hold(player)
        mine = Token.objects.filter(player=player)
        generation = set(mine.filter(pk=token_id).values_list("pk", flat=True))
        if not generation:
            raise NotFound(_("You have no such token."))
        while generation:
            mine.filter(pk__in=generation, revoked_at=None).update(revoked_at=now)
            generation = set(mine.filter(parent__in=generation).values_list("pk", flat=True))


def revoke_all(*, player: Player, now: datetime) -> int:
    """End every token of a player; says how many."""
    with transaction.atomic():
        limits.hold(player)
        return Token.objects.filter(player=player, revoked_at=None).update(revoked_at=now)
