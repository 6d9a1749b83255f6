"""Replay stored games and compare: log, hash chain, snapshot, secrets."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from games import engine
from games.engine import Refused, fairness
from games.models import Action, Game, Seat
from games.selectors import Table, setup_of

from . import clocks, log

BATCH = 200


@dataclass(frozen=True)
class Finding:
    """What is wrong with a game, and where; seq 0 is the start or the snapshot."""

    code: str
    seq: int
    text: str

    def __str__(self) -> str:
        return f"{self.code} at seq {self.seq}: {self.text}"


def begun() -> int:
    """How many games there are to audit."""
    return Game.objects.exclude(started_at=None).count()


def audit() -> Iterator[Finding | None]:
    """One answer for each game that has begun, None if all is well; memory stays as it is."""
    last = 0
    while True:
        games = list(
            Game.objects.filter(pk__gt=last)
            .exclude(started_at=None)
            .select_related("secret")
            .order_by("pk")[:BATCH]
        )
        if not games:
            return
        for game in games:
            yield audit_live(game)
        last = games[-1].pk


def audit_live(game: Game) -> Finding | None:
    """The same for a game that is being played: one that has moved on since it was read is read again."""
    while found := audit_game(game):
        seen, game = game.seq, Game.objects.select_related("secret").get(pk=game.pk)
        if game.seq == seen:
            break
    return found


def audit_game(game: Game) -> Finding | None:
    """Replay one game from its seeds."""
    places = list(Seat.objects.filter(game=game).order_by("number"))
    found = Table(game, places, None)

    def wrong(seq: int, text: str) -> Finding:
        return Finding(game.code, seq, text)

    seed = bytes(game.secret.server_seed)
    if fairness.commitment(seed) != game.commitment:
        return wrong(0, "the seed does not match the commitment")
    if game.rules != engine.RULES:
        return wrong(0, f"rules version {game.rules} is not known here")
    try:
        key = fairness.game_key(seed, [place.client_seed for place in places])
        state, events = engine.start(setup_of(found, key))
    except ValueError as error:
        return wrong(0, f"cannot be set up: {error}")
    if events != game.opening:
        return wrong(0, "the opening differs")
    chain, at = game.commitment, None
    for line in Action.objects.filter(game=game).order_by("seq").iterator(chunk_size=500):
        if line.seq != state.seq + 1:
            return wrong(state.seq + 1, f"the log goes on with seq {line.seq}")
        chain = log.chained(
            chain, code=game.code, seq=line.seq, seat=line.seat, action=line.action, by=line.by, at=line.at
        )
        if chain != line.hash:
            return wrong(line.seq, "the hash does not follow from the line before")
        try:
            state, events = engine.apply(state, line.seat, line.action)
        except Refused as refused:
            return wrong(line.seq, f"{line.action} is refused: {refused}")
        if events != line.events:
            return wrong(line.seq, "the events differ")
        at = line.at
    if chain != game.chain:
        return wrong(state.seq, "the snapshot's hash is not that of the last line")
    if engine.dump(state) != game.secret.state:
        return wrong(state.seq, "the stored state differs from the replay")
    moved = game.moved_at
    assert moved is not None
    if moved != (at or game.started_at):
        return wrong(state.seq, "the snapshot's time is not that of the last line")
    expected = log.snapshot(found, state, moved, opens=clocks.opens_blind(events))
    if game.status == Game.Status.RUNNING and expected["status"] == Game.Status.TIEBREAK:
        expected["status"] = Game.Status.RUNNING  # a worker has opened the blind match since
    for name, value in expected.items():
        if name != "finished_at" and getattr(game, name) != value:
            return wrong(
                state.seq, f"the snapshot's {name} is {getattr(game, name)!r}, the replay gives {value!r}"
            )
    return None
