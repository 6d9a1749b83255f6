"""What happens in an event, each deed in a transaction of the caller's, which holds the event's row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from games import clock
from games.models import Event as Line
from games.models import Game
from games.selectors import tables as games_tables
from games.services import house
from tournaments.models import Entrant, Event, EventSecret, Round, Sitting, Table
from tournaments.pairing import Finished, Note, Pairing, Waiting, note, stale_notes
from tournaments.pairing import Round as Paired
from tournaments.selectors import games as games_read
from tournaments.selectors.changed_places import PlaceChange, find_changed_places, was_over
from tournaments.selectors.course import Course, people, result_of, seats_of
from tournaments.selectors.undecided import UNDECIDED, undecided_tables

from . import terms
from .client_seeds import fix_client_seeds, number_entries
from .entries import drop
from .event_seeds import PUBLISH_RETRY, publish_event_seed
from .lapsing import lapse_of_event
from .notices import (
    lines,
    live,
    members,
    players_by_entrant,
    tell,
    tell_of_another_end,
    tell_of_held_start,
    tell_organisers,
    tell_partners,
    write,
)
from .of_league import wake_league
from .round_ends import round_end_for
from .substitutes import sides, take_over
from .void_tables import bring_back, find_void_tables, make_void

RESIGNED_AT_ONCE = 20  # games: whoever leaves many leaves them in several transactions
FIRST_END = "end"  # why an end is told that nobody has corrected anything before
STALE_AT_END = "stale-at-end"  # why an event waits that would end by throwing tables away
AT_ONCE = 50  # games that are held while a round is adjudicated: who moves in one of them waits


def hold(event: Event, why: str, warnings: Sequence[Note], now: datetime) -> str:
    """Wait for the organiser."""
    event.held, event.warnings = why, [one.as_dict() for one in warnings]
    event.save(update_fields=["held", "warnings"])
    reason = f"held:{event.published.count() + 1}:{why}"
    if event.status == Event.Status.PUBLISHED:  # another time for the start is another question
        reason += f":{event.starts_at:%Y-%m-%dT%H:%M}" if event.starts_at else ""
        tell_of_held_start(event, reason, now, why=why, warnings=event.warnings)
    else:
        tell_organisers(event, "event-held", reason, now, why=why, warnings=event.warnings)
    return "held"


# ----------------------------------------------------------------------------------------- while it is played


def drop_the_gone(event: Event, now: datetime) -> str:
    """Whose account is gone is out, unless a substitute plays on."""
    gone = event.members.filter(player=None, entrant__status=Entrant.Status.ENTERED, entrant__left=None)
    out = {one.entrant for one in gone.select_related("entrant") if not take_over(event, one, now)}
    if out:
        tell_partners(event, out, now)
        drop(event, out, Entrant.Status.WITHDRAWN, now)
    return "dropped" if out else ""


def write_results(event: Event, now: datetime) -> str:
    """Every game that is over becomes the result of its table, all of them at once."""
    over = event.tables.filter(settled_at=None, game__status=Game.Status.OVER)
    tables = list(over.select_related("game").prefetch_related("sittings"))
    if not tables:
        return ""
    more = games_read.ended([table.game for table in tables if table.game])
    for table in tables:
        assert table.game
        table.result = games_read.result(table.game, more[table.game.pk], seats_of(table))
        table.settled_at = now
    settle(event, tables, now)
    return "settled"


def settle(event: Event, tables: Sequence[Table], now: datetime) -> None:
    """Write results down, and tell those who played."""
    Table.objects.bulk_update(tables, ["result", "settled_at"])
    playing = players_by_entrant(event)
    told = []
    for table in tables:
        players = [one for id in seats_of(table) for one in playing[id]]
        facts = {"match": table.match, **(table.result or {})}
        told += lines(event, "event-result", f"result:{table.pk}", players, now, table.game, **facts)
    write(told, at_once=live(event))


def open_game(event: Event, now: datetime) -> str:
    """The next table that has no game gets one: made with its mark in one transaction, so never twice."""
    waiting = event.tables.filter(game=None, settled_at=None).select_related("published")
    table = waiting.order_by("pk").first()
    if table is None:
        return ""
    number_entries(event)
    found = table.sittings.order_by("number").prefetch_related("entrant__members__player")
    teams = [sorted(one.entrant.members.all(), key=lambda member: member.number) for one in found]
    players = [team[number].player for number in range(len(teams[0])) for team in teams]
    seeds = [team[number].effective_client_seed for number in range(len(teams[0])) for team in teams]
    game = house.open_table(
        players=players,
        client_seeds=seeds,
        origin=house.SeedOrigin(
            event=event.code,
            commitment=event.commitment,
            match=table.match,
            game=table.rematch,
            attempt=table.attempt,
        ),
        event_seed=bytes(EventSecret.objects.get(event=event).seed),
        now=now,
        round_end=round_end_for(event, table.published),
        **terms.of_game(event, rematch=table.rematch > 1),
    )
    table.game = game
    table.save(update_fields=["game"])
    told = [player.pk for player in players if player]
    facts = {"match": table.match, "round": table.round, "published": table.published_id}
    new = lines(event, "event-pairing", f"pairing:{table.pk}", told, now, game, **facts)
    write(new, at_once=live(event) or game.allowance < clock.LIVE)  # a rematch may be quicker than the event
    return "opened"


def resign_the_gone(event: Event, now: datetime) -> str:
    """Who withdrew or was disqualified resigns the games that still run."""
    tables = event.tables.filter(settled_at=None, game__status__in=house.PLAYING)
    done = 0
    for table in tables.filter(sittings__entrant__left__isnull=False).distinct().select_related("game"):
        assert table.game
        for place, sitting in enumerate(table.sittings.order_by("number").select_related("entrant")):
            if sitting.entrant.left is not None:
                seat = sides(event, place)[0]
                done += house.resign(code=table.game.code, seat=seat, now=now)
        if done >= RESIGNED_AT_ONCE:
            break
    return "resigned" if done else ""


def adjudicate(event: Event, now: datetime) -> str:
    """The time of a round is up: what is still played is decided by the points on the tables.

    The game itself goes on if its players like, but for nothing: it is not rated, and its log stays true.
    """
    late = event.tables.filter(settled_at=None, published__ends_at__lte=now, game__isnull=False)
    tables = list(late.prefetch_related("sittings").order_by("pk")[:AT_ONCE])
    if not tables:
        return ""
    ids = [table.game_id for table in tables if table.game_id]
    held = Game.objects.select_for_update().filter(pk__in=ids).order_by("pk")  # nobody moves meanwhile
    games = {game.pk: game for game in held}
    more = games_read.ended(list(games.values()))
    states = {found.game.pk: found.state for found in games_tables(ids, unreadable)}
    for table in tables:
        game = games[table.game_id or 0]
        state = states[game.pk]
        assert state is not None
        if game.status == Game.Status.OVER:
            table.result = games_read.result(game, more[game.pk], seats_of(table))
        else:
            table.result = games_read.adjudicated(state, more[game.pk], seats_of(table))
            house.release(code=game.code, now=now)
        table.settled_at = now
    settle(event, tables, now)
    return "adjudicated"


def unreadable(game: Game) -> None:
    """A game that cannot be read stops its event: raises what is wrong."""
    raise ValueError(f"game {game.code} cannot be read")


# --------------------------------------------------------------------------------------------- the next round


def pair_ahead(pk: int, now: datetime) -> None:
    """Work out a Swiss round before anybody's row is held; go_on then finds it worked out.

    It may take seconds, and whoever withdraws or decides something meanwhile must not wait for it. If that
    changes the round, go_on works it out anew.
    """
    due = Event.objects.filter(pk=pk, due_at__lte=now, status=Event.Status.RUNNING, held="")
    event = due.filter(format=Event.Format.SWISS).first()
    if event is not None and not event.tables.filter(settled_at=None).exists():
        Course(event).next()


def ask_for_results(event: Event, now: datetime) -> str:
    """Wait for the organiser where a table came back whose game cannot decide it."""
    if event.held:
        return ""
    tables = list(undecided_tables(event).prefetch_related("sittings").order_by("pk"))
    gone = {table.pk for table in Course(event).stale()} if tables else set()
    warnings = [
        note(UNDECIDED, match=table.match, entrants=tuple(seats_of(table)))
        for table in tables
        if table.pk not in gone
    ]
    return hold(event, UNDECIDED, warnings, now) if warnings else ""


def go_on(event: Event, now: datetime) -> str:
    """Pair the next round, or end the event, or wait: for tables, or for the organiser."""
    if event.held:
        return ""
    course = Course(event)
    coming = course.next()
    if isinstance(coming, Waiting):
        return ""
    if isinstance(coming, Finished):
        return finish(course, now)
    # A free round may be named again when a table of its round comes back.
    known = {(table.match, table.rematch, frozenset(seats_of(table))) for table in course.tables}
    fresh = tuple(one for one in coming.pairings if (one.match, one.game, frozenset(one.seats)) not in known)
    if not fresh:
        return ""
    coming = replace(coming, pairings=fresh)
    number = event.published.count() + 1
    if event.accepted != number and (event.review or (event.ask and coming.warnings)):
        return hold(event, "review" if event.review else coming.warnings[0].code, coming.warnings, now)
    publish_round(course, coming, number, now)
    return "paired"


def publish_round(course: Course, coming: Paired, number: int, now: datetime) -> None:
    """Store a round with its tables and reasons; what others play by now is void.

    A table that was void and is to be played by the same comes back: it is no new attempt.
    """
    event = course.event
    make_void(event, course.stale(), now)
    if was_over(course):  # a correction has opened it again: nobody has a final place while it is played
        event.entrants.update(rank=None)
    ends = now + timedelta(seconds=event.round_length) if event.round_length else None
    round = Round.objects.create(
        event=event,
        number=number,
        made_at=now,
        ends_at=ends,
        warnings=[one.as_dict() for one in coming.warnings],
    )
    void = find_void_tables(event, coming.pairings)
    bring_back(event, list(void.values()), round, now)
    fresh = [
        one
        for one in coming.pairings
        if (one.match, one.game, frozenset(int(id) for id in one.seats)) not in void
    ]
    attempts: dict[tuple[str, int], int] = {}
    for match, rematch in event.tables.values_list("match", "rematch"):
        attempts[match, rematch] = attempts.get((match, rematch), 0) + 1
    tables = Table.objects.bulk_create(
        [made(round, pairing, attempts.get((pairing.match, pairing.game), 0) + 1, now)
         for pairing in fresh]
    )  # fmt: skip
    Sitting.objects.bulk_create(
        [
            Sitting(table=table, entrant_id=id, number=seat)
            for table, pairing in zip(tables, fresh, strict=True)
            for seat, id in enumerate(pairing.seats, 1)
        ]
    )
    lapse_of_event(event, now)
    fix_client_seeds(event, [int(id) for pairing in coming.pairings for id in pairing.seats])
    for table, pairing in zip(tables, fresh, strict=True):
        if len(pairing.seats) == 1:  # a few at most
            players = [one.pk for one in people(course.entrants[int(pairing.seats[0])])]
            tell(
                event, "event-bye", f"pairing:{table.pk}", players, now, match=table.match, round=table.round
            )


def made(round: Round, pairing: Pairing, attempt: int, now: datetime) -> Table:
    """A table as it is stored; a bye needs no game."""
    alone = len(pairing.seats) == 1
    return Table(
        event=round.event,
        published=round,
        match=pairing.match,
        round=pairing.round,
        rematch=pairing.game,
        attempt=attempt,
        reasons=[one.as_dict() for one in pairing.reasons],
        result={"by": "bye"} if alone else None,
        settled_at=now if alone else None,
    )


def finish(course: Course, now: datetime) -> str:
    """The end: ranks, the seed unless a game still hangs on it, and everybody is told.

    Where a correction would throw tables away on the way there, the organiser is asked first.
    """
    event = course.event
    stale = course.stale()
    warnings = stale_notes(course.plan, [result_of(table) for table in stale])
    if warnings and event.ask and event.accepted != event.published.count() + 1:
        return hold(event, STALE_AT_END, warnings, now)
    make_void(event, stale, now)
    ended_before, changes = was_over(course), find_changed_places(course)
    for line in course.standings():
        course.entrants[int(line.entrant)].rank = line.rank
    Entrant.objects.bulk_update(course.entrants.values(), ["rank"])
    event.status, event.finished_at, event.trouble = Event.Status.FINISHED, now, ""
    publish_event_seed(event, now)
    event.due_at = None if event.seed else now + PUBLISH_RETRY
    event.save(update_fields=["status", "finished_at", "due_at", "trouble"])
    lapse_of_event(event, now)
    reason = end_reason(event)
    if ended_before:
        tell_of_another_end(event, lines_of_changes(event, reason, changes, now), now)
    elif reason != FIRST_END:  # it was played on after a correction
        tell_of_another_end(event, lines(event, "event-end", reason, members(event), now), now)
    else:
        tell(event, "event-end", reason, members(event), now)
    wake_league(event, now)
    return "finished"


def lines_of_changes(event: Event, reason: str, changes: Sequence[PlaceChange], now: datetime) -> list[Line]:
    """What all whose place is another one are told when the event ends once more, after a correction."""
    playing = players_by_entrant(event)
    told = []
    for one in changes:
        told += lines(
            event,
            "event-end",
            reason,
            playing.get(one.entrant, ()),
            now,
            before=one.before,
            after=one.after,
        )
    return told


def end_reason(event: Event) -> str:
    """What tells one end of an event from another: between two of them somebody has corrected a result."""
    corrections = event.decisions.filter(what__in=("correct", "undo-correct")).count()
    return f"end:{corrections}" if corrections else FIRST_END
