"""All spellings of a mailbox count as one address, and invalid addresses are refused."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.conf import settings as site
from django.core import mail
from django.core.cache import cache
from django.core.exceptions import ValidationError
from django.core.mail.message import sanitize_address
from django.http import HttpResponse
from django.test import Client
from django.utils.encoding import force_str
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from accounts.daily_limits import load_daily_limits
from accounts.email_addresses import canonical_address, comparable_address
from accounts.models import ContactCount, Player
from accounts.selectors.contacts import can_receive_account_mail, digest_of_address, is_refused_address
from accounts.services import contact_limits
from common import send_now
from games.models import Game, Invitation
from games.services import lobby
from notifications.channels.email.message import build_email_to_address
from tests.example_counts import pick_example_count
from tests.factories.cast import NOW, Api, open_browser, player
from tests.helpers.accounts import is_signed_in
from tests.helpers.address_claims import HERS, X, create_account_client
from tournaments.models import JoinRequest

from .world import World

pytestmark = pytest.mark.django_db
LONG_LABEL = "ü" * 60  # 63 characters are allowed, but its DNS form is longer
# One mailbox in the spellings of mail programs and databases.
SPELLINGS = (
    *("elsa@example.net", "Elsa@Example.NET", " elsa@example.net ", "elsa@ｅxample.net", "elsa@EXAMPLE.ｎet"),
)
# Spellings of that mailbox that Django's forms refuse.
RARE_SPELLINGS = (
    *("elsa@EXAMPLE．net", "elsa@example。net", "elsa@exa\u00admple.net", "elsa@ⓔxample.net"),
    *("elsa@𝐞xample.net",),
)
REFUSED = (
    *(
        "İ@example.net",
        "ılsa@example.net",
        "el\u017fa@example.net",
        "\u212aim@example.net",
        "josé@example.net",
    ),
    *(
        f"elsa@{LONG_LABEL}.net",
        "elsa@[127.0.0.1]",
        '"elsa"@example.net',
        '"el sa"@example.net',
        "elsa@☃.net",
    ),
    *("elsa", "", "@", "elsa@", "@example.net", "elsa@example.net.", "elsa@a@example.net", "elsa@-x.net"),
    *("elsa@example.net\nBcc: bob@example.net", "elsa@exam\x00ple.net", "elsa@\udcff.net", "elsa@xn--.net"),
    *(
        f"{'e' * 65}@example.net",
        f"elsa@{'a.' * 150}net",
        "elsa@example.net" * 50,
        "elsa@\u200b.net",
        "elsa@x..net",
    ),
)
LOCAL_PARTS = st.text(st.sampled_from("aZ09.+-_İıſK\u0301\"' @é\u200d"), min_size=1, max_size=12)
DOMAINS = st.text(st.sampled_from("aZ0.-ü。．ｅßς\u00ad\u200b\u0301☃İ_["), min_size=1, max_size=70)


@pytest.fixture(autouse=True)
def use_fast_hashers(settings: Any) -> None:
    cache.clear()
    settings.SITE_URL = "http://testserver"
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


# -------------------------------------------------------------------------------------------------- one form


@pytest.mark.parametrize("spelling", SPELLINGS + RARE_SPELLINGS)
def test_all_ways_to_write_an_address_are_one(spelling: str) -> None:
    assert canonical_address(spelling.strip()) == comparable_address(spelling) == X
    assert digest_of_address(spelling) == digest_of_address(X)


@pytest.mark.parametrize("text", REFUSED)
def test_what_no_mail_can_go_to_is_no_address(text: str) -> None:
    with pytest.raises(ValidationError):
        canonical_address(text)
    assert comparable_address(text) != "kim@example.net"
    assert digest_of_address(text) != digest_of_address(X)


@pytest.mark.parametrize(
    ("typed", "stored"),
    [
        ("a@straße.de", "a@xn--strae-oqa.de"),
        ("a@maıl.example", "a@xn--mal-kua.example"),
        ("A.b+C@ab--cd.com", "a.b+c@ab--cd.com"),
        ("you@localhost", "you@localhost"),
        ("o'neil@Пример.рф", "o'neil@xn--e1afmkfd.xn--p1ai"),
    ],
)
def test_domains_are_those_of_dns(typed: str, stored: str) -> None:
    assert canonical_address(typed) == canonical_address(stored) == stored


@settings(max_examples=pick_example_count(300), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(LOCAL_PARTS, DOMAINS)
def test_a_canonical_address_is_ascii_and_its_own(local: str, domain: str) -> None:
    try:
        address = canonical_address(f"{local}@{domain}")
    except ValidationError:
        return
    assert address.isascii()
    assert address == address.lower().strip()
    assert canonical_address(address) == address
    assert force_str(sanitize_address(("", address), "utf-8")) == address, "as Django writes it into a mail"


# ------------------------------------------------------------------------------------------ all entry points


def sign_up(client: Client, email: str, world: World) -> HttpResponse:
    return client.post("/accounts/signup/", {"email": email, "username": "Newcomer", "password1": HERS})


def change_address(client: Client, email: str, world: World) -> HttpResponse:
    return world.browser("eve").post("/accounts/email/", {"action_add": "", "email": email})


def create_waiting_game(world: World) -> Game:
    """Return a game of eve's without invitations."""
    eve = player("eve")
    game = Game.objects.filter(creator=eve, status=Game.Status.OPEN, invitations=None).first()
    return game or lobby.create_game(player=eve, now=world.now, seat_count=2)


def invite_by_api(client: Client, email: str, world: World) -> HttpResponse:
    game = create_waiting_game(world)
    return Api("eve").post(f"games/{game.code}/invite/", {"email": email})


def invite_on_page(client: Client, email: str, world: World) -> HttpResponse:
    game = create_waiting_game(world)
    return open_browser("eve").post(f"/games/{game.code}/invite/", {"who": email})


ROUTES: dict[str, Callable[[Client, str, World], HttpResponse]] = {
    "sign up": sign_up,
    "sign in": lambda client, email, world: client.post(
        "/accounts/login/", {"login": email, "password": HERS}
    ),
    "operator": lambda client, email, world: client.post(
        "/admin/login/", {"username": email, "password": HERS}
    ),
    "code": lambda client, email, world: client.post("/accounts/login/code/", {"email": email}),
    "reset": lambda client, email, world: client.post("/accounts/password/reset/", {"email": email}),
    "league": lambda client, email, world: client.post(
        f"/leagues/{world.league.code}/ask/", {"email": email, "name": "zoe"}
    ),
    "change": change_address,
    "invitation": invite_by_api,
    "invitation on the page": invite_on_page,
}


def list_stored_addresses() -> set[str]:
    return {
        *Player.objects.values_list("email", flat=True),
        *EmailAddress.objects.values_list("email", flat=True),
        *Invitation.objects.exclude(email="").values_list("email", flat=True),
        *JoinRequest.objects.values_list("email", flat=True),
    }


@pytest.mark.parametrize("route", ROUTES)
def test_what_is_no_address_is_refused_at_every_door(route: str, world: World) -> None:
    before, counts = list_stored_addresses(), list(ContactCount.objects.order_by("pk").values())
    for text in REFUSED:
        if "\udcff" in text or "\u212a" in text:
            continue  # a lone surrogate, which no browser can send; allauth's forms fold the Kelvin sign to k
        cache.clear()
        answer = ROUTES[route](Client(), text, world)
        assert answer.status_code in (200, 302, 400, 422), (text, answer.content)
        if route == "invitation":
            assert answer.status_code in (400, 422), text
            assert answer["Content-Type"] == "application/problem+json"
        elif not route.startswith(("invitation", "operator")):
            assert answer.status_code in (200, 422), text
    assert list_stored_addresses() == before
    assert mail.outbox == []
    assert list(ContactCount.objects.order_by("pk").values()) == counts


@pytest.mark.parametrize("route", ROUTES)
@settings(
    max_examples=pick_example_count(12),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(local=LOCAL_PARTS, domain=DOMAINS)
def test_no_text_at_all_breaks_a_door(route: str, world: World, local: str, domain: str) -> None:
    cache.clear()
    Player.objects.filter(name="Newcomer").delete()
    answer = ROUTES[route](Client(), f"{local}@{domain}", world)
    assert answer.status_code < 500
    for address in list_stored_addresses():
        assert canonical_address(address) == address


def test_a_mail_that_cannot_be_addressed_is_one_that_was_not_sent() -> None:
    with pytest.raises(send_now.MailNotSent):
        send_now.send_mail_now(
            build_email_to_address(f"elsa@{LONG_LABEL}.net", "x", {"headline": "x", "lead": ["x"]})
        )


# ---------------------------------------------------------------------------------------- limits and refusals


def list_outcomes(route: str, world: World, count: int) -> list[tuple[int, int]]:
    """Send requests in all spellings of one mailbox; return status and number of mails of each."""
    outcomes = []
    for number in range(count):
        mail.outbox.clear()
        spelling = SPELLINGS[number % len(SPELLINGS)]
        answer = ROUTES[route](Client(REMOTE_ADDR=f"192.0.2.{number}"), spelling, world)
        assert all(message.to == [X] for message in mail.outbox)
        outcomes.append((answer.status_code, len(mail.outbox)))
        Player.objects.filter(name="Newcomer").delete()
    return outcomes


@pytest.mark.parametrize(
    ("route", "most"),
    [
        ("code", 3),
        ("reset", 3),
        ("league", 2),
        ("invitation", load_daily_limits()["mailed-invitation"].per_stranger),
    ],
)
def test_other_letters_for_a_domain_bring_no_more_mails(route: str, most: int, world: World) -> None:
    sent = sum(mails for _status, mails in list_outcomes(route, world, 9))
    if route == "invitation":
        sent = Invitation.objects.filter(email=X).count()
    assert sent == most


def test_other_letters_for_a_domain_bring_no_more_sign_ups(world: World) -> None:
    assert sum(mails for _status, mails in list_outcomes("sign up", world, 9)) == 1, "one in three minutes"
    keys = ContactCount.objects.filter(key__startswith="account:").values_list("key", flat=True)
    assert len(keys) == 1


def test_a_password_is_guessed_as_often_however_the_address_is_written(world: World) -> None:
    create_account_client("Elsa", HERS, X)
    guesses = 0
    for number in range(30):
        client = Client(REMOTE_ADDR=f"192.0.2.{number}")
        spelling = SPELLINGS[number % len(SPELLINGS)]
        answer = client.post("/accounts/login/", {"login": spelling, "password": "wrong"})
        if "Too many" in answer.content.decode():
            break
        guesses += 1
    assert guesses == 5  # allauth's limit for five minutes, from any client address
    answer = Client().post("/accounts/login/", {"login": X, "password": HERS})
    assert "Too many" in answer.content.decode()


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_a_person_is_known_however_they_write_their_address(spelling: str) -> None:
    create_account_client("Elsa", HERS, X)
    client = Client()
    client.post("/accounts/login/", {"login": spelling, "password": HERS})
    assert is_signed_in(client)


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_who_wants_no_mail_gets_none_at_any_spelling(spelling: str, world: World) -> None:
    contact_limits.refuse_mail(digest=digest_of_address(X), now=NOW)
    assert is_refused_address(spelling)
    assert not can_receive_account_mail(spelling)
    for route in ("sign up", "code", "reset", "league"):
        assert ROUTES[route](Client(), spelling, world).status_code == 302
    assert mail.outbox == []


# -------------------------------------------------------------------------------- accounts made by commands


def test_the_form_of_an_account_that_is_made_on_the_machine() -> None:
    account = Player.objects.create_user(email="Some.Body@Ｅxample.ORG", name="Some", joined_at=NOW)
    assert account.email == "some.body@example.org"
    assert re.fullmatch(r"[ -~]+", account.email)
    assert site.ACCOUNT_FORMS["login"]
