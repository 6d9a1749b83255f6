"""Who has met whom in tournaments and leagues."""

from __future__ import annotations

from django.db.models import F, Q

from games.models import Player
from tournaments.models import Member, Membership


def take_part_together(player: Player, other: Player) -> bool:
    """Whether two players take part in the same event or league, other than as the partner of each other.

    A pair does not count: one of the two may have entered both.
    """
    mine = Member.objects.filter(player=player, event__members__player=other)
    if mine.exclude(entrant=F("event__members__entrant")).exists():
        return True
    joined = Membership.objects.filter(player=player, league__memberships__player=other)
    beside = Q(partner=other)
    playing = ~Q(status=Membership.Status.OUT) & ~Q(league__memberships__status=Membership.Status.OUT)
    return joined.filter(playing).exclude(beside).exists()
