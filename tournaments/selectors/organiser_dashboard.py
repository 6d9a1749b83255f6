"""The organisers' dashboard: parts of a tournament, each in few queries whatever its size."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet

from accounts.models import Player
from tournaments.models import (
    Appeal,
    Decision,
    Entrant,
    EntrantPlayer,
    Pairing,
    PairingSeat,
    Round,
    Tournament,
)

from . import tournament_page


def with_pairing_counts(tournament: Tournament) -> QuerySet[Round, Any]:
    """Annotate a tournament's rounds with `pairing_count` and `open_pairing_count`, without void pairings."""
    is_valid = Q(pairings__is_void=False)
    return tournament.rounds.annotate(
        pairing_count=Count("pairings", filter=is_valid),
        open_pairing_count=Count("pairings", filter=is_valid & Q(pairings__settled_at=None)),
    )


def list_open_rounds(tournament: Tournament) -> list[Round]:
    """List the rounds with open pairings, with their counts."""
    rounds = with_pairing_counts(tournament).order_by("number")
    return [tournament_round for tournament_round in rounds if tournament_round.open_pairing_count]


def list_entrants(tournament: Tournament, name: str = "") -> QuerySet[Entrant]:
    """List all entrants, or those whose name contains a text."""
    entrants = tournament_page.list_entrants(tournament)
    return entrants.filter(pk__in=find_entrant_ids_by_name(tournament, name)) if name else entrants


def find_entrant_ids_by_name(tournament: Tournament, name: str) -> QuerySet[EntrantPlayer, int]:
    """Find the ids of entrants with a player whose name contains a text."""
    return tournament.entrant_players.filter(player__name__icontains=name).values_list("entrant", flat=True)


def count_confirmed_entrants(tournament: Tournament) -> int:
    """Count the entered entrants that have confirmed."""
    return tournament.entrants.filter(status=Entrant.Status.ENTERED, confirmed_at__isnull=False).count()


def list_pairings(tournament: Tournament, name: str = "", open_only: bool = False) -> QuerySet[Pairing]:
    """List the valid pairings, the newest round first, by name and whether they are open."""
    pairings = tournament_page.list_pairings(tournament).order_by("-round__number", "pk")
    if open_only:
        pairings = pairings.filter(settled_at=None)
    if name:
        # Ids are queried first: without statistics the planner may choose nested loops over three tables.
        matching_seats = PairingSeat.objects.filter(
            pairing=OuterRef("pk"), entrant__in=list(find_entrant_ids_by_name(tournament, name))
        )
        pairings = pairings.filter(Exists(matching_seats))
    return pairings


def list_appeals(tournament: Tournament) -> QuerySet[Appeal]:
    """List the appeals, those without an answer first."""
    appeals = Appeal.objects.filter(pairing__tournament=tournament).select_related(
        "created_by", "answered_by", "pairing"
    )
    return appeals.order_by(F("answered_at").asc(nulls_first=True), "pk")


def list_decisions(tournament: Tournament) -> QuerySet[Decision]:
    """List the decisions, the latest first."""
    return tournament.decisions.select_related("created_by", "undone_by", "tournament").order_by("-pk")


# --------------------------------------------------------------------------------------------------- names


def load_entrant_names(entrant_ids: Iterable[int]) -> dict[Any, str]:
    """Load the names of entrants in one query; a deleted account has no name."""
    wanted_ids = set(entrant_ids)
    if not wanted_ids:
        return {}
    names_by_entrant: dict[Any, list[str]] = {entrant_id: [] for entrant_id in wanted_ids}
    entrant_players = EntrantPlayer.objects.filter(entrant__in=wanted_ids).order_by("position")
    for entrant_player in entrant_players.select_related("player"):
        player = entrant_player.player
        names_by_entrant[entrant_player.entrant_id] += [player.display_name] if player else []
    return {entrant_id: " & ".join(names) or "–" for entrant_id, names in names_by_entrant.items()}


def load_names_in_notes(notes: Iterable[Mapping[str, Any]]) -> dict[Any, str]:
    """Load the names of all entrants that reasons or warnings mention."""
    ids: set[int] = set()
    for note in notes:
        for name, value in note.items():
            if name in ("entrant", "first"):
                ids.add(value)
            elif name in ("entrants", "absent", "had", "rematch") and isinstance(value, list | tuple):
                ids.update(value)
    return load_entrant_names(ids)


def load_names_at_pairings(pairings: Sequence[Pairing]) -> list[dict[Any, str]]:
    """Load for each pairing the names of its entrants and of those its reasons mention, in one query."""
    names_in_notes = load_names_in_notes(note for pairing in pairings for note in pairing.reasons)
    return [{**names_in_notes, **tournament_page.get_names_at_pairing(pairing)} for pairing in pairings]


def load_player_names_in_decisions(decisions: Iterable[Decision]) -> dict[Any, str]:
    """Load the names of players that decisions mention."""
    sides = [side for decision in decisions for side in (decision.before, decision.after)]
    ids = {side.get("player") for side in sides} - {None}
    ids.update(pk for side in sides for pk in side.get("players", ()))
    return dict(Player.objects.filter(pk__in=ids).values_list("pk", "name")) if ids else {}


def load_matches_in_decisions(decisions: Iterable[Decision]) -> dict[int, str]:
    """Load the matches of pairings that decisions mention."""
    ids = {side.get("pairing") for decision in decisions for side in (decision.before, decision.after)} - {
        None
    }
    return dict(Pairing.objects.filter(pk__in=ids).values_list("pk", "match")) if ids else {}


def load_entrant_names_in_decisions(decisions: Iterable[Decision]) -> dict[Any, str]:
    """Load the names of entrants that decisions mention."""
    ids = {side.get("entrant") for decision in decisions for side in (decision.before, decision.after)} - {
        None
    }
    return load_entrant_names(pk for pk in ids if pk is not None)
