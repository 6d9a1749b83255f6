"""Error pages say what happened and what to do, even without a database or templates."""

from __future__ import annotations

import json
import logging
import re
from typing import Any

import pytest
from django.conf import settings as django_settings
from django.core.cache import cache
from django.core.exceptions import PermissionDenied
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.files.uploadhandler import TemporaryFileUploadHandler
from django.test import Client, RequestFactory

from accounts.models import Player
from otto_site.error_pages import show_forbidden
from tests.factories.cast import open_browser, player, start_cast_game
from tests.factories.open_games import create_open_game
from tests.helpers.page_policy import check_page
from tests.helpers.tokens import check_problem

HOME, GAMES, SIGN_IN = 'href="/"', 'href="/games/"', "Sign in and try again"


def check_error_page(answer: Any, status: int, *sentences: str) -> str:
    """Check that a page has this status, these sentences, and links to other pages."""
    assert answer.status_code == status
    check_page(answer)
    page: str = answer.text
    for words in (*sentences, HOME, GAMES, "otto.css"):
        assert words in page
    assert page.count("<h1>") == 1
    return page


@pytest.fixture
def client_with_session(settings: Any) -> Client:
    """A browser with a session cookie, which only the database could resolve."""
    client = Client(raise_request_exception=False)
    client.cookies[settings.SESSION_COOKIE_NAME] = "x" * 32
    return client


# --------------------------------------------------------------------------------------- without a database


@pytest.mark.parametrize(
    ("language", "sentences"),
    [
        ("en", "Something went wrong on our side."),
        ("it", "Qualcosa è andato storto da parte nostra."),
        ("nl", "Er ging bij ons iets mis."),
        ("xx", "Something went wrong on our side."),
    ],
)
@pytest.mark.parametrize("path", ["/games/", "/me/profile/"])
def test_our_mistake_is_written_in_the_readers_language_though_the_database_is_gone(
    client_with_session: Client, path: str, language: str, sentences: str
) -> None:
    """pytest blocks database access in this test: every attempt raises."""
    answer = client_with_session.get(path, headers={"Accept-Language": language})
    check_error_page(answer, 500, sentences)


def test_our_mistake_is_shown_though_no_template_can_be_drawn(
    client_with_session: Client, settings: Any
) -> None:
    settings.TEMPLATES = [{**django_settings.TEMPLATES[0], "DIRS": []}]
    answer = client_with_session.get("/games/")
    assert answer.status_code == 500
    check_page(answer)
    for words in ("Something went wrong", 'lang="it">Qualcosa', 'lang="nl">Er ging', HOME):
        assert words in answer.text


def test_programs_hear_of_our_mistake_as_ever(client_with_session: Client) -> None:
    check_problem(client_with_session.get("/api/v1/me/"), 500, "internal")


def test_an_unknown_address_is_shown_though_the_database_is_gone(
    client_with_session: Client, caplog: pytest.LogCaptureFixture
) -> None:
    """Without a session, no query is needed; with one, the page shows an error of the site."""
    check_error_page(Client().get("/no/such/page/"), 404, "There is nothing at this address.")
    with caplog.at_level(logging.ERROR):
        check_error_page(client_with_session.get("/no/such/page/"), 500, "Something went wrong on our side.")
    assert caplog.records


# ------------------------------------------------------------------------------------------- refused requests


@pytest.mark.django_db
def test_an_unknown_address_leads_on(client: Client) -> None:
    page = check_error_page(client.get("/no/such/page/"), 404, "There is nothing at this address.")
    assert SIGN_IN not in page


@pytest.mark.django_db
def test_whoever_may_not_see_a_game_gets_the_same_answer_as_if_there_were_none() -> None:
    hidden = create_open_game(private=True).code
    for client in (open_browser(), open_browser("bob")):
        pages = []
        for code in (hidden, "nosuchgame22"):
            page = check_error_page(
                client.get(f"/games/{code}/"), 404, "There is no such game.", "Or the page is private"
            )
            token = re.compile('name="csrfmiddlewaretoken" value="[^"]+"')
            pages.append(token.sub("", page.replace(code, "…")))
        assert pages[0] == pages[1]
    stranger = open_browser().get(f"/games/{hidden}/").text
    assert f'href="/accounts/login/?next=/games/{hidden}/"' in stranger
    assert SIGN_IN not in open_browser("bob").get(f"/games/{hidden}/").text


@pytest.mark.django_db
@pytest.mark.parametrize("name", [None, "ada"])
def test_a_form_that_was_open_too_long_says_how_to_go_on(name: str | None) -> None:
    game = start_cast_game("ada", "bob")
    client = Client(enforce_csrf_checks=True)
    if name:
        client.force_login(player(name))
    path = f"/games/{game.code}/say/"
    sentences = ("We could not accept this form.", "open too long", "allow cookies", "Nothing was changed")
    page = check_error_page_links(client.post(path, {"text": "hello"}), *sentences)
    assert "Reload the page</a>" not in page
    headers = {"Referer": f"http://testserver/games/{game.code}/"}
    assert f'href="{headers["Referer"]}"' in check_error_page_links(
        client.post(path, headers=headers), *sentences
    )
    elsewhere = {"Referer": "https://evil.example/games/"}
    assert "evil" not in check_error_page_links(client.post(path, headers=elsewhere), *sentences)


def check_error_page_links(answer: Any, *sentences: str) -> str:
    assert answer.status_code == 403
    check_page(answer)
    for words in (*sentences, HOME):
        assert words in answer.text
    page: str = answer.text
    return page


@pytest.mark.django_db
def test_what_is_for_others_says_who_one_is(client: Client) -> None:
    helper = player("bob")
    Player.objects.filter(pk=helper.pk).update(is_staff=True)  # without any permission
    client.force_login(helper)
    answer = client.get("/admin/games/message/")
    page = check_error_page(answer, 403, "You do not have access to this.", "You are signed in as bob")
    assert SIGN_IN not in page
    response = show_forbidden(RequestFactory().get("/somewhere/?page=2"), PermissionDenied())
    assert response.status_code == 403
    assert 'href="/accounts/login/?next=/somewhere/%3Fpage%3D2"' in response.text
    posted = show_forbidden(RequestFactory().post("/somewhere/"), PermissionDenied())
    assert 'href="/accounts/login/"' in posted.text
    program = show_forbidden(RequestFactory().get("/api/v1/somewhere/"), PermissionDenied())
    assert (program.status_code, json.loads(program.content)["code"]) == (403, "forbidden")


@pytest.mark.django_db
def test_what_cannot_be_read_or_stored_is_answered_kindly(client: Client) -> None:
    client.force_login(player("ada"))
    params = {"client_id": "a\x00b", "response_type": "code"}  # PostgreSQL cannot store a NUL character
    unreadable = client.get("/oauth/authorize/", query_params=params)
    check_error_page(unreadable, 400, "We could not read what your browser sent.")
    wrong = client.get("/", headers={"Host": "evil.example"})
    check_error_page(wrong, 400, "We could not read what your browser sent.", "Nothing was changed.")
    large = client.post("/games/new/", {"mode": "x" * 2_000_000})
    check_error_page(large, 413, "That is too large.", "Go back, shorten it")


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/fairness/", "/play-now/", "/language/"])
def test_a_large_file_is_refused_before_it_is_written_anywhere(
    path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[int] = []
    monkeypatch.setattr(
        TemporaryFileUploadHandler, "receive_data_chunk", lambda self, data, start: written.append(len(data))
    )
    answer = Client().post(path, {"file": SimpleUploadedFile("record.json", b" " * 3_000_000)})
    assert not written
    assert answer.status_code in (413, 422)
    assert "too large" in answer.text or "larger than a megabyte" in answer.text


@pytest.mark.django_db
def test_pages_about_the_api_are_for_people(client: Client) -> None:
    strict = Client(enforce_csrf_checks=True)
    for path in ("/api/", "/api/errors/"):
        assert "We could not accept this form." in strict.post(path).text
    check_error_page(client.get("/api/operations/nothing/"), 404, "There is nothing at this address.")
    check_problem(client.get("/api/nothing/"), 404, "not-found")


@pytest.mark.django_db
def test_codes_in_the_meanings_of_errors_are_shown_as_code(client: Client) -> None:
    page = client.get("/api/errors/").text
    assert "<code>rule</code> names the rule" in page
    assert "`" not in page


@pytest.mark.django_db
def test_who_tries_too_often_is_asked_to_wait(client: Client, settings: Any) -> None:
    cache.clear()
    settings.ACCOUNT_RATE_LIMITS = {"login": "1/m/ip"}
    fields = {"login": "ada@example.org", "password": "wrong"}
    client.post("/accounts/login/", fields)
    answer = client.post("/accounts/login/", fields)
    check_error_page(answer, 429, "Too many tries.", "Wait a few minutes", "Your games go on")
    cache.clear()
