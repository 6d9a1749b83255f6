"""Commands of the API, each declared by one row: its view and its documentation follow from the row."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from django.http import HttpResponse
from django.urls import URLPattern, path
from rest_framework import serializers
from rest_framework.request import Request

from accounts.api.operations import operation
from accounts.services.players import get_public_player
from common.api.locations import Location
from tournaments.leagues.read_models import LeagueData
from tournaments.leagues.selectors.read_models import build_league_details, load_league_for
from tournaments.read_models.tournaments import (
    AppealData,
    DecisionData,
    TournamentData,
    TournamentInviteData,
)
from tournaments.selectors import get_league_for, get_tournament_for, tournament_details
from tournaments.selectors.proposals import ProposalData, build_proposal

from .base import OrganiseView, PlayView, TournamentAPIView, get_player_by_name, read_model_response

# What the answer of a command is built from: the view, the code in the URL, and the result of the service.
ResponseBuilder = Callable[[TournamentAPIView, str, Any], Any]
RESPONSE_BUILDERS: dict[type, ResponseBuilder] = {
    TournamentData: lambda view, code, _result: tournament_details.build_tournament_details(
        get_tournament_for(view.player, code), view.player, view.now
    ),
    LeagueData: lambda view, code, _result: build_league_details(
        load_league_for(view.player, code), view.player, view.now
    ),
    DecisionData: lambda _view, _code, decision: tournament_details.build_decisions(
        [decision], is_organiser=True
    )[0],
    ProposalData: lambda view, _code, proposal: build_proposal(proposal, view.player),
    AppealData: lambda _view, _code, appeal: tournament_details.build_appeal(appeal),
    TournamentInviteData: lambda _view, _code, invite: tournament_details.build_invite(invite),
}


# Where what a command makes is found.
LOCATIONS = {
    AppealData: Location("tournaments/{code}/appeals/", "The appeals, newest first."),
    DecisionData: Location("tournaments/{code}/decisions/", "The decisions, newest first."),
    ProposalData: Location("proposals/", "Your proposals, newest first."),
    TournamentInviteData: Location("tournaments/{code}/invites/", "The invited players."),
}


@dataclass(frozen=True)
class Command:
    """A command on a tournament, league or proposal: one service, called with the data of the request.

    The service gets the player (`by` of organisers, `player` of others), the time, the values of the URL and
    those of the body. `players` are fields of the body that name a player, and what the service calls them.
    """

    name: str  # of the operation
    description: str
    service: Callable[..., Any]
    body: type[serializers.Serializer] | None = None
    response: type | None = None  # None: no body, 204
    status: int = 200
    scope: Literal["play", "organise"] = "organise"
    method: Literal["post", "put", "delete"] = "post"
    players: Mapping[str, str] = field(default_factory=dict)
    location: Location | None = None  # if it is not that of the response


def build_handler(command: Command) -> Callable[..., HttpResponse]:
    """Build the view method of a command."""
    get_subject = get_league_for if command.name.startswith("leagues.") else get_tournament_for

    def handle_request(view: TournamentAPIView, request: Request, **url_values: Any) -> HttpResponse:
        if "code" in url_values:
            get_subject(view.player, url_values["code"])
        body = view.validate_body(command.body) if command.body else {}
        for name, argument in command.players.items():
            player_name = body.pop(name)
            body[argument] = get_player_by_name(player_name, field=name) if player_name else None
        actor = "by" if command.scope == "organise" else "player"
        result = command.service(**{actor: view.player, "now": view.now}, **url_values, **body)
        if command.response is None:
            return HttpResponse(status=204)
        answer = RESPONSE_BUILDERS[command.response](view, url_values.get("code", ""), result)
        return read_model_response(answer, command.status)

    handle_request.__name__, handle_request.__doc__ = command.method, command.description
    return operation(
        command.name,
        request_body=command.body,
        response=command.response,
        status=command.status if command.response else 204,
        scope=command.scope,
        location=command.location
        or (LOCATIONS[command.response] if command.response and command.status == 201 else None),
    )(handle_request)


def build_command_path(route: str, command: Command) -> URLPattern:
    """Build the URL of a command, with a view of its own."""
    base = OrganiseView if command.scope == "organise" else PlayView
    view_class = type(
        f"{command.name.title().replace('.', '')}View",
        (base,),
        {command.method: build_handler(command), "__doc__": command.description},
    )
    return path(route, view_class.as_view())  # type: ignore[attr-defined]


def with_named_player(service: Callable[..., Any]) -> Callable[..., Any]:
    """Adapt a service about a player to a URL that ends with the player's name."""

    def call_service(*, name: str, **arguments: Any) -> Any:
        return service(player=get_public_player(name=name), **arguments)

    return call_service
