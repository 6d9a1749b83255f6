"""What the house does at tables of its own: opens them, changes who sits there, resigns for who is gone."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from games.engine import fairness
from games.models import DerivedSeed, Event, EventSeed, Game, Player, Seat, SeatHandover
from games.selectors import Table, table
from games.selectors.deadlines import PLAYING, RoundEnd
from games.selectors.handovers import has_sat

from . import clocks, lobby, log
from .errors import Conflict

TRIES = 5  # for a resignation that others keep overtaking


@dataclass(frozen=True)
class SeedOrigin:
    """Which game of an event one is to be; the seed of the event stays with whoever holds it."""

    event: str
    commitment: str
    match: str
    game: int
    attempt: int

    def derive_seed(self, event_seed: bytes) -> bytes:
        """The server seed of the game."""
        return fairness.derive_game_seed(event_seed, self.match, self.game, self.attempt)


@transaction.atomic
def open_table(
    *,
    players: Sequence[Player | None],
    client_seeds: Sequence[str],
    origin: SeedOrigin,
    event_seed: bytes,
    now: datetime,
    round_end: RoundEnd | None = None,
    **terms: Any,
) -> Game:
    """A game of an event: all sit in this order and it begins at once. Raises Invalid."""
    seed = origin.derive_seed(event_seed)
    game = lobby.create(player=None, now=now, seats=len(players), order="as-joined", seed=seed, **terms)
    for name, value in round_end_columns(round_end).items():  # written with the first deal, which tells of it
        setattr(game, name, value)
    source, _new = EventSeed.objects.get_or_create(
        event=origin.event, defaults={"commitment": origin.commitment}
    )
    DerivedSeed.objects.create(
        game=game, source=source, match=origin.match, game_number=origin.game, attempt=origin.attempt
    )
    found = Table(game, [], None)
    for player, client_seed in zip(players, client_seeds, strict=True):
        lobby.sit(found, player=player, client_seed=client_seed)
    lobby.start_if_full(found, now)
    return game


def publish_event_seed(*, event: str, seed: str, now: datetime) -> None:
    """The event is over: the records of its games say where their seeds come from."""
    EventSeed.objects.filter(event=event).update(seed=seed)


def resign(*, code: str, seat: int, now: datetime) -> bool:
    """A seat whose player is out resigns; False if its side has done so already, or the game is over."""
    for _attempt in range(TRIES):
        found = table(code)
        state = found.state
        if state is None or state.over or state.setup.sides[seat] in state.out:
            return False
        try:
            log.append(found=found, seat=seat, action="resign", by="clock", now=now)
        except log.Overtaken:
            continue
        return True
    raise Conflict(_("somebody was faster: the game has moved on"), code="stale")


@transaction.atomic
def change_player(*, code: str, seat: int, player: Player, now: datetime, mailed: bool = True) -> None:
    """Somebody else takes over a seat with all that it holds; no time is won or lost. Raises Conflict.

    They see its hand once they have bound themselves to it (`seats.take_seat`). Unless `mailed`, only their
    feed tells them of it.
    """
    game = lock_running(code)
    if has_sat(player, game):
        raise Conflict(_("they have sat at this game already"), code="already-joined")
    clocks.rewind(code=code, now=now, settle_at=now, stopped=clocks.incidents())
    place = Seat.objects.get(game=game, number=seat)
    SeatHandover.objects.create(
        game=game,
        seat=seat,
        predecessor_id=place.player_id,
        hand_was_hidden=place.hand_hidden,
        successor=player,
        seq=game.seq,
        at=now,
    )
    sit_down(place, player, now, hand_hidden=True, mailed=mailed)


@transaction.atomic
def change_back(*, code: str, seat: int, player: Player, now: datetime, mailed: bool = True) -> None:
    """Undo a change of players, if whoever took the seat over has not looked at its hand. Raises Conflict.

    Unless `mailed`, only their feed tells the first player of it.
    """
    game = lock_running(code)
    place = Seat.objects.select_for_update().get(game=game, number=seat)
    last = game.handovers.filter(seat=seat).last()
    if last is None or last.predecessor_id != player.pk or not place.hand_hidden:
        raise Conflict(_("whoever sits there now has seen the hand"), code="hand-shown")
    clocks.rewind(code=code, now=now, settle_at=now, stopped=clocks.incidents())
    last.delete()
    sit_down(place, player, now, hand_hidden=last.hand_was_hidden, mailed=mailed)


def lock_running(code: str) -> Game:
    """A game that is played, with its row locked. Raises Conflict."""
    game = Game.objects.select_for_update().get(code=code)
    if game.status not in PLAYING:
        raise Conflict(_("the game is over"), code="over")
    return game


def sit_down(place: Seat, player: Player, now: datetime, *, hand_hidden: bool, mailed: bool) -> None:
    """Write down who sits at a place, and tell them; the caller holds the game and has settled its clocks.

    Who sat there before, and was told of this very turn, is told again. Reminders come in any case.
    """
    game, code, seat = place.game, place.game.code, place.number or 0
    Seat.objects.filter(pk=place.pk).update(
        player=player, muted=False, eight=Seat.Eight.ASK, hand_hidden=hand_hidden
    )
    clocks.count_seat_changes([code])
    clocks.rewind(code=code, now=now)
    found = table(code)
    watch = clocks.watch_of(found.game, seat)
    on_turn = seat in found.to_act and watch.on
    turn = watch.turn if on_turn else found.game.seq
    Event.objects.filter(player=player, game=game, kind="turn", due_at__isnull=False).update(due_at=None)
    line = Event(
        player=player,
        game=game,
        kind="turn" if on_turn else "started",
        reason=f"{code}:{turn}:taken-over:{found.game.seat_changes}",
        data=log.turn_facts(found.game, turn),
        at=now,
        due_at=now if on_turn or mailed else None,
        stage=0 if mailed else 1,
    )
    Event.objects.bulk_create([line], ignore_conflicts=True)


def release(*, code: str, now: datetime) -> bool:
    """A game that counts no more for what it was opened for: who likes plays on, and nobody is rated."""
    released = Game.objects.filter(code=code, status__in=PLAYING).update(
        rated=False, **round_end_columns(None)
    )
    wake_reminders([code], now)
    return bool(released)


def reclaim(*, code: str, now: datetime) -> bool:
    """A game that was released counts again, and is rated."""
    return bool(Game.objects.filter(code=code, obligation="strict").update(rated=True))


# ------------------------------------------------------------------------------------------ ends of rounds


def set_round_end(*, codes: Collection[str], round_end: RoundEnd | None, now: datetime) -> None:
    """Write when the round of these games ends and whose it is; None: they are in no round that ends."""
    Game.objects.filter(code__in=codes).update(**round_end_columns(round_end))
    wake_reminders(codes, now)


def round_end_columns(end: RoundEnd | None) -> dict[str, Any]:
    """The columns of a game that say when its round ends."""
    if end is None:
        return {"round_ends_at": None, "round_of": None}
    facts = {"tournament": end.tournament, "number": end.number, "page": end.page}
    return {"round_ends_at": end.at, "round_of": facts}


def wake_reminders(codes: Collection[str], now: datetime) -> None:
    """Reminders that wait are looked at again: their times may have moved."""
    Event.objects.filter(game__code__in=codes, stage__gte=2, due_at__gt=now).update(due_at=now)
