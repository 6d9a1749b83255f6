"""The host's choice of partner before a game of pairs begins."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from games.models import Game, Invitation, Player, Seat
from games.name_validation import MAX_NAME_LENGTH
from games.selectors import LoadedGame, find_player_by_name

from . import lobby
from .errors import Denied, Invalid, NotFound


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
    """Who is to sit opposite the host: a seat by its joining number, an invitation by its id, or a name.

    The other two are then the other pair. With none of the three, two people play together against two bots,
    and else the order of the seats decides.
    Raises NotFound, Denied, Invalid or Conflict.
    """
    loaded_game = lobby.lock_open_game(code, now, player)
    lobby.check_is_host(loaded_game, player)
    if loaded_game.game.mode != "pairs":
        raise Invalid(_("partners are for pairs"))
    own_seat = loaded_game.seat_of(player)
    if own_seat is None:
        raise Denied(_("you do not sit at this game"), code="not-seated")
    if sum(choice not in (None, "") for choice in (joined, invitation, name)) > 1:
        raise Invalid(_("choose one partner"))
    if name:
        joined, invitation = find_partner_by_name(loaded_game, player, name)
    if joined == own_seat.joined or (
        joined is not None and joined not in {seat.joined for seat in loaded_game.seats}
    ):
        raise NotFound(_("nobody else sits there"))
    own_invitations = loaded_game.game.invitations.filter(
        by=player, answered=""
    )  # not those of an earlier host
    partner_invitation = own_invitations.filter(pk=invitation).first() if invitation else None
    if invitation and partner_invitation is None:
        raise NotFound(_("this invitation does not exist"))
    Seat.objects.filter(game=loaded_game.game).update(partner=None)
    loaded_game.game.invitations.filter(partner=True).update(partner=False)
    if joined is not None:
        Seat.objects.filter(pk=own_seat.pk).update(partner=joined)
        partner_id = next(seat.player_id for seat in loaded_game.seats if seat.joined == joined)
        loaded_game.game.invitations.filter(by=player, player=partner_id, answered="joined").update(
            opponent=False
        )
    elif partner_invitation:
        Invitation.objects.filter(pk=partner_invitation.pk).update(partner=True, opponent=False)
    else:  # the seat order decides, ignoring invited opponents
        loaded_game.game.invitations.filter(by=player).update(opponent=False)
    return loaded_game.game


def find_partner_by_name(loaded_game: LoadedGame, host: Player, name: str) -> tuple[int | None, int | None]:
    """Return the join order of the named player, or the id of the host's invitation. Raises Invalid."""
    named_player = find_player_by_name(name)
    seat = loaded_game.seat_of(named_player)
    if seat:
        return seat.joined, None
    partner_invitation = (
        loaded_game.game.invitations.filter(by=host, player=named_player, answered="").first()
        if named_player
        else None
    )
    if partner_invitation is None:
        raise Invalid(
            _("nobody called %(name)s sits at this table or is invited to it")
            % {"name": name[:MAX_NAME_LENGTH]},
            code="no-such-player",
        )
    return None, partner_invitation.pk
