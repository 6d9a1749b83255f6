"""Guests: people who try the game without an account, and may keep their games by signing up."""

from __future__ import annotations

import logging
import secrets
from datetime import datetime, timedelta

from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import override

from accounts.account_extensions import load_account_extensions
from accounts.models import Player
from accounts.reserved_names import GUEST_NAME
from common.budget import Budget
from common.service_errors import Conflict

from . import players

logger = logging.getLogger(__name__)
GUEST_RETENTION = timedelta(days=30)  # a guest not seen for longer is removed
REMOVAL_RETRY_DELAY = timedelta(days=1)  # after a failed removal
GUEST_EMAIL_DOMAIN = "guest.invalid"  # reserved, never receives mail (RFC 2606)
MAX_NAME_ATTEMPTS = 20  # to find a free name


def create_guest(*, language: str, now: datetime) -> Player:
    """Create a guest with a unique name, no deliverable address and no password. Raises Conflict."""
    for _attempt in range(MAX_NAME_ATTEMPTS):
        with override(language):
            name = _(GUEST_NAME) % {"number": secrets.randbelow(900_000) + 100_000}
        try:
            with transaction.atomic():
                return Player.objects.create_user(
                    email=f"{secrets.token_hex(16)}@{GUEST_EMAIL_DOMAIN}",
                    name=name,
                    language=language,
                    mail_frequency=Player.MailFrequency.NONE,
                    is_guest=True,
                    joined_at=now,
                    last_seen_at=now,
                )
        except IntegrityError:
            continue  # the name is taken
    raise Conflict(_("We found no free name. Try again."))


# ------------------------------------------------------------------------------------ merging into an account


def claim_guest(*, guest: Player, player: Player, now: datetime) -> None:
    """Record which account claims a guest's games; they move when its address is confirmed."""
    Player.objects.filter(pk=guest.pk, is_guest=True).update(claimed_by=player)


@transaction.atomic
def merge_claimed_guests(*, player: Player, now: datetime) -> int:
    """Merge all guests claimed by an account into it and delete them. Returns how many.

    Only for an account with a confirmed address.
    """
    claimed_guests = list(Player.objects.filter(claimed_by=player, is_guest=True))
    if not claimed_guests:
        return 0
    extensions = load_account_extensions()
    for extension in extensions:
        extension.lock_rows_before_players(claimed_guests)
    # Read again under the lock: another browser may have been faster.
    guest_ids = [guest.pk for guest in claimed_guests]
    locked_guests = list(
        Player.objects.select_for_update().filter(pk__in=guest_ids, claimed_by=player).order_by("pk")
    )
    for guest in locked_guests:
        for extension in extensions:
            extension.merge_guest(guest=guest, player=player, now=now)
        guest.delete()
    return len(locked_guests)


# ------------------------------------------------------------------------------------------------- removing


def find_stale_guests(now: datetime) -> QuerySet[Player]:
    """Return guests not seen for GUEST_RETENTION, except those claimed by an account younger than that."""
    stale_guests = Player.objects.filter(is_guest=True, last_seen_at__lt=now - GUEST_RETENTION)
    return stale_guests.exclude(claimed_by__joined_at__gt=now - GUEST_RETENTION)


def remove_stale_guests(*, now: datetime, limit: int = 50, budget: Budget | None = None) -> int:
    """Remove stale guests as accounts are deleted: their games stay. Returns how many."""
    removed_count, budget = 0, budget or Budget()
    for pk in find_stale_guests(now).order_by("last_seen_at", "pk").values_list("pk", flat=True)[:limit]:
        if not budget.allows_more():
            break
        guest = find_stale_guests(now).filter(pk=pk).first()
        if guest is None:  # they came back, or another worker was faster
            continue
        try:
            players.remove_player(player=guest, now=now)
            removed_count += 1
        except Exception:
            # One broken game must not stop the other removals.
            logger.exception("guest %s could not be removed", pk)
            Player.objects.filter(pk=pk).update(last_seen_at=now - GUEST_RETENTION + REMOVAL_RETRY_DELAY)
    return removed_count
