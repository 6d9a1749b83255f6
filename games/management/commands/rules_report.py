"""Print how stored games went, beside what the books say of it."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Callable
from typing import Any

from django.core.management.base import BaseCommand
from tqdm import tqdm

from games.engine import MODES, Setup, list_edition_names
from games.selectors.rules_report import RuleFigures, iter_finished_games, select_report_games


def format_number(value: float | None) -> str:
    """A number with two decimals; a dash for none."""
    return "-" if value is None else f"{value:.2f}"


def format_share(value: float | None) -> str:
    """A share in percent; a dash for none."""
    return "-" if value is None else f"{100 * value:.1f} %"


# Key of the figures, label, format, and what the books say; in our own words.
LINES: tuple[tuple[str, str, Callable[[float | None], str], str], ...] = (
    ("matches_per_game", "matches per game", format_number, "usually 3 (English), 3 or more (Dutch)"),
    ("points_per_match", "points of a side per match", format_number, "24 in about 3 matches: 8"),
    ("best_points_per_match", "points of the best side", format_number, "nothing"),
    ("highest_points", "most points in a match", format_number, "24 by markers; solo 60 at most (Dutch)"),
    ("eight_share", "matches ended by an 8", format_share, "nothing"),
    (
        "tower_share",
        "matches ended by the tower",
        format_share,
        "seldom (Dutch), only after many Meteorites (English, Italian)",
    ),
    ("silly_share", "matches with silly points", format_share, "very rarely (English, Italian)"),
    ("blind_share", "games with a blind match", format_share, "nothing"),
    ("dark_pairs_per_match", "two dark tiles, per match", format_number, "nothing"),
    ("won_solo_share", "solo games won", format_share, "nothing"),
)


class Command(BaseCommand):
    """Runs games.selectors.rules_report."""

    help = (
        "Compare finished games with the rulebooks, by mode and table size: games to the books' target,"
        " with the duty to close figures, and without bots, unless you ask for more."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Define the arguments."""
        parser.add_argument("--edition", choices=list_edition_names(), help="only games of this edition")
        parser.add_argument("--with-bots", action="store_true", help="include games with bots")
        parser.add_argument(
            "--all-terms", action="store_true", help="include games to other targets and without the duty"
        )
        parser.add_argument("--json", action="store_true", help="print JSON")

    def handle(self, **options: Any) -> None:
        """Count all games and print the report."""
        games = select_report_games(
            edition=options["edition"] or "",
            with_bots=options["with_bots"],
            all_terms=options["all_terms"],
        )
        figures_by_table: dict[tuple[str, int], RuleFigures] = {}
        progress = tqdm(iter_finished_games(games), "counting", games.count(), disable=None, leave=False)
        for game in progress:
            table = (game.mode, game.seat_count)
            figures_by_table.setdefault(table, RuleFigures(*table)).add_game(game)
        tables = [(str(mode), seats) for mode, seat_counts in MODES.items() for seats in seat_counts]
        rows = [figures_by_table[table].build_data() for table in tables if table in figures_by_table]
        if options["json"]:
            books = {key: book_text for key, _label, _format, book_text in LINES}
            self.stdout.write(json.dumps({"tables": rows, "books": books}, indent=1))
            return
        if not rows:
            self.stdout.write("No games.")
        elif not options["all_terms"]:
            self.stdout.write(f"Games to {Setup().target} points with the duty to close figures.")
        for row in rows:
            self.stdout.write(format_table(row))


def format_table(row: dict[str, Any]) -> str:
    """The figures of one mode and table size as lines of text, each beside what the books say."""
    head = f"{row['mode']}, {row['seats']} seats: {row['games']} games"
    lines = [f"{head} ({row['resigned_games']} resigned), {row['matches']} matches"]
    for key, label, format_value, book_text in LINES:
        if row[key] is not None:
            lines.append(f"  {label:<28}{format_value(row[key]):>10}   the books: {book_text}")
    spread = ", ".join(f"{n}: {games}" for n, games in row["games_by_matches"].items())
    lines.append(f"  {'games by number of matches':<28}{'':>10}   {spread or '-'}")
    return "\n".join(lines)
