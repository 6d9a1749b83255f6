"""A game in plain text: the board for a fixed-width font, and descriptions of the position.

(1) circle, [1] square, o1 small circle marked by side 1; (?) [?] o? unmarked; (x) [x] ox lost;
#D# part of an 8
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .board import BOARD_SIZE, CELL_INDEX, CELL_SIDE_PLACES, PLACE_NAMES, VERTEX_COUNT, load_board
from .cards import REVOLUTION_STEPS
from .edition import load_edition
from .errors import ActionError
from .narration import narrate_actions, narrate_event
from .phrases import CARD_NAMES, ENGLISH_TRANSLATOR, GameTranslator

__all__ = [
    "CARD_NAMES",
    "ENGLISH_TRANSLATOR",
    "GameTranslator",
    "describe_action",
    "describe_duty",
    "describe_figures",
    "describe_own_position",
    "draw_text_board",
    "explain_error",
    "narrate_actions",
    "narrate_event",
    "summarise_position",
]

ViewData = Mapping[str, Any]
_PLACE_OF_NAME = {name: place for place, name in enumerate(PLACE_NAMES)}
_COLUMN_LETTERS = "abcde"
_COLUMN_HEADER = "    " + " ".join(f"   {letter}    " for letter in _COLUMN_LETTERS).rstrip()


def draw_text_board(view: ViewData) -> str:
    """The board of a view with coordinates, figures and markers; 50 characters wide."""
    marks: dict[int, str] = {}
    eights: set[str] = set()
    for figure in view["board"]["figures"]:
        owner = str(figure["side"] or ("x" if figure.get("lost") else "?"))
        if figure["value"] == 8:
            eights.update(figure["place"].split("+"))
        else:
            shape = {1: "o{}", 2: "({})", 4: "[{}]"}[figure["value"]]
            marks[_PLACE_OF_NAME[figure["place"]]] = shape.format(owner)
    lines = [_COLUMN_HEADER]
    for row in range(BOARD_SIZE, -1, -1):
        lines.append("  " + _draw_rule_line(row, marks).rstrip())
        if row:
            lines.append(f"{row} {_draw_cell_line(row - 1, view, marks, eights)} {row}")
    lines.append(_COLUMN_HEADER)
    return "\n".join(lines)


def _draw_rule_line(row: int, marks: dict[int, str]) -> str:
    """The line between two rows: vertices, and the edges between the cells below and above."""
    parts = []
    for column in range(BOARD_SIZE + 1):
        parts.append(marks.get(column * 6 + row, " + "))
        if column < BOARD_SIZE:
            edge = CELL_SIDE_PLACES[column * BOARD_SIZE + row][2] if row < BOARD_SIZE else -1
            parts.append(marks.get(edge, "-" * 6).center(6, "-"))
    return "".join(parts)


def _draw_cell_line(row: int, view: ViewData, marks: dict[int, str], eights: set[str]) -> str:
    """The line of a row: tiles, and the edges between neighbouring cells."""
    parts = []
    for column in range(BOARD_SIZE):
        name = f"{_COLUMN_LETTERS[column]}{row + 1}"
        edge = CELL_SIDE_PLACES[CELL_INDEX[name]][3]
        parts.append(marks.get(edge, "|").center(3))
        tile = view["board"]["cells"].get(name)
        word = f"{tile['tile']}{tile['rotation'] or ''}" if tile else "."
        parts.append((f"#{word}#" if name in eights else word).center(6))
    return "".join(parts) + " |"


def describe_figures(view: ViewData, translator: GameTranslator = ENGLISH_TRANSLATOR) -> list[str]:
    """The closed figures in words, as a text alternative to the picture."""
    return [
        f"{translator.format_figure(figure['kind'], figure['place'])}: {_format_owner(figure, translator)}, "
        f"{translator.format_points(figure['value'])}"
        for figure in view["board"]["figures"]
    ]


def _format_owner(figure: ViewData, translator: GameTranslator) -> str:
    """Name the owner of the marker on a figure."""
    if figure["side"]:
        return translator.format_side(figure["side"])
    return (
        translator.gettext("lost for all") if figure.get("lost") else translator.gettext("without a marker")
    )


def summarise_position(view: ViewData, translator: GameTranslator = ENGLISH_TRANSLATOR) -> list[str]:
    """The public position beside the board: scores, table tiles, tower."""
    lines = [f"{_format_match_title(view, translator)}: {_format_scores(view, translator)}"]
    for seat in view["seats"]:
        who = translator.format_seat(seat["seat"])
        if not seat["in_play"]:
            lines.append(
                translator.capitalize_sentence(translator.gettext("{who} has resigned").format(who=who))
            )
        elif view["kind"] == "normal":
            lines.append(translator.capitalize_sentence(f"{who}: {_format_table_tile(seat, translator)}"))
            if view["options"]["cards"]:
                lines[-1] += f", {translator.format_card_count(seat['cards'])}"
    if view["drawn"]:
        lines.append(translator.gettext("Drawn: {tile}").format(tile=view["drawn"]))
    if view["stolen"]:
        lines.append(
            translator.gettext("Kidnapped: {card}").format(
                card=translator.format_cards_with_codes([view["stolen"]])
            )
        )
    tiles_left = view["tower_left"]
    lines.append(
        translator.ngettext("Tower: {n} tile left", "Tower: {n} tiles left", tiles_left).format(n=tiles_left)
    )
    return lines


def describe_own_position(
    view: ViewData, translator: GameTranslator = ENGLISH_TRANSLATOR, legal_actions: Sequence[str] = ()
) -> list[str]:
    """A player's own tiles and cards, and what the player has to decide."""
    you = view.get("you")
    if not you or view["phase"] == "over":
        return []
    lines = []
    tiles = [translator.gettext("{tile} (drawn)").format(tile=tile) for tile in _list_own_drawn_tile(view)]
    tiles += [
        translator.gettext("{tile} (on the table)").format(tile=seat["table"])
        for seat in view["seats"]
        if seat["seat"] == you["seat"] and seat["table"]
    ]
    if tiles:
        sentence = translator.ngettext("Your tile: {tiles}", "Your tiles: {tiles}", len(tiles))
        lines.append(sentence.format(tiles=", ".join(tiles)))
    if you["hand"]:
        lines.append(
            translator.gettext("Your cards: {cards}").format(
                cards=translator.format_cards_with_codes(you["hand"])
            )
        )
    if you["partner"] and you["partner"]["hand"]:
        sentence = translator.gettext("Cards of {who}: {cards}")
        hand = translator.format_cards_with_codes(you["partner"]["hand"])
        lines.append(sentence.format(who=translator.format_seat(you["partner"]["seat"]), cards=hand))
    return [*lines, describe_duty(view, translator, legal_actions)]


def describe_duty(
    view: ViewData, translator: GameTranslator = ENGLISH_TRANSLATOR, legal_actions: Sequence[str] = ()
) -> str:
    """Describe the decision that the viewing seat must take now, or the seats it waits for."""
    if view["you"]["seat"] not in view["to_act"]:
        return translator.gettext("Waiting for {who}.").format(who=translator.format_seats(view["to_act"]))
    if view["phase"] == "stolen":
        sentence = translator.gettext("You must play the kidnapped card: {card}.")
        return sentence.format(card=translator.format_cards_with_codes([view["stolen"]]))
    if view["phase"] == "react":
        if tuple(legal_actions) == ("pass",):
            return translator.gettext("Somebody made an 8. You hold no card against it, so you pass.")
        return translator.gettext("Somebody made an 8. Protect your points, or pass.")
    if view["phase"] == "start":
        if tuple(legal_actions) == ("draw",):
            return translator.gettext("You cannot play any of your cards now: draw a tile.")
        return translator.gettext("You may play a secret card, or draw a tile.")
    return _describe_placing(view, translator, legal_actions)


def _describe_placing(view: ViewData, translator: GameTranslator, legal_actions: Sequence[str]) -> str:
    """The obligations on placing a tile, or that any tile may be placed."""
    edition = load_edition(view["edition"])
    held_tiles = [
        *_list_own_drawn_tile(view),
        *(seat["table"] for seat in view["seats"] if seat["seat"] == view["turn"] and seat["table"]),
    ]
    kind_of_special = {edition.tiles[kind].special: kind for kind in held_tiles}
    if "zero" in kind_of_special:
        return translator.gettext("You must place the zero tile {tile}.").format(tile=kind_of_special["zero"])
    sentences = []
    if "dark" in kind_of_special:
        sentence = translator.gettext("You never place the dark tile {tile}.")
        sentences.append(sentence.format(tile=kind_of_special["dark"]))
    board = load_board(edition)
    if legal_actions and view["options"]["obligation"] == "strict" and view.get("hints", True):
        # All legal placements fulfil the same obligation, so the first one shows which it is.
        codes = [0] * len(CELL_INDEX)
        for name, tile in view["board"]["cells"].items():
            codes[CELL_INDEX[name]] = board.code_of_tile[tile["tile"], tile["rotation"]]
        _, t, x = board.placements[legal_actions[0]]
        closed, eights = board.find_closed_figures(x, t, board.rebuild_position(codes).demands[x])
        if eights:
            sentences.append(translator.gettext("You can make an 8, so you must."))
        elif closed:
            sentences.append(translator.gettext("You can close a figure, so you must."))
    return " ".join(sentences) or translator.gettext("Place a tile.")


def describe_action(action: str, translator: GameTranslator = ENGLISH_TRANSLATOR) -> str:
    """An action in words, as an instruction."""
    if action in ("draw", "pass", "resign"):
        return {
            "draw": translator.gettext("draw a tile"),
            "pass": translator.gettext("pass"),
            "resign": translator.gettext("resign the game"),
        }[action]
    card_action, details = action.removeprefix("CV="), {"card": ""}
    if card_action[0] in "ABCDEFGHIJ" and card_action[1] == "-":
        details["tile"], details["cell"], details["degrees"] = card_action.split("-")
        sentence = (
            translator.gettext("put tile {tile} on {cell}")
            if details["degrees"] == "0"
            else translator.gettext("put tile {tile} on {cell}, turned by {degrees} degrees")
        )
        return sentence.format(**details)
    details["card"] = translator.format_card_use(action)
    if card_action == "8":
        sentence = translator.gettext("answer with {card}")
    elif card_action.startswith("MI"):
        sentence = translator.gettext("play {card}: swap table tiles with {who}")
        details["who"] = translator.format_seat(int(card_action[3:]))
    elif card_action.startswith("AK"):
        sentence = translator.gettext("play {card}: take a card from {who}")
        details["who"] = translator.format_seat(int(card_action[3:]))
    elif card_action.startswith("RV"):
        sentence = (
            translator.gettext("play {card}, clockwise")
            if REVOLUTION_STEPS[card_action] > 0
            else translator.gettext("play {card}, anti-clockwise")
        )
    elif card_action.startswith("QL"):
        _, details["start"], details["end"], details["degrees"] = card_action.split("-")
        sentence = (
            translator.gettext("play {card}: turn the tile on {start} to {degrees} degrees")
            if details["start"] == details["end"]
            else translator.gettext("play {card}: the tile on {start} to {end}, at {degrees} degrees")
        )
    else:
        sentence = translator.gettext("play {card}")
    return sentence.format(**details)


def explain_error(error: ActionError, translator: GameTranslator = ENGLISH_TRANSLATOR) -> str:
    """The message of an error in the language of the translator."""
    return translator.format_sentence(error.sentence, error.details)


def _list_own_drawn_tile(view: ViewData) -> list[str]:
    """The tile that the viewing seat has drawn, as a list of at most one."""
    return [view["drawn"]] if view["drawn"] and view["turn"] == view["you"]["seat"] else []


def _format_match_title(view: ViewData, translator: GameTranslator) -> str:
    """The kind and number of the match."""
    if view["kind"] == "blind":
        return translator.gettext("Blind match")
    if view["kind"] == "solo":
        return translator.gettext("Solo match")
    return translator.gettext("Match {n}").format(n=view["match"])


def _format_scores(view: ViewData, translator: GameTranslator) -> str:
    """Points and totals of all sides."""
    scores = []
    for side, total in view["totals"].items():
        seat_count = translator.count_side_seats(int(side))
        sentence = translator.ngettext(
            "{side} has {here} here and {total} in all",
            "{side} have {here} here and {total} in all",
            seat_count,
        )
        scores.append(
            sentence.format(side=translator.format_side(int(side)), here=view["points"][side], total=total)
        )
    return ", ".join(scores)


def _format_table_tile(seat: ViewData, translator: GameTranslator) -> str:
    """The table tile of a seat."""
    if not seat["table"]:
        return translator.gettext("no tile on the table")
    return translator.gettext("tile {tile} on the table").format(tile=seat["table"])


assert VERTEX_COUNT == (BOARD_SIZE + 1) ** 2  # vertices are numbered by column, then row
