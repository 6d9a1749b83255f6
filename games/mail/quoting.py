"""Words of others in our mails: marked line by line, so that none of their lines seems to be ours."""

from __future__ import annotations

import textwrap
import unicodedata
from collections.abc import Iterable

QUOTE_WIDTH = 72


class Quoted(str):
    """What somebody else wrote, to be marked as theirs wherever it is shown."""

    __slots__ = ()


def quote_lines(text: str) -> list[str]:
    """The lines of a text, each short enough to be shown as one; whatever ends a line ends one here."""
    lines: list[str] = []
    for line in text.splitlines():
        # Controls go, and what turns the direction of writing: it could move a mark to the other end.
        kept = "".join(c if unicodedata.category(c) != "Cc" else " " for c in line if not turns_direction(c))
        lines += textwrap.wrap(kept, QUOTE_WIDTH) or ([""] if lines else [])
    while lines and not lines[-1]:
        lines.pop()
    return lines


def turns_direction(character: str) -> bool:
    """Whether a character changes the direction in which those after it are written."""
    return unicodedata.bidirectional(character) in {
        *("LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"),
    }


def as_plain_text(sentence: str) -> str:
    """A sentence of a plain-text mail; others' words behind a mark on every line."""
    if not isinstance(sentence, Quoted):
        return sentence
    return "\n".join(f"> {line}".rstrip() for line in quote_lines(sentence))


def on_one_line(sentence: str) -> str:
    """A sentence where there is room for one line only; others' words in quotation marks."""
    return f"“{' '.join(sentence.split())}”" if isinstance(sentence, Quoted) else sentence


def in_our_words(lead: Iterable[str]) -> str:
    """What a list of mails shows beside the subject: no word of others."""
    return " ".join(sentence for sentence in lead if not isinstance(sentence, Quoted))


def in_blocks(lead: Iterable[str]) -> list[tuple[bool, list[str]]]:
    """Sentences for a page: runs of our own, and each text of others apart, with its lines."""
    blocks: list[tuple[bool, list[str]]] = []
    for sentence in lead:
        if isinstance(sentence, Quoted):
            blocks.append((True, quote_lines(sentence)))
        elif blocks and not blocks[-1][0]:
            blocks[-1][1].append(sentence)
        else:
            blocks.append((False, [sentence]))
    return blocks
