"""What leaves the engine, as types of its JSON: the view of a state and the record of a game.

The text beside a type describes it to users of the API.
"""

from __future__ import annotations

from typing import Annotated, NotRequired, TypedDict


class GameOptionsData(TypedDict):
    """The rule options of a game."""

    cards: Annotated[bool, "whether it is played with cards"]
    obligation: Annotated[
        str, "strict: a placement must make an 8 or close a figure where it can; or lenient"
    ]
    target: Annotated[int, "the total of points that ends the game"]
    cards_from: NotRequired[
        Annotated[int, "the first match with cards, 1 or 2; not in games of rules version 1"]
    ]
    seniority: NotRequired[
        Annotated[
            str, "who is the oldest: account, by the age of accounts, or lot; not in games of rules version 1"
        ]
    ]


class CellData(TypedDict):
    """A tile on the board."""

    tile: Annotated[str, "its letter"]
    rotation: Annotated[int, "degrees clockwise"]


class FigureData(TypedDict):
    """A closed figure."""

    kind: Annotated[str, "small circle, circle, square or infinity"]
    place: Annotated[str, "the cells that it lies on, as b3+c3; with frame at the border"]
    value: Annotated[int, "points"]
    side: Annotated[
        int | None, "whose marker is on it; for an 8 the side that made it; null without a marker"
    ]


class BoardData(TypedDict):
    """The board."""

    cells: Annotated[dict[str, CellData], "the tiles by name of their cell, as b3"]
    figures: Annotated[list[FigureData], "the closed figures"]


class SeatPositionData(TypedDict):
    """What lies before a seat."""

    seat: Annotated[int, "its number"]
    side: Annotated[int, "the side that it plays for"]
    cards: Annotated[int, "how many; never which"]
    table: Annotated[str | None, "the tile that lies open before it"]
    in_play: Annotated[bool, "false once its side has resigned"]


class PartnerData(TypedDict):
    """Your partner's seat, whose hand you see."""

    seat: Annotated[int, "its number"]
    hand: Annotated[list[str], "cards, in the order received"]


class OwnPositionData(TypedDict):
    """What only the seat that looks may see."""

    seat: Annotated[int, "its number"]
    side: Annotated[int, "the side that you play for"]
    hand: Annotated[list[str], "your cards, in the order received"]
    partner: Annotated[PartnerData | None, "in pairs: your partner"]
    legal_count: Annotated[int, "how many legal actions you have now"]
    legal: Annotated[
        list[str], "your legal actions now, as actions/legal/ gives them; empty if you have nothing to decide"
    ]


class MatchResultData(TypedDict):
    """A scored match."""

    kind: Annotated[str, "normal, blind or solo"]
    ended: Annotated[str, "how it ended: infinity, full, tower or won"]
    scores: Annotated[dict[str, int], "by side"]
    silly: Annotated[list[int], "sides that gained points without a marker, ascending"]


class GameResultData(TypedDict):
    """The result of a game."""

    winner: Annotated[int | None, "the side that won; null for a draw or a lost solo game"]
    totals: Annotated[dict[str, int], "by side"]
    matches: Annotated[list[MatchResultData], "those that were scored, in order"]
    shootout: Annotated[list[dict[str, str]], "rounds of a shoot-out: the tile of each side"]


class SharedPositionData(TypedDict):
    """What every viewer of a position sees, but for the seats."""

    seq: Annotated[int, "the number of the last action, 0 before any"]
    phase: Annotated[str | None, "start, stolen, place, react or over; null before the start"]
    match: Annotated[int, "the number of the match, 0 before the start"]
    to_act: Annotated[list[int], "seats that have a decision to make, several during react"]
    board: Annotated[BoardData, "what lies on the board"]
    drawn: Annotated[str | None, "the tile that was drawn and is to be placed"]
    markers: Annotated[dict[str, dict[str, int]], "markers left by side and value"]
    totals: Annotated[dict[str, int], "points of finished matches by side"]
    tower_left: Annotated[int, "tiles left in the tower"]
    deck_left: Annotated[int, "cards left in the deck"]
    kind: Annotated[str | None, "of the match: normal, blind or solo; null before the start"]
    turn: Annotated[int | None, "the seat whose turn it is; null before the start"]
    second_turn: Annotated[bool, "whether this is the second turn in a row of that seat"]
    stolen: Annotated[str | None, "the kidnapped card that waits to be played"]
    points: Annotated[dict[str, int], "in this match so far, by side"]
    played: Annotated[list[str], "cards that were played, in order"]
    gone: Annotated[list[str], "tiles that left the game in this match"]
    protected: Annotated[list[int], "sides that protected their points against an 8"]
    matches: Annotated[list[MatchResultData], "those that were scored, in order"]
    shootout: Annotated[list[dict[str, str]], "rounds of a shoot-out: the tile of each side"]
    winner: Annotated[int | None, "the side that won; null until then, for a draw and for a lost solo game"]


class PositionData(SharedPositionData):
    """A state as a seat or a spectator sees it."""

    edition: str
    mode: str
    options: GameOptionsData
    seats: list[SeatPositionData]
    you: NotRequired[OwnPositionData]


class RecordSeatData(TypedDict):
    """A seat in a record."""

    seat: Annotated[int, "its number"]
    side: Annotated[int, "the side that it plays for"]
    name: Annotated[str, "who sat there"]


class RecordSeatingData(TypedDict):
    """How seats were numbered."""

    order: Annotated[str, "as-joined or shuffled"]
    joined: Annotated[list[int], "seats in the order in which their players joined"]


class TournamentSeedData(TypedDict):
    """Where the seed of a tournament's game comes from."""

    id: Annotated[str, "of the tournament"]
    commitment: Annotated[str, "the SHA-256 of the tournament's seed"]
    match: Annotated[str, "the id of the match in the tournament"]
    game: Annotated[int, "which game of the match"]
    attempt: Annotated[int, "more than 1 where a corrected result made earlier ones void"]
    seed: Annotated[str | None, "of the tournament; null until it is over"]


class FairnessData(TypedDict):
    """The commitment and the seeds of a game."""

    commitment: Annotated[str, "the SHA-256 of the server seed"]
    server_seed: Annotated[str | None, "null until the game is over"]
    client_seeds: Annotated[list[str], "one of each seat, in seat order"]


class RecordFairnessData(FairnessData):
    """The commitment and the seeds of a game, and of its tournament."""

    event: NotRequired[Annotated[TournamentSeedData, "only for a game of a tournament or league"]]


class RecordActionData(TypedDict):
    """An action in a record."""

    seq: Annotated[int, "1, 2, 3 …"]
    seat: Annotated[int, "who acted"]
    action: Annotated[str, "canonical action string"]
    by: Annotated[str, "who chose it: player, clock or bot"]
    at: Annotated[str, "when, in UTC"]


class RecordData(TypedDict):
    """A whole game, which replays with nothing else."""

    format: Annotated[str, "otto-record/1"]
    game: Annotated[str, "the id of the game"]
    edition: Annotated[str, "the edition by which it is played"]
    mode: Annotated[str, "singles, pairs or solo"]
    options: Annotated[GameOptionsData, "rule options"]
    seats: Annotated[list[RecordSeatData], "in seat order"]
    rules: Annotated[int, "the rules version that the game is pinned to"]
    seniority: Annotated[list[int], "seats, the oldest first"]
    seating: Annotated[RecordSeatingData, "how seats were numbered"]
    fairness: Annotated[RecordFairnessData, "what the randomness comes from"]
    actions: Annotated[list[RecordActionData], "all of them, in order"]
    result: Annotated[GameResultData | None, "null until the game is over"]
