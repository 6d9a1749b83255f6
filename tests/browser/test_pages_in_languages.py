"""Every page on a phone, in Italian and in Dutch: nothing is cut, nothing sticks out, no button is too long.

In English tests/browser/test_every_page.py looks at the same. Here all players speak one language, and one
window goes from page to page.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser
from pytest_django import DjangoDbBlocker

from accounts.models import Player
from tests.helpers.site import Site
from tests.services import require

from .conftest import block_database_calls, keep_world
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


@pytest.fixture(scope="module")
def shared_world(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker, trial_mails: Path
) -> Iterator[World]:
    """One world for both languages: looking changes nothing."""
    require("PostgreSQL")
    require("Redis")
    with keep_world(trial_mails, django_db_blocker) as world:
        yield world


@pytest.mark.parametrize("language", ["it", "nl"])
def test_all_pages_fit_on_a_phone(
    language: str,
    browser: Browser,
    web_site: Site,
    trial_site: Site,
    shared_world: World,
    django_db_blocker: DjangoDbBlocker,
) -> None:
    with django_db_blocker.unblock():
        Player.objects.update(language=language)
        violations = []
        with block_database_calls():
            windows = Windows(browser, web_site, trial_site, shared_world, viewport=PHONE, locale=language)
            try:
                for page in PAGES:
                    if page.name.endswith(LANGUAGE_NAMES):
                        continue
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
