"""Every time on every page names its zone, for everybody, and programs can read it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path

import pytest
from django.test import Client, override_settings

from games.models import Player
from tests.browser.pages import HOST, PAGES, Page
from tests.browser.world import DOMAIN, MAILBOX_KEY, World, world

# Hours and minutes that are no time of a day, or stand where a program is shown what to send.
SILENT = {"script", "style", "pre", "code", "option", "textarea", "title", "svg"}
VOID = {"area", "base", "br", "col", "hr", "img", "input", "link", "meta", "source", "wbr"}
TIME = re.compile(r"(?<![\d:.])([01]?\d|2[0-3]):[0-5]\d(?![\d:])")
ZONE = re.compile(r"\s?(UTC|GMT|[A-Z]{3,5}|[+-]\d\d(:?\d\d)?)\b")
ASKS_FOR_A_TIME = re.compile(r'type="(datetime-local|time)"')
STATES_ZONE = re.compile(r"(UTC|Europe/\w+)")


@dataclass
class Times(HTMLParser):
    """The times in the text of a page, each with what follows it and whether it is marked as one."""

    found: list[tuple[str, str, bool]] = field(default_factory=list)
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
            self.found.append((match[0], data[match.end() :], marked))


def times_in(page: str) -> Times:
    found = Times()
    found.feed(page)
    return found


@pytest.fixture
def lived_in(tmp_path: Path, db: None) -> Iterator[World]:
    """The world that all pages are looked at in, and a trial's own pages with it."""
    trial = {"TRIAL": True, "MAILBOX_KEY": MAILBOX_KEY, "REPLY_DOMAIN": DOMAIN}
    with override_settings(**trial, EMAIL_FILE_PATH=tmp_path, PAGE_RATE=10**6, PAGE_RATE_ANONYMOUS=10**6):
        yield world(tmp_path)


def look(page: Page, made: World) -> str:
    """A page as its visitor gets it, without a browser."""
    client = Client(raise_request_exception=False) if page.who == "nobody" else made.visitor(page.who)
    if page.lang != "en":
        client.cookies["django_language"] = page.lang
    address = page.address(made)
    with override_settings(ALLOWED_HOSTS=["testserver"]):
        answer = client.get(address, follow=True, headers={"Accept-Language": page.lang})
    assert answer.status_code == page.status, f"{page.name}: {answer.status_code} at {address}"
    return str(answer.content.decode())


def test_every_time_on_every_page_names_its_zone_and_is_marked(lived_in: World) -> None:
    wrong, seen = [], 0
    for page in PAGES:
        if page.deed or page.trial:  # shown again with mistakes; the trial's own are looked at below
            continue
        times = times_in(look(page, lived_in))
        for at, after, marked in times.found:
            seen += 1
            if not ZONE.match(after):
                wrong.append(f"{page.name}: {at} without a zone, before {after[:30]!r}")
            if not marked:
                wrong.append(f"{page.name}: {at} outside of <time datetime>")
    assert not wrong, "\n".join(wrong)
    assert seen > 100, "the pages show times"


def test_the_mailbox_of_a_trial_names_zones_too(lived_in: World) -> None:
    page = next(one for one in PAGES if one.name == "mailbox" and one.who == HOST)
    found = times_in(look(page, lived_in)).found
    assert found
    assert all(ZONE.match(after) and marked for _at, after, marked in found)


def test_every_form_that_asks_for_a_time_says_in_which_zone(lived_in: World) -> None:
    asked = 0
    for page in PAGES:
        if page.deed or page.trial:
            continue
        answer = look(page, lived_in)
        if ASKS_FOR_A_TIME.search(answer):
            asked += 1
            said = " ".join(times_in(answer).text)
            assert STATES_ZONE.search(said), f"{page.name} asks for a time and names no zone"
    assert asked >= 3


@pytest.mark.parametrize(
    ("zone", "said"), [("UTC", "UTC"), ("Europe/Rome", "CES?T"), ("Asia/Dubai", r"\+04")]
)
def test_a_time_follows_the_zone_of_its_reader(lived_in: World, zone: str, said: str) -> None:
    Player.objects.filter(name="ada").update(time_zone=zone)
    page = next(one for one in PAGES if one.name == "games, many")
    found = times_in(look(page, lived_in)).found
    assert found
    assert all(re.match(rf"\s{said}", after) for _at, after, _marked in found)


def test_the_walk_itself_finds_what_is_wrong() -> None:
    bad = times_in(
        "<p>until March 3, 2026, 12:00</p><p><time datetime='x'>12:00 CET</time> 3:30 is no ratio</p>"
    )
    assert [(at, bool(ZONE.match(after)), marked) for at, after, marked in bad.found] == [
        ("12:00", False, False),
        ("12:00", True, True),
        ("3:30", False, False),
    ]
