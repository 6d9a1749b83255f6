"""The worked examples of the rules page: the engine plays each one, and every rule has at least one."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from django.conf import settings
from django.test import Client
from django.utils import translation

from games.engine import DEFAULT_EDITION, State, list_edition_names, load_edition
from games.engine.board import CELL_INDEX, CELL_NEIGHBOURS, PLACE_NAMES, load_board
from games.engine.solo import EIGHT_POINTS, FREE_CELL_POINTS
from games.engine.solo_progress import HIGHEST_SOLO_SCORE
from games.rule_examples import (
    RULE_EXAMPLES,
    Outcome,
    RuleExample,
    build_example_translator,
    describe_example,
    describe_example_board,
    run_example,
)
from games.rule_pictures import EXAMPLE_PREFIX, draw_rule_picture, list_picture_names
from tests.markup import normalise_html

LANGUAGES = [code for code, _ in settings.LANGUAGES]
EXAMPLES_TAG = re.compile(r"{% examples ((?:\"[\w-]+\" ?)+)%}")


def read_source(language: str) -> str:
    return (settings.BASE_DIR / "templates/games/rules" / f"{language}.html").read_text()


def list_sections(language: str) -> dict[str, str]:
    return dict(
        re.findall(r'<section id="([a-z-]+)">(.*?)</section>', read_source(language), flags=re.DOTALL)
    )


def list_example_names(part: str) -> list[list[str]]:
    """Return the example names of each rule in a part of a template."""
    return [re.findall(r"[\w-]+", names) for names in EXAMPLES_TAG.findall(part)]


# -------------------------------------------------------------------------------- agreement with the engine


@pytest.mark.parametrize("edition", list_edition_names())
@pytest.mark.parametrize("name", RULE_EXAMPLES)
def test_the_engine_plays_what_the_example_says(name: str, edition: str) -> None:
    assert run_example(name, edition).list_differences() == []


def list_page_examples(language: str, edition: str) -> list[tuple[str, str]]:
    """Return the sources of the example pictures on a page, each with the name of its section."""
    page = normalise_html(Client().get("/rules/", {"language": language, "edition": edition}).text)
    return [
        (section, source)
        for section, part in re.findall(r'<section id="([a-z-]+)">(.*?)</section>', page, flags=re.DOTALL)
        for source in re.findall(rf'src="/rules/pictures/{EXAMPLE_PREFIX}([^"]+)"', part)
    ]


@pytest.mark.parametrize("edition", list_edition_names())
@pytest.mark.parametrize("language", LANGUAGES)
def test_an_example_is_played_in_the_edition_of_the_page(language: str, edition: str) -> None:
    shown_examples = list_page_examples(language, edition)
    assert shown_examples
    cards = {*load_edition(edition).cards}
    for section, source in shown_examples:
        name, _, query = source.partition(".svg")
        picture = draw_rule_picture(EXAMPLE_PREFIX + name, edition)
        differs = picture != draw_rule_picture(EXAMPLE_PREFIX + name, DEFAULT_EDITION)
        assert query == (f"?edition={edition}" if differs else ""), name
        if section == "editions":  # it compares the page's edition with the others
            continue
        run = run_example(name, edition)
        assert run.end.setup.edition == edition, name
        assert run.list_differences() == [], name
        start = run.states[0]
        assert {card for hand in start.hands for card in hand} | {*start.deck} <= cards, name


def test_a_page_tells_what_the_example_is_in_its_edition() -> None:
    tellings = {}
    for edition in list_edition_names():
        page = Client().get("/rules/", {"language": "en", "edition": edition}).text
        tellings[edition] = page.split('id="last-markers"')[1].split("</li>\n<li id=")[0]
    assert [edition for edition, telling in tellings.items() if "lost" in telling] == ["pergioco-72"]
    pictures = {
        edition: Client().get("/rules/pictures/example-last-markers.svg", {"edition": edition}).content
        for edition in list_edition_names()
    }
    assert pictures["arcastudio-2.2"] == pictures["bannan-nl"] != pictures["pergioco-72"]


def test_every_example_expects_something() -> None:
    assert all(example.outcome != Outcome() or example.refused for example in RULE_EXAMPLES.values())


def test_an_example_that_is_wrong_is_found() -> None:
    right = RULE_EXAMPLES["close"]
    wrong = {
        "points": Outcome(points={1: 4, 2: 0}),
        "owners": Outcome(owners={}),
        "events": Outcome(events=("closed", "placed")),
        "turn": Outcome(turn=1),
        "d4": Outcome(cell_tiles={"d4": "C90"}),
    }
    for word, outcome in wrong.items():
        example = RuleExample(start=right.start, actions=right.actions, outcome=outcome)
        assert [difference.split(":")[0] for difference in example.run().list_differences()] == [word]
    legal = RuleExample(start=right.start, refused={"C-d4-0": "must-close"})
    with pytest.raises(ValueError, match="legal"):
        legal.run().list_differences()
    other_rule = RuleExample(start=right.start, refused={"C-c2-0": "must-make-eight"})
    assert other_rule.run().list_differences()


@pytest.mark.parametrize("name", RULE_EXAMPLES)
def test_an_example_can_lie_on_a_real_table(name: str) -> None:
    """At most the tiles of the box, all connected, and markers only on closed figures."""
    state = run_example(name).states[0]
    edition, board = state.setup.edition_data, state.setup.board
    lying = {x: board.tile_of_code[t][0] for x, t in enumerate(state.cells) if t}
    used = Counter([kind for x, kind in lying.items() if x != CELL_INDEX["c3"]])
    used.update([*state.table_tiles[1:], *state.drawn_tile])
    assert all(count <= edition.tiles[kind].copies for kind, count in used.items() if kind)
    for place, value, *_side in [*state.marked_figures, *state.unmarked_figures]:
        assert is_closed(state, place, value), PLACE_NAMES[place]
    assert len(lying) == 1 or all({*CELL_NEIGHBOURS[x]} & {*lying} for x in lying)


def is_closed(state: State, place: int, value: int) -> bool:
    """True if the last tile would close the figure."""
    tables = load_board(load_edition(state.setup.edition))
    for x, t in enumerate(state.cells):
        if not t or x == CELL_INDEX["c3"]:
            continue
        without = [0 if y == x else code for y, code in enumerate(state.cells)]
        figures, _eights = tables.find_closed_figures(x, t, tables.rebuild_position(without).demands[x])
        if (place, value) in figures:
            return True
    return False


@pytest.mark.parametrize(
    ("name", "free_cells", "unmarked", "score"),
    [("solo-won", 4, 1, 39), ("solo-small", 0, 1, 31), ("solo-highest", 14, 0, HIGHEST_SOLO_SCORE)],
)
def test_the_sums_of_the_page_are_those_of_the_solo_game(
    name: str, free_cells: int, unmarked: int, score: int
) -> None:
    end = run_example(name).end
    assert (25 - end.filled_mask.bit_count(), len(end.unmarked_figures)) == (free_cells, unmarked)
    assert score == 24 + EIGHT_POINTS + FREE_CELL_POINTS * free_cells - unmarked
    assert [*end.match_results[-1]["scores"].values()] == [score]


# --------------------------------------------------------------------- every rule has an example


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_statement_has_an_example(language: str) -> None:
    sections = list_sections(language)
    clocks = sections.pop("time")  # rules of this site; test_rules_page.py compares them with constants
    assert "{% examples" not in clocks
    for name, section in sections.items():
        statements = re.findall(r"<(li|dd)\b[^>]*>(.*?)</\1>", section, flags=re.DOTALL)
        assert statements, name
        for _tag, statement in statements:
            assert list_example_names(statement), f"{language}, {name}: {statement}"
        # Paragraphs without examples introduce a list or a diagram.
        for paragraph in re.findall(r"<p>(.*?)</p>", section, flags=re.DOTALL):
            assert paragraph.strip().endswith(":"), f"{language}, {name}: {paragraph}"


@pytest.mark.parametrize("language", LANGUAGES)
def test_examples_are_the_same_in_every_language_and_all_are_used(language: str) -> None:
    used = list_example_names(read_source(language))
    assert used == list_example_names(read_source("en"))
    assert {name for names in used for name in names} == {*RULE_EXAMPLES}


def test_a_statement_about_one_edition_has_an_example_in_it() -> None:
    editions = {name: run_example(name).end.setup.edition for name in RULE_EXAMPLES}
    section = list_sections("en")["editions"]
    for edition in ("bannan-nl", "pergioco-72"):
        part = section.split(f"edition={edition}")[1].split("<h3>")[0]
        part_editions = [editions[name] for names in list_example_names(part) for name in names]
        assert edition in part_editions
    markers = list_sections("en")["markers"]
    assert '== "next-side"' in markers
    for names in list_example_names(markers):
        assert len({editions[name] for name in names}) == 1


# ----------------------------------------------------------------------------------------------------- texts


@pytest.mark.parametrize("name", RULE_EXAMPLES)
def test_the_sentences_of_an_example_are_in_the_language_of_the_reader(name: str) -> None:
    run, tellings = run_example(name), set()
    for language in LANGUAGES:
        with translation.override(language):
            sentences = describe_example(run, build_example_translator(run))
        assert sentences
        assert all(sentence.strip() and "{" not in sentence for sentence in sentences)
        tellings.add(tuple(sentences))
    assert len(tellings) == len(LANGUAGES)


def test_a_refused_action_comes_with_its_reason() -> None:
    run = run_example("zero-drawn")
    with translation.override("en"):
        sentences = describe_example(run, build_example_translator(run))
    assert [sentence for sentence in sentences if "H on d4" in sentence and "zero tile I" in sentence]


def test_a_picture_says_in_words_what_lies_on_its_board() -> None:
    descriptions = {}
    for name in RULE_EXAMPLES:
        run = run_example(name)
        descriptions[name] = describe_example_board(run, build_example_translator(run))
        for cell, tile in run.last_board["board"]["cells"].items():
            assert f"{cell} {tile['tile']}" in descriptions[name]
    page = Client().get("/rules/", {"edition": "arcastudio-2.2"}).content.decode()
    assert f'alt="{descriptions["several"]}"' in page


def test_a_picture_of_every_example_can_be_loaded_and_kept() -> None:
    client = Client()
    for name in list_picture_names():
        answer = client.get(f"/rules/pictures/{name}.svg")
        assert answer.status_code == 200
        assert answer["Content-Type"] == "image/svg+xml"
        assert "max-age" in answer["Cache-Control"]
        assert answer.content.startswith(b"<svg")
    assert {EXAMPLE_PREFIX + name for name in RULE_EXAMPLES} < {*list_picture_names()}
    assert client.get("/rules/pictures/nothing.svg").status_code == 404
    assert client.get("/rules/pictures/example-nothing.svg").status_code == 404


def test_the_board_of_a_match_that_ended_is_shown_as_it_ended() -> None:
    run = run_example("eight-ends")
    assert run.end.match_no == 2
    assert any(figure["kind"] == "infinity" for figure in run.last_board["board"]["figures"])


@pytest.mark.parametrize(
    "name", ["target", "highest", "blind", "blind-oldest", "blind-eight", "level-tile", "level-oldest"]
)
def test_an_example_about_totals_tells_them(name: str) -> None:
    run = run_example(name)
    with translation.override("en"):
        last_sentence = describe_example(run, build_example_translator(run))[-1]
    totals = run.example.outcome.totals or {}
    assert last_sentence.startswith("Totals: ")
    assert re.findall(r" (\d+)", last_sentence) == [str(total) for total in totals.values()]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_cards_of_each_kind_are_counted_for_both_boxes(language: str) -> None:
    for name, edition in (("deck", "arcastudio-2.2"), ("deck-either-way", "bannan-nl")):
        run, deck = run_example(name), Counter(load_edition(edition).deck)
        with translation.override(language):
            (sentence,) = describe_example(run, build_example_translator(run))
        assert re.findall(r"(\d+) × (\w+)", sentence) == [(str(n), card) for card, n in deck.items()]
