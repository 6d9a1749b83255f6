"""Bot accounts: declaring one with its owner's consent, its settings, and taking the declaration back."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from accounts import permissions
from accounts.models import BotProfile, Player
from accounts.refusals import Refusal
from common.refusals import check_allowed
from common.service_errors import Invalid
from common.signed_tokens import read_signed_text, sign_text

MAX_BOTS_PER_OWNER = 10
OWNER_CODE_PURPOSE = "bot-owner"
OWNER_CODE_LIFETIME = timedelta(days=1)
BOT_SETTINGS = ("takes_challenges", "about", "plays_cards", "max_games")


def make_owner_code(*, owner: Player, now: datetime) -> tuple[str, datetime]:
    """Make a code by which an account can name this player as its owner; returns it and when it ends.

    It is the owner's consent, so nobody can be named as an owner who does not know of it. Raises Conflict.
    """
    check_allowed(permissions.find_bot_owner_refusal(owner))
    expires_at = (now + OWNER_CODE_LIFETIME).replace(microsecond=0)
    return sign_text(OWNER_CODE_PURPOSE, f"{owner.pk}-{int(expires_at.timestamp())}"), expires_at


def find_owner_by_code(owner_code: str, now: datetime) -> Player | None:
    """Return the player who made an owner code, None if it is wrong or too old."""
    text = read_signed_text(OWNER_CODE_PURPOSE, owner_code.strip())
    if text is None:
        return None
    owner_id, expires_at = map(int, text.split("-"))
    if now.timestamp() >= expires_at:
        return None
    return Player.objects.filter(pk=owner_id).first()


@transaction.atomic
def declare_bot(*, player: Player, owner_code: str, confirmation: str, now: datetime) -> BotProfile:
    """Declare an account a bot, with the player who made the code as its owner.

    Raises Denied, Conflict, or Invalid for a bad code or unless the account's name is typed as confirmation.
    """
    owner = find_owner_by_code(owner_code, now)
    # Both rows, in one order: an owner of bots cannot become one at the same moment.
    locked_ids = sorted({player.pk, *([owner.pk] if owner else [])})
    locked_players = Player.objects.select_for_update(no_key=True).filter(pk__in=locked_ids).order_by("pk")
    players_by_id = {locked_player.pk: locked_player for locked_player in locked_players}
    player = players_by_id[player.pk]
    check_allowed(permissions.find_bot_declaration_refusal(player))
    if owner is None:
        raise Refusal.BAD_OWNER_CODE.build_error()
    owner = players_by_id.get(owner.pk)
    check_allowed(permissions.find_bot_owner_refusal(owner, player))
    assert owner is not None
    if owner.owned_bots.count() >= MAX_BOTS_PER_OWNER:
        raise Refusal.TOO_MANY_BOTS.build_error(limit=MAX_BOTS_PER_OWNER)
    if confirmation.strip().casefold() != player.name.casefold():
        raise Invalid(_("Type the name of this account to confirm."), code="not-confirmed")
    player.is_bot, player.bot_owner = True, owner
    player.save(update_fields=["is_bot", "bot_owner"])
    profile, _created = BotProfile.objects.get_or_create(player=player, defaults={"declared_at": now})
    return profile


@transaction.atomic
def withdraw_bot_declaration(*, player: Player, now: datetime) -> Player:
    """Make a bot a person's account again, before it has played. Raises NotFound or Conflict."""
    player = Player.objects.select_for_update(no_key=True).get(pk=player.pk)
    check_allowed(permissions.find_bot_withdrawal_refusal(player))
    BotProfile.objects.filter(player=player).delete()
    player.is_bot, player.bot_owner = False, None
    player.save(update_fields=["is_bot", "bot_owner"])
    return player


def get_bot_profile(*, player: Player) -> BotProfile:
    """Return the profile of a player who is a bot. Raises NotFound."""
    profile = BotProfile.objects.filter(player=player, player__is_bot=True).select_related("player").first()
    if profile is None:
        raise Refusal.NOT_BOT.build_error()
    return profile


def change_bot_settings(*, player: Player, now: datetime, **changes: Any) -> BotProfile:
    """Change the given settings of a bot. Raises NotFound, or ValidationError."""
    if unknown_names := changes.keys() - set(BOT_SETTINGS):
        raise TypeError(f"no settings of a bot: {', '.join(sorted(unknown_names))}")
    profile = get_bot_profile(player=player)
    for name, value in changes.items():
        setattr(profile, name, value)
    profile.full_clean(exclude=["player", "declared_at"])
    if changes:
        profile.save(update_fields=list(changes))
    return profile
