"""A request that comes twice with the same key is done once, and answered twice alike."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from games.models import IdempotentResponse, Player

from .errors import Conflict, TooManyKeys

MAX_KEPT_ANSWERS_PER_PLAYER = 2000  # they are kept for a day
RETRY_AFTER_SECONDS = 3600


@dataclass(frozen=True)
class Answer:
    """What a request is answered."""

    status: int
    body: str


def answer_once(
    *, player: Player, key: str, request_hash: str, now: datetime, make: Callable[[], Answer]
) -> Answer:
    """What `make` answers, whole or not at all; if this very request was answered before, that answer.

    What `make` refuses is not kept: the same request may be right later. Of two that come at once the second
    waits for the first. Raises Conflict if the key belongs to another request, TooManyKeys, and what `make`
    raises.
    """
    if answer := find_answer(player, key, request_hash):
        return answer
    check_key_count(player)
    try:
        with transaction.atomic():
            # The row is written first: whoever comes with the same key meanwhile waits at the constraint.
            kept = IdempotentResponse.objects.create(
                player=player, key=key, request_hash=request_hash, at=now
            )
            answer = make()
            kept.status, kept.body = answer.status, answer.body
            kept.save(update_fields=["status", "body"])
            return answer
    except IntegrityError:
        if answer := find_answer(player, key, request_hash):
            return answer
        raise


def check_key_count(player: Player) -> None:
    """Raise TooManyKeys if as many answers of a player are kept as there may be."""
    kept = IdempotentResponse.objects.filter(player=player)[:MAX_KEPT_ANSWERS_PER_PLAYER]
    if kept.count() >= MAX_KEPT_ANSWERS_PER_PLAYER:
        raise TooManyKeys(
            _("You have used many Idempotency-Keys today; wait a while."), retry_after=RETRY_AFTER_SECONDS
        )


def find_answer(player: Player, key: str, request_hash: str) -> Answer | None:
    """The first answer to this very request. Raises Conflict if the key belongs to another one."""
    kept = IdempotentResponse.objects.filter(player=player, key=key).first()
    if kept is None:
        return None
    if kept.request_hash != request_hash:
        raise Conflict(_("this Idempotency-Key belongs to another request"), code="idempotency-key-reused")
    return Answer(kept.status, kept.body)
