"""Response serializers of organiser actions: previews, decisions, appeals, evidence, invites."""

from __future__ import annotations

from rest_framework import serializers

from .tournament_serializers import (
    BooleanField,
    CharField,
    DateTimeField,
    IntegerField,
    NoteSerializer,
    list_field,
)


class NamedEntrantSerializer(serializers.Serializer):
    """An entrant with its name."""

    entrant = IntegerField()
    name = CharField()


class PlannedPairingSerializer(serializers.Serializer):
    """A pairing of the previewed round."""

    match = CharField()
    bracket_round = IntegerField()
    rematch = BooleanField()
    seats = NamedEntrantSerializer(many=True)
    reasons = NoteSerializer(many=True)


class RoundPreviewSerializer(serializers.Serializer):
    """The preview of the next round."""

    state = serializers.ChoiceField(["round", "waiting", "finished"])
    round = IntegerField(allow_null=True)
    pairings = PlannedPairingSerializer(many=True)
    warnings = NoteSerializer(many=True)
    matches = list_field(CharField(), help_text="what has to end before")
    champion = CharField(allow_null=True)


class DecisionSerializer(serializers.Serializer):
    """A decision of an organiser."""

    id = IntegerField()
    created_at = DateTimeField()
    created_by = CharField(allow_null=True)
    action = CharField(
        help_text="edit, seeds, preview, proceed, extend, correct, disqualify, replace, remove, cancel, "
        "co-organiser, undo-…"
    )
    reason = CharField(
        allow_null=True, allow_blank=True, help_text="the reason; null for whoever does not organise it"
    )
    public_note = CharField(allow_blank=True, help_text="for everybody; empty once the decision was undone")
    pairing = IntegerField(allow_null=True)
    entrant = IntegerField(allow_null=True)
    player = CharField(allow_null=True, help_text="who plays, or organises, from then on")
    was = CharField(allow_null=True, help_text="who did before")
    result = serializers.DictField(allow_null=True, help_text="of a correction: from then on")
    result_before = serializers.DictField(allow_null=True, help_text="of a correction: until then")
    until = CharField(allow_null=True, help_text="when a round ends")
    changed = serializers.DictField(allow_null=True, help_text="of an edit: what was laid down anew")
    seeds = list_field(
        IntegerField(), allow_null=True, help_text="of `seeds`: the entrants seeded by hand, in order"
    )
    after_preview = BooleanField(
        help_text="of what changes the draw (`seeds`, `edit`, `remove`, `replace`): made before the start, "
        "but after an organiser had seen the draw"
    )
    undoes = IntegerField(allow_null=True)
    undone = BooleanField()


class AppealSerializer(serializers.Serializer):
    """An appeal and its answer."""

    id = IntegerField()
    pairing = IntegerField()
    match = CharField()
    created_by = CharField(allow_null=True)
    created_at = DateTimeField()
    text = CharField()
    answer = CharField(allow_blank=True)
    answered_by = CharField(allow_null=True)
    answered_at = DateTimeField(allow_null=True)


class SentNoticeSerializer(serializers.Serializer):
    """A notice sent about a turn, and its delivery."""

    kind = CharField()
    created_at = DateTimeField()
    channel = serializers.ChoiceField(["mail", "webhook"])
    address = CharField(allow_blank=True, help_text="in full for its reader alone")
    status = CharField()
    status_reason = CharField(allow_blank=True)
    sent_at = DateTimeField(allow_null=True)
    submitted_at = DateTimeField(allow_null=True, help_text="when the other side may have taken it")
    delivered_at = DateTimeField(allow_null=True)
    bounced = BooleanField()
    opened_at = DateTimeField(allow_null=True)


class TimeoutSerializer(serializers.Serializer):
    """A timeout, with the notices sent before."""

    seat = IntegerField()
    entrant = IntegerField()
    player = CharField(allow_null=True)
    turn = IntegerField(help_text="the seq of the game when the turn began")
    began_at = DateTimeField(allow_null=True)
    deadline = DateTimeField(allow_null=True)
    notices = SentNoticeSerializer(many=True, help_text="what was sent of this turn, and what became of it")
    outcome = CharField(help_text="what the clock did")
    seq = IntegerField()
    at = DateTimeField()


class TimeoutEvidenceSerializer(serializers.Serializer):
    """The timeouts of a pairing."""

    results = TimeoutSerializer(many=True)


class TournamentInviteSerializer(serializers.Serializer):
    """An invite to a tournament."""

    name = CharField()
    at = DateTimeField()
