"""Mails about endings say what the page says, because both use one read model."""

from __future__ import annotations

import html
from email.message import EmailMessage

import pytest
from django.conf import LazySettings

from games.engine import ending_text
from games.game_text import build_translator
from games.models import Game
from games.selectors import load_view_for, match_summary
from games.services import turns
from notifications.channels.email import mail_sender
from tests.factories.cast import NOW, player, start_cast_game
from tests.factories.played_games import (
    EIGHT_SEED,
    SHOOT_OUT_SEED,
    SILLY_SEED,
    is_in_match,
    is_over,
    play_greedily,
)
from tests.factories.timing import get_name_to_act, start_seeded_game
from tests.helpers.notice_helpers import create_delivery, get_part, parse_mail
from tests.markup import normalise_html

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def configure_site(settings: LazySettings) -> None:
    settings.SITE_URL = "https://otto.example.org"


def compose_mail(name: str, kind: str, game: Game) -> EmailMessage:
    """Compose a mail about the current state of the game."""
    delivery = create_delivery(player(name), kind, game, seq=game.seq)
    return parse_mail(mail_sender.compose_mail(delivery, now=NOW))


def check_both_parts_say(mail: EmailMessage, sentences: list[str]) -> None:
    """Check that the plain and the HTML part contain every sentence."""
    plain = " ".join(get_part(mail, "plain").split())
    page = html.unescape(normalise_html(get_part(mail, "html")))
    assert sentences
    for sentence in sentences:
        assert sentence in plain
        assert sentence in page


@pytest.mark.parametrize("seed", [SILLY_SEED, EIGHT_SEED])
def test_the_mail_of_the_next_turn_sums_the_match_up_as_the_page_does(seed: int) -> None:
    game = play_greedily(start_seeded_game(seed, "ada", "bob"), is_in_match(2), NOW)
    name = get_name_to_act(game)
    view = load_view_for(player(name), game.code).view
    summary = match_summary.load_match_summary(view, game.seq)
    assert summary
    translator = build_translator(view)
    mail = compose_mail(name, "turn", game)
    assert mail["Subject"].startswith("Your turn against ")
    headline = ending_text.format_match_headline(summary, translator)
    check_both_parts_say(mail, [headline, *ending_text.describe_match_summary(summary, translator)])


@pytest.mark.parametrize(("name", "headline"), [("ada", "You lost 9 : 24"), ("bob", "You won 24 : 9")])
def test_the_result_is_mailed_with_score_reason_and_last_match(name: str, headline: str) -> None:
    game = play_greedily(start_seeded_game(SILLY_SEED, "ada", "bob"), is_over, NOW)
    mail = compose_mail(name, "over", game)
    assert mail["Subject"].startswith("Your game against ")
    check_both_parts_say(
        mail,
        [
            headline,
            "The target of 24 is reached, and the highest total wins.",
            "Match 2 is over: the board is full",
            "ada: 1 circle and 4 small circles; 6 points in this match, 9 in all.",
        ],
    )


def test_a_shoot_out_is_explained_in_the_mail() -> None:
    game = play_greedily(start_seeded_game(SHOOT_OUT_SEED, "ada", "bob"), is_over, NOW)
    check_both_parts_say(
        compose_mail("bob", "over", game),
        ["You lost", "level again after a blind match (27 : 27)", "Shoot-out, round 3: ada E, bob H."],
    )


def test_a_solo_result_is_mailed_with_what_was_missing() -> None:
    game = start_cast_game("ada", mode="solo")
    turns.play_action(player=player("ada"), code=game.code, text="resign", seq=None, key="", now=NOW)
    game.refresh_from_db()
    check_both_parts_say(
        compose_mail("ada", "over", game),
        ["The solo match is lost", "0 of 11 markers were placed, and no 8 was made."],
    )
