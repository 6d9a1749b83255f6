"""Types of the API: games 2.

Generated from the OpenAPI document by `make schema`: do not edit.
"""

from __future__ import annotations

from typing import Literal, TypeAlias, TypedDict

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
    OverFeedEntry,
)


class Cell(TypedDict):
    """A tile on the board."""

    tile: str  # The letter of the tile, A to J.
    rotation: int  # The rotation of the tile, in degrees clockwise: 0, 90, 180 or 270.


class EntryLine(TypedDict):
    """A new entry of your feed."""

    event: Literal["entry"]  # The kind of this line.
    id: str  # The cursor: send it as `Last-Event-ID` to go on after this line.
    data: FeedEntry  # The entry.


class Feed(TypedDict):
    """A page of your feed."""

    after: int  # The cursor. Send it as `after` to get the next entries.
    results: list[FeedEntry]  # The items, in order.


FeedEntry: TypeAlias = (
    "TurnFeedEntry | PositionFeedEntry | OverFeedEntry | TimeoutFeedEntry | VacationFeedEntry | "
    "ShootOutFeedEntry | CancelledFeedEntry | PauseFeedEntry | PauseDeclinedFeedEntry | InvitedFeedEntry | "
    "NamedFeedEntry | OrdersFeedEntry | TournamentFeedEntry | ProposalFeedEntry | PlaceFeedEntry | "
    "NewcomerFeedEntry | PairingFeedEntry | RoundEndFeedEntry | ByeFeedEntry | ResultFeedEntry | "
    "TableChangeFeedEntry | EndFeedEntry | NoteFeedEntry | OutFeedEntry | ReplacedFeedEntry | HeldFeedEntry "
    "| AppealFeedEntry | LeagueFeedEntry"
)


class FeedState(TypedDict):
    """The position of a feed."""

    after: int  # The `id` of the last entry before this stream; 0 if there is none.
    turns_waiting: int  # How many games wait for a move of yours.


FeedStreamLine: TypeAlias = "SnapshotLine | EntryLine"


class Figure(TypedDict):
    """A closed figure."""

    # The kind of figure: `small circle`, `circle`, `square` or `infinity`.
    kind: Literal["small circle", "circle", "square", "infinity"]
    place: str  # The cells that it lies on, as `b3+c3`; with `frame` at the border.
    value: int  # The points that it is worth.
    side: int | None  # The side whose marker is on it, or that made the 8; null without a marker.
    lost: bool  # True if nobody may mark it any more in this match; its points are lost.


class PairingEntryDetails(TypedDict):
    """Your next game in the tournament has been started."""

    tournament: str  # The `id` of the tournament.
    name: str  # The name of the tournament.
    game: str | None  # The `id` of the game; null if there is none.
    match: str  # The match in the tournament, as in the record of its game.
    bracket_round: int  # The number of the round in the bracket.
    round_id: int  # The number of the published round in the database.


class PairingFeedEntry(TypedDict):
    """Your next game in the tournament has been started."""

    id: int  # The number of the entry, which is also the cursor of the feed. It never changes.
    game: str | None  # The `id` of the game that it is about; null if it is about no game.
    at: str  # When it happened.
    kind: Literal["tournament-pairing"]  # What happened. New kinds may be added.
    data: PairingEntryDetails  # The details, which depend on `kind`. Null means that there is nothing to say.


class PauseDeclinedEntryDetails(TypedDict):
    """A proposed pause was declined."""

    game: str  # The `id` of the game.
    by: str  # The name of the player who declined.


class PauseDeclinedFeedEntry(TypedDict):
    """A proposed pause was declined."""

    id: int  # The number of the entry, which is also the cursor of the feed. It never changes.
    game: str | None  # The `id` of the game that it is about; null if it is about no game.
    at: str  # When it happened.
    kind: Literal["pause-declined"]  # What happened. New kinds may be added.
    # The details, which depend on `kind`. Null means that there is nothing to say.
    data: PauseDeclinedEntryDetails


class PauseEntryDetails(TypedDict):
    """Somebody proposes a pause (`pause`), or all sides have agreed to one (`paused`)."""

    game: str  # The `id` of the game.
    until: str  # When the pause ends.
    stops_clocks: bool  # Whether the clocks stop; false to end the pause at once.
    by: str | None  # With `pause`: the name of the player who proposes it; otherwise null.


class PauseFeedEntry(TypedDict):
    """Somebody proposes a pause (`pause`), or all sides have agreed to one (`paused`)."""

    id: int  # The number of the entry, which is also the cursor of the feed. It never changes.
    game: str | None  # The `id` of the game that it is about; null if it is about no game.
    at: str  # When it happened.
    kind: Literal["pause", "paused"]  # What happened. New kinds may be added.
    data: PauseEntryDetails  # The details, which depend on `kind`. Null means that there is nothing to say.


PlaceEntryDetailsReason = Literal[
    "void",
    "undecided",
    "readmitted",
    "put-back",
    "replaced",
    "parted",
    "removed",
    "disqualified",
]


class PlaceEntryDetails(TypedDict):
    """You have a place in the tournament: from the waiting list, or because you were readmitted."""

    tournament: str  # The `id` of the tournament.
    name: str  # The name of the tournament.
    game: str | None  # The `id` of the game; null if there is none.
    reason: PlaceEntryDetailsReason | None  # `readmitted` if a disqualification was undone, otherwise null.


class PlaceFeedEntry(TypedDict):
    """You have a place in the tournament: from the waiting list, or because you were readmitted."""

    id: int  # The number of the entry, which is also the cursor of the feed. It never changes.
    game: str | None  # The `id` of the game that it is about; null if it is about no game.
    at: str  # When it happened.
    kind: Literal["tournament-place"]  # What happened. New kinds may be added.
    data: PlaceEntryDetails  # The details, which depend on `kind`. Null means that there is nothing to say.


class PositionEntryDetails(TypedDict):
    """The game started, somebody moved, or a blind match decides a tie."""

    game: str  # The `id` of the game.
    seq: int  # The number of the last action of the game at that time, 0 before any.
    deadline: str | None  # When the seat on turn runs out of time; null if no clock runs.
    round_ends_at: str | None  # In a tournament: when points decide the game; null otherwise.
    seat: int | None  # The seat that acted; null at the start.
    action: str | None  # The action that was played; null at the start.
    # The source of the action: a player, the clock or a bot; null at the start.
    by: Literal["player", "clock", "bot"] | None


class PositionFeedEntry(TypedDict):
    """The game started, somebody moved, or a blind match decides a tie."""

    id: int  # The number of the entry, which is also the cursor of the feed. It never changes.
    game: str | None  # The `id` of the game that it is about; null if it is about no game.
    at: str  # When it happened.
    kind: Literal["started", "moved", "blind"]  # What happened. New kinds may be added.
    # The details, which depend on `kind`. Null means that there is nothing to say.
    data: PositionEntryDetails


class ProposalEntryDetails(TypedDict):
    """Somebody asks you to become a partner, a replacement or a co-organiser, or has answered you."""

    tournament: str | None  # The `id` of the tournament; null for a league.
    league: str | None  # The `id` of the league; null for a tournament.
    name: str  # The name of the tournament or league.
    proposal: int  # The `id` of the proposal.
    answer: str | None  # The new status of the proposal; null if it was not answered.


ProposalFeedEntryKind = Literal[
    "tournament-partner",
    "tournament-replacement",
    "tournament-co-organiser",
    "tournament-answered",
    "league-partner",
    "league-co-organiser",
    "league-answered",
]


class ProposalFeedEntry(TypedDict):
    """Somebody asks you to become a partner, a replacement or a co-organiser, or has answered you."""

    id: int  # The number of the entry, which is also the cursor of the feed. It never changes.
    game: str | None  # The `id` of the game that it is about; null if it is about no game.
    at: str  # When it happened.
    kind: ProposalFeedEntryKind  # What happened. New kinds may be added.
    # The details, which depend on `kind`. Null means that there is nothing to say.
    data: ProposalEntryDetails


ReplacedEntryDetailsReason = Literal[
    "void",
    "undecided",
    "readmitted",
    "put-back",
    "replaced",
    "parted",
    "removed",
    "disqualified",
]


class ReplacedEntryDetails(TypedDict):
    """You play on for somebody else."""

    tournament: str  # The `id` of the tournament.
    name: str  # The name of the tournament.
    game: str | None  # The `id` of the game; null if there is none.
    entrant: int  # The `id` of the entrant that you play for.
    games: list[str]  # The `id` of each game in which you have a seat now.
    reason: ReplacedEntryDetailsReason | None  # `put-back` if a replacement was undone, otherwise null.


class ReplacedFeedEntry(TypedDict):
    """You play on for somebody else."""

    id: int  # The number of the entry, which is also the cursor of the feed. It never changes.
    game: str | None  # The `id` of the game that it is about; null if it is about no game.
    at: str  # When it happened.
    kind: Literal["tournament-replaced"]  # What happened. New kinds may be added.
    # The details, which depend on `kind`. Null means that there is nothing to say.
    data: ReplacedEntryDetails


class ResultEntryDetails(TypedDict):
    """The result of your table was recorded, corrected or taken back. Lists are in seat order."""

    tournament: str  # The `id` of the tournament.
    name: str  # The name of the tournament.
    game: str | None  # The `id` of the game; null if there is none.
    match: str  # The match in the tournament.
    ranks: list[int] | None  # The rank of each side; 1 won. Null if there is no result.
    points: list[int | None] | None  # The points of each side; null if unknown.
    eights: list[int] | None  # How many times each side made an 8; null if there is no result.
    forfeits: list[int] | None  # The entrants that resigned or ran out of time; null if there is no result.
    timeouts: list[int] | None  # The entrants that ran out of time; null if there is no result.
    # What decided: the game, points, an organiser or a bye; null if nothing did.
    by: Literal["game", "adjudication", "organiser", "bye"] | None
    text: str | None  # The public note of the organiser; null if there is none.
    taken_back: bool | None  # True if a correction was undone, otherwise null.


class ResultFeedEntry(TypedDict):
    """The result of your table was recorded, corrected or taken back. Lists are in seat order."""

    id: int  # The number of the entry, which is also the cursor of the feed. It never changes.
    game: str | None  # The `id` of the game that it is about; null if it is about no game.
    at: str  # When it happened.
    kind: Literal["tournament-result"]  # What happened. New kinds may be added.
    data: ResultEntryDetails  # The details, which depend on `kind`. Null means that there is nothing to say.


class RoundEndEntryDetails(TypedDict):
    """The end of a round was set or changed."""

    tournament: str  # The `id` of the tournament.
    name: str  # The name of the tournament.
    game: str | None  # The `id` of the game; null if there is none.
    round_id: int  # The number of the published round in the database.
    first: bool  # Whether the round had no end before.
    text: str  # The public note of the organiser; may be empty.


class RoundEndFeedEntry(TypedDict):
    """The end of a round was set or changed."""

    id: int  # The number of the entry, which is also the cursor of the feed. It never changes.
    game: str | None  # The `id` of the game that it is about; null if it is about no game.
    at: str  # When it happened.
    kind: Literal["tournament-round-end"]  # What happened. New kinds may be added.
    # The details, which depend on `kind`. Null means that there is nothing to say.
    data: RoundEndEntryDetails


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
    # The details, which depend on `kind`. Null means that there is nothing to say.
    data: ShootOutEntryDetails


class SnapshotLine(TypedDict):
    """The first line: where the feed stands."""

    event: Literal["snapshot"]  # The kind of this line.
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
    """One of your tables no longer counts, or counts again."""

    tournament: str  # The `id` of the tournament.
    name: str  # The name of the tournament.
    game: str | None  # The `id` of the game; null if there is none.
    match: str  # The match in the tournament.
    reason: TableChangeEntryDetailsReason  # `void`: it counts no more; `undecided`: an organiser decides.


class TableChangeFeedEntry(TypedDict):
    """One of your tables no longer counts, or counts again."""

    id: int  # The number of the entry, which is also the cursor of the feed. It never changes.
    game: str | None  # The `id` of the game that it is about; null if it is about no game.
    at: str  # When it happened.
    kind: Literal["tournament-table"]  # What happened. New kinds may be added.
    # The details, which depend on `kind`. Null means that there is nothing to say.
    data: TableChangeEntryDetails


class TimeoutEntryDetails(TypedDict):
    """A seat ran out of time."""

    game: str  # The `id` of the game.
    seq: int  # The number of the last action of the game at that time.
    seat: int  # The seat that ran out of time.
    # What the server did: it took vacation, played the turn, or resigned.
    outcome: Literal["vacation", "autoplay", "resigned"]
    actions: list[str]  # The actions that we played.
    deadline: str | None  # When the seat on turn runs out of time; null if no clock runs.


class TimeoutFeedEntry(TypedDict):
    """A seat ran out of time."""

    id: int  # The number of the entry, which is also the cursor of the feed. It never changes.
    game: str | None  # The `id` of the game that it is about; null if it is about no game.
    at: str  # When it happened.
    kind: Literal["timeout"]  # What happened. New kinds may be added.
    data: TimeoutEntryDetails  # The details, which depend on `kind`. Null means that there is nothing to say.


class TournamentEntryDetails(TypedDict):
    """About a tournament: you are invited, it asks for your confirmation, or it starts."""

    tournament: str  # The `id` of the tournament.
    name: str  # The name of the tournament.
    game: str | None  # The `id` of the game; null if there is none.


class TournamentFeedEntry(TypedDict):
    """About a tournament: you are invited, it asks for your confirmation, or it starts."""

    id: int  # The number of the entry, which is also the cursor of the feed. It never changes.
    game: str | None  # The `id` of the game that it is about; null if it is about no game.
    at: str  # When it happened.
    # What happened. New kinds may be added.
    kind: Literal["tournament-invited", "tournament-confirm", "tournament-start"]
    # The details, which depend on `kind`. Null means that there is nothing to say.
    data: TournamentEntryDetails


class TurnEntryDetails(TypedDict):
    """It is your turn, or you are asked to answer an 8."""

    game: str  # The `id` of the game.
    seq: int  # The number of the last action of the game at that time, 0 before any.
    deadline: str | None  # When the seat on turn runs out of time; null if no clock runs.
    round_ends_at: str | None  # In a tournament: when points decide the game; null otherwise.
    seat: int | None  # The seat that acted; null at the start.
    action: str | None  # The action that was played; null at the start.
    # The source of the action: a player, the clock or a bot; null at the start.
    by: Literal["player", "clock", "bot"] | None
    # The actions that your standing orders played in this turn; null if they played none.
    ordered_actions: list[str] | None
    # Why your standing orders ended in this turn; null if they did not.
    order_end: Literal["card-played", "eight-possible"] | None


class TurnFeedEntry(TypedDict):
    """It is your turn, or you are asked to answer an 8."""

    id: int  # The number of the entry, which is also the cursor of the feed. It never changes.
    game: str | None  # The `id` of the game that it is about; null if it is about no game.
    at: str  # When it happened.
    kind: Literal["turn"]  # What happened. New kinds may be added.
    data: TurnEntryDetails  # The details, which depend on `kind`. Null means that there is nothing to say.


class VacationEntryDetails(TypedDict):
    """Your time ran out, so we used an hour of your vacation."""

    left_seconds: int  # The vacation that you have left.


class VacationFeedEntry(TypedDict):
    """Your time ran out, so we used an hour of your vacation."""

    id: int  # The number of the entry, which is also the cursor of the feed. It never changes.
    game: str | None  # The `id` of the game that it is about; null if it is about no game.
    at: str  # When it happened.
    kind: Literal["vacation"]  # What happened. New kinds may be added.
    # The details, which depend on `kind`. Null means that there is nothing to say.
    data: VacationEntryDetails
