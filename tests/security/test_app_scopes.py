"""What programs may do: every operation of the API, by every method, with every scope, as an app and a token.

What each takes stands in scopes.txt; an operation without a line there fails.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import timedelta
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.core.cache import cache as counts
from django.http import HttpResponse
from django.test import Client
from django.urls import resolve
from oauth2_provider.models import AccessToken, Application

from games.api.auth import scopes_of
from games.models import Delivery, Player
from games.scopes import APP_SCOPES, SCOPES
from games.services import oauth_apps, tokens
from tests.games.cast import player
from tests.games.test_oauth import allow, exchange, question
from tests.games.test_tokens import ask, check_problem
from tests.tournaments.play import NOW, started
from tests.tournaments.test_evidence import DAILY, MINUTE, first_table, mailed, time_out
from tournaments.services import sweep

from .request_bodies import body_for
from .walking import METHODS, all_routes, filled, taken_back
from .world import APP_NAME, EMAIL, HOOK, TOKEN_NAME, World

pytestmark = pytest.mark.django_db

TABLE = Path(__file__).with_name("scopes.txt")
APP, TOKEN = "app", "token"
BACK = "https://board.example/back"
# Codes of problems that say: not with this token.
REFUSALS = {"missing-scope", "not-for-apps", "in-person"}
Operation = tuple[str, str]


@cache
def table() -> dict[Operation, dict[str, frozenset[str] | None]]:
    """By method and route, what an app needs and what a token needs; None if nothing is enough."""
    found = {}
    for line in TABLE.read_text().splitlines():
        if line and not line.startswith("#"):
            method, app, token, route = line.split()
            found[method, route] = {APP: needed(app), TOKEN: needed(token)}
    return found


def needed(words: str) -> frozenset[str] | None:
    if words == "never":
        return None
    return frozenset() if words == "none" else frozenset(words.split("+"))


def operations() -> Iterator[tuple[str, str, str, list[str]]]:
    """Every method of every address of the API that some view answers."""
    for route, address, names in all_routes():
        if route.startswith("api/v1/"):
            view = resolve("/" + address % dict.fromkeys(names, "1")).func.view_class  # type: ignore[attr-defined]
            for method in METHODS:
                if hasattr(view, method.lower()):
                    yield method, route, address, names


@cache
def scope_sets(kind: str) -> list[frozenset[str]]:
    """Each scope alone, all but each, and all of them."""
    every = frozenset(APP_SCOPES if kind == APP else SCOPES)
    alone = [frozenset({scope}) for scope in sorted(every)]
    return [*alone, *(every - one for one in alone), every]


@pytest.fixture
def headers(world: World) -> dict[tuple[str, frozenset[str]], dict[str, str]]:
    """What ada's programs send: an app that she allowed, and tokens of hers, with all sets of scopes."""
    ada, found = player("ada"), {}
    app, _secret = oauth_apps.register_app(
        player=player("bob"), name="Pocket board", addresses=[BACK], secret=False, now=world.now
    )
    for number, scopes in enumerate(scope_sets(APP)):
        plain = f"app with set {number}"
        AccessToken.objects.create(
            user=ada,
            application=app,
            token=plain.replace(" ", "-"),
            scope=" ".join(sorted(scopes)),
            expires=world.now + timedelta(days=1),
        )
        found[APP, scopes] = {"Authorization": f"Bearer {plain.replace(' ', '-')}"}
    for scopes in scope_sets(TOKEN):
        row, plain = tokens.create_token(player=ada, name="of ada", scopes=scopes, now=world.now)
        tokens.touch_token(token=row, now=world.now)
        found[TOKEN, scopes] = {"Authorization": f"Bearer {plain}"}
    return found


def send(world: World, operation: tuple[str, str, str, list[str]], headers: dict[str, str]) -> HttpResponse:
    method, route, address, names = operation
    body = body_for(world, method, route)
    if route.endswith("me/tokens/"):
        body = {"name": "x", "scopes": ["account"]}  # it gives no other scope than it must have itself
    return Client(raise_request_exception=False).generic(
        method,
        filled(address, names, world),
        json.dumps({} if body is None else body) if method != "GET" else "",
        "application/json",
        headers=headers,
    )


def refusal_of(answer: HttpResponse) -> str:
    """The code with which a token was refused; empty if it was good enough."""
    if answer.get("Content-Type") != "application/problem+json":
        return ""
    code = str(json.loads(answer.content)["code"])
    return code if code in REFUSALS or answer.status_code == 401 else ""


def expected_refusal(kind: str, wanted: frozenset[str] | None, held: frozenset[str]) -> str:
    if wanted is None:
        return "not-for-apps" if kind == APP else "in-person"
    return "" if wanted <= held else "missing-scope"


def test_every_operation_has_a_line_and_every_line_an_operation() -> None:
    assert {(method, route) for method, route, _address, _names in operations()} == table().keys()


@pytest.mark.parametrize("kind", [APP, TOKEN])
def test_every_operation_takes_what_its_line_says_and_nothing_less(
    kind: str, world: World, headers: dict[Any, dict[str, str]]
) -> None:
    wrong = []
    for operation in operations():
        wanted = table()[operation[:2]][kind]
        for scopes in scope_sets(kind):
            with taken_back():
                answer = send(world, operation, headers[kind, scopes])
            said, expected = refusal_of(answer), expected_refusal(kind, wanted, scopes)
            if said != expected:
                wrong.append(
                    (*operation[:2], sorted(scopes), f"{said or 'allowed'}, not {expected or 'allowed'}")
                )
    assert not wrong, "\n".join(map(str, wrong))


def test_what_no_token_may_do_the_player_does_in_the_browser(world: World) -> None:
    browser = world.browser("ada")
    for operation in operations():
        if table()[operation[:2]][TOKEN] is None:
            method, route, address, names = operation
            body = json.dumps(body_for(world, method, route)) if method != "GET" else ""
            with taken_back():
                answer = browser.generic(method, filled(address, names, world), body, "application/json")
            assert answer.status_code in (200, 201, 204), (method, route, answer.content)


# --------------------------------------------------------------------------------------- what they are told


def answers(world: World, headers: dict[str, str]) -> Iterator[tuple[Operation, str]]:
    """What a program is told by every operation."""
    for operation in operations():
        with taken_back():
            answer = send(world, operation, headers)
        if not answer.streaming:
            yield operation[:2], answer.content.decode("utf-8", "replace")


@pytest.mark.parametrize("kind", [APP, TOKEN])
def test_no_program_without_the_scope_is_told_the_address(
    kind: str, world: World, headers: dict[Any, dict[str, str]]
) -> None:
    ada = player("ada")
    bounce = f"550 <{EMAIL}> is unknown here"
    Player.objects.filter(pk=ada.pk).update(dead_at=world.now, dead_why=bounce)
    Delivery.objects.filter(player=ada, webhook=None).update(why=bounce)
    every = frozenset(APP_SCOPES if kind == APP else SCOPES)
    told = [one for one, text in answers(world, headers[kind, every - {"email"}]) if EMAIL in text]
    assert told == []
    told = [one for one, text in answers(world, headers[kind, every]) if EMAIL in text]
    assert ("GET", "api/v1/me/") in told
    if kind == APP:
        assert told == [("GET", "api/v1/me/")], "and by nothing else"


def test_no_app_gets_at_anything_that_lasts_longer_than_it(
    world: World, headers: dict[Any, dict[str, str]]
) -> None:
    ada = player("ada")
    token, app, hook = (
        ada.tokens.get(name=TOKEN_NAME),
        Application.objects.get(name=APP_NAME),
        ada.webhooks.get(),
    )
    lasting = (
        *(HOOK, TOKEN_NAME, APP_NAME, ada.key, ada.mail_key, ada.password),
        *(token.digest, app.client_id, app.client_secret, hook.secret),
    )
    for operation, text in answers(world, headers[APP, frozenset(APP_SCOPES)]):
        assert [one for one in lasting if one in text] == [], operation


def test_what_was_sent_before_a_timeout_tells_the_address_to_its_owner_alone() -> None:
    """An app of somebody who ran out of time does not read their address out of what was sent to them."""
    event = started("knockout", 2, timeouts="forfeit", **DAILY)
    table, game, late = first_table(event)
    mailed(late, NOW + MINUTE)
    sweep.sweep_tournaments(now=time_out(game))
    path = f"tournaments/{event.code}/tables/{table.pk}/evidence/"
    for scopes, shown in ((("read", "email", "play"), False), (("read", "email", "account"), True)):
        _row, plain = tokens.create_token(player=late, name="x", scopes=scopes, now=NOW)
        answer = ask(plain, path)
        assert answer.status_code == 200, answer.content
        assert answer.json()["results"][0]["notices"], "or nothing would be tested"
        assert (late.email in answer.text) is shown


def test_the_profile_hides_what_a_program_has_no_scope_for() -> None:
    ada = player("ada")
    Player.objects.filter(pk=ada.pk).update(any_sender=True)
    _row, plain = tokens.create_token(player=ada, name="x", scopes=("read",), now=ada.joined_at)
    told = ask(plain).json()
    assert (told["name"], told["email"], told["dead_why"], told["any_sender"]) == ("ada", None, None, None)
    _row, plain = tokens.create_token(
        player=ada, name="x", scopes=("read", "email", "account"), now=ada.joined_at
    )
    told = ask(plain).json()
    assert (told["email"], told["dead_why"], told["any_sender"]) == (ada.email, "", True)


# -------------------------------------------------------------------------------------------- being allowed


@pytest.fixture
def app(world: World) -> Any:
    counts.clear()
    return oauth_apps.register_app(
        player=player("bob"), name="Pocket board", addresses=[BACK], secret=False, now=world.now
    )[0]


def test_the_consent_page_names_the_address_if_it_is_asked_for(client: Client, app: Any) -> None:
    client.force_login(player("cleo"))
    words = {
        "en": "See your email address",
        "it": "Vedere il tuo indirizzo email",
        "nl": "Je e-mailadres zien",
    }
    for language, sentence in words.items():
        Player.objects.filter(name="cleo").update(language=language)
        for scope, said in (("read", False), ("read email", True)):
            page = client.get("/oauth/authorize/", query_params=question(app, scope=scope))
            assert (sentence in page.text) is said, (language, scope)


def test_an_app_reads_the_address_only_after_it_was_allowed_to(client: Client, app: Any) -> None:
    client.force_login(player("cleo"))
    token = exchange(app, allow(client, app, scope="read play organise")["code"]).json()["access_token"]
    assert ask(token).json()["email"] is None
    token = exchange(app, allow(client, app, scope="read email")["code"]).json()["access_token"]
    assert ask(token).json()["email"] == "cleo@example.org"


def test_an_app_that_was_allowed_less_is_asked_for_again(client: Client, app: Any) -> None:
    client.force_login(player("cleo"))
    exchange(app, allow(client, app, scope="read")["code"])
    asked = question(app, scope="read email", approval_prompt="auto")
    page = client.get("/oauth/authorize/", query_params=asked)
    assert page.status_code == 200
    assert "See your email address" in page.text


def test_refreshing_gives_no_scope_that_was_not_allowed(client: Client, app: Any) -> None:
    client.force_login(player("cleo"))
    token = exchange(app, allow(client, app, scope="read")["code"]).json()
    fields = {
        "grant_type": "refresh_token",
        "refresh_token": token["refresh_token"],
        "client_id": app.client_id,
        "scope": "read email",
    }
    assert Client().post("/oauth/token/", fields).status_code == 400
    assert not AccessToken.objects.filter(application=app, scope__contains="email").exists()


def test_no_app_can_ask_for_the_account(client: Client, app: Any) -> None:
    client.force_login(player("cleo"))
    answer = client.get("/oauth/authorize/", query_params=question(app, scope="read account"))
    assert parse_qs(urlsplit(answer["Location"]).query)["error"] == ["invalid_scope"]


def test_a_row_that_says_account_is_still_an_apps(world: World, app: Any) -> None:
    """However it came to be there."""
    row = AccessToken.objects.create(
        user=player("cleo"),
        application=app,
        token="by-a-mistake",
        scope=" ".join(SCOPES),
        expires=world.now + timedelta(days=1),
    )
    check_problem(ask("by-a-mistake", "me/", "PATCH", {"any_sender": True}), 403, "not-for-apps")

    class Asked:
        user, auth = player("cleo"), row

    assert scopes_of(Asked()) == frozenset(APP_SCOPES)  # type: ignore[arg-type]
