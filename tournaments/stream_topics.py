"""The topics of live streams that tournaments have: a tournament, and a league."""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from typing import Any

from django.db.models import Count, Max, OuterRef, QuerySet, Subquery

from accounts.models import Player
from notifications.streams.topics import StreamTopic, TopicNotVisible
from notifications.topics import make_topic
from tournaments.models import Decision, Entrant, League, LeagueMember, Pairing, Round, Season, Tournament
from tournaments.selectors.tournaments import NoSuchTournament, get_league_for, get_tournament_for

TOURNAMENT_FAMILY, LEAGUE_FAMILY = "tournament", "league"
TOURNAMENT_COLUMNS = ("code", "name", "status", "starts_at", "closes_at", "started_at", "finished_at")
LEAGUE_COLUMNS = ("code", "name", "status")


def summarise(rows: QuerySet[Any], group: str, **summaries: Any) -> dict[str, Subquery]:
    """Subqueries that each summarise the rows of one tournament or league."""
    groups = rows.filter(**{group: OuterRef("pk")}).order_by().values(group)
    return {
        name: Subquery(groups.annotate(summary=summary).values("summary"))
        for name, summary in summaries.items()
    }


def find_tournament_marks(codes: Collection[str]) -> dict[str, str]:
    """A mark of each tournament by code: changes with entrants, rounds, results and decisions."""
    entrants, in_tournament = Entrant.objects.all(), "tournament"
    summaries = (
        summarise(entrants, in_tournament, entrant_count=Count("pk"), last_entrant=Max("pk"))
        | summarise(entrants.filter(status=Entrant.Status.ENTERED), in_tournament, active_count=Count("pk"))
        | summarise(Round.objects.all(), in_tournament, last_round=Max("pk"), round_end=Max("ends_at"))
        | summarise(
            Pairing.objects.all(), in_tournament, pairing_count=Count("game"), settled=Max("settled_at")
        )
        | summarise(Pairing.objects.filter(is_void=True), in_tournament, void_count=Count("pk"))
        | summarise(
            Pairing.objects.filter(settled_at__isnull=False), in_tournament, settled_count=Count("pk")
        )
        | summarise(Decision.objects.all(), in_tournament, last_decision=Max("pk"))
    )
    rows = Tournament.objects.filter(code__in=codes).annotate(**summaries)
    return {code: repr(columns) for code, *columns in rows.values_list(*TOURNAMENT_COLUMNS, *summaries)}


def find_league_marks(codes: Collection[str]) -> dict[str, str]:
    """A mark of each league by code: changes with members, seasons and results."""
    members, in_league = LeagueMember.objects.all(), "league"
    settled_pairings = Pairing.objects.filter(settled_at__isnull=False)
    summaries = (
        summarise(members, in_league, member_count=Count("pk"), member_change=Max("status_changed_at"))
        | summarise(Season.objects.all(), in_league, last_season=Max("pk"), season_end=Max("finished_at"))
        | summarise(
            settled_pairings,
            "tournament__division__season__league",
            settled_count=Count("pk"),
            settled=Max("settled_at"),
        )
    )
    rows = League.objects.filter(code__in=codes).annotate(**summaries)
    return {code: repr(columns) for code, *columns in rows.values_list(*LEAGUE_COLUMNS, *summaries)}


def find_tournament_version(viewer: Player | None, code: str) -> str:
    """The version of a tournament's pages; drafts are for organisers. Raises TopicNotVisible."""
    try:
        get_tournament_for(viewer, code)
    except NoSuchTournament:
        raise TopicNotVisible(code) from None
    return shorten_mark(find_tournament_marks([code])[code])


def find_league_version(viewer: Player | None, code: str) -> str:
    """The version of a league's pages. Raises TopicNotVisible."""
    try:
        get_league_for(viewer, code)
    except NoSuchTournament:
        raise TopicNotVisible(code) from None
    return shorten_mark(find_league_marks([code])[code])


def shorten_mark(mark: str) -> str:
    """An opaque text for a mark."""
    return hashlib.sha256(mark.encode()).hexdigest()[:24]


STREAM_TOPICS = (
    StreamTopic(
        TOURNAMENT_FAMILY,
        find_marks=find_tournament_marks,
        find_version=find_tournament_version,
        find_key=lambda viewer, code: make_topic(TOURNAMENT_FAMILY, code),
    ),
    StreamTopic(
        LEAGUE_FAMILY,
        find_marks=find_league_marks,
        find_version=find_league_version,
        find_key=lambda viewer, code: make_topic(LEAGUE_FAMILY, code),
    ),
)
