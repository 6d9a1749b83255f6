"""The demo of `make run`: a league and tournaments that bots play and that a newcomer can join."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from django.core.management import call_command
from django.test import override_settings

from accounts.models import Player
from games.models import Action, Game
from games.selectors import load_game
from games.services import sweep as games_sweep
from games.services import system_games
from notifications.models import Delivery
from notifications.services.notices import fan_out_notices
from tests.factories.events import NOW, get_player
from tournaments.leagues.services import leagues
from tournaments.models import League, Pairing, Tournament
from tournaments.selectors import TournamentState
from tournaments.services import demo, entries, sweep

pytestmark = pytest.mark.django_db
SECONDS = timedelta(seconds=5)  # between two sweeps


def run_worker(now: datetime, *, sweeps: int) -> datetime:
    """Run the tasks of the worker of `make run` this many times."""
    for _ in range(sweeps):
        now += SECONDS
        games_sweep.sweep_games(now=now)
        sweep.sweep_tournaments(now=now)
        demo.run_demo(now=now)
    return now


def count_rows() -> tuple[int, ...]:
    return tuple(model.objects.count() for model in (Player, League, Tournament, Game, Action))


def test_it_is_made_once_and_shows_something_at_once() -> None:
    get_player("Mint Bot")  # this name is taken
    with override_settings(DEMO=False):
        call_command("seed_demo")
    assert demo.run_demo(now=NOW) == 0
    assert not Tournament.objects.exists()

    assert demo.create_demo(now=NOW)
    first_rows = count_rows()
    assert not demo.create_demo(now=NOW)
    with override_settings(DEMO=True):
        call_command("seed_demo")
    assert count_rows() == first_rows
    assert Game.objects.count() < 30

    league = League.objects.get()
    first, second = league.seasons.order_by("number")
    assert first.finished_at
    assert second.finished_at is None
    assert second.placements.filter(reason__code="promoted").exists()
    for tournament in Tournament.objects.filter(division__season=second):
        assert tournament.pairings.filter(game__status="over").exists()
        assert tournament.pairings.filter(game__status="running", game__seq__gt=0).exists()
    running, to_enter = Tournament.objects.filter(division=None).order_by("pk")
    assert [match.state for match in TournamentState(running).build_bracket().matches] == ["decided"] * 4 + [
        "open"
    ] * 2 + ["waiting"] * 2
    assert to_enter.status == "published"
    assert to_enter.entrants.count() == demo.INITIAL_CUP_BOTS < demo.CUP_CAPACITY

    assert not Game.objects.filter(rated=True).exists()
    assert "Mint Bot 2" in demo.list_demo_bots().values_list("name", flat=True)
    while fan_out_notices(now=NOW + timedelta(days=1)):
        pass
    assert not Delivery.objects.exists()

    demo.create_demo(now=NOW)
    # Games among bots are slow, and slower the longer no person has visited.
    now = NOW + demo.MIN_MOVE_INTERVAL
    assert demo.run_demo(now=now) == demo.MAX_IDLE_GAMES_PER_RUN
    later = now + timedelta(hours=10)
    action_count = run_worker(later, sweeps=12) and Action.objects.filter(by="bot", at__gt=later).count()
    assert 0 < action_count <= Game.objects.filter(status="running").count()
    assert demo.compute_move_interval(later) > timedelta(minutes=5)


def test_a_newcomer_enters_a_cup() -> None:
    demo.create_demo(now=NOW)
    ann, cup = get_player("ann"), Tournament.objects.get(status="published")
    entries.enter_tournament(player=ann, code=cup.code, now=NOW)
    now = run_worker(NOW, sweeps=12)
    cup.refresh_from_db()
    assert cup.status == "running"
    assert cup.entrants.count() == demo.CUP_CAPACITY
    assert Tournament.objects.filter(status="published").count() == 1

    own_pairing = Pairing.objects.get(tournament=cup, pairing_seats__entrant__entrant_players__player=ann)
    assert own_pairing.game
    loaded_game = load_game(own_pairing.game.code)
    own_seat = loaded_game.seat_of(ann)
    assert own_seat
    assert loaded_game.to_act == (own_seat.seat_no,)  # if a bot was to begin, it has acted
    assert own_seat.seat_no
    system_games.resign_seat(code=own_pairing.game.code, seat_no=own_seat.seat_no, now=now)
    while cup.status != "finished":
        now = run_worker(now, sweeps=10)
        cup.refresh_from_db()
        assert now < NOW + timedelta(hours=1)
    assert TournamentState(cup).build_bracket().champion
    assert Tournament.objects.filter(status="published").count() == 1


def test_a_newcomer_joins_the_league_and_plays_within_minutes() -> None:
    demo.create_demo(now=NOW)
    ann, league = get_player("ann"), League.objects.get()
    leagues.set_member_status(player=ann, code=league.code, now=NOW)
    now = NOW
    while league.seasons.count() == 2:
        now = run_worker(now, sweeps=6)
        assert now < NOW + timedelta(minutes=15)
    run_worker(now, sweeps=2)
    season = league.seasons.get(number=3)
    assert [division.placements.count() for division in season.divisions.order_by("number")] == [4, 4]
    place = season.placements.get(player=ann)
    assert place.division.number == 2
    tables = Pairing.objects.filter(pairing_seats__entrant=place.entrant)
    assert tables.filter(game__status="running", game__seats__player=ann).count() == 3
