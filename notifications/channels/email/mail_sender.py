"""Sends the due mails of the outbox: never in a transaction, marked as sent at once, retried on failure."""

from __future__ import annotations

import logging
import smtplib
import time
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any

from anymail.exceptions import AnymailAPIError
from django.core.mail import get_connection
from django.utils import translation
from django.utils.translation import gettext as _

from accounts.player_locale import activate_locale_of
from common.budget import Budget
from common.mail_errors import describe_error, is_connection_failure, is_unknown_address
from notifications.channels.email.message import add_delivery_headers, message_id_of
from notifications.models import Delivery
from notifications.notice_kinds import NothingToSend, get_notice_kind
from notifications.outgoing_email import OutgoingEmail
from notifications.selectors.outbox import find_drop_reason
from notifications.services import outbox
from notifications.services.delivery_handoff import mark_handed_over

log = logging.getLogger(__name__)
MAX_MAILS_PER_RUN = 100


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

    def send(self, mail: OutgoingEmail) -> None:
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
        """True if the server may have accepted the last mail despite an error: it gave no clear answer."""
        if isinstance(error, AnymailAPIError):
            return error.status_code is None and not is_connection_failure(error)  # no response
        was_refused = isinstance(error, smtplib.SMTPResponseException | smtplib.SMTPRecipientsRefused)
        return self.data_started and isinstance(error, OSError) and not was_refused

    def close(self) -> None:
        """Close the connection; errors are ignored."""
        with suppress(OSError):
            self.connection.close()


def send_due_mails(*, now: datetime, limit: int = MAX_MAILS_PER_RUN, budget: Budget | None = None) -> int:
    """Send the mails that are due, one by one over one connection. Returns how many were sent.

    Ends when the budget is used up, or when the mail server cannot be reached.
    """
    started, budget = time.monotonic(), budget or Budget()
    session, sent_count = MailSession(), 0
    try:
        for pk, seen_due_at in outbox.find_due_mails(now=now, limit=limit):
            if not budget.allows_more():
                break
            # The lease starts now, however long the earlier mails took.
            claimed_at = now + timedelta(seconds=int(time.monotonic() - started))
            delivery = outbox.claim_mail(pk=pk, seen_due_at=seen_due_at, now=claimed_at)
            if delivery is not None:
                with translation.override(delivery.player.language):
                    sent_count += deliver_mail(delivery, session, now)
    except MailServerUnavailable as outage:
        log.warning("the mail server cannot be reached: %s", outage)
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
    if outbox.was_interrupted_too_often(delivery):
        outbox.mark_mail_failed(delivery=delivery, reason=_("Sending was interrupted too often."), now=now)
        return False
    mail = compose_or_drop(delivery, now)
    if mail is None:
        return False
    mark_handed_over(delivery=delivery, now=now)
    if not hand_over_mail(delivery, mail, session, now):
        return False
    # A mail provider assigns its own Message-ID, which its reports carry.
    provider_message_id = getattr(getattr(mail, "anymail_status", None), "message_id", None)
    message_id = provider_message_id if isinstance(provider_message_id, str) else message_id_of(delivery)
    # Of a mail to somebody else neither is stored: a report about it must not count as one about the player.
    is_to_player = get_notice_kind(delivery.kind).goes_to_player
    outbox.mark_mail_sent(
        delivery=delivery,
        address=delivery.player.email if is_to_player else "",
        message_id=message_id if is_to_player else "",
        now=now,
        data_when_sent=mail.data_when_sent,
    )
    return True


def hand_over_mail(delivery: Delivery, mail: OutgoingEmail, session: MailSession, now: datetime) -> bool:
    """Hand a mail to the server; on failure record why. Raises MailServerUnavailable.

    If the server cannot be reached, the mail is postponed. If the address does not exist, it has bounced; any
    other error counts as a failed attempt. Returns whether it was sent.
    """
    try:
        session.send(mail)
    except MailServerUnavailable as outage:
        reason = _("We could not reach the mail server: %s") % outage
        outbox.postpone_mail(delivery=delivery, reason=reason, now=now)
        raise
    except Exception as error:
        reason = describe_error(error)
        if is_unknown_address(error):
            outbox.mark_mail_bounced(delivery=delivery, reason=reason, now=now)
        else:
            maybe_accepted = session.may_have_taken_mail(error)
            outbox.mark_mail_failed(delivery=delivery, reason=reason, maybe_accepted=maybe_accepted, now=now)
        log.warning("mail %s was not accepted: %s", delivery.pk, reason)
        return False
    return True


def compose_or_drop(delivery: Delivery, now: datetime) -> OutgoingEmail | None:
    """Compose the mail of a delivery; None if it was dropped or failed, with the reason recorded."""
    try:
        reason = find_drop_reason(delivery, now)
        is_single_mail = get_notice_kind(delivery.kind).is_single_mail(delivery.player)
        if not reason and is_single_mail and not outbox.claim_single_mail(delivery=delivery, now=now):
            reason = _("You asked for no more mails until your next visit.")
        if not reason:
            return compose_mail(delivery, now=now)
    except NothingToSend:
        reason = _("No longer relevant.")
    except Exception:
        # One broken game must not block other players' mails.
        log.exception("mail %s cannot be composed", delivery.pk)
        outbox.mark_mail_failed(
            delivery=delivery, reason=_("An error on our side. We have logged it."), now=now
        )
        return None
    outbox.mark_mail_dropped(delivery=delivery, reason=reason, now=now)
    return None


def compose_mail(delivery: Delivery, *, now: datetime) -> OutgoingEmail:
    """Compose the mail of a delivery in the player's language and time zone. Raises NothingToSend."""
    with activate_locale_of(delivery.player):
        kind = get_notice_kind(delivery.kind)
        mail = kind.compose_mail(delivery, now)
        return add_delivery_headers(mail, delivery) if kind.goes_to_player else mail
