"""Owners of email addresses: confirmed by a link or code in the mailbox, or only claimed at sign-up."""

from __future__ import annotations

from datetime import datetime

from allauth.account.models import EmailAddress
from django.db.models import Exists, OuterRef, Q, QuerySet

from accounts.email_addresses import comparable_address
from accounts.models import Player

PARKED_DOMAIN = "unconfirmed.invalid"  # for accounts that lost the address they claimed (RFC 2606)


def has_confirmed_address(player: Player) -> bool:
    """True if an account has confirmed an address."""
    return EmailAddress.objects.filter(user=player, verified=True).exists()


def find_confirmed_account(email: str) -> Player | None:
    """The active account that has confirmed this address, or None."""
    verified_addresses = EmailAddress.objects.filter(
        email=comparable_address(email), verified=True, user__is_active=True
    )
    address = verified_addresses.select_related("user").first()
    return address.user if address else None


def list_unconfirmed_accounts() -> QuerySet[Player]:
    """Accounts that were signed up and never confirmed; nobody has ever signed in to one."""
    addresses = EmailAddress.objects.filter(user=OuterRef("pk"))
    never_used = Player.objects.filter(is_guest=False, is_staff=False, last_login=None)
    claiming_accounts = never_used.filter(Q(Exists(addresses)) | Q(email__endswith=f"@{PARKED_DOMAIN}"))
    return claiming_accounts.exclude(Exists(addresses.filter(verified=True)))


def list_unconfirmed_claims(email: str) -> QuerySet[Player]:
    """Accounts that were signed up with this address and never confirmed it."""
    claims = EmailAddress.objects.filter(email=comparable_address(email), verified=False)
    return list_unconfirmed_accounts().filter(pk__in=claims.values("user"))


def list_unconfirmed_accounts_before(cutoff: datetime) -> QuerySet[Player]:
    """Unconfirmed accounts that were signed up before a time."""
    return list_unconfirmed_accounts().filter(joined_at__lt=cutoff)


def find_accounts_for_password(email: str) -> tuple[Player | None, Player | None]:
    """The two accounts a password is checked against: the owner, and the latest unconfirmed claim.

    Always two checks, so that neither the answer nor its duration tells whether the address has an account or
    how many have claimed it.
    """
    return find_owner_of_address(email), list_unconfirmed_claims(email).order_by("-pk").first()


def find_owner_of_address(email: str) -> Player | None:
    """The account that owns an address; an unconfirmed claim does not count.

    An account created from the command line owns its address without confirming it.
    """
    address = comparable_address(email)
    verified_address = (
        EmailAddress.objects.filter(email=address, verified=True).select_related("user").first()
    )
    if verified_address:
        return verified_address.user
    player = Player.objects.filter(email=address, is_guest=False).first()
    if player is None or list_unconfirmed_claims(address).filter(pk=player.pk).exists():
        return None
    return player


def is_claim_on_others_address(address: EmailAddress) -> bool:
    """True if an unconfirmed account was signed up with an address that another account owns."""
    owner = find_owner_of_address(address.email)
    return owner is not None and owner.pk != address.user_id and not has_confirmed_address(address.user)
