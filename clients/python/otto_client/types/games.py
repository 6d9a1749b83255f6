"""Types of the API: games.

Generated from the OpenAPI document by `make schema`: do not edit.
"""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict


class AppealEntryDetails(TypedDict):
    """Somebody appeals to you as organiser, or your appeal was answered."""

    tournament: str  # The `id` of the tournament.
    name: str  # The name of the tournament.
    game: NotRequired[str]  # The `id` of the game, where there is one.
    match: str  # The match in the tournament.
    appeal: int  # The `id` of the appeal.
    answered: NotRequired[bool]  # True if it was answered.


class AppealFeedEntry(TypedDict):
    """Somebody appeals to you as organiser, or your appeal was answered."""

    id: int  # The number of the entry, which is also the cursor of the feed. It never changes.
    game: str | None  # The `id` of the game that it is about; null if it is about no game.
    at: str  # When it happened.
    kind: Literal["tournament-appeal"]  # What happened. New kinds may be added.
    data: AppealEntryDetails  # The details, which depend on `kind`.


class ByeEntryDetails(TypedDict):
    """You have no opponent in a round."""

    tournament: str  # The `id` of the tournament.
    name: str  # The name of the tournament.
    game: NotRequired[str]  # The `id` of the game, where there is one.
    match: str  # The match in the tournament.
    bracket_round: int  # The number of the round in the bracket.


class ByeFeedEntry(TypedDict):
    """You have no opponent in a round."""

    id: int  # The number of the entry, which is also the cursor of the feed. It never changes.
    game: str | None  # The `id` of the game that it is about; null if it is about no game.
    at: str  # When it happened.
    kind: Literal["tournament-bye"]  # What happened. New kinds may be added.
    data: ByeEntryDetails  # The details, which depend on `kind`.


class CancelledEntryDetails(TypedDict):
    """An open game that you had joined was cancelled."""

    game: str  # The `id` of the game.


class CancelledFeedEntry(TypedDict):
    """An open game that you had joined was cancelled."""

    id: int  # The number of the entry, which is also the cursor of the feed. It never changes.
    game: str | None  # The `id` of the game that it is about; null if it is about no game.
    at: str  # When it happened.
    kind: Literal["cancelled"]  # What happened. New kinds may be added.
    data: CancelledEntryDetails  # The details, which depend on `kind`.


class ChatMessage(TypedDict):
    """A chat message."""

    id: int  # The number by which addresses of the API name the message.
    name: str  # The name of the player who wrote it.
    text: str  # The message as plain text; empty if an operator has hidden it.
    at: str  # When it was sent.


class EightPolicy(TypedDict):
    """How you answer an 8, decided in advance."""

    # How you answer an 8: `use` the card, `keep` it, or `ask` you each time.
    eight_policy: Literal["ask", "use", "keep"]


class EndEntryDetails(TypedDict):
    """The tournament is over, or a correction has changed your final rank."""

    tournament: str  # The `id` of the tournament.
    name: str  # The name of the tournament.
    game: NotRequired[str]  # The `id` of the game, where there is one.
    before: NotRequired[int | None]  # Your final rank before the correction.
    after: NotRequired[int | None]  # Your final rank after the correction.


class EndFeedEntry(TypedDict):
    """The tournament is over, or a correction has changed your final rank."""

    id: int  # The number of the entry, which is also the cursor of the feed. It never changes.
    game: str | None  # The `id` of the game that it is about; null if it is about no game.
    at: str  # When it happened.
    kind: Literal["tournament-end"]  # What happened. New kinds may be added.
    data: EndEntryDetails  # The details, which depend on `kind`.


class HeldEntryDetails(TypedDict):
    """The tournament waits for you, its organiser."""

    tournament: str  # The `id` of the tournament.
    name: str  # The name of the tournament.
    game: NotRequired[str]  # The `id` of the game, where there is one.
    reason: str  # What it waits for.
    warnings: list[Note]  # Why the next round needs your approval.


class HeldFeedEntry(TypedDict):
    """The tournament waits for you, its organiser."""

    id: int  # The number of the entry, which is also the cursor of the feed. It never changes.
    game: str | None  # The `id` of the game that it is about; null if it is about no game.
    at: str  # When it happened.
    kind: Literal["tournament-held"]  # What happened. New kinds may be added.
    data: HeldEntryDetails  # The details, which depend on `kind`.


class InvitedEntryDetails(TypedDict):
    """Somebody invites you to a game."""

    game: str  # The `id` of the game.
    by: str  # The name of the player who invites you.
    partner: bool  # In pairs: whether you are asked to be the partner.


class InvitedFeedEntry(TypedDict):
    """Somebody invites you to a game."""

    id: int  # The number of the entry, which is also the cursor of the feed. It never changes.
    game: str | None  # The `id` of the game that it is about; null if it is about no game.
    at: str  # When it happened.
    kind: Literal["invited"]  # What happened. New kinds may be added.
    data: InvitedEntryDetails  # The details, which depend on `kind`.


class LeagueEntryDetails(TypedDict):
    """About a league: your partner left, you were removed, it waits for its organiser, or a season."""

    league: str  # The `id` of the league.
    name: str  # The name of the league.
    season: NotRequired[int]  # The number of the season that began or ended.
    text: NotRequired[str]  # The public note of the organiser.


class LeagueFeedEntry(TypedDict):
    """About a league: your partner left, you were removed, it waits for its organiser, or a season."""

    id: int  # The number of the entry, which is also the cursor of the feed. It never changes.
    game: str | None  # The `id` of the game that it is about; null if it is about no game.
    at: str  # When it happened.
    # What happened. New kinds may be added.
    kind: Literal["league-parted", "league-out", "league-held", "league-season", "league-season-end"]
    data: LeagueEntryDetails  # The details, which depend on `kind`.


class NamedEntryDetails(TypedDict):
    """Somebody declined your invitation (`declined`), or wrote at the table (`chat`)."""

    game: str  # The `id` of the game.
    name: str  # The name of that player.


class NamedFeedEntry(TypedDict):
    """Somebody declined your invitation (`declined`), or wrote at the table (`chat`)."""

    id: int  # The number of the entry, which is also the cursor of the feed. It never changes.
    game: str | None  # The `id` of the game that it is about; null if it is about no game.
    at: str  # When it happened.
    kind: Literal["declined", "chat"]  # What happened. New kinds may be added.
    data: NamedEntryDetails  # The details, which depend on `kind`.


class NewcomerEntryDetails(TypedDict):
    """Somebody else plays on for an entrant at your table."""

    tournament: str  # The `id` of the tournament.
    name: str  # The name of the tournament.
    game: NotRequired[str]  # The `id` of the game, where there is one.
    entrant: int  # The `id` of the entrant.
    player: int | None  # The number of the account that plays on; null if it was deleted.
    predecessor: int | None  # The number of the account that played before; null if deleted.


class NewcomerFeedEntry(TypedDict):
    """Somebody else plays on for an entrant at your table."""

    id: int  # The number of the entry, which is also the cursor of the feed. It never changes.
    game: str | None  # The `id` of the game that it is about; null if it is about no game.
    at: str  # When it happened.
    kind: Literal["tournament-newcomer"]  # What happened. New kinds may be added.
    data: NewcomerEntryDetails  # The details, which depend on `kind`.


class Note(TypedDict):
    """A reason or a warning: its code, and details that depend on the code."""

    code: str  # What the note says. Further members are its facts; entrants are named by their `id`.


class NoteEntryDetails(TypedDict):
    """The tournament was cancelled."""

    tournament: str  # The `id` of the tournament.
    name: str  # The name of the tournament.
    game: NotRequired[str]  # The `id` of the game, where there is one.
    text: str  # The public note of the organiser; may be empty.


class NoteFeedEntry(TypedDict):
    """The tournament was cancelled."""

    id: int  # The number of the entry, which is also the cursor of the feed. It never changes.
    game: str | None  # The `id` of the game that it is about; null if it is about no game.
    at: str  # When it happened.
    kind: Literal["tournament-cancelled"]  # What happened. New kinds may be added.
    data: NoteEntryDetails  # The details, which depend on `kind`.


class OrdersEntryDetails(TypedDict):
    """You changed your standing orders, or they played or ended. Only your own feed has it."""

    game: str  # The `id` of the game.
    seq: int  # The number of the last action of the game at that time.
    event: Literal["changed", "played", "ended"]  # What happened to the orders.
    draw: NotRequired[bool]  # With `changed`: whether tiles are drawn for you.
    only: NotRequired[bool]  # With `changed`: whether the only legal action is played for you.
    reason: NotRequired[Literal["card-played", "eight-possible"]]  # With `ended`: why.
    actions: NotRequired[list[str]]  # With `played`: the actions.


class OrdersFeedEntry(TypedDict):
    """You changed your standing orders, or they played or ended. Only your own feed has it."""

    id: int  # The number of the entry, which is also the cursor of the feed. It never changes.
    game: str | None  # The `id` of the game that it is about; null if it is about no game.
    at: str  # When it happened.
    kind: Literal["orders"]  # What happened. New kinds may be added.
    data: OrdersEntryDetails  # The details, which depend on `kind`.


OutEntryDetailsReason = Literal[
    "void",
    "undecided",
    "readmitted",
    "put-back",
    "replaced",
    "parted",
    "removed",
    "disqualified",
]


class OutEntryDetails(TypedDict):
    """You no longer take part."""

    tournament: str  # The `id` of the tournament.
    name: str  # The name of the tournament.
    game: NotRequired[str]  # The `id` of the game, where there is one.
    reason: OutEntryDetailsReason  # Why you are out.
    text: NotRequired[str]  # The public note of the organiser.


class OutFeedEntry(TypedDict):
    """You no longer take part."""

    id: int  # The number of the entry, which is also the cursor of the feed. It never changes.
    game: str | None  # The `id` of the game that it is about; null if it is about no game.
    at: str  # When it happened.
    kind: Literal["tournament-out"]  # What happened. New kinds may be added.
    data: OutEntryDetails  # The details, which depend on `kind`.


class PairingEntryDetails(TypedDict):
    """Your next game in the tournament has been started."""

    tournament: str  # The `id` of the tournament.
    name: str  # The name of the tournament.
    game: NotRequired[str]  # The `id` of the game, where there is one.
    match: str  # The match in the tournament, as the record of its game names it.
    bracket_round: int  # The number of the round in the bracket.
    round_id: int  # The number of the published round in the database.


class PairingFeedEntry(TypedDict):
    """Your next game in the tournament has been started."""

    id: int  # The number of the entry, which is also the cursor of the feed. It never changes.
    game: str | None  # The `id` of the game that it is about; null if it is about no game.
    at: str  # When it happened.
    kind: Literal["tournament-pairing"]  # What happened. New kinds may be added.
    data: PairingEntryDetails  # The details, which depend on `kind`.


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
    data: PauseDeclinedEntryDetails  # The details, which depend on `kind`.


class PauseEntryDetails(TypedDict):
    """Somebody proposes a pause (`pause`), or all sides have agreed to one (`paused`)."""

    game: str  # The `id` of the game.
    until: str  # When the pause ends.
    rests: bool  # Whether clocks are to rest; false if the pause is to end at once.
    by: NotRequired[str]  # With `pause`: the name of the player who proposes it.


class PauseFeedEntry(TypedDict):
    """Somebody proposes a pause (`pause`), or all sides have agreed to one (`paused`)."""

    id: int  # The number of the entry, which is also the cursor of the feed. It never changes.
    game: str | None  # The `id` of the game that it is about; null if it is about no game.
    at: str  # When it happened.
    kind: Literal["pause", "paused"]  # What happened. New kinds may be added.
    data: PauseEntryDetails  # The details, which depend on `kind`.


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
    """You have a place in the tournament: from the waitlist, or because you were readmitted."""

    tournament: str  # The `id` of the tournament.
    name: str  # The name of the tournament.
    game: NotRequired[str]  # The `id` of the game, where there is one.
    reason: NotRequired[PlaceEntryDetailsReason]  # `readmitted` if a disqualification was undone.


class PlaceFeedEntry(TypedDict):
    """You have a place in the tournament: from the waitlist, or because you were readmitted."""

    id: int  # The number of the entry, which is also the cursor of the feed. It never changes.
    game: str | None  # The `id` of the game that it is about; null if it is about no game.
    at: str  # When it happened.
    kind: Literal["tournament-place"]  # What happened. New kinds may be added.
    data: PlaceEntryDetails  # The details, which depend on `kind`.


class PositionEntryDetails(TypedDict):
    """The game started, somebody moved, a blind match decides a tie, or the game is over."""

    game: str  # The `id` of the game.
    seq: int  # The number of the last action of the game at that time, 0 before any.
    deadline: str | None  # When the seat on turn runs out of time; null if no clock runs.
    round_ends_at: NotRequired[str]  # In a tournament: when points decide the game.
    seat: NotRequired[int]  # The seat that acted; absent at the start.
    action: NotRequired[str]  # The action that was played; absent at the start.
    by: NotRequired[Literal["player", "clock", "bot"]]  # Who chose the action: a player, the clock or a bot.


class PositionFeedEntry(TypedDict):
    """The game started, somebody moved, a blind match decides a tie, or the game is over."""

    id: int  # The number of the entry, which is also the cursor of the feed. It never changes.
    game: str | None  # The `id` of the game that it is about; null if it is about no game.
    at: str  # When it happened.
    kind: Literal["started", "moved", "blind", "over"]  # What happened. New kinds may be added.
    data: PositionEntryDetails  # The details, which depend on `kind`.


class ProposalEntryDetails(TypedDict):
    """Somebody asks you to be partner, replacement or co-organiser, or has answered you."""

    tournament: NotRequired[str]  # The `id` of the tournament; absent for a league.
    league: NotRequired[str]  # The `id` of the league; absent for a tournament.
    name: str  # The name of the tournament or league.
    proposal: int  # The `id` of the proposal.
    answer: NotRequired[str]  # If it was answered: the new status of the proposal.


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
    """Somebody asks you to be partner, replacement or co-organiser, or has answered you."""

    id: int  # The number of the entry, which is also the cursor of the feed. It never changes.
    game: str | None  # The `id` of the game that it is about; null if it is about no game.
    at: str  # When it happened.
    kind: ProposalFeedEntryKind  # What happened. New kinds may be added.
    data: ProposalEntryDetails  # The details, which depend on `kind`.


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
    game: NotRequired[str]  # The `id` of the game, where there is one.
    entrant: int  # The `id` of the entrant that you play for.
    games: list[str]  # The `id` of each game in which you have a seat now.
    reason: NotRequired[ReplacedEntryDetailsReason]  # `put-back` if a replacement was undone.


class ReplacedFeedEntry(TypedDict):
    """You play on for somebody else."""

    id: int  # The number of the entry, which is also the cursor of the feed. It never changes.
    game: str | None  # The `id` of the game that it is about; null if it is about no game.
    at: str  # When it happened.
    kind: Literal["tournament-replaced"]  # What happened. New kinds may be added.
    data: ReplacedEntryDetails  # The details, which depend on `kind`.


class ResultEntryDetails(TypedDict):
    """The result of your table was recorded, corrected or taken back. Lists are in seat order."""

    tournament: str  # The `id` of the tournament.
    name: str  # The name of the tournament.
    game: NotRequired[str]  # The `id` of the game, where there is one.
    match: str  # The match in the tournament.
    ranks: NotRequired[list[int]]  # The rank of each side; 1 won. Absent if there is no result.
    points: NotRequired[list[int | None] | None]  # The points of each side; null if unknown.
    eights: NotRequired[list[int]]  # How many times each side made an 8.
    forfeits: NotRequired[list[int]]  # The entrants that resigned or ran out of time.
    timeouts: NotRequired[list[int]]  # The entrants that ran out of time.
    # What decided: the game, points, an organiser or a bye.
    by: NotRequired[Literal["game", "adjudication", "organiser", "bye"]]
    text: NotRequired[str]  # The public note of the organiser.
    taken_back: NotRequired[bool]  # True if a correction was undone.


class ResultFeedEntry(TypedDict):
    """The result of your table was recorded, corrected or taken back. Lists are in seat order."""

    id: int  # The number of the entry, which is also the cursor of the feed. It never changes.
    game: str | None  # The `id` of the game that it is about; null if it is about no game.
    at: str  # When it happened.
    kind: Literal["tournament-result"]  # What happened. New kinds may be added.
    data: ResultEntryDetails  # The details, which depend on `kind`.
