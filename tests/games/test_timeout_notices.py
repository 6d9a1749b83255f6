"""After a timeout: the notices and pages, late actions, and games that cannot be swept."""

from __future__ import annotations

from datetime import time
from typing import Any

import pytest

from accounts.models import Player
from games import clock, engine
from games.engine import bots
from games.models import Game, GameSecrets, Seat
from games.services import clocks, sweep
from notifications.models import FeedEntry
from notifications.services import notices
from tests.factories.cast import NOW, Api
from tests.factories.timing import (
    HOUR,
    MINUTE,
    SECOND,
    check_all_games_are_sound,
    get_deadline,
    get_name_to_act,
    get_seat_no,
    get_state,
    let_time_run_out,
    list_feed_entries,
    list_log_lines,
    list_waiting_names,
    mute_game,
    play_first_legal,
    reload_player,
    start_quick_game,
    sweep_games,
    take_turn,
)

pytestmark = pytest.mark.django_db


# ---------------------------------------------------------------------------------------------------- display


def test_everyone_sees_the_deadline_and_the_bank_of_every_seat() -> None:
    game = start_quick_game("ada", "bob")
    name = get_name_to_act(game)
    data = Api(None).get(f"games/{game.code}/").json()
    assert data["deadline"] == "2026-03-02T15:01:00Z"
    by_name = {seat["name"]: (seat["bank_seconds"], seat["deadline"]) for seat in data["seats"]}
    assert by_name == {name: (7200, "2026-03-02T15:01:00Z"), list_waiting_names(game)[0]: (7200, None)}
    assert data["clock"] == {
        "name": "custom",
        "allowance_seconds": 90_000,
        "bank_seconds": 7200,
        "blind_allowance_seconds": 45_000,
        "timeouts": "autoplay",
        "weekends": False,
        "nights": False,
        "vacation": False,
        "paused_until": None,
    }
    own_turns = Api(name).get("me/turns/").json()
    assert [row["deadline"] for row in own_turns] == ["2026-03-02T15:01:00Z"]


# --------------------------------------------------------------------------------------------------- notices


def test_everybodys_feed_says_once_what_the_clock_played() -> None:
    game = start_quick_game("ada", "bob", "cleo")
    late = get_name_to_act(game)
    now = let_time_run_out(game)
    for name in ("ada", "bob", "cleo"):
        (line,) = list_feed_entries(name, "timeout")
        assert line.dedup_key == f"{game.code}:{game.seq}:timeout"
        assert line.at == now
        assert line.data == {
            "game": game.code,
            "seq": game.seq,
            "seat": get_seat_no(game, late),
            "outcome": "autoplay",
            "actions": [action for _, action, _ in list_log_lines(game)],
            "deadline": f"{get_deadline(game):%Y-%m-%dT%H:%M:%SZ}",
        }
    sweep_games(now)
    assert FeedEntry.objects.filter(kind="timeout").count() == 3


def test_one_mail_each_tells_of_a_timeout_and_nobody_gets_two() -> None:
    game = start_quick_game("ada", "bob", "cleo")
    late = get_name_to_act(game)
    FeedEntry.objects.update(notify_at=None)
    now = let_time_run_out(game)
    following = get_name_to_act(game)
    third = next(name for name in list_waiting_names(game) if name != late)
    due = {
        name: [(line.kind, line.notify_at) for line in list_feed_entries(name) if line.notify_at]
        for name in ("ada", "bob", "cleo")
    }
    soon = now + MINUTE
    assert due == {late: [("timeout", soon)], following: [("turn", soon)], third: [("timeout", soon)]}


def test_the_end_by_a_timeout_is_announced_in_one_mail_each() -> None:
    game = start_quick_game("ada", "bob", timeout_policy="forfeit")
    late, other = get_name_to_act(game), list_waiting_names(game)[0]
    FeedEntry.objects.update(notify_at=None)
    let_time_run_out(game)
    due = {name: [line.kind for line in list_feed_entries(name) if line.notify_at] for name in ("ada", "bob")}
    assert due == {late: ["timeout"], other: ["over"]}


def test_only_the_last_line_of_a_turn_that_the_clock_played_is_mailed() -> None:
    game = start_quick_game("ada", "bob")
    FeedEntry.objects.update(notify_at=None)
    let_time_run_out(game)
    due = FeedEntry.objects.filter(notify_at__isnull=False)
    assert {line.data["seq"] for line in due} == {game.seq}


def test_who_muted_the_game_reads_of_it_in_the_feed_alone() -> None:
    game = start_quick_game("ada", "bob")
    late, other = get_name_to_act(game), list_waiting_names(game)[0]
    for name in (late, other):
        mute_game(game, name)
    FeedEntry.objects.update(notify_at=None)
    let_time_run_out(game)
    assert list_feed_entries(late, "timeout")
    assert list_feed_entries(other, "turn", "timeout")
    assert not FeedEntry.objects.filter(notify_at__isnull=False)


def test_a_notice_of_a_timeout_waits_for_the_end_of_quiet_hours() -> None:
    game = start_quick_game("ada", "bob")
    late = get_name_to_act(game)
    Player.objects.filter(name=late).update(quiet_from=time(14), quiet_until=time(18))
    now = let_time_run_out(game)
    assert (now.hour, now.minute) == (15, 1)
    (line,) = list_feed_entries(late, "timeout")
    assert line.notify_at == now.replace(hour=18, minute=0)


def test_a_timeout_is_a_mail_once_it_is_spread() -> None:
    game = start_quick_game("ada", "bob")
    late, other = get_name_to_act(game), list_waiting_names(game)[0]
    now = let_time_run_out(game)
    while notices.fan_out_notices(now=now + HOUR):
        pass
    assert [sent.kind for sent in reload_player(late).deliveries.all()] == ["timeout"]
    assert [sent.kind for sent in reload_player(other).deliveries.order_by("pk")] == ["turn"]


# ----------------------------------------------------------------------------------------------- late actions


def test_who_plays_after_the_clock_did_gets_the_reason_it_is_stale() -> None:
    game = start_quick_game("ada", "bob")
    late = get_name_to_act(game)
    last_seq = game.seq
    let_time_run_out(game)
    answer = Api(late).play(game.code, "draw", last_seq)
    assert (answer.status_code, answer.json()["code"]) == (409, "stale")
    assert "your time ran out, and we played for you" in answer.json()["detail"]


def test_who_plays_after_the_clock_resigned_for_them_reads_so() -> None:
    game = start_quick_game("ada", "bob", timeout_policy="forfeit")
    late = get_name_to_act(game)
    let_time_run_out(game)
    answer = Api(late).play(game.code, "draw", 0)
    assert (answer.status_code, answer.json()["code"]) == (409, "over")
    assert "your side has resigned" in answer.json()["detail"]
    game = start_quick_game("ada", "bob", "cleo", timeout_policy="forfeit")
    late = get_name_to_act(game)
    let_time_run_out(game)
    answer = Api(late).play(game.code, "draw", 0)
    assert answer.status_code == 409
    assert "your side has resigned" in answer.json()["detail"]


def test_who_plays_a_placement_that_the_clock_made_impossible_gets_the_reason() -> None:
    game = start_quick_game("ada", "bob")
    late = get_name_to_act(game)
    play_first_legal(game, "draw")
    legal = engine.legal_actions(get_state(game), get_seat_no(game, late))
    let_time_run_out(game)
    clock_action = list_log_lines(game)[-1][1]
    for action in (clock_action, next(action for action in legal if action != clock_action)):
        answer = Api(late).play(game.code, action, 1)
        assert answer.status_code == 409, answer.json()
        assert "your time ran out" in answer.json()["detail"]


def test_a_move_that_was_stale_for_another_reason_is_refused_as_ever() -> None:
    game = start_quick_game("ada", "bob", "cleo")
    let_time_run_out(game)
    name = get_name_to_act(game)
    answer = Api(name).play(game.code, "draw", 0)
    assert answer.json()["code"] == "stale"
    assert "time ran out" not in answer.json()["detail"]


# --------------------------------------------------------------------------------------------- a broken game


def test_a_broken_game_is_pushed_ahead_and_logged_and_the_rest_goes_on(
    caplog: pytest.LogCaptureFixture,
) -> None:
    games = [start_quick_game("ada", "bob") for _ in range(4)]
    broken, strange = games[1], games[2]
    Game.objects.filter(pk=broken.pk).update(next_sweep_at=NOW)  # swept first
    GameSecrets.objects.filter(game=broken).update(state='{"rules": ')
    GameSecrets.objects.filter(game=strange).update(state='{"rules": 1}')
    now = get_deadline(games[0])
    assert sweep_games(now) == {"autoplay": 2, "failed": 2}
    for game in (broken, strange):
        game.refresh_from_db()
        assert game.next_sweep_at == now + sweep.RETRY_AFTER
        assert any(game.code in record.getMessage() for record in caplog.records)
    check_all_games_are_sound(games[0], games[3])
    assert not sweep_games(now)


def test_what_breaks_in_the_middle_of_one_game_leaves_it_as_it_was(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    games = [start_quick_game("ada", "bob", target=target) for target in (24, 7, 24)]
    choose = bots.autoplay_action

    def break_for_one_game(state: engine.State, *args: Any) -> str:
        if state.setup.target == 7 and state.phase == "place":
            raise RuntimeError("no idea what to play")
        return choose(state, *args)

    with monkeypatch.context() as patch:
        patch.setattr(bots, "autoplay_action", break_for_one_game)
        now = get_deadline(games[0])
        assert sweep_games(now) == {"autoplay": 2, "failed": 1}
    assert games[1].code in caplog.text
    games[1].refresh_from_db()
    assert (games[1].seq, games[1].next_sweep_at) == (0, now + sweep.RETRY_AFTER)
    assert sweep_games(now + sweep.RETRY_AFTER) == {"autoplay": 1}
    check_all_games_are_sound(*games)


def test_a_game_that_asks_for_a_look_in_vain_is_set_right() -> None:
    game = start_quick_game("ada", "bob")
    until = get_deadline(game)
    Game.objects.filter(pk=game.pk).update(next_sweep_at=NOW)
    assert sweep_games(NOW + HOUR) == {"recomputed": 1}
    game.refresh_from_db()
    assert (game.next_sweep_at, game.deadline) == (until, until)
    assert not sweep_games(NOW + HOUR)


def test_a_batch_takes_so_many_and_a_sweep_takes_batch_after_batch() -> None:
    games = [start_quick_game("ada", "bob") for _ in range(7)]
    now = get_deadline(games[0])
    assert sweep.sweep_batch(now=now, limit=3) == {"autoplay": 3}
    assert sweep.sweep_games(now=now, limit=1) == {"autoplay": 4}
    assert not sweep_games(now)
    check_all_games_are_sound(*games)


def test_a_seat_of_a_former_player_is_played_to_its_end() -> None:
    game = start_quick_game("ada", "bob", "cleo")
    late = get_name_to_act(game)
    seat = get_seat_no(game, late)
    Seat.objects.filter(game=game, seat_no=seat).update(player=None)
    for outcome in ("autoplay", "autoplay", "resigned"):
        assert sweep_games(get_deadline(game)) == {outcome: 1}
        now = get_deadline(game) - HOUR
        while outcome == "autoplay" and get_state(game).turn != seat:
            take_turn(game, now)
    assert clocks.seat_clock_of(game, seat).bank == clock.TimeControl(0, 7200).bank * SECOND
    check_all_games_are_sound(game)
