"""What decides who meets whom, in sentences that are so for each format and each way of seeding."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.moments import say_moment
from tournaments.models import Event

from .places import Names

MAX_NAMED_SEEDS, MAX_NAMED_CHANGES = 16, 10


def seeding(found: Mapping[str, Any], names: Names, *, started: bool) -> list[str]:
    """Where the numbers of the draw come from; `found` is what `read_seeding` gives."""
    told = [by_hand(found, names)] if found["seeded_by_hand"] else [not_by_hand(found, started=started)]
    told += [seed_change(one) for one in found["seed_changes"][-MAX_NAMED_CHANGES:]]
    if not started:
        told.append(_("Until the start its organisers can set seeds by hand. Each time is shown here."))
    return told


def without_a_draw() -> list[str]:
    """Of an event that was cancelled before it began."""
    return [_("It was cancelled before the start, so no draw was made.")]


def by_hand(found: Mapping[str, Any], names: Names) -> str:
    """Who was given a seed, and how the others come behind them."""
    some = [names[pk] for pk in found["seeded_by_hand"][:MAX_NAMED_SEEDS]]
    more = len(found["seeded_by_hand"]) - len(some)
    named = ", ".join(some)
    listed = _("Seeded by hand: %(names)s.") % {"names": named}
    if more:
        told = ngettext(
            "Seeded by hand: %(names)s and %(n)s more.", "Seeded by hand: %(names)s and %(n)s more.", more
        )
        listed = told % {"names": named, "n": more}
    if found["seeding"] == Event.Seeding.RATING:
        behind = _("The others come behind them by rating, those without one by lot.")
    else:
        behind = _("The others come behind them by lot.")
    return f"{listed} {behind}"


def not_by_hand(found: Mapping[str, Any], *, started: bool) -> str:
    """How everybody is numbered where nobody chose it."""
    if found["seeding"] == "division":
        return _("Numbers in this group follow the order in which the division was made up.")
    if not found["seeds_logged"]:
        return _("Whether seeds were set by hand was not logged yet when this tournament was made.")
    by_rating = found["seeding"] == Event.Seeding.RATING
    if by_rating and started:
        return _("Nobody was seeded by hand: the draw followed ratings, and lots for those without one.")
    if by_rating:
        return _("Nobody is seeded by hand so far: the draw follows ratings, and lots for those without one.")
    if started:
        return _("Nobody was seeded by hand: the draw was by lot.")
    return _("Nobody is seeded by hand so far: the draw is by lot.")


def seed_change(one: Mapping[str, Any]) -> str:
    """A line of the log of seeds."""
    facts = {"who": one["by"] or _("a former player"), "when": say_moment(one["at"])}
    if one["after_preview"]:
        if one["count"]:
            return _("%(who)s set seeds on %(when)s, after the preview of the draw.") % facts
        return _("%(who)s removed the seeds on %(when)s, after the preview of the draw.") % facts
    if one["count"]:
        return _("%(who)s set seeds on %(when)s.") % facts
    return _("%(who)s removed the seeds on %(when)s.") % facts


def previews(found: Mapping[str, Any], *, started: bool) -> list[str]:
    """Who of those who organise it saw the draw before everybody else."""
    if found["seeding"] == "division" and not found["previews"]:
        return []
    if not found["seeds_logged"]:
        told = [_("Whether somebody looked at the draw before the start was not logged yet then.")]
    elif not found["previews"] and started:
        return [_("Nobody who organises it looked at the draw before the start.")]
    elif not found["previews"]:
        told = [_("Those who organise it can look at the draw before the start. Nobody has so far.")]
    else:
        told = []
    for one in found["previews"]:
        facts = {"who": one["by"] or _("a former player"), "when": say_moment(one["at"])}
        told.append(_("%(who)s looked at the draw on %(when)s, before the start.") % facts)
    if found["previews"]:
        told.append(_("The draw still changes with everybody who enters or leaves until the start."))
    return told


def pairing(event: Event) -> str:
    """How the tables follow from the draw."""
    if event.format == Event.Format.ROUND_ROBIN:
        return _(
            "The draw gives everybody a number in the schedule, and the schedule is fixed by how many take "
            "part."
        )
    if event.format == Event.Format.SWISS and event.table == 2:
        return _(
            "In every round those pairings are chosen in which nobody meets twice if that can be, scores "
            "differ least, and whoever had to play above or below their score does so least often. Above 64 "
            "players, these are looked for among neighbours in the standings first, and the best pairings "
            "found are taken. Those with the same score meet by their numbers in the draw, the upper half "
            "against the lower half. Who sits first is balanced, and by lot where that is level."
        )
    if event.format == Event.Format.SWISS:
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
