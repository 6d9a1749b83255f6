"""Refuses what would be more than the limits of tournaments.selectors.caps allow, with the limit said."""

from __future__ import annotations

from django.utils.translation import gettext as _

from games.models import Player
from games.services import limits
from games.services.errors import Conflict, Invalid
from tournaments.models import Event, League
from tournaments.models.limits import MAX_LAPS
from tournaments.selectors import caps

SHAPE = frozenset({"format", "table", "rounds", "laps", "at_once", "capacity", "size", "groups"})


def check_event_size(event: Event, *, entrants: int = 0) -> None:
    """Raise Invalid on an event that is larger than one may be, with the entrants that it has already."""
    check_laps(event.laps)
    places = max(event.capacity or 2, entrants)
    if caps.begins_too_many(event, places):
        refuse_games_at_once(caps.count_games_at_once(event, places))


def check_league_size(league: League) -> None:
    """Raise Invalid on a league whose groups are larger than they may be."""
    check_laps(league.laps)
    group = -(-league.size // max(league.groups, 1))
    if caps.begins_too_many(league, group):
        refuse_games_at_once(caps.count_games_at_once(league, group))


def check_laps(laps: int) -> None:
    """Raise Invalid if two would meet too often."""
    if laps > MAX_LAPS:
        raise Invalid(
            _("Two players meet %(limit)d times at most.") % {"limit": MAX_LAPS},
            code="too-many-laps",
            limit=MAX_LAPS,
        )


def refuse_games_at_once(count: int) -> None:
    """Raise Invalid: so many games are too many to begin together."""
    limit = caps.MAX_GAMES_AT_ONCE_PER_EVENT
    raise Invalid(
        _(
            "%(count)d games would begin at once, and %(limit)d are the most. Take fewer places or rounds, "
            "or let one round begin after the other."
        )
        % {"count": count, "limit": limit},
        code="too-many-games-at-once",
        limit=limit,
    )


def check_drafts(organiser: Player) -> None:
    """Hold an organiser, and raise Conflict if they have as many tournaments in preparation as they may."""
    limits.hold(organiser)
    limit = caps.MAX_DRAFT_EVENTS_PER_ORGANISER
    if caps.count_drafts(organiser) >= limit:
        text = _("You have %(limit)d tournaments in preparation. Publish or delete one of them first.")
        raise Conflict(text % {"limit": limit}, code="too-many-events", limit=limit)


def check_active_events(organiser: Player) -> None:
    """Hold an organiser, and raise Conflict if as many of their tournaments are under way as may be."""
    limits.hold(organiser)
    limit = caps.MAX_RUNNING_EVENTS_PER_ORGANISER
    if caps.count_active_events(organiser) >= limit:
        text = _("%(limit)d of your tournaments are open or running. Wait until one of them is over.")
        raise Conflict(text % {"limit": limit}, code="too-many-events", limit=limit)


def check_leagues(organiser: Player) -> None:
    """Hold an organiser, and raise Conflict if they have as many leagues as they may."""
    limits.hold(organiser)
    limit = caps.MAX_LEAGUES_PER_ORGANISER
    if caps.count_leagues(organiser) >= limit:
        text = _("You organise %(limit)d leagues already. Close one of them first.")
        raise Conflict(text % {"limit": limit}, code="too-many-events", limit=limit)


def check_players(*players: Player) -> None:
    """Hold players, and raise Conflict if one of them has as many games going as they may.

    What an event then begins is not refused, however many games that makes.
    """
    for player in sorted(players, key=lambda one: one.pk):  # as everybody else who holds two of them
        limits.check_running_games(player)
