"""REST views of time: clocks, vacation, agreed pauses, a seat's eight policy and orders, and muting."""

from __future__ import annotations

from datetime import UTC

from django.http import HttpResponse
from rest_framework import serializers
from rest_framework.request import Request

from accounts.api.me import ACCOUNT_PERMISSION
from accounts.api.operations import operation
from common.api.locations import Location
from common.api.responses import json_response
from common.api.serializers import RequestBody
from common.api.strict_fields import StrictBooleanField
from common.read_models import build_json
from games import selectors
from games.models import Seat
from games.selectors.clocks import PauseData, load_pause_data
from games.selectors.player_clocks import TimeOverviewData, load_time_overview
from games.services import pauses, seat_settings, standing_orders, turns, vacation

from .game_extras import PlayerAPIView


class NewVacationSerializer(RequestBody):
    """Request to plan a vacation."""

    # Always UTC: browser requests activate the player's zone, API clients have none.
    until = serializers.DateTimeField(default_timezone=UTC, help_text="When you are back.")

    def get_fields(self) -> dict[str, serializers.Field]:
        """The fields, with `from`, which is a Python keyword."""
        start = serializers.DateTimeField(
            required=False,
            allow_null=True,
            default=None,
            default_timezone=UTC,
            help_text="When it begins; now if you omit it.",
        )
        return super().get_fields() | {"from": start}


class NewPauseSerializer(RequestBody):
    """Request to propose a pause."""

    until = serializers.DateTimeField(
        default_timezone=UTC,
        help_text="When the pause ends. A time in the past proposes to end the current pause.",
    )


class EightPolicySerializer(RequestBody):
    """Your answer to an 8, decided in advance."""

    eight_policy = serializers.ChoiceField(
        Seat.EightPolicy.choices,
        help_text="How you answer an 8: `use` the card, `keep` it, or `ask` you each time.",
    )


class StandingOrdersSerializer(RequestBody):
    """Your standing orders in a game. Omitted fields keep their value."""

    draw = StrictBooleanField(required=False, help_text="Draw a tile for you at the start of your turns.")
    only = StrictBooleanField(
        required=False, help_text="Play the only legal placement, or the only way to play a kidnapped card."
    )


class MutedSerializer(RequestBody):
    """The setting that turns off notifications about a game."""

    muted = StrictBooleanField(help_text="Whether notifications about this game are turned off.")


class TimeOverviewView(PlayerAPIView):
    """The player's clocks and vacation."""

    @operation("me.time", scope="read", response=TimeOverviewData)
    def get(self, request: Request) -> HttpResponse:
        """Get your clocks.

        Returns your clocks in all running games, your vacation, and the game that you lose first if you stop
        playing now.
        """
        return json_response(build_json(load_time_overview(self.player, self.now)))


class PlanVacationView(PlayerAPIView):
    """Plans or ends a vacation."""

    permission_classes = [ACCOUNT_PERMISSION]

    @operation(
        "me.vacation.plan",
        scope="account",
        allow_apps=False,
        request_body=NewVacationSerializer,
        response=TimeOverviewData,
        status=201,
        location=Location("me/time/", "Your clocks, with the vacation."),
    )
    def post(self, request: Request) -> HttpResponse:
        """Plan a vacation.

        Plans a vacation, from now or later. Your clocks stop in games that allow it, for up to the vacation
        that you have saved.
        """
        serializer = NewVacationSerializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        start = serializer.validated_data["from"] or self.now
        player = vacation.plan_vacation(
            player=self.player, start=start, end=serializer.validated_data["until"], now=self.now
        )
        return json_response(build_json(load_time_overview(player, self.now)), 201)

    @operation("me.vacation.end", scope="account", allow_apps=False, response=TimeOverviewData)
    def delete(self, request: Request) -> HttpResponse:
        """End your vacation.

        Ends your vacation early, or cancels a planned one. You get unused time back, except for the first
        day.
        """
        player = vacation.end_vacation(player=self.player, now=self.now)
        return json_response(build_json(load_time_overview(player, self.now)))


def pause_response(code: str, view: PlayerAPIView, status: int = 200) -> HttpResponse:
    """The response with a game's agreed and proposed pause."""
    game = selectors.load_game_for(view.viewer, code).game
    return json_response(build_json(load_pause_data(game, view.now)), status)


class GamePauseView(PlayerAPIView):
    """The pause of a game."""

    @operation("games.pause.view", scope="read", response=PauseData)
    def get(self, request: Request, code: str) -> HttpResponse:
        """Get the pause.

        Returns the agreed pause of a game and the proposed one.
        """
        return pause_response(code, self)

    @operation(
        "games.pause.propose",
        request_body=NewPauseSerializer,
        response=PauseData,
        status=201,
        location=Location("games/{code}/pause/", "The pause of the game, with the proposal."),
    )
    def post(self, request: Request, code: str) -> HttpResponse:
        """Propose a pause.

        Proposes to stop all clocks of the game until a date. The pause begins when every side has agreed.
        Send a time in the past to propose an end of the current pause.
        """
        serializer = NewPauseSerializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        pauses.propose_pause(
            player=self.player, code=code, until=serializer.validated_data["until"], now=self.now
        )
        return pause_response(code, self, 201)


class AgreePauseView(PlayerAPIView):
    """Agrees to a proposed pause."""

    @operation("games.pause.agree", response=PauseData)
    def post(self, request: Request, code: str) -> HttpResponse:
        """Agree to a pause.

        Agrees to the proposed pause for your side. It begins when every side has agreed.
        """
        pauses.agree_to_pause(player=self.player, code=code, now=self.now)
        return pause_response(code, self)


class DeclinePauseView(PlayerAPIView):
    """Declines a proposed pause."""

    @operation("games.pause.decline", response=PauseData)
    def post(self, request: Request, code: str) -> HttpResponse:
        """Decline a pause.

        Declines the proposed pause, or withdraws your own proposal.
        """
        pauses.decline_pause(player=self.player, code=code, now=self.now)
        return pause_response(code, self)


class EightPolicyView(PlayerAPIView):
    """Sets how a seat answers an 8."""

    @operation("games.eight", request_body=EightPolicySerializer, response=EightPolicySerializer)
    def post(self, request: Request, code: str) -> HttpResponse:
        """Set your answer to an 8.

        Decides in advance how you answer an 8: use the card, keep it, or be asked each time.
        """
        serializer = EightPolicySerializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        eight_policy = serializer.validated_data["eight_policy"]
        seat = seat_settings.set_eight_policy(
            player=self.player, code=code, policy=eight_policy, now=self.now
        )
        return json_response({"eight_policy": seat.eight_policy})


class StandingOrdersView(PlayerAPIView):
    """Gives and ends standing orders."""

    @operation("games.orders", request_body=StandingOrdersSerializer, response=StandingOrdersSerializer)
    def patch(self, request: Request, code: str) -> HttpResponse:
        """Update standing orders.

        Updates your standing orders for this game. Omitted fields keep their value. Only you can see them.
        """
        serializer = StandingOrdersSerializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        seat = standing_orders.set_standing_orders(
            player=self.player, code=code, now=self.now, **serializer.validated_data
        )
        return json_response({"draw": seat.draws_automatically, "only": seat.plays_only_action})


class MuteGameView(PlayerAPIView):
    """Mutes the notices about a game."""

    permission_classes = [ACCOUNT_PERMISSION]  # notice settings belong to the account owner

    @operation(
        "games.mute",
        scope="account",
        allow_apps=False,
        request_body=MutedSerializer,
        response=MutedSerializer,
    )
    def post(self, request: Request, code: str) -> HttpResponse:
        """Mute a game.

        Turns your notifications about this game off or on. Other players keep theirs.
        """
        serializer = MutedSerializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        muted = serializer.validated_data["muted"]
        turns.load_game_and_seat(self.player, code)
        seat_settings.set_game_muted(player=self.player, code=code, muted=muted, now=self.now)
        return json_response({"muted": muted})
