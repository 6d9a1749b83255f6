"""A table and what a viewer may see of it. `game_for` is the only way in which a door gets a game."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from django.db.models import F, QuerySet
from django.utils.translation import get_language

from games.engine import State, legal_actions, load, record, view
from games.engine.state import Setup
from games.models import Action, DerivedSeed, Game, Invitation, Player, Seat
from games.models.compiled import Compiled
from games.models.players import FORMER

from .clocks import allowance, instant, round_end_view, seat_clock
from .deadlines import deadline_of


@dataclass
class Table:
    """A game with everything around it. `state` holds every secret: for services and selectors alone."""

    game: Game
    places: list[Seat]
    state: State | None = field(repr=False)

    def place_of(self, player: Player | None) -> Seat | None:
        """Where a player sits."""
        if player is None:
            return None
        return next((place for place in self.places if place.player_id == player.pk), None)

    def place(self, number: int) -> Seat:
        """The place with a seat's number."""
        return next(place for place in self.places if place.number == number)

    @property
    def to_act(self) -> tuple[int, ...]:
        """The seats that have something to decide."""
        return self.state.to_act if self.state else ()


@dataclass(frozen=True)
class Shown:
    """A game as a door gets it: what this viewer may see, and nothing more."""

    code: str
    view: dict[str, Any]
    legal: tuple[str, ...]
    seat: int | None


class NoSuchGame(LookupError):
    """There is no such game for this viewer."""


# Of a game's people only their names are told, and times cost more to read than anything else in a row.
# What their clocks need of a player is read as well: hours and vacation.
OF_PLAYER = {"id", "name", "guest", "time_zone", "quiet_from", "quiet_until", "away_from", "away_until"}
OF_PLAYER |= {"past_vacations"}
NOT_READ = [
    "game__opening",
    "game__moved_at",
    "game__due_at",
    "game__committed_first",
    "game__rematch_of",
    "game__result",
    *(f"player__{field.name}" for field in Player._meta.concrete_fields if field.name not in OF_PLAYER),
]
NOT_SWEPT = [
    f"player__{field.name}"
    for field in Player._meta.concrete_fields
    if field.name not in OF_PLAYER | {"vacation_saved", "vacation_at", "joined_at"}
]
OF_NO_USE = ["opening", "created_at", "expires_at", "started_at", "finished_at", "moved_at", "result"]
places_of = Compiled(
    lambda code: (
        Seat.objects.filter(game__code=code)
        .select_related("game__secret", "player")
        .defer(*NOT_READ)
        .order_by(F("number").asc(nulls_last=True), "joined")
    ),
    shared="game",
)


def table(code: str) -> Table:
    """A game by its code, in one query once somebody has joined. Raises NoSuchGame."""
    places = places_of(code)
    if places:
        return set_table(places[0].game, places)
    game = Game.objects.filter(code=code).select_related("secret").first()
    if game is None:
        raise NoSuchGame(code)
    return set_table(game, places)


def set_table(game: Game, places: list[Seat]) -> Table:
    """A game and its people, and the engine's state of it."""
    text = game.secret.state
    return Table(game, places, load(text) if text else None)


def tables(ids: Sequence[int], broken: Callable[[Game], None]) -> list[Table]:
    """Many tables by the ids of their games, in two queries; players with all that time needs of them.

    A game whose state cannot be read is left out; `broken` is called for it where the error is handled.
    """
    games = Game.objects.filter(pk__in=ids).select_related("secret").defer(*OF_NO_USE).order_by("pk")
    found = {game.pk: (game, list[Seat]()) for game in games}
    places = Seat.objects.filter(game__in=ids).select_related("player").defer(*NOT_SWEPT)
    for place in places.order_by("game_id", F("number").asc(nulls_last=True), "joined"):
        game, seats = found[place.game_id]
        place.game = game
        seats.append(place)
    made = []
    for game, seats in found.values():
        try:
            made.append(set_table(game, seats))
        except Exception:
            broken(game)
    return made


@dataclass(frozen=True)
class Drawn:
    """A view as it goes out, and whether the viewer would need an invitation to see it."""

    body: bytes
    game_id: int
    by_invitation: bool


@lru_cache(maxsize=1000)
def drawn(rows: tuple[tuple[Any, ...], ...], viewer_id: int | None, language: str | None) -> Drawn:
    """The same rows make the same view for the same viewer: most looks at a game see no change.

    Whatever else a view depends on must be among the arguments.
    """
    places = places_of.objects(rows)
    found = set_table(places[0].game, places)
    viewer = Player(pk=viewer_id) if viewer_id else None
    body = json.dumps(shown(found, viewer).view).encode()
    return Drawn(body, found.game.pk, not belongs(viewer, found))


def body_for(viewer: Player | None, code: str) -> bytes:
    """The game as a viewer may see it, as JSON. Raises NoSuchGame, also for a private game of others."""
    rows = places_of.rows(code)
    if not rows:
        return json.dumps(game_for(viewer, code).view).encode()
    made = drawn(rows, viewer.pk if viewer else None, get_language())
    if made.by_invitation and not invited(viewer, made.game_id):
        raise NoSuchGame(code)
    return made.body


def game_for(viewer: Player | None, code: str) -> Shown:
    """The game as a viewer may see it. Raises NoSuchGame, also for a private game of others."""
    return shown(seen_by(viewer, code), viewer)


def left_by(player: Player, code: str) -> Shown:
    """A private game for the last time, as one sees it who has just left. Raises NoSuchGame."""
    return shown(table(code), player)


def seen_by(viewer: Player | None, code: str) -> Table:
    """A table that a viewer may look at. Raises NoSuchGame."""
    found = table(code)
    if not may_see(viewer, found):
        raise NoSuchGame(code)
    return found


def may_see(viewer: Player | None, found: Table) -> bool:
    """Public games are open to all; private ones to those who sit, made it or are invited."""
    return belongs(viewer, found) or invited(viewer, found.game.pk)


def belongs(viewer: Player | None, found: Table) -> bool:
    """Whether a viewer needs no invitation."""
    game = found.game
    if not game.private:
        return True
    return viewer is not None and bool(found.place_of(viewer) or game.creator_id == viewer.pk)


def invited(viewer: Player | None, game_id: int) -> bool:
    """Whether a viewer has an invitation that is still open."""
    if viewer is None:
        return False
    return Invitation.objects.filter(game_id=game_id, player=viewer, answered="").exists()


def has_company(found: Table, viewer: Player | None) -> bool:
    """Whether another person than the viewer sits at a table, or may still come to it."""
    if found.game.status == Game.Status.OPEN:
        return True
    return any(place.player_id and (viewer is None or place.player_id != viewer.pk) for place in found.places)


def shown(found: Table, viewer: Player | None) -> Shown:
    """What a viewer sees of a table."""
    game, state = found.game, found.state
    mine = found.place_of(viewer)
    seat = mine.number if mine else None
    seen: dict[str, Any] = terms_of(game) | {
        "rules": game.rules,
        "chat": game.chat,
        "expires_at": instant(game.expires_at) if game.status == Game.Status.OPEN else None,
        "started_at": instant(game.started_at),
        "finished_at": instant(game.finished_at),
        "fairness": fairness_of(found),
    }
    seen |= view_from(state, mine) if state else waiting()
    facts = {entry["seat"]: entry for entry in seen["seats"]}
    seen["seats"] = [
        facts.get(place.number, {"seat": None}) | person(place) | seat_clock(game, place)
        for place in found.places
    ]
    if mine and "you" in seen:
        seen["you"] |= {"eight": mine.eight, "muted": mine.muted, "hand_hidden": mine.hand_hidden}
    seen["joined"] = mine.joined if mine else None
    legal = legal_actions(state, seat) if state and mine and seat and not mine.hand_hidden else ()
    return Shown(game.code, seen, legal, seat)


def view_from(state: State, place: Seat | None) -> dict[str, Any]:
    """A state as whoever sits at a place may see it; without a place, as a spectator.

    Who has taken a seat over and not yet bound themselves to it sees no more than a spectator.
    """
    if place is None or not place.hand_hidden:
        return view(state, place.number if place else None)
    setup, seat = state.setup, place.number or 0
    partner = next((other for other in setup.partners(setup.sides[seat]) if other != seat), None)
    return view(state) | {
        "you": {
            "seat": seat,
            "side": setup.sides[seat],
            "hand": [],
            "partner": {"seat": partner, "hand": []} if partner else None,
            "legal_count": 0,
        }
    }


def terms_of(game: Game) -> dict[str, Any]:
    """What a game's view and its line in a list both say."""
    return {
        "id": game.code,
        "status": game.status,
        "mode": game.mode,
        "edition": game.edition,
        "options": {"cards": game.cards, "obligation": game.obligation, "target": game.target},
        "clock": {
            "name": game.clock,
            "allowance": game.allowance,
            "bank": game.bank,
            "blind": allowance(game, "blind"),
            "timeouts": game.timeouts,
            "weekends": game.weekends,
            "nights": game.nights,
            "vacation": game.vacation,
            "paused_until": instant(game.paused_until),
        },
        "order": game.order,
        "private": game.private,
        "rated": game.rated,
        "seats_wanted": game.seats,
        "created_at": instant(game.created_at),
        "deadline": instant(deadline_of(game)),
        "round_end": round_end_view(game),
    }


def waiting() -> dict[str, Any]:
    """The facts of a game that has not begun."""
    nothing: dict[str, Any] = {
        "seq": 0,
        "phase": None,
        "match": 0,
        "to_act": [],
        "seats": [],
        "board": {"cells": {}, "figures": []},
        "drawn": None,
        "markers": {},
        "totals": {},
        "tower_left": 0,
        "deck_left": 0,
    }
    return nothing


def person(place: Seat) -> dict[str, Any]:
    """Who sits at a place."""
    return {
        "joined": place.joined,
        "name": name_at(place),
        "player": place.player.name if place.player and not place.player.guest else None,
        "bot": place.bot or None,
        "partner": place.partner,
    }


def name_at(place: Seat) -> str:
    """The name on a seat."""
    if place.player:
        return place.player.name
    return f"{place.bot} bot" if place.bot else str(FORMER)


def fairness_of(found: Table) -> dict[str, Any]:
    """Commitment and client seeds; the server's seed only when the game is over."""
    over = found.game.status == Game.Status.OVER
    return {
        "commitment": found.game.commitment,
        "server_seed": bytes(found.game.secret.server_seed).hex() if over else None,
        "client_seeds": [place.client_seed for place in found.places],
    }


def setup_of(found: Table, key: bytes = bytes(32)) -> Setup:
    """The engine's terms of a game; the key only where a service starts or audits it."""
    game = found.game
    return Setup(
        mode=game.mode,
        seats=game.seats,
        edition=game.edition,
        cards=game.cards,
        obligation=game.obligation,
        target=game.target,
        seniority=tuple(game.seniority),
        key=key,
    )


def record_for(viewer: Player | None, code: str) -> dict[str, Any]:
    """The record of a game that has begun. Raises NoSuchGame."""
    found = seen_by(viewer, code)
    if not found.state:
        raise NoSuchGame(code)
    lines = log_of(found.game).values("seq", "seat", "action", "by", "at")
    joined = [place.number for place in sorted(found.places, key=lambda place: place.joined)]
    return record.build(
        game=code,
        setup=setup_of(found),
        names=[name_at(place) for place in found.places],
        commitment=found.game.commitment,
        server_seed=bytes(found.game.secret.server_seed) if found.game.result else None,
        client_seeds=[place.client_seed for place in found.places],
        order=found.game.order,
        joined=[number for number in joined if number],
        actions=[line | {"at": instant(line["at"])} for line in lines],
        result=found.game.result,
        event=event_of(found.game),
    )


def seed_facts_for(viewer: Player | None, code: str) -> dict[str, Any]:
    """What can be said of where a game's seeds come from. Raises NoSuchGame.

    A seat whose seed is its joining number has brought none; in an event that number is the entry's, which
    only the event knows, so a number counts as none there.
    """
    found = seen_by(viewer, code)
    event = event_of(found.game)
    own: list[dict[str, Any]] = []
    without: list[dict[str, Any]] = []
    for place in found.places:
        seed = place.client_seed
        none = not seed or (seed.isdecimal() if event else seed == str(place.joined))
        (without if none else own).append(person(place))
    return {
        "event": event,
        "committed_first": Game.objects.values_list("committed_first", flat=True).get(pk=found.game.pk),
        "own": own,
        "without": [one for one in without if not one["bot"]],
        "bots": [one for one in without if one["bot"]],
    }


def event_of(game: Game) -> dict[str, Any] | None:
    """Where the seed of a tournament's or a league's game comes from, as its record says it."""
    derived = DerivedSeed.objects.filter(game=game).select_related("source").first()
    if derived is None:
        return None
    return {
        "id": derived.source.event,
        "commitment": derived.source.commitment,
        "match": derived.match,
        "game": derived.game_number,
        "attempt": derived.attempt,
        "seed": derived.source.seed or None,
    }


def log_of(game: Game) -> QuerySet[Action]:
    """The lines of a game's log, in order."""
    return Action.objects.filter(game=game).order_by("seq")


def log_for(viewer: Player | None, code: str, after: int, limit: int) -> dict[str, Any]:
    """A page of a game's log. Raises NoSuchGame."""
    found = seen_by(viewer, code)
    lines = list(log_of(found.game).filter(seq__gt=after)[: limit + 1])
    return {
        "results": lines_of(lines[:limit]),
        "next": lines[limit - 1].seq if len(lines) > limit else None,
    }


def opening_for(viewer: Player | None, code: str) -> list[dict[str, Any]]:
    """The events of a game's first deal, which stand before its log. Raises NoSuchGame."""
    opening: list[dict[str, Any]] = seen_by(viewer, code).game.opening
    return opening


def lines_of(lines: Iterable[Action]) -> list[dict[str, Any]]:
    """Lines of the log as everybody may see them."""
    return [
        {
            "seq": line.seq,
            "seat": line.seat,
            "action": line.action,
            "by": line.by,
            "at": instant(line.at),
            "hash": line.hash,
            "events": line.events,
        }
        for line in lines
    ]


def board_for(viewer: Player | None, code: str) -> dict[str, Any]:
    """What a picture of the board needs: the same for everybody who may see the game. Raises NoSuchGame."""
    shown = game_for(viewer, code).view
    return {name: shown[name] for name in ("edition", "board", "seats")}
