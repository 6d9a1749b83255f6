"""A host says who sits opposite them before a game of pairs begins."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from games.models import Game, Invitation, Player, Seat
from games.names import MAX_NAME_LENGTH
from games.selectors import Table, player_named

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
    found = lobby.waiting_game(code, now, player)
    lobby.host_only(found, player)
    if found.game.mode != "pairs":
        raise Invalid(_("partners are for pairs"))
    mine = found.place_of(player)
    if mine is None:
        raise Denied(_("you do not sit at this game"), code="not-seated")
    if sum(choice not in (None, "") for choice in (joined, invitation, name)) > 1:
        raise Invalid(_("choose one partner"))
    if name:
        joined, invitation = find_by_name(found, player, name)
    if joined == mine.joined or (joined is not None and joined not in {one.joined for one in found.places}):
        raise NotFound(_("nobody else sits there"))
    own = found.game.invitations.filter(by=player, answered="")  # an earlier host's are none of theirs
    asked = own.filter(pk=invitation).first() if invitation else None
    if invitation and asked is None:
        raise NotFound(_("this invitation does not exist"))
    Seat.objects.filter(game=found.game).update(partner=None)
    found.game.invitations.filter(partner=True).update(partner=False)
    if joined is not None:
        Seat.objects.filter(pk=mine.pk).update(partner=joined)
        chosen = next(one.player_id for one in found.places if one.joined == joined)
        found.game.invitations.filter(by=player, player=chosen, answered="joined").update(opponent=False)
    elif asked:
        Invitation.objects.filter(pk=asked.pk).update(partner=True, opponent=False)
    else:  # the order of the seats decides, whomever they were invited to play against
        found.game.invitations.filter(by=player).update(opponent=False)
    return found.game


def find_by_name(found: Table, host: Player, name: str) -> tuple[int | None, int | None]:
    """The joining number of who is called that, or the host's invitation of them. Raises Invalid."""
    friend = player_named(name)
    place = found.place_of(friend)
    if place:
        return place.joined, None
    asked = found.game.invitations.filter(by=host, player=friend, answered="").first() if friend else None
    if asked is None:
        raise Invalid(
            _("nobody called %(name)s sits at this table or is invited to it")
            % {"name": name[:MAX_NAME_LENGTH]},
            code="no-such-player",
        )
    return None, asked.pk
