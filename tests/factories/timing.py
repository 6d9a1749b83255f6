"""Games with a known seed, at times that the test sets."""

from __future__ import annotations

from collections import Counter
from datetime import datetime, timedelta
from typing import Any

import pytest

from accounts.models import Player
from games import clock, engine
from games.clock import SeatClock
from games.engine import State
from games.models import Action, Game
from games.selectors import LoadedGame, load_game
from games.services import action_log_sql, clocks, game_audit, seat_settings, sweep, turns
from notifications.models import FeedEntry
from tests.factories.cast import NOW, player, start_cast_game

SECOND, MINUTE = timedelta(seconds=1), timedelta(minutes=1)
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
BEGUN = NOW + MINUTE  # the clock of a first turn starts when its notice is due
CALM = 2  # a seed of games for two to four without a lost turn or an 8 in the first sixteen turns
# All three seats are asked to answer an 8; bob holds the card that protects points, the others can only pass.
AN_8 = "draw G-b3-0 draw D-b2-0 draw D-b1-0 draw F-a1-180 draw H-a2-0 draw H-c2-0"
AN_8_SEED = 2266


def start_seeded_game(number: int, *names: str, bots: tuple[str, ...] = (), **terms: Any) -> Game:
    """Start a game with known shuffles."""
    return start_cast_game(*names, bots=bots, seed=number, **terms)


def start_quick_game(*names: str, **terms: Any) -> Game:
    """Start a game with an allowance of 25 hours, a bank of two hours, and no vacation.

    Each of its first turns is a draw and a placement.
    """
    wanted = {"time_control": "custom", "allowance": 90_000, "bank": 7_200, "vacation": False} | terms
    return start_seeded_game(CALM, *names, **wanted)


def start_game_asked_by_an_8(**terms: Any) -> Game:
    """Start a game of three in which cleo has just made an 8 that all three may answer."""
    game = start_seeded_game(AN_8_SEED, "ada", "bob", "cleo", **terms)
    for action in AN_8.split():
        play_first_legal(game, action)
    assert get_state(game).seats_to_answer == (1, 2, 3)
    return game


def get_state(game: Game) -> State:
    state = load_game(game.code).state
    assert state
    return state


def get_seat_no(game: Game, name: str) -> int:
    number = game.seats.get(player__name=name).seat_no
    assert number
    return number


def get_name_at(loaded_game: LoadedGame, seat: int) -> str:
    place = loaded_game.seat_by_no(seat)
    assert place.player
    return place.player.name


def get_name_to_act(game: Game) -> str:
    """Return the name of the first player to act."""
    loaded_game = load_game(game.code)
    return get_name_at(loaded_game, loaded_game.to_act[0])


def list_waiting_names(game: Game) -> list[str]:
    """List the names of the players who are not to act."""
    loaded_game = load_game(game.code)
    return [
        place.player.name
        for place in loaded_game.seats
        if place.player and place.seat_no not in loaded_game.to_act
    ]


def play_first_legal(game: Game, action: str = "", now: datetime = NOW, name: str = "") -> str:
    """Play this action, by default the first legal one, for the player to act."""
    loaded_game = load_game(game.code)
    assert loaded_game.state
    name = name or get_name_to_act(game)
    seat = get_seat_no(game, name)
    text = action or engine.legal_actions(loaded_game.state, seat)[0]
    turns.play_action(
        player=reload_player(name), code=game.code, text=text, seq=loaded_game.game.seq, key="", now=now
    )
    game.refresh_from_db()
    return text


def take_turn(game: Game, now: datetime = NOW) -> str:
    """Play the whole turn of the player to act; return their name."""
    name = get_name_to_act(game)
    turn = get_seat_clock(game, name).turn_seq
    while (
        game.status == "running"
        and get_seat_clock(game, name).is_on_turn
        and get_seat_clock(game, name).turn_seq == turn
    ):
        play_first_legal(game, now=now, name=name)
    return name


def play_until_turn_of(game: Game, name: str, now: datetime = NOW) -> None:
    """Play the turns of the others until this player is to act."""
    game.refresh_from_db()
    while get_name_to_act(game) != name:
        take_turn(game, now)


def reload_player(name: str) -> Player:
    """Load the current row of a member of the cast."""
    return Player.objects.get(pk=player(name).pk)


def get_seat_clock(game: Game, name: str) -> SeatClock:
    game.refresh_from_db()
    return clocks.seat_clock_of(game, get_seat_no(game, name))


def get_deadline(game: Game) -> datetime:
    game.refresh_from_db()
    assert game.deadline
    return game.deadline


def sweep_games(now: datetime) -> Counter[str]:
    return sweep.sweep_games(now=now)


def let_time_run_out(game: Game) -> datetime:
    """Sweep at the deadline; return its time."""
    now = get_deadline(game)
    assert sweep_games(now)
    game.refresh_from_db()
    return now


def list_log_lines(game: Game, after: int = 0) -> list[tuple[int, str, str]]:
    """List seat, action and action source of the log."""
    actions = Action.objects.filter(game=game, seq__gt=after).order_by("seq")
    return list(actions.values_list("seat", "action", "by"))


def list_feed_entries(name: str, *kinds: str) -> list[FeedEntry]:
    """List the feed entries of a player, of these kinds or of all."""
    feed_entries = FeedEntry.objects.filter(player__name=name).order_by("pk")
    return list(feed_entries.filter(kind__in=kinds) if kinds else feed_entries)


def start_vacation_game(*names: str, **terms: Any) -> Game:
    """Start a quick game with vacations in which the first of these players is to act."""
    game = start_quick_game(*names, **{"vacation": True} | terms)
    play_until_turn_of(game, names[0])
    return game


def set_vacation_balance(name: str, left: timedelta, now: datetime = NOW) -> None:
    """Set the vacation balance of a player."""
    Player.objects.filter(pk=player(name).pk).update(vacation_balance=left, vacation_accrued_at=now)


def compute_time_left(game: Game, name: str, now: datetime) -> timedelta:
    """Return allowance and bank of a player's clock at a time."""
    seat_clock = get_seat_clock(game, name)
    calendar = clocks.build_calendar(
        game, reload_player(name), clocks.load_unprocessed_incidents(), seat_clock
    )
    charged_clock = clock.charge_elapsed_time(seat_clock, now, calendar)
    return charged_clock.allowance_left + charged_clock.bank


def mute_game(game: Game, name: str) -> None:
    seat_settings.set_game_muted(player=reload_player(name), code=game.code, muted=True, now=NOW)


def check_all_games_are_sound(*games: Game) -> None:
    """Check that log, chain, snapshot and secrets agree, and that every player was told everything once."""
    for game in games:
        stored = Game.objects.select_related("secrets").get(pk=game.pk)
        assert game_audit.audit_game(stored) is None
        assert Action.objects.filter(game=stored).count() == stored.seq
        check_feeds_are_complete(stored)


def check_feeds_are_complete(game: Game) -> None:
    """Check that the players of a game were told of each action, and once of its start and of its end."""
    entries_by_player: dict[int, list[tuple[str, str]]] = {
        player_id: [] for player_id in game.seats.exclude(player=None).values_list("player", flat=True)
    }
    rows = FeedEntry.objects.filter(topic=game.topic, player__in=entries_by_player)
    for player_id, kind, dedup_key in rows.values_list("player", "kind", "dedup_key"):
        entries_by_player[player_id].append((kind, dedup_key))
    expected_keys = {f"{game.code}:{seq}" for seq in range(game.seq + 1)}
    for entries in entries_by_player.values():
        kinds = Counter(kind for kind, _key in entries)
        assert kinds["started"] == 1, kinds
        assert kinds["over"] == (game.status == Game.Status.OVER), kinds
        assert expected_keys <= {key for _kind, key in entries}


def write_log_row_by_row(monkeypatch: pytest.MonkeyPatch) -> None:
    """Write the log row by row, as on databases other than PostgreSQL."""

    def write_in_turn(steps: Any) -> set[int]:
        return {step.loaded_game.game.pk for step in steps if action_log_sql.write_with_orm(step)}

    monkeypatch.setattr(action_log_sql, "write_many_games", write_in_turn)
    monkeypatch.setattr(action_log_sql, "write_in_one_statement", action_log_sql.write_with_orm)
