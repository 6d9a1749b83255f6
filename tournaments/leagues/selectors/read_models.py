"""Public read models of leagues, for pages and for the API.

Standings of divisions are in division_standings.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.db.models import Count, Exists, IntegerField, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from accounts.models import Player
from games.options import read_options
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
        mine=Subquery(own_memberships.values("status")[:1]),
        partner=Subquery(own_memberships.values("partner__name")[:1]),
        client_seed=Subquery(own_memberships.values("client_seed")[:1]),
        helps=Exists(own_leagues),
        removed=Exists(own_removals),
        asked=Exists(open_proposals),
    )


def build_summary(league: League) -> dict[str, Any]:
    """Build a league for a list; needs `with_counts`."""
    return {
        "id": league.code,
        "name": league.name,
        "status": league.status,
        "mode": league.mode,
        "table_size": league.table_size,
        "clock": league.time_control,
        "rated": league.rated,
        "division_size": league.division_size,
        "organiser": league.organiser.name if league.organiser else None,
        "members": league.members,  # type: ignore[attr-defined]
        "substitutes": league.substitutes,  # type: ignore[attr-defined]
        "season": league.season,  # type: ignore[attr-defined]
        "you": league.mine,  # type: ignore[attr-defined]
        "partner": league.partner,  # type: ignore[attr-defined]
        "created_at": league.created_at,
    }


def settings_dict(league: League) -> dict[str, Any]:
    """Return all settings of a league."""
    return read_options(league, LEAGUE_OPTIONS) | game_settings_dict(league)


def build_league_details(league: League) -> dict[str, Any]:
    """Build all details of a league but its seasons; needs `with_counts`."""
    return (
        build_summary(league)
        | settings_dict(league)
        | {
            "commitment": league.commitment,
            "seed": league.seed or None,  # published at the end
        }
    )


# -------------------------------------------------------------------------------------------------- seasons


def list_seasons(league: League) -> QuerySet[Season]:
    """List a league's seasons with the numbers of divisions and placements, the newest first."""
    counts = {
        "division_count": Count("divisions", distinct=True),
        "placement_count": Count("placements", distinct=True),
    }
    return league.seasons.annotate(**counts).order_by("-number")


def build_season(season: Season) -> dict[str, Any]:
    """Build a season for a list; needs `list_seasons`."""
    return {
        "number": season.number,
        "started_at": season.started_at,
        "finished_at": season.finished_at,
        "divisions": season.division_count,  # type: ignore[attr-defined]
        "players": season.placement_count,  # type: ignore[attr-defined]
    }


def build_calendar(league: League, current_season: Season | None, now: datetime) -> list[dict[str, Any]]:
    """List past and coming dates of the current season in order; no `at` means: when all games are over.

    Kinds: season-began, round-ends (with the round), season-ends, season-ended, next-season.
    """
    if current_season is None:
        at = league.next_sweep_at if league.is_running else None
        return [{"kind": "next-season", "season": 1, "at": at}] if not league.is_closed else []
    number = current_season.number
    entries: list[dict[str, Any]] = [
        {"kind": "season-began", "season": number, "at": current_season.started_at}
    ]
    is_last = league.season_limit is not None and number >= league.season_limit
    if current_season.finished_at:
        entries.append({"kind": "season-ended", "season": number, "at": current_season.finished_at})
        next_season_at = league.next_sweep_at if league.is_running else None
    else:
        entries += list_round_ends(current_season)
        # All games are over, but the appeal period is not.
        ends_at = (
            league.next_sweep_at
            if league.next_sweep_at and league.next_sweep_at > now and not league.last_error
            else None
        )
        entries.append({"kind": "season-ends", "season": number, "at": ends_at})
        next_season_at = None
    if not is_last and not league.is_closed:
        entries.append({"kind": "next-season", "season": number + 1, "at": next_season_at})
    return [entry | {"past": entry["at"] is not None and entry["at"] <= now} for entry in entries]


def list_round_ends(current_season: Season) -> list[dict[str, Any]]:
    """List when the rounds of a season are adjudicated; of groups in the same round the last one counts."""
    rounds = Round.objects.filter(
        tournament__division__season=current_season, ends_at__isnull=False, pairings__settled_at=None
    )
    ends: dict[int, datetime] = {}
    for number, at in rounds.order_by("ends_at").values_list("number", "ends_at").distinct():
        if at:
            ends[number] = at
    return [{"kind": "round-ends", "round": number, "at": at} for number, at in sorted(ends.items())]


# -------------------------------------------------------------------------------------------------- honours

SEASON_WINNERS = Q(
    entrant__placement__rank=1,
    entrant__placement__division__number=1,
    entrant__placement__season__finished_at__isnull=False,
)


def list_champions(league: League, *, limit: int | None = None) -> list[dict[str, Any]]:
    """List the winners of the highest division by finished season, the newest first; one query."""
    entrant_players = EntrantPlayer.objects.filter(SEASON_WINNERS, entrant__placement__season__league=league)
    rows = entrant_players.order_by("-entrant__placement__season__number", "position").values_list(
        "entrant__placement__season__number", "entrant__placement__season__finished_at", "player__name"
    )
    seasons: dict[int, dict[str, Any]] = {}
    for number, at, name in rows[: limit * 2] if limit else rows:
        line = seasons.setdefault(number, {"season": number, "finished_at": at, "players": []})
        if name:
            line["players"].append(name)
    shown_seasons = list(seasons.values())[:limit]
    return [line | {"champion": " & ".join(line["players"]) or "–"} for line in shown_seasons]


def count_titles(season_lines: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Count the titles of each player in these seasons, most first; deleted accounts are left out."""
    count = Counter(name for line in season_lines for name in line["players"])
    ordered = sorted(count.items(), key=lambda item: (-item[1], item[0].lower()))
    return [{"player": name, "titles": title_count} for name, title_count in ordered]


def list_honours(player: Player) -> list[dict[str, Any]]:
    """List the seasons that a player has won, alone or in a pair, by league; one query."""
    entrant_players = EntrantPlayer.objects.filter(SEASON_WINNERS, player=player).order_by(
        "entrant__placement__season__finished_at", "pk"
    )
    leagues: dict[str, dict[str, Any]] = {}
    for code, name, number in entrant_players.values_list(
        "entrant__placement__season__league__code",
        "entrant__placement__season__league__name",
        "entrant__placement__season__number",
    ):
        leagues.setdefault(code, {"league": code, "name": name, "seasons": []})["seasons"].append(number)
    return list(leagues.values())


def with_promotions(league: League, season_lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Add to each season who was promoted to the top division, and the number of promotions; one query."""
    numbers = [line["season"] + 1 for line in season_lines]
    placements = DivisionPlacement.objects.filter(
        season__league=league, season__number__in=numbers, reason__code="promoted"
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
        line | {"promoted": promoted_counts[line["season"]], "to_the_top": names.get(line["season"], [])}
        for line in season_lines
    ]


def load_divisions_by_player(league: League) -> dict[int, int]:
    """Load the division of each player in the running season."""
    entrant_players = EntrantPlayer.objects.filter(
        entrant__placement__season__league=league,
        entrant__placement__season__finished_at=None,
        player__isnull=False,
    )
    return dict(entrant_players.values_list("player", "entrant__placement__division__number"))


def find_tournament_code(league: League, player: Player) -> str | None:
    """Find the code of the tournament that a player plays in the running season."""
    entrant_players = EntrantPlayer.objects.filter(
        entrant__placement__season__league=league, entrant__placement__season__finished_at=None, player=player
    )
    return entrant_players.values_list("tournament__code", flat=True).first()
