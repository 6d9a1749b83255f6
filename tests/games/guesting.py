"""What tests of guests share: the button, some turns, everything that is stored."""

from __future__ import annotations

import re
import secrets
from typing import Any

from allauth.account.models import EmailAddress
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

from games import selectors
from games.models import Action, Game, Player
from games.services import bots, game_audit

from .cast import player
from .test_accounts import EMAIL, PASSWORD


def offer_on(page: HttpResponse) -> str:
    """The offer of a commitment that the form of a page sends."""
    found = re.search(r'name="offer" value="([^"]+)"', page.content.decode())
    assert found
    return found[1]


def play_now(client: Client, **form: str) -> tuple[Player, Game]:
    """Press the button on the first page; gives the player and the game that it leads to."""
    answer = client.post("/play-now/", {"offer": offer_on(client.get("/"))} | form)
    assert answer.status_code == 302, answer.content
    code = re.fullmatch(r"/games/(\w+)/", answer["Location"])[1]  # type: ignore[index]
    game = Game.objects.get(code=code)
    return game.places.get(bot="").player, game  # type: ignore[return-value]


def play_on(client: Client, game: Game, owner: Player, turns_of_theirs: int = 2) -> None:
    """Some turns of the owner, by the door of the page, and the bot's answers."""
    played = 0
    while played < turns_of_theirs:
        bots.play_bot_turns(code=game.code, now=timezone.now())
        shown = selectors.load_view_for(owner, game.code)
        form = {"action": shown.legal_actions[0], "seq": str(shown.view["seq"]), "key": secrets.token_hex(6)}
        assert client.post(f"/games/{game.code}/play/", form).status_code == 302
        after = selectors.load_view_for(owner, game.code).view
        assert after["seq"] > shown.view["seq"]
        played += shown.seat_no not in after["to_act"] or after["match"] != shown.view["match"]
    bots.play_bot_turns(code=game.code, now=timezone.now())


def well(game: Game) -> None:
    assert game_audit.audit_game(Game.objects.select_related("secret").get(pk=game.pk)) is None


def log_of(game: Game) -> list[tuple[int, int, str, str]]:
    return list(Action.objects.filter(game=game).order_by("seq").values_list("seq", "seat", "action", "hash"))


def account(name: str = "ada") -> Player:
    """A member of the cast who can sign in."""
    found = player(name)
    found.set_password(PASSWORD)
    found.email = EMAIL
    found.save()
    EmailAddress.objects.create(user=found, email=EMAIL, primary=True, verified=True)
    return found


def everything() -> dict[str, list[Any]]:
    """All that is stored of players and games."""
    models = [
        *{seat.related_model for seat in Player._meta.related_objects if seat.related_model},
        Player,
        Game,
    ]
    return {str(model): sorted(map(str, model._default_manager.values())) for model in models}  # type: ignore[union-attr]
