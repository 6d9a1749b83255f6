"""Playing over REST: whole games, refusals, repeated requests."""

from __future__ import annotations

import json
import random
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import Player
from games.engine import record
from games.models import Action, Game, GameSecrets
from notifications.models import FeedEntry
from tests.factories.cast import Api, player, start_cast_game
from tests.helpers.api_games import map_apis_by_seat, play_on

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("names", "terms"),
    [
        (("ada", "bob"), {}),
        (("ada", "bob", "cleo"), {"edition": "bannan-nl", "seat_order": "shuffled"}),
        (("ada", "bob", "cleo", "dirk"), {"mode": "pairs", "target": 8}),
        (("ada",), {"mode": "solo"}),
    ],
)
def test_a_whole_game_is_played_and_its_record_verifies(
    names: tuple[str, ...], terms: dict[str, object]
) -> None:
    game = start_cast_game(*names, **terms)
    seats = map_apis_by_seat(game.code, *map(Api, names))
    assert sorted(seats) == list(range(1, len(names) + 1))
    unfinished = Api(None).get(f"games/{game.code}/record/").json()
    assert unfinished["fairness"]["server_seed"] is None
    assert unfinished["result"] is None
    end = play_on(game.code, seats, random.Random(str(names)))
    assert end["status"] == "over"
    assert end["deadline"] is None
    saved = Api(None).get(f"games/{game.code}/record/").json()
    verdict = record.verify_record(saved)
    assert verdict.is_ok, verdict.text
    assert [row["by"] for row in saved["actions"]] == ["player"] * len(saved["actions"])


def test_an_action_answers_201_with_the_new_view_and_writes_one_line() -> None:
    game = start_cast_game("ada", "bob")
    ada, bob = Api("ada"), Api("bob")
    seats = map_apis_by_seat(game.code, ada, bob)
    data = ada.get(f"games/{game.code}/").json()
    api = seats[data["to_act"][0]]
    assert api.get(f"games/{game.code}/actions/legal/").json()[0] == "draw"
    answer = api.play(game.code, " DRAW ", 0)
    assert answer.status_code == 201
    after = answer.json()
    assert (after["seq"], after["phase"]) == (1, "place")
    assert after == api.get(f"games/{game.code}/").json()
    line = Action.objects.get(game=game)
    assert (line.seq, line.action, line.by) == (1, "draw", "player")
    assert {event.kind for event in FeedEntry.objects.filter(dedup_key=f"{game.code}:1")} == {"turn", "moved"}


def test_who_has_moved_is_notified_like_everybody_else() -> None:
    game = start_cast_game("ada", "bob", cards=False)
    data = Api("ada").get(f"games/{game.code}/").json()
    mover = ("ada", "bob")[data["to_act"][0] - 1]
    action = Api(mover).get(f"games/{game.code}/actions/legal/").json()[0]
    answer = Api(mover).play(game.code, action, 0)
    assert answer.status_code == 201
    next_one = ("ada", "bob")[answer.json()["to_act"][0] - 1]  # after a dark tile the mover is on turn again
    entries_by_name = {
        event.player.name: event for event in FeedEntry.objects.filter(dedup_key=f"{game.code}:1")
    }
    assert {name: event.kind for name, event in entries_by_name.items()} == {
        "ada": "moved",
        "bob": "moved",
    } | {next_one: "turn"}
    assert entries_by_name["ada"].data == entries_by_name["bob"].data


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"action": "draw", "seq": 1}, 409, "stale"),
        ({"action": "draw", "seq": 99}, 409, "stale"),
        ({"action": "b3 90", "seq": 1}, 409, "stale"),  # valid only in the state that the client saw
        ({"action": "hello", "seq": 99}, 409, "stale"),
        ({"action": "b3 90", "seq": 0}, 422, "illegal"),
        ({"action": "draw", "seq": -1}, 400, "invalid"),
        ({"action": "draw", "seq": "0"}, 400, "invalid"),
        ({"action": "draw", "seq": 0.5}, 400, "invalid"),
        ({"action": "draw", "seq": True}, 400, "invalid"),
        ({"action": "draw", "seq": 10**30}, 400, "invalid"),
        ({"action": "draw"}, 400, "invalid"),
        ({"seq": 0}, 400, "invalid"),
        ({"action": 5, "seq": 0}, 400, "invalid"),
        ({"action": None, "seq": 0}, 400, "invalid"),
        ({"action": ["draw"], "seq": 0}, 400, "invalid"),
        ({"action": "", "seq": 0}, 400, "invalid"),
        ({"action": "x" * 201, "seq": 0}, 400, "invalid"),
        ({"action": "dr\x00aw", "seq": 0}, 400, "invalid"),
        ({"action": "🙂", "seq": 0}, 422, "illegal"),
        ({"action": "\ud800", "seq": 0}, 400, "invalid"),
        ({"action": "hello", "seq": 0}, 422, "illegal"),
        ({"action": "A-a1-0", "seq": 0}, 422, "illegal"),
        ({"action": "pass", "seq": 0}, 422, "illegal"),
        ([], 400, "invalid"),
        ("draw", 400, "invalid"),
        (None, 400, "invalid"),
        (b"{", 400, "malformed"),
        (b"\xff", 400, "malformed"),
        (b"[" * 100_000, 400, "malformed"),
        (b'{"action": "' + b"x" * 10_000_000 + b'", "seq": 0}', 413, "too-large"),
    ],
)
def test_bad_input_is_refused_and_changes_nothing(body: object, status: int, code: str) -> None:
    game = start_cast_game("ada", "bob")
    data = Api("ada").get(f"games/{game.code}/").json()
    mover = Api(("ada", "bob")[data["to_act"][0] - 1])
    before = GameSecrets.objects.values_list("state", flat=True).get(game=game)
    answer = mover.post(f"games/{game.code}/actions/", body if body is not None else "null")
    assert (answer.status_code, answer.json()["code"]) == (status, code), answer.content
    assert answer["Content-Type"] == "application/problem+json"
    assert answer.json()["detail"]
    assert not Action.objects.exists()
    assert GameSecrets.objects.values_list("state", flat=True).get(game=game) == before


def test_another_seats_turn_a_stranger_and_nobody_are_refused() -> None:
    game = start_cast_game("ada", "bob")
    data = Api("ada").get(f"games/{game.code}/").json()
    idle = Api(("bob", "ada")[data["to_act"][0] - 1])
    assert idle.play(game.code, "draw", 0).json()["code"] == "not-your-turn"
    assert idle.play(game.code, "draw", 0).status_code == 409
    early = idle.play(game.code, "b3 90", 0)  # without a tile name, valid only on one's own turn
    assert (early.status_code, early.json()["code"]) == (409, "not-your-turn")
    assert idle.play(game.code, "b3 90", 1).json()["code"] == "stale"
    assert Api("cleo").play(game.code, "draw", 0).status_code == 403
    assert Api(None).play(game.code, "draw", 0).status_code == 401
    assert Api("ada", scopes=("read",)).play(game.code, "draw", 0).json()["scope"] == "play"
    assert Api("ada").play("nosuchgame", "draw", 0).status_code == 404


def test_a_refusal_names_the_rule_and_what_would_be_legal() -> None:
    game = start_cast_game("ada", "bob", cards=False)
    seats = map_apis_by_seat(game.code, Api("ada"), Api("bob"))
    rng = random.Random("rule")
    while True:
        data = Api(None).get(f"games/{game.code}/").json()
        mover = seats[data["to_act"][0]]
        legal = mover.get(f"games/{game.code}/actions/legal/").json()
        free = {f"{c}{r}" for c in "abcde" for r in range(1, 6)} - set(data["board"]["cells"])
        tile = legal[0][0]
        refused = mover.play(game.code, f"{tile}-c3-0", data["seq"])
        assert (refused.json()["code"], refused.json()["rule"]) == ("illegal", "cell-taken")
        duty = next((f"{tile}-{cell}-0" for cell in sorted(free) if f"{tile}-{cell}-0" not in legal), None)
        if duty:
            refused = mover.play(game.code, duty, data["seq"])
            assert refused.status_code == 422
            if refused.json()["rule"] == "must-close":
                assert set(refused.json()["instead"]) == set(legal)
                break
        assert mover.play(game.code, rng.choice(legal), data["seq"]).status_code == 201


def test_the_same_request_with_the_same_key_is_played_once_and_answered_alike() -> None:
    game = start_cast_game("ada", "bob")
    seats = map_apis_by_seat(game.code, Api("ada"), Api("bob"))
    rng = random.Random("key")
    data = Api(None).get(f"games/{game.code}/").json()
    mover = seats[data["to_act"][0]]
    first = mover.play(game.code, "draw", 0, Idempotency_Key="k1")
    assert first.status_code == 201
    assert mover.play(game.code, "draw", 0, Idempotency_Key="k1").content == first.content
    play_on(game.code, seats, rng, most=20)
    later = mover.play(game.code, "draw", 0, Idempotency_Key="k1")
    assert (later.status_code, later.content) == (201, first.content)
    assert Action.objects.filter(game=game, seq=1).count() == 1
    reused = mover.play(game.code, "TT", 0, Idempotency_Key="k1")
    assert (reused.status_code, reused.json()["code"]) == (409, "idempotency-key-reused")
    play_on(game.code, seats, rng)
    last = mover.play(game.code, "draw", 0, Idempotency_Key="k1")
    assert (last.status_code, last.content) == (201, first.content)


def test_a_key_used_for_a_fresh_request_again_is_refused_and_plays_nothing() -> None:
    game = start_cast_game("ada", mode="solo")
    ada = Api("ada")
    legal = ada.get(f"games/{game.code}/actions/legal/").json()
    assert ada.play(game.code, legal[0], 0, Idempotency_Key="k").status_code == 201
    legal = ada.get(f"games/{game.code}/actions/legal/").json()
    second_response = ada.play(game.code, legal[0], 1, Idempotency_Key="k")
    assert (second_response.status_code, second_response.json()["code"]) == (409, "idempotency-key-reused")
    assert Action.objects.filter(game=game).count() == 1
    long = ada.play(game.code, legal[0], 1, Idempotency_Key="k" * 101)
    assert long.status_code == 400


def test_resigning_needs_no_seq_and_ends_a_game_of_two() -> None:
    game = start_cast_game("ada", "bob")
    answer = Api("bob").post(f"games/{game.code}/resign/")
    assert answer.status_code == 201
    assert answer.json()["status"] == "over"
    assert answer.json()["winner"] == 1
    response = Api("bob").post(f"games/{game.code}/resign/")
    assert (response.status_code, response.json()["code"]) == (409, "over")
    stale = Api("ada").play(game.code, "draw", 1)
    assert (stale.status_code, stale.json()["code"]) == (409, "over")
    assert record.verify_record(Api(None).get(f"games/{game.code}/record/").json()).is_ok


@pytest.mark.parametrize("key", [None, "a key"])
def test_an_action_costs_at_most_six_queries_however_long_the_game(key: str | None) -> None:
    game = start_cast_game("ada", "bob", target=99)
    seats = map_apis_by_seat(game.code, Api("ada"), Api("bob"))
    rng = random.Random("six")
    counts = []
    for turn in range(60):
        data = Api(None).get(f"games/{game.code}/").json()
        mover = seats[data["to_act"][0]]
        legal = mover.get(f"games/{game.code}/actions/legal/").json()
        headers = {"Idempotency_Key": f"{key} {turn}"} if key else {}
        with CaptureQueriesContext(
            connection,
        ) as queries:
            assert mover.play(game.code, rng.choice(legal), data["seq"], **headers).status_code == 201
        statements = [q["sql"] for q in queries if not q["sql"].startswith(("SAVEPOINT", "RELEASE"))]
        counts.append(len(statements))
    assert max(counts[1:]) <= 6, statements
    with CaptureQueriesContext(connection) as queries:
        Api(None).get(f"games/{game.code}/")
    assert len(queries) <= 1


def test_the_log_is_final() -> None:
    from django.db import DatabaseError, transaction

    game = start_cast_game("ada", "bob")
    Api("bob").post(f"games/{game.code}/resign/")
    for change in (lambda: Action.objects.update(action="draw"), lambda: Action.objects.all().delete()):
        with pytest.raises(DatabaseError, match="never changed"), transaction.atomic():
            change()
    assert json.loads(json.dumps(Game.objects.get(pk=game.pk).result))["winner"] == 1


def test_whoever_plays_by_program_has_come_back() -> None:
    game = start_cast_game("ada", "bob")
    Player.objects.update(mail_frequency="once", last_turn_mail_at=timezone.now() - timedelta(hours=1))
    data = Api("ada").get(f"games/{game.code}/").json()
    name = ("ada", "bob")[data["to_act"][0] - 1]
    assert player(name).last_seen_at is None  # reads do not count as presence
    assert Api(name).play(game.code, "draw", 0).status_code == 201
    assert player(name).last_seen_at > player(name).last_turn_mail_at
