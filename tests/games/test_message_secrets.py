"""Mails of a game contain no hidden information of other seats."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest
from django.conf import LazySettings

from accounts.models import Player
from games import engine, selectors
from games.mail.game_context import build_game_context
from games.models import Game, GameSecrets
from games.services import turns
from notifications.channels.email import mail_sender
from notifications.notice_kinds import NothingToSend, PushText, get_notice_kind
from tests.factories.cast import NOW, player, start_cast_game
from tests.factories.other_worlds import build_other_world
from tests.helpers.notice_helpers import ONE_MINUTE_LATER, create_delivery, play_turn, start_table

pytestmark = pytest.mark.django_db
LANGUAGES = ("en", "it", "nl")


@pytest.fixture(autouse=True)
def configure_site(settings: LazySettings) -> None:
    settings.REPLY_DOMAIN = "play.example.org"
    settings.SITE_URL = "https://otto.example.org"
    settings.DEFAULT_FROM_EMAIL = "OTTO online <otto@example.org>"


@pytest.mark.parametrize(
    ("names", "terms"), [(("ada", "bob"), {}), (("ada", "bob", "cleo", "dirk"), {"mode": "pairs"})]
)
def test_two_worlds_that_differ_in_what_the_reader_cannot_know_give_the_same_mail(
    names: tuple[str, ...], terms: dict[str, Any]
) -> None:
    rng = random.Random("worlds")
    game = start_cast_game(*names, **terms)
    for step in range(16):
        loaded_game = selectors.load_game(game.code)
        state = loaded_game.state
        assert state
        if step % 7 == 3:
            real = GameSecrets.objects.get(game=game).state
            for name in names:
                who = player(name)
                seat = game.seats.get(player=who).seat_no
                turn_seq = build_game_context(who, game.code, ONE_MINUTE_LATER).turn
                kind = "turn" if turn_seq is not None else "started"
                row = create_delivery(who, kind, game, seq=turn_seq or 0)
                first_mail = mail_sender.compose_mail(row, now=ONE_MINUTE_LATER)
                other = engine.dump_state(build_other_world(state, seat, rng))
                GameSecrets.objects.filter(game=game).update(state=other)
                assert other != real
                second_mail = mail_sender.compose_mail(row, now=ONE_MINUTE_LATER)
                GameSecrets.objects.filter(game=game).update(state=real)
                assert (first_mail.body, first_mail.alternatives, first_mail.subject) == (
                    second_mail.body,
                    second_mail.alternatives,
                    second_mail.subject,
                )
                assert [bytes(attachment) for attachment in first_mail.attachments] == [
                    bytes(two) for two in second_mail.attachments
                ]
        seat = state.seats_to_act[0]
        who = loaded_game.seat_by_no(seat).player
        assert who
        action = rng.choice(engine.legal_actions(state, seat))
        turns.play_action(player=who, code=game.code, text=action, seq=state.seq, key="", now=NOW)


def read_push_texts(who: Player, game: Game) -> list[PushText]:
    """Return the push texts of all kinds; each loads the game again."""
    texts = []
    for kind in ("turn", "reminder", "started", "over"):
        row = create_delivery(who, kind, game, seq=0)
        texts.append(get_notice_kind(kind).build_push_text(row, ONE_MINUTE_LATER))
    return texts


def test_push_messages_say_the_same_in_two_worlds_and_no_tile_or_card_of_either() -> None:
    rng, (game, first, second) = random.Random("push"), start_table()
    for _step in range(6):
        play_turn(game, NOW)
    state = selectors.load_game(game.code).state
    assert state
    for who in (first, second):
        real, real_texts = GameSecrets.objects.get(game=game).state, read_push_texts(who, game)
        seat = game.seats.get(player=who).seat_no
        GameSecrets.objects.filter(game=game).update(
            state=engine.dump_state(build_other_world(state, seat, rng))
        )
        assert read_push_texts(who, game) == real_texts
        GameSecrets.objects.filter(game=game).update(state=real)
        words = set(re.findall(r"\w+", " ".join(f"{text.title} {text.body}" for text in real_texts)))
        hands = {card for hand in state.hands for card in hand}
        assert hands
        assert not words & hands


def test_whoever_does_not_sit_there_gets_no_mail_of_a_game() -> None:
    game, _, _ = start_table()
    with pytest.raises(NothingToSend):
        mail_sender.compose_mail(create_delivery(player("eve"), "turn", game, seq=0), now=ONE_MINUTE_LATER)
    with pytest.raises(NothingToSend):
        mail_sender.compose_mail(create_delivery(player("ada"), "moved", game, seq=0), now=ONE_MINUTE_LATER)
