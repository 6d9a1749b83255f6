"""Lookups for inbound mail: the mail it refers to, and lines that were already played."""

from __future__ import annotations

from datetime import datetime

from games.models import Delivery, FeedEntry, InboundMail, Player


def find_mail(delivery_id: int) -> Delivery | None:
    """The mail with this id, or None."""
    return Delivery.objects.filter(pk=delivery_id, webhook=None).select_related("player").first()


def find_mail_by_message_id(message_id: str) -> Delivery | None:
    """The mail with a Message-ID, with or without angle brackets, or None."""
    bare_id = message_id.strip().strip("<>")
    if not bare_id:
        return None
    deliveries = Delivery.objects.filter(message_id__in=[bare_id, f"<{bare_id}>"], webhook=None)
    return deliveries.select_related("player").order_by("-pk").first()


def reply_text_for(inbound_mail: InboundMail) -> str:
    """The text of our reply to an inbound mail; empty if there was none."""
    reply = Delivery.objects.filter(kind="reply", reason=reply_dedup_key(inbound_mail.digest)).first()
    return str(reply.data["text"]) if reply else ""


def reply_dedup_key(digest: str) -> str:
    """The dedup key of the reply to an inbound mail."""
    return f"reply:{digest[:40]}"


def count_replies_since(player: Player, since: datetime) -> int:
    """How many replies to their mails a player was sent since a time."""
    return Delivery.objects.filter(player=player, kind="reply", made_at__gt=since).count()


def actions_played_by_key(player: Player, keys: list[str]) -> dict[str, str]:
    """The actions that were played under these idempotency keys, by key."""
    rows = FeedEntry.objects.filter(player=player, key__in=keys).values_list("key", "data")
    return {key: str(data.get("action", "")) for key, data in rows}
