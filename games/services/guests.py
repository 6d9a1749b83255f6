"""Guests: who tries the game without an account, and may keep what they began by signing up."""

from __future__ import annotations

import logging
import secrets
from datetime import datetime, timedelta
from functools import partial

from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import override

from games.models import Event, Game, Note, Player, Seat
from games.reserved_names import GUEST_NAME

from . import clocks, lobby, players
from .budget import Budget
from .errors import Conflict

log = logging.getLogger(__name__)
BOT = "greedy"
CLOCK = "7d"  # nobody is kept waiting: a bot has time
PLAYING = (Game.Status.RUNNING, Game.Status.TIEBREAK)
UNSEEN = timedelta(days=30)  # a guest who stays away for longer is forgotten
LATER = timedelta(days=1)  # until one is tried again who could not be removed
DOMAIN = "guest.invalid"  # no mail can ever go there (RFC 2606)
TRIES = 20  # to find a name that nobody has


@transaction.atomic
def play_now(
    *,
    player: Player | None,
    language: str,
    now: datetime,
    policy: str = BOT,
    offer: str = "",
    client_seed: str = "",
    cards: bool = False,
) -> tuple[Player, Game]:
    """A game against a bot that has begun, private and unrated; for nobody, a guest is made to play it.

    Raises Invalid, or Conflict if the player has too many games running, or the offer cannot be used.
    """
    lobby.check_seed_order(client_seed=client_seed, offer=offer)
    offered_to = player.pk if player else None
    if player and player.guest:
        # The lock makes two requests at once count each other's game. Nobody is found if the guest has just
        # become an account in another browser: this browser then has a new guest.
        player = Player.objects.select_for_update(no_key=True).filter(pk=player.pk).first()
    if player is None:
        player = make(language=language, now=now)
    game = lobby.create(
        player=player,
        now=now,
        offer=offer,
        offered_to=offered_to,
        seats=2,
        cards=cards,
        clock_name=CLOCK,
        private=True,
        chat=False,
    )
    lobby.join(player=player, code=game.code, now=now, client_seed=client_seed)
    return player, lobby.add_bot(player=player, code=game.code, policy=policy, now=now)


def make(*, language: str, now: datetime) -> Player:
    """A guest with a name of its own, whom no mail reaches and no password lets in."""
    for _attempt in range(TRIES):
        with override(language):
            name = _(GUEST_NAME) % {"number": secrets.randbelow(900_000) + 100_000}
        try:
            with transaction.atomic():
                return Player.objects.create_user(
                    email=f"{secrets.token_hex(16)}@{DOMAIN}",
                    name=name,
                    language=language,
                    mails=Player.Mails.NONE,
                    guest=True,
                    joined_at=now,
                    seen_at=now,
                )
        except IntegrityError:
            continue  # somebody has this name
    raise Conflict(_("No name is free at this moment. Try again."))


# ------------------------------------------------------------------------------------------------- keeping it


def keep(*, guest: Player, player: Player, now: datetime) -> None:
    """Note which account a guest's games are for; nothing moves before its address is confirmed."""
    Player.objects.filter(pk=guest.pk, guest=True).update(keeper=player)


@transaction.atomic
def hand_over(*, player: Player, now: datetime) -> int:
    """All that the guests of an account have becomes the account's, and they are gone. Returns how many.

    Only for an account whose address is confirmed. Games that run go on; where the clocks of the two rest at
    other hours, no time is won or lost by it.
    """
    waiting = list(Player.objects.filter(keeper=player, guest=True))
    if not waiting:
        return 0
    # Games before players, as a move locks them: else the two would wait for each other.
    theirs = Game.objects.filter(Q(places__player__in=waiting) | Q(creator__in=waiting))
    list(Game.objects.select_for_update().filter(pk__in=theirs.values("pk")).order_by("pk"))
    # Read again, now that they are locked: another browser may have been faster.
    ids = [guest.pk for guest in waiting]
    guests = list(Player.objects.select_for_update().filter(pk__in=ids, keeper=player).order_by("pk"))
    for guest in guests:
        clocks.change_player_of_games(player=guest, now=now, change=partial(move, guest, player))
        guest.delete()
    return len(guests)


def move(guest: Player, player: Player) -> None:
    """Give an account what a guest has; the caller holds the guest's games."""
    Seat.objects.filter(player=guest).update(player=player)
    Game.objects.filter(creator=guest).update(creator=player)
    for note in Note.objects.filter(player=guest):
        own, new = Note.objects.get_or_create(
            game_id=note.game_id, player=player, defaults={"text": note.text, "at": note.at}
        )
        if not new:  # on a game of others, at which both looked on
            own.text = f"{own.text}\n\n{note.text}".strip()
            own.save(update_fields=["text"])
    # Told anew, not moved: a program that has read the account's feed so far would never see older lines.
    lines = Event.objects.filter(player=guest, game__isnull=False).order_by("pk")
    Event.objects.bulk_create(
        [
            Event(
                player=player,
                game_id=line.game_id,
                kind=line.kind,
                reason=line.reason,
                data=line.data,
                at=line.at,
                due_at=line.due_at,
                stage=line.stage,
            )
            for line in lines.filter(Q(game__status__in=PLAYING) | Q(due_at__isnull=False)).defer("answer")
        ]
    )


# ------------------------------------------------------------------------------------------------- forgetting


def forgotten(now: datetime) -> QuerySet[Player]:
    """Guests who stayed away too long; one who has signed up stays while the address may be confirmed."""
    away = Player.objects.filter(guest=True, seen_at__lt=now - UNSEEN)
    return away.exclude(keeper__joined_at__gt=now - UNSEEN)


def prune(*, now: datetime, limit: int = 50, budget: Budget | None = None) -> int:
    """Remove guests who stayed away too long, as accounts are deleted: their games stay. Returns how many."""
    done, budget = 0, budget or Budget()
    for pk in forgotten(now).order_by("seen_at", "pk").values_list("pk", flat=True)[:limit]:
        if not budget.allows_more():
            break
        guest = forgotten(now).filter(pk=pk).first()
        if guest is None:  # they came back in this very moment, or another worker was faster
            continue
        try:
            players.remove(player=guest, now=now)
            done += 1
        except Exception:
            # One broken game must not keep all other guests here.
            log.exception("guest %s could not be removed", pk)
            Player.objects.filter(pk=pk).update(seen_at=now - UNSEEN + LATER)
    return done
