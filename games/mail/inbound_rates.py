"""How many mails come in a minute: counted by host, by sender and by address of ours.

Only mails to addresses that were made here count: what strangers invent costs nothing, and uses up nobody's
share. A mail server of one's own brings the mails of all the world: one that is named in INBOUND_RELAYS is
not counted as a host, so that one flood does not keep everybody's replies out.

Who an envelope says has sent a mail is not proven: a sender counts at one host only, and not at all at a
relay, or whoever names another player there would keep that player's replies out. What comes by a relay
counts by address of ours, which is one player's turn.
"""

from __future__ import annotations

import ipaddress
from collections import Counter

from django.conf import settings

from games.api.rates import network_of
from games.email_addresses import comparable_address

WINDOW_SECONDS = 60
MAX_SENDER_LENGTH = 320  # more is not looked at


class InboundRates:
    """The counts of this minute; one process takes in all mail."""

    def __init__(self) -> None:
        self.minute = 0
        self.counts: Counter[str] = Counter()

    def is_exceeded(self, *, seconds: float, host: str, sender: str, recipient: str, is_first: bool) -> bool:
        """Count an address that a mail is for, and the mail itself with its `first` one.

        What comes back to us has no sender: it counts for its host and its address alone.
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
                author = comparable_address(sender[:MAX_SENDER_LENGTH])
                limits[f"from {author} by {network}"] = settings.INBOUND_RATE_ADDRESS
        self.counts.update(limits.keys())
        return any(self.counts[key] > limit for key, limit in limits.items())


def is_relay(host: str) -> bool:
    """Whether a host is a mail server of our own, which brings the mails of others."""
    try:
        address = ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        return False
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped:
        address = address.ipv4_mapped
    return any(address in network for network in settings.INBOUND_RELAYS)
