"""Types of the API: tournaments.

Generated from the OpenAPI document by `make schema`: do not edit.
"""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict

from .games import Note


class Appeal(TypedDict):
    """An appeal and its answer."""

    id: int  # Its number in addresses of the API.
    pairing: int  # The `id` of the pairing that it is about.
    match: str  # The match of that pairing, as in the records of its games.
    created_by: str | None  # The name of the player who filed it; null if the account was deleted.
    created_at: str  # When it was filed.
    text: str  # What the player says.
    answer: str | None  # The organiser's answer; null until then.
    answered_by: str | None  # The name of the organiser who answered.
    answered_at: str | None  # When it was answered; null until then.


class AppealPage(TypedDict):
    """One page of a list."""

    next: str | None  # The address of the next page; null on the last page.
    previous: str | None  # The address of the previous page; null on the first page.
    results: list[Appeal]  # The items of this page, in order.


class Bracket(TypedDict):
    """The bracket."""

    matches: list[BracketMatch]  # All matches, future ones too. Empty before the start.
    champion: str | None  # The name of the winner; null until there is one.


class BracketMatch(TypedDict):
    """A match of the bracket."""

    match: str  # The match in the tournament, as in the records of its games.
    bracket: Literal["main", "winners", "losers", "final", "third"]  # The part of the bracket that it is in.
    round: int  # The number of the round within that part.
    stage: int  # The stage over all parts of the bracket. Leaving in a later stage is a better result.
    state: str  # Its status.
    pending: bool  # Whether a correction has changed its players while the old table still stands.
    advancing_count: int  # How many entrants go on from this match.
    seats: list[BracketSeat]  # The seats of the match, in the order of their sources.
    notes: list[Note]  # How it was decided, if not by its game alone.
    games: list[str]  # The `id` of each of its games, in order.


class BracketSeat(TypedDict):
    """A seat of a bracket match."""

    entrant: int | None  # The `id` of the entrant; null until it is known.
    name: str | None  # The name of the entrant; null until it is known.
    place: int | None  # The place in this match; null until it is decided.
    source: SeatSource  # Where this seat is filled from.


class CorrectedResult(TypedDict):
    """A result before and after a correction."""

    decision: int  # The `id` of the decision.
    at: str  # When it was corrected.
    pairing: int | None  # The `id` of the pairing.
    before: StoredResult | None  # The result by which rounds were paired until then.
    after: StoredResult | None  # The result by which rounds are paired from then on.


class CriterionColumn(TypedDict):
    """A column of the standings."""

    key: str  # The name of the criterion, as in the lines.
    name: str  # The heading of the column, in your language.
    explanation: str  # What the criterion means, in your language.


class CriterionValue(TypedDict):
    """The value of a criterion in the standings; null where it does not apply."""

    key: str  # The name of the criterion. `criteria` of the standings explains it.
    value: float | None  # The value; null where the criterion does not apply.


class Decision(TypedDict):
    """A decision of an organiser."""

    id: int  # The number of the decision. Later decisions have greater numbers.
    created_at: str  # When it was made.
    created_by: str | None  # The name of the organiser; null if the account was deleted.
    # What was decided: `edit`, `seeds`, `preview`, `proceed`, `extend`, `correct`, `disqualify`, `replace`,
    # `remove`, `cancel`, `co-organiser`, or `undo-` with one of these.
    action: str
    reason: str | None  # The reason; null unless you are an organiser.
    public_note: str  # The note for everybody; empty once the decision was undone.
    pairing: int | None  # The `id` of the pairing that it is about.
    entrant: int | None  # The `id` of the entrant that it is about.
    player: str | None  # The name of the player who plays or organises from then on.
    was: str | None  # The name of the player whom they replace.
    result: StoredResult | None  # Of a correction: the new result.
    result_before: StoredResult | None  # Of a correction: the old result.
    until: str | None  # Of an extension: the new end of the round.
    changed: dict[str, Any] | None  # Of an edit: the names of the settings that changed.
    seeds: list[int] | None  # Of `seeds`: the entrants seeded by hand, in order.
    # True if the decision changed the draw before the start (`seeds`, `edit`, `remove`, `replace`) after an
    # organiser had seen it.
    after_preview: bool
    undoes: int | None  # The `id` of the decision that it undoes.
    undone: bool  # Whether a later decision undoes it.


class DecisionPage(TypedDict):
    """One page of a list."""

    next: str | None  # The address of the next page; null on the last page.
    previous: str | None  # The address of the previous page; null on the first page.
    results: list[Decision]  # The items of this page, in order.


class DrawPreview(TypedDict):
    """A preview of the draw by an organiser."""

    at: str  # When that organiser first looked at the draw.
    by: str | None  # The name of the organiser; null if the account was deleted.


class Entrant(TypedDict):
    """An entrant: a player or a pair."""

    id: int  # The number of the entrant in pairings and standings.
    name: str  # The name of the player, or of both players of a pair.
    players: list[str]  # The names of its players, in seat order.
    bots: list[str]  # The names of its players that are bots.
    # Whether it takes part, is on the waiting list, or has left.
    status: Literal["waiting", "entered", "withdrawn", "disqualified"]
    seed: int | None  # The seed; 1 is the strongest. Null: drawn by lot, behind those who have one.
    first_round: int  # The first round that it plays in.
    left_after_round: int | None  # The last round that had begun when it left; null while it takes part.
    absent_rounds: list[int]  # The numbers of the rounds that it sits out.
    confirmed: bool  # Whether the entry is confirmed.
    client_seeds: list[str]  # The client seeds of those who play for it, in seat order.
    rank: int | None  # The final rank; null until the end.
    former_players: list[FormerPlayer]  # The players who were replaced. They keep their results.


class EntrantPage(TypedDict):
    """One page of a list."""

    next: str | None  # The address of the next page; null on the last page.
    previous: str | None  # The address of the previous page; null on the first page.
    results: list[Entrant]  # The items of this page, in order.


class FairnessProof(TypedDict):
    """Everything that the pairings follow from."""

    # How entrants that are not seeded by hand get their numbers; `division` is the order in a league.
    seeding: Literal["lot", "rating", "division"]
    seeds_logged: bool  # False if the tournament was made before seeds set by hand and previews were logged.
    seeded_by_hand: list[int]  # The `id` of each entrant that was seeded by hand, the first seed first.
    seed_changes: list[SeedChange]  # The last 100 changes of seeds by organisers, oldest first.
    previews: list[DrawPreview]  # The organisers who saw the draw before the start.
    id: str  # The `id` of the tournament, from which the lots are derived.
    commitment: str  # The SHA-256 of the seed, which was public before anyone could enter.
    seed: str | None  # The seed in hexadecimal; null until the tournament is over.
    event_commitment: str  # The same as `commitment`.
    event_seed: str | None  # The same as `seed`.
    format: str  # How we pair entrants: knock-out, double knock-out, round robin or Swiss.
    table_size: int  # How many entrants sit at a table at most, 2 to 4.
    entrants: list[ProofEntrant]  # All entrants that were ever paired.
    results: list[ProofResult]  # The results of all pairings that count, in the order of publication.
    corrections: list[CorrectedResult]  # The results that were changed, oldest first.
    # The number of rounds, in Swiss and in round robins at tables of 3 and 4. Null: as many as it takes.
    round_count: int | None
    cycles: int  # Round robin: how many times two entrants meet.
    all_rounds_at_once: bool  # Round robin: whether all rounds begin together.
    advancing_count: int  # Knock-out: how many entrants go on from a table of 3 or 4.
    third_place: bool  # Knock-out at tables of 2: whether the third place is played for.


class FormerPlayer(TypedDict):
    """A player who was replaced."""

    position: int  # 1, or 2 for the second player of a pair.
    player: str | None  # The name of the player; null if the account was deleted.
    since_round: int  # The round from which on somebody else has played.


class NamedEntrant(TypedDict):
    """An entrant with its name."""

    entrant: int  # The `id` of the entrant.
    name: str  # The name of the entrant.


class Pairing(TypedDict):
    """A pairing in a list."""

    id: int  # The number of the pairing, unique on the site.
    match: str  # The match in the tournament, from which the seeds of its games are derived.
    round: int  # The number of the round in which it was published.
    bracket_round: int  # The round of the bracket or of the schedule.
    rematch: bool  # Whether an earlier game of the match was level.
    game_number: int  # The number of the game in its match. From 2 on they are rematches.
    attempt: int  # The attempt; more than 1 if a corrected result made earlier ones void.
    state: Literal["bye", "over", "playing"]  # Its status.
    game: str | None  # The `id` of the game; null for a bye.
    ends_at: str | None  # When points decide the game if it is not over; null for no limit.
    settled_at: str | None  # When the result was recorded; null before.
    # What decided it: `game`, `adjudication` or `organiser`; null for a bye, or if there is no result yet.
    by: Literal["game", "adjudication", "organiser"] | None
    seats: list[PairingSeat]  # The entrants, in the order of play.
    reasons: list[Note]  # The reasons for this pairing and its seat order.


class PairingDetail(TypedDict):
    """A pairing with its reasons as text."""

    id: int  # The number of the pairing, unique on the site.
    match: str  # The match in the tournament, from which the seeds of its games are derived.
    round: int  # The number of the round in which it was published.
    bracket_round: int  # The round of the bracket or of the schedule.
    rematch: bool  # Whether an earlier game of the match was level.
    game_number: int  # The number of the game in its match. From 2 on they are rematches.
    attempt: int  # The attempt; more than 1 if a corrected result made earlier ones void.
    state: Literal["bye", "over", "playing"]  # Its status.
    game: str | None  # The `id` of the game; null for a bye.
    ends_at: str | None  # When points decide the game if it is not over; null for no limit.
    settled_at: str | None  # When the result was recorded; null before.
    # What decided it: `game`, `adjudication` or `organiser`; null for a bye, or if there is no result yet.
    by: Literal["game", "adjudication", "organiser"] | None
    seats: list[PairingSeat]  # The entrants, in the order of play.
    reasons: list[Note]  # The reasons for this pairing and its seat order.
    words: list[str]  # The reasons as sentences, in your language.
    is_void: bool  # True if a corrected result made the pairing meaningless.


class PairingPage(TypedDict):
    """One page of a list."""

    next: str | None  # The address of the next page; null on the last page.
    previous: str | None  # The address of the previous page; null on the first page.
    results: list[Pairing]  # The items of this page, in order.


class PairingSeat(TypedDict):
    """A seat of a pairing."""

    entrant: int  # The `id` of the entrant.
    name: str  # The name of the player of this game, even if the entrant has another player now.
    former_players: list[str]  # The players who were replaced during this game.
    rank: int | None  # The rank; 1 is the best, and equal seats share it. Null if there is no result yet.
    points: int | None  # The points of the game; null if there is no result yet.
    eights: int | None  # How many times they made an 8; null if there is no result yet.
    forfeit: bool  # Whether the seat did not play to the end.
    timeout: bool  # Whether that was because of a timeout.


class PlannedPairing(TypedDict):
    """A pairing of the previewed round."""

    match: str  # The match in the tournament, as in the records of its games.
    bracket_round: int  # The round of the bracket or of the schedule.
    rematch: bool  # Whether an earlier game of the match was level.
    seats: list[NamedEntrant]  # The entrants, in the order of play.
    reasons: list[Note]  # The reasons for this pairing and its seat order.


class ProofEntrant(TypedDict):
    """An entrant as the pairing uses it."""

    id: int  # The number by which results name the entrant.
    seed: int | None  # The seed; 1 is the strongest. Null: drawn by lot, behind those who have one.
    first_round: int  # The first round that it plays in.
    left_after_round: int | None  # The last round that had begun when it left; null while it takes part.
    absent_rounds: list[int]  # The numbers of the rounds that it sits out.
    client_seeds: list[str]  # The client seeds, in seat order.


class ProofResult(TypedDict):
    """A result as the pairing uses it; without ranks it is a bye, or still being played."""

    round: int  # The number of the round in which it was published.
    match: str  # The match in the tournament, as in the records of its games.
    bracket_round: int  # The round of the bracket or of the schedule.
    game_number: int  # The number of the game in its match; 2 is a rematch.
    attempt: int  # The attempt; more than 1 if a corrected result made earlier ones void.
    seats: list[int]  # The entrants in seat order. A single entrant has a bye.
    # The rank of each seat, in seat order; 1 is the best. Null for a bye, or if there is no result yet.
    ranks: list[int] | None
    points: list[int]  # The points of each seat in the game, in seat order.
    eights: list[int]  # How many times each seat made an 8, in seat order.
    forfeits: list[int]  # The `id` of each entrant that did not play to the end.


class Proposal(TypedDict):
    """A proposal."""

    id: int  # Its number in addresses of the API.
    # The proposed role: partner, replacement or co-organiser.
    kind: Literal["partner", "league-partner", "replacement", "co-organiser"]
    status: Literal["open", "accepted", "declined", "withdrawn", "lapsed"]  # Whether and how it was answered.
    tournament: str | None  # The `id` of the tournament that it is about; null for a league.
    league: str | None  # The `id` of the league that it is about; null for a tournament.
    proposer: str | None  # The name of the player who asks.
    player: str  # The name of the player who is asked.
    replaces: str | None  # The name of the player for whom they would play on.
    reason: str | None  # The reason; null unless you are an organiser.
    public_note: str  # A note for the player who is asked, and for everybody once they play on.
    # The commitment to the site's part of the shuffles, published before you bring your `client_seed`.
    commitment: str | None
    created_at: str  # When it was made.
    answered_at: str | None  # When it was answered; null until then.
    permissions: list[str]  # What you can do with it: `accept`, `decline` or `withdraw`.


class ProposalPage(TypedDict):
    """One page of a list."""

    next: str | None  # The address of the next page; null on the last page.
    previous: str | None  # The address of the previous page; null on the first page.
    results: list[Proposal]  # The items of this page, in order.


class Round(TypedDict):
    """A published round."""

    number: int  # The number of the round, in the order of publication; the first is 1.
    published_at: str  # When its pairings became public.
    ends_at: str | None  # When points decide the games that are not over; null for no limit.
    pairing_count: int  # How many pairings it has, byes included.
    open_pairing_count: int  # How many pairings have no result yet.
    warnings: list[Note]  # What its organisers were warned about.


class RoundList(TypedDict):
    """All published rounds."""

    results: list[Round]  # The rounds, the first one first.


class RoundPreview(TypedDict):
    """The preview of the next round."""

    state: Literal["round", "waiting", "over"]  # Whether a round can be paired now.
    round: int | None  # The number of the round; null if the tournament is over.
    pairings: list[PlannedPairing]  # The pairings that would be published.
    warnings: list[Note]  # What an organiser should know before they are published.
    matches: list[str]  # The matches that have to end before.
    champion: str | None  # The name of the winner, if the tournament is over.


class SeatSource(TypedDict):
    """The source of a seat of a match: a seed, a place in an earlier match, or nothing (a bye)."""

    seed: int | None  # The seed number in the draw.
    match: str | None  # The earlier match.
    place: int  # The place in that match.


class SeedChange(TypedDict):
    """A change of the seeds by an organiser."""

    decision: int  # The `id` of the decision. Greater numbers are later.
    at: str  # When it was made.
    by: str | None  # The name of the organiser; null if the account was deleted.
    count: int  # How many were seeded by hand from then on.
    after_preview: bool  # Whether an organiser had seen the draw by then.


class SentNotice(TypedDict):
    """A notification sent about a turn, and its delivery."""

    kind: str  # What it is about.
    created_at: str  # When it was due.
    channel: Literal["mail", "webhook", "push"]  # How it was sent.
    address: str  # Where it was sent to; in full only for its reader.
    status: str  # The status of its delivery.
    status_reason: str | None  # Why it was not sent, for its reader only; otherwise empty.
    sent_at: str | None  # When it was sent; null if it was not.
    submitted_at: str | None  # When the other side may have taken it.
    delivered_at: str | None  # When the other side reported that it arrived.
    bounced: bool  # Whether the other side refused it.
    opened_at: str | None  # When its link was first followed.


class Standing(TypedDict):
    """A row of the standings."""

    rank: int  # The rank; 1 is the best, and equal lines share it.
    entrant: int  # The `id` of the entrant.
    name: str  # The name of the entrant.
    played: int  # How many games count.
    byes: int  # How many rounds without an opponent.
    withdrawn: bool  # Whether they have left.
    criteria: list[CriterionValue]  # The value of every tie-break, the weightiest first.
    separated_by: str | None  # The tie-break that puts it behind the line above.
    former_players: list[FormerPlayer]  # Its former players.


class Standings(TypedDict):
    """The standings and their columns."""

    criteria: list[CriterionColumn]  # The columns, the weightiest first.
    lines: list[Standing]  # The entrants, the best first. Empty before the start.


class StoredResult(TypedDict):
    """The result of a table as it was stored. Lists are in seat order."""

    ranks: NotRequired[list[int]]  # The rank of each side; 1 won.
    points: NotRequired[list[int | None]]  # The points of each side; null if unknown.
    eights: NotRequired[list[int]]  # How many times each side made an 8.
    forfeits: NotRequired[list[int]]  # The `id` of each entrant that resigned or ran out of time.
    timeouts: NotRequired[list[int]]  # The `id` of each entrant that ran out of time.
    # What decided: the game, points, an organiser or a bye.
    by: NotRequired[Literal["game", "adjudication", "organiser", "bye"]]


class Timeout(TypedDict):
    """A timeout, with the notifications sent before."""

    seat: int  # The seat in the game.
    entrant: int  # The `id` of the entrant that sits there.
    player: str | None  # The name of the player there then; null if the account was deleted.
    turn: int  # The `seq` of the game when the turn began.
    began_at: str | None  # When the turn began.
    deadline: str | None  # The deadline that we announced for the turn.
    notices: list[SentNotice]  # The notifications that we sent about this turn, with their status.
    outcome: str  # The outcome of the timeout.
    seq: int  # The `seq` of the game afterwards.
    at: str  # When the time ran out.
