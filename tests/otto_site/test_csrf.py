"""CSRF: a POST without a token to every address of the site, with the few exempt views listed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from copy import deepcopy

import pytest
from django.db import transaction
from django.http import HttpResponse
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, resolve
from django.utils.regex_helper import normalize

from tests.factories.cast import player

pytestmark = pytest.mark.django_db

# Views that accept a POST without a CSRF token, because they ignore the session.
EXEMPT = {
    "turn": "the signed token in the address is all that counts",
    "mute": "the signed token in the address is all that counts",
    "refuse-mail": "the signed token in the address is all that counts",
    "confirm-by-mail": "the signed token in the address is all that counts",
    "answer-by-mail": "the signed token in the address is all that counts",
    "leave-by-mail": "the signed token in the address is all that counts",
    "unsubscribe": "the signed token in the address; mail programs send it themselves (RFC 8058)",
    "fairness": "checks a record and changes nothing; so it can say itself that one is too large",
    "oauth2_provider:token": "for programs: an app's code, verifier or secret counts",
    "oauth2_provider:revoke-token": "for programs: the token itself counts",
}
LOOKED_AT = {"healthz", "readyz", "metrics", "status"}  # health checks, which act on nothing
SAMPLES = {"app_label": "games", "url": "nothing/", "object_id": "1", "uidb64": "x", "content_type_id": "1"}


def iter_addresses(resolver: URLResolver, prefix: str = "", space: str = "") -> Iterator[tuple[str, str]]:
    """Yield the name of every URL pattern with an address that matches it."""
    for entry in resolver.url_patterns:
        [(route, names)] = normalize(entry.pattern.regex.pattern)[:1]
        path = prefix + route % {name: SAMPLES.get(name, "1") for name in names}
        if isinstance(entry, URLResolver):
            yield from iter_addresses(entry, path, f"{space}{entry.namespace}:" if entry.namespace else space)
        elif isinstance(entry, URLPattern):
            yield f"{space}{entry.name}", f"/{path.removesuffix('%')}"


EVERYTHING = [*iter_addresses(get_resolver())]


def test_the_walk_sees_every_kind_of_address() -> None:
    names = {name for name, _ in EVERYTHING}
    assert {
        *EXEMPT,
        "home",
        "game-play",
        "new-game",
        "account_login",
        "admin:index",
        "mfa_index",
        "profile",
    } <= names
    for name, path in EVERYTHING:
        resolved = resolve(path)
        assert resolved.url_name is None or resolved.view_name == name, path


def find_fault(name: str, path: str, answer: HttpResponse) -> str:
    """Return the error in the response to a form without a token, or ""."""
    status, text = answer.status_code, answer.content.decode("utf-8", "replace")
    is_refused = "We could not accept this form" in text
    is_program = path.startswith("/api/v1/")
    if name in EXEMPT:
        return "" if status in (302, 400, 401, 403, 404, 422) and not is_refused else "not exempt"
    if name in LOOKED_AT or (is_program and status == 405):
        return "" if status == 405 and "POST" not in answer["Allow"] else "takes forms"
    if is_program:
        return "" if status == 403 and json.loads(text)["code"] == "csrf" else "no problem of CSRF"
    return "" if status == 403 and is_refused else "not refused"


def test_a_form_without_its_token_is_refused() -> None:
    """The request carries a player's session cookie, as one from another site's page would."""
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(player("ada"))
    cookies, faults = deepcopy(browser.cookies), []
    for name, path in EVERYTHING:
        browser.cookies = deepcopy(cookies)
        with transaction.atomic():  # each request sees unchanged rows
            answer = browser.post(path, {"action": "draw"})
            transaction.set_rollback(True)
        if fault := find_fault(name, path, answer):
            faults.append((name, path, answer.status_code, fault))
    assert not faults, "\n".join(map(str, faults))
