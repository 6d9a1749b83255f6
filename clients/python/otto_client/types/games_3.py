"""Types of the API: games 3.

Generated from the OpenAPI document by `make schema`: do not edit.
"""

from __future__ import annotations

from typing import Literal, NotRequired, TypeAlias, TypedDict

from .games import ChatMessage
from .games_2 import Cell, Figure


class ActionLine(TypedDict):
    """A new action, as the log has it."""

    event: Literal["action"]  # The kind of this line.
    id: str  # The cursor: send it as `Last-Event-ID` to go on after this line.
    data: LogLine  # The action with its events.


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


class EndLine(TypedDict):
    """The last line: the game is over for you, and the stream closes."""

    event: Literal["end"]  # The kind of this line.
    id: str | None  # Always null: there is nothing to resume.
    data: EndReason  # Why the stream ends.


class EndReason(TypedDict):
    """The reasons for which a stream ends."""

    # The status of the game, `over` or `cancelled`; or `not-found` if you may no longer see it.
    reason: Literal["over", "cancelled", "not-found"]


class Fairness(TypedDict):
    """The commitment and the seeds of a game."""

    commitment: str  # The SHA-256 of the server seed, in hexadecimal.
    server_seed: str | None  # The server seed in hexadecimal; null until the game is over.
    client_seeds: list[str]  # The client seed of each seat, in seat order.


class FigureEvent(TypedDict):
    """A figure was closed (`closed`), an unmarked one marked later (`claimed`) or lost (`lost figure`)."""

    seat: int  # The seat that this happened to.
    event: Literal["closed", "claimed", "lost figure"]  # What happened.
    side: int | None  # The side whose marker is on the figure; null if it stays unmarked.
    kind: Literal["small circle", "circle", "square", "infinity"]  # The kind of figure.
    place: str  # The cells that the figure lies on, as `b3+c3`; with `frame` at the border.
    value: int  # The points that the figure is worth.


GameReason = Literal[
    "target",
    "blind match",
    "blind eight",
    "shoot-out",
    "level",
    "resigned",
    "solo won",
    "solo lost",
]
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

    id: str  # The id of the game, as in addresses.
    # The state of the game: open to players, running, in a tie-break, over or cancelled.
    status: Literal["open", "running", "tiebreak", "over", "cancelled"]
    mode: Literal["singles", "pairs", "solo"]  # How it is played: `singles`, `pairs` or `solo`.
    edition: str  # The edition of the rules.
    options: GameOptions  # The rule options.
    clock: TimeControl  # The time control.
    order: Literal["as-joined", "shuffled"]  # How seats are numbered at the start: `as-joined` or `shuffled`.
    private: bool  # Whether only invited players can see and join it.
    rated: bool  # Whether it counts for ratings.
    hints: bool  # Whether pages and mails show where a figure can be closed.
    bots_allowed: bool  # Whether bot accounts may take a seat.
    seats_wanted: int  # How many players it takes, 1 to 4.
    created_at: str  # When it was created.
    # The end of the turn, or of the tournament's round if that comes first; null if no clock runs.
    deadline: str | None
    # What ends at the deadline: `turn` or `round`; null without a deadline.
    deadline_kind: Literal["turn", "round"] | None
    round_end: RoundEnd | None  # In a tournament: when points decide the game. Null otherwise.
    seq: int  # The number of the last action; 0 before any.
    # What kind of action is expected: `start`, `stolen`, `place`, `react`, or `over`; null before the start.
    phase: Literal["start", "stolen", "place", "react", "over"] | None
    match: int  # The number of the current match; 0 before the start.
    to_act: list[int]  # The seats that have a decision to make. There can be several during `react`.
    board: Board  # The tiles and figures on the board.
    drawn: str | None  # The tile that was drawn and has to be placed; null if there is none.
    markers: dict[str, dict[str, int]]  # How many markers are left, by side and value.
    totals: dict[str, int]  # The points of finished matches, by side.
    tower_left: int  # How many tiles are left in the tower.
    deck_left: int  # How many cards are left in the deck.
    # The kind of the current match: `normal`, `blind` or `solo`.
    kind: Literal["normal", "blind", "solo"] | None
    turn: int | None  # The seat whose turn it is.
    second_turn: bool  # Whether this is that seat's second turn in a row.
    stolen: str | None  # The kidnapped card that has to be played; null if there is none.
    points: dict[str, int]  # The points of the current match so far, by side.
    played: list[str]  # The cards that were played in this game, in order.
    removed_tiles: list[str]  # The tiles that left the current match.
    protected: list[int]  # The sides that have protected their points against an 8.
    # With the obligation `lenient`: the sides that passed up a duty in this match, ascending. They get no
    # points for a table tile in it. Empty in games of rules version 1.
    missed_duty: list[int]
    matches: list[MatchResult]  # The matches that were scored, in order.
    shootout: list[dict[str, str]]  # The rounds of a shoot-out: the tile that each side drew.
    winner: int | None  # The side that won. Null while the game runs, for a draw, and for a lost solo game.
    rules: int  # The version of the rules, which never changes for this game.
    chat: bool  # Whether the players can chat.
    expires_at: str | None  # When the game is cancelled if it has not started by then; null once it has.
    started_at: str | None  # When the last player joined; null before.
    finished_at: str | None  # When it ended; null before.
    reason: GameReason | None  # What decided the game, or why one side was left; null until it is over.
    fairness: Fairness  # The commitment and the seeds that all chance follows from.
    seats: list[Seat]  # The players in seat order; before the start in the order in which they joined.
    joined: int | None  # Your joining number; null if you do not play.
    # What you may do with the game now. Reserved seats, a proposed pause and your own limits are only checked
    # when you do it.
    permissions: list[GamePermissions]
    # Your own seat, with your hand. Absent if you have no seat, and before the start.
    you: NotRequired[YourSeat]


GameEvent: TypeAlias = (
    "MatchBeganEvent | DrewEvent | PlacedEvent | FigureEvent | InfinityEvent | AskedEvent | AnsweredEvent | "
    "PlayedEvent | KidnappedEvent | LostCardEvent | NewTilesEvent | DarkTilesLeftEvent | TurnEvent | "
    "MatchEndedEvent | ShootOutEvent | ResignedEvent | GameOverEvent"
)


class GameLine(TypedDict):
    """Your view of the game. It comes first, and again after every change."""

    event: Literal["game"]  # The kind of this line.
    id: str  # The cursor: send it as `Last-Event-ID` to go on after this line.
    data: Game  # The view of the game.


class GameNote(TypedDict):
    """Your note on a game."""

    text: str  # The text of your note; empty if there is none.
    updated_at: str | None  # When you last changed it; null if there is none.


class GameOptions(TypedDict):
    """The rule options of a game."""

    cards: bool  # Whether secret cards are played.
    # `strict`: a placement must make an 8 or close a figure where it can. `lenient`: it need not.
    obligation: Literal["strict", "lenient"]
    target: int  # The points that a side needs to end the game.
    cards_from: NotRequired[int]  # The first match with cards, 1 or 2; not in games of rules version 1.
    # The oldest player: account, by the age of accounts, or lot; not in games of rules version 1.
    seniority: NotRequired[Literal["account", "lot"]]


class GameOverEvent(TypedDict):
    """The game ended."""

    event: Literal["game over"]  # What happened.
    winner: int | None  # The side that won; null for a draw and for a lost solo game.
    totals: dict[str, int]  # The points of all matches, by side.


GameStreamLine: TypeAlias = "GameLine | ActionLine | MessageLine | EndLine"


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


class LogLine(TypedDict):
    """An action in the log."""

    seq: int  # 1, 2, 3 ….
    seat: int  # The seat that acted.
    action: str  # The action as a canonical string.
    by: Literal["player", "clock", "bot"]  # The source of the action: a player, the clock or a bot.
    at: str  # When it was played.
    hash: str  # The hash of this action together with the hash of the action before.
    # What happened while the action was carried out, in order. `event` says what each of them is.
    events: list[GameEvent]


class LostCardEvent(TypedDict):
    """A kidnapped card was discarded, because it can have no effect now."""

    seat: int  # The seat that this happened to.
    event: Literal["lost card"]  # What happened.
    card: str  # The two letters of the card.


class MatchBeganEvent(TypedDict):
    """A match began: tiles and cards were dealt. `seat` takes the first turn."""

    seat: int  # The seat that this happened to.
    event: Literal["match began"]  # What happened.
    match: int  # The number of the match in its game; the first is 1.
    # Whether it is a normal match, the blind match of a tie, or a solo match.
    kind: Literal["normal", "blind", "solo"]
    table: dict[str, str | None]  # The open table tile of each seat, by seat.


class MatchEndedEvent(TypedDict):
    """A match ended and was scored."""

    event: Literal["match ended"]  # What happened.
    match: int  # The number of the match in its game; the first is 1.
    # Whether it was a normal match, the blind match of a tie, or a solo match.
    kind: Literal["normal", "blind", "solo"]
    # What ended it: an 8, a full board, an empty tower, or a won solo game.
    ended: Literal["infinity", "full", "tower", "won"]
    scores: dict[str, int]  # The points of this match, by side.
    silly: list[int]  # The sides that had no marker and scored all the same, ascending.
    totals: dict[str, int]  # The points of all matches so far, by side.


class MatchResult(TypedDict):
    """A scored match."""

    kind: Literal["normal", "blind", "solo"]  # The kind of match: `normal`, `blind` or `solo`.
    ended: Literal["infinity", "full", "tower", "won"]  # What ended it: `infinity`, `full`, `tower` or `won`.
    scores: dict[str, int]  # The points, by side.
    silly: list[int]  # The sides that had no marker and scored all the same, ascending.


class MessageLine(TypedDict):
    """A new chat message; only for the players of the game."""

    event: Literal["message"]  # The kind of this line.
    id: str  # The cursor: send it as `Last-Event-ID` to go on after this line.
    data: ChatMessage  # The message.


class NewTilesEvent(TypedDict):
    """A card gave seats new table tiles."""

    seat: int  # The seat that this happened to.
    event: Literal["new tiles"]  # What happened.
    table: dict[str, str | None]  # The new table tile of each seat, by seat; null for none.


class Orders(TypedDict):
    """Your standing orders."""

    draw: bool  # Whether we draw a tile for you at the start of your turns.
    # Whether we play your only legal action for you, where everybody can see that it is the only one.
    only: bool


class Partner(TypedDict):
    """Your partner's seat, whose hand you see."""

    seat: int  # The number of the seat.
    hand: list[str]  # The cards, in the order in which they were received.


class PlacedEvent(TypedDict):
    """A seat placed a tile on the board."""

    seat: int  # The seat that this happened to.
    event: Literal["placed"]  # What happened.
    tile: str  # The letter of the tile, A to J.
    cell: str  # The cell, `a1` to `e5`.
    rotation: int  # The rotation of the tile, in degrees clockwise: 0, 90, 180 or 270.


class PlayedEvent(TypedDict):
    """A seat played a card."""

    seat: int  # The seat that this happened to.
    event: Literal["played"]  # What happened.
    card: str  # The two letters of the card.
    action: str  # The action string, with what the card does.


class ResignedEvent(TypedDict):
    """A side resigned."""

    seat: int  # The seat that this happened to.
    event: Literal["resigned"]  # What happened.
    side: int  # The side that leaves the game.


class RoundEnd(TypedDict):
    """The end of a tournament round, at which points decide an unfinished game."""

    at: str  # When the round ends.
    name: str  # The name of the tournament.
    round: int | None  # The number of the round; null where rounds have no numbers.
    url: str  # The page of the tournament.


class Seat(TypedDict):
    """A seat, who takes it, and what lies before it once the game has started."""

    joined: int  # The joining number.
    name: str  # The name of the player or bot, as pages show it.
    player: str | None  # The name of the account; null for guests, bots and former players.
    bot: str | None  # The policy of the bot; null for people.
    bot_name: str | None  # The given name of the bot in this game; null for people.
    partner: int | None  # In pairs: the joining number of the chosen partner.
    is_bot: bool  # A program plays here: a bot of the site, or a bot account.
    owner: str | None  # Of a bot account: the player who runs it.
    seat: int | None  # The number of the seat; null before the start.
    side: int | None  # The side that it plays for; null before the start.
    bank_seconds: int | None  # The reserve that is left; null without a clock.
    # Until when the seat can act: the end of the turn, or of the tournament's round if that comes first. Null
    # if it is not on turn.
    deadline: str | None
    cards: int | None  # How many cards the seat holds. Which ones is secret.
    table: str | None  # The letter of the tile that lies open before the seat; null for none.
    in_play: bool | None  # False once its side has resigned.


class ShootOutEvent(TypedDict):
    """One round of a shoot-out: every tied side drew a tile."""

    event: Literal["shoot-out"]  # What happened.
    round: int  # The number of the round; the first is 1.
    tiles: dict[str, str]  # The letter of the tile that each side drew, by side.


class TimeControl(TypedDict):
    """The time control of a game."""

    name: str  # The name of a preset, or `custom`.
    allowance_seconds: int  # The time for each turn.
    bank_seconds: int  # The reserve for the whole game.
    blind_allowance_seconds: int  # The time for a turn of a blind match.
    # What happens when time is up. `autoplay`: the server plays the turn. `forfeit`: the side resigns.
    timeouts: Literal["autoplay", "forfeit"]
    weekends: bool  # Whether clocks stop at the weekend.
    nights: bool  # Whether clocks stop in each player's night hours. Changed hours count from the next turn.
    vacation: bool  # Whether clocks stop while a player is on vacation.
    paused_until: str | None  # When the agreed pause ends; null if there is none.


class TurnEvent(TypedDict):
    """A seat lost its turn to a dark tile (`lost turn`), or takes a second one (`second turn`)."""

    seat: int  # The seat that this happened to.
    event: Literal["lost turn", "second turn"]  # What happened.


class YourSeat(TypedDict):
    """Your seat."""

    seat: int  # The number of the seat.
    side: int  # The side that you play for.
    hand: list[str]  # Your cards, in the order in which you received them.
    partner: Partner | None  # In pairs: your partner's seat. Null otherwise.
    legal_count: int  # How many legal actions you have now.
    # Your legal actions now, as actions/legal/ gives them; empty if you have nothing to decide.
    legal: list[str]
    # How you answer an 8: `use` the card, `keep` it, or `ask` you each time.
    eight_policy: Literal["ask", "use", "keep"]
    muted: bool  # Whether notifications about this game are turned off.
    # True if you took this seat over and have not looked yet. `take-seat` then shows hand and legal actions.
    hand_hidden: bool
    orders: Orders  # Your standing orders, which nobody else can see.
