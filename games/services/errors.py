"""What a service refuses, and why; otto_site.errors says which HTTP status each becomes."""

from __future__ import annotations

from typing import Any


class Refusal(Exception):
    """`code` is stable and for programs, `detail` for people, `extra` are further members of the answer."""

    code = "refused"

    def __init__(self, detail: str = "", *, code: str | None = None, **extra: Any) -> None:
        self.code = code or self.code
        self.detail = detail
        self.extra = extra
        super().__init__(detail or self.code)


class Conflict(Refusal):
    """Right in itself, but not as things stand: stale, not-your-turn, full, already-joined, over, ..."""

    code = "conflict"


class LimitReached(Conflict):
    """Too much of something for now; `retry_after` says in how many seconds there may be more."""

    code = "too-many-mails"

    def __init__(self, detail: str, *, retry_after: int) -> None:
        super().__init__(detail, retry_after=retry_after)
        self.retry_after = retry_after


class TooManyKeys(LimitReached):
    """A player's kept answers are as many as there may be."""

    code = "too-many-keys"


class NotFound(Refusal):
    """There is no such thing, or the asker may not know of it."""

    code = "not-found"


class Denied(Refusal):
    """There is, and the asker may not do this with it."""

    code = "forbidden"


class Invalid(Refusal):
    """Well formed, but not something that can be meant."""

    code = "invalid"
