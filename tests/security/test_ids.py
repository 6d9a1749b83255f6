"""Sequential ids: no number in an address gives access to anything private."""

from __future__ import annotations

import re

import pytest
from django.db import models

from accounts.models import Token
from games.models import Game
from games.models.games import PUBLIC_CODE_ALPHABET, generate_public_code
from notifications.models import Webhook
from tournaments.models import League, Tournament

from .route_table import read_table
from .route_walker import list_routes
from .world import VIEWERS, World

pytestmark = pytest.mark.django_db
NUMBER = re.compile(r"<int:(\w+)>")
# Each number in an address and the collection it belongs to: the path before it, or the viewer's objects.
COUNTED = {
    "token_id": "one's own tokens",
    "webhook_id": "one's own webhooks",
    "device_id": "one's own devices",
    "app_id": "one's own apps",
    "message_id": "messages of a game that one sits at",
    "pairing": "tables of a tournament that one may see",
    "pk": "tables of a tournament that one may see",
    "appeal": "appeals of a tournament that one organises",
    "proposal": "proposals that one made or is asked to answer, or that one organises",
    "decision": "decisions of a tournament that one organises",
    "number": "rounds, seasons, steps of the lesson, parts of a mail: from 1",
}


def test_every_number_in_an_address_counts_what_one_may_see() -> None:
    names = {name for route, _address, _names in list_routes() for name in NUMBER.findall(route)}
    assert names == set(COUNTED)


def test_with_numbers_of_ada_nobody_else_gets_anything() -> None:
    """In routes.txt, addresses with ids of ada's are refused or redirect to a page of the viewer's own."""
    names_found = set()
    for (route, _method), line in read_table().items():
        if match := re.search(r"<int:(token_id|webhook_id|device_id|app_id)>", route):
            names_found.add(match[1])
            assert {line.expected_for(name)[0] for name in VIEWERS} <= {"401", "404", "405", "in", "302"}
    assert names_found == {"token_id", "webhook_id", "device_id", "app_id"}


def test_codes_are_drawn_from_so_many_that_nobody_guesses_one() -> None:
    assert len(PUBLIC_CODE_ALPHABET) ** 12 > 2**59
    drawn = [generate_public_code() for _ in range(2000)]
    assert len(set(drawn)) == len(drawn)
    for place in range(12):
        assert len({code[place] for code in drawn}) == len(PUBLIC_CODE_ALPHABET), (
            "every letter, in every place"
        )


@pytest.mark.parametrize("model", [Game, Tournament, League])
def test_what_has_a_page_is_called_by_a_code(model: type[models.Model], world: World) -> None:
    field = model._meta.get_field("code")
    assert field.unique  # type: ignore[union-attr]
    assert field.default is generate_public_code  # type: ignore[union-attr]
    assert not any(code.isdecimal() for code in model._default_manager.values_list("code", flat=True))


@pytest.mark.parametrize("model", [Game, Tournament, League])
def test_a_number_in_the_place_of_a_code_finds_nothing(model: type[models.Model], world: World) -> None:
    room = {"Game": "games", "Tournament": "tournaments", "League": "leagues"}[model.__name__]
    pk = model._default_manager.values_list("pk", flat=True)[0]
    for path in (f"/{room}/{pk}/", f"/api/v1/{room}/{pk}/"):
        assert world.browser("eve").get(path).status_code == 404


def test_numbers_of_others_and_of_nobody_are_answered_alike(world: World) -> None:
    """Responses do not even reveal which ids exist."""
    client = world.browser("eve")
    for collection, model in (("tokens", Token), ("webhooks", Webhook)):
        own_pk = model.objects.filter(player__name="ada").latest("pk").pk
        outcomes = []
        for number in (own_pk, own_pk + 10_000):
            answer = client.delete(f"/api/v1/me/{collection}/{number}/")
            outcomes.append((answer.status_code, answer.json()))
        assert outcomes[0] == outcomes[1]
        assert outcomes[0][0] == 404
