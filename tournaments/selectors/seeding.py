"""The draw: by manual seeds, ratings or lots; and who saw it before the start."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from django.db.models import Q

from tournaments.models import Decision, Entrant, Tournament
from tournaments.read_models.pairings import (
    CorrectedResultData,
    DrawPreviewData,
    SeedChangeData,
    SeedingMethod,
    SeedingReportData,
)

# Decisions that change what the draw follows from: its settings, or who takes part.
CHANGES_OF_DRAW = (
    Decision.Action.SEEDS,
    Decision.Action.EDIT,
    Decision.Action.REMOVE,
    Decision.Action.REPLACE,
    Decision.Action.UNDO_REPLACE,
)
MAX_LISTED_SEED_CHANGES = 100  # the newest; the decision log has all of them, in pages
CORRECTION_ACTIONS = (Decision.Action.CORRECT, Decision.Action.UNDO_CORRECT)


def build_seeding_report(tournament: Tournament) -> SeedingReportData:
    """Build the seeding report: manual seed changes, previews before the start, and the seeds in force."""
    # An order may have thousands of ids: skip the old one, and changes that are not listed.
    newest_seed_changes = (
        tournament.decisions.filter(action=Decision.Action.SEEDS)
        .order_by("-pk")
        .values("pk")[:MAX_LISTED_SEED_CHANGES]
    )
    listed_decisions = (
        tournament.decisions.filter(Q(action=Decision.Action.PREVIEW) | Q(pk__in=newest_seed_changes))
        .select_related("created_by")
        .defer("before")
    )
    decisions = list(listed_decisions.order_by("pk"))
    previews = [decision for decision in decisions if decision.action == Decision.Action.PREVIEW]
    seed_changes = [decision for decision in decisions if decision.action == Decision.Action.SEEDS]
    return SeedingReportData(
        seeding=get_seeding_method(tournament),
        seeds_logged=tournament.seeding_logged,
        seeded_by_hand=list_hand_seeded_entrant_ids(tournament, seed_changes),
        seed_changes=[
            SeedChangeData(
                decision=decision.pk,
                at=decision.created_at,
                by=decision.created_by.name if decision.created_by else None,
                count=len(decision.after["order"]),
                after_preview=any(preview.pk < decision.pk for preview in previews),
            )
            for decision in seed_changes
        ],
        previews=[
            DrawPreviewData(decision.created_at, decision.created_by.name if decision.created_by else None)
            for number, decision in enumerate(previews)
            if decision.created_by is None
            or decision.created_by_id not in {preview.created_by_id for preview in previews[:number]}
        ],
    )


def get_seeding_method(tournament: Tournament) -> SeedingMethod:
    """Return what numbers entrants without a manual seed: division order, ratings, or lots."""
    if tournament.division_id:
        return "division"
    return "rating" if tournament.seeding == Tournament.Seeding.RATING else "lot"


def list_hand_seeded_entrant_ids(tournament: Tournament, seed_changes: Sequence[Decision]) -> list[int]:
    """List the entrants with a manual seed, the first seed first."""
    if seed_changes:
        order = seed_changes[-1].after["order"]
        remaining_ids = set(tournament.entrants.filter(pk__in=order).values_list("pk", flat=True))
        return [pk for pk in order if pk in remaining_ids]
    if tournament.seeding_logged or get_seeding_method(tournament) != Tournament.Seeding.LOT:
        return []
    # Set before seeds were logged: with lots, the others have no stored seed.
    return list(tournament.entrants.filter(seed__isnull=False).order_by("seed").values_list("pk", flat=True))


def get_numbering_method(tournament: Tournament, entrants: Iterable[Entrant] | None = None) -> str:
    """Return what numbers the entrants of a draw: "hand" if some seeds are manual.

    `entrants`, if already loaded.
    """
    if tournament.division_id:
        return get_seeding_method(tournament)
    if entrants is not None and tournament.seeding == Tournament.Seeding.LOT:  # lots are not stored as seeds
        return "hand" if any(entrant.seed for entrant in entrants) else get_seeding_method(tournament)
    last_seed_change = (
        tournament.decisions.filter(action=Decision.Action.SEEDS).defer("before").order_by("-pk").first()
    )
    return (
        "hand"
        if list_hand_seeded_entrant_ids(tournament, [last_seed_change] if last_seed_change else [])
        else get_seeding_method(tournament)
    )


def find_first_preview_id(tournament_id: int) -> int | None:
    """Find the id of the first preview of a tournament's draw before its start."""
    previews = Decision.objects.filter(tournament=tournament_id, action=Decision.Action.PREVIEW).order_by(
        "pk"
    )
    return previews.values_list("pk", flat=True).first()


def came_after_preview(decision: Decision, first_preview_id: int | None, started_at: Any) -> bool:
    """Tell whether a decision before the start changed the draw after somebody had previewed it."""
    is_before_start = started_at is None or decision.created_at < started_at
    return (
        first_preview_id is not None
        and decision.action in CHANGES_OF_DRAW
        and decision.pk > first_preview_id
        and is_before_start
    )


def build_corrections(tournament: Tournament) -> list[CorrectedResultData]:
    """List corrected results with their old values, oldest first: earlier rounds were paired by those."""
    corrections = tournament.decisions.filter(action__in=CORRECTION_ACTIONS).order_by("pk")
    return [
        CorrectedResultData(
            decision=decision.pk,
            at=decision.created_at,
            pairing=decision.before.get("pairing", decision.after.get("pairing")),
            before=decision.before.get("result"),
            after=decision.after.get("result"),
        )
        for decision in corrections
    ]
