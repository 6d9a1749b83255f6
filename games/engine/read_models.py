"""Read models of the engine, as types of their JSON: the view of a state and the record of a game.

The text beside a type describes it to users of the API; after it may stand the format of a string.
"""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired, TypedDict

from .choices import (
    ActionSource,
    FigureKind,
    MatchEnd,
    MatchKind,
    Mode,
    Obligation,
    Phase,
    SeatOrder,
    SeniorityRule,
)


class GameOptionsData(TypedDict):
    """The rule options of a game."""

    cards: Annotated[bool, "Whether secret cards are played."]
    obligation: Annotated[
        Obligation,
        "`strict`: a placement must make an 8 or close a figure where it can. `lenient`: it need not.",
    ]
    target: Annotated[int, "The points that a side needs to end the game."]
    cards_from: NotRequired[
        Annotated[int, "The first match with cards, 1 or 2; not in games of rules version 1."]
    ]
    seniority: NotRequired[
        Annotated[
            SeniorityRule,
            "The oldest player: account, by the age of accounts, or lot; not in games of rules version 1.",
        ]
    ]


class CellData(TypedDict):
    """A tile on the board."""

    tile: Annotated[str, "The letter of the tile, A to J."]
    rotation: Annotated[int, "The rotation of the tile, in degrees clockwise: 0, 90, 180 or 270."]


class FigureData(TypedDict):
    """A closed figure."""

    kind: Annotated[FigureKind, "The kind of figure: `small circle`, `circle`, `square` or `infinity`."]
    place: Annotated[str, "The cells that it lies on, as `b3+c3`; with `frame` at the border."]
    value: Annotated[int, "The points that it is worth."]
    side: Annotated[int | None, "The side whose marker is on it, or that made the 8; null without a marker."]
    lost: Annotated[bool, "True if nobody may mark it any more in this match; its points are lost."]


class BoardData(TypedDict):
    """The board."""

    cells: Annotated[dict[str, CellData], "The tiles on the board, by the name of their cell, `a1` to `e5`."]
    figures: Annotated[list[FigureData], "The closed figures."]


class SeatPositionData(TypedDict):
    """The public part of a seat."""

    seat: Annotated[int, "The number of the seat."]
    side: Annotated[int, "The side that it plays for."]
    cards: Annotated[int, "How many cards the seat holds. Which ones is secret."]
    table: Annotated[str | None, "The letter of the tile that lies open before the seat; null for none."]
    in_play: Annotated[bool, "False once its side has resigned."]


class PartnerData(TypedDict):
    """Your partner's seat, whose hand you see."""

    seat: Annotated[int, "The number of the seat."]
    hand: Annotated[list[str], "The cards, in the order in which they were received."]


class OwnPositionData(TypedDict):
    """The part of a position that only the viewing seat may see."""

    seat: Annotated[int, "The number of the seat."]
    side: Annotated[int, "The side that you play for."]
    hand: Annotated[list[str], "Your cards, in the order in which you received them."]
    partner: Annotated[PartnerData | None, "In pairs: your partner's seat. Null otherwise."]
    legal_count: Annotated[int, "How many legal actions you have now."]
    legal: Annotated[
        list[str],
        "Your legal actions now, as actions/legal/ gives them; empty if you have nothing to decide.",
    ]


class MatchResultData(TypedDict):
    """A scored match."""

    kind: Annotated[MatchKind, "The kind of match: `normal`, `blind` or `solo`."]
    ended: Annotated[MatchEnd, "What ended it: `infinity`, `full`, `tower` or `won`."]
    scores: Annotated[dict[str, int], "The points, by side."]
    silly: Annotated[list[int], "The sides that had no marker and scored all the same, ascending."]


class GameResultData(TypedDict):
    """The result of a game."""

    winner: Annotated[int | None, "The side that won; null for a draw and for a lost solo game."]
    totals: Annotated[dict[str, int], "The points, by side."]
    matches: Annotated[list[MatchResultData], "The matches that were scored, in order."]
    shootout: Annotated[list[dict[str, str]], "The rounds of a shoot-out: the tile that each side drew."]


class SharedPositionData(TypedDict):
    """The part of a position that every viewer sees, but for the seats."""

    seq: Annotated[int, "The number of the last action; 0 before any."]
    phase: Annotated[
        Phase | None,
        "What kind of action is expected: `start`, `stolen`, `place`, `react`, or `over`;"
        " null before the start.",
    ]
    match: Annotated[int, "The number of the current match; 0 before the start."]
    to_act: Annotated[
        list[int], "The seats that have a decision to make. There can be several during `react`."
    ]
    board: Annotated[BoardData, "The tiles and figures on the board."]
    drawn: Annotated[str | None, "The tile that was drawn and has to be placed; null if there is none."]
    markers: Annotated[dict[str, dict[str, int]], "How many markers are left, by side and value."]
    totals: Annotated[dict[str, int], "The points of finished matches, by side."]
    tower_left: Annotated[int, "How many tiles are left in the tower."]
    deck_left: Annotated[int, "How many cards are left in the deck."]
    kind: Annotated[MatchKind | None, "The kind of the current match: `normal`, `blind` or `solo`."]
    turn: Annotated[int | None, "The seat whose turn it is."]
    second_turn: Annotated[bool, "Whether this is that seat's second turn in a row."]
    stolen: Annotated[str | None, "The kidnapped card that has to be played; null if there is none."]
    points: Annotated[dict[str, int], "The points of the current match so far, by side."]
    played: Annotated[list[str], "The cards that were played in this game, in order."]
    removed_tiles: Annotated[list[str], "The tiles that left the current match."]
    protected: Annotated[list[int], "The sides that have protected their points against an 8."]
    missed_duty: Annotated[
        list[int],
        "With the obligation `lenient`: the sides that passed up a duty in this match, ascending. They get no"
        " points for a table tile in it. Empty in games of rules version 1.",
    ]
    matches: Annotated[list[MatchResultData], "The matches that were scored, in order."]
    shootout: Annotated[list[dict[str, str]], "The rounds of a shoot-out: the tile that each side drew."]
    winner: Annotated[
        int | None, "The side that won. Null while the game runs, for a draw, and for a lost solo game."
    ]


class PositionData(SharedPositionData):
    """A state as a seat or a spectator sees it."""

    edition: str
    mode: Mode
    options: GameOptionsData
    seats: list[SeatPositionData]
    you: NotRequired[OwnPositionData]


class RecordSeatData(TypedDict):
    """A seat in a record."""

    seat: Annotated[int, "The number of the seat."]
    side: Annotated[int, "The side that it plays for."]
    name: Annotated[str, "The name of the player."]


class RecordSeatingData(TypedDict):
    """The numbering of seats."""

    order: Annotated[SeatOrder, "How seats were numbered: `as-joined` or `shuffled`."]
    joined: Annotated[list[int], "The seats in the order in which their players joined."]


class TournamentSeedData(TypedDict):
    """The origin of the seed of a tournament's game."""

    id: Annotated[str, "The `id` of the tournament."]
    commitment: Annotated[str, "The SHA-256 of the tournament's seed."]
    match: Annotated[str, "The match in the tournament."]
    game: Annotated[int, "The number of the game in its match."]
    attempt: Annotated[int, "The attempt; more than 1 if a corrected result made earlier ones void."]
    seed: Annotated[str | None, "The seed of the tournament; null until it is over."]


class FairnessData(TypedDict):
    """The commitment and the seeds of a game."""

    commitment: Annotated[str, "The SHA-256 of the server seed, in hexadecimal."]
    server_seed: Annotated[str | None, "The server seed in hexadecimal; null until the game is over."]
    client_seeds: Annotated[list[str], "The client seed of each seat, in seat order."]


class RecordFairnessData(FairnessData):
    """The commitment and the seeds of a game, and of its tournament."""

    event: NotRequired[
        Annotated[
            TournamentSeedData, "Where the server seed comes from; only for a game of a tournament or league."
        ]
    ]


class RecordActionData(TypedDict):
    """An action in a record."""

    seq: Annotated[int, "1, 2, 3 …."]
    seat: Annotated[int, "The seat that acted."]
    action: Annotated[str, "The action as a canonical string."]
    by: Annotated[ActionSource, "The source of the action: `player`, `clock` or `bot`."]
    at: Annotated[str, "When it was played, in UTC.", "date-time"]


class RecordData(TypedDict):
    """A whole game, with everything that a replay needs."""

    format: Annotated[Literal["otto-record/1"], "The format of the record."]
    game: Annotated[str, "The `id` of the game."]
    edition: Annotated[str, "The edition of the rules."]
    mode: Annotated[Mode, "How it is played: `singles`, `pairs` or `solo`."]
    options: Annotated[GameOptionsData, "The rule options."]
    seats: Annotated[list[RecordSeatData], "The seats, in order."]
    rules: Annotated[int, "The version of the rules, which never changes for this game."]
    seniority: Annotated[list[int], "The seats by seniority, the oldest first."]
    seating: Annotated[RecordSeatingData, "How seats were numbered."]
    fairness: Annotated[RecordFairnessData, "The commitment and the seeds that all chance follows from."]
    actions: Annotated[list[RecordActionData], "All actions, in order."]
    result: Annotated[GameResultData | None, "The result; null until the game is over."]
