"""Sends a mail during a web request, with a short timeout."""

from __future__ import annotations

import logging

from anymail.exceptions import AnymailError
from django.core.mail import EmailMessage, get_connection
from django.utils.translation import gettext as _

from .mail_errors import describe_error

log = logging.getLogger(__name__)
# For the connection and for each response. Workers use EMAIL_TIMEOUT; here one of the few web threads is
# blocked, and a silent mail server must not block the site.
SMTP_TIMEOUT_SECONDS = 5.0


class MailNotSent(Exception):
    """No mail server accepted the mail; the only argument is a translated message for the user."""


def send_mail_now(mail: EmailMessage) -> None:
    """Send a mail immediately, without retry. Raises MailNotSent."""
    mail.connection = get_connection(timeout=SMTP_TIMEOUT_SECONDS)
    try:
        mail.send()
    except (OSError, AnymailError, ValueError) as error:  # ValueError: an invalid address
        log.warning("mail could not be sent during the request: %s", describe_error(error))
        raise MailNotSent(_("We could not send the mail. Try again in a few minutes.")) from error
