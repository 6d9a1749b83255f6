"""Types of the API: games 3.

Generated from the OpenAPI document by `make schema`: do not edit.
"""

from __future__ import annotations

from typing import Literal, NotRequired, TypeAlias, TypedDict

from .games import ChatMessage
from .games_2 import (
    AnsweredEvent,
    AskedEvent,
    DarkTilesLeftEvent,
    DrewEvent,
    FigureEvent,
    Game,
    GameOptions,
    GameOverEvent,
    InfinityEvent,
    KidnappedEvent,
    MatchResult,
    RoundEnd,
    TimeControl,
)


class ActionLine(TypedDict):
    """A new action, as the log has it."""

    event: Literal["action"]  # What this line is.
    id: str  # The cursor: send it as `Last-Event-ID` to go on after this line.
    data: LogLine  # The action with its events.


class EndLine(TypedDict):
    """The last line: nothing more will happen here, and the stream closes."""

    event: Literal["end"]  # What this line is.
    id: str | None  # Always null: there is nothing to go on with.
    data: EndReason  # Why the stream ends.


class EndReason(TypedDict):
    """Why a stream ends."""

    reason: str  # The status of the game, `over` or `cancelled`; or `not-found`: you see it no more.


GameEvent: TypeAlias = (
    "MatchBeganEvent | DrewEvent | PlacedEvent | FigureEvent | InfinityEvent | AskedEvent | AnsweredEvent | "
    "PlayedEvent | KidnappedEvent | LostCardEvent | NewTilesEvent | DarkTilesLeftEvent | TurnEvent | "
    "MatchEndedEvent | ShootOutEvent | ResignedEvent | GameOverEvent"
)


class GameLine(TypedDict):
    """The game as you may see it now. Comes first, and whenever the game has changed."""

    event: Literal["game"]  # What this line is.
    id: str  # The cursor: send it as `Last-Event-ID` to go on after this line.
    data: Game  # The view of the game.


class GameResult(TypedDict):
    """The result of a game."""

    winner: int | None  # The side that won; null for a draw and for a lost solo game.
    totals: dict[str, int]  # The points, by side.
    matches: list[MatchResult]  # The matches that were scored, in order.
    shootout: list[dict[str, str]]  # The rounds of a shoot-out: the tile that each side drew.


GameStreamLine: TypeAlias = "GameLine | ActionLine | MessageLine | EndLine"


class GameSummary(TypedDict):
    """A game in a list."""

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
    to_act: list[int]  # The seats that have a decision to make.
    winner: int | None  # The side that won. Null while the game runs, for a draw, and for a lost solo game.
    commitment: str  # The SHA-256 of the server seed, in hexadecimal.
    seats: list[SeatSummary]  # The players.


class GameSummaryPage(TypedDict):
    """One page of a list."""

    next: str | None  # The address of the next page; null on the last page.
    previous: str | None  # The address of the page before; null on the first page.
    results: list[GameSummary]  # The items of this page, in order.


class Invitation(TypedDict):
    """An invitation to a game."""

    game: str  # The `id` of the game.
    commitment: str  # The SHA-256 of the game's server seed, in hexadecimal.
    by: str  # The name of the player who invites.
    name: str | None  # The name of the invited player; null if an email address was invited.
    partner: bool  # In pairs: whether they are asked to be the partner of the player who invites.
    at: str  # When the invitation was sent.


class Log(TypedDict):
    """A page of the log."""

    results: list[LogLine]  # The items, in order.
    next: int | None  # Ask with `?after=` this number for the next page; null on the last page.


class LogLine(TypedDict):
    """An action in the log."""

    seq: int  # 1, 2, 3 …
    seat: int  # The seat that acted.
    action: str  # The action as a canonical string.
    by: Literal["player", "clock", "bot"]  # Who chose it: a player, the clock or a bot.
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


class MessageLine(TypedDict):
    """A new chat message; only for those at the table."""

    event: Literal["message"]  # What this line is.
    id: str  # The cursor: send it as `Last-Event-ID` to go on after this line.
    data: ChatMessage  # The message.


class Muted(TypedDict):
    """Whether notices about a game are off."""

    muted: bool  # Whether notices about this game are turned off.


class NewTilesEvent(TypedDict):
    """A card gave seats new table tiles."""

    seat: int  # The seat that this happened to.
    event: Literal["new tiles"]  # What happened.
    table: dict[str, str | None]  # The new table tile of each seat, by seat; null for none.


class Pause(TypedDict):
    """The agreed and the proposed pause of a game."""

    paused_until: str | None  # When the agreed pause ends; null if there is none.
    proposed_until: str | None  # When the proposed pause would end; null if none is proposed.
    proposed_by: str | None  # The name of the player who proposes it.


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


class Record(TypedDict):
    """A whole game, which replays with nothing else."""

    format: Literal["otto-record/1"]  # The format of the record.
    game: str  # The `id` of the game.
    edition: str  # The edition of the rules.
    mode: str  # How it is played: `singles`, `pairs` or `solo`.
    options: GameOptions  # The rule options.
    seats: list[RecordSeat]  # The seats, in order.
    rules: int  # The version of the rules, which never changes for this game.
    seniority: list[int]  # The seats by seniority, the oldest first.
    seating: RecordSeating  # How seats were numbered.
    fairness: RecordFairness  # The commitment and the seeds that all chance follows from.
    actions: list[RecordAction]  # All actions, in order.
    result: GameResult | None  # The result; null until the game is over.


class RecordAction(TypedDict):
    """An action in a record."""

    seq: int  # 1, 2, 3 …
    seat: int  # The seat that acted.
    action: str  # The action as a canonical string.
    by: str  # Who chose it: `player`, `clock` or `bot`.
    at: str  # When it was played, in UTC.


class RecordFairness(TypedDict):
    """The commitment and the seeds of a game, and of its tournament."""

    commitment: str  # The SHA-256 of the server seed, in hexadecimal.
    server_seed: str | None  # The server seed in hexadecimal; null until the game is over.
    client_seeds: list[str]  # The client seed of each seat, in seat order.
    # Where the server seed comes from; only for a game of a tournament or league.
    event: NotRequired[TournamentSeed]


class RecordSeat(TypedDict):
    """A seat in a record."""

    seat: int  # The number of the seat.
    side: int  # The side that it plays for.
    name: str  # The name of the player.


class RecordSeating(TypedDict):
    """How seats were numbered."""

    order: str  # How seats were numbered: `as-joined` or `shuffled`.
    joined: list[int]  # The seats in the order in which their players joined.


class ResignedEvent(TypedDict):
    """A side resigned."""

    seat: int  # The seat that this happened to.
    event: Literal["resigned"]  # What happened.
    side: int  # The side that leaves the game.


class SeatSummary(TypedDict):
    """A seat and who takes it."""

    joined: int  # The joining number.
    name: str  # The name of the player or bot, as pages show it.
    player: str | None  # The name of the account; null for guests, bots and former players.
    bot: str | None  # The policy of the bot; null for people.
    bot_name: str | None  # The given name of the bot in this game; null for people.
    partner: int | None  # In pairs: the joining number of the chosen partner.
    seat: int | None  # The number of the seat; null before the start.


class ShootOutEvent(TypedDict):
    """One round of a shoot-out: every tied side drew a tile."""

    event: Literal["shoot-out"]  # What happened.
    round: int  # The number of the round; the first is 1.
    tiles: dict[str, str]  # The letter of the tile that each side drew, by side.


class StandingOrders(TypedDict):
    """Your standing orders in a game; what you leave out stays as it is."""

    draw: NotRequired[bool]  # Draw a tile for you at the start of your turns.
    only: NotRequired[bool]  # Play the only legal placement, or the only way to play a kidnapped card.


class TournamentSeed(TypedDict):
    """Where the seed of a tournament's game comes from."""

    id: str  # The `id` of the tournament.
    commitment: str  # The SHA-256 of the tournament's seed.
    match: str  # The match in the tournament.
    game: int  # The number of the game in its match.
    attempt: int  # The attempt; more than 1 if a corrected result made earlier ones void.
    seed: str | None  # The seed of the tournament; null until it is over.


class TurnEvent(TypedDict):
    """A seat lost its turn to a dark tile (`lost turn`), or takes a second one (`second turn`)."""

    seat: int  # The seat that this happened to.
    event: Literal["lost turn", "second turn"]  # What happened.
