"""Play a whole event, or seasons of a league, with bots, through the services, and print how it ended."""

from __future__ import annotations

import random
import secrets
import sys
from argparse import ArgumentParser
from typing import Any, TextIO

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import connection, transaction
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone

from games.services.errors import Refusal
from games.services.lobby import BOTS
from tournaments.models import Event
from tournaments.selectors import Course, text
from tournaments.services import simulation

LEAGUE = "league"
WIDTH = 40  # of the bar


def make_ready() -> None:
    """The embedded database gets its tables, as from `make run`; another one is its operator's."""
    executor = MigrationExecutor(connection)
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        if connection.vendor != "sqlite":
            raise CommandError("the database is not up to date: run `manage.py migrate` first")
        call_command("migrate", verbosity=0)


class Bar(simulation.Watch):
    """A progress bar on a terminal; elsewhere nothing."""

    def __init__(self, stream: TextIO) -> None:
        super().__init__()
        self.stream, self.what, self.total, self.before = stream, "", 0, 0

    def begin(self, what: str, games: int) -> None:
        self.what, self.total, self.before = what, games, self.games
        self.draw()

    def played(self) -> None:
        super().played()
        self.draw()

    def draw(self) -> None:
        """Say how far it is."""
        done = self.games - self.before
        total = max(done, self.total, 1)
        if self.stream.isatty():
            bar = "#" * (WIDTH * done // total)
            self.stream.write(f"\r{self.what} [{bar:<{WIDTH}}] {done} of {total} games")
            self.stream.flush()

    def close(self) -> None:
        """Make room for what is printed."""
        if self.stream.isatty():
            self.stream.write("\r\x1b[K")


class Command(BaseCommand):
    """The door to tournaments.services.simulation."""

    help = "Play an event or a league with bots; nothing of it stays in the database, unless with --keep."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--format", choices=[*Event.Format.values, LEAGUE], default="swiss")
        parser.add_argument("--entrants", type=int, default=8, help="players, or pairs (default 8)")
        parser.add_argument("--table", choices=["2", "3", "4", "pairs"], default="2")
        parser.add_argument("--rounds", type=int, help="of Swiss, and of round robin at tables of 3 and 4")
        parser.add_argument("--laps", type=int, default=1, help="of a round robin at tables of 2")
        parser.add_argument("--advance", type=int, default=1, help="who go on from a table of a knock-out")
        parser.add_argument("--third-place", action="store_true", help="of a knock-out at tables of 2")
        parser.add_argument("--policy", choices=BOTS, default="random", help="who plays")
        parser.add_argument("--target", type=int, default=24, help="points that end a game, 1 to 99")
        parser.add_argument("--no-cards", action="store_true", help="play without secret cards")
        parser.add_argument("--no-show", type=float, default=0, help="how often somebody forfeits, 0 to 1")
        parser.add_argument("--seasons", type=int, default=2, help="of a league")
        parser.add_argument("--size", type=int, default=4, help="of a division of a league")
        parser.add_argument("--moves", type=int, default=1, help="who go up and down in a league")
        parser.add_argument("--change", type=float, default=0, help="share that leaves between two seasons")
        parser.add_argument("--seed", default="0", help="the same seed plays the same, unless with --keep")
        parser.add_argument("--keep", action="store_true", help="leave everything in the database")

    def handle(self, **options: Any) -> None:
        if options["entrants"] < 2 or options["seasons"] < 1:
            raise CommandError("it takes two entrants at least, and a league a season")
        make_ready()
        bar = Bar(sys.stderr)
        try:
            with transaction.atomic():
                play = self.league if options["format"] == LEAGUE else self.event
                # What stays needs names and codes that nobody has yet.
                rng = random.Random(secrets.token_hex() if options["keep"] else options["seed"])
                told = play(options, rng, bar)
                if not options["keep"]:
                    transaction.set_rollback(True)
        except (Refusal, simulation.Stuck) as error:
            raise CommandError(str(error)) from error
        finally:
            bar.close()
        self.stdout.write(told)
        self.stdout.write(f"\n{bar.games} games")

    def terms(self, options: dict[str, Any]) -> dict[str, Any]:
        """The terms of the games."""
        pairs = options["table"] == "pairs"
        return {
            "mode": "pairs" if pairs else "singles",
            "table": 2 if pairs else int(options["table"]),
            "target": options["target"],
            "cards": not options["no_cards"],
        }

    def event(self, options: dict[str, Any], rng: random.Random, bar: Bar) -> str:
        """One event, as text."""
        now, again = timezone.now(), not options["keep"]
        names = ("format", "rounds", "laps", "advance", "third_place")
        event = simulation.make_event(
            entrants=options["entrants"],
            rng=rng,
            now=now,
            again=again,
            ask=False,
            **{name: options[name] for name in names},
            **self.terms(options),
        )
        bar.begin(event.format, simulation.games_ahead(event))
        simulation.run_event(
            event, policy=options["policy"], rng=rng, now=now, no_show=options["no_show"], watch=bar
        )
        course = Course(event)
        parts = [text.bracket(course), text.standings(course)]
        parts.append(f"first: {', '.join(text.champions(course)) or 'nobody'}")
        return "\n\n".join(parts)

    def league(self, options: dict[str, Any], rng: random.Random, bar: Bar) -> str:
        """Seasons of a league, as text."""
        now, again = timezone.now(), not options["keep"]
        league = simulation.make_league(
            members=options["entrants"],
            rng=rng,
            now=now,
            again=again,
            size=options["size"],
            moves=options["moves"],
            laps=options["laps"],
            **self.terms(options),
        )
        parts = []
        for number in range(options["seasons"]):
            if number:
                simulation.people_change(league, rng=rng, now=now, share=options["change"])
            season, now = simulation.run_season(
                league, policy=options["policy"], rng=rng, now=now, again=again, watch=bar
            )
            parts.append(text.season(season))
        return "\n\n".join(parts)
