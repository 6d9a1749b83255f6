"""Simulation: whole tournaments and leagues played by bots on a simulated clock, through the services."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Q

from accounts.models import Player
from accounts.name_validation import skeletons_of
from accounts.services.guests import GUEST_EMAIL_DOMAIN
from games import engine
from games.engine import ActionSource, bots, fairness
from games.models.games import PLAYING_STATUSES, PUBLIC_CODE_ALPHABET
from games.selectors import load_game
from games.services import action_log, system_games
from tournaments.leagues.services import leagues, seasons
from tournaments.models import (
    League,
    LeagueMember,
    LeagueSecret,
    Pairing,
    Season,
    Tournament,
    TournamentSecret,
)
from tournaments.pairing import MatchState, swiss
from tournaments.pairing.seating import plan_table_sizes
from tournaments.selectors import TournamentState

from . import entries, proposals, sweep, tournaments

ROUND_INTERVAL = timedelta(days=7)  # simulated time between two sweeps


class ProgressListener:
    """Receives progress; this base class only counts games."""

    def __init__(self) -> None:
        """Start at zero games."""
        self.game_count = 0

    def begin_stage(self, stage_name: str, expected_games: int) -> None:
        """Note that a tournament or season begins, with about this many games."""

    def count_game(self) -> None:
        """Note that a game is over."""
        self.game_count += 1


class SimulationStuck(RuntimeError):
    """A tournament or season does not go on."""


def create_bot_players(count: int, *, rng: random.Random, now: datetime) -> list[Player]:
    """Create bot players, oldest first, without mails and passwords, under names nobody has."""
    token = f"{rng.getrandbits(32):08x}"
    skeleton, _folded = skeletons_of("Bot")
    skeleton_filter = Q(name_skeleton__startswith=skeleton) | Q(name_folded_skeleton__startswith=skeleton)
    lookalikes = Player.objects.filter(skeleton_filter)
    taken_skeletons = {
        skeleton
        for skeletons in lookalikes.values_list("name_skeleton", "name_folded_skeleton")
        for skeleton in skeletons
    }
    free_numbers = (
        number for number in itertools.count(1) if taken_skeletons.isdisjoint(skeletons_of(f"Bot {number}"))
    )
    players = [
        Player(
            email=f"{token}.{number}@{GUEST_EMAIL_DOMAIN}",
            name=f"Bot {next(free_numbers)}",
            mail_frequency=Player.MailFrequency.NONE,
            joined_at=now - timedelta(days=1000) + timedelta(seconds=number),
        )
        for number in range(1, count + 1)
    ]
    for player in players:
        player.set_unusable_password()
    return Player.objects.bulk_create(players)


def play_game(
    code: str, *, policy: str, rng: random.Random, now: datetime, max_actions: int | None = None
) -> None:
    """Play a game to its end, or some actions, and commit them together."""
    loaded_game = load_game(code)
    pending_write: action_log.PendingWrite | None = None
    last_seq = None if max_actions is None else loaded_game.game.seq + max_actions
    while loaded_game.state and not loaded_game.state.is_over and loaded_game.game.seq != last_seq:
        state = loaded_game.state
        seat_no = state.seats_to_act[0]
        action = bots.choose_action(
            policy, engine.build_view(state, seat_no), engine.legal_actions(state, seat_no), rng
        )
        pending_write = action_log.prepare_action(
            loaded_game=loaded_game,
            seat_no=seat_no,
            action=action,
            by=ActionSource.PLAYER,
            now=now,
            previous_write=pending_write,
            player_acted=True,
            clock_incidents=(),
        )
        loaded_game = pending_write.loaded_game
    if pending_write:
        action_log.commit_pending_writes([pending_write])


def play_running_games(
    *, policy: str, rng: random.Random, now: datetime, no_show: float = 0, **filters: Any
) -> Iterator[str]:
    """Play all running games of the filtered tournaments; some players resign at once. Yields their codes."""
    running_pairings = Pairing.objects.filter(settled_at=None, game__status__in=PLAYING_STATUSES, **filters)
    for code, seat_count in list(
        running_pairings.order_by("pk").values_list("game__code", "game__seat_count")
    ):
        if rng.random() < no_show:
            system_games.resign_seat(code=code, seat_no=rng.randint(1, seat_count), now=now)
        play_game(code, policy=policy, rng=rng, now=now)
        yield code


# ------------------------------------------------------------------------------------------ tournaments


def generate_code(rng: random.Random) -> str:
    """Generate a public code from the random generator, so that a run can be repeated."""
    return "".join(rng.choice(PUBLIC_CODE_ALPHABET) for _ in range(12))


def prepare_tournament(
    *, entrant_count: int, rng: random.Random, now: datetime, reproducible: bool, **fields: Any
) -> Tournament:
    """Create a tournament with entrants, ready to start; `reproducible` takes its seed from `rng`."""
    players = create_bot_players(
        entrant_count * count_players_per_entrant(fields.get("mode")), rng=rng, now=now
    )
    host = players[0]
    tournament = tournaments.create_tournament(organiser=host, name="A simulation", now=now, **fields)
    if reproducible:
        set_seed_from_rng(tournament, rng)
    tournaments.publish_tournament(by=host, code=tournament.code, now=now)
    for player, partner in group_players(players, tournament.mode):
        enter_players(tournament, player, partner, now)
    tournaments.start_tournament(by=host, code=tournament.code, now=now)
    return Tournament.objects.get(pk=tournament.pk)


def enter_players(tournament: Tournament, player: Player, partner: Player | None, now: datetime) -> None:
    """Enter a player; in pairs the partner accepts at once."""
    if partner is None:
        entries.enter_tournament(player=player, code=tournament.code, now=now)
        return
    proposal = entries.ask_partner(player=player, partner=partner, code=tournament.code, now=now)
    proposals.accept_proposal(player=partner, proposal_id=proposal.pk, now=now)


def count_players_per_entrant(mode: str | None) -> int:
    """Return how many players an entrant has."""
    return 2 if mode == Tournament.Mode.PAIRS else 1


def group_players(players: Sequence[Player], mode: str) -> list[tuple[Player, Player | None]]:
    """Group players into entrants: single players, or each with the next as partner."""
    if count_players_per_entrant(mode) == 1:
        return [(player, None) for player in players]
    return list(zip(players[::2], players[1::2], strict=True))


def set_seed_from_rng(tournament: Tournament, rng: random.Random) -> None:
    """Take code and seed of a tournament, and so all its lots and games, from the random generator."""
    seed = rng.randbytes(fairness.SEED_LENGTH_BYTES)
    tournament.code, tournament.commitment = generate_code(rng), fairness.compute_commitment(seed)
    tournament.save(update_fields=["code", "commitment"])
    TournamentSecret.objects.filter(tournament=tournament).update(seed=seed)


def estimate_game_count(tournament: Tournament) -> int:
    """Estimate the number of games; rematches add some, withdrawals remove some."""
    state = TournamentState(tournament)
    if tournament.format == Tournament.Format.SWISS:
        entrant_count = len(state.entrants)
        table_count = (
            entrant_count // 2
            if tournament.table_size == 2
            else sum(table_size > 1 for table_size in plan_table_sizes(entrant_count, tournament.table_size))
        )
        return swiss.count_rounds(state.spec) * table_count
    return sum(
        len(match.sources) > 1 and match.state != MatchState.BYE for match in state.build_bracket().matches
    )


def run_tournament(
    tournament: Tournament,
    *,
    policy: str,
    rng: random.Random,
    now: datetime,
    listener: ProgressListener,
    no_show: float = 0,
) -> datetime:
    """Play a tournament to its end. Returns the simulated time. Raises SimulationStuck."""
    while True:
        sweep.process_tournament(tournament.pk, now)
        tournament.refresh_from_db()
        if not tournament.is_running:
            return now
        game_count = 0
        for _code in play_running_games(
            policy=policy, rng=rng, now=now, no_show=no_show, tournament=tournament
        ):
            listener.count_game()
            game_count += 1
        if not game_count:
            raise SimulationStuck(tournament.hold_reason or tournament.last_error or "no game runs")
        now += ROUND_INTERVAL
        sweep.mark_due(now, pk=tournament.pk)


# --------------------------------------------------------------------------------------------------- leagues


def prepare_league(
    *, member_count: int, rng: random.Random, now: datetime, reproducible: bool, **fields: Any
) -> League:
    """Create a league with members, ready to start; `reproducible` takes its seed from `rng`."""
    players = create_bot_players(
        member_count * count_players_per_entrant(fields.get("mode")), rng=rng, now=now
    )
    pause_seconds = int(ROUND_INTERVAL.total_seconds())
    league = leagues.create_league(
        organiser=players[0], name="A simulation", now=now, season_pause=pause_seconds, **fields
    )
    if reproducible:
        seed = rng.randbytes(fairness.SEED_LENGTH_BYTES)
        league.code, league.commitment = generate_code(rng), fairness.compute_commitment(seed)
        league.save(update_fields=["code", "commitment"])
        LeagueSecret.objects.filter(league=league).update(seed=seed)
    join_league(league, players, now)
    leagues.start_league(by=players[0], code=league.code, now=now)
    return league


def join_league(league: League, players: Sequence[Player], now: datetime) -> None:
    """Let players join the league from the next season on."""
    for player, partner in group_players(players, league.mode):
        if partner is None:
            leagues.set_member_status(player=player, code=league.code, now=now)
        else:
            proposal = leagues.ask_partner(player=player, partner=partner, code=league.code, now=now)
            proposals.accept_proposal(player=partner, proposal_id=proposal.pk, now=now)


def run_season(
    league: League,
    *,
    policy: str,
    rng: random.Random,
    now: datetime,
    reproducible: bool,
    listener: ProgressListener,
) -> tuple[Season, datetime]:
    """Begin a season and play it to its end. Raises SimulationStuck if it does not end."""
    league.refresh_from_db()
    now = max(now, league.next_sweep_at or now)
    seasons.process_league(league.pk, now)
    season = league.seasons.filter(finished_at=None).order_by("-number").first()
    if season is None:
        raise SimulationStuck("no season begins")
    season_tournaments = list(Tournament.objects.filter(division__season=season).order_by("pk"))
    listener.begin_stage(f"season {season.number}", sum(map(estimate_game_count, season_tournaments)))
    for tournament in season_tournaments:
        if reproducible:
            set_seed_from_rng(tournament, rng)
        now = max(now, run_tournament(tournament, policy=policy, rng=rng, now=now, listener=listener))
    while seasons.process_league(league.pk, now).total() == 0 and waits_for_appeals(league, now):
        now = league.next_sweep_at or now
    season.refresh_from_db()
    if season.finished_at is None:
        raise SimulationStuck("the season does not end")
    return season, now


def waits_for_appeals(league: League, now: datetime) -> bool:
    """Return whether a complete season still waits for appeals."""
    league.refresh_from_db()
    return league.next_sweep_at is not None and league.next_sweep_at > now


def replace_league_members(league: League, *, rng: random.Random, now: datetime, share: float) -> None:
    """Let a share of the members leave between two seasons, and as many new ones join."""
    league_members = league.league_members.filter(status=LeagueMember.Status.MEMBER).order_by("pk")
    members_by_player_id = {
        league_member.player_id: league_member for league_member in league_members.select_related("player")
    }
    leaver_ids: set[int] = set()
    for league_member in members_by_player_id.values():
        if (
            league_member.player_id not in leaver_ids and rng.random() < share
        ):  # a partner leaves together with the first
            leagues.set_member_status(
                player=league_member.player, code=league.code, now=now, status=LeagueMember.Status.OUT
            )
            leaver_ids |= {league_member.player_id, league_member.partner_id or league_member.player_id}
    join_league(league, create_bot_players(len(leaver_ids), rng=rng, now=now), now)
