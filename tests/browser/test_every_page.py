"""Every page is accessible, fits on a phone, has no layout shift, is small, and works without scripts.

Also its database queries and its times, which need no browser.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.db import connection
from django.test import override_settings
from django.test.utils import CaptureQueriesContext
from playwright.sync_api import Browser

from notifications.channels.email import mailbox
from tests.helpers.sampling import sample_combinations, sample_items
from tests.helpers.site import Site

from .conftest import block_database_calls
from .page_checks import (
    MOST_ASSET_BYTES,
    PHONE,
    count_words,
    find_axe_violations,
    find_cut_text,
    find_sideways_scroll,
    find_unruly_buttons,
    measure_assets,
    measure_layout_shift,
    take_album,
    wait_until_settled,
)
from .page_watch import get_watch
from .page_windows import Windows, read_page
from .pages import PAGES, Page
from .times import ASKS_FOR_A_TIME, find_wrong_times, list_times
from .world import MAILBOX_KEY, World

pytestmark = pytest.mark.django_db  # rolls back what a test writes, but not the world, which exists before
MOST_BYTES = 100_000
TEMPLATE_TAG = re.compile(r".{0,40}(?:\{\{|\{%|\{#).{0,40}")  # the code of a template, shown as text
MOST_QUERIES = 13  # one of them reads the version of a live page
# Some of the pages that must show, or ask for, a time.
SHOW_TIMES = {"time", "delivery", "games, many", "tournament, what was decided", "organise, log"}
ASK_FOR_TIMES = {"notices", "organise, settings", "organise, a new one, Dutch"}
assert {page.name for page in PAGES if not page.action} >= SHOW_TIMES | ASK_FOR_TIMES
MAX_LOOKS_PER_PAGE = 10  # page loads until two of them fall in the same minute for all clocks
# Each page in one colour scheme and one window narrower than a desktop's; in `make soak` in all of them. Half
# of the translated pages, which have the templates of the English ones, are checked by axe.
# A width of 640 stands for a window of 1280 at a zoom of 200%.
PAGE_NAMES = [page.name for page in PAGES]
TRANSLATED = [page.name for page in PAGES if page.lang != "en"]
BY_AXE = sample_items("translated pages", TRANSLATED, len(TRANSLATED) // 2)
BY_AXE += [name for name in PAGE_NAMES if name not in TRANSLATED]
SCHEMES = sample_combinations("colour schemes of pages", BY_AXE, ("light", "dark"))
WIDTHS = sample_combinations("widths of pages", PAGE_NAMES, (640, PHONE["width"], 320))


@pytest.fixture(scope="module")
def windows(browser: Browser, web_site: Site, trial_site: Site, shared_world: World) -> Iterator[Windows]:
    windows = Windows(browser, web_site, trial_site, shared_world)
    yield windows
    with block_database_calls():
        windows.close()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_page(page: Page, windows: Windows, drive_browser: None) -> None:
    window, answer = windows.visit(page)
    assert answer.status == page.status
    assert len(answer.body()) < MOST_BYTES
    assert TEMPLATE_TAG.search(answer.text()) is None
    assert measure_layout_shift(window) < 0.01
    assert 0 < measure_assets(window) < MOST_ASSET_BYTES
    page_text = read_page(window)
    assert "OTTO online" in page_text["title"]
    assert page_text["lang"] == page.lang
    assert page_text["headings"] == 1
    text = page_text["text"]
    assert text.strip()
    violations = []
    for scheme in (scheme for name, scheme in SCHEMES if name == page.name):
        window.emulate_media(color_scheme=scheme)
        violations += find_axe_violations(window)
    window.emulate_media(color_scheme="light")
    take_album(window, page.file)
    count_words(window, page.name)
    for width in (width for name, width in WIDTHS if name == page.name):
        window.set_viewport_size({"width": width, "height": 640})
        wait_until_settled(window)
        violations += find_sideways_scroll(window) + find_cut_text(window) + find_unruly_buttons(window)
    assert not violations, "\n".join(violations)
    without = windows.read(page, scripts=False)
    for look in range(MAX_LOOKS_PER_PAGE):
        if without == text:
            break
        if look % 2:
            without = windows.read(page, scripts=False)
        else:
            text = windows.read(page, scripts=True)
    assert without == text
    for scripts in (False, True):
        get_watch(windows.window(page, scripts)).check()


@pytest.mark.parametrize("page", [page for page in PAGES if not page.action], ids=lambda page: page.name)
def test_a_page_asks_the_database_little_and_names_the_zone_of_every_time(
    page: Page, shared_world: World, trial_mails: Path
) -> None:
    client = shared_world.visitor(page.who)
    trial = {
        "TRIAL": True,
        "MAILBOX_KEY": MAILBOX_KEY,
        "EMAIL_BACKEND": mailbox.MAILBOX_BACKEND,
        "EMAIL_FILE_PATH": trial_mails,
    }
    with override_settings(**trial if page.trial else {}):
        for _look in range(2):  # the first load may make queries that a process makes only once
            with CaptureQueriesContext(connection) as queries:
                answer = client.get(page.address(shared_world))
            statements = [query["sql"] for query in queries]
            if len(statements) <= MOST_QUERIES:
                break
    assert answer.status_code == page.status
    assert len(statements) <= MOST_QUERIES, "\n".join(statements)
    if not page.trial:  # mails on trial pages keep the times of their sending
        assert find_wrong_times(answer.text) == []
    assert page.name not in SHOW_TIMES or list_times(answer.text).times
    assert page.name not in ASK_FOR_TIMES or ASKS_FOR_A_TIME.search(answer.text)
