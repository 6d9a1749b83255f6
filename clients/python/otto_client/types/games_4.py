"""Types of the API: games 4.

Generated from the OpenAPI document by `make schema`: do not edit.
"""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict

from .games_3 import GameOptions, LogLine, MatchResult, RoundEnd, TimeControl


class GameResult(TypedDict):
    """The result of a game."""

    winner: int | None  # The side that won; null for a draw and for a lost solo game.
    totals: dict[str, int]  # The points, by side.
    matches: list[MatchResult]  # The matches that were scored, in order.
    shootout: list[dict[str, str]]  # The rounds of a shoot-out: the tile that each side drew.


GameSummaryReason = Literal[
    "target",
    "blind match",
    "blind eight",
    "shoot-out",
    "level",
    "resigned",
    "solo won",
    "solo lost",
]


class GameSummary(TypedDict):
    """A game in a list."""

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
    to_act: list[int]  # The seats that have a decision to make.
    winner: int | None  # The side that won. Null while the game runs, for a draw, and for a lost solo game.
    commitment: str  # The SHA-256 of the server seed, in hexadecimal.
    totals: dict[str, int]  # Points of finished matches by side; empty before the start.
    # What decided the game, or why one side was left; null until it is over.
    reason: GameSummaryReason | None
    started_at: str | None  # When the last player joined.
    finished_at: str | None  # When it ended.
    seats: list[SeatSummary]  # The players.


class GameSummaryPage(TypedDict):
    """One page of a list."""

    next: str | None  # The address of the next page; null on the last page.
    previous: str | None  # The address of the previous page; null on the first page.
    results: list[GameSummary]  # The items of this page, in order.


class Invitation(TypedDict):
    """An invitation to a game."""

    game: str  # The `id` of the game.
    commitment: str  # The SHA-256 of the game's server seed, in hexadecimal.
    by: str  # The name of the player who invites.
    by_bot: bool  # Whether a bot invites.
    bots_allowed: bool  # Whether bots may play. If so, join with `accept_bots`.
    name: str | None  # The name of the invited player; null if an email address was invited.
    partner: bool  # In pairs: whether the invited player becomes the inviting player's partner.
    created_at: str  # When the invitation was sent.


class Log(TypedDict):
    """A page of the log."""

    results: list[LogLine]  # The items, in order.
    next: int | None  # The `after` of the next page; null on the last page.


class Muted(TypedDict):
    """The setting that turns off notifications about a game."""

    muted: bool  # Whether notifications about this game are turned off.


class Pause(TypedDict):
    """The agreed and the proposed pause of a game."""

    paused_until: str | None  # When the agreed pause ends; null if there is none.
    proposed_until: str | None  # When the proposed pause would end; null if none is proposed.
    proposed_by: str | None  # The name of the player who proposes it.


class Record(TypedDict):
    """A whole game, with everything that a replay needs."""

    format: Literal["otto-record/1"]  # The format of the record.
    game: str  # The `id` of the game.
    edition: str  # The edition of the rules.
    mode: Literal["singles", "pairs", "solo"]  # How it is played: `singles`, `pairs` or `solo`.
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

    seq: int  # 1, 2, 3 ….
    seat: int  # The seat that acted.
    action: str  # The action as a canonical string.
    by: Literal["player", "clock", "bot"]  # The source of the action: `player`, `clock` or `bot`.
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
    """The numbering of seats."""

    order: Literal["as-joined", "shuffled"]  # How seats were numbered: `as-joined` or `shuffled`.
    joined: list[int]  # The seats in the order in which their players joined.


class SeatSummary(TypedDict):
    """A seat and who takes it."""

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


class StandingOrders(TypedDict):
    """Your standing orders in a game. Omitted fields keep their value."""

    draw: NotRequired[bool]  # Draw a tile for you at the start of your turns.
    only: NotRequired[bool]  # Play the only legal placement, or the only way to play a kidnapped card.


class TournamentSeed(TypedDict):
    """The origin of the seed of a tournament's game."""

    id: str  # The `id` of the tournament.
    commitment: str  # The SHA-256 of the tournament's seed.
    match: str  # The match in the tournament.
    game: int  # The number of the game in its match.
    attempt: int  # The attempt; more than 1 if a corrected result made earlier ones void.
    seed: str | None  # The seed of the tournament; null until it is over.
