"""Sends the due mails of the outbox: never in a transaction, marked as sent at once, retried on failure."""

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
from games.selectors.outbox import drop_reason_of
from games.services import outbox
from games.services.budget import Budget
from games.services.delivery_handoff import mark_handed_over

from . import compose
from .message import GameEmail, message_id_of

log = logging.getLogger(__name__)
MAX_MAILS_PER_RUN = 100
# Status of an address that does not exist, with and without an enhanced status code (RFC 3463).
# Other permanent refusals (mailbox full, spam policy, misconfigured relay) may change and are retried.
NO_SUCH_ADDRESS_STATUS, ENHANCED_STATUS = (
    re.compile(r"5\.(1\.\d+|2\.[01])\b"),
    re.compile(r"[245]\.\d{1,3}\.\d{1,3}\b"),
)
NO_SUCH_ADDRESS_CODES = (550, 551, 553)


class MailServerUnavailable(Exception):
    """The mail server cannot be reached: no mail can be sent now."""


class MailSession:
    """One connection to the mail server for many mails; a lost connection is replaced."""

    def __init__(self) -> None:
        self.connection = get_connection()
        self.data_started = False  # whether the content of the last mail was sent to the server

    def ensure_open(self) -> None:
        """Open the connection, or replace a lost one. Raises MailServerUnavailable."""
        smtp = getattr(self.connection, "connection", None)
        if isinstance(smtp, smtplib.SMTP):
            with suppress(OSError):
                if smtp.noop()[0] == 250:
                    return
            self.close()
        try:
            self.connection.open()
        except OSError as error:
            raise MailServerUnavailable(describe_error(error)) from error

    def send(self, mail: GameEmail) -> None:
        """Send one mail. Raises MailServerUnavailable, or the server's error about this mail."""
        self.ensure_open()
        mail.connection = self.connection
        smtp = getattr(self.connection, "connection", None)
        self.data_started = False
        if isinstance(smtp, smtplib.SMTP):
            self.track_data_command(smtp)
        try:
            mail.send()
        except Exception:
            self.close()
            raise

    def track_data_command(self, smtp: smtplib.SMTP) -> None:
        """Note when the DATA command is sent: a connection lost before that has delivered nothing."""
        send_data = type(smtp).data

        def data(content: Any) -> tuple[int, bytes]:
            self.data_started = True
            return send_data(smtp, content)

        smtp.data = data  # type: ignore[method-assign,assignment]

    def may_have_taken_mail(self, error: Exception) -> bool:
        """Whether the server may have accepted the last mail despite an error: it gave no clear answer."""
        if isinstance(error, AnymailAPIError):
            return error.status_code is None and not is_connection_failure(error)  # no response
        was_refused = isinstance(error, smtplib.SMTPResponseException | smtplib.SMTPRecipientsRefused)
        return self.data_started and isinstance(error, OSError) and not was_refused

    def close(self) -> None:
        """Close the connection; errors are ignored."""
        with suppress(OSError):
            self.connection.close()


def send_due_mails(*, now: datetime, limit: int = MAX_MAILS_PER_RUN, budget: Budget | None = None) -> int:
    """Send the mails that are due. Returns how many were sent."""

    def claim_and_send(
        pk: int, seen_next_attempt_at: datetime, session: MailSession, claimed_at: datetime
    ) -> bool:
        delivery = outbox.claim_mail(pk=pk, seen_due_at=seen_next_attempt_at, now=claimed_at)
        if delivery is None:
            return False
        with translation.override(delivery.player.language):
            return deliver_mail(delivery, session, now)

    return send_batch(
        outbox.find_due_mails(now=now, limit=limit), claim_and_send, now=now, budget=budget or Budget()
    )


def send_batch(
    due_rows: Iterable[tuple[int, datetime]],
    claim_and_send: Callable[[int, datetime, MailSession, datetime], bool],
    *,
    now: datetime,
    budget: Budget,
) -> int:
    """Claim and send rows one by one over one connection, while the budget lasts.

    1. Stop when the budget is used up.
    2. Claim and send the row; the lease starts at the actual time, not at the start of the batch.
    3. Stop if the mail server cannot be reached (`claim_and_send` raises MailServerUnavailable).

    Returns how many mails were sent.
    """
    started = time.monotonic()
    session, sent_count = MailSession(), 0
    try:
        for pk, seen_next_attempt_at in due_rows:
            if not budget.allows_more():
                break
            elapsed_seconds = int(time.monotonic() - started)
            # The lease starts now, however long the earlier mails took.
            sent_count += claim_and_send(
                pk, seen_next_attempt_at, session, now + timedelta(seconds=elapsed_seconds)
            )
    except MailServerUnavailable as outage:
        log.warning("no mail server: %s", outage)
    finally:
        session.close()
    return sent_count


def deliver_mail(delivery: Delivery, session: MailSession, now: datetime) -> bool:
    """Send one mail that this worker has claimed. Raises MailServerUnavailable.

    1. Give up after too many interrupted attempts.
    2. Compose the mail, or drop the delivery if it is obsolete.
    3. Note that the mail is being handed over, so that a crash cannot look like a failure.
    4. Hand the mail over; on failure the outbox schedules a retry.
    5. Mark the delivery as sent, with the Message-ID that bounce reports will carry.

    Returns whether the mail was sent.
    """
    if delivery.tries > len(outbox.MAIL_RETRY_DELAYS) + 1:
        outbox.mark_mail_failed(delivery=delivery, reason=_("It was interrupted too often."), now=now)
        return False
    mail = compose_or_drop(delivery, now)
    if mail is None:
        return False
    mark_handed_over(delivery=delivery, now=now)
    if not hand_over_mail(
        mail, session, f"mail {delivery.pk}", outbox, outbox.mark_mail_bounced, delivery=delivery, now=now
    ):
        return False
    # A mail provider assigns its own Message-ID, which its reports carry.
    provider_message_id = getattr(getattr(mail, "anymail_status", None), "message_id", None)
    outbox.mark_mail_sent(
        delivery=delivery,
        address=delivery.player.email,
        message_id=provider_message_id if isinstance(provider_message_id, str) else message_id_of(delivery),
        now=now,
        shown_turns=mail.shown_turns,
    )
    return True


def hand_over_mail(
    mail: GameEmail,
    session: MailSession,
    label: str,
    service: ModuleType,
    mark_undeliverable: Callable[..., None],
    **row_kwargs: Any,
) -> bool:
    """Hand a mail to the server; on failure record why. Raises MailServerUnavailable.

    If the server cannot be reached, `service` puts the row on hold. If the address does not exist, the row is
    marked with `mark_undeliverable`; any other error counts as a failed attempt. Returns whether it was sent.
    """
    try:
        session.send(mail)
    except MailServerUnavailable as outage:
        service.postpone_mail(reason=_("The mail server cannot be reached: %s") % outage, **row_kwargs)
        raise
    except Exception as error:
        reason = describe_error(error)
        if is_unknown_address(error):
            mark_undeliverable(reason=reason, **row_kwargs)
        else:
            maybe_accepted = session.may_have_taken_mail(error)
            service.mark_mail_failed(reason=reason, maybe_accepted=maybe_accepted, **row_kwargs)
        log.warning("%s was not accepted: %s", label, reason)
        return False
    return True


def compose_or_drop(delivery: Delivery, now: datetime) -> GameEmail | None:
    """Compose the mail of a delivery; None if it was dropped or failed, with the reason recorded."""
    try:
        reason = drop_reason_of(delivery, now)
        wants_single_mail = (
            delivery.kind == "turn" and delivery.player.mails == Player.MailFrequency.UNTIL_SEEN
        )
        if not reason and wants_single_mail and not outbox.claim_single_mail(delivery=delivery, now=now):
            reason = _("You want one mail until you come back, and have had it.")
        if not reason:
            return compose.compose_mail(delivery, now=now)
    except (compose.NothingToSend, NoSuchGame):
        reason = _("There is nothing to tell any more.")
    except Exception:
        # One broken game must not block other players' mails.
        log.exception("mail %s cannot be composed", delivery.pk)
        outbox.mark_mail_failed(delivery=delivery, reason=_("Our mistake; it has been noted."), now=now)
        return None
    outbox.mark_mail_dropped(delivery=delivery, reason=reason, now=now)
    return None


# ------------------------------------------------------------------------------------------- server errors


def parse_server_error(error: Exception) -> tuple[int, str]:
    """Code and text of the server's refusal; code 0 if the error is not an SMTP response."""
    code: int
    text: bytes | str
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        code, text = next(iter(error.recipients.values()))
    elif isinstance(error, smtplib.SMTPResponseException):
        code, text = error.smtp_code, error.smtp_error
    else:
        return 0, str(error)
    return code, text.decode("utf-8", "replace") if isinstance(text, bytes) else str(text)


def describe_error(error: Exception) -> str:
    """Why a mail was not sent, as a sentence for people."""
    code, text = parse_server_error(error)
    description = " ".join(f"{code or ''} {text}".split())
    return description or type(error).__name__


def is_connection_failure(error: AnymailAPIError) -> bool:
    """Whether the provider was never reached: no such host, no connection, untrusted certificate."""
    # The requests error wraps the urllib3 error, which holds the reason.
    details = getattr(error.__cause__, "args", ())
    reason = getattr(details[0], "reason", None) if details else None
    if isinstance(reason, SSLError):
        return bool(reason.args) and isinstance(reason.args[0], ssl.SSLCertVerificationError)
    return isinstance(reason, NewConnectionError | ConnectTimeoutError | ProxyError)


def is_unknown_address(error: Exception) -> bool:
    """Whether the server says that the address does not exist."""
    if isinstance(error, AnymailRecipientsRefused):
        return True
    code, text = parse_server_error(error)
    if not 500 <= code < 600:
        return False
    if ENHANCED_STATUS.match(text):
        return bool(NO_SUCH_ADDRESS_STATUS.match(text))
    return isinstance(error, smtplib.SMTPRecipientsRefused) and code in NO_SUCH_ADDRESS_CODES
