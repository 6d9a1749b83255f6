"""Logs for machines: one JSON object a line, with request and game, without secrets or addresses."""

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
about: ContextVar[dict[str, Any]] = ContextVar("about", default={})  # noqa: B039  # never changed in place

GIVEN = re.compile(r"[A-Za-z0-9._-]{8,64}")  # a request id that a proxy may have given
# Strangers choose what is logged (the address of a page that is not there): every letter is looked at once.
ADDRESS = re.compile(r"(?<![\w.+%-])[\w.+%-]++@[\w-]{1,63}(?:\.[\w-]{1,63})+")
# What opens a door: tokens and link keys are long, and made of these letters; codes of games are shorter.
LONG = re.compile(r"[\w-]{24,}")
HEX = re.compile(r"\b[0-9a-fA-F]{32,}\b")


def clean(text: str) -> str:
    """A text without anybody's address, and without what could open a door."""
    return LONG.sub(hidden, ADDRESS.sub("[address]", text))


def hidden(found: re.Match[str]) -> str:
    """A long word as it may be told: one of letters and digits can be a key, and so can one of hex digits."""
    word = found[0]
    mixed = any(map(str.isdigit, word)) and any(letter.isascii() and letter.isalpha() for letter in word)
    return "[secret]" if mixed else HEX.sub("[secret]", word)


class Lines(logging.Formatter):
    """A record as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        told: dict[str, Any] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "log": record.name,
            "text": clean(record.getMessage()),
            **about.get(),
            **getattr(record, "facts", {}),
        }
        if current_task:
            told |= {"task": current_task.name, "task_id": current_task.request.id}
        if record.exc_info:
            told["trace"] = clean(self.formatException(record.exc_info))
        return json.dumps(told, ensure_ascii=False, default=str)


class ConsoleLines(logging.Formatter):
    """A record as somebody reads it who tries the site: the time and what happened."""

    def format(self, record: logging.LogRecord) -> str:
        at = self.formatTime(record, "%H:%M:%S")
        facts = getattr(record, "facts", {})
        told = f"{at} {clean(record.getMessage())}"
        if facts:
            told += f" {facts.get('status')} in {facts.get('ms')} ms"
        if record.exc_info:
            told += "\n" + clean(self.formatException(record.exc_info))
        return told


class Requests:
    """A middleware: every request has an id, which its answer tells, and one line in the log.

    The line names the route, never the address: there are keys in some addresses.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        given = request.headers.get("X-Request-ID", "")
        known = given if GIVEN.fullmatch(given) else secrets.token_hex(8)
        token = about.set({"request": known})
        began = time.monotonic()
        try:
            answer = self.get_response(request)
            answer.headers["X-Request-ID"] = known
            route = request.resolver_match
            facts = {
                "method": request.method,
                "route": route.route if route else None,
                "status": answer.status_code,
                "ms": round((time.monotonic() - began) * 1000, 1),
            }
            log.info("%s %s", request.method, facts["route"], extra={"facts": facts})
            return answer
        finally:
            about.reset(token)

    def process_view(self, request: HttpRequest, view: Any, args: Any, kwargs: dict[str, Any]) -> None:
        if "code" in kwargs:
            about.set(about.get() | {"game": kwargs["code"]})
