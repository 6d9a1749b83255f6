"""Types of the API: games requests.

Generated from the OpenAPI document by `make schema`: do not edit.
"""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict


class AddBot(TypedDict):
    """Request to add a bot."""

    # How the bot plays, from `random` up to `planner`, the strongest.
    policy: NotRequired[Literal["random", "greedy", "planner"]]
    partner: NotRequired[bool]  # In pairs: true to seat them opposite you.


class Challenge(TypedDict):
    """Request to challenge a bot."""

    cards: NotRequired[bool]  # Whether to play with secret cards. Not every bot does.
    clock: NotRequired[Literal["12h", "2d", "3d", "7d", "fast", "live"]]  # The time control.
    rated: NotRequired[bool]  # Whether the game counts for the ratings of bots. Only a bot can ask for this.


class ChosenPartner(TypedDict):
    """Request to choose your partner."""

    # The joining number of your partner, who has a seat already and may be a bot.
    joined: NotRequired[int | None]
    name: NotRequired[str]  # Or the name of a player who has a seat, or whom you have invited.


class Invite(TypedDict):
    """Request to invite a player, by name or by email."""

    name: NotRequired[str]  # The name of a player.
    email: NotRequired[str]  # Or an email address, which gets a link.
    partner: NotRequired[bool]  # In pairs: true to seat them opposite you.


class Join(TypedDict):
    """Request to join a game."""

    # Your part of the game's randomness: 1 to 64 characters without `|`. If it is empty, we use your joining
    # number.
    client_seed: NotRequired[str]
    invitation: NotRequired[str]  # The token of an invitation link, if you have one.
    # Whether you agree to play with bots. Required if `bots_allowed`, unless the game is yours.
    accept_bots: NotRequired[bool]


class NewGame(TypedDict):
    """Request to create a game."""

    # How it is played: `singles`, `pairs` (four players) or `solo` (one).
    mode: NotRequired[Literal["singles", "pairs", "solo"]]
    # How many players it takes: 2 to 4 in singles. In pairs there are always 4, in solo 1.
    seats: NotRequired[int]
    edition: NotRequired[Literal["arcastudio-2.2", "bannan-nl", "pergioco-72"]]  # The edition of the rules.
    cards: NotRequired[bool]  # Whether secret cards are played. The default depends on the edition.
    cards_from: NotRequired[int]  # The first match with cards: 1, or 2 to learn the tiles first.
    # `strict`: a placement must make an 8 or close a figure where it can. `lenient`: it need not.
    obligation: NotRequired[Literal["strict", "lenient"]]
    target: NotRequired[int]  # The points that a side needs to end the game.
    # How the oldest player is found: by the age of the account, or by lot. The default depends on the
    # edition.
    seniority: NotRequired[Literal["account", "lot"]]
    # Whether pages and mails show where a figure can be closed. The API always lists the legal actions.
    hints: NotRequired[bool]
    # The time control: the name of a preset, or `custom` with `allowance_seconds` and `bank_seconds`.
    clock: NotRequired[Literal["12h", "2d", "3d", "7d", "fast", "live", "custom"]]
    allowance_seconds: NotRequired[int]  # The time for each turn, in seconds. Only with the clock `custom`.
    # The reserve for the whole game, in seconds. Only with the clock `custom`.
    bank_seconds: NotRequired[int]
    # The time for a turn of a blind match, in seconds. Null means half the usual time.
    blind_allowance_seconds: NotRequired[int | None]
    # What happens when time is up. `autoplay`: the server plays the turn. `forfeit`: the side resigns.
    timeouts: NotRequired[Literal["autoplay", "forfeit"]]
    weekends: NotRequired[bool]  # Whether clocks stop at the weekend.
    # Whether clocks stop in each player's night hours, at most 12 of 24. Changed hours count from the next
    # turn.
    nights: NotRequired[bool]
    # Whether clocks stop while a player is on vacation. The default is true, except for quick games.
    vacation: NotRequired[bool | None]
    # How seats are numbered at the start: in the order of joining, or by lot.
    order: NotRequired[Literal["as-joined", "shuffled"]]
    private: NotRequired[bool]  # Whether only invited players can see and join it.
    # Whether it counts for ratings. Only games of people, with the obligation `strict`, can be rated.
    rated: NotRequired[bool]
    chat: NotRequired[bool]  # Whether the players can chat.
    # Whether bot accounts may take a seat; in a game that a bot creates it is always true. A rated game is
    # either for people or, created by a bot, for bots only.
    bots_allowed: NotRequired[bool]


class NewMessage(TypedDict):
    """A chat message to send."""

    text: str  # The message as plain text.


class NewNote(TypedDict):
    """Your note about a game, for you alone."""

    text: str  # The new text, which replaces the one before. An empty text removes the note.


class NewPause(TypedDict):
    """Request to propose a pause."""

    until: str  # When the pause ends. A time in the past proposes to end the current pause.


class PatchedStandingOrders(TypedDict):
    """Your standing orders in a game. Omitted fields keep their value."""

    draw: NotRequired[bool]  # Draw a tile for you at the start of your turns.
    only: NotRequired[bool]  # Play the only legal placement, or the only way to play a kidnapped card.


class PlayAction(TypedDict):
    """An action to play."""

    action: str  # The action, as `B-b3-90`. Small differences in spelling are understood.
    seq: NotRequired[int]  # The `seq` of the game as you saw it. Only `resign` needs none.


class Reason(TypedDict):
    """The reason of a report."""

    reason: NotRequired[str]  # The problem with the message, for the operator.


class Rematch(TypedDict):
    """Request for a rematch."""

    # Your part of the game's randomness: 1 to 64 characters without `|`. Only together with `commitment`.
    client_seed: NotRequired[str]
    # The commitment of an existing rematch that you have seen. With it you take your seat.
    commitment: NotRequired[str]
