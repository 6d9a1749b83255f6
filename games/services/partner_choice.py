"""The host's choice of partner before a game of pairs begins."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import Player
from accounts.name_validation import MAX_NAME_LENGTH
from accounts.selectors.profiles import find_player_by_name
from common.refusals import check_allowed
from common.service_errors import Invalid, NotFound
from games import permissions
from games.models import Game, Invitation, Seat
from games.permissions import PermissionContext
from games.selectors import LoadedGame

from . import lobby


@transaction.atomic
def choose_partner(
    *,
    player: Player,
    code: str,
    now: datetime,
    joined: int | None = None,
    invitation: int | None = None,
    name: str = "",
) -> Game:
    """Choose the host's partner: a seat by its joining number, an invitation by its id, or a name.

    The other two are then the other pair. With none of the three, two people play together against two bots,
    and else the order of the seats decides.
    Raises NotFound, Denied, Invalid or Conflict.
    """
    loaded_game = lobby.lock_open_game(code, now, player)
    check_allowed(permissions.find_choose_partner_refusal(PermissionContext(loaded_game, player, now)))
    own_seat = loaded_game.seat_of(player)
    assert own_seat is not None
    if sum(choice not in (None, "") for choice in (joined, invitation, name)) > 1:
        raise Invalid(_("choose one partner"), field="name")
    if name:
        joined, invitation = find_partner_by_name(loaded_game, player, name)
    if joined == own_seat.join_order or (
        joined is not None and joined not in {seat.join_order for seat in loaded_game.seats}
    ):
        raise NotFound(_("that seat has no other player"))
    own_invitations = loaded_game.game.invitations.open().filter(
        inviter=player
    )  # not those of an earlier host
    partner_invitation = own_invitations.filter(pk=invitation).first() if invitation else None
    if invitation and partner_invitation is None:
        raise NotFound(_("this invitation does not exist"))
    Seat.objects.filter(game=loaded_game.game).update(partner_join_order=None)
    loaded_game.game.invitations.filter(as_partner=True).update(as_partner=False)
    if joined is not None:
        Seat.objects.filter(pk=own_seat.pk).update(partner_join_order=joined)
        partner_id = next(seat.player_id for seat in loaded_game.seats if seat.join_order == joined)
        loaded_game.game.invitations.accepted().filter(inviter=player, player=partner_id).update(
            as_opponent=False
        )
    elif partner_invitation:
        Invitation.objects.filter(pk=partner_invitation.pk).update(as_partner=True, as_opponent=False)
    else:  # the seat order decides, ignoring invited opponents
        loaded_game.game.invitations.filter(inviter=player).update(as_opponent=False)
    return loaded_game.game


def find_partner_by_name(loaded_game: LoadedGame, host: Player, name: str) -> tuple[int | None, int | None]:
    """Return the join order of the named player, or the id of the host's invitation. Raises Invalid."""
    named_player = find_player_by_name(name)
    seat = loaded_game.seat_of(named_player)
    if seat:
        return seat.join_order, None
    partner_invitation = (
        loaded_game.game.invitations.open().filter(inviter=host, player=named_player).first()
        if named_player
        else None
    )
    if partner_invitation is None:
        raise Invalid(
            _("%(name)s has neither a seat nor an invitation in this game")
            % {"name": name[:MAX_NAME_LENGTH]},
            code="no-such-player",
            field="name",
        )
    return None, partner_invitation.pk
