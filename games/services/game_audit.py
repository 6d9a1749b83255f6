"""Audit of stored games: replay each one and compare actions, hash chain, game columns and secrets."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from games import engine
from games.engine import ActionError, fairness
from games.models import Action, Game, Seat
from games.selectors import LoadedGame, engine_setup_of

from . import action_log, clocks

AUDIT_BATCH_SIZE = 200


@dataclass(frozen=True)
class Finding:
    """A discrepancy in a game; seq 0 means the start or the stored columns."""

    code: str
    seq: int
    text: str

    def __str__(self) -> str:
        return f"{self.code} at seq {self.seq}: {self.text}"


def count_started_games() -> int:
    """Return how many games have started."""
    return Game.objects.exclude(started_at=None).count()


def audit_games() -> Iterator[Finding | None]:
    """Yield one result for each started game, None if it is consistent. Reads in batches."""
    last_id = 0
    while True:
        games = list(
            Game.objects.filter(pk__gt=last_id)
            .exclude(started_at=None)
            .select_related("secrets")
            .order_by("pk")[:AUDIT_BATCH_SIZE]
        )
        if not games:
            return
        for game in games:
            yield audit_live_game(game)
        last_id = games[-1].pk


def audit_live_game(game: Game) -> Finding | None:
    """Audit a game that may be moving: read it again while its seq changes."""
    while finding := audit_game(game):
        seen_seq, game = game.seq, Game.objects.select_related("secrets").get(pk=game.pk)
        if game.seq == seen_seq:
            break
    return finding


def audit_game(game: Game) -> Finding | None:
    """Replay one game from its seeds; return the first discrepancy."""
    seats = list(Seat.objects.filter(game=game).order_by("seat_no"))
    loaded_game = LoadedGame(game, seats, None)

    def make_finding(seq: int, text: str) -> Finding:
        return Finding(game.code, seq, text)

    seed = bytes(game.secrets.server_seed)
    if fairness.compute_commitment(seed) != game.commitment:
        return make_finding(0, "the seed does not match the commitment")
    if game.rules_version not in engine.RULES_VERSIONS:
        return make_finding(0, f"rules version {game.rules_version} is not known here")
    try:
        game_key = fairness.derive_game_key(seed, [seat.client_seed for seat in seats])
        state, game_events = engine.start_game(engine_setup_of(loaded_game, game_key))
    except ValueError as error:
        return make_finding(0, f"cannot be set up: {error}")
    if game_events != game.initial_events:
        return make_finding(0, "the opening differs")
    head_hash, last_action_at = game.commitment, None
    for logged_action in Action.objects.filter(game=game).order_by("seq").iterator(chunk_size=500):
        if logged_action.seq != state.seq + 1:
            return make_finding(state.seq + 1, f"the log goes on with seq {logged_action.seq}")
        head_hash = action_log.chain_hash(
            head_hash,
            code=game.code,
            seq=logged_action.seq,
            seat_no=logged_action.seat,
            action=logged_action.action,
            by=logged_action.by,
            at=logged_action.at,
        )
        if head_hash != logged_action.hash:
            return make_finding(logged_action.seq, "the hash does not follow from the line before")
        try:
            state, game_events = engine.apply_action(state, logged_action.seat, logged_action.action)
        except ActionError as action_error:
            return make_finding(logged_action.seq, f"{logged_action.action} is refused: {action_error}")
        if game_events != logged_action.events:
            return make_finding(logged_action.seq, "the events differ")
        last_action_at = logged_action.at
    if head_hash != game.head_hash:
        return make_finding(state.seq, "the snapshot's hash is not that of the last line")
    if engine.dump_state(state) != game.secrets.state:
        return make_finding(state.seq, "the stored state differs from the replay")
    moved_at = game.moved_at
    assert moved_at is not None
    if moved_at != (last_action_at or game.started_at):
        return make_finding(state.seq, "the snapshot's time is not that of the last line")
    expected_columns = action_log.game_columns(
        loaded_game, state, moved_at, opens_blind_match=clocks.opens_blind_match(game_events)
    )
    if game.is_running and expected_columns["status"] == Game.Status.TIEBREAK:
        expected_columns["status"] = Game.Status.RUNNING  # the blind match has been opened since
    for name, value in expected_columns.items():
        if name != "finished_at" and getattr(game, name) != value:
            return make_finding(
                state.seq, f"the snapshot's {name} is {getattr(game, name)!r}, the replay gives {value!r}"
            )
    return None
