"""Texts of a game at every entry point: in the reader's language, with the names of the players."""

from __future__ import annotations

import random
import re
from html import unescape

import pytest
from django.test import Client
from django.utils import translation

from games import selectors
from games.engine import Setup, apply_action, build_view, legal_actions, parse_action, start_game, text
from games.engine.phrases import CARD_NAMES
from games.game_text import build_translator
from games.services import bots
from tests.factories.cast import NOW, Api, player, start_cast_game

pytestmark = pytest.mark.django_db
LANGUAGES = ["en", "it", "nl"]
SEATS = [{"seat": seat, "side": seat, "name": name} for seat, name in enumerate(("ada", "bob", "cleo"), 1)]


def read_page(name: str, code: str, language: str, more: str = "") -> str:
    """Return a page of a game in the language of its reader."""
    reader = player(name)
    reader.language = language
    reader.save()
    client = Client()
    client.force_login(reader)
    answer = client.get(f"/games/{code}/{more}")
    assert answer.status_code == 200
    return unescape(answer.content.decode())


@pytest.mark.parametrize(
    ("language", "sentences"),
    [
        ("en", ["Match 1: ada and cleo have 0 here", "Match 1 began; ", "Your tile"]),
        ("it", ["Partita 1: ada e cleo hanno 0 qui", "Comincia la partita 1: inizia ", "tesser"]),
        ("nl", ["Potje 1: ada en cleo hebben er hier 0", "Potje 1 begint; ", "Jouw tegel"]),
    ],
)
def test_a_page_speaks_the_language_of_its_reader_and_names_the_players(
    language: str, sentences: list[str]
) -> None:
    code = start_cast_game("ada", "bob", "cleo", "dirk", mode="pairs").code
    html = read_page("ada", code, language)
    assert f'<html lang="{language}">' in html
    game_view = selectors.load_view_for(player("ada"), code)
    with translation.override(language):
        lines = text.summarise_position(game_view.view, build_translator(game_view.view))
        lines += text.describe_own_position(
            game_view.view, build_translator(game_view.view), game_view.legal_actions
        )
    assert lines[0].startswith(sentences[0])
    assert any(sentences[2] in line for line in lines)
    for line in lines:
        assert line in html


def test_a_game_that_waits_for_players_has_names_but_no_numbers() -> None:
    code = start_cast_game("ada", seat_count=2).code
    translator = build_translator(selectors.load_view_for(player("ada"), code).view)
    assert (translator.seat_names, translator.side_seats) == ({}, {})
    assert read_page("ada", code, "it")


def test_the_board_in_words_follows_the_language_that_is_asked_for() -> None:
    code = start_cast_game("ada", "bob", cards=False).code
    closed = {"kind": "circle", "place": "frame+a1", "value": 2, "side": 1}
    view = selectors.load_view_for(None, code).view
    board = {"cells": {}, "figures": [closed]}
    with translation.override("it"):
        assert text.describe_figures(view | {"board": board}, build_translator(view)) == [
            "un cerchio tra la cornice e a1: ada, 2 punti"
        ]
    for language in LANGUAGES:
        answer = Api(None).get(f"games/{code}/board.txt", **{"Accept-Language": language})
        assert answer.status_code == 200
        assert "Accept-Language" in answer["Vary"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_sentence_of_many_games_can_be_said_in_every_language(language: str) -> None:
    translator, rng, sentences = build_translator({"seats": SEATS}), random.Random("said"), set()
    with translation.override(language):
        for number in range(12):
            edition = ("arcastudio-2.2", "bannan-nl")[number % 2]
            state, events = start_game(Setup(seats=3, edition=edition, target=10, key=rng.randbytes(32)))
            while True:
                for event in events:
                    sentence = text.narrate_event(event, translator)
                    sentences.add(sentence)
                    assert "{" not in sentence
                    assert not re.search("(seat|posto|plaats|side|squadra|partij) [0-9]", sentence), sentence
                if state.is_over:
                    break
                seat = rng.choice(state.seats_to_act)
                legal = legal_actions(state, seat)
                view = build_view(state, seat)
                lines = [
                    *text.summarise_position(view, translator),
                    *text.describe_own_position(view, translator, legal),
                ]
                lines += [
                    text.describe_action(rng.choice(legal), translator),
                    *text.describe_figures(view, translator),
                ]
                assert not any("{" in line for line in lines)
                state, events = apply_action(state, seat, rng.choice(legal))
    english = {"en": True, "it": False, "nl": False}[language]
    assert any(" drew tile " in sentence for sentence in sentences) is english


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_a_list_of_choices_says_can_be_typed(language: str) -> None:
    """In a reply, people type the words that the mail shows."""
    typed: set[str] = set()
    rng = random.Random("typed")
    with translation.override(language):
        for number in range(8):
            edition = ("arcastudio-2.2", "bannan-nl")[number % 2]
            state, _ = start_game(Setup(seats=3, edition=edition, key=rng.randbytes(32)))
            while not state.is_over:
                seat = rng.choice(state.seats_to_act)
                legal = legal_actions(state, seat)
                for action in filter(names_only_action, legal):
                    assert parse_action(state, seat, text.describe_action(action)) == action
                    assert (
                        parse_action(
                            state, seat, text.describe_action(action, build_translator({"seats": SEATS}))
                        )
                        == action
                    )
                    typed.add("a placement" if state.phase == "place" else action)
                state, _ = apply_action(state, seat, rng.choice(legal))
    assert typed >= {"draw", "TT", "ME", "RC", "RA", "RV-cw", "RV-ccw", "a placement"}


def names_only_action(action: str) -> bool:
    """True if the text of the action names neither a player nor a leap."""
    turned = re.fullmatch("[A-I]-[a-e][1-5]-(90|180|270)", action)
    return bool(turned) or action.removeprefix("CV=") in ("draw", "TT", "ME", "RC", "RA", "RV-cw", "RV-ccw")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_name_of_a_card_can_be_typed(language: str) -> None:
    state, _ = start_game(Setup(seats=3, key=bytes(32)))
    translator = build_translator({"seats": SEATS})
    with translation.override(language):
        for card in CARD_NAMES:
            if card in ("TT", "ME", "RC", "RA"):
                assert parse_action(state, 1, translator.format_card(card)) == card
            elif card == "OO":
                assert parse_action(state, 1, translator.format_card(card)) == "8"
        assert parse_action(state, 1, text.describe_action("pass", translator)) == "pass"


@pytest.mark.parametrize("more", ["", "?cell=c4", "replay/", "replay/?at=1", "fairness/"])
def test_bots_and_pictures_of_tiles_have_no_english_names_on_other_pages(more: str) -> None:
    game = start_cast_game("ada", bots=("greedy",), cards=False)
    bots.play_bot_turns(code=game.code, now=NOW)
    html = read_page("ada", game.code, "nl", more)
    assert "hebberige bot" in html
    assert "greedy bot" not in html
    titles = re.findall(r"<title>(.*?)</title>", html)
    assert not [title for title in titles if re.match("Tile|OTTO board", title)]
