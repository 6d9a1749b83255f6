"""A player's part in tournaments and leagues, and players who know each other from them."""

from __future__ import annotations

from django.db.models import F, Q

from accounts.models import Player
from tournaments.models import EntrantPlayer, LeagueMember, Tournament
from tournaments.models.tournaments import OVER_STATUSES


def have_played_together(player: Player, other: Player) -> bool:
    """Tell whether two players share a tournament or league, or one played in a tournament of the other.

    Partners do not count: one of the two may have entered both.
    """
    shared_entries = EntrantPlayer.objects.filter(player=player, tournament__entrant_players__player=other)
    if shared_entries.exclude(entrant=F("tournament__entrant_players__entrant")).exists():
        return True
    shared_leagues = LeagueMember.objects.filter(player=player, league__league_members__player=other)
    are_partners = Q(partner=other)
    both_active = ~Q(status=LeagueMember.Status.OUT) & ~Q(
        league__league_members__status=LeagueMember.Status.OUT
    )
    if shared_leagues.filter(both_active).exclude(are_partners).exists():
        return True
    # Only finished tournaments of the other count: somebody else may have entered the player.
    finished_entries = EntrantPlayer.objects.filter(position=1, tournament__status=Tournament.Status.FINISHED)
    player_at_other = Q(player=player, tournament__organiser=other)
    return finished_entries.filter(player_at_other | Q(player=other, tournament__organiser=player)).exists()


def takes_part(player: Player) -> bool:
    """Tell whether a player is in a tournament that is not over, or in a league."""
    current_entries = EntrantPlayer.objects.filter(player=player).exclude(
        tournament__status__in=OVER_STATUSES
    )
    memberships = LeagueMember.objects.filter(Q(player=player) | Q(partner=player))
    return current_entries.exists() or memberships.exclude(status=LeagueMember.Status.OUT).exists()
