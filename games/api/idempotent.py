"""Operations that honour an Idempotency-Key: a repeated request gets the first answer and changes nothing."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import HttpResponse
from rest_framework.request import Request

from games import tasks
from games.services.idempotency import Answer, answer_once

from . import shapes

Handler = Callable[..., HttpResponse]


def once_per_key(handler: Handler) -> Handler:
    """Do what a method of a door does once for each key that its caller brings; without a key each time."""

    @wraps(handler)
    def answered(door: Any, request: Request, *args: Any, **kwargs: Any) -> HttpResponse:
        key = shapes.key_of(request)
        if not key:
            return handler(door, request, *args, **kwargs)

        def make() -> Answer:
            response = handler(door, request, *args, **kwargs)
            return Answer(response.status_code, response.content.decode())

        # A worker that is woken before the commit would find nothing to do.
        with tasks.wake_ups_held_back():
            answer = answer_once(
                player=door.player, key=key, request_hash=hash_of(request), now=door.now, make=make
            )
        return HttpResponse(answer.body, content_type="application/json", status=answer.status)

    return answered


def hash_of(request: Request) -> str:
    """What makes a request this very request: its method, its address and what it says."""
    said = json.dumps([request.method, request.path, request.data], sort_keys=True)
    return hashlib.sha256(said.encode("utf-8", "surrogatepass")).hexdigest()
