"""Player accounts: profile, feed token, operators, blocking, and deletion."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Any

from django.conf import settings
from django.contrib.auth.models import Permission
from django.db import transaction
from django.utils.translation import gettext as _
from oauth2_provider.models import AccessToken, RefreshToken

from accounts.account_extensions import load_account_extensions
from accounts.models import Player, PlayerTask
from accounts.models.players import generate_url_token
from accounts.quiet_hours import check_quiet_hours
from accounts.selectors.addresses import list_unconfirmed_accounts
from accounts.selectors.profiles import find_player_by_name
from common.service_errors import Denied, Invalid, NotFound

from . import player_tasks
from .export import NOTICE_FIELDS

PROFILE_FIELDS = ("language", "time_zone", *NOTICE_FIELDS)


def lock_player(player: Player) -> None:
    """Lock a player's row until the transaction ends, so that concurrent requests count correctly.

    Lock order: a game's row comes before the player's, as in the removal of an account. A calendar change
    locks the player first, but then only running games, none of which are held by code that counts.
    """
    # no_key: moves, which only reference the player, do not wait for this lock.
    # first() may be None if the account was just deleted: foreign keys then refuse the write.
    locked_player = Player.objects.select_for_update(no_key=True).filter(pk=player.pk).first()
    if locked_player:  # the account may have been declared a bot since it was read
        player.is_bot, player.bot_owner_id = locked_player.is_bot, locked_player.bot_owner_id


def change_profile(*, player: Player, now: datetime, **changes: Any) -> Player:
    """Change the given profile fields. Raises ValidationError, or TypeError for an unknown field.

    Running turns keep the hours that they began with; a change counts from the next turn.
    """
    if unknown_fields := changes.keys() - set(PROFILE_FIELDS):
        raise TypeError(f"not of the profile: {', '.join(sorted(unknown_fields))}")
    for name, value in changes.items():
        setattr(player, name, value)
    player.clean_fields(exclude=[field.name for field in Player._meta.fields if field.name not in changes])
    check_quiet_hours(player.quiet_from, player.quiet_until)
    if changes:
        player.save(update_fields=list(changes))
    return player


def rotate_feed_token(*, player: Player, now: datetime) -> Player:
    """Replace the feed token; the old private feed URLs stop working."""
    player.feed_token = generate_url_token()
    player.save(update_fields=["feed_token"])
    return player


def get_public_player(*, name: str) -> Player:
    """Return a player by name, ignoring case; guests are excluded. Raises NotFound."""
    player = find_player_by_name(name)
    if player is None:
        raise NotFound(_("No player has this name. Check the spelling."))
    return player


# ----------------------------------------------------------------------------------------- operators


class OperatorRole(StrEnum):
    """The roles of operators at /admin/."""

    ALL = "all"
    LOOK = "look"  # read-only
    NONE = "none"


def set_operator_role(*, player: Player, role: OperatorRole, now: datetime) -> None:
    """Set what an operator may do, or that a player is none.

    Raises Denied for guests, inactive and unconfirmed accounts.
    """
    if player.is_guest or not player.is_active or list_unconfirmed_accounts().filter(pk=player.pk).exists():
        raise Denied(_("Only a confirmed account can be an operator."))
    view_permissions = Permission.objects.filter(
        codename__startswith="view_", content_type__app_label__in=settings.PROJECT_APPS
    )
    with transaction.atomic():
        player.is_staff, player.is_superuser = role != OperatorRole.NONE, role == OperatorRole.ALL
        player.save(update_fields=["is_staff", "is_superuser"])
        player.user_permissions.set(view_permissions if role == OperatorRole.LOOK else [])


def block_player(*, player: Player, now: datetime) -> None:
    """Deactivate an account at once; its games go on by the clock.

    Raises Denied for operators: their role must be removed first, by a command.
    """
    if player.is_staff:
        raise Denied(_("You cannot block an operator."))
    Player.objects.filter(pk=player.pk).update(is_active=False)


def unblock_player(*, player: Player, now: datetime) -> None:
    """Reactivate an account."""
    Player.objects.filter(pk=player.pk).update(is_active=True)


# ---------------------------------------------------------------------------------------- deletion


def delete_account(*, player: Player, confirmation: str, now: datetime) -> None:
    """Delete an account. Raises Invalid unless the player's name is typed as confirmation.

    Steps:
    1. Leave the first games, and what else is under way; if this is all, erase the player.
    2. Otherwise deactivate the account and leave the rest to a sweep.
    """
    if confirmation.strip().casefold() != player.name.casefold():
        raise Invalid(_("Type your name exactly as shown."), code="not-confirmed")
    progress = leave_next_batch(player=player, now=now, progress={})
    if not progress:
        erase_player(player=player, now=now)
        return
    with transaction.atomic():
        lock_player(player)
        Player.objects.filter(pk=player.pk).update(is_active=False)
        from_the_first = dict.fromkeys(progress, 0)  # more may have begun before the account was closed
        player_tasks.request_player_task(
            player=player, kind=PlayerTask.DELETE_ACCOUNT, now=now, progress=from_the_first
        )


def remove_player(*, player: Player, now: datetime) -> None:
    """Remove a player: their seats become a former player's, and every game stays complete.

    Leaves what is under way, in many transactions, then erases the player. Idempotent.
    """
    progress = leave_next_batch(player=player, now=now, progress={})
    while progress:
        progress = leave_next_batch(player=player, now=now, progress=progress)
    erase_player(player=player, now=now)


def leave_next_batch(*, player: Player, now: datetime, progress: dict[str, int]) -> dict[str, int]:
    """Let a player leave what is under way: with no progress yet in all apps, else in those with more to do.

    Returns the progress of the apps with more to do, empty if all is left.
    """
    next_progress = {}
    for extension in reversed(load_account_extensions()):  # tournaments before their games
        if not progress or extension.name in progress:
            last_id = extension.leave(player=player, now=now, after_id=progress.get(extension.name, 0))
            if last_id is not None:
                next_progress[extension.name] = last_id
    return next_progress


def erase_player(*, player: Player, now: datetime) -> None:
    """Erase a player after all is left: traces in other apps, tokens, account. Idempotent."""
    with transaction.atomic():
        for extension in load_account_extensions():
            extension.lock_rows_before_players([player])
        # The lock stops others from adding rows for this player.
        if not Player.objects.select_for_update().filter(pk=player.pk).first():
            return  # already erased
        for extension in load_account_extensions():
            extension.erase_player(player=player, now=now)
        for model in (RefreshToken, AccessToken):  # they reference each other
            model.objects.filter(user=player).delete()
        Player.objects.get(pk=player.pk).delete()
