"""Builds what a viewer may see of a game. Doors get a game only through `load_view_for`."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import get_language

from accounts.models import Player
from accounts.models.players import FORMER_PLAYER_NAME
from common.instants import format_instant
from games.bot_names import choose_given_name
from games.engine import ActionSource, Mode, SeatOrder, list_offered_actions, record
from games.engine.game_result import EndReason, find_end_reason
from games.engine.read_models import (
    FairnessData,
    GameResultData,
    RecordData,
    SeatPositionData,
    SharedPositionData,
    TournamentSeedData,
)
from games.engine.view import (
    build_options_data,
    build_own_position,
    build_shared_position,
    list_seat_positions,
)
from games.models import Action, DerivedSeed, Game, Seat
from games.permissions import PermissionContext, list_permissions

from .clocks import build_seat_time_data, find_round_end_data, turn_allowance_of
from .deadlines import deadline_kind_of, deadline_of
from .loaded_games import (
    LoadedGame,
    NoRecordYet,
    NoSuchGame,
    build_loaded_game,
    can_see_uninvited,
    engine_setup_of,
    has_open_invitation,
    load_game,
    load_game_for,
    seats_by_game_code,
)
from .read_models import (
    BoardPictureData,
    GameData,
    GameSettingsData,
    LogData,
    LogLineData,
    SeatData,
    SeatOccupantData,
    SeedDetailsData,
)

MAX_CACHED_VIEWS = 1000  # in a process; about 20 kB each with the rows that are their key


@dataclass(frozen=True)
class GameView:
    """A game as a view gets it: only what this viewer may see."""

    code: str
    view: GameData
    legal_actions: tuple[str, ...]
    offered_actions: tuple[str, ...]  # what pages and mails offer: without hints also what breaks a duty
    seat_no: int | None


@dataclass(frozen=True)
class CachedViewJson:
    """A view as JSON, and whether the viewer needs an invitation to see it."""

    json_bytes: bytes
    game_id: int
    needs_invitation: bool


@lru_cache(maxsize=MAX_CACHED_VIEWS)
def cached_view_json(
    rows: tuple[tuple[Any, ...], ...],
    viewer_id: int | None,
    language: str | None,
    bot_columns: tuple[bool, int | None] = (False, None),
) -> CachedViewJson:
    """Build a view as JSON, cached by the rows: most requests for a game find it unchanged.

    Everything that a view depends on must be among the arguments. Threads share the cache; two that miss at
    once build the same view twice.
    """
    seats = seats_by_game_code.build_objects(rows)
    loaded_game = build_loaded_game(seats[0].game, seats)
    is_bot, owner_id = bot_columns  # of the viewer; what they may do depends on them
    viewer = Player(pk=viewer_id, is_bot=is_bot, bot_owner_id=owner_id) if viewer_id else None
    json_bytes = json.dumps(view_for(loaded_game, viewer).view).encode()
    return CachedViewJson(json_bytes, loaded_game.game.pk, not can_see_uninvited(viewer, loaded_game))


def cached_json_for(viewer: Player | None, code: str) -> bytes:
    """The view of a game as JSON. Raises NoSuchGame, also for a private game of others."""
    rows = seats_by_game_code.fetch_rows(code)
    if not rows:
        return json.dumps(load_view_for(viewer, code).view).encode()
    bot_columns = (viewer.is_bot, viewer.bot_owner_id) if viewer else (False, None)
    cached = cached_view_json(rows, viewer.pk if viewer else None, get_language(), bot_columns)
    if cached.needs_invitation and not has_open_invitation(viewer, cached.game_id):
        raise NoSuchGame(code)
    return cached.json_bytes


def load_view_for(viewer: Player | None, code: str) -> GameView:
    """The view of a game for a viewer. Raises NoSuchGame, also for a private game of others."""
    return view_for(load_game_for(viewer, code), viewer)


def load_view_after_leaving(player: Player, code: str) -> GameView:
    """The view of a game for a player who has just left it, even if it is private. Raises NoSuchGame."""
    return view_for(load_game(code), player)


def view_for(loaded_game: LoadedGame, viewer: Player | None) -> GameView:
    """Build the view of a loaded game for a viewer."""
    game, state = loaded_game.game, loaded_game.state
    own_seat = loaded_game.seat_of(viewer)
    seat_no = own_seat.seat_no if own_seat else None
    seat_positions = {row["seat"]: row for row in list_seat_positions(state)} if state else {}
    game_view: GameData = {
        **common_game_fields(game),
        "rules": game.rules_version,
        "chat": game.chat,
        "expires_at": format_instant(game.expires_at) if game.is_open else None,
        "started_at": format_instant(game.started_at),
        "finished_at": format_instant(game.finished_at),
        "reason": end_reason_of(game, state.result if state else None),
        "fairness": fairness_view(loaded_game),
        **(build_shared_position(state) if state else build_unstarted_position()),
        "seats": [
            build_seat_data(game, seat, seat_positions.get(seat.seat_no or 0)) for seat in loaded_game.seats
        ],
        "joined": own_seat.join_order if own_seat else None,
        "permissions": list_permissions(PermissionContext(loaded_game, viewer) if viewer else None),
    }
    if state and own_seat and seat_no:
        game_view["you"] = {
            **build_own_position(state, seat_no, hand_hidden=own_seat.hand_hidden),
            "eight_policy": Seat.EightPolicy(own_seat.eight_policy),
            "muted": own_seat.muted,
            "hand_hidden": own_seat.hand_hidden,
            "orders": {"draw": own_seat.draws_automatically, "only": own_seat.plays_only_action},
        }
    legal = tuple(game_view["you"]["legal"]) if "you" in game_view else ()
    offered: tuple[str, ...] = ()
    if legal and state and seat_no:
        offered = list_offered_actions(state, seat_no, has_hints=game.hints)
    return GameView(game.code, game_view, legal, offered, seat_no)


def end_reason_of(game: Game, result: GameResultData | None) -> EndReason | None:
    """Return the decision of a game with this result; None until it is over."""
    return find_end_reason(result, mode=game.mode, target=game.target) if result else None


def common_game_fields(game: Game) -> GameSettingsData:
    """The fields that a game's view and its summary in a list share."""
    return {
        "id": game.code,
        "status": game.current_status,
        "mode": Mode(game.mode),
        "edition": game.edition,
        "options": build_options_data(game, game.rules_version),
        "clock": {
            "name": game.time_control,
            "allowance_seconds": game.allowance,
            "bank_seconds": game.bank,
            "blind_allowance_seconds": turn_allowance_of(game, "blind"),
            "timeouts": Game.TimeoutPolicy(game.timeout_policy),
            "weekends": game.weekends,
            "nights": game.nights,
            "vacation": game.vacation,
            "paused_until": format_instant(game.paused_until),
        },
        "order": SeatOrder(game.seat_order),
        "private": game.private,
        "rated": game.rated,
        "hints": game.hints,
        "bots_allowed": game.bots_allowed,
        "seats_wanted": game.seat_count,
        "created_at": format_instant(game.created_at),
        "deadline": format_instant(deadline_of(game)),
        "deadline_kind": deadline_kind_of(game),
        "round_end": find_round_end_data(game),
    }


def build_unstarted_position() -> SharedPositionData:
    """The position of a game that has not started."""
    return {
        "seq": 0,
        "phase": None,
        "match": 0,
        "to_act": [],
        "board": {"cells": {}, "figures": []},
        "drawn": None,
        "markers": {},
        "totals": {},
        "tower_left": 0,
        "deck_left": 0,
        "kind": None,
        "turn": None,
        "second_turn": False,
        "stolen": None,
        "points": {},
        "played": [],
        "removed_tiles": [],
        "protected": [],
        "missed_duty": [],
        "matches": [],
        "shootout": [],
        "winner": None,
    }


def build_seat_data(game: Game, seat: Seat, position: SeatPositionData | None) -> SeatData:
    """The view of a seat: who sits there, its clock, and after the start what lies before it."""
    occupant, seat_time = seat_occupant_view(seat), build_seat_time_data(game, seat)
    if position is None:
        return {
            "seat": None,
            "side": None,
            "cards": None,
            "table": None,
            "in_play": None,
            **occupant,
            **seat_time,
        }
    return {**position, **occupant, **seat_time}


def seat_occupant_view(seat: Seat) -> SeatOccupantData:
    """The view of who sits at a seat."""
    return {
        "joined": seat.join_order,
        "name": seat_name(seat),
        "player": seat.player.name if seat.player and not seat.player.is_guest else None,
        "bot": seat.bot_policy or None,
        "bot_name": choose_given_name(seat.game.code, seat.join_order) if seat.bot_policy else None,
        "partner": seat.partner_join_order,
        "is_bot": bool(seat.bot_policy) or bool(seat.player and seat.player.is_bot),
        "owner": seat.player.bot_owner.name if seat.player and seat.player.bot_owner else None,
    }


def seat_name(seat: Seat) -> str:
    """The name of who sits at a seat."""
    if seat.player:
        return seat.player.name
    return f"{seat.bot_policy} bot" if seat.bot_policy else str(FORMER_PLAYER_NAME)


def fairness_view(loaded_game: LoadedGame) -> FairnessData:
    """Commitment and client seeds; the server seed only when the game is over."""
    is_over = loaded_game.is_over
    return {
        "commitment": loaded_game.game.commitment,
        "server_seed": bytes(loaded_game.game.secrets.server_seed).hex() if is_over else None,
        "client_seeds": [seat.client_seed for seat in loaded_game.seats],
    }


def build_record_for(viewer: Player | None, code: str) -> RecordData:
    """The record of a game that has started. Raises NoSuchGame."""
    loaded_game = load_game_for(viewer, code)
    if not loaded_game.state:
        raise NoRecordYet(code)
    action_rows = actions_of(loaded_game.game).values_list("seq", "seat", "action", "by", "at")
    return build_game_record(loaded_game, action_rows, tournament_seed_view(loaded_game.game))


ActionRow = tuple[int, int, str, str, datetime]  # seq, seat, action, by, at


def build_game_record(
    loaded_game: LoadedGame, action_rows: Iterable[ActionRow], tournament_seed: TournamentSeedData | None
) -> RecordData:
    """The record of a game that has started, from its rows; the seed only if it has a result."""
    seat_nos_by_join_order = [
        seat.seat_no for seat in sorted(loaded_game.seats, key=lambda seat: seat.join_order)
    ]
    return record.build_record(
        game_code=loaded_game.game.code,
        setup=engine_setup_of(loaded_game),
        names=[seat_name(seat) for seat in loaded_game.seats],
        commitment=loaded_game.game.commitment,
        server_seed=bytes(loaded_game.game.secrets.server_seed) if loaded_game.game.result else None,
        client_seeds=[seat.client_seed for seat in loaded_game.seats],
        seat_order=SeatOrder(loaded_game.game.seat_order),
        seats_by_joining=[seat_no for seat_no in seat_nos_by_join_order if seat_no],
        actions=[
            {
                "seq": seq,
                "seat": seat_no,
                "action": action,
                "by": ActionSource(source),
                "at": format_instant(at),
            }
            for seq, seat_no, action, source, at in action_rows
        ],
        result=loaded_game.game.result,
        tournament=tournament_seed,
    )


def seed_details_for(viewer: Player | None, code: str) -> SeedDetailsData:
    """Return the origins of a game's seeds. Raises NoSuchGame.

    A seat whose seed is its join order has brought none. In a tournament the default is the entry number,
    which only the tournament knows, so any number counts as no seed there.
    """
    loaded_game = load_game_for(viewer, code)
    tournament_seed = tournament_seed_view(loaded_game.game)
    with_own_seed: list[SeatOccupantData] = []
    without_seed: list[SeatOccupantData] = []
    for seat in loaded_game.seats:
        seed = seat.client_seed
        has_no_seed = not seed or (seed.isdecimal() if tournament_seed else seed == str(seat.join_order))
        (without_seed if has_no_seed else with_own_seed).append(seat_occupant_view(seat))
    return {
        "event": tournament_seed,
        "committed_first": Game.objects.values_list("committed_first", flat=True).get(pk=loaded_game.game.pk),
        "own": with_own_seed,
        "without": [occupant for occupant in without_seed if not occupant["bot"]],
        "bots": [occupant for occupant in without_seed if occupant["bot"]],
    }


def tournament_seed_view(game: Game) -> TournamentSeedData | None:
    """The tournament seed of a game, in the format of the record; None for other games."""
    derived_seed = DerivedSeed.objects.filter(game=game).select_related("tournament_seed").first()
    return build_tournament_seed(derived_seed) if derived_seed else None


def build_tournament_seed(derived_seed: DerivedSeed) -> TournamentSeedData:
    """A tournament seed in the format of the record; the seed itself once the tournament is over."""
    return {
        "id": derived_seed.tournament_seed.tournament_code,
        "commitment": derived_seed.tournament_seed.commitment,
        "match": derived_seed.match,
        "game": derived_seed.game_number,
        "attempt": derived_seed.attempt,
        "seed": derived_seed.tournament_seed.seed or None,
    }


def actions_of(game: Game) -> QuerySet[Action]:
    """The actions of a game, in order."""
    return Action.objects.filter(game=game).order_by("seq")


def log_page_for(viewer: Player | None, code: str, after: int, limit: int) -> LogData:
    """A page of a game's log. Raises NoSuchGame."""
    loaded_game = load_game_for(viewer, code)
    actions = list(actions_of(loaded_game.game).filter(seq__gt=after)[: limit + 1])
    return {
        "results": action_views(actions[:limit]),
        "next": actions[limit - 1].seq if len(actions) > limit else None,
    }


def initial_events_for(viewer: Player | None, code: str) -> list[dict[str, Any]]:
    """The events of a game's first deal, which precede its log. Raises NoSuchGame."""
    initial_events: list[dict[str, Any]] = load_game_for(viewer, code).game.initial_events
    return initial_events


def action_views(actions: Iterable[Action]) -> list[LogLineData]:
    """The public view of actions."""
    return [
        {
            "seq": action.seq,
            "seat": action.seat,
            "action": action.action,
            "by": ActionSource(action.by),
            "at": format_instant(action.at),
            "hash": action.hash,
            "events": action.events,
        }
        for action in actions
    ]


def board_view_for(viewer: Player | None, code: str) -> BoardPictureData:
    """Return the data of a picture of the board, the same for every viewer of the game. Raises NoSuchGame."""
    game_view = load_view_for(viewer, code).view
    return {"edition": game_view["edition"], "board": game_view["board"], "seats": game_view["seats"]}
