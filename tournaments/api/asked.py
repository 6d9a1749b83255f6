"""What comes in: the words of those who organise and of those who play."""

from __future__ import annotations

from datetime import UTC
from typing import Any

from django.core.validators import MaxValueValidator, MinValueValidator
from django.utils.translation import gettext_lazy as lazy
from rest_framework import serializers

from games import clock
from games.api.me import YesOrNo
from games.api.shapes import RequestBody, Text, Whole
from games.engine import DEFAULT_EDITION, edition_names
from games.engine.fairness import CLIENT_SEED_LENGTH
from games.models import Game
from games.names import MAX_NAME_LENGTH
from tournaments.models import Event, League, limits
from tournaments.services.events import EARLIEST, LATEST

REASONABLE = [
    MinValueValidator(EARLIEST, lazy("Not so long ago.")),
    MaxValueValidator(LATEST, lazy("Nobody waits so long.")),
]


class Moment(serializers.DateTimeField):
    """A time, in UTC if it names no zone."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(default_timezone=UTC, validators=REASONABLE, **kwargs)


class Terms(RequestBody):
    """What every game of an event or a league is played by."""

    mode = serializers.ChoiceField(Event.Mode.values, default=Event.Mode.SINGLES)
    table = Whole(default=2, **limits.TABLE.bounds, help_text="entrants at a table; in pairs 2")
    edition = serializers.ChoiceField(edition_names(), default=DEFAULT_EDITION)
    cards = YesOrNo(default=True)
    obligation = serializers.ChoiceField(
        ["strict"],
        default="strict",
        error_messages={
            "invalid_choice": lazy("Tournaments and leagues are played with the duty to close figures.")
        },
    )
    target = Whole(default=24, **limits.TARGET.bounds)
    clock = serializers.ChoiceField([*clock.PRESETS, "custom"], default=clock.DEFAULT)
    allowance = Whole(
        required=False, **limits.ALLOWANCE.bounds, help_text="seconds for a turn; for a custom clock"
    )
    bank = Whole(required=False, **limits.BANK.bounds, help_text="seconds in reserve; for a custom clock")
    blind_allowance = Whole(
        required=False,
        allow_null=True,
        **limits.ALLOWANCE.bounds,
        help_text="seconds for a turn of a blind match; half the allowance if you say none",
    )
    short_allowance = Whole(
        required=False,
        **limits.ALLOWANCE.bounds,
        help_text="seconds for a turn of a rematch; a quarter if you say none",
    )
    short_bank = Whole(
        required=False,
        **limits.BANK.bounds,
        help_text="seconds in reserve for a rematch; a quarter if you say none",
    )
    timeouts = serializers.ChoiceField(Game.Timeouts.values, default=Game.Timeouts.AUTOPLAY)
    weekends = YesOrNo(default=False, help_text="clocks rest at the weekend")
    nights = YesOrNo(
        default=False,
        help_text="clocks rest in a player's night hours, as they are when a turn begins; 12 of 24 at most",
    )
    vacation = YesOrNo(
        required=False, help_text="clocks rest on vacation; by default unless games are quick ones"
    )
    chat = YesOrNo(default=True, help_text="whether those at a table can talk")
    rated = YesOrNo(default=True)
    private = YesOrNo(default=False, help_text="games are for those who play them")
    round_length = Whole(
        required=False,
        allow_null=True,
        **limits.ROUND_LENGTH.bounds,
        help_text="seconds until what is still played in a round is decided by its points; null: never",
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """The services call the name of a clock by another word."""
        if "clock" in attrs:
            attrs["clock_name"] = attrs.pop("clock")
        return attrs


class NewEvent(Terms):
    name = Text(max_length=limits.MAX_TITLE_LENGTH)
    text = Text(
        required=False,
        allow_blank=True,
        max_length=limits.MAX_TEXT_LENGTH,
        help_text="what players should know",
    )
    format = serializers.ChoiceField(Event.Format.values)
    rounds = Whole(
        required=False,
        allow_null=True,
        **limits.ROUNDS.bounds,
        help_text="of Swiss, and of a round robin at tables of 3 and 4; null: as many as it takes",
    )
    laps = Whole(default=1, **limits.LAPS.bounds, help_text="round robin: how often two meet")
    at_once = YesOrNo(default=False, help_text="round robin: all rounds begin together")
    advance = Whole(
        default=1, **limits.ADVANCE.bounds, help_text="knock-out: how many go on from a table of 3 or 4"
    )
    third_place = YesOrNo(default=False, help_text="knock-out at tables of 2")
    opens_at = Moment(required=False, allow_null=True, help_text="from when one may enter; null: at once")
    closes_at = Moment(required=False, allow_null=True, help_text="until when; null: until the start")
    starts_at = Moment(required=False, allow_null=True, help_text="null: when it is full, or by you")
    when_full = YesOrNo(default=False, help_text="starts as soon as all places are taken")
    capacity = Whole(required=False, allow_null=True, **limits.PLACES.bounds)
    confirmation = YesOrNo(default=False, help_text="only who has confirmed plays")
    by_invitation = YesOrNo(default=False)
    late = YesOrNo(default=False, help_text="Swiss: people may come in later")
    least_rating = Whole(required=False, allow_null=True, **limits.RATING.bounds)
    most_rating = Whole(required=False, allow_null=True, **limits.RATING.bounds)
    seeding = serializers.ChoiceField(Event.Seeding.values, default=Event.Seeding.LOT)
    ask = YesOrNo(default=True, help_text="warnings about a round wait for the organiser")
    review = YesOrNo(default=False, help_text="every round waits until the organiser has seen it")


class NewLeague(Terms):
    name = Text(max_length=limits.MAX_TITLE_LENGTH)
    text = Text(
        required=False,
        allow_blank=True,
        max_length=limits.MAX_TEXT_LENGTH,
        help_text="what players should know",
    )
    format = serializers.ChoiceField(League.Format.values, default=League.Format.ROUND_ROBIN)
    rounds = Whole(required=False, allow_null=True, **limits.ROUNDS.bounds, help_text="of Swiss")
    size = Whole(**limits.DIVISION_SIZE.bounds, help_text="of a division")
    moves = Whole(default=2, **limits.MOVES.bounds, help_text="how many go up, and down")
    groups = Whole(default=1, **limits.GROUPS.bounds, help_text="in a division")
    laps = Whole(default=1, **limits.LAPS.bounds, help_text="how often two meet in a season")
    at_once = YesOrNo(default=False, help_text="all rounds of a season begin together")
    newcomers = serializers.ChoiceField(League.Newcomers.values, default=League.Newcomers.BOTTOM)
    pause = Whole(default=0, **limits.PAUSE.bounds, help_text="seconds between two seasons")
    seasons = Whole(required=False, allow_null=True, **limits.SEASONS.bounds, help_text="null: for ever")


class Somebody(RequestBody):
    name = Text(max_length=MAX_NAME_LENGTH, help_text="of a player")


class WithPartner(RequestBody):
    partner = Text(
        required=False,
        allow_null=True,
        default=None,
        max_length=MAX_NAME_LENGTH,
        help_text="in pairs: whom you play with",
    )


CLIENT_SEED = "your own part of the shuffles, without '|'; empty: the number of your entry as text"


class Entry(WithPartner):
    client_seed = Text(
        required=False, allow_blank=True, max_length=CLIENT_SEED_LENGTH, default="", help_text=CLIENT_SEED
    )


class LeagueEntry(WithPartner):
    client_seed = Text(
        required=False,
        allow_blank=True,
        allow_null=True,
        max_length=CLIENT_SEED_LENGTH,
        default=None,
        help_text=f"{CLIENT_SEED}; null: what you brought before",
    )


class AcceptedWith(RequestBody):
    client_seed = Text(
        required=False, allow_blank=True, max_length=CLIENT_SEED_LENGTH, default="", help_text=CLIENT_SEED
    )


class ClientSeed(RequestBody):
    client_seed = Text(allow_blank=True, max_length=CLIENT_SEED_LENGTH, help_text=CLIENT_SEED)


class Because(RequestBody):
    why = Text(
        required=False,
        allow_blank=True,
        max_length=limits.MAX_REASON_LENGTH,
        default="",
        help_text="the reason: only those who organise it, and the staff of the site, can read it",
    )
    public_note = Text(
        required=False,
        allow_blank=True,
        max_length=limits.MAX_REASON_LENGTH,
        default="",
        help_text="everybody can read it until the decision is undone; mails about the decision quote it",
    )


CONFIRMED = (
    "needed if the tournament is over and its final places change, or it is reopened: without it such a "
    "request is refused with `places-change`, and `places` says which"
)


class SitOut(RequestBody):
    round = Whole(**limits.ROUNDS.bounds)


class Seeds(RequestBody):
    order = serializers.ListField(
        child=Whole(min_value=1, max_value=2**63 - 1),
        max_length=limits.MAX_PLACES_PER_EVENT,
        help_text="ids of entrants, the strongest first; the others are drawn in behind them",
    )


class Extend(Because):
    round = Whole(min_value=1, max_value=32767, help_text="as `rounds` numbers them")
    until = Moment()


class Undo(Because):
    confirmed = YesOrNo(default=False, help_text=CONFIRMED)


class Correct(Because):
    confirmed = YesOrNo(default=False, help_text=CONFIRMED)
    table = Whole(min_value=1, max_value=2**63 - 1)
    ranks = serializers.ListField(
        child=Whole(min_value=1, max_value=4), max_length=4, help_text="by seat, 1 the best; level ones share"
    )
    points = serializers.ListField(
        child=Whole(min_value=0, max_value=limits.MAX_RESULT_POINTS),
        max_length=4,
        required=False,
        allow_null=True,
        help_text="of the game, by seat; as they were if you say none",
    )
    eights = serializers.ListField(
        child=Whole(min_value=0, max_value=limits.MAX_RESULT_EIGHTS),
        max_length=4,
        required=False,
        allow_null=True,
        help_text="by seat; as they were if you say none",
    )
    forfeits = serializers.ListField(
        child=Whole(min_value=1, max_value=2**63 - 1),
        max_length=4,
        required=False,
        help_text="ids of entrants who did not play to the end",
    )


class Disqualify(Because):
    entrant = Whole(min_value=1, max_value=2**63 - 1)


class Remove(Disqualify):
    pass


class Replace(Disqualify):
    player = Text(
        required=False,
        allow_null=True,
        default=None,
        max_length=MAX_NAME_LENGTH,
        help_text="the name of whoever plays on; null: who has waited longest on the waiting list",
    )
    number = Whole(default=1, min_value=1, max_value=2, help_text="2: for the second of a pair")


class ReplaceInLeague(Because):
    out = Text(max_length=MAX_NAME_LENGTH, help_text="the name of whoever leaves")
    player = Text(
        required=False,
        allow_null=True,
        default=None,
        max_length=MAX_NAME_LENGTH,
        help_text="a substitute; null: who has waited longest",
    )


class RemoveMember(Because):
    name = Text(max_length=MAX_NAME_LENGTH, help_text="of a player")
    public_note = Text(
        required=False,
        allow_blank=True,
        max_length=limits.MAX_REASON_LENGTH,
        default="",
        help_text="they read it in the mail that tells them",
    )


class Objection(RequestBody):
    text = Text(max_length=limits.MAX_APPEAL_LENGTH)
