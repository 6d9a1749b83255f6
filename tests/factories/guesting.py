"""Helpers for tests of guests: starting a game, playing turns, and dumping all stored rows."""

from __future__ import annotations

import re
import secrets
from typing import Any

from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

from accounts.models import Player
from games import selectors
from games.models import Action, Game
from games.services import bots, game_audit
from tests.factories.cast import prove_address
from tests.helpers.accounts import EMAIL, PASSWORD


def read_offer(page: HttpResponse) -> str:
    """Return the offer of a commitment in the form of a page."""
    match = re.search(r'name="offer" value="([^"]+)"', page.content.decode())
    assert match
    return match[1]


def play_now(client: Client, **form: str) -> tuple[Player, Game]:
    """Press the button on the home page; return the guest and the new game."""
    answer = client.post("/play-now/", {"offer": read_offer(client.get("/"))} | form)
    assert answer.status_code == 302, answer.content
    code = re.fullmatch(r"/games/(\w+)/", answer["Location"])[1]  # type: ignore[index]
    game = Game.objects.get(code=code)
    return game.seats.get(bot_policy="").player, game  # type: ignore[return-value]


def play_on(client: Client, game: Game, owner: Player, turns_of_theirs: int = 2) -> None:
    """Play some turns of the owner through the game page, and the bot's turns."""
    turn_count = 0
    while turn_count < turns_of_theirs:
        bots.play_bot_turns(code=game.code, now=timezone.now())
        game_view = selectors.load_view_for(owner, game.code)
        form = {
            "action": game_view.legal_actions[0],
            "seq": str(game_view.view["seq"]),
            "key": secrets.token_hex(6),
        }
        assert client.post(f"/games/{game.code}/play/", form).status_code == 302
        after = selectors.load_view_for(owner, game.code).view
        assert after["seq"] > game_view.view["seq"]
        turn_count += game_view.seat_no not in after["to_act"] or after["match"] != game_view.view["match"]
    bots.play_bot_turns(code=game.code, now=timezone.now())


def check_game_is_sound(game: Game) -> None:
    assert game_audit.audit_game(Game.objects.select_related("secrets").get(pk=game.pk)) is None


def list_log(game: Game) -> list[tuple[int, int, str, str]]:
    return list(Action.objects.filter(game=game).order_by("seq").values_list("seq", "seat", "action", "hash"))


def create_account(name: str = "ada") -> Player:
    """Create a member of the cast who can sign in."""
    return prove_address(name, email=EMAIL, password=PASSWORD)


def dump_rows() -> dict[str, list[Any]]:
    """Return all stored rows of players and games."""
    models = [
        *{seat.related_model for seat in Player._meta.related_objects if seat.related_model},
        Player,
        Game,
    ]
    return {str(model): sorted(map(str, model._default_manager.values())) for model in models}  # type: ignore[union-attr]
