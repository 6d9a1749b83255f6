"""Reports about mails of ours: what other servers say could not be delivered, or was called spam."""

from __future__ import annotations

import re
from dataclasses import dataclass

from .inbound_mime import Mail

LENGTH = 20_000  # characters of a report that are read

_FIELD = re.compile(r"^([A-Za-z-]{1,40}):[ \t]*(.{0,500})$", re.MULTILINE)
_FOLD = re.compile(r"\r?\n[ \t]+")
_STATUS = re.compile(r"\s*([245])\.\d{1,3}\.\d{1,3}")
_REPLY = re.compile(r"\b([45])(?:\d\d[ -]|\.\d{1,3}\.\d{1,3}\b)")  # of SMTP: 550, or 5.1.1


@dataclass(frozen=True)
class Report:
    """What a report says: failed (for good or not), delayed, spam; or nothing that matters."""

    what: str
    permanent: bool
    why: str


def read(mail: Mail) -> Report | None:
    """The report that a mail brings, None if it is none."""
    for part in mail.parts():
        if part.kind == "message/delivery-status":
            return about_delivery(fields(mail.text(part)))
        if part.kind == "message/feedback-report":
            return about_spam(fields(mail.text(part)))
    # Exim and some others write a letter instead, and this header; they give up for good only.
    if failed := mail.get("x-failed-recipients"):
        return Report("failed", True, f"could not be delivered to {failed}")
    return None


def fields(text: str) -> dict[str, list[str]]:
    """The fields of all blocks of a report, by their names in lower case."""
    found: dict[str, list[str]] = {}
    for name, value in _FIELD.findall(_FOLD.sub(" ", text[:LENGTH].replace("\r\n", "\n"))):
        found.setdefault(name.lower(), []).append(value.strip())
    return found


def about_delivery(said: dict[str, list[str]]) -> Report | None:
    """A delivery status notification (RFC 3464)."""
    actions = [action.lower() for action in said.get("action", [])]
    statuses = [match[1] for status in said.get("status", []) if (match := _STATUS.match(status))]
    why = " ".join([*said.get("status", [])[:1], *said.get("diagnostic-code", [])[:1]])
    if "failed" in actions:
        return Report("failed", "5" in statuses, why or "could not be delivered")
    if "delayed" in actions or "4" in statuses:
        return Report("delayed", False, why or "delayed")
    return Report("failed", True, why) if "5" in statuses and not actions else None


def about_spam(said: dict[str, list[str]]) -> Report | None:
    """An abuse report (RFC 5965); some report that a mail is no spam after all."""
    kinds = [kind.lower() for kind in said.get("feedback-type", [])]
    if not kinds or "not-spam" in kinds:
        return None
    return Report("spam", True, f"reported as {kinds[0]}")


def is_temporary(said: str) -> bool:
    """Whether the words of another server are about something that may pass, such as a full mailbox."""
    first = _REPLY.search(said[:1000])
    return first is not None and first[1] == "4"
