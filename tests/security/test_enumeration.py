"""Known and unknown addresses get equal responses after equal work, so that nobody learns who has an account.

tests/accounts/test_accounts.py and tests/tournaments/leagues/test_league_pages.py cover some entry points.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.hashers import MD5PasswordHasher
from django.core import mail
from django.core.cache import cache
from django.http import HttpResponse
from django.test import Client

from accounts.models import Player
from games.services import lobby
from tests.factories.cast import Api, open_browser, player
from tests.factories.linking import start_game
from tests.helpers import mail_outages

from .page_shapes import CLAIMED, LOOSE, UNKNOWN, WAITING, summarise_response
from .world import EMAIL, PASSWORD, World

pytestmark = pytest.mark.django_db


@pytest.fixture
def hashed_passwords(monkeypatch: Any) -> list[str]:
    """Record every hashed password; hashing is by far the most expensive part of such a request."""
    passwords: list[str] = []
    encode = MD5PasswordHasher.encode

    def note_password(self: Any, password: str, salt: str) -> str:
        passwords.append(password)
        return encode(self, password, salt)

    monkeypatch.setattr(MD5PasswordHasher, "encode", note_password)
    return passwords


@pytest.fixture(autouse=True)
def clear_counts() -> Iterator[None]:
    cache.clear()
    yield
    cache.clear()


def enter_wrong_code(client: Client, email: str) -> HttpResponse:
    client.post("/accounts/login/code/", {"email": email})
    return client.post("/accounts/login/code/confirm/", {"code": "wrong"})


ROUTES: dict[str, Callable[[Client, str], HttpResponse]] = {
    "sign in": lambda client, email: client.post(
        "/accounts/login/", {"login": email, "password": "not the password"}
    ),
    "sign up": lambda client, email: client.post(
        "/accounts/signup/", {"email": email, "username": "newcomer", "password1": PASSWORD}
    ),
    "forgotten password": lambda client, email: client.post("/accounts/password/reset/", {"email": email}),
    "a code by mail": lambda client, email: client.post("/accounts/login/code/", {"email": email}),
    "a wrong code": lambda client, email: enter_wrong_code(client, email),
    "sign in as an operator": lambda client, email: client.post(
        "/admin/login/", {"username": email, "password": "not the password"}
    ),
}


@pytest.mark.parametrize("route", ROUTES)
def test_known_and_unknown_addresses_get_the_same(
    route: str, world: World, hashed_passwords: list[str]
) -> None:
    outcomes = []
    for email in (EMAIL, UNKNOWN):
        cache.clear()
        hashed_passwords.clear()
        mail.outbox.clear()
        answer = ROUTES[route](Client(), email)
        outcomes.append(
            (
                summarise_response(answer),
                len(hashed_passwords),
                [message.to for message in mail.outbox] == [[email]],
            )
        )
        Player.objects.filter(name="newcomer").delete()
    assert outcomes[0] == outcomes[1]


@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize("claims", [1, 2])
def test_addresses_that_were_only_claimed_get_the_same_as_unknown_ones(
    route: str, claims: int, world: World, hashed_passwords: list[str]
) -> None:
    """Claimed by one or two sign-ups that were never confirmed, or as the new address of an account."""
    for number in range(claims):
        fields = {"email": CLAIMED, "username": f"claims {number}", "password1": PASSWORD}
        assert Client().post("/accounts/signup/", fields).status_code == 302
        waiting = world.browser(("eve", "bob")[number])
        assert waiting.post("/accounts/email/", {"action_add": "", "email": WAITING}).status_code == 302
    outcomes = []
    for email in (UNKNOWN, CLAIMED, WAITING):
        cache.clear()
        hashed_passwords.clear()
        mail.outbox.clear()
        answer = ROUTES[route](Client(), email)
        subjects = [
            (message.subject, message.to == [email], len(message.body.split())) for message in mail.outbox
        ]
        outcomes.append((summarise_response(answer), len(hashed_passwords), subjects))
        Player.objects.filter(name="newcomer").delete()
    assert outcomes[1] == outcomes[0]
    assert outcomes[2] == outcomes[0]


@pytest.mark.parametrize("route", ["sign up", "forgotten password", "a code by mail"])
def test_known_and_unknown_addresses_get_the_same_while_no_mail_can_be_sent(
    route: str, world: World, hashed_passwords: list[str]
) -> None:
    outcomes = []
    for email in (EMAIL, UNKNOWN):
        cache.clear()
        hashed_passwords.clear()
        client = Client()
        with mail_outages.refuse_connections():
            answer = ROUTES[route](client, email)
        work = len(hashed_passwords)
        page = client.get(answer["Location"])
        assert b"We could not send the mail" in page.content
        second_response = ROUTES["sign up"](
            Client(), UNKNOWN
        )  # under the name that the first round may have taken
        outcomes.append(
            (summarise_response(answer), summarise_response(page), summarise_response(second_response), work)
        )
        Player.objects.filter(email=UNKNOWN).delete()
    assert outcomes[0] == outcomes[1]


def test_a_league_without_a_mail_server_takes_both_alike(world: World) -> None:
    outcomes = []
    for email in (EMAIL, UNKNOWN):
        with mail_outages.refuse_connections():
            answer = Client().post(f"/leagues/{world.league.code}/ask/", {"email": email, "name": "newcomer"})
        assert (answer.status_code, b"We could not send the mail" in answer.content) == (422, True)
        outcomes.append(summarise_response(answer))
    assert outcomes[0] == outcomes[1]


def test_a_league_takes_both_alike(world: World, hashed_passwords: list[str]) -> None:
    outcomes = []
    for email in (EMAIL, UNKNOWN):
        mail.outbox.clear()
        answer = Client().post(f"/leagues/{world.league.code}/ask/", {"email": email, "name": "newcomer"})
        subjects = [(message.subject, len(message.body.split())) for message in mail.outbox]
        outcomes.append((summarise_response(answer), len(hashed_passwords), subjects))
    assert outcomes[0] == outcomes[1]


def test_an_address_that_is_somebodys_can_be_asked_for_and_nobody_is_notified(world: World) -> None:
    """A player asks for a new address that belongs to another account, or to none."""
    outcomes = []
    for email in (EMAIL, UNKNOWN):
        client = world.browser("eve")
        EmailAddress.objects.filter(user=player("eve"), verified=False).delete()
        answer = client.post("/accounts/email/", {"action_add": "", "email": email})
        outcomes.append((answer.status_code, answer.get("Location"), LOOSE.sub("…", answer.content.decode())))
    assert outcomes[0] == outcomes[1]


@pytest.mark.parametrize("through", ["api", "page"])
def test_an_invitation_by_mail_tells_nothing_of_the_address(through: str, world: World) -> None:
    outcomes = []
    for email in (EMAIL, UNKNOWN):
        game = lobby.create_game(player=player("eve"), now=world.now, seat_count=2)
        if through == "api":
            answer = Api("eve").post(f"games/{game.code}/invite/", {"email": email})
            of_the_game = ("game", "at", "expires_at", "commitment")
            body = {key: value for key, value in answer.json().items() if key not in of_the_game}
            outcomes.append((answer.status_code, str(body).replace(email, "…")))
        else:
            answer = open_browser("eve").post(f"/games/{game.code}/invite/", {"who": email})
            page = open_browser("eve").get(f"/games/{game.code}/").content.decode()
            outcomes.append((answer.status_code, email in page))
    assert outcomes[0] == outcomes[1]


def test_a_link_for_a_new_password_does_not_say_whether_there_is_such_a_player(world: World) -> None:
    existing_pk, missing_pk = player("ada").pk, Player.objects.latest("pk").pk + 1000
    outcomes = []
    for number in (existing_pk, missing_pk):
        path = f"/accounts/password/reset/key/{number}-wrong-key/"
        outcomes.append(str(summarise_response(Client().get(path))).replace(path, "…"))
    assert outcomes[0] == outcomes[1]


def test_no_page_and_no_answer_holds_the_address_of_another(world: World) -> None:
    """Others see ada's name, but never her address or when she was last here."""
    game = start_game("ada", "bob")
    paths = ["/players/ada/", f"/games/{game.code}/", "/lobby/", "/ratings/", "/api/v1/players/ada/"]
    paths += [
        f"/api/v1/games/{game.code}/",
        f"/tournaments/{world.tournament.code}/",
        f"/leagues/{world.league.code}/",
    ]
    for path in paths:
        for name in ("nobody", "eve", "bob"):
            answer = world.browser(name).get(path)
            assert answer.status_code == 200
            assert EMAIL not in answer.content.decode()
            assert "last_seen_at" not in answer.content.decode()
