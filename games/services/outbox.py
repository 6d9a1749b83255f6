"""What becomes of each mail: claimed by one worker, sent, tried again, given up."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import F, Q

from games.models import Delivery, Player

from . import notices, webhooks
from .handing_over import mark_not_taken, unless_taken
from .webhooks import finish, finish_sent

# After each try that failed, as for webhooks but two days longer; with none left, the mail is given up.
DELAYS = (*webhooks.DELAYS, timedelta(hours=24), timedelta(hours=24))
LEASE = timedelta(seconds=settings.MAIL_LEASE)  # a worker that does not come back in this time has died
SERVER_AWAY = timedelta(minutes=1)  # until a mail is tried again for which there was no mail server
LONGEST = timedelta(days=5)  # that a mail waits for a mail server


def due(*, now: datetime, limit: int) -> list[tuple[int, datetime]]:
    """The mails to be sent, oldest first, each with the time that whoever claims it must have seen."""
    found = Delivery.objects.filter(webhook=None, due_at__lte=now).order_by("due_at", "pk")
    return [(pk, at) for pk, at in found.values_list("pk", "due_at")[:limit] if at]


def claim(*, pk: int, seen: datetime, now: datetime) -> Delivery | None:
    """Take a mail, None if another worker was faster; if this one dies, it is due again after the lease."""
    row = Delivery.objects.filter(pk=pk, due_at=seen)
    if not row.update(due_at=now + LEASE, tries=F("tries") + 1):
        return None
    return Delivery.objects.select_related("player", "game").get(pk=pk)


def sent(
    *,
    delivery: Delivery,
    address: str,
    message_id: str,
    now: datetime,
    shown_turns: dict[str, int | None] | None = None,
) -> None:
    """A mail server has it; `shown_turns` are the games in it, each with the turn of its reader's, if any."""
    data = delivery.data | ({"shown_turns": shown_turns} if shown_turns else {})
    finish_sent(delivery, now, address=address, message_id=message_id, data=data)
    if delivery.kind in notices.TURNS:
        Player.objects.filter(pk=delivery.player_id).update(mailed_at=now)


def dropped(*, delivery: Delivery, why: str, now: datetime) -> None:
    """Nobody needs it any more."""
    give_back(delivery)
    finish(delivery, unless_taken(delivery, Delivery.Status.DROPPED), why, now)


def failed(*, delivery: Delivery, why: str, now: datetime, maybe_taken: bool = False) -> None:
    """It could not be sent, or nobody said that it was: later again, or not at all."""
    if not maybe_taken:
        mark_not_taken(delivery)
    give_back(delivery)
    if delivery.tries > len(DELAYS):
        finish(delivery, unless_taken(delivery, Delivery.Status.FAILED), why, now)
    else:
        later(delivery, why, now + DELAYS[delivery.tries - 1])


def held(*, delivery: Delivery, why: str, now: datetime) -> None:
    """No mail server took our call: that is no fault of this mail, and counts as no try."""
    mark_not_taken(delivery)
    give_back(delivery)
    if now - delivery.made_at > LONGEST:
        finish(delivery, unless_taken(delivery, Delivery.Status.FAILED), why, now)
    else:
        Delivery.objects.filter(pk=delivery.pk).update(tries=F("tries") - 1)
        later(delivery, why, now + SERVER_AWAY)


def bounced(*, delivery: Delivery, why: str, now: datetime) -> None:
    """The address takes no mail, and will not take the next one either."""
    mark_not_taken(delivery)
    give_back(delivery)
    with transaction.atomic():
        finish(delivery, Delivery.Status.BOUNCED, why, now)
        notices.dead(player=delivery.player, why=why, now=now)


def again(*, delivery: Delivery, now: datetime) -> bool:
    """An operator has it tried once more, from the beginning; only what was given up or came back."""
    ended = Delivery.objects.filter(
        pk=delivery.pk,
        due_at=None,
        status__in=[Delivery.Status.FAILED, Delivery.Status.BOUNCED, Delivery.Status.UNCERTAIN],
    ).exclude(webhook__active=False)
    return bool(ended.update(status=Delivery.Status.WAITING, why="", tries=0, due_at=now))


def later(delivery: Delivery, why: str, at: datetime) -> None:
    """Tried again at a time, unless somebody had the last word already."""
    Delivery.objects.filter(pk=delivery.pk, due_at__isnull=False).update(due_at=at, why=why[:300])


# ---------------------------------------------------------------------------- one mail until they come back


def take_only(*, delivery: Delivery, now: datetime) -> bool:
    """Whether this is the one mail that a player wants until they come back; another worker may be faster.

    Who has it is written down, so that after a crash the same mail may try again.
    """
    player = Player.objects.filter(pk=delivery.player_id)
    if mine := delivery.data.get("only"):
        return player.filter(mailed_at=datetime.fromisoformat(mine)).exists()
    with transaction.atomic():
        back = Q(mailed_at=None) | Q(seen_at__gte=F("mailed_at"))
        if not player.filter(back).update(mailed_at=now):
            return False
        keep(delivery, delivery.data | {"only": now.isoformat()})
    return True


def give_back(delivery: Delivery) -> None:
    """It did not go out: the next one may be the only one."""
    if mine := delivery.data.get("only"):
        Player.objects.filter(pk=delivery.player_id, mailed_at=datetime.fromisoformat(mine)).update(
            mailed_at=None
        )
        keep(delivery, {name: value for name, value in delivery.data.items() if name != "only"})


def keep(delivery: Delivery, data: dict[str, object]) -> None:
    """Write a delivery's data."""
    delivery.data = data
    Delivery.objects.filter(pk=delivery.pk).update(data=data)
