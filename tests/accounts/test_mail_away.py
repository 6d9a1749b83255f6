"""Accounts while no mail can be sent: the page says so, nothing breaks, and a retry works."""

from __future__ import annotations

import time
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.core import mail
from django.core.cache import cache
from django.test import Client

from accounts.models import Player
from common import send_now
from tests.factories.guesting import play_now
from tests.helpers import mail_outages
from tests.helpers.accounts import (
    EMAIL,
    PASSWORD,
    compute_totp,
    find_link,
    is_signed_in,
    reauthenticate,
    reset_limits,
    sign_in,
    sign_up,
    sign_up_and_confirm,
)

pytestmark = pytest.mark.django_db
SEND_FAILED_TEXT = "We could not send the mail. Try again in a few minutes."
NEW = "elsa.new@example.org"
CHANGED = "another walk, another canal"


__all__ = ["reset_limits"]  # autouse: it also runs for every test in this module


def follow_redirect(client: Client, answer: Any, path: str) -> str:
    """Follow a redirect to this path and check that the page reports the failed mail."""
    assert (answer.status_code, answer["Location"]) == (302, path)
    text: str = client.get(path).content.decode()
    assert SEND_FAILED_TEXT in text
    return text


# ------------------------------------------------------------------------------------------------- signing up


def test_who_signs_up_is_notified_and_signs_up_again_with_the_same_name(client: Client) -> None:
    with mail_outages.refuse_connections():
        follow_redirect(client, sign_up(client), "/accounts/signup/")
        assert not Player.objects.exists(), "it would hold the name"
        follow_redirect(client, sign_up(client), "/accounts/signup/")
    assert sign_up(client)["Location"] == "/accounts/confirm-email/"
    client.post(find_link(mail.outbox[0]))
    assert is_signed_in(client)


def test_where_the_person_was_going_is_not_forgotten(client: Client) -> None:
    with mail_outages.refuse_connections():
        answer = sign_up(client, next="/games/abc/?seat=2")
    page = follow_redirect(client, answer, "/accounts/signup/?next=%2Fgames%2Fabc%2F%3Fseat%3D2")
    assert 'value="/games/abc/?seat=2"' in page


def test_a_guest_keeps_their_games_for_the_second_try(client: Client) -> None:
    guest, game = play_now(client)
    with mail_outages.refuse_connections():
        sign_up(client)
    assert client.get(f"/games/{game.code}/").context["game"]["you"]
    sign_up(client)
    client.post(find_link(mail.outbox[0]))
    assert game.seats.get(bot_policy="").player == Player.objects.get(email=EMAIL)
    assert not Player.objects.filter(pk=guest.pk).exists()


def test_who_has_not_confirmed_gets_another_link_by_signing_in(client: Client) -> None:
    sign_up(client)
    mail.outbox.clear()
    cache.clear()
    with mail_outages.refuse_connections():
        follow_redirect(client, sign_in(client), "/accounts/login/")
    assert Player.objects.filter(email=EMAIL).exists(), "this one was made before"
    assert sign_in(client)["Location"] == "/accounts/confirm-email/"
    client.post(find_link(mail.outbox[0]))
    assert is_signed_in(client)


def test_it_is_said_in_the_language_of_the_reader(client: Client) -> None:
    form = {"email": EMAIL, "username": "Elsa", "password1": PASSWORD}
    with mail_outages.refuse_connections():
        answer = client.post("/accounts/signup/", form, headers={"Accept-Language": "it"}, follow=True)
    assert "Non siamo riusciti a mandare la mail. Riprova tra qualche minuto." in answer.content.decode()


# -------------------------------------------------------------------------------- passwords, codes, addresses


@pytest.mark.parametrize("path", ["/accounts/password/reset/", "/accounts/login/code/"])
@pytest.mark.parametrize("email", [EMAIL, "nobody@example.org"])
def test_a_new_password_or_a_code_can_be_asked_for_again(client: Client, path: str, email: str) -> None:
    sign_up_and_confirm(Client())
    with mail_outages.refuse_connections():
        follow_redirect(client, client.post(path, {"email": email}), path)
    answer = client.post(path, {"email": email})
    assert answer.status_code == 302
    assert answer["Location"] != path
    assert [message.to for message in mail.outbox] == [[email]]


def test_a_new_address_waits_and_its_link_can_be_asked_for_again(client: Client) -> None:
    sign_up_and_confirm(client)
    reauthenticate(client)
    path = "/accounts/email/"
    with mail_outages.refuse_connections():
        follow_redirect(client, client.post(path, {"action_add": "", "email": NEW}), path)
        follow_redirect(client, client.post(path, {"action_send": "", "email": NEW}), path)
    client.post(path, {"action_send": "", "email": NEW})
    client.post(find_link(mail.outbox[0]))
    assert Player.objects.get().email == NEW


# ------------------------------------------------------------------------------------- mails that only inform


def test_an_address_is_confirmed_also_if_the_old_one_cannot_be_notified(client: Client) -> None:
    sign_up_and_confirm(client)
    reauthenticate(client)
    client.post("/accounts/email/", {"action_add": "", "email": NEW})
    with mail_outages.refuse_connections():
        answer = client.post(find_link(mail.outbox[0]), follow=True)
    assert answer.status_code == 200
    assert EmailAddress.objects.get().email == Player.objects.get().email == NEW


def test_a_password_is_changed_also_if_no_mail_can_tell_of_it(client: Client) -> None:
    sign_up_and_confirm(client)
    form = {"oldpassword": PASSWORD, "password1": CHANGED, "password2": CHANGED}
    with mail_outages.refuse_connections():
        answer = client.post("/accounts/password/change/", form, follow=True)
    assert answer.status_code == 200
    assert SEND_FAILED_TEXT not in answer.content.decode()
    assert is_signed_in(client)
    assert sign_in(Client(), CHANGED).status_code == 302


def test_a_forgotten_password_is_set_also_if_no_mail_can_tell_of_it(client: Client) -> None:
    sign_up_and_confirm(Client())
    client.post("/accounts/password/reset/", {"email": EMAIL})
    form = client.get(find_link(mail.outbox[0]), follow=True).redirect_chain[-1][0]
    with mail_outages.refuse_connections():
        answer = client.post(form, {"password1": CHANGED, "password2": CHANGED}, follow=True)
    assert answer.status_code == 200
    assert sign_in(client, CHANGED).status_code == 302


def test_two_factor_is_switched_on_and_off_also_if_no_mail_can_tell_of_it(client: Client) -> None:
    sign_up_and_confirm(client)
    reauthenticate(client)
    path = "/accounts/2fa/totp/"
    secret = client.get(f"{path}activate/").context["form"].secret
    with mail_outages.refuse_connections():
        assert client.post(f"{path}activate/", {"code": compute_totp(secret)}).status_code == 302
        assert Authenticator.objects.count() == 2
        assert client.post("/accounts/2fa/recovery-codes/generate/").status_code == 302
        assert client.post(f"{path}deactivate/").status_code == 302
    assert not Authenticator.objects.exists()


# ------------------------------------------------------------------------------------------- kinds of failure


def test_a_server_that_says_nothing_holds_a_page_only_for_a_moment(
    client: Client, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert send_now.SMTP_TIMEOUT_SECONDS <= 5
    monkeypatch.setattr(send_now, "SMTP_TIMEOUT_SECONDS", 0.2)
    settings.EMAIL_TIMEOUT = 60  # the timeout of workers
    started_at = time.monotonic()
    with mail_outages.take_calls_silently():
        follow_redirect(client, sign_up(client), "/accounts/signup/")
    assert time.monotonic() - started_at < 20


def test_a_provider_that_is_out_of_order_is_no_mistake_of_ours(client: Client) -> None:
    with mail_outages.break_provider():
        follow_redirect(client, sign_up(client), "/accounts/signup/")
    assert sign_up(client)["Location"] == "/accounts/confirm-email/"
