"""Rows of the organiser's lists."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from accounts.models import Player
from notifications.models import Delivery
from notifications.notice_kinds import get_notice_kind
from tournaments import permissions, text
from tournaments.models import Decision, Pairing
from tournaments.refusals import Refusal
from tournaments.selectors import organiser_dashboard, tournament_details, tournament_page
from tournaments.selectors.conflicts_of_interest import OwnPairings, is_about_own_pairing
from tournaments.selectors.timeout_evidence import TimeoutData

from .presenters import describe_progress
from .tournament_form import FORM_FIELDS_BY_SETTING, TournamentForm


def build_organiser_pairing_row(pairing: Pairing) -> dict[str, Any]:
    """Return the row of a pairing loaded by `tournament_page`."""
    pairing_data = tournament_page.build_prefetched_pairing(pairing)
    return {
        **vars(pairing_data),
        "name": text.format_match_name(pairing.match),
        "outcome": describe_progress(pairing_data),
    }


def build_evidence_rows(timeouts: Sequence[TimeoutData]) -> list[dict[str, Any]]:
    """Add display texts to timeout evidence: what was sent, and its delivery status."""
    return [
        {
            **vars(timeout),
            "notices": [
                {
                    **vars(notice),
                    "name": get_notice_kind(notice.kind).label,
                    "status_label": Delivery.Status(notice.status).label,
                }
                for notice in timeout.notices
            ],
        }
        for timeout in timeouts
    ]


def describe_decisions(decisions: Sequence[Decision]) -> list[str]:
    """Describe decisions in sentences."""
    entrant_names, player_names = (
        organiser_dashboard.load_entrant_names_in_decisions(decisions),
        organiser_dashboard.load_player_names_in_decisions(decisions),
    )
    matches = organiser_dashboard.load_matches_in_decisions(decisions)
    return [
        text.describe_decision(decision, entrant_names, player_names=player_names, matches=matches)
        for decision in decisions
    ]


def build_decision_rows(
    decisions: Sequence[Decision], newest_pairing_id: int, viewer: Player, own_pairings: OwnPairings
) -> list[dict[str, Any]]:
    """Return the rows of decisions with reasons. `newest_pairing_id` limits what can be undone."""

    def can_undo(decision: Decision) -> bool:
        return permissions.find_undo_refusal(decision, newest_pairing_id) is None

    return [
        {
            "pk": decision.pk,
            "created_by": decision.created_by.display_name if decision.created_by else "",
            "created_at": decision.created_at,
            "description": description,
            "changed_settings": list_changed_settings(decision),
            "reason": decision.reason,
            "public_note": decision.public_note,
            "is_undone": hasattr(decision, "undone_by"),
            "can_undo": can_undo(decision),
            "blocked_reason": Refusal.OWN_PAIRING.text
            if can_undo(decision) and is_about_own_pairing(viewer, decision, own_pairings)
            else "",
        }
        for decision, description in zip(decisions, describe_decisions(decisions), strict=True)
    ]


def build_public_decision_rows(decisions: Sequence[Decision]) -> list[dict[str, Any]]:
    """Return the public rows of decisions: with public notes, without reasons."""
    decision_data = tournament_details.build_decisions(decisions, is_organiser=False)
    return [
        {**vars(data), "description": description, "settings": list_changed_settings(decision)}
        for decision, data, description in zip(
            decisions, decision_data, describe_decisions(decisions), strict=True
        )
    ]


def list_changed_settings(decision: Decision) -> list[str]:
    """List the labels of the settings that an edit changed."""
    if decision.action != Decision.Action.EDIT:
        return []
    form_fields = TournamentForm.base_fields
    field_names = [
        next(iter(FORM_FIELDS_BY_SETTING.get(field_name, {field_name})))
        if field_name not in form_fields
        else field_name
        for field_name in decision.after
    ]
    return list(
        dict.fromkeys(
            str(form_fields[field_name].label) for field_name in field_names if field_name in form_fields
        )
    )


def describe_warnings(notes: Sequence[Mapping[str, Any]]) -> list[str]:
    """Describe a round's warnings in sentences."""
    entrant_names = organiser_dashboard.load_names_in_notes(notes)
    return [text.describe_warning(note, entrant_names) for note in notes]
