"""A player's time: clocks that run, why some rest, and what would be lost first."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from games import clock
from games.engine import load
from games.models import Game, Incident, Player, Seat

from .clocks import allowance, calendar, incidents, instant, quiet, round_end_view, watch_of
from .deadlines import RoundEnd, first_deadline, round_ending_first


@dataclass(frozen=True)
class Running:
    """One of a player's running games, as far as time goes."""

    place: Seat
    on_turn: bool
    deadline: datetime | None  # of this turn, or of the round if it ends first
    bank: timedelta
    resting: tuple[str, ...]  # why the clock rests now
    loses_at: datetime | None  # if they never come back and the others answer at once; vacation counted in
    round_end: RoundEnd | None = None  # if it comes before that: then the points decide

    @property
    def ends_at(self) -> datetime | None:
        """When the game ends for them if they never come back, by time or by points."""
        return self.round_end.at if self.round_end else self.loses_at


def my_clocks(player: Player, now: datetime) -> list[Running]:
    """Every running game of a player, the first to be lost first."""
    places = list(
        Seat.objects.filter(
            player=player, game__status__in=[Game.Status.RUNNING, Game.Status.TIEBREAK], number__isnull=False
        )
        .exclude(game__mode="solo")
        .select_related("game__secret")
        .defer("game__opening", "game__result", "game__secret__server_seed")
        .order_by("game_id")
    )
    # Who has no watch has resigned, and the others play on.
    places = [place for place in places if str(place.number) in place.game.clocks]
    partners = with_partner(places)
    stopped = incidents()
    stakes = [stake(place, player, stopped, place.game_id in partners) for place in places]
    saved = clock.vacation_left(player.vacation_saved, player.vacation_at or player.joined_at, now)
    lost = clock.losses(stakes, now=now, quiet=quiet(player), saved=saved)
    found = [
        Running(
            place=place,
            on_turn=one.watch.on,
            deadline=first_deadline(place.game, clock.deadline(one.watch, one.calendar))
            if one.watch.on
            else None,
            bank=one.watch.bank,
            resting=clock.reasons(one.calendar, now),
            loses_at=None if (end := round_ending_first(place.game, at)) else at,
            round_end=end,
        )
        for place, one, at in zip(places, stakes, lost, strict=True)
    ]
    far = datetime.max.replace(tzinfo=now.tzinfo)
    return sorted(found, key=lambda one: (one.ends_at or far, one.place.game_id))


def with_partner(places: list[Seat]) -> set[int]:
    """The games in which a person plays on the same side: while they do, the side is not lost."""
    pairs = {place.game_id: place.number or 0 for place in places if place.game.mode == "pairs"}
    people = Seat.objects.filter(game__in=list(pairs), player__isnull=False).values_list("game_id", "number")
    return {game for game, number in people if number and number == (pairs[game] + 1) % 4 + 1}


def stake(place: Seat, player: Player, stopped: list[Incident], partner: bool) -> clock.Stake:
    """What a player can lose at one table."""
    game, number = place.game, place.number
    assert number is not None
    seats = [number] if game.mode != "pairs" else [number, (number + 1) % 4 + 1]
    missed = sum(watch_of(game, seat).missed for seat in seats)
    forfeit = game.timeouts == Game.Timeouts.FORFEIT
    chances = 0 if forfeit else None if partner else max(clock.AUTOPLAYS - missed, 0)
    watch = watch_of(game, number)
    return clock.Stake(
        watch=watch,
        allowance=allowance(game, load(game.secret.state).kind),
        calendar=calendar(game, player, stopped, watch),
        later=calendar(game, player, stopped),
        floats=game.vacation,
        chances=chances,
    )


@dataclass(frozen=True)
class Stop:
    """What happens to a player who stops now."""

    vacation: timedelta  # saved up: taken by the hour when a deadline falls
    away_from: datetime | None
    away_until: datetime | None
    clocks: list[Running]

    @property
    def first(self) -> Running | None:
        """The game that would be lost first; None if none would."""
        return next((one for one in self.clocks if one.loses_at), None)

    @property
    def first_to_end(self) -> Running | None:
        """The game that would end first, lost or decided by points; None if none would."""
        return next((one for one in self.clocks if one.ends_at), None)


def if_you_stop(player: Player, now: datetime) -> Stop:
    """ "If you stop now, the first game you lose is … on …"."""
    left = clock.vacation_left(player.vacation_saved, player.vacation_at or player.joined_at, now)
    left -= left % clock.VACATION_FLOAT  # it is taken by whole hours
    until = player.away_until if player.away_until and player.away_until > now else None
    return Stop(left, player.away_from if until else None, until, my_clocks(player, now))


def stop_view(stop: Stop, now: datetime) -> dict[str, Any]:
    """The same for programs."""
    first = stop.first
    return {
        "first_loss": {"game": first.place.game.code, "at": instant(first.loses_at)} if first else None,
        "vacation": {
            "left": int(stop.vacation.total_seconds()),
            "from": instant(stop.away_from),
            "until": instant(stop.away_until),
        },
        "clocks": [
            {
                "game": one.place.game.code,
                "seat": one.place.number,
                "on_turn": one.on_turn,
                "deadline": instant(one.deadline),
                "bank": int(one.bank.total_seconds()),
                "resting": list(one.resting),
                "lost_at": instant(one.loses_at),
                "round_end": round_end_view(one.place.game),
            }
            for one in stop.clocks
        ],
    }
