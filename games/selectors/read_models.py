"""What the API answers about a game, as types of its JSON, which is also what pages and mails of a game read.

The view of a game is built for every request of it and after every move, so these are the dicts themselves.
The text beside a type describes it in the OpenAPI document.
"""

from __future__ import annotations

from typing import Annotated, Any, NotRequired, TypedDict

from common.instants import Instant
from games.engine import ActionSource
from games.engine.game_result import EndReason
from games.engine.read_models import (
    BoardData,
    FairnessData,
    GameOptionsData,
    OwnPositionData,
    SharedPositionData,
    TournamentSeedData,
)
from games.models import Game, Seat
from games.permissions import Permission

from .clocks import RoundEndData, SeatTimeData
from .deadlines import DEADLINE_HELP_TEXT, DEADLINE_KIND_HELP_TEXT, DeadlineKind

END_REASON_HELP_TEXT = "what decided it, or why one side was left; null until it is over"


class TimeControlData(TypedDict):
    """The time control of a game."""

    name: Annotated[str, "one of the site's, or custom"]
    allowance: Annotated[int, "seconds for a turn"]
    bank: Annotated[int, "seconds in reserve for the whole game"]
    blind: Annotated[int, "seconds for a turn of a blind match"]
    timeouts: Annotated[
        str, "when time is up: autoplay, the server plays the turn; forfeit, the side resigns"
    ]
    weekends: Annotated[bool, "clocks rest at the weekend"]
    nights: Annotated[bool, "clocks rest in a player's night hours, as they are when a turn begins"]
    vacation: Annotated[bool, "clocks rest on vacation"]
    paused_until: Annotated[Instant | None, "the end of the pause that was agreed"]


class SeatOccupantData(TypedDict):
    """Who takes a seat."""

    joined: Annotated[int, "the joining number"]
    name: Annotated[str, "as shown"]
    player: Annotated[str | None, "the name of the account; null for guests, bots and former players"]
    bot: Annotated[str | None, "the policy of a bot"]
    bot_name: Annotated[str | None, "the given name of a bot, its own in this game"]
    partner: Annotated[int | None, "in pairs: the joining number of the chosen partner"]
    is_bot: Annotated[bool, "a program plays here: a bot of the site, or a bot account"]
    owner: Annotated[str | None, "of a bot account: the player who runs it"]


class SeatSummaryData(SeatOccupantData):
    """A seat and who takes it."""

    seat: Annotated[int | None, "its number; null before the start"]
    side: Annotated[int | None, "the side that it plays for; null before the start"]


class SeatData(SeatSummaryData, SeatTimeData):
    """A seat, who takes it, and what lies before it once the game has started."""

    cards: Annotated[int | None, "how many; never which; null before the start"]
    table: Annotated[str | None, "the tile that lies open before it"]
    in_play: Annotated[bool | None, "false once its side has resigned; null before the start"]


class OrdersData(TypedDict):
    """Your standing orders."""

    draw: Annotated[bool, "draw at the start of your turns"]
    only: Annotated[bool, "play the only legal action, where everybody sees that it is"]


class YourSeatData(OwnPositionData):
    """Your seat."""

    eight_policy: Annotated[Seat.EightPolicy, "your answer to an 8, decided in advance"]
    muted: Annotated[bool, "whether notices about this game are off"]
    hand_hidden: Annotated[
        bool, "you took this seat over and have not looked yet: take-seat shows hand and legal actions"
    ]
    orders: Annotated[OrdersData, "your standing orders, which nobody else can see"]


class GameSettingsData(TypedDict):
    """What the view of a game and its line in a list share."""

    id: Annotated[str, "names the game in URLs"]
    status: Annotated[Game.Status, "the state of the game"]
    mode: Annotated[str, "singles, pairs or solo"]
    edition: Annotated[str, "the edition by which it is played"]
    options: Annotated[GameOptionsData, "rule options"]
    clock: Annotated[TimeControlData, "the time control"]
    order: Annotated[str, "how seats are numbered at the start: as-joined or shuffled"]
    private: Annotated[bool, "only for those who are invited"]
    rated: Annotated[bool, "whether it counts for ratings"]
    hints: Annotated[bool, "whether pages and mails show where a figure can be closed"]
    bots_allowed: Annotated[bool, "whether bot accounts may take a seat"]
    seats_wanted: Annotated[int, "how many play"]
    created_at: Annotated[Instant, "when it was created"]
    deadline: Annotated[Instant | None, DEADLINE_HELP_TEXT]
    deadline_kind: Annotated[DeadlineKind | None, DEADLINE_KIND_HELP_TEXT]
    round_end: Annotated[RoundEndData | None, "in a tournament: when points decide"]


class ListedGameData(GameSettingsData):
    """What lists show of a game, but for its seats."""

    seq: Annotated[int, "the number of the last action, 0 before any"]
    to_act: Annotated[list[int], "seats that have a decision to make"]
    winner: Annotated[int | None, "the side that won; null until then, for a draw and for a lost solo game"]
    commitment: Annotated[str, "the SHA-256 of the server seed"]


class GameSummaryData(ListedGameData):
    """A game in a list."""

    totals: Annotated[dict[str, int], "points of finished matches by side; empty before the start"]
    reason: Annotated[EndReason | None, END_REASON_HELP_TEXT]
    started_at: Annotated[Instant | None, "when the last player joined"]
    finished_at: Annotated[Instant | None, "when it ended"]
    seats: Annotated[list[SeatSummaryData], "who plays"]


class GameData(GameSettingsData, SharedPositionData):
    """A game as you may see it."""

    rules: Annotated[int, "the rules version that the game is pinned to"]
    chat: Annotated[bool, "whether those at the table can talk"]
    expires_at: Annotated[Instant | None, "when an open game is cancelled if it has not started"]
    started_at: Annotated[Instant | None, "when the last player joined"]
    finished_at: Annotated[Instant | None, "when it ended"]
    reason: Annotated[EndReason | None, END_REASON_HELP_TEXT]
    fairness: Annotated[FairnessData, "what the randomness comes from"]
    seats: Annotated[list[SeatData], "who plays, in seat order; before the start in joining order"]
    joined: Annotated[int | None, "your joining number"]
    permissions: Annotated[
        list[Permission],
        "what you may do with it as it stands; reserved seats, a proposed pause and your own limits"
        " are looked at when you ask",
    ]
    you: NotRequired[Annotated[YourSeatData, "only if you have a seat and the game has started"]]


class BoardPictureData(TypedDict):
    """What a picture of the board needs."""

    edition: str
    board: BoardData
    seats: list[SeatData]


class LogLineData(TypedDict):
    """An action in the log."""

    seq: Annotated[int, "1, 2, 3 …"]
    seat: Annotated[int, "who acted"]
    action: Annotated[str, "canonical action string"]
    by: Annotated[ActionSource, "who chose it"]
    at: Annotated[Instant, "when it was played"]
    hash: Annotated[str, "covers this action and the hash before"]
    events: Annotated[list[dict[str, Any]], "what followed from it; `event` says what happened"]


class LogData(TypedDict):
    """A page of the log."""

    results: Annotated[list[LogLineData], "in order"]
    next: Annotated[int | None, "ask with ?after= this; null on the last page"]


class SeedDetailsData(TypedDict):
    """Where the seeds of a game come from: who brought one and who did not."""

    event: TournamentSeedData | None
    committed_first: bool
    own: list[SeatOccupantData]
    without: list[SeatOccupantData]
    bots: list[SeatOccupantData]
