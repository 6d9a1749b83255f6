"""What comes in and what goes out, for checking the one and describing the other."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.request import Request

from games import clock
from games.engine import DEFAULT_EDITION, MODES, OBLIGATIONS, edition_names
from games.engine.reading import LONGEST as LONGEST_ACTION
from games.models import Game, limits
from games.services.lobby import BOTS, ORDERS

LONGEST_KEY = 100
LONGEST_FIELD_NAME, MAX_FIELDS_REFUSED = 100, 20  # that an answer repeats


class Text(serializers.CharField):
    """Text that is text: no numbers taken for it, and nothing trimmed that somebody meant."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(trim_whitespace=False, **kwargs)

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            self.fail("invalid")
        return str(super().to_internal_value(data))


class Whole(serializers.IntegerField):
    """A whole number of JSON: neither text nor true."""

    def to_internal_value(self, data: Any) -> int:
        if type(data) is not int:
            self.fail("invalid")
        return int(super().to_internal_value(data))


class RequestBody(serializers.Serializer):
    """What a request may say: a field that the operation does not take is refused, never left unheard."""

    def to_internal_value(self, data: Any) -> Any:
        """The fields, checked. Raises ValidationError under the names of unknown and of read-only fields."""
        if isinstance(data, Mapping):
            refused = {}
            for name in data:
                field = self.fields.get(name) if isinstance(name, str) else None
                if field is None:
                    refused[str(name)[:LONGEST_FIELD_NAME]] = [_("There is no such field here.")]
                elif field.read_only:
                    refused[name] = [_("This field cannot be changed here.")]
                if len(refused) >= MAX_FIELDS_REFUSED:
                    break
            if refused:
                raise serializers.ValidationError(refused)
        return super().to_internal_value(data)


def without_body(method: Callable[..., Any]) -> Callable[..., Any]:
    """Refuse every field of a body, for a method of a door that takes none."""

    @wraps(method)
    def checked(door: Any, request: Request, *args: Any, **kwargs: Any) -> Any:
        RequestBody(data=request.data or {}).is_valid(raise_exception=True)
        return method(door, request, *args, **kwargs)

    return checked


class NewGame(RequestBody):
    mode = serializers.ChoiceField(list(MODES), default="singles")
    seats = Whole(required=False, min_value=1, max_value=4, help_text="2 to 4 in singles; else by the mode")
    edition = serializers.ChoiceField(edition_names(), default=DEFAULT_EDITION)
    cards = serializers.BooleanField(default=True)
    obligation = serializers.ChoiceField(list(OBLIGATIONS), default="strict")
    target = Whole(default=24, **limits.TARGET.bounds)
    clock = serializers.ChoiceField([*clock.PRESETS, "custom"], default=clock.DEFAULT)
    allowance = Whole(required=False, **limits.ALLOWANCE.bounds, help_text="seconds; for a custom clock")
    bank = Whole(required=False, **limits.BANK.bounds, help_text="seconds; for a custom clock")
    blind_allowance = Whole(
        required=False,
        allow_null=True,
        default=None,
        **limits.ALLOWANCE.bounds,
        help_text="seconds for a turn of a blind match; half the allowance if you say none",
    )
    timeouts = serializers.ChoiceField(Game.Timeouts.choices, default=Game.Timeouts.AUTOPLAY)
    weekends = serializers.BooleanField(default=False, help_text="clocks rest at the weekend")
    nights = serializers.BooleanField(
        default=False,
        help_text="clocks rest in a player's night hours, as they are when a turn begins; 12 of 24 at most",
    )
    vacation = serializers.BooleanField(
        required=False,
        allow_null=True,
        default=None,
        help_text="clocks rest on vacation; by default unless the game is a quick one",
    )
    order = serializers.ChoiceField(list(ORDERS), default="as-joined")
    private = serializers.BooleanField(default=False)
    rated = serializers.BooleanField(
        default=False, help_text="for people only, and not with the obligation `lenient`"
    )
    chat = serializers.BooleanField(default=True, help_text="whether those at the table can talk")


class Join(RequestBody):
    client_seed = Text(
        required=False,
        allow_blank=True,
        max_length=limits.CLIENT_SEED_LENGTH,
        default="",
        help_text="your own part of the game's randomness, without '|'; the joining number if you give none",
    )
    invitation = Text(
        required=False, allow_blank=True, max_length=100, default="", help_text="the token of a link"
    )


class Rematch(RequestBody):
    client_seed = Text(
        required=False,
        allow_blank=True,
        max_length=limits.CLIENT_SEED_LENGTH,
        default="",
        help_text="your own part of the game's randomness, without '|'; only with the commitment",
    )
    commitment = Text(
        required=False,
        allow_blank=True,
        max_length=64,
        default="",
        help_text="the commitment of the rematch, if there is one and you have seen it: you take your seat",
    )


class Invite(RequestBody):
    name = Text(required=False, allow_blank=True, max_length=limits.MAX_NAME_LENGTH, default="")
    email = Text(required=False, allow_blank=True, max_length=limits.MAX_EMAIL_LENGTH, default="")
    partner = serializers.BooleanField(default=False, help_text="in pairs: to sit opposite you")


class Bot(RequestBody):
    policy = serializers.ChoiceField(list(BOTS), default="greedy")
    partner = serializers.BooleanField(default=False, help_text="in pairs: to sit opposite you")


class ChosenPartner(RequestBody):
    joined = Whole(
        required=False,
        allow_null=True,
        default=None,
        min_value=1,
        max_value=4,
        help_text="the joining number of somebody who sits at the table, a bot perhaps",
    )
    name = Text(
        required=False,
        allow_blank=True,
        max_length=limits.MAX_NAME_LENGTH,
        default="",
        help_text="or the name of a player who sits there or whom you have invited",
    )


class Play(RequestBody):
    action = Text(max_length=LONGEST_ACTION, help_text="an action string; reading is forgiving")
    seq = Whole(
        required=False, min_value=0, max_value=2**31 - 1, help_text="the seq of the game as you saw it"
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if "seq" not in attrs and attrs["action"].strip().lower() != "resign":
            raise serializers.ValidationError({"seq": _("say which seq you saw; only `resign` needs none")})
        return attrs


def plain_play(data: Any) -> bool:
    """Whether `Play` would surely take this as it is; it costs as much as a query to ask it."""
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
    text = Text(allow_blank=True, max_length=limits.MAX_NOTE_LENGTH)


class NewMessage(RequestBody):
    text = Text(allow_blank=True, max_length=limits.MAX_MESSAGE_LENGTH)


class Reason(RequestBody):
    why = Text(required=False, allow_blank=True, max_length=limits.MAX_REPORT_LENGTH, default="")


# ------------------------------------------------------------------------------------------- what goes out


FIRST_DEADLINE = "the end of the turn, or that of the tournament's round if it comes first"


class RoundEndView(serializers.Serializer):
    """When the points decide a game of a tournament that is still being played."""

    at = serializers.DateTimeField()
    tournament = serializers.CharField(help_text="its name")
    round = serializers.IntegerField(allow_null=True, help_text="null where rounds have no numbers")
    url = serializers.URLField(help_text="the page of the tournament")


class Person(serializers.Serializer):
    seat = serializers.IntegerField(allow_null=True)
    joined = serializers.IntegerField()
    name = serializers.CharField()
    player = serializers.CharField(allow_null=True)
    bot = serializers.CharField(allow_null=True)
    partner = serializers.IntegerField(allow_null=True)


class SeatView(Person):
    side = serializers.IntegerField(required=False)
    cards = serializers.IntegerField(required=False, help_text="how many; never which")
    table = serializers.CharField(required=False, allow_null=True)
    in_play = serializers.BooleanField(required=False)
    bank = serializers.IntegerField(allow_null=True, help_text="seconds in reserve; null without a clock")
    deadline = serializers.DateTimeField(
        allow_null=True, help_text="until when the seat can act, if it is on turn: " + FIRST_DEADLINE
    )


class Options(serializers.Serializer):
    cards = serializers.BooleanField()
    obligation = serializers.CharField()
    target = serializers.IntegerField()


class ClockView(serializers.Serializer):
    name = serializers.CharField()
    allowance = serializers.IntegerField()
    bank = serializers.IntegerField()
    blind = serializers.IntegerField(help_text="seconds for a turn of a blind match")
    timeouts = serializers.CharField()
    weekends = serializers.BooleanField()
    nights = serializers.BooleanField()
    vacation = serializers.BooleanField()
    paused_until = serializers.DateTimeField(allow_null=True)


class Fairness(serializers.Serializer):
    commitment = serializers.CharField()
    server_seed = serializers.CharField(allow_null=True, help_text="null until the game is over")
    client_seeds = serializers.ListField(child=serializers.CharField(allow_blank=True))


class Cell(serializers.Serializer):
    tile = serializers.CharField()
    rotation = serializers.IntegerField()


class FigureView(serializers.Serializer):
    kind = serializers.CharField()
    place = serializers.CharField()
    value = serializers.IntegerField()
    side = serializers.IntegerField(allow_null=True)


class BoardView(serializers.Serializer):
    cells = serializers.DictField(child=Cell())
    figures = FigureView(many=True)


class Partner(serializers.Serializer):
    seat = serializers.IntegerField()
    hand = serializers.ListField(child=serializers.CharField())


class You(serializers.Serializer):
    seat = serializers.IntegerField()
    side = serializers.IntegerField()
    hand = serializers.ListField(child=serializers.CharField())
    partner = Partner(allow_null=True)
    legal_count = serializers.IntegerField()
    eight = serializers.CharField(help_text="your answer to an 8, decided in advance: use, keep, ask")
    muted = serializers.BooleanField()
    hand_hidden = serializers.BooleanField(
        help_text="you took this seat over and have not looked yet: take-seat shows hand and legal actions"
    )


class GameSummary(serializers.Serializer):
    id = serializers.CharField()
    status = serializers.ChoiceField(Game.Status.values)
    mode = serializers.CharField()
    edition = serializers.CharField()
    options = Options()
    clock = ClockView()
    order = serializers.CharField()
    private = serializers.BooleanField()
    rated = serializers.BooleanField()
    seats_wanted = serializers.IntegerField()
    seats = Person(many=True)
    seq = serializers.IntegerField()
    to_act = serializers.ListField(child=serializers.IntegerField())
    created_at = serializers.DateTimeField()
    deadline = serializers.DateTimeField(allow_null=True, help_text=FIRST_DEADLINE)
    round_end = RoundEndView(allow_null=True)
    winner = serializers.IntegerField(allow_null=True)
    commitment = serializers.CharField(help_text="the SHA-256 of the server seed")


class GameView(serializers.Serializer):
    id = serializers.CharField()
    status = serializers.ChoiceField(Game.Status.values)
    mode = serializers.CharField()
    edition = serializers.CharField()
    rules = serializers.IntegerField()
    options = Options()
    clock = ClockView()
    order = serializers.CharField()
    private = serializers.BooleanField()
    rated = serializers.BooleanField()
    chat = serializers.BooleanField()
    seats_wanted = serializers.IntegerField()
    created_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField(allow_null=True)
    started_at = serializers.DateTimeField(allow_null=True)
    finished_at = serializers.DateTimeField(allow_null=True)
    deadline = serializers.DateTimeField(allow_null=True, help_text=FIRST_DEADLINE)
    round_end = RoundEndView(allow_null=True)
    fairness = Fairness()
    seq = serializers.IntegerField()
    phase = serializers.CharField(allow_null=True)
    match = serializers.IntegerField()
    to_act = serializers.ListField(child=serializers.IntegerField())
    seats = SeatView(many=True)
    board = BoardView()
    drawn = serializers.CharField(allow_null=True)
    markers = serializers.DictField(child=serializers.DictField(child=serializers.IntegerField()))
    totals = serializers.DictField(child=serializers.IntegerField())
    tower_left = serializers.IntegerField()
    deck_left = serializers.IntegerField()
    joined = serializers.IntegerField(allow_null=True, help_text="your joining number")
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
    you = You(required=False)


LEGAL = {"type": "array", "items": {"type": "string"}}  # no serializer says "a list of texts"


class LogLine(serializers.Serializer):
    seq = serializers.IntegerField()
    seat = serializers.IntegerField()
    action = serializers.CharField()
    by = serializers.ChoiceField(["player", "clock", "bot"])
    at = serializers.DateTimeField()
    hash = serializers.CharField()
    events = serializers.ListField(child=serializers.DictField())


class Log(serializers.Serializer):
    results = LogLine(many=True)
    next = serializers.IntegerField(allow_null=True, help_text="ask with ?after= this")


class EventLine(serializers.Serializer):
    id = serializers.IntegerField()
    kind = serializers.CharField()
    game = serializers.CharField(allow_null=True)
    at = serializers.DateTimeField()
    data = serializers.DictField()


class Feed(serializers.Serializer):
    results = EventLine(many=True)
    after = serializers.IntegerField(help_text="where to go on: ask with ?after= this")


class TurnLine(serializers.Serializer):
    game = serializers.CharField()
    seat = serializers.IntegerField()
    seq = serializers.IntegerField()
    phase = serializers.CharField()
    deadline = serializers.DateTimeField(allow_null=True, help_text=FIRST_DEADLINE)
    round_end = RoundEndView(allow_null=True)


class MessageLine(serializers.Serializer):
    id = serializers.IntegerField()
    name = serializers.CharField()
    text = serializers.CharField(allow_blank=True)
    at = serializers.DateTimeField()


class NoteView(serializers.Serializer):
    text = serializers.CharField(allow_blank=True)
    at = serializers.DateTimeField(allow_null=True)


class InvitationView(serializers.Serializer):
    game = serializers.CharField()
    commitment = serializers.CharField(help_text="the SHA-256 of the game's server seed")
    by = serializers.CharField()
    name = serializers.CharField(allow_null=True)
    partner = serializers.BooleanField()
    at = serializers.DateTimeField()


class Problem(serializers.Serializer):
    type = serializers.CharField()
    title = serializers.CharField()
    status = serializers.IntegerField()
    detail = serializers.CharField(allow_blank=True)
    code = serializers.CharField()


def key_of(request: Request) -> str:
    """The request's Idempotency-Key, or nothing. Raises ValidationError."""
    key = str(request.headers.get("Idempotency-Key", ""))
    if len(key) > LONGEST_KEY or not key.isprintable() or not key.isascii():
        said = _("at most %(most)d printable ASCII characters") % {"most": LONGEST_KEY}
        raise serializers.ValidationError({"Idempotency-Key": said})
    return key
