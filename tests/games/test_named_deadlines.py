"""The deadline that ends the game first is shown everywhere, with its kind."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games.game_notice_kinds import GameNoticeKind
from games.models import Game
from games.selectors.deadlines import DeadlineKind, RoundEnd, find_first_deadline
from games.services import system_games
from notifications.channels.email import mail_sender
from notifications.models import Delivery, FeedEntry
from notifications.services import notices
from tests.factories.cast import NOW, Api, open_browser
from tests.factories.timing import DAY, HOUR, get_name_to_act, reload_player, start_quick_game

pytestmark = pytest.mark.django_db
LOOK = datetime.now(NOW.tzinfo).replace(microsecond=0)  # pages use the real time


@pytest.fixture
def game() -> Game:
    """A game in a tournament round whose player to act has a day and an hour from now."""
    game = start_quick_game("ada", "bob")
    clocks = game.seat_clocks
    for data in clocks.values():
        if data.get("at"):
            data["at"] = data["since"] = LOOK.isoformat()
    Game.objects.filter(pk=game.pk).update(
        seat_clocks=clocks, deadline=LOOK + timedelta(seconds=90_000 + 7_200), next_sweep_at=None
    )
    game.refresh_from_db()
    return game


def end_round(game: Game, at: datetime) -> RoundEnd:
    round_end = RoundEnd(at, "Spring Cup", 2, "/tournaments/spring/")
    system_games.set_round_end(codes=[game.code], round_end=round_end, now=LOOK)
    game.refresh_from_db()
    return round_end


BEFORE, AFTER = LOOK + 3 * HOUR, LOOK + 9 * DAY


def test_one_function_decides_which_deadline_comes_first(game: Game) -> None:
    turn = find_first_deadline(game, BEFORE)
    assert turn
    assert (turn.at, turn.kind, turn.round_end) == (BEFORE, DeadlineKind.TURN, None)
    assert find_first_deadline(game, None) is None
    round_end = end_round(game, LOOK + 5 * HOUR)
    first = find_first_deadline(game, LOOK + 6 * HOUR)
    assert first
    assert (first.at, first.kind, first.round_end) == (round_end.ends_at, DeadlineKind.ROUND, round_end)
    stopped = find_first_deadline(game, None)
    assert stopped
    assert stopped.kind == DeadlineKind.ROUND
    turn = find_first_deadline(game, BEFORE)
    assert turn
    assert turn.kind == DeadlineKind.TURN


@pytest.mark.parametrize(("ends_at", "is_round"), [(BEFORE, True), (AFTER, False)])
def test_pages_name_it(game: Game, ends_at: datetime, is_round: bool) -> None:
    end_round(game, ends_at)
    name = get_name_to_act(game)
    browser = open_browser(name)
    for path in (f"/games/{game.code}/", "/games/", "/me/time/"):
        page = " ".join(browser.get(path).content.decode().split())
        assert ("Move by <time" in page) is not is_round, path
        if is_round:
            assert "Round 2 of Spring Cup ends on" in page, path
    page = " ".join(browser.get("/me/time/").content.decode().split())
    assert ("Round ends <time" in page) is is_round


@pytest.mark.parametrize(("ends_at", "kind"), [(BEFORE, "round"), (AFTER, "turn"), (None, "turn")])
def test_the_api_names_it_in_views_and_rows(game: Game, ends_at: datetime | None, kind: str) -> None:
    if ends_at:
        end_round(game, ends_at)
    api = Api(get_name_to_act(game))
    rows: list[dict[str, Any]] = [
        api.get(f"games/{game.code}/").json(),
        api.get("me/turns/").json()[0],
        next(row for row in api.get("me/time/").json()["clocks"] if row["on_turn"]),
    ]
    for row in rows:
        assert row["deadline_kind"] == kind
        assert (row["deadline"] == BEFORE.strftime("%Y-%m-%dT%H:%M:%SZ")) is (kind == "round")


def test_without_a_deadline_there_is_no_kind() -> None:
    game = start_quick_game("ada", "bob")
    Game.objects.filter(pk=game.pk).update(to_act_mask=0, deadline=None)
    assert Api("ada").get(f"games/{game.code}/").json()["deadline_kind"] is None


@pytest.mark.parametrize(("ends_at", "is_round"), [(BEFORE, True), (AFTER, False)])
def test_mails_name_it(game: Game, ends_at: datetime, is_round: bool) -> None:
    end_round(game, ends_at)
    name = get_name_to_act(game)
    FeedEntry.objects.filter(player__name=name, kind=GameNoticeKind.TURN).update(notify_at=LOOK)
    notices.fan_out_notices(now=LOOK)
    mail = mail_sender.compose_mail(Delivery.objects.get(player__name=name), now=LOOK)
    body = " ".join(str(mail.body).split())
    assert ("Round 2 of Spring Cup ends on" in body) is is_round
    assert ("Move by " in body) is not is_round


@pytest.mark.parametrize(("ends_at", "is_round"), [(BEFORE, True), (AFTER, False)])
def test_the_calendar_names_it(game: Game, ends_at: datetime, is_round: bool) -> None:
    end_round(game, ends_at)
    player = reload_player(get_name_to_act(game))
    text = Client().get(f"/feeds/{player.feed_token}/deadlines.ics").content.decode()
    assert ("SUMMARY:OTTO: the round ends" in text) is is_round
    assert ("SUMMARY:OTTO: your move is due" in text) is not is_round


def test_a_list_needs_no_query_for_each_row(game: Game) -> None:
    name = get_name_to_act(game)
    end_round(game, BEFORE)
    api = Api(name)

    def count_queries() -> int:
        with CaptureQueriesContext(connection) as queries:
            assert api.get("me/turns/").status_code == 200
        return len(queries)

    count_queries()
    first_count = count_queries()
    for _other in range(3):
        end_round(start_quick_game("ada", "bob"), BEFORE)
    assert count_queries() == first_count
