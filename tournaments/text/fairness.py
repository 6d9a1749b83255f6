"""Text about the draw and the pairing rules, for each format and seeding method."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from common.datetime_format import format_datetime
from tournaments.models import Tournament
from tournaments.read_models.pairings import SeedChangeData, SeedingReportData

from .labels import EntrantNames

MAX_NAMED_SEEDS, MAX_NAMED_CHANGES = 16, 10


def describe_seeding(
    report: SeedingReportData, entrant_names: EntrantNames, *, has_started: bool
) -> list[str]:
    """Describe how entrants were numbered; `report` comes from `build_seeding_report`."""
    sentences = (
        [describe_hand_seeding(report, entrant_names)]
        if report.seeded_by_hand
        else [describe_automatic_seeding(report, has_started=has_started)]
    )
    sentences += [describe_seed_change(change) for change in report.seed_changes[-MAX_NAMED_CHANGES:]]
    if not has_started:
        sentences.append(_("Until the start its organisers can set seeds by hand. Each time is shown here."))
    return sentences


def describe_no_draw() -> list[str]:
    """Describe a tournament that was cancelled before its draw."""
    return [_("It was cancelled before the start, so no draw was made.")]


def describe_hand_seeding(report: SeedingReportData, entrant_names: EntrantNames) -> str:
    """List the entrants seeded by hand, and how the others follow."""
    shown_names = [entrant_names[entrant_id] for entrant_id in report.seeded_by_hand[:MAX_NAMED_SEEDS]]
    more_count = len(report.seeded_by_hand) - len(shown_names)
    names_text = ", ".join(shown_names)
    list_sentence = _("Seeded by hand: %(names)s.") % {"names": names_text}
    if more_count:
        template = ngettext(
            "Seeded by hand: %(names)s and %(n)s more.",
            "Seeded by hand: %(names)s and %(n)s more.",
            more_count,
        )
        list_sentence = template % {"names": names_text, "n": more_count}
    if report.seeding == Tournament.Seeding.RATING:
        order_sentence = _("The others come behind them by rating, those without one by lot.")
    else:
        order_sentence = _("The others come behind them by lot.")
    return f"{list_sentence} {order_sentence}"


def describe_automatic_seeding(report: SeedingReportData, *, has_started: bool) -> str:
    """Describe the numbering where nobody was seeded by hand."""
    if report.seeding == "division":
        return _("Numbers in this group follow the order in which the division was made up.")
    if not report.seeds_logged:
        return _("Whether seeds were set by hand was not logged yet when this tournament was made.")
    is_by_rating = report.seeding == Tournament.Seeding.RATING
    if is_by_rating and has_started:
        return _("Nobody was seeded by hand: the draw followed ratings, and lots for those without one.")
    if is_by_rating:
        return _("Nobody is seeded by hand so far: the draw follows ratings, and lots for those without one.")
    if has_started:
        return _("Nobody was seeded by hand: the draw was by lot.")
    return _("Nobody is seeded by hand so far: the draw is by lot.")


def describe_seed_change(change: SeedChangeData) -> str:
    """Describe a change of seeds."""
    details = {"who": change.by or _("a former player"), "when": format_datetime(change.at)}
    if change.after_preview:
        if change.count:
            return _("%(who)s set seeds on %(when)s, after the preview of the draw.") % details
        return _("%(who)s removed the seeds on %(when)s, after the preview of the draw.") % details
    if change.count:
        return _("%(who)s set seeds on %(when)s.") % details
    return _("%(who)s removed the seeds on %(when)s.") % details


def describe_previews(report: SeedingReportData, *, has_started: bool) -> list[str]:
    """List the organisers who saw the draw before the start."""
    if report.seeding == "division" and not report.previews:
        return []
    if not report.seeds_logged:
        sentences = [_("Whether somebody looked at the draw before the start was not logged yet then.")]
    elif not report.previews and has_started:
        return [_("Nobody who organises it looked at the draw before the start.")]
    elif not report.previews:
        sentences = [_("Those who organise it can look at the draw before the start. Nobody has so far.")]
    else:
        sentences = []
    for preview in report.previews:
        details = {"who": preview.by or _("a former player"), "when": format_datetime(preview.at)}
        sentences.append(_("%(who)s looked at the draw on %(when)s, before the start.") % details)
    if report.previews:
        sentences.append(_("The draw still changes with everybody who enters or leaves until the start."))
    return sentences


def describe_pairing_rules(tournament: Tournament) -> str:
    """Describe how pairings follow from the draw in this format."""
    if tournament.format == Tournament.Format.ROUND_ROBIN:
        return _(
            "The draw gives everybody a number in the schedule, and the schedule is fixed by how many take "
            "part."
        )
    if tournament.format == Tournament.Format.SWISS and tournament.table_size == 2:
        return _(
            "In every round those pairings are chosen in which nobody meets twice if that can be, scores "
            "differ least, and whoever had to play above or below their score does so least often. Above 64 "
            "players, these are looked for among neighbours in the standings first, and the best pairings "
            "found are taken. Those with the same score meet by their numbers in the draw, the upper half "
            "against the lower half. Who sits first is balanced, and by lot where that is level."
        )
    if tournament.format == Tournament.Format.SWISS:
        return _(
            "The first round has one player of each strength at every table. After that, those tables are "
            "chosen that have the fewest repeat meetings and, among these, the least difference between "
            "scores. Up to 64 players, a search looks for a proof that no better tables exist; every table "
            "says whether there is one. Above that, the best tables found are taken. Nobody gets the same "
            "seat three times in a row unless everybody at the table would. The search takes a fixed number "
            "of steps, not a fixed time, so it gives the same tables on every computer. Lots only part what "
            "is equal."
        )
    return _(
        "The draw gives everybody a number in the bracket: the lowest numbers meet as late as can be. A "
        "match that is level after its rematch, too, goes to the lower number. Who sits first at a table is "
        "balanced, and by lot where that is level."
    )
