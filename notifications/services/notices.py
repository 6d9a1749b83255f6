"""Notices: feed entries are written, and become mails, webhook calls and push messages."""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import CharField, Exists, F, OuterRef, QuerySet, Value
from django.db.models.functions import Cast, Concat
from django.utils import translation
from django.utils.translation import gettext as _

from accounts.models import Player
from common.budget import Budget
from notifications.models import Delivery, FeedEntry, PushDevice, Webhook
from notifications.notice_kinds import NoticePlan, attach_subjects, get_notice_kind
from notifications.selectors.deliveries import webhook_host_of
from notifications.stream_wake_ups import player_key, wake_streams_after_commit

from .requested_deliveries import create_test_delivery

logger = logging.getLogger(__name__)
FAN_OUT_BATCH_SIZE = 200
RECHECK_AFTER = timedelta(hours=1)  # for stopped clocks without a known end, and failed entries
MAX_WEBHOOK_ENTRY_AGE = timedelta(minutes=10)  # older entries wait for their mail
WebhooksByPlayer = Mapping[int, list[Webhook]]
DevicesByPlayer = Mapping[int, list[PushDevice]]


# ------------------------------------------------------------------------------------------------ writing


def notify(
    notify_times: Mapping[int, datetime | None],
    *,
    kind: str,
    dedup_key: str,
    now: datetime,
    topic: str = "",
    data: Mapping[str, Any],
) -> None:
    """Tell players something: an entry in each one's feed, and a notice at the time given for them.

    `notify_times` maps player ids to the time of the notice; None: only the feed has it. A player who has an
    entry with this key already is told nothing.
    """
    write_feed_entries(
        FeedEntry(
            player_id=player_id,
            topic=topic,
            kind=kind,
            dedup_key=dedup_key,
            data=dict(data),
            at=now,
            notify_at=notify_at,
        )
        for player_id, notify_at in notify_times.items()
    )


def write_feed_entries(entries: Iterable[FeedEntry]) -> None:
    """Write feed entries with their outbox columns, except those whose key the player has already."""
    new_entries = list(entries)
    FeedEntry.objects.bulk_create(new_entries, ignore_conflicts=True)
    wake_feed_streams(new_entries)


def wake_feed_streams(entries: Iterable[FeedEntry]) -> None:
    """Wake, after the commit, the streams of the players of these entries and of what they are about."""
    wake_streams_after_commit(key for entry in entries for key in (player_key(entry.player_id), entry.topic))


def recheck_reminders(topics: Collection[str], now: datetime) -> None:
    """Make waiting reminders about these topics due: their times may have moved."""
    FeedEntry.objects.filter(
        topic__in=topics, notice_stage__in=FeedEntry.REMINDER_STAGES, notify_at__gt=now
    ).update(notify_at=now)


# ------------------------------------------------------------------------------------------------ fan-out


def fan_out_all_notices(*, now: datetime, budget: Budget) -> int:
    """Fan out all due feed entries in batches within the budget. Returns how many."""
    entry_count = 0
    while batch_count := fan_out_notices(now=now):
        entry_count += batch_count
        if not budget.allows_more():
            break
    return entry_count


@transaction.atomic
def fan_out_notices(*, now: datetime, limit: int = FAN_OUT_BATCH_SIZE) -> int:
    """Create deliveries for due feed entries and set their next reminder times. Returns how many entries.

    Steps:
    1. Lock a batch of due entries, skipping those locked by other workers.
    2. Read what they are about, and their players' webhooks and push devices.
    3. Plan each entry; a failing one is logged and rescheduled.
    4. Create the deliveries, ignoring those that exist, and save the entries.

    Safe to run concurrently; a crash rolls the transaction back.
    """
    # On SQLite the transaction holds the only write lock.
    due_entries = (
        FeedEntry.objects.filter(notify_at__lte=now)
        .select_for_update(skip_locked=True, of=("self",))
        .select_related("player")
        .defer("response_body")
        .order_by("notify_at", "pk")
    )
    entries = list(due_entries[:limit])
    if not entries:
        return 0
    attach_subjects(entries)
    webhooks_by_player = load_webhooks_by_player(entries)
    devices_by_player = load_devices_by_player(entries)
    new_deliveries: list[Delivery] = []
    for entry in entries:
        try:
            plan = get_notice_kind(entry.kind).plan(entry, now)
            new_deliveries += build_deliveries(entry, plan, webhooks_by_player, now)
            new_deliveries += build_pushes(entry, plan, devices_by_player, now)
            entry.notify_at, entry.notice_stage = plan.notify_at, plan.notice_stage
        except Exception:
            # One broken game must not stop other notices.
            logger.exception("feed entry %s could not be sent", entry.pk)
            entry.notify_at = now + RECHECK_AFTER
    Delivery.objects.bulk_create(new_deliveries, ignore_conflicts=True)
    FeedEntry.objects.bulk_update(entries, ["notify_at", "notice_stage"])
    return len(entries)


def fan_out_webhook_calls(*, now: datetime, budget: Budget) -> None:
    """Create the calls of immediate webhooks for entries whose mails wait a moment or for quiet hours' end.

    The entries stay unchanged; when their mails are due, the existing calls are skipped.
    """
    last_id = 0
    # Older entries wait for their mail: those without a call would be read again in every run.
    recent_entries = find_uncalled_entries().filter(at__gte=now - MAX_WEBHOOK_ENTRY_AGE)
    while entries := list(recent_entries.filter(pk__gt=last_id)[:FAN_OUT_BATCH_SIZE]):
        attach_subjects(entries)
        webhooks_by_player = load_webhooks_by_player(entries)
        webhook_calls = [
            delivery
            for entry in entries
            for delivery in plan_deliveries_safely(entry, webhooks_by_player, now)
            if delivery.webhook and delivery.webhook.immediate
        ]
        Delivery.objects.bulk_create(webhook_calls, ignore_conflicts=True)
        last_id = entries[-1].pk
        if not budget.allows_more():
            break


def find_uncalled_entries() -> QuerySet[FeedEntry]:
    """Return entries waiting for their notice, of players with an immediate webhook not called yet."""
    dedup_key = Concat(
        Value("w"), Cast(OuterRef("webhook_id"), CharField()), Value(":"), OuterRef("dedup_key")
    )
    return (
        FeedEntry.objects.filter(
            notify_at__isnull=False,
            notice_stage=FeedEntry.NoticeStage.PENDING,
            player__webhooks__active=True,
            player__webhooks__immediate=True,
        )
        .annotate(webhook_id=F("player__webhooks"))
        .exclude(Exists(Delivery.objects.filter(player=OuterRef("player"), dedup_key=dedup_key)))
        .select_related("player")
        .defer("response_body")
        .order_by("pk")
    )


def plan_deliveries_safely(
    entry: FeedEntry, webhooks_by_player: WebhooksByPlayer, now: datetime
) -> list[Delivery]:
    """Plan an entry and return its deliveries; a failing entry is logged and gives none."""
    try:
        plan = get_notice_kind(entry.kind).plan(entry, now)
        return build_deliveries(entry, plan, webhooks_by_player, now)
    except Exception:
        logger.exception("feed entry %s could not be sent", entry.pk)
        return []


def load_webhooks_by_player(entries: Iterable[FeedEntry]) -> WebhooksByPlayer:
    """Load the active webhooks of the players of these entries."""
    webhooks_by_player: dict[int, list[Webhook]] = defaultdict(list)
    player_ids = {entry.player_id for entry in entries}
    for webhook in Webhook.objects.filter(player__in=player_ids, active=True).order_by("pk"):
        webhooks_by_player[webhook.player_id].append(webhook)
    return webhooks_by_player


def load_devices_by_player(entries: Iterable[FeedEntry]) -> DevicesByPlayer:
    """Load the push devices of the players of these entries; none if push is off."""
    devices_by_player: dict[int, list[PushDevice]] = defaultdict(list)
    if settings.VAPID_PRIVATE_KEY:
        player_ids = {entry.player_id for entry in entries}
        for device in PushDevice.objects.filter(player__in=player_ids, disabled_reason="").order_by("pk"):
            devices_by_player[device.player_id].append(device)
    return devices_by_player


def build_pushes(
    entry: FeedEntry, plan: NoticePlan, devices_by_player: DevicesByPlayer, now: datetime
) -> list[Delivery]:
    """Build a push message for each device, at the time of the mail and if the player wants such notices."""
    player, kind = entry.player, plan.notice
    devices = devices_by_player.get(player.pk, ())
    if not devices or kind is None or not player.is_active or kind.is_muted(entry):
        return []
    if not kind.is_wanted_by_push(player) or not kind.goes_to_player:
        return []
    return [kind.build_push(entry, device, plan.dedup_suffix, now) for device in devices]


def build_deliveries(
    entry: FeedEntry, plan: NoticePlan, webhooks_by_player: WebhooksByPlayer, now: datetime
) -> list[Delivery]:
    """Build what an entry makes now: the mail, as the player prefers, and the calls."""
    player, kind = entry.player, plan.notice
    if kind is None or not player.is_active or kind.is_muted(entry):
        return []
    new_deliveries = [
        Delivery(
            player=player,
            topic=entry.topic,
            webhook=webhook,
            kind=kind.value,
            dedup_key=f"w{webhook.pk}:{entry.dedup_key}{plan.dedup_suffix}",
            data=entry.data,
            created_at=now,
            next_attempt_at=now,
            address=webhook_host_of(webhook),
        )
        for webhook in webhooks_by_player.get(player.pk, ())
        if webhook.wants_kind(kind.value)
    ]
    mail = kind.build_mail(entry, plan.dedup_suffix, now) if kind.is_wanted_by_mail(player) else None
    if mail and player.email_bounced_at:
        mail.status, mail.next_attempt_at = Delivery.Status.DROPPED, None
        mail.status_reason = describe_bounce(player)
    return [*new_deliveries, mail] if mail else new_deliveries


def describe_bounce(player: Player) -> str:
    """Describe, in the player's language, why no mail is sent to their bounced address."""
    with translation.override(player.language):
        return (_("Your address does not accept mail: %(why)s") % {"why": player.email_bounce_reason})[:300]


# ------------------------------------------------------------------------------------------ mail preferences


def create_test_mail(*, player: Player, now: datetime) -> Delivery:
    """Create a test mail, at most one a minute: repeated requests return the same one."""
    return create_test_delivery(player=player, key_prefix="", now=now, address=player.email)


def mark_email_bounced(*, player: Player, reason: str, now: datetime) -> None:
    """Mark a player's address as bounced: no mail is sent, and the player sees the reason. Games go on."""
    Player.objects.filter(pk=player.pk, email_bounced_at=None).update(
        email_bounced_at=now, email_bounce_reason=" ".join(reason.split())[:200]
    )


def clear_email_bounce(*, player: Player, now: datetime) -> None:
    """Clear the bounce mark when the player says that their address works again."""
    Player.objects.filter(pk=player.pk).update(email_bounced_at=None, email_bounce_reason="")


def unsubscribe_from_mails(*, player: Player, now: datetime) -> None:
    """Turn off a player's mails."""
    set_mail_frequency(player, Player.MailFrequency.NONE)


def resubscribe_to_mails(*, player: Player, now: datetime) -> None:
    """Turn on a player's mails again, one for each turn."""
    set_mail_frequency(player, Player.MailFrequency.EACH_TURN)


def set_mail_frequency(player: Player, frequency: str) -> None:
    """Set a player's mail frequency."""
    Player.objects.filter(pk=player.pk).update(mail_frequency=frequency)
    player.mail_frequency = frequency
