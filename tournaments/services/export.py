"""The tournament part of a player's data export."""

from __future__ import annotations

from typing import Any

from django.db.models import F, Q

from games.models import Player
from games.services.export import export_rows
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
        Tournament.objects.filter(Q(organiser=player) | Q(helpers=player)).distinct().order_by("pk")
    )
    return {
        "events_organised": export_rows(organised_tournaments, "code", "status", "created_at"),
        "event_entries": export_rows(
            EntrantPlayer.objects.filter(player=player).order_by("pk"),
            *("event__code", "entrant__status", "entrant__seed", "entrant__entered_at"),
            *("entrant__confirmed_at", "entrant__absent", "entrant__left", "entrant__rank"),
            *("client_seed", "entry_number"),
        ),
        "event_invitations": export_rows(
            Invite.objects.filter(player=player).order_by("pk"), "event__code", "at"
        ),
        "event_decisions": export_rows(
            Decision.objects.filter(by=player).order_by("pk"),
            "event__code",
            "what",
            "why",
            "public_note",
            "at",
        ),
        "appeals": export_rows(
            Appeal.objects.filter(by=player).order_by("pk"),
            *("table__event__code", "text", "at", "answer", "answered_at"),
        ),
        "appeals_answered": export_rows(
            Appeal.objects.filter(answered_by=player).order_by("pk"),
            *("table__event__code", "answer", "answered_at"),
        ),
        "event_replacements": export_rows(
            Replacement.objects.filter(predecessor=player).order_by("pk"),
            *("entrant__event__code", "number", "since_round", "at"),
        ),
        "proposals": export_rows(
            Proposal.objects.filter(Q(player=player) | Q(by=player)).order_by("pk"),
            *("event__code", "league__code", "kind", "status", "public_note", "at", "answered_at"),
        ),
        "proposal_reasons": export_rows(  # reasons written by others are visible to organisers only
            Proposal.objects.filter(by=player).exclude(why="").order_by("pk"), "event__code", "why", "at"
        ),
        "removals": export_rows(
            Removal.objects.filter(player=player).order_by("pk"),
            *("event__code", "league__code", "at", "lifted_at"),
        ),
        "removal_reasons": export_rows(  # reasons written by others are visible to organisers only
            Removal.objects.filter(by=player).exclude(why="").order_by("pk"),
            *("event__code", "league__code", "why", "at"),
        ),
        "leagues_organised": export_rows(
            League.objects.filter(Q(organiser=player) | Q(helpers=player)).distinct().order_by("pk"),
            *("code", "status", "created_at"),
        ),
        "leagues": export_rows(
            LeagueMember.objects.filter(player=player).order_by("pk"),
            *("league__code", "status", "at", "client_seed"),
        ),
        "league_links": export_rows(
            JoinRequest.objects.filter(email=player.email).order_by("pk"),
            *("league__code", "email", "name", "at", "used_at"),
        ),
        "seasons": export_rows(
            DivisionPlacement.objects.filter(Q(player=player) | Q(partner=player))
            .annotate(season_number=F("season__number"), division_number=F("division__number"))
            .order_by("pk"),
            *("season__league__code", "season_number", "division_number", "rank"),
        ),
        "ratings": export_rows(
            Rating.objects.filter(player=player).order_by("pk"), "mode", "mu", "sigma", "games"
        ),
        "rated_games": export_rows(
            RatingChange.objects.filter(rating__player=player).order_by("pk"),
            *("game__code", "mu_before", "sigma_before", "mu", "sigma"),
        ),
    }
