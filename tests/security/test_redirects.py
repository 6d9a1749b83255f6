"""The site never redirects to an address that somebody else chose."""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import urlencode, urlsplit

import pytest
from allauth.account.models import EmailAddress, EmailConfirmationHMAC
from django.core import mail
from django.core.cache import cache
from django.http import HttpResponse
from django.test import Client

from tests.factories.cast import player

from .world import EMAIL, PASSWORD, World

pytestmark = pytest.mark.django_db

OTHER_SITES = (
    *("https://evil.example/", "//evil.example/", "///evil.example", r"\\evil.example", r"/\evil.example"),
    *("http:evil.example", "https:/evil.example", "javascript:alert(1)", "data:text/html,x", "\t//evil.a"),
    *("http://testserver@evil.example/", "http://testserver.evil.example/", "//testserver\\@evil.example"),
    *("https://evil.example\r\nX-Evil: 1", "ftp://testserver/", "/%0d%0aX-Evil:1//evil.example"),
)


def make_signed_in_post(path: str) -> Callable[[Client, str], HttpResponse]:
    def post_form(client: Client, to: str) -> HttpResponse:
        client.force_login(player("ada"))
        return client.post(path, {"next": to, "password": PASSWORD})

    return post_form


def confirm_address(client: Client, to: str) -> HttpResponse:
    address = EmailAddress.objects.get(user=player("fay"))
    EmailAddress.objects.filter(pk=address.pk).update(verified=False)
    return client.post(
        f"/accounts/confirm-email/{EmailConfirmationHMAC(address).key}/?{urlencode({'next': to})}"
    )


ROUTES: dict[str, Callable[[Client, str], HttpResponse]] = {
    "sign in": lambda client, to: client.post(
        "/accounts/login/", {"login": EMAIL, "password": PASSWORD, "next": to}
    ),
    "sign in, in the address": lambda client, to: client.post(
        f"/accounts/login/?{urlencode({'next': to})}", {"login": EMAIL, "password": PASSWORD}
    ),
    "already signed in": lambda client, to: (
        client.force_login(player("ada")) or client.get(f"/accounts/login/?{urlencode({'next': to})}")
    ),  # type: ignore[func-returns-value]
    "sign out": make_signed_in_post("/accounts/logout/"),
    "once more": make_signed_in_post("/accounts/reauthenticate/"),
    "sign up": lambda client, to: client.post(
        "/accounts/signup/",
        {"email": "new@example.net", "username": "newcomer", "password1": PASSWORD, "next": to},
    ),
    "a code": lambda client, to: client.post("/accounts/login/code/", {"email": EMAIL, "next": to}),
    "confirm": confirm_address,
    "operators": lambda client, to: client.get(f"/admin/login/?{urlencode({'next': to})}"),
    "language": lambda client, to: client.post("/language/", {"language": "nl", "next": to}),
}


@pytest.mark.parametrize("route", ROUTES)
def test_no_door_leads_elsewhere(route: str, world: World) -> None:
    for to in OTHER_SITES:
        cache.clear()
        answer = ROUTES[route](Client(), to)
        assert answer.status_code in (200, 302, 403), to
        url = urlsplit(answer.get("Location", ""))
        assert url.scheme in ("", "http"), to
        assert url.netloc in ("", "testserver"), to
        assert not url.path.startswith(("//", "/\\", "\\")), to
        assert "X-Evil" not in answer.headers
        page = answer.content.decode()
        assert 'href="https://evil' not in page
        assert 'href="//evil' not in page


def test_what_a_form_keeps_on_its_way_leads_nowhere_either(world: World) -> None:
    """From the form that requests a code to the form that takes it, and after it."""
    client, evil = Client(), {"next": "https://evil.example/"}
    answer = client.post("/accounts/login/code/", {"email": EMAIL, **evil})
    assert answer.status_code == 302
    code = re.search(r"\n\n([A-Z0-9-]{6,})\n\n", mail.outbox[-1].body)
    assert code
    answer = client.post(f"/accounts/login/code/confirm/?{urlencode(evil)}", {"code": code[1], **evil})
    assert (answer.status_code, answer["Location"]) == (302, "/")


@pytest.mark.parametrize("path", ["/%2fevil.example", "/%5cevil.example", "/games/%2f%2fevil"])
def test_an_address_without_its_last_slash_leads_nowhere_else(path: str) -> None:
    answer = Client().get(path)
    url = urlsplit(answer.get("Location", ""))
    assert url.netloc in ("", "testserver")
    assert answer.status_code in (301, 302, 404, 400)


def test_a_name_of_the_host_that_is_not_ours_is_refused(world: World) -> None:
    """A password reset mail cannot contain a link to another host."""
    answer = Client(SERVER_NAME="evil.example").post("/accounts/password/reset/", {"email": EMAIL})
    assert answer.status_code == 400
    forwarded = Client().post(
        "/accounts/password/reset/", {"email": EMAIL}, headers={"X-Forwarded-Host": "evil.example"}
    )
    assert forwarded.status_code == 302
    assert len(mail.outbox) == 1
    assert "evil.example" not in mail.outbox[0].body
