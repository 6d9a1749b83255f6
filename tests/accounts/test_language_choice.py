"""The language of pages, and how a visitor chooses another."""

from __future__ import annotations

import html
import re
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.template.loader import render_to_string
from django.test import Client, RequestFactory
from django.utils import translation

from accounts.models import Player
from tests.factories.cast import player
from tests.markup import normalise_html

pytestmark = pytest.mark.django_db


def get_page_language(client: Client, accepts: str = "en") -> str:
    """Return the language of a page."""
    page = client.get("/lobby/", headers={"Accept-Language": accepts}).text
    return re.search(r'<html lang="(\w+)"', page)[1]  # type: ignore[index]


def choose_language(client: Client, language: str, back: str = "/games/") -> Any:
    return client.post("/language/", {"language": language, "next": back})


def test_who_chose_nothing_gets_the_language_of_the_browser(client: Client) -> None:
    assert [get_page_language(client, accepts) for accepts in ("it-CH, en;q=0.5", "nl", "en", "fr")] == [
        "it", "nl", "en", "en",
    ]  # fmt: skip


def test_a_choice_is_kept_for_a_year_whatever_the_browser_says(client: Client) -> None:
    answer = choose_language(client, "nl")
    assert (answer.status_code, answer["Location"]) == (302, "/games/")
    cookie = answer.cookies["django_language"]
    assert cookie.value == "nl"
    assert cookie["max-age"] == 60 * 60 * 24 * 365
    assert (cookie["samesite"], cookie["secure"], cookie["httponly"], cookie["path"]) == (
        "Lax", True, True, "/",
    )  # fmt: skip
    assert get_page_language(client, "it") == "nl"
    choose_language(client, "it")
    assert get_page_language(client, "nl") == "it"


def test_a_player_takes_the_choice_along_to_every_browser_and_mail(client: Client) -> None:
    client.force_login(player("ada"))
    assert get_page_language(client, "nl") == "en"
    choose_language(client, "it")
    assert Player.objects.get(name="ada").language == "it"
    assert get_page_language(client) == "it"
    elsewhere = Client()
    elsewhere.force_login(player("ada"))
    assert get_page_language(elsewhere) == "it"
    client.post("/accounts/logout/")
    assert get_page_language(client) == "it", "and stays with the browser"


def test_the_profile_has_the_say_over_an_old_cookie(client: Client) -> None:
    choose_language(client, "nl")
    client.force_login(player("ada"))
    assert get_page_language(client) == "en"


def test_somebody_who_signs_up_keeps_the_language_that_was_chosen(client: Client) -> None:
    choose_language(client, "it")
    fields = {"email": "elsa@example.org", "username": "Elsa", "password1": "a long walk by the canal"}
    client.post("/accounts/signup/", fields, headers={"Accept-Language": "nl"})
    assert Player.objects.get(name="Elsa").language == "it"


@pytest.mark.parametrize("wrong", ["", "xx", "en-us", "it\x00", "../it", "a" * 10_000])
def test_a_language_that_we_do_not_speak_changes_nothing(client: Client, wrong: str) -> None:
    client.force_login(player("ada"))
    answer = choose_language(client, wrong)
    assert answer["Location"] == "/games/"
    assert "django_language" not in answer.cookies
    assert Player.objects.get(name="ada").language == "en"


@pytest.mark.parametrize(
    "elsewhere",
    [
        "https://evil.example/", "//evil.example", "/\\evil.example", "\\\\evil.example",
        "javascript:alert(1)", "https:evil.example", "///evil.example", "http://testserver@evil.example/",
        "", " ", "\x00/games/",
    ],
)  # fmt: skip
def test_choosing_leads_to_no_other_site(client: Client, elsewhere: str) -> None:
    assert choose_language(client, "it", elsewhere)["Location"] == "/"


@pytest.mark.parametrize("path", ["/games/?page=2&mine=1", "/games/abc/#board", "http://testserver/games/"])
def test_choosing_leads_back_to_where_one_was(client: Client, path: str) -> None:
    assert choose_language(client, "it", path)["Location"] == path


@pytest.mark.parametrize("word", ["foo", "?x=1", "home", "account_logout", "admin"])
def test_a_word_is_taken_for_no_view_of_ours(client: Client, word: str) -> None:
    answer = choose_language(client, "it", word)
    assert (answer.status_code, answer["Location"]) == (302, word)


def test_on_a_page_that_was_asked_for_in_a_language_another_can_be_chosen(client: Client) -> None:
    page = client.get("/rules/?language=it&from=mail").text
    back = html.unescape(re.search(r'name="next" value="([^"]*)"', page)[1])  # type: ignore[index]
    answer = choose_language(client, "nl", back)
    assert answer["Location"] == "/rules/?from=mail"
    assert '<html lang="nl"' in client.get(answer["Location"]).text


def test_only_a_form_of_ours_chooses() -> None:
    assert Client().get("/language/").status_code == 405
    strict = Client(enforce_csrf_checks=True)
    assert strict.post("/language/", {"language": "it"}).status_code == 403


def render_language_form(path: str, method: str = "get", **context: Any) -> str:
    request = getattr(RequestFactory(), method)(path)
    request.user = AnonymousUser()
    return normalise_html(render_to_string("language.html", context, request=request))


def test_the_foot_of_a_page_offers_every_language_and_says_which_is_spoken(settings: Any) -> None:
    with translation.override("nl"):
        html = render_language_form('/games/?page=2&x="')
    offered = re.findall(r'value="(\w+)" lang="(\w+)"( aria-current="true")?>(\w+)</button>', html)
    assert offered == [(code, code, ' aria-current="true"' if code == "nl" else "", name)
                       for code, name in settings.LANGUAGES]  # fmt: skip
    assert 'name="next" value="/games/?page=2&amp;x=%22"' in html
    assert "csrfmiddlewaretoken" in html
    assert 'name="next" value=""' in render_language_form("/games/new/", "post"), (
        "an address that may take forms only"
    )


def test_pages_that_set_no_cookie_offer_no_choice() -> None:
    assert render_language_form("/turn/token/", user=None).strip() == ""
    assert render_to_string("language.html").strip() == "", "nor does the page for our own mistakes"
