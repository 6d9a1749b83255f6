"""Types of the API's responses about tournaments and leagues."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict

TournamentStatus = Literal["draft", "published", "running", "finished", "cancelled"]
Format = Literal["knockout", "double", "round-robin", "swiss"]
Said = dict[str, Any]  # a reason or warning: its `code` and details


class Round(TypedDict):
    """A published round."""

    number: int
    published_at: str
    ends_at: str | None
    pairing_count: int
    open_pairing_count: int
    warnings: list[Said]


class YouThere(TypedDict):
    """Your role and permissions in a tournament."""

    organiser: bool
    entrant: int | None
    status: str | None
    confirmed: bool | None
    client_seed: str | None
    permissions: list[str]


class Tournament(TypedDict):
    """A tournament in a list."""

    id: str
    name: str
    format: Format
    status: TournamentStatus
    mode: str
    table_size: int
    clock: str
    rated: bool
    organiser: str | None
    entered: int
    capacity: int | None
    created_at: str
    opens_at: str | None
    closes_at: str | None
    starts_at: str | None
    started_at: str | None
    finished_at: str | None


class TournamentView(Tournament):
    """A tournament as you may see it, with all its settings under the same names."""

    text: str
    waiting: int
    co_organisers: list[str]
    hold_reason: str
    warnings: list[Said]
    round: Round | None
    champions: list[str]
    commitment: str
    event_commitment: str
    event_seed: str | None
    league: dict[str, Any] | None
    you: YouThere


class Entrant(TypedDict):
    """A player or pair of a tournament."""

    id: int
    name: str
    players: list[str]
    status: str
    seed: int | None
    first_round: int
    left_after_round: int | None
    absent_rounds: list[int]
    confirmed: bool
    client_seeds: list[str]
    rank: int | None


class SeatAt(TypedDict):
    """An entrant at a pairing, with its result."""

    entrant: int
    name: str
    rank: int | None
    points: int | None
    eights: int | None
    forfeit: bool
    timeout: bool


class Pairing(TypedDict):
    """A pairing with its reasons; a single one also has them as text."""

    id: int
    match: str
    round: int
    bracket_round: int
    rematch: bool
    game_number: int
    attempt: int
    state: Literal["bye", "over", "playing"]
    game: str | None
    ends_at: str | None
    settled_at: str | None
    by: str | None
    seats: list[SeatAt]
    reasons: list[Said]
    words: NotRequired[list[str]]
    is_void: NotRequired[bool]


class Standings(TypedDict):
    """The standings; `criteria` explain the columns, and every line has a value for each."""

    criteria: list[dict[str, str]]
    lines: list[dict[str, Any]]


class Bracket(TypedDict):
    """All matches of a tournament."""

    matches: list[dict[str, Any]]
    champion: str | None


class Preview(TypedDict):
    """The planned next round."""

    state: Literal["round", "waiting", "finished"]
    round: int | None
    pairings: list[dict[str, Any]]
    warnings: list[Said]
    matches: list[str]
    champion: str | None


class Decision(TypedDict):
    """A decision of an organiser."""

    id: int
    created_at: str
    created_by: str | None
    action: str
    reason: str | None
    public_note: str
    pairing: int | None
    entrant: int | None
    player: str | None
    was: str | None
    result: dict[str, Any] | None
    result_before: dict[str, Any] | None
    until: str | None
    changed: dict[str, Any] | None
    undoes: int | None
    undone: bool


class Proposal(TypedDict):
    """A proposal to a player."""

    id: int
    kind: str
    status: str
    tournament: str | None
    league: str | None
    proposer: str | None
    player: str
    replaces: str | None
    reason: str | None
    public_note: str
    commitment: str | None
    created_at: str
    answered_at: str | None
    permissions: list[str]


class Appeal(TypedDict):
    """An appeal about a pairing."""

    id: int
    pairing: int
    match: str
    created_by: str | None
    created_at: str
    text: str
    answer: str
    answered_by: str | None
    answered_at: str | None


class Invite(TypedDict):
    """An invitation to a tournament."""

    name: str
    at: str


class League(TypedDict):
    """A league in a list."""

    id: str
    name: str
    status: Literal["open", "running", "closed"]
    mode: str
    table_size: int
    clock: str
    rated: bool
    division_size: int
    organiser: str | None
    members: int
    substitutes: int
    season: int | None
    membership: str | None
    partner: str | None
    created_at: str


class NextSeason(TypedDict):
    """The commitments for the coming season; `tournaments` are given by division and group."""

    number: int
    commitment: str
    tournaments: list[dict[str, Any]]


class LeagueView(League):
    """A league with all its settings under the same names."""

    text: str
    co_organisers: list[str]
    commitment: str
    seed: str | None
    next_season: NextSeason | None
    calendar: list[dict[str, Any]]
    you: dict[str, Any]


class Season(TypedDict):
    """A season; in a list `divisions` is their number, in a single season their content."""

    number: int
    started_at: str
    finished_at: str | None
    divisions: Any
    players: int


class Rating(TypedDict):
    """A rating in one mode."""

    mode: str
    rating: int
    uncertainty: int
    games: int


class RatingChange(TypedDict):
    """What one game did to a rating."""

    mode: str
    game: str
    at: str | None
    before: int
    rating: int
    uncertainty: int
