"""Time over REST: clocks, vacation, agreed pauses, what is decided in advance for a seat."""

from __future__ import annotations

from datetime import UTC

from django.http import HttpResponse
from rest_framework import serializers
from rest_framework.request import Request

from games import selectors
from games.models import Seat
from games.selectors import clocks as clock_reads
from games.selectors import time
from games.services import notices, pauses, seats, turns, vacation

from . import shapes
from .around import Mine
from .base import as_json
from .examples import described
from .me import ACCOUNT, YesOrNo
from .shapes import RequestBody


class FirstLoss(serializers.Serializer):
    game = serializers.CharField()
    at = serializers.DateTimeField()


class VacationView(serializers.Serializer):
    left = serializers.IntegerField(help_text="seconds saved up")
    until = serializers.DateTimeField(allow_null=True)

    def get_fields(self) -> dict[str, serializers.Field]:
        return super().get_fields() | {"from": serializers.DateTimeField(allow_null=True)}


class ClockLine(serializers.Serializer):
    game = serializers.CharField()
    seat = serializers.IntegerField()
    on_turn = serializers.BooleanField()
    deadline = serializers.DateTimeField(allow_null=True, help_text=shapes.FIRST_DEADLINE)
    bank = serializers.IntegerField()
    resting = serializers.ListField(child=serializers.CharField(), help_text="why the clock rests now")
    lost_at = serializers.DateTimeField(
        allow_null=True, help_text="if you never come back; null if the points decide before"
    )
    round_end = shapes.RoundEndView(allow_null=True)


class TimeView(serializers.Serializer):
    first_loss = FirstLoss(allow_null=True, help_text="what you lose first if you stop now")
    vacation = VacationView()
    clocks = ClockLine(many=True)


class NewVacation(RequestBody):
    # In UTC for everybody: a browser's request has its player's zone, a program's has none.
    until = serializers.DateTimeField(default_timezone=UTC)

    def get_fields(self) -> dict[str, serializers.Field]:
        start = serializers.DateTimeField(required=False, allow_null=True, default=None, default_timezone=UTC)
        return super().get_fields() | {"from": start}


class NewPause(RequestBody):
    until = serializers.DateTimeField(
        default_timezone=UTC, help_text="a time that has passed means: end the pause"
    )


class PauseView(serializers.Serializer):
    paused_until = serializers.DateTimeField(allow_null=True)
    proposed_until = serializers.DateTimeField(allow_null=True)
    proposed_by = serializers.CharField(allow_null=True)


class Eight(RequestBody):
    eight = serializers.ChoiceField(Seat.Eight.choices)


class Muted(RequestBody):
    muted = YesOrNo()


class MyTime(Mine):
    @described("me.time", scope="read", answer=TimeView)
    def get(self, request: Request) -> HttpResponse:
        """Your clocks, your vacation, and what you lose first if you stop now."""
        return as_json(time.stop_view(time.if_you_stop(self.player, self.now), self.now))


class Vacation(Mine):
    permission_classes = [ACCOUNT]

    @described(
        "me.vacation.plan",
        scope="account",
        apps=False,
        body=NewVacation,
        answer=TimeView,
        status=201,
        keyed=True,
    )
    def post(self, request: Request) -> HttpResponse:
        """Go on vacation, from now or from later on: your clocks rest in games that allow it."""
        asked = NewVacation(data=request.data)
        asked.is_valid(raise_exception=True)
        start = asked.validated_data["from"] or self.now
        player = vacation.plan(
            player=self.player, start=start, end=asked.validated_data["until"], now=self.now
        )
        return as_json(time.stop_view(time.if_you_stop(player, self.now), self.now), 201)

    @described("me.vacation.end", scope="account", apps=False, answer=TimeView)
    def delete(self, request: Request) -> HttpResponse:
        """Come back early, or give up a vacation that was planned."""
        player = vacation.end(player=self.player, now=self.now)
        return as_json(time.stop_view(time.if_you_stop(player, self.now), self.now))


def pause_view(code: str, door: Mine) -> HttpResponse:
    game = selectors.seen_by(door.viewer, code).game
    made = clock_reads.proposal(game)
    running = game.paused_until and game.paused_until > door.now
    return as_json(
        {
            "paused_until": selectors.instant(game.paused_until) if running else None,
            "proposed_until": selectors.instant(made.until) if made else None,
            "proposed_by": made.by.name if made and made.by else None,
        }
    )


class GamePause(Mine):
    @described("games.pause.view", scope="read", answer=PauseView)
    def get(self, request: Request, code: str) -> HttpResponse:
        """Whether the clocks of a game rest by agreement, or somebody proposes it."""
        return pause_view(code, self)

    @described("games.pause.propose", body=NewPause, answer=PauseView)
    def post(self, request: Request, code: str) -> HttpResponse:
        """Propose to let the clocks rest; it holds once every side has agreed."""
        asked = NewPause(data=request.data)
        asked.is_valid(raise_exception=True)
        pauses.propose(player=self.player, code=code, until=asked.validated_data["until"], now=self.now)
        return pause_view(code, self)


class AgreePause(Mine):
    @described("games.pause.agree", answer=PauseView)
    def post(self, request: Request, code: str) -> HttpResponse:
        """Agree to the pause that is proposed."""
        pauses.agree(player=self.player, code=code, now=self.now)
        return pause_view(code, self)


class DeclinePause(Mine):
    @described("games.pause.decline", answer=PauseView)
    def post(self, request: Request, code: str) -> HttpResponse:
        """Decline the pause that is proposed, or take your own proposal back."""
        pauses.decline(player=self.player, code=code, now=self.now)
        return pause_view(code, self)


class DecideEight(Mine):
    @described("games.eight", body=Eight, answer=Eight)
    def post(self, request: Request, code: str) -> HttpResponse:
        """Decide in advance how you answer an 8: use the card, keep it, or be asked."""
        asked = Eight(data=request.data)
        asked.is_valid(raise_exception=True)
        answer = asked.validated_data["eight"]
        place = seats.decide_eight(player=self.player, code=code, answer=answer, now=self.now)
        return as_json({"eight": place.eight})


class Mute(Mine):
    permission_classes = [ACCOUNT]  # who is told what is the owner's to say, for one game as for all

    @described("games.mute", scope="account", apps=False, body=Muted, answer=Muted)
    def post(self, request: Request, code: str) -> HttpResponse:
        """No notices about this game, or again."""
        asked = Muted(data=request.data)
        asked.is_valid(raise_exception=True)
        muted = asked.validated_data["muted"]
        turns.seated(self.player, code)
        notices.mute(player=self.player, code=code, muted=muted, now=self.now)
        return as_json({"muted": muted})
