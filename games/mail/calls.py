"""One POST to an address that a stranger gave us: to public addresses only, no redirects, little patience."""

from __future__ import annotations

import http.client
import ipaddress
import socket
import ssl
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from threading import Timer

from games.services.errors import Invalid
from games.services.webhooks import check_url, may_call, port_of

CONNECT = 5.0  # seconds
WHOLE = 10.0
MOST_READ = 64 * 1024  # of an answer's body, which nobody looks at

UNKNOWN, PRIVATE, UNREACHABLE = "unknown-host", "private", "unreachable"
CERTIFICATE, TIMEOUT, BROKEN = "certificate", "timeout", "broken"


@dataclass(frozen=True)
class Answer:
    """What came of a call: a status, or the word for why there is none."""

    status: int = 0
    trouble: str = ""
    maybe_arrived: bool = False  # whether the other side may have it in spite of the trouble

    @property
    def arrived(self) -> bool:
        return 200 <= self.status < 300


class Refused(Exception):
    """We do not call this, or it cannot be reached; the one argument is the word for why."""


class Pinned(http.client.HTTPConnection):
    """Connects to addresses that were looked at, never by asking for the name again: it might lie this time.

    The name stays in the Host header, in the greeting of TLS and in the check of the certificate.
    """

    def __init__(self, host: str, port: int, addresses: list[str], secure: bool) -> None:
        super().__init__(host, port, timeout=CONNECT)
        self.default_port = 443 if secure else 80  # a port that goes without saying is not in the Host header
        self.addresses = addresses
        self.secure = secure
        self.late = False
        self.is_connected = False  # before that nothing of the call is sent

    def connect(self) -> None:
        """Raises Refused."""
        raw = self.reached()
        raw.settimeout(WHOLE)
        self.sock = raw
        if self.secure:
            # The handshake comes after the socket has its place, so that `give_up` can end that, too.
            self.sock = trusted().wrap_socket(raw, server_hostname=self.host, do_handshake_on_connect=False)
            self.sock.do_handshake()
        self.is_connected = True

    def reached(self) -> socket.socket:
        """A connection to the first address that takes one; all of them have CONNECT seconds together."""
        slow = False
        for address in self.addresses:
            try:
                return socket.create_connection((address, self.port), CONNECT / len(self.addresses))
            except TimeoutError:
                slow = True
            except OSError:
                continue
        raise Refused(TIMEOUT if slow else UNREACHABLE)

    def give_up(self) -> None:
        """End it whatever it is doing: a server that sends a byte now and then runs into no timeout."""
        self.late = True
        if self.sock:
            with suppress(OSError):
                # The plain socket's own: that of TLS would take away what the other thread works with.
                socket.socket.shutdown(self.sock, socket.SHUT_RDWR)


@lru_cache(maxsize=1)
def trusted() -> ssl.SSLContext:
    """The certificates that this machine trusts."""
    return ssl.create_default_context()


def addresses_of(host: str, port: int) -> list[str]:
    """The addresses of a host, asked for once. Raises Refused: there is none, or one we do not call."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise Refused(UNKNOWN) from None
    addresses = list(dict.fromkeys(str(entry[4][0]) for entry in found))
    if not addresses:
        raise Refused(UNKNOWN)
    # One private address among public ones is no accident: the whole name is refused.
    if not all(may_call(ipaddress.ip_address(address)) for address in addresses):
        raise Refused(PRIVATE)
    return addresses[:4]


def post(url: str, body: bytes, headers: Mapping[str, str]) -> Answer:
    """Send a body to an address, once; never raises."""
    try:
        parts = check_url(url)
        host, port = (parts.hostname or "").rstrip("."), port_of(parts)
        wire = Pinned(host, port, addresses_of(host, port), parts.scheme == "https")
    except Invalid:  # the rules were other ones when the webhook was made
        return Answer(trouble=PRIVATE)
    except Refused as refused:
        return Answer(trouble=refused.args[0])
    clock = Timer(WHOLE, wire.give_up)
    clock.daemon = True
    clock.start()
    try:
        query = f"?{parts.query}" if parts.query else ""
        wire.request("POST", (parts.path or "/") + query, body, {**headers, "Connection": "close"})
        answer = wire.getresponse()
        with suppress(OSError, http.client.HTTPException):  # the status is all that counts
            answer.read(MOST_READ)
        return Answer(answer.status)
    except Refused as refused:
        return Answer(trouble=refused.args[0])
    except TimeoutError:
        return Answer(trouble=TIMEOUT, maybe_arrived=wire.is_connected)
    except ssl.SSLCertVerificationError:
        return Answer(trouble=CERTIFICATE)
    except (OSError, http.client.HTTPException, ValueError):
        return Answer(trouble=TIMEOUT if wire.late else BROKEN, maybe_arrived=wire.is_connected)
    finally:
        clock.cancel()
        wire.close()
