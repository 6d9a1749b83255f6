"""A mail shows a game either before a move or after it, never a mixture."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection, transaction

from games.models import Game
from notifications.channels.email import mail_sender
from notifications.models import Delivery
from notifications.notice_kinds import NothingToSend
from notifications.services import notices
from tests.factories.cast import NOW
from tests.factories.timing import HOUR, get_name_to_act, play_first_legal, start_quick_game

pytestmark = pytest.mark.django_db
SOON_AFTER = NOW + HOUR
NEVER = 10_000


def compose_with_move_before_query(
    delivery: Delivery, move: Callable[[], Any], query_no: int
) -> tuple[str, int]:
    """Compose the mail with a move right before this query; return text and query count, and roll back."""
    count, is_moving = 0, False

    def run_query(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        nonlocal count, is_moving
        if not is_moving:
            count += 1
            if count == query_no:
                is_moving = True
                move()
                is_moving = False
        return execute(sql, params, many, context)

    with transaction.atomic():
        with connection.execute_wrapper(run_query):
            try:
                mail = mail_sender.compose_mail(delivery, now=SOON_AFTER)
                text = f"{mail.subject}\n{mail.body}"
            except NothingToSend:
                text = ""
        transaction.set_rollback(True)
    return text, count


def load_delivery(game: Game) -> Delivery:
    """Return the turn mail of the player to act."""
    notices.fan_out_notices(now=SOON_AFTER)
    return Delivery.objects.select_related("player").get(
        player__name=get_name_to_act(game), kind="turn", topic=game.topic
    )


def collect_mails(game: Game, move: Callable[[], Any]) -> tuple[str, str, set[str]]:
    """Return the mail without the move, the mail after it, and all mails with a move before one query."""
    delivery = load_delivery(game)
    before, query_count = compose_with_move_before_query(delivery, move, NEVER)
    after, _count = compose_with_move_before_query(delivery, move, 1)
    assert query_count > 3
    mails = {
        compose_with_move_before_query(delivery, move, number)[0] for number in range(1, query_count + 1)
    }
    return before, after, mails


def test_a_draw_between_two_queries_is_in_all_of_the_mail_or_in_none() -> None:
    game = start_quick_game("ada", "bob")
    before, after, mails = collect_mails(game, lambda: play_first_legal(Game.objects.get(pk=game.pk), "draw"))
    assert before != after
    assert after
    assert mails == {before, after}


def test_a_turn_that_ends_between_two_queries_is_shown_as_it_was_or_not_at_all() -> None:
    game = start_quick_game("ada", "bob")
    play_first_legal(game, "draw")
    before, after, mails = collect_mails(game, lambda: play_first_legal(Game.objects.get(pk=game.pk)))
    assert "Your turn" in before
    assert after == ""
    assert mails == {before, after}
