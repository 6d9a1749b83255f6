"""Partners in pairs: who sits opposite the host."""

from __future__ import annotations

from copy import copy
from dataclasses import replace

from accounts.models import Player
from common.refusals import check_allowed
from games import permissions
from games.models import Game, Seat
from games.selectors import LoadedGame


def find_invited_partner(loaded_game: LoadedGame, host: Player) -> Seat | None:
    """Return the seat of the partner whom the host invited and who joined first."""
    partner_invitations = (
        loaded_game.game.invitations.accepted().filter(inviter=host, as_partner=True).select_related("player")
    )
    return next(
        (seat for invitation in partner_invitations if (seat := loaded_game.seat_of(invitation.player))), None
    )


def find_earlier_partner(loaded_game: LoadedGame, host: Player) -> Seat | None:
    """Return the partner seat for a host who joins last: an invited player's, or the rematch bot's."""
    return find_invited_partner(loaded_game, host) or find_rematch_bot_partner(loaded_game, host)


def find_rematch_bot_partner(loaded_game: LoadedGame, host: Player) -> Seat | None:
    """Return a bot in a rematch with the policy of the host's bot partner in the previous game."""
    if loaded_game.game.rematch_of_id is None or loaded_game.game.creator_id != host.pk:
        return None
    old_seat = Seat.objects.filter(game=loaded_game.game.rematch_of_id, player=host).first()
    old_partner_seat = find_opposite_seat(old_seat) if old_seat else None
    if old_partner_seat is None or not old_partner_seat.bot_policy:
        return None
    return next((seat for seat in loaded_game.seats if seat.bot_policy == old_partner_seat.bot_policy), None)


def find_opposite_seat(seat: Seat) -> Seat | None:
    """Return the partner's seat in a started game of pairs."""
    if seat.seat_no is None:
        return None
    return Seat.objects.filter(game=seat.game_id, seat_no=(seat.seat_no + 1) % 4 + 1).first()


def find_partner_seat(loaded_game: LoadedGame, player: Player) -> Seat | None:
    """Return the seat chosen to be opposite a player's own."""
    own_seat = loaded_game.seat_of(player)
    if own_seat is None:
        return find_invited_partner(loaded_game, player)
    return next(
        (
            seat
            for seat in loaded_game.seats
            if seat.partner_join_order == own_seat.join_order
            or own_seat.partner_join_order == seat.join_order
        ),
        None,
    )


def has_partner(loaded_game: LoadedGame, player: Player) -> bool:
    """Return whether a player has a partner, or has invited one."""
    open_invitations = loaded_game.game.invitations.open().filter(inviter=player, as_partner=True)
    return find_partner_seat(loaded_game, player) is not None or open_invitations.exists()


def check_can_choose_partner(loaded_game: LoadedGame, player: Player) -> None:
    """Raise Invalid unless the game is in pairs, Conflict if the player has a partner."""
    game = loaded_game.game
    # Queries only where there can be a partner.
    is_taken = game.mode == Game.Mode.PAIRS and has_partner(loaded_game, player)
    check_allowed(permissions.find_new_partner_refusal(game, has_partner=is_taken))


def find_opponent_seats(loaded_game: LoadedGame, host: Player) -> list[Seat]:
    """Return the seats of players whom the host invited as opponents."""
    opponent_invitations = loaded_game.game.invitations.accepted().filter(inviter=host, as_opponent=True)
    invited_ids = set(opponent_invitations.values_list("player", flat=True))
    return [seat for seat in loaded_game.seats if seat.player_id in invited_ids]


def has_opponents(loaded_game: LoadedGame, host: Player) -> bool:
    """Return whether the host has invited opponents, seated or not."""
    open_invitations = loaded_game.game.invitations.open().filter(inviter=host, as_opponent=True)
    return open_invitations.exists() or bool(find_opponent_seats(loaded_game, host))


def save_partner(loaded_game: LoadedGame, seat: Seat, partner_seat: Seat) -> LoadedGame:
    """Store the partner of a seat, and return the game with it."""
    paired_seat = copy(seat)
    paired_seat.partner_join_order = partner_seat.join_order
    paired_seat.save(update_fields=["partner_join_order"])
    seats = [paired_seat if candidate is seat else candidate for candidate in loaded_game.seats]
    return replace(loaded_game, seats=seats)


def separate_opponents(loaded_game: LoadedGame) -> LoadedGame:
    """Give a host with invited opponents another partner: a bot, or at the start any other player.

    Returns the game with this partner. A partner whom the host has chosen or invited stays.
    """
    game = loaded_game.game
    host = game.creator if game.mode == Game.Mode.PAIRS else None
    own_seat = loaded_game.seat_of(host)
    if (
        host is None
        or own_seat is None
        or has_partner(loaded_game, host)
        or not has_opponents(loaded_game, host)
    ):
        return loaded_game
    excluded_seats = [own_seat, *find_opponent_seats(loaded_game, host)]
    candidate_seats = [seat for seat in loaded_game.seats if seat not in excluded_seats]
    if len(loaded_game.seats) < game.seat_count:
        candidate_seats = [seat for seat in candidate_seats if seat.bot_policy]
    opposite_join_order = (own_seat.join_order + 1) % 4 + 1  # the partner by seat order
    partner_seat = min(
        candidate_seats,
        key=lambda seat: (not seat.bot_policy, seat.join_order != opposite_join_order, seat.join_order),
        default=None,
    )
    return save_partner(loaded_game, own_seat, partner_seat) if partner_seat else loaded_game


def pair_two_people(loaded_game: LoadedGame) -> LoadedGame:
    """At a full table, let two people play together against two bots, if nobody chose who plays with whom.

    Returns the game with these partners. Not where seats are drawn by lot, nor in a game of an event, which
    says itself who sits where.
    """
    game = loaded_game.game
    if game.mode != Game.Mode.PAIRS or game.seat_order == Game.SeatOrder.SHUFFLED or game.creator_id is None:
        return loaded_game
    player_seats = [seat for seat in loaded_game.seats if seat.player_id]
    bot_seats = [seat for seat in loaded_game.seats if seat.bot_policy]
    if len(player_seats) == len(bot_seats) == 2 and not any(
        seat.partner_join_order for seat in loaded_game.seats
    ):
        first, second = player_seats
        return save_partner(loaded_game, first, second)
    return loaded_game
