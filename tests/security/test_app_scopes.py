"""Scopes: every operation of the API with every scope, for apps and for personal tokens.

scopes.txt lists the required scopes; an operation without a line there fails.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
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

from accounts.api.auth import scopes_of
from accounts.models import Player
from accounts.scopes import APP_SCOPES, SCOPES
from accounts.services import oauth_apps, tokens
from notifications.models import Delivery
from tests.factories.cast import player
from tests.factories.events import NOW, create_started_tournament
from tests.factories.evidence import DAILY, MINUTE, first_table, mailed, time_out
from tests.helpers.oauth import allow_app, build_authorize_params, exchange_code
from tests.helpers.sampling import sample_items
from tests.helpers.tokens import ask_api, check_problem
from tournaments.services import sweep

from .request_bodies import build_body
from .route_walker import METHODS, fill_address, list_routes, roll_back_afterwards
from .world import APP_NAME, EMAIL, HOOK, TOKEN_NAME, World

pytestmark = pytest.mark.django_db

TABLE = Path(__file__).with_name("scopes.txt")
APP, TOKEN = "app", "token"
BACK = "https://board.example/back"
# Problem codes that refuse a token as such.
REFUSALS = {"missing-scope", "not-for-apps", "session-only"}
BOUNCE = f"550 <{EMAIL}> is unknown here"
Operation = tuple[str, str]
FullOperation = tuple[str, str, str, list[str]]  # with its address and the names to fill in


@cache
def read_table() -> dict[Operation, dict[str, frozenset[str] | None]]:
    """Return by method and route the scopes that an app and a token need; None if no scope suffices."""
    scopes_by_operation = {}
    for line in TABLE.read_text().splitlines():
        if line and not line.startswith("#"):
            method, app, token, route = line.split()
            scopes_by_operation[method, route] = {APP: parse_scopes(app), TOKEN: parse_scopes(token)}
    return scopes_by_operation


def parse_scopes(words: str) -> frozenset[str] | None:
    if words == "never":
        return None
    return frozenset() if words == "none" else frozenset(words.split("+"))


def iter_operations() -> Iterator[FullOperation]:
    """Yield every method of every API route that a view supports."""
    for route, address, names in list_routes():
        if route.startswith("api/v1/"):
            view = resolve("/" + address % dict.fromkeys(names, "1")).func.view_class  # type: ignore[attr-defined]
            for method in METHODS:
                if hasattr(view, method.lower()):
                    yield method, route, address, names


@cache
def list_scope_sets(kind: str) -> list[frozenset[str]]:
    """Return each scope alone, all scopes but one, and all scopes."""
    every = frozenset(APP_SCOPES if kind == APP else SCOPES)
    single_scopes = [frozenset({scope}) for scope in sorted(every)]
    return [*single_scopes, *(every - scope_set for scope_set in single_scopes), every]


def list_requests(kind: str) -> list[tuple[FullOperation, frozenset[str]]]:
    """List every operation with the deciding sets of scopes; with `make soak`, with every set.

    Deciding sets are the least sufficient set, all scopes without one of those, and the sets that later tests
    need: all scopes, and all without `email`. Of the other sets, a random sample is listed.
    """
    *_, every = sets = list_scope_sets(kind)
    requests, drawn_requests = [], []
    for operation in iter_operations():
        wanted = read_table()[operation[:2]][kind]
        deciding = {every, every - {"email"}}
        if wanted is not None:
            least = min((scopes for scopes in sets if wanted <= scopes), key=len)
            same = [scopes for scopes in sets if wanted <= scopes and len(scopes) == len(least)]
            deciding |= {*sample_items(f"{kind} {operation[:2]}", same, 1)}
            deciding |= {every - {scope} for scope in wanted}
        for scopes in sets:
            (requests if scopes in deciding else drawn_requests).append((operation, scopes))
    return requests + sample_items(kind, drawn_requests, 50)


@pytest.fixture
def headers_by_scopes(world: World) -> dict[tuple[str, frozenset[str]], dict[str, str]]:
    """Return headers by kind and scopes: of an app that ada authorised, and of tokens of ada's.

    Ada's address has bounced, so that responses about the account may contain it in the reason.
    """
    ada, headers_by_scopes = player("ada"), {}
    Player.objects.filter(pk=ada.pk).update(email_bounced_at=world.now, email_bounce_reason=BOUNCE)
    Delivery.objects.filter(player=ada, webhook=None).update(status_reason=BOUNCE)
    app, _secret = oauth_apps.register_app(
        player=player("bob"), name="Pocket board", addresses=[BACK], secret=False, now=world.now
    )
    for number, scopes in enumerate(list_scope_sets(APP)):
        plain = f"app with set {number}"
        AccessToken.objects.create(
            user=ada,
            application=app,
            token=plain.replace(" ", "-"),
            scope=" ".join(sorted(scopes)),
            expires=world.now + timedelta(days=1),
        )
        headers_by_scopes[APP, scopes] = {"Authorization": f"Bearer {plain.replace(' ', '-')}"}
    for scopes in list_scope_sets(TOKEN):
        row, plain = tokens.create_token(player=ada, name="of ada", scopes=scopes, now=world.now)
        tokens.touch_token(token=row, now=world.now)
        headers_by_scopes[TOKEN, scopes] = {"Authorization": f"Bearer {plain}"}
    return headers_by_scopes


@dataclass
class Program:
    """A client that sends each request of this file once and keeps the response."""

    world: World
    client: Client = field(default_factory=lambda: Client(raise_request_exception=False))
    answers: dict[Any, tuple[str, str]] = field(default_factory=dict)

    def ask(
        self, operation: FullOperation, kind: str, scopes: frozenset[str], headers: dict[str, str]
    ) -> tuple[str, str]:
        """Return the code with which a token was refused, and the text of the response."""
        request = (*operation[:2], kind, scopes)
        if request not in self.answers:
            with roll_back_afterwards():
                answer = send_request(self.world, self.client, operation, headers)
            text = "" if answer.streaming else answer.content.decode("utf-8", "replace")
            self.answers[request] = get_refusal_code(answer), text
        return self.answers[request]


@pytest.fixture(scope="module")
def program(world: World) -> Program:
    return Program(world)


def send_request(
    world: World, client: Client, operation: FullOperation, headers: dict[str, str]
) -> HttpResponse:
    method, route, address, names = operation
    client.cookies.clear()
    body = build_body(world, method, route)
    if route.endswith("me/tokens/"):
        body = {"name": "x", "scopes": ["account"]}  # a scope that the parent token needs anyway
    return client.generic(
        method,
        fill_address(address, names, world),
        json.dumps({} if body is None else body) if method != "GET" else "",
        "application/json",
        headers=headers,
    )


def get_refusal_code(answer: HttpResponse) -> str:
    """Return the code with which a token was refused; empty if it was accepted."""
    if answer.get("Content-Type") != "application/problem+json":
        return ""
    code = str(json.loads(answer.content)["code"])
    return code if code in REFUSALS or answer.status_code == 401 else ""


def get_expected_refusal(kind: str, wanted: frozenset[str] | None, granted_scopes: frozenset[str]) -> str:
    if wanted is None:
        return "not-for-apps" if kind == APP else "session-only"
    return "" if wanted <= granted_scopes else "missing-scope"


def test_every_operation_has_a_line_and_every_line_an_operation() -> None:
    assert {(method, route) for method, route, _address, _names in iter_operations()} == read_table().keys()


@pytest.mark.parametrize("kind", [APP, TOKEN])
def test_every_operation_takes_what_its_line_says_and_nothing_less(
    kind: str, program: Program, headers_by_scopes: dict[Any, dict[str, str]]
) -> None:
    wrong = []
    for operation, scopes in list_requests(kind):
        wanted = read_table()[operation[:2]][kind]
        refusal_code, _text = program.ask(operation, kind, scopes, headers_by_scopes[kind, scopes])
        expected = get_expected_refusal(kind, wanted, scopes)
        if refusal_code != expected:
            wrong.append(
                (*operation[:2], sorted(scopes), f"{refusal_code or 'allowed'}, not {expected or 'allowed'}")
            )
    assert not wrong, "\n".join(map(str, wrong))


def test_what_no_token_may_do_the_player_does_in_the_browser(world: World) -> None:
    browser = world.browser("ada")
    forbidden = [operation for operation in iter_operations() if read_table()[operation[:2]][TOKEN] is None]
    assert len(forbidden) > 3
    for method, route, address, names in forbidden:
        body = json.dumps(build_body(world, method, route)) if method != "GET" else ""
        with roll_back_afterwards():
            answer = browser.generic(method, fill_address(address, names, world), body, "application/json")
        assert answer.status_code in (200, 201, 204), (method, route, answer.content)


# ------------------------------------------------------------------------------------ contents of responses


def iter_answers(
    program: Program, kind: str, scopes: frozenset[str], headers_by_scopes: dict[Any, dict[str, str]]
) -> Iterator[tuple[Operation, str]]:
    """Yield the response text of every operation."""
    for operation in iter_operations():
        _code, text = program.ask(operation, kind, scopes, headers_by_scopes[kind, scopes])
        yield operation[:2], text


@pytest.mark.parametrize("kind", [APP, TOKEN])
def test_no_program_without_the_scope_sees_the_address(
    kind: str, program: Program, headers_by_scopes: dict[Any, dict[str, str]]
) -> None:
    every = frozenset(APP_SCOPES if kind == APP else SCOPES)

    def list_telling_operations(scopes: frozenset[str]) -> list[Operation]:
        answers = iter_answers(program, kind, scopes, headers_by_scopes)
        return [operation for operation, text in answers if EMAIL in text]

    assert list_telling_operations(every - {"email"}) == []
    operations = list_telling_operations(every)
    assert ("GET", "api/v1/me/") in operations
    if kind == APP:
        assert operations == [("GET", "api/v1/me/")], "and by nothing else"


def test_no_app_gets_at_anything_that_lasts_longer_than_it(
    program: Program, headers_by_scopes: dict[Any, dict[str, str]]
) -> None:
    ada = player("ada")
    token, app, hook = (
        ada.tokens.get(name=TOKEN_NAME),
        Application.objects.get(name=APP_NAME),
        ada.webhooks.get(),
    )
    lasting = (
        *(HOOK, TOKEN_NAME, APP_NAME, ada.feed_token, ada.mail_token, ada.password),
        *(token.digest, app.client_id, app.client_secret, hook.signing_secret),
    )
    for operation, text in iter_answers(program, APP, frozenset(APP_SCOPES), headers_by_scopes):
        assert [address for address in lasting if address in text] == [], operation


def test_what_was_sent_before_a_timeout_tells_the_address_to_its_owner_alone() -> None:
    """An app of the player who timed out cannot read their address in the timeout evidence."""
    tournament = create_started_tournament("knockout", 2, timeout_policy="forfeit", **DAILY)
    table, game, late = first_table(tournament)
    mailed(late, NOW + MINUTE)
    sweep.sweep_tournaments(now=time_out(game))
    path = f"tournaments/{tournament.code}/pairings/{table.pk}/evidence/"
    for scopes, is_shown in ((("read", "email", "play"), False), (("read", "email", "account"), True)):
        _row, plain = tokens.create_token(player=late, name="x", scopes=scopes, now=NOW)
        answer = ask_api(plain, path)
        assert answer.status_code == 200, answer.content
        assert answer.json()["results"][0]["notices"], "or nothing would be tested"
        assert (late.email in answer.text) is is_shown


def test_the_profile_hides_what_a_program_has_no_scope_for() -> None:
    ada = player("ada")
    Player.objects.filter(pk=ada.pk).update(allow_any_sender=True)
    _row, plain = tokens.create_token(player=ada, name="x", scopes=("read",), now=ada.joined_at)
    data = ask_api(plain).json()
    assert (data["name"], data["email"], data["email_bounce_reason"], data["allow_any_sender"]) == (
        "ada",
        None,
        None,
        None,
    )
    _row, plain = tokens.create_token(
        player=ada, name="x", scopes=("read", "email", "account"), now=ada.joined_at
    )
    data = ask_api(plain).json()
    assert (data["email"], data["email_bounce_reason"], data["allow_any_sender"]) == (ada.email, None, True)


# -------------------------------------------------------------------------------------------- authorisation


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
        for scope, is_shown in (("read", False), ("read email", True)):
            page = client.get("/oauth/authorize/", query_params=build_authorize_params(app, scope=scope))
            assert (sentence in page.text) is is_shown, (language, scope)


def test_an_app_reads_the_address_only_after_it_was_allowed_to(client: Client, app: Any) -> None:
    client.force_login(player("cleo"))
    token = exchange_code(app, allow_app(client, app, scope="read play organise")["code"]).json()[
        "access_token"
    ]
    assert ask_api(token).json()["email"] is None
    token = exchange_code(app, allow_app(client, app, scope="read email")["code"]).json()["access_token"]
    assert ask_api(token).json()["email"] == "cleo@example.org"


def test_an_app_that_was_allowed_less_is_asked_for_again(client: Client, app: Any) -> None:
    client.force_login(player("cleo"))
    exchange_code(app, allow_app(client, app, scope="read")["code"])
    params = build_authorize_params(app, scope="read email", approval_prompt="auto")
    page = client.get("/oauth/authorize/", query_params=params)
    assert page.status_code == 200
    assert "See your email address" in page.text


def test_refreshing_gives_no_scope_that_was_not_allowed(client: Client, app: Any) -> None:
    client.force_login(player("cleo"))
    token = exchange_code(app, allow_app(client, app, scope="read")["code"]).json()
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
    answer = client.get("/oauth/authorize/", query_params=build_authorize_params(app, scope="read account"))
    assert parse_qs(urlsplit(answer["Location"]).query)["error"] == ["invalid_scope"]


def test_a_row_that_says_account_is_still_an_apps(world: World, app: Any) -> None:
    """However the row was created, it gives no more than an app may have."""
    row = AccessToken.objects.create(
        user=player("cleo"),
        application=app,
        token="by-a-mistake",
        scope=" ".join(SCOPES),
        expires=world.now + timedelta(days=1),
    )
    check_problem(ask_api("by-a-mistake", "me/", "PATCH", {"allow_any_sender": True}), 403, "not-for-apps")

    class Asked:
        user, auth = player("cleo"), row

    assert scopes_of(Asked()) == frozenset(APP_SCOPES)  # type: ignore[arg-type]
