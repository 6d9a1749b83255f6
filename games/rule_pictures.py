"""Pictures of the rules page: its diagrams, and the boards of its worked examples, by name."""

from __future__ import annotations

from functools import cache

from . import diagrams, picture_svg
from .engine import DEFAULT_EDITION
from .engine.text import ENGLISH_TRANSLATOR
from .rule_examples import RULE_EXAMPLES, ExampleRun, run_example

PICTURE_SIZE = 320  # pixels
EXAMPLE_PREFIX = "example-"


def list_picture_names() -> list[str]:
    """The names of all pictures."""
    return [*diagrams.DIAGRAMS, *(EXAMPLE_PREFIX + name for name in RULE_EXAMPLES)]


@cache  # they change only with a release; no text in them depends on the language of the reader
def draw_rule_picture(name: str, edition: str) -> str:
    """A picture for a page of an edition as SVG. Raises KeyError if there is none of that name."""
    if name in diagrams.DIAGRAMS:
        return diagrams.draw_diagram(name, name, ENGLISH_TRANSLATOR, size=PICTURE_SIZE)
    run = run_example(name.removeprefix(EXAMPLE_PREFIX), edition)
    return picture_svg.draw_board_svg(
        run.last_board, size=PICTURE_SIZE, title=name, highlight=list_example_cells(run)
    )


def find_picture_edition(name: str, edition: str) -> str:
    """The edition that the address of a picture names; "" if it looks as in the default edition."""
    is_default = draw_rule_picture(name, edition) == draw_rule_picture(name, DEFAULT_EDITION)
    return "" if is_default else edition


def list_example_cells(run: ExampleRun) -> set[str]:
    """The cells that are outlined: where a tile was put last, or where one may go."""
    placed_cells = [event["cell"] for event in run.events if event["event"] == "placed"]
    leaps = [
        event["action"] for event in run.events if event["event"] == "played" and "QL-" in event["action"]
    ]
    if placed_cells or leaps:
        return {placed_cells[-1] if placed_cells else leaps[-1].split("-")[-2]}
    outcome = run.example.outcome
    actions = [action for action in outcome.actions or () if action[1] == "-"]
    return {*(outcome.cells or ()), *(action.split("-")[1] for action in actions)}
