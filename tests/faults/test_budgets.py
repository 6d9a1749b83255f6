"""A sweep stops when its time budget is spent, and the next continues: nothing is lost or doubled."""

from __future__ import annotations

import random
from collections import Counter
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone
from redis import Redis

from accounts.services import guests, retention
from common import periodic_tasks
from common.budget import SWEEP_BUDGET_SECONDS, Budget
from games import tasks
from games.models import Game, Incident
from games.services import bot_games, bots, incidents, lobby, sweep, system_games, turns
from notifications import retention as notifications_retention
from notifications.models import Delivery, FeedEntry, InboundMail
from notifications.services import notices
from otto_site.celery import app
from tests.factories.cast import NOW, player, start_cast_game
from tests.factories.events import (
    create_started_tournament,
    get_host,
    get_player,
    list_running_pairings,
    published,
)
from tests.factories.timing import DAY, HOUR, check_all_games_are_sound, get_deadline, start_quick_game
from tests.services import skip_or_fail
from tournaments import tasks as tournament_tasks
from tournaments.leagues.services import leagues, seasons
from tournaments.models import Pairing, Tournament
from tournaments.ratings import services as ratings
from tournaments.services import simulation, tournaments
from tournaments.services import sweep as tournaments_sweep

pytestmark = pytest.mark.django_db


class Items(Budget):
    """A budget of so many items instead of seconds."""

    def __init__(self, count: int) -> None:
        super().__init__(3600)
        self.count = count

    def allows_more(self) -> bool:
        self.count -= 1
        self.work_left |= self.count < 0
        return self.count >= 0

    def share(self, seconds: float) -> Budget:
        return self


# ---------------------------------------------------------------------------------------------------- budgets


def test_every_chore_has_a_budget_well_below_its_hard_limit() -> None:
    names = {entry["task"] for entry in app.conf.beat_schedule.values()} | {"tournaments.demo"}
    for name in names:
        assert app.tasks[name].time_limit >= 4 * SWEEP_BUDGET_SECONDS, name
    assert SWEEP_BUDGET_SECONDS < 30, "what a deadline may wait"


def test_a_budget_says_that_work_is_left_only_if_it_was_asked_for_more() -> None:
    budget = Budget(0)
    assert not budget.work_left
    assert not budget.allows_more()
    assert budget.work_left
    assert Budget(60).allows_more()
    assert Budget.unlimited().share(0).allows_more()
    assert not Budget(60).share(0).allows_more()
    assert not Budget(0).share(60).allows_more()


def count_queued(queue: str) -> int:
    with Redis.from_url(app.conf.broker_url) as redis:
        return int(redis.llen(queue))  # type: ignore[arg-type]


def test_a_run_that_leaves_work_asks_for_the_next_one_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    if not str(app.conf.broker_url).startswith("redis"):
        skip_or_fail("Redis", "the test needs a broker that counts")
    for task, queue in (
        (tasks.sweep_due_games, "turns"),
        (tournament_tasks.sweep_tournaments, "tournaments"),
    ):
        before = count_queued(queue)
        task()
        assert count_queued(queue) == before, "there is nothing to do"
    start_due_games(3, monkeypatch)
    create_started_tournament("round-robin", 4)
    tournaments.start_tournament(
        by=get_host(), code=published("round-robin", 6, all_rounds_at_once=True).code, now=NOW
    )
    monkeypatch.setattr(periodic_tasks, "Budget", partial(Budget, 0))
    for task, queue in (
        (tasks.sweep_due_games, "turns"),
        (tournament_tasks.sweep_tournaments, "tournaments"),
    ):
        before = count_queued(queue)
        task()
        assert count_queued(queue) == before + 1


# ------------------------------------------------------------------------------------------------------ games


def start_due_games(count: int, monkeypatch: pytest.MonkeyPatch) -> list[Game]:
    """Start games, and sweep them in batches of one."""
    monkeypatch.setattr(sweep, "sweep_batch", partial(sweep.sweep_batch, limit=1))
    return [start_quick_game("ada", "bob") for _ in range(count)]


def test_timeouts_that_do_not_fit_into_a_run_come_with_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    games = start_due_games(5, monkeypatch)
    now = get_deadline(games[0])
    first, second = Items(1), Items(100)
    assert sweep.sweep_games(now=now, budget=first) == {"autoplay": 2}
    assert first.work_left
    assert sweep.sweep_games(now=now, budget=second) == {"autoplay": 3}
    assert not second.work_left
    assert not sweep.sweep_games(now=now)
    for game in games:
        assert Counter(game.actions.filter(by="clock").values_list("at", flat=True)).keys() == {now}
    check_all_games_are_sound(*games)


def test_the_end_of_an_incident_goes_on_where_it_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    games = [start_quick_game("ada", "bob") for _ in range(5)]
    before = get_deadline(games[0])
    incidents.start_incident(now=NOW + HOUR)
    Incident.objects.update(ended_at=NOW + 3 * HOUR)
    monkeypatch.setattr(incidents, "SETTLE_BATCH_SIZE", 2)
    now = NOW + 3 * HOUR
    assert incidents.must_sweeps_wait(now=now, budget=Items(0)), "sweeps wait until all clocks are right"
    assert [get_deadline(game) - before for game in games] == [2 * HOUR] * 2 + [timedelta()] * 3
    assert not sweep.sweep_games(now=before, budget=Items(0)), (
        "nobody is late by a clock that is not right yet"
    )
    assert Incident.objects.get().last_processed_game_id == games[3].pk
    assert not incidents.must_sweeps_wait(now=now, budget=Items(100))
    assert {get_deadline(game) for game in games} == {before + 2 * HOUR}
    assert Incident.objects.get().deadlines_recomputed


def test_notices_expiry_guests_and_clearing_stop_in_time_and_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notices, "fan_out_notices", partial(notices.fan_out_notices, limit=2))
    for _ in range(3):
        start_quick_game("ada", "bob")
    due = FeedEntry.objects.filter(notify_at__lte=NOW + HOUR).count()
    assert due == 6
    spent = Items(0)
    assert notices.fan_out_all_notices(now=NOW + HOUR, budget=spent) == 2
    assert spent.work_left
    assert notices.fan_out_all_notices(now=NOW + HOUR, budget=Items(100)) == 4
    assert Delivery.objects.values("player", "dedup_key").distinct().count() == Delivery.objects.count()

    for _ in range(3):
        lobby.create_game(player=player("cleo"), now=NOW)
    late = NOW + 100 * DAY
    assert lobby.expire_open_games(now=late, budget=Items(2)) == 2
    assert lobby.expire_open_games(now=late, budget=Items(100)) == 1

    for _ in range(3):
        bot_games.start_bot_game(player=None, language="en", now=NOW)
    assert guests.remove_stale_guests(now=late, budget=Items(2)) == 2
    assert guests.remove_stale_guests(now=late, budget=Items(100)) == 1

    monkeypatch.setattr(retention, "iter_pk_batches", partial(retention.iter_pk_batches, size=1))
    for number in range(3):
        InboundMail.objects.create(digest=str(number), received_at=NOW, outcome="played")
    assert notifications_retention.delete_old_inbound_mail(now=late, budget=Items(2)) == 2
    assert notifications_retention.delete_old_inbound_mail(now=late, budget=Items(100)) == 1


# ------------------------------------------------------------------------------------------------------- bots


def start_bot_game(name: str) -> Game:
    """Start a game that its creator has resigned and two bots play on."""
    game = start_cast_game(name, bots=("random", "random"), target=99)
    turns.play_action(player=player(name), code=game.code, text="resign", seq=None, key="", now=NOW)
    game.refresh_from_db()
    assert game.bot_to_act
    return game


def test_who_has_many_games_with_bots_keeps_nobody_else_waiting() -> None:
    many = [start_bot_game("ada") for _ in range(4)]
    few = [start_bot_game("bob"), start_bot_game("cleo")]
    order = bots.find_waiting_bot_games(now=timezone.now())
    assert len(order) == 6
    assert set(order[:3]) == {many[0].code, few[0].code, few[1].code}


def test_a_game_of_bots_alone_goes_on_behind_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bots, "MAX_BOT_ACTIONS_PER_RUN", 5)
    games = [start_bot_game("ada"), start_bot_game("bob")]
    first_seqs = {game.code: game.seq for game in games}
    now, spent = timezone.now(), Items(4)
    assert bots.play_waiting_bot_turns(now=now, budget=spent) == 20
    assert spent.work_left
    for game in games:
        game.refresh_from_db()
        assert game.seq == first_seqs[game.code] + 10, "by turns"
    check_all_games_are_sound(*games)


# ------------------------------------------------------------------------------------------------ tournaments


def start_tournaments(count: int, **fields: Any) -> list[Tournament]:
    """Start tournaments whose sweep is due."""
    events = [published("round-robin", 6, all_rounds_at_once=True, **fields) for _ in range(count)]
    for tournament in events:
        tournaments.start_tournament(by=get_host(), code=tournament.code, now=NOW)
    return events


def count_opened_games(tournament: Tournament) -> int:
    return Pairing.objects.filter(tournament=tournament, game__isnull=False).count()


def test_events_begin_their_games_by_turns_and_what_is_left_comes_with_the_next_run(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(tournaments_sweep, "TOURNAMENT_BUDGET_SECONDS", 0)
    monkeypatch.setattr(Items, "share", lambda self, seconds: Budget(0) if seconds == 0 else self)
    three = start_tournaments(3)
    budget = Items(3 * 6)  # the start, the pairing and four games of each
    tournaments_sweep.sweep_tournaments(now=NOW, budget=budget)
    assert budget.work_left
    assert [count_opened_games(tournament) for tournament in three] == [4, 4, 4]
    more_items = Items(2)
    tournaments_sweep.sweep_tournaments(now=NOW + HOUR, budget=more_items)
    assert [count_opened_games(tournament) for tournament in three] == [5, 5, 4]
    tournaments_sweep.sweep_tournaments(now=NOW + 2 * HOUR, budget=Items(2))
    assert [count_opened_games(tournament) for tournament in three] == [6, 5, 5], "who had no turn is first"
    tournaments_sweep.sweep_tournaments(now=NOW + 3 * HOUR)
    assert [count_opened_games(tournament) for tournament in three] == [15, 15, 15]
    games = Game.objects.filter(pairing__tournament__in=three)
    assert games.count() == Game.objects.count() == 45
    entry_keys = FeedEntry.objects.filter(kind="tournament-pairing").values_list("player", "dedup_key")
    assert len(entry_keys) == len(set(entry_keys)) == 90
    assert not tournaments_sweep.sweep_tournaments(now=NOW + 3 * HOUR)


@pytest.mark.django_db(transaction=True)
def test_whoever_dies_in_the_middle_of_a_round_leaves_whole_games_and_the_next_makes_the_rest(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (tournament,) = start_tournaments(1)
    real, left = system_games.start_tournament_game, [5]

    def die_at_second(**kwargs: Any) -> Game:
        game = real(**kwargs)
        left[0] -= 1
        if not left[0]:
            raise KeyboardInterrupt  # no service catches this, as none survives a kill
        return game

    monkeypatch.setattr(system_games, "start_tournament_game", die_at_second)
    with pytest.raises(KeyboardInterrupt):
        tournaments_sweep.sweep_tournaments(now=NOW)
    connection.close()
    assert (count_opened_games(tournament), Game.objects.count()) == (4, 4), "the fifth was not committed"
    monkeypatch.setattr(system_games, "start_tournament_game", real)
    assert tournaments_sweep.sweep_tournaments(now=NOW)["opened"] == 11
    assert Game.objects.count() == 15
    check_all_games_are_sound(*Game.objects.all())


def test_leagues_have_their_turn_however_many_events_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tournaments get only a share of the budget of a run."""
    assert tournaments_sweep.TOURNAMENT_BUDGET_SHARE < 1
    (tournament,) = start_tournaments(1)
    league = start_league()
    spent = Items(0)
    assert seasons.sweep_leagues(now=NOW, budget=spent) == {}
    assert spent.work_left
    monkeypatch.setattr(tournaments_sweep, "TOURNAMENT_BUDGET_SHARE", 0)
    budget = Budget()
    assert tournaments_sweep.sweep_tournaments(now=NOW, budget=budget) == {"season-began": 1}
    assert (league.seasons.count(), count_opened_games(tournament), budget.work_left) == (1, 0, True)


def start_league() -> Any:
    league = leagues.create_league(organiser=get_host(), name="A league", division_size=4, now=NOW)
    for number in range(1, 5):
        leagues.set_member_status(player=get_player(f"p{number}"), code=league.code, now=NOW)
    return leagues.start_league(by=get_host(), code=league.code, now=NOW)


def test_ratings_are_counted_in_parts_and_each_game_once(monkeypatch: pytest.MonkeyPatch) -> None:
    tournament = create_started_tournament("round-robin", 4, all_rounds_at_once=True)
    for table in list_running_pairings(tournament):
        assert table.game
        simulation.play_game(table.game.code, policy="random", rng=random.Random(1), now=NOW)
    monkeypatch.setattr(ratings, "rate_batch", partial(ratings.rate_batch, limit=2))
    spent = Items(1)
    assert ratings.rate_finished_games(now=NOW, budget=spent) == 4
    assert spent.work_left
    assert ratings.rate_finished_games(now=NOW, budget=Items(100)) == 2
    assert ratings.rate_finished_games(now=NOW) == 0
