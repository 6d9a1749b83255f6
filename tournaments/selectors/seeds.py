"""Public data about the seeds of tournaments, players and seasons."""

from __future__ import annotations

from django.db.models import Max

from accounts.models import Player
from games.engine import fairness
from tournaments.leagues.read_models import NextSeason, SeasonCommitment, TournamentCommitment
from tournaments.models import Entrant, EntrantPlayer, League, LeagueSecret, Season, Tournament

MAX_LISTED_DIVISIONS = 50


def find_entrant_player(tournament: Tournament, player: Player | None) -> EntrantPlayer | None:
    """Return the player's own entry in a tournament."""
    return (
        tournament.entrant_players.filter(player=player).select_related("entrant").first() if player else None
    )


def list_client_seeds(entrant: Entrant) -> list[str]:
    """List the client seeds of an entrant's players by position; needs the players prefetched."""
    entrant_players = sorted(
        entrant.entrant_players.all(), key=lambda entrant_player: entrant_player.position
    )
    return [entrant_player.effective_client_seed for entrant_player in entrant_players]


def load_season_seed(league: League, number: int) -> bytes:
    """Derive the secret seed of a season from the league's seed, which the league's commitment fixes."""
    secret = LeagueSecret.objects.values_list("seed", flat=True).get(league=league)
    return fairness.derive_season_seed(bytes(secret), number)


def build_season_commitment(season: Season) -> SeasonCommitment:
    """Return commitment and seed of a season; the seed once those of all its tournaments are public.

    Both are None for old seasons, whose tournaments have seeds of their own.
    """
    seed = load_season_seed(season.league, season.number)
    tournaments = list(Tournament.objects.filter(division__season=season).select_related("division"))
    if not all(follows_from_season(tournament, seed) for tournament in tournaments):
        return SeasonCommitment(commitment=None, seed=None)
    is_secret = season.finished_at is None or not all(tournament.seed for tournament in tournaments)
    return SeasonCommitment(fairness.compute_commitment(seed), None if is_secret else seed.hex())


def follows_from_season(tournament: Tournament, season_seed: bytes) -> bool:
    """Tell whether a tournament's commitment matches the seed derived from its season."""
    assert tournament.division
    derived = fairness.derive_tournament_seed(season_seed, tournament.division.number, tournament.group)
    return fairness.compute_commitment(derived) == tournament.commitment


def get_next_commitment(subject: Tournament | League | None) -> str:
    """Return the commitment for the games that one enters for: of a tournament, or of the next season."""
    if subject is None or isinstance(subject, Tournament):
        return subject.commitment if subject else ""
    last_season_no = subject.seasons.aggregate(last=Max("number"))["last"] or 0
    if subject.is_closed or (subject.season_limit is not None and last_season_no >= subject.season_limit):
        return ""
    return fairness.compute_commitment(load_season_seed(subject, last_season_no + 1))


def build_next_season(league: League, *, member_count: int, last_season_no: int) -> NextSeason | None:
    """Build the commitments of the next season and of the tournaments that it may have.

    All follow from the league's seed, so no number of members can change them. `last_season_no` is the number
    of the newest season, 0 before the first.
    """
    if league.is_closed or (league.season_limit is not None and last_season_no >= league.season_limit):
        return None
    seed = load_season_seed(league, last_season_no + 1)
    players_per_division = league.division_size * (2 if league.mode == League.Mode.PAIRS else 1)
    count = min(member_count // players_per_division + 2, MAX_LISTED_DIVISIONS)
    return NextSeason(
        number=last_season_no + 1,
        commitment=fairness.compute_commitment(seed),
        tournaments=[
            TournamentCommitment(
                division,
                group,
                fairness.compute_commitment(fairness.derive_tournament_seed(seed, division, group)),
            )
            for division in range(1, count + 1)
            for group in range(1, league.groups_per_division + 1)
        ],
    )
