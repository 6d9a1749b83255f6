"""Parses reports about mail we sent: delivery status notifications and spam complaints."""

from __future__ import annotations

import re
from dataclasses import dataclass

from notifications.inbound.mime import MimeMail

MAX_REPORT_LENGTH = 20_000

_FIELD = re.compile(r"^([A-Za-z-]{1,40}):[ \t]*(.{0,500})$", re.MULTILINE)
_FOLDED_LINE = re.compile(r"\r?\n[ \t]+")
_ENHANCED_STATUS = re.compile(r"\s*([245])\.\d{1,3}\.\d{1,3}")
_SMTP_REPLY_CODE = re.compile(r"\b([45])(?:\d\d[ -]|\.\d{1,3}\.\d{1,3}\b)")  # such as 550 or 5.1.1


@dataclass(frozen=True)
class DeliveryReport:
    """A report: its kind (failed, delayed or spam), whether it is permanent, and the reason."""

    kind: str
    is_permanent: bool
    reason: str


def parse_report(mail: MimeMail) -> DeliveryReport | None:
    """The report in a mail; None if there is none."""
    for part in mail.iter_parts():
        if part.content_type == "message/delivery-status":
            return parse_delivery_status(parse_report_fields(mail.decode_part(part)))
        if part.content_type == "message/feedback-report":
            return parse_feedback_report(parse_report_fields(mail.decode_part(part)))
    # Exim and others send plain text with this header instead, only for permanent failures.
    if failed_recipients := mail.get("x-failed-recipients"):
        return DeliveryReport("failed", True, f"could not be delivered to {failed_recipients}")
    return None


def parse_report_fields(text: str) -> dict[str, list[str]]:
    """The fields of all blocks of a report, by lower-case name."""
    fields: dict[str, list[str]] = {}
    for name, value in _FIELD.findall(_FOLDED_LINE.sub(" ", text[:MAX_REPORT_LENGTH].replace("\r\n", "\n"))):
        fields.setdefault(name.lower(), []).append(value.strip())
    return fields


def parse_delivery_status(fields: dict[str, list[str]]) -> DeliveryReport | None:
    """Parse a delivery status notification (RFC 3464); None if it reports no problem."""
    actions = [action.lower() for action in fields.get("action", [])]
    statuses = [match[1] for status in fields.get("status", []) if (match := _ENHANCED_STATUS.match(status))]
    reason = " ".join([*fields.get("status", [])[:1], *fields.get("diagnostic-code", [])[:1]])
    if "failed" in actions:
        return DeliveryReport("failed", "5" in statuses, reason or "could not be delivered")
    if "delayed" in actions or "4" in statuses:
        return DeliveryReport("delayed", False, reason or "delayed")
    return DeliveryReport("failed", True, reason) if "5" in statuses and not actions else None


def parse_feedback_report(fields: dict[str, list[str]]) -> DeliveryReport | None:
    """Parse an abuse report (RFC 5965); None for a `not-spam` report."""
    kinds = [kind.lower() for kind in fields.get("feedback-type", [])]
    if not kinds or "not-spam" in kinds:
        return None
    return DeliveryReport("spam", True, f"reported as {kinds[0]}")


def is_temporary_failure(server_text: str) -> bool:
    """True if a server's text describes a temporary failure, such as a full mailbox."""
    reply_code = _SMTP_REPLY_CODE.search(server_text[:1000])
    return reply_code is not None and reply_code[1] == "4"
