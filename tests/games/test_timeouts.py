"""A deadline falls: what the server does in place of whoever is away."""

from __future__ import annotations

from datetime import time, timedelta

import pytest

from games import engine
from games.clock import SeatClock
from games.engine import bots
from games.models import Action, FeedEntry, Game, Player
from games.services import bots as bot_service

from .cast import NOW, Api, game_of, player
from .timing import (
    BEGUN,
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
    others,
    quick,
    seat_of,
    seeded,
    state,
    swept,
    take_turn,
    time_out,
    turn_of,
    watch,
    well,
)

pytestmark = pytest.mark.django_db
TURN, BANK = timedelta(seconds=90_000), timedelta(seconds=7_200)  # of a quick game
TIME_TRAVEL = 15  # a seed that deals bob, who begins, a Time travel


@pytest.fixture(params=["at once", "line by line"])
def both_ways(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """The log is written as on PostgreSQL, and as on SQLite."""
    if request.param == "line by line":
        as_on_sqlite(monkeypatch)


# ------------------------------------------------------------------------------------- what the server plays


@pytest.mark.usefixtures("both_ways")
def test_the_server_plays_the_whole_turn_of_whoever_is_out_of_time() -> None:
    game = quick("ada", "bob")
    late, other = mover(game), others(game)[0]
    before = state(game)
    seat = seat_of(game, late)
    assert deadline(game) == BEGUN + TURN + BANK
    assert not swept(deadline(game) - SECOND)
    assert swept(deadline(game) + timedelta(microseconds=1_234_567)) == {"autoplay": 1}
    played = lines(game)
    assert played[0] == (seat, "draw", "clock")
    assert played[-1][1] in engine.legal_actions(engine.apply_action(before, seat, "draw")[0], seat)
    assert {(who, by) for who, _, by in played} == {(seat, "clock")}
    assert len(played) == 2
    assert mover(game) == other
    assert state(game).hands == before.hands
    well(game)


@pytest.mark.parametrize("seed", range(6))
def test_it_takes_the_most_points_that_it_can_get_without_a_card(seed: int) -> None:
    game = seeded(seed, "ada", "bob", vacation=False)
    for _ in range(8):
        take_turn(game)
    seen = state(game)
    seat = seen.turn
    time_out(game)
    drawn, _ = engine.apply_action(seen, seat, "draw") if seen.phase == "start" else (seen, [])
    legal = engine.legal_actions(drawn, seat)
    line = Action.objects.filter(game=game, by="clock").latest("seq")
    if line.action == "draw":  # a dark tile: the turn was lost with it
        assert legal == () or drawn.turn != seat
        return
    sight = bots.BoardAnalysis(engine.build_view(drawn, seat))
    assert sight.score_placement(line.action) == max(map(sight.score_placement, legal))


def test_who_is_late_but_faster_than_the_sweep_plays_on_with_an_empty_bank() -> None:
    game = quick("ada", "bob")
    name = mover(game)
    act(game, now=deadline(game) + HOUR)
    assert watch(game, name).is_on_turn
    take_turn(game, deadline(game) + HOUR)
    assert watch(game, name) == SeatClock(bank=timedelta(), turn_seq=0)
    assert not swept(deadline(game) - SECOND)
    well(game)


@pytest.mark.usefixtures("both_ways")
def test_at_the_third_timeout_in_a_row_the_side_resigns() -> None:
    game = quick("ada", "bob")
    late = mover(game)
    for missed in (1, 2):
        now = time_out(game)
        assert watch(game, late).missed_turns == missed
        turn_of(game, late, now)
    assert swept(deadline(game)) == {"resigned": 1}
    game.refresh_from_db()
    assert game.status == "over"
    assert game.result["winner"] == 3 - seat_of(game, late)
    assert lines(game)[-1] == (seat_of(game, late), "resign", "clock")
    assert game.due_at is None
    well(game)


def test_a_move_of_ones_own_in_between_begins_the_count_anew() -> None:
    game = quick("ada", "bob")
    late = mover(game)
    for _ in range(2):
        turn_of(game, late, time_out(game))
    assert watch(game, late).missed_turns == 2
    take_turn(game, deadline(game) - HOUR)
    assert watch(game, late).missed_turns == 0
    turn_of(game, late, deadline(game) - HOUR)
    time_out(game)
    assert game.status == "running"
    assert watch(game, late).missed_turns == 1
    well(game)


def test_where_a_timeout_forfeits_the_side_resigns_at_the_first() -> None:
    game = quick("ada", "bob", timeouts="forfeit")
    late = mover(game)
    assert swept(deadline(game)) == {"resigned": 1}
    game.refresh_from_db()
    assert game.status == "over"
    assert lines(game) == [(seat_of(game, late), "resign", "clock")]
    (line,) = feed_of(late, "timeout")
    assert line.data["what"] == "resigned"
    well(game)


@pytest.mark.parametrize("names", [("ada", "bob", "cleo"), ("ada", "bob", "cleo", "dirk")])
def test_in_a_game_of_more_the_others_play_on(names: tuple[str, ...]) -> None:
    game = quick(*names, timeouts="forfeit")
    gone = []
    for left in range(len(names), 1, -1):
        late = mover(game)
        time_out(game)
        gone.append(late)
        assert game.status == ("running" if left > 2 else "over")
        assert str(seat_of(game, late)) not in game.clocks
        if left > 2:
            assert mover(game) not in gone
            take_turn(game, deadline(game) - HOUR)
    (winner,) = set(names) - set(gone)
    assert game.result["winner"] == seat_of(game, winner)
    shown = Api(None).get(f"games/{game.code}/").json()
    assert all(seat["deadline"] is None for seat in shown["seats"])
    well(game)


def test_who_has_resigned_shows_no_clock() -> None:
    game = quick("ada", "bob", "cleo", timeouts="forfeit")
    late = mover(game)
    time_out(game)
    shown = {seat["name"]: seat for seat in Api(None).get(f"games/{game.code}/").json()["seats"]}
    assert (shown[late]["bank"], shown[late]["deadline"]) == (None, None)
    assert shown[mover(game)]["deadline"]


# ------------------------------------------------------------------------------------------------ of pairs


def pairs() -> Game:
    return quick("ada", "bob", "cleo", "dirk", mode="pairs")


def test_in_pairs_the_count_is_the_sides() -> None:
    game = pairs()
    first = mover(game)
    side = state(game).setup.sides[seat_of(game, first)]
    now = time_out(game)
    take_turn(game, now)
    second = mover(game)
    assert state(game).setup.sides[seat_of(game, second)] == side
    now = time_out(game)
    take_turn(game, now)
    assert mover(game) == first
    assert [watch(game, name).missed_turns for name in (first, second)] == [1, 1]
    assert swept(deadline(game)) == {"resigned": 1}
    game.refresh_from_db()
    assert game.status == "over"
    assert game.result["winner"] == 3 - side
    well(game)


def test_in_pairs_a_partner_who_plays_begins_the_count_anew() -> None:
    game = pairs()
    first = mover(game)
    for _ in range(4):
        now = time_out(game)
        assert watch(game, first).missed_turns == 1
        for _ in range(3):
            take_turn(game, now)
        assert mover(game) == first
        assert watch(game, first).missed_turns == 0
    assert game.status == "running"
    well(game)


# ------------------------------------------------------------------------------------ the bank, the allowance


def test_the_bank_is_charged_with_what_a_turn_took_beyond_its_allowance() -> None:
    game = game_of("ada", "bob", clock_name="2d", vacation=False)
    name = mover(game)
    week = timedelta(days=7)
    assert watch(game, name) == SeatClock(
        bank=week, allowance_left=2 * DAY, runs_from=BEGUN, turn_began_at=NOW
    )
    take_turn(game, BEGUN + 2 * DAY)
    assert watch(game, name).bank == week
    turn_of(game, name, BEGUN + 2 * DAY)
    begun = watch(game, name).runs_from
    assert begun == BEGUN + 2 * DAY + MINUTE
    take_turn(game, begun + 5 * DAY)
    assert watch(game, name).bank == week - 3 * DAY
    turn_of(game, name, begun + 5 * DAY)
    begun = watch(game, name).runs_from
    assert begun
    assert deadline(game) == begun + 6 * DAY
    time_out(game)
    assert watch(game, name).bank == timedelta()


def test_after_a_timeout_there_is_the_allowance_alone() -> None:
    game = quick("ada", "bob")
    late = mover(game)
    now = time_out(game)
    turn_of(game, late, now)
    assert deadline(game) == now + MINUTE + TURN


def test_the_clock_runs_on_through_the_actions_of_one_turn() -> None:
    game = quick("ada", "bob")
    name = mover(game)
    until = deadline(game)
    act(game, "draw", BEGUN + DAY)
    assert mover(game) == name
    assert deadline(game) == until
    assert watch(game, name).turn_seq == 0


def test_the_second_turn_of_a_time_travel_has_an_allowance_of_its_own() -> None:
    game = seeded(TIME_TRAVEL, "ada", "bob", vacation=False)
    name = mover(game)
    act(game, "TT")
    turn = watch(game, name)
    while state(game).extra_turn != 2:
        act(game, now=NOW + 2 * DAY)
    again = watch(game, name)
    assert mover(game) == name
    assert (turn.turn_seq, again.turn_seq) == (0, game.seq)
    assert again.runs_from == NOW + 2 * DAY + MINUTE
    assert deadline(game) == again.runs_from + 9 * DAY
    (line,) = FeedEntry.objects.filter(player__name=name, reason=f"{game.code}:{game.seq}")
    assert (line.kind, line.stage, line.due_at) == (
        "turn",
        1,
        again.runs_from,
    )  # known already; only reminders


def test_a_turn_that_was_begun_by_a_card_is_finished_by_the_clock_and_the_second_one_is_not() -> None:
    game = seeded(TIME_TRAVEL, "ada", "bob", vacation=False)
    name = mover(game)
    act(game, "TT")
    assert swept(deadline(game)) == {"autoplay": 1}
    assert state(game).extra_turn == 2
    assert mover(game) == name
    assert watch(game, name).missed_turns == 1
    assert deadline(game) == BEGUN + 9 * DAY + MINUTE + 2 * DAY
    well(game)


def test_a_turn_that_comes_back_at_once_because_the_others_lost_theirs_is_a_new_one() -> None:
    """A dark tile takes a turn away; without cards the engine draws by itself and walks on."""
    for seed in range(200):
        game = seeded(seed, "ada", "bob", cards=False, vacation=False)
        for _ in range(12):
            name, before = mover(game), game.seq
            act(game, now=BEGUN + HOUR)
            if game.status == "running" and mover(game) == name and state(game).match_no == 1:
                after = watch(game, name)
                assert (after.turn_seq, after.turn_began_at) == (before + 1, BEGUN + HOUR)
                assert deadline(game) == BEGUN + HOUR + MINUTE + 9 * DAY
                return
    raise AssertionError("nobody ever loses a turn")


def test_a_live_game_rests_for_nobody_and_waits_a_moment_only() -> None:
    Player.objects.filter(pk=player("ada").pk).update(quiet_from=time(0), quiet_until=time(12, 0))
    Player.objects.filter(pk=player("bob").pk).update(quiet_from=time(8), quiet_until=time(20))
    game = game_of("ada", "bob", clock_name="live")
    assert game.vacation is False
    assert deadline(game) == NOW + timedelta(seconds=9) + timedelta(minutes=18)
    time_out(game)
    assert lines(game)[-1][2] == "clock"


def test_the_clock_starts_when_quiet_hours_end() -> None:
    for name in ("ada", "bob"):
        Player.objects.filter(pk=player(name).pk).update(
            time_zone="Asia/Tokyo", quiet_from=time(21), quiet_until=time(6, 30)
        )
    game = quick("ada", "bob")  # it is nine in the evening in Tokyo
    morning = NOW + 9.5 * HOUR
    name = mover(game)
    assert watch(game, name).runs_from == morning
    assert deadline(game) == morning + TURN + BANK
    (line,) = feed_of(name, "turn")
    assert line.due_at == morning


# --------------------------------------------------------------------------------------- who has no clock


def test_a_solo_game_has_no_clock() -> None:
    game = game_of("ada", mode="solo", vacation=False)
    assert (game.deadline, game.due_at, game.clocks) == (None, None, {})
    assert Api("ada").get(f"games/{game.code}/").json()["seats"][0]["deadline"] is None
    act(game)
    assert (game.deadline, game.due_at, game.clocks) == (None, None, {})
    assert not swept(NOW + 1000 * DAY)


def test_bots_have_no_clock_and_their_games_no_deadline_while_they_think() -> None:
    game = quick("ada", bots=("greedy",))
    assert list(game.clocks) == ["1"]
    turn_game(game)
    assert game.bot_turn
    assert (game.deadline, game.due_at) == (None, None)
    assert not swept(NOW + 1000 * DAY)
    bot_service.play_bot_turns(code=game.code, now=NOW)
    game.refresh_from_db()
    assert game.deadline
    seats_shown = Api(None).get(f"games/{game.code}/").json()["seats"]
    assert (seats_shown[1]["bank"], seats_shown[1]["deadline"]) == (None, None)
    assert seats_shown[0]["bank"] == 7200


def turn_game(game: Game) -> None:
    """Until a bot is to act."""
    while not game.bot_turn:
        take_turn(game)


def test_a_bots_turn_neither_ends_nor_adds_to_a_count() -> None:
    game = quick("ada", bots=("random",))
    for missed in (1, 2):
        while game.bot_turn:
            bot_service.play_bot_turns(code=game.code, now=game.moved_at)
            game.refresh_from_db()
        time_out(game)
        assert watch(game, "ada").missed_turns == missed
    well(game)
