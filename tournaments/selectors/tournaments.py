"""Tournaments and leagues that a viewer can see, and their organisers."""

from __future__ import annotations

from django.db.models import Q, QuerySet

from accounts.models import Player
from games.models import Game
from games.options import FixedFrom
from games.selectors.game_records import list_recorded_games
from tournaments.models import League, Round, Tournament
from tournaments.models.tournaments import TournamentQuerySet
from tournaments.options import GAME_SETTINGS_OPTIONS, TOURNAMENT_OPTIONS


class NoSuchTournament(LookupError):
    """The viewer can see no such tournament."""


class NoSuchLeague(NoSuchTournament):
    """The viewer can see no such league."""


def can_organise_tournament(player: Player | None, tournament: Tournament) -> bool:
    """Tell whether a player organises a tournament: organiser, co-organisers, its league's ones, staff."""
    if player is None:
        return False
    if tournament.organiser_id == player.pk or player.is_staff:
        return True
    is_co_organiser = Q(co_organisers=player) | Q(division__season__league__co_organisers=player)
    return Tournament.objects.filter(is_co_organiser, pk=tournament.pk).exists()


def can_organise_league(player: Player | None, league: League) -> bool:
    """Tell whether a player organises a league: its organiser, co-organisers, and staff."""
    if player is None:
        return False
    return (
        league.organiser_id == player.pk
        or player.is_staff
        or league.co_organisers.filter(pk=player.pk).exists()
    )


def list_fixed_options(tournament: Tournament) -> set[str]:
    """List the options that cannot change now: nearly all after the start, what is played after an entry."""
    if tournament.is_running:
        fixed_stages = {FixedFrom.FIRST_ENTRY, FixedFrom.START}
    else:
        fixed_stages = {FixedFrom.FIRST_ENTRY} if tournament.entrants.exists() else set()
    options = TOURNAMENT_OPTIONS | GAME_SETTINGS_OPTIONS
    return {name for name, option in options.items() if option.fixed_from in fixed_stages}


def get_tournament_for(viewer: Player | None, code: str) -> Tournament:
    """Return a tournament that a viewer may see; see `Tournament.is_private`. Raises NoSuchTournament."""
    tournament = Tournament.objects.filter(code=code).select_related("organiser").first()
    if tournament is None or (tournament.is_private and not can_organise_tournament(viewer, tournament)):
        raise NoSuchTournament(code)
    return tournament


def find_round_no(round_id: int | None) -> int | None:
    """Return the number of a round in its tournament, or None."""
    return Round.objects.filter(pk=round_id).values_list("number", flat=True).first() if round_id else None


def list_tournaments(*statuses: str) -> TournamentQuerySet:
    """List public tournaments, newest first, without those of leagues."""
    tournaments = Tournament.objects.public().filter(division=None)
    return (tournaments.filter(status__in=statuses) if statuses else tournaments).order_by(
        "-created_at", "-pk"
    )


def list_tournaments_of(player: Player) -> TournamentQuerySet:
    """List the tournaments that a player takes part in or organises, newest first."""
    is_involved = Q(entrant_players__player=player) | Q(organiser=player) | Q(co_organisers=player)
    return Tournament.objects.filter(is_involved).distinct().order_by("-created_at", "-pk")


def get_league_for(viewer: Player | None, code: str) -> League:
    """Return a league; all leagues are public. Raises NoSuchLeague."""
    league = League.objects.filter(code=code).select_related("organiser").first()
    if league is None:
        raise NoSuchLeague(code)
    return league


def list_leagues(*statuses: str) -> QuerySet[League]:
    """List all leagues, newest first."""
    leagues = League.objects.filter(status__in=statuses) if statuses else League.objects.all()
    return leagues.order_by("-created_at", "-pk")


def list_recorded_games_of_tournament(viewer: Player | None, tournament: Tournament) -> QuerySet[Game]:
    """List the games of a tournament that have begun and that a viewer may list."""
    return list_recorded_games(viewer).filter(pairing__tournament=tournament)


def list_recorded_games_of_league(viewer: Player | None, league: League) -> QuerySet[Game]:
    """List the games of all seasons of a league that have begun and that a viewer may list."""
    return list_recorded_games(viewer).filter(pairing__tournament__division__season__league=league)
