"""Errors raised by services; otto_site/errors.py maps each to an HTTP status."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

AUTH_HEADER = 'Bearer realm="otto"'  # of every 401


class ServiceError(Exception):
    """Base of service errors: `code` for programs, `detail` for people, `extra` response members."""

    code = "refused"

    def __init__(self, detail: str = "", *, code: str | None = None, **extra: Any) -> None:
        self.code = code or self.code
        self.detail = detail
        self.extra = extra
        super().__init__(detail or self.code)


class UnknownCursor(ServiceError):
    """A cursor that this list has not given, in the parameter `field`."""

    code = "invalid"

    def __init__(self, *, field: str = "after") -> None:
        super().__init__(_("This cursor is not from this list. Use one from its responses."), field=field)


class Conflict(ServiceError):
    """Valid, but not in the current state: stale, not-your-turn, full, already-joined, over, ..."""

    code = "conflict"


class LimitReached(Conflict):
    """A rate or quantity limit is reached; `retry_after` is in seconds."""

    code = "too-many-mails"

    def __init__(self, detail: str, *, retry_after: int) -> None:
        super().__init__(detail, retry_after=retry_after)
        self.retry_after = retry_after


class NotFound(ServiceError):
    """The object does not exist, or the requester must not know of it."""

    code = "not-found"


class Denied(ServiceError):
    """The object exists, but the requester may not do this."""

    code = "forbidden"


class NotAuthenticated(ServiceError):
    """The token of the request has ended meanwhile."""

    code = "not-authenticated"
    auth_header = AUTH_HEADER


class Invalid(ServiceError):
    """Well formed, but not a valid value; `field` names the field of the request that has it."""

    code = "invalid-value"
