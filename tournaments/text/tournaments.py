"""Text about tournaments: format, entry, standings criteria, decisions, results."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, assert_never

from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from common.datetime_format import format_datetime_html
from tournaments.models import Decision, ResultSource, Tournament
from tournaments.options import TOURNAMENT_OPTIONS
from tournaments.read_models.pairings import PairingSeatData
from tournaments.read_models.tournaments import FormerPlayer

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
    sentences, is_large_table = [], settings["table_size"] > 2
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
    elif is_large_table and settings["advancing_count"] > 1:
        sentences.append(_("The best two of each table go on, the others are out."))
    else:
        sentences.append(_("The winner of each table goes on, the others are out."))
    sentences += describe_options(settings, "shape")
    if settings["format"] in ("knockout", "double"):
        sentences.append(
            _("A level game is played again with a shorter clock; level once more, the higher seed goes on.")
        )
    return sentences


def describe_options(settings: DataDict, section: str) -> list[str]:
    """Describe the options of a section that fit the format and are not as usual, one sentence each."""
    sentences = [
        option.describe_value(settings[option.key])
        for option in TOURNAMENT_OPTIONS.values()
        if option.section == section and option.fits(settings["format"], settings["table_size"])
    ]
    return [sentence for sentence in sentences if sentence]


def describe_entry_rules(settings: DataDict, *, numbering_method: str = "") -> list[str]:
    """Describe who may enter, and how, one sentence each; `settings` comes from `settings_dict`.

    `numbering_method` overrides the seeding of the settings: by hand, or by the division of a league.
    """
    sentences = describe_options(settings, "entry")
    if settings["min_rating"] is not None and settings["max_rating"] is not None:
        sentences.append(_("For ratings from %(min_rating)s to %(max_rating)s.") % dict(settings))
    elif settings["min_rating"] is not None:
        sentences.append(_("For ratings from %(min_rating)s on.") % dict(settings))
    elif settings["max_rating"] is not None:
        sentences.append(_("For ratings up to %(max_rating)s.") % dict(settings))
    sentences += describe_draw_method(numbering_method or settings["seeding"])
    return sentences


def list_setting_warnings(settings: DataDict) -> list[str]:
    """Warn about settings that are allowed but may surprise; `settings` comes from `settings_dict`."""
    warnings = []
    round_length = settings["round_length_seconds"]
    if round_length is not None and settings["bank_seconds"] > round_length:
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


@dataclass(frozen=True)
class CriterionText:
    """The texts about a column of the standings."""

    label: str
    meaning: str
    separation: str  # why a row is behind the row above


CRITERION_TEXTS: dict[str, Callable[[], CriterionText]] = {
    "points": lambda: CriterionText(
        _("Points"),
        _("A win is worth 1 and a draw ½; at larger tables it is 6 for the first, down to 0 for the last."),
        _("fewer points"),
    ),
    "buchholz": lambda: CriterionText(
        _("Buchholz"),
        _("The points of all opponents together; a bye counts as an opponent like oneself."),
        _("opponents with fewer points"),
    ),
    "sonneborn-berger": lambda: CriterionText(
        _("S.-B."),
        _("Sonneborn-Berger: the points of the opponents one beat, and half of those of a draw."),
        _("beat opponents with fewer points"),
    ),
    "opponents": lambda: CriterionText(
        _("Opponents"),
        _("The points of all opponents together."),
        _("opponents with fewer points"),
    ),
    "head-to-head": lambda: CriterionText(
        _("Direct"),
        _("What those who are level so far made against each other, if all of them have met."),
        _("the games against each other"),
    ),
    "game-points": lambda: CriterionText(
        _("Game points"),
        _("The points made on the boards of all games."),
        _("fewer points on the boards"),
    ),
    "eights": lambda: CriterionText(_("8s"), _("How many infinities were closed."), _("fewer 8s")),
    "seed": lambda: CriterionText(
        _("Draw"),
        _("The number in the draw: what decides when nothing else does. Lower is better."),
        _("the number in the draw"),
    ),
    "reached": lambda: CriterionText(
        _("Reached"), _("The last round one came to."), _("out in an earlier round")
    ),
    "place": lambda: CriterionText(
        _("Place"), _("The place at that table."), _("a lower place at the last table")
    ),
}


def describe_criterion(key: str) -> CriterionText:
    """Return the texts about a column of the standings; an unknown key is its own label."""
    return CRITERION_TEXTS[key]() if key in CRITERION_TEXTS else CriterionText(key, "", "")


def describe_separation(key: str | None) -> str:
    """Describe by which criterion a row of the standings is behind the row above."""
    return CRITERION_TEXTS[key]().separation if key in CRITERION_TEXTS else key or ""


# -------------------------------------------------------------------------------------- results and decisions


def describe_ending(source: ResultSource | None, seats: Sequence[PairingSeatData] = ()) -> str:
    """Describe what decided a pairing, None: nothing yet; for a game, `seats` tell who did not finish it."""
    match source:
        case None:
            return _("Still being played.")
        case ResultSource.GAME:
            return describe_played_game(seats)
        case ResultSource.ADJUDICATION:
            return _("The time of the round was up: decided by the points made until then.")
        case ResultSource.ORGANISER:
            return _("The organiser decided the result.")
        case ResultSource.BYE:
            return _("A bye: it counts as a win.")
        case _:
            assert_never(source)


def describe_played_game(seats: Sequence[PairingSeatData]) -> str:
    """Describe whether a game was played to the end, and by whom."""
    stopped_count = sum(bool(seat.forfeit or seat.timeout) for seat in seats)
    if not stopped_count:
        return _("Played to the end.")
    others_finished = len(seats) - stopped_count > 1
    return _("The others played to the end.") if others_finished else _("It was not played to the end.")


def describe_free_round() -> str:
    """Describe a round in which the schedule leaves an entrant out."""
    return _("A free round: nobody to play against, and no points for it.")


def describe_undecided_pairing() -> str:
    """Describe a settled pairing without a result."""
    return _("Not decided yet: the organiser writes the result.")


def describe_hold_reason(stored_reason: str) -> str:
    """Describe why a tournament is on hold for its organiser; "" if it is not."""
    if not stored_reason:
        return ""
    reason = Tournament.HoldReason(stored_reason)
    match reason:
        case Tournament.HoldReason.REVIEW:
            return _("You wanted to see every round before it begins.")
        case Tournament.HoldReason.TOO_FEW:
            return _("Fewer than two can play, so it does not start.")
        case Tournament.HoldReason.TOO_MANY_GAMES:
            return _("Too many games would begin at once, so it does not start.")
        case Tournament.HoldReason.STALE_AT_END:
            return _(
                "A result was changed: the tournament would end, "
                "and what was played after it would not count."
            )
        case Tournament.HoldReason.UNDECIDED_TABLE:
            return _("A game ended while its table did not count, so it decides nothing: write the result.")
        case Tournament.HoldReason.ABSENT:
            return _("Somebody who would play is away in the next round.")
        case Tournament.HoldReason.ODD_NUMBER:
            return _("An odd number plays, so somebody would have no game in the next round.")
        case Tournament.HoldReason.REMATCH_UNAVOIDABLE:
            return _("In the next round some would meet again.")
        case Tournament.HoldReason.STALE_RESULT:
            return _("A result was changed, and what was played after it would no longer count.")
        case Tournament.HoldReason.LATE_ENTRY:
            return _("Somebody came too late for the draw.")
        case _:
            assert_never(reason)


def describe_former_players(predecessors: Sequence[FormerPlayer]) -> str:
    """List the former players of an entrant, with the round from which on they were replaced."""
    return "; ".join(
        _("since round %(n)s, before: %(name)s")
        % {"n": predecessor.since_round, "name": predecessor.player or _("a former player")}
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
    """Describe a decision. `player_names` maps player ids to names, `matches` pairing ids to match ids."""
    names = DecisionNames(entrant_names, player_names or {}, matches or {})
    return describe_action(Decision.Action(decision.action), decision.before, decision.after, names)


@dataclass(frozen=True)
class DecisionNames:
    """The names that decisions are described with."""

    entrants: EntrantNames
    players: Mapping[int | None, str]
    matches: Mapping[int, str]  # match ids by pairing id

    def get_player(self, details: Mapping[str, Any]) -> str:
        """Return the name of the player in the details of a decision, or a dash."""
        return self.players.get(details.get("player"), "–")


def describe_action(
    action: Decision.Action, before: Mapping[str, Any], after: Mapping[str, Any], names: DecisionNames
) -> str:
    """Describe what an action changed from `before` to `after`."""
    match action:
        case Decision.Action.PROCEED:
            return _("The round came in spite of its warnings.")
        case Decision.Action.EXTEND:
            end_time = format_stored_time(after.get("ends_at"))
            return mark_safe(_("The end of a round was moved to: %(time)s") % {"time": end_time})
        case Decision.Action.CORRECT:
            match_id = names.matches.get(before.get("pairing", 0))
            if match_id is None:
                return _("A result was corrected.")
            return _("The result was corrected: %(match)s.") % {"match": format_match_name(match_id)}
        case Decision.Action.DISQUALIFY:
            return _("%(name)s was disqualified.") % {"name": names.entrants.get(before.get("entrant"), "–")}
        case Decision.Action.REPLACE:
            details = {"new": names.get_player(after), "old": names.get_player(before)}
            return _("%(new)s plays in the place of %(old)s.") % details
        case Decision.Action.REMOVE:
            removed = " & ".join(names.players.get(player_id, "–") for player_id in before.get("players", ()))
            return _("%(name)s was taken off the list of entrants.") % {"name": removed or "–"}
        case Decision.Action.CANCEL:
            return _("The tournament was cancelled.")
        case Decision.Action.CO_ORGANISER:
            if after:
                return _("%(name)s organises, too.") % {"name": names.get_player(after)}
            return _("%(name)s organises it no more.") % {"name": names.get_player(before)}
        case Decision.Action.EDIT:
            return _("The settings were changed.")
        case Decision.Action.PREVIEW:
            return _("The draw was looked at before the start.")
        case Decision.Action.SEEDS:
            if after.get("order"):
                return _("Seeds were set by hand.")
            return _("The seeds set by hand were removed.")
        case Decision.Action.UNDO_CORRECT:
            return describe_undo(Decision.Action.CORRECT, before, after, names)
        case Decision.Action.UNDO_DISQUALIFY:
            return describe_undo(Decision.Action.DISQUALIFY, before, after, names)
        case Decision.Action.UNDO_REPLACE:
            return describe_undo(Decision.Action.REPLACE, before, after, names)
        case Decision.Action.UNDO_EXTEND:
            return describe_undo(Decision.Action.EXTEND, before, after, names)
        case _:
            assert_never(action)


def describe_undo(
    undone_action: Decision.Action, before: Mapping[str, Any], after: Mapping[str, Any], names: DecisionNames
) -> str:
    """Describe that an action was undone; it had changed `after` to `before`."""
    undone_text = describe_action(undone_action, after, before, names)
    sentence = _("Taken back: %(what)s") % {"what": undone_text}
    return mark_safe(sentence) if isinstance(undone_text, SafeString) else sentence
