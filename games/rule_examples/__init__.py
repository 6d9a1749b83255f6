"""Worked examples of every statement of the rules page, played by the engine."""

from __future__ import annotations

from functools import cache

from django.utils.translation import gettext, ngettext

from games.engine import DEFAULT_EDITION
from games.engine.text import GameTranslator

from .board_examples import BOARD_EXAMPLES
from .card_examples import CARD_EXAMPLES, EIGHT_EXAMPLES
from .ending_examples import COMPANY_EXAMPLES, END_EXAMPLES, WIN_EXAMPLES
from .example import PLAYER_NAMES, ExampleRun, Outcome, RuleExample
from .example_text import describe_example, describe_example_board
from .turn_examples import BEGIN_EXAMPLES, DUTY_EXAMPLES, SPECIAL_EXAMPLES, TURN_EXAMPLES

__all__ = [
    "PLAYER_NAMES",
    "RULE_EXAMPLES",
    "ExampleRun",
    "Outcome",
    "RuleExample",
    "build_example_translator",
    "describe_example",
    "describe_example_board",
    "run_example",
]

RULE_EXAMPLES: dict[str, RuleExample] = {
    **BOARD_EXAMPLES,
    **BEGIN_EXAMPLES,
    **TURN_EXAMPLES,
    **DUTY_EXAMPLES,
    **SPECIAL_EXAMPLES,
    **CARD_EXAMPLES,
    **EIGHT_EXAMPLES,
    **END_EXAMPLES,
    **WIN_EXAMPLES,
    **COMPANY_EXAMPLES,
}


@cache
def run_example(name: str, edition: str = DEFAULT_EDITION) -> ExampleRun:
    """The example of a name, played for a page of an edition. Raises KeyError if there is none."""
    return RULE_EXAMPLES[name].run(edition)


def build_example_translator(run: ExampleRun) -> GameTranslator:
    """A translator with the names of the players of an example, in the language active when it is used."""
    setup = run.end.setup
    return GameTranslator(
        gettext=gettext,
        ngettext=ngettext,
        seat_names=dict(enumerate(PLAYER_NAMES, 1)),
        side_seats={side: setup.seats_of_side(side) for side in setup.side_numbers},
    )
