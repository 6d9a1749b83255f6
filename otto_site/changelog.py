"""CHANGELOG.md as a page and as an Atom feed."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time
from functools import cache
from pathlib import Path

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.feedgenerator import Atom1Feed
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.http import conditional_page, require_safe

CHANGELOG_FILE = Path(settings.BASE_DIR) / "CHANGELOG.md"
FEED_MAX_AGE_SECONDS = 3600  # it changes only with a release
RELEASE_PATTERN = re.compile(r"## \[(?P<version>[^\]]+)\](?: - (?P<day>\d{4}-\d\d-\d\d))?")
BOLD_PATTERN = re.compile(r"\*\*([^*]+)\*\*")
LINK_PATTERN = re.compile(r"\[([^\[\]]+)\]\(([^()\s]+)\)")


@dataclass
class ChangeGroup:
    """The changes under one heading (added, changed, fixed): paragraphs of HTML."""

    title: str
    changes: list[SafeString] = field(default_factory=list)


@dataclass
class Release:
    """A release; unreleased changes have no day."""

    version: str
    day: date | None
    introduction: list[SafeString] = field(default_factory=list)
    groups: list[ChangeGroup] = field(default_factory=list)


def format_inline(text: str) -> SafeString:
    """Format code, bold text and links of Markdown; a link into the source is only its text."""

    def format_link(match: re.Match[str]) -> str:
        is_address = match[2].startswith("https://")
        return f'<a href="{match[2]}">{match[1]}</a>' if is_address else match[1]

    html = ""
    for number, part in enumerate(str(escape(" ".join(text.split()))).split("`")):
        if number % 2:  # between two backticks
            html += f"<code>{part}</code>"
        else:
            html += BOLD_PATTERN.sub(r"<b>\1</b>", LINK_PATTERN.sub(format_link, part))
    return mark_safe(html)


def parse_changelog(text: str) -> list[Release]:
    """Parse the changelog, newest release first. What stands before the first release is left out."""
    releases: list[Release] = []
    for block in split_blocks(text):
        if match := RELEASE_PATTERN.fullmatch(block):
            day = date.fromisoformat(match["day"]) if match["day"] else None
            releases.append(Release(match["version"], day))
        elif not releases:
            continue
        elif block.startswith("### "):
            releases[-1].groups.append(ChangeGroup(block.removeprefix("### ")))
        elif releases[-1].groups:
            releases[-1].groups[-1].changes.append(format_inline(block.removeprefix("- ")))
        else:
            releases[-1].introduction.append(format_inline(block))
    return releases


def split_blocks(text: str) -> list[str]:
    """Split Markdown into headings, list items and paragraphs, each on one line."""
    blocks: list[str] = []
    is_open = False
    for line in text.splitlines():
        if not line.strip():
            is_open = False
        elif is_open and not line.startswith(("#", "- ")):
            blocks[-1] += f" {line.strip()}"
        else:
            blocks.append(line.strip())
            is_open = not line.startswith("#")
    return blocks


@cache
def load_releases() -> tuple[Release, ...]:
    """The releases of the changelog."""
    return tuple(parse_changelog(CHANGELOG_FILE.read_text()))


def find_update_time(release: Release) -> datetime:
    """Return the day of a release; for unreleased changes, when its text last changed."""
    if release.day:
        return datetime.combine(release.day, time(), UTC)
    return datetime.fromtimestamp(int(CHANGELOG_FILE.stat().st_mtime), UTC)


@require_safe
def show_changelog(request: HttpRequest) -> HttpResponse:
    """Show all releases with what has changed in them."""
    return render(request, "changelog.html", {"releases": load_releases()})


@require_safe
@conditional_page
def show_changelog_feed(request: HttpRequest) -> HttpResponse:
    """Show the releases as an Atom feed, in the language of the changelog."""
    address = f"{settings.SITE_URL}{reverse('changelog')}"
    feed = Atom1Feed(
        title="OTTO online: changes",
        link=address,
        description="What has changed on the site and in its API.",
        feed_url=f"{settings.SITE_URL}{reverse('changelog-feed')}",
        language="en",
    )
    for release in load_releases():
        feed.add_item(
            title=f"OTTO online {release.version}",
            link=f"{address}#{release.version}",
            description=format_release(release),
            unique_id=f"{address}#{release.version}",
            updateddate=find_update_time(release),
        )
    response = HttpResponse(feed.writeString("utf-8"), content_type="application/atom+xml; charset=utf-8")
    response["Cache-Control"] = f"public, max-age={FEED_MAX_AGE_SECONDS}"
    response["Content-Language"] = "en"
    return response


def format_release(release: Release) -> str:
    """Return a release as HTML, for a reader of feeds."""
    parts = [f"<p>{paragraph}</p>" for paragraph in release.introduction]
    for group in release.groups:
        items = "".join(f"<li>{change}</li>" for change in group.changes)
        parts.append(f"<h2>{escape(group.title)}</h2><ul>{items}</ul>")
    return "".join(parts)
