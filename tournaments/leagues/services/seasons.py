"""Seasons of leagues: promotion, relegation, newcomers, and the tournaments of the divisions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Max

from accounts.models import Player
from common.budget import Budget
from common.service_errors import Invalid
from games import clock
from games.engine import fairness
from tournaments.models import (
    Appeal,
    Division,
    DivisionPlacement,
    League,
    LeagueMember,
    LeagueSecret,
    Pairing,
    ResultSource,
    Season,
    Tournament,
)
from tournaments.notice_kinds import TournamentNoticeKind
from tournaments.pairing import EntrantId
from tournaments.pairing import league as league_pairing
from tournaments.pairing.datatypes import entrant_id_sort_key
from tournaments.ratings.selectors import load_ratings
from tournaments.selectors import seeds
from tournaments.selectors.tournament_state import TournamentState
from tournaments.services import entries, game_settings, tournaments
from tournaments.services.notices import notify_held_league, notify_players
from tournaments.services.page_wake_ups import wake_league_pages
from tournaments.services.sweep_steps import StepName, postpone_after_error

from . import leagues

# Time to appeal against a loss on time before the season ends, and for an organiser to answer.
APPEAL_PERIOD, LIVE_APPEAL_PERIOD, ANSWER_PERIOD = timedelta(days=1), timedelta(hours=1), timedelta(days=7)


def sweep_leagues(*, now: datetime, limit: int = 1000, budget: Budget | None = None) -> Counter[str]:
    """Begin and end due seasons, longest waiting first. Returns the counts by step name."""
    counts: Counter[str] = Counter()
    budget = budget or Budget.unlimited()
    due_leagues = (
        League.objects.filter(next_sweep_at__lte=now)
        .order_by("next_sweep_at", "pk")
        .values_list("pk", flat=True)
    )
    for league_id in list(due_leagues[:limit]):
        if not budget.allows_more():
            break
        counts += process_league(league_id, now)
    return counts


def process_league(league_id: int, now: datetime) -> Counter[str]:
    """Run all due steps of one league. After an error it is retried later, with the error stored."""
    counts: Counter[str] = Counter()
    try:
        while step_name := run_next_league_step(league_id, now):
            counts[step_name] += 1
    except Exception as error:
        counts[postpone_after_error(League, league_id, error, now)] += 1
    return counts


@transaction.atomic
def run_next_league_step(league_id: int, now: datetime) -> StepName | None:
    """End the current season if it is complete, or begin the next one. Returns the step name, or None.

    1. Lock the league; return if it is not due or another sweep holds it.
    2. Without a running season, begin the next one.
    3. Sleep while a tournament of the season runs, or while an appeal is possible or unanswered.
    4. End the season.
    """
    lockable_leagues = League.objects.select_for_update(skip_locked=True, of=("self",))
    league = lockable_leagues.running().filter(pk=league_id, next_sweep_at__lte=now).first()
    if league is None:
        return None
    wake_league_pages(league)
    last_season = league.seasons.order_by("-number").first()
    if last_season is None or last_season.finished_at:
        return begin_season(league, last_season, now)
    if Tournament.objects.unfinished().filter(division__season=last_season).exists():
        League.objects.filter(pk=league_id).update(next_sweep_at=None, last_error="")
        return None
    if appeal_deadline := find_appeal_deadline(league, last_season, now):
        League.objects.filter(pk=league_id).update(next_sweep_at=appeal_deadline, last_error="")
        return None
    return end_season(league, last_season, now)


def find_appeal_deadline(league: League, season: Season, now: datetime) -> datetime | None:
    """Return until when a complete season waits for appeals against timeouts, or for answers; None if not."""
    appeal_period = APPEAL_PERIOD if league.allowance >= clock.LIVE_ALLOWANCE_SECONDS else LIVE_APPEAL_PERIOD
    pairings = Pairing.objects.filter(tournament__division__season=season, is_void=False)
    pairings_lost_on_time = pairings.filter(result__by=ResultSource.GAME, result__timeouts__0__isnull=False)
    last_loss_at = pairings_lost_on_time.aggregate(last=Max("settled_at"))["last"]
    open_appeals = Appeal.objects.filter(pairing__in=pairings, answered_at=None)
    last_appeal_at = open_appeals.aggregate(last=Max("created_at"))["last"]
    deadlines = [
        *([last_loss_at + appeal_period] if last_loss_at else []),
        *([last_appeal_at + ANSWER_PERIOD] if last_appeal_at else []),
    ]
    return max((deadline for deadline in deadlines if deadline > now), default=None)


def derive_season_key(league: League, season_no: int) -> bytes:
    """Derive the key for the lots of a season."""
    seed = LeagueSecret.objects.values_list("seed", flat=True).get(league=league)
    return fairness.derive_game_key(bytes(seed), [league.code, str(season_no)])


def make_team_id(*player_ids: int) -> EntrantId:
    """Return the id of a player or a pair within a league; another pair has another id."""
    return player_ids[0] if len(player_ids) == 1 else "+".join(map(str, sorted(player_ids)))


def load_staying_teams(league: League) -> dict[EntrantId, tuple[int, ...]]:
    """Return the teams of the next season, by team id; in pairs only members with a partner."""
    league_members = league.league_members.filter(status=LeagueMember.Status.MEMBER)
    if league.mode == League.Mode.SINGLES:
        return {league_member.player_id: (league_member.player_id,) for league_member in league_members}
    teams = {
        tuple(sorted((league_member.player_id, league_member.partner_id)))
        for league_member in league_members
        if league_member.partner_id
    }
    return {make_team_id(*team): team for team in teams}


def list_placement_players(placement: DivisionPlacement) -> tuple[int, ...]:
    """Return the player ids of a placement; empty if one of the accounts is deleted."""
    is_pair = placement.season.league.mode == League.Mode.PAIRS
    player_ids = (placement.player_id, placement.partner_id) if is_pair else (placement.player_id,)
    return tuple(player_id for player_id in player_ids if player_id) if None not in player_ids else ()


def compute_team_ratings(teams: Mapping[EntrantId, Iterable[int]], mode: str) -> dict[EntrantId, float]:
    """Return the rating of each team: of pairs the mean."""
    ratings_by_player = load_ratings({player_id for team in teams.values() for player_id in team}, mode)
    ratings_by_team = {
        team_id: [ratings_by_player[player_id] for player_id in team if player_id in ratings_by_player]
        for team_id, team in teams.items()
    }
    return {team_id: sum(values) / len(values) for team_id, values in ratings_by_team.items() if values}


def begin_season(league: League, last_season: Season | None, now: datetime) -> StepName | None:
    """Plan the next season and create its divisions with tournaments that start by themselves.

    1. Load the staying teams, and the final order of the last season.
    2. Plan divisions: promotion, relegation, leavers, newcomers. With fewer than two teams, wait.
    3. Create the season and its divisions.
    4. Notify the players.
    """
    season_no = last_season.number + 1 if last_season else 1
    teams_by_id = load_staying_teams(league)
    division_orders: list[list[EntrantId]] = []
    previous_teams: dict[EntrantId, tuple[int, ...]] = {}
    for division in last_season.divisions.order_by("number") if last_season else ():
        placements = division.placements.select_related("season__league").order_by("rank")
        teams = [team for placement in placements if (team := list_placement_players(placement))]
        previous_teams |= {make_team_id(*team): team for team in teams}
        division_orders.append([make_team_id(*team) for team in teams])
    ratings = compute_team_ratings(previous_teams | teams_by_id, league.mode)
    newcomer_ids = sorted(set(teams_by_id) - set(previous_teams), key=entrant_id_sort_key)
    planned_season = league_pairing.plan_next_season(
        leagues.build_league_spec(league),
        division_orders,
        newcomers=[league_pairing.Newcomer(team_id, ratings.get(team_id)) for team_id in newcomer_ids],
        leavers=set(previous_teams) - set(teams_by_id),
        ratings=ratings,
        key=derive_season_key(league, season_no),
    )
    if sum(map(len, planned_season.divisions)) < 2:
        League.objects.filter(pk=league.pk).update(next_sweep_at=None, last_error="too-few")
        return None
    try:
        game_settings.check_stored_settings(league)
    except Invalid:  # it waits until its organiser has changed them
        League.objects.filter(pk=league.pk).update(next_sweep_at=None, last_error=leagues.UNPLAYABLE_SETTINGS)
        notify_held_league(league, f"held:{season_no}:{leagues.UNPLAYABLE_SETTINGS}", now)
        return None
    season = Season.objects.create(league=league, number=season_no, started_at=now)
    season_seed = seeds.load_season_seed(league, season_no)
    for division_no, team_ids in enumerate(planned_season.divisions, 1):
        division_teams = {team_id: teams_by_id[team_id] for team_id in team_ids}
        create_division(league, season, division_no, division_teams, planned_season, season_seed, now)
    player_ids = [player_id for team in teams_by_id.values() for player_id in team]
    notify_players(
        league, TournamentNoticeKind.SEASON_START, f"season:{season_no}", player_ids, now, season=season_no
    )
    League.objects.filter(pk=league.pk).update(next_sweep_at=None, last_error="")
    return StepName.SEASON_STARTED


def create_division(
    league: League,
    season: Season,
    number: int,
    teams: Mapping[EntrantId, tuple[int, ...]],
    planned_season: league_pairing.PlannedSeason,
    season_seed: bytes,
    now: datetime,
) -> None:
    """Create a division with its placements, and a tournament for each of its groups."""
    division = Division.objects.create(season=season, number=number)
    players_by_id = Player.objects.in_bulk([player_id for team in teams.values() for player_id in team])
    client_seeds = dict(
        league.league_members.filter(player__in=players_by_id).values_list("player", "client_seed")
    )
    entrant_by_team: dict[EntrantId, int] = {}
    for group, team_ids in enumerate(
        league_pairing.split_into_groups(list(teams), leagues.build_league_spec(league)), 1
    ):
        tournament = tournaments.save_new_tournament(
            Tournament(
                organiser_id=league.organiser_id,
                name=f"{league.name} {season.number}.{number}"
                + (f".{group}" if league.groups_per_division > 1 else ""),
                format=league.format,
                round_count=league.round_count,
                status=Tournament.Status.PUBLISHED,
                created_at=now,
                starts_at=now,
                next_sweep_at=now,
                hold_on_warnings=False,
                cycles=league.cycles if league.table_size == 2 else 1,
                all_rounds_at_once=league.all_rounds_at_once,
                division=division,
                group=group,
                **game_settings.build_game_settings_dict(league),
            ),
            seed=fairness.derive_tournament_seed(season_seed, number, group),
        )
        for seed_no, team_id in enumerate(team_ids, 1):
            team_client_seeds = [client_seeds.get(player_id, "") for player_id in teams[team_id]]
            entrant = entries.create_entrant(
                tournament,
                [players_by_id[player_id] for player_id in teams[team_id]],
                now,
                seed=seed_no,
                client_seeds=team_client_seeds,
            )
            entrant_by_team[team_id] = entrant.pk
    DivisionPlacement.objects.bulk_create(
        [
            DivisionPlacement(
                season=season,
                division=division,
                player_id=team[0],
                partner_id=team[1] if len(team) > 1 else None,
                entrant_id=entrant_by_team[team_id],
                start_position=number,
                reason=planned_season.notes[team_id].as_dict(),
            )
            for number, (team_id, team) in enumerate(teams.items(), 1)
        ]
    )


def end_season(league: League, season: Season, now: datetime) -> StepName:
    """Store the final ranks of every division, then schedule the next season or end the league."""
    season_key = derive_season_key(league, season.number)
    for division in season.divisions.order_by("number"):
        group_standings = [
            TournamentState(tournament).build_standings()
            for tournament in division.tournaments.order_by("group")
        ]
        rank_by_entrant = {
            entrant_id: position
            for position, entrant_id in enumerate(
                league_pairing.rank_division(group_standings, key=season_key), 1
            )
        }
        placements = list(division.placements.all())
        for placement in placements:
            placement.rank = rank_by_entrant.get(placement.entrant_id or 0, len(placements))
        DivisionPlacement.objects.bulk_update(placements, ["rank"])
    season.finished_at = now
    season.save(update_fields=["finished_at"])
    player_ids = {
        player_id
        for player_pair in season.placements.values_list("player_id", "partner_id")
        for player_id in player_pair
    }
    dedup_suffix = f"season-end:{season.number}"
    notify_players(
        league, TournamentNoticeKind.SEASON_END, dedup_suffix, player_ids, now, season=season.number
    )
    if league.season_limit is not None and season.number >= league.season_limit:
        leagues.end_league(league, now)
    else:
        League.objects.filter(pk=league.pk).update(
            next_sweep_at=now + timedelta(seconds=league.season_pause), last_error=""
        )
    return StepName.SEASON_ENDED
