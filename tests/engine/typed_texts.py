"""Typed texts, and the parser's refusals."""

from __future__ import annotations

import pytest

from games.engine import (
    State,
    UnreadableAction,
    parse_action,
)


def split_texts(texts: str) -> list[str]:
    return texts.replace("\n", "|").split("|")


def get_refusal_text(state: State, text: str, seat: int = 1) -> str:
    """Return the text of the parser's refusal."""
    with pytest.raises(UnreadableAction) as raised:
        parse_action(state, seat, text)
    assert raised.value.rule == "unreadable"
    return str(raised.value)
