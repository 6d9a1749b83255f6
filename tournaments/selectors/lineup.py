"""Who would play if an event started now: read once, for a look ahead as for the start itself."""

from __future__ import annotations

from dataclasses import dataclass, field

from tournaments.models import Entrant, Event

from .caps import count_places
from .course import MEMBERS, Course
from .ratings import ratings_of

S = Entrant.Status


@dataclass
class LineUp:
    """Entrants as they would be, not stored: who is gone or silent, who moves up, who gets a seed."""

    event: Event
    gone: list[Entrant] = field(default_factory=list)  # whose account is gone, or that of their partner
    silent: list[Entrant] = field(default_factory=list)  # who has not confirmed, where that is asked
    lucky: list[Entrant] = field(default_factory=list)  # from the waiting list
    playing: list[Entrant] = field(default_factory=list)
    seeded: list[Entrant] = field(default_factory=list)  # those of them who get a seed by their rating

    @property
    def full(self) -> bool:
        """Whether all places are taken, and by people who will be there."""
        places = self.event.capacity
        return places is not None and not self.silent and len(self.playing) >= places

    def course(self) -> Course:
        """The event as it would be once it has started."""
        return Course(self.event, sorted([*self.silent, *self.playing], key=lambda one: one.pk))


def line_up(event: Event) -> LineUp:
    """Who plays, and with which seeds, if an event starts now."""
    found = LineUp(event)
    entrants = list(event.entrants.order_by("pk").prefetch_related(MEMBERS))
    taken = [one.seed for one in entrants if one.seed]
    waiting = []
    for one in entrants:
        here = not event.confirmation or one.confirmed_at is not None
        if any(member.player_id is None for member in one.members.all()):
            found.gone.append(one)
        elif one.status == S.WAITING:
            waiting += [one] if here else []
        elif not here:
            one.status, one.left = S.WITHDRAWN, 0
            found.silent.append(one)
        elif one.status == S.ENTERED:
            found.playing.append(one)
    free = max(count_places(event) - len(found.playing), 0)
    for one in waiting[:free]:
        one.status, one.joined = S.ENTERED, 1
        found.lucky.append(one)
    found.playing += found.lucky
    if event.seeding == Event.Seeding.RATING:
        by_rating(found, after=max(taken, default=0))
    return found


def by_rating(found: LineUp, *, after: int) -> None:
    """Those without a seed of the organiser's come by rating; who has none is drawn in behind them."""
    ratings = ratings_of(
        (member.player_id for one in found.playing for member in one.members.all() if member.player_id),
        found.event.mode,
    )

    def strength(entrant: Entrant) -> float | None:
        known = [ratings[one.player_id] for one in entrant.members.all() if one.player_id in ratings]
        return sum(known) / len(known) if known else None

    free = [one for one in found.playing if one.seed is None]
    rated = [(value, one) for one in free if (value := strength(one)) is not None]
    rated.sort(key=lambda pair: (-pair[0], pair[1].pk))
    for number, (_value, one) in enumerate(rated, after + 1):
        one.seed = number
        found.seeded.append(one)
