"""One POST to a URL that a player gave us: public addresses only, no redirects, strict timeouts."""

from __future__ import annotations

import http.client
import ipaddress
import socket
import ssl
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from threading import Timer

from common.service_errors import Invalid
from notifications.services.webhooks import can_call_address, check_webhook_url, get_port

CONNECT_TIMEOUT_SECONDS = 5.0
REQUEST_TIMEOUT_SECONDS = 10.0
MAX_RESPONSE_BYTES = 64 * 1024  # of the response body, which is discarded


class CallFailure(StrEnum):
    """The reasons for which a call got no response."""

    UNKNOWN_HOST = "unknown-host"
    PRIVATE_ADDRESS = "private"
    UNREACHABLE = "unreachable"
    BAD_CERTIFICATE = "certificate"
    TIMED_OUT = "timeout"
    BROKEN_CONNECTION = "broken"


@dataclass(frozen=True)
class CallResult:
    """The result of a call: an HTTP status, or the failure if there was no response."""

    status: int = 0
    failure: CallFailure | None = None
    maybe_delivered: bool = False  # whether the receiver may have got it despite the failure
    retry_after: str = ""  # the header of that name

    @property
    def is_success(self) -> bool:
        """True if the receiver answered with a 2xx status."""
        return 200 <= self.status < 300


class WebhookBlocked(Exception):
    """The call is not allowed or the host cannot be reached; `failure` says why."""

    def __init__(self, failure: CallFailure) -> None:
        super().__init__(failure)
        self.failure = failure


class PinnedHTTPConnection(http.client.HTTPConnection):
    """Connects to addresses that were checked before, without resolving the host name again.

    A second DNS answer could be a private address. The name stays in the Host header, in SNI and in the
    certificate check.
    """

    def __init__(self, host: str, port: int, addresses: list[str], is_secure: bool) -> None:
        super().__init__(host, port, timeout=CONNECT_TIMEOUT_SECONDS)
        self.default_port = 443 if is_secure else 80  # a default port is left out of the Host header
        self.addresses = addresses
        self.is_secure = is_secure
        self.timed_out = False
        self.is_connected = False  # nothing is sent before that

    def connect(self) -> None:
        """Open the socket and do the TLS handshake. Raises WebhookBlocked."""
        raw_socket = self.open_socket()
        raw_socket.settimeout(REQUEST_TIMEOUT_SECONDS)
        self.sock = raw_socket
        if self.is_secure:
            # Assign the socket before the handshake, so that `abort` can end the handshake as well.
            self.sock = get_ssl_context().wrap_socket(
                raw_socket, server_hostname=self.host, do_handshake_on_connect=False
            )
            self.sock.do_handshake()
        self.is_connected = True

    def open_socket(self) -> socket.socket:
        """Connect to the first address that accepts; all of them share the connect timeout.

        Raises WebhookBlocked if none does.
        """
        timed_out = False
        for address in self.addresses:
            try:
                return socket.create_connection(
                    (address, self.port), CONNECT_TIMEOUT_SECONDS / len(self.addresses)
                )
            except TimeoutError:
                timed_out = True
            except OSError:
                continue
        raise WebhookBlocked(CallFailure.TIMED_OUT if timed_out else CallFailure.UNREACHABLE)

    def abort(self) -> None:
        """Abort the call from the timer's thread: a server that drips bytes runs into no socket timeout."""
        self.timed_out = True
        if self.sock:
            with suppress(OSError):
                # Not SSLSocket.shutdown, which drops the SSL object that the other thread still uses.
                socket.socket.shutdown(self.sock, socket.SHUT_RDWR)


@lru_cache(maxsize=1)
def get_ssl_context() -> ssl.SSLContext:
    """The SSL context with this machine's trusted certificates, created once."""
    return ssl.create_default_context()


def resolve_host(host: str, port: int) -> list[str]:
    """Resolve a host once. Raises WebhookBlocked if it has no address, or one that is not public."""
    try:
        address_infos = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise WebhookBlocked(CallFailure.UNKNOWN_HOST) from None
    addresses = list(dict.fromkeys(str(info[4][0]) for info in address_infos))
    if not addresses:
        raise WebhookBlocked(CallFailure.UNKNOWN_HOST)
    # One private address among public ones suggests DNS rebinding: block the whole host.
    if not all(can_call_address(ipaddress.ip_address(address)) for address in addresses):
        raise WebhookBlocked(CallFailure.PRIVATE_ADDRESS)
    return addresses[:4]


def post_webhook(url: str, body: bytes, headers: Mapping[str, str]) -> CallResult:
    """POST a body to a URL once; never raises."""
    try:
        url_parts = check_webhook_url(url)
        host, port = (url_parts.hostname or "").rstrip("."), get_port(url_parts)
        connection = PinnedHTTPConnection(host, port, resolve_host(host, port), url_parts.scheme == "https")
    except Invalid:  # the URL rules may have changed since the webhook was created
        return CallResult(failure=CallFailure.PRIVATE_ADDRESS)
    except WebhookBlocked as error:
        return CallResult(failure=error.failure)
    timer = Timer(REQUEST_TIMEOUT_SECONDS, connection.abort)
    timer.daemon = True
    timer.start()
    try:
        query = f"?{url_parts.query}" if url_parts.query else ""
        connection.request("POST", (url_parts.path or "/") + query, body, {**headers, "Connection": "close"})
        response = connection.getresponse()
        with suppress(OSError, http.client.HTTPException):  # only the status matters
            response.read(MAX_RESPONSE_BYTES)
        return CallResult(response.status, retry_after=response.getheader("Retry-After", ""))
    except WebhookBlocked as error:
        return CallResult(failure=error.failure)
    except TimeoutError:
        return CallResult(failure=CallFailure.TIMED_OUT, maybe_delivered=connection.is_connected)
    except ssl.SSLCertVerificationError:
        return CallResult(failure=CallFailure.BAD_CERTIFICATE)
    except (OSError, http.client.HTTPException, ValueError):
        return CallResult(
            failure=CallFailure.TIMED_OUT if connection.timed_out else CallFailure.BROKEN_CONNECTION,
            maybe_delivered=connection.is_connected,
        )
    finally:
        timer.cancel()
        connection.close()
