"""An answer to an 8 that needs nobody: the only one there is, or one that was decided in advance.

The seed of these games leads to an 8 of cleo's by which all three are asked. Bob holds the card that protects
his points; ada and cleo hold another one, and can only pass.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, time, timedelta
from typing import Any

import pytest

from games import engine
from games.models import Action, FeedEntry, Game, GameSecrets, Player, Seat
from games.selectors import load_game
from games.services import clocks, lobby, notices, seat_settings, sweep
from games.services.errors import Denied, Invalid, NotFound

from .cast import NOW, Api, player
from .timing import (
    AN_8,
    AN_8_SEED,
    BEGUN,
    DAY,
    HOUR,
    MINUTE,
    SECOND,
    act,
    as_on_sqlite,
    asked_by_an_8,
    deadline,
    feed_of,
    lines,
    mover,
    person,
    quick,
    seat_of,
    seeded,
    state,
    swept,
    turn_of,
    watch,
    well,
)

pytestmark = pytest.mark.django_db
NAMES = ("ada", "bob", "cleo")


def decide(game: Game, name: str, answer: str, now: datetime = NOW) -> None:
    seat_settings.set_eight_policy(player=person(name), code=game.code, policy=answer, now=now)
    game.refresh_from_db()


def answered(game: Game) -> dict[str, tuple[str, str, timedelta]]:
    """Who has answered: what, by whom, and how long after the 8."""
    found = Action.objects.filter(game=game, seq__gt=12).order_by("seq")
    return {NAMES[line.seat - 1]: (line.action, line.by, line.at - NOW) for line in found}


def sweep_through(game: Game, until: datetime, step: timedelta = 5 * MINUTE) -> None:
    """As the worker does it, again and again."""
    now = NOW
    while now <= until:
        swept(now)
        now += step
    game.refresh_from_db()


# ------------------------------------------------------------------------------------------- nothing but pass


@pytest.mark.parametrize("line_by_line", [False, True])
def test_who_can_only_pass_is_passed_for_within_the_hour_as_if_they_did_it(
    line_by_line: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if line_by_line:
        as_on_sqlite(monkeypatch)
    game = asked_by_an_8(vacation=False)
    sweep_through(game, NOW + HOUR)
    found = answered(game)
    assert {name: facts[:2] for name, facts in found.items()} == {
        "ada": ("pass", "player"),
        "cleo": ("pass", "player"),
    }
    assert all(timedelta() <= facts[2] <= HOUR for facts in found.values())
    assert state(game).seats_to_act == (2,)
    assert deadline(game) == BEGUN + 9 * DAY
    act(game, "8", NOW + DAY)
    assert game.status == "running"
    assert state(game).match_no == 2
    well(game)


def test_with_a_short_clock_it_is_a_tenth_of_the_allowance() -> None:
    game = asked_by_an_8(clock_name="custom", allowance=1200, bank=0)
    swept(NOW + 2 * MINUTE)
    assert set(answered(game)) == {"ada", "cleo"}
    for name in ("ada", "cleo"):
        due = due_of(asked_by_an_8(clock_name="custom", allowance=1200, bank=0), name)
        assert due
        assert NOW <= due <= NOW + 2 * MINUTE


def due_of(game: Game, name: str) -> datetime | None:
    found = load_game(game.code)
    assert found.state
    seat = seat_of(game, name)
    return clocks.compute_automatic_answer_time(
        found, found.state, seat, clocks.seat_clock_of(game, seat), NOW
    )


def test_the_moment_is_drawn_anew_for_each_8_and_each_seat_and_lies_anywhere_in_the_hour() -> None:
    """From the game's key: the same for whoever asks again, and nobody can foresee it."""
    game = asked_by_an_8(vacation=False)
    assert due_of(game, "ada") == due_of(game, "ada")
    assert due_of(game, "bob") is None
    found = load_game(game.code)
    assert found.state
    shares = []
    for key in range(300):
        setup = replace(found.state.setup, key=key.to_bytes(32, "big"))
        draft = found.state.mutable_copy()
        draft.setup = setup
        world = draft.freeze()
        for seat in (1, 3):
            at = clocks.compute_automatic_answer_time(
                found, world, seat, clocks.seat_clock_of(game, seat), NOW
            )
            assert at
            shares.append((at - NOW) / HOUR)
    assert 0 <= min(shares) < 0.02
    assert 0.98 < max(shares) <= 1
    for tenth in range(10):
        assert 30 <= sum(tenth / 10 <= share < (tenth + 1) / 10 for share in shares) <= 95
    pairs = zip(shares[::2], shares[1::2], strict=True)
    assert sum(abs(one - other) < 0.1 for one, other in pairs) < 100  # neither tells the other


def test_nobody_is_mailed_about_an_answer_that_needs_nobody() -> None:
    game = asked_by_an_8(vacation=False)
    by_name = {name: feed_of(name, "turn")[-1] for name in NAMES}
    assert {line.data["seq"] for line in by_name.values()} == {12}
    assert {name: line.due_at for name, line in by_name.items()} == {"ada": None, "bob": BEGUN, "cleo": None}
    sweep_through(game, NOW + HOUR)
    while notices.fan_out_notices(now=NOW + HOUR):
        pass
    mailed = {name: [sent.reason for sent in person(name).deliveries.all()] for name in NAMES}
    assert [name for name in NAMES if f"{game.code}:12" in mailed[name]] == ["bob"]


def test_an_automatic_answer_is_no_sign_of_life_and_no_miss() -> None:
    game = asked_by_an_8(vacation=False)
    facts = game.clocks
    facts["1"]["missed"] = 1
    Game.objects.filter(pk=game.pk).update(clocks=facts)
    sweep_through(game, NOW + HOUR)
    assert set(answered(game)) == {"ada", "cleo"}
    assert watch(game, "ada").missed_turns == 1
    assert watch(game, "cleo").missed_turns == 0


def test_who_is_passed_for_may_still_be_faster() -> None:
    game = asked_by_an_8(vacation=False)
    act(game, "pass", NOW + SECOND, name="cleo")
    sweep_through(game, NOW + HOUR)
    assert answered(game)["cleo"] == ("pass", "player", SECOND)
    well(game)


def test_who_was_passed_for_and_passes_too_is_told_that_it_is_not_their_turn() -> None:
    game = asked_by_an_8(vacation=False)
    sweep_through(game, NOW + HOUR)
    answer = Api("ada").play(game.code, "pass", 12)
    assert (answer.status_code, answer.json()["code"]) == (409, "not-your-turn")
    assert "time ran out" not in answer.json()["detail"]


# ----------------------------------------------------------------------------------------------- two worlds


def other_hand(game: Game, seat: int, hand: tuple[str, ...]) -> None:
    """The same game where a seat holds something else, which the others cannot know."""
    draft = state(game).mutable_copy()
    hands = list(draft.hands)
    hands[seat] = hand
    draft.hands = tuple(hands)
    GameSecrets.objects.filter(game=game).update(state=engine.dump_state(draft.freeze()))
    game.refresh_from_db()
    seat_settings.set_eight_policy(
        player=person("ada"), code=game.code, policy="ask", now=NOW
    )  # clocks are set anew


def seen_by(game: Game, apis: list[Api]) -> list[Any]:
    """Views, log and list of some viewers, without the game's name and fairness."""
    seen: list[Any] = []
    for api in apis:
        view = api.get(f"games/{game.code}/").json()
        for secret in ("id", "fairness"):
            del view[secret]
        log = api.get(f"games/{game.code}/log/").json()["results"]
        listed = next(row for row in api.get("games/").json()["results"] if row["id"] == game.code)
        del listed["id"]
        seen.append([view, [{**row, "hash": ""} for row in log], listed])
    return seen


def test_neither_time_nor_log_tells_who_holds_the_card() -> None:
    """Two worlds differ in bob's hand alone; until he answers, the others see the same at every moment."""
    others = [Api("ada"), Api("cleo"), Api(None)]
    one, other = asked_by_an_8(vacation=False), asked_by_an_8(vacation=False)
    other_hand(one, 2, ("OO",))
    other_hand(other, 2, ("ME",))
    assert due_of(one, "bob") is None
    end = due_of(other, "bob")
    assert end
    now = NOW
    while now < end:
        swept(now)
        assert seen_by(one, others) == seen_by(other, others)
        now += 4 * MINUTE
    swept(end)
    assert answered(other)["bob"][:2] == ("pass", "player")
    act(one, "pass", end, name="bob")  # and a pass by hand looks like one of the worker's
    assert seen_by(one, others) == seen_by(other, others)


# ------------------------------------------------------------------------------------------------ in advance


@pytest.mark.parametrize(("answer", "action"), [("use", "8"), ("keep", "pass")])
def test_what_was_decided_in_advance_is_answered_within_the_hour(answer: str, action: str) -> None:
    game = seeded_with(bob=answer)
    (line,) = [line for line in feed_of("bob", "turn") if line.data["seq"] == 12]
    assert line.due_at is None
    sweep_through(game, NOW + HOUR)
    assert answered(game)["bob"][:2] == (action, "player")
    assert timedelta() <= answered(game)["bob"][2] <= HOUR
    assert state(game).match_no == 2
    well(game)


def seeded_with(**answers: str) -> Game:
    """The game of the 8, where somebody decided before it was made."""
    game = seeded(AN_8_SEED, *NAMES, vacation=False)
    for name, answer in answers.items():
        decide(game, name, answer)
    for action in AN_8.split():
        act(game, action)
    assert state(game).seats_to_answer == (1, 2, 3)
    return game


@pytest.mark.parametrize(("answer", "action"), [("use", "8"), ("keep", "pass")])
def test_it_can_be_decided_while_the_question_is_open(answer: str, action: str) -> None:
    game = asked_by_an_8(vacation=False)
    sweep_through(game, NOW + 2 * HOUR, 10 * MINUTE)
    assert "bob" not in answered(game)
    decide(game, "bob", answer, NOW + 2 * HOUR)
    swept(NOW + 2 * HOUR)
    assert answered(game)["bob"][:2] == (action, "player")
    well(game)


def test_one_can_change_ones_mind_while_the_question_is_open() -> None:
    game = seeded_with(bob="keep")
    decide(game, "bob", "ask")
    sweep_through(game, NOW + HOUR)
    assert set(answered(game)) == {"ada", "cleo"}
    assert deadline(game) == BEGUN + 9 * DAY


def test_the_card_of_any_kind_protects_where_the_other_is_missing() -> None:
    game = asked_by_an_8(vacation=False)
    other_hand(game, 2, ("CV", "ME"))
    decide(game, "bob", "use")
    sweep_through(game, NOW + HOUR)
    assert answered(game)["bob"][0] == "CV=8"


def test_who_decided_to_use_a_card_and_holds_none_passes() -> None:
    game = seeded_with(ada="use")
    sweep_through(game, NOW + HOUR)
    assert answered(game)["ada"][:2] == ("pass", "player")


@pytest.mark.parametrize("answer", ["use", "keep"])
def test_who_decided_in_advance_still_plays_their_own_turns_and_hears_of_them(answer: str) -> None:
    """What is decided about an 8 says nothing about any other decision."""
    game = quick("ada", "bob")
    for name in ("ada", "bob"):
        decide(game, name, answer)
    for _ in range(2):
        for name in ("ada", "bob"):
            turn_of(game, name)
            line = feed_of(name, "turn")[-1]
            assert line.data["seq"] == game.seq
            assert game.seq == 0 or line.due_at == BEGUN
            act(game, "draw")
    assert game.due_at == game.deadline
    assert {by for _, _, by in lines(game)} == {"player"}


def test_what_was_decided_is_in_nobody_elses_view() -> None:
    game = asked_by_an_8(vacation=False)
    apis = {name: Api(name) for name in (*NAMES, None)}
    doors = ("", "log/", "record/", "board.txt")

    def seen(name: str | None) -> list[bytes]:
        return [apis[name].get(f"games/{game.code}/{door}").content for door in doors] + [
            apis[name].get("games/").content,
            apis[name].get("events/").content,
        ]

    before = {name: seen(name) for name in apis}
    decide(game, "bob", "keep")
    after = {name: seen(name) for name in apis}
    assert [name for name in apis if before[name] != after[name]] == ["bob"]
    view = apis["bob"].get(f"games/{game.code}/").json()
    assert view["you"]["eight"] == "keep"
    assert apis["ada"].get(f"games/{game.code}/").json()["you"]["eight"] == "ask"
    assert "you" not in apis[None].get(f"games/{game.code}/").json()


def test_a_bot_that_is_asked_answers_by_itself() -> None:
    game = asked_by_an_8(vacation=False)
    Seat.objects.filter(game=game, number=1).update(player=None, bot="random")
    found = due_of(game, "cleo")
    assert found
    stored = load_game(game.code)
    assert stored.state
    assert clocks.find_automatic_answer(stored.state, stored.seat_by_no(1)) is None


# ------------------------------------------------------------------------------------------ clocks of several


def test_each_of_those_who_are_asked_has_a_clock_of_their_own() -> None:
    Player.objects.filter(pk=player("cleo").pk).update(quiet_from=time(11), quiet_until=time(14))
    game = asked_by_an_8(clock_name="2d", vacation=False)
    assert {name: watch(game, name).runs_from for name in NAMES} == {
        "ada": BEGUN,
        "bob": BEGUN,
        "cleo": NOW + 2 * HOUR,
    }
    assert {watch(game, name).turn_seq for name in NAMES} == {12}
    shown = {seat["name"]: seat["deadline"] for seat in Api(None).get(f"games/{game.code}/").json()["seats"]}
    assert shown == {
        "ada": "2026-03-10T12:01:00Z",
        "bob": "2026-03-10T12:01:00Z",
        "cleo": "2026-03-10T14:00:00Z",
    }
    act(game, "pass", NOW + 3 * DAY, name="bob")
    assert watch(game, "bob").bank == 6 * DAY + MINUTE  # a day beyond its two, which began a minute late
    assert not watch(game, "bob").is_on_turn
    assert watch(game, "ada") == replace(
        watch(game, "ada"), runs_from=BEGUN, allowance_left=2 * DAY, bank=7 * DAY
    )
    assert deadline(game) == BEGUN + 9 * DAY


def test_who_does_not_answer_in_time_passes_by_the_clock() -> None:
    game = asked_by_an_8(vacation=False)
    sweep_through(game, NOW + HOUR)
    assert swept(deadline(game)) == {"autoplay": 1}
    assert lines(game)[-1] == (2, "pass", "clock")
    assert watch(game, "bob").missed_turns == 1
    assert state(game).match_no == 2
    (line,) = feed_of("bob", "timeout")
    assert line.data["actions"] == ["pass"]
    assert mover(game)
    well(game)


def test_of_several_who_do_not_answer_each_passes_at_their_own_deadline() -> None:
    Player.objects.filter(pk=player("bob").pk).update(quiet_from=time(11), quiet_until=time(14))
    game = asked_by_an_8(vacation=False)
    other_hand(game, 1, ("OO",))
    sweep_through(game, NOW + HOUR)
    assert set(answered(game)) == {"cleo"}
    assert swept(BEGUN + 9 * DAY) == {"autoplay": 1}
    assert answered(game)["ada"][:2] == ("pass", "clock")
    assert deadline(game) == NOW + 2 * HOUR + 9 * DAY
    assert swept(deadline(game)) == {"autoplay": 1}
    assert answered(game)["bob"][:2] == ("pass", "clock")


def test_all_who_are_late_at_the_same_instant_are_played_for_in_one_sweep() -> None:
    game = asked_by_an_8(vacation=False)
    assert swept(BEGUN + 9 * DAY) == {"answered": 2, "autoplay": 1}
    assert {seat: by for seat, _, by in lines(game, 12)} == {1: "player", 2: "clock", 3: "player"}
    assert FeedEntry.objects.filter(kind="timeout").count() == 3
    well(game)


# ------------------------------------------------------------------------------------------- what is refused


def test_only_who_sits_there_decides_and_only_what_there_is() -> None:
    game = quick("ada", "bob")
    with pytest.raises(Invalid):
        decide(game, "ada", "maybe")
    with pytest.raises(Denied):
        seat_settings.set_eight_policy(player=player("cleo"), code=game.code, policy="use", now=NOW)
    with pytest.raises(NotFound):
        seat_settings.set_eight_policy(player=player("ada"), code="nonsense", policy="use", now=NOW)
    answer = Api("ada").post(f"games/{game.code}/eight/", {"eight": "maybe"})
    assert answer.status_code == 400
    assert Api("ada").post(f"games/{game.code}/eight/", {"eight": "use"}).json() == {"eight": "use"}
    assert Seat.objects.get(game=game, number=seat_of(game, "ada")).eight == "use"


def test_a_game_that_waits_for_players_takes_the_decision_too() -> None:
    game = lobby.create_game(player=player("ada"), now=NOW, seats=2)
    lobby.join_game(player=player("ada"), code=game.code, now=NOW)
    decide(game, "ada", "keep")
    lobby.join_game(player=player("bob"), code=game.code, now=NOW)
    assert Seat.objects.get(game=game, player=player("ada")).eight == "keep"
    assert not sweep.sweep_games(now=NOW)
