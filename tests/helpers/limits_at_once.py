"""Collect the refusals of concurrent commands."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from common.service_errors import Conflict
from tests.helpers.races import run_at_once


def get_refusal_code(command: Callable[[], Any]) -> str:
    """Run a command; return the code of its refusal, empty if it succeeds."""
    try:
        command()
    except Conflict as error:
        return error.code
    return ""


def run_all_at_once(commands: list[Callable[[], Any]]) -> list[str]:
    """Run all commands at once; return the sorted codes of their refusals."""
    return sorted(run_at_once(*[lambda command=command: get_refusal_code(command) for command in commands]))
