"""Types of the API: tournaments 2.

Generated from the OpenAPI document by `make schema`: do not edit.
"""

from __future__ import annotations

from typing import Literal, TypedDict

from .games import Note
from .tournaments import Round, Timeout


class LeagueReference(TypedDict):
    """The league, season, division and group that a tournament belongs to."""

    id: str  # The `id` of the league.
    name: str  # The name of the league.
    season: int  # The number of the season.
    division: int  # The number of the division; 1 is the highest.
    group: int  # The number of the group in its division.


class TimeoutEvidence(TypedDict):
    """The timeouts of a pairing."""

    results: list[Timeout]  # The timeouts, oldest first.


class Tournament(TypedDict):
    """A tournament."""

    id: str  # The id, as in addresses of pages and of the API.
    name: str  # The name that the organiser gave it.
    # How we pair entrants: knock-out, double knock-out, round robin or Swiss.
    format: Literal["knockout", "double", "round-robin", "swiss"]
    status: Literal["draft", "published", "running", "over", "cancelled"]  # The status of the tournament.
    mode: Literal["singles", "pairs"]  # Whether entrants are single players or pairs.
    table_size: int  # How many entrants sit at a table at most, 2 to 4.
    clock: str  # The time control of its games.
    rated: bool  # Whether its games count for ratings.
    organiser: str | None  # The name of the organiser; null if the account was deleted.
    entered: int  # How many entrants have a place.
    capacity: int | None  # How many entrants can have a place; null for no limit.
    created_at: str  # When the draft was created.
    opens_at: str | None  # When entries open; null for at once.
    closes_at: str | None  # When entries close; null for at the start.
    starts_at: str | None  # When it starts; null if an organiser starts it.
    started_at: str | None  # When it started; null before.
    finished_at: str | None  # When it ended; null before.
    waiting: int  # How many entrants are on the waiting list.
    co_organisers: list[str]  # The names of the co-organisers.
    # Why it waits, for its organisers; otherwise null. `review`, `too-few`, `too-many-games`, `stale-at-end`,
    # the code of its first warning, or `undecided-table`: a table counts again whose game ended while it did
    # not, and its result has to be recorded.
    hold_reason: str | None
    waits_for_organiser: bool  # Whether it waits for its organisers.
    warnings: list[Note]  # For its organisers: warnings about the next round.
    round: Round | None  # The newest round; null before the first.
    champions: list[str]  # The names of the winners; empty until it is over.
    commitment: str  # The same as `event_commitment`.
    event_commitment: str  # The SHA-256 of `event_seed`, public before anyone can enter.
    event_seed: str | None  # The seed in hexadecimal; null until the tournament is over.
    league: LeagueReference | None  # The league that it belongs to; null if it belongs to none.
    you: TournamentViewer  # Your entry, and what you may do.
    text: str  # A text for the players, without formatting.
    # The number of rounds, in Swiss and in round robins at tables of 3 and 4. Null: as many as it takes.
    round_count: int | None
    cycles: int  # Round robin: how many times two entrants meet.
    all_rounds_at_once: bool  # Round robin: whether all rounds begin together.
    advancing_count: int  # Knock-out: how many entrants go on from a table of 3 or 4.
    third_place: bool  # Knock-out at tables of 2: whether the third place is played for.
    when_full: bool  # Whether it starts as soon as all places are taken.
    confirmation: bool  # Whether only those play who confirm shortly before the start.
    by_invitation: bool  # Whether only invited players can enter.
    late_entry: bool  # Swiss: whether players can enter after the start.
    bots_allowed: bool  # Whether bot accounts may enter; a game between a bot and a person is not rated.
    min_rating: int | None  # The lowest rating with which a player can enter; null for any.
    max_rating: int | None  # The highest rating with which a player can enter; null for any.
    seeding: Literal["lot", "rating"]  # How entrants get their seeds, where no organiser sets them by hand.
    hold_on_warnings: bool  # Whether a round with warnings waits for an organiser.
    manual_approval: bool  # Whether every round waits for the approval of an organiser.
    edition: str  # The edition of the rules.
    cards: bool  # Whether secret cards are played. The default depends on the edition.
    cards_from: int  # The first match with cards: 1, or 2 to learn the tiles first.
    obligation: str  # Always `strict`: a placement must make an 8 or close a figure where it can.
    target: int  # The points that a side needs to end the game.
    # How the oldest player is found: by the age of the account, or by lot. The default depends on the
    # edition.
    seniority: str
    # Whether pages and mails show where a figure can be closed. The API always lists the legal actions.
    hints: bool
    allowance_seconds: int  # The time for each turn, in seconds. Only with the clock `custom`.
    bank_seconds: int  # The reserve for the whole game, in seconds. Only with the clock `custom`.
    # The time for a turn of a blind match, in seconds. Null means half the usual time.
    blind_allowance_seconds: int | None
    rematch_allowance_seconds: int  # The time for a turn of a rematch, in seconds.
    rematch_bank_seconds: int  # The reserve for a rematch, in seconds.
    # What happens when time is up. `autoplay`: the server plays the turn. `forfeit`: the side resigns.
    timeouts: Literal["autoplay", "forfeit"]
    weekends: bool  # Whether clocks stop at the weekend.
    # Whether clocks stop in each player's night hours, at most 12 of 24. Changed hours count from the next
    # turn.
    nights: bool
    # Whether clocks stop while a player is on vacation. The default is true, except for quick games.
    vacation: bool
    chat: bool  # Whether the players at a table can chat.
    private: bool  # Whether only the players of a game can see it.
    round_length_seconds: int | None  # How long a round lasts, in seconds; null for no limit.


class TournamentInvite(TypedDict):
    """An invitation to a tournament."""

    name: str  # The name of the invited player.
    created_at: str  # When they were invited.


class TournamentInvitePage(TypedDict):
    """One page of a list."""

    next: str | None  # The address of the next page; null on the last page.
    previous: str | None  # The address of the previous page; null on the first page.
    results: list[TournamentInvite]  # The items of this page, in order.


class TournamentSummary(TypedDict):
    """A tournament in a list."""

    id: str  # The id, as in addresses of pages and of the API.
    name: str  # The name that the organiser gave it.
    # How we pair entrants: knock-out, double knock-out, round robin or Swiss.
    format: Literal["knockout", "double", "round-robin", "swiss"]
    status: Literal["draft", "published", "running", "over", "cancelled"]  # The status of the tournament.
    mode: Literal["singles", "pairs"]  # Whether entrants are single players or pairs.
    table_size: int  # How many entrants sit at a table at most, 2 to 4.
    clock: str  # The time control of its games.
    rated: bool  # Whether its games count for ratings.
    organiser: str | None  # The name of the organiser; null if the account was deleted.
    entered: int  # How many entrants have a place.
    capacity: int | None  # How many entrants can have a place; null for no limit.
    created_at: str  # When the draft was created.
    opens_at: str | None  # When entries open; null for at once.
    closes_at: str | None  # When entries close; null for at the start.
    starts_at: str | None  # When it starts; null if an organiser starts it.
    started_at: str | None  # When it started; null before.
    finished_at: str | None  # When it ended; null before.


class TournamentSummaryPage(TypedDict):
    """One page of a list."""

    next: str | None  # The address of the next page; null on the last page.
    previous: str | None  # The address of the previous page; null on the first page.
    results: list[TournamentSummary]  # The items of this page, in order.


class TournamentViewer(TypedDict):
    """The viewer's entry and permissions in a tournament."""

    organiser: bool  # Whether you are an organiser.
    entrant: int | None  # The `id` of the entrant that you play for.
    # The status of your entry; null if you have not entered.
    status: Literal["waiting", "entered", "withdrawn", "disqualified"] | None
    confirmed: bool | None  # Whether your entry is confirmed; null if you have not entered.
    proposals: list[int]  # Unanswered proposals to play as a pair, yours and those made to you.
    client_seed: str | None  # Your part of the shuffles of your games here.
    permissions: list[str]  # What you may do here now.
