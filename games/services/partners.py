"""Who plays with whom in pairs: whom a host has asked or chosen to sit opposite."""

from __future__ import annotations

from django.utils.translation import gettext as _

from games.models import Player, Seat
from games.selectors import Table

from .errors import Conflict, Invalid


def invited_partner(found: Table, host: Player) -> Seat | None:
    """Where a partner sits whom the host invited and who came first."""
    asked = found.game.invitations.filter(by=host, partner=True, answered="joined").select_related("player")
    return next((place for invitation in asked if (place := found.place_of(invitation.player))), None)


def partner_seat(found: Table, player: Player) -> Seat | None:
    """The seat that is chosen to be opposite a player's own."""
    mine = found.place_of(player)
    if mine is None:
        return invited_partner(found, player)
    return next(
        (place for place in found.places if place.partner == mine.joined or mine.partner == place.joined),
        None,
    )


def has_partner(found: Table, player: Player) -> bool:
    """Whether somebody sits opposite a player, or is asked to."""
    asked = found.game.invitations.filter(by=player, partner=True, answered="")
    return partner_seat(found, player) is not None or asked.exists()


def check_partner_is_free(found: Table, player: Player) -> None:
    """Raise Invalid unless the game is of pairs, Conflict if the player has a partner."""
    if found.game.mode != "pairs":
        raise Invalid(_("partners are for pairs"))
    if has_partner(found, player):
        raise Conflict(_("you have asked somebody to be your partner already"), code="partner-taken")
