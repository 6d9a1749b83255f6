"""The log of inbound mail: each mail is logged once, gets one outcome, and at most one answer."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction

from accounts.models import Player
from accounts.services import players
from notifications.models import InboundMail
from notifications.selectors.inbound_mail import build_answer_key, count_answers_since

from .requested_deliveries import create_requested_delivery

MAX_ANSWERS_PER_PERIOD = 60  # to one player, against mail loops
ANSWER_LIMIT_PERIOD = timedelta(hours=1)


@dataclass(frozen=True)
class InboundMailResult:
    """The outcome of an inbound mail, and the text of the answer, which is empty for none."""

    outcome: str  # of InboundMail.Outcome, or a word of the app that processed it
    text: str = ""
    reason: str = ""  # for the log


def get_or_create_inbound_mail(*, digest: str, sender: str, recipient: str, now: datetime) -> InboundMail:
    """Return the log row of a mail, created before it is processed; an empty outcome means unfinished."""
    inbound_mail, _created = InboundMail.objects.get_or_create(
        digest=digest,
        defaults={
            "received_at": now,
            "sender": sender,
            "recipient": recipient,
            "outcome": InboundMail.Outcome.UNFINISHED,
        },
    )
    return inbound_mail


@transaction.atomic
def finish_inbound_mail(
    *,
    inbound_mail: InboundMail,
    result: InboundMailResult,
    now: datetime,
    player: Player | None = None,
    topic: str = "",
    answer_kind: str = "",
    in_reply_to: str = "",
) -> InboundMail:
    """Record the result of a mail and, with a text, create the answer. The first of two calls wins."""
    reason, sends_answer = result.reason, False
    if player and result.text:
        players.lock_player(player)  # mails are processed concurrently
        sends_answer = count_answers_since(player, now - ANSWER_LIMIT_PERIOD) < MAX_ANSWERS_PER_PERIOD
        if not sends_answer:
            reason = f"no answer, there were many; {reason}"
    changes = {
        "outcome": str(result.outcome),
        "outcome_reason": reason[:300],
        "player_id": player.pk if player else None,
        "topic": topic,
    }
    for name, value in changes.items():
        setattr(inbound_mail, name, value)
    unfinished_rows = InboundMail.objects.filter(pk=inbound_mail.pk, outcome=InboundMail.Outcome.UNFINISHED)
    if not unfinished_rows.update(**changes):
        return inbound_mail
    if player and result.text:
        Player.objects.filter(pk=player.pk).update(last_seen_at=now)  # writing counts as being seen
    if player and sends_answer:
        create_requested_delivery(
            player=player,
            kind=answer_kind,
            dedup_key=build_answer_key(inbound_mail),
            now=now,
            topic=topic,
            data={"outcome": result.outcome, "text": result.text, "in_reply_to": in_reply_to},
            address=player.email,
        )
    return inbound_mail
