"""What every page must be: readable by all, at home on a phone, steady, small, and whole without scripts."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.test import Client
from playwright.sync_api import Browser, Response
from playwright.sync_api import Page as Window
from pytest_django import DjangoDbBlocker

from tests.e2e.site import Site

from .conftest import DESKTOP, at_the_wheel, kept_world, new_context, take_session
from .looks import album, axe, layout_shift, no_sideways_scroll, nothing_cut, settled
from .pages import PAGES, Page
from .watching import watch_of
from .world import World

pytestmark = pytest.mark.django_db  # what a test writes is taken back; the world, made before it, stays
MOST_BYTES = 100_000
FRESH = 60.0  # seconds
COLOURS = ("color-contrast", "link-in-text-block")


@pytest.fixture(scope="module")
def made(web: Site, trial: Site, django_db_blocker: DjangoDbBlocker) -> Iterator[World]:
    """One world for all pages: looking changes nothing."""
    with kept_world(Path(trial.environment["VAR_DIR"], "mail"), django_db_blocker) as kept:
        yield kept


class Windows:
    """A window with scripts and one without, for each of the two sites, kept from page to page."""

    def __init__(self, browser: Browser, web: Site, trial: Site, made: World) -> None:
        self.browser, self.sites, self.made = browser, {False: web, True: trial}, made
        self.open: dict[tuple[bool, bool], Window] = {}
        self.visitors: dict[str, tuple[Client, float]] = {}

    def window(self, page: Page, scripts: bool) -> Window:
        key = (page.trial, scripts)
        if key not in self.open:
            context = new_context(self.browser, self.sites[page.trial].url, java_script_enabled=scripts)
            self.open[key] = context.new_page()
        return self.open[key]

    def visitor(self, name: str) -> Client:
        """Somebody who came a moment ago."""
        client, since = self.visitors.get(name, (Client(), 0.0))
        if time.monotonic() - since > FRESH:
            client = self.made.visitor(name)
            self.visitors[name] = client, time.monotonic()
        return client

    def visit(self, page: Page, scripts: bool = True) -> tuple[Window, Response]:
        """Open a page as its visitor, and do its deed; gives the answer that is looked at."""
        window = self.window(page, scripts)
        take_session(window, self.visitor(page.who))
        window.set_viewport_size(DESKTOP)
        watch_of(window).begin(page.status)
        answer = window.goto(page.address(self.made))
        if page.deed:
            with window.expect_response(lambda response: response.request.method == "POST") as sent:
                page.deed(window)
            answer = sent.value
        assert answer
        return window, answer

    def text(self, page: Page, scripts: bool) -> str:
        """What there is to read."""
        return told(self.visit(page, scripts)[0])


def told(window: Window) -> str:
    """What there is to read, but for what a script says in another way, or what goes on by itself."""
    return str(
        window.locator("main").evaluate(
            """main => {
                const other = main.querySelectorAll("[data-choose], [data-live], .note, [data-script]");
                const before = Array.from(other, part => part.style.display);
                for (const part of other) part.style.display = "none";
                const text = main.innerText;
                other.forEach((part, place) => { part.style.display = before[place]; });
                return text;
            }"""
        )
    )


@pytest.fixture(scope="module")
def windows(browser: Browser, web: Site, trial: Site, made: World) -> Iterator[Windows]:
    kept = Windows(browser, web, trial, made)
    yield kept
    with at_the_wheel():
        for window in kept.open.values():
            window.context.close()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_page(page: Page, windows: Windows, driving: None) -> None:
    window, answer = windows.visit(page)
    assert answer.status == page.status
    assert len(answer.body()) < MOST_BYTES
    assert layout_shift(window) < 0.01
    assert "OTTO online" in window.title()
    assert window.locator("html").get_attribute("lang") == page.lang
    assert window.locator("h1").count() == 1
    text = told(window)
    assert text.strip()
    found = axe(window)
    window.emulate_media(color_scheme="dark")
    found += axe(window, *COLOURS)
    window.emulate_media(color_scheme="light")
    album(window, page.file)
    # A window of 1280 in which everything is twice as large has room for 640.
    for width in (640, 320):
        window.set_viewport_size({"width": width, "height": 640})
        settled(window)
        found += no_sideways_scroll(window) + nothing_cut(window)
    assert not found, "\n".join(found)
    without = windows.text(page, scripts=False)
    if without != text:  # a minute may have passed between the two
        without, text = (windows.text(page, scripts) for scripts in (False, True))
    assert without == text
    for scripts in (False, True):
        watch_of(windows.window(page, scripts)).check()
