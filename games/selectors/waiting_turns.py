"""The turns that wait for a player, with the player's own deadlines."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db.models import prefetch_related_objects
from django.utils.text import get_text_list
from django.utils.translation import gettext as _

from accounts.models import Player
from games import clock
from games.engine.state import sides_of
from games.game_text import seat_display_name
from games.models import Game, Seat

from .clocks import build_calendar, load_unprocessed_incidents, seat_clock_of
from .deadlines import RoundEnd, first_deadline, round_end_if_first
from .game_views import seat_occupant_view
from .lists import SEATS_WITH_PLAYERS, list_seats_on_turn


@dataclass(frozen=True)
class WaitingTurn:
    """A turn that waits for a player."""

    game: Game
    seat: Seat
    turn_seq: int  # the seq at which it began
    since: datetime
    deadline: datetime | None  # the player's own, or the round's if earlier; other seats may have less time
    round_end: RoundEnd | None = None  # if the round ends before the turn's deadline


def list_waiting_turns(player: Player) -> list[WaitingTurn]:
    """The turns that wait for a player, most urgent first."""
    seats = list_seats_on_turn(player)
    prefetch_related_objects([seat.game for seat in seats], SEATS_WITH_PLAYERS)
    incidents = load_unprocessed_incidents() if seats else []
    waiting_turns = []
    for seat in seats:
        game = seat.game
        assert seat.seat_no
        assert game.moved_at
        seat_clock = seat_clock_of(game, seat.seat_no)
        turn_deadline = clock.deadline_of(seat_clock, build_calendar(game, player, incidents, seat_clock))
        turn_seq = seat_clock.turn_seq if seat_clock.is_on_turn else game.seq
        waiting_turns.append(
            WaitingTurn(
                game=game,
                seat=seat,
                turn_seq=turn_seq,
                since=seat_clock.turn_began_at or game.moved_at,
                deadline=first_deadline(game, turn_deadline),
                round_end=round_end_if_first(game, turn_deadline),
            )
        )
    return sorted(
        waiting_turns, key=lambda turn: (turn.deadline is None, turn.deadline or turn.since, turn.game.pk)
    )


def count_waiting_turns(player: Player) -> int:
    """The number of turns that wait for a player."""
    seats = Seat.objects.filter(player=player, game__status=Game.Status.RUNNING, seat_no__isnull=False)
    rows = seats.values_list("seat_no", "game__to_act_mask")
    return sum(1 for seat_no, to_act_mask in rows if seat_no and to_act_mask >> seat_no & 1)


def describe_other_players(seats: Iterable[Seat], player: Player) -> str:
    """A phrase that names the other players after "your game" or "your turn": "against bob and cleo"."""
    partner_names, opponent_names = list_other_names(seats, player)
    if partner_names and opponent_names:
        return _("with %(partner)s against %(names)s") % {"partner": partner_names, "names": opponent_names}
    if partner_names:
        return _("with %(names)s") % {"names": partner_names}
    return _("against %(names)s") % {"names": opponent_names} if opponent_names else _("on your own")


def list_other_names(seats: Iterable[Seat], player: Player) -> tuple[str, str]:
    """Names of a player's partner and opponents; while a game of pairs is open, all are partners."""
    ordered_seats = sorted(seats, key=lambda seat: (seat.seat_no or 9, seat.join_order))
    own_sides = [side_of_seat(seat) for seat in ordered_seats if seat.player_id == player.pk]
    partner_names: list[str] = []
    opponent_names: list[str] = []
    for seat in ordered_seats:
        if seat.player_id == player.pk:
            continue
        names = partner_names if side_of_seat(seat) in own_sides else opponent_names
        names.append(seat_display_name(seat_occupant_view(seat)))
    return get_text_list(partner_names, _("and")), get_text_list(opponent_names, _("and"))


def side_of_seat(seat: Seat) -> int:
    """The side of a seat. Before the start: one for all of a game of pairs, as partners are not yet known."""
    if seat.game.mode != Game.Mode.PAIRS:
        return seat.seat_no or -seat.join_order
    return sides_of(seat.game.mode, seat.game.seat_count)[seat.seat_no] if seat.seat_no else 0
