"""Marks text by other people in our mails, line by line, so that it cannot be taken for ours."""

from __future__ import annotations

import textwrap
import unicodedata
from collections.abc import Iterable

from django.utils.translation import gettext as _

QUOTE_WIDTH = 72


class QuotedText(str):
    """Text that another person wrote; templates mark it as a quote."""

    __slots__ = ()


def wrap_quote_lines(text: str) -> list[str]:
    """Split a text into lines of at most QUOTE_WIDTH; every Unicode line break counts."""
    lines: list[str] = []
    for line in text.splitlines():
        # Remove control characters and direction controls, which could move the quote mark.
        printable = "".join(
            character if unicodedata.category(character) != "Cc" else " "
            for character in line
            if not is_direction_control(character)
        )
        lines += textwrap.wrap(printable, QUOTE_WIDTH) or ([""] if lines else [])
    while lines and not lines[-1]:
        lines.pop()
    return lines


def is_direction_control(character: str) -> bool:
    """True if a character changes the writing direction of the characters after it."""
    return unicodedata.bidirectional(character) in {
        *("LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"),
    }


def format_as_plain_text(sentence: str) -> str:
    """A sentence for a plain-text mail; quoted text gets `> ` on every line."""
    if not isinstance(sentence, QuotedText):
        return sentence
    return "\n".join(f"> {line}".rstrip() for line in wrap_quote_lines(sentence))


def format_on_one_line(sentence: str) -> str:
    """A sentence on one line; quoted text in quotation marks."""
    if not isinstance(sentence, QuotedText):
        return sentence
    return _("“%(text)s”") % {"text": " ".join(sentence.split())}


def join_own_sentences(lead: Iterable[str]) -> str:
    """The preview text of a mail list: our own sentences only, no quoted text."""
    return " ".join(sentence for sentence in lead if not isinstance(sentence, QuotedText))


def group_into_blocks(lead: Iterable[str]) -> list[tuple[bool, list[str]]]:
    """Group sentences for HTML as (is_quote, lines): runs of our own, and each quoted text by itself."""
    blocks: list[tuple[bool, list[str]]] = []
    for sentence in lead:
        if isinstance(sentence, QuotedText):
            blocks.append((True, wrap_quote_lines(sentence)))
        elif blocks and not blocks[-1][0]:
            blocks[-1][1].append(sentence)
        else:
            blocks.append((False, [sentence]))
    return blocks
