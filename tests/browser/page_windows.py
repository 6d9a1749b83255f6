"""Browser windows that open each page as its visitor."""

from __future__ import annotations

import time
from typing import Any

from django.test import Client
from playwright.sync_api import Browser, Response
from playwright.sync_api import Page as Window

from tests.helpers.site import Site

from .conftest import DESKTOP, new_context, take_session
from .page_checks import install_axe
from .page_watch import get_watch
from .pages import Page
from .world import World

FRESH_SECONDS = 60.0


class Windows:
    """A window with scripts and one without for each of the two sites, reused for all pages."""

    def __init__(self, browser: Browser, web: Site, trial: Site, world: World, **options: Any) -> None:
        self.browser, self.sites, self.world = browser, {False: web, True: trial}, world
        self.options: dict[str, Any] = {"viewport": DESKTOP, "locale": "en-GB", **options}
        self.open: dict[tuple[bool, bool], Window] = {}
        self.visitors: dict[str, tuple[Client, float]] = {}

    def window(self, page: Page, scripts: bool) -> Window:
        key = (page.trial, scripts)
        if key not in self.open:
            context = new_context(
                self.browser, self.sites[page.trial].url, java_script_enabled=scripts, **self.options
            )
            if scripts:
                install_axe(context)
            self.open[key] = context.new_page()
        return self.open[key]

    def visitor(self, name: str) -> Client:
        """Return a visitor whose session is less than a minute old."""
        client, since = self.visitors.get(name, (Client(), 0.0))
        if time.monotonic() - since > FRESH_SECONDS:
            client = self.world.visitor(name)
            self.visitors[name] = client, time.monotonic()
        return client

    def visit(self, page: Page, scripts: bool = True) -> tuple[Window, Response]:
        """Open a page as its visitor and run its action; return the window and the response to check."""
        window = self.window(page, scripts)
        take_session(window, self.visitor(page.who))
        window.set_viewport_size(self.options["viewport"])
        get_watch(window).begin(page.status)
        answer = window.goto(page.address(self.world))
        if page.action:
            with window.expect_response(lambda response: response.request.method == "POST") as sent:
                page.action(window)
            answer = sent.value
        assert answer
        return window, answer

    def read(self, page: Page, scripts: bool) -> str:
        """Return the text of a page."""
        return str(read_page(self.visit(page, scripts)[0])["text"])

    def close(self) -> None:
        """Close all windows."""
        for window in self.open.values():
            window.context.close()


def read_page(window: Window) -> dict[str, Any]:
    """Return title, language and text of a page, without parts that depend on scripts or update themselves.

    One call of `evaluate`: Playwright's locators would first load their own script into every page.
    """
    page_data: dict[str, Any] = window.evaluate(
        """() => {
            const main = document.querySelector("main");
            const other = main.querySelectorAll("[data-move-picker], [data-live], .note, [data-script]");
            const before = Array.from(other, part => part.style.display);
            for (const part of other) part.style.display = "none";
            const text = main.innerText;
            other.forEach((part, place) => { part.style.display = before[place]; });
            const headings = document.querySelectorAll("h1").length;
            return {text, headings, title: document.title, lang: document.documentElement.lang};
        }"""
    )
    return page_data
