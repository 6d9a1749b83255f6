"""Types of the API: games 2.

Generated from the OpenAPI document by `make schema`: do not edit.
"""

from __future__ import annotations

from typing import Literal, NotRequired, TypeAlias, TypedDict

from .games import (
    AppealFeedEntry,
    ByeFeedEntry,
    CancelledFeedEntry,
    EndFeedEntry,
    HeldFeedEntry,
    InvitedFeedEntry,
    LeagueFeedEntry,
    NamedFeedEntry,
    NewcomerFeedEntry,
    NoteFeedEntry,
    OrdersFeedEntry,
    OutFeedEntry,
    PairingFeedEntry,
    PauseDeclinedFeedEntry,
    PauseFeedEntry,
    PlaceFeedEntry,
    PositionFeedEntry,
    ProposalFeedEntry,
    ReplacedFeedEntry,
    ResultFeedEntry,
)


class AnsweredEvent(TypedDict):
    """A seat answered an 8."""

    seat: int  # The seat that this happened to.
    event: Literal["answered"]  # What happened.
    answer: Literal["8", "CV=8", "pass"]  # The card that protects the points, or `pass`.


class AskedEvent(TypedDict):
    """Seats were asked whether they protect their points against an 8."""

    event: Literal["asked"]  # What happened.
    seats: list[int]  # The seats that can answer.


class Board(TypedDict):
    """The board."""

    cells: dict[str, Cell]  # The tiles on the board, by the name of their cell, `a1` to `e5`.
    figures: list[Figure]  # The closed figures.


class Cell(TypedDict):
    """A tile on the board."""

    tile: str  # The letter of the tile, A to J.
    rotation: int  # The rotation of the tile, in degrees clockwise: 0, 90, 180 or 270.


class DarkTilesLeftEvent(TypedDict):
    """Two dark tiles of a seat left the match."""

    seat: int  # The seat that this happened to.
    event: Literal["dark tiles left"]  # What happened.
    table: str | None  # The new table tile of the seat; null if the tower is empty.
    card: bool  # Whether the seat got a card for them.


class DrewEvent(TypedDict):
    """A seat drew a tile from the tower."""

    seat: int  # The seat that this happened to.
    event: Literal["drew"]  # What happened.
    tile: str  # The letter of the tile, A to J.


class EntryLine(TypedDict):
    """A new entry of your feed."""

    event: Literal["entry"]  # What this line is.
    id: str  # The cursor: send it as `Last-Event-ID` to go on after this line.
    data: FeedEntry  # The entry.


class Fairness(TypedDict):
    """The commitment and the seeds of a game."""

    commitment: str  # The SHA-256 of the server seed, in hexadecimal.
    server_seed: str | None  # The server seed in hexadecimal; null until the game is over.
    client_seeds: list[str]  # The client seed of each seat, in seat order.


class Feed(TypedDict):
    """A page of your feed."""

    after: int  # The cursor. Ask with `?after=` this number for what comes next.
    results: list[FeedEntry]  # The items, in order.


FeedEntry: TypeAlias = (
    "TurnFeedEntry | PositionFeedEntry | TimeoutFeedEntry | VacationFeedEntry | ShootOutFeedEntry | "
    "CancelledFeedEntry | PauseFeedEntry | PauseDeclinedFeedEntry | InvitedFeedEntry | NamedFeedEntry | "
    "OrdersFeedEntry | TournamentFeedEntry | ProposalFeedEntry | PlaceFeedEntry | NewcomerFeedEntry | "
    "PairingFeedEntry | RoundEndFeedEntry | ByeFeedEntry | ResultFeedEntry | TableChangeFeedEntry | "
    "EndFeedEntry | NoteFeedEntry | OutFeedEntry | ReplacedFeedEntry | HeldFeedEntry | AppealFeedEntry | "
    "LeagueFeedEntry"
)


class FeedState(TypedDict):
    """Where a feed stands."""

    after: int  # The `id` of the last entry before this stream; 0 if there is none.
    turns_waiting: int  # How many games wait for a move of yours.


FeedStreamLine: TypeAlias = "SnapshotLine | EntryLine"


class Figure(TypedDict):
    """A closed figure."""

    kind: str  # The kind of figure: `small circle`, `circle`, `square` or `infinity`.
    place: str  # The cells that it lies on, as `b3+c3`; with `frame` at the border.
    value: int  # The points that it is worth.
    side: int | None  # The side whose marker is on it, or that made the 8; null without a marker.


class FigureEvent(TypedDict):
    """A figure was closed (`closed`), or an unmarked one was marked later (`claimed`)."""

    seat: int  # The seat that this happened to.
    event: Literal["closed", "claimed"]  # What happened.
    side: int | None  # The side whose marker is on the figure; null if it stays unmarked.
    kind: Literal["small circle", "circle", "square", "infinity"]  # The kind of figure.
    place: str  # The cells that the figure lies on, as `b3+c3`; with `frame` at the border.
    value: int  # The points that the figure is worth.


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

    id: str  # The name of the game in addresses.
    # The state of the game: open to players, running, in a tie-break, over or cancelled.
    status: Literal["open", "running", "tiebreak", "over", "cancelled"]
    mode: str  # How it is played: `singles`, `pairs` or `solo`.
    edition: str  # The edition of the rules.
    options: GameOptions  # The rule options.
    clock: TimeControl  # The time control.
    order: str  # How seats are numbered at the start: `as-joined` or `shuffled`.
    private: bool  # Whether only invited players can see and join it.
    rated: bool  # Whether it counts for ratings.
    seats_wanted: int  # How many players it takes, 1 to 4.
    created_at: str  # When it was created.
    # The end of the turn, or of the tournament's round if that comes first; null if no clock runs.
    deadline: str | None
    # What ends at the deadline: `turn` or `round`; null without a deadline.
    deadline_kind: Literal["turn", "round"] | None
    round_end: RoundEnd | None  # In a tournament: when points decide the game. Null otherwise.
    seq: int  # The number of the last action; 0 before any.
    # What kind of action is expected: `start`, `stolen`, `place`, `react`, or `over`; null before the start.
    phase: str | None
    match: int  # The number of the current match; 0 before the start.
    to_act: list[int]  # The seats that have a decision to make. There can be several during `react`.
    board: Board  # The tiles and figures on the board.
    drawn: str | None  # The tile that was drawn and has to be placed; null if there is none.
    markers: dict[str, dict[str, int]]  # How many markers are left, by side and value.
    totals: dict[str, int]  # The points of finished matches, by side.
    tower_left: int  # How many tiles are left in the tower.
    deck_left: int  # How many cards are left in the deck.
    kind: NotRequired[str]  # The kind of the current match: `normal`, `blind` or `solo`.
    turn: NotRequired[int]  # The seat whose turn it is.
    second_turn: NotRequired[bool]  # Whether this is that seat's second turn in a row.
    stolen: NotRequired[str | None]  # The kidnapped card that has to be played; null if there is none.
    points: NotRequired[dict[str, int]]  # The points of the current match so far, by side.
    played: NotRequired[list[str]]  # The cards that were played in this game, in order.
    gone: NotRequired[list[str]]  # The tiles that left the current match.
    protected: NotRequired[list[int]]  # The sides that have protected their points against an 8.
    matches: NotRequired[list[MatchResult]]  # The matches that were scored, in order.
    shootout: NotRequired[list[dict[str, str]]]  # The rounds of a shoot-out: the tile that each side drew.
    # The side that won. Null while the game runs, for a draw, and for a lost solo game.
    winner: NotRequired[int | None]
    rules: int  # The version of the rules, which never changes for this game.
    chat: bool  # Whether the players can chat.
    expires_at: str | None  # When the game is cancelled if it has not started by then; null once it has.
    started_at: str | None  # When the last player joined; null before.
    finished_at: str | None  # When it ended; null before.
    fairness: Fairness  # The commitment and the seeds that all chance follows from.
    seats: list[Seat]  # The players in seat order; before the start in the order in which they joined.
    joined: int | None  # Your joining number; null if you do not play.
    # What you may do with the game as it stands. Reserved seats, a proposed pause and your own limits are
    # checked only when you do it.
    permissions: list[GamePermissions]
    # Your own seat, with your hand. Absent if you have no seat, and before the start.
    you: NotRequired[YourSeat]


class GameNote(TypedDict):
    """Your note on a game."""

    text: str  # The text of your note; empty if there is none.
    at: str | None  # When you last changed it; null if there is none.


class GameOptions(TypedDict):
    """The rule options of a game."""

    cards: bool  # Whether secret cards are played.
    # `strict`: a placement must make an 8 or close a figure where it can. `lenient`: it need not.
    obligation: str
    target: int  # The points that a side needs to end the game.


class GameOverEvent(TypedDict):
    """The game ended."""

    event: Literal["game over"]  # What happened.
    winner: int | None  # The side that won; null for a draw and for a lost solo game.
    totals: dict[str, int]  # The points of all matches, by side.


class InfinityEvent(TypedDict):
    """A seat made an 8, which ends the match."""

    seat: int  # The seat that this happened to.
    event: Literal["infinity"]  # What happened.
    side: int  # The side that made the 8.
    cell: str  # The cell of the crossing, `a1` to `e5`.


class KidnappedEvent(TypedDict):
    """A seat took a card from another hand."""

    seat: int  # The seat that this happened to.
    event: Literal["kidnapped"]  # What happened.
    victim: int  # The seat that lost the card.
    card: str  # The two letters of the card, which is played at once and therefore public.


class MatchResult(TypedDict):
    """A scored match."""

    kind: str  # The kind of match: `normal`, `blind` or `solo`.
    ended: str  # What ended it: `infinity`, `full`, `tower` or `won`.
    scores: dict[str, int]  # The points, by side.
    silly: list[int]  # The sides that had no marker and scored all the same, ascending.


class Orders(TypedDict):
    """Your standing orders."""

    draw: bool  # Whether a tile is drawn for you at the start of your turns.
    # Whether the only legal action is played for you, where everybody can see that it is the only one.
    only: bool


class Partner(TypedDict):
    """Your partner's seat, whose hand you see."""

    seat: int  # The number of the seat.
    hand: list[str]  # The cards, in the order in which they were received.


class RoundEnd(TypedDict):
    """When the round of a tournament ends and points decide an unfinished game."""

    at: str  # When the round ends.
    tournament: str  # The name of the tournament.
    round: int | None  # The number of the round; null where rounds have no numbers.
    url: str  # The page of the tournament.


class RoundEndEntryDetails(TypedDict):
    """The end of a round was set or changed."""

    tournament: str  # The `id` of the tournament.
    name: str  # The name of the tournament.
    game: NotRequired[str]  # The `id` of the game, where there is one.
    round_id: int  # The number of the published round in the database.
    first: bool  # Whether the round had no end before.
    text: str  # The public note of the organiser; may be empty.


class RoundEndFeedEntry(TypedDict):
    """The end of a round was set or changed."""

    id: int  # The number of the entry, which is also the cursor of the feed. It never changes.
    game: str | None  # The `id` of the game that it is about; null if it is about no game.
    at: str  # When it happened.
    kind: Literal["tournament-round-end"]  # What happened. New kinds may be added.
    data: RoundEndEntryDetails  # The details, which depend on `kind`.


class Seat(TypedDict):
    """A seat, who takes it, and what lies before it once the game has started."""

    joined: int  # The joining number.
    name: str  # The name of the player or bot, as pages show it.
    player: str | None  # The name of the account; null for guests, bots and former players.
    bot: str | None  # The policy of the bot; null for people.
    bot_name: str | None  # The given name of the bot in this game; null for people.
    partner: int | None  # In pairs: the joining number of the chosen partner.
    seat: int | None  # The number of the seat; null before the start.
    bank: int | None  # The reserve that is left, in seconds; null without a clock.
    # Until when the seat can act: the end of the turn, or of the tournament's round if that comes first. Null
    # if it is not on turn.
    deadline: str | None
    side: NotRequired[int]  # The side that it plays for.
    cards: NotRequired[int]  # How many cards the seat holds. Which ones is secret.
    table: NotRequired[str | None]  # The letter of the tile that lies open before the seat; null for none.
    in_play: NotRequired[bool]  # False once its side has resigned.


class ShootOutEntryDetails(TypedDict):
    """A round of a shoot-out was drawn."""

    game: str  # The `id` of the game.
    seq: int  # The number of the last action of the game at that time.
    round: int  # The number of the round; the first is 1.
    tiles: dict[str, str]  # The letter of the tile that each side drew, by side.


class ShootOutFeedEntry(TypedDict):
    """A round of a shoot-out was drawn."""

    id: int  # The number of the entry, which is also the cursor of the feed. It never changes.
    game: str | None  # The `id` of the game that it is about; null if it is about no game.
    at: str  # When it happened.
    kind: Literal["shoot-out"]  # What happened. New kinds may be added.
    data: ShootOutEntryDetails  # The details, which depend on `kind`.


class SnapshotLine(TypedDict):
    """The first line: where the feed stands."""

    event: Literal["snapshot"]  # What this line is.
    id: str  # The cursor: send it as `Last-Event-ID` to go on after this line.
    data: FeedState  # The state of the feed.


TableChangeEntryDetailsReason = Literal[
    "void",
    "undecided",
    "readmitted",
    "put-back",
    "replaced",
    "parted",
    "removed",
    "disqualified",
]


class TableChangeEntryDetails(TypedDict):
    """A table of yours counts no more, or counts again."""

    tournament: str  # The `id` of the tournament.
    name: str  # The name of the tournament.
    game: NotRequired[str]  # The `id` of the game, where there is one.
    match: str  # The match in the tournament.
    reason: TableChangeEntryDetailsReason  # `void`: it counts no more; `undecided`: an organiser decides.


class TableChangeFeedEntry(TypedDict):
    """A table of yours counts no more, or counts again."""

    id: int  # The number of the entry, which is also the cursor of the feed. It never changes.
    game: str | None  # The `id` of the game that it is about; null if it is about no game.
    at: str  # When it happened.
    kind: Literal["tournament-table"]  # What happened. New kinds may be added.
    data: TableChangeEntryDetails  # The details, which depend on `kind`.


class TimeControl(TypedDict):
    """The time control of a game."""

    name: str  # The name of a preset, or `custom`.
    allowance: int  # The time for a turn, in seconds.
    bank: int  # The reserve for the whole game, in seconds.
    blind: int  # The time for a turn of a blind match, in seconds.
    # What happens when time is up. `autoplay`: the server plays the turn. `forfeit`: the side resigns.
    timeouts: str
    weekends: bool  # Whether clocks rest at the weekend.
    nights: bool  # Whether clocks rest in each player's night hours. Changed hours count from the next turn.
    vacation: bool  # Whether clocks rest while a player is on vacation.
    paused_until: str | None  # When the agreed pause ends; null if there is none.


class TimeoutEntryDetails(TypedDict):
    """A seat ran out of time."""

    game: str  # The `id` of the game.
    seq: int  # The number of the last action of the game at that time.
    seat: int  # The seat that ran out of time.
    # What the server did: it took vacation, played the turn, or resigned.
    outcome: Literal["vacation", "autoplay", "resigned"]
    actions: list[str]  # The actions that the server played.
    deadline: str | None  # When the seat on turn runs out of time; null if no clock runs.


class TimeoutFeedEntry(TypedDict):
    """A seat ran out of time."""

    id: int  # The number of the entry, which is also the cursor of the feed. It never changes.
    game: str | None  # The `id` of the game that it is about; null if it is about no game.
    at: str  # When it happened.
    kind: Literal["timeout"]  # What happened. New kinds may be added.
    data: TimeoutEntryDetails  # The details, which depend on `kind`.


class TournamentEntryDetails(TypedDict):
    """About a tournament: you are invited, it asks for your confirmation, or it starts."""

    tournament: str  # The `id` of the tournament.
    name: str  # The name of the tournament.
    game: NotRequired[str]  # The `id` of the game, where there is one.


class TournamentFeedEntry(TypedDict):
    """About a tournament: you are invited, it asks for your confirmation, or it starts."""

    id: int  # The number of the entry, which is also the cursor of the feed. It never changes.
    game: str | None  # The `id` of the game that it is about; null if it is about no game.
    at: str  # When it happened.
    # What happened. New kinds may be added.
    kind: Literal["tournament-invited", "tournament-confirm", "tournament-start"]
    data: TournamentEntryDetails  # The details, which depend on `kind`.


class TurnEntryDetails(TypedDict):
    """It is your turn, or you are asked to answer an 8."""

    game: str  # The `id` of the game.
    seq: int  # The number of the last action of the game at that time, 0 before any.
    deadline: str | None  # When the seat on turn runs out of time; null if no clock runs.
    round_ends_at: NotRequired[str]  # In a tournament: when points decide the game.
    seat: NotRequired[int]  # The seat that acted; absent at the start.
    action: NotRequired[str]  # The action that was played; absent at the start.
    by: NotRequired[Literal["player", "clock", "bot"]]  # Who chose the action: a player, the clock or a bot.
    ordered_actions: NotRequired[list[str]]  # The actions that your standing orders played in this turn.
    # Why your standing orders ended in this turn.
    order_end: NotRequired[Literal["card-played", "eight-possible"]]


class TurnFeedEntry(TypedDict):
    """It is your turn, or you are asked to answer an 8."""

    id: int  # The number of the entry, which is also the cursor of the feed. It never changes.
    game: str | None  # The `id` of the game that it is about; null if it is about no game.
    at: str  # When it happened.
    kind: Literal["turn"]  # What happened. New kinds may be added.
    data: TurnEntryDetails  # The details, which depend on `kind`.


class VacationEntryDetails(TypedDict):
    """An hour of vacation was taken for you, because you had run out of time."""

    left: int  # The vacation that you have left, in seconds.


class VacationFeedEntry(TypedDict):
    """An hour of vacation was taken for you, because you had run out of time."""

    id: int  # The number of the entry, which is also the cursor of the feed. It never changes.
    game: str | None  # The `id` of the game that it is about; null if it is about no game.
    at: str  # When it happened.
    kind: Literal["vacation"]  # What happened. New kinds may be added.
    data: VacationEntryDetails  # The details, which depend on `kind`.


class YourSeat(TypedDict):
    """Your seat."""

    seat: int  # The number of the seat.
    side: int  # The side that you play for.
    hand: list[str]  # Your cards, in the order in which you received them.
    partner: Partner | None  # In pairs: your partner's seat. Null otherwise.
    legal_count: int  # How many legal actions you have now.
    # How you answer an 8: `use` the card, `keep` it, or `ask` you each time.
    eight_policy: Literal["ask", "use", "keep"]
    muted: bool  # Whether notices about this game are turned off.
    # True if you took this seat over and have not looked yet. `take-seat` then shows hand and legal actions.
    hand_hidden: bool
    orders: Orders  # Your standing orders, which nobody else can see.
