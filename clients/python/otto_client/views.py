"""Types of the API's responses. They are plain dicts: a new field breaks nothing."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict

Status = Literal["open", "running", "over", "cancelled"]
Phase = Literal["start", "stolen", "place", "react", "over"]


class Options(TypedDict):
    """The rule options of a game."""

    cards: bool
    obligation: str
    target: int


class Clock(TypedDict):
    """The time control of a game."""

    name: str
    allowance: int
    bank: int


class Seat(TypedDict):
    """A seat; fields of play are present once the game has started."""

    seat: int | None
    joined: int
    name: str
    player: str | None
    bot: str | None
    partner: int | None
    side: NotRequired[int]
    cards: NotRequired[int]
    table: NotRequired[str | None]
    in_play: NotRequired[bool]


class Fairness(TypedDict):
    """Commitment, seeds and client seeds of a game."""

    commitment: str
    server_seed: str | None
    client_seeds: list[str]


class Cell(TypedDict):
    """A tile on the board."""

    tile: str
    rotation: int


class Figure(TypedDict):
    """A closed figure."""

    kind: str
    place: str
    value: int
    side: int | None


class Board(TypedDict):
    """The tiles and figures on the board."""

    cells: dict[str, Cell]
    figures: list[Figure]


class Partner(TypedDict):
    """Your partner's seat and hand."""

    seat: int
    hand: list[str]


class You(TypedDict):
    """Your own seat and hand."""

    seat: int
    side: int
    hand: list[str]
    partner: Partner | None
    legal_count: int
    hand_hidden: bool


class RoundEnd(TypedDict):
    """When the points decide a game of a tournament; `deadline` is this if it comes first."""

    at: str
    tournament: str
    round: int | None
    url: str


class GameSummary(TypedDict):
    """A game in a list."""

    id: str
    status: Status
    mode: str
    edition: str
    options: Options
    clock: Clock
    order: str
    private: bool
    rated: bool
    seats_wanted: int
    seats: list[Seat]
    seq: int
    to_act: list[int]
    created_at: str
    deadline: str | None
    round_end: RoundEnd | None
    winner: int | None
    commitment: str


class GameView(TypedDict):
    """A game as you may see it; `you` is present if you have a seat and it has started."""

    id: str
    status: Status
    mode: str
    edition: str
    rules: int
    options: Options
    clock: Clock
    order: str
    private: bool
    rated: bool
    chat: bool
    seats_wanted: int
    created_at: str
    expires_at: str | None
    started_at: str | None
    finished_at: str | None
    deadline: str | None
    round_end: RoundEnd | None
    fairness: Fairness
    seq: int
    phase: Phase | None
    match: int
    to_act: list[int]
    seats: list[Seat]
    board: Board
    drawn: str | None
    markers: dict[str, dict[str, int]]
    totals: dict[str, int]
    tower_left: int
    deck_left: int
    joined: int | None
    permissions: list[str]
    kind: NotRequired[str]
    turn: NotRequired[int]
    second_turn: NotRequired[bool]
    stolen: NotRequired[str | None]
    points: NotRequired[dict[str, int]]
    played: NotRequired[list[str]]
    gone: NotRequired[list[str]]
    protected: NotRequired[list[int]]
    matches: NotRequired[list[dict[str, Any]]]
    shootout: NotRequired[list[dict[str, str]]]
    winner: NotRequired[int | None]
    you: NotRequired[You]


class Legal(TypedDict):
    """Legal actions with the seq to which they belong, which comes in a header."""

    seq: int
    actions: list[str]


class LogLine(TypedDict):
    """One action of the log."""

    seq: int
    seat: int
    action: str
    by: Literal["player", "clock", "bot"]
    at: str
    hash: str
    events: list[dict[str, Any]]


class Event(TypedDict):
    """One entry of your feed."""

    id: int
    kind: str
    game: str | None
    at: str
    data: dict[str, Any]


class Feed(TypedDict):
    """A page of your feed; `after` is the next cursor."""

    results: list[Event]
    after: int


class Turn(TypedDict):
    """A game in which you are to act."""

    game: str
    seat: int
    seq: int
    phase: Phase
    deadline: str | None
    round_end: RoundEnd | None


class Message(TypedDict):
    """A chat message."""

    id: int
    name: str
    text: str
    at: str


class Note(TypedDict):
    """Your notes on a game."""

    text: str
    at: str | None


class Invitation(TypedDict):
    """An open invitation."""

    game: str
    commitment: str
    by: str
    name: str | None
    partner: bool
    at: str


class Profile(TypedDict):
    """Your profile."""

    name: str
    email: str | None
    language: str
    time_zone: str
    mail_frequency: str
    joined_at: str


class Player(TypedDict):
    """The public data of a player."""

    name: str
    since: str
    lookalike: bool


class Token(TypedDict):
    """A personal token; `token` itself is present only when it was just created."""

    id: int
    name: str
    scopes: list[str]
    parent: int | None
    created_at: str
    expires_at: str | None
    last_used_at: str | None
    revoked_at: str | None
    token: NotRequired[str]
