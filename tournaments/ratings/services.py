"""Ratings: every rated game counts once, in a stored order; a replay of that order gives the same ratings."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import groupby

from django.db import transaction
from django.db.models import Exists, OuterRef, Q
from openskill.models import PlackettLuce

from common.budget import Budget
from games.engine.state import sides_of
from games.models import Game, Seat
from games.selectors.handovers import list_seats_with_moves
from tournaments.models import RatedGame, Rating, RatingChange, RatingCursor
from tournaments.ratings.selectors import INITIAL_MU, INITIAL_SIGMA
from tournaments.selectors.game_results import GameEnding, load_game_endings, rank_sides

RATING_MODEL = PlackettLuce()
RATEABLE_GAMES = Q(obligation="strict")  # in lenient games it pays never to score
RATING_BATCH_SIZE = 200
# A game's end time is set before its transaction commits; commits never take longer than this.
COMMIT_OVERLAP = timedelta(hours=1)


@dataclass
class SeatRating:
    """The rating of the player in a seat of a game."""

    seat_no: int
    rating: Rating


def rate_finished_games(*, now: datetime, budget: Budget | None = None) -> int:
    """Rate finished games while the budget lasts. Returns how many games were processed."""
    game_count, budget = 0, budget or Budget.unlimited()
    while batch_count := rate_batch(now=now):
        game_count += batch_count
        if not budget.allows_more():
            break
    return game_count


@transaction.atomic
def rate_batch(*, now: datetime, limit: int = RATING_BATCH_SIZE) -> int:
    """Rate one batch of finished games. Returns its size; 0 if another worker holds the cursor.

    1. Lock the cursor and read unrated games in order of their end.
    2. Load seats, ratings and game endings.
    3. Rate each game; games that change ratings get the next sequence number.
    4. Save rated games, changes and ratings, and advance the cursor.
    """
    RatingCursor.objects.get_or_create(pk=1)
    cursor = RatingCursor.objects.select_for_update(skip_locked=True).filter(pk=1).first()
    if cursor is None:
        return 0
    rated_games = RatedGame.objects.filter(game=OuterRef("pk"))
    unrated_games = Game.objects.filter(
        ~Exists(rated_games), RATEABLE_GAMES, status=Game.Status.OVER, rated=True
    )
    if cursor.processed_until:
        unrated_games = unrated_games.filter(finished_at__gte=cursor.processed_until - COMMIT_OVERLAP)
    games = list(unrated_games.defer("initial_events", "seat_clocks").order_by("finished_at", "pk")[:limit])
    if not games:
        return 0
    seats_by_game: dict[int, list[Seat]] = {game.pk: [] for game in games}
    for seat in Seat.objects.filter(game__in=games).select_related("player").order_by("game_id", "seat_no"):
        seats_by_game[seat.game_id].append(seat)
    ratings = get_or_create_ratings(games, seats_by_game)
    endings, seats_with_moves = load_game_endings(games), list_seats_with_moves(games)
    rated_rows, changes = [], []
    for game in games:
        seat_ratings = [
            SeatRating(seat.seat_no, ratings[seat.player_id, game.mode])
            for seat in seats_by_game[game.pk]
            if seat.player_id and seat.seat_no
        ]
        # Ratings of people and of bots are two lists: a game between them counts for neither.
        kinds = {seat.player.is_bot for seat in seats_by_game[game.pk] if seat.player}
        counted_ratings = (
            list_counted_seats(game, seat_ratings, seats_with_moves)
            if len(seat_ratings) == game.seat_count and len(kinds) == 1
            else []
        )
        game_changes = rate_game(game, endings[game.pk], counted_ratings)
        cursor.last_sequence_no += bool(game_changes)
        rated_rows.append(RatedGame(game=game, sequence_no=cursor.last_sequence_no if game_changes else None))
        changes += game_changes
    RatedGame.objects.bulk_create(rated_rows)
    RatingChange.objects.bulk_create(changes)
    Rating.objects.bulk_update({change.rating for change in changes}, ["mu", "sigma", "game_count"])
    end_times = [game.finished_at for game in games if game.finished_at]
    cursor.processed_until = max([*end_times, *([cursor.processed_until] if cursor.processed_until else [])])
    cursor.save()
    return len(games)


def rewind_rating_cursor(*, ended_at: datetime | None) -> None:
    """Move the cursor back to a game that became rateable only now, so that the next sweep reads it."""
    if ended_at is not None:
        RatingCursor.objects.filter(pk=1, processed_until__gt=ended_at).update(processed_until=ended_at)


def get_or_create_ratings(
    games: Iterable[Game], seats_by_game: dict[int, list[Seat]]
) -> dict[tuple[int, str], Rating]:
    """Return the ratings of all players of these games, and create missing ones."""
    player_modes = {
        (seat.player_id, game.mode) for game in games for seat in seats_by_game[game.pk] if seat.player_id
    }
    Rating.objects.bulk_create(
        [
            Rating(player_id=player_id, mode=mode, mu=INITIAL_MU, sigma=INITIAL_SIGMA)
            for player_id, mode in sorted(player_modes)
        ],
        ignore_conflicts=True,
    )
    stored_ratings = Rating.objects.filter(player__in={player_id for player_id, _mode in player_modes})
    return {(rating.player_id, rating.mode): rating for rating in stored_ratings if rating.player_id}


def list_counted_seats(
    game: Game, seat_ratings: Sequence[SeatRating], seats_with_moves: Collection[tuple[int, int]]
) -> list[SeatRating]:
    """List the seats that a game rates: those of sides all of whose players made a move in their own seat.

    Nobody loses or gains rating by moves of the clock, of others or of a predecessor.
    """
    side_of = sides_of(game.mode, game.seat_count)
    idle_sides = {
        side_of[seat_rating.seat_no]
        for seat_rating in seat_ratings
        if (game.pk, seat_rating.seat_no) not in seats_with_moves
    }
    return [seat_rating for seat_rating in seat_ratings if side_of[seat_rating.seat_no] not in idle_sides]


def rate_game(game: Game, ending: GameEnding, seat_ratings: Sequence[SeatRating]) -> list[RatingChange]:
    """Rate a game: update the ratings in place and return the changes; none below two sides."""
    assert game.result is not None
    side_of = sides_of(game.mode, game.seat_count)
    totals = {int(side): total for side, total in game.result["totals"].items()}
    rank_of_side = dict(
        zip(sorted(totals), rank_sides(totals, game.result["winner"], ending.resigned_sides), strict=True)
    )
    sides = sorted({side_of[seat_rating.seat_no] for seat_rating in seat_ratings})
    teams = [
        [seat_rating for seat_rating in seat_ratings if side_of[seat_rating.seat_no] == side]
        for side in sides
    ]
    if len(teams) < 2:
        return []
    ratings_before = [
        [
            RATING_MODEL.create_rating([seat_rating.rating.mu, seat_rating.rating.sigma])
            for seat_rating in team
        ]
        for team in teams
    ]
    ratings_after = RATING_MODEL.rate(ratings_before, ranks=[float(rank_of_side[side]) for side in sides])
    changes = []
    for team, new_values in zip(teams, ratings_after, strict=True):
        for seat_rating, new_value in zip(team, new_values, strict=True):
            rating = seat_rating.rating
            changes.append(
                RatingChange(
                    rating=rating,
                    game=game,
                    seat_no=seat_rating.seat_no,
                    mu_before=rating.mu,
                    sigma_before=rating.sigma,
                    mu=new_value.mu,
                    sigma=new_value.sigma,
                )
            )
            rating.mu, rating.sigma, rating.game_count = new_value.mu, new_value.sigma, rating.game_count + 1
    return changes


@transaction.atomic
def rebuild_ratings(*, now: datetime) -> tuple[int, int]:
    """Replay all rated games in their stored order. Returns the numbers of games and of wrong ratings."""
    RatingCursor.objects.get_or_create(pk=1)
    RatingCursor.objects.select_for_update().get(pk=1)
    ratings = {rating.pk: rating for rating in Rating.objects.select_for_update().order_by("pk")}
    stored_values = {
        rating_id: (rating.mu, rating.sigma, rating.game_count) for rating_id, rating in ratings.items()
    }
    for rating in ratings.values():
        rating.mu, rating.sigma, rating.game_count = INITIAL_MU, INITIAL_SIGMA, 0
    uncount_lenient_games()
    rated_games = RatedGame.objects.filter(sequence_no__isnull=False).order_by("sequence_no")
    game_ids = list(rated_games.values_list("game_id", flat=True))
    for start in range(0, len(game_ids), RATING_BATCH_SIZE):
        replay_games(game_ids[start : start + RATING_BATCH_SIZE], ratings)
    Rating.objects.bulk_update(ratings.values(), ["mu", "sigma", "game_count"], batch_size=1000)
    differing_count = sum(
        stored_values[rating_id] != (rating.mu, rating.sigma, rating.game_count)
        for rating_id, rating in ratings.items()
    )
    return len(game_ids), differing_count


def uncount_lenient_games() -> None:
    """Take games that are no longer rateable out of the ratings."""
    lenient_games = RatedGame.objects.filter(sequence_no__isnull=False).exclude(
        game__in=Game.objects.filter(RATEABLE_GAMES)
    )
    RatingChange.objects.filter(game__in=lenient_games.values("game")).delete()
    lenient_games.update(sequence_no=None)


def replay_games(game_ids: Collection[int], ratings: dict[int, Rating]) -> None:
    """Rate some games again, in this order, and update their stored changes."""
    games = {
        game.pk: game for game in Game.objects.filter(pk__in=game_ids).defer("initial_events", "seat_clocks")
    }
    old_changes = RatingChange.objects.filter(game__in=game_ids).order_by("game_id", "seat_no")
    changes_by_game = {
        game_id: list(game_changes)
        for game_id, game_changes in groupby(old_changes, key=lambda change: change.game_id)
    }
    endings = load_game_endings(list(games.values()))
    updated_changes = []
    for game_id in game_ids:
        changes_by_seat = {change.seat_no: change for change in changes_by_game[game_id]}
        seat_ratings = [
            SeatRating(seat_no, ratings[change.rating_id])
            for seat_no, change in sorted(changes_by_seat.items())
        ]
        for new_change in rate_game(games[game_id], endings[game_id], seat_ratings):
            change = changes_by_seat[new_change.seat_no]
            change.mu_before, change.sigma_before = new_change.mu_before, new_change.sigma_before
            change.mu, change.sigma = new_change.mu, new_change.sigma
            updated_changes.append(change)
    RatingChange.objects.bulk_update(
        updated_changes, ["mu_before", "sigma_before", "mu", "sigma"], batch_size=1000
    )
