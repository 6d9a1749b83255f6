"""Types of the API: leagues.

Generated from the OpenAPI document by `make schema`: do not edit.
"""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict

from .tournaments import Note


class CalendarEntry(TypedDict):
    """An entry of the calendar of a league."""

    kind: str  # season-began, round-ends, season-ends, season-ended, next-season
    season: NotRequired[int]
    round: NotRequired[int]
    at: str | None  # null: when all is played
    past: NotRequired[bool]


class Division(TypedDict):
    """A division of a season."""

    number: int  # 1 is the highest
    size: int
    up: int  # how many go up
    down: int  # how many go down
    final: bool
    groups: list[DivisionGroup]
    placements: list[DivisionPlacement]


class DivisionGroup(TypedDict):
    """A group of a division."""

    group: int
    tournament: str  # where it is played: its id among the tournaments
    status: Literal["draft", "published", "running", "finished", "cancelled"]
    round: int


class DivisionPlacement(TypedDict):
    """A placement in a division."""

    rank: int  # now, or at the end
    start_position: int  # from the top, at the start
    entrant: int | None
    name: str
    players: list[str]
    group: int
    reason: Note  # why they are in this division
    words: str  # the same in words, in your language
    played: int
    points: float
    game_points: float
    eights: float
    withdrawn: bool
    heading: str  # up, down, or nowhere


class League(TypedDict):
    """A league."""

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
    status: Literal["open", "running", "closed"]
    division_size: int
    organiser: str | None
    members: int
    substitutes: int
    season: int | None  # the newest one
    membership: Literal["member", "substitute", "out"] | None  # yours
    partner: str | None  # yours, in pairs
    created_at: str
    text: str
    format: Literal["round-robin", "swiss"]
    round_count: int | None
    promotion_count: int
    groups_per_division: int
    cycles: int
    all_rounds_at_once: bool
    newcomer_policy: Literal["bottom", "rating"]
    season_pause: int
    season_limit: int | None
    co_organisers: list[str]
    commitment: str
    seed: str | None  # null until the league is closed
    next_season: NextSeason | None  # null: none follows
    calendar: list[CalendarEntry]
    you: LeagueViewer


class LeagueMember(TypedDict):
    """A member of a league."""

    name: str
    status: Literal["member", "substitute", "out"]
    partner: str | None
    at: str


class LeagueMemberPage(TypedDict):
    """One page of a list."""

    next: str | None  # the next page; null on the last one
    previous: str | None  # the page before; null on the first
    results: list[LeagueMember]  # in the order of the list


class LeagueSummary(TypedDict):
    """A league in a list."""

    id: str
    name: str
    status: Literal["open", "running", "closed"]
    mode: Literal["singles", "pairs"]
    table_size: int
    clock: str
    rated: bool
    division_size: int
    organiser: str | None
    members: int
    substitutes: int
    season: int | None  # the newest one
    membership: Literal["member", "substitute", "out"] | None  # yours
    partner: str | None  # yours, in pairs
    created_at: str


class LeagueSummaryPage(TypedDict):
    """One page of a list."""

    next: str | None  # the next page; null on the last one
    previous: str | None  # the page before; null on the first
    results: list[LeagueSummary]  # in the order of the list


class LeagueViewer(TypedDict):
    """The viewer's membership and permissions in a league."""

    organiser: bool
    status: Literal["member", "substitute", "out"] | None
    client_seed: str | None  # yours for seasons to come; empty: the entry's number
    permissions: list[str]  # what you may do here now


class NextSeason(TypedDict):
    """The commitments of the next season."""

    number: int
    commitment: str  # the SHA-256 of the season's seed, HMAC-SHA256(league's seed, `otto-season-v1|number`)
    # of the divisions that there may be; HMAC-SHA256(season's seed, `otto-event-v1|division|group`) is the
    # seed of an event
    tournaments: list[TournamentCommitment]


class Removal(TypedDict):
    """A removed member of a league."""

    name: str
    created_by: str | None
    reason: str
    created_at: str


class RemovalPage(TypedDict):
    """One page of a list."""

    next: str | None  # the next page; null on the last one
    previous: str | None  # the page before; null on the first
    results: list[Removal]  # in the order of the list


class Season(TypedDict):
    """A season in a list."""

    number: int
    started_at: str
    finished_at: str | None
    divisions: int
    players: int


class SeasonDetail(TypedDict):
    """A season with its divisions."""

    number: int
    started_at: str
    finished_at: str | None
    divisions: list[Division]
    players: int
    commitment: str | None  # of the season's seed; null: its events have seeds of their own
    seed: str | None  # in hexadecimal; null until all of it is over


class SeasonPage(TypedDict):
    """One page of a list."""

    next: str | None  # the next page; null on the last one
    previous: str | None  # the page before; null on the first
    results: list[Season]  # in the order of the list


class TournamentCommitment(TypedDict):
    """The commitment of a division group."""

    division: int
    group: int
    event_commitment: str
