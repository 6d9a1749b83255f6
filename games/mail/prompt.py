"""Mails that somebody waits for: sent while a page is made, and so with little patience."""

from __future__ import annotations

import logging

from anymail.exceptions import AnymailError
from django.core.mail import EmailMessage, get_connection
from django.utils.translation import gettext as _

from .deliver import words_of

log = logging.getLogger(__name__)
# Seconds to be let in, and for each answer. A worker has EMAIL_TIMEOUT; here a thread of the web server is
# held, and there are few: a mail server that says nothing must not take the site with it.
PATIENCE = 5.0


class NotSent(Exception):
    """No mail server has taken it; the one argument says so to people, in their language."""


def send(mail: EmailMessage) -> None:
    """Send a mail now or not at all. Raises NotSent."""
    mail.connection = get_connection(timeout=PATIENCE)
    try:
        mail.send()
    except (OSError, AnymailError, ValueError) as error:  # ValueError: an address that cannot be written
        log.warning("a mail that somebody waits for was not sent: %s", words_of(error))
        raise NotSent(_("The mail could not be sent. Try again in a few minutes.")) from error
