"""Automatic answers to an 8: the only legal answer, or one that the player chose in advance.

The seed of these games leads to an 8 of cleo's that all three players must answer. Bob holds the card that
protects his points; ada and cleo hold another card and can only pass.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, time, timedelta
from typing import Any

import pytest

from accounts.models import Player
from common.service_errors import Denied, Invalid, NotFound
from games import engine
from games.models import Action, Game, GameSecrets, Seat
from games.selectors import load_game
from games.services import clocks, lobby, seat_settings, sweep
from notifications.models import FeedEntry
from notifications.services import notices
from tests.factories.cast import NOW, Api, player
from tests.factories.timing import (
    AN_8,
    AN_8_SEED,
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
    list_feed_entries,
    list_log_lines,
    play_first_legal,
    play_until_turn_of,
    reload_player,
    start_game_asked_by_an_8,
    start_quick_game,
    start_seeded_game,
    sweep_games,
    write_log_row_by_row,
)

pytestmark = pytest.mark.django_db
NAMES = ("ada", "bob", "cleo")


def choose_policy(game: Game, name: str, answer: str, now: datetime = NOW) -> None:
    seat_settings.set_eight_policy(player=reload_player(name), code=game.code, policy=answer, now=now)
    game.refresh_from_db()


def list_answers(game: Game) -> dict[str, tuple[str, str, timedelta]]:
    """Return the answer of each player, its action source, and its delay after the 8."""
    actions = Action.objects.filter(game=game, seq__gt=12).order_by("seq")
    return {NAMES[line.seat - 1]: (line.action, line.by, line.at - NOW) for line in actions}


def sweep_through(game: Game, until: datetime, step: timedelta = 5 * MINUTE) -> None:
    """Sweep again and again, as the worker does."""
    now = NOW
    while now <= until:
        sweep_games(now)
        now += step
    game.refresh_from_db()


# --------------------------------------------------------------------------------------- only a pass is legal


@pytest.mark.parametrize("line_by_line", [False, True])
def test_who_can_only_pass_is_passed_for_within_the_hour_as_if_they_did_it(
    line_by_line: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if line_by_line:
        write_log_row_by_row(monkeypatch)
    game = start_game_asked_by_an_8(vacation=False)
    sweep_through(game, NOW + HOUR)
    answers = list_answers(game)
    assert {name: answer[:2] for name, answer in answers.items()} == {
        "ada": ("pass", "player"),
        "cleo": ("pass", "player"),
    }
    assert all(timedelta() <= answer[2] <= HOUR for answer in answers.values())
    assert get_state(game).seats_to_act == (2,)
    assert get_deadline(game) == BEGUN + 9 * DAY
    play_first_legal(game, "8", NOW + DAY)
    assert game.status == "running"
    assert get_state(game).match_no == 2
    check_all_games_are_sound(game)


def test_with_a_short_clock_it_is_a_tenth_of_the_allowance() -> None:
    game = start_game_asked_by_an_8(time_control="custom", allowance=1200, bank=0)
    sweep_games(NOW + 2 * MINUTE)
    assert set(list_answers(game)) == {"ada", "cleo"}
    for name in ("ada", "cleo"):
        due = get_due_time(start_game_asked_by_an_8(time_control="custom", allowance=1200, bank=0), name)
        assert due
        assert NOW <= due <= NOW + 2 * MINUTE


def get_due_time(game: Game, name: str) -> datetime | None:
    loaded_game = load_game(game.code)
    assert loaded_game.state
    seat = get_seat_no(game, name)
    return clocks.compute_automatic_answer_time(
        loaded_game, loaded_game.state, seat, clocks.seat_clock_of(game, seat), NOW
    )


def test_the_moment_is_drawn_anew_for_each_8_and_each_seat_and_lies_anywhere_in_the_hour() -> None:
    """The delay is derived from the game key, so that it is reproducible but nobody can foresee it."""
    game = start_game_asked_by_an_8(vacation=False)
    assert get_due_time(game, "ada") == get_due_time(game, "ada")
    assert get_due_time(game, "bob") is None
    loaded_game = load_game(game.code)
    assert loaded_game.state
    shares = []
    for key in range(300):
        setup = replace(loaded_game.state.setup, key=key.to_bytes(32, "big"))
        draft = loaded_game.state.mutable_copy()
        draft.setup = setup
        world = draft.freeze()
        for seat in (1, 3):
            at = clocks.compute_automatic_answer_time(
                loaded_game, world, seat, clocks.seat_clock_of(game, seat), NOW
            )
            assert at
            shares.append((at - NOW) / HOUR)
    assert 0 <= min(shares) < 0.02
    assert 0.98 < max(shares) <= 1
    for tenth in range(10):
        assert 30 <= sum(tenth / 10 <= share < (tenth + 1) / 10 for share in shares) <= 95
    pairs = zip(shares[::2], shares[1::2], strict=True)
    assert sum(abs(first - other) < 0.1 for first, other in pairs) < 100  # neither delay predicts the other


def test_nobody_is_mailed_about_an_answer_that_needs_nobody() -> None:
    game = start_game_asked_by_an_8(vacation=False)
    by_name = {name: list_feed_entries(name, "turn")[-1] for name in NAMES}
    assert {line.data["seq"] for line in by_name.values()} == {12}
    assert {name: line.notify_at for name, line in by_name.items()} == {
        "ada": None,
        "bob": BEGUN,
        "cleo": None,
    }
    sweep_through(game, NOW + HOUR)
    while notices.fan_out_notices(now=NOW + HOUR):
        pass
    keys_by_name = {name: [sent.dedup_key for sent in reload_player(name).deliveries.all()] for name in NAMES}
    assert [name for name in NAMES if f"{game.code}:12" in keys_by_name[name]] == ["bob"]


def test_an_automatic_answer_is_no_sign_of_life_and_no_miss() -> None:
    game = start_game_asked_by_an_8(vacation=False)
    seat_clocks = game.seat_clocks
    seat_clocks["1"]["missed"] = 1
    Game.objects.filter(pk=game.pk).update(seat_clocks=seat_clocks)
    sweep_through(game, NOW + HOUR)
    assert set(list_answers(game)) == {"ada", "cleo"}
    assert get_seat_clock(game, "ada").missed_turns == 1
    assert get_seat_clock(game, "cleo").missed_turns == 0


def test_who_is_passed_for_may_still_be_faster() -> None:
    game = start_game_asked_by_an_8(vacation=False)
    play_first_legal(game, "pass", NOW + SECOND, name="cleo")
    sweep_through(game, NOW + HOUR)
    assert list_answers(game)["cleo"] == ("pass", "player", SECOND)
    check_all_games_are_sound(game)


def test_who_was_passed_for_and_passes_too_reads_that_it_is_not_their_turn() -> None:
    game = start_game_asked_by_an_8(vacation=False)
    sweep_through(game, NOW + HOUR)
    answer = Api("ada").play(game.code, "pass", 12)
    assert (answer.status_code, answer.json()["code"]) == (409, "not-your-turn")
    assert "time ran out" not in answer.json()["detail"]


# ----------------------------------------------------------------------------------------------- two worlds


def replace_hand(game: Game, seat: int, hand: tuple[str, ...]) -> None:
    """Give a seat another hand, which the other players cannot know."""
    draft = get_state(game).mutable_copy()
    hands = list(draft.hands)
    hands[seat] = hand
    draft.hands = tuple(hands)
    GameSecrets.objects.filter(game=game).update(state=engine.dump_state(draft.freeze()))
    game.refresh_from_db()
    seat_settings.set_eight_policy(
        player=reload_player("ada"), code=game.code, policy="ask", now=NOW
    )  # the clocks are recomputed


def collect_views(game: Game, apis: list[Api]) -> list[Any]:
    """Return game view, log and list for some viewers, without the game code and the fairness data."""
    responses: list[Any] = []
    for api in apis:
        view = api.get(f"games/{game.code}/").json()
        for secret in ("id", "fairness"):
            del view[secret]
        log = api.get(f"games/{game.code}/log/").json()["results"]
        listed = next(row for row in api.get("games/").json()["results"] if row["id"] == game.code)
        del listed["id"]
        responses.append([view, [{**row, "hash": ""} for row in log], listed])
    return responses


def test_neither_time_nor_log_tells_who_holds_the_card() -> None:
    """Two worlds differ in bob's hand alone; until he answers, the others see no difference at any moment."""
    other_apis = [Api("ada"), Api("cleo"), Api(None)]
    first, other = start_game_asked_by_an_8(vacation=False), start_game_asked_by_an_8(vacation=False)
    replace_hand(first, 2, ("OO",))
    replace_hand(other, 2, ("ME",))
    assert get_due_time(first, "bob") is None
    end = get_due_time(other, "bob")
    assert end
    now = NOW
    while now < end:
        sweep_games(now)
        assert collect_views(first, other_apis) == collect_views(other, other_apis)
        now += 4 * MINUTE
    sweep_games(end)
    assert list_answers(other)["bob"][:2] == ("pass", "player")
    play_first_legal(first, "pass", end, name="bob")  # a pass by hand looks like one by the worker
    assert collect_views(first, other_apis) == collect_views(other, other_apis)


# --------------------------------------------------------------------------------- answers chosen in advance


@pytest.mark.parametrize(("answer", "action"), [("use", "8"), ("keep", "pass")])
def test_what_was_decided_in_advance_is_answered_within_the_hour(answer: str, action: str) -> None:
    game = start_decided_game(bob=answer)
    (line,) = [line for line in list_feed_entries("bob", "turn") if line.data["seq"] == 12]
    assert line.notify_at is None
    sweep_through(game, NOW + HOUR)
    assert list_answers(game)["bob"][:2] == (action, "player")
    assert timedelta() <= list_answers(game)["bob"][2] <= HOUR
    assert get_state(game).match_no == 2
    check_all_games_are_sound(game)


def start_decided_game(**answers: str) -> Game:
    """Start the game of the 8, with policies chosen before the 8 is made."""
    game = start_seeded_game(AN_8_SEED, *NAMES, vacation=False)
    for name, answer in answers.items():
        choose_policy(game, name, answer)
    for action in AN_8.split():
        play_first_legal(game, action)
    assert get_state(game).seats_to_answer == (1, 2, 3)
    return game


@pytest.mark.parametrize(("answer", "action"), [("use", "8"), ("keep", "pass")])
def test_it_can_be_decided_while_the_question_is_open(answer: str, action: str) -> None:
    game = start_game_asked_by_an_8(vacation=False)
    sweep_through(game, NOW + 2 * HOUR, 10 * MINUTE)
    assert "bob" not in list_answers(game)
    choose_policy(game, "bob", answer, NOW + 2 * HOUR)
    sweep_games(NOW + 2 * HOUR)
    assert list_answers(game)["bob"][:2] == (action, "player")
    check_all_games_are_sound(game)


def test_one_can_change_ones_mind_while_the_question_is_open() -> None:
    game = start_decided_game(bob="keep")
    choose_policy(game, "bob", "ask")
    sweep_through(game, NOW + HOUR)
    assert set(list_answers(game)) == {"ada", "cleo"}
    assert get_deadline(game) == BEGUN + 9 * DAY


def test_the_card_of_any_kind_protects_where_the_other_is_missing() -> None:
    game = start_game_asked_by_an_8(vacation=False)
    replace_hand(game, 2, ("CV", "ME"))
    choose_policy(game, "bob", "use")
    sweep_through(game, NOW + HOUR)
    assert list_answers(game)["bob"][0] == "CV=8"


def test_who_decided_to_use_a_card_and_holds_none_passes() -> None:
    game = start_decided_game(ada="use")
    sweep_through(game, NOW + HOUR)
    assert list_answers(game)["ada"][:2] == ("pass", "player")


@pytest.mark.parametrize("answer", ["use", "keep"])
def test_who_decided_in_advance_still_plays_their_own_turns_and_hears_of_them(answer: str) -> None:
    """The policy for an 8 has no effect on any other decision."""
    game = start_quick_game("ada", "bob")
    for name in ("ada", "bob"):
        choose_policy(game, name, answer)
    for _ in range(2):
        for name in ("ada", "bob"):
            play_until_turn_of(game, name)
            line = list_feed_entries(name, "turn")[-1]
            assert line.data["seq"] == game.seq
            assert game.seq == 0 or line.notify_at == BEGUN
            play_first_legal(game, "draw")
    assert game.next_sweep_at == game.deadline
    assert {by for _, _, by in list_log_lines(game)} == {"player"}


def test_what_was_decided_is_in_nobody_elses_view() -> None:
    game = start_game_asked_by_an_8(vacation=False)
    apis = {name: Api(name) for name in (*NAMES, None)}
    doors = ("", "log/", "record/", "board.txt")

    def collect_responses(name: str | None) -> list[bytes]:
        return [apis[name].get(f"games/{game.code}/{part}").content for part in doors] + [
            apis[name].get("games/").content,
            apis[name].get("events/").content,
        ]

    before = {name: collect_responses(name) for name in apis}
    choose_policy(game, "bob", "keep")
    after = {name: collect_responses(name) for name in apis}
    assert [name for name in apis if before[name] != after[name]] == ["bob"]
    view = apis["bob"].get(f"games/{game.code}/").json()
    assert view["you"]["eight_policy"] == "keep"
    assert apis["ada"].get(f"games/{game.code}/").json()["you"]["eight_policy"] == "ask"
    assert "you" not in apis[None].get(f"games/{game.code}/").json()


def test_a_bot_that_is_asked_answers_by_itself() -> None:
    game = start_game_asked_by_an_8(vacation=False)
    Seat.objects.filter(game=game, seat_no=1).update(player=None, bot_policy="random")
    deadline_at = get_due_time(game, "cleo")
    assert deadline_at
    stored = load_game(game.code)
    assert stored.state
    assert clocks.find_automatic_answer(stored.state, stored.seat_by_no(1)) is None


# ------------------------------------------------------------------------------------ clocks of several seats


def test_each_of_those_who_are_asked_has_a_clock_of_their_own() -> None:
    Player.objects.filter(pk=player("cleo").pk).update(quiet_from=time(11), quiet_until=time(14))
    game = start_game_asked_by_an_8(time_control="2d", vacation=False)
    assert {name: get_seat_clock(game, name).runs_from for name in NAMES} == {
        "ada": BEGUN,
        "bob": BEGUN,
        "cleo": NOW + 2 * HOUR,
    }
    assert {get_seat_clock(game, name).turn_seq for name in NAMES} == {12}
    deadlines = {
        seat["name"]: seat["deadline"] for seat in Api(None).get(f"games/{game.code}/").json()["seats"]
    }
    assert deadlines == {
        "ada": "2026-03-10T12:01:00Z",
        "bob": "2026-03-10T12:01:00Z",
        "cleo": "2026-03-10T14:00:00Z",
    }
    play_first_legal(game, "pass", NOW + 3 * DAY, name="bob")
    assert (
        get_seat_clock(game, "bob").bank == 6 * DAY + MINUTE
    )  # one day over the two-day allowance; the turn began a minute late
    assert not get_seat_clock(game, "bob").is_on_turn
    assert get_seat_clock(game, "ada") == replace(
        get_seat_clock(game, "ada"), runs_from=BEGUN, allowance_left=2 * DAY, bank=7 * DAY
    )
    assert get_deadline(game) == BEGUN + 9 * DAY


def test_who_does_not_answer_in_time_passes_by_the_clock() -> None:
    game = start_game_asked_by_an_8(vacation=False)
    sweep_through(game, NOW + HOUR)
    assert sweep_games(get_deadline(game)) == {"autoplay": 1}
    assert list_log_lines(game)[-1] == (2, "pass", "clock")
    assert get_seat_clock(game, "bob").missed_turns == 1
    assert get_state(game).match_no == 2
    (line,) = list_feed_entries("bob", "timeout")
    assert line.data["actions"] == ["pass"]
    assert get_name_to_act(game)
    check_all_games_are_sound(game)


def test_of_several_who_do_not_answer_each_passes_at_their_own_deadline() -> None:
    Player.objects.filter(pk=player("bob").pk).update(quiet_from=time(11), quiet_until=time(14))
    game = start_game_asked_by_an_8(vacation=False)
    replace_hand(game, 1, ("OO",))
    sweep_through(game, NOW + HOUR)
    assert set(list_answers(game)) == {"cleo"}
    assert sweep_games(BEGUN + 9 * DAY) == {"autoplay": 1}
    assert list_answers(game)["ada"][:2] == ("pass", "clock")
    assert get_deadline(game) == NOW + 2 * HOUR + 9 * DAY
    assert sweep_games(get_deadline(game)) == {"autoplay": 1}
    assert list_answers(game)["bob"][:2] == ("pass", "clock")


def test_all_who_are_late_at_the_same_instant_are_played_for_in_one_sweep() -> None:
    game = start_game_asked_by_an_8(vacation=False)
    assert sweep_games(BEGUN + 9 * DAY) == {"answered": 2, "autoplay": 1}
    assert {seat: by for seat, _, by in list_log_lines(game, 12)} == {1: "player", 2: "clock", 3: "player"}
    assert FeedEntry.objects.filter(kind="timeout").count() == 3
    check_all_games_are_sound(game)


# -------------------------------------------------------------------------------------------------- refusals


def test_only_who_sits_there_decides_and_only_what_there_is() -> None:
    game = start_quick_game("ada", "bob")
    with pytest.raises(Invalid):
        choose_policy(game, "ada", "maybe")
    with pytest.raises(Denied):
        seat_settings.set_eight_policy(player=player("cleo"), code=game.code, policy="use", now=NOW)
    with pytest.raises(NotFound):
        seat_settings.set_eight_policy(player=player("ada"), code="nonsense", policy="use", now=NOW)
    answer = Api("ada").post(f"games/{game.code}/eight/", {"eight_policy": "maybe"})
    assert answer.status_code == 400
    assert Api("ada").post(f"games/{game.code}/eight/", {"eight_policy": "use"}).json() == {
        "eight_policy": "use"
    }
    assert Seat.objects.get(game=game, seat_no=get_seat_no(game, "ada")).eight_policy == "use"


def test_a_game_that_waits_for_players_takes_the_decision_too() -> None:
    game = lobby.create_game(player=player("ada"), now=NOW, seat_count=2)
    lobby.join_game(player=player("ada"), code=game.code, now=NOW)
    choose_policy(game, "ada", "keep")
    lobby.join_game(player=player("bob"), code=game.code, now=NOW)
    assert Seat.objects.get(game=game, player=player("ada")).eight_policy == "keep"
    assert not sweep.sweep_games(now=NOW)
