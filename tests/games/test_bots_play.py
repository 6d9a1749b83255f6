"""Bots play through the same action log as people, with any worker, and after a worker was killed."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from django.db import connection, connections
from django.utils import timezone

from games import tasks
from games.engine import record
from games.models import Action, Game
from games.selectors import load_game
from games.services import bots, game_audit, sweep, turns, wake_ups
from notifications.models import FeedEntry
from tests.factories.cast import NOW, Api, player, start_cast_game

pytestmark = pytest.mark.django_db
ROOT = Path(__file__).resolve().parents[2]


def is_sound(game: Game) -> bool:
    return game_audit.audit_game(Game.objects.select_related("secrets").get(pk=game.pk)) is None


def start_bots_only_game(*policies: str, **terms: Any) -> Game:
    """Start a game in which only bots play on, because ada has resigned."""
    game = start_cast_game("ada", bots=policies, **terms)
    turns.play_action(player=player("ada"), code=game.code, text="resign", seq=None, key="", now=NOW)
    game.refresh_from_db()
    return game


def test_a_bot_answers_through_the_same_log_and_stops_when_it_is_not_its_turn() -> None:
    game = start_cast_game("ada", bots=("greedy",))
    ada = Api("ada")
    tasks.play_bots(game.code)
    data = ada.get(f"games/{game.code}/").json()
    assert data["to_act"] == [1]
    while not Action.objects.filter(game=game, by="bot").exists():
        legal = ada.get(f"games/{game.code}/actions/legal/").json()
        assert ada.play(game.code, legal[0], data["seq"]).status_code == 201
        tasks.play_bots(game.code)
        data = ada.get(f"games/{game.code}/").json()
    lines = ada.get(f"games/{game.code}/log/").json()["results"]
    assert {(line["seat"], line["by"]) for line in lines} <= {(1, "player"), (2, "bot")}
    assert bots.play_bot_turns(code=game.code, now=NOW) == 0
    last = FeedEntry.objects.filter(player__name="ada").latest("pk")
    assert (last.kind, last.data["by"], last.data["seat"]) == ("turn", "bot", 2)
    assert is_sound(game)


def test_bots_play_a_game_to_its_end_and_its_record_verifies() -> None:
    game = start_bots_only_game("random", "greedy", target=1)
    assert game.bot_to_act
    assert bots.play_bot_turns(code=game.code, now=NOW) >= 3, "the quickest end is an 8, of three tiles"
    saved = Api(None).get(f"games/{game.code}/record/").json()
    assert record.verify_record(saved).is_ok
    assert {line["by"] for line in saved["actions"][1:]} == {"bot"}
    assert not Game.objects.get(pk=game.pk).bot_to_act
    assert bots.play_bot_turns(code=game.code, now=NOW) == 0
    assert is_sound(game)


def test_what_a_bot_does_follows_from_the_game_and_can_be_done_again() -> None:
    game = start_bots_only_game("random", "random", target=1)
    loaded_game = load_game(game.code)
    (seat,) = loaded_game.to_act
    assert len({bots.choose_bot_action(loaded_game, seat) for _ in range(5)}) == 1
    expected = bots.choose_bot_action(loaded_game, seat)
    tasks.play_bots(game.code)
    assert Action.objects.get(game=game, seq=2).action == expected


def test_a_sweep_finds_the_bots_whose_worker_was_lost() -> None:
    lost, fresh = (
        start_bots_only_game("random", "random", target=1),
        start_bots_only_game("random", "random", target=1),
    )
    over = start_cast_game("ada", "bob")
    Api("bob").post(f"games/{over.code}/resign/")
    now = timezone.now()
    Game.objects.filter(pk=lost.pk).update(moved_at=now - bots.BOT_WORKER_GRACE - timedelta(seconds=1))
    Game.objects.filter(pk=fresh.pk).update(moved_at=now + timedelta(hours=1))
    assert bots.find_waiting_bot_games(now=now) == [lost.code]
    tasks.sweep_bots()
    assert bots.find_waiting_bot_games(now=timezone.now()) == []
    assert Game.objects.get(pk=fresh.pk).seq == fresh.seq
    lost.refresh_from_db()
    assert not lost.bot_to_act
    assert set(Action.objects.filter(game=lost, seq__gt=1).values_list("by", flat=True)) == {"bot"}
    if lost.status == Game.Status.TIEBREAK:  # tied at the target until another sweep opens the blind match
        sweep.sweep_games(now=now)
        bots.play_bot_turns(code=lost.code, now=now)
        lost.refresh_from_db()
    assert lost.status == Game.Status.OVER
    assert is_sound(lost)


@pytest.mark.django_db(transaction=True)
def test_of_several_workers_at_once_none_plays_twice() -> None:
    game = start_bots_only_game("random", "greedy", target=1)
    start = threading.Barrier(4)
    action_counts: list[int] = []

    def run_worker() -> None:
        try:
            start.wait(30)
            while Game.objects.get(pk=game.pk).status == "running":
                action_counts.append(bots.play_bot_turns(code=game.code, now=timezone.now()))
        finally:
            connections.close_all()

    workers = [threading.Thread(target=run_worker) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(60)
    lines = list(Action.objects.filter(game=game, by="bot").order_by("seq").values_list("seq", flat=True))
    assert lines == list(range(2, len(lines) + 2))
    assert sum(action_counts) == len(lines) > 10
    assert is_sound(game)


# ------------------------------------------------------------------------------------------- a real worker


def build_database_url() -> str:
    """Return the URL of the test database for another process."""
    at: dict[str, Any] = connection.settings_dict
    login = quote(at["USER"]) + (f":{quote(at['PASSWORD'])}" if at["PASSWORD"] else "")
    host, port = at["HOST"], f"&port={at['PORT']}" if at["PORT"] else ""
    return f"postgresql://{login}@/{at['NAME']}?host={quote(host, safe='/')}{port}"


@pytest.fixture
def worker(transactional_db: None, redis: Any, tmp_path: Path) -> Iterator[Path]:
    """Run a real worker for the queue of bots, and yield the path of its log."""
    words = ["-m", "celery", "-A", "otto_site", "worker", "--pool", "solo", "-Q", "bots", "-l", "INFO"]
    log_path = tmp_path / "worker.log"
    with log_path.open("wb") as output:
        process = subprocess.Popen(
            [sys.executable, *words, "--without-gossip", "--without-mingle"],
            cwd=ROOT,
            env=os.environ | {"DATABASE_URL": build_database_url()},
            stdout=output,
            stderr=output,
        )
    try:
        stop_by = time.monotonic() + 60
        while b" ready." not in log_path.read_bytes() and time.monotonic() < stop_by:
            assert process.poll() is None, log_path.read_text()
            time.sleep(0.05)
        yield log_path
    finally:
        process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def test_a_real_worker_answers_after_a_move(worker: Path) -> None:
    code = start_cast_game("ada", bots=("greedy",)).code
    ada = Api("ada")

    def wait_for_turn() -> dict[str, Any]:
        """Wait until ada is to act. If the bot starts, only the sweep wakes the worker for it."""
        stop_by = time.monotonic() + 30
        while (data := ada.get(f"games/{code}/").json())["to_act"] != [1]:
            assert time.monotonic() < stop_by, worker.read_text()
            time.sleep(0.02)
        return dict(data)

    if Game.objects.get(code=code).bot_to_act:
        wake_ups.wake_bots(code)
    while Action.objects.filter(seat=2).count() < 2:
        seq = wait_for_turn()["seq"]
        legal = ada.get(f"games/{code}/actions/legal/").json()
        assert ada.play(code, legal[0], seq).status_code == 201
        game_view = wait_for_turn()
        assert game_view["seq"] > seq
    assert set(Action.objects.filter(seat=2).values_list("by", flat=True)) == {"bot"}
    assert game_audit.audit_game(Game.objects.select_related("secrets").get(code=code)) is None


def test_bots_play_on_among_themselves_when_the_last_person_has_left() -> None:
    game = start_cast_game("ada", bots=("random", "random"))
    Api("ada").post(f"games/{game.code}/resign/")
    player("ada").delete()
    for _ in range(10):
        bots.play_bot_turns(code=game.code, now=NOW)
        sweep.sweep_games(now=NOW)  # opens the blind match if the sides are tied
    game.refresh_from_db()
    assert game.status == Game.Status.OVER
    assert game_audit.audit_game(game) is None
