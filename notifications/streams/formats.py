"""Formats of a stream: Server-Sent Events, or JSON lines."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

RETRY_MILLISECONDS = 3000  # after which a browser connects again
SSE_MEDIA_TYPE = "text/event-stream"
NDJSON_MEDIA_TYPE = "application/x-ndjson"


@dataclass(frozen=True, slots=True)
class StreamEvent:
    """An event of a stream; `cursor` is where a client resumes after it, empty if it keeps its place."""

    name: str
    data: Any  # JSON, or the bytes of JSON
    cursor: str = ""

    @property
    def json_text(self) -> str:
        """The data as JSON in one line."""
        return self.data.decode() if isinstance(self.data, bytes) else json.dumps(self.data)


class EventStreamFormat:
    """Server-Sent Events."""

    content_type = SSE_MEDIA_TYPE
    first_bytes = f"retry: {RETRY_MILLISECONDS}\n\n".encode()
    keep_alive = b": keep-alive\n\n"

    def write_event(self, event: StreamEvent) -> bytes:
        """An event as `event:`, `id:` and `data:` lines; JSON has no line breaks."""
        id_line = f"id: {event.cursor}\n" if event.cursor else ""
        return f"event: {event.name}\n{id_line}data: {event.json_text}\n\n".encode()


class JsonLinesFormat:
    """One JSON object in each line; an empty line keeps the connection alive."""

    content_type = NDJSON_MEDIA_TYPE
    first_bytes = b""
    keep_alive = b"\n"

    def write_event(self, event: StreamEvent) -> bytes:
        """An event as an object with `event`, `id` and `data`."""
        cursor = json.dumps(event.cursor or None)
        return f'{{"event": {json.dumps(event.name)}, "id": {cursor}, "data": {event.json_text}}}\n'.encode()


StreamFormat = EventStreamFormat | JsonLinesFormat
EVENT_STREAM, JSON_LINES = EventStreamFormat(), JsonLinesFormat()


def choose_format(accept_header: str) -> StreamFormat | None:
    """The format that an Accept header names first; SSE for anything, None if it takes neither."""
    for part in (accept_header or "*/*").split(","):
        media_type, *parameters = (item.strip().lower() for item in part.split(";"))
        if "q=0" in parameters or "q=0.0" in parameters:
            continue
        if media_type in (NDJSON_MEDIA_TYPE, "application/ndjson"):
            return JSON_LINES
        if media_type in (SSE_MEDIA_TYPE, "text/*", "*/*", "application/json"):
            return EVENT_STREAM
    return None
