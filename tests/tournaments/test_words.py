"""Every code that the pairing room and the organisers' log can write has its sentence."""

from __future__ import annotations

import ast
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from tournaments import pairing, text
from tournaments.models import Decision
from tournaments.pairing import EntrantSpec, PairingResult, PlannedRound, TournamentFinished
from tournaments.pairing.league import make_placement_note
from tournaments.selectors import seeding
from tournaments.services import decision_undo
from tournaments.text.pairing_notes import REASON_FORMATTERS, WARNING_FORMATTERS
from tournaments.text.tournaments import CRITERION_TEXTS

ROOM = Path(pairing.__file__).parent
NAMES = {number: f"p{number}" for number in range(1, 40)}


def calls(name: str, tree: ast.AST) -> Iterator[ast.Call]:
    """Where a function of that name is called."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name:
            yield node


def codes(node: ast.AST) -> set[str]:
    """The codes of notes that are made somewhere below, as far as they are written out."""
    return {
        str(one.args[0].value) for one in calls("make_note", node) if isinstance(one.args[0], ast.Constant)
    }


def test_every_note_of_the_pairing_room_has_words() -> None:
    """Read from its source: whoever adds a note adds its sentence."""
    found: set[str] = set()
    for path in ROOM.glob("*.py"):
        if path.name not in ("league.py", "datatypes.py"):
            found |= codes(ast.parse(path.read_text()))
    assert found == set(REASON_FORMATTERS) | set(WARNING_FORMATTERS)


def test_warnings_are_told_as_warnings() -> None:
    """Those are the notes made in functions that warn, and in the place where rounds are put together."""
    found: set[str] = set()
    for path in ROOM.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef) and node.name == "list_warnings":
                found |= codes(node)
    assert found == set(WARNING_FORMATTERS)
    assert all(
        text.describe_hold_reason(code) != code for code in (*WARNING_FORMATTERS, "too-few", "too-many-games")
    )


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
def test_whole_events_are_told_without_a_code_or_a_gap(
    format: str, count: int, fields: dict[str, int]
) -> None:
    """With level games and somebody who is away: everything that is said of them is a sentence."""
    rng = random.Random(f"{format}/{count}/{fields}")
    people = [EntrantSpec(n, n, absent_rounds=frozenset({2} if n == 3 else ())) for n in range(1, count + 1)]
    results: list[PairingResult] = []
    said: list[str] = []
    for _turn in range(60):
        event = pairing.TournamentSpec(format, tuple(people), bytes(32), **fields)  # type: ignore[arg-type]
        for line in pairing.build_standings(event, results):
            for one in line.criteria:
                assert one.key in CRITERION_TEXTS
                said.append(text.format_number(one.value))
            assert (
                line.separated_by is None or text.describe_separation(line.separated_by) != line.separated_by
            )
        drawn = pairing.build_bracket(event, results)
        for match in drawn.matches:
            said += [text.describe_reason(note.as_dict(), NAMES) for note in match.notes]
            said += [text.describe_match_state(match.state), text.format_match_name(match.id, 3)]
            said += [text.describe_seat_source(vars(source)) for source in match.sources]
        coming = pairing.plan_next_round(event, results)
        if isinstance(coming, TournamentFinished):
            break
        assert isinstance(coming, PlannedRound)
        said += [text.describe_warning(note.as_dict(), NAMES) for note in coming.warnings]
        for table in coming.pairings:
            said += [text.describe_reason(note.as_dict(), NAMES) for note in table.reasons]
            ranks = (1, *(rng.choice([1, 2]) for _ in table.seats[1:])) if len(table.seats) > 1 else None
            results.append(
                PairingResult(table.match, table.round, table.seats, ranks, game_number=table.game_number)
            )
    else:
        raise AssertionError("it does not end")
    assert said
    assert not [
        one for one in said if not one or "%(" in one or one in REASON_FORMATTERS or one in WARNING_FORMATTERS
    ]


def test_who_goes_up_and_down_is_told() -> None:
    """All four ways into a division, newcomers by either rule."""
    told = [
        text.describe_placement(make_placement_note(before, 2, how).as_dict())
        for before, how in ((None, "bottom"), (None, "rating"), (1, ""), (2, ""), (3, ""))
    ]
    assert len(set(told)) == len(told)
    assert not {"newcomer", "promoted", "relegated"} & set(told)


def test_the_last_rounds_of_a_knockout_have_names() -> None:
    """Counted from the end; where there is no end to count from they are numbered."""
    assert [text.format_round_name("main", number, 4) for number in range(1, 5)] == [
        *("Round 1", "Quarter-final", "Semi-final", "Final")
    ]
    assert text.format_round_name("main", 4) == "Round 4"
    assert text.format_round_name("losers", 3, 4) == "Losers’ round 3"
    assert text.format_match_name("R2.1", 3) == "Semi-final, table 1"
    assert text.format_match_name("third") == "Third place"


@pytest.mark.parametrize(("value", "told"), [(0, "0"), (0.5, "½"), (3.0, "3"), (4.75, "4¾"), (None, "–")])
def test_points_are_told_in_halves(value: float | None, told: str) -> None:
    """As a player would write them."""
    assert text.format_number(value) == told


def test_every_kind_of_decision_has_words() -> None:
    """Each that a service logs, and each that can be taken back; read from the source of the services."""
    services = Path(decision_undo.__file__).parent
    whats: set[str] = set()
    for path in services.glob("*.py"):
        tree = ast.parse(path.read_text())
        for call in calls("log_decision", tree):
            if len(call.args) > 2 and isinstance(call.args[2], ast.Constant):
                whats.add(str(call.args[2].value))
        for node in ast.walk(tree):
            if isinstance(node, ast.keyword) and node.arg == "what" and isinstance(node.value, ast.Constant):
                whats.add(str(node.value.value))
    assert set(decision_undo.UNDO_FUNCTIONS) <= whats
    whats |= {seeding.SEEDS_ACTION, seeding.PREVIEW_ACTION}  # logged by these names
    for what in [*sorted(whats), *(f"undo-{one}" for one in decision_undo.UNDO_FUNCTIONS)]:
        told = text.describe_decision(Decision(what=what, before={}, after={}), NAMES)
        assert told
        assert what.removeprefix("undo-") != told.removeprefix("Taken back: ")


@pytest.mark.parametrize("by", [None, "game", "adjudication", "organiser", "bye"])
def test_how_a_table_ended_is_told(by: str | None) -> None:
    """Every way that a result can come about."""
    assert text.describe_ending(by) != str(by)
