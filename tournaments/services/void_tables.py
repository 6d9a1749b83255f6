"""Tables that a corrected result makes meaningless, and that another correction brings back.

A match has one deal for each game of the same entrants: whoever corrects a result to and fro gets the first
table again, never a new attempt with another seed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from django.db.models import Q

from games.models import Seat
from games.selectors.handovers import has_sat
from games.services import house
from tournaments.models import Event, Member, Replacement, Round, Table
from tournaments.pairing import Pairing
from tournaments.selectors.course import seats_of

from . import ratings
from .notices import tell
from .round_ends import round_end_for
from .substitutes import sides

Played = tuple[str, int, frozenset[int]]  # a match, its game, and who sits there


def make_void(tables: Sequence[Table], now: datetime) -> None:
    """These tables mean nothing any more; their games go on for nothing if somebody likes."""
    for table in tables:
        if table.game and table.settled_at is None:
            house.release(code=table.game.code, now=now)
        table.void, table.settled_at = True, table.settled_at or now
    Table.objects.bulk_update(tables, ["void", "settled_at"])


def key_of(table: Table) -> Played:
    """What makes two tables the same one."""
    return table.match, table.rematch, frozenset(seats_of(table))


def find_void_tables(event: Event, pairings: Iterable[Pairing]) -> dict[Played, Table]:
    """The void tables at which these pairings were begun before, where they can be gone on with."""
    wanted = {(one.match, one.game, frozenset(int(id) for id in one.seats)) for one in pairings}
    void = event.tables.filter(void=True, match__in={match for match, _game, _seats in wanted})
    tables = void.select_related("game").prefetch_related("sittings__entrant__members__player").order_by("pk")
    found = {key_of(table): table for table in tables if key_of(table) in wanted}
    return {key: table for key, table in found.items() if can_go_on(event, table)}


def can_go_on(event: Event, table: Table) -> bool:
    """Whether those who play by now can sit at a void table: nobody takes over where they sat before."""
    game = table.game
    if game is None or table.result is not None or game.status not in house.PLAYING:
        return True
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
    move in a void game would buy a new deal.
    """
    for table in tables:
        table.void, table.published = False, round
        if table.result is not None:
            continue
        table.settled_at = None
        if table.game and event.rated:
            house.reclaim(code=table.game.code, now=now)
            ratings.look_back(to=table.game.finished_at)
        if table.game and table.game.status in house.PLAYING:
            hand_over_seats(event, table, now)
            house.set_round_end(codes=[table.game.code], round_end=round_end_for(event, round), now=now)
    Table.objects.bulk_update(tables, ["void", "published", "settled_at"])
    for table in tables:
        if table.settled_at is None and table.game:
            players = [
                member.player_id for one in table.sittings.all() for member in one.entrant.members.all()
            ]
            facts = {"match": table.match, "round": table.round, "published": round.pk}
            reason = f"pairing:{table.pk}:{round.number}"
            tell(event, "event-pairing", reason, players, now, table.game, **facts)


def hand_over_seats(event: Event, table: Table, now: datetime) -> None:
    """Let those sit at a table who play for its entrants by now; the results of others stay theirs."""
    assert table.game
    for seat, member in seats_that_changed(event, table):
        assert member.player
        house.change_player(code=table.game.code, seat=seat, player=member.player, now=now)
        since = Q(entrant=member.entrant_id, number=member.number, last_table__gte=table.pk)
        for one in Replacement.objects.filter(since):
            if table.pk not in one.open_tables:
                one.open_tables = sorted([*one.open_tables, table.pk])
                one.save(update_fields=["open_tables"])
