"""An account belongs to the person who proves its address; an earlier unproven claim gives no access."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.core import mail
from django.core.cache import cache
from django.test import Client
from django.utils import timezone
from oauth2_provider.models import Application

from accounts.models import Player
from accounts.services import oauth_apps, tokens
from notifications.models import Webhook
from notifications.services import webhooks
from notifications.unsubscribe_links import make_unsubscribe_token
from tests.factories.cast import player
from tests.factories.leagues import league_of
from tests.helpers.accounts import find_link, is_signed_in
from tests.helpers.address_claims import (
    HERS,
    OTHER,
    STRANGERS,
    X,
    can_sign_in,
    create_account_client,
    find_mailed_code,
    sign_in_by_code,
    sign_up,
    squat_address,
)
from tests.helpers.league_pages import ask_to_join as ask_to_join
from tests.helpers.league_pages import find_join_link as league_link_in
from tests.helpers.oauth import allow_app, exchange_code
from tests.helpers.tokens import ask_api

from .world import dump_rows

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def reset_limits(settings: Any) -> None:
    """Reset the request counts, and use a fast password hasher."""
    cache.clear()
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    settings.SITE_URL = "http://testserver"


# -------------------------------------------------------------------------------------- codes, resets, links


def test_no_code_and_no_reset_for_an_address_that_is_only_claimed() -> None:
    squat_address()
    mail.outbox.clear()
    assert not sign_in_by_code(Client())
    assert find_mailed_code() is None
    Client().post("/accounts/password/reset/", {"email": X})
    assert "/password/reset/key/" not in mail.outbox[-1].body
    assert not EmailAddress.objects.get(email=X).verified


@pytest.mark.parametrize("password", ["", HERS])
def test_the_link_elsewhere_leaves_nothing_of_the_strangers(password: str) -> None:
    stranger, link = squat_address()
    owner = Client()
    page = owner.get(link).content.decode()
    assert "Mallory" in page
    assert 'name="password1"' in page
    assert "Continue without a password" in page
    fields = {"password1": password} if password else {"password1": "", "without": "1"}
    assert owner.post(link, fields).status_code == 302
    assert is_signed_in(owner)
    assert not is_signed_in(stranger)
    assert not can_sign_in(STRANGERS)
    assert can_sign_in(password) is bool(password)
    assert Player.objects.get(email=X).has_usable_password() is bool(password)
    assert sign_in_by_code(Client())
    stranger.get("/accounts/confirm-email/")
    stranger.post(link)
    assert not is_signed_in(stranger), "what waited in the stranger's session is worth nothing"


@pytest.mark.parametrize("password", ["12345678", "short", "", X])
def test_a_password_that_is_no_good_is_asked_for_again_and_nothing_is_confirmed(password: str) -> None:
    _stranger, link = squat_address()
    owner = Client()
    answer = owner.post(link, {"password1": password})
    assert answer.status_code == 422
    assert b"errorlist" in answer.content
    assert not EmailAddress.objects.get(email=X).verified
    assert not is_signed_in(owner)


def test_to_look_changes_nothing_and_signs_nobody_out() -> None:
    _stranger, link = squat_address()
    scanner, other = Client(), create_account_client("Olga", HERS, OTHER)
    before = dump_rows()
    for client in (scanner, other):
        assert client.get(link).status_code == 200
        assert client.head(link).status_code == 200
    assert dump_rows() == before
    assert is_signed_in(other)
    assert not is_signed_in(scanner)


def test_where_somebody_signed_up_confirming_changes_nothing() -> None:
    client = Client()
    link = sign_up(client, "Elsa", HERS)
    before = Player.objects.values("password", "feed_token", "mail_token").get(email=X)
    assert 'name="password1"' not in client.get(link).content.decode()
    client.post(link)
    assert is_signed_in(client)
    assert Player.objects.values("password", "feed_token", "mail_token").get(email=X) == before
    assert can_sign_in(HERS)


def test_where_somebody_signed_up_a_late_link_is_as_good() -> None:
    """After 15 minutes allauth forgets the pending sign-up, but the link works in that browser."""
    client = Client()
    link = sign_up(client, "Elsa", HERS)
    session = client.session
    session["account_login"]["initiated_at"] -= 24 * 3600
    session.save()
    client.post(link)
    assert is_signed_in(client)
    assert can_sign_in(HERS)


def test_who_types_the_password_in_another_browser_keeps_it_there() -> None:
    link = sign_up(Client(), "Elsa", HERS)
    cache.clear()
    phone = Client()
    phone.post("/accounts/login/", {"login": X, "password": HERS})
    assert not is_signed_in(phone)
    phone.post(link)
    assert is_signed_in(phone)
    assert can_sign_in(HERS)


def test_who_is_signed_in_as_somebody_else_reads_so_and_then_the_new_account() -> None:
    _stranger, link = squat_address()
    owner = create_account_client("Olga", HERS, OTHER)
    assert (
        "You are signed in as Olga. We will sign you out of that account." in owner.get(link).content.decode()
    )
    owner.post(link, {"without": "1"})
    assert owner.get("/me/profile/").context["user"].email == X
    assert can_sign_in(HERS, OTHER)


# --------------------------------------------------------------------------------------- all kinds of access


def grant_every_access(who: Player, app: Any) -> dict[str, Callable[[], bool]]:
    """Grant every kind of access to an account; return a check for each that tells whether it still works."""
    now = timezone.now()
    session = Client()
    session.force_login(who)
    oauth = exchange_code(app, allow_app(session, app)["code"]).json()
    waiting = allow_app(session, app)["code"]
    refresh = {
        "grant_type": "refresh_token",
        "refresh_token": oauth["refresh_token"],
        "client_id": app.client_id,
    }
    _row, token = tokens.create_token(player=who, name="mine", scopes=("read",), now=now)
    webhooks.create_webhook(player=who, url="https://hooks.example.org/x", preset="json", now=now)
    oauth_apps.register_app(
        player=who, name="mine", addresses=["https://back.example.org/"], secret=True, now=now
    )
    TOTP.activate(who, generate_totp_secret())
    RecoveryCodes.activate(who)
    Player.objects.filter(pk=who.pk).update(allow_any_sender=True)
    feed, stop = f"/feeds/{who.feed_token}/turns.atom", make_unsubscribe_token(who.mail_token)
    return {
        "session": lambda: is_signed_in(session),
        "session over the API": lambda: session.get("/api/v1/me/").status_code == 200,
        "personal token": lambda: ask_api(token).status_code == 200,
        "token of an app": lambda: ask_api(oauth["access_token"]).status_code == 200,
        "refresh": lambda: Client().post("/oauth/token/", refresh).status_code == 200,
        "a code that an app holds": lambda: exchange_code(app, waiting).status_code == 200,
        "apps of theirs": lambda: Application.objects.filter(user=who).exists(),
        "second factors": lambda: Authenticator.objects.filter(user=who).exists(),
        "webhooks": lambda: Webhook.objects.filter(player=who).exists(),
        "feed": lambda: Client().get(feed).status_code == 200,
        "links of mails": lambda: Client().get(f"/unsubscribe/{stop}/").status_code == 200,
        "replies from anywhere": lambda: Player.objects.get(pk=who.pk).allow_any_sender,
    }


@pytest.fixture
def app() -> Any:
    return oauth_apps.register_app(
        player=player("bob"),
        name="Pocket board",
        addresses=["https://board.example/back"],
        secret=False,
        now=timezone.now(),
    )[0]


def prove_by_link(link: str) -> Client:
    owner = Client()
    owner.post(link, {"password1": HERS})
    return owner


def prove_by_league(link: str) -> Client:
    owner = Client()
    league = league_of(2)
    ask_to_join(owner, league, email=X)
    owner.post(league_link_in(mail.outbox[-1]), {"name": "Elsa"})
    return owner


@pytest.mark.parametrize("prove", [prove_by_link, prove_by_league])
def test_nothing_is_left_that_gives_access_or_tells_others(prove: Callable[[str], Client], app: Any) -> None:
    _stranger, link = squat_address()
    who = Player.objects.get(email=X)
    access_checks = grant_every_access(who, app)
    Player.objects.filter(pk=who.pk).update(last_login=None)
    working = {
        name for name, works in access_checks.items() if name not in ("refresh", "a code that an app holds")
    }
    assert {name for name in working if access_checks[name]()} == working
    owner = prove(link)
    assert is_signed_in(owner)
    assert EmailAddress.objects.get(email=X).user == Player.objects.get(email=X)
    assert [name for name, works in access_checks.items() if works()] == []
    assert not can_sign_in(STRANGERS)


# Rows of an account: GOES are deleted by a proof from another browser, STAYS give no access.
GOES = {
    *("accounts.Token", "notifications.Webhook", "notifications.PushDevice", "mfa.Authenticator"),
    *("oauth2_provider.AccessToken", "oauth2_provider.Application", "oauth2_provider.DeviceGrant"),
    *("oauth2_provider.Grant", "oauth2_provider.IDToken", "oauth2_provider.RefreshToken"),
}
STAYS = {
    *(
        "account.EmailAddress",
        "admin.LogEntry",
        "notifications.Delivery",
        "notifications.FeedEntry",
        "games.Game",
    ),
    *(
        "games.Invitation",
        "games.Message",
        "games.Note",
        "games.Pause",
        "accounts.Player",
        "accounts.Player_groups",
    ),
    *(
        "accounts.Player_user_permissions",
        "accounts.PlayerTask",
        "notifications.InboundMail",
        "games.Report",
        "games.Seat",
    ),
    *("games.SeatHandover", "tournaments.Proposal", "tournaments.Replacement"),
    *("accounts.BotProfile", "accounts.IdempotentResponse", "tournaments.Removal"),
    *("tournaments.Appeal", "tournaments.Decision"),
    *("tournaments.Tournament", "tournaments.Tournament_co_organisers"),
    *(
        "tournaments.Invite",
        "tournaments.JoinRequest",
        "tournaments.League",
        "tournaments.League_co_organisers",
    ),
    *("tournaments.EntrantPlayer", "tournaments.LeagueMember"),
    *("tournaments.DivisionPlacement", "tournaments.Rating"),
}


def test_everything_that_belongs_to_an_account_was_thought_of() -> None:
    """A new kind of row of an account fails here until it is listed in GOES or STAYS."""
    fields = Player._meta.get_fields(include_hidden=True)
    labels = {field.related_model._meta.label for field in fields if field.auto_created and field.is_relation}  # type: ignore[union-attr]
    assert labels == GOES | STAYS


# ---------------------------------------------------------------------------- links used twice, late, or old


def test_a_link_works_once_and_says_so() -> None:
    _stranger, link = squat_address()
    owner = prove_by_link(link)
    assert owner.post(link)["Location"] == "/", "a second press of the button"
    late = Client()
    for answer in (late.get(link), late.post(link, {"password1": STRANGERS})):
        assert b"You have already used this link" in answer.content
    assert late.post(link, {"withdraw": "1"}).status_code == 410
    assert not is_signed_in(late)
    assert not can_sign_in(STRANGERS)
    assert can_sign_in(HERS)


def test_a_link_of_before_does_nothing_after_the_owner_has_proved_the_address_elsewhere() -> None:
    stranger, link = squat_address()
    prove_by_league(link)
    for client in (stranger, Client()):
        assert client.post(link, {"password1": STRANGERS}).status_code == 410
        assert not is_signed_in(client)
    assert not can_sign_in(STRANGERS)


def test_an_old_or_changed_link_does_nothing(settings: Any) -> None:
    client = Client()
    link = sign_up(client, "Elsa", HERS)
    for wrong in (f"{link[:-3]}xx/", "/accounts/confirm-email/x:y:z/", "/accounts/confirm-email/%00/"):
        assert client.post(wrong).status_code == 404
    settings.ACCOUNT_EMAIL_CONFIRMATION_EXPIRE_DAYS = -1
    assert b"This link has expired or is incomplete." in client.get(link).content
    assert client.post(link).status_code == 404
    assert not EmailAddress.objects.get(email=X).verified
    assert not is_signed_in(client)


# --------------------------------------------------------------------------------------- change of address


def start_address_change() -> tuple[Client, str]:
    """Let Mallory, who has an account, claim Elsa's address; return the browser and the link sent to Elsa."""
    client = create_account_client()
    client.post("/accounts/email/", {"action_add": "", "email": X})
    cache.clear()
    return client, find_link([message for message in mail.outbox if message.to == [X]][-1])


def test_neither_code_nor_reset_nor_password_go_by_an_address_that_waits() -> None:
    stranger, _link = start_address_change()
    assert not sign_in_by_code(Client())
    assert find_mailed_code() is None
    Client().post("/accounts/password/reset/", {"email": X})
    assert "/password/reset/key/" not in mail.outbox[-1].body
    assert not can_sign_in(STRANGERS, X)
    assert can_sign_in(STRANGERS, OTHER)
    assert is_signed_in(stranger)
    assert Player.objects.get(name="Mallory").email == OTHER


@pytest.mark.parametrize("as_other", [False, True])
def test_elsewhere_a_change_of_address_cannot_be_confirmed_but_withdrawn(as_other: bool) -> None:
    stranger, link = start_address_change()
    owner = create_account_client("Olga", HERS, "otto@example.net") if as_other else Client()
    page = owner.get(link).content.decode()
    assert "Sign in as Mallory to confirm it." in page
    before = dump_rows()
    for fields in ({}, {"password1": HERS}, {"without": "1"}):
        assert owner.post(link, fields).status_code == 403
    assert dump_rows() == before
    assert is_signed_in(owner) is as_other
    assert owner.post(link, {"withdraw": "1"})["Location"] == "/"
    assert not EmailAddress.objects.filter(email=X).exists()
    assert owner.post(link, {"withdraw": "1"}).status_code == 404
    assert stranger.post(link).status_code == 404
    assert (is_signed_in(stranger), Player.objects.get(name="Mallory").email) == (True, OTHER)
    assert can_sign_in(STRANGERS, OTHER)


def test_where_the_account_is_signed_in_its_address_changes_and_nothing_else() -> None:
    client, link = start_address_change()
    who = Player.objects.get(name="Mallory")
    _row, token = tokens.create_token(player=who, name="mine", scopes=("read",), now=timezone.now())
    Client().post("/accounts/password/reset/", {"email": OTHER})
    reset = find_link(mail.outbox[-1])
    late = Client()
    code_page = late.post("/accounts/login/code/", {"email": OTHER})["Location"]
    code = find_mailed_code(OTHER)
    assert 'name="password1"' not in client.get(link).content.decode()
    client.post(link)
    assert is_signed_in(client)
    assert [
        (email_address.email, email_address.primary)
        for email_address in EmailAddress.objects.filter(user=who)
    ] == [(X, True)]
    assert Player.objects.get(pk=who.pk).email == X
    assert can_sign_in(STRANGERS, X)
    assert not can_sign_in(STRANGERS, OTHER)
    assert ask_api(token).status_code == 200
    assert mail.outbox[-1].to == [OTHER], "the old address is told"
    late.post(code_page, {"code": code or ""})
    assert not is_signed_in(late), "a code on its way to the old address"
    page = Client().get(reset, follow=True)
    assert b'name="password1"' not in page.content, "a link on its way to the old address"


def test_a_change_to_the_address_of_an_account_made_on_the_machine_is_refused() -> None:
    operator = Player.objects.create_superuser(email=X, password=HERS, name="Op", joined_at=timezone.now())
    client, link = start_address_change()
    answer = client.post(link)
    assert answer.status_code == 409
    assert b"Another account already uses" in answer.content
    operator.refresh_from_db()
    assert (operator.email, operator.check_password(HERS)) == (X, True)
    assert Player.objects.get(name="Mallory").email == OTHER


def test_a_change_to_an_address_that_somebody_only_claimed_works() -> None:
    stranger, squatted = squat_address()
    owner = create_account_client("Elsa", HERS, OTHER)
    owner.post("/accounts/email/", {"action_add": "", "email": X})
    owner.post(find_link(mail.outbox[-1]))
    assert Player.objects.get(name="Elsa").email == X
    assert not Player.objects.filter(name="Mallory").exists()
    assert stranger.post(squatted).status_code == 404
