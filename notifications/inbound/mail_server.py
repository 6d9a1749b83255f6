"""An SMTP or LMTP server that receives mail for our own addresses from an MTA."""

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

from notifications.inbound import mail_processing
from notifications.inbound.addresses import read_address
from notifications.inbound.mail_rate_limits import InboundRateLimiter

log = logging.getLogger(__name__)
MAX_WORKER_THREADS = 4  # mails processed in parallel
SHUTDOWN_TIMEOUT_SECONDS = 30  # for mails in progress when the server stops
MAX_LINE_BYTES = 65_536  # many programs exceed the 998 bytes that RFC 5321 allows

# A relay meets many wrong addresses, but not this many in a row.
MAX_ERRORS_IN_A_ROW, MAX_ERRORS_PER_CONNECTION = 5, 50

REPLY_ACCEPTED = "250 2.0.0 taken"
REPLY_TRY_AGAIN = "451 4.3.0 not now: please try again"
REPLY_UNKNOWN_ADDRESS = "550 5.1.1 no such address"
REPLY_TOO_MANY_RECIPIENTS = "452 4.5.3 too many recipients"
REPLY_RATE_LIMITED = "451 4.7.1 too many mails: please try again in a minute"
REPLY_TOO_MANY_ERRORS = "421 4.7.0 too many errors"
REPLY_SHUTTING_DOWN = "421 4.3.2 the server is ending"


class InboundServerHandler:
    """The aiosmtpd handler: decides about recipients and receives mails."""

    def __init__(self, *, lmtp: bool) -> None:
        self.lmtp = lmtp
        self.pool = ThreadPoolExecutor(MAX_WORKER_THREADS, thread_name_prefix="mail")
        self.active_count = 0
        self.is_shutting_down = False
        self.rate_limiter = InboundRateLimiter()

    async def handle_RCPT(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        """Accept addresses that we issued, within the limits per mail and per minute.

        Uses no database query.
        """
        if read_address(address) is None:
            return REPLY_UNKNOWN_ADDRESS
        if len(envelope.rcpt_tos) >= mail_processing.MAX_RECIPIENTS_PER_MAIL:
            return REPLY_TOO_MANY_RECIPIENTS
        if self.rate_limiter.count_and_check(
            seconds=asyncio.get_running_loop().time(),
            host=session.peer[0] if isinstance(session.peer, tuple) else str(session.peer),
            sender=envelope_sender_of(envelope),
            recipient=address,
            is_first=not envelope.rcpt_tos,
        ):
            return REPLY_RATE_LIMITED
        envelope.rcpt_tos.append(address)
        return REPLY_ACCEPTED

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        """Receive a mail in a worker thread; accept it only after the database has committed."""
        if self.is_shutting_down:
            return REPLY_SHUTTING_DOWN
        sender = envelope_sender_of(envelope)
        content = envelope.content if isinstance(envelope.content, bytes) else b""
        recipients = [str(address) for address in envelope.rcpt_tos]
        loop = asyncio.get_running_loop()
        self.active_count += 1
        try:
            smtp_replies = await loop.run_in_executor(
                self.pool, receive_for_recipients, content, recipients, sender
            )
        finally:
            self.active_count -= 1
        if self.lmtp:  # LMTP replies once per recipient
            return "\r\n".join(smtp_replies[address] for address in recipients)
        return (
            REPLY_TRY_AGAIN if REPLY_TRY_AGAIN in smtp_replies.values() else REPLY_ACCEPTED
        )  # on a retry, finished recipients are skipped

    async def handle_exception(self, error: Exception) -> str:
        """Answer an unexpected error with a temporary failure, so that no mail is lost."""
        log.error("inbound mail could not be received", exc_info=error)
        return REPLY_TRY_AGAIN


def envelope_sender_of(envelope: Envelope) -> str:
    """The envelope sender; empty for bounces."""
    return "" if envelope.mail_from in (None, "<>") else str(envelope.mail_from)


def receive_for_recipients(content: bytes, recipients: list[str], sender: str) -> dict[str, str]:
    """Receive one mail for all its recipients; returns the SMTP reply for each."""
    close_old_connections()
    try:
        results = mail_processing.receive_mail_for_recipients(
            content, recipients=recipients, sender=sender, now=timezone.now()
        )
    finally:
        close_old_connections()
    smtp_replies = {}
    for recipient, result in results.items():
        smtp_replies[recipient] = REPLY_ACCEPTED
        if isinstance(result, Exception):
            # The database is down or there is a bug: the MTA keeps the mail and retries.
            log.error("inbound mail to %s could not be received", recipient, exc_info=result)
            smtp_replies[recipient] = REPLY_TRY_AGAIN
    return smtp_replies


class GuardedSMTP(SMTP):
    """Accepts long lines, and disconnects a client after too many errors."""

    line_length_limit = MAX_LINE_BYTES
    errors_in_a_row = error_count = 0

    async def push(self, status: AnyStr) -> None:
        """Send a reply, or disconnect after too many errors."""
        if status[:1] in ("4", "5", b"4", b"5"):
            self.errors_in_a_row += 1
            self.error_count += 1
        else:
            self.errors_in_a_row = 0
        if self.errors_in_a_row < MAX_ERRORS_IN_A_ROW and self.error_count < MAX_ERRORS_PER_CONNECTION:
            await super().push(status)
            return
        await super().push(REPLY_TOO_MANY_ERRORS)
        if self.transport is not None:
            self.transport.close()


class GuardedLMTP(GuardedSMTP, LMTP):
    """GuardedSMTP for LMTP."""


async def serve_inbound_mail(
    host: str, port: int, *, lmtp: bool, on_ready: Callable[[str, int], None]
) -> None:
    """Listen until SIGTERM or SIGINT, then finish mails in progress. Raises OSError if it cannot listen.

    1. Start the server and report its port through `on_ready`.
    2. Wait for a signal.
    3. Refuse new mail and close the listening socket.
    4. Wait up to SHUTDOWN_TIMEOUT_SECONDS for mails in progress.
    5. Stop the worker threads.
    """
    loop = asyncio.get_running_loop()
    handler = InboundServerHandler(lmtp=lmtp)
    options: dict[str, Any] = {
        "data_size_limit": mail_processing.MAX_MAIL_BYTES,
        "enable_SMTPUTF8": True,
        "hostname": settings.REPLY_DOMAIN,
        "ident": "OTTO online",
        "loop": loop,
    }
    protocol_class = GuardedLMTP if lmtp else GuardedSMTP
    server = await loop.create_server(lambda: protocol_class(handler, **options), host, port)
    stop_event = asyncio.Event()
    for signal_number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(signal_number, stop_event.set)
    on_ready(host, server.sockets[0].getsockname()[1])
    await stop_event.wait()
    handler.is_shutting_down = True
    server.close()
    stop_by = loop.time() + SHUTDOWN_TIMEOUT_SECONDS
    while handler.active_count and loop.time() < stop_by:
        await asyncio.sleep(0.05)
    await asyncio.sleep(0.05)  # let the last replies go out
    handler.pool.shutdown(wait=False, cancel_futures=True)
