"""Checks that each time in the text of a page names its zone and is machine-readable."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser

# Elements whose digits are no times, or are examples of requests.
SILENT = {"script", "style", "pre", "code", "option", "textarea", "title", "svg"}
VOID = {"area", "base", "br", "col", "hr", "img", "input", "link", "meta", "source", "wbr"}
TIME = re.compile(r"(?<![\d:.])([01]?\d|2[0-3]):[0-5]\d(?![\d:])")
ZONE = re.compile(r"\s?(UTC|GMT|[A-Z]{3,5}|[+-]\d\d(:?\d\d)?)\b")
ASKS_FOR_A_TIME = re.compile(r'type="(datetime-local|time)"')
STATES_ZONE = re.compile(r"(UTC|Europe/\w+)")


@dataclass
class TimeFinder(HTMLParser):
    """Finds the times in the text of a page, with the text that follows and whether each is in a <time>."""

    times: list[tuple[str, str, bool]] = field(default_factory=list)
    open: list[tuple[str, bool]] = field(default_factory=list)
    text: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in VOID:
            self.open.append((tag, bool(dict(attrs).get("datetime"))))

    def handle_endtag(self, tag: str) -> None:
        while self.open:
            if self.open.pop()[0] == tag:
                break

    def handle_data(self, data: str) -> None:
        if any(tag in SILENT for tag, _marked in self.open):
            return
        self.text.append(data)
        marked = any(tag == "time" and datetime for tag, datetime in self.open)
        for match in TIME.finditer(data):
            self.times.append((match[0], data[match.end() :], marked))


def list_times(page: str) -> TimeFinder:
    parsed_times = TimeFinder()
    parsed_times.feed(page)
    return parsed_times


def find_wrong_times(page: str) -> list[str]:
    """List the errors in the times of a page, and forms that ask for a time without naming a zone."""
    parsed_times = list_times(page)
    alarms = [
        f"{at} without a zone, before {after[:30]!r}"
        for at, after, _marked in parsed_times.times
        if not ZONE.match(after)
    ]
    alarms += [f"{at} outside of <time datetime>" for at, _after, marked in parsed_times.times if not marked]
    if ASKS_FOR_A_TIME.search(page) and not STATES_ZONE.search(" ".join(parsed_times.text)):
        alarms.append("a form asks for a time and names no zone")
    return alarms
