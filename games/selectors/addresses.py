"""Whose address it is: shown to be theirs by a link or a code in the mailbox, or only claimed."""

from __future__ import annotations

from datetime import datetime

from allauth.account.models import EmailAddress
from django.db.models import Exists, OuterRef, Q, QuerySet

from games.email_addresses import comparable_address
from games.models import Player

PARKED_DOMAIN = "unconfirmed.invalid"  # of accounts that lost the address they claimed (RFC 2606)


def is_confirmed(player: Player) -> bool:
    """Whether an account has shown an address to be its own."""
    return EmailAddress.objects.filter(user=player, verified=True).exists()


def confirmed_account(email: str) -> Player | None:
    """The account whose confirmed address this is, unless it is blocked."""
    shown = EmailAddress.objects.filter(email=comparable_address(email), verified=True, user__is_active=True)
    address = shown.select_related("user").first()
    return address.user if address else None


def unconfirmed_accounts() -> QuerySet[Player]:
    """Accounts that somebody signed up for and never confirmed: nobody has ever been signed in to one."""
    addresses = EmailAddress.objects.filter(user=OuterRef("pk"))
    never_used = Player.objects.filter(guest=False, is_staff=False, last_login=None)
    claiming = never_used.filter(Q(Exists(addresses)) | Q(email__endswith=f"@{PARKED_DOMAIN}"))
    return claiming.exclude(Exists(addresses.filter(verified=True)))


def unconfirmed_claims(email: str) -> QuerySet[Player]:
    """Accounts that were signed up with an address and never confirmed it."""
    claims = EmailAddress.objects.filter(email=comparable_address(email), verified=False)
    return unconfirmed_accounts().filter(pk__in=claims.values("user"))


def unconfirmed_since(limit: datetime) -> QuerySet[Player]:
    """Accounts that were signed up before a time and never confirmed."""
    return unconfirmed_accounts().filter(joined_at__lt=limit)


def accounts_for_password(email: str) -> tuple[Player | None, Player | None]:
    """The two accounts at which a password is tried: whose address it is, and the latest to sign up with it.

    Two for every address, so that neither the answer nor the time that it takes tells whether the address has
    an account, or how many have claimed it.
    """
    return owner_of_address(email), unconfirmed_claims(email).order_by("-pk").first()


def owner_of_address(email: str) -> Player | None:
    """Whose address it is; one that was only claimed is still its owner's to sign up with.

    An account that was made on the machine itself has its address without having shown it.
    """
    address = comparable_address(email)
    shown = EmailAddress.objects.filter(email=address, verified=True).select_related("user").first()
    if shown:
        return shown.user
    player = Player.objects.filter(email=address, guest=False).first()
    if player is None or unconfirmed_claims(address).filter(pk=player.pk).exists():
        return None
    return player


def is_claim_on_others_address(address: EmailAddress) -> bool:
    """Whether an account that nobody confirmed was signed up with an address of somebody who has one."""
    owner = owner_of_address(address.email)
    return owner is not None and owner.pk != address.user_id and not is_confirmed(address.user)
