"""Lookups for inbound mail: the mail of ours that it refers to, and our answers."""

from __future__ import annotations

from datetime import datetime

from accounts.models import Player
from notifications.models import IS_MAIL, Delivery, InboundMail

ANSWER_KEY_PREFIX = "reply:"  # of the dedup keys of answers


def find_mail(delivery_id: int) -> Delivery | None:
    """The mail with this id, or None."""
    return Delivery.objects.filter(IS_MAIL, pk=delivery_id).select_related("player").first()


def find_mail_by_message_id(message_id: str) -> Delivery | None:
    """The mail with a Message-ID, with or without angle brackets, or None."""
    bare_id = message_id.strip().strip("<>")
    if not bare_id:
        return None
    deliveries = Delivery.objects.filter(IS_MAIL, message_id__in=[bare_id, f"<{bare_id}>"])
    return deliveries.select_related("player").order_by("-pk").first()


def build_answer_key(inbound_mail: InboundMail) -> str:
    """The dedup key of the answer to an inbound mail."""
    return f"{ANSWER_KEY_PREFIX}{inbound_mail.digest[:40]}"


def answer_text_of(inbound_mail: InboundMail) -> str:
    """The text of our answer to an inbound mail; empty if there was none."""
    answer = Delivery.objects.filter(
        player=inbound_mail.player_id, dedup_key=build_answer_key(inbound_mail)
    ).first()
    return str(answer.data["text"]) if answer else ""


def count_answers_since(player: Player, since: datetime) -> int:
    """Count the answers to their mails that a player was sent since a time."""
    answers = Delivery.objects.filter(player=player, dedup_key__startswith=ANSWER_KEY_PREFIX)
    return answers.filter(created_at__gt=since).count()
