"""Serializers of the games API, which validate request bodies. Responses are read models."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers

from accounts.models.limits import MAX_EMAIL_LENGTH
from accounts.name_validation import MAX_NAME_LENGTH
from common.api.serializers import RequestBody
from common.api.strict_fields import StrictBooleanField, StrictCharField, StrictIntegerField
from games import clock
from games.engine.action_parser import MAX_TEXT_LENGTH
from games.models import limits
from games.options import GAME_OPTIONS
from games.services.lobby import BOT_POLICY_NAMES

from .option_fields import add_request_fields


@add_request_fields(GAME_OPTIONS)
class NewGameSerializer(RequestBody):
    """Request to create a game."""


class JoinSerializer(RequestBody):
    """Request to join a game."""

    client_seed = StrictCharField(
        required=False,
        allow_blank=True,
        max_length=limits.MAX_CLIENT_SEED_LENGTH,
        default="",
        help_text="Your part of the game's randomness: 1 to 64 characters without `|`. If it is empty, we"
        " use your joining number.",
    )
    invitation = StrictCharField(
        required=False,
        allow_blank=True,
        max_length=100,
        default="",
        help_text="The token of an invitation link, if you have one.",
    )
    accept_bots = StrictBooleanField(
        source="accepts_bots",
        default=False,
        help_text="Whether you agree to play with bots. Required if `bots_allowed`, unless the game is"
        " yours.",
    )


class RematchSerializer(RequestBody):
    """Request for a rematch."""

    client_seed = StrictCharField(
        required=False,
        allow_blank=True,
        max_length=limits.MAX_CLIENT_SEED_LENGTH,
        default="",
        help_text="Your part of the game's randomness: 1 to 64 characters without `|`. Only together with"
        " `commitment`.",
    )
    commitment = StrictCharField(
        required=False,
        allow_blank=True,
        max_length=64,
        default="",
        help_text="The commitment of an existing rematch that you have seen. With it you take your seat.",
    )


class InviteSerializer(RequestBody):
    """Request to invite a player, by name or by email."""

    name = StrictCharField(
        required=False,
        allow_blank=True,
        max_length=MAX_NAME_LENGTH,
        default="",
        help_text="The name of a player.",
    )
    email = StrictCharField(
        required=False,
        allow_blank=True,
        max_length=MAX_EMAIL_LENGTH,
        default="",
        help_text="Or an email address, which gets a link.",
    )
    partner = StrictBooleanField(default=False, help_text="In pairs: true to seat them opposite you.")


class AddBotSerializer(RequestBody):
    """Request to add a bot."""

    policy = serializers.ChoiceField(
        list(BOT_POLICY_NAMES),
        default="greedy",
        help_text="How the bot plays, from `random` up to `planner`, the strongest.",
    )
    partner = StrictBooleanField(default=False, help_text="In pairs: true to seat them opposite you.")


class ChosenPartnerSerializer(RequestBody):
    """Request to choose your partner."""

    joined = StrictIntegerField(
        required=False,
        allow_null=True,
        default=None,
        **limits.SEAT_COUNT.number_bounds,
        help_text="The joining number of your partner, who has a seat already and may be a bot.",
    )
    name = StrictCharField(
        required=False,
        allow_blank=True,
        max_length=MAX_NAME_LENGTH,
        default="",
        help_text="Or the name of a player who has a seat, or whom you have invited.",
    )


class PlayActionSerializer(RequestBody):
    """An action to play."""

    action = StrictCharField(
        max_length=MAX_TEXT_LENGTH,
        help_text="The action, as `B-b3-90`. Small differences in spelling are understood.",
    )
    seq = StrictIntegerField(
        required=False,
        min_value=0,
        max_value=2**31 - 1,
        help_text="The `seq` of the game as you saw it. Only `resign` needs none.",
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if "seq" not in attrs and attrs["action"].strip().lower() != "resign":
            raise serializers.ValidationError(
                {"seq": _("Send the `seq` of the game as you saw it. Only `resign` works without it.")}
            )
        return attrs


def is_simple_play(data: Any) -> bool:
    """True if the body is surely valid for `PlayActionSerializer`, which costs as much as a query."""
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


class ChallengeSerializer(RequestBody):
    """Request to challenge a bot."""

    cards = StrictBooleanField(
        default=True, help_text="Whether to play with secret cards. Not every bot does."
    )
    clock = serializers.ChoiceField(
        list(clock.TIME_CONTROL_PRESETS),
        source="time_control",
        default=clock.DEFAULT_PRESET,
        help_text="The time control.",
    )
    rated = StrictBooleanField(
        default=False,
        help_text="Whether the game counts for the ratings of bots. Only a bot can ask for this.",
    )


class NewNote(RequestBody):
    """Your note about a game, for you alone."""

    text = StrictCharField(
        allow_blank=True,
        max_length=limits.MAX_NOTE_LENGTH,
        help_text="The new text, which replaces the one before. An empty text removes the note.",
    )


class NewMessage(RequestBody):
    """A chat message to send."""

    text = StrictCharField(
        allow_blank=True, max_length=limits.MAX_MESSAGE_LENGTH, help_text="The message as plain text."
    )


class ReasonSerializer(RequestBody):
    """The reason of a report."""

    reason = StrictCharField(
        required=False,
        allow_blank=True,
        max_length=limits.MAX_REPORT_LENGTH,
        default="",
        help_text="The problem with the message, for the operator.",
    )


# A list of strings is no read model.
LEGAL_ACTIONS_SCHEMA = {"type": "array", "items": {"type": "string"}}
