"""Timeouts: the server acts for the absent seat."""

from __future__ import annotations

from datetime import time, timedelta

import pytest

from accounts.models import Player
from games import engine
from games.clock import SeatClock
from games.engine import bots
from games.models import Action, Game
from games.services import bots as bot_service
from notifications.models import FeedEntry
from tests.factories.cast import NOW, Api, player, start_cast_game
from tests.factories.timing import (
    BEGUN,
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
    let_time_run_out,
    list_feed_entries,
    list_log_lines,
    list_waiting_names,
    play_first_legal,
    play_until_turn_of,
    start_quick_game,
    start_seeded_game,
    sweep_games,
    take_turn,
    write_log_row_by_row,
)

pytestmark = pytest.mark.django_db
TURN, BANK = timedelta(seconds=90_000), timedelta(seconds=7_200)  # allowance and bank of a quick game
TIME_TRAVEL = 15  # a seed that deals a Time travel to bob, who begins


@pytest.fixture(params=["at once", "line by line"])
def use_both_writers(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run with the log writers of PostgreSQL and of SQLite."""
    if request.param == "line by line":
        write_log_row_by_row(monkeypatch)


# ------------------------------------------------------------------------------------- actions of the server


@pytest.mark.usefixtures("use_both_writers")
def test_the_server_plays_the_whole_turn_of_whoever_is_out_of_time() -> None:
    game = start_quick_game("ada", "bob")
    late, other = get_name_to_act(game), list_waiting_names(game)[0]
    before = get_state(game)
    seat = get_seat_no(game, late)
    assert get_deadline(game) == BEGUN + TURN + BANK
    assert not sweep_games(get_deadline(game) - SECOND)
    assert sweep_games(get_deadline(game) + timedelta(microseconds=1_234_567)) == {"autoplay": 1}
    clock_lines = list_log_lines(game)
    assert clock_lines[0] == (seat, "draw", "clock")
    assert clock_lines[-1][1] in engine.legal_actions(engine.apply_action(before, seat, "draw")[0], seat)
    assert {(who, by) for who, _, by in clock_lines} == {(seat, "clock")}
    assert len(clock_lines) == 2
    assert get_name_to_act(game) == other
    assert get_state(game).hands == before.hands
    check_all_games_are_sound(game)


@pytest.mark.parametrize("seed", range(6))
def test_it_takes_the_most_points_that_it_can_get_without_a_card(seed: int) -> None:
    game = start_seeded_game(seed, "ada", "bob", vacation=False)
    for _ in range(8):
        take_turn(game)
    before_state = get_state(game)
    seat = before_state.turn
    let_time_run_out(game)
    drawn, _ = (
        engine.apply_action(before_state, seat, "draw")
        if before_state.phase == "start"
        else (before_state, [])
    )
    legal = engine.legal_actions(drawn, seat)
    line = Action.objects.filter(game=game, by="clock").latest("seq")
    if line.action == "draw":  # a dark tile ended the turn
        assert legal == () or drawn.turn != seat
        return
    analysis = bots.BoardAnalysis(engine.build_view(drawn, seat))
    assert analysis.score_placement(line.action) == max(map(analysis.score_placement, legal))


def test_who_is_late_but_faster_than_the_sweep_plays_on_with_an_empty_bank() -> None:
    game = start_quick_game("ada", "bob")
    name = get_name_to_act(game)
    play_first_legal(game, now=get_deadline(game) + HOUR)
    assert get_seat_clock(game, name).is_on_turn
    take_turn(game, get_deadline(game) + HOUR)
    assert get_seat_clock(game, name) == SeatClock(bank=timedelta(), turn_seq=0)
    assert not sweep_games(get_deadline(game) - SECOND)
    check_all_games_are_sound(game)


@pytest.mark.usefixtures("use_both_writers")
def test_at_the_third_timeout_in_a_row_the_side_resigns() -> None:
    game = start_quick_game("ada", "bob")
    late = get_name_to_act(game)
    for missed in (1, 2):
        now = let_time_run_out(game)
        assert get_seat_clock(game, late).missed_turns == missed
        play_until_turn_of(game, late, now)
    assert sweep_games(get_deadline(game)) == {"resigned": 1}
    game.refresh_from_db()
    assert game.status == "over"
    assert game.result["winner"] == 3 - get_seat_no(game, late)
    assert list_log_lines(game)[-1] == (get_seat_no(game, late), "resign", "clock")
    assert game.next_sweep_at is None
    check_all_games_are_sound(game)


def test_a_move_of_ones_own_in_between_begins_the_count_anew() -> None:
    game = start_quick_game("ada", "bob")
    late = get_name_to_act(game)
    for _ in range(2):
        play_until_turn_of(game, late, let_time_run_out(game))
    assert get_seat_clock(game, late).missed_turns == 2
    take_turn(game, get_deadline(game) - HOUR)
    assert get_seat_clock(game, late).missed_turns == 0
    play_until_turn_of(game, late, get_deadline(game) - HOUR)
    let_time_run_out(game)
    assert game.status == "running"
    assert get_seat_clock(game, late).missed_turns == 1
    check_all_games_are_sound(game)


def test_where_a_timeout_forfeits_the_side_resigns_at_the_first() -> None:
    game = start_quick_game("ada", "bob", timeout_policy="forfeit")
    late = get_name_to_act(game)
    assert sweep_games(get_deadline(game)) == {"resigned": 1}
    game.refresh_from_db()
    assert game.status == "over"
    assert list_log_lines(game) == [(get_seat_no(game, late), "resign", "clock")]
    (line,) = list_feed_entries(late, "timeout")
    assert line.data["outcome"] == "resigned"
    check_all_games_are_sound(game)


@pytest.mark.parametrize("names", [("ada", "bob", "cleo"), ("ada", "bob", "cleo", "dirk")])
def test_in_a_game_of_more_the_others_play_on(names: tuple[str, ...]) -> None:
    game = start_quick_game(*names, timeout_policy="forfeit")
    late_names = []
    for left in range(len(names), 1, -1):
        late = get_name_to_act(game)
        let_time_run_out(game)
        late_names.append(late)
        assert game.status == ("running" if left > 2 else "over")
        assert str(get_seat_no(game, late)) not in game.seat_clocks
        if left > 2:
            assert get_name_to_act(game) not in late_names
            take_turn(game, get_deadline(game) - HOUR)
    (winner,) = set(names) - set(late_names)
    assert game.result["winner"] == get_seat_no(game, winner)
    data = Api(None).get(f"games/{game.code}/").json()
    assert all(seat["deadline"] is None for seat in data["seats"])
    check_all_games_are_sound(game)


def test_who_has_resigned_shows_no_clock() -> None:
    game = start_quick_game("ada", "bob", "cleo", timeout_policy="forfeit")
    late = get_name_to_act(game)
    let_time_run_out(game)
    seats_by_name = {seat["name"]: seat for seat in Api(None).get(f"games/{game.code}/").json()["seats"]}
    assert (seats_by_name[late]["bank_seconds"], seats_by_name[late]["deadline"]) == (None, None)
    assert seats_by_name[get_name_to_act(game)]["deadline"]


# --------------------------------------------------------------------------------------------------- pairs


def start_quick_pairs() -> Game:
    return start_quick_game("ada", "bob", "cleo", "dirk", mode="pairs")


def test_in_pairs_the_count_is_the_sides() -> None:
    game = start_quick_pairs()
    first = get_name_to_act(game)
    side = get_state(game).setup.sides[get_seat_no(game, first)]
    now = let_time_run_out(game)
    take_turn(game, now)
    second = get_name_to_act(game)
    assert get_state(game).setup.sides[get_seat_no(game, second)] == side
    now = let_time_run_out(game)
    take_turn(game, now)
    assert get_name_to_act(game) == first
    assert [get_seat_clock(game, name).missed_turns for name in (first, second)] == [1, 1]
    assert sweep_games(get_deadline(game)) == {"resigned": 1}
    game.refresh_from_db()
    assert game.status == "over"
    assert game.result["winner"] == 3 - side
    check_all_games_are_sound(game)


def test_in_pairs_a_partner_who_plays_begins_the_count_anew() -> None:
    game = start_quick_pairs()
    first = get_name_to_act(game)
    for _ in range(4):
        now = let_time_run_out(game)
        assert get_seat_clock(game, first).missed_turns == 1
        for _ in range(3):
            take_turn(game, now)
        assert get_name_to_act(game) == first
        assert get_seat_clock(game, first).missed_turns == 0
    assert game.status == "running"
    check_all_games_are_sound(game)


# ------------------------------------------------------------------------------------ the bank, the allowance


def test_the_bank_is_charged_with_what_a_turn_took_beyond_its_allowance() -> None:
    game = start_cast_game("ada", "bob", time_control="2d", vacation=False)
    name = get_name_to_act(game)
    week = timedelta(days=7)
    assert get_seat_clock(game, name) == SeatClock(
        bank=week, allowance_left=2 * DAY, runs_from=BEGUN, turn_began_at=NOW
    )
    take_turn(game, BEGUN + 2 * DAY)
    assert get_seat_clock(game, name).bank == week
    play_until_turn_of(game, name, BEGUN + 2 * DAY)
    runs_from = get_seat_clock(game, name).runs_from
    assert runs_from == BEGUN + 2 * DAY + MINUTE
    take_turn(game, runs_from + 5 * DAY)
    assert get_seat_clock(game, name).bank == week - 3 * DAY
    play_until_turn_of(game, name, runs_from + 5 * DAY)
    runs_from = get_seat_clock(game, name).runs_from
    assert runs_from
    assert get_deadline(game) == runs_from + 6 * DAY
    let_time_run_out(game)
    assert get_seat_clock(game, name).bank == timedelta()


def test_after_a_timeout_there_is_the_allowance_alone() -> None:
    game = start_quick_game("ada", "bob")
    late = get_name_to_act(game)
    now = let_time_run_out(game)
    play_until_turn_of(game, late, now)
    assert get_deadline(game) == now + MINUTE + TURN


def test_the_clock_runs_on_through_the_actions_of_one_turn() -> None:
    game = start_quick_game("ada", "bob")
    name = get_name_to_act(game)
    until = get_deadline(game)
    play_first_legal(game, "draw", BEGUN + DAY)
    assert get_name_to_act(game) == name
    assert get_deadline(game) == until
    assert get_seat_clock(game, name).turn_seq == 0


def test_the_second_turn_of_a_time_travel_has_an_allowance_of_its_own() -> None:
    game = start_seeded_game(TIME_TRAVEL, "ada", "bob", vacation=False)
    name = get_name_to_act(game)
    play_first_legal(game, "TT")
    turn = get_seat_clock(game, name)
    while get_state(game).extra_turn != 2:
        play_first_legal(game, now=NOW + 2 * DAY)
    next_clock = get_seat_clock(game, name)
    assert get_name_to_act(game) == name
    assert (turn.turn_seq, next_clock.turn_seq) == (0, game.seq)
    assert next_clock.runs_from == NOW + 2 * DAY + MINUTE
    assert get_deadline(game) == next_clock.runs_from + 9 * DAY
    (line,) = FeedEntry.objects.filter(player__name=name, dedup_key=f"{game.code}:{game.seq}")
    assert (line.kind, line.notice_stage, line.notify_at) == (
        "turn",
        "known",
        next_clock.runs_from,
    )  # the player knows of this turn; only reminders follow


def test_a_turn_that_was_begun_by_a_card_is_finished_by_the_clock_and_the_second_one_is_not() -> None:
    game = start_seeded_game(TIME_TRAVEL, "ada", "bob", vacation=False)
    name = get_name_to_act(game)
    play_first_legal(game, "TT")
    assert sweep_games(get_deadline(game)) == {"autoplay": 1}
    assert get_state(game).extra_turn == 2
    assert get_name_to_act(game) == name
    assert get_seat_clock(game, name).missed_turns == 1
    assert get_deadline(game) == BEGUN + 9 * DAY + MINUTE + 2 * DAY
    check_all_games_are_sound(game)


def test_a_turn_that_comes_back_at_once_because_the_others_lost_theirs_is_a_new_one() -> None:
    """A dark tile ends a turn; without cards the engine draws by itself and goes to the next seat."""
    for seed in range(200):
        game = start_seeded_game(seed, "ada", "bob", cards=False, vacation=False)
        for _ in range(12):
            name, before = get_name_to_act(game), game.seq
            play_first_legal(game, now=BEGUN + HOUR)
            if game.status == "running" and get_name_to_act(game) == name and get_state(game).match_no == 1:
                after = get_seat_clock(game, name)
                assert (after.turn_seq, after.turn_began_at) == (before + 1, BEGUN + HOUR)
                assert get_deadline(game) == BEGUN + HOUR + MINUTE + 9 * DAY
                return
    raise AssertionError("nobody ever loses a turn")


def test_a_live_game_rests_for_nobody_and_waits_a_moment_only() -> None:
    Player.objects.filter(pk=player("ada").pk).update(quiet_from=time(0), quiet_until=time(12, 0))
    Player.objects.filter(pk=player("bob").pk).update(quiet_from=time(8), quiet_until=time(20))
    game = start_cast_game("ada", "bob", time_control="live")
    assert game.vacation is False
    assert get_deadline(game) == NOW + timedelta(seconds=9) + timedelta(minutes=18)
    let_time_run_out(game)
    assert list_log_lines(game)[-1][2] == "clock"


def test_the_clock_starts_when_quiet_hours_end() -> None:
    for name in ("ada", "bob"):
        Player.objects.filter(pk=player(name).pk).update(
            time_zone="Asia/Tokyo", quiet_from=time(21), quiet_until=time(6, 30)
        )
    game = start_quick_game("ada", "bob")  # 21:00 in Tokyo
    morning = NOW + 9.5 * HOUR
    name = get_name_to_act(game)
    assert get_seat_clock(game, name).runs_from == morning
    assert get_deadline(game) == morning + TURN + BANK
    (line,) = list_feed_entries(name, "turn")
    assert line.notify_at == morning


# ---------------------------------------------------------------------------------- seats without a clock


def test_a_solo_game_has_no_clock() -> None:
    game = start_cast_game("ada", mode="solo", vacation=False)
    assert (game.deadline, game.next_sweep_at, game.seat_clocks) == (None, None, {})
    assert Api("ada").get(f"games/{game.code}/").json()["seats"][0]["deadline"] is None
    play_first_legal(game)
    assert (game.deadline, game.next_sweep_at, game.seat_clocks) == (None, None, {})
    assert not sweep_games(NOW + 1000 * DAY)


def test_bots_have_no_clock_and_their_games_no_deadline_while_they_think() -> None:
    game = start_quick_game("ada", bots=("greedy",))
    assert list(game.seat_clocks) == ["1"]
    play_until_bot_acts(game)
    assert game.bot_to_act
    assert (game.deadline, game.next_sweep_at) == (None, None)
    assert not sweep_games(NOW + 1000 * DAY)
    bot_service.play_bot_turns(code=game.code, now=NOW)
    game.refresh_from_db()
    assert game.deadline
    seats_shown = Api(None).get(f"games/{game.code}/").json()["seats"]
    assert (seats_shown[1]["bank_seconds"], seats_shown[1]["deadline"]) == (None, None)
    assert seats_shown[0]["bank_seconds"] == 7200


def play_until_bot_acts(game: Game) -> None:
    """Take turns until a bot is to act."""
    while not game.bot_to_act:
        take_turn(game)


def test_a_bots_turn_neither_ends_nor_adds_to_a_count() -> None:
    game = start_quick_game("ada", bots=("random",))
    for missed in (1, 2):
        while game.bot_to_act:
            bot_service.play_bot_turns(code=game.code, now=game.moved_at)
            game.refresh_from_db()
        let_time_run_out(game)
        assert get_seat_clock(game, "ada").missed_turns == missed
    check_all_games_are_sound(game)
