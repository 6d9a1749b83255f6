"""The lessons in a browser without scripts: every turn can be tried, and nothing is stored."""

from __future__ import annotations

import html

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games import lesson
from games.lesson_steps import FIRST_STEPS
from games.models import Game
from games.web.lesson import MAX_ACTIONS_PER_STEP, build_step_url
from tests.helpers.plain_browser import PlainBrowser

pytestmark = pytest.mark.django_db
DONE = "Well done"


STEPS = [
    pytest.param(name, number, id=f"{name} {number}")
    for name, each in lesson.LESSONS.items()
    for number in range(1, len(each.steps) + 1)
]


def take_step(path: str, *queries: str) -> PlainBrowser:
    """Open a step and make these choices one after another, each confirmed."""
    client = Client()
    at = PlainBrowser(client, path)
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


@pytest.mark.parametrize(("name", "number"), STEPS)
def test_a_step_asks_for_something_and_is_done_by_it(name: str, number: int) -> None:
    each = lesson.LESSONS[name]
    step, path = each.steps[number - 1], build_step_url(name, number)
    client, actions = Client(), list[str]()
    while legal := lesson.list_lesson_actions(step, actions):
        page = client.get(path, {"played": ",".join(actions)}).content.decode()
        assert DONE not in page
        assert str(step.tasks[min(len(actions), len(step.tasks) - 1)]) in html.unescape(page)
        actions.append(legal[0])
        assert len(actions) <= MAX_ACTIONS_PER_STEP
        answer = client.post(f"{path}?played={','.join(actions[:-1])}", {"action": actions[-1]})
        assert answer["Location"].partition("?")[0] == path
    assert len(actions) >= len(step.tasks)  # the wildcard can lengthen a turn
    page = client.get(path, {"played": ",".join(actions)}).content.decode()
    assert DONE in page
    assert str(step.result) in html.unescape(page)
    is_last = number == len(each.steps)
    assert (f'href="{build_step_url(name, number + 1)}#main"' in page) == (not is_last)
    assert ("Play a bot now" in page) == is_last
    assert ("Next lesson" in page) == (is_last and name != "pairs")


def test_every_lesson_leads_to_all_others_to_the_match_and_to_the_rules() -> None:
    for name in lesson.LESSONS:
        page = Client().get(build_step_url(name, 1)).content.decode()
        for other in lesson.LESSONS:
            assert f'href="{build_step_url(other, 1)}"' in page
        assert 'href="/lesson/match/"' in page
        assert 'href="/rules/"' in page


def test_a_step_can_be_done_by_hand_without_scripts() -> None:
    at = take_step("/lesson/2/", f"action={lesson.list_lesson_actions(FIRST_STEPS[1])[0]}")
    assert DONE in at.page.headings
    assert at.page.plays() == []


def test_a_card_is_played_and_the_turn_goes_on() -> None:
    at = take_step("/lesson/6/", "card=MI&action=MI-2")
    assert "Now the A is yours" in at.page.html
    assert all("played=MI-2" in link for link in at.page.cells.values())


@pytest.mark.parametrize(("language", "cards"), [("en", {"RC"}), ("it", {"RC"}), ("nl", {"RV-cw", "RV-ccw"})])
def test_a_revolution_is_played_in_the_edition_of_the_readers_language(
    language: str, cards: set[str]
) -> None:
    client = Client(headers={"accept-language": language})
    for card in ("RC", "RV-cw", "RV-ccw"):
        answer = client.post("/lesson/cards/2/", {"action": card})
        assert ("played=" in answer["Location"]) == (card in cards)
        played_page = client.get("/lesson/cards/2/", {"played": card})
        assert played_page.status_code == (200 if card in cards else 302)


def test_the_dark_tile_comes_after_drawing_and_the_choice_keeps_that() -> None:
    at = take_step("/lesson/5/", "")
    assert "A dark tile. It has no lines and you never place it" in at.page.html
    assert at.page.cells
    assert all("played=draw" in link for link in at.page.cells.values())


@pytest.mark.parametrize(
    "played_text", ["x", "draw", "A-a1-0,A-a1-0", "é", "," * 5000, "C-c3-0", "draw,draw,draw,draw", "resign"]
)
@pytest.mark.parametrize("number", [1, 5])
def test_what_cannot_be_played_begins_the_step_anew(number: int, played_text: str) -> None:
    answer = Client().get(f"/lesson/{number}/", {"played": played_text}, follow=True)
    assert answer.status_code == 200
    assert DONE not in answer.text


def test_a_forged_action_is_refused_kindly() -> None:
    answer = Client().post("/lesson/1/", {"action": "resign"}, follow=True)
    assert "You cannot play this now. Choose something else." in answer.text
    assert DONE not in answer.text


@pytest.mark.parametrize("step", ["0", "7", "99999999", "cards/0", "cards/8", "pairs/5", "other/1"])
def test_there_are_no_other_steps(step: str) -> None:
    assert Client().get(f"/lesson/{step}/").status_code == 404


def test_the_lesson_stores_nothing_and_asks_nothing() -> None:
    with CaptureQueriesContext(connection) as queries:
        take_step("/lesson/2/", f"action={lesson.list_lesson_actions(FIRST_STEPS[1])[0]}")
    assert len(queries) == 0
    assert not Game.objects.exists()
