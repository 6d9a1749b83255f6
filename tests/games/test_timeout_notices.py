"""A deadline has fallen: who sees it, who hears of it, who comes too late, and what may break."""

from __future__ import annotations

from datetime import time
from typing import Any

import pytest

from games import clock, engine
from games.engine import bots
from games.models import FeedEntry, Game, GameSecrets, Player, Seat
from games.services import clocks, notices, sweep

from .cast import NOW, Api
from .timing import (
    HOUR,
    MINUTE,
    SECOND,
    act,
    deadline,
    feed_of,
    lines,
    mover,
    mute,
    others,
    person,
    quick,
    seat_of,
    state,
    swept,
    take_turn,
    time_out,
    well,
)

pytestmark = pytest.mark.django_db


# ----------------------------------------------------------------------------------------------- what is seen


def test_everyone_sees_the_deadline_and_the_bank_of_every_seat() -> None:
    game = quick("ada", "bob")
    name = mover(game)
    shown = Api(None).get(f"games/{game.code}/").json()
    assert shown["deadline"] == "2026-03-02T15:01:00Z"
    by_name = {seat["name"]: (seat["bank"], seat["deadline"]) for seat in shown["seats"]}
    assert by_name == {name: (7200, "2026-03-02T15:01:00Z"), others(game)[0]: (7200, None)}
    assert shown["clock"] == {
        "name": "custom",
        "allowance": 90_000,
        "bank": 7200,
        "blind": 45_000,
        "timeouts": "autoplay",
        "weekends": False,
        "nights": False,
        "vacation": False,
        "paused_until": None,
    }
    mine = Api(name).get("me/turns/").json()
    assert [row["deadline"] for row in mine] == ["2026-03-02T15:01:00Z"]


# ----------------------------------------------------------------------------------------------- who is told


def test_everybodys_feed_says_once_what_the_clock_played() -> None:
    game = quick("ada", "bob", "cleo")
    late = mover(game)
    now = time_out(game)
    for name in ("ada", "bob", "cleo"):
        (line,) = feed_of(name, "timeout")
        assert line.reason == f"{game.code}:{game.seq}:timeout"
        assert line.at == now
        assert line.data == {
            "game": game.code,
            "seq": game.seq,
            "seat": seat_of(game, late),
            "what": "autoplay",
            "actions": [action for _, action, _ in lines(game)],
            "deadline": f"{deadline(game):%Y-%m-%dT%H:%M:%SZ}",
        }
    swept(now)
    assert FeedEntry.objects.filter(kind="timeout").count() == 3


def test_one_mail_each_tells_of_a_timeout_and_nobody_gets_two() -> None:
    game = quick("ada", "bob", "cleo")
    late = mover(game)
    FeedEntry.objects.update(due_at=None)
    now = time_out(game)
    following = mover(game)
    third = next(name for name in others(game) if name != late)
    due = {
        name: [(line.kind, line.due_at) for line in feed_of(name) if line.due_at]
        for name in ("ada", "bob", "cleo")
    }
    soon = now + MINUTE
    assert due == {late: [("timeout", soon)], following: [("turn", soon)], third: [("timeout", soon)]}


def test_the_end_by_a_timeout_is_told_in_one_mail_each() -> None:
    game = quick("ada", "bob", timeouts="forfeit")
    late, other = mover(game), others(game)[0]
    FeedEntry.objects.update(due_at=None)
    time_out(game)
    due = {name: [line.kind for line in feed_of(name) if line.due_at] for name in ("ada", "bob")}
    assert due == {late: ["timeout"], other: ["over"]}


def test_only_the_last_line_of_a_turn_that_the_clock_played_is_told_by_mail() -> None:
    game = quick("ada", "bob")
    FeedEntry.objects.update(due_at=None)
    time_out(game)
    due = FeedEntry.objects.filter(due_at__isnull=False)
    assert {line.data["seq"] for line in due} == {game.seq}


def test_who_muted_the_game_reads_of_it_in_the_feed_alone() -> None:
    game = quick("ada", "bob")
    late, other = mover(game), others(game)[0]
    for name in (late, other):
        mute(game, name)
    FeedEntry.objects.update(due_at=None)
    time_out(game)
    assert feed_of(late, "timeout")
    assert feed_of(other, "turn", "timeout")
    assert not FeedEntry.objects.filter(due_at__isnull=False)


def test_a_notice_of_a_timeout_waits_for_the_end_of_quiet_hours() -> None:
    game = quick("ada", "bob")
    late = mover(game)
    Player.objects.filter(name=late).update(quiet_from=time(14), quiet_until=time(18))
    now = time_out(game)
    assert (now.hour, now.minute) == (15, 1)
    (line,) = feed_of(late, "timeout")
    assert line.due_at == now.replace(hour=18, minute=0)


def test_a_timeout_is_a_mail_once_it_is_spread() -> None:
    game = quick("ada", "bob")
    late, other = mover(game), others(game)[0]
    now = time_out(game)
    while notices.fan_out_notices(now=now + HOUR):
        pass
    assert [sent.kind for sent in person(late).deliveries.all()] == ["timeout"]
    assert [sent.kind for sent in person(other).deliveries.order_by("pk")] == ["turn"]


# ----------------------------------------------------------------------------------------- who comes too late


def test_who_plays_after_the_clock_did_is_told_why_it_is_stale() -> None:
    game = quick("ada", "bob")
    late = mover(game)
    seen = game.seq
    time_out(game)
    answer = Api(late).play(game.code, "draw", seen)
    assert (answer.status_code, answer.json()["code"]) == (409, "stale")
    assert "your time ran out, and the clock played for you" in answer.json()["detail"]


def test_who_plays_after_the_clock_resigned_for_them_is_told_so() -> None:
    game = quick("ada", "bob", timeouts="forfeit")
    late = mover(game)
    time_out(game)
    answer = Api(late).play(game.code, "draw", 0)
    assert (answer.status_code, answer.json()["code"]) == (409, "over")
    assert "the clock resigned for you" in answer.json()["detail"]
    game = quick("ada", "bob", "cleo", timeouts="forfeit")
    late = mover(game)
    time_out(game)
    answer = Api(late).play(game.code, "draw", 0)
    assert answer.status_code == 409
    assert "the clock resigned for you" in answer.json()["detail"]


def test_who_plays_a_placement_that_the_clock_made_impossible_is_told_why() -> None:
    game = quick("ada", "bob")
    late = mover(game)
    act(game, "draw")
    legal = engine.legal_actions(state(game), seat_of(game, late))
    time_out(game)
    played = lines(game)[-1][1]
    for action in (played, next(action for action in legal if action != played)):
        answer = Api(late).play(game.code, action, 1)
        assert answer.status_code == 409, answer.json()
        assert "your time ran out" in answer.json()["detail"]


def test_a_move_that_was_stale_for_another_reason_is_told_as_ever() -> None:
    game = quick("ada", "bob", "cleo")
    time_out(game)
    name = mover(game)
    answer = Api(name).play(game.code, "draw", 0)
    assert answer.json()["code"] == "stale"
    assert "time ran out" not in answer.json()["detail"]


# ------------------------------------------------------------------------------------------- one broken game


def test_a_broken_game_is_pushed_ahead_and_logged_and_the_rest_goes_on(
    caplog: pytest.LogCaptureFixture,
) -> None:
    games = [quick("ada", "bob") for _ in range(4)]
    broken, strange = games[1], games[2]
    Game.objects.filter(pk=broken.pk).update(due_at=NOW)  # the most urgent of all
    GameSecrets.objects.filter(game=broken).update(state='{"rules": ')
    GameSecrets.objects.filter(game=strange).update(state='{"rules": 1}')
    now = deadline(games[0])
    assert swept(now) == {"autoplay": 2, "trouble": 2}
    for game in (broken, strange):
        game.refresh_from_db()
        assert game.due_at == now + sweep.RETRY_AFTER
        assert any(game.code in record.getMessage() for record in caplog.records)
    well(games[0], games[3])
    assert not swept(now)


def test_what_breaks_in_the_middle_of_one_game_leaves_it_as_it_was(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    games = [quick("ada", "bob", target=target) for target in (24, 7, 24)]
    choose = bots.autoplay_action

    def broken(state: engine.State, *facts: Any) -> str:
        if state.setup.target == 7 and state.phase == "place":
            raise RuntimeError("no idea what to play")
        return choose(state, *facts)

    with monkeypatch.context() as patch:
        patch.setattr(bots, "autoplay_action", broken)
        now = deadline(games[0])
        assert swept(now) == {"autoplay": 2, "trouble": 1}
    assert games[1].code in caplog.text
    games[1].refresh_from_db()
    assert (games[1].seq, games[1].due_at) == (0, now + sweep.RETRY_AFTER)
    assert swept(now + sweep.RETRY_AFTER) == {"autoplay": 1}
    well(*games)


def test_a_game_that_asks_for_a_look_in_vain_is_set_right() -> None:
    game = quick("ada", "bob")
    until = deadline(game)
    Game.objects.filter(pk=game.pk).update(due_at=NOW)
    assert swept(NOW + HOUR) == {"looked": 1}
    game.refresh_from_db()
    assert (game.due_at, game.deadline) == (until, until)
    assert not swept(NOW + HOUR)


def test_a_batch_takes_so_many_and_a_sweep_takes_batch_after_batch() -> None:
    games = [quick("ada", "bob") for _ in range(7)]
    now = deadline(games[0])
    assert sweep.sweep_batch(now=now, limit=3) == {"autoplay": 3}
    assert sweep.sweep_games(now=now, limit=1) == {"autoplay": 4}
    assert not swept(now)
    well(*games)


def test_a_seat_of_a_former_player_is_played_to_its_end() -> None:
    game = quick("ada", "bob", "cleo")
    late = mover(game)
    seat = seat_of(game, late)
    Seat.objects.filter(game=game, number=seat).update(player=None)
    for what in ("autoplay", "autoplay", "resigned"):
        assert swept(deadline(game)) == {what: 1}
        now = deadline(game) - HOUR
        while what == "autoplay" and state(game).turn != seat:
            take_turn(game, now)
    assert clocks.seat_clock_of(game, seat).bank == clock.TimeControl(0, 7200).bank * SECOND
    well(game)
