"""Whose address it is: shown to be theirs by a link or a code in the mailbox, or only claimed."""

from __future__ import annotations

from datetime import datetime

from allauth.account.models import EmailAddress
from django.db.models import Exists, OuterRef, Q, QuerySet

from games.models import Player

PARKED_DOMAIN = "unconfirmed.invalid"  # of accounts that lost the address they claimed (RFC 2606)


def is_confirmed(player: Player) -> bool:
    """Whether an account has shown an address to be its own."""
    return EmailAddress.objects.filter(user=player, verified=True).exists()


def confirmed_account(email: str) -> Player | None:
    """The account whose confirmed address this is, unless it is blocked."""
    shown = EmailAddress.objects.filter(email=email.lower(), verified=True, user__is_active=True)
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
    claims = EmailAddress.objects.filter(email=email.lower(), verified=False)
    return unconfirmed_accounts().filter(pk__in=claims.values("user"))


def unconfirmed_since(limit: datetime) -> QuerySet[Player]:
    """Accounts that were signed up before a time and never confirmed."""
    return unconfirmed_accounts().filter(joined_at__lt=limit)


def account_for_password(email: str) -> Player | None:
    """The one account at which a password is tried: whose address it is, else the latest to sign up with it.

    One for every address, so that the time an answer takes does not tell how many have claimed it.
    """
    shown = EmailAddress.objects.filter(email=email.lower(), verified=True).select_related("user").first()
    if shown:
        return shown.user
    return Player.objects.filter(email=email.lower(), guest=False).first()


def has_account(email: str) -> bool:
    """Whether an address is taken; one that was only claimed is still its owner's to sign up with."""
    player = account_for_password(email)
    return player is not None and not unconfirmed_claims(email).filter(pk=player.pk).exists()
