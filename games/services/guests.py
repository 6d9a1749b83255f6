"""Guests: people who try the game without an account, and may keep their games by signing up."""

from __future__ import annotations

import logging
import secrets
from datetime import datetime, timedelta
from functools import partial

from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import override

from games.models import FeedEntry, Game, Note, Player, Seat
from games.reserved_names import GUEST_NAME

from . import clocks, lobby, players
from .budget import Budget
from .errors import Conflict

logger = logging.getLogger(__name__)
DEFAULT_BOT_POLICY = "greedy"
GUEST_TIME_CONTROL = "7d"  # only a bot waits
PLAYING_STATUSES = (Game.Status.RUNNING, Game.Status.TIEBREAK)
GUEST_RETENTION = timedelta(days=30)  # a guest not seen for longer is removed
REMOVAL_RETRY_DELAY = timedelta(days=1)  # after a failed removal
GUEST_EMAIL_DOMAIN = "guest.invalid"  # reserved, never receives mail (RFC 2606)
MAX_NAME_ATTEMPTS = 20  # to find a free name


@transaction.atomic
def start_bot_game(
    *,
    player: Player | None,
    language: str,
    now: datetime,
    policy: str = DEFAULT_BOT_POLICY,
    offer: str = "",
    client_seed: str = "",
    cards: bool = False,
) -> tuple[Player, Game]:
    """Start a private, unrated game against a bot; without a player, create a guest for it.

    Raises Invalid, or Conflict if the player has too many running games or the offer cannot be used.
    """
    lobby.check_seed_order(client_seed=client_seed, offer=offer)
    offered_to = player.pk if player else None
    if player and player.guest:
        # The lock serializes the game count. The row is missing if the guest has just been merged into
        # an account in another browser: this browser then gets a new guest.
        player = Player.objects.select_for_update(no_key=True).filter(pk=player.pk).first()
    if player is None:
        player = create_guest(language=language, now=now)
    game = lobby.create_game(
        player=player,
        now=now,
        offer=offer,
        offered_to=offered_to,
        seats=2,
        cards=cards,
        clock_name=GUEST_TIME_CONTROL,
        private=True,
        chat=False,
    )
    lobby.join_game(player=player, code=game.code, now=now, client_seed=client_seed)
    return player, lobby.add_bot(player=player, code=game.code, policy=policy, now=now)


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
                    mails=Player.MailFrequency.NONE,
                    guest=True,
                    joined_at=now,
                    seen_at=now,
                )
        except IntegrityError:
            continue  # the name is taken
    raise Conflict(_("No name is free at this moment. Try again."))


# ------------------------------------------------------------------------------------ merging into an account


def claim_guest(*, guest: Player, player: Player, now: datetime) -> None:
    """Record which account claims a guest's games; they move when its address is confirmed."""
    Player.objects.filter(pk=guest.pk, guest=True).update(keeper=player)


@transaction.atomic
def merge_claimed_guests(*, player: Player, now: datetime) -> int:
    """Merge all guests claimed by an account into it and delete them. Returns how many.

    Only for an account with a confirmed address. Running games continue; no time is given or taken where
    the calendars of guest and account differ.
    """
    claimed_guests = list(Player.objects.filter(keeper=player, guest=True))
    if not claimed_guests:
        return 0
    # Games before players, the lock order of a move; otherwise the two could deadlock.
    guest_games = Game.objects.filter(Q(places__player__in=claimed_guests) | Q(creator__in=claimed_guests))
    list(Game.objects.select_for_update().filter(pk__in=guest_games.values("pk")).order_by("pk"))
    # Read again under the lock: another browser may have been faster.
    guest_ids = [guest.pk for guest in claimed_guests]
    locked_guests = list(
        Player.objects.select_for_update().filter(pk__in=guest_ids, keeper=player).order_by("pk")
    )
    for guest in locked_guests:
        clocks.change_player_of_games(
            player=guest, now=now, change=partial(merge_guest_into_account, guest, player)
        )
        guest.delete()
    return len(locked_guests)


def merge_guest_into_account(guest: Player, player: Player) -> None:
    """Give an account everything that a guest has; the caller holds the guest's games."""
    Seat.objects.filter(player=guest).update(player=player)
    Game.objects.filter(creator=guest).update(creator=player)
    for note in Note.objects.filter(player=guest):
        account_note, is_new = Note.objects.get_or_create(
            game_id=note.game_id, player=player, defaults={"text": note.text, "at": note.at}
        )
        if not is_new:  # both have notes on a game that they watched
            account_note.text = f"{account_note.text}\n\n{note.text}".strip()
            account_note.save(update_fields=["text"])
    # Copied, not moved: a program that reads the account's feed by cursor would miss older entries.
    entries = FeedEntry.objects.filter(player=guest, game__isnull=False).order_by("pk")
    FeedEntry.objects.bulk_create(
        [
            FeedEntry(
                player=player,
                game_id=entry.game_id,
                kind=entry.kind,
                reason=entry.reason,
                data=entry.data,
                at=entry.at,
                due_at=entry.due_at,
                stage=entry.stage,
            )
            for entry in entries.filter(Q(game__status__in=PLAYING_STATUSES) | Q(due_at__isnull=False)).defer(
                "answer"
            )
        ]
    )


# ------------------------------------------------------------------------------------------------- removing


def find_stale_guests(now: datetime) -> QuerySet[Player]:
    """Return guests not seen for GUEST_RETENTION, except those claimed by an account younger than that."""
    stale_guests = Player.objects.filter(guest=True, seen_at__lt=now - GUEST_RETENTION)
    return stale_guests.exclude(keeper__joined_at__gt=now - GUEST_RETENTION)


def remove_stale_guests(*, now: datetime, limit: int = 50, budget: Budget | None = None) -> int:
    """Remove stale guests as accounts are deleted: their games stay. Returns how many."""
    removed_count, budget = 0, budget or Budget()
    for pk in find_stale_guests(now).order_by("seen_at", "pk").values_list("pk", flat=True)[:limit]:
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
            Player.objects.filter(pk=pk).update(seen_at=now - GUEST_RETENTION + REMOVAL_RETRY_DELAY)
    return removed_count
