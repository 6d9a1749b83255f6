"""Types of the API: leagues.

Generated from the OpenAPI document by `make schema`: do not edit.
"""

from __future__ import annotations

from typing import Literal, TypedDict

from .tournaments import Note


class CalendarEntry(TypedDict):
    """An entry of the calendar of a league."""

    kind: str  # season-began, round-ends, season-ends, season-ended, next-season
    season: int  # the number of the season
    at: str | None  # null: when all is played
    past: bool  # whether it is over
    round: int | None  # of round-ends: the number of the round


class Division(TypedDict):
    """A division of a season."""

    number: int  # 1 is the highest
    size: int  # players or pairs in it
    up: int  # how many go up
    down: int  # how many go down
    final: bool  # whether the season is over
    groups: list[DivisionGroup]  # in which it is played
    placements: list[DivisionPlacement]  # the best first


class DivisionGroup(TypedDict):
    """A group of a division."""

    group: int  # its number in the division
    tournament: str  # where it is played: its id among the tournaments
    status: Literal["draft", "published", "running", "finished", "cancelled"]  # how far it is
    round: int  # the newest one; 0 before the first


class DivisionPlacement(TypedDict):
    """A placement in a division."""

    rank: int  # now, or at the end
    start_position: int  # from the top, at the start
    entrant: int | None  # the id of the entrant in its tournament
    name: str  # of the player, or of both
    players: list[str]  # the names of who plays
    group: int  # the number of its group
    reason: Note  # why they are in this division
    words: str  # the same in words, in your language
    played: int  # games that count
    points: float  # in the standings
    game_points: float  # points of all games
    eights: float  # how many eights
    withdrawn: bool  # whether they have left
    heading: str  # up, down, or nowhere


class League(TypedDict):
    """A league."""

    id: str  # its code in addresses
    name: str  # as the organiser calls it
    status: Literal["open", "running", "closed"]  # how far it is
    mode: Literal["singles", "pairs"]  # whether members play alone or in pairs
    table_size: int  # entrants at a table, at most
    clock: str  # the time control of its games
    rated: bool  # whether its games change ratings
    division_size: int  # players or pairs in a division
    organiser: str | None  # the name of whoever made it; null: the account was deleted
    members: int  # who plays the next season
    substitutes: int  # who plays for whoever drops out
    season: int | None  # the newest one
    membership: Literal["member", "substitute", "out"] | None  # yours
    partner: str | None  # yours, in pairs
    created_at: str  # when it was made
    co_organisers: list[str]  # the names of those who organise it, too
    commitment: str  # the SHA-256 of its seed, public from the start
    seed: str | None  # null until the league is closed
    next_season: NextSeason | None  # null: none follows
    calendar: list[CalendarEntry]  # dates of the current season, in order
    you: LeagueViewer  # your membership, and what you may do
    text: str  # what players should know
    format: Literal["round-robin", "swiss"]  # How a season is played
    round_count: int | None  # of Swiss
    promotion_count: int  # how many go up, and down
    groups_per_division: int  # in a division
    cycles: int  # how often two meet in a season
    all_rounds_at_once: bool  # all rounds of a season begin together
    newcomer_policy: Literal["bottom", "rating"]  # Where new players begin
    season_pause: int  # seconds between two seasons
    season_limit: int | None  # null: for ever
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


class LeagueMember(TypedDict):
    """A member of a league."""

    name: str  # of the player
    status: Literal["member", "substitute", "out"]  # whether they play the next season
    partner: str | None  # in pairs
    at: str  # since when


class LeagueMemberPage(TypedDict):
    """One page of a list."""

    next: str | None  # the next page; null on the last one
    previous: str | None  # the page before; null on the first
    results: list[LeagueMember]  # in the order of the list


class LeagueSummary(TypedDict):
    """A league in a list."""

    id: str  # its code in addresses
    name: str  # as the organiser calls it
    status: Literal["open", "running", "closed"]  # how far it is
    mode: Literal["singles", "pairs"]  # whether members play alone or in pairs
    table_size: int  # entrants at a table, at most
    clock: str  # the time control of its games
    rated: bool  # whether its games change ratings
    division_size: int  # players or pairs in a division
    organiser: str | None  # the name of whoever made it; null: the account was deleted
    members: int  # who plays the next season
    substitutes: int  # who plays for whoever drops out
    season: int | None  # the newest one
    membership: Literal["member", "substitute", "out"] | None  # yours
    partner: str | None  # yours, in pairs
    created_at: str  # when it was made


class LeagueSummaryPage(TypedDict):
    """One page of a list."""

    next: str | None  # the next page; null on the last one
    previous: str | None  # the page before; null on the first
    results: list[LeagueSummary]  # in the order of the list


class LeagueViewer(TypedDict):
    """The viewer's membership and permissions in a league."""

    organiser: bool  # whether you organise it
    status: Literal["member", "substitute", "out"] | None  # whether you play; null: you never joined
    client_seed: str | None  # yours for seasons to come; empty: the entry's number
    permissions: list[str]  # what you may do here now


class NextSeason(TypedDict):
    """The commitments of the next season."""

    number: int  # of the season
    commitment: str  # the SHA-256 of the season's seed, HMAC-SHA256(league's seed, `otto-season-v1|number`)
    # of the divisions that there may be; HMAC-SHA256(season's seed, `otto-event-v1|division|group`) is the
    # seed of an event
    tournaments: list[TournamentCommitment]


class Removal(TypedDict):
    """A removed member of a league."""

    name: str  # of the removed player
    created_by: str | None  # the name of the organiser; null: the account was deleted
    reason: str  # why, for those who organise it
    created_at: str  # when they were removed


class RemovalPage(TypedDict):
    """One page of a list."""

    next: str | None  # the next page; null on the last one
    previous: str | None  # the page before; null on the first
    results: list[Removal]  # in the order of the list


class Season(TypedDict):
    """A season in a list."""

    number: int  # from 1
    started_at: str  # when it began
    finished_at: str | None  # when it ended; null before
    divisions: int  # how many there are
    players: int  # players or pairs, in all divisions


class SeasonDetail(TypedDict):
    """A season with its divisions."""

    commitment: str | None  # of the season's seed; null: its events have seeds of their own
    seed: str | None  # in hexadecimal; null until all of it is over
    number: int  # from 1
    started_at: str  # when it began
    finished_at: str | None  # when it ended; null before
    divisions: list[Division]  # from the top; or the one asked for
    players: int  # players or pairs, in all divisions


class SeasonPage(TypedDict):
    """One page of a list."""

    next: str | None  # the next page; null on the last one
    previous: str | None  # the page before; null on the first
    results: list[Season]  # in the order of the list


class TournamentCommitment(TypedDict):
    """The commitment of a division group."""

    division: int  # the number of the division, 1 is the highest
    group: int  # the number of the group in its division
    event_commitment: str  # the SHA-256 of the seed of its event
