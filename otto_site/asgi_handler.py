"""The ASGI handler: views run in a bounded pool of threads, as under WSGI; streams stay on the event loop.

Django's own handler would start a thread for each request, and has no place for a stream once its view has
returned.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from django.core import signals
from django.core.exceptions import RequestAborted
from django.core.handlers.asgi import ASGIHandler, get_script_prefix
from django.core.handlers.base import BaseHandler
from django.http import HttpResponseBase
from django.urls import set_script_prefix

from notifications.streams.hub import start_hub, stop_hub
from notifications.streams.responses import LongPollResponse, StreamResponse

WEB_THREADS = int(os.environ.get("WEB_THREADS") or "4")

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Mapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]


class SiteHandler(ASGIHandler):
    """Serves all views, and the streams that they open."""

    def __init__(self) -> None:
        BaseHandler.__init__(self)
        self.load_middleware(is_async=False)
        self.pool = ThreadPoolExecutor(WEB_THREADS, thread_name_prefix="web")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request, or the start and stop of the server."""
        if scope["type"] == "lifespan":
            await self.serve_lifespan(receive, send)
            return
        hub = start_hub()
        try:
            response, reservation = await self.respond(scope, receive)
        except RequestAborted:
            return
        scope.clear()  # nothing of a request is kept while its stream is open
        plan = getattr(response, "plan", None)
        try:
            if isinstance(response, StreamResponse) and plan:
                disconnected = asyncio.ensure_future(receive())
                try:
                    response.headers.pop("Content-Length", None)  # that of the opening
                    await send_start(response, send)
                    await send_part(response.content, send)
                    del response
                    await hub.serve_stream(plan, lambda body: send_part(body, send), disconnected)
                    await send_end(send)
                finally:
                    disconnected.cancel()
                return
            if isinstance(response, LongPollResponse) and plan:
                disconnected = asyncio.ensure_future(receive())
                events = await hub.wait_for_events(plan, response.wait_seconds, disconnected)
                disconnected.cancel()
                if events:
                    response.content = response.build_body(events)
                    response.headers["Content-Length"] = str(len(response.content))
            await self.send_whole(response, send)
        finally:
            if reservation:
                reservation.release()

    async def serve_lifespan(self, receive: Receive, send: Send) -> None:
        """Start the hub with the server, and stop it with the server."""
        while True:
            message = await receive()
            if message["type"] == "lifespan.startup":
                start_hub()
                await send({"type": "lifespan.startup.complete"})
            elif message["type"] == "lifespan.shutdown":
                stop_hub()
                await send({"type": "lifespan.shutdown.complete"})
                return

    async def respond(self, scope: Scope, receive: Receive) -> tuple[Any, Any]:
        """Run the view in a thread; return its response, and the place of its stream if it took one."""
        body_file = await self.read_body(receive)
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(self.pool, self.respond_in_thread, scope, body_file)
        finally:
            body_file.close()

    def respond_in_thread(self, scope: Scope, body_file: Any) -> tuple[Any, Any]:
        """Build the request and the response, as under WSGI."""
        set_script_prefix(get_script_prefix(scope))
        signals.request_started.send(sender=self.__class__, scope=scope)
        request, error_response = self.create_request(scope, body_file)
        if request is None:
            return error_response, None
        response: Any = self.get_response(request)
        if request.method == "HEAD":
            response.plan = None
        if not response.streaming:
            response.close()  # here, for the connection to the database is this thread's
        return response, getattr(request, "stream_reservation", None)

    async def send_whole(self, response: Any, send: Send) -> None:
        """Send a response that is complete, or that a thread produces part by part."""
        loop = asyncio.get_running_loop()
        try:
            if response.streaming:
                await send_start(response, send)
                parts = iter(response.streaming_content)
                while (part := await loop.run_in_executor(self.pool, next, parts, None)) is not None:
                    await send_part(part, send)
                await send_end(send)
            else:
                response.headers.setdefault("Content-Length", str(len(response.content)))
                await send_start(response, send)
                await send({"type": "http.response.body", "body": response.content, "more_body": False})
        finally:
            if response.streaming:
                await loop.run_in_executor(self.pool, response.close)


async def send_start(response: HttpResponseBase, send: Send) -> None:
    """Send status and headers."""
    headers = [(name.encode("latin1"), value.encode("latin1")) for name, value in response.headers.items()]
    cookies = [
        (b"Set-Cookie", cookie.OutputString().encode("latin1")) for cookie in response.cookies.values()
    ]
    await send({"type": "http.response.start", "status": response.status_code, "headers": headers + cookies})


async def send_part(body: bytes, send: Send) -> None:
    """Send a part of the body."""
    await send({"type": "http.response.body", "body": body, "more_body": True})


async def send_end(send: Send) -> None:
    """End the body."""
    await send({"type": "http.response.body", "body": b"", "more_body": False})
