"""Play a tournament, or seasons of a league, with bots through the services, and print the outcome."""

from __future__ import annotations

import random
import secrets
import sys
from argparse import ArgumentParser
from typing import Any, NoReturn, TextIO

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import connection, transaction
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone
from tqdm import tqdm

from common.service_errors import ServiceError
from games.services.lobby import BOT_POLICY_NAMES
from tournaments.models import League, Tournament
from tournaments.selectors import TournamentState, plain_text
from tournaments.services import simulation

LEAGUE_FORMAT = "league"


def migrate_embedded_database() -> None:
    """Migrate the embedded SQLite database. Raises CommandError if another database is not up to date."""
    executor = MigrationExecutor(connection)
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        if connection.vendor != "sqlite":
            raise CommandError("The database is not up to date. Run `manage.py migrate` first.")
        call_command("migrate", verbosity=0)


class ProgressBar(simulation.ProgressListener):
    """A bar for each tournament or season, on a terminal only."""

    def __init__(self, stream: TextIO) -> None:
        """Write to this stream."""
        super().__init__()
        self.stream = stream
        self.bar: tqdm[NoReturn] = tqdm(disable=True)

    def begin_stage(self, stage_name: str, expected_games: int) -> None:
        """Start the bar of a tournament or season."""
        self.close()
        self.bar = tqdm(
            desc=stage_name,
            total=expected_games,
            unit=" games",
            file=self.stream,
            disable=None,
            leave=False,
            mininterval=0,
        )

    def count_game(self) -> None:
        """Count a game and redraw the bar."""
        super().count_game()
        self.bar.update()

    def close(self) -> None:
        """Clear the bar for the output."""
        self.bar.close()


class Command(BaseCommand):
    """Calls `tournaments.services.simulation`."""

    help = "Play a tournament or league with bots. Leaves nothing in the database, except with --keep."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the options of the tournament, its games and the run."""
        parser.add_argument(
            "--format",
            choices=[*Tournament.Format.values, LEAGUE_FORMAT],
            default="swiss",
            help="default swiss",
        )
        parser.add_argument("--entrants", type=int, default=8, help="players, or pairs (default 8)")
        parser.add_argument(
            "--table", choices=["2", "3", "4", "pairs"], default="2", help="places at a table (default 2)"
        )
        parser.add_argument(
            "--rounds", type=int, help="rounds in Swiss, or in a round robin at tables of 3 or 4"
        )
        parser.add_argument(
            "--cycles", type=int, default=1, help="games between two players in a round robin at tables of 2"
        )
        parser.add_argument(
            "--advancing-count", type=int, default=1, help="qualifiers per table in a knock-out"
        )
        parser.add_argument(
            "--third-place", action="store_true", help="play for third place in a knock-out at tables of 2"
        )
        parser.add_argument("--policy", choices=BOT_POLICY_NAMES, default="random", help="bot that plays")
        parser.add_argument("--target", type=int, default=24, help="points that end a game, 1 to 99")
        parser.add_argument("--no-cards", action="store_true", help="play without secret cards")
        parser.add_argument("--no-show", type=float, default=0, help="share of forfeits, 0 to 1")
        parser.add_argument("--seasons", type=int, default=2, help="seasons of a league")
        parser.add_argument(
            "--season", choices=League.Format.values, default="round-robin", help="format of a division"
        )
        parser.add_argument("--size", type=int, default=4, help="places per division of a league")
        parser.add_argument("--moves", type=int, default=1, help="promotions and relegations per division")
        parser.add_argument(
            "--change", type=float, default=0, help="share of members who leave between seasons"
        )
        parser.add_argument(
            "--seed", default="0", help="the same seed gives the same games, except with --keep"
        )
        parser.add_argument("--keep", action="store_true", help="keep everything in the database")

    def handle(self, **options: Any) -> None:
        """Play in a transaction, roll it back unless --keep is given, and print the report."""
        if options["entrants"] < 2 or options["seasons"] < 1:
            raise CommandError("--entrants must be at least 2, and --seasons at least 1")
        migrate_embedded_database()
        bar = ProgressBar(sys.stderr)
        try:
            with transaction.atomic():
                play = self.play_league if options["format"] == LEAGUE_FORMAT else self.play_tournament
                # Rows that are kept need unused names and codes.
                rng = random.Random(secrets.token_hex() if options["keep"] else options["seed"])
                report = play(options, rng, bar)
                if not options["keep"]:
                    transaction.set_rollback(True)
        except (ServiceError, simulation.SimulationStuck) as error:
            raise CommandError(str(error)) from error
        finally:
            bar.close()
        self.stdout.write(report)
        self.stdout.write(f"\n{bar.game_count} games")

    def build_game_settings(self, options: dict[str, Any]) -> dict[str, Any]:
        """Build the game settings from the options."""
        is_pairs = options["table"] == "pairs"
        return {
            "mode": "pairs" if is_pairs else "singles",
            "table_size": 2 if is_pairs else int(options["table"]),
            "target": options["target"],
            "cards": not options["no_cards"],
        }

    def play_tournament(self, options: dict[str, Any], rng: random.Random, bar: ProgressBar) -> str:
        """Play a tournament and return its bracket and standings as text."""
        now, reproducible = timezone.now(), not options["keep"]
        option_names = ("format", "cycles", "third_place")
        tournament = simulation.prepare_tournament(
            entrant_count=options["entrants"],
            rng=rng,
            now=now,
            reproducible=reproducible,
            hold_on_warnings=False,
            round_count=options["rounds"],
            advancing_count=options["advancing_count"],
            **{name: options[name] for name in option_names},
            **self.build_game_settings(options),
        )
        bar.begin_stage(tournament.format, simulation.estimate_game_count(tournament))
        simulation.run_tournament(
            tournament, policy=options["policy"], rng=rng, now=now, no_show=options["no_show"], listener=bar
        )
        state = TournamentState(tournament)
        parts = [plain_text.format_bracket(state), plain_text.format_standings(state)]
        parts.append(f"first: {', '.join(plain_text.list_champions(state)) or 'nobody'}")
        return "\n\n".join(parts)

    def play_league(self, options: dict[str, Any], rng: random.Random, bar: ProgressBar) -> str:
        """Play seasons of a league and return their tables as text."""
        now, reproducible = timezone.now(), not options["keep"]
        league = simulation.prepare_league(
            member_count=options["entrants"],
            rng=rng,
            now=now,
            reproducible=reproducible,
            division_size=options["size"],
            promotion_count=options["moves"],
            cycles=options["cycles"],
            format=options["season"],
            round_count=options["rounds"],
            **self.build_game_settings(options),
        )
        parts = []
        for number in range(options["seasons"]):
            if number:
                simulation.replace_league_members(league, rng=rng, now=now, share=options["change"])
            season, now = simulation.run_season(
                league, policy=options["policy"], rng=rng, now=now, reproducible=reproducible, listener=bar
            )
            parts.append(plain_text.format_season(season))
        return "\n\n".join(parts)
