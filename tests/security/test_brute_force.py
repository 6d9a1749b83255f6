"""Guessing passwords, codes and second factors, and triggering repeated mails.

tests/accounts/test_accounts.py covers the limits of passwords, requested codes and sign-ups.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timedelta

import pytest
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.core import mail
from django.core.cache import cache
from django.test import Client

from accounts.daily_limits import load_daily_limits
from accounts.services import contact_limits
from common.service_errors import LimitReached
from games.contact_kinds import GameContactKind
from games.models import Invitation
from games.services import invitations, lobby
from tests.factories.cast import player

from .world import EMAIL, PASSWORD, World

CODE = re.compile(r"[0-9A-Z]{6,}|[0-9A-Z]{3,}-[0-9A-Z]{3,}")
MAILED = load_daily_limits()[GameContactKind.MAILED_INVITATION]
pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def clear_counts() -> Iterator[None]:
    cache.clear()
    yield
    cache.clear()


def is_signed_in(client: Client) -> bool:
    return "_auth_user_id" in client.session


def find_mailed_code() -> str:
    """Return the code in the last mail, which stands on its own line."""
    lines = [line.strip() for line in mail.outbox[-1].body.splitlines() if CODE.fullmatch(line.strip())]
    assert len(lines) == 1
    return lines[0]


def test_passwords_are_counted_for_an_account_whoever_guesses(world: World) -> None:
    """After five guesses from any addresses, even the right password has to wait."""
    for number in range(5):
        guess = {"login": EMAIL, "password": f"guess {number}"}
        Client(REMOTE_ADDR=f"192.0.2.{number}").post("/accounts/login/", guess)
    late = Client(REMOTE_ADDR="192.0.2.99")
    late.post("/accounts/login/", {"login": EMAIL, "password": PASSWORD})
    assert not is_signed_in(late)


def test_the_address_that_a_request_claims_to_come_from_is_not_believed(world: World) -> None:
    """Without a trusted proxy, a different X-Forwarded-For gives no more attempts."""
    answers = [
        Client().post(
            "/accounts/login/",
            {"login": f"p{number}@example.net", "password": "x"},
            headers={"X-Forwarded-For": f"198.51.100.{number}"},
        )
        for number in range(31)
    ]
    assert "Too many" in answers[15].text or answers[30].status_code == 429


def test_the_door_of_operators_is_the_door_of_everybody(world: World) -> None:
    """Django's own sign-in form would allow any number of guesses and ask for no second factor."""
    ada = player("ada")
    ada.is_staff = ada.is_superuser = True
    ada.save()
    client = Client()
    answer = client.post("/admin/login/?next=/admin/", {"username": EMAIL, "password": PASSWORD})
    assert (answer.status_code, answer["Location"].split("?")[0]) == (302, "/accounts/login/")
    assert not is_signed_in(client)
    TOTP.activate(ada, generate_totp_secret())
    answer = client.post("/accounts/login/", {"login": EMAIL, "password": PASSWORD, "next": "/admin/"})
    assert answer["Location"].split("?")[0] == "/accounts/2fa/authenticate/"
    assert client.get("/admin/").status_code == 302
    assert not is_signed_in(client)


def test_a_second_factor_cannot_be_guessed(world: World) -> None:
    ada = player("ada")
    TOTP.activate(ada, generate_totp_secret())
    client = Client()
    client.post("/accounts/login/", {"login": EMAIL, "password": PASSWORD})
    pages = [client.post("/accounts/2fa/authenticate/", {"code": f"{n:06}"}).text for n in range(8)]
    assert not is_signed_in(client)
    assert "Too many" in pages[-1]
    assert "Too many" not in pages[0]


def test_a_mailed_code_is_worthless_after_three_wrong_ones(world: World) -> None:
    client = Client()
    client.post("/accounts/login/code/", {"email": EMAIL})
    code = find_mailed_code()
    for _ in range(3):
        client.post("/accounts/login/code/confirm/", {"code": "BBBBBB"})
    client.post("/accounts/login/code/confirm/", {"code": code})
    assert not is_signed_in(client)


def test_a_mailed_code_opens_no_other_browser(world: World) -> None:
    first, other = Client(), Client()
    first.post("/accounts/login/code/", {"email": EMAIL})
    code = find_mailed_code()
    other.post("/accounts/login/code/confirm/", {"code": code})
    assert not is_signed_in(other)
    first.post("/accounts/login/code/confirm/", {"code": code})
    assert is_signed_in(first)


def test_codes_are_drawn_from_hundreds_of_millions(world: World) -> None:
    codes = []
    for _ in range(3):
        cache.clear()
        Client().post("/accounts/login/code/", {"email": EMAIL})
        codes.append(find_mailed_code())
    assert len(set(codes)) == 3
    assert all(len(code.replace("-", "")) >= 6 for code in codes)


def test_one_player_sends_only_so_many_invitations_by_mail(world: World) -> None:
    eve = player("eve")
    for number in range(MAILED.per_sender):
        game = lobby.create_game(player=eve, now=world.now, seat_count=2)
        invitations.invite_to_game(player=eve, code=game.code, email=f"p{number}@example.net", now=world.now)
        lobby.cancel_game_by_host(player=eve, code=game.code, now=world.now)
    game = lobby.create_game(player=eve, now=world.now, seat_count=2)
    with pytest.raises(LimitReached) as refused:
        invitations.invite_to_game(player=eve, code=game.code, email="one-more@example.net", now=world.now)
    assert refused.value.code == "too-many-mails"
    later = world.now + contact_limits.LIMIT_PERIOD + timedelta(seconds=1)
    game = lobby.create_game(player=eve, now=later, seat_count=2)
    assert invitations.invite_to_game(player=eve, code=game.code, email="p@example.net", now=later)


def test_one_address_gets_only_so_many_of_them_from_one_player(world: World) -> None:
    eve = player("eve")
    for number in range(MAILED.per_stranger + 1):
        game = lobby.create_game(player=eve, now=world.now, seat_count=2)
        email = "Victim@example.net" if number % 2 else "victim@example.net"
        if number < MAILED.per_stranger:
            invitations.invite_to_game(player=eve, code=game.code, email=email, now=world.now)
        else:
            with pytest.raises(LimitReached):
                invitations.invite_to_game(player=eve, code=game.code, email=email, now=world.now)
    assert Invitation.objects.filter(inviter=eve).count() == MAILED.per_stranger
