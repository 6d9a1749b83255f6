"""A player's own account: the profile, the key of their feeds, and leaving for good."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from datetime import datetime, time
from typing import Any

from django.contrib.auth.models import Permission
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import override
from oauth2_provider.models import AccessToken, RefreshToken

from games import clock
from games.engine import Refused
from games.models import Delivery, Event, Game, Invitation, Player, PlayerTask
from games.models.players import FORMER, new_key
from games.selectors import player_named
from games.selectors.addresses import unconfirmed_accounts
from games.spans import lasting

from . import limits, lobby, player_tasks, turns
from .errors import Denied, Invalid, NotFound, Refusal
from .export import NAMING, NOTICES

PROFILE = ("language", "time_zone", *NOTICES)
SEEN = ("games", "tournaments")  # whose rows operators look at
TRIES = 5  # to resign from a game in which others move at the same moment
# What other apps do before a player's games are left, each of it safe to do twice.
LEAVING: list[Callable[..., None]] = []


def change_profile(*, player: Player, now: datetime, **changes: Any) -> Player:
    """Set language, time zone or how notices come; what is not named stays. Raises ValidationError.

    Turns that run keep the hours that they began with: a clock rests by others from its next turn on.
    """
    if unknown := changes.keys() - set(PROFILE):
        raise TypeError(f"not of the profile: {', '.join(sorted(unknown))}")
    for name, value in changes.items():
        setattr(player, name, value)
    player.clean_fields(exclude=[field.name for field in Player._meta.fields if field.name not in changes])
    check_quiet(player.quiet_from, player.quiet_until)
    if changes:
        player.save(update_fields=list(changes))
    return player


def check_quiet(start: time | None, end: time | None) -> None:
    """Quiet hours have a beginning and an end, and leave time to be told things. Raises ValidationError."""
    if (start is None) != (end is None):
        missing = "quiet_from" if start is None else "quiet_until"
        raise ValidationError({missing: _("Quiet hours need both a beginning and an end.")})
    if start is not None and end is not None and clock.quiet_length(start, end) > clock.LONGEST_QUIET:
        raise ValidationError(
            {"quiet_until": _("Quiet hours last %(span)s at most.") % {"span": lasting(clock.LONGEST_QUIET)}}
        )


def change_key(*, player: Player, now: datetime) -> Player:
    """New addresses for the private feeds; the old ones are worthless at once."""
    player.key = new_key()
    player.save(update_fields=["key"])
    return player


def public(*, name: str) -> Player:
    """A player by name, whatever the capitals; guests cannot be found. Raises NotFound."""
    named = player_named(name)
    if named is None:
        raise NotFound(_("Nobody here is called that."))
    return named


# ----------------------------------------------------------------------------------------- operators


def appoint(*, player: Player, may: str, now: datetime) -> None:
    """Somebody works here: does "all", only "look"s, or "none" of it any more. Raises Denied for a guest."""
    if player.guest or not player.is_active or unconfirmed_accounts().filter(pk=player.pk).exists():
        raise Denied(_("Only who has an account can be an operator."))
    looks = Permission.objects.filter(codename__startswith="view_", content_type__app_label__in=SEEN)
    with transaction.atomic():
        player.is_staff, player.is_superuser = may != "none", may == "all"
        player.save(update_fields=["is_staff", "is_superuser"])
        player.user_permissions.set(looks if may == "look" else [])


def block(*, player: Player, now: datetime) -> None:
    """An operator shuts somebody out, at every door and at once; their games go on by the clock.

    Raises Denied for whoever works here: that is first taken back on the machine itself.
    """
    if player.is_staff:
        raise Denied(_("Operators are not blocked."))
    Player.objects.filter(pk=player.pk).update(is_active=False)


def unblock(*, player: Player, now: datetime) -> None:
    """They may come in again."""
    Player.objects.filter(pk=player.pk).update(is_active=True)


# ---------------------------------------------------------------------------------------- leaving for good


def delete(*, player: Player, confirmation: str, now: datetime) -> None:
    """Delete an account. Raises Invalid unless the name is typed as confirmation.

    Where there are many games to be left, every door is closed at once and a sweep does the rest.
    """
    if confirmation.strip().casefold() != player.name.casefold():
        raise Invalid(_("Type your name as it is written here."), code="not-confirmed")
    for leave in LEAVING:
        leave(player=player, now=now)
    last = leave_games(player=player, now=now, limit=player_tasks.GAMES_AT_ONCE)
    if last is None:
        forget_player(player=player, now=now)
        return
    with transaction.atomic():
        limits.hold(player)
        Player.objects.filter(pk=player.pk).update(is_active=False)
        player_tasks.ask_for(player=player, kind=PlayerTask.Kind.REMOVAL, now=now)


def remove(*, player: Player, now: datetime) -> None:
    """A player is gone: their seats become a former player's, and every game stays whole.

    Who goes resigns from games that run and leaves those that wait, each in a transaction of its own: all of
    it can be repeated, should it break off half-way.
    """
    for leave in LEAVING:
        leave(player=player, now=now)
    leave_games(player=player, now=now)
    forget_player(player=player, now=now)


def forget_player(*, player: Player, now: datetime) -> None:
    """The last part of it, once all games are left; nothing happens if somebody else did it."""
    with transaction.atomic():
        # Games before players, as a move locks them: else the two would wait for each other.
        list(Game.objects.select_for_update().filter(creator=player).order_by("pk"))
        # The lock keeps others from writing rows for a player who is just going.
        if not Player.objects.select_for_update().filter(pk=player.pk).first():
            return  # somebody else did it
        forget_name(player)
        Invitation.objects.filter(email=player.email).delete()
        for model in (RefreshToken, AccessToken):  # they point at each other
            model.objects.filter(user=player).delete()
        Player.objects.get(pk=player.pk).delete()


def leave_games(*, player: Player, now: datetime, after: int = 0, limit: int | None = None) -> int | None:
    """Leave what waits, cancel what only waits for this player's own guests, resign from what runs.

    With a limit, of the games that run only so many, those after a given one. Returns the last of them if
    there may be more, None if all are left.
    """
    waiting = Game.objects.filter(status=Game.Status.OPEN)
    for code in waiting.filter(places__player=player).values_list("code", flat=True):
        with suppress(Refusal):  # it started or was given up in this very moment
            lobby.leave(player=player, code=code, now=now)
    for code in waiting.filter(creator=player).values_list("code", flat=True):
        with suppress(Refusal):
            lobby.cancel_by_host(player=player, code=code, now=now)
    playing = (Game.Status.RUNNING, Game.Status.TIEBREAK)
    running = Game.objects.filter(pk__gt=after, status__in=playing, places__player=player).order_by("pk")
    found = list(running.values_list("pk", "code")[:limit])
    for _pk, code in found:
        for _attempt in range(TRIES):
            try:
                turns.play(player=player, code=code, text="resign", seq=None, key="", now=now)
                break
            except (Refusal, Refused):
                continue  # somebody was faster; if the game is over now, this changes nothing
    return found[-1][0] if limit and len(found) == limit else None


def forget_name(player: Player) -> None:
    """Take the name out of what other players were told."""
    games = Game.objects.filter(Q(places__player=player) | Q(creator=player) | Q(invitations__by=player))
    invited = Game.objects.filter(invitations__player=player)
    with override("en"):
        former = str(FORMER)
    # What is in feeds, and what was made of it for mailboxes.
    told: list[QuerySet[Any]] = [Event.objects.all(), Delivery.objects.all()]
    for lines in told:
        changed = []
        about = Q(game__in=games.values("pk")) | Q(game__in=invited.values("pk"))
        for line in lines.filter(about, kind__in=NAMING).exclude(player=player):
            key = NAMING[line.kind]
            if line.data.get(key) == player.name:
                line.data[key] = former
                changed.append(line)
        lines.bulk_update(changed, ["data"], batch_size=500)
