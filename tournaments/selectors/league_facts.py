"""Leagues as anybody may see them: plain facts, the same for pages and for programs.

How the divisions stand is in divisions.py.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.db.models import Count, Exists, IntegerField, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from games.models import Player
from tournaments.models import League, Member, Membership, Place, Proposal, Removal, Round, Season

from .facts import TERMS

SHAPE = ("format", "rounds", "size", "moves", "groups", "laps", "at_once", "newcomers", "pause", "seasons")


def number_of(status: str) -> Coalesce:
    """How many of a league's people have a status, as a part of the query that reads it."""
    found = Membership.objects.filter(league=OuterRef("pk"), status=status).order_by()
    counted = found.values("league").annotate(n=Count("pk")).values("n")
    return Coalesce(Subquery(counted, output_field=IntegerField()), 0)


def counted(found: QuerySet[League], viewer: Player | None = None) -> QuerySet[League]:
    """Leagues with their people counted, their last season, and what the viewer is in them: one query."""
    last = Season.objects.filter(league=OuterRef("pk")).order_by("-number")
    mine = Membership.objects.filter(league=OuterRef("pk"), player=viewer.pk if viewer else None)
    helping = League.objects.filter(pk=OuterRef("pk"), helpers=viewer.pk if viewer else None)
    removed = Removal.objects.filter(
        league=OuterRef("pk"), lifted_at=None, player=viewer.pk if viewer else None
    )
    asked = Proposal.objects.filter(league=OuterRef("pk"), status=Proposal.Status.OPEN)
    asked = asked.filter(Q(player=viewer.pk) | Q(by=viewer.pk)) if viewer else asked.none()
    return found.select_related("organiser").annotate(
        members=number_of(Membership.Status.MEMBER),
        substitutes=number_of(Membership.Status.SUBSTITUTE),
        season=Subquery(last.values("number")[:1]),
        season_over=Subquery(last.values("finished_at")[:1]),
        mine=Subquery(mine.values("status")[:1]),
        partner=Subquery(mine.values("partner__name")[:1]),
        client_seed=Subquery(mine.values("client_seed")[:1]),
        helps=Exists(helping),
        removed=Exists(removed),
        asked=Exists(asked),
    )


def summary(league: League) -> dict[str, Any]:
    """A league in a list; it comes from `counted`."""
    return {
        "id": league.code,
        "name": league.name,
        "status": league.status,
        "mode": league.mode,
        "table": league.table,
        "clock": league.clock,
        "rated": league.rated,
        "size": league.size,
        "organiser": league.organiser.name if league.organiser else None,
        "members": league.members,  # type: ignore[attr-defined]
        "substitutes": league.substitutes,  # type: ignore[attr-defined]
        "season": league.season,  # type: ignore[attr-defined]
        "you": league.mine,  # type: ignore[attr-defined]
        "partner": league.partner,  # type: ignore[attr-defined]
        "created_at": league.created_at,
    }


def laid_down(league: League) -> dict[str, Any]:
    """All that its organiser has chosen."""
    return {name: getattr(league, name) for name in ("name", "text", *SHAPE, *TERMS)}


def whole(league: League) -> dict[str, Any]:
    """Everything about a league but its seasons; it comes from `counted`."""
    return (
        summary(league)
        | laid_down(league)
        | {
            "commitment": league.commitment,
            "seed": league.seed or None,  # known at the end
        }
    )


# -------------------------------------------------------------------------------------------------- seasons


def seasons(league: League) -> QuerySet[Season]:
    """The seasons of a league with their numbers of divisions and places, the newest first."""
    counts = {
        "division_count": Count("divisions", distinct=True),
        "place_count": Count("places", distinct=True),
    }
    return league.played.annotate(**counts).order_by("-number")


def season(found: Season) -> dict[str, Any]:
    """A season in a list; it comes from `seasons`."""
    return {
        "number": found.number,
        "started_at": found.started_at,
        "finished_at": found.finished_at,
        "divisions": found.division_count,  # type: ignore[attr-defined]
        "players": found.place_count,  # type: ignore[attr-defined]
    }


def calendar(league: League, current: Season | None, now: datetime) -> list[dict[str, Any]]:
    """What was, is and comes in the present season, in the order of time; without `at`: when all is played.

    Kinds: season-began, round-ends (with the round), season-ends, season-ended, next-season.
    """
    if current is None:
        at = league.due_at if league.status == League.Status.RUNNING else None
        return (
            [{"kind": "next-season", "season": 1, "at": at}] if league.status != League.Status.CLOSED else []
        )
    number = current.number
    told: list[dict[str, Any]] = [{"kind": "season-began", "season": number, "at": current.started_at}]
    last = league.seasons is not None and number >= league.seasons
    if current.finished_at:
        told.append({"kind": "season-ended", "season": number, "at": current.finished_at})
        coming = league.due_at if league.status == League.Status.RUNNING else None
    else:
        told += round_ends(current)
        # All is played, and somebody may still appeal.
        waits = league.due_at if league.due_at and league.due_at > now and not league.trouble else None
        told.append({"kind": "season-ends", "season": number, "at": waits})
        coming = None
    if not last and league.status != League.Status.CLOSED:
        told.append({"kind": "next-season", "season": number + 1, "at": coming})
    return [one | {"past": one["at"] is not None and one["at"] <= now} for one in told]


def round_ends(current: Season) -> list[dict[str, Any]]:
    """When the rounds of a season are adjudicated; groups may be in different rounds, the last one counts."""
    found = Round.objects.filter(
        event__division__season=current, ends_at__isnull=False, tables__settled_at=None
    )
    ends: dict[int, datetime] = {}
    for number, at in found.order_by("ends_at").values_list("number", "ends_at").distinct():
        if at:
            ends[number] = at
    return [{"kind": "round-ends", "round": number, "at": at} for number, at in sorted(ends.items())]


# -------------------------------------------------------------------------------------------------- honours

WINNERS = Q(
    entrant__place__rank=1,
    entrant__place__division__number=1,
    entrant__place__season__finished_at__isnull=False,
)


def champions(league: League, *, limit: int | None = None) -> list[dict[str, Any]]:
    """Who won the highest division of each season that is over, the newest first; in one query."""
    found = Member.objects.filter(WINNERS, entrant__place__season__league=league)
    rows = found.order_by("-entrant__place__season__number", "number").values_list(
        "entrant__place__season__number", "entrant__place__season__finished_at", "player__name"
    )
    seasons: dict[int, dict[str, Any]] = {}
    for number, at, name in rows[: limit * 2] if limit else rows:
        line = seasons.setdefault(number, {"season": number, "finished_at": at, "players": []})
        if name:
            line["players"].append(name)
    told = list(seasons.values())[:limit]
    return [line | {"champion": " & ".join(line["players"]) or "–"} for line in told]


def titles(won: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """How many of these seasons everybody has won, most first; who left the site is not named."""
    count = Counter(name for line in won for name in line["players"])
    ordered = sorted(count.items(), key=lambda one: (-one[1], one[0].lower()))
    return [{"player": name, "titles": n} for name, n in ordered]


def honours(player: Player) -> list[dict[str, Any]]:
    """The seasons that a player has won, alone or in a pair: league by league, in one query."""
    found = Member.objects.filter(WINNERS, player=player).order_by(
        "entrant__place__season__finished_at", "pk"
    )
    leagues: dict[str, dict[str, Any]] = {}
    for code, name, number in found.values_list(
        "entrant__place__season__league__code",
        "entrant__place__season__league__name",
        "entrant__place__season__number",
    ):
        leagues.setdefault(code, {"league": code, "name": name, "seasons": []})["seasons"].append(number)
    return list(leagues.values())


def with_moves(league: League, won: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Seasons with who came up to the highest division after each, and how many moved at all; one query."""
    numbers = [line["season"] + 1 for line in won]
    found = Place.objects.filter(season__league=league, season__number__in=numbers, why__code="promoted")
    up: dict[int, int] = Counter()
    names: dict[int, list[str]] = {}
    rows = found.order_by("division__number", "number").values_list(
        "season__number", "division__number", "player__name", "partner__name"
    )
    for number, division, *players in rows:
        up[number - 1] += 1
        if division == 1:
            names.setdefault(number - 1, []).append(" & ".join(name for name in players if name) or "–")
    return [
        line | {"promoted": up[line["season"]], "to_the_top": names.get(line["season"], [])} for line in won
    ]


def playing(league: League) -> dict[int, int]:
    """Who plays in the season that runs: their divisions, by player."""
    found = Member.objects.filter(
        entrant__place__season__league=league, entrant__place__season__finished_at=None, player__isnull=False
    )
    return dict(found.values_list("player", "entrant__place__division__number"))


def event_of(league: League, player: Player) -> str | None:
    """What somebody plays in the season that runs: the code of their group's event."""
    found = Member.objects.filter(
        entrant__place__season__league=league, entrant__place__season__finished_at=None, player=player
    )
    return found.values_list("event__code", flat=True).first()
