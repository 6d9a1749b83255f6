"""API commands of players in a tournament: enter, leave, confirm, withdraw, sit out, appeal."""

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
        "Enter a tournament.\n\n"
        "Enters you, or puts you on the waiting list if the tournament is full; `you.status` says which. In"
        " pairs we ask your partner first: you enter, and take a place, when they agree.",
        enter_tournament,
        requests.TournamentEntrySerializer,
        players={"partner": "partner"},
    ),
    "client-seed/": PlayerCommand(
        "tournaments.clientseed",
        "Set your client seed.\n\n"
        "Replaces your client seed before the start or, if you enter late, before your first pairing.",
        client_seeds.set_client_seed,
        requests.ClientSeedSerializer,
        method="put",
    ),
    "leave/": PlayerCommand(
        "tournaments.leave",
        "Leave a tournament.\n\n"
        "Withdraws your entry before the start. The first on the waiting list moves up, and your open"
        " proposal is withdrawn.",
        entries.leave_tournament,
    ),
    "confirm/": PlayerCommand(
        "tournaments.confirm",
        "Confirm your entry.\n\nConfirms that you will play, in tournaments that ask for it.",
        entries.confirm_entry,
    ),
    "withdraw/": PlayerCommand(
        "tournaments.withdraw",
        "Withdraw.\n\nTakes you out of a running tournament for good and resigns your games there.",
        entries.withdraw_from_tournament,
    ),
    "sit-out/": PlayerCommand(
        "tournaments.sitout",
        "Sit out a round.\n\nAnnounces that you do not play in a coming round of a Swiss tournament.",
        entries.sit_out_round,
        requests.SitOutRoundSerializer,
    ),
    "pairings/<int:pairing>/appeal/": PlayerCommand(
        "tournaments.appeal",
        "File an appeal.\n\n"
        "Asks the organisers to review one of your tables, once for each table. You can also do this after"
        " you were replaced.",
        file_appeal,
        requests.AppealTextSerializer,
        response=AppealData,
        status=201,
    ),
}
