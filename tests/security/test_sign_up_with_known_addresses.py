"""A sign-up reveals nothing about the address: known and unknown addresses are compared step by step."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.conf import settings as site
from django.contrib.auth.hashers import MD5PasswordHasher
from django.core import mail
from django.core.cache import cache
from django.db import transaction
from django.forms.models import model_to_dict
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

from accounts.models import Player, Token
from accounts.services import retention, tokens
from games.services import lobby
from tests.factories.cast import Api, player
from tests.factories.guesting import play_now
from tests.helpers import mail_outages
from tests.helpers.accounts import is_signed_in
from tests.helpers.address_claims import HERS, STRANGERS, X, can_sign_in, create_account_client

from .page_shapes import summarise_response

pytestmark = pytest.mark.django_db
UNKNOWN = "nobody@example.net"
OTHER_PASSWORD = "yet another walk, by the river"
# Values that always differ: the address, game codes, CSRF tokens.
LOOSE = re.compile(rf"{X}|{UNKNOWN}|/games/\w+/|csrfmiddlewaretoken. value=.\w+")
NOTE_TO_GUEST = re.compile(r"You play as a guest\.[^<]+")
KEPT = timedelta(days=site.RETENTION_DAYS["unconfirmed"])
DAY = timedelta(days=1)


@pytest.fixture(autouse=True)
def reset_limits(settings: Any) -> None:
    """Reset the request counts, and use the host of the test client in links."""
    cache.clear()
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    settings.SITE_URL = "http://testserver"


@pytest.fixture
def hashed_passwords(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Record every hashed password; hashing is by far the most expensive part of such a request."""
    passwords: list[str] = []
    encode = MD5PasswordHasher.encode

    def note_password(self: Any, password: str, salt: str) -> str:
        passwords.append(password)
        return encode(self, password, salt)

    monkeypatch.setattr(MD5PasswordHasher, "encode", note_password)
    return passwords


@contextmanager
def undo_afterwards() -> Iterator[None]:
    """Roll back everything written inside, and clear the request counts and mails."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)
    cache.clear()
    mail.outbox.clear()


class Diary:
    """Records every response that a person without the mailbox can see, and the work of the server."""

    def __init__(self, email: str, hashed: list[str]) -> None:
        self.email, self.hashed = email, hashed
        self.lines: list[tuple[Any, ...]] = []

    def note(self, step: str, answer: HttpResponse, *more: Any) -> HttpResponse:
        status, headers, cookies, text = summarise_response(answer)
        headers = {name: LOOSE.sub("…", value) for name, value in headers.items() if name != "RateLimit"}
        # A link is mailed once in three minutes; the clock of that limit is set back before every step.
        mails = [message.to == [self.email] for message in mail.outbox]
        work = len(self.hashed)
        self.lines.append((step, status, headers, cookies, LOOSE.sub("…", text), work, mails, more))
        self.hashed.clear()
        mail.outbox.clear()
        cache.clear()
        return answer

    def post(self, step: str, client: Client, path: str, **fields: str) -> HttpResponse:
        return self.note(step, client.post(path, fields))

    def get(self, step: str, client: Client, path: str) -> HttpResponse:
        return self.note(step, client.get(path))

    def get_note_to_guest(self, step: str, client: Client, path: str) -> None:
        """Record only the note to guests, because the page also shows the guest's game, which differs."""
        answer = client.get(path)
        words = NOTE_TO_GUEST.findall(answer.content.decode())
        assert words
        self.lines.append((step, answer.status_code, words))


def sign_up(
    diary: Diary, step: str, client: Client, name: str, password: str, email: str = ""
) -> HttpResponse:
    fields = {"email": email or diary.email, "username": name, "password1": password}
    return diary.post(step, client, "/accounts/signup/", **fields)


def walk_sign_up(email: str, hashed: list[str]) -> list[tuple[Any, ...]]:
    """Sign up as a guest with this address, and try everything that could reveal an account."""
    diary, browser, now = Diary(email, hashed), Client(), timezone.now()
    guest, game = play_now(browser)
    hashed.clear()
    cache.clear()
    diary.get("form", browser, "/accounts/signup/")
    sign_up(diary, "sign up", browser, "Mallory", STRANGERS)
    diary.get("page about the mail", browser, "/accounts/confirm-email/")
    diary.get("sign-in page afterwards", browser, "/accounts/login/")
    diary.get("sign-up page afterwards", browser, "/accounts/signup/")
    diary.get_note_to_guest("game of the guest", browser, f"/games/{game.code}/")
    kept_for = Player.objects.get(pk=guest.pk).claimed_by
    assert kept_for is not None
    assert kept_for.name == "Mallory"
    sign_up(diary, "the name again", Client(), "Mallory", STRANGERS, "third@example.net")
    sign_up(diary, "a name that looks alike", Client(), "Ma11ory", STRANGERS, "third@example.net")
    diary.get("page of the player", Client(), "/players/Mallory/")
    diary.get("player in the API", Client(), "/api/v1/players/Mallory/")
    waiting = lobby.create_game(player=player("bob"), now=now, seat_count=2)
    response = Api("bob").post(f"games/{waiting.code}/invite/", {"name": "Mallory"})
    diary.note("invitation by name", response)
    for where, client in (("here", browser), ("elsewhere", Client())):
        for password_name, password in (("chosen", STRANGERS), ("wrong", "no such password")):
            step = f"sign in {where} with the {password_name} password"
            diary.post(step, client, "/accounts/login/", login=email, password=password)
            diary.get(f"{step}: next page", client, "/me/profile/")
            assert not is_signed_in(client)
    diary.post("operator's door", Client(), "/admin/login/", username=email, password=STRANGERS)
    diary.post("forgotten password", Client(), "/accounts/password/reset/", email=email)
    diary.post("a code", Client(), "/accounts/login/code/", email=email)
    second = Client()
    sign_up(diary, "sign up once more", second, "Trudy", OTHER_PASSWORD)
    for password_name, password in (("first", STRANGERS), ("second", OTHER_PASSWORD)):
        step = f"sign in with the {password_name} password"
        diary.post(step, Client(), "/accounts/login/", login=email, password=password)
    with mail_outages.refuse_connections():
        answer = sign_up(diary, "has no mail server", Client(), "Peggy", STRANGERS)
    assert not Player.objects.filter(name="Peggy").exists()
    assert answer.status_code == 302
    hashed.clear()
    removed = retention.delete_expired_rows(now=now + KEPT + DAY)["unconfirmed"]
    assert not Player.objects.filter(name__in=("Mallory", "Trudy")).exists()
    diary.lines.append(("removed", removed))
    diary.get_note_to_guest("game of the guest afterwards", browser, f"/games/{game.code}/")
    assert Player.objects.get(pk=guest.pk).claimed_by is None
    sign_up(diary, "the name is free again", Client(), "Mallory", STRANGERS, "third@example.net")
    return diary.lines


def dump_owner_rows() -> dict[str, Any]:
    """Return all rows of the account of this address."""
    owner = Player.objects.get(email=X)
    return {
        "player": model_to_dict(owner) | {"password": owner.password, "feed_token": owner.feed_token},
        "addresses": list(EmailAddress.objects.filter(user=owner).values()),
        "tokens": list(Token.objects.filter(player=owner).values()),
        "guests": list(Player.objects.filter(claimed_by=owner).values_list("pk", flat=True)),
    }


def test_no_step_after_a_sign_up_tells_whether_the_address_has_an_account(
    hashed_passwords: list[str],
) -> None:
    create_account_client("Elsa", HERS, X)
    player("bob")
    mail.outbox.clear()
    worlds = []
    for email in (X, UNKNOWN):
        with undo_afterwards():
            worlds.append(walk_sign_up(email, hashed_passwords))
    known_lines, unknown = worlds
    assert [line[0] for line in known_lines] == [line[0] for line in unknown]
    for line, other in zip(known_lines, unknown, strict=True):
        assert line == other, line[0]
    statuses = {line[0]: line[1] for line in known_lines}
    assert statuses["sign up"] == 302
    assert statuses["the name again"] == 200, "the name is taken"
    assert statuses["sign in elsewhere with the chosen password"] == 302
    assert statuses["sign in elsewhere with the wrong password"] == 200
    assert statuses["sign in with the first password"] == 200
    assert statuses["the name is free again"] == 302
    mails = {line[0]: line[6] for line in known_lines if len(line) > 3}
    assert mails["sign up"] == mails["sign in elsewhere with the chosen password"] == [True]


def test_nothing_that_a_stranger_chose_touches_the_account(hashed_passwords: list[str]) -> None:
    owner = create_account_client("Elsa", HERS, X)
    now = timezone.now()
    tokens.create_token(player=Player.objects.get(email=X), name="hers", scopes=("read",), now=now)
    before = dump_owner_rows()
    player("bob")
    walk_sign_up(X, hashed_passwords)
    assert dump_owner_rows() == before
    assert is_signed_in(owner)
    assert can_sign_in(HERS)
    assert not can_sign_in(STRANGERS)


def test_the_owner_is_notified_and_gets_no_link_to_the_other_account() -> None:
    create_account_client("Elsa", HERS, X)
    mail.outbox.clear()
    stranger = Client()
    stranger.post("/accounts/signup/", {"email": X, "username": "Mallory", "password1": STRANGERS})
    cache.clear()
    stranger.post("/accounts/login/", {"login": X, "password": STRANGERS})
    assert [message.to for message in mail.outbox] == [[X], [X]]
    for message in mail.outbox:
        assert "already has an account" in message.body
        assert "/accounts/confirm-email/" not in message.body
        assert "Mallory" not in message.body


def test_who_signs_up_again_by_mistake_takes_the_games_of_a_guest_along() -> None:
    create_account_client("Elsa", HERS, X)
    browser = Client()
    guest, game = play_now(browser)
    browser.post("/accounts/signup/", {"email": X, "username": "Elsa again", "password1": OTHER_PASSWORD})
    cache.clear()
    browser.post("/accounts/login/", {"login": X, "password": HERS})
    assert is_signed_in(browser)
    assert game.seats.get(bot_policy="").player == Player.objects.get(email=X)
    assert not Player.objects.filter(pk=guest.pk).exists()


def test_an_account_that_goes_leaves_the_address_to_whoever_proves_it() -> None:
    owner = create_account_client("Elsa", HERS, X)
    stranger = Client()
    stranger.post("/accounts/signup/", {"email": X, "username": "Mallory", "password1": STRANGERS})
    Player.objects.get(email=X).delete()
    assert not is_signed_in(owner)
    assert not can_sign_in(STRANGERS)
    assert not EmailAddress.objects.filter(email=X, verified=True).exists()
