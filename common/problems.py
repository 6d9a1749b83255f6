"""Problem documents (RFC 9457), and how an app declares which of its exceptions become one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any

from django.http import HttpResponse, JsonResponse

ERROR_CODES_PATH = "/api/errors/"


def describe_exception(error: Exception) -> str:
    """The `detail` of an exception, or its text."""
    return str(getattr(error, "detail", "") or error)


def build_no_members(error: Exception) -> dict[str, Any]:
    """No members beyond those of every problem document."""
    return {}


@dataclass(frozen=True)
class ErrorMapping:
    """A conversion of an exception to a problem document; the mapping of the most specific class counts.

    Without a code the exception has its own. `describe` writes the detail, `build_members` returns further
    members of the document. With a log message the exception is logged as a warning.
    """

    exception: type[Exception]
    status: int
    code: str = ""
    describe: Callable[[Any], str] = describe_exception
    build_members: Callable[[Any], Mapping[str, Any]] = build_no_members
    log_message: str = ""


@dataclass(frozen=True)
class AppErrors:
    """The declaration ERRORS of `<app>/errors.py`: error codes with their meaning, and mappings."""

    codes: Mapping[str, Any] = field(default_factory=dict)
    mappings: tuple[ErrorMapping, ...] = ()


def problem_response(
    status: int, code: str, detail: str, *, headers: Mapping[str, str] | None = None, **members: Any
) -> HttpResponse:
    """Return a problem+json response, whatever formats the view supports.

    The member `retry_after` is sent as a header, too.
    """
    body = {
        "type": f"{ERROR_CODES_PATH}#{code}",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": detail,
        "code": code,
        **members,
    }
    all_headers = dict(headers or {})
    if "retry_after" in members:
        all_headers["Retry-After"] = str(members["retry_after"])
    return JsonResponse(
        replace_surrogates(body), status=status, content_type="application/problem+json", headers=all_headers
    )


def replace_surrogates(value: Any) -> Any:
    """Replace lone surrogates, which no client could decode, in all strings of a value."""
    if isinstance(value, Mapping):
        return {replace_surrogates(key): replace_surrogates(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [replace_surrogates(item) for item in value]
    if isinstance(value, bool | int | float | None):
        return value
    return str(value).encode("utf-8", "replace").decode()
