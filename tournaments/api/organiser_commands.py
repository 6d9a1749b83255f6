"""What organisers do in a tournament; every decision is logged, and most can be undone."""

from __future__ import annotations

from functools import partial
from typing import Any

from tournaments.read_models.tournaments import AppealData, DecisionData, TournamentData, TournamentInviteData
from tournaments.selectors.proposals import ProposalData
from tournaments.services import (
    appeals,
    co_organisers,
    decision_undo,
    decisions,
    entries,
    removals,
    replacements,
    tournaments,
)

from . import request_serializers as requests
from .commands import Command, with_named_player

TournamentCommand = partial(Command, response=TournamentData)
DecisionCommand = partial(Command, response=DecisionData, status=201)


def answer_appeal(*, appeal: int, **arguments: Any) -> Any:
    """Answer the appeal of the URL."""
    return appeals.answer_appeal(appeal_id=appeal, **arguments)


INVITE_PLAYER = Command(
    "tournaments.invite",
    "Somebody may enter, and is told so: at once or, if it is a draft, when it is published.",
    tournaments.invite_player,
    requests.PlayerNameSerializer,
    TournamentInviteData,
    status=201,
    players={"name": "player"},
)

ORGANISER_COMMANDS = {
    "publish/": TournamentCommand(
        "tournaments.publish",
        "Let people enter, and tell those whom you have invited.",
        tournaments.publish_tournament,
    ),
    "start/": TournamentCommand(
        "tournaments.start",
        "Start with the current entrants; it happens within a minute.",
        tournaments.start_tournament,
    ),
    "cancel/": TournamentCommand(
        "tournaments.cancel",
        "Cancel the tournament for good; running games no longer count.",
        tournaments.cancel_tournament,
        requests.DecisionReasonSerializer,
    ),
    "seeds/": TournamentCommand(
        "tournaments.seeds",
        "Set the seed order before the start; who set it, and when, is public.",
        entries.set_seeds,
        requests.SeedOrderSerializer,
        method="put",
    ),
    "invites/<str:name>/": Command(
        "tournaments.uninvite",
        "Withdraw the invite of a player who has not entered.",
        with_named_player(tournaments.withdraw_invite),
        method="delete",
    ),
    "co-organisers/": Command(
        "tournaments.help",
        "Ask a player to become a co-organiser: they can do nothing until they accept the proposal.",
        co_organisers.ask_tournament_co_organiser,
        requests.PlayerNameSerializer,
        ProposalData,
        status=201,
        players={"name": "player"},
    ),
    "co-organisers/<str:name>/": Command(
        "tournaments.unhelp",
        "Remove a co-organiser, or withdraw the proposal to become one; also yourself.",
        with_named_player(co_organisers.remove_tournament_co_organiser),
        method="delete",
    ),
    "proceed/": DecisionCommand(
        "tournaments.proceed",
        "Approve the round that waits for you, with its warnings.",
        decisions.approve_round,
    ),
    "extend/": DecisionCommand(
        "tournaments.extend",
        "A round ends later, or at all: then those who play in it are told. No end is moved forward.",
        decisions.extend_round,
        requests.ExtendRoundSerializer,
    ),
    "correct/": DecisionCommand(
        "tournaments.correct",
        "Correct the result of a table; everything that follows from it is computed again.\n\n"
        "If the tournament was over and final ranks change, send `confirmed` to do it all the same. Players\n"
        "whose rank changes are notified.",
        decisions.correct_result,
        requests.CorrectResultSerializer,
    ),
    "disqualify/": DecisionCommand(
        "tournaments.disqualify",
        "Disqualify an entrant; their games there are resigned.",
        decisions.disqualify_entrant,
        requests.DisqualifyEntrantSerializer,
    ),
    "remove/": DecisionCommand(
        "tournaments.remove",
        "Remove an entrant before the start, or from the waitlist; they are notified.\n\n"
        "They can enter again only if you invite them. The first of the waitlist moves up. After the start\n"
        "an entrant is disqualified instead.",
        removals.remove_entrant,
        requests.RemoveEntrantSerializer,
    ),
    "replace/": Command(
        "tournaments.replace",
        "Ask a player to take over for an entrant, in running games too, with the hands that are there.\n\n"
        "Nothing changes until they agree; then the other players are notified. They see the hand once they\n"
        "take the seat for good, and until then it can be undone. Without a `player` the first of the\n"
        "waitlist is asked, who leaves the waitlist by agreeing.",
        replacements.propose_replacement,
        requests.ReplacePlayerSerializer,
        ProposalData,
        status=201,
        players={"player": "player"},
    ),
    "decisions/<int:decision>/undo/": DecisionCommand(
        "tournaments.undo",
        "Undo a decision, if nothing has followed from it.",
        decision_undo.undo_decision,
        requests.UndoDecisionSerializer,
    ),
    "appeals/<int:appeal>/answer/": Command(
        "tournaments.answer",
        "Answer an appeal; a correction is a separate decision.",
        answer_appeal,
        requests.AppealTextSerializer,
        AppealData,
    ),
}
