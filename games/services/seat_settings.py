"""Settings of a player's own seat: taking over a hand, and the eight policy."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from games.models import Game, Player, Seat

from . import clocks, turns
from .errors import Invalid


@transaction.atomic
def take_seat(*, player: Player, code: str, now: datetime) -> Seat:
    """Take a handed-over seat: show its hand and commit to play it to the end. Idempotent.

    Raises NotFound or Denied.
    """
    _loaded_game, seat = turns.load_game_and_seat(player, code)
    # Only while the seat is theirs: the handover may be undone meanwhile.
    Seat.objects.filter(pk=seat.pk, player=player, hand_hidden=True).update(hand_hidden=False)
    return turns.load_game_and_seat(player, code)[1]


@transaction.atomic
def set_eight_policy(*, player: Player, code: str, policy: str, now: datetime) -> Seat:
    """Decide in advance how an 8 is answered: use, keep or ask. Raises NotFound, Denied or Invalid."""
    if policy not in Seat.EightPolicy.values:
        raise Invalid(_("eight is one of %(words)s") % {"words": ", ".join(Seat.EightPolicy.values)})
    loaded_game, seat = turns.load_game_and_seat(player, code)
    if seat.hand_hidden:
        raise turns.build_hand_hidden_error()
    # Only while the seat is theirs: the policy must not apply to the next player.
    if not Seat.objects.filter(pk=seat.pk, player=player).update(eight=policy):
        raise turns.build_not_seated_error()
    seat.eight = policy
    if loaded_game.game.status == Game.Status.RUNNING:
        clocks.recompute_deadline(code=code, now=now)  # an 8 may be waiting for an answer
    return seat
