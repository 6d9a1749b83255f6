"""Webhooks of players: address checks, management, and delivery of calls."""

from __future__ import annotations

import base64
import ipaddress
import secrets
import socket
from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import SplitResult, urlsplit

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Exists, F, Min, OuterRef, Q, QuerySet
from django.utils.translation import gettext as _

from accounts.models import Player
from common.service_errors import Conflict, Invalid, NotFound
from notifications.models import Delivery, Webhook
from notifications.models.deliveries import MAX_URL_LENGTH
from notifications.notice_kinds import attach_subjects, list_chosen_kinds
from notifications.selectors.deliveries import webhook_host_of

from .outbox import drop_delivery, finish_sent_delivery, retry_or_give_up
from .requested_deliveries import create_test_delivery

MAX_WEBHOOKS_PER_PLAYER = 5  # of one player
MAX_FAILURES_IN_A_ROW = 3  # failed deliveries that switch a webhook off
WEBHOOK_LEASE = timedelta(minutes=5)  # after it the worker is taken for dead
MAX_FAILED_CALLS = 3  # new calls that fail one after another: then the webhook counts as failing
PAUSE_AFTER_FAILURE = timedelta(seconds=30)  # of a failing webhook, so that a dead host blocks no thread

IPAddress = ipaddress.IPv4Address | ipaddress.IPv6Address
ALLOWED_LOW_PORTS = (80, 443)
FIRST_HIGH_PORT = 1024
IPV6_UNICAST = ipaddress.IPv6Network("2000::/3")  # the allocated global range
NAT64_PREFIX = ipaddress.IPv6Network("64:ff9b::/96")
PRIVATE_NAME_SUFFIXES = (
    ".localhost",
    ".local",
    ".internal",
    ".intranet",
    ".lan",
    ".home",
    ".corp",
    ".arpa",
    ".test",
)


# ----------------------------------------------------------------------------------------- allowed addresses


def is_public_address(address: IPAddress) -> bool:
    """Return whether an address is on the public internet, including IPv4 addresses embedded in IPv6."""
    if isinstance(address, ipaddress.IPv6Address):
        embedded_address = address.ipv4_mapped or address.sixtofour
        if address in NAT64_PREFIX:
            embedded_address = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
        if embedded_address is not None:
            return is_public_address(embedded_address)
        if address not in IPV6_UNICAST:
            return False
    return address.is_global and not address.is_multicast and not address.is_reserved


def can_call_address(address: IPAddress) -> bool:
    """Return whether an address may be called: a public one, or loopback if the settings allow it."""
    return is_public_address(address) or (settings.WEBHOOKS_TO_PRIVATE and address.is_loopback)


def parse_literal_address(host: str) -> IPAddress | None:
    """Return the address that a host spells out, in any notation that resolvers accept; None for a name."""
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        pass
    try:
        return ipaddress.IPv4Address(socket.inet_aton(host))  # 127.1, 0x7f000001, 2130706433
    except OSError:
        return None


def get_port(parts: SplitResult) -> int:
    """Return the port of a URL. Raises ValueError."""
    if parts.port is not None:
        return parts.port
    return 443 if parts.scheme == "https" else 80


def check_webhook_url(url: str) -> SplitResult:
    """Return the parts of a URL that may be called. Raises Invalid.

    The addresses that its name resolves to are checked at every call.
    """
    problem = None
    try:
        parts = urlsplit(url)
        host, port = (parts.hostname or "").rstrip("."), get_port(parts)
    except ValueError:
        raise Invalid(_("Enter a web address."), code="bad-webhook") from None
    schemes = ("https", "http") if settings.WEBHOOKS_TO_PRIVATE else ("https",)
    if not url.isascii() or not url.isprintable() or " " in url or "\\" in url or len(url) > MAX_URL_LENGTH:
        problem = _("Enter a web address.")
    elif parts.scheme not in schemes or not host:
        problem = _("The address must begin with https://.")
    elif "@" in parts.netloc:
        problem = _("Leave user name and password out of the address.")
    elif port not in ALLOWED_LOW_PORTS and port < FIRST_HIGH_PORT:
        low_ports = ", ".join(map(str, ALLOWED_LOW_PORTS))
        problem = _("The port must be one of %(low_ports)s, or at least %(least)d.") % {
            "low_ports": low_ports,
            "least": FIRST_HIGH_PORT,
        }
    elif not is_reachable_host(host):
        problem = _("This address is in a private network, which we cannot reach.")
    if problem:
        raise Invalid(problem, code="bad-webhook")
    return parts


def is_reachable_host(host: str) -> bool:
    """Return whether a host may be public, judged by its name only."""
    address = parse_literal_address(host)
    if address is not None:
        return can_call_address(address)
    if host == "localhost":
        return bool(settings.WEBHOOKS_TO_PRIVATE)
    return "." in host and not host.endswith(PRIVATE_NAME_SUFFIXES)


# ------------------------------------------------------------------------------------------- management


def create_webhook(
    *,
    player: Player,
    url: str,
    preset: str,
    now: datetime,
    kinds: Collection[str] | None = None,
    immediate: bool | None = None,
) -> Webhook:
    """Create a webhook. Raises Invalid for a bad URL, preset or kind, Conflict for too many or a duplicate.

    `kinds`: the notice kinds that it is called with, all if None. `immediate`: whether it is called before
    the mail is due; None: a program is, a chat is not.
    """
    check_webhook_url(url)
    if preset not in Webhook.Preset.values:
        raise Invalid(_("There is no such preset."), code="bad-webhook")
    chosen_kinds = check_kinds(kinds)
    with transaction.atomic():
        # Serialized per player; moves, which only reference the player, do not wait for this lock.
        Player.objects.select_for_update(no_key=True).get(pk=player.pk)
        if Webhook.objects.filter(player=player).count() >= MAX_WEBHOOKS_PER_PLAYER:
            raise Conflict(
                _("You have %(most)d webhooks, which is the limit. Delete one first.")
                % {"most": MAX_WEBHOOKS_PER_PLAYER},
                code="too-many",
            )
        try:
            with transaction.atomic():
                return Webhook.objects.create(
                    player=player,
                    url=url,
                    preset=preset,
                    kinds=chosen_kinds,
                    immediate=preset == Webhook.Preset.JSON if immediate is None else immediate,
                    signing_secret=generate_webhook_secret(),
                    created_at=now,
                )
        except IntegrityError:
            raise Conflict(_("You already have a webhook at this address."), code="webhook-exists") from None


def check_kinds(kinds: Collection[str] | None) -> list[str] | None:
    """Return the chosen kinds in their order of declaration; None for all. Raises Invalid."""
    if kinds is None:
        return None
    known_kinds = [kind.value for kind in list_chosen_kinds()]
    if unknown_kinds := sorted(set(kinds).difference(known_kinds)):
        raise Invalid(
            _("There is no notification of the kind “%(kind)s”.") % {"kind": unknown_kinds[0]},
            code="bad-webhook",
        )
    if not kinds:
        raise Invalid(_("Choose at least one kind of notification."), code="bad-webhook")
    return [kind for kind in known_kinds if kind in kinds]


@transaction.atomic
def change_webhook(*, player: Player, webhook_id: int, now: datetime, **changes: Any) -> Webhook:
    """Change `kinds` or `immediate` of a webhook, or switch it (`active`). Raises NotFound, Invalid.

    Calls that wait already are made.
    """
    webhook = get_own_webhook(player, webhook_id)
    if "kinds" in changes:
        webhook.kinds = check_kinds(changes["kinds"])
    webhook.immediate = changes.get("immediate", webhook.immediate)
    webhook.save(update_fields=["kinds", "immediate"])
    if "active" in changes:
        return set_webhook_active(player=player, webhook_id=webhook_id, active=changes["active"], now=now)
    return webhook


def generate_webhook_secret() -> str:
    """Generate a signing secret of 256 bits, in the form of standardwebhooks.com."""
    return f"whsec_{base64.b64encode(secrets.token_bytes(32)).decode()}"


def get_own_webhook(player: Player, webhook_id: int) -> Webhook:
    """Return a player's webhook. Raises NotFound, also for another player's."""
    webhook = Webhook.objects.filter(player=player, pk=webhook_id).first()
    if webhook is None:
        raise NotFound(_("You do not have this webhook."))
    return webhook


def set_webhook_active(*, player: Player, webhook_id: int, active: bool, now: datetime) -> Webhook:
    """Switch a webhook on or off; switching off drops its waiting calls. Raises NotFound."""
    webhook = get_own_webhook(player, webhook_id)
    if active:
        webhook.active, webhook.disabled_reason, webhook.failures_in_a_row = True, "", 0
        webhook.save(update_fields=["active", "disabled_reason", "failures_in_a_row"])
    elif webhook.active:
        switch_off_webhook(webhook, "")
        webhook.active = False
    return webhook


def rotate_webhook_secret(*, player: Player, webhook_id: int, now: datetime) -> Webhook:
    """Replace the signing secret of a webhook. Raises NotFound."""
    webhook = get_own_webhook(player, webhook_id)
    webhook.signing_secret = generate_webhook_secret()
    webhook.save(update_fields=["signing_secret"])
    return webhook


def delete_webhook(*, player: Player, webhook_id: int, now: datetime) -> None:
    """Delete a webhook with its deliveries. Raises NotFound."""
    get_own_webhook(player, webhook_id).delete()


def create_test_call(*, player: Player, webhook_id: int, now: datetime) -> Delivery:
    """Create a test call, at most one a minute; asking again returns it. Raises NotFound, Conflict."""
    webhook = get_own_webhook(player, webhook_id)
    if not webhook.active:
        raise Conflict(_("This webhook is off. Turn it on first."), code="webhook-off")
    return create_test_delivery(
        player=player,
        key_prefix=f"w{webhook.pk}:",
        now=now,
        webhook=webhook,
        address=webhook_host_of(webhook),
    )


# ------------------------------------------------------------------------------------------- calls


def claim_due_calls(*, now: datetime, limit: int, failing_limit: int | None = None) -> list[Delivery]:
    """Claim the next due call of each webhook and return them: `failing_limit` of failing webhooks at most.

    One worker calls a webhook at a time. A failed call is retried at its own time: the later ones about its
    game wait for it, so that they arrive in order, and all others go on. After a crash a claim ends with its
    lease.
    """
    is_failing = Q(webhook__failures_in_a_row__gte=MAX_FAILED_CALLS)
    claimed_ids = claim_next_calls(find_next_calls(now).exclude(is_failing), limit, now)
    remaining_limit = min(limit - len(claimed_ids), limit if failing_limit is None else failing_limit)
    claimed_ids += claim_next_calls(find_next_calls(now).filter(is_failing), remaining_limit, now)
    claimed_calls = Delivery.objects.filter(pk__in=claimed_ids).select_related("webhook", "player")
    deliveries = list(claimed_calls.order_by("pk")) if claimed_ids else []
    attach_subjects(deliveries)
    return deliveries


def find_next_calls(now: datetime) -> QuerySet[Delivery]:
    """Return due calls of webhooks that are free, without those that an earlier call about their game holds.

    Calls about no game hold nothing up.
    """
    earlier_calls = Delivery.objects.filter(
        player=OuterRef("player"),
        webhook=OuterRef("webhook"),
        topic=OuterRef("topic"),
        pk__lt=OuterRef("pk"),
        next_attempt_at__isnull=False,
    ).exclude(topic="")
    return (
        Delivery.objects.filter(webhook__isnull=False, next_attempt_at__lte=now)
        .exclude(webhook__busy_until__gt=now)
        .exclude(Exists(earlier_calls))
    )


def claim_next_calls(next_calls: QuerySet[Delivery], limit: int, now: datetime) -> list[int]:
    """Claim the oldest of these calls of each webhook, and return the ids of those claimed."""
    if limit <= 0:
        return []
    oldest_calls = (
        next_calls.values("webhook")
        .annotate(first=Min("pk"), since=Min("next_attempt_at"))
        .order_by("since", "first")
    )
    return [row["first"] for row in oldest_calls[:limit] if claim_call(row["webhook"], row["first"], now)]


@transaction.atomic
def claim_call(webhook_id: int, delivery_id: int, now: datetime) -> bool:
    """Claim a webhook and its next call; return False if another worker was faster."""
    free_webhook = Webhook.objects.filter(Q(busy_until=None) | Q(busy_until__lte=now), pk=webhook_id)
    if not free_webhook.update(busy_until=now + WEBHOOK_LEASE):
        return False
    due_call = Delivery.objects.filter(pk=delivery_id, next_attempt_at__lte=now)
    if due_call.update(next_attempt_at=now + WEBHOOK_LEASE, attempts=F("attempts") + 1):
        return True
    Webhook.objects.filter(pk=webhook_id).update(busy_until=None)
    return False


def release_webhook(delivery: Delivery, until: datetime | None) -> None:
    """Allow the webhook of a call to be called again, now or from a time on."""
    assert delivery.webhook_id is not None
    Webhook.objects.filter(pk=delivery.webhook_id).update(busy_until=until)


def mark_call_sent(*, delivery: Delivery, now: datetime) -> None:
    """Record that a call succeeded."""
    finish_sent_delivery(delivery, now)
    webhook = delivery.webhook
    assert webhook is not None
    Webhook.objects.filter(pk=webhook.pk).update(busy_until=None, failures_in_a_row=0)


def mark_call_dropped(*, delivery: Delivery, reason: str, now: datetime) -> None:
    """Drop a call that is no longer needed."""
    drop_delivery(delivery, reason, now)
    release_webhook(delivery, None)


def is_failing_webhook(webhook: Webhook) -> bool:
    """Return whether so many calls of a webhook failed in a row that its host may be dead."""
    return webhook.failures_in_a_row >= MAX_FAILED_CALLS


def count_failed_call(delivery: Delivery, now: datetime) -> None:
    """Count a call that its host did not take; a webhook whose last calls all failed gets a pause.

    Repetitions are not counted: a call that fails again and again must hold up no other game.
    """
    webhook = delivery.webhook
    assert webhook is not None
    if delivery.attempts == 1:
        Webhook.objects.filter(pk=webhook.pk, failures_in_a_row__lt=MAX_FAILED_CALLS).update(
            failures_in_a_row=F("failures_in_a_row") + 1
        )
        webhook.refresh_from_db(fields=["failures_in_a_row"])
    release_webhook(delivery, now + PAUSE_AFTER_FAILURE if is_failing_webhook(webhook) else None)


def mark_call_failed(
    *,
    delivery: Delivery,
    reason: str,
    now: datetime,
    was_made: bool = True,
    is_gone: bool = False,
    maybe_accepted: bool = False,
) -> None:
    """Record a failed call: retry later, or give up.

    `was_made=False`: the fault is ours. `is_gone`: the receiver wants no more calls. `maybe_accepted`: the
    call may have arrived. Several calls that were given up in a row switch the webhook off.
    """
    webhook = delivery.webhook
    assert webhook is not None
    if was_made:
        count_failed_call(delivery, now)
    else:
        release_webhook(delivery, None)
    if retry_or_give_up(delivery, reason, now, maybe_accepted=maybe_accepted, is_final=is_gone):
        return
    finished_deliveries = Delivery.objects.filter(
        webhook=webhook,
        status__in=[Delivery.Status.SENT, Delivery.Status.FAILED, Delivery.Status.UNCERTAIN],
    ).order_by("-pk")
    last_statuses = list(finished_deliveries.values_list("status", flat=True)[:MAX_FAILURES_IN_A_ROW])
    if is_gone or (len(last_statuses) == MAX_FAILURES_IN_A_ROW and Delivery.Status.SENT not in last_statuses):
        switch_off_webhook(webhook, reason)


def switch_off_webhook(webhook: Webhook, last_error: str) -> None:
    """Switch a webhook off and drop its waiting calls."""
    with transaction.atomic():
        Webhook.objects.filter(pk=webhook.pk).update(active=False, disabled_reason=last_error[:200])
        waiting_rows = Delivery.objects.filter(webhook=webhook, next_attempt_at__isnull=False)
        for never_handed_over, status in (
            (False, Delivery.Status.UNCERTAIN),
            (True, Delivery.Status.DROPPED),
        ):
            waiting_rows.filter(submitted_at__isnull=never_handed_over).update(
                status=status, status_reason=_("The webhook is off."), next_attempt_at=None
            )
