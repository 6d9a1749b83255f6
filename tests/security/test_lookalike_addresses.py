"""Addresses that a database or a person confuses with another: a dotless ı opens no account spelt with i."""

from __future__ import annotations

from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.core import mail
from django.core.cache import cache
from django.core.management import CommandError, call_command
from django.test import Client

from accounts.models import Player
from accounts.services import addresses
from common.service_errors import Conflict
from tests.factories.cast import NOW
from tests.factories.leagues import league_of
from tests.helpers.accounts import is_signed_in
from tests.helpers.address_claims import create_account_client
from tests.helpers.league_pages import find_join_link

pytestmark = pytest.mark.django_db
PASSWORD, OWN, LOOKALIKE = "a long walk by the canal", "victor@mail.example", "victor@maıl.example"


def test_the_mail_of_a_league_to_an_address_that_looks_alike_opens_another_account(settings: Any) -> None:
    settings.SITE_URL = "http://testserver"
    owner = create_account_client("Victor", PASSWORD, OWN)
    victim = Player.objects.get(name="Victor")
    TOTP.activate(victim, generate_totp_secret())
    league = league_of(0)
    cache.clear()
    mail.outbox.clear()
    stranger = Client()
    stranger.post(f"/leagues/{league.code}/ask/", {"email": LOOKALIKE, "name": ""})
    stranger.post(find_join_link(mail.outbox[-1]), {"name": "Whoever"})
    assert stranger.session.get("_auth_user_id") != str(victim.pk)
    victim.refresh_from_db()
    assert victim.email == OWN
    assert list(EmailAddress.objects.filter(user=victim).values_list("email", "verified")) == [(OWN, True)]
    assert Authenticator.objects.filter(user=victim).exists()
    assert is_signed_in(owner)
    assert victim.check_password(PASSWORD)


def test_an_account_with_an_address_of_its_own_gets_no_other_one_from_outside() -> None:
    create_account_client("Victor", PASSWORD, OWN)
    victim = Player.objects.get(name="Victor")
    pending = EmailAddress.objects.create(user=victim, email=LOOKALIKE)
    with pytest.raises(Conflict):
        addresses.confirm_address(address=pending, keep_access=False, now=NOW)
    victim.refresh_from_db()
    assert (victim.email, victim.check_password(PASSWORD)) == (OWN, True)


def test_nobody_becomes_an_operator_by_an_address_that_looks_like_anothers() -> None:
    create_account_client("Mallory", PASSWORD, LOOKALIKE)
    with pytest.raises(CommandError):
        call_command("operator", OWN, "all")
    assert not Player.objects.filter(is_staff=True).exists()


def test_programs_cannot_ask_whose_a_token_is() -> None:
    """The introspection endpoint of the OAuth toolkit would return the player's address."""
    assert Client().get("/oauth/introspect/").status_code == 404
