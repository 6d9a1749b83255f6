"""Links in mails, used without cookies, scripts or an account."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

from django.test import Client
from django.utils import timezone

from games import selectors, signed_links
from games.models import Game, Seat
from games.selectors.clocks import seat_clock_of
from tests.factories import stored_positions
from tests.factories.cast import player, start_cast_game

LIST = re.compile(r'<select id="action".*?</select>', re.DOTALL)
OPTION = re.compile(r'<option value="([^"]+)"')
KEY = re.compile(r'name="key" value="[^"]+"|data-countdown="[^"]+"')  # differs in each response
BUTTON = re.compile(r'name="action" value="([^"]+)"')


def open_strict_client() -> Client:
    """Return an anonymous test client with CSRF checks."""
    return Client(enforce_csrf_checks=True)


def start_game(*names: str, **terms: Any) -> Game:
    """Start a game at the real time, which the pages use."""
    return start_cast_game(*names, now=timezone.now(), **terms)


def start_game_begun_by(name: str, *names: str, **terms: Any) -> Game:
    """Start a game in which this player has the first turn."""
    for _attempt in range(100):
        game = start_game(*names, **terms)
        if get_seat_on_turn(game).player == player(name):
            return game
    raise AssertionError(f"{name} never begins")


def put_position(game: Game, cells: dict[str, str] | None = None, **fields: Any) -> Game:
    """Put a hand-made position into a new game, with the turn of the player to act."""
    loaded_game = selectors.load_game(game.code)
    assert loaded_game.state
    return stored_positions.put_position(game, cells, **{"turn": loaded_game.state.turn} | fields)


def get_seat_on_turn(game: Game) -> Seat:
    game.refresh_from_db()
    return next(
        place for place in game.seats.all() if place.seat_no and game.to_act_mask >> place.seat_no & 1
    )


def make_turn_link(
    game: Game, seat: Seat | None = None, turn: int | None = None, purpose: str = signed_links.TURN_PURPOSE
) -> str:
    """Return the link in the mail about a turn, by default of the player to act."""
    seat = seat or get_seat_on_turn(game)
    assert seat.seat_no
    assert seat.player_id
    turn = seat_clock_of(game, seat.seat_no).turn_seq if turn is None else turn
    token = signed_links.make_turn_token(
        purpose=purpose, game_code=game.code, seat_no=seat.seat_no, turn_seq=turn, player_id=seat.player_id
    )
    return f"/turn/{token}/"


def read_form(page: str, action: str | None = None) -> dict[str, str]:
    """Return the form data for this action, or for the first that the page offers."""
    offered = [*BUTTON.findall(page), *OPTION.findall("".join(LIST.findall(page)))]
    seq, key = (re.search(f'name="{name}" value="([^"]+)"', page)[1] for name in ("seq", "key"))  # type: ignore[index]
    assert action is None or action in offered
    return {"action": unescape(action or offered[0]), "seq": seq, "key": key}


def get_page(path: str, status: int = 200, client: Client | None = None) -> str:
    answer = (client or open_strict_client()).get(path)
    assert answer.status_code == status
    return answer.content.decode()
