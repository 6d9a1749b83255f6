"""Security headers of every kind of response."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as django_settings
from django.core.cache import cache
from django.core.mail import EmailMultiAlternatives
from django.test import Client
from django.utils import timezone

from accounts.mail_refusals import make_refusal_token
from accounts.models import Player
from accounts.services import oauth_apps
from games import signed_links
from games.services import invitations
from notifications.channels.email import mailbox
from notifications.unsubscribe_links import make_unsubscribe_token
from otto_site.security_headers import DEFAULT_CSP
from tests.factories.cast import NOW, Api, player, start_cast_game
from tests.factories.linking import make_turn_link, start_game
from tests.factories.open_games import create_open_game
from tests.helpers.accounts import compute_totp, reauthenticate, sign_up_and_confirm
from tests.helpers.oauth import build_authorize_params
from tests.helpers.page_policy import PAGE_POLICY, check_page, find_inline_code

pytestmark = pytest.mark.django_db
# ------------------------------------------------------------------------------------------------------ pages


def test_the_policy_allows_nothing_inline_and_nothing_from_elsewhere() -> None:
    assert DEFAULT_CSP["default-src"] == DEFAULT_CSP["frame-ancestors"] == DEFAULT_CSP["base-uri"] == "'none'"
    assert "unsafe" not in PAGE_POLICY
    assert "http" not in PAGE_POLICY
    assert "*" not in PAGE_POLICY


@pytest.mark.parametrize(
    "path",
    [
        "/", "/games/", "/games/{code}/", "/games/nosuchgame/", "/api/", "/api/errors/", "/no/such/page/",
        "/turn/forged/", "/invitations/forged/", "/accounts/login/", "/accounts/signup/",
        "/accounts/login/code/", "/accounts/password/reset/", "/accounts/confirm-email/",
        "/accounts/confirm-email/too-old/", "/admin/login/",
    ],
)  # fmt: skip
def test_a_page_for_everybody_is_strict(client: Client, path: str) -> None:
    game = start_cast_game("ada", "bob")
    check_page(client.get(path.format(code=game.code), follow=True))


PLAYER_PAGES = (
    "/", "/games/", "/games/new/", "/games/{code}/", "/games/{over}/", "/next/", "/me/profile/",
    "/me/notices/", "/me/delivery/", "/me/webhooks/", "/me/tokens/", "/me/apps/", "/me/delete/",
    "/me/time/", "/accounts/email/", "/accounts/2fa/", "/accounts/password/change/", "/accounts/logout/",
    "/accounts/2fa/totp/activate/",
)  # fmt: skip


def test_every_page_for_a_player_is_strict(client: Client, settings: Any, subtests: pytest.Subtests) -> None:
    cache.clear()
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    elsa = sign_up_and_confirm(client)
    reauthenticate(client)
    game, over = start_cast_game(elsa.name, "bob"), start_cast_game("ada", mode="solo")
    Api("ada").post(f"games/{over.code}/resign/")
    for path in PLAYER_PAGES:
        with subtests.test(path):
            answer = client.get(path.format(code=game.code, over=over.code), follow=path == "/next/")
            assert answer.status_code == 200
            check_page(answer)


def test_the_page_of_a_new_address_that_waits_is_strict(client: Client, settings: Any) -> None:
    """The page of allauth would hide a form with an inline style."""
    cache.clear()
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    elsa = sign_up_and_confirm(client)
    client.post("/accounts/email/", {"action_add": "", "email": "new@example.org"})
    page = client.get("/accounts/email/")
    check_page(page)
    assert "We have sent a link to <b>new@example.org</b>" in page.text
    client.post("/accounts/email/", {"action_remove": "", "email": "new@example.org"})
    assert "We have sent a link" not in client.get("/accounts/email/").text
    elsa.refresh_from_db()
    assert elsa.email == "elsa@example.org"


def test_recovery_codes_are_shown_with_scripts_of_files_only(client: Client, settings: Any) -> None:
    cache.clear()
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    sign_up_and_confirm(client)
    reauthenticate(client)
    secret = client.get("/accounts/2fa/totp/activate/").context["form"].secret
    client.post("/accounts/2fa/totp/activate/", {"code": compute_totp(secret)})
    page = client.get("/accounts/2fa/recovery-codes/")
    assert page.status_code == 200
    check_page(page)


def test_pages_behind_a_secret_address_tell_it_to_nobody(client: Client) -> None:
    game, ada = start_game("ada", "bob"), player("ada")
    paths = [
        make_turn_link(game),
        f"/mute/{signed_links.make_mute_token(ada.mail_token, game.code)}/",
        f"/unsubscribe/{make_unsubscribe_token(ada.mail_token)}/",
        f"/no-mail/{make_refusal_token('d' * 64)}/",
    ]
    for path in paths:
        answer = client.get(path)
        check_page(answer)
        assert answer["Referrer-Policy"] == "no-referrer"
        assert not answer.cookies
    for feed in ("turns.atom", "deadlines.ics"):
        assert client.get(f"/feeds/{ada.feed_token}/{feed}")["Referrer-Policy"] == "no-referrer"


def test_an_invitation_is_sent_to_no_other_site_and_its_form_can_be_sent(client: Client) -> None:
    game = create_open_game(private=True)
    invitation = invitations.invite_to_game(
        player=player("ada"), code=game.code, now=timezone.now(), email="zoe@example.org"
    )
    client.force_login(player("bob"))
    answer = client.get(f"/invitations/{signed_links.make_invitation_token(invitation.pk)}/")
    assert "csrfmiddlewaretoken" in answer.text
    check_page(answer)
    assert "noindex" in answer.text


def test_operators_pages_need_no_exception(client: Client) -> None:
    operator = player("ada")
    Player.objects.filter(pk=operator.pk).update(is_staff=True, is_superuser=True)
    operator.refresh_from_db()
    client.force_login(operator)
    for path in ("/admin/", "/admin/games/report/", "/admin/games/message/"):
        answer = client.get(path)
        assert answer.status_code == 200, path
        check_page(answer)


def test_no_template_of_a_page_has_anything_inline() -> None:
    folder = django_settings.BASE_DIR / "templates"
    pages = [path for path in folder.rglob("*") if path.suffix in (".html", ".svg")]
    pages = [path for path in pages if "mail" not in path.relative_to(folder).parts]
    assert len(pages) > 40
    tags = re.compile(r"\{[%#].*?[%#]\}|\{\{.*?\}\}", re.DOTALL)
    alarms = {
        str(path.relative_to(folder)): find_inline_code(tags.sub("x", path.read_text())) for path in pages
    }
    assert {name: wrong for name, wrong in alarms.items() if wrong} == {}


# ------------------------------------------------------------------------------------------------- exceptions


def test_whoever_allows_an_app_may_be_sent_to_its_address(client: Client) -> None:
    app, _secret = oauth_apps.register_app(
        player=player("bob"), name="Pocket", addresses=["https://board.example/back"], secret=False, now=NOW
    )
    client.force_login(player("ada"))
    page = client.get("/oauth/authorize/", query_params=build_authorize_params(app))
    check_page(page, PAGE_POLICY.replace("form-action 'self'", "form-action 'self' https: http:"))


def test_an_app_that_is_answered_right_after_signing_in_is_reached_by_a_page(client: Client) -> None:
    """form-action of the sign-in page forbids other sites, and browsers apply it to redirects, too."""
    app, _secret = oauth_apps.register_app(
        player=player("bob"), name="Pocket", addresses=["https://board.example/back"], secret=False, now=NOW
    )
    client.force_login(player("ada"))
    params = build_authorize_params(app, scope="nonsense")
    page = client.get("/oauth/authorize/", query_params=params, headers={"Sec-Fetch-Site": "same-origin"})
    check_page(page)
    assert page["Refresh"].startswith("0; url=https://board.example/back?error=invalid_scope")
    assert 'href="https://board.example/back?error=invalid_scope' in page.text
    assert client.get("/oauth/authorize/", query_params=params).status_code == 302, "no form, no detour"


def test_only_a_letter_in_the_mailbox_may_bring_its_own_styles(
    client: Client, settings: Any, tmp_path: Path
) -> None:
    settings.TRIAL, settings.EMAIL_BACKEND = True, mailbox.MAILBOX_BACKEND
    settings.MAILBOX_KEY = client.cookies["mailbox"] = "a key"
    settings.EMAIL_FILE_PATH = tmp_path / "mail"
    mail = EmailMultiAlternatives("hello", "plain words", "otto@localhost", ["ada@example.org"])
    mail.attach_alternative('<p style="color: red">words</p>', "text/html")
    mail.send()
    check_page(client.get("/mailbox/"))
    address = f"/mailbox/{next(mailbox.list_mails()).name}/"
    check_page(client.get(f"{address}?as=text"))
    letter = client.get(address)
    assert "style-src 'self' 'unsafe-inline'" in letter["Content-Security-Policy"]
    for strict in ("default-src 'none'", "form-action 'self'", "frame-ancestors 'none'", "base-uri 'none'"):
        assert strict in letter["Content-Security-Policy"]


# ------------------------------------------------------------------------------------------ other responses


@pytest.mark.parametrize(
    ("path", "policy"),
    [
        ("/api/v1/games/{code}/", "default-src 'none'; frame-ancestors 'none'"),
        ("/api/v1/games/nosuchgame/", "default-src 'none'; frame-ancestors 'none'"),
        ("/api/v1/no/such/door/", "default-src 'none'; frame-ancestors 'none'"),
        ("/api/v1/games/{code}/board.png", "default-src 'none'; frame-ancestors 'none'"),
        ("/api/v1/games/{code}/board.txt", "default-src 'none'; frame-ancestors 'none'"),
        ("/api/v1/games/{code}/board.svg", "default-src 'none'; frame-ancestors 'none'; sandbox"),
        ("/feeds/{key}/turns.atom", "default-src 'none'; frame-ancestors 'none'; sandbox"),
        ("/feeds/{key}/deadlines.ics", "default-src 'none'; frame-ancestors 'none'"),
        ("/static/otto.svg", "default-src 'none'; frame-ancestors 'none'; sandbox"),
        ("/static/otto.css", None),  # style sheets and scripts run in the context of the page that loads them
        ("/static/account/js/onload.js", None),
    ],
)
def test_what_is_no_page_can_do_nothing_if_it_is_opened(
    client: Client, path: str, policy: str | None
) -> None:
    game = start_cast_game("ada", "bob")
    answer = client.get(path.format(code=game.code, key=player("ada").feed_token))
    assert answer.status_code in (200, 404)
    assert answer.headers.get("Content-Security-Policy") == policy
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert answer["X-Frame-Options"] == "DENY"
    if answer.streaming:
        answer.close()


def test_cookies_are_for_our_own_pages_and_no_script_reads_them() -> None:
    assert django_settings.SESSION_COOKIE_SAMESITE == django_settings.CSRF_COOKIE_SAMESITE == "Lax"
    assert django_settings.SESSION_COOKIE_HTTPONLY
    assert django_settings.CSRF_COOKIE_HTTPONLY
