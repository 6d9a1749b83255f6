"""Rate limits for inbound mail per minute: by host, by sender and by our address.

Only mail to addresses that we issued is counted, so invented addresses use up nobody's limit. Relays listed
in INBOUND_RELAYS deliver mail of many senders and have no host limit.

The envelope sender is not authenticated. It is counted per host and not at all at a relay; otherwise anybody
could use up another player's limit by naming them as sender. Mail through a relay is limited per address of
ours, which belongs to one player's turn.
"""

from __future__ import annotations

import ipaddress
from collections import Counter

from django.conf import settings

from accounts.email_addresses import comparable_address
from common.rate_limits import network_of

WINDOW_SECONDS = 60
MAX_SENDER_LENGTH = 320  # longer senders are cut


class InboundRateLimiter:
    """Counts of the current minute, in memory: one process receives all mail."""

    def __init__(self) -> None:
        self.minute = 0
        self.counts: Counter[str] = Counter()

    def count_and_check(
        self, *, seconds: float, host: str, sender: str, recipient: str, is_first: bool
    ) -> bool:
        """Count a recipient, and with `is_first` the mail itself; whether a limit is exceeded.

        Bounces have no sender: they count for their host and our address only.
        """
        minute = int(seconds) // WINDOW_SECONDS
        if minute != self.minute:
            self.minute = minute
            self.counts.clear()
        limits = {f"to {recipient.strip().lower()}": settings.INBOUND_RATE_ADDRESS}
        if is_first and not is_relay(host):
            network = network_of(host)
            limits[f"by {network}"] = settings.INBOUND_RATE
            if sender:
                sender_address = comparable_address(sender[:MAX_SENDER_LENGTH])
                limits[f"from {sender_address} by {network}"] = settings.INBOUND_RATE_ADDRESS
        self.counts.update(limits.keys())
        return any(self.counts[key] > limit for key, limit in limits.items())


def is_relay(host: str) -> bool:
    """True if a host is one of our own relays (INBOUND_RELAYS)."""
    try:
        address = ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        return False
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped:
        address = address.ipv4_mapped
    return any(address in network for network in settings.INBOUND_RELAYS)
