"""Types of the API: games.

Generated from the OpenAPI document by `make schema`: do not edit.
"""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict


class Board(TypedDict):
    """The board."""

    cells: dict[str, Cell]  # the tiles by name of their cell, as b3
    figures: list[Figure]  # the closed figures


class Cell(TypedDict):
    """A tile on the board."""

    tile: str  # its letter
    rotation: int  # degrees clockwise


class ChatMessage(TypedDict):
    """A chat message."""

    id: int  # names the message in URLs
    name: str  # who wrote it
    text: str  # empty if the operator has hidden it
    at: str  # when it was sent


class EightPolicy(TypedDict):
    """How you answer an 8, decided in advance."""

    eight_policy: Literal["ask", "use", "keep"]  # your answer to an 8, decided in advance


class Fairness(TypedDict):
    """The commitment and the seeds of a game."""

    commitment: str  # the SHA-256 of the server seed
    server_seed: str | None  # null until the game is over
    client_seeds: list[str]  # one of each seat, in seat order


class Feed(TypedDict):
    """A page of your feed."""

    results: list[FeedEntry]  # in order
    after: int  # where to go on: ask with ?after= this


class FeedEntry(TypedDict):
    """An entry of your feed."""

    id: int  # stable, the cursor of the feed
    kind: str  # what happened: turn, started, over, ...
    game: str | None  # the game that it is about, if any
    at: str  # when it happened
    data: dict[str, Any]  # details, by kind


class Figure(TypedDict):
    """A closed figure."""

    kind: str  # small circle, circle, square or infinity
    place: str  # the cells that it lies on, as b3+c3; with frame at the border
    value: int  # points
    side: int | None  # whose marker is on it; for an 8 the side that made it; null without a marker


GamePermissions = Literal[
    "join",
    "leave",
    "cancel",
    "invite",
    "add-bot",
    "choose-partner",
    "play",
    "resign",
    "take-seat",
    "set-eight-policy",
    "set-orders",
    "propose-pause",
    "answer-pause",
    "chat",
    "mute",
    "rematch",
]


class Game(TypedDict):
    """A game as you may see it."""

    id: str  # names the game in URLs
    status: Literal["open", "running", "tiebreak", "over", "cancelled"]  # the state of the game
    mode: str  # singles, pairs or solo
    edition: str  # the edition by which it is played
    options: GameOptions  # rule options
    clock: TimeControl  # the time control
    order: str  # how seats are numbered at the start: as-joined or shuffled
    private: bool  # only for those who are invited
    rated: bool  # whether it counts for ratings
    seats_wanted: int  # how many play
    created_at: str  # when it was created
    deadline: str | None  # the end of the turn, or that of the tournament's round if it comes first
    # what ends at the deadline: `turn` or `round`; null without one
    deadline_kind: Literal["turn", "round"] | None
    round_end: RoundEnd | None  # in a tournament: when points decide
    seq: int  # the number of the last action, 0 before any
    phase: str | None  # start, stolen, place, react or over; null before the start
    match: int  # the number of the match, 0 before the start
    to_act: list[int]  # seats that have a decision to make, several during react
    board: Board  # what lies on the board
    drawn: str | None  # the tile that was drawn and is to be placed
    markers: dict[str, dict[str, int]]  # markers left by side and value
    totals: dict[str, int]  # points of finished matches by side
    tower_left: int  # tiles left in the tower
    deck_left: int  # cards left in the deck
    kind: NotRequired[str]  # of the match: normal, blind or solo
    turn: NotRequired[int]  # the seat whose turn it is
    second_turn: NotRequired[bool]  # whether this is the second turn in a row of that seat
    stolen: NotRequired[str | None]  # the kidnapped card that waits to be played
    points: NotRequired[dict[str, int]]  # in this match so far, by side
    played: NotRequired[list[str]]  # cards that were played, in order
    gone: NotRequired[list[str]]  # tiles that left the game in this match
    protected: NotRequired[list[int]]  # sides that protected their points against an 8
    matches: NotRequired[list[MatchResult]]  # those that were scored, in order
    shootout: NotRequired[list[dict[str, str]]]  # rounds of a shoot-out: the tile of each side
    winner: NotRequired[int | None]  # the side that won; null until then, for a draw and for a lost solo game
    rules: int  # the rules version that the game is pinned to
    chat: bool  # whether those at the table can talk
    expires_at: str | None  # when an open game is cancelled if it has not started
    started_at: str | None  # when the last player joined
    finished_at: str | None  # when it ended
    fairness: Fairness  # what the randomness comes from
    seats: list[Seat]  # who plays, in seat order; before the start in joining order
    joined: int | None  # your joining number
    # what you may do with it as it stands; reserved seats, a proposed pause and your own limits are looked at
    # when you ask
    permissions: list[GamePermissions]
    you: NotRequired[YourSeat]  # only if you have a seat and the game has started


class GameNote(TypedDict):
    """Your note on a game."""

    text: str  # empty if there is none
    at: str | None  # when you last changed it


class GameOptions(TypedDict):
    """The rule options of a game."""

    cards: bool  # whether it is played with cards
    obligation: str  # strict: a placement must make an 8 or close a figure where it can; or lenient
    target: int  # the total of points that ends the game


class GameResult(TypedDict):
    """The result of a game."""

    winner: int | None  # the side that won; null for a draw or a lost solo game
    totals: dict[str, int]  # by side
    matches: list[MatchResult]  # those that were scored, in order
    shootout: list[dict[str, str]]  # rounds of a shoot-out: the tile of each side


class GameSummary(TypedDict):
    """A game in a list."""

    id: str  # names the game in URLs
    status: Literal["open", "running", "tiebreak", "over", "cancelled"]  # the state of the game
    mode: str  # singles, pairs or solo
    edition: str  # the edition by which it is played
    options: GameOptions  # rule options
    clock: TimeControl  # the time control
    order: str  # how seats are numbered at the start: as-joined or shuffled
    private: bool  # only for those who are invited
    rated: bool  # whether it counts for ratings
    seats_wanted: int  # how many play
    created_at: str  # when it was created
    deadline: str | None  # the end of the turn, or that of the tournament's round if it comes first
    # what ends at the deadline: `turn` or `round`; null without one
    deadline_kind: Literal["turn", "round"] | None
    round_end: RoundEnd | None  # in a tournament: when points decide
    seq: int  # the number of the last action, 0 before any
    to_act: list[int]  # seats that have a decision to make
    winner: int | None  # the side that won; null until then, for a draw and for a lost solo game
    commitment: str  # the SHA-256 of the server seed
    seats: list[SeatSummary]  # who plays


class GameSummaryPage(TypedDict):
    """One page of a list."""

    next: str | None  # the next page; null on the last one
    previous: str | None  # the page before; null on the first
    results: list[GameSummary]  # in the order of the list


class Invitation(TypedDict):
    """An invitation to a game."""

    game: str  # the id of the game
    commitment: str  # the SHA-256 of the game's server seed
    by: str  # who invites
    name: str | None  # who is invited; null for an email address
    partner: bool  # in pairs: to sit opposite who invites
    at: str  # when the invitation was made


class Log(TypedDict):
    """A page of the log."""

    results: list[LogLine]  # in order
    next: int | None  # ask with ?after= this; null on the last page


class LogLine(TypedDict):
    """An action in the log."""

    seq: int  # 1, 2, 3 …
    seat: int  # who acted
    action: str  # canonical action string
    by: Literal["player", "clock", "bot"]  # who chose it
    at: str  # when it was played
    hash: str  # covers this action and the hash before
    events: list[dict[str, Any]]  # what followed from it; `event` says what happened


class MatchResult(TypedDict):
    """A scored match."""

    kind: str  # normal, blind or solo
    ended: str  # how it ended: infinity, full, tower or won
    scores: dict[str, int]  # by side
    silly: list[int]  # sides that gained points without a marker, ascending


class Muted(TypedDict):
    """Whether notices about a game are off."""

    muted: bool  # whether notices about this game are off


class Orders(TypedDict):
    """Your standing orders."""

    draw: bool  # draw at the start of your turns
    only: bool  # play the only legal action, where everybody sees that it is


class Partner(TypedDict):
    """Your partner's seat, whose hand you see."""

    seat: int  # its number
    hand: list[str]  # cards, in the order received


class Pause(TypedDict):
    """The agreed and the proposed pause of a game."""

    paused_until: str | None  # the end of the pause that was agreed, if it lasts
    proposed_until: str | None  # the end of the pause that is proposed
    proposed_by: str | None  # who proposes it


class Record(TypedDict):
    """A whole game, which replays with nothing else."""

    format: str  # otto-record/1
    game: str  # the id of the game
    edition: str  # the edition by which it is played
    mode: str  # singles, pairs or solo
    options: GameOptions  # rule options
    seats: list[RecordSeat]  # in seat order
    rules: int  # the rules version that the game is pinned to
    seniority: list[int]  # seats, the oldest first
    seating: RecordSeating  # how seats were numbered
    fairness: RecordFairness  # what the randomness comes from
    actions: list[RecordAction]  # all of them, in order
    result: GameResult | None  # null until the game is over


class RecordAction(TypedDict):
    """An action in a record."""

    seq: int  # 1, 2, 3 …
    seat: int  # who acted
    action: str  # canonical action string
    by: str  # who chose it: player, clock or bot
    at: str  # when, in UTC


class RecordFairness(TypedDict):
    """The commitment and the seeds of a game, and of its tournament."""

    commitment: str  # the SHA-256 of the server seed
    server_seed: str | None  # null until the game is over
    client_seeds: list[str]  # one of each seat, in seat order
    event: NotRequired[TournamentSeed]  # only for a game of a tournament or league


class RecordSeat(TypedDict):
    """A seat in a record."""

    seat: int  # its number
    side: int  # the side that it plays for
    name: str  # who sat there


class RecordSeating(TypedDict):
    """How seats were numbered."""

    order: str  # as-joined or shuffled
    joined: list[int]  # seats in the order in which their players joined


class RoundEnd(TypedDict):
    """When the round of a tournament ends and points decide an unfinished game."""

    at: str  # when the round ends
    tournament: str  # its name
    round: int | None  # its number; null where rounds have no numbers
    url: str  # the page of the tournament


class Seat(TypedDict):
    """A seat, who takes it, and what lies before it once the game has started."""

    joined: int  # the joining number
    name: str  # as shown
    player: str | None  # the name of the account; null for guests, bots and former players
    bot: str | None  # the policy of a bot
    bot_name: str | None  # the given name of a bot, its own in this game
    partner: int | None  # in pairs: the joining number of the chosen partner
    seat: int | None  # its number; null before the start
    bank: int | None  # seconds in reserve; null without a clock
    # until when the seat can act, if it is on turn: the end of the turn, or that of the tournament's round if
    # it comes first
    deadline: str | None
    side: NotRequired[int]  # the side that it plays for
    cards: NotRequired[int]  # how many; never which
    table: NotRequired[str | None]  # the tile that lies open before it
    in_play: NotRequired[bool]  # false once its side has resigned


class SeatSummary(TypedDict):
    """A seat and who takes it."""

    joined: int  # the joining number
    name: str  # as shown
    player: str | None  # the name of the account; null for guests, bots and former players
    bot: str | None  # the policy of a bot
    bot_name: str | None  # the given name of a bot, its own in this game
    partner: int | None  # in pairs: the joining number of the chosen partner
    seat: int | None  # its number; null before the start


class StandingOrders(TypedDict):
    """Your standing orders in a game; what you leave out stays as it is."""

    draw: NotRequired[bool]  # draw for you at the start of your turns
    only: NotRequired[bool]  # play the only legal placement, or the only way to play a kidnapped card


class TimeControl(TypedDict):
    """The time control of a game."""

    name: str  # one of the site's, or custom
    allowance: int  # seconds for a turn
    bank: int  # seconds in reserve for the whole game
    blind: int  # seconds for a turn of a blind match
    timeouts: str  # when time is up: autoplay, the server plays the turn; forfeit, the side resigns
    weekends: bool  # clocks rest at the weekend
    nights: bool  # clocks rest in a player's night hours, as they are when a turn begins
    vacation: bool  # clocks rest on vacation
    paused_until: str | None  # the end of the pause that was agreed


class TournamentSeed(TypedDict):
    """Where the seed of a tournament's game comes from."""

    id: str  # of the tournament
    commitment: str  # the SHA-256 of the tournament's seed
    match: str  # the id of the match in the tournament
    game: int  # which game of the match
    attempt: int  # more than 1 where a corrected result made earlier ones void
    seed: str | None  # of the tournament; null until it is over


class YourSeat(TypedDict):
    """Your seat."""

    seat: int  # its number
    side: int  # the side that you play for
    hand: list[str]  # your cards, in the order received
    partner: Partner | None  # in pairs: your partner
    legal_count: int  # how many legal actions you have now
    eight_policy: Literal["ask", "use", "keep"]  # your answer to an 8, decided in advance
    muted: bool  # whether notices about this game are off
    # you took this seat over and have not looked yet: take-seat shows hand and legal actions
    hand_hidden: bool
    orders: Orders  # your standing orders, which nobody else can see
