"""Errors: the server refuses a request (`Problem`, with a stable code) or does not respond."""

from __future__ import annotations

from typing import Any

import httpx


class OttoError(Exception):
    """Base class of all errors of this library."""


class Unreachable(OttoError):
    """No response after all attempts."""


class Problem(OttoError):
    """An error response: `code` is stable and for programs, `detail` for people, `body` everything."""

    def __init__(self, status: int, code: str, detail: str, body: dict[str, Any]) -> None:
        """Store the fields of the error."""
        super().__init__(f"{status} {code}: {detail}")
        self.status = status
        self.code = code
        self.detail = detail
        self.body = body


class Unauthenticated(Problem):
    """401: the token is missing, unknown, expired or revoked."""


class Denied(Problem):
    """403: not allowed. `scope` is the scope that the token lacks, if that is the reason."""

    @property
    def scope(self) -> str | None:
        """The missing scope, or None."""
        return self.body.get("scope")


class NotFound(Problem):
    """404: it does not exist, or you may not see it."""


class Conflict(Problem):
    """409: not possible in the current state.

    For an action the code is `stale`, `not-your-turn` or `over`; read the game again.
    """


class Illegal(Problem):
    """422: against the rules. `rule` names the broken rule, `instead` lists legal actions."""

    @property
    def rule(self) -> str | None:
        """The broken rule, or None."""
        return self.body.get("rule")

    @property
    def instead(self) -> list[str]:
        """Legal actions."""
        return list(self.body.get("instead") or ())


class Throttled(Problem):
    """429: too many requests; `retry_after` is the number of seconds to wait."""

    @property
    def retry_after(self) -> float:
        """The seconds to wait; 0 if unknown."""
        return float(self.body.get("retry_after") or 0)


class ServerError(Problem):
    """5xx: an error of the server."""


KINDS: dict[int, type[Problem]] = {
    401: Unauthenticated,
    403: Denied,
    404: NotFound,
    409: Conflict,
    422: Illegal,
    429: Throttled,
}


def problem(answer: httpx.Response) -> Problem:
    """Return the error for a response; a proxy may respond without problem+json."""
    try:
        body = answer.json()
    except ValueError:
        body = None
    if not isinstance(body, dict):
        body = {}
    kind = KINDS.get(answer.status_code, ServerError if answer.is_server_error else Problem)
    code = str(body.get("code") or f"http-{answer.status_code}")
    return kind(answer.status_code, code, str(body.get("detail") or answer.reason_phrase), body)
