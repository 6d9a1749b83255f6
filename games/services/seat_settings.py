"""Settings of a player's own seat: taking over a hand, the eight policy, and muting."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import Player
from common.refusals import check_allowed
from common.service_errors import Invalid, NotFound
from games import permissions
from games.models import Game, Seat
from games.permissions import PermissionContext
from games.refusals import Refusal

from . import clocks, turns


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
        words = ", ".join(Seat.EightPolicy.values)
        raise Invalid(_("eight must be one of %(words)s") % {"words": words}, field="eight_policy")
    # The game before the seat: a sweep that ends standing orders locks them in this order.
    Game.objects.select_for_update().filter(code=code).values_list("pk").first()
    loaded_game, seat = turns.load_game_and_seat(player, code)
    check_allowed(permissions.find_hand_refusal(PermissionContext(loaded_game, player)))
    # Only while the seat is theirs: the policy must not apply to the next player.
    if not Seat.objects.filter(pk=seat.pk, player=player).update(eight_policy=policy):
        raise Refusal.NOT_SEATED.build_error()
    seat.eight_policy = policy
    if loaded_game.game.is_running:
        clocks.recompute_deadline(code=code, now=now)  # an 8 may be waiting for an answer
    return seat


def set_game_muted(
    *, code: str, muted: bool, now: datetime, player: Player | None = None, mail_token: str = ""
) -> Seat:
    """Mute or unmute a game for a player, given directly or by mail token. Raises NotFound."""
    seats = Seat.objects.filter(game__code=code).select_related("game", "player")
    if player is not None:
        seat = seats.filter(player=player).first()
    else:
        seat = (
            seats.filter(player__mail_token=mail_token, player__is_active=True).first()
            if mail_token
            else None
        )
    if seat is None:
        raise NotFound(_("There is no such game."))
    if not Seat.objects.filter(pk=seat.pk, player=seat.player_id).update(muted=muted):
        raise NotFound(_("There is no such game."))  # the seat was handed over meanwhile
    seat.muted = muted
    return seat
