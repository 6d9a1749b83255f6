"""Confirmation of email addresses: claiming, confirming, and removing accounts that never confirm."""

from __future__ import annotations

import logging
import secrets
from dataclasses import dataclass
from datetime import datetime

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _
from oauth2_provider.models import AccessToken, Application, DeviceGrant, Grant, IDToken, RefreshToken

from accounts.account_extensions import load_account_extensions
from accounts.email_addresses import comparable_address
from accounts.models import Player, Token
from accounts.models.players import generate_url_token
from accounts.selectors.addresses import (
    PARKED_DOMAIN,
    find_owner_of_address,
    list_unconfirmed_accounts,
    list_unconfirmed_accounts_before,
    list_unconfirmed_claims,
)
from accounts.time_zones import time_zone_or_default
from common.budget import Budget
from common.service_errors import Conflict, Invalid, NotFound

from . import names, players, tokens

logger = logging.getLogger(__name__)
MAX_CONFIRM_ATTEMPTS = 3  # retries when others sign up with the address concurrently
OAUTH_TOKEN_MODELS = (Grant, DeviceGrant, RefreshToken, AccessToken, IDToken)  # in deletion order


# ---------------------------------------------------------------------------- access that a confirmation ends


def reset_access_after_confirmation(*, player: Player, now: datetime) -> None:
    """Remove everything chosen before the confirmation that gives access or sends data elsewhere.

    The account may have been signed up by a stranger. Resetting the password ends every session; the feed
    token and the mail token are replaced.
    """
    player.set_unusable_password()
    player.feed_token, player.mail_token, player.allow_any_sender = (
        generate_url_token(),
        generate_url_token(),
        False,
    )
    player.save(update_fields=["password", "feed_token", "mail_token", "allow_any_sender"])
    revoke_app_access(player)
    Application.objects.filter(user=player).delete()
    Authenticator.objects.filter(user=player).delete()
    Token.objects.filter(player=player).delete()
    for extension in load_account_extensions():
        extension.revoke_access(player)


def revoke_app_access(player: Player) -> None:
    """Delete all OAuth tokens and grants of a player; apps must be authorized again."""
    for model in OAUTH_TOKEN_MODELS:
        model.objects.filter(user=player).delete()


@transaction.atomic
def revoke_access_after_password_reset(*, player: Player, now: datetime) -> None:
    """Revoke personal tokens and app access after a password reset. The new password ends the sessions."""
    tokens.revoke_all_tokens(player=player, now=now)
    revoke_app_access(player)


# ----------------------------------------------------------------------------------------------- confirmation


@dataclass(frozen=True)
class ConfirmationChoices:
    """Password, name and time zone chosen with the confirmation; an empty value leaves the account's own."""

    password: str = ""
    name: str = ""
    time_zone: str = ""

    def apply_to(self, player: Player) -> None:
        """Write the chosen values. Raises IntegrityError if another player has the name."""
        if self.password:
            player.set_password(self.password)
            player.save(update_fields=["password"])
        if self.time_zone:
            player.time_zone = time_zone_or_default(self.time_zone)
            player.save(update_fields=["time_zone"])
        if self.name:
            player.name = self.name
            player.save(update_fields=["name"])


def confirm_address(
    *,
    address: EmailAddress,
    keep_access: bool,
    now: datetime,
    password: str = "",
    name: str = "",
    time_zone: str = "",
) -> Player:
    """Confirm an address as the only one of its account, and return the account.

    With `keep_access` the request comes from where the account signed up or is signed in. Without it
    everything chosen before is reset, and the given password, name and time zone are applied. Other
    accounts that claimed the address are removed. Raises NotFound, Invalid if the name is taken, or
    Conflict with the code "used" if the address is confirmed already, "taken" if it belongs to another
    account.
    """
    choices = ConfirmationChoices(password=password, name=name, time_zone=time_zone)
    for _attempt in range(MAX_CONFIRM_ATTEMPTS):
        try:
            with transaction.atomic():
                player, other_claimants = write_confirmation(address, keep_access, choices, now)
        except IntegrityError:  # somebody signed up with the address concurrently
            continue
        for claimant in other_claimants:
            try_remove_unconfirmed_account(claimant, now)
        return player
    if name and names.find_lookalike_name(name):
        raise Invalid(_("This name is taken. Choose another one."), code="name")
    # The address belongs to an account that needed no confirmation, e.g. one made by a command.
    raise Conflict(_("Another account already uses this address."), code="taken")


def write_confirmation(
    address: EmailAddress, keep_access: bool, choices: ConfirmationChoices, now: datetime
) -> tuple[Player, list[Player]]:
    """Write the confirmation; return the account and the other accounts that claimed its address.

    Raises NotFound, Conflict, or IntegrityError if somebody signs up with the address at the same time.
    """
    claimant_ids = set(list_unconfirmed_claims(address.email).values_list("pk", flat=True))
    account_ids = claimant_ids | {address.user_id}
    # Lock all rows in one order: two confirmations of one address would deadlock otherwise.
    accounts_by_id = {
        account.pk: account
        for account in Player.objects.select_for_update().filter(pk__in=account_ids).order_by("pk")
    }
    locked_address = EmailAddress.objects.select_for_update().filter(pk=address.pk).first()
    if locked_address is None or locked_address.user_id not in accounts_by_id:
        raise NotFound(_("This link has expired or is incomplete."))
    if locked_address.verified:
        raise Conflict(_("This address is already confirmed."), code="used")
    if EmailAddress.objects.filter(email=locked_address.email, verified=True).exists():
        raise Conflict(_("Another account already uses this address."), code="taken")
    if not keep_access and EmailAddress.objects.filter(user=locked_address.user_id, verified=True).exists():
        # An account with a confirmed address changes it only while signed in.
        raise Conflict(_("Another account already uses this address."), code="taken")
    player = accounts_by_id.pop(locked_address.user_id)
    other_claimants = list(accounts_by_id.values())
    for claimant in other_claimants:
        park_email(claimant)
    EmailAddress.objects.filter(user=player).exclude(pk=locked_address.pk).delete()
    locked_address.verified = locked_address.primary = True
    locked_address.save(update_fields=["verified", "primary"])
    player.email = locked_address.email
    player.save(update_fields=["email"])
    if not keep_access:
        reset_access_after_confirmation(player=player, now=now)
        choices.apply_to(player)
    return player, other_claimants


# --------------------------------------------------------------------------------- unconfirmed claims


def park_email(player: Player) -> None:
    """Give an unconfirmed account a placeholder address, freeing its own. Its link stays valid."""
    player.email = generate_parked_address()
    player.save(update_fields=["email"])


def generate_parked_address() -> str:
    """Generate a placeholder address that never receives mail."""
    return f"{secrets.token_hex(16)}@{PARKED_DOMAIN}"


def claim_address(*, player: Player, email: str, now: datetime) -> None:
    """Save a new account that signs up with an address. Raises IntegrityError if it is claimed meanwhile.

    If the address belongs to another account, the new account gets a placeholder and stays unconfirmed: the
    person who signs up sees no difference.
    """
    if find_owner_of_address(email):
        player.email = generate_parked_address()
    else:
        release_address_claims(email=email, now=now)
        player.email = comparable_address(email)
    player.save()


def release_address_claims(*, email: str, now: datetime) -> None:
    """Give placeholder addresses to the unconfirmed accounts that claimed an address, for a new sign-up.

    Each account keeps its own link and the first link used wins, so nobody can lock out the owner.
    """
    claimants = list_unconfirmed_claims(email).filter(email=comparable_address(email))
    # Lock, then read again: one of them may have been confirmed meanwhile.
    list(Player.objects.select_for_update().filter(pk__in=list(claimants.values_list("pk", flat=True))))
    for player in claimants.all():
        park_email(player)


def remove_unconfirmed_account(*, player: Player, now: datetime) -> bool:
    """Remove an unconfirmed account; return whether it was one. Idempotent."""
    with transaction.atomic():
        locked_player = Player.objects.select_for_update().filter(pk=player.pk).first()
        if locked_player is None or not list_unconfirmed_accounts().filter(pk=player.pk).exists():
            return False
        park_email(locked_player)  # keeps invitations sent to the address
        EmailAddress.objects.filter(user=locked_player).delete()  # no link can confirm it during the removal
    players.remove_player(player=locked_player, now=now)
    return True


def withdraw_address_claim(*, address: EmailAddress, now: datetime) -> None:
    """Withdraw a claim that the owner of the address rejects; remove an account without another address.

    Raises Conflict if the address was confirmed meanwhile.
    """
    if remove_unconfirmed_account(player=address.user, now=now):
        return
    EmailAddress.objects.filter(pk=address.pk, verified=False).delete()
    if EmailAddress.objects.filter(pk=address.pk).exists():
        raise Conflict(_("This address is already confirmed."), code="used")


def remove_stale_unconfirmed_accounts(
    *, cutoff: datetime, now: datetime, budget: Budget | None = None
) -> int:
    """Remove accounts that were not confirmed before the cutoff. Returns how many.

    They are removed as accounts are deleted: a seat given to one resigns and becomes a former player's.
    """
    removed_count, budget = 0, budget or Budget.unlimited()
    for pk in list(list_unconfirmed_accounts_before(cutoff).order_by("pk").values_list("pk", flat=True)):
        if not budget.allows_more():
            break
        player = list_unconfirmed_accounts_before(cutoff).filter(pk=pk).first()
        if player is None:  # confirmed meanwhile, or removed by another worker
            continue
        removed_count += try_remove_unconfirmed_account(player, now)
    return removed_count


def try_remove_unconfirmed_account(player: Player, now: datetime) -> bool:
    """Remove an unconfirmed account and log a failure, so that a broken game does not stop the others."""
    try:
        return remove_unconfirmed_account(player=player, now=now)
    except Exception:
        logger.exception("unconfirmed account %s could not be removed; a later sweep retries", player.pk)
        return False
