"""A file mailbox for a trial without mail server: one .eml file per mail in EMAIL_FILE_PATH.

`EmailBackend` writes the files, the pages under /mailbox/ read them. Any mail program opens them too.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from email import message_from_bytes, policy
from email.message import EmailMessage
from email.parser import BytesHeaderParser
from email.utils import formatdate, getaddresses, make_msgid, parseaddr
from pathlib import Path

from django.conf import settings
from django.core.mail import EmailMessage as OutgoingEmail
from django.core.mail.backends.base import BaseEmailBackend
from django.utils import timezone

MAILBOX_BACKEND = "notifications.channels.email.mailbox.EmailBackend"
FILE_NAME_PATTERN = re.compile(r"\d{8}T\d{12}-[0-9a-f]{6}")  # time of writing, and a random suffix
TIMESTAMP_FORMAT = "%Y%m%dT%H%M%S%f"
MAX_LISTED_FILES = 1000  # newest first; the list must not read a whole disk


class EmailBackend(BaseEmailBackend):
    """Writes each mail to a file of its own, atomically."""

    def send_messages(self, email_messages: Sequence[OutgoingEmail]) -> int:
        """Write the mails with envelope headers as an MTA adds them.

        Returns how many; raises OSError.
        """
        return sum(self._write_message(message) for message in email_messages)

    def _write_message(self, message: OutgoingEmail) -> bool:
        recipients = message.recipients()
        if not recipients:
            return False
        # The envelope is not part of the message; an MTA adds it as headers.
        envelope = [f"Return-Path: <{bare_address_of(message.from_email)}>"]
        envelope += [f"Delivered-To: {bare_address_of(address)}" for address in recipients]
        content = "\n".join([*envelope, ""]).encode() + message.message().as_bytes()
        write_mail(content, now=timezone.now())
        return True


def bare_address_of(address: str) -> str:
    """An address without display name, on one line."""
    return " ".join(parseaddr(address)[1].split())


def write_mail(raw: bytes, *, now: datetime) -> str:
    """Write a mail atomically. Returns its name."""
    folder = Path(settings.EMAIL_FILE_PATH)
    folder.mkdir(parents=True, exist_ok=True)
    name = f"{now.astimezone(UTC).strftime(TIMESTAMP_FORMAT)}-{secrets.token_hex(3)}"
    partial_file = folder / f"{name}.part"
    try:
        partial_file.write_bytes(raw)
        partial_file.rename(folder / f"{name}.eml")
    finally:
        partial_file.unlink(missing_ok=True)  # left over if the disk is full
    return name


# ---------------------------------------------------------------------------------------------------- reading


@dataclass(frozen=True)
class MailboxEntry:
    """A mail in the mailbox list."""

    name: str
    at: datetime
    to: tuple[str, ...]  # lower-case addresses
    sender: str
    subject: str


def list_mails() -> Iterator[MailboxEntry]:
    """Yield the mails, newest first, at most MAX_LISTED_FILES."""
    folder = Path(settings.EMAIL_FILE_PATH)
    paths = sorted(
        (path for path in folder.glob("*.eml") if FILE_NAME_PATTERN.fullmatch(path.stem)), reverse=True
    )
    parser = BytesHeaderParser(policy=policy.default)
    for path in paths[:MAX_LISTED_FILES]:
        with path.open("rb") as file:
            head = parser.parse(file)
        yield MailboxEntry(
            path.stem,
            written_at(path.stem),
            read_addresses(head, "Delivered-To", "To"),
            *read_sender_and_subject(head),
        )


def written_at(name: str) -> datetime:
    """The time of writing of a mail, from its file name."""
    return datetime.strptime(name.partition("-")[0], TIMESTAMP_FORMAT).replace(tzinfo=UTC)


def read_sender_and_subject(head: EmailMessage) -> tuple[str, str]:
    """Sender and subject for display."""
    return read_header(head, "From"), read_header(head, "Subject")


def read_header(head: EmailMessage, name: str) -> str:
    """A header as text; the raw value if it cannot be parsed."""
    try:
        return replace_surrogates(str(head[name] or ""))
    except (ValueError, IndexError, AttributeError):  # the header parser raises in several ways
        return next((value for key, value in read_headers(head) if key.lower() == name.lower()), "")


def read_headers(head: EmailMessage) -> list[tuple[str, str]]:
    """All headers with their raw values."""
    return [(replace_surrogates(key), replace_surrogates(str(value))) for key, value in head.raw_items()]


def replace_surrogates(text: str) -> str:
    """Replace surrogates, which the parser leaves for undecodable bytes."""
    return text.encode("utf-8", "replace").decode()


def read_addresses(head: EmailMessage, *header_names: str) -> tuple[str, ...]:
    """The lower-case addresses of the first of these headers that is present."""
    for name in header_names:
        values = [value for key, value in read_headers(head) if key.lower() == name.lower()]
        if values:
            return tuple(dict.fromkeys(address.lower() for _, address in getaddresses(values) if address))
    return ()


def read_mail(name: str) -> EmailMessage | None:
    """Read a mail; None if there is none of this name."""
    if not FILE_NAME_PATTERN.fullmatch(name):
        return None
    try:
        return message_from_bytes(
            (Path(settings.EMAIL_FILE_PATH) / f"{name}.eml").read_bytes(), policy=policy.default
        )
    except FileNotFoundError:
        return None


def read_text_body(mail: EmailMessage, subtype: str) -> str:
    """The `plain` or `html` text of a mail; empty if it has none."""
    for part in mail.walk():
        if part.get_content_type() == f"text/{subtype}" and not part.get_filename():
            try:
                return replace_surrogates(str(part.get_content()))
            except (LookupError, ValueError):  # unknown charset, or bytes invalid in it
                raw = part.get_payload(decode=True)
                return raw.decode("utf-8", "replace") if isinstance(raw, bytes) else ""
    return ""


@dataclass(frozen=True)
class Attachment:
    """A picture or file in a mail; `part_no` counts all parts from 0."""

    part_no: int
    content_type: str
    name: str
    cid: str
    content: bytes


def list_attachments(mail: EmailMessage) -> list[Attachment]:
    """The parts of a mail other than its texts."""
    attachments = []
    for part_no, part in enumerate(mail.walk()):
        name, cid = (
            replace_surrogates(part.get_filename() or ""),
            read_header(part, "Content-ID").strip(" <>"),
        )
        if part.is_multipart() or not (name or cid or part.get_content_maintype() != "text"):
            continue
        content = part.get_payload(decode=True)
        content_type = part.get_content_type()
        attachments.append(
            Attachment(part_no, content_type, name, cid, content if isinstance(content, bytes) else b"")
        )
    return attachments


def build_reply(mail: EmailMessage, text: str, *, now: datetime) -> EmailMessage:
    """Build the reply that a mail program would send. Raises ValueError if the mail takes no replies."""
    reply_addresses, own_addresses = (
        read_addresses(mail, "Reply-To"),
        read_addresses(mail, "Delivered-To", "To"),
    )
    if not reply_addresses or not own_addresses:
        raise ValueError("nobody reads answers to this mail")
    reply_mail = EmailMessage(policy=policy.SMTP)
    reply_mail["From"], reply_mail["To"] = own_addresses[0], reply_addresses[0]
    subject = read_header(mail, "Subject")
    reply_mail["Subject"] = subject if subject.lower().startswith("re:") else f"Re: {subject}"
    reply_mail["Date"] = formatdate(now.timestamp())
    reply_mail["Message-ID"] = make_msgid(domain="mailbox.localhost")
    if original_id := read_header(mail, "Message-ID").strip():
        reply_mail["In-Reply-To"] = original_id
        reply_mail["References"] = " ".join([*read_header(mail, "References").split(), original_id])
    reply_mail.set_content(text)
    return reply_mail
