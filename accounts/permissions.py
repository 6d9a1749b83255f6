"""Permissions to declare an account a bot and to take that back: the one place for this policy.

Each `find_…_refusal` answers None or the reason why not. Services raise it, pages show their forms by it.
"""

from __future__ import annotations

from accounts.account_extensions import load_account_extensions
from accounts.models import BotProfile, Player
from accounts.refusals import Refusal
from common.refusals import BaseRefusal


def find_bot_declaration_refusal(player: Player) -> BaseRefusal | None:
    """Return the reason against declaring an account a bot, or None.

    A bot whose owner's account is gone can be declared again, with another owner. Other players never met
    a bot unasked: who has played rated games or still plays with others as a person does not become one.
    """
    if player.is_guest or not player.is_active:
        return Refusal.NO_ACCOUNT
    if player.is_staff:
        return Refusal.STAFF
    if player.is_bot:
        return Refusal.ALREADY_BOT if player.bot_owner_id else None
    if player.owned_bots.exists():
        return Refusal.RUNS_BOTS
    refusals = (extension.find_bot_declaration_refusal(player) for extension in load_account_extensions())
    return next((refusal for refusal in refusals if refusal), None)


def find_bot_owner_refusal(owner: Player | None, player: Player | None = None) -> Refusal | None:
    """Return the reason against owning bots, or this one. Bots per owner are counted by the service."""
    is_person = owner is not None and owner.is_active and not owner.is_guest and not owner.is_bot
    return None if is_person and owner != player else Refusal.BAD_OWNER


def find_bot_withdrawal_refusal(player: Player) -> Refusal | None:
    """Return the reason against taking back a declaration: no bot, or one that has sat in a game."""
    profile = BotProfile.objects.filter(player=player).first() if player.is_bot else None
    if profile is None:
        return Refusal.NOT_BOT
    has_played = any(
        extension.has_games_since(player, profile.declared_at) for extension in load_account_extensions()
    )
    return Refusal.HAS_PLAYED if has_played else None
