"""What a sign-up leaves behind tells nothing of the address: a known and an unknown one, step by step."""

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

from games.models import Player, Token
from games.services import lobby, retention, tokens
from tests.games import away
from tests.games.cast import Api, player
from tests.games.guesting import play_now
from tests.games.test_accounts import signed_in

from .proving import HERS, STRANGERS, X, account, opens
from .test_enumeration import shape

pytestmark = pytest.mark.django_db
UNKNOWN = "nobody@example.net"
OTHER_PASSWORD = "yet another walk, by the river"
# What differs by itself: the address, codes of games, tokens of forms.
LOOSE = re.compile(rf"{X}|{UNKNOWN}|/games/\w+/|csrfmiddlewaretoken. value=.\w+")
NOTE_TO_GUEST = re.compile(r"You play as a guest\.[^<]+")
KEPT = timedelta(days=site.RETENTION_DAYS["unconfirmed"])
DAY = timedelta(days=1)


@pytest.fixture(autouse=True)
def fresh(settings: Any) -> None:
    """Nothing is counted yet, and links are those of the test's own host."""
    cache.clear()
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    settings.SITE_URL = "http://testserver"


@pytest.fixture
def hashed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Every password that is hashed: by far the most of the time that such a request takes."""
    passwords: list[str] = []
    encode = MD5PasswordHasher.encode

    def note(self: Any, password: str, salt: str) -> str:
        passwords.append(password)
        return encode(self, password, salt)

    monkeypatch.setattr(MD5PasswordHasher, "encode", note)
    return passwords


@contextmanager
def undone() -> Iterator[None]:
    """Whatever is written inside is taken back, and whatever was counted or mailed forgotten."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)
    cache.clear()
    mail.outbox.clear()


class Diary:
    """Every answer that somebody without the mailbox can see, and the work behind it."""

    def __init__(self, email: str, hashed: list[str]) -> None:
        self.email, self.hashed = email, hashed
        self.lines: list[tuple[Any, ...]] = []

    def note(self, step: str, answer: HttpResponse, *more: Any) -> HttpResponse:
        status, headers, cookies, text = shape(answer)
        headers = {name: LOOSE.sub("…", value) for name, value in headers.items() if name != "RateLimit"}
        # A link is mailed once in three minutes; here the clock of the counts is set back before every step.
        mails = [one.to == [self.email] for one in mail.outbox]
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
        """Of a page that shows the guest's own game, which is another in each world, the words to guests."""
        answer = client.get(path)
        words = NOTE_TO_GUEST.findall(answer.content.decode())
        assert words
        self.lines.append((step, answer.status_code, words))


def sign_up(
    diary: Diary, step: str, client: Client, name: str, password: str, email: str = ""
) -> HttpResponse:
    fields = {"email": email or diary.email, "username": name, "password1": password}
    return diary.post(step, client, "/accounts/signup/", **fields)


def walk(email: str, hashed: list[str]) -> list[tuple[Any, ...]]:
    """Sign up with an address as a guest, and try all that could tell whether it has an account."""
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
    kept_for = Player.objects.get(pk=guest.pk).keeper
    assert kept_for is not None
    assert kept_for.name == "Mallory"
    sign_up(diary, "the name again", Client(), "Mallory", STRANGERS, "third@example.net")
    sign_up(diary, "a name that looks alike", Client(), "Ma11ory", STRANGERS, "third@example.net")
    diary.get("page of the player", Client(), "/players/Mallory/")
    diary.get("player in the API", Client(), "/api/v1/players/Mallory/")
    waiting = lobby.create_game(player=player("bob"), now=now, seats=2)
    asked = Api("bob").post(f"games/{waiting.code}/invite/", {"name": "Mallory"})
    diary.note("invitation by name", asked)
    for where, client in (("here", browser), ("elsewhere", Client())):
        for what, password in (("chosen", STRANGERS), ("wrong", "no such password")):
            step = f"sign in {where} with the {what} password"
            diary.post(step, client, "/accounts/login/", login=email, password=password)
            diary.get(f"{step}: next page", client, "/me/profile/")
            assert not signed_in(client)
    diary.post("operator's door", Client(), "/admin/login/", username=email, password=STRANGERS)
    diary.post("forgotten password", Client(), "/accounts/password/reset/", email=email)
    diary.post("a code", Client(), "/accounts/login/code/", email=email)
    second = Client()
    sign_up(diary, "sign up once more", second, "Trudy", OTHER_PASSWORD)
    for what, password in (("first", STRANGERS), ("second", OTHER_PASSWORD)):
        step = f"sign in with the {what} password"
        diary.post(step, Client(), "/accounts/login/", login=email, password=password)
    with away.refusing():
        answer = sign_up(diary, "without a mail server", Client(), "Peggy", STRANGERS)
    assert not Player.objects.filter(name="Peggy").exists()
    assert answer.status_code == 302
    hashed.clear()
    removed = retention.delete_expired_rows(now=now + KEPT + DAY)["unconfirmed"]
    assert not Player.objects.filter(name__in=("Mallory", "Trudy")).exists()
    diary.lines.append(("removed", removed))
    diary.get_note_to_guest("game of the guest afterwards", browser, f"/games/{game.code}/")
    assert Player.objects.get(pk=guest.pk).keeper is None
    sign_up(diary, "the name is free again", Client(), "Mallory", STRANGERS, "third@example.net")
    return diary.lines


def owners_rows() -> dict[str, Any]:
    """All of the account whose address it is."""
    owner = Player.objects.get(email=X)
    return {
        "player": model_to_dict(owner) | {"password": owner.password, "key": owner.key},
        "addresses": list(EmailAddress.objects.filter(user=owner).values()),
        "tokens": list(Token.objects.filter(player=owner).values()),
        "guests": list(Player.objects.filter(keeper=owner).values_list("pk", flat=True)),
    }


def test_no_step_after_a_sign_up_tells_whether_the_address_has_an_account(hashed: list[str]) -> None:
    account("Elsa", HERS, X)
    player("bob")
    mail.outbox.clear()
    worlds = []
    for email in (X, UNKNOWN):
        with undone():
            worlds.append(walk(email, hashed))
    known, unknown = worlds
    assert [line[0] for line in known] == [line[0] for line in unknown]
    for one, other in zip(known, unknown, strict=True):
        assert one == other, one[0]
    statuses = {line[0]: line[1] for line in known}
    assert statuses["sign up"] == 302
    assert statuses["the name again"] == 200, "the name is taken"
    assert statuses["sign in elsewhere with the chosen password"] == 302
    assert statuses["sign in elsewhere with the wrong password"] == 200
    assert statuses["sign in with the first password"] == 200
    assert statuses["the name is free again"] == 302
    mails = {line[0]: line[6] for line in known if len(line) > 3}
    assert mails["sign up"] == mails["sign in elsewhere with the chosen password"] == [True]


def test_nothing_that_a_stranger_chose_touches_the_account(hashed: list[str]) -> None:
    owner = account("Elsa", HERS, X)
    now = timezone.now()
    tokens.create_token(player=Player.objects.get(email=X), name="hers", scopes=("read",), now=now)
    before = owners_rows()
    player("bob")
    walk(X, hashed)
    assert owners_rows() == before
    assert signed_in(owner)
    assert opens(HERS)
    assert not opens(STRANGERS)


def test_the_owner_is_told_and_gets_no_link_to_the_other_account() -> None:
    account("Elsa", HERS, X)
    mail.outbox.clear()
    stranger = Client()
    stranger.post("/accounts/signup/", {"email": X, "username": "Mallory", "password1": STRANGERS})
    cache.clear()
    stranger.post("/accounts/login/", {"login": X, "password": STRANGERS})
    assert [one.to for one in mail.outbox] == [[X], [X]]
    for one in mail.outbox:
        assert "already exists" in one.body
        assert "/accounts/confirm-email/" not in one.body
        assert "Mallory" not in one.body


def test_who_signs_up_again_by_mistake_takes_the_games_of_a_guest_along() -> None:
    account("Elsa", HERS, X)
    browser = Client()
    guest, game = play_now(browser)
    browser.post("/accounts/signup/", {"email": X, "username": "Elsa again", "password1": OTHER_PASSWORD})
    cache.clear()
    browser.post("/accounts/login/", {"login": X, "password": HERS})
    assert signed_in(browser)
    assert game.places.get(bot="").player == Player.objects.get(email=X)
    assert not Player.objects.filter(pk=guest.pk).exists()


def test_an_account_that_goes_leaves_the_address_to_whoever_proves_it() -> None:
    owner = account("Elsa", HERS, X)
    stranger = Client()
    stranger.post("/accounts/signup/", {"email": X, "username": "Mallory", "password1": STRANGERS})
    Player.objects.get(email=X).delete()
    assert not signed_in(owner)
    assert not opens(STRANGERS)
    assert not EmailAddress.objects.filter(email=X, verified=True).exists()
