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


def partner_before(found: Table, host: Player) -> Seat | None:
    """The seat opposite a host who sits down last: of whom they invited, or of the bot of the game before."""
    return invited_partner(found, host) or bot_of_rematch(found, host)


def bot_of_rematch(found: Table, host: Player) -> Seat | None:
    """In a rematch, a bot that plays as the host's partner did in the game before."""
    if found.game.rematch_of_id is None or found.game.creator_id != host.pk:
        return None
    before = Seat.objects.filter(game=found.game.rematch_of_id, player=host).first()
    partner = seat_opposite(before) if before else None
    if partner is None or not partner.bot:
        return None
    return next((place for place in found.places if place.bot == partner.bot), None)


def seat_opposite(place: Seat) -> Seat | None:
    """The partner's seat in a game of pairs that has begun."""
    if place.number is None:
        return None
    return Seat.objects.filter(game=place.game_id, number=(place.number + 1) % 4 + 1).first()


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


def opponent_seats(found: Table, host: Player) -> list[Seat]:
    """Where those sit whom the host invited to play against them."""
    asked = found.game.invitations.filter(by=host, opponent=True, answered="joined")
    invited = set(asked.values_list("player", flat=True))
    return [place for place in found.places if place.player_id in invited]


def has_opponents(found: Table, host: Player) -> bool:
    """Whether somebody is invited to play against the host, or sits here because they were."""
    awaited = found.game.invitations.filter(by=host, opponent=True, answered="")
    return awaited.exists() or bool(opponent_seats(found, host))


def separate_opponents(found: Table) -> None:
    """Give a host who asked somebody to play against them another partner: a bot, at the start anybody else.

    Whom the host has chosen or invited as their partner stays that.
    """
    game = found.game
    host = game.creator if game.mode == "pairs" else None
    mine = found.place_of(host)
    if host is None or mine is None or has_partner(found, host) or not has_opponents(found, host):
        return
    opponents = [mine, *opponent_seats(found, host)]
    free = [place for place in found.places if place not in opponents]
    if len(found.places) < game.seats:
        free = [place for place in free if place.bot]
    across = (mine.joined + 1) % 4 + 1  # where the order of the seats would put a partner
    partner = min(free, key=lambda place: (not place.bot, place.joined != across, place.joined), default=None)
    if partner:
        mine.partner = partner.joined
        mine.save(update_fields=["partner"])


def pair_two_people(found: Table) -> None:
    """At a full table, let two people play together against two bots, if nobody chose who plays with whom.

    Not where seats are drawn by lot, nor in a game of an event, which says itself who sits where.
    """
    game = found.game
    if game.mode != "pairs" or game.order == "shuffled" or game.creator_id is None:
        return
    people = [place for place in found.places if place.player_id]
    bots = [place for place in found.places if place.bot]
    if len(people) == len(bots) == 2 and not any(place.partner for place in found.places):
        first, second = people
        first.partner = second.joined
        first.save(update_fields=["partner"])
