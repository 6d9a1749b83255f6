"""The league to which a tournament belongs. Lock order: the tournament before its league."""

from __future__ import annotations

from datetime import datetime

from tournaments.models import League, Season, Tournament


def lock_league_of_tournament(tournament: Tournament) -> None:
    """Lock the league of a tournament, so that nobody ends the season or changes its placements."""
    if tournament.division_id:
        League.objects.select_for_update(of=("self",)).get(seasons__divisions=tournament.division_id)


def mark_league_due(tournament: Tournament, now: datetime) -> None:
    """Make the league due if its season still runs, so that the sweep checks whether the season can end."""
    if tournament.division_id:
        running_seasons = Season.objects.filter(divisions=tournament.division_id, finished_at=None)
        League.objects.filter(seasons__in=running_seasons).update(next_sweep_at=now)
