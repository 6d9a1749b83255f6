"""Tables that a corrected result makes meaningless, and that another correction brings back.

A match has one deal for each game of the same entrants: whoever corrects a result to and fro gets the first
table again, never a new attempt with another seed. A game that ended for somebody while its table was void
decides nothing: then an organiser writes the result.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db.models import Q

from games.models import Action, Game, Seat
from games.models import Event as Line
from games.selectors.handovers import has_sat
from games.services import house
from tournaments.models import Event, Member, Replacement, Round, Table
from tournaments.pairing import Pairing
from tournaments.selectors.course import seats_of

from . import ratings
from .notices import count_table_change, keep_mails, lines, live, players_by_entrant, write
from .round_ends import round_end_for
from .substitutes import sides

Played = tuple[str, int, frozenset[int]]  # a match, its game, and who sits there


def make_void(event: Event, tables: Sequence[Table], now: datetime) -> None:
    """These tables mean nothing any more; their games go on for nothing if somebody likes.

    Those who sit there are told so, and that a table may come back as it stands.
    """
    playing, number, told = players_by_entrant(event), event.published.count(), []
    for table in tables:
        facts = {"match": table.match, "why": "void"}
        if len(seats_of(table)) > 1:
            players, reason = players_of(table, playing), f"void:{table.pk}:{number}"
            told += lines(event, "event-table", reason, players, now, table.game, **facts)
        if table.game and table.settled_at is None:
            house.release(code=table.game.code, now=now)
        table.void, table.settled_at = True, table.settled_at or now
    Table.objects.bulk_update(tables, ["void", "settled_at"])
    mailed = count_table_change(event, [line.player_id for line in told], now)
    write(keep_mails(told, mailed), at_once=live(event))


def players_of(table: Table, playing: Mapping[int, Sequence[int | None]]) -> list[int | None]:
    """Who plays for the entrants at a table."""
    return [player for entrant in seats_of(table) for player in playing.get(entrant, ())]


def key_of(table: Table) -> Played:
    """What makes two tables the same one."""
    return table.match, table.rematch, frozenset(seats_of(table))


def find_void_tables(event: Event, pairings: Iterable[Pairing]) -> dict[Played, Table]:
    """The void tables at which these pairings were begun before."""
    wanted = {(one.match, one.game, frozenset(int(id) for id in one.seats)) for one in pairings}
    void = event.tables.filter(void=True, match__in={match for match, _game, _seats in wanted})
    tables = void.select_related("game").prefetch_related("sittings__entrant__members__player").order_by("pk")
    return {key_of(table): table for table in tables if key_of(table) in wanted}


def can_go_on(event: Event, table: Table) -> bool:
    """Whether the game of a void table without a result can decide it.

    It cannot if it ended since, or somebody has resigned or run out of time there: for nothing, as all were
    told. Nor if those who play by now cannot sit there: nobody takes over where they sat before.
    """
    game, since = table.game, table.settled_at
    if game is None or since is None:
        return True
    if game.status not in house.PLAYING:
        return game.finished_at is not None and game.finished_at < since
    if Action.objects.filter(game=game, action="resign", at__gte=since).exists():
        return False
    new = (member.player for _seat, member in seats_that_changed(event, table))
    return not any(player and has_sat(player, game) for player in new)


def seats_that_changed(event: Event, table: Table) -> list[tuple[int, Member]]:
    """Seats of a table's game whose entrants somebody else plays for since it became void."""
    seated = dict(Seat.objects.filter(game=table.game).values_list("number", "player_id"))
    found = []
    for place, sitting in enumerate(sorted(table.sittings.all(), key=lambda one: one.number)):
        seats = sides(event, place)
        for member in sitting.entrant.members.all():
            seat = seats[member.number - 1]
            if member.player_id is not None and seated.get(seat) != member.player_id:
                found.append((seat, member))
    return found


def bring_back(event: Event, tables: Sequence[Table], round: Round, now: datetime) -> None:
    """Void tables count again, as part of a new round: with their result, or the game as it stands.

    Who plays for an entrant by now takes over its seat. Moves that were made meanwhile count: otherwise one
    move in a void game would buy a new deal. A table whose game cannot decide it stays settled, without a
    result and not rated, until an organiser writes one.
    """
    playing = players_by_entrant(event)
    players = {table.pk: players_of(table, playing) for table in tables if len(seats_of(table)) > 1}
    mailed = count_table_change(event, [one for some in players.values() for one in some], now)
    ids = [table.game_id for table in tables if table.game_id]
    locked = Game.objects.select_for_update().filter(pk__in=ids).order_by("pk")  # nobody resigns meanwhile
    games = {game.pk: game for game in locked}
    for table in tables:
        table.void, table.published = False, round
        table.game = games[table.game_id] if table.game_id else None
        if table.result is not None or not can_go_on(event, table):
            continue
        table.settled_at = None
        if table.game and event.rated:
            house.reclaim(code=table.game.code, now=now)
            ratings.look_back(to=table.game.finished_at)
        if table.game and table.game.status in house.PLAYING:
            hand_over_seats(event, table, now, mailed)
            house.set_round_end(codes=[table.game.code], round_end=round_end_for(event, round), now=now)
    Table.objects.bulk_update(tables, ["void", "published", "settled_at"])
    told = [
        line for table in tables for line in lines_of_return(event, table, players.get(table.pk, ()), now)
    ]
    write(keep_mails(told, mailed), at_once=live(event))


def lines_of_return(event: Event, table: Table, players: Sequence[int | None], now: datetime) -> list[Line]:
    """What those at a table are told that counts again: of the game, of its result, or who decides it."""
    number = table.published.number
    facts: dict[str, Any] = {"match": table.match}
    if table.result is not None:
        kind, reason, facts = "event-result", f"back:{table.pk}:{number}", facts | table.result
    elif table.settled_at is not None:
        kind, reason, facts = "event-table", f"undecided:{table.pk}:{number}", facts | {"why": "undecided"}
    elif table.game:
        kind, reason = "event-pairing", f"pairing:{table.pk}:{number}"
        facts |= {"round": table.round, "published": table.published_id}
    else:  # it begins only now, and is told then
        return []
    return lines(event, kind, reason, players, now, table.game, **facts)


def hand_over_seats(event: Event, table: Table, now: datetime, mailed: Collection[int]) -> None:
    """Let those sit at a table who play for its entrants by now; the results of others stay theirs."""
    assert table.game
    for seat, member in seats_that_changed(event, table):
        assert member.player
        told = member.player_id in mailed
        house.change_player(code=table.game.code, seat=seat, player=member.player, now=now, mailed=told)
        since = Q(entrant=member.entrant_id, number=member.number, last_table__gte=table.pk)
        for one in Replacement.objects.filter(since):
            if table.pk not in one.open_tables:
                one.open_tables = sorted([*one.open_tables, table.pk])
                one.save(update_fields=["open_tables"])
