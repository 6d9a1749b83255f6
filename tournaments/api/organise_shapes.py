"""What goes out to those who organise: previews, decisions, appeals, evidence, invitations."""

from __future__ import annotations

from rest_framework import serializers

from .shapes import Flag, Moment, Note, Number, Words, listed


class Named(serializers.Serializer):
    entrant = Number()
    name = Words()


class ComingPairing(serializers.Serializer):
    match = Words()
    round = Number()
    rematch = Flag()
    seats = Named(many=True)
    reasons = Note(many=True)


class Preview(serializers.Serializer):
    state = serializers.ChoiceField(["round", "waiting", "finished"])
    round = Number(allow_null=True)
    pairings = ComingPairing(many=True)
    warnings = Note(many=True)
    matches = listed(Words(), help_text="what has to end before")
    champion = Words(allow_null=True)


class DecisionView(serializers.Serializer):
    id = Number()
    at = Moment()
    by = Words(allow_null=True)
    what = Words(
        help_text="edit, seeds, preview, proceed, extend, correct, disqualify, replace, remove, cancel, "
        "helper, undo-…"
    )
    why = Words(
        allow_null=True, allow_blank=True, help_text="the reason; null for whoever does not organise it"
    )
    public_note = Words(allow_blank=True, help_text="for everybody; empty once the decision was undone")
    table = Number(allow_null=True)
    entrant = Number(allow_null=True)
    player = Words(allow_null=True, help_text="who plays, or organises, from then on")
    was = Words(allow_null=True, help_text="who did before")
    result = serializers.DictField(allow_null=True, help_text="of a correction: from then on")
    result_before = serializers.DictField(allow_null=True, help_text="of a correction: until then")
    until = Words(allow_null=True, help_text="when a round ends")
    changed = serializers.DictField(allow_null=True, help_text="of an edit: what was laid down anew")
    seeds = listed(Number(), allow_null=True, help_text="of `seeds`: the entrants seeded by hand, in order")
    after_preview = Flag(
        help_text="of what changes the draw (`seeds`, `edit`, `remove`, `replace`): made before the start, "
        "but after an organiser had seen the draw"
    )
    undoes = Number(allow_null=True)
    undone = Flag()


class AppealView(serializers.Serializer):
    id = Number()
    table = Number()
    match = Words()
    by = Words(allow_null=True)
    at = Moment()
    text = Words()
    answer = Words(allow_blank=True)
    answered_by = Words(allow_null=True)
    answered_at = Moment(allow_null=True)


class NoticeView(serializers.Serializer):
    kind = Words()
    at = Moment()
    channel = serializers.ChoiceField(["mail", "webhook"])
    address = Words(allow_blank=True, help_text="in full for its reader alone")
    status = Words()
    why = Words(allow_blank=True)
    sent_at = Moment(allow_null=True)
    handed_over_at = Moment(allow_null=True, help_text="when the other side may have taken it")
    delivered_at = Moment(allow_null=True)
    bounced = Flag()
    opened_at = Moment(allow_null=True)


class TimeUp(serializers.Serializer):
    seat = Number()
    entrant = Number()
    player = Words(allow_null=True)
    turn = Number(help_text="the seq of the game when the turn began")
    began_at = Moment(allow_null=True)
    deadline = Moment(allow_null=True)
    notices = NoticeView(many=True, help_text="what was sent of this turn, and what became of it")
    what = Words(help_text="what the clock did")
    seq = Number()
    at = Moment()


class Evidence(serializers.Serializer):
    results = TimeUp(many=True)


class InviteView(serializers.Serializer):
    name = Words()
    at = Moment()
