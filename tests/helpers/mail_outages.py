"""Outages of mail: a server that refuses connections, one that never answers, a failing provider."""

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
    """Send mails to this port on this machine."""
    return override_settings(**Sink(port=port).settings())


def refuse_connections() -> Any:
    """Send mails to a port without a listener."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return send_mails_to_port(probe.getsockname()[1])


@contextmanager
def take_calls_silently() -> Iterator[None]:
    """Accept connections and never answer."""
    with (
        socket.create_server(("127.0.0.1", 0), backlog=16) as server,
        send_mails_to_port(server.getsockname()[1]),
    ):
        yield


class OutOfOrder(BaseEmailBackend):
    """A failing mail provider, with the error that django-anymail raises."""

    def send_messages(self, email_messages: Any) -> int:
        raise AnymailAPIError("Postmark API response 503")


def break_provider() -> Any:
    """Send mails through the failing provider."""
    return override_settings(EMAIL_BACKEND=f"{__name__}.OutOfOrder")
