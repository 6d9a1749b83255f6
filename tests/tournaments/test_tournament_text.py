"""Every code of the pairing code and of the decision log has a sentence."""

from __future__ import annotations

import ast
import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tournaments import pairing, text
from tournaments.models import Decision, ResultSource, Tournament
from tournaments.models.decisions import UNDO_ACTIONS
from tournaments.pairing import (
    EntrantSpec,
    NewcomerOrigin,
    PairingReason,
    PairingResult,
    PairingWarning,
    PlannedRound,
    TableWarning,
    TournamentFinished,
    note_codes,
)
from tournaments.pairing.league import make_placement_note
from tournaments.services import decision_undo
from tournaments.text.pairing_notes import REASON_FORMATTERS, TABLE_WARNING_FORMATTERS, WARNING_FORMATTERS
from tournaments.text.tournaments import CRITERION_TEXTS

ROOM = Path(pairing.__file__).parent
NAMES = {number: f"p{number}" for number in range(1, 40)}


def iter_calls(name: str, tree: ast.AST) -> Iterator[ast.Call]:
    """Yield the calls of a function by its name."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name:
            yield node


def collect_codes(node: ast.AST) -> set[str]:
    """Collect the codes of notes created in this part of the source."""
    codes_found: set[str] = set()
    for call in iter_calls("make_note", node):
        assert isinstance(call.args[0], ast.Attribute)
        assert isinstance(call.args[0].value, ast.Name)
        codes_found.add(getattr(note_codes, call.args[0].value.id)[call.args[0].attr])
    return codes_found


def test_every_note_of_the_pairing_room_has_words() -> None:
    """The codes are read from the source: each is used and has a sentence."""
    codes_found: set[str] = set()
    for path in ROOM.glob("*.py"):
        if path.name != "league.py":
            codes_found |= collect_codes(ast.parse(path.read_text()))
    assert codes_found == set(PairingReason) | set(PairingWarning)
    assert set(REASON_FORMATTERS) == set(PairingReason)
    assert set(TABLE_WARNING_FORMATTERS) == set(TableWarning)


def test_warnings_are_shown_as_warnings() -> None:
    """Warnings are the notes created in functions called `list_warnings`."""
    codes_found: set[str] = set()
    for path in ROOM.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef) and node.name == "list_warnings":
                codes_found |= collect_codes(node)
    assert codes_found == set(WARNING_FORMATTERS) == set(PairingWarning)


def test_every_warning_can_hold_an_event_and_every_hold_has_words() -> None:
    """The hold reason of a round is the code of its first warning."""
    assert {*PairingWarning, *TableWarning} < set(Tournament.HoldReason)
    sentences = [text.describe_hold_reason(reason) for reason in Tournament.HoldReason]
    assert len({*sentences, ""}) == len(Tournament.HoldReason) + 1
    assert text.describe_hold_reason("") == ""


@pytest.mark.parametrize(
    ("format", "count", "fields"),
    [
        ("swiss", 7, {}),
        ("swiss", 4, {"round_count": 5}),
        ("swiss", 9, {"table_size": 4, "round_count": 4}),
        ("round-robin", 5, {"cycles": 2}),
        ("round-robin", 8, {"table_size": 3}),
        ("knockout", 6, {"third_place": True}),
        ("knockout", 11, {"table_size": 4, "advancing_count": 2}),
        ("double", 6, {}),
    ],
)
def test_whole_events_are_described_without_a_code_or_a_gap(
    format: str, count: int, fields: dict[str, int]
) -> None:
    """With tied games and an absent entrant, every description is a sentence."""
    rng = random.Random(f"{format}/{count}/{fields}")
    people = [EntrantSpec(n, n, absent_rounds=frozenset({2} if n == 3 else ())) for n in range(1, count + 1)]
    results: list[PairingResult] = []
    sentences: list[str] = []
    for _turn in range(60):
        tournament = pairing.TournamentSpec(format, tuple(people), bytes(32), **fields)  # type: ignore[arg-type]
        for line in pairing.build_standings(tournament, results):
            for criterion in line.criteria:
                assert criterion.key in CRITERION_TEXTS
                sentences.append(text.format_number(criterion.value))
            assert (
                line.separated_by is None or text.describe_separation(line.separated_by) != line.separated_by
            )
        drawn = pairing.build_bracket(tournament, results)
        for match in drawn.matches:
            sentences += [text.describe_reason(note.as_dict(), NAMES) for note in match.notes]
            sentences += [text.describe_match_state(match.state), text.format_match_name(match.id, 3)]
            sentences += [text.describe_seat_source(source) for source in match.sources]
        coming = pairing.plan_next_round(tournament, results)
        if isinstance(coming, TournamentFinished):
            break
        assert isinstance(coming, PlannedRound)
        sentences += [text.describe_warning(note.as_dict(), NAMES) for note in coming.warnings]
        for table in coming.pairings:
            sentences += [text.describe_reason(note.as_dict(), NAMES) for note in table.reasons]
            ranks = (1, *(rng.choice([1, 2]) for _ in table.seats[1:])) if len(table.seats) > 1 else None
            results.append(
                PairingResult(table.match, table.round, table.seats, ranks, game_number=table.game_number)
            )
    else:
        raise AssertionError("it does not end")
    assert sentences
    assert not [
        sentence
        for sentence in sentences
        if not sentence or "%(" in sentence or sentence in REASON_FORMATTERS or sentence in WARNING_FORMATTERS
    ]


def test_who_goes_up_and_down_is_notified() -> None:
    """All four origins of a placement, and newcomers under both policies."""
    sentences = [
        text.describe_placement(make_placement_note(before, 2, how).as_dict())
        for before, how in (
            *((None, origin) for origin in NewcomerOrigin),
            *((n, NewcomerOrigin.START) for n in (1, 2, 3)),
        )
    ]
    assert len(set(sentences)) == len(sentences)
    assert not {"newcomer", "promoted", "relegated"} & set(sentences)


def test_the_last_rounds_of_a_knockout_have_names() -> None:
    """Names are counted from the final; without a known number of rounds, rounds are numbered."""
    assert [text.format_round_name("main", number, 4) for number in range(1, 5)] == [
        *("Round 1", "Quarter-final", "Semi-final", "Final")
    ]
    assert text.format_round_name("main", 4) == "Round 4"
    assert text.format_round_name("losers", 3, 4) == "Losers’ round 3"
    assert text.format_match_name("R2.1", 3) == "Semi-final, table 1"
    assert text.format_match_name("third") == "Third place"


@pytest.mark.parametrize(
    ("value", "expected_text"), [(0, "0"), (0.5, "½"), (3.0, "3"), (4.75, "4¾"), (None, "–")]
)
def test_points_are_written_in_halves(value: float | None, expected_text: str) -> None:
    """Fractions of points are written as ½ and ¾."""
    assert text.format_number(value) == expected_text


def test_every_kind_of_decision_has_words() -> None:
    """Codes are read from the source of the services, or are logged when a decision is undone."""
    sources = "".join(path.read_text() for path in Path(decision_undo.__file__).parent.glob("*.py"))
    logged = {Decision.Action[name] for name in re.findall(r"Decision\.Action\.(\w+)", sources)}
    assert logged | set(UNDO_ACTIONS.values()) == set(Decision.Action)
    assert set(decision_undo.UNDO_FUNCTIONS) == set(UNDO_ACTIONS)
    for action in Decision.Action:
        sentence = text.describe_decision(Decision(action=action, before={}, after={}), NAMES)
        assert sentence
        assert action.removeprefix("undo-") != sentence.removeprefix("Undone: ")
        assert sentence.startswith("Undone: ") == (action in UNDO_ACTIONS.values())


def test_how_a_table_ended_is_described() -> None:
    """Every result source has its own sentence."""
    sentences = [text.describe_ending(by) for by in (None, *ResultSource)]
    sentences += [text.describe_free_round(), text.describe_undecided_pairing()]
    assert len({*sentences, "", *ResultSource}) == len(sentences) + 1 + len(ResultSource)
