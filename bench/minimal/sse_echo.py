"""A bare ASGI application that echoes a POST to every open event stream: the peer of bench/stream.py."""

from __future__ import annotations

import asyncio
from typing import Any

waiting_streams: set[asyncio.Queue[bytes]] = set()


async def application(scope: dict[str, Any], receive: Any, send: Any) -> None:
    """Serve GET as a stream and POST as an event for all streams."""
    if scope["type"] == "lifespan":
        while True:
            message = await receive()
            await send({"type": f"{message['type']}.complete"})
            if message["type"] == "lifespan.shutdown":
                return
    if scope["method"] == "POST":
        message = await receive()
        for waiting_stream in waiting_streams:
            waiting_stream.put_nowait(message["body"])
        await send({"type": "http.response.start", "status": 201, "headers": [(b"content-length", b"0")]})
        await send({"type": "http.response.body", "body": b""})
        return
    headers = [(b"content-type", b"text/event-stream")]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": b": open\n\n", "more_body": True})
    waiting_stream: asyncio.Queue[bytes] = asyncio.Queue()
    waiting_streams.add(waiting_stream)
    try:
        while True:
            data = await waiting_stream.get()
            await send({"type": "http.response.body", "body": b"data: " + data + b"\n\n", "more_body": True})
    finally:
        waiting_streams.discard(waiting_stream)
