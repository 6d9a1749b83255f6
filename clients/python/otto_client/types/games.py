"""Types of the API: games.

Generated from the OpenAPI document by `make schema`: do not edit.
"""

from __future__ import annotations

from typing import Literal, TypedDict


class AppealEntryDetails(TypedDict):
    """A player appeals to you as organiser, or your appeal was answered."""

    tournament: str  # The `id` of the tournament.
    name: str  # The name of the tournament.
    game: str | None  # The `id` of the game; null if there is none.
    match: str  # The match in the tournament.
    appeal: int  # The `id` of the appeal.
    answered: bool | None  # True if it was answered, otherwise null.


class AppealFeedEntry(TypedDict):
    """A player appeals to you as organiser, or your appeal was answered."""

    id: int  # The number of the entry, which is also the cursor of the feed. It never changes.
    game: str | None  # The `id` of the game that it is about; null if it is about no game.
    at: str  # When it happened.
    kind: Literal["tournament-appeal"]  # What happened. New kinds may be added.
    data: AppealEntryDetails  # The details, which depend on `kind`. Null means that there is nothing to say.


class Bot(TypedDict):
    """A bot: an account that a program plays for."""

    name: str  # The name of the bot.
    owner: str | None  # The player who runs it; null if their account was deleted.
    about: str  # How the bot plays, in its owner's words.
    takes_challenges: bool  # Whether it is in the list of bots and takes challenges.
    plays_cards: bool  # Whether it plays with secret cards.
    max_games: int  # The most unfinished games and invitations with which it still takes challenges.
    rating: int | None  # The rating among bots, in games of single players; null for none yet.
    is_online: bool  # Whether its program sent a request in the last minutes.
    last_seen_at: str | None  # When its program last sent a request, to within some minutes.
    declared_at: str  # When the account became a bot.


class ByeEntryDetails(TypedDict):
    """You have no opponent in a round."""

    tournament: str  # The `id` of the tournament.
    name: str  # The name of the tournament.
    game: str | None  # The `id` of the game; null if there is none.
    match: str  # The match in the tournament.
    bracket_round: int  # The number of the round in the bracket.


class ByeFeedEntry(TypedDict):
    """You have no opponent in a round."""

    id: int  # The number of the entry, which is also the cursor of the feed. It never changes.
    game: str | None  # The `id` of the game that it is about; null if it is about no game.
    at: str  # When it happened.
    kind: Literal["tournament-bye"]  # What happened. New kinds may be added.
    data: ByeEntryDetails  # The details, which depend on `kind`. Null means that there is nothing to say.


class CancelledEntryDetails(TypedDict):
    """An open game that you had joined was cancelled."""

    game: str  # The `id` of the game.


class CancelledFeedEntry(TypedDict):
    """An open game that you had joined was cancelled."""

    id: int  # The number of the entry, which is also the cursor of the feed. It never changes.
    game: str | None  # The `id` of the game that it is about; null if it is about no game.
    at: str  # When it happened.
    kind: Literal["cancelled"]  # What happened. New kinds may be added.
    # The details, which depend on `kind`. Null means that there is nothing to say.
    data: CancelledEntryDetails


class Card(TypedDict):
    """A kind of secret card."""

    id: str  # Its code, with which the actions that play it begin; the card `OO` is played as `8`.
    count: int  # How many there are.


class ChatMessage(TypedDict):
    """A chat message."""

    id: int  # Its number in addresses of the API.
    name: str  # The name of the player who wrote it.
    is_bot: bool  # Whether a bot wrote it.
    text: str  # The message as plain text; empty if an operator has hidden it.
    at: str  # When it was sent.


class Edition(TypedDict):
    """An edition of the game."""

    id: str  # Names the edition in URLs and in games.
    title: str  # The title for people.
    is_default: bool  # Whether it is the default of new games.
    languages: list[str]  # Readers of these languages get its rules first.
    rules_versions: list[int]  # The rules versions that the site supports for it.
    modes: dict[str, list[int]]  # The number of players, by mode.
    obligations: list[Literal["strict", "lenient"]]  # The choices of `obligation`.
    board: EditionBoard  # Cells and frame.
    tiles: list[Tile]  # The tiles, in the order that the shuffle starts from.
    deck: list[Card]  # The cards, in the order that the shuffle starts from.
    markers: dict[str, int]  # How many markers of each value a side has in a match.
    figures: list[FigureValue]  # The figures that can be closed, by value.
    rules: RuleVariants  # The rules in which editions differ.


class EditionBoard(TypedDict):
    """The board at the start of a match."""

    # The cells, column by column from the left, each column from below: the order in place names.
    cells: list[str]
    centre_cell: str  # The cell that has a tile from the start, which never moves.
    centre_tile: str  # The letter of that tile, at rotation 0; it is not one of those in the tower.
    frame: list[FrameMark]  # The vertices of the border that have a shape.


class EightPolicy(TypedDict):
    """Your answer to an 8, decided in advance."""

    # How you answer an 8: `use` the card, `keep` it, or `ask` you each time.
    eight_policy: Literal["ask", "use", "keep"]


class EndEntryDetails(TypedDict):
    """The tournament is over, or a correction has changed your final rank."""

    tournament: str  # The `id` of the tournament.
    name: str  # The name of the tournament.
    game: str | None  # The `id` of the game; null if there is none.
    before: int | None  # Your final rank before the correction; null if none.
    after: int | None  # Your final rank after the correction; null if none.


class EndFeedEntry(TypedDict):
    """The tournament is over, or a correction has changed your final rank."""

    id: int  # The number of the entry, which is also the cursor of the feed. It never changes.
    game: str | None  # The `id` of the game that it is about; null if it is about no game.
    at: str  # When it happened.
    kind: Literal["tournament-end"]  # What happened. New kinds may be added.
    data: EndEntryDetails  # The details, which depend on `kind`. Null means that there is nothing to say.


class FigureValue(TypedDict):
    """A kind of figure."""

    kind: Literal["small circle", "circle", "square", "infinity"]  # As in the figures of a board.
    value: int  # Points.


class FrameMark(TypedDict):
    """The mark of the frame at a vertex of the border."""

    place: str  # As in the figures of a board: frame and its cells.
    cells: list[str]  # The cells that meet there; one at a corner of the board, else two.
    # The figure that these cells close with the frame if all have a quarter of it.
    shape: Literal["circle", "square"]


class HeldEntryDetails(TypedDict):
    """The tournament waits for you, its organiser."""

    tournament: str  # The `id` of the tournament.
    name: str  # The name of the tournament.
    game: str | None  # The `id` of the game; null if there is none.
    reason: str  # What it waits for.
    warnings: list[Note]  # Why the next round needs your approval.


class HeldFeedEntry(TypedDict):
    """The tournament waits for you, its organiser."""

    id: int  # The number of the entry, which is also the cursor of the feed. It never changes.
    game: str | None  # The `id` of the game that it is about; null if it is about no game.
    at: str  # When it happened.
    kind: Literal["tournament-held"]  # What happened. New kinds may be added.
    data: HeldEntryDetails  # The details, which depend on `kind`. Null means that there is nothing to say.


class InvitedEntryDetails(TypedDict):
    """Somebody invites you to a game."""

    game: str  # The `id` of the game.
    by: str  # The name of the player who invites you.
    partner: bool  # In pairs: whether you are invited as partner.


class InvitedFeedEntry(TypedDict):
    """Somebody invites you to a game."""

    id: int  # The number of the entry, which is also the cursor of the feed. It never changes.
    game: str | None  # The `id` of the game that it is about; null if it is about no game.
    at: str  # When it happened.
    kind: Literal["invited"]  # What happened. New kinds may be added.
    data: InvitedEntryDetails  # The details, which depend on `kind`. Null means that there is nothing to say.


class LeagueEntryDetails(TypedDict):
    """About a league: your partner left, you were removed, it waits for its organiser, or a season."""

    league: str  # The `id` of the league.
    name: str  # The name of the league.
    season: int | None  # The number of the season that began or ended, otherwise null.
    text: str | None  # The public note of the organiser; null if there is none.


class LeagueFeedEntry(TypedDict):
    """About a league: your partner left, you were removed, it waits for its organiser, or a season."""

    id: int  # The number of the entry, which is also the cursor of the feed. It never changes.
    game: str | None  # The `id` of the game that it is about; null if it is about no game.
    at: str  # When it happened.
    # What happened. New kinds may be added.
    kind: Literal["league-parted", "league-out", "league-held", "league-season", "league-season-end"]
    data: LeagueEntryDetails  # The details, which depend on `kind`. Null means that there is nothing to say.


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
    data: NamedEntryDetails  # The details, which depend on `kind`. Null means that there is nothing to say.


class NewcomerEntryDetails(TypedDict):
    """Somebody else plays on for an entrant at your table."""

    tournament: str  # The `id` of the tournament.
    name: str  # The name of the tournament.
    game: str | None  # The `id` of the game; null if there is none.
    entrant: int  # The `id` of the entrant.
    player: int | None  # The number of the account that plays on; null if it was deleted.
    predecessor: int | None  # The number of the account that played before; null if deleted.


class NewcomerFeedEntry(TypedDict):
    """Somebody else plays on for an entrant at your table."""

    id: int  # The number of the entry, which is also the cursor of the feed. It never changes.
    game: str | None  # The `id` of the game that it is about; null if it is about no game.
    at: str  # When it happened.
    kind: Literal["tournament-newcomer"]  # What happened. New kinds may be added.
    # The details, which depend on `kind`. Null means that there is nothing to say.
    data: NewcomerEntryDetails


class Note(TypedDict):
    """A reason or a warning: its code, and details that depend on the code."""

    code: str  # What the note says. Further members are its details; entrants are named by their `id`.


class NoteEntryDetails(TypedDict):
    """The tournament was cancelled."""

    tournament: str  # The `id` of the tournament.
    name: str  # The name of the tournament.
    game: str | None  # The `id` of the game; null if there is none.
    text: str  # The public note of the organiser; may be empty.


class NoteFeedEntry(TypedDict):
    """The tournament was cancelled."""

    id: int  # The number of the entry, which is also the cursor of the feed. It never changes.
    game: str | None  # The `id` of the game that it is about; null if it is about no game.
    at: str  # When it happened.
    kind: Literal["tournament-cancelled"]  # What happened. New kinds may be added.
    data: NoteEntryDetails  # The details, which depend on `kind`. Null means that there is nothing to say.


class OrdersEntryDetails(TypedDict):
    """You changed your standing orders, or they played or ended. Only your own feed has it."""

    game: str  # The `id` of the game.
    seq: int  # The number of the last action of the game at that time.
    event: Literal["changed", "played", "ended"]  # What happened to the orders.
    draw: bool | None  # With `changed`: whether tiles are drawn for you; otherwise null.
    only: bool | None  # With `changed`: whether the only legal action is played for you; otherwise null.
    reason: Literal["card-played", "eight-possible"] | None  # With `ended`: why; otherwise null.
    actions: list[str] | None  # With `played`: the actions; otherwise null.


class OrdersFeedEntry(TypedDict):
    """You changed your standing orders, or they played or ended. Only your own feed has it."""

    id: int  # The number of the entry, which is also the cursor of the feed. It never changes.
    game: str | None  # The `id` of the game that it is about; null if it is about no game.
    at: str  # When it happened.
    kind: Literal["orders"]  # What happened. New kinds may be added.
    data: OrdersEntryDetails  # The details, which depend on `kind`. Null means that there is nothing to say.


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
    game: str | None  # The `id` of the game; null if there is none.
    reason: OutEntryDetailsReason  # Why you are out.
    text: str | None  # The public note of the organiser; null if there is none.


class OutFeedEntry(TypedDict):
    """You no longer take part."""

    id: int  # The number of the entry, which is also the cursor of the feed. It never changes.
    game: str | None  # The `id` of the game that it is about; null if it is about no game.
    at: str  # When it happened.
    kind: Literal["tournament-out"]  # What happened. New kinds may be added.
    data: OutEntryDetails  # The details, which depend on `kind`. Null means that there is nothing to say.


OverEntryDetailsReason = Literal[
    "target",
    "blind match",
    "blind eight",
    "shoot-out",
    "level",
    "resigned",
    "solo won",
    "solo lost",
]


class OverEntryDetails(TypedDict):
    """The game is over."""

    game: str  # The `id` of the game.
    seq: int  # The number of the last action of the game at that time, 0 before any.
    deadline: str | None  # When the seat on turn runs out of time; null if no clock runs.
    round_ends_at: str | None  # In a tournament: when points decide the game; null otherwise.
    seat: int | None  # The seat that acted; null at the start.
    action: str | None  # The action that was played; null at the start.
    # The source of the action: a player, the clock or a bot; null at the start.
    by: Literal["player", "clock", "bot"] | None
    winner: int | None  # The side that won; null for a draw and for a lost solo game.
    totals: dict[str, int]  # The points of each side, by side.
    reason: OverEntryDetailsReason  # What decided the game, or why only one side was left.
    finished_at: str  # When the game ended.


class OverFeedEntry(TypedDict):
    """The game is over."""

    id: int  # The number of the entry, which is also the cursor of the feed. It never changes.
    game: str | None  # The `id` of the game that it is about; null if it is about no game.
    at: str  # When it happened.
    kind: Literal["over"]  # What happened. New kinds may be added.
    data: OverEntryDetails  # The details, which depend on `kind`. Null means that there is nothing to say.


class RuleVariants(TypedDict):
    """The rulings of this edition where the rulebooks differ."""

    # When unmarked figures get a marker. `turn`: as a seat's turn starts. `at-once`: also at once, clockwise.
    # `next-side`: only as the turn of the next seat of another side starts.
    unmarked: Literal["turn", "at-once", "next-side"]
    # Ends of a match after which a side without a marker scores its table tile: full, tower.
    silly: list[Literal["infinity", "full", "tower", "won"]]
    # The starter of a later match between sides level in front: tile, the highest table tile; oldest.
    level: Literal["tile", "oldest"]
    # The default of the option `seniority`: which player is the oldest.
    default_seniority: Literal["account", "lot"]
    default_cards: bool  # Whether a new game that does not say is played with cards.


class Tile(TypedDict):
    """A kind of tile, as it looks at rotation 0."""

    id: str  # Its letter.
    count: int  # How many there are.
    value: int  # Points, where tiles are compared: 4 a square, 2 a circle, 1 a half, 8 a crossing.
    corners: TileCorners  # Quarters of figures that four corners close, the frame's included.
    sides: TileSides  # Halves of figures that two tiles close.
    # The sides whose small circles it joins to an 8; turned by 90 or 270 degrees the other two.
    crossing: Literal["WE", "NS"] | None
    special: Literal["zero", "dark"] | None  # Zero: has no lines and must be placed; dark: is never placed.
    # The rotations that look different, in degrees clockwise. No other rotation is legal.
    rotations: list[int]
    in_solo: bool  # Whether solo games are played with it.


class TileCorners(TypedDict):
    """The corners of a tile: of which figure each has a quarter."""

    nw: Literal["circle", "square"] | None  # Top left.
    ne: Literal["circle", "square"] | None  # Top right.
    se: Literal["circle", "square"] | None  # Bottom right.
    sw: Literal["circle", "square"] | None  # Bottom left.


class TileSides(TypedDict):
    """The sides of a tile: of which figure each has a half."""

    n: Literal["small circle"] | None  # Top.
    e: Literal["small circle"] | None  # Right.
    s: Literal["small circle"] | None  # Bottom.
    w: Literal["small circle"] | None  # Left.
