"""Publication of the seeds of tournaments and leagues, once no running game depends on them."""

from __future__ import annotations

from datetime import datetime, timedelta

from games.models.games import PLAYING_STATUSES
from games.services import system_games
from tournaments.models import League, LeagueSecret, Tournament, TournamentSecret

from .sweep_steps import StepName

# A tournament may end while one of its games goes on unrated; its hands could be derived from the seed.
SEED_PUBLISH_RETRY = timedelta(hours=1)


def publish_tournament_seed(tournament: Tournament, now: datetime) -> StepName | None:
    """Publish the seed of a finished tournament once none of its games runs. The caller locks the tournament.

    Returns the step name, or None if there is nothing to publish.
    """
    if tournament.seed or tournament.pairings.filter(game__status__in=PLAYING_STATUSES).exists():
        return None
    tournament.seed = bytes(TournamentSecret.objects.get(tournament=tournament).seed).hex()
    tournament.save(update_fields=["seed"])
    system_games.publish_tournament_seed(tournament_code=tournament.code, seed=tournament.seed, now=now)
    if tournament.division_id:
        # Locked, so that a concurrent close of the league sees this seed, or this sees the close.
        league = League.objects.select_for_update(of=("self",)).get(seasons__divisions=tournament.division_id)
        publish_league_seed(league)
    return StepName.SEED_PUBLISHED


def publish_league_seed(league: League) -> bool:
    """Publish the seed of a closed league once the seeds of all its tournaments, derived from it, are public.

    The caller locks the league.
    """
    if league.seed or not league.is_closed:
        return False
    if Tournament.objects.filter(division__season__league=league, seed="").exists():
        return False
    league.seed = bytes(LeagueSecret.objects.get(league=league).seed).hex()
    league.save(update_fields=["seed"])
    return True
