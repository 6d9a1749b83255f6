"""Translated text for the codes of pairings, decisions, formats and states.

`entrant_names` maps entrant ids to names, as `tournament_read_models.get_entrant_names` returns them.
"""

from .labels import (
    describe_match_state,
    describe_pending_match,
    describe_seat_source,
    describe_seat_source_briefly,
    format_match_name,
    format_number,
    format_points,
    format_round_name,
    format_table_name,
    join_names,
)
from .pairing_notes import describe_placement, describe_reason, describe_warning
from .rules import describe_free_round
from .tournaments import (
    describe_criterion,
    describe_decision,
    describe_ending,
    describe_entry_rules,
    describe_format,
    describe_former_players,
    describe_hold_reason,
    describe_needed_decision,
    describe_separation,
    describe_tournament_status,
    describe_undecided_pairing,
    label_format,
    list_setting_warnings,
)

__all__ = [
    "describe_criterion",
    "describe_decision",
    "describe_ending",
    "describe_entry_rules",
    "describe_format",
    "describe_former_players",
    "describe_free_round",
    "describe_hold_reason",
    "describe_match_state",
    "describe_needed_decision",
    "describe_pending_match",
    "describe_placement",
    "describe_reason",
    "describe_seat_source",
    "describe_seat_source_briefly",
    "describe_separation",
    "describe_tournament_status",
    "describe_undecided_pairing",
    "describe_warning",
    "format_match_name",
    "format_number",
    "format_points",
    "format_round_name",
    "format_table_name",
    "join_names",
    "label_format",
    "list_setting_warnings",
]
