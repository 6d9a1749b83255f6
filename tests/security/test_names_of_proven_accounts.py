"""After proving an address in another browser, the owner need not keep a name that a stranger chose."""

from __future__ import annotations

from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from accounts.models import Player
from accounts.services import addresses
from common.service_errors import Invalid
from tests.factories.cast import player
from tests.factories.leagues import league_of
from tests.helpers.accounts import is_signed_in
from tests.helpers.address_claims import HERS, STRANGERS, X, can_sign_in, sign_up, squat_address
from tests.helpers.league_pages import ask_to_join, find_join_link

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def reset_limits(settings: Any) -> None:
    cache.clear()
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    settings.SITE_URL = "http://testserver"


@pytest.mark.parametrize("fields", [{"password1": HERS}, {"password1": "", "without": "1"}])
def test_the_link_elsewhere_asks_for_a_name(fields: dict[str, str]) -> None:
    _stranger, link = squat_address()
    owner = Client()
    assert 'name="name" value="Mallory"' in owner.get(link).content.decode()
    assert owner.post(link, {"name": "  Elsa ", "time_zone": "Europe/Rome"} | fields).status_code == 302
    account = Player.objects.get(email=X)
    assert (account.name, account.name_skeleton, account.time_zone) == ("Elsa", "elsa", "Europe/Rome")
    assert is_signed_in(owner)
    assert can_sign_in(HERS) is ("without" not in fields)
    assert not Player.objects.filter(name="Mallory").exists()


@pytest.mark.parametrize("name", ["Mallory", "", " "])
def test_the_name_stays_if_no_other_is_chosen(name: str) -> None:
    _stranger, link = squat_address()
    owner = Client()
    assert owner.post(link, {"name": name, "password1": HERS}).status_code == 302
    assert Player.objects.get(email=X).name == "Mallory"
    assert can_sign_in(HERS)


@pytest.mark.parametrize("name", ["ada", "АDA", "admin", "OTTO admin", "x", "example.com", "a\0b", "n" * 31])
def test_a_name_that_nobody_may_have_is_refused_and_nothing_changes(name: str) -> None:
    player("ada")
    _stranger, link = squat_address()
    owner = Client()
    for more in ({"password1": HERS}, {"without": "1"}):
        answer = owner.post(link, {"name": name} | more)
        assert answer.status_code == 422
        assert b"errorlist" in answer.content
    assert not is_signed_in(owner)
    assert not EmailAddress.objects.get(email=X).verified
    assert Player.objects.get(email=X).name == "Mallory"
    assert owner.post(link, {"name": "Elsa", "password1": HERS}).status_code == 302


def test_a_name_that_somebody_takes_in_this_very_moment_is_said_so() -> None:
    _stranger, _link = squat_address()
    player("Elsa")
    address = EmailAddress.objects.get(email=X)
    with pytest.raises(Invalid) as refused:
        addresses.confirm_address(address=address, keep_access=False, name="Elsa", now=timezone.now())
    assert refused.value.code == "name"
    address.refresh_from_db()
    assert not address.verified
    assert Player.objects.get(pk=address.user_id).name == "Mallory"


def test_the_page_survives_that_race(monkeypatch: pytest.MonkeyPatch) -> None:
    _stranger, link = squat_address()
    player("Elsa")
    monkeypatch.setattr("accounts.web.auth_forms.names.check_new_name", lambda name: name)
    answer = Client().post(link, {"name": "Elsa", "password1": HERS})
    assert answer.status_code == 422
    assert b"This name is taken. Choose another one." in answer.content
    assert not can_sign_in(HERS)


def test_where_it_was_signed_up_nothing_is_chosen_again() -> None:
    client = Client()
    link = sign_up(client, "Mallory", STRANGERS)
    assert 'name="name"' not in client.get(link).content.decode()
    client.post(link, {"name": "Elsa", "password1": HERS, "time_zone": "Europe/Rome"})
    account = Player.objects.get(email=X)
    assert (account.name, account.time_zone) == ("Mallory", "UTC")
    assert can_sign_in(STRANGERS)


@pytest.mark.parametrize("name", ["Elsa", "Mallory"])
def test_who_joins_a_league_chooses_the_name_as_well(name: str) -> None:
    squat_address()
    owner, league = Client(), league_of(2)
    ask_to_join(owner, league, email=X, name="")
    link = find_join_link(mail.outbox[-1])
    assert 'name="name" value="Mallory"' in owner.get(link).content.decode()
    assert owner.post(link, {"name": "", "time_zone": "Europe/Rome"}).status_code == 422
    assert owner.post(link, {"name": name, "time_zone": "Europe/Rome"}).status_code == 302
    account = Player.objects.get(email=X)
    assert (account.name, account.time_zone) == (name, "Europe/Rome")
    assert is_signed_in(owner)
    assert not can_sign_in(STRANGERS)
