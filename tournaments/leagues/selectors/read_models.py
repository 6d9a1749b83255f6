"""Public read models of leagues, for pages and for the API.

Standings of divisions are in division_standings.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from typing import Any

from django.db.models import Count, Exists, IntegerField, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from accounts.models import Player
from games.options import read_api_options
from tournaments.leagues.permissions import league_permissions_of
from tournaments.leagues.read_models import (
    CalendarEntryData,
    CalendarEntryKind,
    LeagueData,
    LeagueHonours,
    LeagueMemberData,
    LeagueSummaryData,
    SeasonChampions,
    SeasonData,
    TitleCount,
)
from tournaments.models import (
    DivisionPlacement,
    EntrantPlayer,
    League,
    LeagueMember,
    Proposal,
    Removal,
    Round,
    Season,
)
from tournaments.options import LEAGUE_OPTIONS
from tournaments.selectors import get_league_for
from tournaments.selectors.seeds import build_next_season
from tournaments.selectors.tournament_read_models import game_settings_dict


def count_members_sql(status: str) -> Coalesce:
    """Return a subquery that counts a league's members with a status."""
    league_members = LeagueMember.objects.filter(league=OuterRef("pk"), status=status).order_by()
    member_counts = league_members.values("league").annotate(n=Count("pk")).values("n")
    return Coalesce(Subquery(member_counts, output_field=IntegerField()), 0)


def with_counts(leagues: QuerySet[League], viewer: Player | None = None) -> QuerySet[League]:
    """Annotate leagues with member counts, the last season, and the viewer's role; one query."""
    last_seasons = Season.objects.filter(league=OuterRef("pk")).order_by("-number")
    own_memberships = LeagueMember.objects.filter(league=OuterRef("pk"), player=viewer.pk if viewer else None)
    own_leagues = League.objects.filter(pk=OuterRef("pk"), co_organisers=viewer.pk if viewer else None)
    own_removals = Removal.objects.filter(
        league=OuterRef("pk"), lifted_at=None, player=viewer.pk if viewer else None
    )
    open_proposals = Proposal.objects.filter(league=OuterRef("pk"), status=Proposal.Status.OPEN)
    open_proposals = (
        open_proposals.filter(Q(player=viewer.pk) | Q(proposer=viewer.pk))
        if viewer
        else open_proposals.none()
    )
    return leagues.select_related("organiser").annotate(
        members=count_members_sql(LeagueMember.Status.MEMBER),
        substitutes=count_members_sql(LeagueMember.Status.SUBSTITUTE),
        season=Subquery(last_seasons.values("number")[:1]),
        season_over=Subquery(last_seasons.values("finished_at")[:1]),
        own_status=Subquery(own_memberships.values("status")[:1]),
        partner=Subquery(own_memberships.values("partner__name")[:1]),
        client_seed=Subquery(own_memberships.values("client_seed")[:1]),
        is_co_organiser=Exists(own_leagues),
        is_removed=Exists(own_removals),
        has_open_proposal=Exists(open_proposals),
    )


def load_league_for(viewer: Player | None, code: str) -> League:
    """Load a league with its counts and the viewer's role. Raises NoSuchLeague."""
    return with_counts(League.objects.filter(pk=get_league_for(viewer, code).pk), viewer).get()


def build_summary(league: League) -> LeagueSummaryData:
    """Build a league for a list; needs `with_counts`."""
    return LeagueSummaryData(
        id=league.code,
        name=league.name,
        status=League.Status(league.status),
        mode=League.Mode(league.mode),
        table_size=league.table_size,
        clock=league.time_control,
        rated=league.rated,
        division_size=league.division_size,
        organiser=league.organiser.name if league.organiser else None,
        members=league.members,  # type: ignore[attr-defined]
        substitutes=league.substitutes,  # type: ignore[attr-defined]
        season=league.season,  # type: ignore[attr-defined]
        membership=LeagueMember.Status(league.own_status) if league.own_status else None,  # type: ignore[attr-defined]
        partner=league.partner,  # type: ignore[attr-defined]
        created_at=league.created_at,
    )


def settings_dict(league: League) -> dict[str, Any]:
    """Return all settings of a league."""
    return read_api_options(league, LEAGUE_OPTIONS) | game_settings_dict(league)


def build_league_details(league: League, viewer: Player | None, now: datetime) -> LeagueData:
    """Build all details of a league but its seasons; needs `with_counts`."""
    summary = build_summary(league)
    return LeagueData(
        **vars(summary),
        settings=settings_dict(league),
        commitment=league.commitment,
        seed=league.seed or None,  # published at the end
        next_season=build_next_season(
            league, member_count=summary.members, last_season_no=summary.season or 0
        ),
        co_organisers=list(league.co_organisers.order_by("name").values_list("name", flat=True)),
        calendar=build_calendar(league, league.seasons.order_by("-number").first(), now),
        you=league_permissions_of(league, viewer),
    )


def build_member(member: LeagueMember) -> LeagueMemberData:
    """Build a member of a league; needs player and partner."""
    return LeagueMemberData(
        name=member.player.name,
        status=LeagueMember.Status(member.status),
        partner=member.partner.name if member.partner else None,
        status_changed_at=member.status_changed_at,
    )


# -------------------------------------------------------------------------------------------------- seasons


def list_seasons(league: League) -> QuerySet[Season]:
    """List a league's seasons with the numbers of divisions and placements, the newest first."""
    counts = {
        "division_count": Count("divisions", distinct=True),
        "placement_count": Count("placements", distinct=True),
    }
    return league.seasons.annotate(**counts).order_by("-number")


def build_season(season: Season) -> SeasonData:
    """Build a season for a list; needs `list_seasons`."""
    return SeasonData(
        number=season.number,
        started_at=season.started_at,
        finished_at=season.finished_at,
        divisions=season.division_count,  # type: ignore[attr-defined]
        players=season.placement_count,  # type: ignore[attr-defined]
    )


def build_calendar(league: League, current_season: Season | None, now: datetime) -> list[CalendarEntryData]:
    """List past and coming dates of the current season in order; no `at` means: when all games are over.

    Kinds: season-began, round-ends (with the round), season-ends, season-ended, next-season.
    """

    def build_entry(
        kind: CalendarEntryKind, season_no: int, at: datetime | None, round_no: int | None = None
    ) -> CalendarEntryData:
        return CalendarEntryData(kind, season_no, at, past=at is not None and at <= now, round=round_no)

    next_sweep_at = league.next_sweep_at if league.is_running else None
    if current_season is None:
        return [] if league.is_closed else [build_entry("next-season", 1, next_sweep_at)]
    number = current_season.number
    entries = [build_entry("season-began", number, current_season.started_at)]
    is_last = league.season_limit is not None and number >= league.season_limit
    if current_season.finished_at:
        entries.append(build_entry("season-ended", number, current_season.finished_at))
    else:
        entries += [
            build_entry("round-ends", number, at, round_no)
            for round_no, at in load_round_ends(current_season).items()
        ]
        # All games are over, but the appeal period is not.
        ends_at = (
            league.next_sweep_at
            if league.next_sweep_at and league.next_sweep_at > now and not league.last_error
            else None
        )
        entries.append(build_entry("season-ends", number, ends_at))
        next_sweep_at = None
    if not is_last and not league.is_closed:
        entries.append(build_entry("next-season", number + 1, next_sweep_at))
    return entries


def load_round_ends(current_season: Season) -> dict[int, datetime]:
    """Load when the rounds of a season are adjudicated; of groups in the same round the last one counts."""
    rounds = Round.objects.filter(
        tournament__division__season=current_season, ends_at__isnull=False, pairings__settled_at=None
    )
    ends: dict[int, datetime] = {}
    for number, at in rounds.order_by("ends_at").values_list("number", "ends_at").distinct():
        if at:
            ends[number] = at
    return dict(sorted(ends.items()))


# -------------------------------------------------------------------------------------------------- honours

SEASON_WINNERS = Q(
    entrant__placement__rank=1,
    entrant__placement__division__number=1,
    entrant__placement__season__finished_at__isnull=False,
)


def list_champions(league: League, *, limit: int | None = None) -> list[SeasonChampions]:
    """List the winners of the highest division by finished season, the newest first; one query."""
    entrant_players = EntrantPlayer.objects.filter(SEASON_WINNERS, entrant__placement__season__league=league)
    rows = entrant_players.order_by("-entrant__placement__season__number", "position").values_list(
        "entrant__placement__season__number", "entrant__placement__season__finished_at", "player__name"
    )
    seasons: dict[int, SeasonChampions] = {}
    for number, at, name in rows[: limit * 2] if limit else rows:
        champions = seasons.setdefault(number, SeasonChampions(number, at, []))
        if name:
            champions.players.append(name)
    return list(seasons.values())[:limit]


def count_titles(seasons: Iterable[SeasonChampions]) -> list[TitleCount]:
    """Count the titles of each player in these seasons, most first; deleted accounts are left out."""
    counts = Counter(name for champions in seasons for name in champions.players)
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0].lower()))
    return [TitleCount(name, title_count) for name, title_count in ordered]


def list_honours(player: Player) -> list[LeagueHonours]:
    """List the seasons that a player has won, alone or in a pair, by league; one query."""
    entrant_players = EntrantPlayer.objects.filter(SEASON_WINNERS, player=player).order_by(
        "entrant__placement__season__finished_at", "pk"
    )
    leagues: dict[str, LeagueHonours] = {}
    for code, name, number in entrant_players.values_list(
        "entrant__placement__season__league__code",
        "entrant__placement__season__league__name",
        "entrant__placement__season__number",
    ):
        leagues.setdefault(code, LeagueHonours(code, name, [])).seasons.append(number)
    return list(leagues.values())


def with_promotions(league: League, seasons: Iterable[SeasonChampions]) -> list[SeasonChampions]:
    """Add to each season who was promoted to the top division, and the number of promotions; one query."""
    seasons = list(seasons)
    placements = DivisionPlacement.objects.filter(
        season__league=league,
        season__number__in=[champions.season + 1 for champions in seasons],
        reason__code="promoted",
    )
    promoted_counts: dict[int, int] = Counter()
    names: dict[int, list[str]] = {}
    rows = placements.order_by("division__number", "start_position").values_list(
        "season__number", "division__number", "player__name", "partner__name"
    )
    for number, division, *players in rows:
        promoted_counts[number - 1] += 1
        if division == 1:
            names.setdefault(number - 1, []).append(" & ".join(name for name in players if name) or "–")
    return [
        replace(
            champions,
            promoted=promoted_counts[champions.season],
            to_the_top=names.get(champions.season, []),
        )
        for champions in seasons
    ]


def load_divisions_by_player(league: League) -> dict[int, int]:
    """Load the division of each player in the running season."""
    entrant_players = EntrantPlayer.objects.filter(
        entrant__placement__season__league=league,
        entrant__placement__season__finished_at=None,
        player__isnull=False,
    )
    return dict(entrant_players.values_list("player", "entrant__placement__division__number"))
