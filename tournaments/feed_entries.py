"""Details of feed entries about tournaments and leagues, as types of their JSON."""

from __future__ import annotations

from typing import Annotated, NotRequired, TypedDict

from notifications.feed_entry_types import FeedEntryType
from tournaments.models.rounds import ResultSource
from tournaments.notice_kinds import NoticeReason, TournamentNoticeKind
from tournaments.read_models.tournaments import NoteData


class TournamentEntryDetailsData(TypedDict):
    """About a tournament: you are invited, it asks for your confirmation, or it starts."""

    tournament: Annotated[str, "The `id` of the tournament."]
    name: Annotated[str, "The name of the tournament."]
    game: NotRequired[Annotated[str, "The `id` of the game; null if there is none."]]


class ProposalEntryDetailsData(TypedDict):
    """Somebody asks you to become a partner, a replacement or a co-organiser, or has answered you."""

    tournament: NotRequired[Annotated[str, "The `id` of the tournament; null for a league."]]
    league: NotRequired[Annotated[str, "The `id` of the league; null for a tournament."]]
    name: Annotated[str, "The name of the tournament or league."]
    proposal: Annotated[int, "The `id` of the proposal."]
    answer: NotRequired[Annotated[str, "The new status of the proposal; null if it was not answered."]]


class PlaceEntryDetailsData(TournamentEntryDetailsData):
    """You have a place in the tournament: from the waiting list, or because you were readmitted."""

    reason: NotRequired[
        Annotated[NoticeReason, "`readmitted` if a disqualification was undone, otherwise null."]
    ]


class NewcomerEntryDetailsData(TournamentEntryDetailsData):
    """Somebody else plays on for an entrant at your table."""

    entrant: Annotated[int, "The `id` of the entrant."]
    player: Annotated[int | None, "The number of the account that plays on; null if it was deleted."]
    predecessor: Annotated[int | None, "The number of the account that played before; null if deleted."]


class PairingEntryDetailsData(TournamentEntryDetailsData):
    """Your next game in the tournament has been started."""

    match: Annotated[str, "The match in the tournament, as in the record of its game."]
    bracket_round: Annotated[int, "The number of the round in the bracket."]
    round_id: Annotated[int, "The number of the published round in the database."]


class RoundEndEntryDetailsData(TournamentEntryDetailsData):
    """The end of a round was set or changed."""

    round_id: Annotated[int, "The number of the published round in the database."]
    first: Annotated[bool, "Whether the round had no end before."]
    text: Annotated[str, "The public note of the organiser; may be empty."]


class ByeEntryDetailsData(TournamentEntryDetailsData):
    """You have no opponent in a round."""

    match: Annotated[str, "The match in the tournament."]
    bracket_round: Annotated[int, "The number of the round in the bracket."]


class ResultEntryDetailsData(TournamentEntryDetailsData):
    """The result of your table was recorded, corrected or taken back. Lists are in seat order."""

    match: Annotated[str, "The match in the tournament."]
    ranks: NotRequired[Annotated[list[int], "The rank of each side; 1 won. Null if there is no result."]]
    points: NotRequired[Annotated[list[int | None] | None, "The points of each side; null if unknown."]]
    eights: NotRequired[
        Annotated[list[int], "How many times each side made an 8; null if there is no result."]
    ]
    forfeits: NotRequired[
        Annotated[list[int], "The entrants that resigned or ran out of time; null if there is no result."]
    ]
    timeouts: NotRequired[
        Annotated[list[int], "The entrants that ran out of time; null if there is no result."]
    ]
    by: NotRequired[
        Annotated[ResultSource, "What decided: the game, points, an organiser or a bye; null if nothing did."]
    ]
    text: NotRequired[Annotated[str, "The public note of the organiser; null if there is none."]]
    taken_back: NotRequired[Annotated[bool, "True if a correction was undone, otherwise null."]]


class TableChangeEntryDetailsData(TournamentEntryDetailsData):
    """One of your tables no longer counts, or counts again."""

    match: Annotated[str, "The match in the tournament."]
    reason: Annotated[NoticeReason, "`void`: it counts no more; `undecided`: an organiser decides."]


class EndEntryDetailsData(TournamentEntryDetailsData):
    """The tournament is over, or a correction has changed your final rank."""

    before: NotRequired[Annotated[int | None, "Your final rank before the correction; null if none."]]
    after: NotRequired[Annotated[int | None, "Your final rank after the correction; null if none."]]


class NoteEntryDetailsData(TournamentEntryDetailsData):
    """The tournament was cancelled."""

    text: Annotated[str, "The public note of the organiser; may be empty."]


class OutEntryDetailsData(TournamentEntryDetailsData):
    """You no longer take part."""

    reason: Annotated[NoticeReason, "Why you are out."]
    text: NotRequired[Annotated[str, "The public note of the organiser; null if there is none."]]


class ReplacedEntryDetailsData(TournamentEntryDetailsData):
    """You play on for somebody else."""

    entrant: Annotated[int, "The `id` of the entrant that you play for."]
    games: Annotated[list[str], "The `id` of each game in which you have a seat now."]
    reason: NotRequired[Annotated[NoticeReason, "`put-back` if a replacement was undone, otherwise null."]]


class HeldEntryDetailsData(TournamentEntryDetailsData):
    """The tournament waits for you, its organiser."""

    reason: Annotated[str, "What it waits for."]
    warnings: Annotated[list[NoteData], "Why the next round needs your approval."]


class AppealEntryDetailsData(TournamentEntryDetailsData):
    """A player appeals to you as organiser, or your appeal was answered."""

    match: Annotated[str, "The match in the tournament."]
    appeal: Annotated[int, "The `id` of the appeal."]
    answered: NotRequired[Annotated[bool, "True if it was answered, otherwise null."]]


class LeagueEntryDetailsData(TypedDict):
    """About a league: your partner left, you were removed, it waits for its organiser, or a season."""

    league: Annotated[str, "The `id` of the league."]
    name: Annotated[str, "The name of the league."]
    season: NotRequired[Annotated[int, "The number of the season that began or ended, otherwise null."]]
    text: NotRequired[Annotated[str, "The public note of the organiser; null if there is none."]]


FEED_ENTRY_TYPES = (
    FeedEntryType(
        TournamentEntryDetailsData,
        (TournamentNoticeKind.INVITED, TournamentNoticeKind.CONFIRM, TournamentNoticeKind.START),
    ),
    FeedEntryType(
        ProposalEntryDetailsData,
        (
            TournamentNoticeKind.PARTNER_REQUEST,
            TournamentNoticeKind.REPLACEMENT_REQUEST,
            TournamentNoticeKind.CO_ORGANISER_REQUEST,
            TournamentNoticeKind.PROPOSAL_ANSWERED,
            TournamentNoticeKind.LEAGUE_PARTNER_REQUEST,
            TournamentNoticeKind.LEAGUE_CO_ORGANISER_REQUEST,
            TournamentNoticeKind.LEAGUE_PROPOSAL_ANSWERED,
        ),
    ),
    FeedEntryType(PlaceEntryDetailsData, (TournamentNoticeKind.PLACE,)),
    FeedEntryType(NewcomerEntryDetailsData, (TournamentNoticeKind.NEWCOMER,)),
    FeedEntryType(PairingEntryDetailsData, (TournamentNoticeKind.PAIRING,)),
    FeedEntryType(RoundEndEntryDetailsData, (TournamentNoticeKind.ROUND_END,)),
    FeedEntryType(ByeEntryDetailsData, (TournamentNoticeKind.BYE,)),
    FeedEntryType(ResultEntryDetailsData, (TournamentNoticeKind.RESULT,)),
    FeedEntryType(TableChangeEntryDetailsData, (TournamentNoticeKind.TABLE_CHANGE,)),
    FeedEntryType(EndEntryDetailsData, (TournamentNoticeKind.END,)),
    FeedEntryType(NoteEntryDetailsData, (TournamentNoticeKind.CANCELLED,)),
    FeedEntryType(OutEntryDetailsData, (TournamentNoticeKind.OUT,)),
    FeedEntryType(ReplacedEntryDetailsData, (TournamentNoticeKind.REPLACED,)),
    FeedEntryType(HeldEntryDetailsData, (TournamentNoticeKind.ON_HOLD,)),
    FeedEntryType(AppealEntryDetailsData, (TournamentNoticeKind.APPEAL,)),
    FeedEntryType(
        LeagueEntryDetailsData,
        (
            TournamentNoticeKind.LEAGUE_PARTNER_LEFT,
            TournamentNoticeKind.LEAGUE_OUT,
            TournamentNoticeKind.LEAGUE_ON_HOLD,
            TournamentNoticeKind.SEASON_START,
            TournamentNoticeKind.SEASON_END,
        ),
    ),
)
