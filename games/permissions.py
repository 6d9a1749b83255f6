"""What a player may do with a game: the one place for this policy.

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
class Standing:
    """How a player stands to a game: what a permission depends on.

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
        """Whether the player's side has resigned while the others play on."""
        return self.seat is not None and self.loaded_game.has_resigned(self.seat)


def refuse_if(is_refused: object, reason: Refusal) -> Refusal | None:
    """Return the reason if a condition holds."""
    return reason if is_refused else None


# ------------------------------------------------------------------------------------------- before the start


def find_closed_refusal(game: Game, now: datetime | None) -> Refusal | None:
    """Why a game takes no players any more."""
    if not game.is_open:
        return Refusal.NOT_OPEN
    return refuse_if(now and game.expires_at <= now, Refusal.EXPIRED)


def find_join_refusal(standing: Standing) -> Refusal | None:
    """Why a player may not take a seat. A seat is kept for an invited player."""
    free_seat_count = standing.game.seat_count - len(standing.loaded_game.seats)
    if standing.free_seat_count is not None and not standing.is_invited:
        free_seat_count = min(free_seat_count, standing.free_seat_count)
    return (
        find_closed_refusal(standing.game, standing.now)
        or refuse_if(standing.seat, Refusal.ALREADY_JOINED)
        or refuse_if(free_seat_count < 1, Refusal.FULL)
        or find_bot_refusal(standing)
    )


def find_bot_refusal(standing: Standing) -> Refusal | None:
    """Why a bot may not sit with these players, or a person not with bots.

    A rated game is for people, or with `bots_allowed` for bots: nobody's rating comes from both.
    """
    game, player = standing.game, standing.player
    if not player.is_bot:
        return refuse_if(game.rated and game.bots_allowed, Refusal.BOTS_ONLY)
    has_sibling = any(
        seat.player and seat.player_id != player.pk and seat.player.bot_owner_id == player.bot_owner_id
        for seat in standing.loaded_game.seats
    )
    return (
        refuse_if(not game.bots_allowed, Refusal.BOTS_NOT_ALLOWED)
        or refuse_if(player.bot_owner_id is None, Refusal.BOT_WITHOUT_OWNER)
        or refuse_if(game.rated and has_sibling, Refusal.SAME_OWNER)
    )


def find_bot_consent_refusal(standing: Standing, *, accepts_bots: bool) -> Refusal | None:
    """Why a player may not sit down yet: a bot plays here or may still come, and they have not agreed to it.

    Bots need not be asked, and the host has allowed them.
    """
    game, player = standing.game, standing.player
    is_asked = game.bots_allowed and not player.is_bot and game.creator_id != player.pk
    return refuse_if(is_asked and not accepts_bots, Refusal.BOTS_UNCONFIRMED)


def find_challenge_refusal(profile: BotProfile, *, cards: bool, game_count: int) -> Refusal | None:
    """Why nobody can challenge a bot to such a game; `game_count` is how many it plays or is invited to."""
    owner = profile.player.bot_owner
    return (
        refuse_if(not profile.takes_challenges, Refusal.NO_CHALLENGES)
        or refuse_if(owner is None or not owner.is_active, Refusal.BOT_WITHOUT_OWNER)
        or refuse_if(cards and not profile.plays_cards, Refusal.BOT_WITHOUT_CARDS)
        or refuse_if(game_count >= profile.max_games, Refusal.BOT_BUSY)
    )


def find_invitation_refusal(invitation: Invitation, now: datetime) -> Refusal | None:
    """Why an invitation is of no use any more."""
    return refuse_if(not invitation.is_open, Refusal.INVITATION_USED) or find_closed_refusal(
        invitation.game, now
    )


def find_leave_refusal(standing: Standing) -> Refusal | None:
    """Why a player may not leave a game before its start."""
    return find_closed_refusal(standing.game, standing.now) or find_seated_refusal(standing)


def find_host_refusal(standing: Standing) -> Refusal | None:
    """Why a player may not govern a game before its start: cancel it, or give seats away."""
    is_hidden = standing.game.private and not standing.seat
    return find_closed_refusal(standing.game, standing.now) or refuse_if(
        not standing.loaded_game.is_host(standing.player),
        Refusal.NO_SUCH_GAME if is_hidden else Refusal.NOT_HOST,
    )


def find_invite_refusal(standing: Standing) -> Refusal | None:
    """Why a host may not reserve a seat for somebody. The host's own seat is not theirs to give."""
    free_seat_count = standing.free_seat_count
    if free_seat_count is None:
        free_seat_count = standing.game.seat_count - len(standing.loaded_game.seats)
    kept_seat_count = 0 if standing.seat else 1
    return find_host_refusal(standing) or refuse_if(free_seat_count <= kept_seat_count, Refusal.FULL)


def find_add_bot_refusal(standing: Standing) -> Refusal | None:
    """Why a host may not give a seat to a bot."""
    return find_invite_refusal(standing) or refuse_if(standing.game.rated, Refusal.RATED)


def find_choose_partner_refusal(standing: Standing) -> Refusal | None:
    """Why a host may not say who sits opposite."""
    return (
        find_host_refusal(standing)
        or refuse_if(standing.game.mode != Game.Mode.PAIRS, Refusal.NOT_PAIRS)
        or find_seated_refusal(standing)
    )


def find_new_partner_refusal(game: Game, *, has_partner: bool) -> Refusal | None:
    """Why a host may not ask one more to be their partner."""
    is_not_pairs = game.mode != Game.Mode.PAIRS
    return refuse_if(is_not_pairs, Refusal.NOT_PAIRS) or refuse_if(has_partner, Refusal.PARTNER_TAKEN)


# ------------------------------------------------------------------------------------------------------- play


def find_seated_refusal(standing: Standing) -> Refusal | None:
    """Why a player may not do what those at the table do, such as turning off its notices."""
    return refuse_if(not standing.seat, Refusal.NOT_SEATED)


def find_hand_refusal(standing: Standing) -> Refusal | None:
    """Why a player may not use the hand of their seat: they took it over and have not looked at it yet."""
    is_hidden = standing.seat and standing.seat.hand_hidden
    return find_seated_refusal(standing) or refuse_if(is_hidden, Refusal.HAND_HIDDEN)


def find_act_refusal(standing: Standing) -> Refusal | None:
    """Why nothing that a player plays can be read: not even a resignation."""
    return (
        find_seated_refusal(standing)
        or refuse_if(standing.game.is_over, Refusal.OVER)
        or refuse_if(standing.game.current_status.is_cancelled, Refusal.CANCELLED)
        or refuse_if(standing.loaded_game.state is None, Refusal.NOT_STARTED)
        or find_hand_refusal(standing)
    )


def find_play_refusal(standing: Standing) -> Refusal | None:
    """Why a player may not play an action now."""
    is_to_act = standing.seat and standing.seat.seat_no in standing.loaded_game.to_act
    return find_act_refusal(standing) or refuse_if(not is_to_act, Refusal.NOT_YOUR_TURN)


def find_resign_refusal(standing: Standing) -> Refusal | None:
    """Why a player may not resign now."""
    return find_act_refusal(standing) or refuse_if(standing.has_resigned, Refusal.RESIGNED)


def find_orders_refusal(standing: Standing) -> Refusal | None:
    """Why a player may not give standing orders. It does not depend on the orders of anybody."""
    is_solo = standing.game.mode == Game.Mode.SOLO
    return (
        find_act_refusal(standing)
        or refuse_if(standing.has_resigned, Refusal.RESIGNED)
        or refuse_if(is_solo, Refusal.SOLO)
    )


def find_take_seat_refusal(standing: Standing) -> Refusal | None:
    """Why a player has no hand to look at and commit to. The service lets them do it twice."""
    is_shown = standing.seat and not standing.seat.hand_hidden
    return (
        find_seated_refusal(standing)
        or refuse_if(standing.game.is_over, Refusal.OVER)
        or refuse_if(is_shown, Refusal.HAND_SHOWN)
    )


def find_rematch_refusal(standing: Standing) -> Refusal | None:
    """Why a player may not ask for a rematch (alone: play again). Guests need an account first."""
    return (
        refuse_if(not standing.seat, Refusal.NO_SUCH_GAME)
        or refuse_if(not standing.game.is_over, Refusal.NOT_OVER)
        or refuse_if(standing.player.is_guest, Refusal.NO_ACCOUNT)
    )


# ----------------------------------------------------------------------------------------------------- pauses


def find_pause_vote_refusal(standing: Standing) -> Refusal | None:
    """Why a player has no say in whether the clocks rest. A side that resigned has no vote."""
    return (
        find_seated_refusal(standing)
        or refuse_if(not standing.game.is_playing, Refusal.NOT_RUNNING)
        or refuse_if(standing.has_resigned, Refusal.NOT_SEATED)
    )


def find_propose_pause_refusal(standing: Standing, *, ends_pause: bool = False) -> Refusal | None:
    """Why a player may not propose to let the clocks rest, or with `ends_pause` to let them run again."""
    loaded_game, now, paused_until = standing.loaded_game, standing.now, standing.game.paused_until
    is_paused = now and paused_until and paused_until > now
    has_others = any(
        seat.player_id and seat is not standing.seat and not loaded_game.has_resigned(seat)
        for seat in loaded_game.seats
    )
    return (
        find_pause_vote_refusal(standing)
        or refuse_if(ends_pause and not is_paused, Refusal.NOT_PAUSED)
        or refuse_if(not ends_pause and not has_others, Refusal.NOBODY_TO_AGREE)
        or refuse_if(standing.pause_proposal, Refusal.PAUSE_PROPOSED)
    )


def find_pause_change_refusal(standing: Standing) -> Refusal | None:
    """Why a player may propose neither that the clocks rest nor that they run again."""
    return find_propose_pause_refusal(standing) and find_propose_pause_refusal(standing, ends_pause=True)


def find_answer_pause_refusal(standing: Standing) -> Refusal | None:
    """Why a player may not agree to a proposed pause, decline it or withdraw it."""
    is_unproposed = not standing.pause_proposal
    return find_pause_vote_refusal(standing) or refuse_if(is_unproposed, Refusal.NO_PAUSE_PROPOSED)


# ------------------------------------------------------------------------------------------------------- talk


def find_chat_refusal(standing: Standing) -> Refusal | None:
    """Why a player may not write a chat message."""
    return (
        find_seated_refusal(standing)
        or refuse_if(not standing.game.chat, Refusal.NO_CHAT)
        or refuse_if(not standing.loaded_game.has_other_players(standing.player), Refusal.NOBODY_TO_READ)
    )


def find_report_refusal(standing: Standing, message: Message) -> Refusal | None:
    """Why a player may not report a message to the operators."""
    is_own = message.player_id == standing.player.pk
    return find_seated_refusal(standing) or refuse_if(is_own, Refusal.OWN_MESSAGE)


# ------------------------------------------------------------------------------------------------ all at once


class Permission(StrEnum):
    """What a player may do with a game, by the name that the API lists."""

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


REFUSAL_FINDERS: dict[Permission, Callable[[Standing], Refusal | None]] = {
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


def list_permissions(standing: Standing | None) -> list[Permission]:
    """List what a player may do as things stand; nothing for somebody who is not signed in."""
    if standing is None:
        return []
    return [permission for permission, find_refusal in REFUSAL_FINDERS.items() if not find_refusal(standing)]
