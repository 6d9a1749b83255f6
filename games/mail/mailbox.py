"""Mails as files, for whoever tries the site without a mail server: one .eml each, in EMAIL_FILE_PATH.

The backend writes them, the pages under /mailbox/ read them. Any mail program opens them, too.
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
from django.core.mail import EmailMessage as Outgoing
from django.core.mail.backends.base import BaseEmailBackend
from django.utils import timezone

BACKEND = "games.mail.mailbox.EmailBackend"
NAME = re.compile(r"\d{8}T\d{12}-[0-9a-f]{6}")  # when it was written, and a number to tell two at once apart
STAMP = "%Y%m%dT%H%M%S%f"
LOOKED_AT = 1000  # files, newest first: a trial makes fewer, and a list must not read a whole disk


class EmailBackend(BaseEmailBackend):
    """Writes each mail into a file of its own, whole or not at all."""

    def send_messages(self, email_messages: Sequence[Outgoing]) -> int:
        """Keep the mails as an MTA would have delivered them. Returns how many; raises OSError."""
        return sum(self._keep(message) for message in email_messages)

    def _keep(self, message: Outgoing) -> bool:
        recipients = message.recipients()
        if not recipients:
            return False
        # The envelope is no part of a mail; whoever delivers one writes it on top.
        envelope = [f"Return-Path: <{bare(message.from_email)}>"]
        envelope += [f"Delivered-To: {bare(address)}" for address in recipients]
        written = "\n".join([*envelope, ""]).encode() + message.message().as_bytes()
        keep(written, now=timezone.now())
        return True


def bare(address: str) -> str:
    """An address without a name, on one line."""
    return " ".join(parseaddr(address)[1].split())


def keep(raw: bytes, *, now: datetime) -> str:
    """Write a mail; a reader sees it whole or not at all. Returns its name."""
    folder = Path(settings.EMAIL_FILE_PATH)
    folder.mkdir(parents=True, exist_ok=True)
    name = f"{now.astimezone(UTC).strftime(STAMP)}-{secrets.token_hex(3)}"
    draft = folder / f"{name}.part"
    try:
        draft.write_bytes(raw)
        draft.rename(folder / f"{name}.eml")
    finally:
        draft.unlink(missing_ok=True)  # a piece of a mail on a full disk
    return name


# ---------------------------------------------------------------------------------------------------- reading


@dataclass(frozen=True)
class Line:
    """A mail in the list."""

    name: str
    at: datetime
    to: tuple[str, ...]  # addresses, in lower case
    sender: str
    subject: str


def lines() -> Iterator[Line]:
    """The mails, newest first."""
    folder = Path(settings.EMAIL_FILE_PATH)
    found = sorted((path for path in folder.glob("*.eml") if NAME.fullmatch(path.stem)), reverse=True)
    parser = BytesHeaderParser(policy=policy.default)
    for path in found[:LOOKED_AT]:
        with path.open("rb") as file:
            head = parser.parse(file)
        yield Line(path.stem, at(path.stem), addresses(head, "Delivered-To", "To"), *names(head))


def at(name: str) -> datetime:
    """When a mail was written."""
    return datetime.strptime(name.partition("-")[0], STAMP).replace(tzinfo=UTC)


def names(head: EmailMessage) -> tuple[str, str]:
    """Sender and subject, as people read them."""
    return header(head, "From"), header(head, "Subject")


def header(head: EmailMessage, name: str) -> str:
    """A header as text; what breaks the rules for headers is shown as it came."""
    try:
        return clean(str(head[name] or ""))
    except (ValueError, IndexError, AttributeError):  # the parser of headers gives up in several ways
        return next((value for key, value in headers(head) if key.lower() == name.lower()), "")


def headers(head: EmailMessage) -> list[tuple[str, str]]:
    """All headers, as they came."""
    return [(clean(key), clean(str(value))) for key, value in head.raw_items()]


def clean(text: str) -> str:
    """Text that can be shown: the parser keeps a byte that is no character as half a surrogate pair."""
    return text.encode("utf-8", "replace").decode()


def addresses(head: EmailMessage, *wanted: str) -> tuple[str, ...]:
    """The plain addresses in the first of these headers that there is."""
    for name in wanted:
        values = [value for key, value in headers(head) if key.lower() == name.lower()]
        if values:
            return tuple(dict.fromkeys(address.lower() for _, address in getaddresses(values) if address))
    return ()


def letter(name: str) -> EmailMessage | None:
    """A whole mail, None if there is none of this name."""
    if not NAME.fullmatch(name):
        return None
    try:
        return message_from_bytes(
            (Path(settings.EMAIL_FILE_PATH) / f"{name}.eml").read_bytes(), policy=policy.default
        )
    except FileNotFoundError:
        return None


def body(mail: EmailMessage, kind: str) -> str:
    """The text of a mail, `plain` or `html`; empty if it has none."""
    for part in mail.walk():
        if part.get_content_type() == f"text/{kind}" and not part.get_filename():
            try:
                return clean(str(part.get_content()))
            except (LookupError, ValueError):  # a charset that nobody knows, or bytes that are not in it
                raw = part.get_payload(decode=True)
                return raw.decode("utf-8", "replace") if isinstance(raw, bytes) else ""
    return ""


@dataclass(frozen=True)
class Part:
    """A picture or a file in a mail; `number` counts all parts from 0."""

    number: int
    kind: str
    name: str
    cid: str
    content: bytes


def parts(mail: EmailMessage) -> list[Part]:
    """What a mail carries besides its texts."""
    found = []
    for number, part in enumerate(mail.walk()):
        name, cid = clean(part.get_filename() or ""), header(part, "Content-ID").strip(" <>")
        if part.is_multipart() or not (name or cid or part.get_content_maintype() != "text"):
            continue
        content = part.get_payload(decode=True)
        kind = part.get_content_type()
        found.append(Part(number, kind, name, cid, content if isinstance(content, bytes) else b""))
    return found


def reply(mail: EmailMessage, text: str, *, now: datetime) -> EmailMessage:
    """What a mail program would send for an answer. Raises ValueError where nobody reads one."""
    to, own = addresses(mail, "Reply-To"), addresses(mail, "Delivered-To", "To")
    if not to or not own:
        raise ValueError("nobody reads answers to this mail")
    answer = EmailMessage(policy=policy.SMTP)
    answer["From"], answer["To"] = own[0], to[0]
    subject = header(mail, "Subject")
    answer["Subject"] = subject if subject.lower().startswith("re:") else f"Re: {subject}"
    answer["Date"] = formatdate(now.timestamp())
    answer["Message-ID"] = make_msgid(domain="mailbox.localhost")
    if original := header(mail, "Message-ID").strip():
        answer["In-Reply-To"] = original
        answer["References"] = " ".join([*header(mail, "References").split(), original])
    answer.set_content(text)
    return answer
