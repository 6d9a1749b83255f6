"""Rows of game lists for templates: players, scores, settings, deadlines."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, TypedDict

from django.db.models import prefetch_related_objects
from django.utils.text import capfirst, get_text_list
from django.utils.translation import gettext as _

from accounts.models import Player
from games import selectors
from games.engine import ending_text
from games.engine.state import sides_of
from games.game_text import build_translator, seat_display_name
from games.models import Game
from games.permissions import PermissionContext, find_bot_consent_refusal, find_join_refusal
from games.selectors.game_ends import ListedGameEnd, find_game_end
from games.selectors.lists import (
    OPEN_INVITATIONS,
    SEATS_WITH_PLAYERS,
    GameScore,
    list_seat_summaries,
    listed_game_fields,
)
from games.selectors.read_models import ListedGameData, SeatSummaryData
from games.selectors.waiting_turns import WaitingTurn

from . import settings_text

MAX_URGENT_TIME = timedelta(hours=12)  # a clock with less than this, or a quarter of its allowance, is urgent


class SeatRowData(SeatSummaryData):
    """A seat in the row of a game."""

    side: int | None
    is_own: bool
    is_to_act: bool


class SideRowData(TypedDict):
    """A side in the row of a game, with its one score; before the start each seat counts as one."""

    number: int | None
    seats: list[SeatRowData]
    total: int | None
    points: int | None


class GameRowData(ListedGameData):
    """A game in the list of a page."""

    seats: list[SeatRowData]
    sides: list[SideRowData]
    code: str
    settings_summary: str
    stage: str
    match: int
    other_names: str  # players other than the viewer
    to_act_names: str
    ending: str
    reasons: list[str]  # who won and why, if the game is over
    has_seat: bool
    empty: range
    free_seat_count: int  # for the viewer
    can_join: bool
    asks_about_bots: bool  # whether the viewer must agree to play with a bot before they sit down
    moved_at: datetime | None
    finished_at: datetime | None
    expires_at: datetime | None


def build_rows(games: Iterable[Game], viewer: Player | None) -> list[GameRowData]:
    """Return the rows of games, with three queries however many games."""
    games = list(games)
    prefetch_related_objects(games, SEATS_WITH_PLAYERS)
    prefetch_related_objects([game for game in games if game.is_open], OPEN_INVITATIONS)
    scores = selectors.load_scores([game for game in games if game.is_playing])
    return [build_row(game, viewer, scores.get(game.pk)) for game in games]


def build_row(game: Game, viewer: Player | None, score: GameScore | None) -> GameRowData:
    """Return the row of a game whose seats and open invitations are prefetched."""
    listed_game = listed_game_fields(game)
    totals = {int(side): total for side, total in (game.result or {}).get("totals", {}).items()}
    totals = totals or (score.totals if score else {})
    sides = sides_of(game.mode, game.seat_count)
    seat_rows, open_invitations = list(game.seats.all()), getattr(game, "open_invitations", [])
    # Compared by id, because a guest's seat shows no player name.
    own_join_order = next(
        (seat_row.join_order for seat_row in seat_rows if viewer and seat_row.player_id == viewer.pk), None
    )
    seats: list[SeatRowData] = []
    for seat in list_seat_summaries(game):
        side = sides[seat["seat"] or 0] or None
        seats.append(
            {
                **seat,
                "side": side,
                "is_own": seat["joined"] == own_join_order,
                "is_to_act": seat["seat"] in listed_game["to_act"],
            }
        )
    if game.mode == Game.Mode.PAIRS:
        seats.sort(key=lambda seat: (seat["side"] or 9, seat["seat"] or 9))
    free_seat_count = selectors.count_unreserved_seats(game, seat_rows, open_invitations, viewer)
    if game.mode == Game.Mode.SOLO and not game.result:
        totals = {}  # of finished matches, and a solo game has one
    loaded_game = selectors.LoadedGame(game, seat_rows, None)
    context = PermissionContext(loaded_game, viewer, free_seat_count=free_seat_count) if viewer else None
    acting_seats = [seat for seat in seats if seat["is_to_act"]]
    own_seat = next((seat for seat in seats if seat["is_own"]), None)
    return {
        **listed_game,
        "seats": seats,
        "sides": group_seats_by_side(seats, totals, score.points if score else {}),
        "code": game.code,
        "settings_summary": settings_text.summarise_open_game(listed_game)
        if game.is_open
        else settings_text.summarise_begun_game(listed_game),
        "stage": capfirst(settings_text.describe_status(listed_game)),
        "match": score.match if score and game.mode != Game.Mode.SOLO else 0,
        "other_names": join_names(seat for seat in seats if not seat["is_own"]),
        "to_act_names": capfirst(join_names(acting_seats))
        if acting_seats and acting_seats[0]["bot"]
        else join_names(acting_seats),
        "ending": outcome_for_side(game, own_seat["side"] if own_seat else None),
        "reasons": describe_game_end(game_end, seats) if (game_end := find_game_end(game)) else [],
        "has_seat": own_seat is not None,
        "empty": range(game.seat_count - len(seat_rows)),
        "free_seat_count": max(free_seat_count, 0),
        "can_join": context is not None and find_join_refusal(context) is None,
        "asks_about_bots": context is not None
        and find_bot_consent_refusal(context, accepts_bots=False) is not None,
        "moved_at": game.moved_at,
        "finished_at": game.finished_at,
        "expires_at": game.expires_at,
    }


def group_seats_by_side(
    seats: Iterable[SeatRowData], totals: Mapping[int, int], points: Mapping[int, int]
) -> list[SideRowData]:
    """Group seats that are sorted by side, so that a pair has one score; those without a side stay alone."""
    members_by_side: dict[object, list[SeatRowData]] = {}
    for index, seat in enumerate(seats):
        members_by_side.setdefault(seat["side"] or f"seat {index}", []).append(seat)
    return [
        {
            "number": members[0]["side"],
            "seats": members,
            "total": totals.get(members[0]["side"] or 0),
            "points": points.get(members[0]["side"] or 0),
        }
        for members in members_by_side.values()
    ]


def join_names(seats: Iterable[SeatRowData]) -> str:
    """Join the names of seats into a phrase."""
    return get_text_list([seat_display_name(seat) for seat in seats], _("and"))


def outcome_for_side(game: Game, side: int | None) -> str:
    """Return how a game ended for a side: won, lost or drawn; empty while it is running."""
    if not game.result or side is None:
        return ""
    winner = game.result.get("winner")
    if winner is None and game.mode != Game.Mode.SOLO:
        return "drawn"
    return "won" if winner == side else "lost"


def describe_game_end(game_end: ListedGameEnd, seats: Sequence[SeatRowData]) -> list[str]:
    """Return the sentences that say why a game ended as it did; where many or one played, also who won."""
    translator, result = build_translator({"seats": seats}), game_end.result
    reasons = ending_text.describe_result(result, translator, game_end.timed_out_side)
    if len(result.ranking) == 2:
        return reasons  # the row says who won
    headline = ending_text.format_result_headline(result, None, translator)
    return [f"{translator.capitalize_sentence(headline)}.", *reasons]


def build_turn_row(turn: WaitingTurn, game_row: GameRowData, now: datetime) -> dict[str, Any]:
    """Add deadline and time left to the row of a game that waits for the viewer."""
    time_left = turn.deadline - now if turn.deadline else None
    urgent_time = compute_urgent_time(turn.game.allowance)
    return {
        **game_row,
        "deadline": turn.deadline,
        "round_end": turn.round_end,
        "is_late": time_left is not None and time_left.total_seconds() <= 0,
        "is_urgent": time_left is not None and time_left < urgent_time,
        "urgent_seconds": int(urgent_time.total_seconds()),
    }


def compute_urgent_time(allowance_seconds: int) -> timedelta:
    """Return below how much time a clock is urgent."""
    return min(MAX_URGENT_TIME, timedelta(seconds=allowance_seconds) / 4)
