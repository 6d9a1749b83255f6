"""Serializers of the games API: request bodies are validated with them, responses only documented."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers

from accounts.models.limits import MAX_EMAIL_LENGTH
from accounts.name_validation import MAX_NAME_LENGTH
from common.api.serializers import RequestBody
from common.api.strict_fields import StrictCharField, StrictIntegerField
from common.read_model_serializers import build_serializer
from games.engine import ActionSource
from games.engine.action_parser import MAX_TEXT_LENGTH
from games.models import Game, limits
from games.options import GAME_OPTIONS
from games.permissions import Permission
from games.selectors.clocks import RoundEndData
from games.selectors.deadlines import DEADLINE_HELP_TEXT
from games.services.lobby import BOT_POLICY_NAMES

from .option_fields import add_request_fields


@add_request_fields(GAME_OPTIONS, boolean_field=serializers.BooleanField)
class NewGameSerializer(RequestBody):
    """Request to create a game."""


class JoinSerializer(RequestBody):
    """Request to join a game."""

    client_seed = StrictCharField(
        required=False,
        allow_blank=True,
        max_length=limits.MAX_CLIENT_SEED_LENGTH,
        default="",
        help_text="your own part of the game's randomness, without '|'; the joining number if you give none",
    )
    invitation = StrictCharField(
        required=False, allow_blank=True, max_length=100, default="", help_text="the token of a link"
    )


class RematchSerializer(RequestBody):
    """Request for a rematch."""

    client_seed = StrictCharField(
        required=False,
        allow_blank=True,
        max_length=limits.MAX_CLIENT_SEED_LENGTH,
        default="",
        help_text="your own part of the game's randomness, without '|'; only with the commitment",
    )
    commitment = StrictCharField(
        required=False,
        allow_blank=True,
        max_length=64,
        default="",
        help_text="the commitment of the rematch, if there is one and you have seen it: you take your seat",
    )


class InviteSerializer(RequestBody):
    """Request to invite a player, by name or by email."""

    name = StrictCharField(required=False, allow_blank=True, max_length=MAX_NAME_LENGTH, default="")
    email = StrictCharField(required=False, allow_blank=True, max_length=MAX_EMAIL_LENGTH, default="")
    partner = serializers.BooleanField(default=False, help_text="in pairs: to sit opposite you")


class AddBotSerializer(RequestBody):
    """Request to add a bot."""

    policy = serializers.ChoiceField(list(BOT_POLICY_NAMES), default="greedy")
    partner = serializers.BooleanField(default=False, help_text="in pairs: to sit opposite you")


class ChosenPartnerSerializer(RequestBody):
    """Request to choose your partner."""

    joined = StrictIntegerField(
        required=False,
        allow_null=True,
        default=None,
        min_value=1,
        max_value=4,
        help_text="the joining number of somebody who sits at the table, a bot perhaps",
    )
    name = StrictCharField(
        required=False,
        allow_blank=True,
        max_length=MAX_NAME_LENGTH,
        default="",
        help_text="or the name of a player who sits there or whom you have invited",
    )


class PlayActionSerializer(RequestBody):
    """An action to play."""

    action = StrictCharField(max_length=MAX_TEXT_LENGTH, help_text="an action string; reading is forgiving")
    seq = StrictIntegerField(
        required=False, min_value=0, max_value=2**31 - 1, help_text="the seq of the game as you saw it"
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if "seq" not in attrs and attrs["action"].strip().lower() != "resign":
            raise serializers.ValidationError({"seq": _("say which seq you saw; only `resign` needs none")})
        return attrs


def is_simple_play(data: Any) -> bool:
    """Whether the body is surely valid for `PlayActionSerializer`, which costs as much as a query."""
    return (
        type(data) is dict
        and data.keys() == {"action", "seq"}
        and type(data["action"]) is str
        and 0 < len(data["action"]) <= 30
        and data["action"].isascii()
        and data["action"].isprintable()
        and not data["action"].isspace()
        and type(data["seq"]) is int
        and 0 <= data["seq"] < 2**31
    )


class NewNote(RequestBody):
    """Your note about a game, for you alone."""

    text = StrictCharField(allow_blank=True, max_length=limits.MAX_NOTE_LENGTH)


class NewMessage(RequestBody):
    text = StrictCharField(allow_blank=True, max_length=limits.MAX_MESSAGE_LENGTH)


class ReasonSerializer(RequestBody):
    """The reason of a report."""

    reason = StrictCharField(
        required=False, allow_blank=True, max_length=limits.MAX_REPORT_LENGTH, default=""
    )


RoundEndSerializer = build_serializer(RoundEndData)


class SeatSummarySerializer(serializers.Serializer):
    """A seat and who takes it."""

    seat = serializers.IntegerField(allow_null=True)
    joined = serializers.IntegerField()
    name = serializers.CharField()
    player = serializers.CharField(allow_null=True)
    bot = serializers.CharField(allow_null=True)
    partner = serializers.IntegerField(allow_null=True)


class SeatSerializer(SeatSummarySerializer):
    side = serializers.IntegerField(required=False)
    cards = serializers.IntegerField(required=False, help_text="how many; never which")
    table = serializers.CharField(required=False, allow_null=True)
    in_play = serializers.BooleanField(required=False)
    bank = serializers.IntegerField(allow_null=True, help_text="seconds in reserve; null without a clock")
    deadline = serializers.DateTimeField(
        allow_null=True, help_text="until when the seat can act, if it is on turn: " + DEADLINE_HELP_TEXT
    )


class GameOptionsSerializer(serializers.Serializer):
    cards = serializers.BooleanField()
    obligation = serializers.CharField()
    target = serializers.IntegerField()


class TimeControlSerializer(serializers.Serializer):
    """The time control of a game."""

    name = serializers.CharField()
    allowance = serializers.IntegerField()
    bank = serializers.IntegerField()
    blind = serializers.IntegerField(help_text="seconds for a turn of a blind match")
    timeouts = serializers.CharField()
    weekends = serializers.BooleanField()
    nights = serializers.BooleanField()
    vacation = serializers.BooleanField()
    paused_until = serializers.DateTimeField(allow_null=True)


class FairnessSerializer(serializers.Serializer):
    commitment = serializers.CharField()
    server_seed = serializers.CharField(allow_null=True, help_text="null until the game is over")
    client_seeds = serializers.ListField(child=serializers.CharField(allow_blank=True))


class CellSerializer(serializers.Serializer):
    tile = serializers.CharField()
    rotation = serializers.IntegerField()


class FigureSerializer(serializers.Serializer):
    kind = serializers.CharField()
    place = serializers.CharField()
    value = serializers.IntegerField()
    side = serializers.IntegerField(allow_null=True)


class BoardSerializer(serializers.Serializer):
    cells = serializers.DictField(child=CellSerializer())
    figures = FigureSerializer(many=True)


class PartnerSerializer(serializers.Serializer):
    seat = serializers.IntegerField()
    hand = serializers.ListField(child=serializers.CharField())


class YourSeatSerializer(serializers.Serializer):
    """Your seat."""

    seat = serializers.IntegerField()
    side = serializers.IntegerField()
    hand = serializers.ListField(child=serializers.CharField())
    partner = PartnerSerializer(allow_null=True)
    legal_count = serializers.IntegerField()
    eight_policy = serializers.CharField(help_text="your answer to an 8, decided in advance: use, keep, ask")
    muted = serializers.BooleanField()
    hand_hidden = serializers.BooleanField(
        help_text="you took this seat over and have not looked yet: take-seat shows hand and legal actions"
    )


class GameSummarySerializer(serializers.Serializer):
    """A game in a list."""

    id = serializers.CharField()
    status = serializers.ChoiceField(Game.Status.values)
    mode = serializers.CharField()
    edition = serializers.CharField()
    options = GameOptionsSerializer()
    clock = TimeControlSerializer()
    order = serializers.CharField()
    private = serializers.BooleanField()
    rated = serializers.BooleanField()
    seats_wanted = serializers.IntegerField()
    seats = SeatSummarySerializer(many=True)
    seq = serializers.IntegerField()
    to_act = serializers.ListField(child=serializers.IntegerField())
    created_at = serializers.DateTimeField()
    deadline = serializers.DateTimeField(allow_null=True, help_text=DEADLINE_HELP_TEXT)
    round_end = RoundEndSerializer(allow_null=True)
    winner = serializers.IntegerField(allow_null=True)
    commitment = serializers.CharField(help_text="the SHA-256 of the server seed")


class GameSerializer(serializers.Serializer):
    """A game as you may see it."""

    id = serializers.CharField()
    status = serializers.ChoiceField(Game.Status.values)
    mode = serializers.CharField()
    edition = serializers.CharField()
    rules = serializers.IntegerField()
    options = GameOptionsSerializer()
    clock = TimeControlSerializer()
    order = serializers.CharField()
    private = serializers.BooleanField()
    rated = serializers.BooleanField()
    chat = serializers.BooleanField()
    seats_wanted = serializers.IntegerField()
    created_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField(allow_null=True)
    started_at = serializers.DateTimeField(allow_null=True)
    finished_at = serializers.DateTimeField(allow_null=True)
    deadline = serializers.DateTimeField(allow_null=True, help_text=DEADLINE_HELP_TEXT)
    round_end = RoundEndSerializer(allow_null=True)
    fairness = FairnessSerializer()
    seq = serializers.IntegerField()
    phase = serializers.CharField(allow_null=True)
    match = serializers.IntegerField()
    to_act = serializers.ListField(child=serializers.IntegerField())
    seats = SeatSerializer(many=True)
    board = BoardSerializer()
    drawn = serializers.CharField(allow_null=True)
    markers = serializers.DictField(child=serializers.DictField(child=serializers.IntegerField()))
    totals = serializers.DictField(child=serializers.IntegerField())
    tower_left = serializers.IntegerField()
    deck_left = serializers.IntegerField()
    joined = serializers.IntegerField(allow_null=True, help_text="your joining number")
    permissions = serializers.ListField(
        child=serializers.ChoiceField([permission.value for permission in Permission]),
        help_text="what you may do with it as it stands; reserved seats, a proposed pause and your own limits"
        " are looked at when you ask",
    )
    kind = serializers.CharField(required=False)
    turn = serializers.IntegerField(required=False)
    second_turn = serializers.BooleanField(required=False)
    stolen = serializers.CharField(required=False, allow_null=True)
    points = serializers.DictField(required=False, child=serializers.IntegerField())
    played = serializers.ListField(required=False, child=serializers.CharField())
    gone = serializers.ListField(required=False, child=serializers.CharField())
    protected = serializers.ListField(required=False, child=serializers.IntegerField())
    matches = serializers.ListField(required=False, child=serializers.DictField())
    shootout = serializers.ListField(required=False, child=serializers.DictField())
    winner = serializers.IntegerField(required=False, allow_null=True)
    you = YourSeatSerializer(required=False)


LEGAL_ACTIONS_SCHEMA = {
    "type": "array",
    "items": {"type": "string"},
}  # no serializer describes a list of strings


class LogLineSerializer(serializers.Serializer):
    """An action in the log."""

    seq = serializers.IntegerField()
    seat = serializers.IntegerField()
    action = serializers.CharField()
    by = serializers.ChoiceField([source.value for source in ActionSource])
    at = serializers.DateTimeField()
    hash = serializers.CharField()
    events = serializers.ListField(child=serializers.DictField())


class LogSerializer(serializers.Serializer):
    """A page of the log."""

    results = LogLineSerializer(many=True)
    next = serializers.IntegerField(allow_null=True, help_text="ask with ?after= this")
