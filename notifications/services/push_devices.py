"""Push devices of players: management, and delivery of push messages."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime, timedelta

from django.db import IntegrityError, transaction
from django.db.models import F
from django.utils.translation import gettext as _

from accounts.models import Player
from common.service_errors import Conflict, Invalid, NotFound
from notifications.models import Delivery, PushDevice
from notifications.models.push_devices import MAX_LABEL_LENGTH
from notifications.notice_kinds import attach_subjects
from notifications.push_keys import load_auth_secret, load_public_key

from .outbox import drop_delivery, finish_sent_delivery, retry_or_give_up
from .requested_deliveries import create_test_delivery
from .webhooks import check_webhook_url

MAX_PUSH_DEVICES_PER_PLAYER = 10
MAX_FAILURES_IN_A_ROW = 3  # given-up messages that disable a device
PUSH_LEASE = timedelta(minutes=5)  # after it the worker is taken for dead
MAX_RETRY_AFTER = timedelta(days=1)  # that a push service may ask for

# The first name found is the one: most browsers name others as well.
BROWSER_NAMES = {
    "Edg": "Edge",
    "OPR": "Opera",
    "SamsungBrowser": "Samsung Internet",
    "Firefox": "Firefox",
    "FxiOS": "Firefox",
    "CriOS": "Chrome",
    "Chrome": "Chrome",
    "Safari": "Safari",
}
SYSTEM_NAMES = {
    "Android": "Android",
    "iPhone": "iPhone",
    "iPad": "iPad",
    "CrOS": "ChromeOS",
    "Windows": "Windows",
    "Mac OS X": "macOS",
    "Linux": "Linux",
}


# ------------------------------------------------------------------------------------------- management


def describe_browser(user_agent: str) -> str:
    """Describe a browser for its player by its User-Agent header: `Firefox, Android`."""
    parts = [find_name(names, user_agent) for names in (BROWSER_NAMES, SYSTEM_NAMES)]
    return ", ".join(filter(None, parts))[:MAX_LABEL_LENGTH] or _("a browser")


def find_name(names: Mapping[str, str], user_agent: str) -> str:
    """Return the first of these names whose mark is in a User-Agent header; empty if none is."""
    words = f" {re.sub(r'[^A-Za-z0-9]+', ' ', user_agent)} "
    return next((name for mark, name in names.items() if f" {mark} " in words), "")


def check_subscription(endpoint: str, p256dh: str, auth: str) -> None:
    """Raise Invalid unless an endpoint may be called and the keys are those of a browser."""
    try:
        check_webhook_url(endpoint)
    except Invalid as error:
        raise Invalid(error.detail, field="endpoint") from None
    try:
        load_public_key(p256dh)
        load_auth_secret(auth)
    except ValueError:
        raise Invalid(_("These are not a browser’s push keys."), field="keys") from None


@transaction.atomic
def register_device(
    *, player: Player, endpoint: str, p256dh: str, auth: str, label: str, now: datetime
) -> PushDevice:
    """Register a browser of a player; registering it again renews its keys. Raises Invalid, Conflict.

    A browser has one subscription for all who sign in there: it moves to the player who registers it now, if
    they show its keys.
    """
    check_subscription(endpoint, p256dh, auth)
    # Serialized per player; moves, which only reference the player, do not wait for this lock.
    Player.objects.select_for_update(no_key=True).get(pk=player.pk)
    known_device = PushDevice.objects.select_for_update().filter(endpoint=endpoint).first()
    if known_device and known_device.player_id != player.pk:
        if (known_device.p256dh, known_device.auth) != (p256dh, auth):
            raise Conflict(
                _(
                    "Another account already gets this browser’s push notifications."
                    " Turn them off there first."
                )
            )
        known_device.delete()
        known_device = None
    if known_device is None:
        if PushDevice.objects.filter(player=player).count() >= MAX_PUSH_DEVICES_PER_PLAYER:
            raise Conflict(
                _("You have %(most)d devices, which is the limit. Remove one first.")
                % {"most": MAX_PUSH_DEVICES_PER_PLAYER},
                code="too-many",
            )
        known_device = PushDevice(player=player, endpoint=endpoint, created_at=now)
    known_device.p256dh, known_device.auth = p256dh, auth
    known_device.label, known_device.disabled_reason = label[:MAX_LABEL_LENGTH], ""
    try:
        with transaction.atomic():
            known_device.save()
    except IntegrityError:  # another player has registered the same browser just now
        raise Conflict(
            _("Another account already gets this browser’s push notifications. Turn them off there first.")
        ) from None
    return known_device


def get_own_device(player: Player, device_id: int) -> PushDevice:
    """Return a player's device. Raises NotFound, also for another player's."""
    device = PushDevice.objects.filter(player=player, pk=device_id).first()
    if device is None:
        raise NotFound(_("You do not have this device."))
    return device


def remove_device(*, player: Player, device_id: int, now: datetime) -> None:
    """Remove a device with its deliveries. Raises NotFound."""
    get_own_device(player, device_id).delete()


def remove_device_by_endpoint(*, player: Player, endpoint: str, now: datetime) -> bool:
    """Remove the device that a browser says it is. Returns whether the player had it."""
    return bool(PushDevice.objects.filter(player=player, endpoint=endpoint).delete()[0])


def create_test_push(*, player: Player, device_id: int, now: datetime) -> Delivery:
    """Create a test message, at most one a minute; asking again returns it. Raises NotFound, Conflict."""
    device = get_own_device(player, device_id)
    if device.disabled_reason:
        raise Conflict(_("Push is off on this device. Turn it on there again."))
    return create_test_delivery(
        player=player, key_prefix=f"p{device.pk}:", now=now, push_device=device, address=device.service_host
    )


# ------------------------------------------------------------------------------------------- messages


def claim_due_messages(*, now: datetime, limit: int) -> list[Delivery]:
    """Claim the oldest due messages and return them; after a crash a claim ends with its lease."""
    due_messages = Delivery.objects.filter(push_device__isnull=False, next_attempt_at__lte=now)
    candidates = due_messages.order_by("next_attempt_at", "pk").values_list("pk", "next_attempt_at")[:limit]
    claimed_ids = [pk for pk, seen_due_at in candidates if claim_message(pk, seen_due_at, now)]
    claimed_messages = Delivery.objects.filter(pk__in=claimed_ids).select_related("push_device", "player")
    deliveries = list(claimed_messages.order_by("pk"))
    attach_subjects(deliveries)
    return deliveries


def claim_message(pk: int, seen_due_at: datetime | None, now: datetime) -> bool:
    """Claim a message for the time of the lease; return False if another worker was faster."""
    row = Delivery.objects.filter(pk=pk, next_attempt_at=seen_due_at)
    return bool(row.update(next_attempt_at=now + PUSH_LEASE, attempts=F("attempts") + 1))


def get_device_id(delivery: Delivery) -> int:
    """Return the id of the device of a message."""
    assert delivery.push_device_id is not None
    return delivery.push_device_id


def is_replaced(delivery: Delivery) -> bool:
    """Return whether the device has a newer message about the same: sent late, this one would hide it."""
    newer_messages = Delivery.objects.filter(
        push_device=delivery.push_device_id, topic=delivery.topic, pk__gt=delivery.pk
    )
    return bool(delivery.topic) and newer_messages.exclude(status=Delivery.Status.DROPPED).exists()


def mark_push_sent(*, delivery: Delivery, now: datetime) -> None:
    """Record that the push service took a message."""
    finish_sent_delivery(delivery, now)
    PushDevice.objects.filter(pk=get_device_id(delivery)).update(last_used_at=now)


def mark_push_dropped(*, delivery: Delivery, reason: str, now: datetime) -> None:
    """Drop a message that is no longer needed."""
    drop_delivery(delivery, reason, now)


def mark_push_failed(
    *,
    delivery: Delivery,
    reason: str,
    now: datetime,
    maybe_accepted: bool = False,
    retry_after: timedelta | None = None,
) -> None:
    """Record a failed message: retry later, or give up; several in a row disable the device."""
    not_before = now + min(retry_after, MAX_RETRY_AFTER) if retry_after else None
    if retry_or_give_up(delivery, reason, now, maybe_accepted=maybe_accepted, not_before=not_before):
        return
    finished = Delivery.objects.filter(
        push_device=delivery.push_device_id,
        status__in=[Delivery.Status.SENT, Delivery.Status.FAILED, Delivery.Status.UNCERTAIN],
    ).order_by("-pk")
    last_statuses = list(finished.values_list("status", flat=True)[:MAX_FAILURES_IN_A_ROW])
    if len(last_statuses) == MAX_FAILURES_IN_A_ROW and Delivery.Status.SENT not in last_statuses:
        PushDevice.objects.filter(pk=get_device_id(delivery)).update(disabled_reason=reason[:200])


def remove_expired_device(*, delivery: Delivery, now: datetime) -> None:
    """Remove the device of a message whose push service says that there is no such subscription."""
    PushDevice.objects.filter(pk=get_device_id(delivery)).delete()
