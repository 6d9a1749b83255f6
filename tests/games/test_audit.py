"""The audit: every stored game replayed against its log, hash chain, snapshot and secrets."""

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

from .cast import NOW, Api, game_of, player

pytestmark = pytest.mark.django_db
MOVES = 12  # of the game that is tampered with


def audited() -> tuple[int, list[str]]:
    """The exit code of the command, and its lines."""
    out = io.StringIO()
    try:
        call_command("audit_games", stdout=out)
    except SystemExit as end:
        return int(str(end.code)), out.getvalue().splitlines()
    return 0, out.getvalue().splitlines()


def moved(*names: str, moves: int = MOVES, **terms: Any) -> Game:
    """A game in which so many actions were played."""
    game = game_of(*names, **terms)
    rng = random.Random("audit")
    for _ in range(moves):
        found = load_game(game.code)
        assert found.state
        seat = found.to_act[0]
        mover = found.seat_by_no(seat).player
        assert mover
        action = rng.choice(engine.legal_actions(found.state, seat))
        turns.play_action(player=mover, code=game.code, text=action, seq=found.state.seq, key="", now=NOW)
    return game


def test_a_game_that_moves_on_while_it_is_audited_is_read_again() -> None:
    moved("ada", "bob", moves=2)
    before = Game.objects.select_related("secret").get()
    found = load_game(before.code)
    assert found.state
    mover = found.seat_by_no(found.to_act[0]).player
    assert mover
    action = engine.legal_actions(found.state, found.to_act[0])[0]
    turns.play_action(player=mover, code=before.code, text=action, seq=found.state.seq, key="", now=NOW)
    assert game_audit.audit_game(before), "what was read first does not fit what was read then"
    assert game_audit.audit_live_game(before) is None


def test_all_is_well_after_games_of_people_and_of_bots_running_and_over() -> None:
    moved("ada", "bob")
    moved("ada", "bob", "cleo", "dirk", mode="pairs", order="shuffled", edition="bannan-nl")
    moved("ada", mode="solo", moves=3)
    over = game_of("ada", bots=("greedy", "random"), order="shuffled")
    Api("ada").post(f"games/{over.code}/resign/")
    played = 0
    while some := bots.play_bot_turns(code=over.code, now=NOW):  # so many at once at most
        played += some
        over.refresh_from_db()
        if over.status == "tiebreak":
            sweep.sweep_games(now=NOW)
    assert played > 10
    over.refresh_from_db()
    assert over.status == "over"
    Api("ada").post("games/")
    assert audited() == (0, ["4 games audited, 0 differ"])


def test_there_may_be_nothing_to_audit() -> None:
    assert audited() == (0, ["0 games audited, 0 differ"])


def rewrite(sql: str, *values: Any) -> None:
    """Change the log behind the back of its guard, as only the owner of the database can."""
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("ALTER TABLE games_action DISABLE TRIGGER games_action_append_only")
        cursor.execute(sql, values)
        assert cursor.rowcount > 0
        cursor.execute("ALTER TABLE games_action ENABLE TRIGGER games_action_append_only")


Deed = Callable[[Game], object]


def rewritten(sql: str) -> Deed:
    return lambda game: rewrite(sql, game.pk)


def snapshot(**fields: Any) -> Deed:
    return lambda game: Game.objects.filter(pk=game.pk).update(**fields)


def turn_the_tower_over(game: Game) -> None:
    """The same tiles will come the other way round: nobody could see that."""
    secret = GameSecrets.objects.get(game=game)
    state = engine.load_state(secret.state)
    text = secret.state.replace(state.tower, state.tower[::-1], 1)
    assert text != secret.state
    GameSecrets.objects.filter(game=game).update(state=text)


@pytest.mark.parametrize(
    ("deed", "seq", "words"),
    [
        (rewritten("UPDATE games_action SET action = action || 0 WHERE game_id = %s AND seq = 4"), 4, "hash"),
        (rewritten("UPDATE games_action SET seat = 3 - seat WHERE game_id = %s AND seq = 1"), 1, "hash"),
        (rewritten("UPDATE games_action SET by = 'clock' WHERE game_id = %s AND seq = 7"), 7, "hash"),
        (rewritten("UPDATE games_action SET at = at + interval '1 us' WHERE game_id = %s"), 1, "hash"),
        (rewritten("UPDATE games_action SET events = '[]' WHERE game_id = %s AND seq = 2"), 2, "events"),
        (rewritten("UPDATE games_action SET hash = '' WHERE game_id = %s AND seq = 5"), 5, "hash"),
        (rewritten("DELETE FROM games_action WHERE game_id = %s AND seq = 6"), 6, "seq 7"),
        (rewritten("DELETE FROM games_action WHERE game_id = %s AND seq = 1"), 1, "seq 2"),
        (rewritten("DELETE FROM games_action WHERE game_id = %s AND seq > 10"), 10, "last line"),
        (rewritten("DELETE FROM games_action WHERE game_id = %s"), 0, "last line"),
        (snapshot(seq=11), MOVES, "seq"),
        (snapshot(phase="lost"), MOVES, "phase"),
        (snapshot(to_act=0), MOVES, "to_act"),
        (snapshot(bot_turn=True), MOVES, "bot_turn"),
        (snapshot(chain="0" * 64), MOVES, "hash"),
        (snapshot(status="over"), MOVES, "status"),
        (snapshot(result={"winner": 1}), MOVES, "result"),
        (snapshot(opening=[]), 0, "opening"),
        (snapshot(commitment="0" * 64), 0, "commitment"),
        (snapshot(rules=2), 0, "rules"),
        (snapshot(target=23), MOVES, "state"),
        (snapshot(seniority=[1, 1]), 0, "set up"),
        (turn_the_tower_over, MOVES, "state"),
        (lambda game: GameSecrets.objects.filter(game=game).update(state=""), MOVES, "state"),
        (lambda game: GameSecrets.objects.filter(game=game).update(server_seed=bytes(32)), 0, "commitment"),
        (lambda game: Seat.objects.filter(game=game, number=1).update(client_seed="x"), None, ""),
    ],
)
def test_what_was_changed_is_found_with_its_game_and_its_place(
    deed: Deed, seq: int | None, words: str
) -> None:
    before, game, after = moved("ada", "bob", moves=1), moved("ada", "bob"), moved("ada", "bob", moves=1)
    deed(game)
    code, lines = audited()
    assert (code, lines[1:]) == (1, ["3 games audited, 1 differ"]), lines
    place, _, said = lines[0].partition(": ")
    assert place.startswith(f"{game.code} at seq "), lines
    assert seq is None or place == f"{game.code} at seq {seq}", lines
    assert words in said
    assert before.code not in lines[0]
    assert after.code not in lines[0]


def test_a_result_that_was_changed_after_the_end_is_found() -> None:
    game = game_of("ada", "bob")
    Api("bob").post(f"games/{game.code}/resign/")
    assert audited()[0] == 0
    result = Game.objects.get(pk=game.pk).result | {"winner": 2}
    Game.objects.filter(pk=game.pk).update(result=result)
    code, lines = audited()
    assert (code, lines[0].startswith(f"{game.code} at seq 1: the snapshot's result")) == (1, True)


def test_a_line_written_again_with_a_chain_that_fits_is_still_found() -> None:
    """Who can compute hashes cannot play what the rules forbid, nor draw what the seed did not give."""
    from games.services.action_log import chain_hash

    game = moved("ada", "bob", moves=1)
    line = Action.objects.get(game=game)
    terms: dict[str, Any] = {"code": game.code, "seq": 1, "seat_no": line.seat, "by": line.by, "at": line.at}
    forged = chain_hash(game.commitment, action="A-a1-0", **terms)
    rewrite("UPDATE games_action SET action = 'A-a1-0', hash = %s WHERE game_id = %s", forged, game.pk)
    Game.objects.filter(pk=game.pk).update(chain=forged)
    code, lines = audited()
    assert code == 1
    assert lines[0].startswith(f"{game.code} at seq 1: A-a1-0 is refused")


def test_the_queries_grow_with_the_games_and_the_memory_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game_audit, "AUDIT_BATCH_SIZE", 4)
    player("ada")

    def cost(games: int) -> tuple[int, int]:
        for _ in range(games - Game.objects.count()):
            game_of("ada", mode="solo")
        with CaptureQueriesContext(connection) as queries:
            assert list(game_audit.audit_games()) == [None] * games
        tracemalloc.start()
        try:
            for number, finding in enumerate(game_audit.audit_games(), 1):
                assert finding is None
                if number % 4 == 0:  # what is in circles is not kept, only not yet swept
                    gc.collect()
            return len(queries), tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    cost(4)  # what is made once and kept is made here
    (few, small), (more, _), (most, large) = cost(8), cost(16), cost(32)
    assert (most - more) == 2 * (more - few)
    assert more - few <= 8 * 3
    assert large - small < 24 * 4000, "less than a game's own rows would need; the driver keeps some words"


def test_the_queries_of_a_game_do_not_grow_with_its_length() -> None:
    counts = []
    for moves in (1, 40):
        game = moved("ada", "bob", moves=moves, target=99)
        game = Game.objects.select_related("secret").get(pk=game.pk)
        with CaptureQueriesContext(connection) as queries:
            assert game_audit.audit_game(game) is None
        counts.append(len(queries))
    assert counts[0] == counts[1] <= 3
