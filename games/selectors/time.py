"""A player's time: clocks that run, why some rest, and what would be lost first."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from games import clock
from games.models import Game, Player, Seat

from .clocks import allowance, calendar, incidents, instant, watch_of


@dataclass(frozen=True)
class Running:
    """One of a player's running games, as far as time goes."""

    place: Seat
    on_turn: bool
    deadline: datetime | None  # of this turn
    bank: timedelta
    resting: tuple[str, ...]  # why the clock rests now
    loses_at: datetime | None  # if they never come back and the others answer at once


def my_clocks(player: Player, now: datetime) -> list[Running]:
    """Every running game of a player, the first to be lost first."""
    places = (
        Seat.objects.filter(
            player=player, game__status__in=[Game.Status.RUNNING, Game.Status.TIEBREAK], number__isnull=False
        )
        .exclude(game__mode="solo")
        .select_related("game")
        .defer("game__opening", "game__result")
    )
    stopped = incidents()
    found = []
    for place in places:
        game, number = place.game, place.number
        assert number is not None
        if str(number) not in game.clocks:
            continue  # their side has resigned, the others play on
        watch = watch_of(game, number)
        rests = calendar(game, player, stopped)
        sides = [number] if game.mode != "pairs" else [number, (number + 1) % 4 + 1]
        length = allowance(game, "normal")
        loses = clock.loses_at(
            watch,
            now=now,
            allowance=length,
            calendar=rests,
            forfeit=game.timeouts == Game.Timeouts.FORFEIT,
            missed=sum(watch_of(game, seat).missed for seat in sides),
        )
        found.append(
            Running(
                place=place,
                on_turn=watch.on,
                deadline=clock.deadline(watch, rests),
                bank=watch.bank,
                resting=clock.reasons(rests, now),
                loses_at=loses,
            )
        )
    far = datetime.max.replace(tzinfo=now.tzinfo)
    return sorted(found, key=lambda one: (one.loses_at or far, one.place.game_id))


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
    def first_at(self) -> datetime | None:
        """When: the vacation that is left is used up first, where the game allows it."""
        one = self.first
        if one is None or one.loses_at is None:
            return None
        return one.loses_at + self.vacation if one.place.game.vacation else one.loses_at


def if_you_stop(player: Player, now: datetime) -> Stop:
    """ "If you stop now, the first game you lose is … on …"."""
    left = clock.vacation_left(player.vacation_saved, player.vacation_at or player.joined_at, now)
    left -= left % clock.VACATION_FLOAT  # it is taken by whole hours
    until = player.away_until if player.away_until and player.away_until > now else None
    clocks = my_clocks(player, now)
    clocks.sort(key=lambda one: lost_at(one, left) or datetime.max.replace(tzinfo=now.tzinfo))
    return Stop(left, player.away_from if until else None, until, clocks)


def lost_at(one: Running, left: timedelta) -> datetime | None:
    """When a game is lost, with the vacation used up first where it allows that."""
    if one.loses_at is None or not one.place.game.vacation:
        return one.loses_at
    return one.loses_at + left


def stop_view(stop: Stop, now: datetime) -> dict[str, Any]:
    """The same for programs."""
    first = stop.first
    return {
        "first_loss": {"game": first.place.game.code, "at": instant(stop.first_at)} if first else None,
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
                "lost_at": instant(lost_at(one, stop.vacation)),
            }
            for one in stop.clocks
        ],
    }
