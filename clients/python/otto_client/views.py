"""What the API gives, as types. These are plain dicts: a field that comes later breaks nothing."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict

Status = Literal["open", "running", "over", "cancelled"]
Phase = Literal["start", "stolen", "place", "react", "over"]


class Options(TypedDict):
    cards: bool
    obligation: str
    target: int


class Clock(TypedDict):
    name: str
    allowance: int
    bank: int


class Seat(TypedDict):
    """A seat; what belongs to the game itself is there once it has started."""

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
    commitment: str
    server_seed: str | None
    client_seeds: list[str]


class Cell(TypedDict):
    tile: str
    rotation: int


class Figure(TypedDict):
    kind: str
    place: str
    value: int
    side: int | None


class Board(TypedDict):
    cells: dict[str, Cell]
    figures: list[Figure]


class Partner(TypedDict):
    seat: int
    hand: list[str]


class You(TypedDict):
    seat: int
    side: int
    hand: list[str]
    partner: Partner | None
    legal_count: int
    hand_hidden: bool


class RoundEnd(TypedDict):
    """When the points decide a game of a tournament; `deadline` is this if it comes before the turn's end."""

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
    """A game as you may see it; `you` is there if you sit at it and it has started."""

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
    """The seq comes in a header of its own, so that both belong together."""

    seq: int
    actions: list[str]


class LogLine(TypedDict):
    seq: int
    seat: int
    action: str
    by: Literal["player", "clock", "bot"]
    at: str
    hash: str
    events: list[dict[str, Any]]


class Event(TypedDict):
    id: int
    kind: str
    game: str | None
    at: str
    data: dict[str, Any]


class Feed(TypedDict):
    results: list[Event]
    after: int


class Turn(TypedDict):
    game: str
    seat: int
    seq: int
    phase: Phase
    deadline: str | None
    round_end: RoundEnd | None


class Message(TypedDict):
    id: int
    name: str
    text: str
    at: str


class Note(TypedDict):
    text: str
    at: str | None


class Invitation(TypedDict):
    game: str
    commitment: str
    by: str
    name: str | None
    partner: bool
    at: str


class Profile(TypedDict):
    name: str
    email: str | None
    language: str
    time_zone: str
    mails: str
    joined_at: str


class Player(TypedDict):
    name: str
    since: str
    lookalike: bool


class Token(TypedDict):
    """`token` itself is there only when it has just been made."""

    id: int
    name: str
    scopes: list[str]
    parent: int | None
    created_at: str
    expires_at: str | None
    last_used: str | None
    revoked_at: str | None
    token: NotRequired[str]
