"""Count who is refused when many try at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from common.service_errors import Conflict
from tests.helpers.races import run_at_once


def get_refusal_code(command: Callable[[], Any]) -> str:
    """The code of the refusal; empty if there was none."""
    try:
        command()
    except Conflict as error:
        return error.code
    return ""


def run_all_at_once(commands: list[Callable[[], Any]]) -> list[str]:
    """What came of all of them at once."""
    return sorted(run_at_once(*[lambda command=command: get_refusal_code(command) for command in commands]))
