"""A tie at the target: the blind match is opened, forced turns are played, and the shoot-out is described.

The seeds were found by playing whole games in the engine, always with the first legal action.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import transaction

from common.service_errors import Conflict
from games import engine
from games.models import Action, Game
from games.selectors import load_game
from games.services import action_log, bots, sweep
from notifications.models import FeedEntry
from tests.factories.cast import NOW, Api
from tests.factories.timing import (
    DAY,
    HOUR,
    MINUTE,
    SECOND,
    check_all_games_are_sound,
    get_deadline,
    get_name_to_act,
    get_seat_clock,
    get_seat_no,
    get_state,
    list_feed_entries,
    list_log_lines,
    mute_game,
    play_first_legal,
    start_seeded_game,
    sweep_games,
    take_turn,
    write_log_row_by_row,
)

pytestmark = pytest.mark.django_db
# Ada's last tile makes the tie, and she begins the blind match; a shoot-out of three rounds decides.
LEVEL = 1832
LEVEL_OF_THREE = 131  # three players, two of them tied; two rounds
LEVEL_WITH_A_BOT = 134  # a random bot makes the tie and begins the blind match


def start_level_game(seed: int = LEVEL, *names: str, bots: tuple[str, ...] = (), **terms: Any) -> Game:
    """Start a game and play until the last action has made a tie at the target."""
    wanted: dict[str, Any] = {"cards": False, "target": 4, "vacation": False} | terms
    game = start_seeded_game(seed, *(names or ("ada", "bob")), bots=bots, **wanted)
    while get_state(game).match_no == 1:
        play_one_action(game)
    assert get_state(game).match_kind == "blind"
    return game


def play_one_action(game: Game, now: datetime = NOW) -> None:
    if game.bot_to_act:
        bots.play_bot_turns(code=game.code, now=now)
        game.refresh_from_db()
    else:
        play_first_legal(game, now=now)


def open_blind_match(now: datetime = NOW, **terms: Any) -> Game:
    game = start_level_game(**terms)
    assert sweep.sweep_batch(now=now) == {"opened": 1}
    game.refresh_from_db()
    return game


def play_to_end(game: Game, now: datetime) -> datetime:
    """Play for both sides and sweep once a minute; return the time of the end."""
    for _ in range(200):
        sweep_games(now)
        game.refresh_from_db()
        if game.status == "over":
            return now
        now += MINUTE
        if game.bot_to_act or len(engine.legal_actions(get_state(game), get_state(game).turn)) > 1:
            play_one_action(game, now)
    raise AssertionError("it never ends")


# ------------------------------------------------------------------------------------ opening the blind match


def test_a_game_level_at_the_target_waits_until_the_blind_match_is_opened() -> None:
    game = start_level_game()
    assert (game.status, game.deadline, game.next_sweep_at) == ("tiebreak", None, NOW)
    assert not any(get_seat_clock(game, name).is_on_turn for name in ("ada", "bob"))
    data = Api(None).get(f"games/{game.code}/").json()
    assert (data["status"], data["kind"], data["deadline"]) == ("tiebreak", "blind", None)
    assert all(seat["deadline"] is None for seat in data["seats"])
    assert not FeedEntry.objects.filter(data__seq=game.seq, notify_at__isnull=False)
    check_all_games_are_sound(game)


@pytest.mark.parametrize("line_by_line", [False, True])
def test_the_worker_opens_it_sets_its_shorter_clock_and_tells_everyone_once(
    line_by_line: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if line_by_line:
        write_log_row_by_row(monkeypatch)
    game = start_level_game(time_control="2d")
    FeedEntry.objects.update(notify_at=None)
    now = NOW + 5 * SECOND
    assert sweep_games(now) == {"opened": 1}
    game.refresh_from_db()
    assert game.status == "running"
    bank = timedelta(days=7)
    assert get_seat_clock(game, "ada").turn_seq == game.seq
    assert get_seat_clock(game, "ada").allowance_left == DAY
    assert get_deadline(game) == now + MINUTE + DAY + bank
    assert game.next_sweep_at == game.deadline
    for name in ("ada", "bob"):
        (line,) = list_feed_entries(name, "blind")
        assert line.data == {
            "game": game.code,
            "seq": game.seq,
            "deadline": f"{get_deadline(game):%Y-%m-%dT%H:%M:%SZ}",
            "round_ends_at": None,
        }
    assert not sweep_games(now + HOUR)
    assert FeedEntry.objects.filter(kind="blind").count() == 2
    # One notice each: for ada her turn, for bob the blind match.
    due = {name: [line.kind for line in list_feed_entries(name) if line.notify_at] for name in ("ada", "bob")}
    assert due == {"ada": ["turn"], "bob": ["blind"]}
    assert FeedEntry.objects.get(player__name="ada", notify_at__isnull=False).notice_stage == "pending"
    check_all_games_are_sound(game)


@pytest.mark.parametrize(
    ("terms", "length"),
    [
        ({"time_control": "7d"}, 3.5 * DAY),
        ({"time_control": "live"}, 90 * SECOND),
        ({"time_control": "custom", "allowance": 70, "bank": 0}, 60 * SECOND),
        ({"time_control": "2d", "blind_allowance": 600}, 10 * MINUTE),
        ({"time_control": "2d", "blind_allowance": 30 * 86_400}, 30 * DAY),
    ],
)
def test_the_clock_of_a_blind_match_is_half_as_long_or_what_the_event_says(
    terms: dict[str, Any], length: timedelta
) -> None:
    game = open_blind_match(**terms)
    assert get_seat_clock(game, "ada").allowance_left == length
    name = take_turn(game, NOW + MINUTE)
    other = get_name_to_act(game)
    assert {name, other} == {"ada", "bob"}
    assert get_seat_clock(game, other).allowance_left == length  # each turn of the blind match
    clock = Api(None).get(f"games/{game.code}/").json()["clock"]
    assert clock["blind_allowance_seconds"] == length.total_seconds()


def test_who_muted_the_game_reads_of_it_in_the_feed_alone() -> None:
    game = start_level_game()
    for name in ("ada", "bob"):
        mute_game(game, name)
    FeedEntry.objects.update(notify_at=None)
    assert sweep_games(NOW) == {"opened": 1}
    assert FeedEntry.objects.filter(kind="blind").count() == 2
    assert not FeedEntry.objects.filter(notify_at__isnull=False)


def test_a_player_may_be_faster_than_the_worker() -> None:
    game = start_level_game()
    play_first_legal(game, now=NOW + SECOND)
    assert game.status == "running"
    assert get_name_to_act(game) == "bob"
    assert get_seat_clock(game, "bob").allowance_left == DAY
    assert not get_seat_clock(game, "ada").is_on_turn
    assert not sweep_games(NOW + 2 * SECOND)
    check_all_games_are_sound(game)
    # Each player has one notice, as if the worker had opened the match.
    assert [len(list_feed_entries(name, "blind")) for name in ("ada", "bob")] == [1, 1]


def test_one_can_resign_while_it_waits_and_the_worker_opens_nothing() -> None:
    game = start_level_game()
    play_first_legal(game, "resign", NOW + SECOND, name="bob")
    assert (game.status, game.next_sweep_at) == ("over", None)
    assert not sweep_games(NOW + HOUR)
    assert not FeedEntry.objects.filter(kind="blind")
    check_all_games_are_sound(game)


def test_a_turn_of_the_clock_that_makes_it_level_does_not_play_on_in_the_blind_match() -> None:
    """A regression test: the timeout began the blind match itself, so that ada's turn went on unannounced."""
    game = start_seeded_game(LEVEL, "ada", "bob", cards=False, target=4, vacation=False)
    while game.seq < 23:
        play_first_legal(game)
    assert get_name_to_act(game) == "ada"
    now = get_deadline(game)
    assert sweep.sweep_batch(now=now) == {"autoplay": 1}
    game.refresh_from_db()
    assert (game.status, game.seq) == ("tiebreak", 24)
    assert sweep_games(now) == {"opened": 1}
    assert get_name_to_act(game) == "ada"
    assert get_seat_clock(game, "ada").missed_turns == 1
    assert get_deadline(game) == now + MINUTE + DAY
    check_all_games_are_sound(game)


# ----------------------------------------------------------------------------------------------- forced turns


def play_to_forced_turn(game: Game, now: datetime) -> None:
    while len(engine.legal_actions(get_state(game), get_state(game).turn)) > 1:
        play_one_action(game, now)
        game.refresh_from_db()


def test_a_turn_that_leaves_no_choice_is_played_by_the_worker_at_once() -> None:
    game = open_blind_match()
    now = NOW + HOUR
    play_to_forced_turn(game, now)
    seq, seat, name = game.seq, get_state(game).turn, get_name_to_act(game)
    (only,) = engine.legal_actions(get_state(game), seat)
    assert game.next_sweep_at == now
    assert sweep.sweep_batch(now=now) == {"answered": 1}
    assert list_log_lines(game, seq) == [(seat, only, "clock")]
    assert get_seat_clock(game, name).missed_turns == 0
    assert not FeedEntry.objects.filter(kind="timeout")
    check_all_games_are_sound(game)


def test_forced_turns_one_after_the_other_are_one_action_each_and_one_sweep_plays_them_all() -> None:
    game = open_blind_match()
    play_to_forced_turn(game, NOW + HOUR)
    before = game.seq
    done = sweep_games(NOW + HOUR)
    clock_lines = list_log_lines(game, before)
    assert done["answered"] == len(clock_lines) >= 1
    assert {by for _, _, by in clock_lines} == {"clock"}
    seat = get_state(game).turn
    assert get_state(game).is_over or len(engine.legal_actions(get_state(game), seat)) > 1
    check_all_games_are_sound(game)


def test_in_a_normal_match_a_turn_without_a_choice_waits_for_its_player() -> None:
    game = start_seeded_game(LEVEL, "ada", "bob", cards=False, target=4, vacation=False)
    while len(engine.legal_actions(get_state(game), get_state(game).turn)) > 1:
        play_first_legal(game)
    assert get_state(game).match_kind == "normal"
    assert game.next_sweep_at == game.deadline
    assert not sweep_games(NOW + HOUR)


def test_a_turn_lost_to_a_dark_tile_leaves_a_fresh_clock_to_whoever_is_next() -> None:
    game = open_blind_match()
    now = NOW
    for _ in range(100):
        now += HOUR
        sweep_games(now)
        game.refresh_from_db()
        if game.status == "over":
            break
        line = Action.objects.filter(game=game).latest("seq")
        if any(event["event"] == "lost turn" for event in line.events):
            came = get_seat_clock(game, get_name_to_act(game))
            assert (came.turn_seq, came.allowance_left, came.turn_began_at) == (game.seq, DAY, line.at)
            return
        play_one_action(game, now)
    raise AssertionError("nobody ever loses a turn")


def test_who_is_late_in_a_blind_match_is_played_for_like_anywhere() -> None:
    game = open_blind_match()
    name = get_name_to_act(game)
    now = get_deadline(game)
    assert sweep_games(now)["autoplay"] == 1
    assert get_seat_clock(game, name).missed_turns == 1
    assert list_feed_entries(name, "timeout")
    check_all_games_are_sound(game)


# ---------------------------------------------------------------------------------------------- the shoot-out


def play_to_shoot_out(game: Game) -> datetime:
    """Play the blind match without a sweep, so that no notice of its end exists yet."""
    now = NOW + HOUR
    while not get_state(game).is_over:
        play_one_action(game, now)
        game.refresh_from_db()
    return now


@pytest.mark.parametrize("line_by_line", [False, True])
def test_a_shoot_out_is_described_round_by_round(line_by_line: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if line_by_line:
        write_log_row_by_row(monkeypatch)
    game = open_blind_match()
    now = play_to_shoot_out(game)
    rounds = get_state(game).shootout_rounds
    assert len(rounds) == 3
    assert (game.status, game.announced_rounds, game.next_sweep_at, game.deadline) == ("over", 0, now, None)
    for number, tiles in enumerate(rounds, 1):
        later = now + number * SECOND
        assert sweep.sweep_batch(now=later) == {"announced": 1}
        game.refresh_from_db()
        assert game.announced_rounds == number
        for name in ("ada", "bob"):
            entries = list_feed_entries(name, "shoot-out")
            assert [line.data["round"] for line in entries] == list(range(1, number + 1))
            assert entries[-1].data["tiles"] == tiles
            assert entries[-1].dedup_key == f"{game.code}:shoot-out:{number}"
            assert entries[-1].notify_at is None  # the mail is about the end of the game instead
    assert game.next_sweep_at is None
    assert not sweep_games(now + HOUR)
    assert game.result["shootout"] == list(rounds)
    assert all(list_feed_entries(name, "over")[0].notify_at for name in ("bob",))
    check_all_games_are_sound(game)


def test_of_three_the_two_who_are_level_shoot_and_all_three_hear_of_it() -> None:
    game = start_level_game(LEVEL_OF_THREE, "ada", "bob", "cleo")
    play_to_end(game, NOW)
    sweep_games(NOW + 30 * DAY)
    game.refresh_from_db()
    assert len(game.result["shootout"]) == game.announced_rounds == 2
    assert all(len(tiles) == 2 for tiles in game.result["shootout"])
    for name in ("ada", "bob", "cleo"):
        assert [line.data["tiles"] for line in list_feed_entries(name, "shoot-out")] == game.result[
            "shootout"
        ]
        assert len(list_feed_entries(name, "blind")) == 1
    check_all_games_are_sound(game)


def test_a_game_that_ends_without_a_shoot_out_has_nothing_to_tell() -> None:
    game = start_seeded_game(LEVEL, "ada", "bob", cards=False, target=4)
    play_first_legal(game, "resign")
    assert game.next_sweep_at is None
    assert not sweep_games(NOW + HOUR)


# ------------------------------------------------------------------------------------------------------- bots


def test_a_bot_waits_for_the_blind_match_to_be_opened_too() -> None:
    game = start_level_game(LEVEL_WITH_A_BOT, "ada", bots=("random",))
    assert (game.status, game.bot_to_act, game.to_act_mask) == ("tiebreak", True, 1 << 2)
    assert bots.play_bot_turns(code=game.code, now=NOW) == 0
    assert bots.find_waiting_bot_games(now=NOW + HOUR) == []
    assert sweep_games(NOW + SECOND) == {"opened": 1}
    game.refresh_from_db()
    assert (game.status, game.deadline, game.next_sweep_at) == ("running", None, None)
    assert len(list_feed_entries("ada", "blind")) == 1
    assert bots.find_waiting_bot_games(now=NOW + HOUR) == [game.code]
    assert bots.play_bot_turns(code=game.code, now=NOW + HOUR) >= 1
    play_to_end(game, NOW + HOUR)
    by = {seat: {by for at, _, by in list_log_lines(game, 24) if at == seat} for seat in (1, 2)}
    assert by == {1: {"player", "clock"}, 2: {"bot"}}
    check_all_games_are_sound(game)


# -------------------------------------------------------------------------- a worker killed between two steps


class Died(BaseException):
    """Like a kill signal: no handler catches it, and the transaction is rolled back."""


def test_a_worker_that_dies_between_any_two_steps_leaves_nothing_twice_and_nothing_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Play one game twice; in the second run the worker is killed once in every step."""
    calm = start_level_game()
    play_to_end(calm, NOW)
    sweep_games(NOW + 30 * DAY)
    stormy = start_level_game()
    deaths = 0
    now = NOW
    steps = ("process_batch", "open_blind_match", "announce_shootout_round", "prepare_automatic_answer")
    real = {name: getattr(sweep, name) for name in steps}

    def make_dying_step(name: str) -> Any:
        def run_and_die(*arguments: Any) -> Any:
            real[name](*arguments)
            raise Died

        return run_and_die

    for _ in range(200):
        for name in real:
            with monkeypatch.context() as patch:
                patch.setattr(sweep, name, make_dying_step(name))
                before = Game.objects.values().get(pk=stormy.pk)
                try:
                    with transaction.atomic():  # a savepoint replaces the worker's transaction
                        sweep.sweep_batch(now=now)
                except Died:
                    deaths += 1
                    assert Game.objects.values().get(pk=stormy.pk) == before
        sweep_games(now)
        stormy.refresh_from_db()
        if stormy.status == "over":
            break
        now += MINUTE
        if len(engine.legal_actions(get_state(stormy), get_state(stormy).turn)) > 1:
            play_one_action(stormy, now)
    sweep_games(NOW + 30 * DAY)
    assert deaths > 10
    assert list_log_lines(stormy) == list_log_lines(calm)
    assert list_entries(stormy) == list_entries(calm)
    calm.refresh_from_db()
    stormy.refresh_from_db()
    assert (stormy.announced_rounds, stormy.result) == (calm.announced_rounds, calm.result)
    check_all_games_are_sound(calm, stormy)


def list_entries(game: Game) -> list[tuple[str, str, str]]:
    """Return the feed entries of a game in order, without the game code."""
    rows = (
        FeedEntry.objects.filter(topic=game.topic)
        .order_by("pk")
        .values_list("player__name", "kind", "dedup_key")
    )
    return [(name, kind, reason.removeprefix(game.code)) for name, kind, reason in rows]


def test_a_step_that_two_workers_began_is_done_by_one_of_them() -> None:
    """Both workers load the game before either writes; the slower one has a stale copy and writes nothing."""
    game = start_level_game()
    faster, slower = load_game(game.code), load_game(game.code)
    sweep.open_blind_match(faster, NOW)
    assert faster.game.current_status.awaits_blind_match, "what was loaded stays as it was read"
    play_first_legal(game)
    before = Game.objects.values().get(pk=game.pk)
    sweep.open_blind_match(slower, NOW + HOUR)
    assert Game.objects.values().get(pk=game.pk) == before
    assert FeedEntry.objects.filter(kind="blind").count() == 2
    now = play_to_shoot_out(game)
    faster, slower = load_game(game.code), load_game(game.code)
    sweep.announce_shootout_round(faster, now)
    sweep.announce_shootout_round(load_game(game.code), now)
    before = Game.objects.values().get(pk=game.pk)
    sweep.announce_shootout_round(slower, now + HOUR)
    assert Game.objects.values().get(pk=game.pk) == before
    assert before["announced_rounds"] == 2
    assert FeedEntry.objects.filter(kind="shoot-out").count() == 4


def test_a_move_and_a_forced_turn_of_the_same_seat_are_one_action() -> None:
    game = open_blind_match()
    play_to_forced_turn(game, NOW)
    loaded_game, seat = load_game(game.code), get_state(game).turn
    pending_write = sweep.prepare_automatic_answer(loaded_game, loaded_game.seat_by_no(seat), NOW)
    play_first_legal(game, now=NOW)
    assert action_log.commit_pending_writes([pending_write]) == set()
    assert Action.objects.filter(game=game).count() == game.seq
    check_all_games_are_sound(game)


def test_what_breaks_while_it_is_opened_opens_nothing(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    game = start_level_game()
    with monkeypatch.context() as patch:
        patch.setattr(action_log, "build_blind_match_entries", lambda *args, **more: 1 / 0)
        assert sweep_games(NOW) == {"failed": 1}
    game.refresh_from_db()
    assert (game.status, game.next_sweep_at) == ("tiebreak", NOW + sweep.RETRY_AFTER)
    assert game.code in caplog.text
    assert sweep_games(NOW + sweep.RETRY_AFTER) == {"opened": 1}
    assert FeedEntry.objects.filter(kind="blind").count() == 2
    check_all_games_are_sound(game)


def test_who_plays_in_a_blind_match_by_an_old_number_reads_that_it_is_stale() -> None:
    game = open_blind_match()
    seat = get_seat_no(game, "ada")
    legal = engine.legal_actions(get_state(game), seat)[0]
    answer = Api("ada").play(game.code, legal, 23)
    assert answer.status_code == 409
    with pytest.raises(Conflict):
        action_log.commit_action(
            loaded_game=load_stale_game(game), seat_no=seat, action=legal, by="player", now=NOW
        )


def load_stale_game(game: Game) -> Any:
    """Load a game as another process read it before the clocks were set."""
    loaded_game = load_game(game.code)
    loaded_game.game.seat_clocks = {}
    return loaded_game
