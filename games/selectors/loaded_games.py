"""Loads games, for services and selectors. What a viewer may see of them is built in `game_views`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db.models import F

from accounts.models import Player
from common.compiled_queryset import CompiledQueryset
from games.clock import SeatClock
from games.engine import State, load_state
from games.engine.state import Setup
from games.models import Game, Invitation, Seat

from .clocks import compute_seat_deadline, seat_clock_of


@dataclass(frozen=True)
class LoadedGame:
    """A game with its seats and engine state. `state` holds every secret: for services and selectors only."""

    game: Game
    seats: list[Seat]
    state: State | None = field(repr=False)

    def seat_of(self, player: Player | None) -> Seat | None:
        """The seat of a player, or None."""
        if player is None:
            return None
        return next((seat for seat in self.seats if seat.player_id == player.pk), None)

    def seat_by_no(self, seat_no: int) -> Seat:
        """The seat with a number."""
        return next(seat for seat in self.seats if seat.seat_no == seat_no)

    @property
    def to_act(self) -> tuple[int, ...]:
        """The numbers of the seats that are to act."""
        return self.state.seats_to_act if self.state else ()

    @property
    def is_over(self) -> bool:
        """True if the game was played to its end."""
        return self.game.is_over

    def is_turn_of(self, seat_no: int) -> bool:
        """True if a seat is to act and its clock may run: not before a blind match has opened."""
        return self.game.is_turn_of(seat_no)

    def clock_of(self, seat_no: int) -> SeatClock:
        """The clock of a seat."""
        return seat_clock_of(self.game, seat_no)

    def deadline_of(self, seat_no: int) -> datetime | None:
        """Return the deadline of a seat on turn; None if it is not on turn or its clock stands still."""
        return compute_seat_deadline(self.game, self.seat_by_no(seat_no).player, self.clock_of(seat_no))

    def has_resigned(self, seat: Seat) -> bool:
        """True if the side of a seat has resigned while the others play on."""
        if self.state is None or seat.seat_no is None:
            return False
        return self.state.setup.sides[seat.seat_no] in self.state.resigned_sides

    def is_host(self, player: Player | None) -> bool:
        """True if a player has created the game, or become its host since."""
        return player is not None and self.game.creator_id == player.pk

    def has_other_players(self, viewer: Player | None) -> bool:
        """True if another person than the viewer plays, or may still join."""
        if self.game.is_open:
            return True
        return any(seat.player_id and (viewer is None or seat.player_id != viewer.pk) for seat in self.seats)

    def with_changes(self, columns: Mapping[str, Any], state: State | None) -> LoadedGame:
        """A copy with other game columns and another state. This game stays as it was read."""
        game = copy(self.game)
        for name, value in columns.items():
            setattr(game, name, value)
        return LoadedGame(game, self.seats, state)


class NoSuchGame(LookupError):
    """There is no such game for this viewer."""


class NoRecordYet(NoSuchGame):
    """The game has not started."""


class NotAtTable(NoSuchGame):
    """The viewer sees the game, but does not play in it."""


# A view shows only the players' names; their clocks also need hours and vacation. All other fields are
# deferred: parsing timestamps costs more than anything else in a row.
PLAYER_FIELDS_READ = {
    "id",
    "name",
    "is_guest",
    "time_zone",
    "quiet_from",
    "quiet_until",
    "vacation_start",
    "vacation_end",
}
PLAYER_FIELDS_READ |= {"past_vacations", "is_bot", "bot_owner"}
DEFERRED_VIEW_FIELDS = [
    "game__initial_events",
    "game__moved_at",
    "game__next_sweep_at",
    "game__committed_first",
    "game__rematch_of",
    "game__result",
    *(
        f"player__{field.name}"
        for field in Player._meta.concrete_fields
        if field.name not in PLAYER_FIELDS_READ
    ),
    *(
        f"player__bot_owner__{field.name}"
        for field in Player._meta.concrete_fields
        if field.name not in ("id", "name")
    ),
]
DEFERRED_SWEEP_PLAYER_FIELDS = [
    f"player__{field.name}"
    for field in Player._meta.concrete_fields
    if field.name not in PLAYER_FIELDS_READ | {"vacation_balance", "vacation_accrued_at", "joined_at"}
]
DEFERRED_SWEEP_GAME_FIELDS = [
    "initial_events",
    "created_at",
    "expires_at",
    "started_at",
    "finished_at",
    "moved_at",
    "result",
]
# Compiled once; `common.compiled_queryset` has the figure.
seats_by_game_code = CompiledQueryset(
    lambda code: (
        Seat.objects.filter(game__code=code)
        .select_related("game__secrets", "player__bot_owner")
        .defer(*DEFERRED_VIEW_FIELDS)
        .order_by(F("seat_no").asc(nulls_last=True), "join_order")
    ),
    shared_relation="game",
)


def load_game(code: str) -> LoadedGame:
    """Load a game by its code, in one query once somebody has joined. Raises NoSuchGame."""
    seats = seats_by_game_code(code)
    if seats:
        return build_loaded_game(seats[0].game, seats)
    game = Game.objects.filter(code=code).select_related("secrets").first()
    if game is None:
        raise NoSuchGame(code)
    return build_loaded_game(game, seats)


def build_loaded_game(game: Game, seats: list[Seat]) -> LoadedGame:
    """Build a loaded game from its rows; parses the engine state."""
    state_json = game.secrets.state
    return LoadedGame(game, seats, load_state(state_json) if state_json else None)


def load_games(ids: Sequence[int], on_broken: Callable[[Game], None]) -> list[LoadedGame]:
    """Load many games by id in two queries; players have all fields that clocks need.

    A game whose state cannot be loaded is left out; `on_broken` is called for it inside the `except` block.
    """
    games = (
        Game.objects.filter(pk__in=ids)
        .select_related("secrets")
        .defer(*DEFERRED_SWEEP_GAME_FIELDS)
        .order_by("pk")
    )
    seats_by_game = {game.pk: (game, list[Seat]()) for game in games}
    seat_rows = (
        Seat.objects.filter(game__in=ids).select_related("player").defer(*DEFERRED_SWEEP_PLAYER_FIELDS)
    )
    for seat in seat_rows.order_by("game_id", F("seat_no").asc(nulls_last=True), "join_order"):
        game, seats = seats_by_game[seat.game_id]
        seat.game = game
        seats.append(seat)
    loaded_games = []
    for game, seats in seats_by_game.values():
        try:
            loaded_games.append(build_loaded_game(game, seats))
        except Exception:
            on_broken(game)
    return loaded_games


def load_game_for(viewer: Player | None, code: str) -> LoadedGame:
    """Load a game that a viewer may see. Raises NoSuchGame."""
    loaded_game = load_game(code)
    if not can_see(viewer, loaded_game):
        raise NoSuchGame(code)
    return loaded_game


def can_see(viewer: Player | None, loaded_game: LoadedGame) -> bool:
    """True if a viewer may see a game: a private one only as its player, creator or invited player."""
    return can_see_uninvited(viewer, loaded_game) or has_open_invitation(viewer, loaded_game.game.pk)


def can_see_uninvited(viewer: Player | None, loaded_game: LoadedGame) -> bool:
    """True if a viewer may see a game without an invitation."""
    game = loaded_game.game
    if not game.private:
        return True
    return viewer is not None and bool(loaded_game.seat_of(viewer) or game.creator_id == viewer.pk)


def has_open_invitation(viewer: Player | None, game_id: int) -> bool:
    """True if a viewer has an open invitation to a game."""
    if viewer is None:
        return False
    return Invitation.objects.open().filter(game_id=game_id, player=viewer).exists()


def engine_setup_of(loaded_game: LoadedGame, key: bytes = bytes(32)) -> Setup:
    """The engine's setup of a game; only services that start or audit it pass the key."""
    game = loaded_game.game
    return Setup(
        mode=game.mode,
        seats=game.seat_count,
        edition=game.edition,
        cards=game.cards,
        obligation=game.obligation,
        target=game.target,
        seniority=tuple(game.seniority),
        key=key,
        rules=game.rules_version,
        cards_from=game.cards_from,
        seniority_rule=game.seniority_rule,
    )
