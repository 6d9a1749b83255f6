"""Regular expressions and mail parsers take time in proportion to the length of any text.

tests/notifications/test_inbound.py covers hostile mails.
"""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter

import pytest

from games.engine import UnreadableAction, list_edition_names, parse_action
from games.engine.game import start_game
from games.engine.state import Setup
from notifications.inbound import html_mail, mail_processing, mime, reply_lines
from otto_site import logs
from tests.source_tree import SOURCE_ROOMS

from .patterns import FoundPattern, iter_hard_texts, list_patterns

SMALL, TIMES = 2_000, 6  # length of the short text, and factor of the long one
SUSPICIOUS = 0.004  # seconds for the long text; faster runs are not compared
MAX_ATTEMPTS = 5

PATTERNS = list_patterns()


def grows_faster(work: Callable[[int], object]) -> bool:
    """True if a text six times as long takes over twenty times as long in every attempt."""
    ratio = 0.0
    for _try in range(MAX_ATTEMPTS):
        short, long = (min(measure_time(work, size) for _ in range(2)) for size in (SMALL, SMALL * TIMES))
        ratio = long / max(short, SUSPICIOUS / TIMES**2)
        if ratio < 3.3 * TIMES:
            return False
    return ratio >= 3.3 * TIMES


def measure_time(work: Callable[[int], object], size: int) -> float:
    started_at = perf_counter()
    work(size)
    return perf_counter() - started_at


def test_what_grows_faster_is_distinguished_from_what_does_not() -> None:
    assert grows_faster(lambda size: sum(range(size * size // 100)))
    assert not grows_faster(lambda size: sum(range(size * 100)))


def test_the_walk_finds_the_patterns_of_every_room() -> None:
    rooms = {entry.place.split("/")[0] for entry in PATTERNS}
    assert rooms == set(SOURCE_ROOMS)
    assert {method for entry in PATTERNS for method in entry.methods} >= {
        "match",
        "search",
        "fullmatch",
        "sub",
    }


@pytest.mark.parametrize("entry", PATTERNS, ids=lambda entry: entry.place)
def test_a_pattern_takes_time_in_proportion(entry: FoundPattern) -> None:
    wrong = []
    texts = zip(
        iter_hard_texts(entry.pattern, SMALL), iter_hard_texts(entry.pattern, SMALL * TIMES), strict=True
    )
    for (pump, short), (_pump, long) in texts:
        by_size = {SMALL: short, SMALL * TIMES: long}
        if measure_time(lambda _size, text=long: entry.run(text), 0) < SUSPICIOUS:
            continue
        if grows_faster(lambda size, by_size=by_size: entry.run(by_size[size])):
            wrong.append(pump)
    assert wrong == []


# ---------------------------------------------------------------------------------- parsers of untrusted text

STATE = start_game(Setup(mode="singles", seats=2, edition=list_edition_names()[0]))
PUMPS = ("a", "-", "a-", "0-", ">", "> ", "<", "<a ", "<!--", "&#", "=?", "On 2026 ", "\n", " \n", "-- ", "(")


def parse_any_action(text: str) -> object:
    try:
        return parse_action(STATE, 1, text)
    except UnreadableAction:
        return None


def read_any_mail(text: str) -> object:
    kind = f"Content-Type: multipart/mixed; boundary={text[:50].strip() or 'x'}"
    raw = f"From: {text[:5000]}\r\nSubject: {text}\r\n{kind}\r\n\r\n{text}".encode()
    mail = mime.parse_mail(raw)
    return (
        mail_processing.get_from_address(mail),
        mail_processing.extract_reply_lines(mail),
        mail_processing.detect_automatic_mail(mail, None),
    )


READERS: dict[str, Callable[[str], object]] = {
    "an action": parse_any_action,
    "lines of a reply": lambda text: reply_lines.extract_own_lines(
        text, flowed=True, own_markers=["https://otto.example"]
    ),
    "a mail of HTML": html_mail.html_to_text,
    "a mail": read_any_mail,
    "a line of the log": logs.redact_secrets,
}


@pytest.mark.parametrize("reader", READERS)
def test_a_reader_takes_time_in_proportion(reader: str) -> None:
    work = READERS[reader]
    wrong = [pump for pump in PUMPS if grows_faster(lambda size, pump=pump: work(pump * (size // len(pump))))]
    assert wrong == []


def test_a_line_of_the_log_that_a_stranger_made_long_is_still_cleaned() -> None:
    long = "a-" * 50_000
    assert (
        logs.redact_secrets(f"{long} ada@example.org otto_5f0c1f6b2b8e4c55a3c7d9e0f1a2")
        == f"{long} [address] [secret]"
    )
