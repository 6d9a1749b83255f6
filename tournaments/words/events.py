"""Events in the reader's language: what they are, who is ahead by what, what was decided, how it ended."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any

from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from games.moments import mark_moment
from tournaments.models import Decision

from .places import Names, Said, match_name


def format_name(format: str) -> str:
    """What an event is called by its format."""
    return {
        "knockout": lambda: pgettext("tournament", "knock-out"),
        "double": lambda: pgettext("tournament", "double knock-out"),
        "round-robin": lambda: pgettext("tournament", "round robin"),
        "swiss": lambda: pgettext("tournament", "Swiss rounds"),
    }.get(format, lambda: format)()


def status(code: str) -> str:
    """How far an event is."""
    return {
        "draft": lambda: pgettext("tournament", "in preparation"),
        "published": lambda: pgettext("tournament", "open for entries"),
        "running": lambda: pgettext("tournament", "running"),
        "finished": lambda: pgettext("tournament", "finished"),
        "cancelled": lambda: pgettext("tournament", "cancelled"),
    }.get(code, lambda: code)()


def format_told(event: Said) -> list[str]:
    """How an event is played, a sentence each; `event` is what `facts.laid_down` gives."""
    told, large = [], event["table"] > 2
    if event["format"] == "swiss":
        told.append(_("In every round players with about as many points meet; nobody is out."))
    elif event["format"] == "round-robin":
        told.append(
            _("Everybody plays on a schedule, so that all meet about equally often.")
            if large
            else _("Everybody meets everybody else.")
        )
    elif event["format"] == "double":
        told.append(_("Who loses goes on among the losers; who loses twice is out."))
    elif large and event["advance"] > 1:
        told.append(_("The best two of each table go on, the others are out."))
    else:
        told.append(_("The winner of each table goes on, the others are out."))
    if event["format"] in ("swiss", "round-robin") and event["rounds"]:
        told.append(
            ngettext("There is one round.", "There are %(n)s rounds.", event["rounds"])
            % {"n": event["rounds"]}
        )
    if event["format"] == "round-robin" and event["laps"] > 1:
        told.append(_("All meet %(n)s times.") % {"n": event["laps"]})
    if event["format"] == "round-robin" and event["at_once"]:
        told.append(_("All games begin at once."))
    if event["format"] == "knockout" and event["third_place"] and not large:
        told.append(_("The losers of the semi-finals play for the third place."))
    if event["format"] in ("knockout", "double"):
        told.append(
            _("A level game is played again with a shorter clock; level once more, the higher seed goes on.")
        )
    return told


def entry(event: Said, *, drawn: str = "") -> list[str]:
    """Who may enter, and how, a sentence each; `event` is what `facts.laid_down` gives.

    `drawn` says what numbers the entrants if it is not what was laid down: the hand, or a league's division.
    """
    told = []
    if event["by_invitation"]:
        told.append(_("By invitation only."))
    if event["least_rating"] is not None and event["most_rating"] is not None:
        told.append(_("For ratings from %(least_rating)s to %(most_rating)s.") % dict(event))
    elif event["least_rating"] is not None:
        told.append(_("For ratings from %(least_rating)s on.") % dict(event))
    elif event["most_rating"] is not None:
        told.append(_("For ratings up to %(most_rating)s.") % dict(event))
    if event["confirmation"]:
        told.append(_("Only those who confirm before the start will play."))
    if event["late"] and event["format"] == "swiss":
        told.append(_("One can come in later, too, from the next round on."))
    if event["when_full"]:
        told.append(_("It starts as soon as all places are taken."))
    told += drawing(drawn or event["seeding"])
    return told


def cautions(event: Said) -> list[str]:
    """What may be meant so, but should be known to whoever lays it down; `event` is what `facts` give."""
    told = []
    if event["round_length"] is not None and event["bank"] > event["round_length"]:
        told.append(
            _(
                "The reserve is longer than a round lasts: "
                "a round can end, and points decide, while players still have time on their clocks."
            )
        )
    return told


def drawing(by: str) -> list[str]:
    """Where the numbers of the draw come from."""
    said = {
        "rating": lambda: _("The draw is by rating; who has none is drawn by lot behind those who have one."),
        "lot": lambda: _("The draw is by lot."),
        "hand": lambda: _("Some are seeded by hand: the page about fairness says who, and by whom."),
    }.get(by)
    return [said()] if said else []


# ----------------------------------------------------------------------------------------------- who is ahead

CRITERIA: dict[str, Callable[[], tuple[str, str, str]]] = {
    "points": lambda: (
        _("Points"),
        _("A win is worth 1 and a draw ½; at larger tables it is 6 for the first, down to 0 for the last."),
        _("fewer points"),
    ),
    "buchholz": lambda: (
        _("Buchholz"),
        _("The points of all opponents together; a bye counts as an opponent like oneself."),
        _("opponents with fewer points"),
    ),
    "sonneborn-berger": lambda: (
        _("S.-B."),
        _("Sonneborn-Berger: the points of the opponents one beat, and half of those of a draw."),
        _("beat opponents with fewer points"),
    ),
    "opponents": lambda: (
        _("Opponents"),
        _("The points of all opponents together."),
        _("opponents with fewer points"),
    ),
    "head-to-head": lambda: (
        _("Direct"),
        _("What those who are level so far made against each other, if all of them have met."),
        _("the games against each other"),
    ),
    "game-points": lambda: (
        _("Game points"),
        _("The points made on the boards of all games."),
        _("fewer points on the boards"),
    ),
    "eights": lambda: (_("8s"), _("How many infinities were closed."), _("fewer 8s")),
    "seed": lambda: (
        _("Draw"),
        _("The number in the draw: what decides when nothing else does. Lower is better."),
        _("the number in the draw"),
    ),
    "reached": lambda: (_("Reached"), _("The last round one came to."), _("out in an earlier round")),
    "place": lambda: (_("Place"), _("The place at that table."), _("a lower place at the last table")),
}


def criterion(key: str) -> tuple[str, str]:
    """A column of the standings: its head, and what it means in a sentence."""
    head, meaning, _behind = CRITERIA[key]() if key in CRITERIA else (key, "", "")
    return head, meaning


def parted(key: str | None) -> str:
    """By what a line of the standings is behind the line above."""
    return CRITERIA[key]()[2] if key in CRITERIA else key or ""


# ------------------------------------------------------------------------------------------- what was decided


def ended(by: str | None, seats: Sequence[Mapping[str, Any]] = ()) -> str:
    """How a table came to its result; of a game `seats` say who did not play it to the end."""
    stopped = sum(bool(seat["forfeit"] or seat["timeout"]) for seat in seats)
    if by == "game" and stopped:
        others_played_on = len(seats) - stopped > 1
        return _("The others played to the end.") if others_played_on else _("It was not played to the end.")
    return {
        None: lambda: _("Still being played."),
        "game": lambda: _("Played to the end."),
        "adjudication": lambda: _("The time of the round was up: decided by the points made until then."),
        "organiser": lambda: _("The organiser decided the result."),
        "bye": lambda: _("A bye: it counts as a win."),
        "free": lambda: _("A free round: nobody to play against, and no points for it."),
        "undecided": lambda: _("Not decided yet: the organiser writes the result."),
    }.get(by, lambda: str(by))()


def held(why: str) -> str:
    """Why an event waits for its organiser."""
    return {
        "": lambda: "",
        "review": lambda: _("You wanted to see every round before it begins."),
        "too-few": lambda: _("Fewer than two can play, so it does not start."),
        "too-many-games": lambda: _("Too many games would begin at once, so it does not start."),
        "absent": lambda: _("Somebody who would play is away in the next round."),
        "odd-number": lambda: _("An odd number plays, so somebody would have no game in the next round."),
        "rematch-unavoidable": lambda: _("In the next round some would meet again."),
        "stale-result": lambda: _(
            "A result was changed, and what was played after it would no longer count."
        ),
        "stale-at-end": lambda: _(
            "A result was changed: the tournament would end, and what was played after it would not count."
        ),
        "late-entry": lambda: _("Somebody came too late for the draw."),
        "undecided-table": lambda: _(
            "A game ended while its table did not count, so it decides nothing: write the result."
        ),
    }.get(why, lambda: why)()


def former_players(before: Sequence[Mapping[str, Any]]) -> str:
    """Who played for an entrant before, and from which round on others have."""
    return "; ".join(
        _("since round %(n)s, before: %(name)s")
        % {"n": one["since_round"], "name": one["player"] or _("a former player")}
        for one in before
    )


def until(told: str | None) -> SafeString:
    """A stored time for a page, in the reader's zone."""
    if not told:
        return mark_safe(_("no fixed time"))
    return mark_moment(datetime.fromisoformat(told))


def decision(
    made: Decision,
    names: Names,
    *,
    players: Mapping[int | None, str] | None = None,
    matches: Mapping[int, str] | None = None,
) -> str:
    """A line of the organisers' log: `players` are names by number, `matches` those of tables by number."""
    if made.what.startswith("undo-"):
        first = deed(
            made.what.removeprefix("undo-"), made.after, made.before, names, players or {}, matches or {}
        )
        told = _("Taken back: %(what)s") % {"what": first}
        return mark_safe(told) if isinstance(first, SafeString) else told
    return deed(made.what, made.before, made.after, names, players or {}, matches or {})


def deed(
    what: str,
    before: Mapping[str, Any],
    after: Mapping[str, Any],
    names: Names,
    players: Mapping[int | None, str],
    matches: Mapping[int, str],
) -> str:
    """What was decided, in a sentence."""
    if what == "correct":
        match = matches.get(before.get("table", 0))
        return (
            _("The result was corrected: %(match)s.") % {"match": match_name(match)}
            if match
            else _("A result was corrected.")
        )
    return {
        "proceed": lambda: _("The round came in spite of its warnings."),
        "extend": lambda: mark_safe(
            _("The end of a round was moved to: %(time)s") % {"time": until(after.get("ends_at"))}
        ),
        "disqualify": lambda: (
            _("%(name)s was disqualified.") % {"name": names.get(before.get("entrant"), "–")}
        ),
        "remove": lambda: (
            _("%(name)s was taken off the list of entrants.")
            % {"name": " & ".join(players.get(pk, "–") for pk in before.get("players", ())) or "–"}
        ),
        "replace": lambda: (
            _("%(new)s plays in the place of %(old)s.")
            % {"new": players.get(after.get("player"), "–"), "old": players.get(before.get("player"), "–")}
        ),
        "cancel": lambda: _("The tournament was cancelled."),
        "helper": lambda: (
            _("%(name)s organises, too.") % {"name": players.get(after.get("player"), "–")}
            if after
            else _("%(name)s organises it no more.") % {"name": players.get(before.get("player"), "–")}
        ),
        "edit": lambda: _("The settings were changed."),
        "preview": lambda: _("The draw was looked at before the start."),
        "seeds": lambda: (
            _("Seeds were set by hand.") if after.get("order") else _("The seeds set by hand were removed.")
        ),
    }.get(what, lambda: what)()
