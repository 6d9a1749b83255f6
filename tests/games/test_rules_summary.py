"""The rules on one page and the player aid: correct for each edition and language, one sheet each."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from django.test import Client
from django.utils import translation

from games.engine import list_edition_names, load_edition
from games.web import rules_summary

LANGUAGES = ["en", "it", "nl"]
pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("sheet", rules_summary.SHEETS)
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("paper", rules_summary.PAPER_SIZES)
@pytest.mark.parametrize("edition", list_edition_names())
def test_a_sheet_fits_on_one_page_of_paper(sheet: str, language: str, paper: str, edition: str) -> None:
    assert len(rules_summary.layout_sheet(sheet, language, paper, edition).pages) == 1


def test_a_pdf_is_served_with_its_name_and_may_be_cached(client: Client) -> None:
    response = client.get("/rules/summary.pdf?language=it&paper=letter")
    assert response.status_code == 200
    assert response["Content-Type"] == "application/pdf"
    assert response["Content-Disposition"] == 'inline; filename="otto-summary-it-letter.pdf"'
    assert "max-age" in response["Cache-Control"]
    assert response.content.startswith(b"%PDF")


@pytest.mark.parametrize(
    "path",
    [
        "/rules/summary.pdf?language=de",
        "/rules/summary.pdf?paper=a5",
        "/rules/summary/?edition=none",
        "/rules/cards.pdf?edition=none",
    ],
)
def test_what_there_is_not_is_not_found(client: Client, path: str) -> None:
    assert client.get(path).status_code == 404


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("edition", list_edition_names())
def test_both_pages_list_the_cards_of_the_edition(client: Client, edition: str, language: str) -> None:
    copies = Counter(load_edition(edition).deck)
    for path in ("/rules/summary/", "/rules/cards/"):
        response = client.get(path, {"edition": edition}, HTTP_ACCEPT_LANGUAGE=language)
        counts = [int(count) for count in re.findall(r"× (\d+)", response.content.decode())]
        assert counts == [copies[card] for card in load_edition(edition).cards]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_numbers_of_the_summary_are_those_of_the_engine(client: Client, language: str) -> None:
    with translation.override(language):
        context = rules_summary.build_sheet_context(language, "arcastudio-2.2")
    html = client.get("/rules/summary/", HTTP_ACCEPT_LANGUAGE=language).content.decode()
    markers = dict(context["edition"].markers)
    words = re.sub(r"<svg.*?</svg>|<[^>]+>", " ", html, flags=re.DOTALL)
    figures = re.findall(r"(\d) (?:points?|punt[oi]|punten|punt), (\d)", words)
    assert [(int(points), int(count)) for points, count in figures] == sorted(markers.items())
    assert f"{context['edition'].total_marker_points} + 8" in words
    assert f"{sum(markers.values())} " in words
    values = [int(value) for value in re.findall(r"</svg> (\d+)</li>", html)]
    assert values == [tile.value for tile in context["tiles"]]


def test_a_page_offers_its_pdfs_where_they_can_be_made(client: Client) -> None:
    html = client.get("/rules/cards/").content.decode()
    for paper in rules_summary.PAPER_SIZES:
        assert f'href="/rules/cards.pdf?language=en&amp;paper={paper}&amp;edition=arcastudio-2.2"' in html


def test_without_the_library_a_pdf_is_refused_with_a_hint_and_not_offered(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*args: str) -> None:
        raise rules_summary.PDFUnavailable("no Pango")

    monkeypatch.setattr(rules_summary, "draw_sheet_pdf", fail)
    monkeypatch.setattr(rules_summary, "has_pdf_library", lambda: False)
    response = client.get("/rules/cards.pdf")
    assert response.status_code == 503
    assert "Print the page" in response.content.decode()
    assert ".pdf" not in client.get("/rules/cards/").content.decode()


def test_dutch_readers_get_the_dutch_edition_without_asking(client: Client) -> None:
    for language, has_either_way in (("en", False), ("it", False), ("nl", True)):
        page = client.get("/rules/cards/", HTTP_ACCEPT_LANGUAGE=language).content.decode()
        assert ("RV · ×" in page) == has_either_way


def test_the_summary_draws_each_card(client: Client) -> None:
    for edition in list_edition_names():
        page = client.get("/rules/summary/", {"edition": edition}).content.decode()
        assert len(re.findall(r'<dt><svg aria-hidden="true"', page)) == len(load_edition(edition).cards)


@pytest.mark.parametrize(
    ("language", "pairs", "saved"),
    [
        ("en", "seats 1 and 3 against 2 and 4", "saves the points of a side"),
        ("it", "i posti 1 e 3 contro 2 e 4", "salva i punti di una squadra"),
        ("nl", "plaats 1 en 3 tegen 2 en 4", "de punten van een partij redt"),
    ],
)
def test_the_summary_says_how_pairs_sit_and_whose_points_a_card_saves(
    client: Client, language: str, pairs: str, saved: str
) -> None:
    words = " ".join(client.get("/rules/summary/", HTTP_ACCEPT_LANGUAGE=language).text.split())
    assert pairs in words
    assert saved in words


def test_the_summary_says_that_bannan_passes_a_figure_on_at_once(client: Client) -> None:
    for edition in list_edition_names():
        page = client.get("/rules/summary/", {"edition": edition}).content.decode()
        is_at_once = load_edition(edition).unmarked_rule == "at-once"
        assert ("to the next player, clockwise" in page) == is_at_once


def test_only_the_summary_of_an_edition_with_cards_tells_everybody_to_take_one(client: Client) -> None:
    for edition in list_edition_names():
        words = " ".join(client.get("/rules/summary/", {"edition": edition}).content.decode().split())
        assert ("and one secret card." in words) == load_edition(edition).default_cards
        assert ("and with cards one secret card." in words) != load_edition(edition).default_cards


def test_the_player_aid_says_what_limits_a_card_and_paper_names_the_authors(client: Client) -> None:
    page = client.get("/rules/cards/").content.decode()
    assert "with a marker stay. Something must change." in page
    assert "You can also answer an 8 with it." in page
    with translation.override("en"):
        for sheet in rules_summary.SHEETS:
            (paper,) = rules_summary.layout_sheet(sheet, "en", "a4", "pergioco-72").pages
            text = " ".join(box.text for box in paper._page_box.descendants() if hasattr(box, "text"))
            assert "a game by Franco Caniatti and Arcastudio" in " ".join(text.split())


def test_the_summary_says_who_marks_what_is_left(client: Client) -> None:
    for edition in list_edition_names():
        page = client.get("/rules/summary/", {"edition": edition}).content.decode()
        is_next_side = load_edition(edition).unmarked_rule == "next-side"
        assert ("the player before you could not mark" in page) == is_next_side
        assert ("that nobody could mark" in page) != is_next_side
