"""Types of the API: tournaments 2.

Generated from the OpenAPI document by `make schema`: do not edit.
"""

from __future__ import annotations

from typing import Literal, TypedDict

from .tournaments import LeagueReference, Note, Round, TournamentViewer


class Tournament(TypedDict):
    """A tournament."""

    mode: Literal["singles", "pairs"]
    table_size: int  # entrants at a table, at most
    edition: str
    cards: bool
    obligation: str
    target: int
    clock: str
    allowance: int
    bank: int
    blind_allowance: int | None
    rematch_allowance: int  # of a rematch
    rematch_bank: int
    timeouts: Literal["autoplay", "forfeit"]
    weekends: bool
    nights: bool
    vacation: bool
    chat: bool
    rated: bool
    private: bool
    round_length: int | None  # seconds
    id: str
    name: str
    format: Literal["knockout", "double", "round-robin", "swiss"]
    status: Literal["draft", "published", "running", "finished", "cancelled"]
    organiser: str | None
    entered: int  # entrants who have a place
    capacity: int | None
    created_at: str
    opens_at: str | None
    closes_at: str | None
    starts_at: str | None
    started_at: str | None
    finished_at: str | None
    text: str
    round_count: int | None
    cycles: int
    all_rounds_at_once: bool
    advancing_count: int
    third_place: bool
    when_full: bool
    confirmation: bool
    by_invitation: bool
    late_entry: bool
    min_rating: int | None
    max_rating: int | None
    seeding: Literal["lot", "rating"]
    hold_on_warnings: bool
    manual_approval: bool
    waiting: int  # entrants on the waiting list
    co_organisers: list[str]
    # why it waits, for those who organise it; else empty. `review`, `too-few`, `too-many-games`, `stale-at-
    # end`, the code of its first warning, or `undecided-table`: a table came back whose game ended while it
    # did not count, and it goes on when its result is written
    hold_reason: str
    waits_for_organiser: bool  # whether it waits for them
    warnings: list[Note]  # for those who organise it: what the next round has
    round: Round | None  # the newest one
    champions: list[str]
    commitment: str
    event_commitment: str  # the SHA-256 of `event_seed`, public before anyone can enter
    event_seed: str | None  # in hexadecimal; null until it is over
    league: LeagueReference | None
    you: TournamentViewer


class TournamentInvite(TypedDict):
    """An invite to a tournament."""

    name: str
    at: str


class TournamentInvitePage(TypedDict):
    """One page of a list."""

    next: str | None  # the next page; null on the last one
    previous: str | None  # the page before; null on the first
    results: list[TournamentInvite]  # in the order of the list


class TournamentSummary(TypedDict):
    """A tournament in a list."""

    id: str
    name: str
    format: Literal["knockout", "double", "round-robin", "swiss"]
    status: Literal["draft", "published", "running", "finished", "cancelled"]
    mode: Literal["singles", "pairs"]
    table_size: int
    clock: str
    rated: bool
    organiser: str | None
    entered: int  # entrants who have a place
    capacity: int | None
    created_at: str
    opens_at: str | None
    closes_at: str | None
    starts_at: str | None
    started_at: str | None
    finished_at: str | None


class TournamentSummaryPage(TypedDict):
    """One page of a list."""

    next: str | None  # the next page; null on the last one
    previous: str | None  # the page before; null on the first
    results: list[TournamentSummary]  # in the order of the list
