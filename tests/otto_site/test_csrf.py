"""Which forms go through without a CSRF token: a walk over every address of the site."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, resolve
from django.utils.regex_helper import normalize

from tests.factories.cast import player

pytestmark = pytest.mark.django_db

# Views that a browser without a token may POST to; the session of whoever is signed in has no say in any.
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
LOOKED_AT = {"healthz", "readyz", "metrics", "status"}  # they answer before anything that could act is asked
SAMPLES = {"app_label": "games", "url": "nothing/", "object_id": "1", "uidb64": "x", "content_type_id": "1"}


def iter_addresses(resolver: URLResolver, prefix: str = "", space: str = "") -> Iterator[tuple[str, str]]:
    """Every pattern of the site: its name, and an address that it answers."""
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


@pytest.mark.parametrize(("name", "path"), EVERYTHING)
def test_a_form_without_its_token_is_refused(name: str, path: str) -> None:
    """With the cookie of a player, as another site's page would make a browser send it."""
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(player("ada"))
    answer = browser.post(path, {"action": "draw"})
    if name in EXEMPT:
        assert answer.status_code in (302, 400, 401, 403, 404, 422), name
        assert "We could not accept this form" not in answer.text
    elif name in LOOKED_AT or (path.startswith("/api/v1/") and answer.status_code == 405):
        assert answer.status_code == 405
        assert "POST" not in answer["Allow"]
    elif path.startswith("/api/v1/"):
        assert (answer.status_code, answer.json()["code"]) == (403, "csrf"), name
    else:
        assert answer.status_code == 403, name
        assert "We could not accept this form" in answer.text
