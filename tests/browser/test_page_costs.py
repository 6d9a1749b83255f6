"""What every page asks of the database. No browser is needed for that."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from django.db import connection
from django.test import override_settings
from django.test.utils import CaptureQueriesContext
from pytest_django import DjangoDbBlocker

from games.mail import mailbox
from tests.services import require

from .conftest import kept_world
from .pages import PAGES, Page
from .world import World

pytestmark = pytest.mark.django_db  # what a test writes is taken back; the world, made before it, stays
MOST_QUERIES = 12


@pytest.fixture(scope="module")
def mails(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("mails")


@pytest.fixture(scope="module")
def made(django_db_setup: None, django_db_blocker: DjangoDbBlocker, mails: Path) -> Iterator[World]:
    require("PostgreSQL")
    require("Redis")
    with kept_world(mails, django_db_blocker) as kept:
        yield kept


@pytest.mark.parametrize("page", [page for page in PAGES if not page.deed], ids=lambda page: page.name)
def test_a_page_asks_the_database_little(page: Page, made: World, mails: Path) -> None:
    client = made.visitor(page.who)
    trial = {"DEBUG": True, "EMAIL_BACKEND": mailbox.BACKEND, "EMAIL_FILE_PATH": mails}
    with override_settings(**trial if page.trial else {}):
        client.get(page.address(made))  # what is asked once in the life of a process is not counted
        with CaptureQueriesContext(connection) as queries:
            answer = client.get(page.address(made))
    assert answer.status_code == page.status
    asked = [query["sql"] for query in queries]
    assert len(asked) <= MOST_QUERIES, "\n".join(asked)
