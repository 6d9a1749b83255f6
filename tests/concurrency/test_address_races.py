"""Concurrent operations on one address: two links, a double press, two sign-ups, and the sweep."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from accounts import retention as accounts_retention
from accounts.models import Player
from tests.helpers.accounts import is_signed_in
from tests.helpers.address_claims import HERS, STRANGERS, X, can_sign_in, sign_up
from tests.helpers.races import again_and_again, run_at_once

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def reset_limits(settings: Any) -> None:
    """Reset the rate limits and use a fast password hasher."""
    cache.clear()
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


def submit_link(client: Client, link: str, **fields: str) -> int:
    return client.post(link, fields).status_code


@again_and_again
def test_of_two_who_press_one_button_one_gets_the_account(run: int) -> None:
    link = sign_up(Client(), "Mallory", STRANGERS)
    browsers = {HERS: Client(), "another walk, another canal": Client()}
    commands: list[Callable[[], int]] = [
        partial(submit_link, browser, link, password1=password) for password, browser in browsers.items()
    ]
    assert sorted(run_at_once(*commands)) == [302, 410]
    inside = [password for password, browser in browsers.items() if is_signed_in(browser)]
    assert len(inside) == 1
    assert [password for password in browsers if can_sign_in(password)] == inside
    assert not can_sign_in(STRANGERS)


@again_and_again
def test_of_two_links_to_one_address_one_counts(run: int) -> None:
    stranger, owner = Client(), Client()
    links = [sign_up(stranger, "Mallory", STRANGERS)]
    cache.clear()
    links.append(sign_up(owner, "Elsa", HERS))
    answers = run_at_once(*(partial(submit_link, Client(), link, without="1") for link in links))
    assert answers.count(302) == 1
    assert {302, *answers} <= {302, 404, 409}
    [address] = EmailAddress.objects.filter(email=X)
    [left] = Player.objects.all()
    assert (address.verified, address.user, left.email) == (True, left, X)


@again_and_again
def test_two_who_sign_up_with_one_address_both_get_their_own_account(run: int) -> None:
    def sign_up(name: str) -> int:
        fields = {"email": X, "username": name, "password1": HERS}
        return Client().post("/accounts/signup/", fields).status_code

    assert run_at_once(partial(sign_up, "Mallory"), partial(sign_up, "Elsa")) == [302, 302]
    assert sorted(Player.objects.values_list("name", flat=True)) == ["Elsa", "Mallory"]
    assert Player.objects.filter(email=X).count() == 1
    assert EmailAddress.objects.filter(email=X, verified=False).count() == 2


@again_and_again
def test_who_confirms_while_a_stranger_signs_up_has_the_address(run: int) -> None:
    owner = Client()
    link = sign_up(owner, "Elsa", HERS)
    fields = {"email": X, "username": "Mallory", "password1": STRANGERS}
    cache.clear()
    answers = run_at_once(
        partial(submit_link, owner, link), lambda: Client().post("/accounts/signup/", fields).status_code
    )
    assert answers == [302, 302]
    elsa = Player.objects.get(name="Elsa")
    assert (elsa.email, EmailAddress.objects.get(user=elsa).verified) == (X, True)
    assert is_signed_in(owner)
    assert can_sign_in(HERS)
    assert not can_sign_in(STRANGERS)


@again_and_again
def test_who_confirms_while_the_sweep_removes_them_is_in_or_gone(run: int) -> None:
    client = Client()
    link = sign_up(client, "Elsa", HERS)
    later = timezone.now() + timedelta(days=30)
    answer, removed = run_at_once(
        partial(submit_link, client, link), partial(accounts_retention.remove_unconfirmed_accounts, now=later)
    )
    assert (answer, removed) in {(302, 0), (404, 1)}
    assert is_signed_in(client) is (answer == 302)
    assert Player.objects.filter(email=X).exists() is (answer == 302)
