"""Reads how a match or a game ended from the public log: at most the actions of one match at a time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

from games.engine import ActionSource, load_edition
from games.engine.game_result import GameResult, build_game_result
from games.engine.match_summary import MatchSummary, summarise_matches
from games.game_notice_kinds import GameNoticeKind
from games.models import Action, Game
from notifications.models import FeedEntry

from .game_views import action_views
from .orders import list_ordered_seqs
from .read_models import LogLineData

# 36 tiles are drawn at most, each in a turn of two actions; then 33 cards, answers to an 8 and resignations.
MAX_ACTIONS_PER_MATCH = 120


@dataclass(frozen=True)
class GameEnd:
    """A game that is over: its result, its last match if that was scored, and who ran out of time."""

    result: GameResult
    last_match: MatchSummary | None
    timed_out_side: int | None


def ends_match(line: LogLineData) -> bool:
    """True if an action ended a match."""
    return any(event["event"] == "match ended" for event in line["events"])


def find_last_match_end(log_lines: Sequence[LogLineData]) -> int | None:
    """The seq of the last action in a log that ended a match."""
    return next((line["seq"] for line in reversed(log_lines) if ends_match(line)), None)


def has_played_since(code: str, log_lines: Sequence[LogLineData], seq: int, seat_no: int) -> bool:
    """True if a seat's player has acted after an action: not what the clock or an order played."""
    own_seqs = {
        line["seq"]
        for line in log_lines
        if line["seq"] > seq and line["seat"] == seat_no and line["by"] == ActionSource.PLAYER
    }
    return bool(own_seqs) and not own_seqs <= list_ordered_seqs(code, seat_no, seq)


def load_match_summary(view: Mapping[str, Any], end_seq: int) -> MatchSummary | None:
    """The match that an action ended, in one query, for the first match in two.

    `view` is a view of the game that the viewer may see; all of the log is open to whoever has one.
    """
    return _summarise_last_match(view, _load_lines(view, end_seq))


def load_unseen_match_summary(view: Mapping[str, Any], seat_no: int) -> MatchSummary | None:
    """The last match that ended, unless the seat's player has acted since.

    One query, for the first match two, and one more if the seat has acted.
    """
    lines = _load_lines(view, view["seq"])
    end_seq = find_last_match_end(lines)
    if end_seq is None or has_played_since(view["id"], lines, end_seq, seat_no):
        return None
    return _summarise_last_match(view, [line for line in lines if line["seq"] <= end_seq])


def load_game_end(view: Mapping[str, Any]) -> GameEnd | None:
    """Load the end of a game, None while it runs: one query, one more each for one match and a timeout."""
    if view["phase"] != "over":
        return None
    lines = _load_lines(view, view["seq"])
    result = build_game_result(view, lines[-1]["events"] if lines else [])
    last_match = _summarise_last_match(view, lines) if lines and ends_match(lines[-1]) else None
    left_by_clock = result.last_resigned_side is not None and lines[-1]["by"] == ActionSource.CLOCK
    timed_out_side = result.last_resigned_side if left_by_clock and has_timed_out(view, lines[-1]) else None
    return GameEnd(result, last_match, timed_out_side)


def has_timed_out(view: Mapping[str, Any], line: LogLineData) -> bool:
    """True if time was up for a seat that the server resigned: withdrawn players are resigned, too."""
    entries = FeedEntry.objects.filter(topic=Game(code=view["id"]).topic, kind=GameNoticeKind.TIMEOUT)
    return entries.filter(data__outcome="resigned", data__seat=line["seat"]).exists()


def _load_lines(view: Mapping[str, Any], end_seq: int) -> list[LogLineData]:
    """The log lines among which the match that ends with an action lies."""
    actions = Action.objects.filter(
        game__code=view["id"], seq__lte=end_seq, seq__gt=end_seq - MAX_ACTIONS_PER_MATCH
    )
    return action_views(actions.order_by("seq"))


def _summarise_last_match(view: Mapping[str, Any], lines: Sequence[LogLineData]) -> MatchSummary | None:
    """The last match that ended within some log lines; None if its events do not fit together."""
    sides_by_seat = {seat["seat"]: seat["side"] for seat in view["seats"]}
    sides = (0, *(sides_by_seat[seat] for seat in sorted(sides_by_seat)))
    deal: list[dict[str, Any]] = []
    if lines and lines[0]["seq"] == 1 and sum(ends_match(line) for line in lines) == 1:
        deal = Game.objects.values_list("initial_events", flat=True).get(code=view["id"])
    events = chain(deal, chain.from_iterable(line["events"] for line in lines))
    summaries = summarise_matches(events, load_edition(view["edition"]), sides)
    last_match_no = next((no for line in reversed(lines) for no in _list_ended_matches(line)), None)
    return summaries[-1] if summaries and summaries[-1].match_no == last_match_no else None


def _list_ended_matches(line: LogLineData) -> list[int]:
    """The number of the match that an action ended, as a list of at most one."""
    return [event["match"] for event in line["events"] if event["event"] == "match ended"]
