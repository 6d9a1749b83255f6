"""Text about tournaments: format, entry, standings criteria, decisions, results."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, assert_never

from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from common.datetime_format import format_datetime_html
from tournaments.models import Decision, ResultSource, Tournament
from tournaments.options import GAME_SETTINGS_OPTIONS, TOURNAMENT_OPTIONS
from tournaments.read_models.pairings import PairingSeatData
from tournaments.read_models.tournaments import FormerPlayer

from .labels import DataDict, EntrantNames, format_match_name
from .rules import describe_bye, describe_level_matches, describe_points


def label_format(format_code: str) -> str:
    """Return the name of a format."""
    return str(Tournament.Format(format_code).label)


def describe_tournament_status(code: str) -> str:
    """Describe the status of a tournament."""
    return str(Tournament.Status(code).label)


def describe_format(settings: DataDict) -> list[str]:
    """Describe the format, one sentence each; `settings` comes from `settings_dict`."""
    is_large_table = settings["table_size"] > 2
    match Tournament.Format(settings["format"]):
        case Tournament.Format.SWISS:
            sentences = [
                _("In each round you meet players with about as many points as you. Nobody is knocked out.")
            ]
        case Tournament.Format.ROUND_ROBIN:
            sentences = [
                _("A schedule lets all players meet about equally often.")
                if is_large_table
                else _("Everybody plays everybody.")
            ]
        case Tournament.Format.DOUBLE:
            sentences = [_("If you lose, you go on in the losers’ bracket. Lose twice and you are out.")]
        case _:
            advancing_count = settings["advancing_count"] if is_large_table else 1
            sentences = [
                ngettext(
                    "The winner of each table advances; the others are out.",
                    "The best %(n)s of each table advance; the others are out.",
                    advancing_count,
                )
                % {"n": advancing_count}
            ]
    sentences += describe_options(settings, "shape")
    if settings["format"] in (Tournament.Format.KNOCKOUT, Tournament.Format.DOUBLE):
        sentences.append(describe_level_matches(settings[GAME_SETTINGS_OPTIONS["rematch_allowance"].key]))
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
        sentences.append(_("Open to ratings from %(min_rating)s to %(max_rating)s.") % dict(settings))
    elif settings["min_rating"] is not None:
        sentences.append(_("Open to ratings of %(min_rating)s and above.") % dict(settings))
    elif settings["max_rating"] is not None:
        sentences.append(_("Open to ratings up to %(max_rating)s.") % dict(settings))
    sentences += describe_draw_method(numbering_method or settings["seeding"])
    return sentences


def list_setting_warnings(settings: DataDict) -> list[str]:
    """Warn about settings that are allowed but may surprise; `settings` comes from `settings_dict`."""
    warnings = []
    round_length = settings["round_length_seconds"]
    if round_length is not None and settings["bank_seconds"] > round_length:
        warnings.append(
            _(
                "The reserve is longer than a round. "
                "A round can end, and points decide, while players still have time."
            )
        )
    return warnings


def describe_draw_method(method: str) -> list[str]:
    """Describe how entrants are numbered for the draw."""
    make_sentence = {
        "rating": lambda: _("We seed by rating; unrated players come last, by lot."),
        "lot": lambda: _("We draw all seeds by lot."),
        "hand": lambda: _("Some seeds are set by hand: see the fairness page."),
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
        "",  # see describe_points: it depends on the table size
        _("fewer points"),
    ),
    "buchholz": lambda: CriterionText(
        _("Buchholz"),
        _("The points of all your opponents. A bye counts as an opponent with your own points."),
        _("opponents with fewer points"),
    ),
    "sonneborn-berger": lambda: CriterionText(
        _("S.-B."),
        _("Sonneborn-Berger: the points of opponents you beat, and half of those you drew with."),
        _("beat opponents with fewer points"),
    ),
    "opponents": lambda: CriterionText(
        _("Opponents"),
        _("The points of all your opponents."),
        _("opponents with fewer points"),
    ),
    "head-to-head": lambda: CriterionText(
        _("Head to head"),
        _("Results between players who are still level, if all of them have met."),
        _("the games against each other"),
    ),
    "game-points": lambda: CriterionText(
        _("Game points"),
        _("Points scored in all games."),
        _("fewer game points"),
    ),
    "eights": lambda: CriterionText(_("8s"), _("Figure 8s made."), _("fewer 8s")),
    "seed": lambda: CriterionText(
        _("Seed"),
        _("The number in the draw, where nothing else decides. Lower is better."),
        _("a higher number in the draw"),
    ),
    "reached": lambda: CriterionText(
        _("Reached"), _("The last round you reached."), _("out in an earlier round")
    ),
    "place": lambda: CriterionText(
        _("Place"), _("Your place at that table."), _("a lower place at the last table")
    ),
}


def describe_criterion(key: str, table_size: int) -> CriterionText:
    """Return the texts about a column of the standings; an unknown key is its own label."""
    if key not in CRITERION_TEXTS:
        return CriterionText(key, "", "")
    criterion_text = CRITERION_TEXTS[key]()
    return replace(criterion_text, meaning=describe_points(table_size)) if key == "points" else criterion_text


def describe_separation(key: str | None) -> str:
    """Describe by which criterion a row of the standings is behind the row above."""
    return CRITERION_TEXTS[key]().separation if key in CRITERION_TEXTS else key or ""


# -------------------------------------------------------------------------------------- results and decisions


def describe_ending(source: ResultSource | None, seats: Sequence[PairingSeatData] = ()) -> str:
    """Describe what decided a pairing, None: nothing yet; for a game, `seats` tell who did not finish it."""
    match source:
        case None:
            return _("In progress.")
        case ResultSource.GAME:
            return describe_played_game(seats)
        case ResultSource.ADJUDICATION:
            return _("The round ended, and points decided.")
        case ResultSource.ORGANISER:
            return _("The organiser decided the result.")
        case ResultSource.BYE:
            return describe_bye()
        case _:
            assert_never(source)


def describe_played_game(seats: Sequence[PairingSeatData]) -> str:
    """Describe whether a game was played to the end, and by whom."""
    stopped_count = sum(bool(seat.forfeit or seat.timeout) for seat in seats)
    if not stopped_count:
        return _("Played to the end.")
    others_finished = len(seats) - stopped_count > 1
    return _("The others played to the end.") if others_finished else _("Not played to the end.")


def describe_undecided_pairing() -> str:
    """Describe a settled pairing without a result."""
    return _("No result yet: the organiser enters it.")


def describe_hold_reason(stored_reason: str) -> str:
    """Describe why a tournament is on hold for its organiser; "" if it is not."""
    if not stored_reason:
        return ""
    reason = Tournament.HoldReason(stored_reason)
    match reason:
        case Tournament.HoldReason.REVIEW:
            return _("You approve every round before it starts.")
        case Tournament.HoldReason.TOO_FEW:
            return _("It cannot start with fewer than two players.")
        case Tournament.HoldReason.TOO_MANY_GAMES:
            return _("It cannot start: too many games would start at once.")
        case Tournament.HoldReason.STALE_AT_END:
            return _("A result has changed: the tournament would end, and later games would no longer count.")
        case Tournament.HoldReason.UNDECIDED_TABLE:
            return _("A game ended while its table did not count. Enter its result.")
        case Tournament.HoldReason.ABSENT:
            return _("A player sits out the next round.")
        case Tournament.HoldReason.ODD_NUMBER:
            return _("With an odd number of players, somebody has no game in the next round.")
        case Tournament.HoldReason.REMATCH_UNAVOIDABLE:
            return _("In the next round some players would meet again.")
        case Tournament.HoldReason.STALE_RESULT:
            return _("A result has changed: later games would no longer count.")
        case Tournament.HoldReason.LATE_ENTRY:
            return _("Somebody entered too late for the draw.")
        case _:
            assert_never(reason)


def describe_needed_decision(stored_reason: str, round_no: int) -> str:
    """Say in a headline what a tournament on hold needs of its organiser; "" if it is not on hold."""
    if not stored_reason:
        return ""
    match Tournament.HoldReason(stored_reason):
        case Tournament.HoldReason.TOO_FEW | Tournament.HoldReason.TOO_MANY_GAMES:
            return _("Not started")
        case Tournament.HoldReason.STALE_AT_END:
            return _("The end needs your decision")
        case Tournament.HoldReason.UNDECIDED_TABLE:
            return _("A table needs a result")
        case _:
            return _("Round %(n)s needs your OK") % {"n": round_no}


def describe_former_players(predecessors: Sequence[FormerPlayer]) -> str:
    """List the former players of an entrant, with the round from which on they were replaced."""
    return "; ".join(
        _("since round %(n)s, replacing %(name)s")
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
            return _("Round approved in spite of its warnings.")
        case Decision.Action.EXTEND:
            end_time = format_stored_time(after.get("ends_at"))
            return mark_safe(_("Round deadline moved to: %(time)s") % {"time": end_time})
        case Decision.Action.CORRECT:
            match_id = names.matches.get(before.get("pairing", 0))
            if match_id is None:
                return _("Result corrected.")
            return _("Result corrected: %(match)s.") % {"match": format_match_name(match_id)}
        case Decision.Action.DISQUALIFY:
            return _("Disqualified: %(name)s.") % {"name": names.entrants.get(before.get("entrant"), "–")}
        case Decision.Action.REPLACE:
            details = {"new": names.get_player(after), "old": names.get_player(before)}
            return _("%(new)s replaced %(old)s.") % details
        case Decision.Action.REMOVE:
            removed = " & ".join(names.players.get(player_id, "–") for player_id in before.get("players", ()))
            return _("Removed from the entrants: %(name)s.") % {"name": removed or "–"}
        case Decision.Action.CANCEL:
            return _("Tournament cancelled.")
        case Decision.Action.CO_ORGANISER:
            if after:
                return _("New organiser: %(name)s.") % {"name": names.get_player(after)}
            return _("No longer an organiser: %(name)s.") % {"name": names.get_player(before)}
        case Decision.Action.EDIT:
            return _("Settings changed.")
        case Decision.Action.PREVIEW:
            return _("Draw previewed before the start.")
        case Decision.Action.SEEDS:
            if after.get("order"):
                return _("Seeds set by hand.")
            return _("Seeds set by hand removed.")
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
    sentence = _("Undone: %(what)s") % {"what": undone_text}
    return mark_safe(sentence) if isinstance(undone_text, SafeString) else sentence
