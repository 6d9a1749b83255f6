"""Who has met whom in tournaments and leagues."""

from __future__ import annotations

from django.db.models import F, Q

from games.models import Player
from tournaments.models import Event, Member, Membership


def take_part_together(player: Player, other: Player) -> bool:
    """Whether two players take part in the same event or league, or one played in what the other organised.

    Partners of each other do not count: one of the two may have entered both.
    """
    mine = Member.objects.filter(player=player, event__members__player=other)
    if mine.exclude(entrant=F("event__members__entrant")).exists():
        return True
    joined = Membership.objects.filter(player=player, league__memberships__player=other)
    beside = Q(partner=other)
    playing = ~Q(status=Membership.Status.OUT) & ~Q(league__memberships__status=Membership.Status.OUT)
    if joined.filter(playing).exclude(beside).exists():
        return True
    # Who played to the end of what the other organised; before that one may be put into it by others.
    ended = Member.objects.filter(number=1, event__status=Event.Status.FINISHED)
    mine_at_theirs = Q(player=player, event__organiser=other)
    return ended.filter(mine_at_theirs | Q(player=other, event__organiser=player)).exists()
