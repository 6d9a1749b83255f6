"""The page of a tournament: what it is, what I am to do, what is being played, who is ahead."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from games.models import Game
from games.services import house
from tournaments import words
from tournaments.api.costs import charged_course
from tournaments.models import Entrant, Event, Table
from tournaments.pairing import swiss
from tournaments.selectors import Course, facts, may, name_of, page, seats_of, seeding, seeds
from tournaments.selectors.proposals import open_proposals

from . import bracket, terms
from .proposals import facts_of
from .showing import criteria, last_round, look, opponents, playing_on, show, standing, table

NAMES, TABLES, RESULTS, TOP = 24, 10, 6, 8  # of each, at most


@require_safe
def event(request: HttpRequest, code: str) -> HttpResponse:
    """The page."""
    seen, now = look(request, code), timezone.now()
    found = seen.event
    laid, viewer = facts.laid_down(found), seen.viewer
    course = charged_course(request, found) if found.started_at else None
    drawn = seeding.numbering_of(found, course.entrants.values() if course else None)
    told: dict[str, Any] = {
        "here": "overview",
        "terms": terms.in_full(found),
        "played": words.format_told(laid),
        "entry": words.entry(laid, drawn=drawn),
        "held": words.held(found.held) if seen.organises else "",
        "division": page.division_of(found),
        "proposals": [facts_of(one, viewer) for one in open_proposals(viewer, found)] if viewer else [],
    }
    if seen.member:
        told["own_seed"] = seen.member.effective_client_seed
        told["can_change"] = seeds.may_change_seed(found, seen.member)
    told |= under_way(course, seen, now) if course else before(seen, now)
    return show(request, seen, "event", **told)


def before(seen: page.Seen, now: datetime) -> dict[str, Any]:
    """Until the start: who may enter, who has, and how one stands oneself."""
    found, mine = seen.event, seen.mine
    counted = page.places(found)
    entered, waiting = counted[Entrant.Status.ENTERED], counted[Entrant.Status.WAITING]
    first_entered, first_waiting = page.first_entrants(found, NAMES)
    told: dict[str, Any] = {
        "entered": entered,
        "waiting": waiting,
        "free": max(found.capacity - entered, 0) if found.capacity else None,
        "names": [name_of(one) for one in first_entered],
        "taking_part": mine is not None,
        "waiting_names": [name_of(one) for one in first_waiting],
    }
    told["more_names"] = max(entered - NAMES, 0)
    told["more_waiting"] = max(waiting - NAMES, 0)
    if mine is None:
        return told | {"bars": may.bars(found, seen.viewer, now)}
    told["partner"] = partner(mine, seen)
    if mine.status == Entrant.Status.WAITING:
        told["place_in_line"] = page.place_in_line(found, mine)
    return told


def partner(mine: Entrant, seen: page.Seen) -> str:
    """Who plays with me."""
    if seen.event.mode != Event.Mode.PAIRS or seen.viewer is None:
        return ""
    others = mine.members.exclude(player=seen.viewer).select_related("player")
    return next((one.player.name for one in others if one.player), "")


# ----------------------------------------------------------------------------------------------- once it runs


def under_way(course: Course, seen: page.Seen, now: datetime) -> dict[str, Any]:
    """From the start on: my games, those of others, who is ahead, and the bracket."""
    found, mine = seen.event, seen.mine.pk if seen.mine else None
    names = facts.names(course)
    knockout = bracket.knockout(found)
    matches = facts.bracket(course)["matches"] if knockout else []
    last = last_round(matches)
    tables = [one for one in course.tables if len(one.sittings.all()) > 1]
    open_ones = [one for one in tables if one.settled_at is None]
    own = [one for one in open_ones if mine in seats_of(one)]
    playing = [one for one in open_ones if one not in own]
    over = sorted((one for one in tables if one.settled_at), key=lambda one: (one.settled_at, one.pk))[::-1]

    def lines(some: list[Table]) -> list[dict[str, Any]]:
        return [table(facts.table(course, one), names, rounds=last, mine=mine) for one in some]

    number = max((one.round for one in course.tables), default=0)
    told: dict[str, Any] = {
        "entered": len(course.entrants),
        "round": number,
        "rounds": rounds_in_all(course, number),
        "own": [line | step(course, one, seen) for line, one in zip(lines(own), own, strict=True)],
        "playing": lines(playing[:TABLES]),
        "more_playing": max(len(playing) - TABLES, 0),
        "results": lines(over[:RESULTS]),
        "champions": [names[pk] for pk, one in course.entrants.items() if one.rank == 1],
        "picture": bracket.size_of(course, matches) if bracket.in_passing(course) else None,
    }
    if not knockout:
        top = facts.standings(course)[:TOP]
        told["top"] = [standing(line, {}, mine) for line in top]
        told["columns"] = criteria(one["key"] for one in top[0]["criteria"][:2]) if top else []
    told["forgot"] = seen.mine is not None and may.is_silent(seen.mine, found)
    told["taking_part"] = seen.mine is not None and not told["forgot"]
    if not told["taking_part"] and found.late and found.status == Event.Status.RUNNING:
        taken = sum(one.status == Entrant.Status.ENTERED for one in course.entrants.values())
        told["free"] = max(found.capacity - taken, 0) if found.capacity else None
        told["bars"] = may.bars(found, seen.viewer, now, still_open=number < (told["rounds"] or 0))
        told["comes_late"] = told["bars"] != "over"
    if seen.mine and seen.mine.left is None:
        told |= next_step(course, seen.mine, matches, number, told["rounds"])
    return told


def step(course: Course, one: Table, seen: page.Seen) -> dict[str, Any]:
    """A game of mine that runs: against whom, and whether I am to move."""
    assert seen.mine
    assert seen.viewer
    told = table(facts.table(course, one), {}, mine=seen.mine.pk)
    member = next(
        each for each in course.entrants[seen.mine.pk].members.all() if each.player_id == seen.viewer.pk
    )
    seat = seats_of(one).index(seen.mine.pk) + (1 if member.number == 1 else 3)
    playing = one.game is not None and one.game.status in house.PLAYING
    turn = playing and one.game is not None and one.game.status == Game.Status.RUNNING
    return {"against": opponents(told), "turn": bool(turn and one.game and one.game.to_act >> seat & 1)}


def rounds_in_all(course: Course, number: int) -> int | None:
    """How many rounds there are, where that is fixed from the start."""
    if course.event.format == Event.Format.SWISS:
        return swiss.rounds(course.plan)
    told = (note for one in course.tables for note in one.reasons if note["code"] == "schedule")
    return next((int(note["rounds"]) for note in told), None)


def next_step(
    course: Course, mine: Entrant, matches: list[dict[str, Any]], number: int, rounds: int | None
) -> dict[str, Any]:
    """What I wait for, if no game of mine runs; and which round I can still sit out."""
    told: dict[str, Any] = {"my_rank": mine.rank}
    if course.event.status != Event.Status.RUNNING:
        return told
    if matches:
        return told | {"out": mine.pk not in playing_on(matches)}
    if course.event.format == Event.Format.SWISS and number < (rounds or 0):
        told["next_round"] = number + 1
        told["sits_out"] = number + 1 in mine.absent
    return told
