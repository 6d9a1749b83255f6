"""Types of the API: tournaments 2.

Generated from the OpenAPI document by `make schema`: do not edit.
"""

from __future__ import annotations

from typing import Literal, TypedDict

from .tournaments import LeagueReference, Note, Round, TournamentViewer


class Tournament(TypedDict):
    """A tournament."""

    id: str  # its code in addresses
    name: str  # as the organiser calls it
    format: Literal["knockout", "double", "round-robin", "swiss"]  # how entrants are paired
    status: Literal["draft", "published", "running", "finished", "cancelled"]  # how far it is
    mode: Literal["singles", "pairs"]  # whether entrants are single players or pairs
    table_size: int  # entrants at a table, at most
    clock: str  # the time control of its games
    rated: bool  # whether its games change ratings
    organiser: str | None  # the name of whoever made it; null: the account was deleted
    entered: int  # entrants who have a place
    capacity: int | None  # how many have a place; null: any number
    created_at: str  # when the draft was made
    opens_at: str | None  # from when on players can enter; null: at once
    closes_at: str | None  # until when players can enter; null: until the start
    starts_at: str | None  # when it is to start; null: when an organiser starts it
    started_at: str | None  # when it started; null before
    finished_at: str | None  # when it ended; null before
    waiting: int  # entrants on the waiting list
    co_organisers: list[str]  # the names of those who organise it, too
    # why it waits, for those who organise it; else empty. `review`, `too-few`, `too-many-games`, `stale-at-
    # end`, the code of its first warning, or `undecided-table`: a table came back whose game ended while it
    # did not count, and it goes on when its result is written
    hold_reason: str
    waits_for_organiser: bool  # whether it waits for them
    warnings: list[Note]  # for those who organise it: what the next round has
    round: Round | None  # the newest one
    champions: list[str]  # the names of the winners; empty until it is over
    commitment: str  # the same as `event_commitment`
    event_commitment: str  # the SHA-256 of `event_seed`, public before anyone can enter
    event_seed: str | None  # in hexadecimal; null until it is over
    league: LeagueReference | None  # where it belongs to; null: to no league
    you: TournamentViewer  # your entry, and what you may do
    text: str  # what players should know
    round_count: int | None  # of Swiss, and of a round robin at tables of 3 and 4; null: as many as it takes
    cycles: int  # round robin: how often two meet
    all_rounds_at_once: bool  # round robin: all rounds begin together
    advancing_count: int  # knock-out: how many go on from a table of 3 or 4
    third_place: bool  # knock-out at tables of 2
    when_full: bool  # starts as soon as all places are taken
    confirmation: bool  # only who has confirmed plays
    by_invitation: bool  # By invitation only
    late_entry: bool  # Swiss: people may come in later
    min_rating: int | None  # Lowest rating
    max_rating: int | None  # Highest rating
    seeding: Literal["lot", "rating"]  # Seeds
    hold_on_warnings: bool  # warnings about a round wait for the organiser
    manual_approval: bool  # every round waits until the organiser has seen it
    edition: str  # the rulebook by which it is played
    cards: bool  # whether it is played with cards
    obligation: str  # strict: whoever can close a figure must
    target: int  # the total of points that ends the game
    allowance: int  # seconds for a turn; for a custom clock
    bank: int  # seconds in reserve; for a custom clock
    blind_allowance: int | None  # seconds for a turn of a blind match; half the allowance if you say none
    rematch_allowance: int  # of a rematch
    rematch_bank: int  # seconds in reserve for a rematch; a quarter if you say none
    timeouts: Literal["autoplay", "forfeit"]  # what happens when time is up
    weekends: bool  # clocks rest at the weekend
    nights: bool  # clocks rest in a player's night hours, as they are when a turn begins; 12 of 24 at most
    vacation: bool  # clocks rest on vacation; by default unless games are quick ones
    chat: bool  # whether those at a table can talk
    private: bool  # games are for those who play them
    round_length: int | None  # seconds


class TournamentInvite(TypedDict):
    """An invite to a tournament."""

    name: str  # of the invited player
    at: str  # when they were invited


class TournamentInvitePage(TypedDict):
    """One page of a list."""

    next: str | None  # the next page; null on the last one
    previous: str | None  # the page before; null on the first
    results: list[TournamentInvite]  # in the order of the list


class TournamentSummary(TypedDict):
    """A tournament in a list."""

    id: str  # its code in addresses
    name: str  # as the organiser calls it
    format: Literal["knockout", "double", "round-robin", "swiss"]  # how entrants are paired
    status: Literal["draft", "published", "running", "finished", "cancelled"]  # how far it is
    mode: Literal["singles", "pairs"]  # whether entrants are single players or pairs
    table_size: int  # entrants at a table, at most
    clock: str  # the time control of its games
    rated: bool  # whether its games change ratings
    organiser: str | None  # the name of whoever made it; null: the account was deleted
    entered: int  # entrants who have a place
    capacity: int | None  # how many have a place; null: any number
    created_at: str  # when the draft was made
    opens_at: str | None  # from when on players can enter; null: at once
    closes_at: str | None  # until when players can enter; null: until the start
    starts_at: str | None  # when it is to start; null: when an organiser starts it
    started_at: str | None  # when it started; null before
    finished_at: str | None  # when it ended; null before


class TournamentSummaryPage(TypedDict):
    """One page of a list."""

    next: str | None  # the next page; null on the last one
    previous: str | None  # the page before; null on the first
    results: list[TournamentSummary]  # in the order of the list
