"""The watches and calendars of stored games, read."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, time, timedelta
from typing import Any

from django.db import connection

from games import clock, links
from games.clock import Calendar, Hours, Rest, Watch
from games.models import Game, Incident, Pause, Player, Seat

from .deadlines import first_deadline, round_end_of

ASTRAY = timedelta(minutes=1)  # that the clocks of two machines may differ


def astray(now: datetime) -> timedelta:
    """How far this machine's clock is from the database's, which all machines share."""
    if connection.vendor != "postgresql":
        return timedelta(0)  # which is a file of this machine
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        return abs(now - cursor.fetchone()[0])


def watches(game: Game) -> dict[int, Watch]:
    """The watches of a game by seat; a seat without one has its whole bank."""
    return {int(seat): read(facts) for seat, facts in game.clocks.items()}


def watch_of(game: Game, seat: int) -> Watch:
    """The watch of a seat."""
    facts = game.clocks.get(str(seat))
    return read(facts) if facts else Watch(bank=timedelta(seconds=game.bank))


def read(facts: dict[str, Any]) -> Watch:
    """A watch from its JSON form."""
    at, since = facts.get("at"), facts.get("since")
    return Watch(
        bank=timedelta(seconds=facts["bank"]),
        left=timedelta(seconds=facts.get("left", 0)),
        at=datetime.fromisoformat(at) if at else None,
        since=datetime.fromisoformat(since) if since else None,
        turn=facts.get("turn", 0),
        missed=facts.get("missed", 0),
        hours=read_hours(facts["hours"]) if facts.get("hours") else None,
    )


def read_hours(facts: dict[str, Any]) -> Hours:
    """Hours from their JSON form."""
    night = facts.get("night")
    if not night:
        return Hours(facts["zone"])
    return Hours(facts["zone"], (time.fromisoformat(night[0]), time.fromisoformat(night[1])))


def written(watch: Watch) -> dict[str, Any]:
    """The JSON form of a watch."""
    facts: dict[str, Any] = {"bank": watch.bank.total_seconds(), "turn": watch.turn}
    if watch.missed:
        facts["missed"] = watch.missed
    if watch.at:
        facts |= {"left": watch.left.total_seconds(), "at": watch.at.isoformat()}
        facts["since"] = (watch.since or watch.at).isoformat()
        if watch.hours:
            facts["hours"] = write_hours(watch.hours)
    return facts


def write_hours(hours: Hours) -> dict[str, Any]:
    """The JSON form of hours."""
    facts: dict[str, Any] = {"zone": hours.zone}
    if hours.night:
        facts["night"] = [edge.isoformat() for edge in hours.night]
    return facts


def hours_of(game: Game, player: Player | None) -> Hours | None:
    """The hours by which a turn that begins now rests; None in a game whose clocks rest by no hours."""
    if not (game.weekends or game.nights):
        return None
    night = None
    if game.nights:
        night = clock.NIGHT
        if player and player.quiet_from is not None and player.quiet_until is not None:
            night = (player.quiet_from, player.quiet_until)
    return Hours(player.time_zone if player else "UTC", night)


def calendar(
    game: Game, player: Player | None, incidents: Iterable[Incident] = (), watch: Watch | None = None
) -> Calendar:
    """When the clock of a player's seat rests: in the turn of a running watch, or in one from now on."""
    rests = [Rest("incident", incident.started_at, incident.ended_at) for incident in incidents]
    if game.paused_from and game.paused_until:
        rests.append(Rest("agreed", game.paused_from, game.paused_until))
    if player and game.vacation:
        rests += vacations(player)
    if not (rests or game.weekends or game.nights):
        return clock.ALWAYS
    frozen = watch.hours if watch and watch.on else None
    hours = frozen or hours_of(game, player) or Hours()
    return Calendar(hours.zone, weekends=game.weekends, night=hours.night, rests=tuple(rests))


def vacations(player: Player) -> list[Rest]:
    """A player's vacation, present or planned, and those before it that a running watch may not know of."""
    found = []
    if player.away_from and player.away_until:
        found.append(Rest("vacation", player.away_from, player.away_until))
    for start, end in player.past_vacations or ():
        found.append(Rest("vacation", datetime.fromisoformat(start), datetime.fromisoformat(end)))
    return found


def quiet(player: Player | None) -> Calendar:
    """When a player wants to hear nothing."""
    if player is None or player.quiet_from is None:
        return clock.ALWAYS
    return clock.quiet_hours(player.time_zone, player.quiet_from, player.quiet_until)


def incidents() -> list[Incident]:
    """Incidents that are still to be taken off running watches: the open one, and one that just ended."""
    return list(Incident.objects.filter(settled=False).order_by("started_at"))


def allowance(game: Game, kind: str) -> int:
    """Seconds for a turn: a blind match has a clock of its own."""
    return game.allowance if kind != "blind" else blind_allowance(game.allowance, game.blind_allowance)


def blind_allowance(usual: int, chosen: int | None) -> int:
    """Seconds for a turn of a blind match: what was chosen, or a share of the usual time."""
    return chosen or max(usual // clock.BLIND_SHARE, clock.SHORTEST.allowance)


def timed(game: Game, place: Seat) -> bool:
    """Whether a seat has a clock at all: bots need none, and alone one keeps nobody waiting."""
    return not place.bot and game.mode != "solo"


def proposal(game: Game) -> Pause | None:
    """The pause that waits for the sides of a game to agree."""
    return Pause.objects.filter(game=game, began_at=None, ended_at=None).first()


def seat_clock(game: Game, place: Seat) -> dict[str, Any]:
    """What everybody may see of a seat's clock: the bank, and when its turn or the round ends."""
    if place.number is None or str(place.number) not in game.clocks:  # a bot, or one who has resigned
        return {"bank": None, "deadline": None}
    watch = watch_of(game, place.number)
    until = None
    if watch.on:
        until = first_deadline(game, clock.deadline(watch, calendar(game, place.player, watch=watch)))
    return {"bank": int(watch.bank.total_seconds()), "deadline": instant(until)}


def round_end_view(game: Game) -> dict[str, Any] | None:
    """The end of a game's round as the API writes it."""
    end = round_end_of(game)
    if end is None:
        return None
    return {
        "at": instant(end.at),
        "tournament": end.tournament,
        "round": end.number or None,
        "url": links.page(end.page),
    }


def instant(at: datetime | None) -> str | None:
    """A time as the API writes it."""
    return f"{at.astimezone(UTC).isoformat()[:19]}Z" if at else None
