"""The meaning of errors of mail servers and of mail providers."""

from __future__ import annotations

import re
import smtplib
import ssl

from anymail.exceptions import AnymailAPIError, AnymailRecipientsRefused
from urllib3.exceptions import ConnectTimeoutError, NewConnectionError, ProxyError, SSLError

# Status of an address that does not exist, with and without an enhanced status code (RFC 3463).
# Other permanent refusals (mailbox full, spam policy, misconfigured relay) may change and are retried.
NO_SUCH_ADDRESS_STATUS, ENHANCED_STATUS = (
    re.compile(r"5\.(1\.\d+|2\.[01])\b"),
    re.compile(r"[245]\.\d{1,3}\.\d{1,3}\b"),
)
NO_SUCH_ADDRESS_CODES = (550, 551, 553)


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
    """Describe the failure to send a mail, as a sentence for people."""
    code, text = parse_server_error(error)
    description = " ".join(f"{code or ''} {text}".split())
    return description or type(error).__name__


def is_connection_failure(error: AnymailAPIError) -> bool:
    """True if the provider was never reached: no such host, no connection, untrusted certificate."""
    # The requests error wraps the urllib3 error, which holds the reason.
    details = getattr(error.__cause__, "args", ())
    reason = getattr(details[0], "reason", None) if details else None
    if isinstance(reason, SSLError):
        return bool(reason.args) and isinstance(reason.args[0], ssl.SSLCertVerificationError)
    return isinstance(reason, NewConnectionError | ConnectTimeoutError | ProxyError)


def is_unknown_address(error: Exception) -> bool:
    """True if the server says that the address does not exist."""
    if isinstance(error, AnymailRecipientsRefused):
        return True
    code, text = parse_server_error(error)
    if not 500 <= code < 600:
        return False
    if ENHANCED_STATUS.match(text):
        return bool(NO_SUCH_ADDRESS_STATUS.match(text))
    return isinstance(error, smtplib.SMTPRecipientsRefused) and code in NO_SUCH_ADDRESS_CODES
