"""Types of the API: tournaments requests.

Generated from the OpenAPI document by `make schema`: do not edit.
"""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict


class AcceptProposal(TypedDict):
    """The client seed to accept a proposal with."""

    # your own part of the shuffles, without '|'; empty: the number of your entry as text
    client_seed: NotRequired[str]


class AppealText(TypedDict):
    """The text of an appeal or of its answer."""

    text: str  # what you have to say


class ClientSeed(TypedDict):
    """A new client seed."""

    client_seed: str  # your own part of the shuffles, without '|'; empty: the number of your entry as text


class CorrectResult(TypedDict):
    """A corrected result."""

    reason: NotRequired[str]  # the reason: only those who organise it, and the staff of the site, can read it
    # everybody can read it until the decision is undone; mails about the decision quote it
    public_note: NotRequired[str]
    # needed if the tournament is over and its final places change, or it is reopened: without it such a
    # request is refused with `rank-changes`, and `places` says which
    confirmed: NotRequired[bool]
    pairing: int  # the id of the pairing
    ranks: list[int]  # by seat, 1 the best; level ones share
    points: NotRequired[list[int] | None]  # of the game, by seat; as they were if you say none
    eights: NotRequired[list[int] | None]  # by seat; as they were if you say none
    forfeits: NotRequired[list[int]]  # ids of entrants who did not play to the end


class DecisionReason(TypedDict):
    """The reason and the public note of a decision."""

    reason: NotRequired[str]  # the reason: only those who organise it, and the staff of the site, can read it
    # everybody can read it until the decision is undone; mails about the decision quote it
    public_note: NotRequired[str]


class DisqualifyEntrant(TypedDict):
    """The entrant to disqualify."""

    reason: NotRequired[str]  # the reason: only those who organise it, and the staff of the site, can read it
    # everybody can read it until the decision is undone; mails about the decision quote it
    public_note: NotRequired[str]
    entrant: int  # the id of the entrant


class ExtendRound(TypedDict):
    """A new end of a round."""

    reason: NotRequired[str]  # the reason: only those who organise it, and the staff of the site, can read it
    # everybody can read it until the decision is undone; mails about the decision quote it
    public_note: NotRequired[str]
    round: int  # as `rounds` numbers them
    until: str  # when it is to end


class NewTournament(TypedDict):
    """The settings of a tournament."""

    mode: NotRequired[Literal["singles", "pairs"]]  # whether players enter alone or in pairs
    table_size: NotRequired[int]  # entrants at a table; in pairs 2
    edition: NotRequired[Literal["arcastudio-2.2", "bannan-nl"]]  # the rulebook by which it is played
    cards: NotRequired[bool]  # whether it is played with cards
    obligation: NotRequired[Literal["strict"]]  # strict: whoever can close a figure must
    target: NotRequired[int]  # the total of points that ends the game
    # the time control: one of the site's, or custom
    clock: NotRequired[Literal["12h", "2d", "3d", "7d", "live", "custom"]]
    allowance: NotRequired[int]  # seconds for a turn; for a custom clock
    bank: NotRequired[int]  # seconds in reserve; for a custom clock
    # seconds for a turn of a blind match; half the allowance if you say none
    blind_allowance: NotRequired[int | None]
    rematch_allowance: NotRequired[int]  # seconds for a turn of a rematch; a quarter if you say none
    rematch_bank: NotRequired[int]  # seconds in reserve for a rematch; a quarter if you say none
    timeouts: NotRequired[Literal["autoplay", "forfeit"]]  # what happens when time is up
    weekends: NotRequired[bool]  # clocks rest at the weekend
    # clocks rest in a player's night hours, as they are when a turn begins; 12 of 24 at most
    nights: NotRequired[bool]
    vacation: NotRequired[bool]  # clocks rest on vacation; by default unless games are quick ones
    chat: NotRequired[bool]  # whether those at a table can talk
    rated: NotRequired[bool]  # Rated
    private: NotRequired[bool]  # games are for those who play them
    # seconds until what is still played in a round is decided by its points; null: never
    round_length: NotRequired[int | None]
    name: str  # Name
    text: NotRequired[str]  # what players should know
    format: Literal["knockout", "double", "round-robin", "swiss"]  # how entrants are paired
    # of Swiss, and of a round robin at tables of 3 and 4; null: as many as it takes
    round_count: NotRequired[int | None]
    cycles: NotRequired[int]  # round robin: how often two meet
    all_rounds_at_once: NotRequired[bool]  # round robin: all rounds begin together
    advancing_count: NotRequired[int]  # knock-out: how many go on from a table of 3 or 4
    third_place: NotRequired[bool]  # knock-out at tables of 2
    opens_at: NotRequired[str | None]  # from when one may enter; null: at once
    closes_at: NotRequired[str | None]  # until when; null: until the start
    starts_at: NotRequired[str | None]  # null: when it is full, or by you
    when_full: NotRequired[bool]  # starts as soon as all places are taken
    capacity: NotRequired[int | None]  # Places
    confirmation: NotRequired[bool]  # only who has confirmed plays
    by_invitation: NotRequired[bool]  # By invitation only
    late_entry: NotRequired[bool]  # Swiss: people may come in later
    min_rating: NotRequired[int | None]  # Lowest rating
    max_rating: NotRequired[int | None]  # Highest rating
    seeding: NotRequired[Literal["lot", "rating"]]  # Seeds
    hold_on_warnings: NotRequired[bool]  # warnings about a round wait for the organiser
    manual_approval: NotRequired[bool]  # every round waits until the organiser has seen it


class PatchedNewTournament(TypedDict):
    """The settings of a tournament."""

    mode: NotRequired[Literal["singles", "pairs"]]  # whether players enter alone or in pairs
    table_size: NotRequired[int]  # entrants at a table; in pairs 2
    edition: NotRequired[Literal["arcastudio-2.2", "bannan-nl"]]  # the rulebook by which it is played
    cards: NotRequired[bool]  # whether it is played with cards
    obligation: NotRequired[Literal["strict"]]  # strict: whoever can close a figure must
    target: NotRequired[int]  # the total of points that ends the game
    # the time control: one of the site's, or custom
    clock: NotRequired[Literal["12h", "2d", "3d", "7d", "live", "custom"]]
    allowance: NotRequired[int]  # seconds for a turn; for a custom clock
    bank: NotRequired[int]  # seconds in reserve; for a custom clock
    # seconds for a turn of a blind match; half the allowance if you say none
    blind_allowance: NotRequired[int | None]
    rematch_allowance: NotRequired[int]  # seconds for a turn of a rematch; a quarter if you say none
    rematch_bank: NotRequired[int]  # seconds in reserve for a rematch; a quarter if you say none
    timeouts: NotRequired[Literal["autoplay", "forfeit"]]  # what happens when time is up
    weekends: NotRequired[bool]  # clocks rest at the weekend
    # clocks rest in a player's night hours, as they are when a turn begins; 12 of 24 at most
    nights: NotRequired[bool]
    vacation: NotRequired[bool]  # clocks rest on vacation; by default unless games are quick ones
    chat: NotRequired[bool]  # whether those at a table can talk
    rated: NotRequired[bool]  # Rated
    private: NotRequired[bool]  # games are for those who play them
    # seconds until what is still played in a round is decided by its points; null: never
    round_length: NotRequired[int | None]
    name: NotRequired[str]  # Name
    text: NotRequired[str]  # what players should know
    format: NotRequired[Literal["knockout", "double", "round-robin", "swiss"]]  # how entrants are paired
    # of Swiss, and of a round robin at tables of 3 and 4; null: as many as it takes
    round_count: NotRequired[int | None]
    cycles: NotRequired[int]  # round robin: how often two meet
    all_rounds_at_once: NotRequired[bool]  # round robin: all rounds begin together
    advancing_count: NotRequired[int]  # knock-out: how many go on from a table of 3 or 4
    third_place: NotRequired[bool]  # knock-out at tables of 2
    opens_at: NotRequired[str | None]  # from when one may enter; null: at once
    closes_at: NotRequired[str | None]  # until when; null: until the start
    starts_at: NotRequired[str | None]  # null: when it is full, or by you
    when_full: NotRequired[bool]  # starts as soon as all places are taken
    capacity: NotRequired[int | None]  # Places
    confirmation: NotRequired[bool]  # only who has confirmed plays
    by_invitation: NotRequired[bool]  # By invitation only
    late_entry: NotRequired[bool]  # Swiss: people may come in later
    min_rating: NotRequired[int | None]  # Lowest rating
    max_rating: NotRequired[int | None]  # Highest rating
    seeding: NotRequired[Literal["lot", "rating"]]  # Seeds
    hold_on_warnings: NotRequired[bool]  # warnings about a round wait for the organiser
    manual_approval: NotRequired[bool]  # every round waits until the organiser has seen it


class PlayerName(TypedDict):
    """The name of a player."""

    name: str  # of a player


class RemoveEntrant(TypedDict):
    """The entrant to remove."""

    reason: NotRequired[str]  # the reason: only those who organise it, and the staff of the site, can read it
    # everybody can read it until the decision is undone; mails about the decision quote it
    public_note: NotRequired[str]
    entrant: int  # the id of the entrant


class ReplacePlayer(TypedDict):
    """A replacement for a player of an entrant."""

    reason: NotRequired[str]  # the reason: only those who organise it, and the staff of the site, can read it
    # everybody can read it until the decision is undone; mails about the decision quote it
    public_note: NotRequired[str]
    entrant: int  # the id of the entrant
    # the name of whoever plays on; null: who has waited longest on the waiting list
    player: NotRequired[str | None]
    number: NotRequired[int]  # 2: for the second of a pair


class SeedOrder(TypedDict):
    """The seed order."""

    order: list[int]  # ids of entrants, the strongest first; the others are drawn in behind them


class SitOutRound(TypedDict):
    """The round to sit out."""

    round: int  # the number of the round


class TournamentEntry(TypedDict):
    """An entry into a tournament."""

    # your own part of the shuffles, without '|'; empty: the number of your entry as text
    client_seed: NotRequired[str]
    partner: NotRequired[str | None]  # in pairs: whom you play with


class UndoDecision(TypedDict):
    """Undoes a decision."""

    reason: NotRequired[str]  # the reason: only those who organise it, and the staff of the site, can read it
    # everybody can read it until the decision is undone; mails about the decision quote it
    public_note: NotRequired[str]
    # needed if the tournament is over and its final places change, or it is reopened: without it such a
    # request is refused with `rank-changes`, and `places` says which
    confirmed: NotRequired[bool]
