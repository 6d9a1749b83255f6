"""Deprecations: deprecated operations are marked in responses, and pages and the document agree."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from email.utils import parsedate_to_datetime
from pathlib import Path
from xml.etree import ElementTree

import pytest
from django.conf import settings
from django.test import Client

from common.api import deprecations, openapi
from common.api.deprecations import DEPRECATED_OPERATIONS, MIN_NOTICE_MONTHS, Deprecation
from otto_site import changelog
from otto_site.api_policy import VERSION_NOTICE_MONTHS
from otto_site.changelog import format_inline, parse_changelog
from tests.factories.cast import player, start_cast_game
from tests.helpers.streams import create_bearer

pytestmark = pytest.mark.django_db
ROOT = Path(__file__).resolve().parent.parent.parent
ATOM = "{http://www.w3.org/2005/Atom}"


@pytest.fixture
def planted() -> Iterator[None]:
    """Two deprecated operations: a read, and a command of tournaments."""
    DEPRECATED_OPERATIONS["games_view"] = Deprecation(date(2027, 2, 1), date(2027, 11, 1), "games_record")
    DEPRECATED_OPERATIONS["tournaments_publish"] = Deprecation(date(2027, 2, 1), date(2027, 11, 1))
    yield
    DEPRECATED_OPERATIONS.clear()


def test_a_deprecated_operation_says_since_when_and_until_when(planted: None) -> None:
    game = start_cast_game("ada", "bob")
    answer = Client().get(f"/api/v1/games/{game.code}/")
    assert answer.status_code == 200
    since = datetime.fromtimestamp(int(answer["Deprecation"].removeprefix("@")), UTC)
    assert (answer["Deprecation"][0], since) == ("@", datetime(2027, 2, 1, tzinfo=UTC))
    assert parsedate_to_datetime(answer["Sunset"]) == datetime(2027, 11, 1, tzinfo=UTC)
    links = dict(re.findall(r'<([^>]+)>; rel="([^"]+)"', answer["Link"]))
    assert {rel: address for address, rel in links.items()} == {
        "deprecation": f"{settings.SITE_URL}/api/policy/#games_view",
        "sunset": f"{settings.SITE_URL}/api/policy/",
        "successor-version": f"{settings.SITE_URL}/api/operations/games_record/",
    }


def test_refusals_of_a_deprecated_operation_say_it_too(planted: None) -> None:
    assert "Sunset" in Client().get("/api/v1/games/nosuchgame/")
    player("ada")
    command = Client().post("/api/v1/tournaments/nosuchcup/publish/", headers=create_bearer("ada"))
    assert command.status_code >= 400
    assert "Deprecation" in command


def test_other_operations_say_nothing(planted: None) -> None:
    answer = Client().get("/api/v1/games/")
    assert not {"Deprecation", "Sunset", "Link"} & set(answer.headers)


def test_scripts_of_other_sites_may_read_these_headers(planted: None) -> None:
    answer = Client().get("/api/v1/games/nosuchgame/", headers={"Origin": "https://board.example"})
    assert {"Deprecation", "Sunset", "Link"} <= set(answer["Access-Control-Expose-Headers"].split(", "))


def test_the_document_and_the_page_name_deprecated_operations(planted: None) -> None:
    files = openapi.generate_files()
    document = files[openapi.JSON_FILE].decode()
    assert document.count('"deprecated": true') == 2
    page = Client().get("/api/policy/").content.decode()
    assert '<dt id="games_view">' in page
    assert "Ends on 2027-11-01." in " ".join(page.split())
    assert 'href="/api/operations/games_record/"' in page


def test_nothing_ends_sooner_than_promised() -> None:
    with pytest.raises(ValueError, match="6 months"):
        Deprecation(date(2027, 2, 1), date(2027, 2, 1) + timedelta(days=181))


def test_every_deprecated_operation_exists() -> None:
    ids = {
        operation["operationId"]
        for item in openapi.read_document()["paths"].values()
        for operation in item.values()
        if isinstance(operation, dict)
    }
    operation_ids = {*DEPRECATED_OPERATIONS, *(row.replacement for row in DEPRECATED_OPERATIONS.values())}
    assert operation_ids - {""} <= ids


def test_the_page_and_the_document_for_maintainers_promise_the_same() -> None:
    page = " ".join(Client().get("/api/policy/").content.decode().split())
    assert f"at least {MIN_NOTICE_MONTHS} months before" in page
    assert f"side by side for at least {VERSION_NOTICE_MONTHS} months" in page
    assert "Nothing." in page
    text = " ".join((ROOT / "docs" / "api-policy.md").read_text().split())
    assert f"at least {MIN_NOTICE_MONTHS} months before" in text
    assert f"at least {VERSION_NOTICE_MONTHS} months" in text
    assert deprecations.__name__.replace(".", "/") in text


# ---------------------------------------------------------------------- the changelog

SAMPLE = """# Changelog

Not a release.

## [Unreleased]

A word before.

### Added

- One thing, `code **as it is**`, a [link](https://example.org/a?b=1&c=2)
  over two lines, and [a file](docs/x.md).
- **Two**: <script>alert(1)</script>

## [1.0.0] - 2027-03-04

### Fixed

- Three.
"""


def test_a_changelog_is_read_release_by_release() -> None:
    unreleased, first = parse_changelog(SAMPLE)
    assert (unreleased.version, unreleased.day, first.version, first.day) == (
        "Unreleased",
        None,
        "1.0.0",
        date(2027, 3, 4),
    )
    assert unreleased.introduction == ["A word before."]
    (added,) = unreleased.groups
    assert added.title == "Added"
    assert added.changes == [
        'One thing, <code>code **as it is**</code>, a <a href="https://example.org/a?b=1&amp;c=2">link</a> '
        "over two lines, and a file.",
        "<b>Two</b>: &lt;script&gt;alert(1)&lt;/script&gt;",
    ]
    assert [change for group in first.groups for change in group.changes] == ["Three."]


def test_each_heading_of_a_release_stands_once() -> None:
    for release in changelog.load_releases():
        titles = [group.title for group in release.groups]
        assert titles == list(dict.fromkeys(titles)), f"{release.version}: merge the groups of one title"


def test_no_blank_line_splits_a_list_of_changes() -> None:
    text = changelog.CHANGELOG_FILE.read_text()
    assert re.findall(r"(?m)^(?:- |  ).*\n\n+(?:- |  ).*", text) == []


def test_a_link_that_could_run_something_is_only_its_text() -> None:
    assert format_inline("[x](javascript:alert`1`)") == "[x](javascript:alert<code>1</code>)"
    assert format_inline("[x](javascript:alert(1))") == "[x](javascript:alert(1))"
    assert format_inline("[x](javascript:start)") == "x"


def test_the_page_shows_every_change_of_the_file() -> None:
    page = Client().get("/changelog/").content.decode()
    items = re.findall(r"(?m)^- ", changelog.CHANGELOG_FILE.read_text())
    assert page.count("<li>") == len(items) > 20
    assert '<article lang="en" id="Unreleased">' in page
    assert 'type="application/atom+xml"' in page


def test_the_feed_has_an_entry_for_each_release() -> None:
    answer = Client().get("/changelog.atom")
    assert answer["Content-Type"].startswith("application/atom+xml")
    feed = ElementTree.fromstring(answer.content)
    entries = feed.findall(f"{ATOM}entry")
    assert len(entries) == len(changelog.load_releases())
    for entry in entries:
        assert entry.findtext(f"{ATOM}updated")
        assert (entry.findtext(f"{ATOM}id") or "").startswith(f"{settings.SITE_URL}/changelog/#")
        assert "<li>" in (entry.findtext(f"{ATOM}summary") or "")
    assert Client().get("/changelog.atom", headers={"If-None-Match": answer["ETag"]}).status_code == 304


def test_a_release_has_the_time_of_its_day() -> None:
    _unreleased, first = parse_changelog(SAMPLE)
    assert changelog.find_update_time(first) == datetime(2027, 3, 4, tzinfo=UTC)


def test_the_guide_leads_to_the_promises() -> None:
    page = Client().get("/api/").content.decode()
    for path in ("/api/policy/", "/changelog/", "/status/"):
        assert f'href="{path}"' in page
