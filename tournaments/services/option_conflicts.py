"""Options of a tournament that contradict each other: found once, for the form and for the service."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import gettext as _

from tournaments.models import Tournament
from tournaments.options import TOURNAMENT_OPTIONS


def iter_option_conflicts(values: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the options that contradict others, each with what is wrong; `values` may miss some options."""
    format_code, table_size = values.get("format"), values.get("table_size")
    if format_code == Tournament.Format.DOUBLE and table_size not in (None, 2):
        yield "table_size", _("A double knock-out needs tables of two.")
    advancing_count = int(values.get("advancing_count") or 1)
    if advancing_count > 1 and advancing_count >= (table_size or 2):
        yield "advancing_count", _("At least one player of every table must be out. Let fewer advance.")
    if values.get("when_full") and values.get("capacity") is None:
        yield "capacity", _("To start when full, set the number of places.")
    has_late_entry = values.get("late_entry")
    if has_late_entry and not TOURNAMENT_OPTIONS["late_entry"].fits(format_code, table_size or 2):
        yield "late_entry", _("Only Swiss rounds allow late entry.")
    date_pairs = [("opens_at", "closes_at"), ("opens_at", "starts_at"), ("closes_at", "starts_at")]
    for earlier_name, later_name in date_pairs[:2] if has_late_entry else date_pairs:
        earlier, later = values.get(earlier_name), values.get(later_name)
        if earlier and later and earlier > later:
            yield later_name, _("Entries must open before they close, and close before the start.")
    min_rating, max_rating = values.get("min_rating"), values.get("max_rating")
    if min_rating is not None and max_rating is not None and min_rating > max_rating:
        yield "min_rating", _("The lowest rating is above the highest.")
