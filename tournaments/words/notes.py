"""The notes of the pairing room as sentences: why they meet, what to be warned of, who goes up or down."""

from __future__ import annotations

from collections.abc import Callable

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from .places import Names, Said, amount, call, match_name, points

Words = Callable[[Said, Names], str]


def from_match(note: Said, names: Names) -> str:
    """Who comes from an earlier match."""
    facts = {"name": call(names, note["entrant"]), "match": match_name(str(note["match"]))}
    if note["place"] == 1:
        return _("%(name)s won (%(match)s).") % facts
    return _("%(name)s came second (%(match)s).") % facts


def scheduled(note: Said, names: Names) -> str:
    """A table of a round robin."""
    told = _("By the schedule: round %(round)s of %(rounds)s.") % dict(note)
    if note["lap"] > 1:
        told += " " + _("They meet for time number %(lap)s.") % dict(note)
    return told


def smaller(note: Said, names: Names) -> str:
    """A table with fewer seats than others."""
    if note.get("gone"):
        return _("A smaller table, as others have left: %(names)s.") % {"names": call(names, note["gone"])}
    return _("A smaller table, as the number of players does not divide evenly.")


def by_score(note: Said, names: Names) -> str:
    """A table of 3 or 4."""
    if note["highest"] == note["lowest"]:
        return _("All at this table have %(points)s.") % {"points": points(note["highest"])}
    facts = {"lowest": amount(note["lowest"]), "highest": points(note["highest"])}
    return _("They are close in the standings: %(lowest)s to %(highest)s.") % facts


def best_tables(note: Said, names: Names) -> str:
    """How good all tables of a round together are known to be."""
    if note["proved"]:
        return _("No other tables in this round would have fewer repeat meetings or closer scores.")
    return _("These are the best tables found for this round; there is no proof that none are better.")


def met(note: Said, names: Names) -> str:
    """Who meets again; a table of earlier days says nothing of a proof."""
    facts = {"names": call(names, note["entrants"]), "n": note["times"]}
    if note.get("proved"):
        words = ngettext(
            "%(names)s have met once before: there was no better way to pair all.",
            "%(names)s have met %(n)s times before: there was no better way to pair all.",
            note["times"],
        )
    else:
        words = ngettext(
            "%(names)s have met once before: no better way to pair all was found.",
            "%(names)s have met %(n)s times before: no better way to pair all was found.",
            note["times"],
        )
    return words % facts


def lowest(note: Said, names: Names) -> str:
    """Who has the bye."""
    facts = {"name": call(names, note["entrant"]), "points": points(note["points"])}
    return _("An odd number plays: the bye goes to %(name)s, low in the standings with %(points)s.") % facts


def passed_over(note: Said, names: Names) -> str:
    """Who stands lower than whoever has the bye."""
    told = []
    if note["had"]:
        told.append(_("Lower, but had a bye already: %(names)s.") % {"names": call(names, note["had"])})
    if note["rematch"]:
        facts = {"names": call(names, note["rematch"])}
        told.append(_("Lower, but needed so that nobody meets twice: %(names)s.") % facts)
    return " ".join(told)


def floated(note: Said, names: Names) -> str:
    """Who plays somebody with another score."""
    facts = {"name": call(names, note["entrant"]), "points": points(note["points"]), "to": points(note["to"])}
    if note["code"] == "float-down":
        told = _("%(name)s has %(points)s and meets somebody with %(to)s: not all can meet an equal.") % facts
    else:
        told = _("%(name)s plays up, from %(points)s to %(to)s.") % facts
    if note["before"]:
        told += " " + ngettext(
            "It is so for them for the second time.", "It was so for them %(n)s times before.", note["before"]
        ) % {"n": note["before"]}
    return told


def balanced(note: Said, names: Names) -> str:
    """Why somebody sits first."""
    facts = {**note, "name": call(names, note["first"])}
    if note["times"] < note["other"]:
        return _("%(name)s sits first: so far %(times)s×, the other %(other)s×.") % facts
    if "times_second" not in note:  # rounds of before kept half of the count only
        return _("%(name)s sits first, so that everybody sits first about as often as second.") % facts
    return (
        _(
            "%(name)s sits first: so far %(times)s× first and %(times_second)s× second, "
            "the other %(other)s× first and %(other_second)s× second."
        )
        % facts
    )


def in_turn(note: Said, names: Names) -> str:
    """Who sits first because of where the two sat last time: they have sat first equally often."""
    facts = {"name": call(names, note["first"])}
    if note["sat_second"]:
        return _("%(name)s sits first, having sat second last time.") % facts
    return _("%(name)s sits first, as the other sat first last time.") % facts


def one(words: Callable[[], str]) -> Words:
    """A sentence about an entrant, or some: their names, and the other facts as they are."""

    def said(note: Said, names: Names) -> str:
        who = note.get("entrant", note.get("entrants", note.get("gone", note.get("first"))))
        match = match_name(str(note.get("match", "")))
        return words() % {**note, "name": call(names, who), "match": match}

    return said


REASONS: dict[str, Words] = {
    "from-seed": one(lambda: _("%(name)s is number %(seed)s of the draw.")),
    "from-match": from_match,
    "rematch": one(lambda: _("The first game was level: they play again, with the short clock.")),
    "by-rematch": one(lambda: _("The first game was level, and the rematch decided.")),
    "higher-seed": lambda note, names: (
        _("Level after the rematch too: %(name)s goes on, as number %(seed)s of the draw.")
        % {"name": call(names, note["entrants"][0]), "seed": note["seed"]}
    ),
    "walkover": one(lambda: _("Not played to the end by %(name)s.")),
    "schedule": scheduled,
    "free-round": one(lambda: _("An odd number plays: by the schedule %(name)s is free in round %(round)s.")),
    "smaller-table": smaller,
    "one-of-each-strength": one(lambda: _("First round: one of each strength at every table.")),
    "by-score": by_score,
    "best-tables": best_tables,
    "met-before": met,
    "bye-alone": one(lambda: _("Nobody is left to play against %(name)s.")),
    "bye-lowest": lowest,
    "bye-passed-over": passed_over,
    "first-round": one(
        lambda: _("First round: number %(higher)s of the draw meets number %(lower)s of the draw.")
    ),
    "same-score": lambda note, names: _("Both have %(points)s.") % {"points": points(note["points"])},
    "float-down": floated,
    "float-up": floated,
    "seat-lot": one(lambda: _("%(name)s sits first by lot.")),
    "seat-turn": in_turn,
    "seat-balance": balanced,
    "seat-run": one(lambda: _("%(name)s sits first, so that nobody has the same seat three times in a row.")),
}
WARNINGS: dict[str, Words] = {
    "absent": one(lambda: _("Away in this round: %(name)s.")),
    "odd-number": one(lambda: _("An odd number plays: %(name)s would have no game.")),
    "rematch-unavoidable": one(lambda: _("%(name)s would meet again.")),
    "stale-result": one(
        lambda: _("A result would no longer count, as others play there now: %(match)s, %(name)s.")
    ),
    "late-entry": one(lambda: _("Came too late for the draw: %(name)s.")),
}
# What is odd about tables that are published: no pairing knows of it.
TABLE_WARNINGS: dict[str, Words] = {
    "undecided-table": one(
        lambda: _("The game ended while it did not count, so write its result: %(match)s, %(name)s.")
    ),
}


def reason(note: Said, names: Names) -> str:
    """Why a table was made as it is, or how a match of a bracket was decided."""
    words = REASONS.get(note["code"])
    return words(note, names) if words else str(note["code"])


def warning(note: Said, names: Names) -> str:
    """What an organiser should know before a round is published, or the event goes on."""
    words = (WARNINGS | TABLE_WARNINGS).get(note["code"])
    return words(note, names) if words else str(note["code"])


def moved(note: Said) -> str:
    """Why somebody plays in a division of a league."""
    return {
        "newcomer": lambda: {
            "rating": lambda: _("new, where the rating fits"),
            "start": lambda: _("starts here"),
        }.get(str(note.get("by")), lambda: _("new, from the bottom"))(),
        "stays": lambda: _("stays"),
        "promoted": lambda: _("up from division %(was)s") % dict(note),
        "relegated": lambda: _("down from division %(was)s") % dict(note),
    }.get(str(note.get("code", "")), lambda: str(note.get("code", "")))()
