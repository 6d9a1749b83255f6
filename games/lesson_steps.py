"""The steps of the three lessons: a position each, and what the learner reads.

They are ordinary states: the engine decides what is legal, obligatory and what follows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from .engine import DEFAULT_EDITION, State, apply_action, load_edition
from .positions import build_position

LEARNER_SEAT, BOARD_SEAT, PARTNER_SEAT, LAST_SEAT = 1, 2, 3, 4
THREE_QUARTER_CIRCLE = {"c4": "E", "d3": "B180"}  # with the centre tile; d4 is free
EIGHT_END = {"b4": "H", "c4": "D"}  # half a small circle on d4 makes an 8
EIGHT_GAP = {"b3": "I", "b4": "H", "d3": "I", "d4": "H"}  # a D on c4 makes an 8
OPEN_SQUARE = {"c4": "F", "d4": "A", "d5": "B"}  # an A on e5 closes a square at the frame
MARKED_CIRCLE = {"b3": "C", "b4": "B", "c4": "E"}  # with the centre tile
MARKED_PLACE = ("b3+b4+c3+c4", 2)


@dataclass(frozen=True)
class LessonStep:
    """One step of a lesson: its position, and what the learner reads before each action and afterwards."""

    name: str
    state: State
    title: str | Promise
    tasks: tuple[str | Promise, ...]
    result: str | Promise
    wanted: str = ""  # the beginning of the first action, where the engine would allow others


@dataclass(frozen=True)
class Lesson:
    """A lesson: its name in URLs, its title and its steps."""

    name: str
    title: str | Promise
    steps: tuple[LessonStep, ...]


def build_step_state(
    cells: Mapping[str, str],
    *,
    table: Mapping[int, str],
    drawn: str = "",
    next_tiles: str = "",
    **fields: Any,
) -> State:
    """A position of a whole box, at the learner's turn: what does not lie anywhere is in the tower."""
    used = Counter([*(tile[0] for tile in cells.values()), *table.values(), *drawn, *next_tiles])
    remaining = Counter(load_edition(DEFAULT_EDITION).all_tiles) - used
    return build_position(
        dict(cells),
        table=dict(table),
        drawn=drawn,
        phase="place" if drawn else "start",
        tower=next_tiles + "".join(remaining.elements()),
        **fields,
    )


def find_edition_step(step: LessonStep, edition: str) -> LessonStep:
    """A step as an edition plays it: a revolution has the card of the edition."""
    has_chosen_revolution = "RV" in load_edition(edition).cards
    return CHOSEN_REVOLUTION_STEP if step.name == "revolution" and has_chosen_revolution else step


def build_answer_state(**fields: Any) -> State:
    """The opponent has just made an 8; the learner's side has a circle, and 22 points of earlier matches."""
    state = build_step_state(
        MARKED_CIRCLE | {"d3": "I", "d2": "H", "b2": "H"},
        table=fields.pop("table"),
        drawn="D",
        turn=BOARD_SEAT,
        marked={MARKED_PLACE: 1},
        totals={1: 22, 2: 10},
        match=4,
        **fields,
    )
    return apply_action(state, BOARD_SEAT, "D-c2-0")[0]


FIRST_STEPS = (
    LessonStep(
        "place",
        build_step_state({"d3": "E", "c4": "A"}, table={1: "C", 2: "H"}, drawn="B"),
        _("Place a tile"),
        (
            _(
                "Each turn you have two tiles: your table tile and one that you draw. Place one of them"
                " beside the others, turned as you like. The lines always meet."
            ),
        ),
        _("That is a turn. The other tile is now your table tile, open to all, for your next turn."),
    ),
    LessonStep(
        "circle",
        build_step_state(THREE_QUARTER_CIRCLE, table={1: "A", 2: "H"}, drawn="B"),
        _("Close a circle"),
        (
            _(
                "Three quarters of a circle lie there. Close it with the last quarter for 2 points. If you"
                " can close a figure, you must, but you choose which one."
            ),
        ),
        _("Closed. Your marker lies on it: 2 points. A square scores 4, a small circle 1."),
    ),
    LessonStep(
        "eight",
        build_step_state(
            THREE_QUARTER_CIRCLE | {"d4": "C", "c5": "D", "b5": "H", "b3": "A"},
            table={1: "A", 2: "H"},
            drawn="H",
            marked={("c3+c4+d3+d4", 2): 1},
            totals={1: 16, 2: 0},
            match=3,
        ),
        _("Make an 8"),
        (
            _(
                "The crossing lies there, with half a small circle on one side. Put another half on the"
                " other side, and the lines run in an endless 8."
            ),
        ),
        _("An 8! The match ends at once. You score 8, and the markers on the board count for nobody."),
    ),
    LessonStep(
        "zero",
        build_step_state(EIGHT_END, table={1: "H", 2: "A"}, drawn="I"),
        _("Place the zero tile"),
        (
            _(
                "You drew the zero tile I. It closes nothing, and you must place it, even though your"
                " table tile could make an 8. You choose where."
            ),
        ),
        _("The zero tile always comes first. On d4 it even blocks the 8 for everybody."),
    ),
    LessonStep(
        "dark",
        build_step_state({"c4": "E", "c2": "I"}, table={1: "C", 2: "H"}, next_tiles="J", hands={1: ["OO"]}),
        _("Draw a dark tile"),
        (
            _(
                "While you hold a secret card, we do not draw for you: you could play it first. This one"
                " only answers an 8, so draw."
            ),
            _("A dark tile. It has no lines and you never place it: place your other tile."),
        ),
        _(
            "The dark tile is your table tile now, so you must place what you draw. If you draw a second"
            " one, both leave, and you get a new tile and a new card."
        ),
    ),
    LessonStep(
        "card",
        build_step_state(OPEN_SQUARE, table={1: "E", 2: "A"}, next_tiles="H", hands={1: ["MI"]}),
        _("Play a secret card"),
        (
            _(
                "On e5 a tile A would close a square, but your opponent has it. Play your card before"
                " you draw: it swaps your table tiles."
            ),
            _("Now the A is yours, and you have drawn a tile. Close the square."),
        ),
        _("4 points. The card is out of the game, and everybody has seen it."),
        wanted="MI",
    ),
)
CARD_STEPS = (
    LessonStep(
        "travel",
        build_step_state(THREE_QUARTER_CIRCLE, table={1: "B", 2: "A"}, next_tiles="CH", hands={1: ["TT"]}),
        _("Time travel"),
        (
            _("This card gives you two turns in a row. Play it."),
            _("Your first turn: close the circle."),
            _("Your second turn. You drew again, and you cannot play a card now."),
        ),
        _("Two turns, two tiles. If the first turn ends the match, there is no second."),
        wanted="TT",
    ),
    LessonStep(
        "revolution",
        build_step_state({"c4": "E", "c2": "I"}, table={1: "J", 2: "A"}, next_tiles="H", hands={1: ["RC"]}),
        _("Revolution"),
        (
            _("A dark tile lies on your table. This card passes all table tiles on, clockwise. Play it."),
            _("The dark tile is gone: you have your opponent’s tile, and a choice again. Place one."),
        ),
        _("With more players, each tile moves on one seat. Some cards move them the other way round."),
        wanted="RC",
    ),
    LessonStep(
        "leap",
        build_step_state(
            THREE_QUARTER_CIRCLE | {"c2": "C"}, table={1: "A", 2: "H"}, next_tiles="I", hands={1: ["QL"]}
        ),
        _("Quantum leap"),
        (
            _(
                "This card moves a tile on the board to any free cell. Take the C from c2 and close the"
                " circle on d4."
            ),
            _("What the leap closes is yours. Now your turn goes on: place a tile."),
        ),
        _(
            "The centre tile and tiles of marked figures never leap. Nothing obliges you to close with a"
            " leap."
        ),
        wanted="QL",
    ),
    LessonStep(
        "meteorite",
        build_step_state({"c4": "E", "c2": "I"}, table={1: "J", 2: "A"}, next_tiles="BHE", hands={1: ["ME"]}),
        _("Meteorite"),
        (
            _("All table tiles leave the match, and everybody takes a new one, you first. Play it."),
            _("A new table tile for each of you. You have drawn, too: place a tile."),
        ),
        _("A meteorite rids you of a dark tile and the others of a good one."),
        wanted="ME",
    ),
    LessonStep(
        "kidnapping",
        build_step_state(
            OPEN_SQUARE, table={1: "E", 2: "A"}, next_tiles="H", hands={1: ["AK"], 2: ["MI"]}, deck=[]
        ),
        _("Alien kidnapping"),
        (
            _("Take a card from your opponent, without seeing it first. Play your card."),
            _("You took a card, and everybody sees it. Play it at once. You choose how."),
            _("Now the A is yours. Close the square on e5."),
        ),
        _("A kidnapped card that can do nothing is lost. The card “The 8” always is."),
        wanted="AK",
    ),
    LessonStep(
        "wildcard",
        build_step_state(OPEN_SQUARE, table={1: "E", 2: "A"}, next_tiles="H", hands={1: ["CV"]}),
        _("Cosmic void"),
        (
            _("The wildcard plays as any other card. Which one would help you here? Choose it."),
            _("Your turn goes on: place a tile."),
        ),
        _("There is only one wildcard in the game. It can also answer an 8."),
        wanted="CV",
    ),
    LessonStep(
        "answer",
        build_answer_state(table={1: "A", 2: "B"}, hands={1: ["OO"]}),
        _("Answer an 8"),
        (
            _(
                "Your opponent made an 8. Your circle would count for nothing, but you hold the card that"
                " protects your points. Answer with it."
            ),
        ),
        _("Your opponent scores 8, and you keep your 2 points. With the 22 you had, you win the game."),
        wanted="8",
    ),
)
# The same step with the card of an edition that lets the player choose the direction.
CHOSEN_REVOLUTION_STEP = LessonStep(
    "revolution",
    build_step_state(
        {"c4": "E", "c2": "I"},
        table={1: "J", 2: "A"},
        next_tiles="H",
        hands={1: ["RV"]},
        edition="bannan-nl",
    ),
    _("Revolution"),
    (
        _(
            "A dark tile lies on your table. This card passes all table tiles on, and you say which way"
            " round. Play it."
        ),
        _("The dark tile is gone: you have your opponent’s tile, and a choice again. Place one."),
    ),
    _("With more players, each tile moves on one seat, the way that you said."),
    wanted="RV",
)
PAIR_TABLE_TILES = {1: "E", 2: "H", 3: "A", 4: "C"}
PAIR_STEPS = (
    LessonStep(
        "share",
        build_step_state(
            MARKED_CIRCLE | {"d3": "C90"},
            table={1: "A", 2: "H", 3: "E", 4: "C"},
            drawn="B",
            marked={MARKED_PLACE: 1},
            mode="pairs",
            seats=4,
        ),
        _("Score for both"),
        (
            _(
                "Your partner sits across from you and closed the circle with the marker 1. Close another"
                " one: you share markers and points."
            ),
        ),
        _("4 points for the two of you. When your pair wins, you both win."),
    ),
    LessonStep(
        "partner-swap",
        build_step_state(
            OPEN_SQUARE,
            table=PAIR_TABLE_TILES,
            next_tiles="H",
            hands={1: ["MI"], 3: ["TT"]},
            mode="pairs",
            seats=4,
        ),
        _("Swap with your partner"),
        (
            _(
                "Your partner has the A for the square on e5. You may swap table tiles with anybody. Play"
                " your card."
            ),
            _("Now place a tile. With the A you must close the square."),
        ),
        _("Partners see each other’s cards, but only you decide what you play."),
        wanted="MI-3",
    ),
    LessonStep(
        "rob",
        build_step_state(
            OPEN_SQUARE,
            table=PAIR_TABLE_TILES,
            next_tiles="HBHEC",
            hands={1: ["AK"], 2: ["ME"], 3: ["OO"], 4: ["MI"]},
            mode="pairs",
            seats=4,
        ),
        _("Rob an opponent"),
        (
            _("You can kidnap a card from either opponent, never from your partner. Choose one."),
            _("Play the kidnapped card at once."),
            _("Your turn goes on: place a tile."),
        ),
        _("Your partner kept the card that protects you both."),
        wanted="AK",
    ),
    LessonStep(
        "protect",
        build_answer_state(
            table={1: "A", 2: "B", 3: "E", 4: "C"}, hands={1: ["OO"], 3: ["OO"]}, mode="pairs", seats=4
        ),
        _("Protect you both"),
        (
            _(
                "The opponents made an 8. You and your partner can both answer; one card is enough. Answer"
                " with yours."
            ),
        ),
        _("Your side keeps its points and wins. Your partner need not answer and keeps the card."),
        wanted="8",
    ),
)
LESSONS = {
    lesson.name: lesson
    for lesson in (
        Lesson("first", _("First lesson: your turn"), FIRST_STEPS),
        Lesson("cards", _("Second lesson: the secret cards"), CARD_STEPS),
        Lesson("pairs", _("Third lesson: in pairs"), PAIR_STEPS),
    )
}
