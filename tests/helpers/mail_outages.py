"""Mails cannot be sent: a server that refuses every call, one that says nothing, a provider out of order."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from anymail.exceptions import AnymailAPIError
from django.core.mail.backends.base import BaseEmailBackend
from django.test import override_settings

from tests.smtp import Sink


def send_mails_to_port(port: int) -> Any:
    """Mails go to this port of this machine, for as long as this lasts."""
    return override_settings(**Sink(port=port).settings())


def refuse_connections() -> Any:
    """Nobody listens where the mail server should be."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return send_mails_to_port(probe.getsockname()[1])


@contextmanager
def take_calls_silently() -> Iterator[None]:
    """Calls are taken, and then nothing is said."""
    with (
        socket.create_server(("127.0.0.1", 0), backlog=16) as server,
        send_mails_to_port(server.getsockname()[1]),
    ):
        yield


class OutOfOrder(BaseEmailBackend):
    """A provider of mail that does not work today, as django-anymail tells of it."""

    def send_messages(self, email_messages: Any) -> int:
        raise AnymailAPIError("Postmark API response 503")


def break_provider() -> Any:
    """Mails go to a provider that takes none."""
    return override_settings(EMAIL_BACKEND=f"{__name__}.OutOfOrder")
