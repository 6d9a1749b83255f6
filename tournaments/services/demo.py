"""The demo of a trial site: a league and cups played by bots, with places for people.

The bots are players of an email domain that does not exist; the worker plays their moves. They answer
quickly where a person plays or waits. Among themselves they move slowly, and more slowly the longer nobody
visits, so that an unattended trial does not fill the disk.
"""

from __future__ import annotations

import math
import random
from datetime import datetime, timedelta
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Exists, Max, OuterRef, Q, QuerySet

from accounts.models import Player
from accounts.services import names
from common.budget import Budget
from common.service_errors import Conflict
from games.engine import ActionSource
from games.models import Game
from games.selectors import load_game
from games.services import action_log, bots
from tournaments.leagues.services import leagues, seasons
from tournaments.models import Entrant, EntrantPlayer, League, LeagueMember, Pairing, Tournament

from . import entries, simulation, sweep, tournaments

DEMO_EMAIL_DOMAIN = "demo.invalid"  # reserved by RFC 2606: no mail is ever delivered there
HOST_EMAIL, HOST_NAME = f"host@{DEMO_EMAIL_DOMAIN}", "OTTO Demo"
BOT_NAMES = (
    *("Basil Bot", "Clover Bot", "Fennel Bot", "Juniper Bot", "Lavender Bot", "Mint Bot", "Nettle Bot"),
    *("Saffron Bot", "Thyme Bot", "Yarrow Bot"),
)
BOT_POLICY = "greedy"
LEAGUE_BOT_COUNT = 7  # in two divisions of four, so that one place is free
CUP_CAPACITY, INITIAL_CUP_BOTS = 8, 5  # places of a cup, and bots that enter when it opens
GAME_SETTINGS: dict[str, Any] = {
    "target": 6,
    "rated": False,
    "time_control": "12h",
    "round_length": 24 * 60 * 60,
}
SEASON_PAUSE_SECONDS = 60  # seconds between two seasons

CUP_FILL_INTERVAL = timedelta(seconds=20)  # between two bots that enter a cup in which a person waits
MIN_MOVE_INTERVAL = timedelta(minutes=1)  # between two moves of a game among bots
IDLE_TIME_DIVISOR = 100  # the interval grows with the time since the last visit, divided by this
MAX_ACTIONS_AGAINST_PEOPLE, MAX_ACTIONS_WHILE_AWAITED, MAX_IDLE_GAMES_PER_RUN = (
    50,
    8,
    3,
)  # actions per run against people and where people wait; games among bots per run

LEAGUE_TEXT = (
    "A league to try, played by bots. Join, and a new season begins with you as soon as the bots have ended "
    "this one: they hurry, so it takes some minutes. A season is one round of games, all at once."
)
CUP_TEXT = (
    "A knock-out to try, played by bots. Enter, and bots take the other places within a minute; "
    "then it starts."
)


# -------------------------------------------------------------------------------------------------- the seed


@transaction.atomic
def create_demo(*, now: datetime) -> bool:
    """Create the demo with some days of history. Return False if it exists; then only note the visit."""
    if Player.objects.filter(email=HOST_EMAIL).update(last_seen_at=now):
        return False
    rng = random.Random("demo")

    def hours_ago(hours: int) -> datetime:
        """Return the time that many hours before `now`."""
        return now - timedelta(hours=hours)

    host, *players = create_demo_players(hours_ago(48))
    Player.objects.filter(pk=host.pk).update(last_seen_at=now)
    league = create_demo_league(host, players[:LEAGUE_BOT_COUNT], hours_ago(40))
    play_season(league, rng, begins_at=hours_ago(36), played_at=hours_ago(30), ends_at=hours_ago(26))
    play_season(league, rng, begins_at=hours_ago(10), played_at=hours_ago(4), ends_at=None)
    cup = open_cup(host, players[-CUP_CAPACITY:], hours_ago(20))
    sweep_tournament(cup, hours_ago(20))
    play_first_games(cup, rng, hours_ago(12), share=1)
    sweep_tournament(cup, hours_ago(10))
    play_opening_moves(cup, rng, hours_ago(1))
    open_cup(host, players[:INITIAL_CUP_BOTS], now)
    return True


def create_demo_players(now: datetime) -> list[Player]:
    """Create the host and the bots. Nobody can sign in as one of them, and they get no mail."""
    players = []
    for index, name in enumerate((HOST_NAME, *BOT_NAMES)):
        free_name = next(
            candidate
            for attempt in range(1, 100)
            if names.find_lookalike_name(candidate := name if attempt == 1 else f"{name} {attempt}") is None
        )
        player = Player(
            email=HOST_EMAIL if index == 0 else f"{name.split()[0].lower()}@{DEMO_EMAIL_DOMAIN}",
            name=free_name,
            mail_frequency=Player.MailFrequency.NONE,
            joined_at=now - timedelta(days=100 - index),
        )
        player.set_unusable_password()
        players.append(player)
    return Player.objects.bulk_create(players)


def create_demo_league(host: Player, players: list[Player], now: datetime) -> League:
    """Create the demo league; its first season is due."""
    league = leagues.create_league(
        organiser=host,
        name="Demo league",
        text=LEAGUE_TEXT,
        division_size=4,
        promotion_count=1,
        all_rounds_at_once=True,
        season_pause=SEASON_PAUSE_SECONDS,
        now=now,
        **GAME_SETTINGS,
    )
    for player in players:
        leagues.set_member_status(player=player, code=league.code, now=now)
    return leagues.start_league(by=host, code=league.code, now=now)


def play_season(
    league: League, rng: random.Random, *, begins_at: datetime, played_at: datetime, ends_at: datetime | None
) -> None:
    """Play a season to its end, or only half of it if `ends_at` is None."""
    seasons.process_league(league.pk, begins_at)
    for tournament in Tournament.objects.filter(division__season__league=league, started_at=None).order_by(
        "pk"
    ):
        sweep_tournament(tournament, begins_at)
        play_first_games(tournament, rng, played_at, share=1 if ends_at else 0.5)
        sweep_tournament(tournament, ends_at or played_at)
        play_opening_moves(tournament, rng, played_at)
    if ends_at:
        seasons.process_league(league.pk, ends_at)


def play_first_games(tournament: Tournament, rng: random.Random, now: datetime, *, share: float) -> None:
    """Play a share of the running games to their end."""
    codes = list_running_games(tournament)
    for code in codes[: math.ceil(len(codes) * share)]:
        simulation.play_game(code, policy=BOT_POLICY, rng=rng, now=now)


def play_opening_moves(tournament: Tournament, rng: random.Random, now: datetime) -> None:
    """Play some moves in every running game."""
    for code in list_running_games(tournament):
        simulation.play_game(code, policy=BOT_POLICY, rng=rng, now=now, max_actions=rng.randint(6, 14))


def list_running_games(tournament: Tournament) -> list[str]:
    """List the codes of the running games of a tournament."""
    pairings = tournament.pairings.filter(settled_at=None, game__status=Game.Status.RUNNING)
    return list(pairings.order_by("pk").values_list("game__code", flat=True))


def sweep_tournament(tournament: Tournament, now: datetime) -> None:
    """Run the sweep for one tournament."""
    sweep.mark_due(now, pk=tournament.pk)
    sweep.process_tournament(tournament.pk, now)


# ------------------------------------------------------------------------------------------ periodic work


def run_demo(*, now: datetime, budget: Budget | None = None) -> int:
    """Keep a cup open for entries and play the bots' moves. Returns how many actions were played."""
    host = Player.objects.filter(email=HOST_EMAIL).first()
    if host is None:
        return 0
    open_and_fill_cups(host, now)
    return play_bot_moves(host, now, budget or Budget.unlimited())


def list_demo_bots() -> QuerySet[Player]:
    """Return the bots in the order of their creation."""
    return (
        Player.objects.filter(email__endswith=f"@{DEMO_EMAIL_DOMAIN}")
        .exclude(email=HOST_EMAIL)
        .order_by("pk")
    )


def build_person_filter(prefix: str) -> Q:
    """Build a filter for rows whose player is a person."""
    return Q(**{f"{prefix}player__isnull": False}) & ~Q(
        **{f"{prefix}player__email__endswith": f"@{DEMO_EMAIL_DOMAIN}"}
    )


def open_and_fill_cups(host: Player, now: datetime) -> None:
    """Open the next cup if none is open, and let bots take places in it.

    One bot enters at a time while a person waits; if no other cup is running, all free places are filled.
    """
    cups = Tournament.objects.filter(organiser=host, division=None)
    cup = cups.published().order_by("pk").first()
    if cup is None:
        first_bots = random.Random(f"cup/{cups.count()}").sample(list(list_demo_bots()), INITIAL_CUP_BOTS)
        cup = open_cup(host, first_bots, now)
    no_cup_running = not cups.running().exists()
    has_waiting_person = cup.entrant_players.filter(build_person_filter("")).exists()
    last_entered_at = cup.entrants.aggregate(last=Max("entered_at"))["last"]
    if no_cup_running or (
        has_waiting_person and (last_entered_at is None or now - last_entered_at >= CUP_FILL_INTERVAL)
    ):
        free_places = CUP_CAPACITY - cup.entrants.filter(status=Entrant.Status.ENTERED).count()
        for bot in list_demo_bots().exclude(entrant_players__tournament=cup)[
            : free_places if no_cup_running else min(free_places, 1)
        ]:
            entries.enter_tournament(player=bot, code=cup.code, now=now)


@transaction.atomic
def open_cup(host: Player, players: list[Player], now: datetime) -> Tournament:
    """Publish a knock-out that starts when it is full, with these players entered."""
    cup_no = Tournament.objects.filter(organiser=host, division=None).count() + 1
    tournament = tournaments.create_tournament(
        organiser=host,
        name=f"Demo cup {cup_no}",
        text=CUP_TEXT,
        format=Tournament.Format.KNOCKOUT,
        third_place=True,
        capacity=CUP_CAPACITY,
        when_full=True,
        hold_on_warnings=False,
        now=now,
        **GAME_SETTINGS,
    )
    tournaments.publish_tournament(by=host, code=tournament.code, now=now)
    for player in players:
        entries.enter_tournament(player=player, code=tournament.code, now=now)
    return tournament


def play_bot_moves(host: Player, now: datetime, budget: Budget) -> int:
    """Play the bots' moves: against people at once, where people wait soon, otherwise rarely."""
    bot_ids = set(list_demo_bots().values_list("pk", flat=True))
    open_pairings = Pairing.objects.filter(
        tournament__organiser=host, settled_at=None, game__status=Game.Status.RUNNING
    ).order_by("game__moved_at")
    people_at_pairing = EntrantPlayer.objects.filter(
        build_person_filter(""), entrant__pairing_seats__pairing=OuterRef("pk")
    )
    pairings_with_people = open_pairings.filter(Exists(people_at_pairing))
    bot_pairings = open_pairings.exclude(Exists(people_at_pairing))
    awaited_pairings = bot_pairings.filter(tournament__in=list_awaited_tournaments(host))
    idle_pairings = bot_pairings.exclude(tournament__in=list_awaited_tournaments(host)).filter(
        game__moved_at__lte=now - compute_move_interval(now)
    )
    action_count = 0
    for pairings, max_actions in (
        (pairings_with_people, MAX_ACTIONS_AGAINST_PEOPLE),
        (awaited_pairings, MAX_ACTIONS_WHILE_AWAITED),
        (idle_pairings[:MAX_IDLE_GAMES_PER_RUN], 1),
    ):
        for code in list(pairings.values_list("game__code", flat=True)):
            if not budget.allows_more():
                return action_count
            action_count += play_bots_of_game(code, bot_ids, max_actions, now)
    return action_count


def list_awaited_tournaments(host: Player) -> list[int]:
    """List tournaments that a person waits for: their cups, and the season before the one they joined."""
    person_entries = EntrantPlayer.objects.filter(
        build_person_filter(""),
        tournament__organiser=host,
        tournament__division=None,
        entrant__left_after_round=None,
    )
    tournament_ids = list(person_entries.values_list("tournament_id", flat=True))
    league_members = LeagueMember.objects.filter(
        build_person_filter(""),
        league__organiser=host,
        status=LeagueMember.Status.MEMBER,
        league__status=League.Status.RUNNING,
    )
    for league_member in league_members:
        season = league_member.league.seasons.filter(finished_at=None).first()
        if season and not season.placements.filter(player=league_member.player_id).exists():
            tournament_ids += Tournament.objects.filter(division__season=season).values_list("pk", flat=True)
    return tournament_ids


def compute_move_interval(now: datetime) -> timedelta:
    """Return how long a game among bots rests between two moves."""
    players = Player.objects.exclude(pk__in=list_demo_bots())
    last_seen_at = players.aggregate(last=Max("last_seen_at"))["last"]
    return (
        max(MIN_MOVE_INTERVAL, (now - last_seen_at) / IDLE_TIME_DIVISOR)
        if last_seen_at
        else MIN_MOVE_INTERVAL
    )


def play_bots_of_game(code: str, bot_ids: set[int], max_actions: int, now: datetime) -> int:
    """Play for the bots of a game until a person must act or `max_actions` is reached. Returns the count."""
    loaded_game, action_count = load_game(code), 0
    while action_count < max_actions and loaded_game.game.is_running:
        seat_no = next(
            (
                seat_no
                for seat_no in loaded_game.to_act
                if loaded_game.seat_by_no(seat_no).player_id in bot_ids
            ),
            None,
        )
        if seat_no is None:
            break
        action = bots.choose_bot_action(loaded_game, seat_no, BOT_POLICY)
        try:
            loaded_game = action_log.commit_action(
                loaded_game=loaded_game,
                seat_no=seat_no,
                action=action,
                by=ActionSource.BOT,
                now=now,
                player_acted=True,
            )
        except (Conflict, IntegrityError):  # a concurrent write won; the next run retries
            break
        action_count += 1
    return action_count
