"""What players are told of events: lines of the games' feed, each once, and mails that follow from them."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import datetime
from typing import Any

from games import clock
from games.models import Event as Line
from games.models import Game, Player
from games.selectors.clocks import quiet
from games.services.contacts import Contact, count_mails, may_be_mailed
from tournaments.models import Entrant, Event, League, Member, Round


def lines(
    event: Event,
    kind: str,
    reason: str,
    players: Iterable[int | None],
    now: datetime,
    game: Game | None = None,
    **data: Any,
) -> list[Line]:
    """What everybody is told of something, not yet written."""
    told = {"event": event.code, "name": event.name, **data}
    if game:
        told["game"] = game.code
    due = clock.notice_due(now, event.allowance, clock.ALWAYS)
    return [
        Line(
            player_id=player,
            game=game,
            kind=kind,
            reason=f"{event.code}:{reason}",
            data=told,
            at=now,
            due_at=due,
        )
        for player in sorted({one for one in players if one})
    ]


def tell(
    event: Event,
    kind: str,
    reason: str,
    players: Iterable[int | None],
    now: datetime,
    game: Game | None = None,
    **data: Any,
) -> None:
    """A line in everybody's feed."""
    write(lines(event, kind, reason, players, now, game, **data), at_once=live(event))


def live(event: Event) -> bool:
    """Whether people sit at the board: then nothing waits for the morning."""
    return event.status == Event.Status.RUNNING and event.allowance < clock.LIVE


def write(told: Iterable[Line], *, at_once: bool = False) -> None:
    """Put lines into feeds; whatever runs twice, nobody is told twice. Mails wait while hours are quiet."""
    told = list(told)
    if not at_once:
        asleep = Player.objects.filter(pk__in={line.player_id for line in told}, quiet_from__isnull=False)
        hours = {player.pk: quiet(player) for player in asleep}
        for line in told:
            if line.due_at and line.player_id in hours:
                line.due_at = clock.loud(line.due_at, hours[line.player_id])
    Line.objects.bulk_create(told, ignore_conflicts=True)


def tell_league(
    league: League, kind: str, reason: str, players: Iterable[int | None], now: datetime, **data: Any
) -> None:
    """A line of a league in everybody's feed."""
    told = {"league": league.code, "name": league.name, **data}
    due = clock.notice_due(now, league.allowance, clock.ALWAYS)
    write(
        Line(player_id=one, kind=kind, reason=f"{league.code}:{reason}", data=told, at=now, due_at=due)
        for one in sorted({one for one in players if one})
    )


def tell_organisers(event: Event, kind: str, reason: str, now: datetime, **data: Any) -> None:
    """The same for those who organise it."""
    tell(event, kind, reason, organisers_of(event), now, **data)


def tell_of_held_start(event: Event, reason: str, now: datetime, **data: Any) -> None:
    """Those who organise an event read in their feeds that it cannot start, and by mail so often a day.

    Whoever moves the start again and again makes a line each time, and only so many mails.
    """
    due = lines(event, "event-held", reason, organisers_of(event), now, **data)
    known = (
        {(one.player_id, one.reason) for one in Line.objects.filter(reason=due[0].reason)} if due else set()
    )
    fresh = [line for line in due if (line.player_id, line.reason) not in known]
    people = Player.objects.in_bulk([line.player_id for line in fresh])
    for line in fresh:
        recipient = people[line.player_id]
        if not may_be_mailed(kind=Contact.HELD_EVENT, about=event.code, recipient=recipient, now=now):
            line.due_at = None
    write(fresh)


def tell_of_held_league(league: League, reason: str, now: datetime) -> None:
    """Those who organise a league are told that its next season waits for them: once for each reason."""
    helpers = league.helpers.values_list("pk", flat=True)
    tell_league(league, "league-held", reason, [league.organiser_id, *helpers], now)


def count_table_change(event: Event, players: Iterable[int | None], now: datetime) -> set[int]:
    """Count a mail to each about a change at the tables of an event. Returns who may still get one today.

    Whoever decides something and takes it back again and again makes lines in feeds, and only so many mails.
    """
    people = sorted({one for one in players if one})
    return count_mails(kind=Contact.TABLE_CHANGE, about=event.code, recipients=people, now=now)


def tell_of_table_change(
    event: Event,
    kind: str,
    reason: str,
    players: Iterable[int | None],
    now: datetime,
    game: Game | None = None,
    *,
    mailed: Collection[int] | None = None,
    **data: Any,
) -> None:
    """A line in everybody's feed, and a mail to those who may get one: `mailed`, if they are counted."""
    told = lines(event, kind, reason, players, now, game, **data)
    if mailed is None:
        mailed = count_table_change(event, [line.player_id for line in told], now)
    write(keep_mails(told, mailed), at_once=live(event))


def keep_mails(told: Iterable[Line], mailed: Collection[int]) -> list[Line]:
    """The same lines; those of other players than these make no mail."""
    told = list(told)
    for line in told:
        if line.player_id not in mailed:
            line.due_at = None
    return told


def tell_of_another_end(event: Event, told: Iterable[Line], now: datetime) -> None:
    """Those who played read in their feeds that an event has ended once more, and by mail so often a day.

    Whoever corrects a result again and again makes a line each time, and only so many mails.
    """
    write(without_too_many_mails(event, Contact.CORRECTED_END, told, now))


def tell_of_round_end(
    event: Event,
    round: Round,
    players: Iterable[int | None],
    now: datetime,
    *,
    first: bool = False,
    text: str = "",
) -> None:
    """Those who play in a round read that it ends sooner, or at all: in their feeds, by mail so often a day.

    `first`: it had no end before. `text` is what the organiser wrote for everybody. The caller holds the
    event and has not logged yet what changed the end.
    """
    reason = f"round-end:{round.pk}:{event.decisions.count()}"
    told = lines(event, "event-round-end", reason, players, now, published=round.pk, first=first, text=text)
    write(without_too_many_mails(event, Contact.ROUND_END, told, now), at_once=live(event))


def without_too_many_mails(event: Event, kind: Contact, told: Iterable[Line], now: datetime) -> list[Line]:
    """The lines, of which those make no mail whose readers have had enough mails of this kind today."""
    told = list(told)
    players = {line.player_id for line in told}
    mailed = count_mails(kind=kind, about=event.code, recipients=players, now=now)
    return keep_mails(told, mailed)


def organisers_of(event: Event) -> list[int | None]:
    """Who organises an event: also those who help, and those of its league."""
    helpers = set(event.helpers.values_list("pk", flat=True))
    if event.division_id:
        of_league = Player.objects.filter(leagues_helped__played__divisions=event.division_id)
        helpers.update(of_league.values_list("pk", flat=True))
    return [event.organiser_id, *helpers]


def members(event: Event, entrants: Iterable[int] | None = None) -> list[int | None]:
    """Everybody who plays, or plays for these entrants."""
    found = Member.objects.filter(event=event)
    if entrants is not None:
        found = found.filter(entrant__in=list(entrants))
    return list(found.values_list("player_id", flat=True))


def players_by_entrant(event: Event) -> dict[int, list[int | None]]:
    """Everybody who plays, by the entrant they play for."""
    playing: dict[int, list[int | None]] = {}
    for entrant, player in Member.objects.filter(event=event).values_list("entrant_id", "player_id"):
        playing.setdefault(entrant, []).append(player)
    return playing


def tell_of_places(event: Event, entrants: Iterable[int], now: datetime) -> None:
    """Whoever comes in from the waiting list is told so, each time that they do."""
    found = Member.objects.filter(event=event, entrant__in=list(entrants))
    due = [
        line
        for entrant, player in found.values_list("entrant_id", "player_id")
        for line in lines(event, "event-place", f"place:{entrant}", [player], now)
    ]
    write(due, at_once=live(event))


def tell_partners(
    event: Event, entrants: Iterable[Entrant], now: datetime, but: Player | None = None
) -> None:
    """Who was in a pair with somebody who has left is told so; `but` is who left."""
    if event.mode != Event.Mode.PAIRS:
        return
    for one in entrants:
        left = [player for player in members(event, [one.pk]) if but is None or player != but.pk]
        tell(event, "event-out", f"parted:{one.pk}", left, now, why="parted")
