"""Idempotency-Key support: a repeated request gets the first answer and changes nothing."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import HttpResponse
from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.request import Request

from accounts.models import Token
from accounts.services.idempotency import StoredResponse, respond_once
from common.field_limits import MAX_IDEMPOTENCY_KEY_LENGTH

Handler = Callable[..., HttpResponse]


def run_once_per_key(handler: Handler, *, is_sealed: bool = False) -> Handler:
    """Return a view method that with an Idempotency-Key runs once, and whose response is stored.

    `is_sealed`: the response holds a secret. It is stored encrypted, and given again only to the token, or
    the browser, that got it.
    """

    @wraps(handler)
    def wrapper(view: Any, request: Request, *args: Any, **kwargs: Any) -> HttpResponse:
        """Run the handler, or return the stored response."""
        key = idempotency_key_of(request)
        if not key:
            return handler(view, request, *args, **kwargs)

        def run_handler() -> StoredResponse:
            """Run the handler for the first time."""
            response = handler(view, request, *args, **kwargs)
            return StoredResponse(response.status_code, response.content.decode())

        stored_response = respond_once(
            player=view.player,
            key=key,
            request_hash=hash_request(request, name_credential(request) if is_sealed else None),
            now=view.now,
            make_response=run_handler,
            is_sealed=is_sealed,
        )
        return HttpResponse(
            stored_response.body, content_type="application/json", status=stored_response.status
        )

    return wrapper


def name_credential(request: Request) -> str:
    """Name the credential of the request: one token, or a browser."""
    return f"token {request.auth.pk}" if isinstance(request.auth, Token) else "browser"


def hash_request(request: Request, credential_name: str | None = None) -> str:
    """The request's fingerprint: method, path and body, and what it is authenticated with if that counts."""
    request_parts = [request.method, request.path, request.data]
    if credential_name is not None:
        request_parts.append(credential_name)
    canonical_request = json.dumps(request_parts, sort_keys=True)
    return hashlib.sha256(canonical_request.encode("utf-8", "surrogatepass")).hexdigest()


def idempotency_key_of(request: Request) -> str:
    """The request's Idempotency-Key; empty if there is none. Raises ValidationError."""
    key = str(request.headers.get("Idempotency-Key", ""))
    if len(key) > MAX_IDEMPOTENCY_KEY_LENGTH or not key.isprintable() or not key.isascii():
        error_text = _("Use at most %(most)d printable ASCII characters.") % {
            "most": MAX_IDEMPOTENCY_KEY_LENGTH
        }
        raise serializers.ValidationError({"Idempotency-Key": error_text})
    return key
