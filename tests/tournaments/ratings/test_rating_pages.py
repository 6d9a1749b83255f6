"""Pages of ratings: the list of the best players, and a player's history as a picture."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any
from xml.etree import ElementTree

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import Player
from games.models import Game
from tests.factories.events import NOW, get_player
from tests.factories.rated_games import game
from tests.markup import normalise_html
from tournaments.models import Rating, RatingChange
from tournaments.ratings import selectors as rating_selectors
from tournaments.ratings import web as rating_views

pytestmark = pytest.mark.django_db


def create_rating(name: str, mu: float = 25.0, mode: str = "singles", games: int = 3) -> Rating:
    return Rating.objects.create(player=get_player(name), mode=mode, mu=mu, sigma=4.0, game_count=games)


def create_rating_changes(rating: Rating, count: int) -> None:
    """Create rows of rated games without playing them; only their number matters."""
    first = game("bob", "cleo", rated=False, to_the_end=False)
    fields = {
        field.attname: getattr(first, field.attname)
        for field in Game._meta.concrete_fields
        if field.attname not in ("id", "code", "finished_at")
    }
    rated_games = Game.objects.bulk_create(
        Game(**fields, code=f"x{number:011d}", finished_at=NOW + timedelta(hours=number))
        for number in range(count)
    )
    RatingChange.objects.bulk_create(
        RatingChange(
            rating=rating,
            game=game_row,
            seat_no=1,
            mu_before=25,
            sigma_before=8,
            mu=20 + number % 17,
            sigma=8 - 6 * number / count,
        )
        for number, game_row in enumerate(rated_games)
    )
    Rating.objects.filter(pk=rating.pk).update(game_count=count)


def parse_plots(text: str) -> list[ElementTree.Element]:
    return [ElementTree.fromstring(svg) for svg in re.findall(r"<svg class=\"plot\".*?</svg>", text, re.S)]


def list_points(svg: ElementTree.Element, name: str) -> list[tuple[float, float]]:
    points_text = next(element for element in svg.iter() if element.get("class") == name).get("points") or ""
    return [tuple(map(float, point.split(","))) for point in points_text.split()]  # type: ignore[misc]


# ------------------------------------------------------------------------------------------------ the picture


def test_a_profile_shows_how_the_rating_came_about(client: Client) -> None:
    create_rating_changes(create_rating("ada"), 5)
    text = client.get("/players/ada/").text
    (svg,) = parse_plots(text)
    titles = {element.get("id"): element.text for element in svg if element.tag in ("title", "desc")}
    assert svg.get("role") == "img"
    assert (svg.get("aria-labelledby") or "").split() == list(titles)
    assert "After 5 rated games: 1460, ± 128." in (titles["plot-singles-description"] or "")
    line, band = list_points(svg, "line"), list_points(svg, "band")
    assert len(line) == 5
    assert len(band) == 10
    assert [x for x, _y in line] == sorted(x for x, _y in line)
    assert line[0][1] > line[-1][1], "from 1300 to 1460 it goes up"
    for (x, y), (_x, above), (_same, below) in zip(line, band[:5], band[:4:-1], strict=True):
        assert above < y < below
        assert rating_views.PLOT_LEFT <= x <= rating_views.PLOT_RIGHT
        assert rating_views.PLOT_TOP <= above < below <= rating_views.PLOT_BOTTOM
    ticks = [element.text for element in svg.iter() if element.get("class") == "of-rating"]
    assert 2 <= len(ticks) <= 7
    assert "Show as text" in text
    assert "<td>March 2026</td><td>1460 ± 128</td>" in normalise_html(text)
    assert "2026-03" not in text, "nobody is told on which day somebody was here"


def test_each_mode_has_a_picture_and_who_was_never_rated_has_none(client: Client) -> None:
    create_rating_changes(create_rating("ada"), 1)
    Game.objects.filter(code__startswith="x").update(code=Game.objects.count())
    create_rating_changes(create_rating("ada", mode="pairs"), 2)
    text = client.get("/players/ada/").text
    assert len(parse_plots(text)) == 2
    assert text.index("Single players: ") < text.index("Pairs: ")
    get_player("fay")
    assert 'id="rating"' not in client.get("/players/fay/").text


def test_ten_thousand_games_are_drawn_as_two_hundred_points(client: Client) -> None:
    rating = create_rating("ada")
    create_rating_changes(rating, 10_000)
    ada = get_player("ada")
    with CaptureQueriesContext(connection) as queries:
        (history,) = rating_selectors.load_rating_histories(ada)
    assert len(queries) == 1
    assert history.game_count == 10_000
    assert len(history.points) == rating_selectors.MAX_HISTORY_POINTS
    assert history.points[-1].game_count == 10_000, "the newest is always drawn"
    gaps = {b.game_count - a.game_count for a, b in zip(history.points, history.points[1:], strict=False)}
    assert gaps == {50}
    answer = client.get("/players/ada/")
    assert len(answer.content) < 100_000
    assert len(list_points(parse_plots(answer.text)[0], "line")) == rating_selectors.MAX_HISTORY_POINTS
    assert answer.text.count("<tr>") < 30


@pytest.mark.parametrize("count", [199, 200, 201, 399])
def test_never_more_points_than_that(count: int) -> None:
    rating = create_rating("ada")
    create_rating_changes(rating, count)
    (history,) = rating_selectors.load_rating_histories(get_player("ada"))
    assert (
        rating_selectors.MAX_HISTORY_POINTS / 2 <= len(history.points) <= rating_selectors.MAX_HISTORY_POINTS
    )
    assert history.points[-1].game_count == count


def test_a_profile_asks_one_question_more(client: Client) -> None:
    create_rating_changes(create_rating("ada"), 3)
    with CaptureQueriesContext(connection) as queries:
        client.get("/players/ada/")
    statements = [query["sql"] for query in queries]
    assert sum("tournaments_rating" in sql for sql in statements) == 1
    assert len(statements) <= 12


def test_numbers_of_a_picture_are_the_same_in_every_language(client: Client) -> None:
    create_rating_changes(create_rating("ada"), 3)
    points_by_language = {
        language: list_points(
            parse_plots(client.get("/players/ada/", headers={"Accept-Language": language}).text)[0], "band"
        )
        for language in ("en", "it", "nl")
    }
    assert points_by_language["en"] == points_by_language["it"] == points_by_language["nl"]


# --------------------------------------------------------------------------------------------------- the list


def list_names(text: str) -> list[str]:
    return re.findall(r'<th scope="row"><a href="/players/([^/]+)/">', text)


def test_the_best_come_first_in_each_mode(client: Client) -> None:
    create_rating("ada", 30)
    create_rating("bob", 20)
    create_rating("cleo", 35)
    create_rating("ada", 21, "pairs")
    create_rating("dirk", 40, games=0)
    deleted_rating = create_rating("eve", 41)
    Rating.objects.filter(pk=deleted_rating.pk).update(player=None)
    answer = client.get("/ratings/")
    assert answer.status_code == 200
    assert list_names(answer.text) == ["cleo", "ada", "bob"]
    assert "<b>1900</b>" in answer.text
    assert "You start at 1500." in answer.text
    assert list_names(client.get("/ratings/?mode=pairs").text) == ["ada"]
    assert 'class="own"' not in answer.text
    client.force_login(get_player("bob"))
    assert client.get("/ratings/").text.count('class="own"') == 1


@pytest.mark.parametrize(
    "query", ["mode=%00", "mode=chess", "page=0", "page=-1", "page=x", "page=" + "9" * 40]
)
def test_whatever_is_asked_for_there_is_a_page(client: Client, query: str) -> None:
    create_rating("ada")
    assert list_names(client.get(f"/ratings/?{query}").text) == ["ada"]


def test_a_long_list_has_pages_of_constant_cost(client: Client) -> None:
    people = Player.objects.bulk_create(
        Player(name=f"q{number}", email=f"q{number}@example.org", joined_at=NOW) for number in range(120)
    )
    Rating.objects.bulk_create(
        Rating(player=player_row, mode="singles", mu=20 + number / 10, sigma=3, game_count=1)
        for number, player_row in enumerate(people)
    )
    client.get("/ratings/")
    seen_names: list[str] = []
    for page in (1, 2, 3):
        with CaptureQueriesContext(connection) as queries:
            answer = client.get(f"/ratings/?page={page}")
        assert len(queries) <= 3, [query["sql"] for query in queries]
        assert len(answer.content) < 100_000
        seen_names += list_names(answer.text)
    assert seen_names == [f"q{number}" for number in range(119, -1, -1)]
    assert "Page 3 of 3" in answer.text


def test_before_anybody_is_rated_the_page_says_so(client: Client) -> None:
    assert "No rated games here yet" in client.get("/ratings/").text


def test_real_games_make_a_real_picture(client: Client) -> None:
    from tournaments.ratings import services as ratings

    game("ada", "bob")
    game("ada", "bob")
    ratings.rate_finished_games(now=NOW)
    history: Any = rating_selectors.load_rating_histories(get_player("ada"))[0]
    assert [point.game_count for point in history.points] == [1, 2]
    assert history.points[-1].mu == Rating.objects.get(player=get_player("ada")).mu
    assert list_names(client.get("/ratings/").text) in (["ada", "bob"], ["bob", "ada"])
