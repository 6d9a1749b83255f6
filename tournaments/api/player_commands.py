"""What players do in a tournament: enter, leave, confirm, withdraw, sit out, appeal."""

from __future__ import annotations

from functools import partial
from typing import Any

from accounts.models import Player
from tournaments.read_models.tournaments import AppealData, TournamentData
from tournaments.services import appeals, client_seeds, entries

from . import request_serializers as requests
from .commands import Command

PlayerCommand = partial(Command, response=TournamentData, scope="play")


def enter_tournament(*, partner: Player | None, **arguments: Any) -> None:
    """Enter alone, or ask a partner."""
    if partner:
        entries.ask_partner(partner=partner, **arguments)
    else:
        entries.enter_tournament(**arguments)


def file_appeal(*, pairing: int, **arguments: Any) -> Any:
    """File an appeal about the pairing of the URL."""
    return appeals.file_appeal(pairing_id=pairing, **arguments)


PLAYER_COMMANDS = {
    "enter/": PlayerCommand(
        "tournaments.enter",
        "Enter the tournament. If it is full, you join the waitlist; `you.status` says which of the two.\n\n"
        "In pairs with a partner, who is asked: you have entered when they agree. Until then\n"
        "`you.proposals` has your proposal, nothing counts and no place is taken.",
        enter_tournament,
        requests.TournamentEntrySerializer,
        players={"partner": "partner"},
    ),
    "client-seed/": PlayerCommand(
        "tournaments.clientseed",
        "Replace your client seed: before the start or, if you enter later, before you are first paired.",
        client_seeds.set_client_seed,
        requests.ClientSeedSerializer,
        method="put",
    ),
    "leave/": PlayerCommand(
        "tournaments.leave",
        "Leave before the start; the first of the waitlist moves up. An open proposal is withdrawn.",
        entries.leave_tournament,
    ),
    "confirm/": PlayerCommand(
        "tournaments.confirm",
        "Confirm that you will play, where only confirmed entrants play.",
        entries.confirm_entry,
    ),
    "withdraw/": PlayerCommand(
        "tournaments.withdraw",
        "Leave a running tournament for good: your games there are resigned.",
        entries.withdraw_from_tournament,
    ),
    "sit-out/": PlayerCommand(
        "tournaments.sitout",
        "Announce that you sit out a round of a Swiss tournament.",
        entries.sit_out_round,
        requests.SitOutRoundSerializer,
    ),
    "pairings/<int:pairing>/appeal/": PlayerCommand(
        "tournaments.appeal",
        "Ask the organisers to review a table of yours, once; also if you were replaced since.",
        file_appeal,
        requests.AppealTextSerializer,
        response=AppealData,
        status=201,
    ),
}
