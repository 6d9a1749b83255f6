"""Accounts on the pages: signing up, signing in, two-factor authentication."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.core import mail
from django.core.cache import cache
from django.test import Client

from accounts.models import Player
from tests.helpers.accounts import (
    EMAIL,
    PASSWORD,
    compute_totp,
    find_link,
    is_signed_in,
    reauthenticate,
    sign_in,
    sign_up,
    sign_up_and_confirm,
)
from tests.helpers.accounts import (
    reset_limits as reset_limits,
)

pytestmark = pytest.mark.django_db


def test_somebody_signs_up_and_the_mailed_link_lets_them_in(client: Client) -> None:
    answer = sign_up(client)
    assert (answer.status_code, answer["Location"]) == (302, "/accounts/confirm-email/")
    assert not is_signed_in(client)
    [message] = mail.outbox
    assert message.to == [EMAIL]
    assert message.subject == "OTTO online: confirm your email address"
    assert "Elsa Vermeer" in message.body

    link = find_link(message)
    assert b"Elsa Vermeer" in client.get(link).content
    assert not is_signed_in(client), "mail scanners open links: looking must not confirm"
    client.post(link)
    assert is_signed_in(client)
    player = Player.objects.get(email=EMAIL)
    assert (player.name, player.language, player.time_zone, player.mail_frequency) == (
        "Elsa Vermeer",
        "en",
        "UTC",
        "each",
    )
    assert player.joined_at


def test_the_form_asks_for_a_name_not_for_a_username(client: Client) -> None:
    page = client.get("/accounts/signup/").content
    assert b"Name that others see" in page
    assert b"Username" not in page


def test_the_language_of_the_browser_becomes_the_language_of_the_account(client: Client) -> None:
    client.post(
        "/accounts/signup/",
        {"email": EMAIL, "username": "Elsa", "password1": PASSWORD},
        headers={"Accept-Language": "nl"},
    )
    assert Player.objects.get(email=EMAIL).language == "nl"


def test_without_the_link_nobody_gets_in(client: Client) -> None:
    sign_up(client)
    sign_in(client)
    assert not is_signed_in(client)


@pytest.mark.parametrize("other_browser", [False, True])
def test_signing_up_leads_back_to_the_invitation(client: Client, other_browser: bool) -> None:
    sign_up(client, next="/games/abc/?seat=2")
    reader = Client() if other_browser else client
    link = find_link(mail.outbox[0])
    page = reader.get(link).content.decode()
    assert 'name="next" value="/games/abc/?seat=2"' in page
    answer = reader.post(link.partition("?")[0], {"next": "/games/abc/?seat=2"})
    assert answer["Location"] == "/games/abc/?seat=2"


@pytest.mark.parametrize("elsewhere", ["https://evil.example/", "//evil.example", "javascript:alert(1)"])
def test_signing_up_never_leads_to_another_site(client: Client, elsewhere: str) -> None:
    sign_up(client, next=elsewhere)
    link = find_link(mail.outbox[0])
    assert "evil" not in link
    assert "javascript" not in link
    assert client.post(link, {"next": elsewhere})["Location"] == "/"


@pytest.mark.parametrize(
    "name", ["ELSA VERMEER", "two..dots", " ", "_elsa", "elsa\x00", "x", "<b>elsa</b>", "e" * 31, "😀😀"]
)
def test_a_name_that_is_taken_or_no_name_is_refused(client: Client, name: str) -> None:
    sign_up_and_confirm(client)
    answer = sign_up(Client(), email="second@example.org", name=name)
    assert answer.status_code == 200
    assert answer.context["form"].errors.keys() == {"username"}
    assert Player.objects.count() == 1


def test_two_people_who_take_one_name_at_the_same_moment_get_a_page(client: Client, monkeypatch: Any) -> None:
    sign_up_and_confirm(client)
    monkeypatch.setattr("accounts.services.names.find_lookalike_name", lambda name: None)
    answer = sign_up(Client(), email="second@example.org", name="elsa vermeer")
    assert (answer.status_code, answer["Location"]) == (302, "/accounts/signup/")
    assert Player.objects.count() == 1


def test_nobody_learns_who_has_an_account(client: Client) -> None:
    sign_up_and_confirm(client)
    known_answer, unknown = (
        sign_up(Client(), name="Other"),
        sign_up(Client(), email="new@example.org", name="Another"),
    )
    assert (known_answer.status_code, known_answer["Location"]) == (unknown.status_code, unknown["Location"])
    assert [message.to for message in mail.outbox] == [[EMAIL], ["new@example.org"]]
    assert "already has an account" in mail.outbox[0].body

    mail.outbox.clear()
    answers = [
        Client().post("/accounts/password/reset/", {"email": email})
        for email in (EMAIL, "nobody@example.org")
    ]
    assert len({(answer.status_code, answer["Location"]) for answer in answers}) == 1


def test_password_in_and_out(client: Client) -> None:
    sign_up_and_confirm(Client())
    assert b"do not match" in sign_in(client, "wrong").content
    assert sign_in(client).status_code == 302
    assert is_signed_in(client)
    client.post("/accounts/logout/")
    assert not is_signed_in(client)


def test_a_mailed_code_will_do_instead_of_a_password(client: Client) -> None:
    sign_up_and_confirm(Client())
    answer = client.post("/accounts/login/code/", {"email": EMAIL})
    assert answer.status_code == 302
    code = re.search(r"\n\n([A-Z0-9-]{6,})\n\n", mail.outbox[0].body)
    assert code
    assert client.get(answer["Location"]).status_code == 200
    client.post(answer["Location"], {"code": "WRONGX"})
    assert not is_signed_in(client)
    client.post(answer["Location"], {"code": code[1]})
    assert is_signed_in(client)


def test_a_forgotten_password_is_set_anew_by_mail(client: Client) -> None:
    sign_up_and_confirm(Client())
    client.post("/accounts/password/reset/", {"email": EMAIL})
    page = client.get(find_link(mail.outbox[0]), follow=True)
    form = page.redirect_chain[-1][0]
    new = "another walk, another canal"
    client.post(form, {"password1": new, "password2": new})
    assert sign_in(client).status_code == 200
    assert sign_in(client, new).status_code == 302
    assert is_signed_in(client)


def test_two_factor_is_asked_for_once_it_is_on(client: Client) -> None:
    sign_up_and_confirm(client)
    assert client.get("/accounts/2fa/totp/activate/")["Location"].startswith("/accounts/reauthenticate/")
    reauthenticate(client)
    page = client.get("/accounts/2fa/totp/activate/")
    secret = page.context["form"].secret
    assert client.post("/accounts/2fa/totp/activate/", {"code": compute_totp(secret)}).status_code == 302
    codes = client.get("/accounts/2fa/recovery-codes/").context["unused_codes"]
    assert len(codes) == 10

    cache.clear()  # a code is accepted only once: forget that it was just used
    other = Client()
    assert sign_in(other)["Location"] == "/accounts/2fa/authenticate/"
    assert not is_signed_in(other)
    other.post("/accounts/2fa/authenticate/", {"code": "000000"})
    assert not is_signed_in(other)
    other.post("/accounts/2fa/authenticate/", {"code": compute_totp(secret)})
    assert is_signed_in(other)

    third = Client()
    sign_in(third)
    third.post("/accounts/2fa/authenticate/", {"code": codes[0]})
    assert is_signed_in(third)


def test_guessing_passwords_is_stopped(client: Client) -> None:
    sign_up_and_confirm(Client())
    for _ in range(5):
        sign_in(client, "wrong")
    assert b"Too many" in sign_in(client).content, "even the right one has to wait now"
    assert not is_signed_in(client)


def test_asking_for_codes_over_and_over_is_stopped(client: Client) -> None:
    answers = [Client().post("/accounts/login/code/", {"email": EMAIL}) for _ in range(4)]
    assert [answer.status_code for answer in answers] == [302, 302, 302, 200]
    assert answers[-1].context["form"].errors
    assert len(mail.outbox) == 3


def test_signing_up_over_and_over_is_stopped(client: Client) -> None:
    answers = [client.post("/accounts/signup/", {}) for _ in range(21)]
    assert {answer.status_code for answer in answers[:20]} == {200}
    assert answers[20].status_code == 429
    assert b"Too many tries" in answers[20].content
