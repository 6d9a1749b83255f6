"""The rules page in three languages agrees with the engine and with the vocabulary of the game."""

from __future__ import annotations

import html
import re
from collections import Counter
from itertools import pairwise

import pytest
from django.conf import settings
from django.db import connection
from django.template import Context, Template
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import translation
from django.utils.translation import gettext

from games import clock, diagrams, picture_svg
from games.engine import DEFAULT_EDITION, IllegalAction, list_edition_names, load_edition
from games.engine.board import CELL_INDEX, CELL_NEIGHBOURS, load_board
from games.engine.phrases import CARD_NAMES
from games.engine.solo import EIGHT_POINTS, FREE_CELL_POINTS, SOLO_GRADES
from games.engine.text import ENGLISH_TRANSLATOR, GameTranslator
from games.picture_lines import BOARD_EXTENT
from games.positions import play_placements
from tests.factories.cast import open_browser, player, start_cast_game
from tests.markup import normalise_html

LANGUAGES = [code for code, _ in settings.LANGUAGES]
OTHERS = [code for code in LANGUAGES if code != "en"]
BOX = load_edition(DEFAULT_EDITION)
# Figures that are closed on each diagram, and the sides that marked them, as the text states.
SHOWN = {
    "start": [],
    "places": [],
    "circle": [("circle", "c3+c4+d3+d4", 1)],
    "small-circle": [("small circle", "c4+d4", 1)],
    "square": [("square", "frame+d5+e5", 2)],
    "eight": [("circle", "c3+c4+d3+d4", 1), ("infinity", "b5+c5+d5", 2)],
    "corner": [("circle", "frame+e1", 2)],
    "two": [("circle", "frame+e1", 2), ("square", "frame+e1+e2", 2)],
    "mixed": [],
}
NAME_OF_THE_EIGHT = re.compile(r"\b(?:an|the) 8\b|l['’]8\b", re.IGNORECASE)  # a name, not a number


def read_page(language: str, edition: str = DEFAULT_EDITION) -> str:
    answer = Client().get("/rules/", {"edition": edition}, headers={"accept-language": language})
    assert answer.status_code == 200
    assert answer["Content-Language"] == language
    return normalise_html(answer.content.decode())


def strip_pictures(part: str) -> str:
    """Return the text without pictures and examples, which tests/games/test_rule_examples.py covers."""
    part = re.sub(r"<svg.*?</svg>|<details>.*?</details>", "", part, flags=re.DOTALL)
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]+>", " ", part)))


def split_sections(language: str, edition: str = DEFAULT_EDITION) -> dict[str, str]:
    page = read_page(language, edition)
    return dict(re.findall(r'<section id="([a-z-]+)">(.*?)</section>', page, flags=re.DOTALL))


def read_source(language: str) -> str:
    return (settings.BASE_DIR / "templates/games/rules" / f"{language}.html").read_text()


def list_numbers(part: str) -> list[str]:
    return re.findall(r"\d+(?:\.\d+)?", NAME_OF_THE_EIGHT.sub("", strip_pictures(part)))


# -------------------------------------------------------------------------------- one page in three languages


@pytest.mark.parametrize("edition", list_edition_names())
@pytest.mark.parametrize("language", OTHERS)
def test_every_language_has_the_same_sections_headings_diagrams_and_numbers(
    language: str, edition: str
) -> None:
    english, translated = split_sections("en", edition), split_sections(language, edition)
    assert list(english) == list(translated)
    for name in english:
        assert list_numbers(english[name]) == list_numbers(translated[name]), name
        for tag in ("h2", "h3", "p", "li", "figure", "figcaption", "dt", "dd", "code", "dfn"):
            assert english[name].count(f"<{tag}") == translated[name].count(f"<{tag}"), (name, tag)
    drawn = r"{% (?:diagram_image|tile|card) \"[\w-]+\""
    assert re.findall(drawn, read_source("en")) == re.findall(drawn, read_source(language))


def find_diagram_descriptions(page: str) -> list[str]:
    figures = "".join(re.findall(r"<figure.*?</figure>", page, re.DOTALL))
    return [description for description in re.findall(r'alt="(.*?)"', figures) if description]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_page_is_in_its_own_language_and_words(language: str) -> None:
    html = read_page(language)
    assert f'<html lang="{language}">' in html
    texts = {code: strip_pictures("".join(split_sections(code).values())) for code in LANGUAGES}
    titles = find_diagram_descriptions(html)
    assert len(titles) == len(diagrams.DIAGRAMS)
    assert all(titles)
    for other in LANGUAGES:
        if other != language:
            assert texts[other] != texts[language]
            assert not {*titles} & {*find_diagram_descriptions(read_page(other))}


@pytest.mark.parametrize("language", LANGUAGES)
def test_headings_are_in_order_and_the_contents_lead_to_every_section(language: str) -> None:
    html = read_page(language)
    levels = [int(level) for level in re.findall(r"<h(\d)", html)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
    contents = re.search(r'<nav class="contents".*?</nav>', html, flags=re.DOTALL)[0]  # type: ignore[index]
    titles = {
        name: re.search("<h2>(.+?)</h2>", part)[1]  # type: ignore[index]
        for name, part in split_sections(language).items()
    }
    assert dict(re.findall(r'<a href="#([a-z-]+)">(.+?)</a>', contents)) == titles
    assert len(titles) == levels.count(2)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_diagram_is_a_figure_with_a_caption_and_a_description(language: str) -> None:
    figures = re.findall(r"<figure.*?</figure>", read_page(language), flags=re.DOTALL)
    assert len(figures) == len(diagrams.DIAGRAMS)
    for figure in figures:
        assert figure.count("<img") == figure.count("<figcaption>") == 1
        assert figure.count('width="320" height="320"') == 1
        assert "style=" not in figure
    picture_names = re.findall(r'src="/rules/pictures/([\w-]+)\.svg"', "".join(figures))
    assert {*picture_names} == {*diagrams.DIAGRAMS}


def test_readers_may_ask_for_another_language() -> None:
    answer = Client().get("/rules/?language=it", headers={"accept-language": "nl"})
    assert answer["Content-Language"] == "it"
    html = normalise_html(answer.content.decode())
    assert '<html lang="it">' in html
    assert re.search(r'href="\?language=it" lang="it" hreflang="it" aria-current="true"', html)
    assert Client().get("/rules/?language=../../etc")["Content-Language"] == "en"
    assert Client().get("/rules/", headers={"accept-language": "fi"})["Content-Language"] == "en"
    assert Client().post("/rules/").status_code == 405


@pytest.mark.django_db
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_page_is_small_and_costs_nothing(language: str) -> None:
    with CaptureQueriesContext(connection) as queries:
        answer = Client().get(f"/rules/?language={language}")
    assert len(queries) == 0
    assert len(answer.content) < 100_000
    ada = Client()
    ada.force_login(player("ada"))
    with CaptureQueriesContext(connection) as queries:
        ada.get("/rules/")
    assert len(queries) <= 12


@pytest.mark.django_db
def test_players_read_the_rules_in_their_own_language() -> None:
    ada = player("ada")
    ada.language = "nl"
    ada.save()
    client = Client()
    client.force_login(ada)
    assert client.get("/rules/", headers={"accept-language": "it"})["Content-Language"] == "nl"


# --------------------------------------------------------------------------- agreement with the engine's data


@pytest.mark.parametrize("name", SHOWN)
def test_a_diagram_shows_the_figures_that_the_text_speaks_of(name: str) -> None:
    figures = diagrams.build_diagram_view(name)["board"]["figures"]
    assert [(figure["kind"], figure["place"], figure["side"]) for figure in figures] == SHOWN[name]


def test_the_match_under_way_has_figures_of_every_kind_for_both_sides() -> None:
    figures = diagrams.build_diagram_view("match")["board"]["figures"]
    kinds = {(figure["kind"], figure["side"]) for figure in figures}
    assert kinds == {(kind, side) for kind in ("circle", "small circle", "square") for side in (1, 2)}
    assert {*SHOWN, "match"} == {*diagrams.DIAGRAMS}


@pytest.mark.parametrize("name", diagrams.DIAGRAMS)
def test_a_diagram_can_be_laid_from_one_box_and_its_figures_are_closed(name: str) -> None:
    state = diagrams.build_diagram_position(name)
    cells = diagrams.build_diagram_view(name)["board"]["cells"]
    assert set(cells) == {"c3", *(placement[2:4] for placement in diagrams.DIAGRAMS[name].placements)}
    used = Counter(tile["tile"] for cell, tile in cells.items() if cell != "c3")
    assert all(count <= BOX.tiles[kind].copies for kind, count in used.items())
    # By the board tables, the last tile closes the figure that the diagram shows as closed last.
    tables = load_board(BOX)
    if diagrams.DIAGRAMS[name].placements:
        _, t, x = tables.placements[diagrams.DIAGRAMS[name].placements[-1]]
        before = [0 if y == x else code for y, code in enumerate(state.cells)]
        closed, eights = tables.find_closed_figures(x, t, tables.rebuild_position(before).demands[x])
        marked = {(place, value) for place, value, _ in state.marked_figures}
        assert {*closed} <= marked
        assert [*eights] == [*state.eight_cells]


def test_a_diagram_that_breaks_a_rule_cannot_be_made() -> None:
    with pytest.raises(IllegalAction):
        play_placements("E-a1-0")
    with pytest.raises(IllegalAction):
        play_placements(*diagrams.THREE_QUARTER_CIRCLE, "C-d4-90")  # refused, because a circle can be closed


def test_the_outlined_cells_are_those_beside_a_tile() -> None:
    cells = diagrams.build_diagram_view("places")["board"]["cells"]
    beside = {
        name for name, x in CELL_INDEX.items() if {*CELL_NEIGHBOURS[x]} & {CELL_INDEX[cell] for cell in cells}
    }
    assert diagrams.list_outlined_cells("places") == beside - {*cells}
    assert len(diagrams.list_outlined_cells("places")) == 9  # the number in the diagram's title
    assert diagrams.list_outlined_cells("circle") == {"d4"}
    assert diagrams.list_outlined_cells("start") == diagrams.list_outlined_cells("match") == set()


@pytest.mark.parametrize("name", [name for name, diagram in diagrams.DIAGRAMS.items() if diagram.crop_cells])
def test_a_cut_out_shows_what_the_whole_picture_shows_there(name: str) -> None:
    cut, whole = (
        diagrams.draw_diagram(name, "x", ENGLISH_TRANSLATOR, size=BOARD_EXTENT),
        picture_svg.draw_board_svg(
            diagrams.build_diagram_view(name),
            size=BOARD_EXTENT,
            title="x",
            highlight=diagrams.list_outlined_cells(name),
        ),
    )
    box = re.search('viewBox="([^"]+)"', cut)[1]  # type: ignore[index]
    left, top, width, height = map(float, box.split())
    assert width == height < BOARD_EXTENT
    assert 0 <= left <= left + width <= BOARD_EXTENT
    assert 0 <= top <= top + height <= BOARD_EXTENT
    framed = whole.replace(f'viewBox="0 0 {BOARD_EXTENT} {BOARD_EXTENT}"', f'viewBox="{box}"')
    assert len(cut) < len(framed)
    assert picture_svg.render_png(cut, 275) == picture_svg.render_png(framed, 275)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_table_of_tiles_is_the_editions(language: str) -> None:
    rows = re.findall(r"<tr>(<th scope=\"row\">.*?)</tr>", split_sections(language)["tiles"], flags=re.DOTALL)
    assert len(rows) == len(BOX.tiles) == 10
    for row, tile in zip(rows, BOX.tiles.values(), strict=True):
        kind, parts, value, copies = (
            strip_pictures(cell).strip() for cell in re.findall(r"<t[hd].*?</t[hd]>", row)
        )
        assert (kind, int(value), int(copies)) == (tile.kind, tile.value, tile.copies)
        if tile.special:
            assert tile.value == 0
        else:
            assert sum(map(int, parts.split(" + "))) == tile.value


def test_the_numbers_are_those_of_the_game() -> None:
    numbers_by_section = {name: list_numbers(part) for name, part in split_sections("en").items()}
    markers = dict(BOX.markers)
    assert numbers_by_section["markers"] == [
        str(n) for n in (sum(markers.values()), markers[1], markers[2], markers[4], BOX.total_marker_points)
    ]
    assert numbers_by_section["tiles"][:2] == [str(len(BOX.all_tiles)), str(len(BOX.tiles))]
    assert numbers_by_section["cards"][0] == str(len(BOX.deck))
    assert numbers_by_section["cards"][1:] == [str(BOX.deck.count(card)) for card in BOX.cards]
    assert str(load_edition("bannan-nl").deck.count("RV")) in numbers_by_section["editions"]
    preset = clock.TIME_CONTROL_PRESETS[clock.DEFAULT_PRESET]
    assert numbers_by_section["time"] == [
        *(str(seconds // clock.SECONDS_PER_DAY) for seconds in (preset.allowance, preset.bank)),
        str(clock.MAX_AUTOPLAYED_TURNS),
        *(
            str(n)
            for n in (
                clock.DAYS_PER_VACATION_DAY,
                1,
                clock.MAX_VACATION_BALANCE.days,
                clock.MAX_PAUSE_LENGTH.days,
            )
        ),
    ]
    master, great, good, _ = (least for least, _ in SOLO_GRADES)
    assert numbers_by_section["company"][-9:] == [
        *(
            str(n)
            for n in (EIGHT_POINTS, FREE_CELL_POINTS, 1, good, good, great - 1, great, master - 1, master - 1)
        )
    ]
    assert numbers_by_section["figures"] == ["2", "4", "1", "8", "2", "4", "2"]


@pytest.mark.parametrize(
    ("language", "words"),
    [("en", "at the third timeout"), ("it", "alla terza volta"), ("nl", "voor de derde keer")],
)
def test_the_timeout_that_loses_is_the_one_after_those_played_for_a_player(language: str, words: str) -> None:
    """The page spells the ordinal as a word, so the constant is checked here."""
    assert clock.MAX_AUTOPLAYED_TURNS + 1 == 3
    assert words in " ".join(strip_pictures(split_sections(language)["time"]).split())


# ------------------------------------------------------------------------------------- vocabulary of the game


@pytest.mark.parametrize("language", LANGUAGES)
def test_cards_are_called_what_the_game_calls_them(language: str) -> None:
    cards_section = split_sections(language)["cards"]
    listed = dict(re.findall(r"<dt><img[^>]*><code>(\w\w)</code> (.*?) <span>", cards_section))
    text = strip_pictures(split_sections(language)["editions"])
    with translation.override(language):
        names = {code: gettext(name) for code, name in CARD_NAMES.items()}
    assert list(listed) == list(BOX.cards)
    for code, name in listed.items():
        assert html.unescape(name).lower() == names[code].lower()
    assert names["RV"] in text
    assert {*names} == {card for name in list_edition_names() for card in load_edition(name).cards}


@pytest.mark.parametrize("language", LANGUAGES)
def test_figures_are_called_what_the_game_calls_them(language: str) -> None:
    captions = re.findall(r"<figcaption><b>(.*?):", split_sections(language)["figures"])
    kinds = ("circle", "square", "small circle", "infinity")
    with translation.override(language):
        names = [GameTranslator(gettext=gettext).format_figure(kind, "a1+a2") for kind in kinds]
    assert len(captions) == len(names)
    for caption, name in zip(captions, names, strict=True):
        assert caption.lower() in name.lower()


WORDS = {
    "en": "tower, table tile, marker, secret card, dark tile, zero tile, an 8, game, blind match, "
    "silly match, head in the clouds, shoot-out, side, frame, resign",
    "it": "torre, tessera sul tavolo, marcapunto, carta segreta, tessera oscura, tessera zero, un otto, "
    "sfida, partita al buio, partita scema, testa sulle nuvole, spareggio, squadra, cornice, abbandona",
    "nl": "tegeltoren, spelersbord, scoremarker, geheime kaart, zwarte tegel, zerotegel, een OTTO, spel, "
    "blind potje, forfaitpotje, hoofd in de wolken, shoot-out, partij, rand, opgeven",
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_words_of_the_game_are_used(language: str) -> None:
    page_text = strip_pictures(read_page(language)).lower()
    assert [word for word in WORDS[language].lower().split(", ") if word not in page_text] == []


def test_tags_draw_tiles_and_escape_what_they_are_given() -> None:
    with translation.override("en"):
        drawn = Template('{% load board %}{% tile "D" 90 %}{% diagram "start" title %}').render(
            Context({"title": "<b>&"})
        )
    assert "<title>Tile D, turned by 90 degrees</title>" in drawn
    assert "rotate(90)" in drawn
    assert "<title>&lt;b&gt;&amp;</title>" in drawn


# ------------------------------------------------------------------------------------------- the editions


def read_text(part: str, edition: str) -> str:
    return strip_pictures(split_sections("en", edition)[part])


def test_dutch_readers_get_the_dutch_edition_first_and_may_read_another() -> None:
    first = {
        language: normalise_html(Client().get(f"/rules/?language={language}").content.decode())
        for language in LANGUAGES
    }
    assert ["<code>RV</code> " in first[language].split('id="eight"')[0] for language in LANGUAGES] == [
        language == "nl" for language in LANGUAGES
    ]
    assert "<b>Bannan</b>" in first["nl"]
    assert "<b>Arcastudio 2.2</b>" in first["it"]
    assert "<b>Arcastudio 2.2</b>" in read_page("nl", DEFAULT_EDITION)


@pytest.mark.parametrize("edition", ["nonsense", "../bannan-nl", ""])
def test_an_edition_that_there_is_not_is_not_asked_for(edition: str) -> None:
    answer = Client().get("/rules/", {"language": "nl", "edition": edition})
    assert answer.status_code == 200
    assert "<b>Bannan</b>" in answer.content.decode()


@pytest.mark.parametrize("edition", list_edition_names())
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_edition_is_explained_and_led_to(language: str, edition: str) -> None:
    page = read_page(language, edition)
    for name in list_edition_names():
        link = f'<h3><a href="?language={language}&amp;edition={name}">{load_edition(name).title}</a></h3>'
        assert link in page
    assert f"<b>{load_edition(edition).title}</b>" in page
    for other in LANGUAGES:
        assert f'href="?language={other}&amp;edition={edition}"' in page


@pytest.mark.parametrize("edition", list_edition_names())
def test_the_text_follows_the_fields_of_the_edition(edition: str) -> None:
    box = load_edition(edition)
    cards = re.findall(r"<dt><img[^>]*><code>(\w\w)</code>", split_sections("en", edition)["cards"])
    assert cards == list(box.cards)
    numbers = list_numbers(split_sections("en", edition)["cards"])
    assert numbers[1:] == [str(box.deck.count(card)) for card in box.cards]
    assert ("or the tower is empty" in read_text("end", edition)) == ("tower" in box.silly_endings)
    assert ("the oldest player among them" in read_text("begin", edition)) == (
        box.tied_start_rule == "oldest"
    )
    assert ("A lot decides in every game" in read_text("begin", edition)) == (box.default_seniority == "lot")
    assert ("only if the creator of the game says so" in read_text("cards", edition)) != box.default_cards
    unmarked_words = {"turn": "whose turn begins", "at-once": "at once", "next-side": "lost for everybody"}
    described_rules = [
        rule for rule, words in unmarked_words.items() if words in read_text("markers", edition)
    ]
    assert described_rules == [box.unmarked_rule]


@pytest.mark.parametrize("edition", list_edition_names())
def test_only_editions_with_games_of_rules_version_1_speak_of_it(edition: str) -> None:
    assert ("rules version 1" in read_text("details", edition)) == (
        load_edition(edition).first_rules_version == 1
    )


@pytest.mark.django_db
def test_the_link_of_a_game_leads_to_the_rules_of_its_edition() -> None:
    game = start_cast_game("ada", "bob", edition="pergioco-72")
    page = open_browser("ada").get(f"/games/{game.code}/").content.decode()
    assert 'href="/rules/?edition=pergioco-72"' in page
