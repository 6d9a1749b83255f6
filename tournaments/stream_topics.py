"""The topics of live streams that tournaments have: a tournament, and a league."""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from typing import Any

from django.db.models import Count, Max, OuterRef, QuerySet, Subquery

from accounts.models import Player
from notifications.selectors.feed import FEED_MARK_COLUMNS, with_feed_marks
from notifications.streams.topics import StreamTopic, TopicNotVisible
from notifications.topics import make_topic
from tournaments.models import Decision, Entrant, League, LeagueMember, Pairing, Round, Season, Tournament
from tournaments.selectors.tournaments import NoSuchTournament, get_league_for, get_tournament_for

TOURNAMENT_FAMILY, LEAGUE_FAMILY = "tournament", "league"
DATE_COLUMNS = ("opens_at", "closes_at", "starts_at", "started_at", "finished_at")
TOURNAMENT_COLUMNS = ("code", "name", "text", "status", "capacity", "seed", *DATE_COLUMNS)
LEAGUE_COLUMNS = ("code", "name", "text", "status", "seed")


def summarise(rows: QuerySet[Any], group: str, **summaries: Any) -> dict[str, Subquery]:
    """Subqueries that each summarise the rows of one tournament or league."""
    groups = rows.filter(**{group: OuterRef("pk")}).order_by().values(group)
    return {
        name: Subquery(groups.annotate(summary=summary).values("summary"))
        for name, summary in summaries.items()
    }


def find_tournament_marks(codes: Collection[str], viewer: Player | None = None) -> dict[str, str]:
    """A mark of each tournament by code: changes with entrants, rounds, results and decisions.

    With a viewer also with their feed, because pages show turns and proposals that it tells of.
    """
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
        | build_feed_columns(viewer)
    )
    rows = Tournament.objects.filter(code__in=codes).annotate(**summaries)
    return {code: repr(columns) for code, *columns in rows.values_list(*TOURNAMENT_COLUMNS, *summaries)}


def find_league_marks(codes: Collection[str], viewer: Player | None = None) -> dict[str, str]:
    """A mark of each league by code: changes with members, seasons and results, and the viewer's feed."""
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
        | build_feed_columns(viewer)
    )
    rows = League.objects.filter(code__in=codes).annotate(**summaries)
    return {code: repr(columns) for code, *columns in rows.values_list(*LEAGUE_COLUMNS, *summaries)}


def find_tournament_version(viewer: Player | None, code: str) -> str:
    """The version of a tournament's pages for a viewer. Raises TopicNotVisible."""
    try:
        get_tournament_for(viewer, code)
    except NoSuchTournament:
        raise TopicNotVisible(code) from None
    return read_tournament_version(viewer, code)


def find_league_version(viewer: Player | None, code: str) -> str:
    """The version of a league's pages for a viewer. Raises TopicNotVisible."""
    try:
        get_league_for(viewer, code)
    except NoSuchTournament:
        raise TopicNotVisible(code) from None
    return read_league_version(viewer, code)


def read_tournament_version(viewer: Player | None, code: str) -> str:
    """The version of a tournament's pages for a viewer who may see them. Raises TopicNotVisible."""
    return shorten_mark(find_tournament_marks([code], viewer).get(code))


def read_league_version(viewer: Player | None, code: str) -> str:
    """The version of a league's pages. Raises TopicNotVisible if there is none."""
    return shorten_mark(find_league_marks([code], viewer).get(code))


def build_feed_columns(viewer: Player | None) -> dict[str, Subquery]:
    """Columns that change with the viewer's feed."""
    if viewer is None:
        return {}
    marked_players = with_feed_marks(Player.objects.filter(pk=viewer.pk))
    return {f"feed_{column}": Subquery(marked_players.values(column)) for column in FEED_MARK_COLUMNS}


def shorten_mark(mark: str | None) -> str:
    """An opaque text for a mark. Raises TopicNotVisible without one."""
    if mark is None:
        raise TopicNotVisible
    return hashlib.sha256(mark.encode()).hexdigest()[:24]


STREAM_TOPICS = (
    StreamTopic(
        TOURNAMENT_FAMILY,
        find_marks=find_tournament_marks,
        find_version=find_tournament_version,
        read_version=read_tournament_version,
        find_key=lambda viewer, code: make_topic(TOURNAMENT_FAMILY, code),
    ),
    StreamTopic(
        LEAGUE_FAMILY,
        find_marks=find_league_marks,
        find_version=find_league_version,
        read_version=read_league_version,
        find_key=lambda viewer, code: make_topic(LEAGUE_FAMILY, code),
    ),
)
