"""A game level at its target: a blind match is opened, forced turns are played, a shoot-out is told.

The seeds were found by playing whole games in the engine, always with the first action that is legal.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import transaction

from games import engine
from games.models import Action, FeedEntry, Game
from games.selectors import load_game
from games.services import action_log, bots, sweep
from games.services.errors import Conflict

from .cast import NOW, Api
from .timing import (
    DAY,
    HOUR,
    MINUTE,
    SECOND,
    act,
    as_on_sqlite,
    deadline,
    feed_of,
    lines,
    mover,
    mute,
    seat_of,
    seeded,
    state,
    swept,
    take_turn,
    watch,
    well,
)

pytestmark = pytest.mark.django_db
# Ada's last tile makes it level, and she begins the blind match; then a shoot-out of three rounds decides.
LEVEL = 1832
LEVEL_OF_THREE = 131  # the same for three, of whom two are level; two rounds
LEVEL_WITH_A_BOT = 134  # a random bot makes it level, and begins the blind match


def level(seed: int = LEVEL, *names: str, bots: tuple[str, ...] = (), **terms: Any) -> Game:
    """A game in which the last action has just made the sides level at the target."""
    wanted: dict[str, Any] = {"cards": False, "target": 4, "vacation": False} | terms
    game = seeded(seed, *(names or ("ada", "bob")), bots=bots, **wanted)
    while state(game).match_no == 1:
        move(game)
    assert state(game).match_kind == "blind"
    return game


def move(game: Game, now: datetime = NOW) -> None:
    if game.bot_turn:
        bots.play_bot_turns(code=game.code, now=now)
        game.refresh_from_db()
    else:
        act(game, now=now)


def opened(now: datetime = NOW, **terms: Any) -> Game:
    game = level(**terms)
    assert sweep.sweep_batch(now=now) == {"opened": 1}
    game.refresh_from_db()
    return game


def to_the_end(game: Game, now: datetime) -> datetime:
    """Both play, and the worker sweeps once a minute; gives the time of the end."""
    for _ in range(200):
        swept(now)
        game.refresh_from_db()
        if game.status == "over":
            return now
        now += MINUTE
        if game.bot_turn or len(engine.legal_actions(state(game), state(game).turn)) > 1:
            move(game, now)
    raise AssertionError("it never ends")


# ----------------------------------------------------------------------------------------- until it is opened


def test_a_game_level_at_the_target_waits_until_the_blind_match_is_opened() -> None:
    game = level()
    assert (game.status, game.deadline, game.due_at) == ("tiebreak", None, NOW)
    assert not any(watch(game, name).is_on_turn for name in ("ada", "bob"))
    shown = Api(None).get(f"games/{game.code}/").json()
    assert (shown["status"], shown["kind"], shown["deadline"]) == ("tiebreak", "blind", None)
    assert all(seat["deadline"] is None for seat in shown["seats"])
    assert not FeedEntry.objects.filter(data__seq=game.seq, due_at__isnull=False)
    well(game)


@pytest.mark.parametrize("line_by_line", [False, True])
def test_the_worker_opens_it_sets_its_shorter_clock_and_tells_everyone_once(
    line_by_line: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if line_by_line:
        as_on_sqlite(monkeypatch)
    game = level(clock_name="2d")
    FeedEntry.objects.update(due_at=None)
    now = NOW + 5 * SECOND
    assert swept(now) == {"opened": 1}
    game.refresh_from_db()
    assert game.status == "running"
    bank = timedelta(days=7)
    assert watch(game, "ada").turn_seq == game.seq
    assert watch(game, "ada").allowance_left == DAY
    assert deadline(game) == now + MINUTE + DAY + bank
    assert game.due_at == game.deadline
    for name in ("ada", "bob"):
        (line,) = feed_of(name, "blind")
        assert line.data == {
            "game": game.code,
            "seq": game.seq,
            "deadline": f"{deadline(game):%Y-%m-%dT%H:%M:%SZ}",
        }
    assert not swept(now + HOUR)
    assert FeedEntry.objects.filter(kind="blind").count() == 2
    # One notice each: ada's of her turn, bob's of the blind match.
    due = {name: [line.kind for line in feed_of(name) if line.due_at] for name in ("ada", "bob")}
    assert due == {"ada": ["turn"], "bob": ["blind"]}
    assert FeedEntry.objects.get(player__name="ada", due_at__isnull=False).stage == 0
    well(game)


@pytest.mark.parametrize(
    ("terms", "length"),
    [
        ({"clock_name": "7d"}, 3.5 * DAY),
        ({"clock_name": "live"}, 90 * SECOND),
        ({"clock_name": "custom", "allowance": 70, "bank": 0}, 60 * SECOND),
        ({"clock_name": "2d", "blind_allowance": 600}, 10 * MINUTE),
        ({"clock_name": "2d", "blind_allowance": 30 * 86_400}, 30 * DAY),
    ],
)
def test_the_clock_of_a_blind_match_is_half_as_long_or_what_the_event_says(
    terms: dict[str, Any], length: timedelta
) -> None:
    game = opened(**terms)
    assert watch(game, "ada").allowance_left == length
    name = take_turn(game, NOW + MINUTE)
    other = mover(game)
    assert {name, other} == {"ada", "bob"}
    assert watch(game, other).allowance_left == length  # and so it is for every turn of it
    shown = Api(None).get(f"games/{game.code}/").json()["clock"]
    assert shown["blind"] == length.total_seconds()


def test_who_muted_the_game_reads_of_it_in_the_feed_alone() -> None:
    game = level()
    for name in ("ada", "bob"):
        mute(game, name)
    FeedEntry.objects.update(due_at=None)
    assert swept(NOW) == {"opened": 1}
    assert FeedEntry.objects.filter(kind="blind").count() == 2
    assert not FeedEntry.objects.filter(due_at__isnull=False)


def test_a_player_may_be_faster_than_the_worker() -> None:
    game = level()
    act(game, now=NOW + SECOND)
    assert game.status == "running"
    assert mover(game) == "bob"
    assert watch(game, "bob").allowance_left == DAY
    assert not watch(game, "ada").is_on_turn
    assert not swept(NOW + 2 * SECOND)
    well(game)
    # And all have heard of it once, as if the worker had opened it.
    assert [len(feed_of(name, "blind")) for name in ("ada", "bob")] == [1, 1]


def test_one_can_resign_while_it_waits_and_the_worker_opens_nothing() -> None:
    game = level()
    act(game, "resign", NOW + SECOND, name="bob")
    assert (game.status, game.due_at) == ("over", None)
    assert not swept(NOW + HOUR)
    assert not FeedEntry.objects.filter(kind="blind")
    well(game)


def test_a_turn_of_the_clock_that_makes_it_level_does_not_play_on_in_the_blind_match() -> None:
    """It began the blind match itself, before anybody was told of it: ada's turn seemed to go on."""
    game = seeded(LEVEL, "ada", "bob", cards=False, target=4, vacation=False)
    while game.seq < 23:
        act(game)
    assert mover(game) == "ada"
    now = deadline(game)
    assert sweep.sweep_batch(now=now) == {"autoplay": 1}
    game.refresh_from_db()
    assert (game.status, game.seq) == ("tiebreak", 24)
    assert swept(now) == {"opened": 1}
    assert mover(game) == "ada"
    assert watch(game, "ada").missed_turns == 1
    assert deadline(game) == now + MINUTE + DAY
    well(game)


# ----------------------------------------------------------------------------------------------- forced turns


def to_a_forced_turn(game: Game, now: datetime) -> None:
    while len(engine.legal_actions(state(game), state(game).turn)) > 1:
        move(game, now)
        game.refresh_from_db()


def test_a_turn_that_leaves_no_choice_is_played_by_the_worker_at_once() -> None:
    game = opened()
    now = NOW + HOUR
    to_a_forced_turn(game, now)
    seq, seat, name = game.seq, state(game).turn, mover(game)
    (only,) = engine.legal_actions(state(game), seat)
    assert game.due_at == now
    assert sweep.sweep_batch(now=now) == {"answered": 1}
    assert lines(game, seq) == [(seat, only, "clock")]
    assert watch(game, name).missed_turns == 0
    assert not FeedEntry.objects.filter(kind="timeout")
    well(game)


def test_forced_turns_one_after_the_other_are_one_action_each_and_one_sweep_plays_them_all() -> None:
    game = opened()
    to_a_forced_turn(game, NOW + HOUR)
    before = game.seq
    done = swept(NOW + HOUR)
    played = lines(game, before)
    assert done["answered"] == len(played) >= 1
    assert {by for _, _, by in played} == {"clock"}
    seat = state(game).turn
    assert state(game).is_over or len(engine.legal_actions(state(game), seat)) > 1
    well(game)


def test_in_a_normal_match_a_turn_without_a_choice_waits_for_its_player() -> None:
    game = seeded(LEVEL, "ada", "bob", cards=False, target=4, vacation=False)
    while len(engine.legal_actions(state(game), state(game).turn)) > 1:
        act(game)
    assert state(game).match_kind == "normal"
    assert game.due_at == game.deadline
    assert not swept(NOW + HOUR)


def test_a_turn_lost_to_a_dark_tile_leaves_a_fresh_clock_to_whoever_is_next() -> None:
    game = opened()
    now = NOW
    for _ in range(100):
        now += HOUR
        swept(now)
        game.refresh_from_db()
        if game.status == "over":
            break
        line = Action.objects.filter(game=game).latest("seq")
        if any(event["event"] == "lost turn" for event in line.events):
            came = watch(game, mover(game))
            assert (came.turn_seq, came.allowance_left, came.turn_began_at) == (game.seq, DAY, line.at)
            return
        move(game, now)
    raise AssertionError("nobody ever loses a turn")


def test_who_is_late_in_a_blind_match_is_played_for_like_anywhere() -> None:
    game = opened()
    name = mover(game)
    now = deadline(game)
    assert swept(now)["autoplay"] == 1
    assert watch(game, name).missed_turns == 1
    assert feed_of(name, "timeout")
    well(game)


# ---------------------------------------------------------------------------------------------- the shoot-out


def to_the_shoot_out(game: Game) -> datetime:
    """The blind match is played by hand, so that nothing of its end is told yet."""
    now = NOW + HOUR
    while not state(game).is_over:
        move(game, now)
        game.refresh_from_db()
    return now


@pytest.mark.parametrize("line_by_line", [False, True])
def test_a_shoot_out_is_told_round_by_round(line_by_line: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if line_by_line:
        as_on_sqlite(monkeypatch)
    game = opened()
    now = to_the_shoot_out(game)
    rounds = state(game).shootout_rounds
    assert len(rounds) == 3
    assert (game.status, game.told, game.due_at, game.deadline) == ("over", 0, now, None)
    for number, tiles in enumerate(rounds, 1):
        later = now + number * SECOND
        assert sweep.sweep_batch(now=later) == {"told": 1}
        game.refresh_from_db()
        assert game.told == number
        for name in ("ada", "bob"):
            found = feed_of(name, "shoot-out")
            assert [line.data["round"] for line in found] == list(range(1, number + 1))
            assert found[-1].data["tiles"] == tiles
            assert found[-1].reason == f"{game.code}:shoot-out:{number}"
            assert found[-1].due_at is None  # the end itself is what a mail tells
    assert game.due_at is None
    assert not swept(now + HOUR)
    assert game.result["shootout"] == list(rounds)
    assert all(feed_of(name, "over")[0].due_at for name in ("bob",))
    well(game)


def test_of_three_the_two_who_are_level_shoot_and_all_three_hear_of_it() -> None:
    game = level(LEVEL_OF_THREE, "ada", "bob", "cleo")
    to_the_end(game, NOW)
    swept(NOW + 30 * DAY)
    game.refresh_from_db()
    assert len(game.result["shootout"]) == game.told == 2
    assert all(len(tiles) == 2 for tiles in game.result["shootout"])
    for name in ("ada", "bob", "cleo"):
        assert [line.data["tiles"] for line in feed_of(name, "shoot-out")] == game.result["shootout"]
        assert len(feed_of(name, "blind")) == 1
    well(game)


def test_a_game_that_ends_without_a_shoot_out_has_nothing_to_tell() -> None:
    game = seeded(LEVEL, "ada", "bob", cards=False, target=4)
    act(game, "resign")
    assert game.due_at is None
    assert not swept(NOW + HOUR)


# ------------------------------------------------------------------------------------------------------- bots


def test_a_bot_waits_for_the_blind_match_to_be_opened_too() -> None:
    game = level(LEVEL_WITH_A_BOT, "ada", bots=("random",))
    assert (game.status, game.bot_turn, game.to_act) == ("tiebreak", True, 1 << 2)
    assert bots.play_bot_turns(code=game.code, now=NOW) == 0
    assert bots.find_waiting_bot_games(now=NOW + HOUR) == []
    assert swept(NOW + SECOND) == {"opened": 1}
    game.refresh_from_db()
    assert (game.status, game.deadline, game.due_at) == ("running", None, None)
    assert len(feed_of("ada", "blind")) == 1
    assert bots.find_waiting_bot_games(now=NOW + HOUR) == [game.code]
    assert bots.play_bot_turns(code=game.code, now=NOW + HOUR) >= 1
    to_the_end(game, NOW + HOUR)
    by = {seat: {by for at, _, by in lines(game, 24) if at == seat} for seat in (1, 2)}
    assert by == {1: {"player", "clock"}, 2: {"bot"}}
    well(game)


# ----------------------------------------------------------------------- a worker that dies between any steps


class Died(BaseException):
    """As sudden as a signal: nothing catches it but the end of the transaction."""


def test_a_worker_that_dies_between_any_two_steps_leaves_nothing_twice_and_nothing_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The same game twice; in one of them the worker dies in the middle of everything that it does."""
    calm = level()
    to_the_end(calm, NOW)
    swept(NOW + 30 * DAY)
    stormy = level()
    deaths = 0
    now = NOW
    steps = ("process_batch", "open_blind_match", "announce_shootout_round", "prepare_automatic_answer")
    real = {name: getattr(sweep, name) for name in steps}

    def dies_after(name: str) -> Any:
        def run_and_die(*arguments: Any) -> Any:
            real[name](*arguments)
            raise Died

        return run_and_die

    for _ in range(200):
        for name in real:
            with monkeypatch.context() as patch:
                patch.setattr(sweep, name, dies_after(name))
                before = Game.objects.values().get(pk=stormy.pk)
                try:
                    with transaction.atomic():  # a savepoint stands for the worker's own transaction
                        sweep.sweep_batch(now=now)
                except Died:
                    deaths += 1
                    assert Game.objects.values().get(pk=stormy.pk) == before
        swept(now)
        stormy.refresh_from_db()
        if stormy.status == "over":
            break
        now += MINUTE
        if len(engine.legal_actions(state(stormy), state(stormy).turn)) > 1:
            move(stormy, now)
    swept(NOW + 30 * DAY)
    assert deaths > 10
    assert lines(stormy) == lines(calm)
    assert story(stormy) == story(calm)
    calm.refresh_from_db()
    stormy.refresh_from_db()
    assert (stormy.told, stormy.result) == (calm.told, calm.result)
    well(calm, stormy)


def story(game: Game) -> list[tuple[str, str, str]]:
    """Who was told what, in order, without the game's name."""
    rows = FeedEntry.objects.filter(game=game).order_by("pk").values_list("player__name", "kind", "reason")
    return [(name, kind, reason.removeprefix(game.code)) for name, kind, reason in rows]


def test_a_step_that_two_workers_began_is_done_by_one_of_them() -> None:
    """Each read the table before the other wrote, and the slower one finds the game far ahead."""
    game = level()
    faster, slower = load_game(game.code), load_game(game.code)
    sweep.open_blind_match(faster, NOW)
    act(game)
    before = Game.objects.values().get(pk=game.pk)
    sweep.open_blind_match(slower, NOW + HOUR)
    assert Game.objects.values().get(pk=game.pk) == before
    assert FeedEntry.objects.filter(kind="blind").count() == 2
    now = to_the_shoot_out(game)
    faster, slower = load_game(game.code), load_game(game.code)
    sweep.announce_shootout_round(faster, now)
    sweep.announce_shootout_round(load_game(game.code), now)
    before = Game.objects.values().get(pk=game.pk)
    sweep.announce_shootout_round(slower, now + HOUR)
    assert Game.objects.values().get(pk=game.pk) == before
    assert before["told"] == 2
    assert FeedEntry.objects.filter(kind="shoot-out").count() == 4


def test_a_move_and_a_forced_turn_of_the_same_seat_are_one_action() -> None:
    game = opened()
    to_a_forced_turn(game, NOW)
    found, seat = load_game(game.code), state(game).turn
    made = sweep.prepare_automatic_answer(found, found.seat_by_no(seat), NOW)
    act(game, now=NOW)
    assert action_log.commit_pending_writes([made]) == set()
    assert Action.objects.filter(game=game).count() == game.seq
    well(game)


def test_what_breaks_while_it_is_opened_opens_nothing(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    game = level()
    with monkeypatch.context() as patch:
        patch.setattr(action_log, "build_blind_match_entries", lambda *facts, **more: 1 / 0)
        assert swept(NOW) == {"trouble": 1}
    game.refresh_from_db()
    assert (game.status, game.due_at) == ("tiebreak", NOW + sweep.RETRY_AFTER)
    assert game.code in caplog.text
    assert swept(NOW + sweep.RETRY_AFTER) == {"opened": 1}
    assert FeedEntry.objects.filter(kind="blind").count() == 2
    well(game)


def test_who_plays_in_a_blind_match_by_an_old_number_is_told_that_it_is_stale() -> None:
    game = opened()
    seat = seat_of(game, "ada")
    legal = engine.legal_actions(state(game), seat)[0]
    answer = Api("ada").play(game.code, legal, 23)
    assert answer.status_code == 409
    with pytest.raises(Conflict):
        action_log.commit_action(loaded_game=stale(game), seat_no=seat, action=legal, by="player", now=NOW)


def stale(game: Game) -> Any:
    """A table as somebody saw it before the clocks were set."""
    found = load_game(game.code)
    found.game.clocks = {}
    return found
