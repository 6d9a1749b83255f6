"""Everything that is stored of a player around tournaments: a part of the export of their account."""

from __future__ import annotations

from typing import Any

from django.db.models import F, Q

from games.models import Player
from games.services.export import rows
from tournaments.models import (
    Appeal,
    Decision,
    Event,
    Invite,
    Knock,
    League,
    Member,
    Membership,
    Place,
    Proposal,
    Rating,
    RatingChange,
    Removal,
    Replacement,
)


def of_player(player: Player) -> dict[str, Any]:
    """What is about events, leagues and ratings, and nothing of anybody else."""
    organised = Event.objects.filter(Q(organiser=player) | Q(helpers=player)).distinct().order_by("pk")
    return {
        "events_organised": rows(organised, "code", "status", "created_at"),
        "event_entries": rows(
            Member.objects.filter(player=player).order_by("pk"),
            *("event__code", "entrant__status", "entrant__seed", "entrant__entered_at"),
            *("entrant__confirmed_at", "entrant__absent", "entrant__left", "entrant__rank"),
            *("client_seed", "entry_number"),
        ),
        "event_invitations": rows(Invite.objects.filter(player=player).order_by("pk"), "event__code", "at"),
        "event_decisions": rows(
            Decision.objects.filter(by=player).order_by("pk"),
            "event__code",
            "what",
            "why",
            "public_note",
            "at",
        ),
        "appeals": rows(
            Appeal.objects.filter(by=player).order_by("pk"),
            *("table__event__code", "text", "at", "answer", "answered_at"),
        ),
        "appeals_answered": rows(
            Appeal.objects.filter(answered_by=player).order_by("pk"),
            *("table__event__code", "answer", "answered_at"),
        ),
        "event_replacements": rows(
            Replacement.objects.filter(predecessor=player).order_by("pk"),
            *("entrant__event__code", "number", "since_round", "at"),
        ),
        "proposals": rows(
            Proposal.objects.filter(Q(player=player) | Q(by=player)).order_by("pk"),
            *("event__code", "league__code", "kind", "status", "public_note", "at", "answered_at"),
        ),
        "proposal_reasons": rows(  # what others wrote is for those who organise with them
            Proposal.objects.filter(by=player).exclude(why="").order_by("pk"), "event__code", "why", "at"
        ),
        "removals": rows(
            Removal.objects.filter(player=player).order_by("pk"),
            *("event__code", "league__code", "at", "lifted_at"),
        ),
        "removal_reasons": rows(  # what others wrote is for those who organise with them
            Removal.objects.filter(by=player).exclude(why="").order_by("pk"),
            *("event__code", "league__code", "why", "at"),
        ),
        "leagues_organised": rows(
            League.objects.filter(Q(organiser=player) | Q(helpers=player)).distinct().order_by("pk"),
            *("code", "status", "created_at"),
        ),
        "leagues": rows(
            Membership.objects.filter(player=player).order_by("pk"),
            *("league__code", "status", "at", "client_seed"),
        ),
        "league_links": rows(
            Knock.objects.filter(email=player.email).order_by("pk"),
            *("league__code", "email", "name", "at", "used_at"),
        ),
        "seasons": rows(
            Place.objects.filter(Q(player=player) | Q(partner=player))
            .annotate(season_number=F("season__number"), division_number=F("division__number"))
            .order_by("pk"),
            *("season__league__code", "season_number", "division_number", "rank"),
        ),
        "ratings": rows(Rating.objects.filter(player=player).order_by("pk"), "mode", "mu", "sigma", "games"),
        "rated_games": rows(
            RatingChange.objects.filter(rating__player=player).order_by("pk"),
            *("game__code", "mu_before", "sigma_before", "mu", "sigma"),
        ),
    }
