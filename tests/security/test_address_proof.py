"""Whoever proves an address gets an account that is theirs alone; to claim it first gives nothing."""

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

from games import signed_links
from games.models import Player, Webhook
from games.services import oauth_apps, tokens, webhooks
from tests.games.cast import player
from tests.games.test_accounts import link_in, signed_in
from tests.games.test_oauth import allow, exchange
from tests.games.test_tokens import ask
from tests.tournaments.test_league_pages import ask as ask_to_join
from tests.tournaments.test_league_pages import link_in as league_link_in
from tests.tournaments.test_leagues import league_of

from .proving import HERS, OTHER, STRANGERS, X, account, mailed_code, opens, sign_in_by_code, sign_up, squat
from .world import everything

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def fresh(settings: Any) -> None:
    """Nothing is counted yet, and hashing a password does not take its half second."""
    cache.clear()
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    settings.SITE_URL = "http://testserver"


# -------------------------------------------------------------------------------------- codes, resets, links


def test_no_code_and_no_reset_for_an_address_that_is_only_claimed() -> None:
    squat()
    mail.outbox.clear()
    assert not sign_in_by_code(Client())
    assert mailed_code() is None
    Client().post("/accounts/password/reset/", {"email": X})
    assert "/password/reset/key/" not in mail.outbox[-1].body
    assert not EmailAddress.objects.get(email=X).verified


@pytest.mark.parametrize("password", ["", HERS])
def test_the_link_elsewhere_leaves_nothing_of_the_strangers(password: str) -> None:
    stranger, link = squat()
    owner = Client()
    page = owner.get(link).content.decode()
    assert "Mallory" in page
    assert 'name="password1"' in page
    assert "Go on without a password" in page
    fields = {"password1": password} if password else {"password1": "", "without": "1"}
    assert owner.post(link, fields).status_code == 302
    assert signed_in(owner)
    assert not signed_in(stranger)
    assert not opens(STRANGERS)
    assert opens(password) is bool(password)
    assert Player.objects.get(email=X).has_usable_password() is bool(password)
    assert sign_in_by_code(Client())
    stranger.get("/accounts/confirm-email/")
    stranger.post(link)
    assert not signed_in(stranger), "what waited in the stranger's session is worth nothing"


@pytest.mark.parametrize("password", ["12345678", "short", "", X])
def test_a_password_that_is_no_good_is_asked_for_again_and_nothing_is_confirmed(password: str) -> None:
    _stranger, link = squat()
    owner = Client()
    answer = owner.post(link, {"password1": password})
    assert answer.status_code == 422
    assert b"errorlist" in answer.content
    assert not EmailAddress.objects.get(email=X).verified
    assert not signed_in(owner)


def test_to_look_changes_nothing_and_signs_nobody_out() -> None:
    _stranger, link = squat()
    scanner, other = Client(), account("Olga", HERS, OTHER)
    before = everything()
    for client in (scanner, other):
        assert client.get(link).status_code == 200
        assert client.head(link).status_code == 200
    assert everything() == before
    assert signed_in(other)
    assert not signed_in(scanner)


def test_where_somebody_signed_up_confirming_changes_nothing() -> None:
    client = Client()
    link = sign_up(client, "Elsa", HERS)
    before = Player.objects.values("password", "key", "mail_key").get(email=X)
    assert 'name="password1"' not in client.get(link).content.decode()
    client.post(link)
    assert signed_in(client)
    assert Player.objects.values("password", "key", "mail_key").get(email=X) == before
    assert opens(HERS)


def test_where_somebody_signed_up_a_late_link_is_as_good() -> None:
    """allauth forgets after a quarter of an hour who is signing up; the browser stays the same one."""
    client = Client()
    link = sign_up(client, "Elsa", HERS)
    session = client.session
    session["account_login"]["initiated_at"] -= 24 * 3600
    session.save()
    client.post(link)
    assert signed_in(client)
    assert opens(HERS)


def test_who_types_the_password_in_another_browser_keeps_it_there() -> None:
    link = sign_up(Client(), "Elsa", HERS)
    cache.clear()
    phone = Client()
    phone.post("/accounts/login/", {"login": X, "password": HERS})
    assert not signed_in(phone)
    phone.post(link)
    assert signed_in(phone)
    assert opens(HERS)


def test_who_is_signed_in_as_somebody_else_is_told_and_then_the_new_account() -> None:
    _stranger, link = squat()
    owner = account("Olga", HERS, OTHER)
    assert "You are signed in as Olga now; that ends." in owner.get(link).content.decode()
    owner.post(link, {"without": "1"})
    assert owner.get("/me/profile/").context["user"].email == X
    assert opens(HERS, OTHER)


# ------------------------------------------------------------------------------------- all that gives access


def give_everything(who: Player, app: Any) -> dict[str, Callable[[], bool]]:
    """All by which somebody gets at an account or is told of it; for each, whether it still works."""
    now = timezone.now()
    session = Client()
    session.force_login(who)
    oauth = exchange(app, allow(session, app)["code"]).json()
    waiting = allow(session, app)["code"]
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
    Player.objects.filter(pk=who.pk).update(any_sender=True)
    feed, stop = f"/feeds/{who.key}/turns.atom", signed_links.make_unsubscribe_token(who.mail_key)
    return {
        "session": lambda: signed_in(session),
        "session over the API": lambda: session.get("/api/v1/me/").status_code == 200,
        "personal token": lambda: ask(token).status_code == 200,
        "token of an app": lambda: ask(oauth["access_token"]).status_code == 200,
        "refresh": lambda: Client().post("/oauth/token/", refresh).status_code == 200,
        "a code that an app holds": lambda: exchange(app, waiting).status_code == 200,
        "apps of theirs": lambda: Application.objects.filter(user=who).exists(),
        "second factors": lambda: Authenticator.objects.filter(user=who).exists(),
        "webhooks": lambda: Webhook.objects.filter(player=who).exists(),
        "feed": lambda: Client().get(feed).status_code == 200,
        "links of mails": lambda: Client().get(f"/unsubscribe/{stop}/").status_code == 200,
        "replies from anywhere": lambda: Player.objects.get(pk=who.pk).any_sender,
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


def by_link(link: str) -> Client:
    owner = Client()
    owner.post(link, {"password1": HERS})
    return owner


def by_league(link: str) -> Client:
    owner = Client()
    league = league_of(2)
    ask_to_join(owner, league, email=X)
    owner.post(league_link_in(mail.outbox[-1]), {"name": "Elsa"})
    return owner


@pytest.mark.parametrize("prove", [by_link, by_league])
def test_nothing_is_left_that_gives_access_or_tells_others(prove: Callable[[str], Client], app: Any) -> None:
    _stranger, link = squat()
    who = Player.objects.get(email=X)
    ways = give_everything(who, app)
    Player.objects.filter(pk=who.pk).update(last_login=None)
    working = {name for name, works in ways.items() if name not in ("refresh", "a code that an app holds")}
    assert {name for name in working if ways[name]()} == working
    owner = prove(link)
    assert signed_in(owner)
    assert EmailAddress.objects.get(email=X).user == Player.objects.get(email=X)
    assert [name for name, works in ways.items() if works()] == []
    assert not opens(STRANGERS)


# What belongs to an account: goes with a proof from elsewhere, or is no way in and stays.
GOES = {
    *("games.Token", "games.Webhook", "mfa.Authenticator"),
    *("oauth2_provider.AccessToken", "oauth2_provider.Application", "oauth2_provider.DeviceGrant"),
    *("oauth2_provider.Grant", "oauth2_provider.IDToken", "oauth2_provider.RefreshToken"),
}
STAYS = {
    *("account.EmailAddress", "admin.LogEntry", "games.Delivery", "games.FeedEntry", "games.Game"),
    *(
        "games.Invitation",
        "games.Message",
        "games.Note",
        "games.Pause",
        "games.Player",
        "games.Player_groups",
    ),
    *("games.Player_user_permissions", "games.PlayerTask", "games.InboundMail", "games.Report", "games.Seat"),
    *("games.SeatHandover", "tournaments.Proposal", "tournaments.Replacement"),
    *("games.IdempotentResponse", "tournaments.Removal"),
    *("tournaments.Appeal", "tournaments.Decision"),
    *("tournaments.Tournament", "tournaments.Tournament_helpers"),
    *("tournaments.Invite", "tournaments.JoinRequest", "tournaments.League", "tournaments.League_helpers"),
    *("tournaments.EntrantPlayer", "tournaments.LeagueMember"),
    *("tournaments.DivisionPlacement", "tournaments.Rating"),
}


def test_everything_that_belongs_to_an_account_was_thought_of() -> None:
    """A new kind of row of an account's fails here until it is said whether it is a way in."""
    fields = Player._meta.get_fields(include_hidden=True)
    labels = {one.related_model._meta.label for one in fields if one.auto_created and one.is_relation}  # type: ignore[union-attr]
    assert labels == GOES | STAYS


# ----------------------------------------------------------------------------------- links: twice, late, old


def test_a_link_works_once_and_says_so() -> None:
    _stranger, link = squat()
    owner = by_link(link)
    assert owner.post(link)["Location"] == "/", "a second press of the button"
    late = Client()
    for answer in (late.get(link), late.post(link, {"password1": STRANGERS})):
        assert b"This link was used already" in answer.content
    assert late.post(link, {"withdraw": "1"}).status_code == 410
    assert not signed_in(late)
    assert not opens(STRANGERS)
    assert opens(HERS)


def test_a_link_of_before_does_nothing_after_the_owner_has_proved_the_address_elsewhere() -> None:
    stranger, link = squat()
    by_league(link)
    for client in (stranger, Client()):
        assert client.post(link, {"password1": STRANGERS}).status_code == 410
        assert not signed_in(client)
    assert not opens(STRANGERS)


def test_an_old_or_changed_link_does_nothing(settings: Any) -> None:
    client = Client()
    link = sign_up(client, "Elsa", HERS)
    for wrong in (f"{link[:-3]}xx/", "/accounts/confirm-email/x:y:z/", "/accounts/confirm-email/%00/"):
        assert client.post(wrong).status_code == 404
    settings.ACCOUNT_EMAIL_CONFIRMATION_EXPIRE_DAYS = -1
    assert b"This link is too old or not whole." in client.get(link).content
    assert client.post(link).status_code == 404
    assert not EmailAddress.objects.get(email=X).verified
    assert not signed_in(client)


# ------------------------------------------------------------------------------------- a change of address


def pending() -> tuple[Client, str]:
    """Mallory, who has an account, asks for Elsa's address; gives the browser, and the link that she gets."""
    client = account()
    client.post("/accounts/email/", {"action_add": "", "email": X})
    cache.clear()
    return client, link_in([one for one in mail.outbox if one.to == [X]][-1])


def test_neither_code_nor_reset_nor_password_go_by_an_address_that_waits() -> None:
    stranger, _link = pending()
    assert not sign_in_by_code(Client())
    assert mailed_code() is None
    Client().post("/accounts/password/reset/", {"email": X})
    assert "/password/reset/key/" not in mail.outbox[-1].body
    assert not opens(STRANGERS, X)
    assert opens(STRANGERS, OTHER)
    assert signed_in(stranger)
    assert Player.objects.get(name="Mallory").email == OTHER


@pytest.mark.parametrize("as_other", [False, True])
def test_elsewhere_a_change_of_address_cannot_be_confirmed_but_withdrawn(as_other: bool) -> None:
    stranger, link = pending()
    owner = account("Olga", HERS, "otto@example.net") if as_other else Client()
    page = owner.get(link).content.decode()
    assert "Only somebody who is signed in as Mallory can confirm that." in page
    before = everything()
    for fields in ({}, {"password1": HERS}, {"without": "1"}):
        assert owner.post(link, fields).status_code == 403
    assert everything() == before
    assert signed_in(owner) is as_other
    assert owner.post(link, {"withdraw": "1"})["Location"] == "/"
    assert not EmailAddress.objects.filter(email=X).exists()
    assert owner.post(link, {"withdraw": "1"}).status_code == 404
    assert stranger.post(link).status_code == 404
    assert (signed_in(stranger), Player.objects.get(name="Mallory").email) == (True, OTHER)
    assert opens(STRANGERS, OTHER)


def test_where_the_account_is_signed_in_its_address_changes_and_nothing_else() -> None:
    client, link = pending()
    who = Player.objects.get(name="Mallory")
    _row, token = tokens.create_token(player=who, name="mine", scopes=("read",), now=timezone.now())
    Client().post("/accounts/password/reset/", {"email": OTHER})
    reset = link_in(mail.outbox[-1])
    late = Client()
    code_page = late.post("/accounts/login/code/", {"email": OTHER})["Location"]
    code = mailed_code(OTHER)
    assert 'name="password1"' not in client.get(link).content.decode()
    client.post(link)
    assert signed_in(client)
    assert [(one.email, one.primary) for one in EmailAddress.objects.filter(user=who)] == [(X, True)]
    assert Player.objects.get(pk=who.pk).email == X
    assert opens(STRANGERS, X)
    assert not opens(STRANGERS, OTHER)
    assert ask(token).status_code == 200
    assert mail.outbox[-1].to == [OTHER], "the old address is told"
    late.post(code_page, {"code": code or ""})
    assert not signed_in(late), "a code on its way to the old address"
    page = Client().get(reset, follow=True)
    assert b'name="password1"' not in page.content, "a link on its way to the old address"


def test_a_change_to_the_address_of_an_account_made_on_the_machine_is_refused() -> None:
    made = Player.objects.create_superuser(email=X, password=HERS, name="Op", joined_at=timezone.now())
    client, link = pending()
    answer = client.post(link)
    assert answer.status_code == 409
    assert b"belongs to another account already" in answer.content
    made.refresh_from_db()
    assert (made.email, made.check_password(HERS)) == (X, True)
    assert Player.objects.get(name="Mallory").email == OTHER


def test_a_change_to_an_address_that_somebody_only_claimed_works() -> None:
    stranger, squatted = squat()
    owner = account("Elsa", HERS, OTHER)
    owner.post("/accounts/email/", {"action_add": "", "email": X})
    owner.post(link_in(mail.outbox[-1]))
    assert Player.objects.get(name="Elsa").email == X
    assert not Player.objects.filter(name="Mallory").exists()
    assert stranger.post(squatted).status_code == 404
