"""Mails go out: never in a transaction, each marked as soon as a server has it, tried again if none has."""

from __future__ import annotations

import logging
import re
import smtplib
import ssl
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from datetime import datetime, timedelta
from types import ModuleType
from typing import Any

from anymail.exceptions import AnymailAPIError, AnymailRecipientsRefused
from django.core.mail import get_connection
from django.utils import translation
from django.utils.translation import gettext as _
from urllib3.exceptions import ConnectTimeoutError, NewConnectionError, ProxyError, SSLError

from games.models import Delivery, Player
from games.selectors import NoSuchGame
from games.selectors.outbox import unneeded
from games.services import outbox
from games.services.budget import Budget
from games.services.handing_over import mark_handed_over

from . import compose
from .letter import Letter, message_id

log = logging.getLogger(__name__)
BATCH = 100
# What servers say of an address that does not exist, with and without an enhanced status code (RFC 3463).
# Whatever else they refuse for good (a full mailbox, our manners, a relay that is set up wrongly) may change.
NO_SUCH_ADDRESS, STATUS = re.compile(r"5\.(1\.\d+|2\.[01])\b"), re.compile(r"[245]\.\d{1,3}\.\d{1,3}\b")
UNKNOWN_ADDRESS = (550, 551, 553)


class NoServer(Exception):
    """No mail server took our call: nothing can be sent now."""


class Post:
    """One connection to the mail server for many mails; a lost one is found and replaced."""

    def __init__(self) -> None:
        self.connection = get_connection()
        self.data_began = False  # whether an SMTP server was given the content of the last mail

    def ready(self) -> None:
        """Raises NoServer."""
        smtp = getattr(self.connection, "connection", None)
        if isinstance(smtp, smtplib.SMTP):
            with suppress(OSError):
                if smtp.noop()[0] == 250:
                    return
            self.close()
        try:
            self.connection.open()
        except OSError as error:
            raise NoServer(words_of(error)) from error

    def send(self, mail: Letter) -> None:
        """Raises NoServer, or what the server has against this mail."""
        self.ready()
        mail.connection = self.connection
        smtp = getattr(self.connection, "connection", None)
        self.data_began = False
        if isinstance(smtp, smtplib.SMTP):
            self.watch_data(smtp)
        try:
            mail.send()
        except Exception:
            self.close()
            raise

    def watch_data(self, smtp: smtplib.SMTP) -> None:
        """Note when the content of a mail goes out: a connection lost before that has taken nothing."""
        send_data = type(smtp).data

        def data(content: Any) -> tuple[int, bytes]:
            self.data_began = True
            return send_data(smtp, content)

        smtp.data = data  # type: ignore[method-assign,assignment]

    def maybe_took(self, error: Exception) -> bool:
        """Whether the other side may have the last mail in spite of an error: it said neither yes nor no."""
        if isinstance(error, AnymailAPIError):
            return error.status_code is None and not never_connected(error)  # a provider answered nothing
        refused = isinstance(error, smtplib.SMTPResponseException | smtplib.SMTPRecipientsRefused)
        return self.data_began and isinstance(error, OSError) and not refused

    def close(self) -> None:
        with suppress(OSError):
            self.connection.close()


def send_due(*, now: datetime, limit: int = BATCH, budget: Budget | None = None) -> int:
    """Send the mails that are due. Returns how many went out."""

    def send(pk: int, seen: datetime, post: Post, claimed: datetime) -> bool:
        delivery = outbox.claim(pk=pk, seen=seen, now=claimed)
        if delivery is None:
            return False
        with translation.override(delivery.player.language):
            return deliver(delivery, post, now)

    return send_each(outbox.due(now=now, limit=limit), send, now=now, budget=budget or Budget())


def send_each(
    due: Iterable[tuple[int, datetime]],
    send: Callable[[int, datetime, Post, datetime], bool],
    *,
    now: datetime,
    budget: Budget,
) -> int:
    """Send one after the other over one connection, while the budget lasts and there is a server.

    `send` may raise NoServer. Returns how many went out.
    """
    started = time.monotonic()
    post, sent = Post(), 0
    try:
        for pk, seen in due:
            if not budget.allows_more():
                break
            passed = int(time.monotonic() - started)
            # A claim lasts from now on, however long the mails before this one took.
            sent += send(pk, seen, post, now + timedelta(seconds=passed))
    except NoServer as away:
        log.warning("no mail server: %s", away)
    finally:
        post.close()
    return sent


def deliver(delivery: Delivery, post: Post, now: datetime) -> bool:
    """Send one mail that this worker has claimed; whether it went out. Raises NoServer."""
    if delivery.tries > len(outbox.DELAYS) + 1:
        outbox.failed(delivery=delivery, why=_("It was interrupted too often."), now=now)
        return False
    mail = composed(delivery, now)
    if mail is None:
        return False
    mark_handed_over(delivery=delivery, now=now)
    if not taken(mail, post, f"mail {delivery.pk}", outbox, outbox.bounced, delivery=delivery, now=now):
        return False
    # A service that sends for us knows the mail by a name of its own, which its reports will bear.
    known_as = getattr(getattr(mail, "anymail_status", None), "message_id", None)
    outbox.sent(
        delivery=delivery,
        address=delivery.player.email,
        message_id=known_as if isinstance(known_as, str) else message_id(delivery),
        now=now,
        shown_turns=mail.shown_turns,
    )
    return True


def taken(
    mail: Letter, post: Post, name: str, service: ModuleType, lost: Callable[..., None], **facts: Any
) -> bool:
    """Hand a mail over; whether the server took it. If not, it is written down. Raises NoServer.

    The service holds it while there is no server; it is `lost` if nobody will ever read it, else it failed.
    """
    try:
        post.send(mail)
    except NoServer as away:
        service.held(why=_("The mail server cannot be reached: %s") % away, **facts)
        raise
    except Exception as error:
        why = words_of(error)
        if no_such_address(error):
            lost(why=why, **facts)
        else:
            service.failed(why=why, maybe_taken=post.maybe_took(error), **facts)
        log.warning("%s was not taken: %s", name, why)
        return False
    return True


def composed(delivery: Delivery, now: datetime) -> Letter | None:
    """The mail of a delivery; None, with the reason written down, if there is none."""
    try:
        why = unneeded(delivery, now)
        once = delivery.kind == "turn" and delivery.player.mails == Player.Mails.ONCE
        if not why and once and not outbox.take_only(delivery=delivery, now=now):
            why = _("You want one mail until you come back, and have had it.")
        if not why:
            return compose.message(delivery, now=now)
    except (compose.Nothing, NoSuchGame):
        why = _("There is nothing to tell any more.")
    except Exception:
        # One broken game must not keep everybody else's mails.
        log.exception("mail %s cannot be composed", delivery.pk)
        outbox.failed(delivery=delivery, why=_("Our mistake; it has been noted."), now=now)
        return None
    outbox.dropped(delivery=delivery, why=why, now=now)
    return None


# ----------------------------------------------------------------------------------------- what servers say


def said(error: Exception) -> tuple[int, str]:
    """Code and words of a server's refusal; 0 if it was no such answer."""
    code: int
    text: bytes | str
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        code, text = next(iter(error.recipients.values()))
    elif isinstance(error, smtplib.SMTPResponseException):
        code, text = error.smtp_code, error.smtp_error
    else:
        return 0, str(error)
    return code, text.decode("utf-8", "replace") if isinstance(text, bytes) else str(text)


def words_of(error: Exception) -> str:
    """Why a mail was not taken, for people."""
    code, text = said(error)
    told = " ".join(f"{code or ''} {text}".split())
    return told or type(error).__name__


def never_connected(error: AnymailAPIError) -> bool:
    """Whether a provider was not reached: no such name, no connection, a certificate nobody can trust."""
    # As requests tells of it: its own error holds that of urllib3, which holds the reason.
    details = getattr(error.__cause__, "args", ())
    reason = getattr(details[0], "reason", None) if details else None
    if isinstance(reason, SSLError):
        return bool(reason.args) and isinstance(reason.args[0], ssl.SSLCertVerificationError)
    return isinstance(reason, NewConnectionError | ConnectTimeoutError | ProxyError)


def no_such_address(error: Exception) -> bool:
    """Whether the server knows that nobody will ever read mail at this address."""
    if isinstance(error, AnymailRecipientsRefused):
        return True
    code, text = said(error)
    if not 500 <= code < 600:
        return False
    if STATUS.match(text):
        return bool(NO_SUCH_ADDRESS.match(text))
    return isinstance(error, smtplib.SMTPRecipientsRefused) and code in UNKNOWN_ADDRESS
