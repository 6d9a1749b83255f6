"""Every time on every page names its zone, for everybody, and programs can read it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import UTC, datetime
from html.parser import HTMLParser

import pytest
from django.test import Client, override_settings

from accounts.models import Player
from tests.factories.cast import start_cast_game
from tests.factories.events import published

from .pages import PAGES, Page
from .world import DOMAIN, World

# Hours and minutes that are no time of a day, or stand where a program is shown what to send.
SILENT = {"script", "style", "pre", "code", "option", "textarea", "title", "svg"}
VOID = {"area", "base", "br", "col", "hr", "img", "input", "link", "meta", "source", "wbr"}
TIME = re.compile(r"(?<![\d:.])([01]?\d|2[0-3]):[0-5]\d(?![\d:])")
ZONE = re.compile(r"\s?(UTC|GMT|[A-Z]{3,5}|[+-]\d\d(:?\d\d)?)\b")
ASKS_FOR_A_TIME = re.compile(r'type="(datetime-local|time)"')
STATES_ZONE = re.compile(r"(UTC|Europe/\w+)")


@dataclass
class TimeFinder(HTMLParser):
    """The times in the text of a page, each with what follows it and whether it is marked as one."""

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


def read_page(page: Page, world: World) -> str:
    """A page as its visitor gets it, without a browser."""
    client = Client(raise_request_exception=False) if page.who == "nobody" else world.visitor(page.who)
    if page.lang != "en":
        client.cookies["django_language"] = page.lang
    address = page.address(world)
    with override_settings(ALLOWED_HOSTS=["testserver"], REPLY_DOMAIN=DOMAIN):
        answer = client.get(address, follow=True, headers={"Accept-Language": page.lang})
    assert answer.status_code == page.status, f"{page.name}: {answer.status_code} at {address}"
    return str(answer.content.decode())


@pytest.mark.django_db  # what the visits write is taken back; the world stays
def test_every_time_on_every_page_names_its_zone_and_is_marked(shared_world: World) -> None:
    """And every form that asks for a time says in which zone."""
    wrong, time_count, page_count = [], 0, 0
    for page in PAGES:
        if page.action or page.trial:  # the same with mistakes; a trial's mailbox has addresses of its own
            continue
        answer = read_page(page, shared_world)
        times = list_times(answer)
        for at, after, marked in times.times:
            time_count += 1
            if not ZONE.match(after):
                wrong.append(f"{page.name}: {at} without a zone, before {after[:30]!r}")
            if not marked:
                wrong.append(f"{page.name}: {at} outside of <time datetime>")
        if ASKS_FOR_A_TIME.search(answer):
            page_count += 1
            if not STATES_ZONE.search(" ".join(times.text)):
                wrong.append(f"{page.name} asks for a time and names no zone")
    assert not wrong, "\n".join(wrong)
    assert time_count > 100, "the pages show times"
    assert page_count >= 3


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("zone", "pattern"), [("UTC", "UTC"), ("Europe/Rome", "CES?T"), ("Asia/Dubai", r"\+04")]
)
def test_a_time_follows_the_zone_of_its_reader(zone: str, pattern: str) -> None:
    start_cast_game("ada", "bob")
    Player.objects.filter(name__in=("ada", "bob")).update(time_zone=zone)
    times = []
    for name in ("ada", "bob"):
        client = Client()
        client.force_login(Player.objects.get(name=name))
        times += list_times(client.get("/games/").text).times
    assert times
    assert all(re.match(rf"\s{pattern}", after) for _at, after, _marked in times)


@pytest.mark.django_db
def test_who_is_not_signed_in_reads_the_zone_too(client: Client) -> None:
    tournament = published("knockout", 2, starts_at=datetime(2026, 3, 9, 18, tzinfo=UTC))
    assert "March 9, 2026, 18:00 UTC</time>" in client.get(f"/tournaments/{tournament.code}/").text


def test_the_walk_itself_finds_what_is_wrong() -> None:
    bad = list_times(
        "<p>until March 3, 2026, 12:00</p><p><time datetime='x'>12:00 CET</time> 3:30 is no ratio</p>"
    )
    assert [(at, bool(ZONE.match(after)), marked) for at, after, marked in bad.times] == [
        ("12:00", False, False),
        ("12:00", True, True),
        ("3:30", False, False),
    ]
