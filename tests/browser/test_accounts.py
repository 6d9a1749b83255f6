"""Accounts in a real browser: signing up and in, with real mails, with and without scripts."""

from __future__ import annotations

import re

import pytest
from allauth.account.models import EmailAddress
from playwright.sync_api import Page, expect

from accounts.models import Player
from notifications.models import Delivery
from tests.factories.cast import player
from tests.helpers.browser_accounts import PASSWORD, read_mail_text, submit_form
from tests.helpers.polling import wait_for
from tests.helpers.site import Site
from tests.smtp import Sink

from .conftest import NewPage, sign_in

SCRIPTS = pytest.mark.parametrize("scripts", [True, False], ids=["with scripts", "without scripts"])


def expect_signed_in(page: Page, name: str) -> None:
    page.goto("/me/profile/")
    expect(page.get_by_role("heading", level=1)).to_have_text(name)


@SCRIPTS
def test_somebody_signs_up_and_follows_the_link_in_the_mail(
    new_page: NewPage, site: Site, sink: Sink, scripts: bool
) -> None:
    page = new_page(java_script_enabled=scripts, timezone_id="Europe/Rome")
    page.goto("/accounts/signup/")
    page.fill("[name=email]", "elsa@example.org")
    page.fill("[name=username]", "Elsa Vermeer")
    page.fill("[name=password1]", PASSWORD)
    submit_form(page)
    expect(page).to_have_url(f"{site.url}/accounts/confirm-email/")
    [mail] = sink.wait(1)
    assert mail["To"] == "elsa@example.org"
    link = re.search(rf"{re.escape(site.url)}/accounts/confirm-email/\S+", read_mail_text(mail))
    assert link
    page.goto(link[0])
    expect(page.locator("main")).to_contain_text("Elsa Vermeer")
    submit_form(page)
    page.wait_for_url(lambda url: "confirm-email" not in url)
    expect_signed_in(page, "Elsa Vermeer")
    player = Player.objects.get()
    assert (player.email, player.time_zone) == ("elsa@example.org", "Europe/Rome" if scripts else "UTC")


@SCRIPTS
def test_a_mailed_code_signs_in(new_page: NewPage, site: Site, sink: Sink, scripts: bool) -> None:
    ada = player("ada")
    EmailAddress.objects.create(user=ada, email=ada.email, primary=True, verified=True)
    page = new_page(java_script_enabled=scripts)
    page.goto("/accounts/login/code/")
    page.fill("[name=email]", ada.email)
    submit_form(page)
    page.wait_for_url("**/accounts/login/code/confirm/")
    [mail] = sink.wait(1)
    code = re.search(r"^[A-Z0-9-]{6,}$", read_mail_text(mail), re.MULTILINE)
    assert code
    page.fill("[name=code]", code[0])
    submit_form(page)
    page.wait_for_url(lambda url: "/login/" not in url)
    expect_signed_in(page, "ada")


@SCRIPTS
def test_signing_out_ends_it(new_page: NewPage, scripts: bool) -> None:
    page = new_page(java_script_enabled=scripts)
    sign_in(page, player("ada"))
    expect_signed_in(page, "ada")
    page.goto("/accounts/logout/")
    submit_form(page)
    page.wait_for_url(lambda url: "/logout/" not in url)
    page.goto("/me/profile/")
    assert "/accounts/login/" in page.url


@pytest.mark.parametrize(
    ("locale", "language", "heading"),
    [
        ("en-GB", "en", "Sign in"),
        ("it-IT", "it", "Accedi"),
        ("nl-NL", "nl", "Inloggen"),
        ("fi", "en", "Sign in"),
    ],
)
def test_pages_speak_the_language_of_the_browser(
    new_page: NewPage, locale: str, language: str, heading: str
) -> None:
    page = new_page(locale=locale)
    page.goto("/accounts/login/")
    assert page.locator("html").get_attribute("lang") == language
    expect(page.get_by_role("heading", level=1)).to_have_text(heading)


def test_a_player_reads_the_language_of_the_account_whatever_the_browser_speaks(new_page: NewPage) -> None:
    ada = player("ada")
    Player.objects.filter(pk=ada.pk).update(language="nl")
    page = new_page(locale="it-IT")
    sign_in(page, ada)
    page.goto("/me/profile/")
    assert page.locator("html").get_attribute("lang") == "nl"


def test_a_test_mail_really_comes_and_the_page_says_so(page: Page, worker: Site, sink: Sink) -> None:
    sign_in(page, player("ada"))
    page.goto("/me/delivery/")
    page.locator("form[action$='/delivery/test/'] button").click()
    [mail] = sink.wait(1)
    assert mail["To"] == "ada@example.org"
    wait_for(lambda: Delivery.objects.get().status == Delivery.Status.SENT, "never noted as sent", 20)
    page.reload()
    expect(page.locator("main table")).to_contain_text("sent")
