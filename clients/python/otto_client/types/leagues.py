"""Types of the API: leagues.

Generated from the OpenAPI document by `make schema`: do not edit.
"""

from __future__ import annotations

from typing import Literal, TypedDict

from .games import Note


class CalendarEntry(TypedDict):
    """A date in the calendar of a league."""

    # The kind of date.
    kind: Literal["season-began", "round-ends", "season-ends", "season-ended", "next-season"]
    season: int  # The number of the season.
    at: str | None  # When it is; null if it depends on the last games.
    past: bool  # Whether it has passed.
    round: int | None  # With `round-ends`: the number of the round.


class Division(TypedDict):
    """A division of a season."""

    number: int  # The number of the division; 1 is the highest.
    size: int  # How many players or pairs are in it.
    up: int  # How many are promoted.
    down: int  # How many are relegated.
    final: bool  # Whether the season is over.
    groups: list[DivisionGroup]  # The groups in which the division is played.
    placements: list[DivisionPlacement]  # The players or pairs, the best first.


class DivisionGroup(TypedDict):
    """A group of a division."""

    group: int  # The number of the group in its division.
    tournament: str  # The `id` of the tournament in which it is played.
    status: Literal["draft", "published", "running", "over", "cancelled"]  # The status of its tournament.
    round: int  # The number of the newest round; 0 before the first.


class DivisionPlacement(TypedDict):
    """A placement in a division."""

    rank: int  # The rank now, or at the end of the season.
    start_position: int  # The position at the start of the season, counted from the top.
    entrant: int | None  # The `id` of the entrant in its tournament.
    name: str  # The name of the player, or of both players of a pair.
    players: list[str]  # The names of its players.
    group: int  # The number of their group.
    reason: Note  # Why they are in this division.
    words: str  # The reason as a sentence, in your language.
    played: int  # How many games count.
    points: float  # The points in the standings.
    game_points: float  # The points of all games together.
    eights: float  # How many times they made an 8.
    withdrawn: bool  # Whether they have left.
    heading: str | None  # Where they go if the season ended now: up, down, or neither.


class League(TypedDict):
    """A league."""

    id: str  # The id, as in addresses of pages and of the API.
    name: str  # The name that the organiser gave it.
    status: Literal["open", "running", "closed"]  # Its status.
    mode: Literal["singles", "pairs"]  # Whether members play alone or in pairs.
    table_size: int  # How many entrants sit at a table at most, 2 to 4.
    clock: str  # The time control of its games.
    rated: bool  # Whether its games count for ratings.
    division_size: int  # How many players or pairs a division has.
    organiser: str | None  # The name of the organiser; null if the account was deleted.
    members: int  # The number of members who play in the next season.
    substitutes: int  # The number of substitutes.
    season: int | None  # The number of the newest season; null before the first.
    # Your own membership; null if you never joined.
    membership: Literal["member", "substitute", "out"] | None
    partner: str | None  # In pairs: the name of your partner.
    created_at: str  # When it was made.
    co_organisers: list[str]  # The names of the co-organisers.
    commitment: str  # The SHA-256 of its seed, public from the start.
    seed: str | None  # The seed in hexadecimal; null until the league is closed.
    # The parts of the next season that are already fixed; null if none follows.
    next_season: NextSeason | None
    calendar: list[CalendarEntry]  # The dates of the current season, in order.
    you: LeagueViewer  # Your membership, and what you may do.
    text: str  # A text for the players, without formatting.
    # How a season is played: everybody against everybody else in the division, or Swiss rounds.
    format: Literal["round-robin", "swiss"]
    round_count: int | None  # Swiss: the number of rounds.
    promotion_count: int  # How many are promoted, and relegated, after a season.
    groups_per_division: int  # How many groups a division has.
    cycles: int  # How many times two members meet in a season.
    all_rounds_at_once: bool  # Whether all rounds of a season begin together.
    # Where new members begin: in the lowest division, or by their rating.
    newcomer_policy: Literal["bottom", "rating"]
    season_pause_seconds: int  # The time between two seasons, in seconds.
    season_limit: int | None  # How many seasons are played; null for no limit.
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


class LeagueMember(TypedDict):
    """A member of a league."""

    name: str  # The name of the player.
    # Whether they play in the next season (`member`), stand in for others (`substitute`) or have left
    # (`out`).
    status: Literal["member", "substitute", "out"]
    partner: str | None  # In pairs: the name of the partner.
    status_changed_at: str  # When they got this status.


class LeagueMemberPage(TypedDict):
    """One page of a list."""

    next: str | None  # The address of the next page; null on the last page.
    previous: str | None  # The address of the previous page; null on the first page.
    results: list[LeagueMember]  # The items of this page, in order.


class LeagueSummary(TypedDict):
    """A league in a list."""

    id: str  # The id, as in addresses of pages and of the API.
    name: str  # The name that the organiser gave it.
    status: Literal["open", "running", "closed"]  # Its status.
    mode: Literal["singles", "pairs"]  # Whether members play alone or in pairs.
    table_size: int  # How many entrants sit at a table at most, 2 to 4.
    clock: str  # The time control of its games.
    rated: bool  # Whether its games count for ratings.
    division_size: int  # How many players or pairs a division has.
    organiser: str | None  # The name of the organiser; null if the account was deleted.
    members: int  # The number of members who play in the next season.
    substitutes: int  # The number of substitutes.
    season: int | None  # The number of the newest season; null before the first.
    # Your own membership; null if you never joined.
    membership: Literal["member", "substitute", "out"] | None
    partner: str | None  # In pairs: the name of your partner.
    created_at: str  # When it was made.


class LeagueSummaryPage(TypedDict):
    """One page of a list."""

    next: str | None  # The address of the next page; null on the last page.
    previous: str | None  # The address of the previous page; null on the first page.
    results: list[LeagueSummary]  # The items of this page, in order.


class LeagueViewer(TypedDict):
    """The viewer's membership and permissions in a league."""

    organiser: bool  # Whether you are an organiser.
    # Your status in the league; null if you never joined.
    status: Literal["member", "substitute", "out"] | None
    # Your client seed for the next seasons. If it is empty, we use the number of your entry.
    client_seed: str | None
    permissions: list[str]  # What you may do here now.


class NextSeason(TypedDict):
    """The commitments of the next season."""

    number: int  # The number of the season.
    # The SHA-256 of the season's seed, which is HMAC-SHA256(league's seed, `otto-season-v1|number`).
    commitment: str
    # The commitments of the divisions that there may be. The seed of each is HMAC-SHA256(season's seed,
    # `otto-event-v1|division|group`).
    tournaments: list[TournamentCommitment]


class Removal(TypedDict):
    """A removed member of a league."""

    name: str  # The name of the removed player.
    created_by: str | None  # The name of the organiser; null if the account was deleted.
    reason: str  # The reason, for the organisers.
    created_at: str  # When they were removed.


class RemovalPage(TypedDict):
    """One page of a list."""

    next: str | None  # The address of the next page; null on the last page.
    previous: str | None  # The address of the previous page; null on the first page.
    results: list[Removal]  # The items of this page, in order.


class Season(TypedDict):
    """A season in a list."""

    number: int  # The number of the season; the first is 1.
    started_at: str  # When it began.
    finished_at: str | None  # When it ended; null before.
    divisions: int  # How many divisions it has.
    players: int  # How many players or pairs take part, in all divisions.


class SeasonDetail(TypedDict):
    """A season with its divisions."""

    # The SHA-256 of the season's seed; null if its tournaments have seeds of their own.
    commitment: str | None
    seed: str | None  # The season's seed in hexadecimal; null until the season is over.
    number: int  # The number of the season; the first is 1.
    started_at: str  # When it began.
    finished_at: str | None  # When it ended; null before.
    divisions: list[Division]  # The divisions from the top, or the one that you asked for.
    players: int  # How many players or pairs take part, in all divisions.


class SeasonPage(TypedDict):
    """One page of a list."""

    next: str | None  # The address of the next page; null on the last page.
    previous: str | None  # The address of the previous page; null on the first page.
    results: list[Season]  # The items of this page, in order.


class TournamentCommitment(TypedDict):
    """The commitment of a division group."""

    division: int  # The number of the division; 1 is the highest.
    group: int  # The number of the group in its division.
    event_commitment: str  # The SHA-256 of the seed of its tournament.
