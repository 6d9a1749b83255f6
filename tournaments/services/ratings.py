"""Ratings are written once a game, in one order for good; replaying that order gives the same numbers."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import groupby

from django.db import transaction
from django.db.models import Exists, OuterRef, Q
from openskill.models import PlackettLuce

from games.engine.state import sides_of
from games.models import Game, Seat
from games.selectors.handovers import seats_that_moved
from games.services.budget import Budget
from tournaments.models import RatedGame, Rating, RatingBook, RatingChange
from tournaments.selectors.games import Ended, ended, ranks
from tournaments.selectors.ratings import MU, SIGMA

MODEL = PlackettLuce()
RATEABLE = Q(obligation="strict")  # without the duty to close figures it pays never to score
BATCH = 200
# A game's end is noted when its last move is made, and seen when that is committed: never so much later.
OVERLAP = timedelta(hours=1)


@dataclass
class Seated:
    """Somebody's rating in a game."""

    seat: int
    rating: Rating


def sweep(*, now: datetime, budget: Budget | None = None) -> int:
    """Count games that have ended since, while the budget lasts. Returns how many were looked at."""
    done, budget = 0, budget or Budget.unlimited()
    while looked := sweep_batch(now=now):
        done += looked
        if not budget.allows_more():
            break
    return done


@transaction.atomic
def sweep_batch(*, now: datetime, limit: int = BATCH) -> int:
    """One batch; 0 if there is nothing to do or somebody else is at it."""
    RatingBook.objects.get_or_create(pk=1)
    book = RatingBook.objects.select_for_update(skip_locked=True).filter(pk=1).first()
    if book is None:
        return 0
    seen = RatedGame.objects.filter(game=OuterRef("pk"))
    found = Game.objects.filter(~Exists(seen), RATEABLE, status=Game.Status.OVER, rated=True)
    if book.until:
        found = found.filter(finished_at__gte=book.until - OVERLAP)
    games = list(found.defer("opening", "clocks").order_by("finished_at", "pk")[:limit])
    if not games:
        return 0
    places: dict[int, list[Seat]] = {game.pk: [] for game in games}
    for place in Seat.objects.filter(game__in=games).order_by("game_id", "number"):
        places[place.game_id].append(place)
    ratings = ratings_for(games, places)
    logs, moved = ended(games), seats_that_moved(games)
    looked, changes = [], []
    for game in games:
        seated = [
            Seated(place.number, ratings[place.player_id, game.mode])
            for place in places[game.pk]
            if place.player_id and place.number
        ]
        rated = who_counts(game, seated, moved) if len(seated) == game.seats else []
        made = weigh(game, logs[game.pk], rated)
        book.number += bool(made)
        looked.append(RatedGame(game=game, number=book.number if made else None))
        changes += made
    RatedGame.objects.bulk_create(looked)
    RatingChange.objects.bulk_create(changes)
    Rating.objects.bulk_update({change.rating for change in changes}, ["mu", "sigma", "games"])
    ends = [game.finished_at for game in games if game.finished_at]
    book.until = max([*ends, *([book.until] if book.until else [])])
    book.save()
    return len(games)


def look_back(*, to: datetime | None) -> None:
    """A game that ended then is rated only now: the next sweep looks that far back."""
    if to is not None:
        RatingBook.objects.filter(pk=1, until__gt=to).update(until=to)


def ratings_for(games: Iterable[Game], places: dict[int, list[Seat]]) -> dict[tuple[int, str], Rating]:
    """The ratings of all who play, made for those who have none."""
    wanted = {(place.player_id, game.mode) for game in games for place in places[game.pk] if place.player_id}
    Rating.objects.bulk_create(
        [Rating(player_id=player, mode=mode, mu=MU, sigma=SIGMA) for player, mode in sorted(wanted)],
        ignore_conflicts=True,
    )
    found = Rating.objects.filter(player__in={player for player, _mode in wanted})
    return {(one.player_id, one.mode): one for one in found if one.player_id}


def who_counts(game: Game, seated: Sequence[Seated], moved: Collection[tuple[int, int]]) -> list[Seated]:
    """Those whom a game rates: sides all of whose players have made a move themselves, in their own seat.

    Nobody loses by what others, the clock or a predecessor did for them, and nobody gains by it.
    """
    side_of = sides_of(game.mode, game.seats)
    idle = {side_of[one.seat] for one in seated if (game.pk, one.seat) not in moved}
    return [one for one in seated if side_of[one.seat] not in idle]


def weigh(game: Game, log: Ended, seated: Sequence[Seated]) -> list[RatingChange]:
    """What a game does to the ratings of those it counts for, who are changed; it takes two sides of them."""
    assert game.result is not None
    side_of = sides_of(game.mode, game.seats)
    totals = {int(side): total for side, total in game.result["totals"].items()}
    places = dict(zip(sorted(totals), ranks(totals, game.result["winner"], log.out), strict=True))
    sides = sorted({side_of[one.seat] for one in seated})
    teams = [[one for one in seated if side_of[one.seat] == side] for side in sides]
    if len(teams) < 2:
        return []
    before = [[MODEL.create_rating([one.rating.mu, one.rating.sigma]) for one in team] for team in teams]
    after = MODEL.rate(before, ranks=[float(places[side]) for side in sides])
    changes = []
    for team, new in zip(teams, after, strict=True):
        for one, value in zip(team, new, strict=True):
            rating = one.rating
            changes.append(
                RatingChange(
                    rating=rating,
                    game=game,
                    seat=one.seat,
                    mu_before=rating.mu,
                    sigma_before=rating.sigma,
                    mu=value.mu,
                    sigma=value.sigma,
                )
            )
            rating.mu, rating.sigma, rating.games = value.mu, value.sigma, rating.games + 1
    return changes


@transaction.atomic
def rebuild(*, now: datetime) -> tuple[int, int]:
    """Play all ratings again in the order in which games were counted. Gives games, and what differs."""
    RatingBook.objects.get_or_create(pk=1)
    RatingBook.objects.select_for_update().get(pk=1)
    ratings = {one.pk: one for one in Rating.objects.select_for_update().order_by("pk")}
    stored = {pk: (one.mu, one.sigma, one.games) for pk, one in ratings.items()}
    for one in ratings.values():
        one.mu, one.sigma, one.games = MU, SIGMA, 0
    uncount_lenient_games()
    counted = RatedGame.objects.filter(number__isnull=False).order_by("number")
    numbers = list(counted.values_list("game_id", flat=True))
    for start in range(0, len(numbers), BATCH):
        replay(numbers[start : start + BATCH], ratings)
    Rating.objects.bulk_update(ratings.values(), ["mu", "sigma", "games"], batch_size=1000)
    differ = sum(stored[pk] != (one.mu, one.sigma, one.games) for pk, one in ratings.items())
    return len(numbers), differ


def uncount_lenient_games() -> None:
    """Games that were counted while they still could be lose their number and what they changed."""
    lenient = RatedGame.objects.filter(number__isnull=False).exclude(game__in=Game.objects.filter(RATEABLE))
    RatingChange.objects.filter(game__in=lenient.values("game")).delete()
    lenient.update(number=None)


def replay(numbers: Collection[int], ratings: dict[int, Rating]) -> None:
    """Some games once more, in this order."""
    games = {game.pk: game for game in Game.objects.filter(pk__in=numbers).defer("opening", "clocks")}
    old = RatingChange.objects.filter(game__in=numbers).order_by("game_id", "seat")
    by_game = {pk: list(lines) for pk, lines in groupby(old, key=lambda line: line.game_id)}
    logs = ended(list(games.values()))
    changed = []
    for pk in numbers:
        lines = {line.seat: line for line in by_game[pk]}
        seated = [Seated(seat, ratings[line.rating_id]) for seat, line in sorted(lines.items())]
        for new in weigh(games[pk], logs[pk], seated):
            line = lines[new.seat]
            line.mu_before, line.sigma_before = new.mu_before, new.sigma_before
            line.mu, line.sigma = new.mu, new.sigma
            changed.append(line)
    RatingChange.objects.bulk_update(changed, ["mu_before", "sigma_before", "mu", "sigma"], batch_size=1000)
