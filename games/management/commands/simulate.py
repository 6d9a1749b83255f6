"""Play whole games with bots and write their records."""

from __future__ import annotations

from argparse import ArgumentParser, BooleanOptionalAction
from collections import Counter
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from games.engine import (
    CARDS_FROM_MATCHES,
    DEFAULT_EDITION,
    OBLIGATIONS,
    RULES_VERSION,
    RULES_VERSIONS,
    SENIORITY_RULES,
    Mode,
    list_edition_names,
    load_edition,
)
from games.engine.simulation import (
    SIMULATION_POLICIES,
    SimulationSettings,
    format_record,
    resolve_seat_count,
    simulate_game,
)


class Command(BaseCommand):
    """Runs games.engine.simulation."""

    help = "Play games with bots; with --out, write one otto-record/1 file for each."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Define the arguments."""
        parser.add_argument("--games", type=int, default=1, help="number of games (default 1)")
        parser.add_argument(
            "--mode",
            choices=[mode.value for mode in Mode],
            default=Mode.SINGLES.value,
            help="default singles",
        )
        parser.add_argument("--seats", type=int, help="2 to 4 in singles (default 2), 4 in pairs, 1 in solo")
        parser.add_argument(
            "--edition",
            choices=list_edition_names(),
            default=DEFAULT_EDITION,
            help="the box: tiles, cards and rules",
        )
        parser.add_argument(
            "--policy",
            choices=SIMULATION_POLICIES,
            default="random",
            help="bot that plays; mixed changes bots at every decision and sometimes resigns",
        )
        parser.add_argument(
            "--cards",
            action=BooleanOptionalAction,
            help="play with or without secret cards; by default as the edition has it",
        )
        parser.add_argument(
            "--cards-from", type=int, choices=CARDS_FROM_MATCHES, default=1, help="the first match with cards"
        )
        parser.add_argument("--seniority", choices=SENIORITY_RULES, help="by default as the edition has it")
        parser.add_argument(
            "--rules",
            type=int,
            choices=RULES_VERSIONS,
            default=RULES_VERSION,
            help="version of the rules (default: newest)",
        )
        parser.add_argument(
            "--obligation",
            choices=OBLIGATIONS,
            default="strict",
            help="duty to close figures (default strict)",
        )
        parser.add_argument("--target", type=int, default=24, help="points that end a game, 1 to 99")
        parser.add_argument("--seed", default="0", help="the same seed writes the same bytes")
        parser.add_argument("--out", type=Path, help="folder for the records; created if missing")

    def handle(self, **options: Any) -> None:
        """Play the games, write the records, and print the results. Raises CommandError."""
        games, out = options["games"], options["out"]
        if games < 1:
            raise CommandError("--games must be at least 1")
        if not 1 <= options["target"] <= 99:
            raise CommandError("--target must be from 1 to 99")
        try:
            seats = resolve_seat_count(options["mode"], options["seats"])
            if out:
                out.mkdir(parents=True, exist_ok=True)
        except (ValueError, OSError) as error:
            raise CommandError(str(error)) from error
        edition = load_edition(options["edition"])
        terms = SimulationSettings(
            mode=options["mode"],
            seats=seats,
            edition=options["edition"],
            policy=options["policy"],
            cards=edition.default_cards if options["cards"] is None else options["cards"],
            obligation=options["obligation"],
            target=options["target"],
            seed=options["seed"],
            rules=options["rules"],
            cards_from=options["cards_from"],
            seniority_rule=options["seniority"] or edition.default_seniority,
        )
        wins: Counter[int | None] = Counter()
        decisions = 0
        for number in tqdm(range(1, games + 1), desc="playing", disable=None, leave=False):
            try:
                record = simulate_game(terms, number)
            except ValueError as error:
                raise CommandError(str(error)) from None
            assert record["result"], "a simulated game is played to its end"
            wins[record["result"]["winner"]] += 1
            decisions += len(record["actions"])
            if out:
                (out / f"game-{number:06}.json").write_text(format_record(record), encoding="utf-8")
        self.stdout.write(f"{games} games, {decisions} decisions; {_describe_results(wins, terms)}")
        if out:
            self.stdout.write(f"records in {out}")


def _describe_results(wins: Counter[int | None], terms: SimulationSettings) -> str:
    if terms.mode == Mode.SOLO:
        return f"won {wins[1]}, lost {wins[None]}"
    sides = 2 if terms.mode == Mode.PAIRS else terms.seats
    phrases = [f"side {side} won {wins[side]}" for side in range(1, sides + 1)]
    return ", ".join([*phrases, f"drawn {wins[None]}"])
