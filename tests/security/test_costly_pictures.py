"""Pictures cost processor time: known ones are not drawn again, and drawn ones weigh in the rate limit."""

from __future__ import annotations

import re
import struct
from typing import Any

import pytest
from django.core.cache import caches
from django.utils import timezone

from games import picture_cache, picture_png, picture_sprites, picture_svg
from games.api.game_extras import DRAWN_PICTURE_COST
from games.models import Game
from tests.factories.cast import Api, start_cast_game

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def clear_picture_cache() -> None:
    caches["pictures"].clear()


@pytest.fixture
def freeze_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the whole test within one minute of the rate limit."""
    at = timezone.now().replace(second=10)
    monkeypatch.setattr(timezone, "now", lambda: at)


def count_drawings() -> tuple[int, int, int]:
    """Return how many boards this process has drawn as SVG, as PNG, and with resvg."""
    counts = picture_svg.DRAWING_COUNTER.read_counts()
    return counts.get("svg", 0), counts.get("png", 0), counts.get("resvg", 0)


def get_units_left(answer: Any) -> int:
    match = re.search(r"remaining=(\d+)", answer["RateLimit"])
    assert match
    return int(match[1])


@pytest.mark.parametrize("path", ["board.svg", "board.png", "board.png?width=100", "board.png?width=700"])
def test_what_has_not_changed_is_not_drawn(path: str) -> None:
    code = start_cast_game("ada", "bob").code
    first = Api("ada").get(f"games/{code}/{path}")
    before = count_drawings()
    for header_tag in (first["ETag"], f"W/{first['ETag']}", "*"):
        response = Api("bob").get(f"games/{code}/{path}", **{"If-None-Match": header_tag})
        assert (response.status_code, response.content, response["ETag"]) == (304, b"", first["ETag"])
    assert count_drawings() == before


@pytest.mark.parametrize("path", ["board.svg", "board.png"])
def test_the_first_to_ask_whether_it_has_changed_has_nothing_drawn_either(path: str) -> None:
    code = start_cast_game("ada", "bob").code
    data = Api("ada").get(f"games/{code}/").json()
    form = path[-3:]
    tag = picture_png.compute_board_tag(data, form=form, width=600 if form == "png" else 0)
    before = count_drawings()
    answer = Api("ada").get(f"games/{code}/{path}", **{"If-None-Match": f'"{tag}"'})
    assert (answer.status_code, count_drawings()) == (304, before)


def test_a_picture_that_is_kept_is_not_drawn_again() -> None:
    code = start_cast_game("ada", "bob").code
    first = Api("ada").get(f"games/{code}/board.png")
    before = count_drawings()
    responses = [
        Api(name).get(f"games/{code}/board.png{query}")
        for name in ("bob", None)
        for query in ("", "?width=421")
    ]
    assert {answer.content for answer in responses} == {first.content}
    assert count_drawings() == before
    Api("ada").get(f"games/{code}/board.png?width=300")
    assert count_drawings()[1] == before[1] + 1, "another width is another picture"


def test_a_picture_is_drawn_anew_after_a_move() -> None:
    code = start_cast_game("ada", mode="solo").code
    ada = Api("ada")
    tag = ada.get(f"games/{code}/board.png")["ETag"]
    for seq in range(40):
        legal = ada.get(f"games/{code}/actions/legal/").json()
        placing = [action for action in legal if action[1:2] == "-"]
        assert ada.play(code, (placing or legal)[0], seq).status_code == 201
        if placing:
            break
    before = count_drawings()
    fresh = ada.get(f"games/{code}/board.png", **{"If-None-Match": tag})
    assert (fresh.status_code, fresh["ETag"] != tag, count_drawings()[1]) == (200, True, before[1] + 1)


def test_widths_between_are_rounded_up_so_that_few_pieces_are_kept() -> None:
    code = start_cast_game("ada", "bob").code
    widths = {}
    for width_text in (100, 101, 300, 599, 601, 1199):
        answer = Api("ada").get(f"games/{code}/board.png?width={width_text}")
        widths[width_text] = struct.unpack(">II", answer.content[16:24])
    assert widths == {width: (picture_png.find_offered_width(width),) * 2 for width in widths}
    for width_text in ("99", "1201", "0", "-1", "x", ""):
        assert Api("ada").get(f"games/{code}/board.png?width={width_text}").status_code == 400
    assert picture_sprites.SPRITE_CACHE.used_bytes <= picture_sprites.SPRITE_CACHE.max_bytes


@pytest.mark.usefixtures("freeze_minute")
def test_a_drawn_picture_weighs_several_requests_and_a_kept_one_weighs_one(settings: Any) -> None:
    settings.API_RATE = 100
    code = start_cast_game("ada", "bob").code
    ada = Api("ada")
    left = get_units_left(ada.get("me/turns/"))
    drawn = ada.get(f"games/{code}/board.png")
    first_response = ada.get(f"games/{code}/board.png")
    same = ada.get(f"games/{code}/board.png", **{"If-None-Match": first_response["ETag"]})
    svg = ada.get(f"games/{code}/board.svg")
    weights = []
    for answer in (drawn, first_response, same, svg):
        weights.append(left - get_units_left(answer))
        left = get_units_left(answer)
    assert [drawn.status_code, first_response.status_code, same.status_code, svg.status_code] == [
        200,
        200,
        304,
        200,
    ]
    assert weights == [DRAWN_PICTURE_COST, 1, 1, 1]
    assert DRAWN_PICTURE_COST > 1


@pytest.mark.usefixtures("freeze_minute")
def test_who_asks_for_too_many_pictures_is_refused_before_they_are_drawn(settings: Any) -> None:
    settings.API_RATE_ANONYMOUS = 2 * DRAWN_PICTURE_COST + 2
    code = start_cast_game("ada", "bob").code
    anonymous = Api(None)
    assert anonymous.get(f"games/{code}/board.png?width=100").status_code == 200
    assert anonymous.get(f"games/{code}/board.png?width=300").status_code == 200
    before = count_drawings()
    refused = anonymous.get(f"games/{code}/board.png?width=420")
    assert (refused.status_code, refused["Content-Type"]) == (429, "application/problem+json")
    assert 1 <= int(refused["Retry-After"]) <= 60
    assert count_drawings() == before
    assert Api("ada").get(f"games/{code}/board.png?width=420").status_code == 200, "others are not held up"


@pytest.mark.usefixtures("freeze_minute")
def test_a_limit_below_the_weight_still_lets_one_picture_through(settings: Any) -> None:
    settings.API_RATE_ANONYMOUS = DRAWN_PICTURE_COST - 2
    code = start_cast_game("ada", "bob").code
    assert Api(None).get(f"games/{code}/board.png").status_code == 200
    assert Api(None).get(f"games/{code}/board.png").status_code == 429


def test_a_picture_of_a_private_game_is_kept_by_nobody_else_and_shown_to_nobody_else() -> None:
    game = start_cast_game("ada", "bob")
    Game.objects.filter(pk=game.pk).update(private=True)
    response = Api("ada").get(f"games/{game.code}/board.png")
    assert (response.status_code, response["Cache-Control"]) == (200, "private, no-cache")
    assert {"Authorization", "Cookie"} <= {name.strip() for name in response["Vary"].split(",")}
    for stranger in (Api("cleo"), Api(None)):
        for headers in ({}, {"If-None-Match": response["ETag"]}, {"If-None-Match": "*"}):
            assert stranger.get(f"games/{game.code}/board.png", **headers).status_code == 404


def test_kept_pictures_never_grow_beyond_their_slots_nor_touch_what_is_counted() -> None:
    caches["default"].set("counted", 1)
    for number in range(2 * picture_cache.SLOT_COUNT):
        picture_cache.store_picture(f"{number:08x}", b"%d" % number)
    assert picture_cache.find_picture("00000000") is None, "its slot was taken by a later one"
    last = 2 * picture_cache.SLOT_COUNT - 1
    assert picture_cache.find_picture(f"{last:08x}") == b"%d" % last
    kept_numbers = [
        number
        for number in range(2 * picture_cache.SLOT_COUNT)
        if picture_cache.find_picture(f"{number:08x}")
    ]
    assert len(kept_numbers) <= picture_cache.SLOT_COUNT
    assert caches["default"].get("counted") == 1
