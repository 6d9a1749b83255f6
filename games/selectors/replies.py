"""What a mail that comes in is about: a mail of ours, or lines that were played already."""

from __future__ import annotations

from datetime import datetime

from games.models import Delivery, Event, Player, Received


def delivery(number: int) -> Delivery | None:
    """A mail of ours by its number."""
    return Delivery.objects.filter(pk=number, webhook=None).select_related("player").first()


def delivery_by_message(message_id: str) -> Delivery | None:
    """A mail of ours by its Message-ID, which not everybody writes with its brackets."""
    bare = message_id.strip().strip("<>")
    if not bare:
        return None
    found = Delivery.objects.filter(message_id__in=[bare, f"<{bare}>"], webhook=None)
    return found.select_related("player").order_by("-pk").first()


def answer_to(received: Received) -> str:
    """What we told the writer of a mail that came in; empty if it was not answered."""
    found = Delivery.objects.filter(kind="reply", reason=answer_reason(received.digest)).first()
    return str(found.data["text"]) if found else ""


def answer_reason(digest: str) -> str:
    """The one reason for which a mail that came in is answered."""
    return f"reply:{digest[:40]}"


def answers_since(player: Player, at: datetime) -> int:
    """How many answers to their mails a player was sent."""
    return Delivery.objects.filter(player=player, kind="reply", made_at__gt=at).count()


def played_before(player: Player, keys: list[str]) -> dict[str, str]:
    """The actions that were played under these keys."""
    found = Event.objects.filter(player=player, key__in=keys).values_list("key", "data")
    return {key: str(data.get("action", "")) for key, data in found}
