"""What players are told of events: lines of the games' feed, each once."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from games.models import Event as Line
from games.models import Game
from tournaments.models import Event, Member


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
    return [
        Line(player_id=player, game=game, kind=kind, reason=f"{event.code}:{reason}", data=told, at=now)
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
    write(lines(event, kind, reason, players, now, game, **data))


def write(told: Iterable[Line]) -> None:
    """Put lines into feeds; whatever runs twice, nobody is told twice."""
    Line.objects.bulk_create(told, ignore_conflicts=True)


def tell_organisers(event: Event, kind: str, reason: str, now: datetime, **data: Any) -> None:
    """The same for those who organise it."""
    helpers = event.helpers.values_list("pk", flat=True)
    tell(event, kind, reason, [event.organiser_id, *helpers], now, **data)


def members(event: Event, entrants: Iterable[int] | None = None) -> list[int | None]:
    """Everybody who plays, or plays for these entrants."""
    found = Member.objects.filter(event=event)
    if entrants is not None:
        found = found.filter(entrant__in=list(entrants))
    return list(found.values_list("player_id", flat=True))
