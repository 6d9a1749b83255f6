"""Request serializers of tournaments and leagues."""

from __future__ import annotations

from datetime import UTC
from typing import Any

from django.core.validators import MaxValueValidator, MinValueValidator
from django.utils.translation import gettext_lazy as lazy
from rest_framework import serializers

from games import clock
from games.api.me import StrictBooleanField
from games.api.serializers import RequestBody, StrictCharField, StrictIntegerField
from games.engine import DEFAULT_EDITION, list_edition_names
from games.engine.fairness import MAX_CLIENT_SEED_LENGTH
from games.models import Game
from games.name_validation import MAX_NAME_LENGTH
from tournaments.models import League, Tournament, limits
from tournaments.services.tournaments import EARLIEST_TIME, LATEST_TIME

REASONABLE_DATE_VALIDATORS = [
    MinValueValidator(EARLIEST_TIME, lazy("Not so long ago.")),
    MaxValueValidator(LATEST_TIME, lazy("Nobody waits so long.")),
]


class UtcDateTimeField(serializers.DateTimeField):
    """A date and time, in UTC if it has no zone."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(default_timezone=UTC, validators=REASONABLE_DATE_VALIDATORS, **kwargs)


class NewGameSettingsSerializer(RequestBody):
    """The game settings of a tournament or league."""

    mode = serializers.ChoiceField(Tournament.Mode.values, default=Tournament.Mode.SINGLES)
    table = StrictIntegerField(
        default=2, **limits.TABLE_SIZE.number_bounds, help_text="entrants at a table; in pairs 2"
    )
    edition = serializers.ChoiceField(list_edition_names(), default=DEFAULT_EDITION)
    cards = StrictBooleanField(default=True)
    obligation = serializers.ChoiceField(
        ["strict"],
        default="strict",
        error_messages={
            "invalid_choice": lazy("Tournaments and leagues are played with the duty to close figures.")
        },
    )
    target = StrictIntegerField(default=24, **limits.TARGET_SCORE.number_bounds)
    clock = serializers.ChoiceField([*clock.TIME_CONTROL_PRESETS, "custom"], default=clock.DEFAULT_PRESET)
    allowance = StrictIntegerField(
        required=False, **limits.ALLOWANCE.number_bounds, help_text="seconds for a turn; for a custom clock"
    )
    bank = StrictIntegerField(
        required=False, **limits.BANK.number_bounds, help_text="seconds in reserve; for a custom clock"
    )
    blind_allowance = StrictIntegerField(
        required=False,
        allow_null=True,
        **limits.ALLOWANCE.number_bounds,
        help_text="seconds for a turn of a blind match; half the allowance if you say none",
    )
    short_allowance = StrictIntegerField(
        required=False,
        **limits.ALLOWANCE.number_bounds,
        help_text="seconds for a turn of a rematch; a quarter if you say none",
    )
    short_bank = StrictIntegerField(
        required=False,
        **limits.BANK.number_bounds,
        help_text="seconds in reserve for a rematch; a quarter if you say none",
    )
    timeouts = serializers.ChoiceField(Game.TimeoutPolicy.values, default=Game.TimeoutPolicy.AUTOPLAY)
    weekends = StrictBooleanField(default=False, help_text="clocks rest at the weekend")
    nights = StrictBooleanField(
        default=False,
        help_text="clocks rest in a player's night hours, as they are when a turn begins; 12 of 24 at most",
    )
    vacation = StrictBooleanField(
        required=False, help_text="clocks rest on vacation; by default unless games are quick ones"
    )
    chat = StrictBooleanField(default=True, help_text="whether those at a table can talk")
    rated = StrictBooleanField(default=True)
    private = StrictBooleanField(default=False, help_text="games are for those who play them")
    round_length = StrictIntegerField(
        required=False,
        allow_null=True,
        **limits.ROUND_LENGTH.number_bounds,
        help_text="seconds until what is still played in a round is decided by its points; null: never",
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Rename `clock` to `clock_name`, the parameter of the services."""
        if "clock" in attrs:
            attrs["clock_name"] = attrs.pop("clock")
        return attrs


class NewTournamentSerializer(NewGameSettingsSerializer):
    """The settings of a tournament."""

    name = StrictCharField(max_length=limits.MAX_TITLE_LENGTH)
    text = StrictCharField(
        required=False,
        allow_blank=True,
        max_length=limits.MAX_TEXT_LENGTH,
        help_text="what players should know",
    )
    format = serializers.ChoiceField(Tournament.Format.values)
    rounds = StrictIntegerField(
        required=False,
        allow_null=True,
        **limits.ROUND_COUNT.number_bounds,
        help_text="of Swiss, and of a round robin at tables of 3 and 4; null: as many as it takes",
    )
    laps = StrictIntegerField(
        default=1, **limits.CYCLES.number_bounds, help_text="round robin: how often two meet"
    )
    at_once = StrictBooleanField(default=False, help_text="round robin: all rounds begin together")
    advance = StrictIntegerField(
        default=1,
        **limits.ADVANCING_COUNT.number_bounds,
        help_text="knock-out: how many go on from a table of 3 or 4",
    )
    third_place = StrictBooleanField(default=False, help_text="knock-out at tables of 2")
    opens_at = UtcDateTimeField(
        required=False, allow_null=True, help_text="from when one may enter; null: at once"
    )
    closes_at = UtcDateTimeField(
        required=False, allow_null=True, help_text="until when; null: until the start"
    )
    starts_at = UtcDateTimeField(
        required=False, allow_null=True, help_text="null: when it is full, or by you"
    )
    when_full = StrictBooleanField(default=False, help_text="starts as soon as all places are taken")
    capacity = StrictIntegerField(required=False, allow_null=True, **limits.CAPACITY.number_bounds)
    confirmation = StrictBooleanField(default=False, help_text="only who has confirmed plays")
    by_invitation = StrictBooleanField(default=False)
    late = StrictBooleanField(default=False, help_text="Swiss: people may come in later")
    least_rating = StrictIntegerField(required=False, allow_null=True, **limits.RATING.number_bounds)
    most_rating = StrictIntegerField(required=False, allow_null=True, **limits.RATING.number_bounds)
    seeding = serializers.ChoiceField(Tournament.Seeding.values, default=Tournament.Seeding.LOT)
    ask = StrictBooleanField(default=True, help_text="warnings about a round wait for the organiser")
    review = StrictBooleanField(default=False, help_text="every round waits until the organiser has seen it")


class NewLeagueSerializer(NewGameSettingsSerializer):
    """The settings of a league."""

    name = StrictCharField(max_length=limits.MAX_TITLE_LENGTH)
    text = StrictCharField(
        required=False,
        allow_blank=True,
        max_length=limits.MAX_TEXT_LENGTH,
        help_text="what players should know",
    )
    format = serializers.ChoiceField(League.Format.values, default=League.Format.ROUND_ROBIN)
    rounds = StrictIntegerField(
        required=False, allow_null=True, **limits.ROUND_COUNT.number_bounds, help_text="of Swiss"
    )
    size = StrictIntegerField(**limits.DIVISION_SIZE.number_bounds, help_text="of a division")
    moves = StrictIntegerField(
        default=2, **limits.PROMOTION_COUNT.number_bounds, help_text="how many go up, and down"
    )
    groups = StrictIntegerField(
        default=1, **limits.GROUPS_PER_DIVISION.number_bounds, help_text="in a division"
    )
    laps = StrictIntegerField(
        default=1, **limits.CYCLES.number_bounds, help_text="how often two meet in a season"
    )
    at_once = StrictBooleanField(default=False, help_text="all rounds of a season begin together")
    newcomers = serializers.ChoiceField(League.NewcomerPolicy.values, default=League.NewcomerPolicy.BOTTOM)
    pause = StrictIntegerField(
        default=0, **limits.SEASON_PAUSE.number_bounds, help_text="seconds between two seasons"
    )
    seasons = StrictIntegerField(
        required=False, allow_null=True, **limits.SEASON_LIMIT.number_bounds, help_text="null: for ever"
    )


class PlayerNameSerializer(RequestBody):
    """The name of a player."""

    name = StrictCharField(max_length=MAX_NAME_LENGTH, help_text="of a player")


class PartnerNameSerializer(RequestBody):
    """The name of a partner, for pairs."""

    partner = StrictCharField(
        required=False,
        allow_null=True,
        default=None,
        max_length=MAX_NAME_LENGTH,
        help_text="in pairs: whom you play with",
    )


CLIENT_SEED_HELP_TEXT = "your own part of the shuffles, without '|'; empty: the number of your entry as text"


class TournamentEntrySerializer(PartnerNameSerializer):
    """An entry into a tournament."""

    client_seed = StrictCharField(
        required=False,
        allow_blank=True,
        max_length=MAX_CLIENT_SEED_LENGTH,
        default="",
        help_text=CLIENT_SEED_HELP_TEXT,
    )


class LeagueEntrySerializer(PartnerNameSerializer):
    """An entry into a league."""

    client_seed = StrictCharField(
        required=False,
        allow_blank=True,
        allow_null=True,
        max_length=MAX_CLIENT_SEED_LENGTH,
        default=None,
        help_text=f"{CLIENT_SEED_HELP_TEXT}; null: what you brought before",
    )


class AcceptProposalSerializer(RequestBody):
    """The client seed to accept a proposal with."""

    client_seed = StrictCharField(
        required=False,
        allow_blank=True,
        max_length=MAX_CLIENT_SEED_LENGTH,
        default="",
        help_text=CLIENT_SEED_HELP_TEXT,
    )


class ClientSeedSerializer(RequestBody):
    """A new client seed."""

    client_seed = StrictCharField(
        allow_blank=True, max_length=MAX_CLIENT_SEED_LENGTH, help_text=CLIENT_SEED_HELP_TEXT
    )


class DecisionReasonSerializer(RequestBody):
    """The reason and the public note of a decision."""

    why = StrictCharField(
        required=False,
        allow_blank=True,
        max_length=limits.MAX_REASON_LENGTH,
        default="",
        help_text="the reason: only those who organise it, and the staff of the site, can read it",
    )
    public_note = StrictCharField(
        required=False,
        allow_blank=True,
        max_length=limits.MAX_REASON_LENGTH,
        default="",
        help_text="everybody can read it until the decision is undone; mails about the decision quote it",
    )


CONFIRMED_HELP_TEXT = (
    "needed if the tournament is over and its final places change, or it is reopened: without it such a "
    "request is refused with `places-change`, and `places` says which"
)


class SitOutRoundSerializer(RequestBody):
    """The round to sit out."""

    round = StrictIntegerField(**limits.ROUND_COUNT.number_bounds)


class SeedOrderSerializer(RequestBody):
    """The seed order."""

    order = serializers.ListField(
        child=StrictIntegerField(min_value=1, max_value=2**63 - 1),
        max_length=limits.MAX_PLACES_PER_TOURNAMENT,
        help_text="ids of entrants, the strongest first; the others are drawn in behind them",
    )


class ExtendRoundSerializer(DecisionReasonSerializer):
    """A new end of a round."""

    round = StrictIntegerField(min_value=1, max_value=32767, help_text="as `rounds` numbers them")
    until = UtcDateTimeField()


class UndoDecisionSerializer(DecisionReasonSerializer):
    """Undoes a decision."""

    confirmed = StrictBooleanField(default=False, help_text=CONFIRMED_HELP_TEXT)


class CorrectResultSerializer(DecisionReasonSerializer):
    """A corrected result."""

    confirmed = StrictBooleanField(default=False, help_text=CONFIRMED_HELP_TEXT)
    table = StrictIntegerField(min_value=1, max_value=2**63 - 1)
    ranks = serializers.ListField(
        child=StrictIntegerField(min_value=1, max_value=4),
        max_length=4,
        help_text="by seat, 1 the best; level ones share",
    )
    points = serializers.ListField(
        child=StrictIntegerField(min_value=0, max_value=limits.MAX_RESULT_POINTS),
        max_length=4,
        required=False,
        allow_null=True,
        help_text="of the game, by seat; as they were if you say none",
    )
    eights = serializers.ListField(
        child=StrictIntegerField(min_value=0, max_value=limits.MAX_RESULT_EIGHTS),
        max_length=4,
        required=False,
        allow_null=True,
        help_text="by seat; as they were if you say none",
    )
    forfeits = serializers.ListField(
        child=StrictIntegerField(min_value=1, max_value=2**63 - 1),
        max_length=4,
        required=False,
        help_text="ids of entrants who did not play to the end",
    )


class DisqualifyEntrantSerializer(DecisionReasonSerializer):
    """The entrant to disqualify."""

    entrant = StrictIntegerField(min_value=1, max_value=2**63 - 1)


class RemoveEntrantSerializer(DisqualifyEntrantSerializer):
    """The entrant to remove."""


class ReplacePlayerSerializer(DisqualifyEntrantSerializer):
    """A replacement for a player of an entrant."""

    player = StrictCharField(
        required=False,
        allow_null=True,
        default=None,
        max_length=MAX_NAME_LENGTH,
        help_text="the name of whoever plays on; null: who has waited longest on the waiting list",
    )
    number = StrictIntegerField(default=1, min_value=1, max_value=2, help_text="2: for the second of a pair")


class SubstitutePlayerSerializer(DecisionReasonSerializer):
    """A substitution in a league."""

    out = StrictCharField(max_length=MAX_NAME_LENGTH, help_text="the name of whoever leaves")
    player = StrictCharField(
        required=False,
        allow_null=True,
        default=None,
        max_length=MAX_NAME_LENGTH,
        help_text="a substitute; null: who has waited longest",
    )


class RemoveLeagueMemberSerializer(DecisionReasonSerializer):
    """The member to remove from a league."""

    name = StrictCharField(max_length=MAX_NAME_LENGTH, help_text="of a player")
    public_note = StrictCharField(
        required=False,
        allow_blank=True,
        max_length=limits.MAX_REASON_LENGTH,
        default="",
        help_text="they read it in the mail that tells them",
    )


class AppealTextSerializer(RequestBody):
    """The text of an appeal or of its answer."""

    text = StrictCharField(max_length=limits.MAX_APPEAL_LENGTH)
