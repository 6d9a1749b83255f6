"""Request serializers of tournaments and leagues."""

from __future__ import annotations

from functools import partial

from rest_framework import serializers

from accounts.name_validation import MAX_NAME_LENGTH
from common.api.serializers import RequestBody
from common.api.strict_fields import StrictBooleanField, StrictCharField, StrictIntegerField
from games.api.option_fields import UtcDateTimeField, add_request_fields
from games.engine.fairness import MAX_CLIENT_SEED_LENGTH
from tournaments.models import limits
from tournaments.options import GAME_SETTINGS_OPTIONS, LEAGUE_OPTIONS, TOURNAMENT_OPTIONS

IdField = partial(StrictIntegerField, min_value=1, max_value=2**63 - 1)
OptionalNameField = partial(
    StrictCharField, required=False, allow_null=True, default=None, max_length=MAX_NAME_LENGTH
)
OptionalTextField = partial(StrictCharField, required=False, allow_blank=True, default="")
ReasonField = partial(OptionalTextField, max_length=limits.MAX_REASON_LENGTH)


@add_request_fields(GAME_SETTINGS_OPTIONS)
class NewGameSettingsSerializer(RequestBody):
    """The game settings of a tournament or league."""


@add_request_fields(TOURNAMENT_OPTIONS)
class NewTournamentSerializer(NewGameSettingsSerializer):
    """The settings of a tournament."""


@add_request_fields(LEAGUE_OPTIONS)
class NewLeagueSerializer(NewGameSettingsSerializer):
    """The settings of a league."""


class PlayerNameSerializer(RequestBody):
    """The name of a player."""

    name = StrictCharField(max_length=MAX_NAME_LENGTH, help_text="The name of a player.")


CLIENT_SEED_HELP_TEXT = (
    "Your part of the shuffles: 1 to 64 characters without `|`. If it is empty, we use the"
    " number of your entry."
)


class AcceptProposalSerializer(RequestBody):
    """The client seed to accept a proposal with."""

    client_seed = OptionalTextField(max_length=MAX_CLIENT_SEED_LENGTH, help_text=CLIENT_SEED_HELP_TEXT)


class TournamentEntrySerializer(AcceptProposalSerializer):
    """An entry into a tournament."""

    partner = OptionalNameField(help_text="In pairs: the name of the player you want to play with.")


class LeagueEntrySerializer(TournamentEntrySerializer):
    """An entry into a league."""

    client_seed = StrictCharField(
        required=False,
        allow_blank=True,
        allow_null=True,
        max_length=MAX_CLIENT_SEED_LENGTH,
        default=None,
        help_text=f"{CLIENT_SEED_HELP_TEXT} Null: the one that you brought before.",
    )


class ClientSeedSerializer(RequestBody):
    """A new client seed."""

    client_seed = StrictCharField(
        allow_blank=True, max_length=MAX_CLIENT_SEED_LENGTH, help_text=CLIENT_SEED_HELP_TEXT
    )


class DecisionReasonSerializer(RequestBody):
    """The reason and the public note of a decision."""

    reason = ReasonField(help_text="The reason. Only the organisers and the site's operators can read it.")
    public_note = ReasonField(
        help_text="A note for everybody, quoted in mails about the decision. It is hidden when the decision"
        " is undone."
    )


CONFIRMED_HELP_TEXT = (
    "Send true to change final ranks or to reopen a tournament that is over. Otherwise such a"
    " request gets `rank-changes`, and `places` lists the changes."
)


class SitOutRoundSerializer(RequestBody):
    """The round to sit out."""

    round = StrictIntegerField(**limits.ROUND_COUNT.number_bounds, help_text="The number of the round.")


class SeedOrderSerializer(RequestBody):
    """The seed order."""

    order = serializers.ListField(
        child=IdField(),
        max_length=limits.MAX_PLACES_PER_TOURNAMENT,
        help_text="The `id` of each entrant to seed, the strongest first. The others are drawn in"
        " behind them.",
    )


class ExtendRoundSerializer(DecisionReasonSerializer):
    """A new end of a round."""

    round = StrictIntegerField(
        min_value=1,
        max_value=32767,
        source="round_number",
        help_text="The number of the round, as in the list of rounds.",
    )
    until = UtcDateTimeField(help_text="When the round is to end.")


class UndoDecisionSerializer(DecisionReasonSerializer):
    """Undoes a decision."""

    confirmed = StrictBooleanField(default=False, help_text=CONFIRMED_HELP_TEXT)


class CorrectResultSerializer(DecisionReasonSerializer):
    """A corrected result."""

    confirmed = StrictBooleanField(default=False, help_text=CONFIRMED_HELP_TEXT)
    pairing = IdField(source="pairing_id", help_text="The `id` of the pairing.")
    ranks = serializers.ListField(
        child=StrictIntegerField(min_value=1, max_value=4),
        max_length=4,
        help_text="The rank of each seat, in seat order; 1 is the best. Equal results share a rank.",
    )
    points = serializers.ListField(
        child=StrictIntegerField(min_value=0, max_value=limits.MAX_RESULT_POINTS),
        max_length=4,
        required=False,
        allow_null=True,
        help_text="The points of each seat in the game, in seat order. Omit them to keep those of the game.",
    )
    eights = serializers.ListField(
        child=StrictIntegerField(min_value=0, max_value=limits.MAX_RESULT_EIGHTS),
        max_length=4,
        required=False,
        allow_null=True,
        help_text="How many times each seat made an 8, in seat order. Omit them to keep those of the game.",
    )
    forfeits = serializers.ListField(
        child=IdField(),
        max_length=4,
        required=False,
        help_text="The `id` of each entrant that did not play to the end.",
    )


class DisqualifyEntrantSerializer(DecisionReasonSerializer):
    """The entrant to disqualify."""

    entrant = IdField(help_text="The `id` of the entrant.")


class RemoveEntrantSerializer(DisqualifyEntrantSerializer):
    """The entrant to remove."""


class ReplacePlayerSerializer(DisqualifyEntrantSerializer):
    """A replacement for a player of an entrant."""

    player = OptionalNameField(
        help_text="The name of the new player; null for the first on the waiting list."
    )
    number = StrictIntegerField(
        default=1,
        min_value=1,
        max_value=2,
        source="position",
        help_text="1, or 2 to replace the second player of a pair.",
    )


class SubstitutePlayerSerializer(DecisionReasonSerializer):
    """A substitution in a league."""

    out = StrictCharField(max_length=MAX_NAME_LENGTH, help_text="The name of the player who leaves.")
    player = OptionalNameField(
        help_text="The name of the substitute; null for the one who has waited longest."
    )


class RemoveLeagueMemberSerializer(DecisionReasonSerializer):
    """The member to remove from a league."""

    name = StrictCharField(max_length=MAX_NAME_LENGTH, help_text="The name of a player.")
    public_note = ReasonField(help_text="A note that the player reads in the mail about the removal.")


class AppealTextSerializer(RequestBody):
    """The text of an appeal or of its answer."""

    text = StrictCharField(max_length=limits.MAX_APPEAL_LENGTH, help_text="The text.")
