"""Types of the API: tournaments.

Generated from the OpenAPI document by `make schema`: do not edit.
"""

from __future__ import annotations

from typing import Any, Literal, TypedDict


class Appeal(TypedDict):
    """An appeal and its answer."""

    id: int  # to answer it by
    pairing: int  # the id of the pairing that it is about
    match: str  # the match of that pairing
    created_by: str | None  # the name of the player; null: the account was deleted
    created_at: str  # when it was filed
    text: str  # what the player says
    answer: str  # what an organiser answers; empty before
    answered_by: str | None  # the name of that organiser
    answered_at: str | None  # null: not answered yet


class AppealPage(TypedDict):
    """One page of a list."""

    next: str | None  # the next page; null on the last one
    previous: str | None  # the page before; null on the first
    results: list[Appeal]  # in the order of the list


class Bracket(TypedDict):
    """The bracket."""

    matches: list[BracketMatch]  # all of them, future ones too; empty before the start
    champion: str | None  # the name of the winner, once there is one


class BracketMatch(TypedDict):
    """A match of the bracket."""

    match: str  # the match's id in the tournament
    bracket: Literal["main", "winners", "losers", "final", "third"]  # which part of the bracket it is in
    round: int  # within that part
    stage: int  # over all parts: a later stage is a better finish
    state: str  # how far it is
    pending: bool  # by a correction others play it; the table they had waits to be given up
    advancing_count: int  # how many go on
    seats: list[BracketSeat]  # in the order of their sources
    notes: list[Note]  # how it was decided, if not by its game alone
    games: list[str]  # the ids of its games, in order


class BracketSeat(TypedDict):
    """A seat of a bracket match."""

    entrant: int | None  # the id of the entrant; null: not known yet
    name: str | None  # who played here; null: not known yet
    place: int | None  # in this match, once it is decided
    source: SeatSource  # where it is filled from


class CorrectedResult(TypedDict):
    """A result before and after a correction."""

    decision: int  # its id in the list of decisions
    at: str  # when it was corrected
    pairing: int | None  # the id of the pairing
    before: dict[str, Any] | None  # as rounds were paired by until then
    after: dict[str, Any] | None  # as rounds are paired by from then on


class CriterionColumn(TypedDict):
    """A column of the standings."""

    key: str  # as the lines name it
    name: str  # the heading, in your language
    explanation: str  # in words, in your language


class CriterionValue(TypedDict):
    """The value of a criterion in the standings; None where it does not apply."""

    key: str  # the criterion, as `criteria` of the standings explains it
    value: float | None  # null where it does not apply


class Decision(TypedDict):
    """A decision of an organiser."""

    id: int  # later decisions have larger ids
    created_at: str  # when it was made
    created_by: str | None  # the name of the organiser; null: the account was deleted
    # edit, seeds, preview, proceed, extend, correct, disqualify, replace, remove, cancel, co-organiser,
    # undo-…
    action: str
    reason: str | None  # the reason; null for whoever does not organise it
    public_note: str  # for everybody; empty once the decision was undone
    pairing: int | None  # the id of the pairing that it is about
    entrant: int | None  # the id of the entrant that it is about
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
    undoes: int | None  # the id of the decision that it undoes
    undone: bool  # whether a later decision undoes it


class DecisionPage(TypedDict):
    """One page of a list."""

    next: str | None  # the next page; null on the last one
    previous: str | None  # the page before; null on the first
    results: list[Decision]  # in the order of the list


class DrawPreview(TypedDict):
    """A preview of the draw by an organiser."""

    at: str  # when they looked first
    by: str | None  # the name of the organiser; null: the account was deleted


class Entrant(TypedDict):
    """An entrant: a player or a pair."""

    id: int  # as pairings and standings name it
    name: str  # of the player, or of both
    players: list[str]  # the names of who plays for it, in the order of their seats
    status: Literal["waiting", "entered", "withdrawn", "disqualified"]  # where it stands
    seed: int | None  # 1 is the strongest; null: by lot, behind those who have one
    first_round: int  # the first round to play in
    left_after_round: int | None  # the last round that had begun when they left
    absent_rounds: list[int]  # rounds to sit out
    confirmed: bool  # whether they have said that they will play
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

    # what numbers those who are not seeded by hand; division: the order in a league
    seeding: Literal["lot", "rating", "division"]
    seeds_logged: bool  # false: made before seeds set by hand and previews were logged
    seeded_by_hand: list[int]  # ids of entrants, the first seed first
    seed_changes: list[SeedChange]  # seeds that organisers set, the newest 100, oldest first
    previews: list[DrawPreview]  # organisers who saw the draw before the start
    code: str  # the id of the tournament, which the lots are derived with
    commitment: str  # the SHA-256 of the seed, public before anyone could enter
    seed: str | None  # in hexadecimal; null until it is over
    event_commitment: str  # the same as `commitment`
    event_seed: str | None  # the same as `seed`
    format: str  # how entrants are paired
    table_size: int  # entrants at a table, at most
    entrants: list[ProofEntrant]  # all that were ever paired
    results: list[ProofResult]  # of all pairings that count, in the order of publication
    corrections: list[CorrectedResult]  # results that were changed, oldest first
    round_count: int | None  # of Swiss, and of a round robin at tables of 3 and 4; null: as many as it takes
    cycles: int  # round robin: how often two meet
    all_rounds_at_once: bool  # round robin: all rounds begin together
    advancing_count: int  # knock-out: how many go on from a table of 3 or 4
    third_place: bool  # knock-out at tables of 2


class FormerPlayer(TypedDict):
    """A player who was replaced."""

    position: int  # 1, or 2 for the second of a pair
    player: str | None  # the name; null: the account was deleted
    since_round: int  # from which round on somebody else has played


class LeagueReference(TypedDict):
    """The league, season, division and group that a tournament belongs to."""

    id: str  # the id of the league
    name: str  # the name of the league
    season: int  # the number of the season
    division: int  # the number of the division, 1 is the highest
    group: int  # the number of the group in its division


class NamedEntrant(TypedDict):
    """An entrant with its name."""

    entrant: int  # the id of the entrant
    name: str  # its name


class Note(TypedDict):
    """A reason or a warning: its code, and details that depend on the code."""

    code: str  # what it says; further members are its facts, entrants by their ids


class Pairing(TypedDict):
    """A pairing in a list."""

    id: int  # in the whole site
    match: str  # the match's id in the tournament: what seeds of its games are derived with
    round: int  # the number of the round it was published with
    bracket_round: int  # the round of the bracket, or of the schedule
    rematch: bool  # whether an earlier game of the match was level
    game_number: int  # of the match: 2 and more are rematches
    attempt: int  # 2 and more: a corrected result made the earlier ones void
    state: Literal["bye", "over", "playing"]  # how far it is
    game: str | None  # the id of the game; null: a bye
    ends_at: str | None  # when it is decided by its points if it is still played
    settled_at: str | None  # when its result was written
    by: str | None  # game, adjudication, organiser; null: a bye, or no result yet
    seats: list[PairingSeat]  # in the order of play
    reasons: list[Note]  # why these meet, and sit so


class PairingDetail(TypedDict):
    """A pairing with its reasons as text."""

    id: int  # in the whole site
    match: str  # the match's id in the tournament: what seeds of its games are derived with
    round: int  # the number of the round it was published with
    bracket_round: int  # the round of the bracket, or of the schedule
    rematch: bool  # whether an earlier game of the match was level
    game_number: int  # of the match: 2 and more are rematches
    attempt: int  # 2 and more: a corrected result made the earlier ones void
    state: Literal["bye", "over", "playing"]  # how far it is
    game: str | None  # the id of the game; null: a bye
    ends_at: str | None  # when it is decided by its points if it is still played
    settled_at: str | None  # when its result was written
    by: str | None  # game, adjudication, organiser; null: a bye, or no result yet
    seats: list[PairingSeat]  # in the order of play
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

    entrant: int  # the id of the entrant
    name: str  # who played here, whoever plays for the entrant now
    former_players: list[str]  # who began this game for them, and was replaced
    rank: int | None  # 1 is the best, level seats share it; null: no result yet
    points: int | None  # points of the game; null: no result yet
    eights: int | None  # how many eights; null: no result yet
    forfeit: bool  # did not play to the end
    timeout: bool  # because their time was up


class PlannedPairing(TypedDict):
    """A pairing of the previewed round."""

    match: str  # the match's id in the tournament
    bracket_round: int  # the round of the bracket, or of the schedule
    rematch: bool  # whether an earlier game of the match was level
    seats: list[NamedEntrant]  # in the order of play
    reasons: list[Note]  # why these meet, and sit so


class ProofEntrant(TypedDict):
    """An entrant as the pairing uses it."""

    id: int  # as results name it
    seed: int | None  # 1 is the strongest; null: by lot, behind those who have one
    first_round: int  # the first round to play in
    left_after_round: int | None  # the last round that had begun when they left
    absent_rounds: list[int]  # rounds to sit out
    client_seeds: list[str]  # in the order of their seats


class ProofResult(TypedDict):
    """A result as the pairing uses it; without ranks it is a bye, or still being played."""

    round: int  # the number of the round it was published with
    match: str  # the match's id in the tournament
    bracket_round: int  # the round of the bracket, or of the schedule
    game_number: int  # 2: a rematch
    attempt: int  # 2 and more: a corrected result made the earlier ones void
    seats: list[int]  # one alone: a bye
    ranks: list[int] | None  # by seat, 1 is the best; null: a bye, or no result yet
    points: list[int]  # of the game, by seat
    eights: list[int]  # by seat
    forfeits: list[int]  # ids of entrants who did not play to the end


class Proposal(TypedDict):
    """A proposal."""

    id: int  # to answer it by
    kind: Literal["partner", "league-partner", "replacement", "co-organiser"]  # what is proposed
    status: Literal["open", "accepted", "declined", "withdrawn", "lapsed"]  # whether and how it was answered
    tournament: str | None  # the id of the tournament that it is about
    league: str | None  # the id of the league that it is about
    proposer: str | None  # who asks
    player: str  # who is asked
    replaces: str | None  # for whom they would play on
    reason: str | None  # the reason; null for whoever does not organise it
    public_note: str  # for you and, once you have agreed to play on, for everybody
    # what the site has sealed of its part of the shuffles, before you bring your `client_seed`
    commitment: str | None
    created_at: str  # when it was made
    answered_at: str | None  # null: not answered yet
    permissions: list[str]  # what you can do with it: accept, decline, withdraw


class ProposalPage(TypedDict):
    """One page of a list."""

    next: str | None  # the next page; null on the last one
    previous: str | None  # the page before; null on the first
    results: list[Proposal]  # in the order of the list


class Round(TypedDict):
    """A published round."""

    number: int  # from 1, in the order of publication
    published_at: str  # when its pairings became public
    ends_at: str | None  # when what is still played is decided by its points
    pairing_count: int  # pairings, byes too
    open_pairing_count: int  # pairings that are not settled
    warnings: list[Note]  # what its organisers were warned about


class RoundList(TypedDict):
    """All published rounds."""

    results: list[Round]  # the first round first


class RoundPreview(TypedDict):
    """The preview of the next round."""

    state: Literal["round", "waiting", "finished"]  # whether a round can be paired now
    round: int | None  # its number; null: it is over
    pairings: list[PlannedPairing]  # what would be published
    warnings: list[Note]  # what an organiser should know before
    matches: list[str]  # what has to end before
    champion: str | None  # the name of the winner, if it is over


class SeatSource(TypedDict):
    """What fills a seat of a match: a seed, a place in an earlier match, or nothing (a bye)."""

    seed: int | None  # the number in the draw
    match: str | None  # the earlier match
    place: int  # the place in that match


class SeedChange(TypedDict):
    """A change of the seeds by an organiser."""

    decision: int  # its id in the list of decisions, which tells the order
    at: str  # when it was made
    by: str | None  # the name of the organiser; null: the account was deleted
    count: int  # how many were seeded by hand from then on
    after_preview: bool  # whether an organiser had seen the draw by then


class SentNotice(TypedDict):
    """A notice sent about a turn, and its delivery."""

    kind: str  # what it is about
    created_at: str  # when it was due
    channel: Literal["mail", "webhook", "push"]  # how it was sent
    address: str  # in full for its reader alone
    status: str  # what became of it
    status_reason: str  # why it was not sent, for its reader alone; else empty
    sent_at: str | None  # when it was sent; null: not sent
    submitted_at: str | None  # when the other side may have taken it
    delivered_at: str | None  # when the other side had it, if it said so
    bounced: bool  # whether the other side refused it
    opened_at: str | None  # when its link was first followed


class Standing(TypedDict):
    """A row of the standings."""

    rank: int  # 1 is the best, level lines share it
    entrant: int  # the id of the entrant
    name: str  # its name
    played: int  # games that count
    byes: int  # rounds without an opponent
    withdrawn: bool  # whether they have left
    criteria: list[CriterionValue]  # all tie-breaks, the weightiest first
    separated_by: str | None  # what puts it behind the line above
    former_players: list[FormerPlayer]  # who played for it before


class Standings(TypedDict):
    """The standings and their columns."""

    criteria: list[CriterionColumn]  # the columns, the weightiest first
    lines: list[Standing]  # the best first; empty before the start


class Timeout(TypedDict):
    """A timeout, with the notices sent before."""

    seat: int  # the seat in the game
    entrant: int  # the id of the entrant who sits there
    player: str | None  # who played there then; null: they have left
    turn: int  # the seq of the game when the turn began
    began_at: str | None  # when the turn began
    deadline: str | None  # until when it lasted, as it was announced
    notices: list[SentNotice]  # what was sent of this turn, and what became of it
    outcome: str  # what the clock did
    seq: int  # the seq of the game after it
    at: str  # when the clock did it


class TimeoutEvidence(TypedDict):
    """The timeouts of a pairing."""

    results: list[Timeout]  # oldest first


class TournamentViewer(TypedDict):
    """The viewer's entry and permissions in a tournament."""

    organiser: bool  # whether you organise it
    entrant: int | None  # the id of the entrant that you play for
    # where your entrant stands; null: you have not entered
    status: Literal["waiting", "entered", "withdrawn", "disqualified"] | None
    confirmed: bool | None  # whether your entry is confirmed; null: you have not entered
    proposals: list[int]  # to play as a pair: what you asked or were asked, unanswered
    client_seed: str | None  # what your games here are shuffled with, beside our seed
    permissions: list[str]  # what you may do here now
