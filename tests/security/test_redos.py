"""No text makes a regular expression, or the readers of mails, work longer than in proportion to its length.

tests/games/test_inbound.py has monsters that a reader of mail must not choke on.
"""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter

import pytest

from games.engine import UnreadableAction, list_edition_names, parse_action
from games.engine.game import start_game
from games.engine.state import Setup
from games.mail import inbound, inbound_html, inbound_lines, inbound_mime
from otto_site import logs

from .patterns import Found, every_pattern, hard_for

SMALL, TIMES = 2_000, 6  # of a text, and how much longer the second one is
SUSPICIOUS = 0.004  # seconds for the longer one, below which nothing is compared
TRIES = 5

PATTERNS = every_pattern()


def grows_faster(work: Callable[[int], object]) -> bool:
    """Whether a text that is six times as long takes twenty times as long, however often one looks."""
    ratio = 0.0
    for _try in range(TRIES):
        short, long = (min(timed(work, size) for _ in range(2)) for size in (SMALL, SMALL * TIMES))
        ratio = long / max(short, SUSPICIOUS / TIMES**2)
        if ratio < 3.3 * TIMES:
            return False
    return ratio >= 3.3 * TIMES


def timed(work: Callable[[int], object], size: int) -> float:
    began = perf_counter()
    work(size)
    return perf_counter() - began


def test_what_grows_faster_is_told_from_what_does_not() -> None:
    assert grows_faster(lambda size: sum(range(size * size // 100)))
    assert not grows_faster(lambda size: sum(range(size * 100)))


def test_the_walk_finds_the_patterns_of_every_room() -> None:
    rooms = {one.where.split("/")[0] for one in PATTERNS}
    assert rooms == {"games", "tournaments", "otto_site"}
    assert {way for one in PATTERNS for way in one.ways} >= {"match", "search", "fullmatch", "sub"}


@pytest.mark.parametrize("found", PATTERNS, ids=lambda one: one.where)
def test_a_pattern_takes_time_in_proportion(found: Found) -> None:
    wrong = []
    texts = zip(hard_for(found.pattern, SMALL), hard_for(found.pattern, SMALL * TIMES), strict=True)
    for (pump, short), (_pump, long) in texts:
        by_size = {SMALL: short, SMALL * TIMES: long}
        if timed(lambda _size, text=long: found.run(text), 0) < SUSPICIOUS:
            continue
        if grows_faster(lambda size, by_size=by_size: found.run(by_size[size])):
            wrong.append(pump)
    assert wrong == []


# -------------------------------------------------------------------------------- what reads strangers' texts

STATE = start_game(Setup(mode="singles", seats=2, edition=list_edition_names()[0]))
PUMPS = ("a", "-", "a-", "0-", ">", "> ", "<", "<a ", "<!--", "&#", "=?", "On 2026 ", "\n", " \n", "-- ", "(")


def an_action(text: str) -> object:
    try:
        return parse_action(STATE, 1, text)
    except UnreadableAction:
        return None


def a_mail(text: str) -> object:
    kind = f"Content-Type: multipart/mixed; boundary={text[:50].strip() or 'x'}"
    raw = f"From: {text[:5000]}\r\nSubject: {text}\r\n{kind}\r\n\r\n{text}".encode()
    mail = inbound_mime.parse_mail(raw)
    return (
        inbound.from_address_of(mail),
        inbound.extract_reply_lines(mail),
        inbound.detect_automatic_mail(mail, None),
    )


READERS: dict[str, Callable[[str], object]] = {
    "an action": an_action,
    "lines of a reply": lambda text: inbound_lines.extract_own_lines(
        text, flowed=True, own_markers=["https://otto.example"]
    ),
    "a mail of HTML": inbound_html.html_to_text,
    "a mail": a_mail,
    "a line of the log": logs.redact,
}


@pytest.mark.parametrize("reader", READERS)
def test_a_reader_takes_time_in_proportion(reader: str) -> None:
    work = READERS[reader]
    wrong = [pump for pump in PUMPS if grows_faster(lambda size, pump=pump: work(pump * (size // len(pump))))]
    assert wrong == []


def test_a_line_of_the_log_that_a_stranger_made_long_is_still_cleaned() -> None:
    long = "a-" * 50_000
    assert (
        logs.redact(f"{long} ada@example.org otto_5f0c1f6b2b8e4c55a3c7d9e0f1a2")
        == f"{long} [address] [secret]"
    )
