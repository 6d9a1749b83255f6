"""A real browser and the real site.

Each test worker has one Chromium and one web server, started once; the database, Redis and the mailbox are
empty at the start of a test. Nothing sweeps unless a test uses the fixture `worker`, which ends before the
database is emptied. The site runs with DEBUG off and with streams; `trial_site` is the site of `make run`,
with its mailbox.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.db import connections
from django.test import Client
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright
from pytest_django import DjangoDbBlocker
from redis import Redis

from accounts.models import Player
from tests import chromium
from tests.helpers.push_service import SITE_PRIVATE_KEY
from tests.helpers.site import Site
from tests.network_lock import hold_network
from tests.services import require, skip_or_fail
from tests.smtp import Sink

from .page_checks import OBSERVER
from .page_watch import PageWatch, watches
from .shared_world import SHARED, wait_until_database_is_idle
from .world import MAILBOX_KEY, World

NewPage = Callable[..., Page]
DESKTOP = {"width": 1280, "height": 900}
# The browser resolves no host outside this machine.
ALONE = "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1"

loop: asyncio.AbstractEventLoop | None = None  # the event loop of Playwright, once it runs


@contextmanager
def block_database_calls() -> Iterator[None]:
    """Set up this thread for driving the browser, and restore it afterwards.

    Playwright's event loop counts as running in this thread, where neither asyncio nor Django's ORM works
    beside it. Outside this block the loop is hidden from the other tests of this worker; inside it, the ORM
    opens connections of its own, which are closed at the end.
    """
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"
    asyncio._set_running_loop(loop)
    try:
        yield
    finally:
        asyncio._set_running_loop(loop)
        connections.close_all()
        asyncio._set_running_loop(None)
        del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Start Chromium; without it, tests that need it are skipped, and fail with CI=true."""
    global loop
    path, reason = chromium.find_chromium()
    if not path:
        skip_or_fail("Chromium", reason)
    playwright = sync_playwright().start()
    loop = asyncio.get_running_loop()
    with block_database_calls():
        running = playwright.chromium.launch(executable_path=path, args=[ALONE])
    yield running
    with block_database_calls():
        running.close()
        playwright.stop()
        loop = None


@pytest.fixture(autouse=True)
def keep_network_unchanged() -> Iterator[None]:
    """Keep tests of other workers from changing network devices during a test."""
    with hold_network(exclusive=False):
        yield


@pytest.fixture
def drive_browser(browser: Browser) -> Iterator[None]:
    """Drive the browser for the length of a test."""
    with block_database_calls():
        yield


# -------------------------------------------------------------------------------------------------- the site


class StreamingSite(Site):
    """The site behind one ASGI server, as with `make run`: pages, API and live streams."""

    def start_web(self) -> None:
        granian = ["--interface", "asgi", "--no-ws", "--host", "127.0.0.1", "--port", str(self.web_port)]
        web = ["-m", "granian", *granian, "otto_site.asgi:application"]
        self.services.append(self.service("web", web, self.serves))


@contextmanager
def serve_site(folder: Path, **environment: str) -> Iterator[Site]:
    """Start a web server on the database and the Redis of this worker, and a mail server for its mails."""
    with Sink() as sink:
        shared = {"REDIS_URL": os.environ["REDIS_URL"], "SECRET_KEY": settings.SECRET_KEY}
        site = StreamingSite(folder, sink, **shared | environment)
        try:
            if not environment.get("TRIAL"):
                site.collect_static()
            site.start_web()
            yield site
        finally:
            site.stop()


@pytest.fixture(scope="session")
def web_site(
    browser: Browser, django_db_setup: None, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Site]:
    """Start the site as in production, for all tests of this worker."""
    require("PostgreSQL")
    require("Redis")
    with serve_site(tmp_path_factory.mktemp("site"), VAPID_PRIVATE_KEY=SITE_PRIVATE_KEY) as site:
        yield site


@pytest.fixture(scope="session")
def trial_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("trial")


@pytest.fixture(scope="session")
def trial_site(web_site: Site, trial_folder: Path) -> Iterator[Site]:
    """Start the site as a trial, as `make run` does: mails are files, shown at /mailbox/."""
    with serve_site(trial_folder, TRIAL="1", MAILBOX_KEY=MAILBOX_KEY, EMAIL_HOST="") as site:
        yield site


@pytest.fixture(scope="session")
def trial_mails(trial_folder: Path) -> Path:
    """The folder in which the trial site keeps its mails, whether it runs or not."""
    return trial_folder / "var" / "mail"


@pytest.fixture
def site(web_site: Site, redis: Redis, transactional_db: None) -> Iterator[Site]:
    """The site with an empty database, which it shares with the test."""
    web_site.sink.mails.clear()
    yield web_site
    wait_until_database_is_idle()


@pytest.fixture
def sink(site: Site) -> Sink:
    """The mail server of the site: `sink.wait(1)`."""
    return site.sink


@pytest.fixture
def worker(site: Site) -> Iterator[Site]:
    """The site with a worker for this test, which sweeps four times a second and sends mails."""
    site.start_worker()
    yield site
    site.kill_worker()  # a graceful stop takes seconds; `site` waits until open transactions are rolled back


@pytest.fixture(scope="module")
def shared_world(django_db_setup: None, django_db_blocker: DjangoDbBlocker, trial_mails: Path) -> World:
    """The world that all tests of every page share and do not change."""
    require("PostgreSQL")
    require("Redis")
    return SHARED.get(trial_mails, django_db_blocker)


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(nextitem: pytest.Item | None) -> None:
    """Drop the shared world when the next test does not use it; after the last test there is no database."""
    if nextitem and "shared_world" not in getattr(nextitem, "fixturenames", ()):
        SHARED.drop()


# ------------------------------------------------------------------------------------------------- the pages


def new_context(browser: Browser, url: str, **options: Any) -> BrowserContext:
    """Open a browser context with options such as viewport, color_scheme and java_script_enabled."""
    context_options: dict[str, Any] = {"base_url": url, "locale": "en-GB", "viewport": DESKTOP, **options}
    context = browser.new_context(**context_options)
    context.set_default_timeout(20_000)
    context.add_init_script(OBSERVER)
    PageWatch(context, url)
    return context


@pytest.fixture
def new_page(browser: Browser, site: Site, drive_browser: None) -> Iterator[NewPage]:
    """Return a function that opens a page in a new context: `new_page(java_script_enabled=False)`.

    The test fails at its end if an error occurred on any page; `get_watch(page).expect(404)` names expected
    statuses.
    """
    contexts: list[BrowserContext] = []

    def make(**options: Any) -> Page:
        contexts.append(new_context(browser, site.url, **options))
        return contexts[-1].new_page()

    yield make
    own_watches = [watches[context] for context in contexts]
    for context in contexts:
        context.close()
    for page_watch in own_watches:
        page_watch.check()


@pytest.fixture
def page(new_page: NewPage) -> Page:
    """Open a page on a desktop, in English."""
    return new_page()


def sign_in(page: Page, player: Player) -> None:
    """Give a page the session of a player, without the pages of sign-in."""
    client = Client()
    client.force_login(player)
    take_session(page, client)


def take_session(page: Page, client: Client) -> None:
    """Replace the cookies of a browser by the session and the mailbox key of a test client."""
    page.context.clear_cookies()
    for name in (settings.SESSION_COOKIE_NAME, "mailbox"):
        if not (cookie := client.cookies.get(name)):
            continue
        cookie_fields = {"name": cookie.key, "value": cookie.value, "domain": "127.0.0.1", "path": "/"}
        page.context.add_cookies([{**cookie_fields, "httpOnly": True, "secure": True, "sameSite": "Lax"}])  # type: ignore[typeddict-item]
