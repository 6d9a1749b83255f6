"""Mails that answer replies: the outcome of the reply, the current board, and the next step."""

from __future__ import annotations

import re
from email.message import EmailMessage

import pytest
from django.conf import LazySettings

from accounts.models import Player
from games import selectors, signed_links
from games.game_text import build_translator
from games.mail import compose, game_context
from games.models import Game
from notifications.channels.email import mail_sender, message
from notifications.inbound.addresses import read_address
from tests.helpers.notice_helpers import (
    ONE_MINUTE_LATER,
    create_delivery,
    get_part,
    parse_mail,
    play_turn,
    start_table,
)

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def configure_site(settings: LazySettings) -> None:
    settings.REPLY_DOMAIN = "play.example.org"
    settings.SITE_URL = "https://otto.example.org"
    settings.DEFAULT_FROM_EMAIL = "OTTO online <otto@example.org>"


def build_answer(
    who: Player, game: Game, outcome: str, text: str = "B b3 90: no", reply_text: str = "<x@y.z>"
) -> EmailMessage:
    return parse_mail(
        compose.build_reply_answer(
            player=who,
            code=game.code,
            outcome=outcome,
            text=text,
            now=ONE_MINUTE_LATER,
            in_reply_to=reply_text,
        )
    )


@pytest.mark.parametrize(
    ("outcome", "headline"),
    [
        ("played", "Played"),
        ("refused", "Not played"),
        ("confirm", "Do you resign?"),
        ("late", "This turn is over"),
    ],
)
def test_an_answer_joins_the_thread_and_shows_the_board(outcome: str, headline: str) -> None:
    game, first, _ = start_table()
    mail = build_answer(first, game, outcome, "one <line>\nanother")
    assert mail["Subject"].startswith("Re: Your turn against ")
    assert mail["In-Reply-To"] == "<x@y.z>"
    assert mail["References"] == f"{message.thread_id_of(first, game.code)} <x@y.z>"
    assert mail["Auto-Submitted"] == "auto-replied"
    assert get_part(mail, "plain").startswith(f"{headline}\n\none <line>\nanother\n")
    assert "one &lt;line&gt;<br>another" in get_part(mail, "html")
    assert [piece for piece in mail.walk() if piece.get_content_type() == "image/png"]


def test_to_resign_takes_a_reply_to_another_address_and_shows_nothing_to_play() -> None:
    game, first, _ = start_table()
    mail = build_answer(first, game, "confirm")
    address = read_address(mail["Reply-To"])
    assert address
    claimed = signed_links.read_turn(address[1])
    assert claimed
    assert address[0] == signed_links.RESIGN_PURPOSE
    assert signed_links.is_valid_turn_token(claimed, purpose=signed_links.RESIGN_PURPOSE, player_id=first.pk)
    assert "/turn/" not in get_part(mail, "plain").replace("/return/", "")
    assert "For example" not in get_part(mail, "plain")
    assert "yes" in get_part(mail, "plain")


def test_what_was_wrong_comes_with_examples_of_what_is_legal() -> None:
    game, first, _ = start_table()
    game_view = selectors.load_view_for(first, game.code)
    text = get_part(build_answer(first, game, "refused"), "plain")
    examples = game_context.pick_example_actions(game_view.legal_actions, build_translator(game_view.view))
    assert examples
    for typed, meaning in examples:
        assert re.search(rf"^    {re.escape(typed)} +{re.escape(meaning)}$", text, re.MULTILINE)


def test_when_it_is_nobody_elses_turn_an_answer_says_whose_it_is_and_takes_no_reply() -> None:
    game, first, second = start_table()
    play_turn(game, ONE_MINUTE_LATER)
    mail = build_answer(first, game, "played")
    assert mail["Reply-To"] is None
    assert f"Waiting for {second.name}." in get_part(mail, "plain")


@pytest.mark.parametrize(
    "reply_text", ["", "nonsense", "<a b@c>", "<x@y>\r\nBcc: eve@example.org", "<" + "x" * 500 + ">"]
)
def test_an_answer_to_a_mail_with_a_strange_name_is_a_mail_all_the_same(reply_text: str) -> None:
    game, first, _ = start_table()
    mail = build_answer(first, game, "late", reply_text=reply_text)
    assert mail["Bcc"] is None
    assert mail["References"].startswith(message.thread_id_of(first, game.code))
    assert len(mail["References"]) < 200


def test_an_answer_that_waited_in_the_outbox_is_the_same_answer() -> None:
    game, first, _ = start_table()
    row = create_delivery(
        first, "reply", game, outcome="refused", text="no", in_reply_to="<x@y.z>", code=game.code
    )
    stored_mail, direct = (
        parse_mail(mail_sender.compose_mail(row, now=ONE_MINUTE_LATER)),
        build_answer(first, game, "refused", "no"),
    )
    assert get_part(stored_mail, "plain") == get_part(direct, "plain")
    assert stored_mail["Message-ID"] == message.message_id_of(row)
