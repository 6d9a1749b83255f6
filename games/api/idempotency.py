"""Idempotency-Key support: a repeated request gets the first answer and changes nothing."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import HttpResponse
from rest_framework.request import Request

from games import tasks
from games.services.idempotency import StoredResponse, respond_once

from . import serializers

Handler = Callable[..., HttpResponse]


def run_once_per_key(handler: Handler) -> Handler:
    """Decorate a view method: with an Idempotency-Key it runs once and its response is stored."""

    @wraps(handler)
    def wrapper(view: Any, request: Request, *args: Any, **kwargs: Any) -> HttpResponse:
        """Run the handler, or return the stored response."""
        key = serializers.idempotency_key_of(request)
        if not key:
            return handler(view, request, *args, **kwargs)

        def run_handler() -> StoredResponse:
            """Run the handler for the first time."""
            response = handler(view, request, *args, **kwargs)
            return StoredResponse(response.status_code, response.content.decode())

        # A worker woken before the commit would find nothing to do.
        with tasks.defer_wake_ups():
            stored_response = respond_once(
                player=view.player,
                key=key,
                request_hash=hash_request(request),
                now=view.now,
                make_response=run_handler,
            )
        return HttpResponse(
            stored_response.body, content_type="application/json", status=stored_response.status
        )

    return wrapper


def hash_request(request: Request) -> str:
    """The request's fingerprint: method, path and body."""
    canonical_request = json.dumps([request.method, request.path, request.data], sort_keys=True)
    return hashlib.sha256(canonical_request.encode("utf-8", "surrogatepass")).hexdigest()
