"""A small mail server for a real one to hand mail to: SMTP or LMTP, our own addresses only."""

from __future__ import annotations

import asyncio
import logging
import signal
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP, Envelope, Session
from django.conf import settings
from django.db import close_old_connections
from django.utils import timezone

from games import links

from . import inbound

log = logging.getLogger(__name__)
THREADS = 4  # mails that are read at the same time
PATIENCE = 30  # seconds for what is being read when the server is asked to end
LINE = 65_536  # bytes: programs write longer lines than the 998 that they may

TAKEN = "250 2.0.0 taken"
AGAIN = "451 4.3.0 not now: please try again"
STRANGE = "550 5.1.1 no such address"
ENDING = "421 4.3.2 the server is ending"


class Door:
    """What the server does with an address and with a mail; aiosmtpd calls these by their names."""

    def __init__(self, *, lmtp: bool) -> None:
        self.lmtp = lmtp
        self.pool = ThreadPoolExecutor(THREADS, thread_name_prefix="mail")
        self.at_work = 0
        self.ending = False

    async def handle_RCPT(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        """Take our own addresses only."""
        if not addressed(address):
            return STRANGE
        envelope.rcpt_tos.append(address)
        return TAKEN

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        """Read a mail in a thread; say yes only when it is in the database."""
        if self.ending:
            return ENDING
        sender = "" if envelope.mail_from in (None, "<>") else str(envelope.mail_from)
        content = envelope.content if isinstance(envelope.content, bytes) else b""
        loop = asyncio.get_running_loop()
        self.at_work += 1
        try:
            answers = [
                await loop.run_in_executor(self.pool, take, content, str(address), sender)
                for address in envelope.rcpt_tos
            ]
        finally:
            self.at_work -= 1
        if self.lmtp:  # which answers for each recipient
            return "\r\n".join(answers)
        return AGAIN if AGAIN in answers else TAKEN  # who has read it already does nothing twice

    async def handle_exception(self, error: Exception) -> str:
        """Whatever goes wrong here is no reason to lose a mail."""
        log.error("a mail could not be taken in", exc_info=error)
        return AGAIN


def addressed(address: str) -> bool:
    """Whether an address can be one of ours; the database is not asked yet."""
    purpose, token = links.read_address(address) or ("", "")
    if purpose == links.BOUNCE:
        return not token or links.read_bounce(token) is not None
    return bool(purpose) and links.read_turn(token) is not None


def take(content: bytes, recipient: str, sender: str) -> str:
    """One mail for one address, and what to say of it."""
    close_old_connections()
    try:
        inbound.receive(content, recipient=recipient, sender=sender, now=timezone.now())
    except Exception:
        # The database is away, or we made a mistake: the mail stays where it is, and comes again.
        log.exception("a mail to %s was not taken in", recipient)
        return AGAIN
    finally:
        close_old_connections()
    return TAKEN


class RoomySMTP(SMTP):
    """Reads the long lines that some programs write."""

    line_length_limit = LINE


class RoomyLMTP(LMTP):
    """The same for LMTP."""

    line_length_limit = LINE


async def serve(host: str, port: int, *, lmtp: bool, ready: Callable[[str, int], None]) -> None:
    """Listen until SIGTERM or SIGINT; then finish what is being read. Raises OSError if it cannot listen."""
    loop = asyncio.get_running_loop()
    door = Door(lmtp=lmtp)
    options: dict[str, Any] = {
        "data_size_limit": inbound.LARGEST,
        "enable_SMTPUTF8": True,
        "hostname": settings.REPLY_DOMAIN,
        "ident": "OTTO online",
        "loop": loop,
    }
    kind = RoomyLMTP if lmtp else RoomySMTP
    server = await loop.create_server(lambda: kind(door, **options), host, port)
    end = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, end.set)
    ready(host, server.sockets[0].getsockname()[1])
    await end.wait()
    door.ending = True
    server.close()
    patience = loop.time() + PATIENCE
    while door.at_work and loop.time() < patience:
        await asyncio.sleep(0.05)
    await asyncio.sleep(0.05)  # for the last answers to go out
    door.pool.shutdown(wait=False, cancel_futures=True)
