"""Simulations: whole tournaments on the configured database, rolled back at the end."""

from __future__ import annotations

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from accounts.models import Player
from games.models import Game
from tournaments.models import League, Tournament

pytestmark = pytest.mark.django_db


def run_simulation(*words: str) -> str:
    out = StringIO()
    call_command("simulate_tournament", *words, "--target", "1", "--no-cards", stdout=out)
    return out.getvalue()


def test_the_same_seed_plays_the_same_event_and_nothing_stays() -> None:
    words = ("--format", "swiss", "--entrants", "6", "--table", "3", "--rounds", "2", "--seed", "3")
    first = run_simulation(*words)
    assert first == run_simulation(*words)
    assert first != run_simulation(*words[:-1], "4")
    assert "4 games" in first
    assert "opponents" in first
    assert not Tournament.objects.exists()
    assert not Game.objects.exists()
    assert not Player.objects.exists()


def test_an_event_can_be_kept() -> None:
    output = run_simulation("--format", "knockout", "--entrants", "4", "--third-place", "--keep")
    tournament = Tournament.objects.get()
    assert tournament.status == "finished"
    assert "third place" in output
    assert f"{Game.objects.count()} games" in output


def test_pairs_and_no_shows() -> None:
    output = run_simulation("--format", "double", "--entrants", "3", "--table", "pairs", "--no-show", "0.5")
    assert " & " in output


def test_seasons_of_a_league() -> None:
    words = (
        "--format",
        "league",
        "--entrants",
        "6",
        "--size",
        "3",
        "--seasons",
        "2",
        "--change",
        "0.2",
        "--seed",
        "1",
    )
    output = run_simulation(*words)
    assert "season 2" in output
    assert "promoted" in output
    assert output == run_simulation(*words)
    assert not League.objects.exists()


def test_a_league_of_pairs_in_swiss_rounds() -> None:
    words = (
        "--format league --table pairs --season swiss --rounds 2 --entrants 6 --size 3 --change 0.3 --seed 2"
    )
    output = run_simulation(*words.split())
    first, second = output.split("season 2")
    assert first.count(" & ") == second.count(" & ") == 6
    assert "newcomer" in second
    assert "8 games" in output  # a division of three has a bye in every round


def test_what_cannot_be_played_is_refused() -> None:
    with pytest.raises(CommandError):
        run_simulation("--format", "double", "--table", "4")
    with pytest.raises(CommandError):
        run_simulation("--entrants", "1")


class Terminal(StringIO):
    """A stream that is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("words", "games"),
    [
        ("knockout --entrants 6 --third-place", 6),
        ("knockout --entrants 9 --table 3", 4),
        ("round-robin --entrants 5", 10),
        ("swiss --entrants 7 --rounds 2", 6),
    ],
)
def test_a_bar_says_how_far_it_is(words: str, games: int, monkeypatch: pytest.MonkeyPatch) -> None:
    bar = Terminal()
    monkeypatch.setattr("sys.stderr", bar)
    output = run_simulation("--format", *words.split(), "--seed", "2")
    assert f"{games} games" in output
    steps = bar.getvalue().split("\r")[1:]
    assert "  0%|" in steps[0]
    assert f"| 0/{games} [" in steps[0]
    assert "100%|" in steps[games]
    assert f"| {games}/{games} [" in steps[games]
    assert not steps[-1].strip(), "the bar is cleared for the output"


def test_tables_are_in_the_order_of_their_numbers() -> None:
    output = run_simulation("--format", "swiss", "--entrants", "22", "--rounds", "1")
    tables = [line.split()[0] for line in output.splitlines() if line.startswith("  R")]
    assert tables == [f"R1.{number}" for number in range(1, 12)]
