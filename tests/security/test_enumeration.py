"""Nobody learns who has an account: known and unknown addresses get the same answer, after the same work.

tests/games/test_accounts.py and tests/tournaments/test_league_pages.py look at some of these doors as well.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.hashers import MD5PasswordHasher
from django.core import mail
from django.core.cache import cache
from django.http import HttpResponse
from django.test import Client

from games.models import Player
from games.services import lobby
from tests.games import away
from tests.games.cast import Api, browser, player
from tests.games.linking import new_game

from .world import EMAIL, PASSWORD, World

pytestmark = pytest.mark.django_db
UNKNOWN = "nobody-behind-the-dike@example.net"
CLAIMED, WAITING = "claimed-by-a-stranger@example.net", "waits-on-an-account@example.net"
MOVING = ("X-Request-ID", "Content-Length", "Expires")
LOOSE = re.compile(
    rf"{EMAIL}|{UNKNOWN}|{CLAIMED}|{WAITING}|csrfmiddlewaretoken. value=.\w+"
)  # what differs by itself


@pytest.fixture
def hashed(monkeypatch: Any) -> list[str]:
    """Every password that is hashed: by far the most of the time that such a request takes."""
    found: list[str] = []
    encode = MD5PasswordHasher.encode

    def noted(self: Any, password: str, salt: str) -> str:
        found.append(password)
        return encode(self, password, salt)

    monkeypatch.setattr(MD5PasswordHasher, "encode", noted)
    return found


@pytest.fixture(autouse=True)
def uncounted() -> Iterator[None]:
    cache.clear()
    yield
    cache.clear()


def shape(answer: HttpResponse) -> tuple[Any, ...]:
    """All of an answer that somebody could compare."""
    told = LOOSE.sub("…", answer.content.decode())
    headers = {name: value for name, value in answer.items() if name not in MOVING}
    cookies = {name: (one["httponly"], one["max-age"]) for name, one in answer.cookies.items()}
    return answer.status_code, headers, cookies, told


def wrong_code(client: Client, email: str) -> HttpResponse:
    client.post("/accounts/login/code/", {"email": email})
    return client.post("/accounts/login/code/confirm/", {"code": "wrong"})


DOORS: dict[str, Callable[[Client, str], HttpResponse]] = {
    "sign in": lambda client, email: client.post(
        "/accounts/login/", {"login": email, "password": "not the password"}
    ),
    "sign up": lambda client, email: client.post(
        "/accounts/signup/", {"email": email, "username": "newcomer", "password1": PASSWORD}
    ),
    "forgotten password": lambda client, email: client.post("/accounts/password/reset/", {"email": email}),
    "a code by mail": lambda client, email: client.post("/accounts/login/code/", {"email": email}),
    "a wrong code": lambda client, email: wrong_code(client, email),
    "sign in as an operator": lambda client, email: client.post(
        "/admin/login/", {"username": email, "password": "not the password"}
    ),
}


@pytest.mark.parametrize("door", DOORS)
def test_known_and_unknown_addresses_get_the_same(door: str, world: World, hashed: list[str]) -> None:
    seen = []
    for email in (EMAIL, UNKNOWN):
        cache.clear()
        hashed.clear()
        mail.outbox.clear()
        answer = DOORS[door](Client(), email)
        seen.append((shape(answer), len(hashed), [one.to for one in mail.outbox] == [[email]]))
        Player.objects.filter(name="newcomer").delete()
    assert seen[0] == seen[1]


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("claims", [1, 2])
def test_addresses_that_were_only_claimed_get_the_same_as_unknown_ones(
    door: str, claims: int, world: World, hashed: list[str]
) -> None:
    """Signed up with, once or twice, and never confirmed; or to be the new address of an account."""
    for number in range(claims):
        fields = {"email": CLAIMED, "username": f"claims {number}", "password1": PASSWORD}
        assert Client().post("/accounts/signup/", fields).status_code == 302
        waiting = world.browser(("eve", "bob")[number])
        assert waiting.post("/accounts/email/", {"action_add": "", "email": WAITING}).status_code == 302
    seen = []
    for email in (UNKNOWN, CLAIMED, WAITING):
        cache.clear()
        hashed.clear()
        mail.outbox.clear()
        answer = DOORS[door](Client(), email)
        subjects = [(one.subject, one.to == [email], len(one.body.split())) for one in mail.outbox]
        seen.append((shape(answer), len(hashed), subjects))
        Player.objects.filter(name="newcomer").delete()
    assert seen[1] == seen[0]
    assert seen[2] == seen[0]


@pytest.mark.parametrize("door", ["sign up", "forgotten password", "a code by mail"])
def test_known_and_unknown_addresses_get_the_same_while_no_mail_can_be_sent(
    door: str, world: World, hashed: list[str]
) -> None:
    seen = []
    for email in (EMAIL, UNKNOWN):
        cache.clear()
        hashed.clear()
        client = Client()
        with away.refusing():
            answer = DOORS[door](client, email)
        work = len(hashed)
        page = client.get(answer["Location"])
        assert b"The mail could not be sent" in page.content
        again = DOORS["sign up"](Client(), UNKNOWN)  # under the name that one of the two may have left behind
        seen.append((shape(answer), shape(page), shape(again), work))
        Player.objects.filter(email=UNKNOWN).delete()
    assert seen[0] == seen[1]


def test_a_league_without_a_mail_server_takes_both_alike(world: World) -> None:
    seen = []
    for email in (EMAIL, UNKNOWN):
        with away.refusing():
            answer = Client().post(f"/leagues/{world.league.code}/ask/", {"email": email, "name": "newcomer"})
        assert (answer.status_code, b"The mail could not be sent" in answer.content) == (422, True)
        seen.append(shape(answer))
    assert seen[0] == seen[1]


def test_a_league_takes_both_alike(world: World, hashed: list[str]) -> None:
    seen = []
    for email in (EMAIL, UNKNOWN):
        mail.outbox.clear()
        answer = Client().post(f"/leagues/{world.league.code}/ask/", {"email": email, "name": "newcomer"})
        subjects = [(one.subject, len(one.body.split())) for one in mail.outbox]
        seen.append((shape(answer), len(hashed), subjects))
    assert seen[0] == seen[1]


def test_an_address_that_is_somebodys_can_be_asked_for_and_nothing_is_told(world: World) -> None:
    """A player who wants another address for the account, which is that of somebody else, or of nobody."""
    seen = []
    for email in (EMAIL, UNKNOWN):
        client = world.browser("eve")
        EmailAddress.objects.filter(user=player("eve"), verified=False).delete()
        answer = client.post("/accounts/email/", {"action_add": "", "email": email})
        seen.append((answer.status_code, answer.get("Location"), LOOSE.sub("…", answer.content.decode())))
    assert seen[0] == seen[1]


@pytest.mark.parametrize("through", ["api", "page"])
def test_an_invitation_by_mail_tells_nothing_of_the_address(through: str, world: World) -> None:
    seen = []
    for email in (EMAIL, UNKNOWN):
        game = lobby.create_game(player=player("eve"), now=world.now, seats=2)
        if through == "api":
            answer = Api("eve").post(f"games/{game.code}/invite/", {"email": email})
            of_the_game = ("game", "at", "expires_at", "commitment")
            body = {key: value for key, value in answer.json().items() if key not in of_the_game}
            seen.append((answer.status_code, str(body).replace(email, "…")))
        else:
            answer = browser("eve").post(f"/games/{game.code}/invite/", {"who": email})
            page = browser("eve").get(f"/games/{game.code}/").content.decode()
            seen.append((answer.status_code, email in page))
    assert seen[0] == seen[1]


def test_a_link_for_a_new_password_does_not_say_whether_there_is_such_a_player(world: World) -> None:
    there, gone = player("ada").pk, Player.objects.latest("pk").pk + 1000
    seen = []
    for number in (there, gone):
        path = f"/accounts/password/reset/key/{number}-wrong-key/"
        seen.append(str(shape(Client().get(path))).replace(path, "…"))
    assert seen[0] == seen[1]


def test_no_page_and_no_answer_holds_the_address_of_another(world: World) -> None:
    """What others see of ada: her name, never her address, nor when she was here."""
    game = new_game("ada", "bob")
    paths = ["/players/ada/", f"/games/{game.code}/", "/lobby/", "/ratings/", "/api/v1/players/ada/"]
    paths += [
        f"/api/v1/games/{game.code}/",
        f"/tournaments/{world.event.code}/",
        f"/leagues/{world.league.code}/",
    ]
    for path in paths:
        for name in ("nobody", "eve", "bob"):
            answer = world.browser(name).get(path)
            assert answer.status_code == 200
            assert EMAIL not in answer.content.decode()
            assert "seen_at" not in answer.content.decode()
