"""A small mail server for a real one to hand mail to: SMTP or LMTP, our own addresses only."""

from __future__ import annotations

import asyncio
import logging
import signal
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, AnyStr

from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP, Envelope, Session
from django.conf import settings
from django.db import close_old_connections
from django.utils import timezone

from games import links

from . import inbound
from .inbound_rates import InboundRates

log = logging.getLogger(__name__)
THREADS = 4  # mails that are read at the same time
PATIENCE = 30  # seconds for what is being read when the server is asked to end
LINE = 65_536  # bytes: programs write longer lines than the 998 that they may

# A mail server that hands on what others send it hears of many wrong addresses, but not of so many in a row.
MAX_ERRORS_IN_A_ROW, MAX_ERRORS_PER_CONNECTION = 5, 50

TAKEN = "250 2.0.0 taken"
AGAIN = "451 4.3.0 not now: please try again"
STRANGE = "550 5.1.1 no such address"
CROWDED = "452 4.5.3 too many recipients"
TOO_OFTEN = "451 4.7.1 too many mails: please try again in a minute"
TOO_MANY_ERRORS = "421 4.7.0 too many errors"
ENDING = "421 4.3.2 the server is ending"


class Door:
    """What the server does with an address and with a mail; aiosmtpd calls these by their names."""

    def __init__(self, *, lmtp: bool) -> None:
        self.lmtp = lmtp
        self.pool = ThreadPoolExecutor(THREADS, thread_name_prefix="mail")
        self.at_work = 0
        self.ending = False
        self.rates = InboundRates()

    async def handle_RCPT(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        """Take addresses that were made here, not many for one mail, and not too often.

        The database is not asked.
        """
        if links.read_address(address) is None:
            return STRANGE
        if len(envelope.rcpt_tos) >= inbound.MAX_RECIPIENTS_PER_MAIL:
            return CROWDED
        if self.rates.is_exceeded(
            seconds=asyncio.get_running_loop().time(),
            host=session.peer[0] if isinstance(session.peer, tuple) else str(session.peer),
            sender=sender_of(envelope),
            recipient=address,
            is_first=not envelope.rcpt_tos,
        ):
            return TOO_OFTEN
        envelope.rcpt_tos.append(address)
        return TAKEN

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        """Read a mail in a thread; say yes only when it is in the database."""
        if self.ending:
            return ENDING
        sender = sender_of(envelope)
        content = envelope.content if isinstance(envelope.content, bytes) else b""
        recipients = [str(address) for address in envelope.rcpt_tos]
        loop = asyncio.get_running_loop()
        self.at_work += 1
        try:
            answers = await loop.run_in_executor(self.pool, take, content, recipients, sender)
        finally:
            self.at_work -= 1
        if self.lmtp:  # which answers for each recipient
            return "\r\n".join(answers[address] for address in recipients)
        return AGAIN if AGAIN in answers.values() else TAKEN  # who has read it already does nothing twice

    async def handle_exception(self, error: Exception) -> str:
        """Whatever goes wrong here is no reason to lose a mail."""
        log.error("a mail could not be taken in", exc_info=error)
        return AGAIN


def sender_of(envelope: Envelope) -> str:
    """Who the envelope says has sent a mail; empty for what comes back."""
    return "" if envelope.mail_from in (None, "<>") else str(envelope.mail_from)


def take(content: bytes, recipients: list[str], sender: str) -> dict[str, str]:
    """One mail for all of its addresses, and what to say of each."""
    close_old_connections()
    try:
        taken = inbound.receive_all(content, recipients=recipients, sender=sender, now=timezone.now())
    finally:
        close_old_connections()
    answers = {}
    for recipient, row in taken.items():
        answers[recipient] = TAKEN
        if isinstance(row, Exception):
            # The database is away, or we made a mistake: the mail stays where it is, and comes again.
            log.error("a mail to %s was not taken in", recipient, exc_info=row)
            answers[recipient] = AGAIN
    return answers


class Guarded(SMTP):
    """Reads the long lines that some programs write; hangs up on who makes one error after another."""

    line_length_limit = LINE
    errors_in_a_row = errors = 0

    async def push(self, status: AnyStr) -> None:
        """Answer, or say good-bye after too many refusals."""
        if status[:1] in ("4", "5", b"4", b"5"):
            self.errors_in_a_row += 1
            self.errors += 1
        else:
            self.errors_in_a_row = 0
        if self.errors_in_a_row < MAX_ERRORS_IN_A_ROW and self.errors < MAX_ERRORS_PER_CONNECTION:
            await super().push(status)
            return
        await super().push(TOO_MANY_ERRORS)
        if self.transport is not None:
            self.transport.close()


class GuardedLMTP(Guarded, LMTP):
    """The same for LMTP."""


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
    kind = GuardedLMTP if lmtp else Guarded
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
