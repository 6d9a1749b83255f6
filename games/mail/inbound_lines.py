"""What a reply says itself: without quotes, signatures and what mail programs add, in several languages.

No pattern here is run on more than a short line, and none can run long on one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

LINES, LENGTH = 3000, 400  # what is looked at: lines of a mail, characters of a line
FOLDED = 50  # a shorter line that ends with a space was not folded by a program
TOGETHER = 4  # lines over which a program may spread its "On ... wrote:"

_QUOTE = re.compile(r"\s{0,3}[>|»]")
_WROTE = re.compile(
    r"\b(?:wrote|writes|scritto|scrive|schreef|geschreven|schrieb|écrit|escribió|escreveu|skrev|napisał)\b"
)
_BEGINS = re.compile(r"(?:on|il|op|am|le|el|em|den|dnia)\s", re.IGNORECASE)
_WHEN = re.compile(r"\b20\d\d\b|\d[:.]\d\d\b")
_OLD = "original message|forwarded message|messaggio originale|messaggio inoltrato|oorspronkelijk bericht"
_OLD += "|doorgestuurd bericht|ursprüngliche nachricht|weitergeleitete nachricht|message d'origine"
_SEPARATOR = re.compile(rf"(?:-{{2,}}|_{{2,}}|\*{{2,}})\s*(?:{_OLD})\b|_{{10,}}\s*$", re.IGNORECASE)
_FORWARD = re.compile(
    r"(?:begin forwarded message|inizio messaggio inoltrato|begin doorgestuurd bericht)\s*:", re.I
)
_FROM = re.compile(r"\*?(?:from|da|van|von|de)\s?:\*?\s", re.IGNORECASE)
_OTHER = re.compile(
    r"\*?(?:sent|date|to|subject|inviato|data|a|oggetto|verzonden|datum|aan|onderwerp|gesendet|an|betreff"
    r"|envoyé|objet|à)\s?:\*?\s",
    re.IGNORECASE,
)
_PHONE = re.compile(
    r"(?:sent (?:from|with|via) |get outlook for |inviato (?:da|con|dal) |scarica outlook |ottieni outlook "
    r"|verstuurd (?:vanaf|met|via) |verzonden (?:vanaf|met|via) |outlook voor |download outlook "
    r"|von meinem .{1,30} gesendet|envoyé de )",
    re.IGNORECASE,
)


def own_lines(text: str, *, flowed: bool = False, ours: Sequence[str] = ()) -> list[str]:
    """The lines that the writer of a reply wrote. `ours`: addresses that only our own mails hold."""
    lines = [line[:LENGTH] for line in text.splitlines()[:LINES]]
    if flowed:
        lines = joined(lines)
    found: list[str] = []
    at = 0
    while at < len(lines):
        line = lines[at].strip()
        if ends(lines, at):
            break
        length = heading(lines, at, ours)
        if length:
            at += length
            if not quoted_next(lines, at):
                break  # what is answered follows without marks: all of it
            continue
        at += 1
        if line and not _QUOTE.match(lines[at - 1]) and not _PHONE.match(line):
            found.append(line)
    return found


def joined(lines: Sequence[str]) -> list[str]:
    """Lines that a program folded (format=flowed), whole again."""
    found: list[str] = []
    for line in lines:
        before = found[-1] if found else ""
        folded = before.endswith(" ") and FOLDED <= len(before) <= LENGTH and before != "-- "
        if folded and not _QUOTE.match(before) and not _QUOTE.match(line):
            found[-1] += line
        else:
            found.append(line)
    return found


def ends(lines: Sequence[str], at: int) -> bool:
    """Whether a signature or a whole older mail begins here."""
    line = lines[at].strip()
    if line in ("--", "—") or _SEPARATOR.match(line) or _FORWARD.match(line):
        return True
    following = [other.strip() for other in lines[at + 1 : at + 6]]
    return bool(_FROM.match(line)) and any(map(_OTHER.match, following))


def heading(lines: Sequence[str], at: int, ours: Sequence[str]) -> int:
    """Over how many lines it says here that somebody wrote what follows; 0 if it does not."""
    first = lines[at].strip()
    if not first or _QUOTE.match(lines[at]):
        return 0
    said = ""
    spread = _BEGINS.match(first) and _WHEN.search(first)
    for number in range(1, TOGETHER + 1 if spread else 2):
        if at + number > len(lines) or (number > 1 and _QUOTE.match(lines[at + number - 1])):
            break
        said = f"{said} {lines[at + number - 1].strip()}"
        if said.endswith(":") and _WROTE.search(said) and (_WHEN.search(said) or "@" in said):
            return number
    return 1 if any(one.lower() in first.lower() for one in ours) else 0


def quoted_next(lines: Sequence[str], at: int) -> bool:
    """Whether the next line with something on it carries the mark of a quote."""
    following = next((line for line in lines[at:] if line.strip()), ">")
    return bool(_QUOTE.match(following))
