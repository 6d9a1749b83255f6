"""Players who have met, and addresses that refused mail."""

from __future__ import annotations

import hashlib

from accounts.account_extensions import load_account_extensions
from accounts.email_addresses import comparable_address
from accounts.models import Player, RefusedAddress

from .addresses import find_confirmed_account


def have_met(player: Player, other: Player) -> bool:
    """True if two players have sat in the same game, or take part in the same tournament or league."""
    return player.pk == other.pk or any(
        extension.have_met(player, other) for extension in load_account_extensions()
    )


def digest_of_address(email: str) -> str:
    """The digest stored instead of an address. Not keyed: refusals must survive a new SECRET_KEY."""
    text = f"otto mail address {comparable_address(email)}"
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def is_refused_address(email: str) -> bool:
    """True if the owner of an address refused mail caused by others."""
    return is_refused_digest(digest_of_address(email))


def is_refused_digest(digest: str) -> bool:
    """`is_refused_address`, given the digest of the address."""
    return RefusedAddress.objects.filter(pk=digest).exists()


def can_receive_account_mail(email: str) -> bool:
    """True if account mails may go to an address: not if it was refused and has no confirmed account."""
    if not is_refused_address(email):
        return True
    return find_confirmed_account(email) is not None
