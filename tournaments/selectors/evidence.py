"""Why the clock acted for somebody: when a turn began and ended, what was sent of it, what became of that.

Where a mail went is told to its reader alone.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Exists, OuterRef, Q
from django.utils.translation import gettext as _

from games.models import Action, Delivery, Game, Player, Seat, SeatHandover
from games.models import Event as Line
from games.selectors.turns import TURN_BEGAN
from games.services.errors import Denied
from tournaments.models import Event, Member, Replacement, Table

from .course import seats_of
from .events import may_organise

PAIRED, TAKEN_OVER = "event-pairing", "event-replaced"
TOLD = ("turn", "moved", "started", "over", "timeout")  # lines of a feed that follow a game move by move


@dataclass
class Feed:
    """What a game's players were told, move by move."""

    turns: dict[int, dict[int, Line]]  # by player, then by the length of the log: when they were to act
    others: dict[int, list[int]]  # by player: when they were not
    timeouts: list[Line]


def of_table(
    table: Table, viewer: Player | None, *, organises: bool = False, own_addresses: bool = True
) -> list[dict[str, Any]]:
    """Every time that somebody's time was up at a table, oldest first, for those at it and organisers.

    Who left the table sees what happened to themselves. `organises`, if that is known of the viewer already.
    Their own addresses are shown in full, unless `own_addresses` is off. Raises Denied.
    """
    whole = viewer is not None and (
        organises or played_at(table, viewer) or may_organise(viewer, table.event)
    )
    if viewer is None or not (whole or has_left_table(table, viewer)):
        raise Denied(_("Only who played at this table, or organises it, can see that."))
    game = table.game
    if game is None:
        return []
    feed = read(game)
    if not feed.timeouts:
        return []
    places = {one.number: one for one in Seat.objects.filter(game=game).select_related("player")}
    began = [(0, game.started_at), *beginnings(game)]
    sent = deliveries(table, game, feed)
    entrants, found = seats_of(table), []
    for line in feed.timeouts:
        last, seat = line.data["seq"], line.data["seat"]
        first = last - len(line.data["actions"]) + 1
        player = who(places, seat, feed, first - 1)
        if not whole and player != viewer.pk:
            continue
        turn, since, deadline = turn_before(feed, player, first, began)
        found.append(
            {
                "seat": seat,
                "entrant": entrants[(seat - 1) % len(entrants)],
                "player": viewer.name if player == viewer.pk else name_of(places, player),
                "turn": turn,
                "began_at": since,
                "deadline": deadline,
                "notices": [
                    notice(one, mine=own_addresses and player == viewer.pk)
                    for one in sent.get(player or 0, ())
                    if about(one, game, turn, last, since, line.at)
                ],
                "what": line.data["what"],
                "seq": last,
                "at": line.at,
            }
        )
    return found


def played_at(table: Table, player: Player) -> bool:
    """Whether somebody plays for an entrant at a table."""
    return Member.objects.filter(entrant__sittings__table=table, player=player).exists()


def has_left_table(table: Table, player: Player) -> bool:
    """Whether somebody played at a table for an entrant that others play for by now.

    They were replaced there, or later. Who handed a seat on without having looked at its hand never played.
    """
    if table.game_id is None or player.guest or played_at(table, player):
        return False
    seats = Seat.objects.filter(game=OuterRef("pk"), player=player, hand_hidden=False)
    handed = SeatHandover.objects.filter(game=OuterRef("pk"), predecessor=player, hand_was_hidden=False)
    return Game.objects.filter(Exists(seats) | Exists(handed), pk=table.game_id).exists()


def has_left_tables_of(event: Event, player: Player) -> bool:
    """Whether somebody played in an event until they were replaced."""
    return Replacement.objects.filter(entrant__event=event, predecessor=player).exists()


# ------------------------------------------------------------------------------------------------- the game


def read(game: Game) -> Feed:
    """What was told, in one query."""
    feed = Feed(defaultdict(dict), defaultdict(list), [])
    seen = set()
    for line in Line.objects.filter(game=game, kind__in=TOLD).order_by("pk"):
        seq = line.data.get("seq", 0)
        if line.kind == "timeout":
            if line.reason not in seen:
                feed.timeouts.append(line)
            seen.add(line.reason)
        elif line.kind == "turn":
            feed.turns[line.player_id][seq] = line
        else:
            feed.others[line.player_id].append(seq)
    feed.timeouts.sort(key=lambda line: int(line.data["seq"]))
    return feed


def beginnings(game: Game) -> list[tuple[int, datetime]]:
    """Where turns began in the log."""
    lines = Action.objects.filter(game=game).order_by("seq").values_list("seq", "at", "events")
    return [(seq, at) for seq, at, events in lines if any(event["event"] in TURN_BEGAN for event in events)]


def who(places: dict[int | None, Seat], seat: int, feed: Feed, seq: int) -> int | None:
    """Who sat there then: who sits there now, or somebody who was to act and has left since."""
    now = places[seat].player_id if seat in places else None
    if now in feed.turns and seq in feed.turns[now]:
        return now
    seated = {one.player_id for one in places.values()}
    left = [player for player, turns in feed.turns.items() if seq in turns and player not in seated]
    return left[0] if left else now


def turn_before(
    feed: Feed, player: int | None, first: int, began: list[tuple[int, datetime | None]]
) -> tuple[int, datetime | None, datetime | None]:
    """The turn in which the clock acted first: its number, when it began, and its end as it was told."""
    start, since = [one for one in began if one[0] < first][-1]
    turns = {seq: line for seq, line in feed.turns.get(player or 0, {}).items() if seq < first}
    away = max((seq for seq in feed.others.get(player or 0, ()) if seq < first), default=-1)
    mine = sorted(seq for seq in turns if seq > away and seq >= start)
    if not mine:
        return start, since, None
    told = turns[mine[-1]].data.get("deadline")
    return mine[0], turns[mine[0]].at, datetime.fromisoformat(told) if told else None


def name_of(places: dict[int | None, Seat], player: int | None) -> str | None:
    """Who it was; None if they have left."""
    return next((one.player.name for one in places.values() if one.player and one.player_id == player), None)


# ---------------------------------------------------------------------------------------- what was sent of it


def deliveries(table: Table, game: Game, feed: Feed) -> dict[int, list[Delivery]]:
    """Mails and calls about a game, alone or with others, and daily mails of its time, by player."""
    until = max(line.at for line in feed.timeouts)
    players = Q(player__in=list(feed.turns))
    daily = Q(kind__in=("digest", TAKEN_OVER), made_at__gte=game.started_at, made_at__lte=until)
    paired = Q(kind=PAIRED, reason=f"{table.event.code}:published:{table.published_id}")
    found: dict[int, list[Delivery]] = defaultdict(list)
    for one in Delivery.objects.filter(Q(game=game) | (players & (daily | paired))).order_by("made_at", "pk"):
        found[one.player_id].append(one)
    return found


def about(one: Delivery, game: Game, turn: int, last: int, since: datetime | None, until: datetime) -> bool:
    """Whether it told of a turn, or of what the clock then did."""
    if one.kind == "digest":
        return since is not None and since <= one.made_at <= until
    if one.kind == PAIRED:
        # A new game is told with its first turn, and with the reader's own if somebody was quick.
        return turn == 0 or one.data.get("shown_turns", {}).get(game.code) == turn
    if one.kind == TAKEN_OVER:
        return game.code in one.data.get("games", ())
    reason = one.reason.partition(":")[2] if one.webhook_id else one.reason
    own = f"{game.code}:{turn}"
    if reason in (own, f"{game.code}:{last}:timeout"):
        return True
    return reason.startswith((f"{own}:reminder", f"{own}:taken-over"))


def notice(one: Delivery, *, mine: bool) -> dict[str, Any]:
    """One mail or call: when it was written, where it went, and what is known of it since."""
    return {
        "kind": one.kind,
        "at": one.made_at,
        "channel": "webhook" if one.webhook_id else "mail",
        "address": one.address if mine else masked(one.address),
        "status": one.status,
        "why": one.why if mine else "",
        "sent_at": one.sent_at,
        "handed_over_at": one.handed_over_at,
        "delivered_at": one.delivered_at,
        "bounced": one.status == Delivery.Status.BOUNCED,
        "opened_at": one.opened_at,
    }


def masked(address: str) -> str:
    """An address that only who knows it can recognise."""
    local, at, _domain = address.partition("@")
    return f"{local[:1]}…@…" if at else "…" if address else ""
