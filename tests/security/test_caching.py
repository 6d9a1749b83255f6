"""No response that shows a hand, an address or an account stays in any cache, including the browser's."""

from __future__ import annotations

import pytest
from django.test import Client

from accounts.scopes import SCOPES
from accounts.services import tokens
from tests.factories.cast import player

from .cache_rules import is_cache_rule_kept, read_cache_directives
from .route_table import find_line
from .route_walker import Walker, fill_address, list_routes, roll_back_afterwards
from .world import World

pytestmark = pytest.mark.django_db


def test_no_answer_to_somebody_signed_in_is_kept(world: World) -> None:
    """Ada reads every route; bob and eve read those that test_others.py leaves out."""
    _row, world.tokens["ada"] = tokens.create_token(
        player=player("ada"), name="all", scopes=tuple(SCOPES), now=world.now
    )
    wrong, page_count = [], 0
    for name in ("ada", "bob", "eve"):
        walker = Walker(world, name)
        for route, address, names in list_routes():
            path = fill_address(address, names, world)
            for method in ("GET", "POST"):
                if name != "ada" and find_line(route, method):
                    continue
                with roll_back_afterwards():
                    answer = walker.ask(method, path)
                page_count += name == "ada" and answer.status_code == 200
                if not is_cache_rule_kept(route, method, answer):
                    wrong.append((name, method, route, answer.status_code, answer.get("Cache-Control")))
    assert not wrong, "\n".join(map(str, wrong))
    assert page_count > 50, "most of what there is was looked at"


@pytest.mark.parametrize(
    "path", ["/rules/", "/lobby/", "/tournaments/", "/accounts/login/", "/api/v1/games/"]
)
def test_what_is_public_may_be_kept_as_before(path: str, world: World) -> None:
    answer = Client().get(path)
    assert answer.status_code == 200
    cache_directives = read_cache_directives(answer)
    assert "no-store" not in cache_directives or path == "/accounts/login/"


def test_a_file_of_ours_is_kept_whoever_asks(world: World) -> None:
    answer = world.browser("ada").get("/static/otto.css")
    assert answer.status_code == 200
    assert "no-store" not in read_cache_directives(answer)
    assert answer.getvalue()  # reading to the end closes the file


def test_a_conditional_request_of_the_api_still_saves_the_answer(world: World) -> None:
    client, headers = Client(), world.program("bob")
    path = f"/api/v1/games/{world.game.code}/"
    first = client.get(path, headers=headers)
    assert "hand" in first.json()["you"]
    assert read_cache_directives(first) == {"private", "no-cache"}
    second_response = client.get(path, headers=headers | {"If-None-Match": first["ETag"]})
    assert (second_response.status_code, second_response.content) == (304, b"")
    assert read_cache_directives(second_response) == {"private", "no-cache"}


def test_what_a_link_of_a_mail_opens_is_not_kept_either(world: World) -> None:
    """The reader need not be signed in and may use another person's computer."""
    invited = f"/invitations/{world.parts['invitation']}/"
    assert Client().get(invited).status_code == 200
    for path in (invited, "/turn/wrong/", "/accounts/confirm-email/wrong/"):
        assert "no-store" in read_cache_directives(Client().get(path)), path
