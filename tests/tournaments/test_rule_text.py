"""Numbers in sentences about tournaments come from constants, and sentences describe the actual settings."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import translation

from tests.factories.events import HOUR, create_started_tournament, get_player, published
from tests.helpers.tournament_pages import browser, build_tournament_path, text_of_page
from tournaments import option_text, rating_scale, text
from tournaments.models import Proposal, limits
from tournaments.models.limits import TABLE_SIZE
from tournaments.options import ALL_TABLES, LEAGUE_OPTIONS, TOURNAMENT_OPTIONS
from tournaments.pairing import matching, outcomes, partition
from tournaments.refusals import Refusal
from tournaments.selectors.tournament_read_models import settings_dict
from tournaments.services import proposal_outcomes
from tournaments.text import fairness, labels, rules
from tournaments.text.entries import describe_entry
from tournaments.web import settings_text

pytestmark = pytest.mark.django_db


def join_pairing_rules(format_code: str, table_size: int) -> str:
    """Return the pairing rules of the fairness page."""
    tournament = published(format_code, 2, table_size=table_size)
    return " ".join(fairness.list_pairing_rules(tournament))


MADE: list[tuple[str, Any, Any, Callable[[], str], str, str]] = [
    # constant, its module, another value; the function that builds the sentence; its words before and after
    (
        *("REMATCH_TIME_DIVISOR", limits, 2, option_text.describe_rematch_allowance_default),
        *("for a quarter of", "for half of"),
    ),
    (
        *("REMATCH_TIME_DIVISOR", limits, 2, option_text.describe_rematch_bank_default),
        *("for a quarter of", "for half of"),
    ),
    ("DISPLAY_BASE", rating_scale, 200, option_text.describe_rating_limit_help, "have 1500", "have 1200"),
    (
        *("DEFAULT_DIVISION_SIZE", option_text, 6, option_text.describe_division_size_help),
        *("With 8 places, everybody plays 7 games", "With 6 places, everybody plays 5 games"),
    ),
    (
        *("POINTS_AT_TABLE_OF_TWO", outcomes, (3.0, 0.0), lambda: rules.describe_points(2)),
        *("A win is worth 1, a draw ½.", "A win is worth 3, a draw 1½."),
    ),
    (
        *("POINTS_BY_TABLE_SIZE", outcomes, {4: (5.0, 2.0, 1.0, 0.0)}, lambda: rules.describe_points(4)),
        *("6 · 4 · 2 · 0", "5 · 2 · 1 · 0"),
    ),
    (
        *("COMPLETE_GRAPH_LIMIT", matching, 80, lambda: join_pairing_rules("swiss", 2)),
        *("Above 64 players", "Above 80 players"),
    ),
    (
        *("MAX_PEOPLE_FOR_PROOF", partition, 48, lambda: join_pairing_rules("swiss", 4)),
        *("Up to 64 players", "Up to 48 players"),
    ),
]


@pytest.mark.parametrize(("name", "where", "other", "say", "before", "after"), MADE)
def test_a_sentence_follows_its_number(
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    where: Any,
    other: Any,
    say: Callable[[], str],
    before: str,
    after: str,
) -> None:
    with translation.override("en"):
        assert before in say()
        monkeypatch.setattr(where, name, other)
        assert after in say()
        assert before not in say()


def test_the_forms_start_with_what_their_help_counts_with() -> None:
    option = LEAGUE_OPTIONS["division_size"]
    assert option.initial_value == option_text.DEFAULT_DIVISION_SIZE
    assert str(option.help_text) == option_text.describe_division_size_help()
    assert str(TOURNAMENT_OPTIONS["max_rating"].help_text) == option_text.describe_rating_limit_help()
    assert str(TOURNAMENT_OPTIONS["bots_allowed"].help_text).endswith(option_text.describe_bot_games())
    assert (ALL_TABLES[0], ALL_TABLES[-1]) == (TABLE_SIZE.minimum, TABLE_SIZE.maximum)


def test_one_sentence_says_what_happens_to_games_when_a_round_ends() -> None:
    """The sentence appears on the form, in the rules, and on the pages of a round and of a pairing."""
    sentence = option_text.describe_unfinished_games()
    tournament = create_started_tournament("swiss", 4, round_length=3 * 86_400)
    assert f"A round lasts 3 days at most. {sentence}" in settings_text.list_all_settings(tournament)
    assert sentence in option_text.describe_round_length_help()
    table = tournament.pairings.order_by("pk")[0]
    for page in ("", "rounds/1/", f"tables/{table.pk}/"):
        assert sentence in text_of_page(browser(), build_tournament_path(tournament, page)), page


def test_the_rule_for_a_draw_names_the_time_of_the_rematch_and_stands_on_two_pages() -> None:
    tournament = published("knockout", 2, rematch_allowance=int(2 * HOUR / timedelta(seconds=1)))
    rule = "After a draw you play again, with 2 hours for each turn."
    assert rules.describe_level_matches(tournament.rematch_allowance).startswith(rule)
    for page in ("", "fairness/"):
        assert rule in text_of_page(browser(), build_tournament_path(tournament, page))
    for format_code in ("swiss", "round-robin"):
        other = published(format_code, 2)
        assert "After a draw" not in text_of_page(browser(), build_tournament_path(other, "fairness/"))


@pytest.mark.parametrize(
    ("advancing_count", "sentence"),
    [(1, "The winner of each table advances"), (2, "The best 2 of each table")],
)
def test_the_number_that_advance_is_in_the_rules(advancing_count: int, sentence: str) -> None:
    tournament = published("knockout", 4, table_size=4, advancing_count=advancing_count)
    assert text.describe_format(settings_dict(tournament))[0].startswith(sentence)


def test_the_column_of_points_explains_those_of_its_own_tables() -> None:
    for table_size, meaning in ((2, "a draw ½"), (3, "6 · 3 · 0"), (4, "6 · 4 · 2 · 0")):
        assert meaning in text.describe_criterion("points", table_size).meaning
    tournament = create_started_tournament("swiss", 4, table_size=4)
    assert "6 · 4 · 2 · 0" in text_of_page(browser(), build_tournament_path(tournament, "standings/"))
    columns = browser().get(f"/api/v1/tournaments/{tournament.code}/standings/").json()["criteria"]
    assert "6 · 4 · 2 · 0" in next(column["explanation"] for column in columns if column["key"] == "points")


def test_a_bye_and_a_free_round_differ_on_every_page() -> None:
    for format_code, sentence in (
        ("swiss", rules.describe_bye()),
        ("round-robin", rules.describe_free_round()),
    ):
        tournament = create_started_tournament(format_code, 3)
        bye = next(table for table in tournament.pairings.all() if table.pairing_seats.count() == 1)
        assert sentence in text_of_page(browser(), build_tournament_path(tournament, f"tables/{bye.pk}/"))
        if format_code == "swiss":
            assert sentence in text_of_page(
                browser("host"), build_tournament_path(tournament, "organise/tables/")
            )


@pytest.mark.parametrize(
    ("number", "expected_texts"),
    [
        (2, ("2nd", "2ª", "2e")),
        (4, ("4th", "4ª", "4e")),
        (11, ("11th", "11ª", "11e")),
        (21, ("21st", "21ª", "21e")),
        (33, ("33rd", "33ª", "33e")),
    ],
)
def test_an_ordinal_is_written_as_the_language_does(number: int, expected_texts: tuple[str, ...]) -> None:
    for language, expected_text in zip(("en", "it", "nl"), expected_texts, strict=True):
        with translation.override(language):
            assert labels.format_ordinal(number) == expected_text


def test_a_float_counts_those_before_and_this_one() -> None:
    note = {"code": "float-down", "entrant": 1, "points": 2, "to": 1, "before": 3}
    sentence = text.describe_reason(note, {1: "Vik"})
    assert sentence.startswith("Vik is paired down, from 2 points to 1 point")
    assert sentence.endswith("4th time paired up or down.")
    assert "time" not in text.describe_reason(note | {"before": 0, "code": "float-up"}, {1: "Vik"})


def test_an_entrant_who_is_refused_reads_the_reason() -> None:
    """Every refusal of an entry has a heading; a refusal without its own sentence uses that of the API."""
    tournament = published("swiss", 0)
    texts = {refusal: describe_entry(tournament, refusal, is_full=False) for refusal in (None, *Refusal)}
    assert all(entry_text.heading for entry_text in texts.values())
    assert texts[Refusal.BOTS_NOT_ALLOWED].sentence == Refusal.BOTS_NOT_ALLOWED.format_text()
    bot_page = text_of_page(browser(make_bot()), build_tournament_path(tournament))
    assert f"You cannot enter {Refusal.BOTS_NOT_ALLOWED.format_text()}" in bot_page
    full = describe_entry(tournament, None, is_full=True)
    assert (full.heading, "waiting list" in full.sentence) == ("The tournament is full", True)


def make_bot() -> str:
    """Create a bot whose owner has an account; return its name."""
    bot = get_player("robot")
    bot.is_bot, bot.bot_owner = True, get_player("owner")
    bot.save()
    return bot.name


def test_the_headline_of_a_hold_names_the_round() -> None:
    tournament = create_started_tournament("swiss", 4)
    tournament.hold_reason = tournament.HoldReason.REVIEW
    tournament.save()
    assert "Round 2 needs your OK" in text_of_page(browser("host"), build_tournament_path(tournament))
    assert "needs your OK" not in text_of_page(browser("p1"), build_tournament_path(tournament))
    for reason in tournament.HoldReason:
        assert text.describe_needed_decision(reason, 2)
    assert text.describe_needed_decision("", 2) == ""


def test_too_many_proposals_are_refused_with_their_number(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proposal_outcomes, "MAX_PROPOSALS_TO_ONE_PLAYER", 0)
    with pytest.raises(proposal_outcomes.Conflict, match="already asked this player 0 times"):
        proposal_outcomes.check_not_asked_too_often(Proposal.objects.none(), get_player("eve"))
