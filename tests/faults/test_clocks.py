"""Clocks are set forwards and back, on one machine or on all."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

import pytest
from django.core.mail import EmailMessage

from accounts.models import Player
from docker.cluster import ROOT
from games.engine import legal_actions
from games.models import Action, Game
from games.selectors import load_game
from games.services import game_audit, sweep, turns
from notifications.channels.email import mail_sender
from notifications.models import Delivery, FeedEntry
from notifications.services import notices
from otto_site.celery import app
from tests.cluster.world import World
from tests.factories.cast import NOW, start_cast_game
from tests.helpers.polling import wait_for

DAY = timedelta(days=1)
MONTH = 30 * DAY


def test_a_machine_whose_clock_is_a_month_ahead_does_nothing_until_it_is_set_back(
    world: World, tmp_path: Path
) -> None:
    """By its clock every deadline would have passed, and after the correction beat would wait for a month."""
    cluster, wrong = world.cluster, tmp_path / "off"
    wrong.write_text(str(MONTH.total_seconds()))
    shifted = Path(__file__).parent / "shifted"
    machine = {"wrong turns": "turns", "wrong beat": "beat"}
    try:
        for name, like in machine.items():
            cluster.add(name, like, {"PYTHONPATH": f"{shifted}:{ROOT}", "CLOCK_IS_OFF": str(wrong)})
        world.seat(1, 1)
        with world.run_players():
            wait_for(lambda: "differs from the database" in cluster.read_log("wrong turns"), "nobody minds")
            world.wait_for_moves(2)
            for name in ("beat", "turns"):
                cluster.kill(name, keep_stopped=True)  # now the machine with the wrong clock is the only one
            world.wait_for_moves(2, tables=world.tables[:1])
            wrong.write_text("0")
            world.wait_for_moves(2)
            swept = world.figure('otto_sweep_runs_total{task="turns.sweep"}')
            wait_for(
                lambda: world.figure('otto_sweep_runs_total{task="turns.sweep"}') > swept + 2,
                "nobody sweeps any more",
            )
        world.check()
        for code in world.codes:
            assert "clock" not in {by for *_line, by in world.clerk("list_log", code=code)}
    finally:
        for name in machine.keys() & cluster.running.keys():
            cluster.remove(name)


def test_beat_goes_by_a_clock_that_nobody_can_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(app), "now", lambda self: NOW - DAY)
    for entry in app.conf.beat_schedule.values():
        before = entry["schedule"].now()
        assert before <= entry["schedule"].now() < before + timedelta(minutes=1)
        assert entry["schedule"].is_due(before).next <= entry["schedule"].seconds


# ------------------------------------------------------------------------------------------ a common clock


def play_first_action(game: Game, now: datetime) -> None:
    """Play the first legal action of the seat on turn."""
    loaded_game = load_game(game.code)
    assert loaded_game.state
    place = loaded_game.seat_by_no(loaded_game.to_act[0])
    assert place.seat_no
    action = legal_actions(loaded_game.state, place.seat_no)[0]
    assert place.player
    turns.play_action(
        player=place.player, code=game.code, text=action, seq=loaded_game.state.seq, key="", now=now
    )


def run_workers(now: datetime) -> None:
    """Run the sweeps and the mail workers at a time."""
    sweep.sweep_games(now=now)
    while notices.fan_out_notices(now=now):
        pass
    mail_sender.send_due_mails(now=now)


@pytest.fixture
def game(db: None) -> Game:
    game = start_cast_game("ada", "bob", cards=False, time_control="12h", vacation=False)
    Player.objects.update(remind_at_used_percent=None, remind_at_left_percent=None)
    return game


def assert_mailed_once(mails: list[EmailMessage]) -> None:
    assert len({mail.extra_headers["Message-ID"] for mail in mails}) == len(mails)
    assert Delivery.objects.filter(status=Delivery.Status.SENT).count() == len(mails)


@pytest.mark.parametrize("back", [timedelta(hours=1), DAY, 400 * DAY], ids=str)
def test_a_clock_that_is_set_back_takes_no_time_from_anybody(
    back: timedelta, game: Game, mailoutbox: list[EmailMessage]
) -> None:
    now = NOW + timedelta(minutes=1)
    run_workers(now)
    play_first_action(game, now)
    run_workers(now + timedelta(minutes=1))
    sent = len(mailoutbox)
    assert sent
    before = load_game(game.code).game
    for _ in range(3):
        run_workers(now - back)
    after = load_game(game.code).game
    assert (after.seq, after.seat_clocks, after.deadline) == (before.seq, before.seat_clocks, before.deadline)
    assert len(mailoutbox) == sent
    play_first_action(game, now - back)
    later = load_game(game.code).game
    assert later.deadline
    assert later.deadline >= now - back + timedelta(hours=12), "whoever is next has all their time"
    banks = {seat: clock_data["bank"] for seat, clock_data in later.seat_clocks.items()}
    assert banks == {seat: clock_data["bank"] for seat, clock_data in before.seat_clocks.items()}
    run_workers(now - back + timedelta(minutes=1))
    run_workers(now - back + timedelta(hours=11))
    assert not Action.objects.filter(by="clock").exists()
    assert game_audit.audit_game(later) is None
    assert_mailed_once(mailoutbox)


def test_a_clock_that_jumps_ahead_and_back_does_everything_once(
    game: Game, mailoutbox: list[EmailMessage]
) -> None:
    """A jump looks like days without workers: a player who is out of time then loses one turn, not two."""
    run_workers(NOW + timedelta(minutes=1))
    ahead = load_game(game.code).game.deadline
    assert ahead
    for now in (ahead + timedelta(minutes=1), NOW + timedelta(minutes=2), ahead + timedelta(minutes=2)) * 2:
        run_workers(now)
        run_workers(now)
    lines = Action.objects.filter(by="clock")
    assert len({(line.seat, line.at) for line in lines}) == 1, "one turn of one seat"
    assert FeedEntry.objects.filter(kind="timeout").values("dedup_key").distinct().count() == 1
    assert game_audit.audit_game(load_game(game.code).game) is None
    assert_mailed_once(mailoutbox)
