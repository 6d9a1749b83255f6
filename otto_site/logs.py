"""Logging: JSON lines with request and game, without secrets or email addresses; request ids."""

from __future__ import annotations

import json
import logging
import re
import secrets
import time
from collections.abc import Callable
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any

from celery import current_task
from django.http import HttpRequest, HttpResponse

log = logging.getLogger("otto.request")
log_context: ContextVar[dict[str, Any]] = ContextVar("about", default={})  # noqa: B039  # never changed in place

REQUEST_ID_PATTERN = re.compile(r"[A-Za-z0-9._-]{8,64}")  # a request id from the proxy
# Clients control the logged text (such as the path of a 404), so these patterns must run in linear time.
EMAIL_PATTERN = re.compile(r"(?<![\w.+%-])[\w.+%-]++@[\w-]{1,63}(?:\.[\w-]{1,63})+")
# Tokens and link keys are at least this long; game codes are shorter.
LONG_WORD_PATTERN = re.compile(r"[\w-]{24,}")
HEX_PATTERN = re.compile(r"\b[0-9a-fA-F]{32,}\b")


def redact_secrets(text: str) -> str:
    """Replace email addresses, tokens and keys in a text."""
    return LONG_WORD_PATTERN.sub(redact_word, EMAIL_PATTERN.sub("[address]", text))


def redact_word(match: re.Match[str]) -> str:
    """Return a long word, redacted if it mixes letters and digits or is hexadecimal."""
    word = match[0]
    is_mixed = any(map(str.isdigit, word)) and any(letter.isascii() and letter.isalpha() for letter in word)
    return "[secret]" if is_mixed else HEX_PATTERN.sub("[secret]", word)


class JsonFormatter(logging.Formatter):
    """Formats a record as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the record as JSON."""
        fields: dict[str, Any] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "log": record.name,
            "text": redact_secrets(record.getMessage()),
            **log_context.get(),
            **getattr(record, "details", {}),
        }
        if current_task:
            fields |= {"task": current_task.name, "task_id": current_task.request.id}
        if record.exc_info:
            fields["trace"] = redact_secrets(self.formatException(record.exc_info))
        return json.dumps(fields, ensure_ascii=False, default=str)


class ConsoleFormatter(logging.Formatter):
    """Formats a record for a terminal: time and message."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the record as text."""
        at = self.formatTime(record, "%H:%M:%S")
        details = getattr(record, "details", {})
        line = f"{at} {redact_secrets(record.getMessage())}"
        if details:
            line += f" {details.get('status')} in {details.get('ms')} ms"
        if record.exc_info:
            line += "\n" + redact_secrets(self.formatException(record.exc_info))
        return line


class RequestLogMiddleware:
    """Middleware: gives every request an id, which the response repeats, and logs one line for it.

    The line has the route, never the path, because some paths contain secrets.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        proxy_request_id = request.headers.get("X-Request-ID", "")
        request_id = (
            proxy_request_id if REQUEST_ID_PATTERN.fullmatch(proxy_request_id) else secrets.token_hex(8)
        )
        token = log_context.set({"request": request_id})
        started_at = time.monotonic()
        try:
            response = self.get_response(request)
            response.headers["X-Request-ID"] = request_id
            route = request.resolver_match
            details = {
                "method": request.method,
                "route": route.route if route else None,
                "status": response.status_code,
                "ms": round((time.monotonic() - started_at) * 1000, 1),
            }
            log.info("%s %s", request.method, details["route"], extra={"details": details})
            return response
        finally:
            log_context.reset(token)

    def process_view(self, request: HttpRequest, view: Any, args: Any, kwargs: dict[str, Any]) -> None:
        """Add the game's code to the log context."""
        if "code" in kwargs:
            log_context.set(log_context.get() | {"game": kwargs["code"]})
