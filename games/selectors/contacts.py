"""Who knows whom, and which addresses want no mail."""

from __future__ import annotations

import hashlib
from collections.abc import Callable

from games.email_addresses import comparable_address
from games.models import Player, RefusedAddress, Seat

from .addresses import confirmed_account

# What other apps know of two players who have met; each adds its part when the site starts.
RELATIONS: list[Callable[[Player, Player], bool]] = []


def have_met(player: Player, other: Player) -> bool:
    """Whether two players have sat at one game, or take part in the same event or league."""
    if player.pk == other.pk:
        return True
    begun = Seat.objects.filter(player=player, number__isnull=False)
    if begun.filter(game__places__player=other, game__places__number__isnull=False).exists():
        return True
    return any(related(player, other) for related in RELATIONS)


def digest_of_address(email: str) -> str:
    """What is kept instead of an address. Not keyed: a new SECRET_KEY must not forget who refused."""
    text = f"otto mail address {comparable_address(email)}"
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def is_refused(email: str) -> bool:
    """Whether the owner of an address wants no mail that others cause."""
    return is_refused_digest(digest_of_address(email))


def is_refused_digest(digest: str) -> bool:
    """The same by the digest of the address."""
    return RefusedAddress.objects.filter(pk=digest).exists()


def takes_account_mail(email: str) -> bool:
    """Whether mails about an account may go to an address: not to one that refused and has no account."""
    if not is_refused(email):
        return True
    return confirmed_account(email) is not None
