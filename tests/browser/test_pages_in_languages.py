"""Every page on a phone, in Italian and in Dutch: no text is cut, nothing is too wide, no button is too long.

tests/browser/test_every_page.py checks the pages in English. Here all players have one language, and one
window opens all pages: in `make test` half of them in Italian and the others in Dutch, in `make soak` and
for screenshots all of them in both.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import product

import pytest
from django.db import connection
from playwright.sync_api import Browser

from tests.helpers.sampling import sample_combinations
from tests.helpers.site import Site

from .conftest import block_database_calls
from .page_checks import (
    PHONE,
    find_broken_words,
    find_cut_text,
    find_sideways_scroll,
    find_unruly_buttons,
    take_screenshot,
    wait_until_settled,
)
from .page_watch import get_watch
from .page_windows import Windows
from .pages import PAGES
from .world import World

pytestmark = pytest.mark.django_db  # without a mark, pytest-django creates no database
NARROW = 320
# These pages have a visitor with another language; here all visitors do.
LANGUAGE_NAMES = (", Italian", ", Dutch")
PAGES_OF_ALL = {page.name: page for page in PAGES if not page.name.endswith(LANGUAGE_NAMES)}
LANGUAGES = ("it", "nl")
# Our Dutch says je, also in texts of Django and of libraries.
FORMAL_DUTCH = re.compile(r"\b(?:[Uu]|[Uu]w)\b[^\n]*")
LANGUAGE_PAGES = (
    list(product(PAGES_OF_ALL, LANGUAGES))
    if "SCREENSHOTS" in os.environ
    else sample_combinations("pages in languages", list(PAGES_OF_ALL), LANGUAGES)
)


@contextmanager
def everybody_speaks(language: str) -> Iterator[None]:
    """Change the language of all players outside the test's transaction, which the site cannot see."""
    direct_connection = connection.copy()
    try:
        with direct_connection.cursor() as cursor:
            cursor.execute("SELECT language, id FROM accounts_player")
            own_languages = cursor.fetchall()
            cursor.execute("UPDATE accounts_player SET language = %s", [language])
            try:
                yield
            finally:
                cursor.executemany("UPDATE accounts_player SET language = %s WHERE id = %s", own_languages)
    finally:
        direct_connection.close()


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_pages_fit_on_a_phone(
    language: str,
    browser: Browser,
    web_site: Site,
    trial_site: Site,
    shared_world: World,
) -> None:
    violations = []
    with everybody_speaks(language), block_database_calls():
        windows = Windows(browser, web_site, trial_site, shared_world, viewport=PHONE, locale=language)
        try:
            for page in (PAGES_OF_ALL[name] for name, spoken in LANGUAGE_PAGES if spoken == language):
                window, _answer = windows.visit(page)
                wait_until_settled(window)
                if "SCREENSHOTS" in os.environ:
                    take_screenshot(window, f"{page.file}-phone-{language}")
                lines = [] if language != "nl" else FORMAL_DUTCH.findall(window.inner_text("body"))
                lines += find_unruly_buttons(window) + find_cut_text(window) + find_broken_words(window)
                window.set_viewport_size({**PHONE, "width": NARROW})
                lines += find_sideways_scroll(window) + find_cut_text(window)
                assert window.evaluate("() => document.documentElement.lang") == language, page.name
                violations += [f"{page.name}: {words}" for words in dict.fromkeys(lines)]
                get_watch(window).check()
        finally:
            windows.close()
    assert not violations, "\n".join(violations)
