"""Daily limits of mails that anybody can trigger to any address, and limits of processor time."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from allauth.core.internal import ratelimit
from django.conf import settings as site
from django.core import mail
from django.core.cache import cache
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

from accounts.models import ContactCount
from accounts.services import contact_limits
from common import rate_limits
from common.service_errors import LimitReached
from tests.factories.cast import NOW, start_cast_game
from tests.helpers.address_claims import HERS, X, create_account_client

pytestmark = pytest.mark.django_db
UNKNOWN = "nobody@example.net"
TWO_MINUTES, DAY = 120, 24 * 3600
RESET, CODE = "/accounts/password/reset/", "/accounts/login/code/"


@pytest.fixture(autouse=True)
def reset_limits(settings: Any) -> Iterator[None]:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    settings.SITE_URL = "http://testserver"
    cache.clear()
    yield
    cache.clear()


@pytest.fixture
def pass_seconds(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Return a function that advances the clock of allauth's rate limits."""
    passed = [0.0]
    clock = SimpleNamespace(time=lambda: time.time() + passed[0], monotonic=time.monotonic, sleep=time.sleep)
    monkeypatch.setattr(ratelimit, "time", clock)

    def wait_seconds(seconds: int) -> None:
        passed[0] += seconds

    return wait_seconds


def ask_for_mail(path: str, email: str, number: int) -> tuple[HttpResponse, int]:
    """Request a mail from a new client address; return the response and the number of mails sent."""
    mail.outbox.clear()
    answer = Client(REMOTE_ADDR=f"192.0.2.{number}").post(path, {"email": email})
    assert all(message.to == [email] for message in mail.outbox)
    return answer, len(mail.outbox)


@pytest.mark.parametrize(("path", "most"), [(RESET, 10), (CODE, 20)])
def test_an_account_gets_so_many_links_and_codes_a_day(
    path: str, most: int, pass_seconds: Callable[[int], None]
) -> None:
    create_account_client("Elsa", HERS, X)
    sent = 0
    for number in range(most + 5):
        pass_seconds(TWO_MINUTES)  # passes the limit per minute
        answer, mails = ask_for_mail(path, X, number)
        sent += mails
        assert mails == (1 if number < most else 0)
        assert answer.status_code == (302 if number < most else 429 if path == RESET else 200)
    assert sent == most
    if path == CODE:
        assert b"Too many" in answer.content
    pass_seconds(DAY)
    assert ask_for_mail(path, X, 99)[1] == 1, "the next day it goes on"


@pytest.mark.parametrize(("path", "most"), [(RESET, 10), (CODE, 20)])
def test_an_address_without_an_account_is_answered_in_the_same_way(
    path: str, most: int, pass_seconds: Callable[[int], None]
) -> None:
    create_account_client("Elsa", HERS, X)
    worlds = []
    for email in (X, UNKNOWN):
        statuses = []
        for number in range(most + 3):
            pass_seconds(TWO_MINUTES)
            statuses.append(ask_for_mail(path, email, number)[0].status_code)
        worlds.append(statuses)
    assert worlds[0] == worlds[1]
    assert len(set(worlds[0])) == 2


# ------------------------------------------------------------------ mails to addresses without an account


def test_mails_about_no_account_have_a_limit_of_their_own(pass_seconds: Callable[[int], None]) -> None:
    sent = 0
    for number in range(8):
        pass_seconds(TWO_MINUTES)
        sent += ask_for_mail((RESET, CODE)[number % 2], UNKNOWN, number)[1]
    assert sent == contact_limits.MAX_UNKNOWN_ACCOUNT_MAILS_PER_ADDRESS == 3
    mail.outbox.clear()
    for number in range(contact_limits.MAX_ACCOUNT_MAILS_PER_ADDRESS + 2):
        pass_seconds(10 * TWO_MINUTES)
        fields = {"email": UNKNOWN, "username": f"Newcomer {'abcdefghijkl'[number]}", "password1": HERS}
        assert Client(REMOTE_ADDR=f"198.51.100.{number}").post("/accounts/signup/", fields).status_code == 302
    assert len(mail.outbox) == contact_limits.MAX_ACCOUNT_MAILS_PER_ADDRESS, "they use up none of a sign-up's"
    assert all("confirm-email" in message.body for message in mail.outbox)


def test_sign_ups_use_up_none_of_the_others() -> None:
    for _number in range(contact_limits.MAX_ACCOUNT_MAILS_PER_ADDRESS):
        contact_limits.count_account_mail(email=X, now=NOW)
    with pytest.raises(LimitReached):
        contact_limits.count_account_mail(email=X, now=NOW)
    for _number in range(contact_limits.MAX_UNKNOWN_ACCOUNT_MAILS_PER_ADDRESS):
        contact_limits.count_account_mail(email=X, account_unknown=True, now=NOW)
    with pytest.raises(LimitReached):
        contact_limits.count_account_mail(email=X, account_unknown=True, now=NOW)
    assert ContactCount.objects.count() == 2
    contact_limits.count_account_mail(email=X, account_unknown=True, now=NOW + timedelta(days=1, seconds=1))


# ------------------------------------------------------------------------------------- processor time


def test_a_request_to_the_api_that_takes_long_counts_as_several(
    settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By processor time, so that expensive operations give a client no larger share of the machine."""
    settings.API_RATE_ANONYMOUS = 60
    game = start_cast_game("ada", "bob")
    noon = timezone.now().replace(minute=0, second=10, microsecond=0)
    monkeypatch.setattr(timezone, "now", lambda: noon)
    path = f"/api/v1/games/{game.code}/record/"

    def count_left_after_two() -> int:
        rate_limits.reset_counts()
        client = Client()
        client.get(path)
        answer = client.get(path)
        return int(answer["RateLimit"].partition("remaining=")[2].partition(",")[0])

    Client().get(path)  # excludes work that only the first request does
    settings.API_MILLISECONDS = 10**6
    assert count_left_after_two() == 58
    settings.API_MILLISECONDS = 0
    assert count_left_after_two() == 58, "0: no time counts"
    settings.API_MILLISECONDS = 1
    assert count_left_after_two() < 57
    rate_limits.reset_counts()


def test_a_slow_request_to_the_api_is_charged_what_it_took(
    settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Charged exactly, measured with a fake clock."""
    settings.API_MILLISECONDS = 50
    monkeypatch.setattr("accounts.web.page_limits.time", SimpleNamespace(thread_time=Ticks(0.26)))
    charged: list[int] = []
    add = rate_limits.RequestCount.add_cost

    def note_cost(self: rate_limits.RequestCount, cost: int, **how: Any) -> None:
        charged.append(cost)
        add(self, cost, **how)

    monkeypatch.setattr(rate_limits.RequestCount, "add_cost", note_cost)
    assert Client().get("/api/v1/games/").status_code in (200, 401)
    assert charged[-1] == 5
    assert site.API_MILLISECONDS == 50


class Ticks:
    """A clock that advances by a fixed step at each call."""

    def __init__(self, step: float) -> None:
        self.step, self.now = step, 0.0

    def __call__(self) -> float:
        self.now += self.step
        return self.now
