"""Leagues of pairs."""

from __future__ import annotations

from typing import Any

from tests.factories.events import NOW, get_host, get_player
from tests.factories.leagues import league_of
from tournaments.leagues.services import leagues
from tournaments.models import League
from tournaments.services import proposals, sweep


def pairs_of(count: int, **fields: Any) -> League:
    """Start a league of pairs: a1 and b1, a2 and b2 …"""
    league = league_of(0, **{"mode": "pairs", "division_size": 3} | fields)
    for number in range(1, count + 1):
        join(league, f"a{number}", f"b{number}")
    leagues.start_league(by=get_host(), code=league.code, now=NOW)
    for _ in range(2):
        sweep.sweep_tournaments(now=NOW)
    league.refresh_from_db()
    return league


def join(league: League, first: str, two: str | None = None, status: str = "member") -> None:
    if two is None:
        leagues.set_member_status(player=get_player(first), code=league.code, now=NOW, status=status)
        return
    request = leagues.ask_partner(
        player=get_player(first), partner=get_player(two), code=league.code, now=NOW
    )
    proposals.accept_proposal(player=get_player(two), proposal_id=request.pk, now=NOW)


def pair_of(league: League, name: str) -> tuple[str, str | None]:
    member = league.league_members.select_related("partner").get(player__name=name)
    return member.status, member.partner.name if member.partner else None
