"""What the house does at tables of its own: opens them, changes who sits there, resigns for who is gone."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from games.models import Event, Game, Player, Seat, SeatHandover
from games.selectors import Table, instant, table
from games.selectors.handovers import has_sat

from . import clocks, lobby, log
from .errors import Conflict

PLAYING = (Game.Status.RUNNING, Game.Status.TIEBREAK)
TRIES = 5  # for a resignation that others keep overtaking


@transaction.atomic
def open_table(*, players: Sequence[Player | None], now: datetime, **terms: Any) -> Game:
    """A game that nobody made: all sit in this order and it begins at once. Raises Invalid."""
    game = lobby.create(player=None, now=now, seats=len(players), order="as-joined", **terms)
    found = Table(game, [], None)
    for player in players:
        lobby.sit(found, player=player)
    lobby.start_if_full(found, now)
    return game


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
def change_player(*, code: str, seat: int, player: Player, now: datetime) -> None:
    """Somebody else takes over a seat with all that it holds; no time is won or lost. Raises Conflict.

    They see its hand once they have bound themselves to it (`seats.take_seat`).
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
    sit_down(place, player, now, hand_hidden=True)


@transaction.atomic
def change_back(*, code: str, seat: int, player: Player, now: datetime) -> None:
    """Undo a change of players, if whoever took the seat over has not looked at its hand. Raises Conflict."""
    game = lock_running(code)
    place = Seat.objects.select_for_update().get(game=game, number=seat)
    last = game.handovers.filter(seat=seat).last()
    if last is None or last.predecessor_id != player.pk or not place.hand_hidden:
        raise Conflict(_("whoever sits there now has seen the hand"), code="hand-shown")
    clocks.rewind(code=code, now=now, settle_at=now, stopped=clocks.incidents())
    last.delete()
    sit_down(place, player, now, hand_hidden=last.hand_was_hidden)


def lock_running(code: str) -> Game:
    """A game that is played, with its row locked. Raises Conflict."""
    game = Game.objects.select_for_update().get(code=code)
    if game.status not in PLAYING:
        raise Conflict(_("the game is over"), code="over")
    return game


def sit_down(place: Seat, player: Player, now: datetime, *, hand_hidden: bool) -> None:
    """Write down who sits at a place, and tell them; the caller holds the game and has settled its clocks."""
    game, code, seat = place.game, place.game.code, place.number or 0
    Seat.objects.filter(pk=place.pk).update(
        player=player, muted=False, eight=Seat.Eight.ASK, hand_hidden=hand_hidden
    )
    clocks.rewind(code=code, now=now)
    found = table(code)
    watch = clocks.watch_of(found.game, seat)
    on_turn = seat in found.to_act and watch.on
    turn = watch.turn if on_turn else found.game.seq
    line = Event(
        player=player,
        game=game,
        kind="turn" if on_turn else "started",
        reason=f"{code}:{turn}" if on_turn else f"{code}:{turn}:taken-over",
        data={"game": code, "seq": turn, "deadline": instant(found.game.deadline)},
        at=now,
        due_at=now,
    )
    Event.objects.bulk_create([line], ignore_conflicts=True)


def release(*, code: str, now: datetime) -> bool:
    """A game that counts no more for what it was opened for: who likes plays on, and nobody is rated."""
    return bool(Game.objects.filter(code=code, status__in=PLAYING).update(rated=False))


def reclaim(*, code: str, now: datetime) -> bool:
    """A game that was released counts again, and is rated."""
    return bool(Game.objects.filter(code=code).update(rated=True))
