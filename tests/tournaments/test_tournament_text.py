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
from tournaments.pairing.note_codes import NoteCode
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


# A note of each code, and what its sentence must say of it beside a full stop. NAMES has p1, p2, …
SAMPLE_NOTES: dict[NoteCode, tuple[dict[str, object], tuple[str, ...]]] = {
    PairingReason.FROM_SEED: ({"entrant": 1, "seed": 7}, ("p1", "seed 7")),
    PairingReason.FROM_MATCH: ({"entrant": 1, "match": "R2.3", "place": 2}, ("p1", "second", "Round 2", "3")),
    PairingReason.REMATCH: ({"entrants": (1, 2)}, ("draw", "rematch")),
    PairingReason.BY_REMATCH: ({"entrants": (1, 2)}, ("rematch decided",)),
    PairingReason.HIGHER_SEED: ({"entrants": (1, 2), "seed": 7}, ("p1", "seed 7")),
    PairingReason.WALKOVER: ({"absent": (1, 2)}, ("p1 and p2",)),
    PairingReason.SCHEDULE: ({"round": 3, "rounds": 8, "cycle": 2}, ("round 3 of 8", "number 2")),
    PairingReason.FREE_ROUND: ({"entrant": 1, "round": 3}, ("p1", "bye in round 3")),
    PairingReason.SMALLER_TABLE: ({"seats": 3, "absent": (1, 2)}, ("p1 and p2",)),
    PairingReason.ONE_OF_EACH_STRENGTH: ({"tables": 4}, ("each strength",)),
    PairingReason.BY_SCORE: ({"highest": 2.5, "lowest": 1}, ("1 to 2½",)),
    PairingReason.BEST_TABLES: ({"proved": True}, ("No other tables",)),
    PairingReason.MET_BEFORE: ({"entrants": (1, 2), "times": 3, "proved": True}, ("p1 and p2", "3 times")),
    PairingReason.BYE_ALONE: ({"entrant": 1}, ("p1", "no opponent")),
    PairingReason.BYE_LOWEST: ({"entrant": 1, "points": 0.5}, ("p1", "½", "bye")),
    PairingReason.BYE_PASSED_OVER: ({"had": (1,), "rematch": (2,)}, ("bye: p1", "meeting: p2")),
    PairingReason.FIRST_ROUND: ({"entrants": (1, 2), "higher": 3, "lower": 7}, ("seed 3", "seed 7")),
    PairingReason.SAME_SCORE: ({"points": 2.5}, ("2½",)),
    PairingReason.FLOAT_DOWN: (
        {"entrant": 1, "points": 2, "to": 1.5, "before": 1},
        ("p1", "2 ", "1½", "2nd"),
    ),
    PairingReason.FLOAT_UP: ({"entrant": 1, "points": 1.5, "to": 2, "before": 0}, ("p1", "1½", "2 ")),
    PairingReason.SEAT_LOT: ({"first": 1}, ("p1", "lot")),
    PairingReason.SEAT_TURN: ({"first": 1, "sat_second": True}, ("p1", "second last time")),
    PairingReason.SEAT_BALANCE: (
        {"first": 1, "times": 4, "other": 4, "times_second": 6, "other_second": 5},
        ("p1", "4× first", "6× second", "5× second"),
    ),
    PairingReason.SEAT_RUN: ({"first": 1}, ("p1", "three times")),
    PairingWarning.ABSENT: ({"entrants": (1, 2)}, ("Sitting out", "p1 and p2")),
    PairingWarning.ODD_NUMBER: ({"match": "R2.3", "entrant": 1}, ("p1", "no game")),
    PairingWarning.REMATCH_UNAVOIDABLE: ({"match": "R2.3", "entrants": (1, 2)}, ("p1 and p2", "again")),
    PairingWarning.STALE_RESULT: ({"match": "R2.3", "entrants": (1, 2)}, ("Round 2", "p1 and p2")),
    PairingWarning.LATE_ENTRY: ({"entrants": (1, 2)}, ("late", "p1 and p2")),
    TableWarning.UNDECIDED: ({"match": "R2.3", "entrants": (1, 2)}, ("Round 2", "p1 and p2")),
}


def test_every_note_says_what_it_is_about() -> None:
    assert SAMPLE_NOTES.keys() == {*PairingReason, *PairingWarning, *TableWarning}
    sentences = set()
    for code, (details, words) in SAMPLE_NOTES.items():
        describe = text.describe_reason if isinstance(code, PairingReason) else text.describe_warning
        sentence = describe({"code": code, **details}, NAMES)
        assert [word for word in words if word not in sentence] == [], sentence
        assert sentence.endswith("."), sentence
        assert "–" not in sentence
        assert "%" not in sentence
        sentences.add(sentence)
    assert len(sentences) == len(SAMPLE_NOTES)


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


@pytest.mark.parametrize(
    ("action", "before", "after", "words"),
    [
        ("proceed", {}, {}, "in spite of its warnings"),
        ("extend", {}, {"ends_at": "2026-03-10T12:00:00+00:00"}, "10, 2026"),
        ("correct", {"pairing": 5}, {}, "Result corrected: Round 3, table 1."),
        ("disqualify", {"entrant": 1}, {}, "Disqualified: p1."),
        ("replace", {"player": 11}, {"player": 12}, "bob replaced ada."),
        ("remove", {"players": [11, 12]}, {}, "entrants: ada & bob."),
        ("cancel", {}, {}, "cancelled"),
        ("co-organiser", {}, {"player": 12}, "New organiser: bob."),
        ("co-organiser", {"player": 12}, {}, "No longer an organiser: bob."),
        ("edit", {}, {}, "Settings changed."),
        ("preview", {}, {}, "previewed"),
        ("seeds", {}, {"order": [1]}, "set by hand."),
        ("seeds", {"order": [1]}, {}, "by hand removed."),
        ("undo-correct", {}, {"pairing": 5}, "Undone: Result corrected: "),
        ("undo-disqualify", {}, {"entrant": 1}, "Undone: Disqualified: p1."),
        ("undo-replace", {"player": 12}, {"player": 11}, "Undone: bob replaced ada."),
        ("undo-extend", {"ends_at": "2026-03-10T12:00:00+00:00"}, {}, "10, 2026"),
    ],
)
def test_a_decision_says_whom_and_what_it_is_about(
    action: str, before: dict[str, object], after: dict[str, object], words: str
) -> None:
    decision = Decision(action=action, before=before, after=after)
    player_names = {11: "ada", 12: "bob"}
    sentence = text.describe_decision(decision, NAMES, player_names=player_names, matches={5: "R3.1"})
    assert words in sentence
    assert "–" not in sentence, "a name is missing"


def test_how_a_table_ended_is_described() -> None:
    """Every result source has its own sentence."""
    sentences = [text.describe_ending(by) for by in (None, *ResultSource)]
    sentences += [text.describe_free_round(), text.describe_undecided_pairing()]
    assert len({*sentences, "", *ResultSource}) == len(sentences) + 1 + len(ResultSource)
