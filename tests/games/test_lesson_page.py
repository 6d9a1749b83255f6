"""The lesson as a browser without scripts takes it: four turns, nothing stored."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games import lesson
from games.models import Game
from tests.helpers.plain_browser import PlainBrowser

pytestmark = pytest.mark.django_db
DONE = "Well done"


def take_step(number: int, *queries: str) -> PlainBrowser:
    """A step on which these choices are made one after another, each confirmed."""
    client = Client()
    at = PlainBrowser(client, f"/lesson/{number}/")
    query_start = ""
    for query in queries:
        page = at.look(f"?{query_start}{query}")
        form, action = page.plays()[0]
        answer = client.post(f"{at.path}{form.action}", form.fields | {"action": action})
        assert answer.status_code == 302
        query_start = answer["Location"].partition("?")[2].partition("#")[0] + "&"
        at.look(f"?{query_start}")
    return at


def test_the_lesson_begins_with_its_first_step() -> None:
    assert Client().get("/lesson/")["Location"] == "/lesson/1/"


@pytest.mark.parametrize("number", range(1, len(lesson.LESSON_STEPS) + 1))
def test_a_step_asks_for_something_and_is_done_by_it(number: int) -> None:
    step = lesson.LESSON_STEPS[number - 1]
    first = lesson.list_lesson_actions(step)[0]
    queries = [f"action={first}"]
    if more := lesson.list_lesson_actions(step, [first]):
        queries.append(f"action={more[0]}")
    at = take_step(number, *queries)
    assert DONE in at.page.headings
    assert at.page.plays() == []
    next_link = f'href="/lesson/{number + 1}/#main"'
    assert (next_link in at.page.html) == (number < len(lesson.LESSON_STEPS))
    assert ("Play a bot now" in at.page.html) == (number == len(lesson.LESSON_STEPS))


def test_the_dark_tile_comes_after_drawing_and_the_choice_keeps_that() -> None:
    at = take_step(4, "")
    assert "A dark tile. It has no lines and is never placed" in at.page.html
    assert at.page.cells
    assert all("played=draw" in link for link in at.page.cells.values())


@pytest.mark.parametrize(
    "played_text", ["x", "draw", "A-a1-0,A-a1-0", "é", "," * 5000, "C-c3-0", "draw,draw,draw,draw", "resign"]
)
@pytest.mark.parametrize("number", [1, 4])
def test_what_cannot_be_played_begins_the_step_anew(number: int, played_text: str) -> None:
    answer = Client().get(f"/lesson/{number}/", {"played": played_text}, follow=True)
    assert answer.status_code == 200
    assert DONE not in answer.text


def test_a_forged_action_is_refused_kindly() -> None:
    answer = Client().post("/lesson/1/", {"action": "resign"}, follow=True)
    assert "This cannot be played now. Choose anew." in answer.text
    assert DONE not in answer.text


@pytest.mark.parametrize("number", [0, 5, 99999999])
def test_there_are_no_other_steps(number: int) -> None:
    assert Client().get(f"/lesson/{number}/").status_code == 404


def test_the_lesson_stores_nothing_and_asks_nothing() -> None:
    with CaptureQueriesContext(connection) as queries:
        take_step(2, f"action={lesson.list_lesson_actions(lesson.LESSON_STEPS[1])[0]}")
    assert len(queries) == 0
    assert not Game.objects.exists()
