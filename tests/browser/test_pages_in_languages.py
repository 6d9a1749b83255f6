"""Every page on a phone, in Italian and in Dutch: nothing is cut, nothing sticks out, no button is too long.

In English tests/browser/test_every_page.py looks at the same. Here all players speak one language, and one
window goes from page to page: in `make test` half of the pages in Italian and the others in Dutch, in
`make soak` and for screenshots all of them in both.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import product

import pytest
from playwright.sync_api import Browser
from pytest_django import DjangoDbBlocker

from accounts.models import Player
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

NARROW = 320
# The same pages in the language of one visitor; here every visitor has it.
LANGUAGE_NAMES = (", Italian", ", Dutch")
PAGES_OF_ALL = {page.name: page for page in PAGES if not page.name.endswith(LANGUAGE_NAMES)}
LANGUAGES = ("it", "nl")
LANGUAGE_PAGES = (
    list(product(PAGES_OF_ALL, LANGUAGES))
    if "SCREENSHOTS" in os.environ
    else sample_combinations("pages in languages", list(PAGES_OF_ALL), LANGUAGES)
)


@contextmanager
def everybody_speaks(language: str) -> Iterator[None]:
    """For a while."""
    languages = dict(Player.objects.values_list("pk", "language"))
    Player.objects.update(language=language)
    try:
        yield
    finally:
        for own in set(languages.values()):
            Player.objects.filter(pk__in=[pk for pk in languages if languages[pk] == own]).update(
                language=own
            )


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_pages_fit_on_a_phone(
    language: str,
    browser: Browser,
    web_site: Site,
    trial_site: Site,
    shared_world: World,
    django_db_blocker: DjangoDbBlocker,
) -> None:
    violations = []
    with django_db_blocker.unblock(), everybody_speaks(language), block_database_calls():
        windows = Windows(browser, web_site, trial_site, shared_world, viewport=PHONE, locale=language)
        try:
            for page in (PAGES_OF_ALL[name] for name, spoken in LANGUAGE_PAGES if spoken == language):
                window, _answer = windows.visit(page)
                wait_until_settled(window)
                if "SCREENSHOTS" in os.environ:
                    take_screenshot(window, f"{page.file}-phone-{language}")
                lines = find_unruly_buttons(window) + find_cut_text(window) + find_broken_words(window)
                window.set_viewport_size({**PHONE, "width": NARROW})
                lines += find_sideways_scroll(window) + find_cut_text(window)
                assert window.evaluate("() => document.documentElement.lang") == language, page.name
                violations += [f"{page.name}: {words}" for words in dict.fromkeys(lines)]
                get_watch(window).check()
        finally:
            windows.close()
    assert not violations, "\n".join(violations)
