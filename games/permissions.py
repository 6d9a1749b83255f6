"""Permissions of players in a game: the one place for this policy.

Each `find_…_refusal` answers None if the player may do it as things stand, or the reason why not. Services
raise it (`check_allowed`), the API lists what may be done (`permissions` of a game), and pages
show buttons by it. Arguments of a request and limits of a player are checked by the service that acts.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING

from accounts.models import BotProfile, Player
from games.models import Game, Invitation, Message, Pause, Seat
from games.refusals import Refusal

if TYPE_CHECKING:
    from games.selectors import LoadedGame


@dataclass(frozen=True)
class PermissionContext:
    """A player and a game, as far as a permission depends on them.

    What needs another query has a default, for callers that must not make one: an open game then seems to
    have no reserved seats and no end, and no pause seems to be proposed. The service that acts reads them.
    """

    loaded_game: LoadedGame
    player: Player
    now: datetime | None = None
    free_seat_count: int | None = None  # seats that are neither taken nor reserved for others
    is_invited: bool = False
    pause_proposal: Pause | None = None

    @property
    def game(self) -> Game:
        """The game."""
        return self.loaded_game.game

    @cached_property
    def seat(self) -> Seat | None:
        """The seat of the player, or None."""
        return self.loaded_game.seat_of(self.player)

    @property
    def has_resigned(self) -> bool:
        """True if the player's side has resigned while the others play on."""
        return self.seat is not None and self.loaded_game.has_resigned(self.seat)


def refuse_if(is_refused: object, reason: Refusal) -> Refusal | None:
    """Return the reason if a condition holds."""
    return reason if is_refused else None


# ------------------------------------------------------------------------------------------- before the start


def find_closed_refusal(game: Game, now: datetime | None) -> Refusal | None:
    """Refuse new players in a game that takes none any more."""
    if not game.is_open:
        return Refusal.NOT_OPEN
    return refuse_if(now and game.expires_at <= now, Refusal.EXPIRED)


def find_join_refusal(context: PermissionContext) -> Refusal | None:
    """Refuse a player a seat. A seat is kept for an invited player."""
    free_seat_count = context.game.seat_count - len(context.loaded_game.seats)
    if context.free_seat_count is not None and not context.is_invited:
        free_seat_count = min(free_seat_count, context.free_seat_count)
    return (
        find_closed_refusal(context.game, context.now)
        or refuse_if(context.seat, Refusal.ALREADY_JOINED)
        or refuse_if(free_seat_count < 1, Refusal.FULL)
        or find_bot_refusal(context)
    )


def find_bot_refusal(context: PermissionContext) -> Refusal | None:
    """Refuse a bot a seat with these players, or a person a seat with bots.

    A rated game is for people, or with `bots_allowed` for bots: nobody's rating comes from both.
    """
    game, player = context.game, context.player
    if not player.is_bot:
        return refuse_if(game.rated and game.bots_allowed, Refusal.BOTS_ONLY)
    has_sibling = any(
        seat.player and seat.player_id != player.pk and seat.player.bot_owner_id == player.bot_owner_id
        for seat in context.loaded_game.seats
    )
    return (
        refuse_if(not game.bots_allowed, Refusal.BOTS_NOT_ALLOWED)
        or refuse_if(player.bot_owner_id is None, Refusal.BOT_WITHOUT_OWNER)
        or refuse_if(game.rated and has_sibling, Refusal.SAME_OWNER)
    )


def find_bot_consent_refusal(context: PermissionContext, *, accepts_bots: bool) -> Refusal | None:
    """Refuse a seat until the player has agreed to a bot that plays here or may still come.

    Bots need not be asked, and the host has allowed them.
    """
    game, player = context.game, context.player
    is_asked = game.bots_allowed and not player.is_bot and game.creator_id != player.pk
    return refuse_if(is_asked and not accepts_bots, Refusal.BOTS_UNCONFIRMED)


def find_challenge_refusal(profile: BotProfile, *, cards: bool, game_count: int) -> Refusal | None:
    """Refuse a challenge of a bot to such a game; `game_count`: games it plays or is invited to."""
    owner = profile.player.bot_owner
    return (
        refuse_if(not profile.takes_challenges, Refusal.NO_CHALLENGES)
        or refuse_if(owner is None or not owner.is_active, Refusal.BOT_WITHOUT_OWNER)
        or refuse_if(cards and not profile.plays_cards, Refusal.BOT_WITHOUT_CARDS)
        or refuse_if(game_count >= profile.max_games, Refusal.BOT_BUSY)
    )


def find_invitation_refusal(invitation: Invitation, now: datetime) -> Refusal | None:
    """Refuse an invitation that is of no use any more."""
    return refuse_if(not invitation.is_open, Refusal.INVITATION_USED) or find_closed_refusal(
        invitation.game, now
    )


def find_leave_refusal(context: PermissionContext) -> Refusal | None:
    """Refuse a player's leaving of a game before its start."""
    return find_closed_refusal(context.game, context.now) or find_seated_refusal(context)


def find_host_refusal(context: PermissionContext) -> Refusal | None:
    """Refuse everybody but the host to govern a game before its start: cancel it, or give seats away."""
    is_hidden = context.game.private and not context.seat
    return find_closed_refusal(context.game, context.now) or refuse_if(
        not context.loaded_game.is_host(context.player),
        Refusal.NO_SUCH_GAME if is_hidden else Refusal.NOT_HOST,
    )


def find_invite_refusal(context: PermissionContext) -> Refusal | None:
    """Refuse a host the reservation of a seat. The host's own seat is not theirs to give."""
    free_seat_count = context.free_seat_count
    if free_seat_count is None:
        free_seat_count = context.game.seat_count - len(context.loaded_game.seats)
    kept_seat_count = 0 if context.seat else 1
    return find_host_refusal(context) or refuse_if(free_seat_count <= kept_seat_count, Refusal.FULL)


def find_add_bot_refusal(context: PermissionContext) -> Refusal | None:
    """Refuse a host to give a seat to a bot."""
    return find_invite_refusal(context) or refuse_if(context.game.rated, Refusal.RATED)


def find_choose_partner_refusal(context: PermissionContext) -> Refusal | None:
    """Refuse a host the choice of the partner."""
    return (
        find_host_refusal(context)
        or refuse_if(context.game.mode != Game.Mode.PAIRS, Refusal.NOT_PAIRS)
        or find_seated_refusal(context)
    )


def find_new_partner_refusal(game: Game, *, has_partner: bool) -> Refusal | None:
    """Refuse a host to ask one more player to be their partner."""
    is_not_pairs = game.mode != Game.Mode.PAIRS
    return refuse_if(is_not_pairs, Refusal.NOT_PAIRS) or refuse_if(has_partner, Refusal.PARTNER_TAKEN)


# ------------------------------------------------------------------------------------------------------- play


def find_seated_refusal(context: PermissionContext) -> Refusal | None:
    """Refuse actions of seated players to others, such as turning off the game's notices."""
    return refuse_if(not context.seat, Refusal.NOT_SEATED)


def find_hand_refusal(context: PermissionContext) -> Refusal | None:
    """Refuse the use of a hand that its player took over and has not looked at yet."""
    is_hidden = context.seat and context.seat.hand_hidden
    return find_seated_refusal(context) or refuse_if(is_hidden, Refusal.HAND_HIDDEN)


def find_act_refusal(context: PermissionContext) -> Refusal | None:
    """Refuse every action of a player, even a resignation."""
    return (
        find_seated_refusal(context)
        or refuse_if(context.game.is_over, Refusal.OVER)
        or refuse_if(context.game.current_status.is_cancelled, Refusal.CANCELLED)
        or refuse_if(context.loaded_game.state is None, Refusal.NOT_STARTED)
        or find_hand_refusal(context)
    )


def find_play_refusal(context: PermissionContext) -> Refusal | None:
    """Refuse an action of a player now."""
    is_to_act = context.seat and context.seat.seat_no in context.loaded_game.to_act
    return find_act_refusal(context) or refuse_if(not is_to_act, Refusal.NOT_YOUR_TURN)


def find_resign_refusal(context: PermissionContext) -> Refusal | None:
    """Refuse a resignation now."""
    return find_act_refusal(context) or refuse_if(context.has_resigned, Refusal.RESIGNED)


def find_orders_refusal(context: PermissionContext) -> Refusal | None:
    """Refuse standing orders. This does not depend on the orders of anybody."""
    is_solo = context.game.mode == Game.Mode.SOLO
    return (
        find_act_refusal(context)
        or refuse_if(context.has_resigned, Refusal.RESIGNED)
        or refuse_if(is_solo, Refusal.SOLO)
    )


def find_take_seat_refusal(context: PermissionContext) -> Refusal | None:
    """Refuse a look at a hand where there is none to commit to. The service lets players do it twice."""
    is_shown = context.seat and not context.seat.hand_hidden
    return (
        find_seated_refusal(context)
        or refuse_if(context.game.is_over, Refusal.OVER)
        or refuse_if(is_shown, Refusal.HAND_SHOWN)
    )


def find_rematch_refusal(context: PermissionContext) -> Refusal | None:
    """Refuse a request for a rematch (alone: play again). Guests need an account first."""
    return (
        refuse_if(not context.seat, Refusal.NO_SUCH_GAME)
        or refuse_if(not context.game.is_over, Refusal.NOT_OVER)
        or refuse_if(context.player.is_guest, Refusal.NO_ACCOUNT)
    )


# ----------------------------------------------------------------------------------------------------- pauses


def find_pause_vote_refusal(context: PermissionContext) -> Refusal | None:
    """Refuse a player a vote on a pause. A side that resigned has none."""
    return (
        find_seated_refusal(context)
        or refuse_if(not context.game.is_playing, Refusal.NOT_RUNNING)
        or refuse_if(context.has_resigned, Refusal.NOT_SEATED)
    )


def find_propose_pause_refusal(context: PermissionContext, *, ends_pause: bool = False) -> Refusal | None:
    """Refuse the proposal of a pause, or with `ends_pause` of its end."""
    loaded_game, now, paused_until = context.loaded_game, context.now, context.game.paused_until
    is_paused = now and paused_until and paused_until > now
    has_others = any(
        seat.player_id and seat is not context.seat and not loaded_game.has_resigned(seat)
        for seat in loaded_game.seats
    )
    return (
        find_pause_vote_refusal(context)
        or refuse_if(ends_pause and not is_paused, Refusal.NOT_PAUSED)
        or refuse_if(not ends_pause and not has_others, Refusal.NOBODY_TO_AGREE)
        or refuse_if(context.pause_proposal, Refusal.PAUSE_PROPOSED)
    )


def find_pause_change_refusal(context: PermissionContext) -> Refusal | None:
    """Refuse proposals both of a pause and of its end."""
    return find_propose_pause_refusal(context) and find_propose_pause_refusal(context, ends_pause=True)


def find_answer_pause_refusal(context: PermissionContext) -> Refusal | None:
    """Refuse to agree to a proposed pause, to decline it or to withdraw it."""
    is_unproposed = not context.pause_proposal
    return find_pause_vote_refusal(context) or refuse_if(is_unproposed, Refusal.NO_PAUSE_PROPOSED)


# ------------------------------------------------------------------------------------------------------- talk


def find_chat_refusal(context: PermissionContext) -> Refusal | None:
    """Refuse a chat message."""
    return (
        find_seated_refusal(context)
        or refuse_if(not context.game.chat, Refusal.NO_CHAT)
        or refuse_if(not context.loaded_game.has_other_players(context.player), Refusal.NOBODY_TO_READ)
    )


def find_report_refusal(context: PermissionContext, message: Message) -> Refusal | None:
    """Refuse the report of a message to the operators."""
    is_own = message.player_id == context.player.pk
    return find_seated_refusal(context) or refuse_if(is_own, Refusal.OWN_MESSAGE)


# ------------------------------------------------------------------------------------------------ all at once


class Permission(StrEnum):
    """The permissions of players in a game, by the name that the API lists."""

    JOIN = "join"
    LEAVE = "leave"
    CANCEL = "cancel"
    INVITE = "invite"
    ADD_BOT = "add-bot"
    CHOOSE_PARTNER = "choose-partner"
    PLAY = "play"
    RESIGN = "resign"
    TAKE_SEAT = "take-seat"
    SET_EIGHT_POLICY = "set-eight-policy"
    SET_ORDERS = "set-orders"
    PROPOSE_PAUSE = "propose-pause"
    ANSWER_PAUSE = "answer-pause"
    CHAT = "chat"
    MUTE = "mute"
    REMATCH = "rematch"


REFUSAL_FINDERS: dict[Permission, Callable[[PermissionContext], Refusal | None]] = {
    Permission.JOIN: find_join_refusal,
    Permission.LEAVE: find_leave_refusal,
    Permission.CANCEL: find_host_refusal,
    Permission.INVITE: find_invite_refusal,
    Permission.ADD_BOT: find_add_bot_refusal,
    Permission.CHOOSE_PARTNER: find_choose_partner_refusal,
    Permission.PLAY: find_play_refusal,
    Permission.RESIGN: find_resign_refusal,
    Permission.TAKE_SEAT: find_take_seat_refusal,
    Permission.SET_EIGHT_POLICY: find_hand_refusal,
    Permission.SET_ORDERS: find_orders_refusal,
    Permission.PROPOSE_PAUSE: find_pause_change_refusal,
    Permission.ANSWER_PAUSE: find_answer_pause_refusal,
    Permission.CHAT: find_chat_refusal,
    Permission.MUTE: find_seated_refusal,
    Permission.REMATCH: find_rematch_refusal,
}


def list_permissions(context: PermissionContext | None) -> list[Permission]:
    """List what a player may do as things stand; nothing for somebody who is not signed in."""
    if context is None:
        return []
    return [permission for permission, find_refusal in REFUSAL_FINDERS.items() if not find_refusal(context)]
