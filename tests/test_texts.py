"""Every text for people follows docs/style.md, in its three languages.

`make texts` lists the findings with their files. tests/test_languages.py checks that every message is
translated with equal placeholders.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

import pytest

from tests import button_texts, text_checks
from tests.site_texts import Message, Text, iter_admin_texts, list_messages, list_texts, strip_code
from tests.source_tree import ROOT, iter_modules
from tests.text_checks import Finding, read_player_words, read_retired_phrases
from tests.text_report import TEXT_CHECKS


def check_none(findings: Iterable[Finding]) -> None:
    lines = [str(finding) for finding in findings]
    assert not lines, "\n".join(["see docs/style.md:", *lines])


@pytest.mark.parametrize("check", TEXT_CHECKS)
def test_no_text_breaks_a_rule_of_style(check: text_checks.TextCheck) -> None:
    check_none(check(list_texts()))


def test_a_thing_has_one_word_in_each_language() -> None:
    check_none(text_checks.find_other_words(list_messages()))


def test_a_translation_ends_as_its_message() -> None:
    check_none(text_checks.find_other_ends(list_messages()))


def test_no_number_is_typed_into_a_sentence() -> None:
    check_none(text_checks.find_typed_numbers(list_messages()))


def test_no_button_is_too_long() -> None:
    check_none(button_texts.find_long_buttons())


def test_dutch_buttons_are_infinitives() -> None:
    check_none(button_texts.find_dutch_imperatives())


def test_every_argument_of_a_command_is_explained() -> None:
    silent = [
        f"{path.relative_to(ROOT)}: {ast.unparse(node)}"
        for path in iter_modules()
        if path.parts[-2] == "commands"
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call)
        and getattr(node.func, "attr", "") == "add_argument"
        and "help" not in {keyword.arg for keyword in node.keywords}
    ]
    assert silent == []


# --------------------------------------------------------------------------------------- checks of the checks


def test_texts_come_from_everywhere() -> None:
    """The texts of a source that is not found would pass unchecked."""
    places = {(text.language, text.place.split("/")[-1].split(".")[-1]) for text in list_texts()}
    assert {
        ("en", "py"),
        ("en", "html"),
        ("en", "txt"),
        ("en", "json"),
        ("it", "html"),
        ("nl", "html"),
    } <= places
    assert any("management/commands" in text.place for text in list_texts())
    admin_texts = {text.words for text in iter_admin_texts()}
    assert {
        "blocked",
        "Block these players? You can unblock them later.",
        "players",
    } <= admin_texts  # own strings
    assert {"entrants", "created at", "bots may enter"} <= admin_texts  # models, fields and their help
    assert len(button_texts.list_buttons()) > 200


def find_in(check: text_checks.TextCheck, language: str, words: str) -> Iterator[Finding]:
    yield from check([Text(language, words, "page.html", words)])


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "%(name)s asks you to a game"),
        ("en", "Whoever has the link can play."),
        ("en", "The round is over. Who is absent loses."),
        ("en", "Only who organises this event can do that."),
        ("en", "Rules that were laid down."),
        ("en", "The same, in pixels."),
        ("it", "Chi arriva tardi perde."),
        ("it", "Torna all’atrio"),
        ("nl", "Wie te laat komt, verliest."),
        ("nl", "Is dit uw adres?"),
    ],
)
def test_a_retired_phrase_is_found(language: str, words: str) -> None:
    assert list(find_in(text_checks.find_retired_phrases, language, words))


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "Who won?"),
        ("en", "Players who are absent lose."),
        ("en", "<code>the same, in pixels</code>"),
        ("it", "Chi ha vinto?"),
        ("nl", "Wie heeft er gewonnen?"),
    ],
)
def test_questions_and_code_are_no_retired_phrases(language: str, words: str) -> None:
    assert not list(find_in(text_checks.find_retired_phrases, language, words))


@pytest.mark.parametrize(
    ("check", "language", "words"),
    [
        (text_checks.find_straight_quotes, "en", "Anna's turn"),
        (text_checks.find_straight_quotes, "it", "l'ultima partita"),
        (text_checks.find_foreign_quotes, "it", "la “torre”"),
        (text_checks.find_foreign_quotes, "nl", "de «toren»"),
        (text_checks.find_spacing, "en", "Two  spaces"),
        (text_checks.find_spacing, "en", "One moment..."),
        (text_checks.find_formal_address, "it", "Controlla la Sua posta"),
        (text_checks.find_formal_address, "nl", "Wat wilt u?"),
        (text_checks.find_needless_words, "en", "Please try again."),
        (text_checks.find_exclamations, "en", "Welcome!"),
        (text_checks.find_exclamations, "nl", "“Ik gebruik de Kracht!” Dat werkt!"),
        (text_checks.find_capital_dates, "it", "entro il 4 Maggio"),
        (text_checks.find_capital_dates, "nl", "op Maandag"),
        (text_checks.find_bare_dates, "it", "dal %(start)s al %(end)s"),
        (text_checks.find_bare_dates, "it", "Sei al %(n)dº posto"),
        (text_checks.find_other_english, "en", "You are on the waitlist."),
        (text_checks.find_other_english, "en", "The webhook was switched off."),
    ],
)
def test_a_rule_finds_what_breaks_it(check: text_checks.TextCheck, language: str, words: str) -> None:
    assert list(find_in(check, language, words))


@pytest.mark.parametrize(
    ("check", "language", "words"),
    [
        (text_checks.find_straight_quotes, "en", "<a href='x'>Anna’s turn</a> is `'draw'`"),
        (text_checks.find_foreign_quotes, "it", "la «torre» dell’altro"),
        (text_checks.find_exclamations, "en", "An 8! The match ends."),
        (text_checks.find_exclamations, "it", "«Uso la Forza!» Anna gioca."),
        (text_checks.find_formal_address, "it", "La tua squadra e la sua"),
        (text_checks.find_capital_dates, "it", "Maggio è lontano"),
        (text_checks.find_bare_dates, "it", "inizio: %(start)s, al massimo %(n)d"),
        (text_checks.find_other_english, "en", "Your `waitlist` is a waiting list."),
    ],
)
def test_a_rule_passes_what_keeps_it(check: text_checks.TextCheck, language: str, words: str) -> None:
    assert not list(find_in(check, language, words))


def make_message(english: str, italian: str, dutch: str) -> Message:
    return Message((english,), {"it": (italian,), "nl": (dutch,)}, ("page.html",))


@pytest.mark.parametrize(
    ("message", "count"),
    [
        (make_message("A new game", "Una nuova sfida", "Een nieuw spel"), 0),
        (
            make_message("A new game", "Una nuova partita", "Een nieuw potje"),
            4,
        ),  # without `sfida`, and with the word for a match
        (make_message("The board is full", "Il tabellone è pieno", "Het bord is vol"), 2),
    ],
)
def test_another_word_for_a_thing_is_found(message: Message, count: int) -> None:
    findings = list(text_checks.find_other_words([message]))
    assert len({(finding.language, finding.reason) for finding in findings}) == count


@pytest.mark.parametrize(
    ("english", "is_found"),
    [
        *(
            ("After 3 days", True),
            ("After %(days)s days", False),
            ("An 8 was made", False),
            ("Two games", True),
        ),
        *(("The third timeout loses", True), ("You lose twice as fast", True), ("a second turn", True)),
        *(("Every 30 seconds", True), ("Wait some seconds", False), ("The first round", False)),
    ],
)
def test_a_typed_number_is_found(english: str, is_found: bool) -> None:
    assert bool(list(text_checks.find_typed_numbers([make_message(english, "", "")]))) == is_found


def test_another_end_is_found() -> None:
    assert [
        finding.language for finding in text_checks.find_other_ends([make_message("Yes.", "Sì.", "Ja")])
    ] == ["nl"]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ('<button>{% translate "Play" %}</button><p>{% translate "No" %}</p>', ["Play"]),
        ('<a class="button{% if x %} quiet{% endif %}" href="/">{% translate "Go" %}</a>', ["Go"]),
        ('<a href="/">{% translate "Go" %}</a>', []),
        (
            '<button>{% if x %}{% translate "A" %}{% else %}{% translate "B" %}{% endif %}</button>',
            ["A", "B"],
        ),
        ("<button>{% blocktranslate %}Play {{ name }}{% endblocktranslate %}</button>", ["Play %(name)s"]),
        (
            '<button>{% translate "A" %}<span class="visually-hidden">{% translate "B" %}</span></button>',
            ["A"],
        ),
        ('<input type="submit" value="{% translate "Send" %}">', ["Send"]),
        (
            '<button data-copied-text="{% translate "Copied" %}">{% translate "Copy" %}</button>',
            ["Copied", "Copy"],
        ),
        ('<button><svg></svg><b>{% translate "Draw" %}</b></button>', ["Draw"]),
        ('{% include "mail/button.html" with label=_("Play") url=address %}', ["Play"]),
        ("{% include 'join.html' with button_text=_('Join') name=_('No button') %}", ["Join"]),
    ],
)
def test_the_texts_of_buttons_are_found(source: str, expected: list[str]) -> None:
    assert button_texts.find_button_messages(source) == expected


def test_buttons_of_code_are_found() -> None:
    buttons = button_texts.list_buttons()
    assert {"Save deadline", "See the tournament", "Play the most urgent", "Copied"} <= {*buttons}


def test_the_texts_of_every_variable_in_a_button_are_found() -> None:
    """A button whose text is a variable would pass unchecked."""
    assert {*button_texts.list_button_variables()} == {*button_texts.VARIABLES}


def test_a_button_in_no_catalogue_is_found() -> None:
    assert [finding.words for finding in button_texts.find_long_buttons({"Fly to the moon": "page.html"})]


# ------------------------------------------------------------------------------------------ stale exceptions


def test_every_string_that_is_no_text_stands_beside_a_button() -> None:
    assert {*button_texts.NO_TEXTS, *button_texts.WITHOUT_INFINITIVE} <= {*button_texts.list_buttons()}


def test_every_word_for_players_is_used() -> None:
    english = " ".join(strip_code(words) for message in list_messages() for words in message.english)
    assert [term.name for term in read_player_words() if not term.english.search(english)] == []


def test_every_exception_is_a_message() -> None:
    beginnings = [beginning for term in read_player_words() for beginning in term.exceptions]
    beginnings += text_checks.read_number_exceptions()
    messages = [message.english[0] for message in list_messages()]
    assert [text for text in beginnings if not any(message.startswith(text) for message in messages)] == []


def test_every_retired_phrase_says_what_to_write() -> None:
    assert set(read_retired_phrases()) == {"en", "it", "nl"}
    assert all(instead for phrases in read_retired_phrases().values() for instead in phrases.values())
