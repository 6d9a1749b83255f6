"""Two browsers and one mailbox: Elsa, whose address it is, and a stranger who gave it."""

from __future__ import annotations

import re

from django.core import mail
from django.core.cache import cache
from django.test import Client

from games.email_addresses import canonical_address
from tests.games.test_accounts import link_in, signed_in

X = "elsa@example.net"  # the address, which is Elsa's
OTHER = "mallory@example.net"
STRANGERS, HERS = "the stranger picks this one", "a long walk by the canal"


def sign_up(client: Client, name: str, password: str, email: str = X) -> str:
    """Fill in the form; gives the link in the last mail to the address."""
    fields = {"email": email, "username": name, "password1": password}
    answer = client.post("/accounts/signup/", fields)
    assert answer["Location"] == "/accounts/confirm-email/"
    return link_in([one for one in mail.outbox if one.to == [canonical_address(email)]][-1])


def squat() -> tuple[Client, str]:
    """A stranger signs up with her address; gives their browser, and the link that went to her."""
    client = Client()
    link = sign_up(client, "Mallory", STRANGERS)
    cache.clear()
    return client, link


def account(name: str = "Mallory", password: str = STRANGERS, email: str = OTHER) -> Client:
    """Somebody with an account of their own, signed in."""
    client = Client()
    client.post(sign_up(client, name, password, email))
    cache.clear()
    assert signed_in(client)
    return client


def opens(password: str, email: str = X) -> bool:
    """Whether a password lets anybody in."""
    cache.clear()
    client = Client()
    client.post("/accounts/login/", {"login": email, "password": password})
    return signed_in(client)


def mailed_code(email: str = X) -> str | None:
    """The code that was mailed to an address last, None if that mail has none."""
    last = [one for one in mail.outbox if one.to == [email]][-1]
    found = re.search(r"\n\n([A-Z0-9-]{6,})\n\n", last.body)
    return found[1] if found else None


def sign_in_by_code(client: Client, email: str = X) -> bool:
    cache.clear()
    answer = client.post("/accounts/login/code/", {"email": email})
    code = mailed_code(email)
    client.post(answer["Location"], {"code": code or "NOCODE"})
    return signed_in(client)
