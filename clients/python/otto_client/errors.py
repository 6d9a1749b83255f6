"""What can go wrong: the server says no (`Problem`, with its stable code), or nothing (`Unreachable`)."""

from __future__ import annotations

from typing import Any

import httpx


class OttoError(Exception):
    """Anything that this library raises."""


class Unreachable(OttoError):
    """No answer came, however often it was tried."""


class Problem(OttoError):
    """An answer that says no. `code` is stable and for programs, `detail` for people, `body` is all of it."""

    def __init__(self, status: int, code: str, detail: str, body: dict[str, Any]) -> None:
        super().__init__(f"{status} {code}: {detail}")
        self.status = status
        self.code = code
        self.detail = detail
        self.body = body


class Unauthenticated(Problem):
    """401: the token is missing, unknown, expired or revoked."""


class Denied(Problem):
    """403: not yours to do. `scope` is what the token lacks, if that is why."""

    @property
    def scope(self) -> str | None:
        return self.body.get("scope")


class NotFound(Problem):
    """404: there is no such thing, or you may not see it."""


class Conflict(Problem):
    """409: not as things stand. For an action: `stale`, `not-your-turn`, `over`; look again and go on."""


class Illegal(Problem):
    """422: against the rules. `rule` names the one that is broken, `instead` lists what would be legal."""

    @property
    def rule(self) -> str | None:
        return self.body.get("rule")

    @property
    def instead(self) -> list[str]:
        return list(self.body.get("instead") or ())


class Throttled(Problem):
    """429: too many requests; `retry_after` are the seconds to wait."""

    @property
    def retry_after(self) -> float:
        return float(self.body.get("retry_after") or 0)


class ServerTrouble(Problem):
    """5xx: not your mistake."""


KINDS: dict[int, type[Problem]] = {
    401: Unauthenticated,
    403: Denied,
    404: NotFound,
    409: Conflict,
    422: Illegal,
    429: Throttled,
}


def problem(answer: httpx.Response) -> Problem:
    """The error that an answer stands for; what is between us and the server may not speak problem+json."""
    try:
        body = answer.json()
    except ValueError:
        body = None
    if not isinstance(body, dict):
        body = {}
    kind = KINDS.get(answer.status_code, ServerTrouble if answer.is_server_error else Problem)
    code = str(body.get("code") or f"http-{answer.status_code}")
    return kind(answer.status_code, code, str(body.get("detail") or answer.reason_phrase), body)
