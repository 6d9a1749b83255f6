"""Text about tournaments: format, entry, standings criteria, decisions, results."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any

from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from games.datetime_format import format_datetime_html
from tournaments.models import Decision

from .labels import DataDict, EntrantNames, format_match_name


def label_format(format_code: str) -> str:
    """Return the name of a format."""
    return {
        "knockout": lambda: pgettext("tournament", "knock-out"),
        "double": lambda: pgettext("tournament", "double knock-out"),
        "round-robin": lambda: pgettext("tournament", "round robin"),
        "swiss": lambda: pgettext("tournament", "Swiss rounds"),
    }.get(format_code, lambda: format_code)()


def describe_tournament_status(code: str) -> str:
    """Describe the status of a tournament."""
    return {
        "draft": lambda: pgettext("tournament", "in preparation"),
        "published": lambda: pgettext("tournament", "open for entries"),
        "running": lambda: pgettext("tournament", "running"),
        "finished": lambda: pgettext("tournament", "finished"),
        "cancelled": lambda: pgettext("tournament", "cancelled"),
    }.get(code, lambda: code)()


def describe_format(settings: DataDict) -> list[str]:
    """Describe the format, one sentence each; `settings` comes from `settings_dict`."""
    sentences, is_large_table = [], settings["table"] > 2
    if settings["format"] == "swiss":
        sentences.append(_("In every round players with about as many points meet; nobody is out."))
    elif settings["format"] == "round-robin":
        sentences.append(
            _("Everybody plays on a schedule, so that all meet about equally often.")
            if is_large_table
            else _("Everybody meets everybody else.")
        )
    elif settings["format"] == "double":
        sentences.append(_("Who loses goes on among the losers; who loses twice is out."))
    elif is_large_table and settings["advance"] > 1:
        sentences.append(_("The best two of each table go on, the others are out."))
    else:
        sentences.append(_("The winner of each table goes on, the others are out."))
    if settings["format"] in ("swiss", "round-robin") and settings["rounds"]:
        sentences.append(
            ngettext("There is one round.", "There are %(n)s rounds.", settings["rounds"])
            % {"n": settings["rounds"]}
        )
    if settings["format"] == "round-robin" and settings["laps"] > 1:
        sentences.append(_("All meet %(n)s times.") % {"n": settings["laps"]})
    if settings["format"] == "round-robin" and settings["at_once"]:
        sentences.append(_("All games begin at once."))
    if settings["format"] == "knockout" and settings["third_place"] and not is_large_table:
        sentences.append(_("The losers of the semi-finals play for the third place."))
    if settings["format"] in ("knockout", "double"):
        sentences.append(
            _("A level game is played again with a shorter clock; level once more, the higher seed goes on.")
        )
    return sentences


def describe_entry_rules(settings: DataDict, *, numbering_method: str = "") -> list[str]:
    """Describe who may enter, and how, one sentence each; `settings` comes from `settings_dict`.

    `numbering_method` overrides the seeding of the settings: by hand, or by the division of a league.
    """
    sentences = []
    if settings["by_invitation"]:
        sentences.append(_("By invitation only."))
    if settings["least_rating"] is not None and settings["most_rating"] is not None:
        sentences.append(_("For ratings from %(least_rating)s to %(most_rating)s.") % dict(settings))
    elif settings["least_rating"] is not None:
        sentences.append(_("For ratings from %(least_rating)s on.") % dict(settings))
    elif settings["most_rating"] is not None:
        sentences.append(_("For ratings up to %(most_rating)s.") % dict(settings))
    if settings["confirmation"]:
        sentences.append(_("Only those who confirm before the start will play."))
    if settings["late"] and settings["format"] == "swiss":
        sentences.append(_("One can come in later, too, from the next round on."))
    if settings["when_full"]:
        sentences.append(_("It starts as soon as all places are taken."))
    sentences += describe_draw_method(numbering_method or settings["seeding"])
    return sentences


def list_setting_warnings(settings: DataDict) -> list[str]:
    """Warn about settings that are allowed but may surprise; `settings` comes from `settings_dict`."""
    warnings = []
    if settings["round_length"] is not None and settings["bank"] > settings["round_length"]:
        warnings.append(
            _(
                "The reserve is longer than a round lasts: "
                "a round can end, and points decide, while players still have time on their clocks."
            )
        )
    return warnings


def describe_draw_method(method: str) -> list[str]:
    """Describe how entrants are numbered for the draw."""
    make_sentence = {
        "rating": lambda: _("The draw is by rating; who has none is drawn by lot behind those who have one."),
        "lot": lambda: _("The draw is by lot."),
        "hand": lambda: _("Some are seeded by hand: the page about fairness says who, and by whom."),
    }.get(method)
    return [make_sentence()] if make_sentence else []


# -------------------------------------------------------------------------------------------------- standings

CRITERION_TEXTS: dict[str, Callable[[], tuple[str, str, str]]] = {
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


def describe_criterion(key: str) -> tuple[str, str]:
    """Return label and meaning of a column of the standings."""
    head, meaning, _behind = CRITERION_TEXTS[key]() if key in CRITERION_TEXTS else (key, "", "")
    return head, meaning


def describe_separation(key: str | None) -> str:
    """Describe by which criterion a row of the standings is behind the row above."""
    return CRITERION_TEXTS[key]()[2] if key in CRITERION_TEXTS else key or ""


# -------------------------------------------------------------------------------------- results and decisions


def describe_ending(result_source: str | None, seats: Sequence[Mapping[str, Any]] = ()) -> str:
    """Describe how a pairing's result came about; for a game, `seats` tell who did not finish it."""
    stopped_count = sum(bool(seat["forfeit"] or seat["timeout"]) for seat in seats)
    if result_source == "game" and stopped_count:
        others_finished = len(seats) - stopped_count > 1
        return _("The others played to the end.") if others_finished else _("It was not played to the end.")
    return {
        None: lambda: _("Still being played."),
        "game": lambda: _("Played to the end."),
        "adjudication": lambda: _("The time of the round was up: decided by the points made until then."),
        "organiser": lambda: _("The organiser decided the result."),
        "bye": lambda: _("A bye: it counts as a win."),
        "free": lambda: _("A free round: nobody to play against, and no points for it."),
        "undecided": lambda: _("Not decided yet: the organiser writes the result."),
    }.get(result_source, lambda: str(result_source))()


def describe_hold_reason(reason: str) -> str:
    """Describe why a tournament is on hold for its organiser."""
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
    }.get(reason, lambda: reason)()


def describe_former_players(predecessors: Sequence[Mapping[str, Any]]) -> str:
    """List the former players of an entrant, with the round from which on they were replaced."""
    return "; ".join(
        _("since round %(n)s, before: %(name)s")
        % {"n": predecessor["since_round"], "name": predecessor["player"] or _("a former player")}
        for predecessor in predecessors
    )


def format_stored_time(stored_time: str | None) -> SafeString:
    """Format a stored time as HTML, in the reader's time zone."""
    if not stored_time:
        return mark_safe(_("no fixed time"))
    return format_datetime_html(datetime.fromisoformat(stored_time))


def describe_decision(
    decision: Decision,
    entrant_names: EntrantNames,
    *,
    player_names: Mapping[int | None, str] | None = None,
    matches: Mapping[int, str] | None = None,
) -> str:
    """Describe a decision. `players` maps player ids to names, `matches` pairing ids to match ids."""
    if decision.what.startswith("undo-"):
        undone_text = describe_action(
            decision.what.removeprefix("undo-"),
            decision.after,
            decision.before,
            entrant_names,
            player_names or {},
            matches or {},
        )
        sentence = _("Taken back: %(what)s") % {"what": undone_text}
        return mark_safe(sentence) if isinstance(undone_text, SafeString) else sentence
    return describe_action(
        decision.what, decision.before, decision.after, entrant_names, player_names or {}, matches or {}
    )


def describe_action(
    action: str,
    before: Mapping[str, Any],
    after: Mapping[str, Any],
    entrant_names: EntrantNames,
    player_names: Mapping[int | None, str],
    matches: Mapping[int, str],
) -> str:
    """Describe what an action changed from `before` to `after`."""
    if action == "correct":
        match = matches.get(before.get("table", 0))
        return (
            _("The result was corrected: %(match)s.") % {"match": format_match_name(match)}
            if match
            else _("A result was corrected.")
        )
    return {
        "proceed": lambda: _("The round came in spite of its warnings."),
        "extend": lambda: mark_safe(
            _("The end of a round was moved to: %(time)s")
            % {"time": format_stored_time(after.get("ends_at"))}
        ),
        "disqualify": lambda: (
            _("%(name)s was disqualified.") % {"name": entrant_names.get(before.get("entrant"), "–")}
        ),
        "remove": lambda: (
            _("%(name)s was taken off the list of entrants.")
            % {
                "name": " & ".join(
                    player_names.get(player_id, "–") for player_id in before.get("players", ())
                )
                or "–"
            }
        ),
        "replace": lambda: (
            _("%(new)s plays in the place of %(old)s.")
            % {
                "new": player_names.get(after.get("player"), "–"),
                "old": player_names.get(before.get("player"), "–"),
            }
        ),
        "cancel": lambda: _("The tournament was cancelled."),
        "helper": lambda: (
            _("%(name)s organises, too.") % {"name": player_names.get(after.get("player"), "–")}
            if after
            else _("%(name)s organises it no more.") % {"name": player_names.get(before.get("player"), "–")}
        ),
        "edit": lambda: _("The settings were changed."),
        "preview": lambda: _("The draw was looked at before the start."),
        "seeds": lambda: (
            _("Seeds were set by hand.") if after.get("order") else _("The seeds set by hand were removed.")
        ),
    }.get(action, lambda: action)()
