"""What is limited by the hour, at the same moment: lines of chat, and our answers to mails."""

from __future__ import annotations

from datetime import timedelta

import pytest

from games.models import Delivery, FeedEntry, Message
from games.services import replies, social
from games.services.errors import Conflict
from tests.games.cast import NOW, game_of, player

from .test_limits import tried
from .test_races import again_and_again, at_once

pytestmark = pytest.mark.django_db(transaction=True)


@again_and_again
def test_of_sixteen_lines_of_chat_at_once_only_so_many_are_said(run: int) -> None:
    ada, game = player("ada"), game_of("ada", "bob")
    left = 2
    for number in range(social.MAX_MESSAGES_PER_PERIOD - left):
        social.post_chat_message(player=ada, code=game.code, text=f"line {number}", now=NOW)
    came = tried(
        [lambda: social.post_chat_message(player=ada, code=game.code, text="and another", now=NOW)] * 16
    )
    assert came == [""] * left + ["too-many-messages"] * (16 - left)
    assert Message.objects.filter(game=game, player=ada).count() == social.MAX_MESSAGES_PER_PERIOD
    assert FeedEntry.objects.filter(game=game, kind="chat").count() == social.MAX_MESSAGES_PER_PERIOD


def test_an_hour_later_and_at_another_table_one_may_talk_again() -> None:
    ada, game, other = player("ada"), game_of("ada", "bob"), game_of("ada", "cleo")
    for number in range(social.MAX_MESSAGES_PER_PERIOD):
        social.post_chat_message(player=ada, code=game.code, text=f"line {number}", now=NOW)
    with pytest.raises(Conflict):
        social.post_chat_message(player=ada, code=game.code, text="one more", now=NOW)
    social.post_chat_message(player=ada, code=other.code, text="hello", now=NOW)
    social.post_chat_message(player=player("bob"), code=game.code, text="my turn to talk", now=NOW)
    social.post_chat_message(
        player=ada, code=game.code, text="later", now=NOW + social.MESSAGE_LIMIT_PERIOD + timedelta(seconds=1)
    )


@again_and_again
def test_of_twelve_mails_read_at_once_only_so_many_are_answered(
    run: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada = player("ada")
    monkeypatch.setattr(replies, "MAX_ANSWERS_PER_PERIOD", 3)
    rows = [
        replies.get_or_create_inbound_mail(
            digest=f"{number:02}" * 32, sender=ada.email, recipient="play@x.example", now=NOW
        )
        for number in range(12)
    ]

    def finish(number: int) -> None:
        replies.finish_inbound_mail(
            inbound_mail=rows[number],
            outcome="refused",
            reason="",
            player=ada,
            answer_text="not played",
            now=NOW,
        )

    at_once(*[lambda number=number: finish(number) for number in range(12)])
    assert Delivery.objects.filter(player=ada, kind="reply").count() == 3
