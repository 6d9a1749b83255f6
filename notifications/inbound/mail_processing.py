"""Processes inbound mail from any transport: delivery reports here, other mail by the handlers of apps.

Mail from strangers is neither answered nor trusted. Processing is idempotent: a repeated mail has no effect.
"""

from __future__ import annotations

import hashlib
import logging
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from email.message import Message
from email.utils import getaddresses, parseaddr
from functools import cached_property

from django.conf import settings

from accounts.email_addresses import comparable_address
from accounts.models import Player
from notifications.inbound import html_mail, mime, reply_lines, reports
from notifications.inbound.addresses import BOUNCE_PURPOSE, NO_DELIVERY_ID, read_address, read_bounce
from notifications.inbound.handlers import InboundMailHandler, find_handler
from notifications.inbound.mime import MimeMail
from notifications.models import Delivery, InboundMail
from notifications.selectors.inbound_mail import find_mail, find_mail_by_message_id
from notifications.services import delivery_reports
from notifications.services.inbound_mail import (
    InboundMailResult,
    finish_inbound_mail,
    get_or_create_inbound_mail,
)

log = logging.getLogger(__name__)
Outcome = InboundMail.Outcome
MAX_MAIL_BYTES = 20_000_000  # larger mail is rejected by the server
MAX_RECIPIENTS_PER_MAIL = 10  # a genuine reply has one
MAX_SENDER_LENGTH = 300  # of a From header
MAX_TEXT_PARTS = 5  # text parts of a mail that are read

_MESSAGE_ID = re.compile(r"<[^<>\s]{1,190}>")
_AUTOMATIC_SUBJECT = re.compile(
    r"(?:re:\s*)?(?:auto(?:matic)?[ -]?(?:reply|response|matisch antwoord)|out of (?:the )?office|autoreply"
    r"|risposta automatica|fuori (?:sede|ufficio)|automatisch(?:e)? (?:antwoord|afwezigheid)|afwezig"
    r"|abwesenheitsnotiz|automatische antwort|réponse automatique|undeliver|mail delivery|delivery status"
    r"|returned mail|failure notice)",
    re.IGNORECASE,
)
_AUTOREPLY_HEADERS = (
    "x-autoreply",
    "x-autorespond",
    "x-auto-response",
    "x-autoreply-from",
    "x-mail-autoreply",
)
_BOUNCE_ADDRESS = re.compile(rb"\bbounce-(\d{1,18}-[a-z2-7]{16})@", re.IGNORECASE)


def receive_mail(raw: bytes | Message, *, recipient: str, sender: str | None, now: datetime) -> InboundMail:
    """Receive one mail for one of our addresses. `sender` is the envelope sender, None if unknown.

    Returns the row of the inbound log. Raises only database errors; the transport then retries.
    """
    [result] = receive_mail_for_recipients(raw, recipients=[recipient], sender=sender, now=now).values()
    if isinstance(result, Exception):
        raise result
    return result


def receive_mail_for_recipients(
    raw: bytes | Message, *, recipients: Sequence[str], sender: str | None, now: datetime
) -> dict[str, InboundMail | Exception]:
    """Receive one mail for several addresses: parsed once, with one log row per address.

    Returns for each address its row, or the exception that the database raised.
    """
    parsed_mail = ParsedMail(mime.parse_mail(raw if isinstance(raw, bytes) else raw.as_bytes()))
    results: dict[str, InboundMail | Exception] = {}
    for recipient in dict.fromkeys(recipients):
        try:
            results[recipient] = process_mail(parsed_mail, recipient, sender, now)
        except Exception as error:
            results[recipient] = error
    return results


@dataclass
class ParsedMail:
    """A parsed mail and its author's own lines, extracted on first use."""

    mail: MimeMail

    @cached_property
    def own_lines(self) -> list[str]:
        """The author's own lines, without quotes and signature."""
        return extract_reply_lines(self.mail)


def process_mail(parsed_mail: ParsedMail, recipient: str, sender: str | None, now: datetime) -> InboundMail:
    """Process a mail for one address. Raises database errors.

    1. Log the mail under its digest; a finished row is returned as it is.
    2. A bounce address: process it as a report.
    3. An address of a purpose that an app handles: process it as a reply.
    4. Any other address: finish the row as unknown.
    """
    mail = parsed_mail.mail
    inbound_mail = get_or_create_inbound_mail(
        digest=compute_digest(mail, recipient),
        sender=clean_address(get_from_address(mail) or sender or ""),
        recipient=clean_address(recipient),
        now=now,
    )
    if inbound_mail.outcome != Outcome.UNFINISHED:
        return inbound_mail
    purpose, token = read_address(recipient) or ("", "")
    if purpose == BOUNCE_PURPOSE:
        return process_report(inbound_mail, mail, token, now)
    if handler := find_handler(purpose):
        return process_reply(inbound_mail, parsed_mail, handler, token, sender, now)
    return finish_inbound_mail(
        inbound_mail=inbound_mail,
        result=InboundMailResult(Outcome.UNKNOWN, reason="no such address"),
        now=now,
    )


def compute_digest(mail: MimeMail, recipient: str) -> str:
    """The mail's deduplication hash: independent of transport and of headers that servers add."""
    identity_parts = [recipient.strip().lower()]
    identity_parts += [mail.get(name) for name in ("message-id", "date", "from", "subject")]
    return hashlib.sha256(
        "\0".join(identity_parts).encode() + b"\0" + mail.raw[mail.body_start :]
    ).hexdigest()


def clean_address(text: str) -> str:
    """An address in a form the database accepts."""
    return text.replace("\0", "").encode("utf-8", "replace").decode()[:254]


# ---------------------------------------------------------------------------------------------------- replies


def process_reply(
    inbound_mail: InboundMail,
    parsed_mail: ParsedMail,
    handler: InboundMailHandler,
    token: str,
    sender: str | None,
    now: datetime,
) -> InboundMail:
    """Process a mail to an address that was made for one player.

    1. Find the player, and what the address is about.
    2. Ignore automatic mail and mail from the wrong sender.
    3. Process the lines, with the mail's digest as idempotency key.
    4. Finish the row; this queues the answer.
    """
    mail = parsed_mail.mail
    claim = handler.find_claim(token)
    if claim is None:
        return finish_inbound_mail(
            inbound_mail=inbound_mail,
            result=InboundMailResult(Outcome.UNKNOWN, reason="the address is not valid"),
            now=now,
        )
    result = find_reply_rejection(mail, claim.player, sender) or claim.process_lines(
        lines=parsed_mail.own_lines, key=f"mail:{inbound_mail.digest[:64]}", now=now
    )
    return finish_inbound_mail(
        inbound_mail=inbound_mail,
        result=result,
        player=claim.player,
        topic=claim.topic,
        answer_kind=handler.answer_kind,
        in_reply_to=message_id_of(mail),
        now=now,
    )


def find_reply_rejection(mail: MimeMail, player: Player, sender: str | None) -> InboundMailResult | None:
    """Find the reason to reject a reply: sent by a program, or not by the player; None if it is processed."""
    if reason := detect_automatic_mail(mail, sender):
        return InboundMailResult(Outcome.IGNORED, reason=reason)
    author = get_from_address(mail)
    if is_own_sender(author) or find_mail_by_message_id(mail.get("message-id")):
        return InboundMailResult(Outcome.IGNORED, reason="a mail of ours")
    if not player.allow_any_sender and comparable_address(author) != comparable_address(player.email):
        return InboundMailResult(Outcome.UNKNOWN, reason="not the player's address")
    return None


def detect_automatic_mail(mail: MimeMail, sender: str | None) -> str:
    """Return the sign that a program sent the mail (RFC 3834 and common headers); empty if there is none."""
    submitted = mail.get("auto-submitted").lower()
    if submitted and not submitted.startswith("no"):
        return f"auto-submitted: {submitted[:40]}"
    if mail.get("precedence").lower() in ("bulk", "junk", "list", "auto_reply"):
        return f"precedence: {mail.get('precedence')[:40]}"
    for name in _AUTOREPLY_HEADERS:
        if mail.get_all(name):
            return name
    if sender is not None and sender.strip() in ("", "<>"):
        return "no sender"
    if mail.content_type == "multipart/report":
        return "a report"
    return "an automatic subject" if _AUTOMATIC_SUBJECT.match(mail.get("subject")) else ""


def get_from_address(mail: MimeMail) -> str:
    """The only address in the only From header; empty if there is none or more than one."""
    from_headers = mail.get_all("from")
    if len(from_headers) != 1 or len(from_headers[0]) > MAX_SENDER_LENGTH:
        return ""
    addresses = [address for _, address in getaddresses(from_headers)]
    return addresses[0] if len(addresses) == 1 and "@" in addresses[0] else ""


def is_own_sender(address: str) -> bool:
    """True if this sender address is our own."""
    own_address = parseaddr(settings.DEFAULT_FROM_EMAIL)[1]
    return bool(address) and (address.lower() == own_address.lower() or read_address(address) is not None)


def message_id_of(mail: MimeMail) -> str:
    """The Message-ID to answer to; empty if it is not valid in a header."""
    match = _MESSAGE_ID.fullmatch(mail.get("message-id"))
    return match[0] if match and match[0].isascii() and match[0].isprintable() else ""


def extract_reply_lines(mail: MimeMail) -> list[str]:
    """The lines that the author wrote, without quotes; empty if the mail cannot be read."""
    try:
        texts: list[str] = []
        html_text, flowed = "", False
        for part in mail.iter_parts():
            if part.is_attachment:
                continue
            if part.content_type == "text/plain" and len(texts) < MAX_TEXT_PARTS:
                texts.append(mail.decode_part(part))
                flowed = flowed or part.is_flowed
            elif part.content_type == "text/html" and not html_text:
                html_text = mail.decode_part(part)
        text = "\n".join(texts)
        if not text.strip():
            text, flowed = html_mail.html_to_text(html_text), False
        own_markers = [
            settings.SITE_URL,
            f"@{settings.REPLY_DOMAIN}",
            parseaddr(settings.DEFAULT_FROM_EMAIL)[1],
        ]
        return reply_lines.extract_own_lines(text, flowed=flowed, own_markers=own_markers)
    except Exception:
        # Malformed mail can make any parser raise; a retry would fail again.
        log.exception("inbound mail cannot be parsed")
        return []


# ---------------------------------------------------------------------------------------------------- reports


def process_report(inbound_mail: InboundMail, mail: MimeMail, token: str, now: datetime) -> InboundMail:
    """Process a mail to a bounce address: record the report on the delivery it is about."""
    delivery = find_reported_delivery(token, mail)
    if delivery is None:
        return finish_inbound_mail(
            inbound_mail=inbound_mail,
            result=InboundMailResult(Outcome.UNKNOWN, reason="no such mail"),
            now=now,
        )
    report = reports.parse_report(mail)
    player = delivery.player
    if report is None:
        result = InboundMailResult(Outcome.IGNORED, reason="no report")
        return finish_inbound_mail(inbound_mail=inbound_mail, result=result, player=player, now=now)
    if report.kind == "failed":
        delivery_reports.record_bounce(
            delivery=delivery, reason=report.reason, permanent=report.is_permanent, now=now
        )
    elif report.kind == "spam":
        delivery_reports.record_complaint(delivery=delivery, reason=report.reason, now=now)
    else:
        delivery_reports.record_delay(delivery=delivery, reason=report.reason, now=now)
    reason = f"{report.kind}: {delivery_reports.shorten_to_one_line(report.reason)}"
    return finish_inbound_mail(
        inbound_mail=inbound_mail,
        result=InboundMailResult(Outcome.BOUNCE, reason=reason),
        player=player,
        topic=delivery.topic,
        now=now,
    )


def find_reported_delivery(token: str, mail: MimeMail) -> Delivery | None:
    """The delivery that a report is about; mail to the general bounce address names it inside."""
    bounce_tokens = [token]
    if read_bounce(token) == NO_DELIVERY_ID:
        bounce_tokens = [
            match.decode().lower() for match in _BOUNCE_ADDRESS.findall(mail.raw[:MAX_MAIL_BYTES])[:10]
        ]
    delivery_ids = (read_bounce(bounce_token) for bounce_token in bounce_tokens)
    return next(
        (delivery for delivery_id in delivery_ids if delivery_id and (delivery := find_mail(delivery_id))),
        None,
    )
