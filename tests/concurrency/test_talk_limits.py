"""Hourly limits under concurrent requests: chat messages, and our answers to mails."""

from __future__ import annotations

from datetime import timedelta

import pytest

from common.service_errors import Conflict
from games.models import Message
from games.services import social
from notifications.models import Delivery, FeedEntry
from notifications.services import inbound_mail
from tests.factories.cast import NOW, player, start_cast_game
from tests.helpers.limits_at_once import run_all_at_once
from tests.helpers.races import again_and_again, run_at_once

pytestmark = pytest.mark.django_db(transaction=True)


@again_and_again
def test_of_sixteen_lines_of_chat_at_once_only_so_many_are_said(run: int) -> None:
    ada, game = player("ada"), start_cast_game("ada", "bob")
    left = 2
    for number in range(social.MAX_MESSAGES_PER_PERIOD - left):
        social.post_chat_message(player=ada, code=game.code, text=f"line {number}", now=NOW)
    came = run_all_at_once(
        [lambda: social.post_chat_message(player=ada, code=game.code, text="and another", now=NOW)] * 16
    )
    assert came == [""] * left + ["too-many-messages"] * (16 - left)
    assert Message.objects.filter(game=game, player=ada).count() == social.MAX_MESSAGES_PER_PERIOD
    assert FeedEntry.objects.filter(topic=game.topic, kind="chat").count() == social.MAX_MESSAGES_PER_PERIOD


def test_an_hour_later_and_at_another_table_one_may_talk_again() -> None:
    ada, game, other = player("ada"), start_cast_game("ada", "bob"), start_cast_game("ada", "cleo")
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
    monkeypatch.setattr(inbound_mail, "MAX_ANSWERS_PER_PERIOD", 3)
    rows = [
        inbound_mail.get_or_create_inbound_mail(
            digest=f"{number:02}" * 32, sender=ada.email, recipient="play@x.example", now=NOW
        )
        for number in range(12)
    ]

    def finish(number: int) -> None:
        inbound_mail.finish_inbound_mail(
            inbound_mail=rows[number],
            result=inbound_mail.InboundMailResult("refused", "not played"),
            player=ada,
            answer_kind="reply",
            now=NOW,
        )

    run_at_once(*[lambda number=number: finish(number) for number in range(12)])
    assert Delivery.objects.filter(player=ada, kind="reply").count() == 3
