"""Read models of a tournament: summary, details, entrants, rounds, decisions, appeals."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated, Any, Literal, TypedDict, cast

from games.options import list_option_types
from tournaments.models import Entrant, Tournament
from tournaments.models.rounds import ResultSource
from tournaments.options import GAME_SETTINGS_OPTIONS, TOURNAMENT_OPTIONS

PUBLIC_STATUSES = {
    Tournament.Status.DRAFT: "draft",
    Tournament.Status.PUBLISHED: "published",
    Tournament.Status.RUNNING: "running",
    Tournament.Status.FINISHED: "over",  # as games say it
    Tournament.Status.CANCELLED: "cancelled",
}
PublicStatus = Literal["draft", "published", "running", "over", "cancelled"]
SETTING_TYPES = list_option_types(TOURNAMENT_OPTIONS | GAME_SETTINGS_OPTIONS)


def get_public_status(tournament: Tournament) -> PublicStatus:
    """Return the status of a tournament as the API names it."""
    return cast(PublicStatus, PUBLIC_STATUSES[Tournament.Status(tournament.status)])


@dataclass(frozen=True)
class NoteData:
    """A reason or a warning: its code, and details that depend on the code."""

    code: Annotated[
        str, "What the note says. Further members are its details; entrants are named by their `id`."
    ]
    details: Mapping[str, Any] = field(metadata={"inline": {}})  # the code, too

    @classmethod
    def build_list(cls, notes: list[dict[str, Any]]) -> list[NoteData]:
        """Build the notes that a row stores."""
        return [cls(note["code"], note) for note in notes]


@dataclass(frozen=True)
class TournamentSummaryData:
    """A tournament in a list."""

    id: Annotated[str, "The id, as in addresses of pages and of the API."]
    name: Annotated[str, "The name that the organiser gave it."]
    format: Annotated[
        Tournament.Format, "How we pair entrants: knock-out, double knock-out, round robin or Swiss."
    ]
    status: Annotated[PublicStatus, "The status of the tournament."]
    mode: Annotated[Tournament.Mode, "Whether entrants are single players or pairs."]
    table_size: Annotated[int, "How many entrants sit at a table at most, 2 to 4."]
    clock: Annotated[str, "The time control of its games."]
    rated: Annotated[bool, "Whether its games count for ratings."]
    organiser: Annotated[str | None, "The name of the organiser; null if the account was deleted."]
    entered: Annotated[int, "How many entrants have a place."]
    capacity: Annotated[int | None, "How many entrants can have a place; null for no limit."]
    created_at: Annotated[datetime, "When the draft was created."]
    opens_at: Annotated[datetime | None, "When entries open; null for at once."]
    closes_at: Annotated[datetime | None, "When entries close; null for at the start."]
    starts_at: Annotated[datetime | None, "When it starts; null if an organiser starts it."]
    started_at: Annotated[datetime | None, "When it started; null before."]
    finished_at: Annotated[datetime | None, "When it ended; null before."]


@dataclass(frozen=True)
class RoundData:
    """A published round."""

    number: Annotated[int, "The number of the round, in the order of publication; the first is 1."]
    published_at: Annotated[datetime, "When its pairings became public."]
    ends_at: Annotated[datetime | None, "When points decide the games that are not over; null for no limit."]
    pairing_count: Annotated[int, "How many pairings it has, byes included."]
    open_pairing_count: Annotated[int, "How many pairings have no result yet."]
    warnings: Annotated[list[NoteData], "What its organisers were warned about."]


@dataclass(frozen=True)
class RoundListData:
    """All published rounds."""

    results: Annotated[list[RoundData], "The rounds, the first one first."]


@dataclass(frozen=True)
class LeagueReference:
    """The league, season, division and group that a tournament belongs to."""

    id: Annotated[str, "The `id` of the league."]
    name: Annotated[str, "The name of the league."]
    season: Annotated[int, "The number of the season."]
    division: Annotated[int, "The number of the division; 1 is the highest."]
    group: Annotated[int, "The number of the group in its division."]


@dataclass(frozen=True)
class TournamentViewer:
    """The viewer's entry and permissions in a tournament."""

    organiser: Annotated[bool, "Whether you are an organiser."] = False
    entrant: Annotated[int | None, "The `id` of the entrant that you play for."] = None
    status: Annotated[Entrant.Status | None, "The status of your entry; null if you have not entered."] = None
    confirmed: Annotated[bool | None, "Whether your entry is confirmed; null if you have not entered."] = None
    proposals: Annotated[
        list[int], "Unanswered proposals to play as a pair, yours and those made to you."
    ] = field(default_factory=list)
    client_seed: Annotated[str | None, "Your part of the shuffles of your games here."] = None
    permissions: Annotated[list[str], "What you may do here now."] = field(default_factory=list)


@dataclass(frozen=True)
class TournamentData(TournamentSummaryData):
    """A tournament."""

    settings: Mapping[str, Any] = field(metadata={"inline": SETTING_TYPES})
    waiting: Annotated[int, "How many entrants are on the waiting list."]
    co_organisers: Annotated[list[str], "The names of the co-organisers."]
    hold_reason: Annotated[
        str | None,
        "Why it waits, for its organisers; otherwise null. `review`, `too-few`,"
        " `too-many-games`, `stale-at-end`, the code of its first warning, or"
        " `undecided-table`: a table counts again whose game ended while it did not, and"
        " its result has to be recorded.",
    ]
    waits_for_organiser: Annotated[bool, "Whether it waits for its organisers."]
    warnings: Annotated[list[NoteData], "For its organisers: warnings about the next round."]
    round: Annotated[RoundData | None, "The newest round; null before the first."]
    champions: Annotated[list[str], "The names of the winners; empty until it is over."]
    commitment: Annotated[str, "The same as `event_commitment`."]
    event_commitment: Annotated[str, "The SHA-256 of `event_seed`, public before anyone can enter."]
    event_seed: Annotated[str | None, "The seed in hexadecimal; null until the tournament is over."]
    league: Annotated[LeagueReference | None, "The league that it belongs to; null if it belongs to none."]
    you: Annotated[TournamentViewer, "Your entry, and what you may do."]


# ------------------------------------------------------------------------------------------------- entrants


@dataclass(frozen=True)
class FormerPlayer:
    """A player who was replaced."""

    position: Annotated[int, "1, or 2 for the second player of a pair."]
    player: Annotated[str | None, "The name of the player; null if the account was deleted."]
    since_round: Annotated[int, "The round from which on somebody else has played."]


@dataclass(frozen=True)
class EntrantData:
    """An entrant: a player or a pair."""

    id: Annotated[int, "The number of the entrant in pairings and standings."]
    name: Annotated[str, "The name of the player, or of both players of a pair."]
    players: Annotated[list[str], "The names of its players, in seat order."]
    bots: Annotated[list[str], "The names of its players that are bots."]
    status: Annotated[Entrant.Status, "Whether it takes part, is on the waiting list, or has left."]
    seed: Annotated[
        int | None, "The seed; 1 is the strongest. Null: drawn by lot, behind those who have one."
    ]
    first_round: Annotated[int, "The first round that it plays in."]
    left_after_round: Annotated[
        int | None, "The last round that had begun when it left; null while it takes part."
    ]
    absent_rounds: Annotated[list[int], "The numbers of the rounds that it sits out."]
    confirmed: Annotated[bool, "Whether the entry is confirmed."]
    client_seeds: Annotated[list[str], "The client seeds of those who play for it, in seat order."]
    rank: Annotated[int | None, "The final rank; null until the end."]
    former_players: Annotated[list[FormerPlayer], "The players who were replaced. They keep their results."]


@dataclass(frozen=True)
class TournamentInviteData:
    """An invitation to a tournament."""

    name: Annotated[str, "The name of the invited player."]
    created_at: Annotated[datetime, "When they were invited."]


# ---------------------------------------------------------------------------------- decisions and appeals


class StoredResultData(TypedDict, total=False):
    """The result of a table as it was stored. Lists are in seat order."""

    ranks: Annotated[list[int], "The rank of each side; 1 won."]
    points: Annotated[list[int | None], "The points of each side; null if unknown."]
    eights: Annotated[list[int], "How many times each side made an 8."]
    forfeits: Annotated[list[int], "The `id` of each entrant that resigned or ran out of time."]
    timeouts: Annotated[list[int], "The `id` of each entrant that ran out of time."]
    by: Annotated[ResultSource, "What decided: the game, points, an organiser or a bye."]


@dataclass(frozen=True)
class DecisionData:
    """A decision of an organiser."""

    id: Annotated[int, "The number of the decision. Later decisions have greater numbers."]
    created_at: Annotated[datetime, "When it was made."]
    created_by: Annotated[str | None, "The name of the organiser; null if the account was deleted."]
    action: Annotated[
        str,
        "What was decided: `edit`, `seeds`, `preview`, `proceed`, `extend`, `correct`,"
        " `disqualify`, `replace`, `remove`, `cancel`, `co-organiser`, or `undo-` with"
        " one of these.",
    ]
    reason: Annotated[str | None, "The reason; null unless you are an organiser."]
    public_note: Annotated[str, "The note for everybody; empty once the decision was undone."]
    pairing: Annotated[int | None, "The `id` of the pairing that it is about."]
    entrant: Annotated[int | None, "The `id` of the entrant that it is about."]
    player: Annotated[str | None, "The name of the player who plays or organises from then on."]
    was: Annotated[str | None, "The name of the player whom they replace."]
    result: Annotated[StoredResultData | None, "Of a correction: the new result."]
    result_before: Annotated[StoredResultData | None, "Of a correction: the old result."]
    until: Annotated[datetime | None, "Of an extension: the new end of the round."]
    changed: Annotated[dict[str, Any] | None, "Of an edit: the names of the settings that changed."]
    seeds: Annotated[list[int] | None, "Of `seeds`: the entrants seeded by hand, in order."]
    after_preview: Annotated[
        bool,
        "True if the decision changed the draw before the start (`seeds`, `edit`,"
        " `remove`, `replace`) after an organiser had seen it.",
    ]
    undoes: Annotated[int | None, "The `id` of the decision that it undoes."]
    undone: Annotated[bool, "Whether a later decision undoes it."]


@dataclass(frozen=True)
class AppealData:
    """An appeal and its answer."""

    id: Annotated[int, "Its number in addresses of the API."]
    pairing: Annotated[int, "The `id` of the pairing that it is about."]
    match: Annotated[str, "The match of that pairing, as in the records of its games."]
    created_by: Annotated[str | None, "The name of the player who filed it; null if the account was deleted."]
    created_at: Annotated[datetime, "When it was filed."]
    text: Annotated[str, "What the player says."]
    answer: Annotated[str | None, "The organiser's answer; null until then."]
    answered_by: Annotated[str | None, "The name of the organiser who answered."]
    answered_at: Annotated[datetime | None, "When it was answered; null until then."]
