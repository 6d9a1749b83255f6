"""Types of the API: games requests.

Generated from the OpenAPI document by `make schema`: do not edit.
"""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict


class AddBot(TypedDict):
    """Request to add a bot."""

    policy: NotRequired[Literal["random", "greedy", "planner"]]  # how it plays
    partner: NotRequired[bool]  # in pairs: to sit opposite you


class ChosenPartner(TypedDict):
    """Request to choose your partner."""

    joined: NotRequired[int | None]  # the joining number of somebody who sits at the table, a bot perhaps
    name: NotRequired[str]  # or the name of a player who sits there or whom you have invited


class Invite(TypedDict):
    """Request to invite a player, by name or by email."""

    name: NotRequired[str]  # of a player
    email: NotRequired[str]  # or the address of somebody, who gets a link
    partner: NotRequired[bool]  # in pairs: to sit opposite you


class Join(TypedDict):
    """Request to join a game."""

    # your own part of the game's randomness, without '|'; the joining number if you give none
    client_seed: NotRequired[str]
    invitation: NotRequired[str]  # the token of a link


class NewGame(TypedDict):
    """Request to create a game."""

    mode: NotRequired[Literal["singles", "pairs", "solo"]]  # who plays against whom
    seats: NotRequired[int]  # 2 to 4 in singles; else by the mode
    edition: NotRequired[Literal["arcastudio-2.2", "bannan-nl"]]  # the rulebook by which it is played
    cards: NotRequired[bool]  # whether it is played with cards
    # strict: a placement must make an 8 or close a figure where it can
    obligation: NotRequired[Literal["strict", "lenient"]]
    target: NotRequired[int]  # the total of points that ends the game
    # the time control: one of the site's, or custom
    clock: NotRequired[Literal["12h", "2d", "3d", "7d", "live", "custom"]]
    allowance: NotRequired[int]  # seconds; for a custom clock
    bank: NotRequired[int]  # seconds; for a custom clock
    # seconds for a turn of a blind match; half the allowance if you say none
    blind_allowance: NotRequired[int | None]
    timeouts: NotRequired[Literal["autoplay", "forfeit"]]  # what happens when time is up
    weekends: NotRequired[bool]  # clocks rest at the weekend
    # clocks rest in a player's night hours, as they are when a turn begins; 12 of 24 at most
    nights: NotRequired[bool]
    vacation: NotRequired[bool | None]  # clocks rest on vacation; by default unless the game is a quick one
    order: NotRequired[Literal["as-joined", "shuffled"]]  # how seats are numbered at the start
    private: NotRequired[bool]  # only for those who are invited
    rated: NotRequired[bool]  # for people only, and not with the obligation `lenient`
    chat: NotRequired[bool]  # whether those at the table can talk


class NewMessage(TypedDict):
    """A chat message to send."""

    text: str  # without formatting


class NewNote(TypedDict):
    """Your note about a game, for you alone."""

    text: str  # instead of the one before


class NewPause(TypedDict):
    """Request to propose a pause."""

    until: str  # a time that has passed means: end the pause


class PatchedStandingOrders(TypedDict):
    """Your standing orders in a game; what you leave out stays as it is."""

    draw: NotRequired[bool]  # draw for you at the start of your turns
    only: NotRequired[bool]  # play the only legal placement, or the only way to play a kidnapped card


class PlayAction(TypedDict):
    """An action to play."""

    action: str  # an action string; reading is forgiving
    seq: NotRequired[int]  # the seq of the game as you saw it


class Reason(TypedDict):
    """The reason of a report."""

    reason: NotRequired[str]  # what is wrong with the message, for the operator


class Rematch(TypedDict):
    """Request for a rematch."""

    # your own part of the game's randomness, without '|'; only with the commitment
    client_seed: NotRequired[str]
    # the commitment of the rematch, if there is one and you have seen it: you take your seat
    commitment: NotRequired[str]
