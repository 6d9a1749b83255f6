"""Types of the API: tournaments.

Generated from the OpenAPI document by `make schema`: do not edit.
"""

from __future__ import annotations

from typing import Any, Literal, TypedDict


class Appeal(TypedDict):
    """An appeal and its answer."""

    id: int
    pairing: int
    match: str
    created_by: str | None
    created_at: str
    text: str
    answer: str
    answered_by: str | None
    answered_at: str | None


class AppealPage(TypedDict):
    """One page of a list."""

    next: str | None  # the next page; null on the last one
    previous: str | None  # the page before; null on the first
    results: list[Appeal]  # in the order of the list


class Bracket(TypedDict):
    """The bracket."""

    matches: list[BracketMatch]
    champion: str | None


class BracketMatch(TypedDict):
    """A match of the bracket."""

    match: str
    bracket: Literal["main", "winners", "losers", "final", "third"]
    round: int
    stage: int
    state: str
    pending: bool  # by a correction others play it; the table they had waits to be given up
    advancing_count: int
    seats: list[BracketSeat]
    notes: list[Note]
    games: list[str]


class BracketSeat(TypedDict):
    """A seat of a bracket match."""

    entrant: int | None
    name: str | None
    place: int | None
    source: SeatSource


class CorrectedResult(TypedDict):
    """A result before and after a correction."""

    decision: int
    at: str
    pairing: int | None
    before: dict[str, Any] | None  # as rounds were paired by until then
    after: dict[str, Any] | None


class CriterionColumn(TypedDict):
    """A column of the standings."""

    key: str
    name: str
    explanation: str  # in words, in your language


class CriterionValue(TypedDict):
    """The value of a criterion."""

    key: str
    value: float | None


class Decision(TypedDict):
    """A decision of an organiser."""

    id: int
    created_at: str
    created_by: str | None
    # edit, seeds, preview, proceed, extend, correct, disqualify, replace, remove, cancel, co-organiser,
    # undo-…
    action: str
    reason: str | None  # the reason; null for whoever does not organise it
    public_note: str  # for everybody; empty once the decision was undone
    pairing: int | None
    entrant: int | None
    player: str | None  # who plays, or organises, from then on
    was: str | None  # who did before
    result: dict[str, Any] | None  # of a correction: from then on
    result_before: dict[str, Any] | None  # of a correction: until then
    until: str | None  # when a round ends
    changed: dict[str, Any] | None  # of an edit: what was laid down anew
    seeds: list[int] | None  # of `seeds`: the entrants seeded by hand, in order
    # of what changes the draw (`seeds`, `edit`, `remove`, `replace`): made before the start, but after an
    # organiser had seen the draw
    after_preview: bool
    undoes: int | None
    undone: bool


class DecisionPage(TypedDict):
    """One page of a list."""

    next: str | None  # the next page; null on the last one
    previous: str | None  # the page before; null on the first
    results: list[Decision]  # in the order of the list


class DrawPreview(TypedDict):
    """A preview of the draw by an organiser."""

    at: str
    by: str | None


class Entrant(TypedDict):
    """An entrant: a player or a pair."""

    id: int
    name: str
    players: list[str]
    status: Literal["waiting", "entered", "withdrawn", "disqualified"]
    seed: int | None  # 1 is the strongest; null: by lot, behind those who have one
    first_round: int  # the first round to play in
    left_after_round: int | None  # the last round that had begun when they left
    absent_rounds: list[int]  # rounds to sit out
    confirmed: bool
    client_seeds: list[str]  # of those who play for it, in the order of their seats
    rank: int | None  # at the end
    former_players: list[FormerPlayer]  # who played for it before; results of then stay theirs


class EntrantPage(TypedDict):
    """One page of a list."""

    next: str | None  # the next page; null on the last one
    previous: str | None  # the page before; null on the first
    results: list[Entrant]  # in the order of the list


class FairnessProof(TypedDict):
    """Everything that the pairings follow from."""

    code: str
    commitment: str  # the SHA-256 of the seed, public before anyone could enter
    seed: str | None  # in hexadecimal; null until it is over
    event_commitment: str
    event_seed: str | None
    format: str
    table_size: int
    round_count: int | None
    cycles: int
    all_rounds_at_once: bool
    advancing_count: int
    third_place: bool
    entrants: list[ProofEntrant]
    results: list[ProofResult]
    # what numbers those who are not seeded by hand; division: the order in a league
    seeding: Literal["lot", "rating", "division"]
    seeds_logged: bool  # false: made before seeds set by hand and previews were logged
    seeded_by_hand: list[int]  # ids of entrants, the first seed first
    seed_changes: list[SeedChange]  # seeds that organisers set, the newest 100, oldest first
    previews: list[DrawPreview]  # organisers who saw the draw before the start
    corrections: list[CorrectedResult]


class FormerPlayer(TypedDict):
    """A player who was replaced."""

    position: int  # 1, or 2 for the second of a pair
    player: str | None
    since_round: int  # from which round on somebody else has played


class LeagueReference(TypedDict):
    """The league, season, division and group that a tournament belongs to."""

    id: str
    name: str
    season: int
    division: int
    group: int


class NamedEntrant(TypedDict):
    """An entrant with its name."""

    entrant: int
    name: str


class Note(TypedDict):
    """A reason or a warning: its code, and details that depend on the code."""

    code: str  # what it says; further members are its facts, entrants by their ids


class Pairing(TypedDict):
    """A pairing in a list."""

    id: int
    match: str  # the match's id in the tournament: what seeds of its games are derived with
    round: int  # the number of the round it was published with
    bracket_round: int  # the round of the bracket, or of the schedule
    rematch: bool
    game_number: int  # of the match: 2 and more are rematches
    attempt: int  # 2 and more: a corrected result made the earlier ones void
    state: Literal["bye", "over", "playing"]
    game: str | None
    ends_at: str | None
    settled_at: str | None
    by: str | None  # game, adjudication, organiser; null: a bye, or no result yet
    seats: list[PairingSeat]
    reasons: list[Note]  # why these meet, and sit so


class PairingDetail(TypedDict):
    """A pairing with its reasons as text."""

    id: int
    match: str  # the match's id in the tournament: what seeds of its games are derived with
    round: int  # the number of the round it was published with
    bracket_round: int  # the round of the bracket, or of the schedule
    rematch: bool
    game_number: int  # of the match: 2 and more are rematches
    attempt: int  # 2 and more: a corrected result made the earlier ones void
    state: Literal["bye", "over", "playing"]
    game: str | None
    ends_at: str | None
    settled_at: str | None
    by: str | None  # game, adjudication, organiser; null: a bye, or no result yet
    seats: list[PairingSeat]
    reasons: list[Note]  # why these meet, and sit so
    words: list[str]  # the reasons in words, in your language
    is_void: bool  # a corrected result made it meaningless


class PairingPage(TypedDict):
    """One page of a list."""

    next: str | None  # the next page; null on the last one
    previous: str | None  # the page before; null on the first
    results: list[Pairing]  # in the order of the list


class PairingSeat(TypedDict):
    """A seat of a pairing."""

    entrant: int
    name: str  # who played here, whoever plays for the entrant now
    former_players: list[str]  # who began this game for them, and was replaced
    rank: int | None
    points: int | None
    eights: int | None
    forfeit: bool  # did not play to the end
    timeout: bool  # because their time was up


class PlannedPairing(TypedDict):
    """A pairing of the previewed round."""

    match: str
    bracket_round: int
    rematch: bool
    seats: list[NamedEntrant]
    reasons: list[Note]


class ProofEntrant(TypedDict):
    """An entrant as the pairing uses it."""

    id: int
    seed: int | None
    first_round: int
    left_after_round: int | None
    absent_rounds: list[int]
    client_seeds: list[str]  # in the order of their seats


class ProofResult(TypedDict):
    """A result as the pairing uses it."""

    round: int  # the number of the round it was published with
    match: str
    bracket_round: int
    game_number: int  # 2: a rematch
    attempt: int
    seats: list[int]  # one alone: a bye
    ranks: list[int] | None
    points: list[int]
    eights: list[int]
    forfeits: list[int]


class Proposal(TypedDict):
    """A proposal."""

    id: int
    kind: Literal["partner", "league-partner", "replacement", "co-organiser"]
    status: Literal["open", "accepted", "declined", "withdrawn", "lapsed"]
    tournament: str | None
    league: str | None
    proposer: str | None  # who asks
    player: str  # who is asked
    replaces: str | None  # for whom they would play on
    reason: str | None  # the reason; null for whoever does not organise it
    public_note: str  # for you and, once you have agreed to play on, for everybody
    # what the site has sealed of its part of the shuffles, before you bring your `client_seed`
    commitment: str | None
    created_at: str
    answered_at: str | None
    permissions: list[str]  # what you can do with it: accept, decline, withdraw


class ProposalPage(TypedDict):
    """One page of a list."""

    next: str | None  # the next page; null on the last one
    previous: str | None  # the page before; null on the first
    results: list[Proposal]  # in the order of the list


class Round(TypedDict):
    """A published round."""

    number: int
    published_at: str
    ends_at: str | None  # when what is still played is decided by its points
    pairing_count: int
    open_pairing_count: int  # pairings that are not settled
    warnings: list[Note]


class RoundList(TypedDict):
    """All published rounds."""

    results: list[Round]


class RoundPreview(TypedDict):
    """The preview of the next round."""

    state: Literal["round", "waiting", "finished"]
    round: int | None
    pairings: list[PlannedPairing]
    warnings: list[Note]
    matches: list[str]  # what has to end before
    champion: str | None


class SeatSource(TypedDict):
    """Where a seat of a bracket is filled from: a seed, or the rank in an earlier match."""

    seed: int | None
    match: str | None
    place: int


class SeedChange(TypedDict):
    """A change of the seeds by an organiser."""

    decision: int  # its id in the list of decisions, which tells the order
    at: str
    by: str | None
    count: int  # how many were seeded by hand from then on
    after_preview: bool  # whether an organiser had seen the draw by then


class SentNotice(TypedDict):
    """A notice sent about a turn, and its delivery."""

    kind: str
    created_at: str
    channel: Literal["mail", "webhook"]
    address: str  # in full for its reader alone
    status: str
    status_reason: str
    sent_at: str | None
    submitted_at: str | None  # when the other side may have taken it
    delivered_at: str | None
    bounced: bool
    opened_at: str | None


class Standing(TypedDict):
    """A row of the standings."""

    rank: int
    entrant: int
    name: str
    played: int
    byes: int
    withdrawn: bool
    criteria: list[CriterionValue]
    separated_by: str | None  # what puts it behind the line above
    former_players: list[FormerPlayer]


class Standings(TypedDict):
    """The standings and their columns."""

    criteria: list[CriterionColumn]
    lines: list[Standing]


class Timeout(TypedDict):
    """A timeout, with the notices sent before."""

    seat: int
    entrant: int
    player: str | None
    turn: int  # the seq of the game when the turn began
    began_at: str | None
    deadline: str | None
    notices: list[SentNotice]  # what was sent of this turn, and what became of it
    outcome: str  # what the clock did
    seq: int
    at: str


class TimeoutEvidence(TypedDict):
    """The timeouts of a pairing."""

    results: list[Timeout]


class TournamentViewer(TypedDict):
    """The viewer's entry and permissions in a tournament."""

    organiser: bool
    entrant: int | None  # the id of the entrant that you play for
    status: Literal["waiting", "entered", "withdrawn", "disqualified"] | None
    confirmed: bool | None
    proposals: list[int]  # to play as a pair: what you asked or were asked, unanswered
    client_seed: str | None  # what your games here are shuffled with, beside our seed
    permissions: list[str]  # what you may do here now
