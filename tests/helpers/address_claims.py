"""Two browsers and one mailbox: Elsa, who owns the address, and a stranger who signs up with it."""

from __future__ import annotations

import re

from django.core import mail
from django.core.cache import cache
from django.test import Client

from accounts.email_addresses import canonical_address
from tests.helpers.accounts import find_link, is_signed_in

X = "elsa@example.net"  # Elsa's address
OTHER = "mallory@example.net"
STRANGERS, HERS = "the stranger picks this one", "a long walk by the canal"


def sign_up(client: Client, name: str, password: str, email: str = X) -> str:
    """Sign up; return the link in the last mail to the address."""
    fields = {"email": email, "username": name, "password1": password}
    answer = client.post("/accounts/signup/", fields)
    assert answer["Location"] == "/accounts/confirm-email/"
    return find_link([message for message in mail.outbox if message.to == [canonical_address(email)]][-1])


def squat_address() -> tuple[Client, str]:
    """Sign up as a stranger with Elsa's address; return the stranger's client and the link mailed to Elsa."""
    client = Client()
    link = sign_up(client, "Mallory", STRANGERS)
    cache.clear()
    return client, link


def create_account_client(name: str = "Mallory", password: str = STRANGERS, email: str = OTHER) -> Client:
    """Return the client of a new account, signed in."""
    client = Client()
    client.post(sign_up(client, name, password, email))
    cache.clear()
    assert is_signed_in(client)
    return client


def can_sign_in(password: str, email: str = X) -> bool:
    """True if one can sign in with a password."""
    cache.clear()
    client = Client()
    client.post("/accounts/login/", {"login": email, "password": password})
    return is_signed_in(client)


def find_mailed_code(email: str = X) -> str | None:
    """Return the code in the last mail to an address, None if it has none."""
    last = [message for message in mail.outbox if message.to == [email]][-1]
    match = re.search(r"\n\n([A-Z0-9-]{6,})\n\n", last.body)
    return match[1] if match else None


def sign_in_by_code(client: Client, email: str = X) -> bool:
    cache.clear()
    answer = client.post("/accounts/login/code/", {"email": email})
    code = find_mailed_code(email)
    client.post(answer["Location"], {"code": code or "NOCODE"})
    return is_signed_in(client)
