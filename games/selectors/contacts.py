"""Which players have met, and which addresses refused mail."""

from __future__ import annotations

import hashlib
from collections.abc import Callable

from games.email_addresses import comparable_address
from games.models import Player, RefusedAddress, Seat

from .addresses import find_confirmed_account

# Checks of other apps whether two players have met; each app registers its own at startup.
HAVE_MET_CHECKS: list[Callable[[Player, Player], bool]] = []


def have_met(player: Player, other: Player) -> bool:
    """Whether two players have sat in the same game, or take part in the same tournament or league."""
    if player.pk == other.pk:
        return True
    started_seats = Seat.objects.filter(player=player, number__isnull=False)
    if started_seats.filter(game__places__player=other, game__places__number__isnull=False).exists():
        return True
    return any(check(player, other) for check in HAVE_MET_CHECKS)


def digest_of_address(email: str) -> str:
    """The digest stored instead of an address. Not keyed: refusals must survive a new SECRET_KEY."""
    text = f"otto mail address {comparable_address(email)}"
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def is_refused_address(email: str) -> bool:
    """Whether the owner of an address refused mail caused by others."""
    return is_refused_digest(digest_of_address(email))


def is_refused_digest(digest: str) -> bool:
    """`is_refused_address`, given the digest of the address."""
    return RefusedAddress.objects.filter(pk=digest).exists()


def can_receive_account_mail(email: str) -> bool:
    """Whether account mails may go to an address: not if it was refused and has no confirmed account."""
    if not is_refused_address(email):
        return True
    return find_confirmed_account(email) is not None
