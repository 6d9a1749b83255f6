"""The tournament part of a player's data export."""

from __future__ import annotations

from typing import Any

from django.db.models import F, Q

from accounts.models import Player
from accounts.services.export import export_rows
from tournaments.models import (
    Appeal,
    Decision,
    DivisionPlacement,
    EntrantPlayer,
    Invite,
    JoinRequest,
    League,
    LeagueMember,
    Proposal,
    Rating,
    RatingChange,
    Removal,
    Replacement,
    Tournament,
)


def export_tournament_data(player: Player) -> dict[str, Any]:
    """Return what is stored about a player in tournaments, leagues and ratings, and nothing about others."""
    organised_tournaments = (
        Tournament.objects.filter(Q(organiser=player) | Q(co_organisers=player)).distinct().order_by("pk")
    )
    return {
        "tournaments_organised": export_rows(organised_tournaments, "code", "status", "created_at"),
        "tournament_entries": export_rows(
            EntrantPlayer.objects.filter(player=player).order_by("pk"),
            *("tournament__code", "entrant__status", "entrant__seed", "entrant__entered_at"),
            *(
                "entrant__confirmed_at",
                "entrant__absent_rounds",
                "entrant__left_after_round",
                "entrant__rank",
            ),
            *("client_seed", "entry_number"),
        ),
        "tournament_invitations": export_rows(
            Invite.objects.filter(player=player).order_by("pk"), "tournament__code", "created_at"
        ),
        "tournament_decisions": export_rows(
            Decision.objects.filter(created_by=player).order_by("pk"),
            "tournament__code",
            "action",
            "reason",
            "public_note",
            "created_at",
        ),
        "appeals": export_rows(
            Appeal.objects.filter(created_by=player).order_by("pk"),
            *("pairing__tournament__code", "text", "created_at", "answer", "answered_at"),
        ),
        "appeals_answered": export_rows(
            Appeal.objects.filter(answered_by=player).order_by("pk"),
            *("pairing__tournament__code", "answer", "answered_at"),
        ),
        "tournament_replacements": export_rows(
            Replacement.objects.filter(predecessor=player).order_by("pk"),
            *("entrant__tournament__code", "position", "since_round", "created_at"),
        ),
        "proposals": export_rows(
            Proposal.objects.filter(Q(player=player) | Q(proposer=player)).order_by("pk"),
            *(
                "tournament__code",
                "league__code",
                "kind",
                "status",
                "public_note",
                "created_at",
                "answered_at",
            ),
        ),
        "proposal_reasons": export_rows(  # reasons written by others are visible to organisers only
            Proposal.objects.filter(proposer=player).exclude(reason="").order_by("pk"),
            "tournament__code",
            "reason",
            "created_at",
        ),
        "removals": export_rows(
            Removal.objects.filter(player=player).order_by("pk"),
            *("tournament__code", "league__code", "created_at", "lifted_at"),
        ),
        "removal_reasons": export_rows(  # reasons written by others are visible to organisers only
            Removal.objects.filter(created_by=player).exclude(reason="").order_by("pk"),
            *("tournament__code", "league__code", "reason", "created_at"),
        ),
        "leagues_organised": export_rows(
            League.objects.filter(Q(organiser=player) | Q(co_organisers=player)).distinct().order_by("pk"),
            *("code", "status", "created_at"),
        ),
        "leagues": export_rows(
            LeagueMember.objects.filter(player=player).order_by("pk"),
            *("league__code", "status", "status_changed_at", "client_seed"),
        ),
        "league_links": export_rows(
            JoinRequest.objects.filter(email=player.email).order_by("pk"),
            *("league__code", "email", "name", "created_at", "used_at"),
        ),
        "seasons": export_rows(
            DivisionPlacement.objects.filter(Q(player=player) | Q(partner=player))
            .annotate(season_number=F("season__number"), division_number=F("division__number"))
            .order_by("pk"),
            *("season__league__code", "season_number", "division_number", "rank"),
        ),
        "ratings": export_rows(
            Rating.objects.filter(player=player).order_by("pk"), "mode", "mu", "sigma", "game_count"
        ),
        "rated_games": export_rows(
            RatingChange.objects.filter(rating__player=player).order_by("pk"),
            *("game__code", "mu_before", "sigma_before", "mu", "sigma"),
        ),
    }
