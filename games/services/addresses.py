"""Proving an address: what it gives, what it ends, and what becomes of claims that nobody proves."""

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

from games.email_addresses import comparable_address
from games.models import Player, Token, Webhook
from games.models.players import new_key
from games.selectors.addresses import (
    PARKED_DOMAIN,
    owner_of_address,
    unconfirmed_accounts,
    unconfirmed_claims,
    unconfirmed_since,
)
from games.time_zones import time_zone_or_default

from . import names, players, tokens
from .budget import Budget
from .errors import Conflict, Invalid, NotFound

log = logging.getLogger(__name__)
CONFIRM_TRIES = 3  # while others sign up with the address at the same moment
OAUTH = (Grant, DeviceGrant, RefreshToken, AccessToken, IDToken)  # in an order in which they can be deleted


# ------------------------------------------------------------------------------------- what ends with a proof


def reset_access_after_proof(*, player: Player, now: datetime) -> None:
    """Take away all that was chosen before the proof and gives access or sends data somewhere.

    Whoever signed up may have been a stranger. A new password, also none, ends every session; the keys in the
    addresses of feeds and in links of mails are made anew.
    """
    player.set_unusable_password()
    player.key, player.mail_key, player.any_sender = new_key(), new_key(), False
    player.save(update_fields=["password", "key", "mail_key", "any_sender"])
    end_app_access(player)
    Application.objects.filter(user=player).delete()
    Authenticator.objects.filter(user=player).delete()
    Token.objects.filter(player=player).delete()
    Webhook.objects.filter(player=player).delete()


def end_app_access(player: Player) -> None:
    """No app can act for a player any more, until it is allowed to again."""
    for model in OAUTH:
        model.objects.filter(user=player).delete()


@transaction.atomic
def end_access_after_reset(*, player: Player, now: datetime) -> None:
    """A forgotten password was set anew: no program acts by what it was given before.

    That the password is another one ends the sessions.
    """
    tokens.revoke_all(player=player, now=now)
    end_app_access(player)


# ------------------------------------------------------------------------------------------------ the proof


@dataclass(frozen=True)
class Choice:
    """What whoever proves an address elsewhere chooses for the account; empty: it stays."""

    password: str = ""
    name: str = ""
    time_zone: str = ""

    def apply(self, player: Player) -> None:
        """Raises IntegrityError if somebody else has the name."""
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
    """An address is shown to be an account's own: its only one from now on. Gives the account.

    Unless the proof comes from where the account was signed up or is signed in (`keep_access`), nothing that
    was chosen before is left, and a password, name and time zone that are given count instead. Who else
    signed up with the address is removed. Raises NotFound, Invalid if the name is taken, or Conflict with the
    code "used" if that has happened already, "taken" if the address is another account's.
    """
    choice = Choice(password=password, name=name, time_zone=time_zone)
    for _attempt in range(CONFIRM_TRIES):
        try:
            with transaction.atomic():
                player, rivals = mark_confirmed(address, keep_access, choice, now)
        except IntegrityError:  # somebody signed up with the address in this very moment
            continue
        for rival in rivals:
            try_to_remove(rival, now)
        return player
    if name and names.find_twin(name):
        raise Invalid(_("This name is taken."), code="name")
    # An account has the address that never had to show it, as one made on the machine itself.
    raise Conflict(_("This address belongs to another account already."), code="taken")


def mark_confirmed(
    address: EmailAddress, keep_access: bool, choice: Choice, now: datetime
) -> tuple[Player, list[Player]]:
    """The rows that change; gives the account, and those that had claimed its address."""
    claims = set(unconfirmed_claims(address.email).values_list("pk", flat=True))
    ids = claims | {address.user_id}
    # All at once and in one order: two who confirm one address for two accounts would wait for each other.
    accounts = {one.pk: one for one in Player.objects.select_for_update().filter(pk__in=ids).order_by("pk")}
    current = EmailAddress.objects.select_for_update().filter(pk=address.pk).first()
    if current is None or current.user_id not in accounts:
        raise NotFound(_("This link is too old or not whole."))
    if current.verified:
        raise Conflict(_("This address is confirmed already."), code="used")
    if EmailAddress.objects.filter(email=current.email, verified=True).exists():
        raise Conflict(_("This address belongs to another account already."), code="taken")
    if not keep_access and EmailAddress.objects.filter(user=current.user_id, verified=True).exists():
        # An account with an address of its own gets another one only where it is signed in.
        raise Conflict(_("This address belongs to another account already."), code="taken")
    player = accounts.pop(current.user_id)
    rivals = list(accounts.values())
    for rival in rivals:
        park_email(rival)
    EmailAddress.objects.filter(user=player).exclude(pk=current.pk).delete()
    current.verified = current.primary = True
    current.save(update_fields=["verified", "primary"])
    player.email = current.email
    player.save(update_fields=["email"])
    if not keep_access:
        reset_access_after_proof(player=player, now=now)
        choice.apply(player)
    return player, rivals


# --------------------------------------------------------------------------------- claims that nobody proved


def park_email(player: Player) -> None:
    """The address of an account that never confirmed it is free for others; its own link still knows it."""
    player.email = new_parked_address()
    player.save(update_fields=["email"])


def new_parked_address() -> str:
    """An address to which no mail ever goes, of an account that has none of its own."""
    return f"{secrets.token_hex(16)}@{PARKED_DOMAIN}"


def claim_address(*, player: Player, email: str, now: datetime) -> None:
    """Store a new account that was signed up with an address. Raises IntegrityError: others were faster.

    One that belongs to an account stays that account's: the new one is kept like any other that is not
    confirmed, so that whoever signed up sees no difference, but nothing leads from it to the address.
    """
    if owner_of_address(email):
        player.email = new_parked_address()
    else:
        free_address(email=email, now=now)
        player.email = comparable_address(email)
    player.save()


def free_address(*, email: str, now: datetime) -> None:
    """Somebody signs up with an address that others have only claimed: each has a link of its own.

    The first link that is used decides, so nobody can shut out the owner by being first, or last.
    """
    holding = unconfirmed_claims(email).filter(email=comparable_address(email))
    # Locked first and read again: one of them may just have been confirmed.
    list(Player.objects.select_for_update().filter(pk__in=list(holding.values_list("pk", flat=True))))
    for player in holding.all():
        park_email(player)


def remove_unconfirmed(*, player: Player, now: datetime) -> bool:
    """Remove an account that nobody has confirmed; says whether it was one. Safe to repeat."""
    with transaction.atomic():
        locked = Player.objects.select_for_update().filter(pk=player.pk).first()
        if locked is None or not unconfirmed_accounts().filter(pk=player.pk).exists():
            return False
        park_email(locked)  # else invitations that others sent to the address would go with the account
        EmailAddress.objects.filter(user=locked).delete()  # no link confirms it while it goes
    players.remove(player=locked, now=now)
    return True


def withdraw_claim(*, address: EmailAddress, now: datetime) -> None:
    """Whoever has the mailbox says that it was not them: the address is given up.

    An account that has no other goes with it. Raises Conflict if the address was confirmed meanwhile.
    """
    if remove_unconfirmed(player=address.user, now=now):
        return
    EmailAddress.objects.filter(pk=address.pk, verified=False).delete()
    if EmailAddress.objects.filter(pk=address.pk).exists():
        raise Conflict(_("This address is confirmed already."), code="used")


def remove_stale_claims(*, limit: datetime, now: datetime, budget: Budget | None = None) -> int:
    """Remove accounts that nobody confirmed in time, as accounts are deleted. Returns how many.

    Others may have given one a seat: it cannot move, so it resigns, and the seat is a former player's.
    """
    done, budget = 0, budget or Budget.unlimited()
    for pk in list(unconfirmed_since(limit).order_by("pk").values_list("pk", flat=True)):
        if not budget.allows_more():
            break
        player = unconfirmed_since(limit).filter(pk=pk).first()
        if player is None:  # confirmed in this very moment, or another worker was faster
            continue
        done += try_to_remove(player, now)
    return done


def try_to_remove(player: Player, now: datetime) -> bool:
    """Remove an account that nobody has confirmed, if it can be: a broken game must not hold up others."""
    try:
        return remove_unconfirmed(player=player, now=now)
    except Exception:
        log.exception("unconfirmed account %s could not be removed; a later sweep tries again", player.pk)
        return False
