"""Text about the draw and the pairing rules, for each format and seeding method."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from common.datetime_format import format_datetime
from tournaments.models import Tournament
from tournaments.pairing import matching, partition
from tournaments.read_models.pairings import SeedChangeData, SeedingReportData

from .labels import EntrantNames
from .rules import describe_level_matches

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
        sentences.append(_("Organisers can set seeds by hand until the start. Every change appears here."))
    return sentences


def describe_no_draw() -> list[str]:
    """Describe a tournament that was cancelled before its draw."""
    return [_("The tournament was cancelled before the draw.")]


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
        order_sentence = _("The others follow by rating, and unrated players by lot.")
    else:
        order_sentence = _("The others follow by lot.")
    return f"{list_sentence} {order_sentence}"


def describe_automatic_seeding(report: SeedingReportData, *, has_started: bool) -> str:
    """Describe the numbering where nobody was seeded by hand."""
    if report.seeding == "division":
        return _("The numbers in this group follow the order of the division.")
    if not report.seeds_logged:
        return _("This tournament is older than our record of seeds set by hand.")
    is_by_rating = report.seeding == Tournament.Seeding.RATING
    if is_by_rating and has_started:
        return _("Nobody was seeded by hand: we seeded by rating, and unrated players by lot.")
    if is_by_rating:
        return _("Nobody is seeded by hand so far: we seed by rating, and unrated players by lot.")
    if has_started:
        return _("Nobody was seeded by hand: we seeded by lot.")
    return _("Nobody is seeded by hand so far: we seed by lot.")


def describe_seed_change(change: SeedChangeData) -> str:
    """Describe a change of seeds."""
    details = {"who": change.by or _("a former player"), "when": format_datetime(change.at)}
    if change.after_preview:
        if change.count:
            return _("%(who)s set seeds on %(when)s, after a preview of the draw.") % details
        return _("%(who)s removed the seeds on %(when)s, after a preview of the draw.") % details
    if change.count:
        return _("%(who)s set seeds on %(when)s.") % details
    return _("%(who)s removed the seeds on %(when)s.") % details


def describe_previews(report: SeedingReportData, *, has_started: bool) -> list[str]:
    """List the organisers who saw the draw before the start."""
    if report.seeding == "division" and not report.previews:
        return []
    if not report.seeds_logged:
        sentences = [_("This tournament is older than our record of previews.")]
    elif not report.previews and has_started:
        return [_("No organiser previewed the draw.")]
    elif not report.previews:
        sentences = [_("Organisers can preview the draw before the start. Nobody has so far.")]
    else:
        sentences = []
    for preview in report.previews:
        details = {"who": preview.by or _("a former player"), "when": format_datetime(preview.at)}
        sentences.append(_("%(who)s previewed the draw on %(when)s.") % details)
    if report.previews:
        sentences.append(_("Every entry or departure before the start changes the draw."))
    return sentences


def list_pairing_rules(tournament: Tournament) -> list[str]:
    """List how pairings follow from the draw in this format, one rule each."""
    if tournament.format == Tournament.Format.ROUND_ROBIN:
        return [_("The draw gives each entrant a number in a schedule that depends only on how many play.")]
    if tournament.format == Tournament.Format.SWISS and tournament.table_size > 2:
        return list_rules_of_larger_tables()
    if tournament.format == Tournament.Format.SWISS:
        return [
            _(
                "Each round avoids repeat meetings, then looks for the closest scores, "
                "then spares entrants who were already paired up or down."
            ),
            _(
                "Above %(limit)s players we look among neighbours in the standings first, and take the best "
                "pairings we find."
            )
            % {"limit": matching.COMPLETE_GRAPH_LIMIT},
            _("Equal scores meet by seed: the upper half against the lower half."),
            describe_first_seat(),
        ]
    return [
        _(
            "The draw gives each entrant a number in the bracket: "
            "the lowest numbers meet as late as possible."
        ),
        describe_level_matches(tournament.rematch_allowance),
        describe_first_seat(),
    ]


def list_rules_of_larger_tables() -> list[str]:
    """List how Swiss rounds at tables of 3 and 4 are paired, and where the search for tables ends."""
    return [
        _("In the first round, each table gets one player of each strength."),
        _("After that, tables have the fewest repeat meetings, then the closest scores."),
        _(
            "Up to %(limit)s players we look for a proof that no tables are better, and each table says "
            "whether there is one. Above that, we take the best tables we find."
        )
        % {"limit": partition.MAX_PEOPLE_FOR_PROOF},
        _("Nobody gets the same seat three times in a row, unless everybody at the table would."),
        _("We draw lots only between equals, so anybody who repeats the calculation gets the same tables."),
    ]


def describe_first_seat() -> str:
    """Describe who sits first at a table of two."""
    return _("The first seat alternates as evenly as possible; lots decide between equals.")
