"""Counts the words on the most seen screens: `python -m tests.browser.word_counts [OLDER.json]`.

Counts them in English on a desktop, without folded parts. With the file of an older count it prints both.
Writes var/word-counts.json.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from tests.services import ROOT

# The screens of a new visitor, of a player, and of an entrant of a tournament.
MOST_SEEN = (
    "home",
    "home, signed in",
    "lobby",
    "lobby, signed in",
    "lesson, a tile",
    "rules on one page",
    "sign in",
    "sign up",
    "invitation",
    "games, many",
    "new game",
    "game, a turn begins",
    "game, a tile to place",
    "game, others are to move",
    "game, over",
    "turn, a tile to place",
    "notices",
    "tournaments",
    "tournament, my step",
    "league, one plays",
)
FILE = "var/word-counts.json"


def count_most_seen() -> dict[str, int]:
    """Open each of these screens in Chromium and count its words."""
    path = Path(ROOT, FILE)
    path.parent.mkdir(exist_ok=True)
    path.unlink(missing_ok=True)
    tests = [f"tests/browser/test_every_page.py::test_a_page[{name}]" for name in MOST_SEEN]
    pytest = [sys.executable, "-m", "pytest", "-n", "0", "-q", *tests]
    subprocess.run(pytest, cwd=ROOT, env=os.environ | {"WORD_COUNTS": FILE}, check=False, stdout=sys.stderr)
    counts: dict[str, int] = json.loads(path.read_text())
    return {name: counts[name] for name in MOST_SEEN}


def print_counts(counts: dict[str, int], older: dict[str, int]) -> None:
    """Print a line for each screen, and the sum."""
    rows = [*counts.items(), ("all of them", sum(counts.values()))]
    older = older and older | {"all of them": sum(older.get(name, 0) for name in counts)}
    for name, count in rows:
        print(f"{name:<28}{older.get(name, ''):>6}{count:>6}")


if __name__ == "__main__":
    older_counts = json.loads(Path(sys.argv[1]).read_text()) if sys.argv[1:] else {}
    print_counts(count_most_seen(), older_counts)
