"""Player accounts: profile, feed token, operators, blocking, and deletion."""

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
from games.duration_format import format_duration
from games.engine import ActionError
from games.models import Delivery, FeedEntry, Game, Invitation, Player, PlayerTask
from games.models.players import FORMER_PLAYER_NAME, generate_url_token
from games.selectors import find_player_by_name
from games.selectors.addresses import list_unconfirmed_accounts

from . import limits, lobby, player_tasks, turns
from .errors import Denied, Invalid, NotFound, ServiceError
from .export import NAME_KEYS_BY_KIND, NOTICE_FIELDS

PROFILE_FIELDS = ("language", "time_zone", *NOTICE_FIELDS)
OPERATOR_APP_LABELS = ("games", "tournaments")  # whose models operators may view
MAX_RESIGN_ATTEMPTS = 5  # when the game moves on concurrently
# Hooks of other apps, run before a player's games are left; must be idempotent.
BEFORE_LEAVING_HOOKS: list[Callable[..., None]] = []


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


def check_quiet_hours(start: time | None, end: time | None) -> None:
    """Raise ValidationError unless quiet hours have a start and an end and are not too long."""
    if (start is None) != (end is None):
        missing = "quiet_from" if start is None else "quiet_until"
        raise ValidationError({missing: _("Quiet hours need both a beginning and an end.")})
    if (
        start is not None
        and end is not None
        and clock.measure_quiet_hours(start, end) > clock.MAX_QUIET_HOURS
    ):
        raise ValidationError(
            {
                "quiet_until": _("Quiet hours last %(span)s at most.")
                % {"span": format_duration(clock.MAX_QUIET_HOURS)}
            }
        )


def rotate_feed_token(*, player: Player, now: datetime) -> Player:
    """Replace the feed token; the old private feed URLs stop working."""
    player.key = generate_url_token()
    player.save(update_fields=["key"])
    return player


def get_public_player(*, name: str) -> Player:
    """Return a player by name, ignoring case; guests are excluded. Raises NotFound."""
    player = find_player_by_name(name)
    if player is None:
        raise NotFound(_("Nobody here is called that."))
    return player


# ----------------------------------------------------------------------------------------- operators


def set_operator_role(*, player: Player, role: str, now: datetime) -> None:
    """Set an operator's role: "all", "look" (read-only) or "none".

    Raises Denied for guests, inactive and unconfirmed accounts.
    """
    if player.guest or not player.is_active or list_unconfirmed_accounts().filter(pk=player.pk).exists():
        raise Denied(_("Only who has an account can be an operator."))
    view_permissions = Permission.objects.filter(
        codename__startswith="view_", content_type__app_label__in=OPERATOR_APP_LABELS
    )
    with transaction.atomic():
        player.is_staff, player.is_superuser = role != "none", role == "all"
        player.save(update_fields=["is_staff", "is_superuser"])
        player.user_permissions.set(view_permissions if role == "look" else [])


def block_player(*, player: Player, now: datetime) -> None:
    """Deactivate an account at once; its games go on by the clock.

    Raises Denied for operators: their role must be removed first, by a command.
    """
    if player.is_staff:
        raise Denied(_("Operators are not blocked."))
    Player.objects.filter(pk=player.pk).update(is_active=False)


def unblock_player(*, player: Player, now: datetime) -> None:
    """Reactivate an account."""
    Player.objects.filter(pk=player.pk).update(is_active=True)


# ---------------------------------------------------------------------------------------- deletion


def delete_account(*, player: Player, confirmation: str, now: datetime) -> None:
    """Delete an account. Raises Invalid unless the player's name is typed as confirmation.

    Steps:
    1. Run the hooks of other apps.
    2. Leave the first games; if these are all, erase the player.
    3. Otherwise deactivate the account and leave the rest to a sweep.
    """
    if confirmation.strip().casefold() != player.name.casefold():
        raise Invalid(_("Type your name as it is written here."), code="not-confirmed")
    for hook in BEFORE_LEAVING_HOOKS:
        hook(player=player, now=now)
    last_game_id = leave_games(player=player, now=now, limit=player_tasks.GAMES_PER_TRANSACTION)
    if last_game_id is None:
        erase_player(player=player, now=now)
        return
    with transaction.atomic():
        limits.lock_player(player)
        Player.objects.filter(pk=player.pk).update(is_active=False)
        player_tasks.request_player_task(player=player, kind=PlayerTask.Kind.DELETE_ACCOUNT, now=now)


def remove_player(*, player: Player, now: datetime) -> None:
    """Remove a player: their seats become a former player's, and every game stays complete.

    Leaves open games and resigns from running ones, each in its own transaction. Idempotent.
    """
    for hook in BEFORE_LEAVING_HOOKS:
        hook(player=player, now=now)
    leave_games(player=player, now=now)
    erase_player(player=player, now=now)


def erase_player(*, player: Player, now: datetime) -> None:
    """Erase a player after all games are left: name in feeds, invitations, tokens, account. Idempotent."""
    with transaction.atomic():
        # Games before players, the lock order of a move; otherwise the two could deadlock.
        list(Game.objects.select_for_update().filter(creator=player).order_by("pk"))
        # The lock stops others from adding rows for this player.
        if not Player.objects.select_for_update().filter(pk=player.pk).first():
            return  # already erased
        anonymise_name(player)
        Invitation.objects.filter(email=player.email).delete()
        for model in (RefreshToken, AccessToken):  # they reference each other
            model.objects.filter(user=player).delete()
        Player.objects.get(pk=player.pk).delete()


def leave_games(
    *, player: Player, now: datetime, after_game_id: int = 0, limit: int | None = None
) -> int | None:
    """Leave open games, cancel the player's own open games, and resign from running ones.

    With a limit, resigns only from so many running games, those after a given id. Returns the last id if
    there may be more, None if all are left.
    """
    open_games = Game.objects.filter(status=Game.Status.OPEN)
    for code in open_games.filter(places__player=player).values_list("code", flat=True):
        with suppress(ServiceError):  # it started or was cancelled meanwhile
            lobby.leave_game(player=player, code=code, now=now)
    for code in open_games.filter(creator=player).values_list("code", flat=True):
        with suppress(ServiceError):
            lobby.cancel_game_by_host(player=player, code=code, now=now)
    playing_statuses = (Game.Status.RUNNING, Game.Status.TIEBREAK)
    running_games = Game.objects.filter(
        pk__gt=after_game_id, status__in=playing_statuses, places__player=player
    ).order_by("pk")
    game_rows = list(running_games.values_list("pk", "code")[:limit])
    for _pk, code in game_rows:
        for _attempt in range(MAX_RESIGN_ATTEMPTS):
            try:
                turns.play_action(player=player, code=code, text="resign", seq=None, key="", now=now)
                break
            except (ServiceError, ActionError):
                continue  # the game moved on; if it is over, retrying changes nothing
    return game_rows[-1][0] if limit and len(game_rows) == limit else None


def anonymise_name(player: Player) -> None:
    """Replace the player's name in other players' feed entries and deliveries."""
    games = Game.objects.filter(Q(places__player=player) | Q(creator=player) | Q(invitations__by=player))
    games_invited_to = Game.objects.filter(invitations__player=player)
    with override("en"):
        former_name = str(FORMER_PLAYER_NAME)
    # In feeds, and in the mails made from them.
    querysets: list[QuerySet[Any]] = [FeedEntry.objects.all(), Delivery.objects.all()]
    for queryset in querysets:
        changed_rows = []
        about_their_games = Q(game__in=games.values("pk")) | Q(game__in=games_invited_to.values("pk"))
        for row in queryset.filter(about_their_games, kind__in=NAME_KEYS_BY_KIND).exclude(player=player):
            name_key = NAME_KEYS_BY_KIND[row.kind]
            if row.data.get(name_key) == player.name:
                row.data[name_key] = former_name
                changed_rows.append(row)
        queryset.bulk_update(changed_rows, ["data"], batch_size=500)
