"""Wakes the open pages of tournaments and leagues, once a change is committed.

What is locked is about to change, so the functions that lock a tournament or a league wake its pages; a
page whose version is unchanged does nothing.
"""

from __future__ import annotations

from notifications.stream_wake_ups import wake_streams_after_commit
from notifications.topics import make_topic
from tournaments.models import League, Tournament


def wake_tournament_pages(tournament: Tournament) -> None:
    """Wake the pages of a tournament after the commit, and those of its league, which show its results."""
    keys = [make_topic("tournament", tournament.code)]
    if tournament.division_id:
        leagues = League.objects.filter(seasons__divisions=tournament.division_id)
        keys += [make_topic("league", code) for code in leagues.values_list("code", flat=True)]
    wake_streams_after_commit(keys)


def wake_league_pages(league: League) -> None:
    """Wake the pages of a league after the commit."""
    wake_streams_after_commit([make_topic("league", league.code)])
