"""API commands of players and organisers in a league."""

from __future__ import annotations

from functools import partial
from typing import Any

from accounts.models import Player
from common.api.locations import Location
from tournaments.api import request_serializers as requests
from tournaments.api.commands import Command, with_named_player
from tournaments.leagues.read_models import LeagueData
from tournaments.leagues.services import leagues
from tournaments.models import LeagueMember
from tournaments.read_models.tournaments import DecisionData
from tournaments.refusals import Refusal
from tournaments.selectors.proposals import ProposalData
from tournaments.services import co_organisers, removals

LeagueCommand = partial(Command, response=LeagueData)
MemberCommand = partial(LeagueCommand, scope="play")


def join_league(*, partner: Player | None, **arguments: Any) -> None:
    """Join alone, or ask a partner."""
    if partner:
        leagues.ask_partner(partner=partner, **arguments)
    else:
        leagues.set_member_status(status=LeagueMember.Status.MEMBER, **arguments)


def become_substitute(*, partner: str | None, **arguments: Any) -> None:
    """Become a substitute. Raises Invalid with a partner."""
    if partner:
        raise Refusal.WRONG_PARTY_SIZE.build_error()
    leagues.set_member_status(status=LeagueMember.Status.SUBSTITUTE, **arguments)


REMOVE_MEMBER = LeagueCommand(
    "leagues.remove",
    "Remove a member.\n\n"
    "Removes a member from the next season on and notifies them. They cannot join again until you readmit"
    " them. In pairs their partner is removed, too.",
    removals.remove_league_member,
    requests.RemoveLeagueMemberSerializer,
    status=201,
    location=Location("leagues/{code}/removals/", "The removed players."),
    players={"name": "player"},
)

LEAGUE_COMMANDS = {
    "join/": MemberCommand(
        "leagues.join",
        "Join a league.\n\n"
        "Makes you a member: you play in every season from the next one on. In pairs we ask your partner"
        " first, and you join when they agree.",
        join_league,
        requests.LeagueEntrySerializer,
        players={"partner": "partner"},
    ),
    "client-seed/": MemberCommand(
        "leagues.clientseed",
        "Set your client seed.\n\n"
        "Replaces your client seed for the next seasons. A running season keeps the seed that it began with.",
        leagues.set_league_client_seed,
        requests.ClientSeedSerializer,
        method="put",
    ),
    "leave/": MemberCommand(
        "leagues.leave",
        "Leave a league.\n\nEnds your membership after the current season. You still play that one to its"
        " end.",
        partial(leagues.set_member_status, status=LeagueMember.Status.OUT),
    ),
    "substitute/": MemberCommand(
        "leagues.substitute",
        "Become a substitute.\n\n"
        "Makes you a substitute: you take over for a player who drops out during a season.",
        become_substitute,
        requests.LeagueEntrySerializer,
    ),
    "start/": LeagueCommand(
        "leagues.start",
        "Start a league.\n\nStarts the first season within a minute.",
        leagues.start_league,
    ),
    "close/": LeagueCommand(
        "leagues.close",
        "Close a league.\n\nEnds the league after the current season. No further season starts.",
        leagues.close_league,
    ),
    "replace/": Command(
        "leagues.replace",
        "Replace a player.\n\n"
        "Lets a substitute take over a player's place during a season, with the running games and hands.",
        leagues.replace_with_substitute,
        requests.SubstitutePlayerSerializer,
        DecisionData,
        status=201,
        location=Location("leagues/{code}/", "The league, in whose season the player now is."),
        players={"out": "leaver", "player": "player"},
    ),
    "removals/<str:name>/": Command(
        "leagues.readmit",
        "Readmit a player.\n\nLets a removed player join the league again.",
        with_named_player(removals.readmit_league_member),
        method="delete",
    ),
    "co-organisers/": Command(
        "leagues.help",
        "Invite a co-organiser.\n\nAsks a player to become a co-organiser. It takes effect when they accept.",
        co_organisers.ask_league_co_organiser,
        requests.PlayerNameSerializer,
        ProposalData,
        status=201,
        players={"name": "player"},
    ),
    "co-organisers/<str:name>/": Command(
        "leagues.unhelp",
        "Remove a co-organiser.\n\n"
        "Removes a co-organiser, or withdraws your proposal to one. You can also remove yourself.",
        with_named_player(co_organisers.remove_league_co_organiser),
        method="delete",
    ),
}
