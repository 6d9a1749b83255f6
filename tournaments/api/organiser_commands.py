"""API commands of organisers in a tournament; every decision is logged, and most can be undone."""

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
    "Invite a player.\n\nInvites a player and notifies them at once, or when you publish the draft.",
    tournaments.invite_player,
    requests.PlayerNameSerializer,
    TournamentInviteData,
    status=201,
    players={"name": "player"},
)

ORGANISER_COMMANDS = {
    "publish/": TournamentCommand(
        "tournaments.publish",
        "Publish a tournament.\n\nOpens the tournament for entries and notifies the invited players.",
        tournaments.publish_tournament,
    ),
    "start/": TournamentCommand(
        "tournaments.start",
        "Start a tournament.\n\nStarts the tournament with its present entrants, within a minute.",
        tournaments.start_tournament,
    ),
    "cancel/": TournamentCommand(
        "tournaments.cancel",
        "Cancel a tournament.\n\n"
        "Cancels the tournament for good. Running games continue, but no longer count for it.",
        tournaments.cancel_tournament,
        requests.DecisionReasonSerializer,
    ),
    "seeds/": TournamentCommand(
        "tournaments.seeds",
        "Set seeds.\n\nSets the seed order before the start. Everybody can see who set it, and when.",
        entries.set_seeds,
        requests.SeedOrderSerializer,
        method="put",
    ),
    "invites/<str:name>/": Command(
        "tournaments.uninvite",
        "Withdraw an invitation.\n\nWithdraws the invitation of a player who has not entered yet.",
        with_named_player(tournaments.withdraw_invite),
        method="delete",
    ),
    "co-organisers/": Command(
        "tournaments.help",
        "Invite a co-organiser.\n\nAsks a player to become a co-organiser. It takes effect when they accept.",
        co_organisers.ask_tournament_co_organiser,
        requests.PlayerNameSerializer,
        ProposalData,
        status=201,
        players={"name": "player"},
    ),
    "co-organisers/<str:name>/": Command(
        "tournaments.unhelp",
        "Remove a co-organiser.\n\n"
        "Removes a co-organiser, or withdraws your proposal to one. You can also remove yourself.",
        with_named_player(co_organisers.remove_tournament_co_organiser),
        method="delete",
    ),
    "proceed/": DecisionCommand(
        "tournaments.proceed",
        "Approve a round.\n\nApproves the round on hold, despite its warnings.",
        decisions.approve_round,
    ),
    "extend/": DecisionCommand(
        "tournaments.extend",
        "Extend a round.\n\n"
        "Sets or extends a round's deadline. If the round had none, we notify its players. You cannot move"
        " a deadline to an earlier time.",
        decisions.extend_round,
        requests.ExtendRoundSerializer,
    ),
    "correct/": DecisionCommand(
        "tournaments.correct",
        "Correct a result.\n\n"
        "Corrects the result of a table and recomputes everything that follows from it. Send `confirmed` if"
        " the tournament is over and final ranks change. Players whose rank changes are notified.",
        decisions.correct_result,
        requests.CorrectResultSerializer,
    ),
    "disqualify/": DecisionCommand(
        "tournaments.disqualify",
        "Disqualify an entrant.\n\n"
        "Disqualifies an entrant and resigns their running games in the tournament.",
        decisions.disqualify_entrant,
        requests.DisqualifyEntrantSerializer,
    ),
    "remove/": DecisionCommand(
        "tournaments.remove",
        "Remove an entrant.\n\n"
        "Removes an entrant before the start, or from the waiting list, and notifies them. They can only"
        " enter again if you invite them. The first on the waiting list moves up. After the start,"
        " disqualify the entrant instead.",
        removals.remove_entrant,
        requests.RemoveEntrantSerializer,
    ),
    "replace/": Command(
        "tournaments.replace",
        "Replace a player.\n\n"
        "Asks a player to take over for an entrant, with the running games and hands. It takes effect when"
        " they agree; the other players are then notified. The new player sees the hand when they take the"
        " seat; until then you can undo the replacement. Without `player` we ask the first on the waiting"
        " list.",
        replacements.propose_replacement,
        requests.ReplacePlayerSerializer,
        ProposalData,
        status=201,
        players={"player": "player"},
    ),
    "decisions/<int:decision>/undo/": DecisionCommand(
        "tournaments.undo",
        "Undo a decision.\n\nUndoes a decision, as long as nothing else follows from it.",
        decision_undo.undo_decision,
        requests.UndoDecisionSerializer,
    ),
    "appeals/<int:appeal>/answer/": Command(
        "tournaments.answer",
        "Answer an appeal.\n\n"
        "Answers an appeal and notifies the player. To change a result, correct it as well.",
        answer_appeal,
        requests.AppealTextSerializer,
        AppealData,
    ),
}
