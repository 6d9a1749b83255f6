"""Read models of a game, as types of the API's JSON, which pages and mails of a game read, too.

The view of a game is built for every request of it and after every move, so these are the dicts themselves.
The text beside a type describes it in the OpenAPI document.
"""

from __future__ import annotations

from typing import Annotated, NotRequired, TypedDict

from common.instants import Instant
from common.read_models import OneOf
from games.engine import ActionSource, Mode, SeatOrder
from games.engine.event_types import GameEventData
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

END_REASON_HELP_TEXT = "What decided the game, or why one side was left; null until it is over."


class TimeControlData(TypedDict):
    """The time control of a game."""

    name: Annotated[str, "The name of a preset, or `custom`."]
    allowance_seconds: Annotated[int, "The time for each turn."]
    bank_seconds: Annotated[int, "The reserve for the whole game."]
    blind_allowance_seconds: Annotated[int, "The time for a turn of a blind match."]
    timeouts: Annotated[
        Game.TimeoutPolicy,
        "What happens when time is up. `autoplay`: the server plays the turn. `forfeit`: the side resigns.",
    ]
    weekends: Annotated[bool, "Whether clocks stop at the weekend."]
    nights: Annotated[
        bool, "Whether clocks stop in each player's night hours. Changed hours count from the next turn."
    ]
    vacation: Annotated[bool, "Whether clocks stop while a player is on vacation."]
    paused_until: Annotated[Instant | None, "When the agreed pause ends; null if there is none."]


class SeatOccupantData(TypedDict):
    """The occupant of a seat."""

    joined: Annotated[int, "The joining number."]
    name: Annotated[str, "The name of the player or bot, as pages show it."]
    player: Annotated[str | None, "The name of the account; null for guests, bots and former players."]
    bot: Annotated[str | None, "The policy of the bot; null for people."]
    bot_name: Annotated[str | None, "The given name of the bot in this game; null for people."]
    partner: Annotated[int | None, "In pairs: the joining number of the chosen partner."]
    is_bot: Annotated[bool, "A program plays here: a bot of the site, or a bot account."]
    owner: Annotated[str | None, "Of a bot account: the player who runs it."]


class SeatSummaryData(SeatOccupantData):
    """A seat and who takes it."""

    seat: Annotated[int | None, "The number of the seat; null before the start."]
    side: Annotated[int | None, "The side that it plays for; null before the start."]


class SeatData(SeatSummaryData, SeatTimeData):
    """A seat, who takes it, and what lies before it once the game has started."""

    cards: Annotated[int | None, "How many cards the seat holds. Which ones is secret."]
    table: Annotated[str | None, "The letter of the tile that lies open before the seat; null for none."]
    in_play: Annotated[bool | None, "False once its side has resigned."]


class OrdersData(TypedDict):
    """Your standing orders."""

    draw: Annotated[bool, "Whether we draw a tile for you at the start of your turns."]
    only: Annotated[
        bool,
        "Whether we play your only legal action for you, where everybody can see that it is the only one.",
    ]


class YourSeatData(OwnPositionData):
    """Your seat."""

    eight_policy: Annotated[
        Seat.EightPolicy, "How you answer an 8: `use` the card, `keep` it, or `ask` you each time."
    ]
    muted: Annotated[bool, "Whether notifications about this game are turned off."]
    hand_hidden: Annotated[
        bool,
        "True if you took this seat over and have not looked yet. `take-seat` then shows"
        " hand and legal actions.",
    ]
    orders: Annotated[OrdersData, "Your standing orders, which nobody else can see."]


class GameSettingsData(TypedDict):
    """The common settings of the view of a game and of its line in a list."""

    id: Annotated[str, "The id of the game, as in addresses."]
    status: Annotated[
        Game.Status, "The state of the game: open to players, running, in a tie-break, over or cancelled."
    ]
    mode: Annotated[Mode, "How it is played: `singles`, `pairs` or `solo`."]
    edition: Annotated[str, "The edition of the rules."]
    options: Annotated[GameOptionsData, "The rule options."]
    clock: Annotated[TimeControlData, "The time control."]
    order: Annotated[SeatOrder, "How seats are numbered at the start: `as-joined` or `shuffled`."]
    private: Annotated[bool, "Whether only invited players can see and join it."]
    rated: Annotated[bool, "Whether it counts for ratings."]
    hints: Annotated[bool, "Whether pages and mails show where a figure can be closed."]
    bots_allowed: Annotated[bool, "Whether bot accounts may take a seat."]
    seats_wanted: Annotated[int, "How many players it takes, 1 to 4."]
    created_at: Annotated[Instant, "When it was created."]
    deadline: Annotated[Instant | None, DEADLINE_HELP_TEXT]
    deadline_kind: Annotated[DeadlineKind | None, DEADLINE_KIND_HELP_TEXT]
    round_end: Annotated[RoundEndData | None, "In a tournament: when points decide the game. Null otherwise."]


class ListedGameData(GameSettingsData):
    """The fields of a game in lists, but for its seats."""

    seq: Annotated[int, "The number of the last action; 0 before any."]
    to_act: Annotated[list[int], "The seats that have a decision to make."]
    winner: Annotated[
        int | None, "The side that won. Null while the game runs, for a draw, and for a lost solo game."
    ]
    commitment: Annotated[str, "The SHA-256 of the server seed, in hexadecimal."]


class GameSummaryData(ListedGameData):
    """A game in a list."""

    totals: Annotated[dict[str, int], "Points of finished matches by side; empty before the start."]
    reason: Annotated[EndReason | None, END_REASON_HELP_TEXT]
    started_at: Annotated[Instant | None, "When the last player joined."]
    finished_at: Annotated[Instant | None, "When it ended."]
    seats: Annotated[list[SeatSummaryData], "The players."]


class GameData(GameSettingsData, SharedPositionData):
    """A game as you may see it."""

    rules: Annotated[int, "The version of the rules, which never changes for this game."]
    chat: Annotated[bool, "Whether the players can chat."]
    expires_at: Annotated[
        Instant | None, "When the game is cancelled if it has not started by then; null once it has."
    ]
    started_at: Annotated[Instant | None, "When the last player joined; null before."]
    finished_at: Annotated[Instant | None, "When it ended; null before."]
    reason: Annotated[EndReason | None, END_REASON_HELP_TEXT]
    fairness: Annotated[FairnessData, "The commitment and the seeds that all chance follows from."]
    seats: Annotated[
        list[SeatData], "The players in seat order; before the start in the order in which they joined."
    ]
    joined: Annotated[int | None, "Your joining number; null if you do not play."]
    permissions: Annotated[
        list[Permission],
        "What you may do with the game now. Reserved seats, a proposed pause and your own limits are only"
        " checked when you do it.",
    ]
    you: NotRequired[
        Annotated[
            YourSeatData, "Your own seat, with your hand. Absent if you have no seat, and before the start."
        ]
    ]


class BoardPictureData(TypedDict):
    """The data of a picture of the board."""

    edition: str
    board: BoardData
    seats: list[SeatData]


class LogLineData(TypedDict):
    """An action in the log."""

    seq: Annotated[int, "1, 2, 3 …."]
    seat: Annotated[int, "The seat that acted."]
    action: Annotated[str, "The action as a canonical string."]
    by: Annotated[ActionSource, "The source of the action: a player, the clock or a bot."]
    at: Annotated[Instant, "When it was played."]
    hash: Annotated[str, "The hash of this action together with the hash of the action before."]
    events: Annotated[
        list[Annotated[GameEventData, OneOf("GameEvent", "event")]],
        "What happened while the action was carried out, in order. `event` says what each of them is.",
    ]


class LogData(TypedDict):
    """A page of the log."""

    results: Annotated[list[LogLineData], "The items, in order."]
    next: Annotated[int | None, "The `after` of the next page; null on the last page."]


class SeedDetailsData(TypedDict):
    """The origins of the seeds of a game: who brought one and who did not."""

    event: TournamentSeedData | None
    committed_first: bool
    own: list[SeatOccupantData]
    without: list[SeatOccupantData]
    bots: list[SeatOccupantData]
