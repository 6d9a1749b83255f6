"""What a player sets for a seat of their own: that they play it to the end, the answer to an 8 in advance."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from games.models import Game, Player, Seat

from . import clocks, turns
from .errors import Invalid


@transaction.atomic
def take_seat(*, player: Player, code: str, now: datetime) -> Seat:
    """See the hand of a seat that one has taken over, and play it to the end; twice is the same as once.

    Raises NotFound or Denied.
    """
    _found, place = turns.seated(player, code)
    # Only as long as the seat is still theirs: whoever gave it to them may take that back meanwhile.
    Seat.objects.filter(pk=place.pk, player=player, hand_hidden=True).update(hand_hidden=False)
    return turns.seated(player, code)[1]


@transaction.atomic
def decide_eight(*, player: Player, code: str, answer: str, now: datetime) -> Seat:
    """Decide in advance how an 8 is answered: use, keep, ask. Raises NotFound, Denied or Invalid."""
    if answer not in Seat.Eight.values:
        raise Invalid(_("eight is one of %(words)s") % {"words": ", ".join(Seat.Eight.values)})
    found, place = turns.seated(player, code)
    if place.hand_hidden:
        raise turns.hand_hidden()
    # Only as long as the seat is still theirs: what they decided is nothing for whoever plays on there.
    if not Seat.objects.filter(pk=place.pk, player=player).update(eight=answer):
        raise turns.not_seated()
    place.eight = answer
    if found.game.status == Game.Status.RUNNING:
        clocks.rewind(code=code, now=now)  # an 8 may wait for the answer at this moment
    return place
