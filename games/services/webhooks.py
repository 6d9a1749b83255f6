"""A player's webhooks: made, changed, taken away; and what becomes of each call."""

from __future__ import annotations

import ipaddress
import secrets
import socket
from datetime import datetime, timedelta
from urllib.parse import SplitResult, urlsplit

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import F, Min, Q
from django.utils.translation import gettext as _

from games.models import Delivery, Player, Webhook
from games.models.limits import MAX_URL_LENGTH
from games.selectors.mail import host_of

from . import tallies
from .errors import Conflict, Invalid, NotFound
from .handing_over import mark_not_taken, unless_taken

MOST = 5  # of one player
IN_A_ROW = 3  # deliveries given up one after the other switch a webhook off
TESTS_APART = timedelta(minutes=1)
# After each try that failed; when there is no delay left, the delivery is given up.
DELAYS = (
    timedelta(minutes=1),
    timedelta(minutes=5),
    timedelta(minutes=15),
    timedelta(hours=1),
    timedelta(hours=4),
    timedelta(hours=12),
)
LEASE = timedelta(minutes=5)  # a worker that does not come back in this time has died
REST_AFTER_FAILURE = timedelta(
    seconds=30
)  # of a webhook, so that a dead host does not hold a thread all the time

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
OPEN_PORTS = (80, 443)
UNICAST = ipaddress.IPv6Network("2000::/3")  # all that is given out; what is outside is for special uses
NAT64 = ipaddress.IPv6Network("64:ff9b::/96")
PRIVATE_NAMES = (".localhost", ".local", ".internal", ".intranet", ".lan", ".home", ".corp", ".arpa", ".test")


# ----------------------------------------------------------------------------------------- where one may call


def is_public(address: Address) -> bool:
    """Whether an address is one of the open internet, however an IPv4 address may be wrapped in it."""
    if isinstance(address, ipaddress.IPv6Address):
        inside = address.ipv4_mapped or address.sixtofour
        if address in NAT64:
            inside = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
        if inside is not None:
            return is_public(inside)
        if address not in UNICAST:
            return False
    return address.is_global and not address.is_multicast and not address.is_reserved


def may_call(address: Address) -> bool:
    """Whether we call an address: never one of a private network, unless the settings allow this machine."""
    return is_public(address) or (settings.WEBHOOKS_TO_PRIVATE and address.is_loopback)


def literal(host: str) -> Address | None:
    """The address that a host spells out, in any of the ways that a resolver would take; None for a name."""
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        pass
    try:
        return ipaddress.IPv4Address(socket.inet_aton(host))  # 127.1, 0x7f000001, 2130706433
    except OSError:
        return None


def port_of(parts: SplitResult) -> int:
    """The port that an address means. Raises ValueError."""
    if parts.port is not None:
        return parts.port
    return 443 if parts.scheme == "https" else 80


def check_url(url: str) -> SplitResult:
    """The parts of an address that may be called. What its name resolves to is checked at every call.

    Raises Invalid.
    """
    wrong = None
    try:
        parts = urlsplit(url)
        host, port = (parts.hostname or "").rstrip("."), port_of(parts)
    except ValueError:
        raise Invalid(_("This is not an address."), code="bad-webhook") from None
    schemes = ("https", "http") if settings.WEBHOOKS_TO_PRIVATE else ("https",)
    if not url.isascii() or not url.isprintable() or " " in url or "\\" in url or len(url) > MAX_URL_LENGTH:
        wrong = _("This is not an address.")
    elif parts.scheme not in schemes or not host:
        wrong = _("The address must begin with https://.")
    elif "@" in parts.netloc:
        wrong = _("The address must not hold a name or a password.")
    elif port not in OPEN_PORTS and port < 1024:
        wrong = _("The port must be 80, 443, or 1024 and above.")
    elif not reachable(host):
        wrong = _("This address is of a private network, which we cannot reach.")
    if wrong:
        raise Invalid(wrong, code="bad-webhook")
    return parts


def reachable(host: str) -> bool:
    """Whether a host may be on the open internet, as far as its spelling tells."""
    address = literal(host)
    if address is not None:
        return may_call(address)
    if host == "localhost":
        return bool(settings.WEBHOOKS_TO_PRIVATE)
    return "." in host and not host.endswith(PRIVATE_NAMES)


# ------------------------------------------------------------------------------------------- a player's own


def create(*, player: Player, url: str, preset: str, now: datetime) -> Webhook:
    """Make a webhook. Raises Invalid for an address that we do not call, Conflict."""
    check_url(url)
    if preset not in Webhook.Preset.values:
        raise Invalid(_("There is no such preset."), code="bad-webhook")
    with transaction.atomic():
        # One at a time for each player; moves, which only point at the player, do not wait for this lock.
        Player.objects.select_for_update(no_key=True).get(pk=player.pk)
        if Webhook.objects.filter(player=player).count() >= MOST:
            raise Conflict(
                _("You have %(most)d webhooks; delete one first.") % {"most": MOST}, code="too-many"
            )
        try:
            with transaction.atomic():
                return Webhook.objects.create(
                    player=player, url=url, preset=preset, secret=new_secret(), at=now
                )
        except IntegrityError:
            raise Conflict(_("You have a webhook at this address already."), code="webhook-exists") from None


def new_secret() -> str:
    """What signs; 256 bits."""
    return secrets.token_hex(32)


def own(player: Player, webhook_id: int) -> Webhook:
    """A player's webhook. Raises NotFound, also for another's."""
    found = Webhook.objects.filter(player=player, pk=webhook_id).first()
    if found is None:
        raise NotFound(_("You have no such webhook."))
    return found


def switch(*, player: Player, webhook_id: int, active: bool, now: datetime) -> Webhook:
    """Switch a webhook on or off; what waits for one that is off is not sent. Raises NotFound."""
    found = own(player, webhook_id)
    if active:
        found.active, found.trouble = True, ""
        found.save(update_fields=["active", "trouble"])
    elif found.active:
        switch_off(found, "")
        found.active = False
    return found


def rotate(*, player: Player, webhook_id: int, now: datetime) -> Webhook:
    """Give a webhook a new secret; what is sent from now on is signed with it. Raises NotFound."""
    found = own(player, webhook_id)
    found.secret = new_secret()
    found.save(update_fields=["secret"])
    return found


def delete(*, player: Player, webhook_id: int, now: datetime) -> None:
    """Take a webhook away, with its deliveries. Raises NotFound."""
    own(player, webhook_id).delete()


def test(*, player: Player, webhook_id: int, now: datetime) -> Delivery:
    """Send a test, one a minute at most: asking again gives the same one. Raises NotFound, Conflict."""
    found = own(player, webhook_id)
    if not found.active:
        raise Conflict(_("This webhook is switched off."), code="webhook-off")
    minute = int(now.timestamp() // TESTS_APART.total_seconds())
    delivery, _made = Delivery.objects.get_or_create(
        player=player,
        reason=f"w{found.pk}:test:{minute}",
        defaults={"webhook": found, "kind": "test", "made_at": now, "due_at": now, "address": host_of(found)},
    )
    return delivery


# ------------------------------------------------------------------------------------------- the calls


def claim(*, now: datetime, limit: int) -> list[Delivery]:
    """The calls that this worker makes now, one for each webhook: the oldest that waits for it.

    A webhook is called by one worker at a time, so its calls come in order, and a slow one with many of them
    keeps no other one waiting. A call that failed comes again at its own time, and those behind it go on.
    Whoever dies with a claim leaves it to the next, once the lease is over.
    """
    due = Delivery.objects.filter(webhook__isnull=False, due_at__lte=now).exclude(webhook__busy_until__gt=now)
    oldest = due.values("webhook").annotate(first=Min("pk"), since=Min("due_at")).order_by("since", "first")
    claimed = [row["first"] for row in oldest[:limit] if take(row["webhook"], row["first"], now)]
    deliveries = Delivery.objects.filter(pk__in=claimed).select_related("webhook", "player", "game")
    return list(deliveries.prefetch_related("game__places__player").order_by("pk"))


@transaction.atomic
def take(webhook_id: int, delivery_id: int, now: datetime) -> bool:
    """Take a webhook and its next call, unless another worker was faster."""
    free = Webhook.objects.filter(Q(busy_until=None) | Q(busy_until__lte=now), pk=webhook_id)
    if not free.update(busy_until=now + LEASE):
        return False
    due = Delivery.objects.filter(pk=delivery_id, due_at__lte=now)
    if due.update(due_at=now + LEASE, tries=F("tries") + 1):
        return True
    Webhook.objects.filter(pk=webhook_id).update(busy_until=None)
    return False


def release(delivery: Delivery, until: datetime | None) -> None:
    """Let the webhook of a call be called again, from a time on or at once."""
    assert delivery.webhook_id is not None
    Webhook.objects.filter(pk=delivery.webhook_id).update(busy_until=until)


def mark_sent(*, delivery: Delivery, now: datetime) -> None:
    """It arrived."""
    finish_sent(delivery, now)
    release(delivery, None)


def mark_dropped(*, delivery: Delivery, why: str, now: datetime) -> None:
    """Nobody needs it any more."""
    finish(delivery, unless_taken(delivery, Delivery.Status.DROPPED), why, now)
    release(delivery, None)


def mark_failed(
    *, delivery: Delivery, why: str, now: datetime, gone: bool = False, maybe_taken: bool = False
) -> None:
    """A call failed: later again, or not at all.

    `gone`: the other side wants no more calls, ever. `maybe_taken`: it may have arrived all the same.
    """
    webhook = delivery.webhook
    assert webhook is not None
    release(delivery, now + REST_AFTER_FAILURE)
    if not maybe_taken:
        mark_not_taken(delivery)
    if not gone and delivery.tries <= len(DELAYS):
        again = now + DELAYS[delivery.tries - 1]
        Delivery.objects.filter(pk=delivery.pk, due_at__isnull=False).update(due_at=again, why=why[:300])
        return
    finish(delivery, unless_taken(delivery, Delivery.Status.FAILED), why, now)
    ended = Delivery.objects.filter(
        webhook=webhook,
        status__in=[Delivery.Status.SENT, Delivery.Status.FAILED, Delivery.Status.UNCERTAIN],
    ).order_by("-pk")
    last = list(ended.values_list("status", flat=True)[:IN_A_ROW])
    if gone or (len(last) == IN_A_ROW and Delivery.Status.SENT not in last):
        switch_off(webhook, why)


def finish(delivery: Delivery, status: str, why: str, now: datetime, **more: object) -> None:
    """The last word on a delivery, unless somebody said it already."""
    waiting = Delivery.objects.filter(pk=delivery.pk, due_at__isnull=False)
    if waiting.update(status=status, why=why[:300], due_at=None, **more):
        tallies.add(name=f"{'webhook' if delivery.webhook_id else 'mail'}:{status}", now=now)


def finish_sent(delivery: Delivery, now: datetime, **more: object) -> None:
    """The other side has it: that is true whatever was written of it meanwhile, unless it came back."""
    row = Delivery.objects.filter(pk=delivery.pk).exclude(
        status__in=[Delivery.Status.SENT, Delivery.Status.BOUNCED]
    )
    if row.update(status=Delivery.Status.SENT, why="", due_at=None, sent_at=now, **more):
        tallies.add(name=f"{'webhook' if delivery.webhook_id else 'mail'}:{Delivery.Status.SENT}", now=now)


def switch_off(webhook: Webhook, trouble: str) -> None:
    """No more calls; what waits is dropped."""
    with transaction.atomic():
        Webhook.objects.filter(pk=webhook.pk).update(active=False, trouble=trouble[:200])
        waiting = Delivery.objects.filter(webhook=webhook, due_at__isnull=False)
        for taken, status in ((False, Delivery.Status.UNCERTAIN), (True, Delivery.Status.DROPPED)):
            waiting.filter(handed_over_at__isnull=taken).update(
                status=status, why=_("The webhook is switched off."), due_at=None
            )
