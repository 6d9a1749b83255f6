"""From exceptions to problem documents: those of libraries here, those of an app in its `errors.py`."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from django.core.exceptions import PermissionDenied, RequestDataTooBig, SuspiciousOperation, ValidationError
from django.db import DataError, IntegrityError
from django.http import Http404, HttpResponse
from django.http.multipartparser import MultiPartParserError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy
from django.utils.translation import ngettext
from rest_framework import exceptions as drf
from rest_framework.views import set_rollback

from common.extensions import collect_declarations
from common.problems import AppErrors, ErrorMapping, problem_response
from common.service_errors import (
    Conflict,
    Denied,
    Invalid,
    LimitReached,
    NotAuthenticated,
    NotFound,
    ServiceError,
    UnknownCursor,
)

from .outages import RETRY_AFTER_SECONDS, is_database_outage

log = logging.getLogger(__name__)
NO_FIELD_NAMES = ("non_field_errors", "__all__")  # messages about several fields
REST_FRAMEWORK_CODES = {"authentication_failed": "not-authenticated", "permission_denied": "forbidden"}


def build_service_error_members(error: ServiceError) -> Mapping[str, Any]:
    """The members that the service gave, and the message by field where it names one."""
    if "field" in error.extra:
        return {"errors": {error.extra["field"]: [error.detail]}} | error.extra
    return error.extra


def build_validation_members(error: drf.ValidationError | ValidationError) -> dict[str, Any]:
    """The messages of a validation error by field."""
    if isinstance(error, drf.ValidationError):
        return {"errors": errors_by_field(error.detail)}
    return {"errors": errors_by_field(getattr(error, "message_dict", None) or error.messages)}


def describe_validation_error(error: drf.ValidationError | ValidationError) -> str:
    """The first message of a validation error."""
    return first_message(build_validation_members(error)["errors"])


def build_throttled_members(error: drf.Throttled) -> dict[str, Any]:
    """Build the problem member with the time to wait, if that is known."""
    return {} if error.wait is None else {"retry_after": int(error.wait)}


def describe_throttling(error: drf.Throttled) -> str:
    """How long to wait, as a sentence."""
    seconds = max(int(error.wait or 0), 1)
    text = ngettext(
        "Too many requests. Try again in %(count)d second.",
        "Too many requests. Try again in %(count)d seconds.",
        seconds,
    )
    return text % {"count": seconds}


def describe_denial(error: drf.PermissionDenied) -> str:
    """The detail of a denial, which REST framework's own lacks."""
    return _("You may not do this.") if error.get_codes() == "permission_denied" else str(error.detail)


def describe_method_refusal(error: drf.MethodNotAllowed) -> str:
    """The detail of a request with another method."""
    return _("This address does not support this method. `Allow` lists those that it supports.")


def describe_unreadable_request(error: Exception) -> str:
    """The detail of a request that cannot be parsed."""
    return _("We cannot read the request. Check its format.")


def describe_unstorable_value(error: Exception) -> str:
    """The detail of a value that no field caught: NUL, a lone surrogate, a number out of range."""
    return _("The request has a character or a number that we cannot store. Remove it.")


SITE_ERRORS = AppErrors(
    mappings=(
        ErrorMapping(LimitReached, 429, build_members=build_service_error_members),
        ErrorMapping(Conflict, 409, build_members=build_service_error_members),
        ErrorMapping(NotFound, 404, build_members=build_service_error_members),
        ErrorMapping(NotAuthenticated, 401, build_members=build_service_error_members),
        ErrorMapping(Denied, 403, build_members=build_service_error_members),
        ErrorMapping(Invalid, 422, build_members=build_service_error_members),
        ErrorMapping(
            drf.ValidationError, 400, "invalid", describe_validation_error, build_validation_members
        ),
        ErrorMapping(ValidationError, 400, "invalid", describe_validation_error, build_validation_members),
        ErrorMapping(UnknownCursor, 400, build_members=build_service_error_members),
        ErrorMapping(drf.ParseError, 400, "malformed"),
        ErrorMapping(
            drf.NotAuthenticated, 401, "not-authenticated", lambda error: _("Send a token, or sign in.")
        ),
        ErrorMapping(drf.AuthenticationFailed, 401),
        ErrorMapping(drf.PermissionDenied, 403, describe=describe_denial),
        ErrorMapping(PermissionDenied, 403, "forbidden", lambda error: _("You may not do this.")),
        ErrorMapping(drf.NotFound, 404, "not-found", lambda error: _("There is nothing at this address.")),
        ErrorMapping(Http404, 404, "not-found", lambda error: _("There is nothing at this address.")),
        ErrorMapping(drf.MethodNotAllowed, 405, "method-not-allowed", describe_method_refusal),
        ErrorMapping(
            drf.NotAcceptable,
            406,
            "not-acceptable",
            lambda error: _("This address has none of the formats in your Accept header."),
        ),
        ErrorMapping(
            drf.UnsupportedMediaType,
            415,
            "unsupported-media-type",
            lambda error: _("Send the body as JSON, with `Content-Type: application/json`."),
        ),
        ErrorMapping(drf.Throttled, 429, "throttled", describe_throttling, build_throttled_members),
        ErrorMapping(
            RequestDataTooBig,
            413,
            "too-large",
            lambda error: _("The request is too large. Send less at a time."),
        ),
        ErrorMapping(MultiPartParserError, 400, "malformed", describe_unreadable_request),
        ErrorMapping(SuspiciousOperation, 400, "malformed", describe_unreadable_request),
        *(
            ErrorMapping(
                kind, 400, "invalid", describe_unstorable_value, log_message="bad input: cannot be stored"
            )
            for kind in (DataError, UnicodeEncodeError)
        ),
        # A race that no service handles; the client reads the state again and retries.
        ErrorMapping(
            IntegrityError,
            409,
            "conflict",
            lambda error: _("Somebody else was faster. Read the current state, then try again."),
            log_message="conflict: integrity error",
        ),
    ),
    codes={
        "conflict": lazy("Valid, but conflicts with the current state."),
        "forbidden": lazy("You may not do this."),
        "internal": lazy("An error on our side. We have logged it."),
        "invalid": lazy("Fields are missing or wrong. `errors` lists them."),
        "invalid-value": lazy("Well formed, but a value is not allowed here. `errors` names its field."),
        "malformed": lazy("We cannot read the request. Check its format."),
        "method-not-allowed": lazy(
            "This address does not support this method. `Allow` lists those that it supports."
        ),
        "not-acceptable": lazy("This address has none of the formats in your Accept header."),
        "not-authenticated": lazy("Send a token, or sign in."),
        "not-found": lazy("It does not exist, or you may not see it."),
        "throttled": lazy("Too many requests. Wait for the seconds in Retry-After."),
        "too-large": lazy("The request is too large. Send less at a time."),
        "unavailable": lazy(
            "The database does not respond. Wait for the seconds in Retry-After, then repeat the request"
            " with the same Idempotency-Key."
        ),
        "unsupported-media-type": lazy("Send the body as JSON, with `Content-Type: application/json`."),
    },
)


def list_declared_errors() -> list[AppErrors]:
    """The errors of this module and of every app."""
    return [SITE_ERRORS, *collect_declarations("errors", "ERRORS", AppErrors)]


def load_error_codes() -> dict[str, Any]:
    """Every error code with its meaning, by name; a test compares them with the codes that views return."""
    return dict(sorted(item for errors in list_declared_errors() for item in errors.codes.items()))


@cache
def load_mappings() -> dict[type[Exception], ErrorMapping]:
    """The mappings of all apps by exception."""
    return {mapping.exception: mapping for errors in list_declared_errors() for mapping in errors.mappings}


def handle_api_error(error: Exception, context: dict[str, Any]) -> HttpResponse | None:
    """REST framework's EXCEPTION_HANDLER. An exception without a mapping is a bug and becomes a 500."""
    if is_database_outage(error):
        set_rollback()
        log.error("database outage", exc_info=error)
        return outage_response()
    mappings = load_mappings()
    mapping = next((mappings[kind] for kind in type(error).__mro__ if kind in mappings), None)
    if mapping is None:
        return None
    set_rollback()
    if mapping.log_message:
        log.warning(mapping.log_message, exc_info=error)
    members = dict(mapping.build_members(error))
    headers: dict[str, str] = {}
    if scope := getattr(error, "scope", None):
        members["scope"] = scope
    if header := getattr(error, "auth_header", None):
        headers["WWW-Authenticate"] = header
    code = mapping.code or own_code_of(error)
    return problem_response(mapping.status, code, mapping.describe(error), headers=headers, **members)


def own_code_of(error: Any) -> str:
    """The code of a service's error, or of REST framework's."""
    code = error.code if isinstance(error, ServiceError) else error.get_codes()
    return REST_FRAMEWORK_CODES.get(code, code) if isinstance(code, str) else "forbidden"


def outage_response() -> HttpResponse:
    """Return 503 with Retry-After: the database does not answer."""
    return problem_response(
        503,
        "unavailable",
        _("The database does not respond right now. Try again in a few seconds."),
        retry_after=RETRY_AFTER_SECONDS,
    )


def errors_by_field(detail: Any) -> dict[str, list[str]]:
    """Return lists of messages by the path of their field, as `scopes.0`; those without one by `request`."""
    errors: dict[str, list[str]] = {}
    for path, message in iter_messages(detail, ()):
        errors.setdefault(".".join(path) or "request", []).append(message)
    return errors


def iter_messages(detail: Any, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield each message of a validation error with the path of its field."""
    if isinstance(detail, Mapping):
        for name, part in detail.items():
            yield from iter_messages(part, path if name in NO_FIELD_NAMES else (*path, str(name)))
    elif isinstance(detail, list | tuple):
        for number, part in enumerate(detail):
            yield from iter_messages(part, (*path, str(number)) if isinstance(part, Mapping) else path)
    else:
        yield path, str(detail)


def first_message(errors: Mapping[str, Sequence[str]]) -> str:
    """Return the first message with the path of its field."""
    name, messages = next(iter(errors.items()), ("request", [_("This is not valid.")]))
    return messages[0] if name == "request" else f"{name}: {messages[0]}"
