"""Games with a known seed, and time that passes by hand."""

from __future__ import annotations

from collections import Counter
from datetime import datetime, timedelta
from typing import Any

import pytest

from games import clock, engine
from games.clock import SeatClock
from games.engine import State, fairness
from games.models import Action, FeedEntry, Game, GameSecrets, Player
from games.selectors import LoadedGame, load_game
from games.services import action_log_sql, clocks, game_audit, lobby, notices, sweep, turns

from .cast import NOW, player

SECOND, MINUTE = timedelta(seconds=1), timedelta(minutes=1)
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
BEGUN = NOW + MINUTE  # when the clock of a first turn starts: its notice is due
CALM = 2  # a seed of games, of two to four, without a lost turn or an 8 in their first sixteen turns
# Of three who are asked by an 8, bob holds the card that protects his points; the others can only pass.
AN_8 = "draw G-b3-0 draw D-b2-0 draw D-b1-0 draw F-a1-180 draw H-a2-0 draw H-c2-0"
AN_8_SEED = 2266


def seeded(number: int, *names: str, bots: tuple[str, ...] = (), **terms: Any) -> Game:
    """A game whose every shuffle is known beforehand; it has started."""
    seed = number.to_bytes(fairness.SEED_LENGTH_BYTES, "big")
    game = lobby.create_game(player=player(names[0]), now=NOW, seats=len(names) + len(bots), **terms)
    Game.objects.filter(pk=game.pk).update(commitment=fairness.compute_commitment(seed))
    GameSecrets.objects.filter(game=game).update(server_seed=seed)
    for name in names:
        lobby.join_game(player=player(name), code=game.code, now=NOW, client_seed=f"seed of {name}")
    for policy in bots:
        lobby.add_bot(player=player(names[0]), code=game.code, policy=policy, now=NOW)
    game.refresh_from_db()
    return game


def quick(*names: str, **terms: Any) -> Game:
    """A game of 25 hours for a turn and two in the bank, with nothing that would save a late player.

    Nothing out of the ordinary happens for many turns: each is a draw and a placement.
    """
    wanted = {"clock_name": "custom", "allowance": 90_000, "bank": 7_200, "vacation": False} | terms
    return seeded(CALM, *names, **wanted)


def asked_by_an_8(**terms: Any) -> Game:
    """A game of three in which cleo has just made an 8, and all three are asked."""
    game = seeded(AN_8_SEED, "ada", "bob", "cleo", **terms)
    for action in AN_8.split():
        act(game, action)
    assert state(game).seats_to_answer == (1, 2, 3)
    return game


def state(game: Game) -> State:
    found = load_game(game.code).state
    assert found
    return found


def seat_of(game: Game, name: str) -> int:
    number = game.places.get(player__name=name).number
    assert number
    return number


def name_at(found: LoadedGame, seat: int) -> str:
    place = found.seat_by_no(seat)
    assert place.player
    return place.player.name


def mover(game: Game) -> str:
    """Who is to act, or the first of them."""
    found = load_game(game.code)
    return name_at(found, found.to_act[0])


def others(game: Game) -> list[str]:
    """Who is not to act."""
    found = load_game(game.code)
    return [place.player.name for place in found.seats if place.player and place.number not in found.to_act]


def act(game: Game, action: str = "", now: datetime = NOW, name: str = "") -> str:
    """Whoever is to act does so: this, or the first thing that is legal."""
    found = load_game(game.code)
    assert found.state
    name = name or mover(game)
    seat = seat_of(game, name)
    text = action or engine.legal_actions(found.state, seat)[0]
    turns.play_action(player=person(name), code=game.code, text=text, seq=found.game.seq, key="", now=now)
    game.refresh_from_db()
    return text


def take_turn(game: Game, now: datetime = NOW) -> str:
    """Whoever is to act plays their whole turn; gives their name."""
    name = mover(game)
    turn = watch(game, name).turn_seq
    while game.status == "running" and watch(game, name).is_on_turn and watch(game, name).turn_seq == turn:
        act(game, now=now, name=name)
    return name


def turn_of(game: Game, name: str, now: datetime = NOW) -> None:
    """The others play until it is somebody's turn."""
    game.refresh_from_db()
    while mover(game) != name:
        take_turn(game, now)


def person(name: str) -> Player:
    """A member of the cast as the database has them now."""
    return Player.objects.get(pk=player(name).pk)


def watch(game: Game, name: str) -> SeatClock:
    game.refresh_from_db()
    return clocks.seat_clock_of(game, seat_of(game, name))


def deadline(game: Game) -> datetime:
    game.refresh_from_db()
    assert game.deadline
    return game.deadline


def swept(now: datetime) -> Counter[str]:
    return sweep.sweep_games(now=now)


def time_out(game: Game) -> datetime:
    """The deadline falls and is swept; gives the time."""
    now = deadline(game)
    assert swept(now)
    game.refresh_from_db()
    return now


def lines(game: Game, after: int = 0) -> list[tuple[int, str, str]]:
    """The log: seat, action, by whom."""
    found = Action.objects.filter(game=game, seq__gt=after).order_by("seq")
    return list(found.values_list("seat", "action", "by"))


def feed_of(name: str, *kinds: str) -> list[FeedEntry]:
    """What a player's feed says, of some kinds or of all."""
    found = FeedEntry.objects.filter(player__name=name).order_by("pk")
    return list(found.filter(kind__in=kinds) if kinds else found)


def allowing(*names: str, **terms: Any) -> Game:
    """A quick game that vacations count in; it is the first player's turn."""
    game = quick(*names, **{"vacation": True} | terms)
    turn_of(game, names[0])
    return game


def saved(name: str, left: timedelta, now: datetime = NOW) -> None:
    """A player has so much vacation."""
    Player.objects.filter(pk=player(name).pk).update(vacation_saved=left, vacation_at=now)


def left_at(game: Game, name: str, now: datetime) -> timedelta:
    """What a player's watch has left at a time, allowance and bank."""
    found = watch(game, name)
    rests = clocks.build_calendar(game, person(name), clocks.load_unprocessed_incidents(), found)
    settled = clock.charge_elapsed_time(found, now, rests)
    return settled.allowance_left + settled.bank


def mute(game: Game, name: str) -> None:
    notices.set_game_muted(player=person(name), code=game.code, muted=True, now=NOW)


def well(*games: Game) -> None:
    """Log, chain, snapshot and secrets agree, and everything was told once."""
    for game in games:
        stored = Game.objects.select_related("secret").get(pk=game.pk)
        assert game_audit.audit_game(stored) is None
        assert Action.objects.filter(game=stored).count() == stored.seq
        rows = Counter(FeedEntry.objects.filter(game=stored).values_list("player", "reason"))
        assert set(rows.values()) <= {1}


def as_on_sqlite(monkeypatch: pytest.MonkeyPatch) -> None:
    """The log is written line by line from here on, as where there is no PostgreSQL."""

    def in_turn(steps: Any) -> set[int]:
        return {made.loaded_game.game.pk for made in steps if action_log_sql.write_with_orm(made)}

    monkeypatch.setattr(action_log_sql, "write_many_games", in_turn)
    monkeypatch.setattr(action_log_sql, "write_in_one_statement", action_log_sql.write_with_orm)
