"""Idempotency keys: a repeated request is executed once and gets the same response."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from accounts.models import IdempotentResponse, Player
from common.sealed_text import open_sealed_text, seal_text
from common.service_errors import Conflict, LimitReached

MAX_STORED_RESPONSES_PER_PLAYER = 2000  # stored for a day
RETRY_AFTER_SECONDS = 3600


class TooManyKeys(LimitReached):
    """The player has too many stored responses."""

    code = "too-many-keys"


@dataclass(frozen=True)
class StoredResponse:
    """Status and body of a response."""

    status: int
    body: str


SEALED_RESPONSE = "idempotent response"  # the purpose of the cipher


def respond_once(
    *,
    player: Player,
    key: str,
    request_hash: str,
    now: datetime,
    make_response: Callable[[], StoredResponse],
    is_sealed: bool = False,
) -> StoredResponse:
    """Return the response of `make_response`, or the stored one if this request was answered before.

    The response is stored in the same transaction; errors are not stored. Of two concurrent requests the
    second waits for the first. With `is_sealed` it is stored encrypted, as it holds a secret that is stored
    nowhere else. Raises Conflict if the key belongs to another request, TooManyKeys, and whatever
    `make_response` raises.
    """
    if response := find_stored_response(player, key, request_hash, is_sealed=is_sealed):
        return response
    check_response_count(player)
    try:
        with transaction.atomic():
            # Write the row first: a concurrent request with the same key waits at the constraint.
            stored_row = IdempotentResponse.objects.create(
                player=player, key=key, request_hash=request_hash, created_at=now
            )
            response = make_response()
            stored_row.status_code = response.status
            stored_row.body = seal_text(SEALED_RESPONSE, response.body) if is_sealed else response.body
            stored_row.save(update_fields=["status_code", "body"])
            return response
    except IntegrityError:
        if response := find_stored_response(player, key, request_hash, is_sealed=is_sealed):
            return response
        raise


def check_response_count(player: Player) -> None:
    """Raise TooManyKeys if the player has the maximum number of stored responses."""
    stored_rows = IdempotentResponse.objects.filter(player=player)[:MAX_STORED_RESPONSES_PER_PLAYER]
    if stored_rows.count() >= MAX_STORED_RESPONSES_PER_PLAYER:
        raise TooManyKeys(
            _("You have used too many Idempotency-Keys today. Wait for the seconds in Retry-After."),
            retry_after=RETRY_AFTER_SECONDS,
        )


def find_stored_response(
    player: Player, key: str, request_hash: str, *, is_sealed: bool = False
) -> StoredResponse | None:
    """Return the stored response, or None. Raises Conflict if the key belongs to another request."""
    stored_row = IdempotentResponse.objects.filter(player=player, key=key).first()
    if stored_row is None:
        return None
    if stored_row.request_hash != request_hash:
        raise Conflict(_("this Idempotency-Key belongs to another request"), code="idempotency-key-reused")
    body = open_sealed_text(SEALED_RESPONSE, stored_row.body) if is_sealed else stored_row.body
    if body is None:  # sealed under a secret key that is gone
        raise Conflict(_("this request is done, and we cannot show its response again"), code="conflict")
    return StoredResponse(stored_row.status_code, body)
