"""The game audit replays every stored game and compares log, hash chain, snapshot and secrets."""

from __future__ import annotations

import gc
import io
import random
import tracemalloc
from collections.abc import Callable
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games import engine
from games.models import Action, Game, GameSecrets, Seat
from games.selectors import load_game
from games.services import bots, game_audit, sweep, turns
from tests.factories.cast import NOW, Api, player, start_cast_game

pytestmark = pytest.mark.django_db
MOVES = 12  # actions in the game that is tampered with


def run_audit() -> tuple[int, list[str]]:
    """Run the audit and return its exit code and its output lines."""
    out = io.StringIO()
    try:
        call_command("audit_games", stdout=out)
    except SystemExit as end:
        return int(str(end.code)), out.getvalue().splitlines()
    return 0, out.getvalue().splitlines()


def play_game(*names: str, moves: int = MOVES, **terms: Any) -> Game:
    """Start a game and play this many actions."""
    game = start_cast_game(*names, **terms)
    rng = random.Random("audit")
    for _ in range(moves):
        loaded_game = load_game(game.code)
        assert loaded_game.state
        seat = loaded_game.to_act[0]
        mover = loaded_game.seat_by_no(seat).player
        assert mover
        action = rng.choice(engine.legal_actions(loaded_game.state, seat))
        turns.play_action(
            player=mover, code=game.code, text=action, seq=loaded_game.state.seq, key="", now=NOW
        )
    return game


def test_a_game_that_moves_on_while_it_is_audited_is_read_again() -> None:
    play_game("ada", "bob", moves=2)
    before = Game.objects.select_related("secrets").get()
    loaded_game = load_game(before.code)
    assert loaded_game.state
    mover = loaded_game.seat_by_no(loaded_game.to_act[0]).player
    assert mover
    action = engine.legal_actions(loaded_game.state, loaded_game.to_act[0])[0]
    turns.play_action(player=mover, code=before.code, text=action, seq=loaded_game.state.seq, key="", now=NOW)
    assert game_audit.audit_game(before), "what was read first does not fit what was read then"
    assert game_audit.audit_live_game(before) is None


def test_all_is_well_after_games_of_people_and_of_bots_running_and_over() -> None:
    play_game("ada", "bob")
    play_game("ada", "bob", "cleo", "dirk", mode="pairs", seat_order="shuffled", edition="bannan-nl")
    play_game("ada", mode="solo", moves=3)
    over = start_cast_game("ada", bots=("greedy", "random"), seat_order="shuffled")
    Api("ada").post(f"games/{over.code}/resign/")
    action_count = 0
    while some := bots.play_bot_turns(code=over.code, now=NOW):  # one call plays a limited number of actions
        action_count += some
        over.refresh_from_db()
        if over.status == "tiebreak":
            sweep.sweep_games(now=NOW)
    assert action_count > 10
    over.refresh_from_db()
    assert over.status == "over"
    Api("ada").post("games/")
    assert run_audit() == (0, ["4 games audited, 0 differ"])


def test_there_may_be_nothing_to_audit() -> None:
    assert run_audit() == (0, ["0 games audited, 0 differ"])


def rewrite_log(sql: str, *values: Any) -> None:
    """Change the log with its trigger disabled, as only the owner of the database can."""
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("ALTER TABLE games_action DISABLE TRIGGER games_action_append_only")
        cursor.execute(sql, values)
        assert cursor.rowcount > 0
        cursor.execute("ALTER TABLE games_action ENABLE TRIGGER games_action_append_only")


Tamper = Callable[[Game], object]


def make_log_rewrite(sql: str) -> Tamper:
    return lambda game: rewrite_log(sql, game.pk)


def make_snapshot_change(**fields: Any) -> Tamper:
    return lambda game: Game.objects.filter(pk=game.pk).update(**fields)


def reverse_tower(game: Game) -> None:
    """Reverse the order of the tower, which no player could notice."""
    secret = GameSecrets.objects.get(game=game)
    state = engine.load_state(secret.state)
    text = secret.state.replace(state.tower, state.tower[::-1], 1)
    assert text != secret.state
    GameSecrets.objects.filter(game=game).update(state=text)


@pytest.mark.parametrize(
    ("tamper", "seq", "words"),
    [
        (
            make_log_rewrite("UPDATE games_action SET action = action || 0 WHERE game_id = %s AND seq = 4"),
            4,
            "hash",
        ),
        (
            make_log_rewrite("UPDATE games_action SET seat = 3 - seat WHERE game_id = %s AND seq = 1"),
            1,
            "hash",
        ),
        (make_log_rewrite("UPDATE games_action SET by = 'clock' WHERE game_id = %s AND seq = 7"), 7, "hash"),
        (make_log_rewrite("UPDATE games_action SET at = at + interval '1 us' WHERE game_id = %s"), 1, "hash"),
        (
            make_log_rewrite("UPDATE games_action SET events = '[]' WHERE game_id = %s AND seq = 2"),
            2,
            "events",
        ),
        (make_log_rewrite("UPDATE games_action SET hash = '' WHERE game_id = %s AND seq = 5"), 5, "hash"),
        (make_log_rewrite("DELETE FROM games_action WHERE game_id = %s AND seq = 6"), 6, "seq 7"),
        (make_log_rewrite("DELETE FROM games_action WHERE game_id = %s AND seq = 1"), 1, "seq 2"),
        (make_log_rewrite("DELETE FROM games_action WHERE game_id = %s AND seq > 10"), 10, "last line"),
        (make_log_rewrite("DELETE FROM games_action WHERE game_id = %s"), 0, "last line"),
        (make_snapshot_change(seq=11), MOVES, "seq"),
        (make_snapshot_change(phase="lost"), MOVES, "phase"),
        (make_snapshot_change(to_act_mask=0), MOVES, "to_act"),
        (make_snapshot_change(bot_to_act=True), MOVES, "bot_to_act"),
        (make_snapshot_change(head_hash="0" * 64), MOVES, "hash"),
        (make_snapshot_change(status="over"), MOVES, "status"),
        (make_snapshot_change(result={"winner": 1}), MOVES, "result"),
        (make_snapshot_change(initial_events=[]), 0, "opening"),
        (make_snapshot_change(commitment="0" * 64), 0, "commitment"),
        (make_snapshot_change(rules_version=3), 0, "rules"),
        (make_snapshot_change(rules_version=1), MOVES, "state"),
        (make_snapshot_change(target=23), MOVES, "state"),
        (make_snapshot_change(seniority=[1, 1]), 0, "set up"),
        (reverse_tower, MOVES, "state"),
        (lambda game: GameSecrets.objects.filter(game=game).update(state=""), MOVES, "state"),
        (lambda game: GameSecrets.objects.filter(game=game).update(server_seed=bytes(32)), 0, "commitment"),
        (lambda game: Seat.objects.filter(game=game, seat_no=1).update(client_seed="x"), None, ""),
    ],
)
def test_what_was_changed_is_found_with_its_game_and_its_place(
    tamper: Tamper, seq: int | None, words: str
) -> None:
    before, game, after = (
        play_game("ada", "bob", moves=1),
        play_game("ada", "bob"),
        play_game("ada", "bob", moves=1),
    )
    tamper(game)
    code, lines = run_audit()
    assert (code, lines[1:]) == (1, ["3 games audited, 1 differ"]), lines
    place, _, sentence = lines[0].partition(": ")
    assert place.startswith(f"{game.code} at seq "), lines
    assert seq is None or place == f"{game.code} at seq {seq}", lines
    assert words in sentence
    assert before.code not in lines[0]
    assert after.code not in lines[0]


def test_a_result_that_was_changed_after_the_end_is_found() -> None:
    game = start_cast_game("ada", "bob")
    Api("bob").post(f"games/{game.code}/resign/")
    assert run_audit()[0] == 0
    result = Game.objects.get(pk=game.pk).result | {"winner": 2}
    Game.objects.filter(pk=game.pk).update(result=result)
    code, lines = run_audit()
    assert (code, lines[0].startswith(f"{game.code} at seq 1: the snapshot's result")) == (1, True)


def test_a_line_written_again_with_a_chain_that_fits_is_still_found() -> None:
    """A correct hash does not hide an illegal action or a draw that the seed does not give."""
    from games.services.action_log import chain_hash

    game = play_game("ada", "bob", moves=1)
    line = Action.objects.get(game=game)
    terms: dict[str, Any] = {"code": game.code, "seq": 1, "seat_no": line.seat, "by": line.by, "at": line.at}
    forged = chain_hash(game.commitment, action="A-a1-0", **terms)
    rewrite_log("UPDATE games_action SET action = 'A-a1-0', hash = %s WHERE game_id = %s", forged, game.pk)
    Game.objects.filter(pk=game.pk).update(head_hash=forged)
    code, lines = run_audit()
    assert code == 1
    assert lines[0].startswith(f"{game.code} at seq 1: A-a1-0 is refused")


def test_the_queries_grow_with_the_games_and_the_memory_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game_audit, "AUDIT_BATCH_SIZE", 4)
    player("ada")

    def measure_cost(games: int) -> tuple[int, int]:
        for _ in range(games - Game.objects.count()):
            start_cast_game("ada", mode="solo")
        with CaptureQueriesContext(connection) as queries:
            assert list(game_audit.audit_games()) == [None] * games
        tracemalloc.start()
        try:
            for number, finding in enumerate(game_audit.audit_games(), 1):
                assert finding is None
                if number % 4 == 0:  # free reference cycles, which are not leaks
                    gc.collect()
            return len(queries), tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    measure_cost(4)  # creates objects that are kept for good
    (few, small), (more, _), (most, large) = measure_cost(8), measure_cost(16), measure_cost(32)
    assert (most - more) == 2 * (more - few)
    assert more - few <= 8 * 3
    assert large - small < 24 * 4000, "less than a game's own rows would need; the driver keeps some words"


def test_the_queries_of_a_game_do_not_grow_with_its_length() -> None:
    counts = []
    for moves in (1, 40):
        game = play_game("ada", "bob", moves=moves, target=99)
        game = Game.objects.select_related("secrets").get(pk=game.pk)
        with CaptureQueriesContext(connection) as queries:
            assert game_audit.audit_game(game) is None
        counts.append(len(queries))
    assert counts[0] == counts[1] <= 3
