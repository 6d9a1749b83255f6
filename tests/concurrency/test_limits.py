"""Limits per player under concurrent requests: real threads, real PostgreSQL."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from oauth2_provider.models import Application

from accounts.daily_limits import load_daily_limits
from accounts.models import Player, Token
from accounts.services import contact_limits, oauth_apps, players, tokens
from games.contact_kinds import GameContactKind
from games.models import Game, Invitation
from games.services import invitations, lobby, turns
from tests.factories.cast import NOW, Api, player, start_cast_game
from tests.helpers.limits_at_once import run_all_at_once
from tests.helpers.races import again_and_again, run_at_once

pytestmark = pytest.mark.django_db(transaction=True)
VICTIM = "victim@example.net"
CROWD = [f"stranger {n}" for n in range(12)]


def make_invite_command(ada: Player, game: Game, email: str) -> Callable[[], Any]:
    return lambda: invitations.invite_to_game(player=ada, code=game.code, email=email, now=NOW)


@again_and_again
def test_sixteen_invitations_at_once_to_one_address_are_three(run: int) -> None:
    ada = player("ada")
    games = [lobby.create_game(player=ada, now=NOW) for _n in range(16)]
    came = run_all_at_once([make_invite_command(ada, game, VICTIM) for game in games])
    most = load_daily_limits()[GameContactKind.MAILED_INVITATION].per_stranger
    assert came == [""] * most + ["too-many-mails"] * (16 - most)
    assert Invitation.objects.filter(email=VICTIM).count() == most


@again_and_again
def test_sixteen_strangers_at_once_are_no_more_than_one_player_is_asked_by(run: int) -> None:
    """Each stranger asks once: only the count of the invited player is shared."""
    most, bob = 5, player("bob")
    games = [(host, lobby.create_game(player=host, now=NOW)) for host in map(player, CROWD)]
    before = contact_limits.MAX_FROM_STRANGERS_PER_PLAYER
    contact_limits.MAX_FROM_STRANGERS_PER_PLAYER = most
    try:
        came = run_all_at_once(
            [
                lambda host=host, game=game: invitations.invite_to_game(
                    player=host, code=game.code, name="bob", now=NOW
                )
                for host, game in games
            ]
        )
    finally:
        contact_limits.MAX_FROM_STRANGERS_PER_PLAYER = before
    assert came == [""] * most + ["too-many-mails"] * (len(CROWD) - most)
    assert Invitation.objects.filter(player=bob).count() == most


def test_many_invitations_at_once_are_no_more_than_a_day_has(monkeypatch: pytest.MonkeyPatch) -> None:
    ada = player("ada")
    limit = replace(load_daily_limits()[GameContactKind.MAILED_INVITATION], per_sender=4)
    monkeypatch.setitem(load_daily_limits(), GameContactKind.MAILED_INVITATION, limit)
    games = [lobby.create_game(player=ada, now=NOW) for _n in range(12)]
    came = run_all_at_once(
        [make_invite_command(ada, game, f"p{n}@example.net") for n, game in enumerate(games)]
    )
    assert came == [""] * 4 + ["too-many-mails"] * 8


@again_and_again
def test_of_twelve_games_made_at_once_only_so_many_are_open(run: int) -> None:
    ada = player("ada")
    for _n in range(lobby.MAX_OPEN_GAMES_PER_PLAYER - 1):
        lobby.create_game(player=ada, now=NOW)
    came = run_all_at_once([lambda: lobby.create_game(player=ada, now=NOW)] * 12)
    assert came == [""] + ["too-many-open"] * 11
    assert Game.objects.filter(creator=ada).count() == lobby.MAX_OPEN_GAMES_PER_PLAYER


@again_and_again
def test_one_request_for_the_last_game_that_comes_four_times_at_once_makes_it(run: int) -> None:
    api = Api("ada")
    for _n in range(lobby.MAX_OPEN_GAMES_PER_PLAYER - 1):
        lobby.create_game(player=player("ada"), now=NOW)
    answers = run_at_once(*[lambda: api.post("games/", {}, Idempotency_Key=f"last-{run}")] * 4)
    assert [answer.status_code for answer in answers] == [201] * 4
    assert len({answer.json()["id"] for answer in answers}) == 1
    assert Game.objects.filter(creator=player("ada")).count() == lobby.MAX_OPEN_GAMES_PER_PLAYER


@again_and_again
def test_of_twelve_tokens_made_at_once_only_so_many_work(run: int) -> None:
    ada = player("ada")

    def make() -> None:
        tokens.create_token(player=ada, name="bot", scopes=["read"], now=NOW)

    for _n in range(tokens.MAX_TOKENS_PER_PLAYER - 1):
        make()
    assert run_all_at_once([make] * 12) == [""] + ["too-many"] * 11
    assert Token.objects.filter(player=ada).count() == tokens.MAX_TOKENS_PER_PLAYER


@again_and_again
def test_of_twelve_apps_registered_at_once_only_so_many_are_there(
    run: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada = player("ada")
    monkeypatch.setattr(oauth_apps, "MAX_APPS_PER_PLAYER", 3)

    def make() -> None:
        oauth_apps.register_app(
            player=ada, name="board", addresses=["https://bot.example/"], secret=False, now=NOW
        )

    assert run_all_at_once([make] * 12) == [""] * 3 + ["too-many"] * 9
    assert Application.objects.filter(user=ada).count() == 3


def test_who_invites_makes_games_and_changes_their_hours_at_once_is_never_in_their_own_way() -> None:
    """A limit locks games, then the player; a change of a calendar locks the player, then running games."""
    ada = player("ada")
    over = start_cast_game("ada", "bob")
    turns.play_action(player=player("bob"), code=over.code, text="resign", seq=None, key="", now=NOW)
    for _n in range(3):
        start_cast_game("ada", "bob")
    waiting = [lobby.create_game(player=ada, now=NOW) for _n in range(4)]
    zones = ["Europe/Rome", "Asia/Tokyo", "America/Lima", "Africa/Cairo"]

    def move(zone: str) -> None:
        players.change_profile(player=Player.objects.get(pk=ada.pk), time_zone=zone, now=NOW)

    commands: list[Callable[[], Any]] = [lambda zone=zone: move(zone) for zone in zones]
    commands += [make_invite_command(ada, game, f"p{n}@example.net") for n, game in enumerate(waiting)]
    commands += [lambda: lobby.create_game(player=ada, now=NOW)] * 3
    commands += [lambda: invitations.request_rematch(player=ada, code=over.code, now=NOW)]
    assert run_all_at_once(commands) == [""] * 12
