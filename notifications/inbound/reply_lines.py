"""Extracts the author's own lines of a reply: without quotes, signatures and footers, in several languages.

Every pattern is applied to short lines only, and none backtracks badly.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

MAX_LINES, MAX_LINE_LENGTH = 3000, 400  # longer texts and lines are cut
MIN_FOLDED_LENGTH = 50  # a shorter line that ends with a space was not folded
MAX_ATTRIBUTION_LINES = 4  # lines that an "On ... wrote:" may span

_QUOTE_MARK = re.compile(r"\s{0,3}[>|»]")
_WROTE_VERB = re.compile(
    r"\b(?:wrote|writes|scritto|scrive|schreef|geschreven|schrieb|écrit|escribió|escreveu|skrev|napisał)\b"
)
_ATTRIBUTION_START = re.compile(r"(?:on|il|op|am|le|el|em|den|dnia)\s", re.IGNORECASE)
_DATE_OR_TIME = re.compile(r"\b20\d\d\b|\d[:.]\d\d\b")
_OLD_MESSAGE_WORDS = (
    "original message|forwarded message|messaggio originale|messaggio inoltrato|oorspronkelijk bericht"
)
_OLD_MESSAGE_WORDS += (
    "|doorgestuurd bericht|ursprüngliche nachricht|weitergeleitete nachricht|message d'origine"
)
_SEPARATOR = re.compile(
    rf"(?:-{{2,}}|_{{2,}}|\*{{2,}})\s*(?:{_OLD_MESSAGE_WORDS})\b|_{{10,}}\s*$", re.IGNORECASE
)
_FORWARD_HEADING = re.compile(
    r"(?:begin forwarded message|inizio messaggio inoltrato|begin doorgestuurd bericht)\s*:", re.I
)
_FROM_HEADER = re.compile(r"\*?(?:from|da|van|von|de)\s?:\*?\s", re.IGNORECASE)
_OTHER_HEADER = re.compile(
    r"\*?(?:sent|date|to|subject|inviato|data|a|oggetto|verzonden|datum|aan|onderwerp|gesendet|an|betreff"
    r"|envoyé|objet|à)\s?:\*?\s",
    re.IGNORECASE,
)
_MOBILE_FOOTER = re.compile(
    r"(?:sent (?:from|with|via) |get outlook for |inviato (?:da|con|dal) |scarica outlook |ottieni outlook "
    r"|verstuurd (?:vanaf|met|via) |verzonden (?:vanaf|met|via) |outlook voor |download outlook "
    r"|von meinem .{1,30} gesendet|envoyé de )",
    re.IGNORECASE,
)


def extract_own_lines(text: str, *, flowed: bool = False, own_markers: Sequence[str] = ()) -> list[str]:
    """The lines the author wrote. `own_markers`: addresses that occur only in our own mails."""
    lines = [line[:MAX_LINE_LENGTH] for line in text.splitlines()[:MAX_LINES]]
    if flowed:
        lines = join_flowed_lines(lines)
    own_lines: list[str] = []
    index = 0
    while index < len(lines):
        line = lines[index].strip()
        if is_end_of_own_text(lines, index):
            break
        attribution_length = count_attribution_lines(lines, index, own_markers)
        if attribution_length:
            index += attribution_length
            if not is_next_line_quoted(lines, index):
                break  # an unmarked quote follows: all the rest is quoted
            continue
        index += 1
        if line and not _QUOTE_MARK.match(lines[index - 1]) and not _MOBILE_FOOTER.match(line):
            own_lines.append(line)
    return own_lines


def join_flowed_lines(lines: Sequence[str]) -> list[str]:
    """Join lines that the mail program folded (format=flowed)."""
    joined_lines: list[str] = []
    for line in lines:
        previous = joined_lines[-1] if joined_lines else ""
        is_folded = (
            previous.endswith(" ")
            and MIN_FOLDED_LENGTH <= len(previous) <= MAX_LINE_LENGTH
            and previous != "-- "
        )
        if is_folded and not _QUOTE_MARK.match(previous) and not _QUOTE_MARK.match(line):
            joined_lines[-1] += line
        else:
            joined_lines.append(line)
    return joined_lines


def is_end_of_own_text(lines: Sequence[str], index: int) -> bool:
    """True if a signature or a whole quoted message begins at this line."""
    line = lines[index].strip()
    if line in ("--", "—") or _SEPARATOR.match(line) or _FORWARD_HEADING.match(line):
        return True
    following = [next_line.strip() for next_line in lines[index + 1 : index + 6]]
    return bool(_FROM_HEADER.match(line)) and any(map(_OTHER_HEADER.match, following))


def count_attribution_lines(lines: Sequence[str], index: int, own_markers: Sequence[str]) -> int:
    """Count the lines of the attribution ("On ... wrote:") at this line; 0 if there is none."""
    first = lines[index].strip()
    if not first or _QUOTE_MARK.match(lines[index]):
        return 0
    attribution = ""
    can_span_lines = _ATTRIBUTION_START.match(first) and _DATE_OR_TIME.search(first)
    for line_count in range(1, MAX_ATTRIBUTION_LINES + 1 if can_span_lines else 2):
        if index + line_count > len(lines) or (
            line_count > 1 and _QUOTE_MARK.match(lines[index + line_count - 1])
        ):
            break
        attribution = f"{attribution} {lines[index + line_count - 1].strip()}"
        if (
            attribution.endswith(":")
            and _WROTE_VERB.search(attribution)
            and (_DATE_OR_TIME.search(attribution) or "@" in attribution)
        ):
            return line_count
    return 1 if any(marker.lower() in first.lower() for marker in own_markers) else 0


def is_next_line_quoted(lines: Sequence[str], index: int) -> bool:
    """True if the next line that is not blank has a quote mark."""
    following = next((line for line in lines[index:] if line.strip()), ">")
    return bool(_QUOTE_MARK.match(following))
