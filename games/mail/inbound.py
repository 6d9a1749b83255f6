"""Processes inbound mail from any transport: replies that play a turn, bounces, and everything else.

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

from games import signed_links, tasks
from games.email_addresses import comparable_address
from games.models import Delivery, InboundMail, Player
from games.selectors import replies as reply_selectors
from games.selectors.turns import find_seat_for_token
from games.services import delivery_reports, replies

from . import inbound_html, inbound_lines, inbound_mime, inbound_reports
from .inbound_mime import MimeMail

log = logging.getLogger(__name__)
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
    parsed_mail = ParsedMail(inbound_mime.parse_mail(raw if isinstance(raw, bytes) else raw.as_bytes()))
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
    3. A reply or resign address: process it as a reply.
    4. Any other address: finish the row as unknown.
    """
    mail = parsed_mail.mail
    inbound_mail = replies.get_or_create_inbound_mail(
        digest=compute_digest(mail, recipient),
        sender=clean_address(from_address_of(mail) or sender or ""),
        recipient=clean_address(recipient),
        now=now,
    )
    if inbound_mail.outcome:
        return inbound_mail
    purpose, token = signed_links.read_address(recipient) or ("", "")
    if purpose == signed_links.BOUNCE_PURPOSE:
        return process_report(inbound_mail, mail, token, now)
    if purpose in (signed_links.REPLY_PURPOSE, signed_links.RESIGN_PURPOSE):
        return process_reply(inbound_mail, parsed_mail, purpose, token, sender, now)
    return replies.finish_inbound_mail(
        inbound_mail=inbound_mail, outcome="unknown", reason="no such address", now=now
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
    purpose: str,
    token: str,
    sender: str | None,
    now: datetime,
) -> InboundMail:
    """Process a mail to a turn's reply address.

    1. Find the seat and turn of the address.
    2. Ignore automatic mail and mail from the wrong sender.
    3. Play the lines, or resign, with the mail's digest as idempotency key.
    4. Finish the row; this queues the answer.
    5. Wake a bot that is to act.
    """
    mail = parsed_mail.mail
    turn_claim = find_seat_for_token(token, purpose)
    if turn_claim is None:
        return replies.finish_inbound_mail(
            inbound_mail=inbound_mail, outcome="unknown", reason="no such turn", now=now
        )
    seat, turn = turn_claim
    player, game = seat.player, seat.game
    assert player is not None
    assert seat.number is not None
    outcome, reason = check_reply_sender(mail, player, sender)
    if outcome:
        return replies.finish_inbound_mail(
            inbound_mail=inbound_mail, outcome=outcome, reason=reason, player=player, game=game, now=now
        )
    handle_lines = replies.play_reply if purpose == signed_links.REPLY_PURPOSE else replies.resign_by_reply
    reply_outcome = handle_lines(
        player=player,
        code=game.code,
        seat_no=seat.number,
        turn=turn,
        lines=parsed_mail.own_lines,
        key=f"mail:{inbound_mail.digest[:64]}",
        now=now,
    )
    inbound_mail = replies.finish_inbound_mail(
        inbound_mail=inbound_mail,
        outcome=reply_outcome.outcome,
        reason=reply_outcome.reason,
        player=player,
        game=game,
        answer_text=reply_outcome.text,
        in_reply_to=message_id_of(mail),
        now=now,
    )
    if reply_outcome.bot_to_act:
        tasks.wake_bots(game.code)
    return inbound_mail


def check_reply_sender(mail: MimeMail, player: Player, sender: str | None) -> tuple[str, str]:
    """Why a reply is not processed, as (outcome, reason); both empty if it is."""
    if reason := detect_automatic_mail(mail, sender):
        return "ignored", reason
    author = from_address_of(mail)
    if is_own_sender(author) or reply_selectors.find_mail_by_message_id(mail.get("message-id")):
        return "ignored", "a mail of ours"
    if not player.any_sender and comparable_address(author) != comparable_address(player.email):
        return "unknown", "not the player's address"
    return "", ""


def detect_automatic_mail(mail: MimeMail, sender: str | None) -> str:
    """Which sign shows that a program sent the mail (RFC 3834 and common headers); empty if none."""
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


def from_address_of(mail: MimeMail) -> str:
    """The only address in the only From header; empty if there is none or more than one."""
    from_headers = mail.get_all("from")
    if len(from_headers) != 1 or len(from_headers[0]) > MAX_SENDER_LENGTH:
        return ""
    addresses = [address for _, address in getaddresses(from_headers)]
    return addresses[0] if len(addresses) == 1 and "@" in addresses[0] else ""


def is_own_sender(address: str) -> bool:
    """Whether this sender address is our own."""
    own_address = parseaddr(settings.DEFAULT_FROM_EMAIL)[1]
    return bool(address) and (
        address.lower() == own_address.lower() or signed_links.read_address(address) is not None
    )


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
            text, flowed = inbound_html.html_to_text(html_text), False
        own_markers = [
            settings.SITE_URL,
            f"@{settings.REPLY_DOMAIN}",
            parseaddr(settings.DEFAULT_FROM_EMAIL)[1],
        ]
        return inbound_lines.extract_own_lines(text, flowed=flowed, own_markers=own_markers)
    except Exception:
        # Malformed mail can make any parser raise; a retry would fail again.
        log.exception("inbound mail cannot be parsed")
        return []


# ---------------------------------------------------------------------------------------------------- reports


def process_report(inbound_mail: InboundMail, mail: MimeMail, token: str, now: datetime) -> InboundMail:
    """Process a mail to a bounce address: record the report on the delivery it is about."""
    delivery = find_reported_delivery(token, mail)
    if delivery is None:
        return replies.finish_inbound_mail(
            inbound_mail=inbound_mail, outcome="unknown", reason="no such mail", now=now
        )
    report = inbound_reports.parse_report(mail)
    player = delivery.player
    if report is None:
        return replies.finish_inbound_mail(
            inbound_mail=inbound_mail, outcome="ignored", reason="no report", player=player, now=now
        )
    if report.kind == "failed":
        delivery_reports.record_bounce(
            delivery=delivery, reason=report.reason, permanent=report.is_permanent, now=now
        )
    elif report.kind == "spam":
        delivery_reports.record_complaint(delivery=delivery, reason=report.reason, now=now)
    else:
        delivery_reports.record_delay(delivery=delivery, reason=report.reason, now=now)
    reason = f"{report.kind}: {delivery_reports.shorten_to_one_line(report.reason)}"
    return replies.finish_inbound_mail(
        inbound_mail=inbound_mail, outcome="bounce", reason=reason, player=player, game=delivery.game, now=now
    )


def find_reported_delivery(token: str, mail: MimeMail) -> Delivery | None:
    """The delivery that a report is about; mail to the general bounce address names it inside."""
    bounce_tokens = [token]
    if signed_links.read_bounce(token) == signed_links.NO_DELIVERY_ID:
        bounce_tokens = [
            match.decode().lower() for match in _BOUNCE_ADDRESS.findall(mail.raw[:MAX_MAIL_BYTES])[:10]
        ]
    delivery_ids = (signed_links.read_bounce(bounce_token) for bounce_token in bounce_tokens)
    return next(
        (
            delivery
            for delivery_id in delivery_ids
            if delivery_id and (delivery := reply_selectors.find_mail(delivery_id))
        ),
        None,
    )
