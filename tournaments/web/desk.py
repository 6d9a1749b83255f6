"""The organiser's desk: how it stands and what comes next, and a page for each kind of thing."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from games.models import Player
from tournaments import words
from tournaments.models import Entrant, Event
from tournaments.selectors import conflicts, facts, may, name_of, seeding
from tournaments.selectors import desk as reading
from tournaments.selectors import page as reading_page
from tournaments.selectors import people as people_of
from tournaments.selectors.caps import MAX_GAMES_AT_ONCE_PER_EVENT
from tournaments.selectors.proposals import co_organisers_asked, replacements_asked_for
from tournaments.selectors.undecided import UNDECIDED, undecided_tables
from tournaments.services.record import newest

from . import terms
from .gate import for_organisers, name_in, player_of, show
from .lines import log_lines, table_line, warnings
from .proposals import facts_of
from .showing import part

ON_A_PAGE, LATEST = 25, 5
S = Event.Status
MOST_WARNINGS = 10


@require_safe
@for_organisers
def desk(request: HttpRequest, event: Event) -> HttpResponse:
    """How it stands, the one next step, what is asked, what was decided last."""
    now = timezone.now()
    waiting = list(reading.appeals(event).filter(answered_at=None)[: LATEST + 1])
    latest = list(reading.log(event)[:LATEST])
    player = player_of(request)
    own = conflicts.load_own_tables(player, event)
    asks = event.confirmation and event.status == S.PUBLISHED
    return show(
        request,
        event,
        "desk",
        places=reading_page.places(event),
        confirmed=reading.confirmed(event) if asks else None,
        rounds=reading.rounds_in_play(event) if event.status == S.RUNNING else [],
        appeals=waiting[:LATEST],
        more_appeals=len(waiting) > LATEST,
        log=log_lines(latest, newest(event), player, own) if latest else [],
        **barred(event, player, own),
        cautions=words.cautions(facts.laid_down(event)) if event.status in (S.DRAFT, S.PUBLISHED) else [],
        laid_down=laid_down(event) if event.status in (S.DRAFT, S.PUBLISHED) else [],
        now=now,
        **next_step(event, now),
    )


def barred(event: Event, player: Player, own: conflicts.OwnTables | None = None) -> dict[str, Any]:
    """Tables, rounds and entrants that an organiser cannot decide about, as they play there; and why."""
    own = own or conflicts.load_own_tables(player, event)
    return {
        "own_tables": own.tables,
        "own_rounds": own.open_rounds,
        "own_entrants": conflicts.entrants_met(player, event) if own.tables else set(),
        "own_reason": conflicts.own_table_reason() if own.tables else "",
    }


def laid_down(event: Event) -> list[str]:
    """What players will read of it: how it is played and who may enter, and the terms of its games."""
    told = facts.laid_down(event)
    entry = words.entry(told, drawn=seeding.numbering_of(event))
    return [*words.format_told(told), *entry, *terms.in_full(event)]


def next_step(event: Event, now: datetime) -> dict[str, Any]:
    """What the organiser would do now; `step` names the words of the template."""
    due = event.due_at is not None and event.due_at <= now
    if event.status == S.PUBLISHED:
        step = event.held or ("starting" if due else "published")
        return {"step": step, "most_games": MAX_GAMES_AT_ONCE_PER_EVENT}
    if event.status == S.RUNNING and event.held:
        notes = event.warnings
        return {
            "step": "held",
            "held": words.held(event.held),
            "warnings": warnings(notes[:MOST_WARNINGS]),
            "more_warnings": max(len(notes) - MOST_WARNINGS, 0),
            "undecided": [
                {"id": one.pk, "name": words.match_name(one.match)}
                for one in undecided_tables(event).order_by("pk")[:MOST_WARNINGS]
                if event.held == UNDECIDED
            ],
        }
    if event.status == S.RUNNING:
        return {"step": "trouble" if event.trouble else "settling" if due else "running"}
    return {"step": str(event.status)}


@require_safe
@for_organisers
def entrants(request: HttpRequest, event: Event) -> HttpResponse:
    """Who takes part, and what can be done about it."""
    name = name_in(request)
    found = part(request, reading.entrants(event, name), ON_A_PAGE)
    lines = [
        {
            **facts.entrant(one),
            "status_name": one.get_status_display(),
            "people": people_of(one),
            "name": name_of(one),
            "waits": one.status == Entrant.Status.WAITING,
            "in_play": one.status == Entrant.Status.ENTERED and one.left is None,
        }
        for one in found.object_list
    ]
    before = event.status in (S.DRAFT, S.PUBLISHED)
    return show(
        request,
        event,
        "entrants",
        part=found,
        lines=lines,
        name=name,
        before=before,
        keep=kept(name=name),
        asked=[facts_of(one, player_of(request)) for one in replacements_asked_for(event)],
        **barred(event, player_of(request)),
    )


@require_safe
@for_organisers
def tables(request: HttpRequest, event: Event) -> HttpResponse:
    """Tables, the newest round first; and rounds that can be given more time."""
    name, playing = name_in(request), "playing" in request.GET
    found = part(request, reading.tables(event, name, playing), ON_A_PAGE)
    return show(
        request,
        event,
        "tables",
        part=found,
        lines=[table_line(one) for one in found.object_list],
        name=name,
        playing=playing,
        keep=kept(name=name, playing="1" if playing else ""),
        rounds=reading.rounds_in_play(event),
        running=event.status == S.RUNNING,
        may_correct=event.status in (S.RUNNING, S.FINISHED) and not may.season_over(event),
        **barred(event, player_of(request)),
    )


@require_safe
@for_organisers
def appeals(request: HttpRequest, event: Event) -> HttpResponse:
    """What players ask to have looked at, and what was answered."""
    found = part(request, reading.appeals(event), ON_A_PAGE)
    lines = [{"appeal": one, "match": words.match_name(one.table.match)} for one in found.object_list]
    return show(request, event, "appeals", part=found, lines=lines, **barred(event, player_of(request)))


@require_safe
@for_organisers
def log(request: HttpRequest, event: Event) -> HttpResponse:
    """Every decision: who, when, what, why; some can be taken back."""
    found = part(request, reading.log(event), ON_A_PAGE)
    player = player_of(request)
    own = conflicts.load_own_tables(player, event)
    lines = log_lines(list(found.object_list), newest(event), player, own)
    return show(request, event, "log", part=found, lines=lines)


@require_safe
@for_organisers
def people(request: HttpRequest, event: Event) -> HttpResponse:
    """Who organises it, and who is invited."""
    found = part(request, event.invites.select_related("player").order_by("-pk"), ON_A_PAGE)
    return show(
        request,
        event,
        "people",
        part=found,
        helpers=list(event.helpers.order_by("name")),
        asked=[facts_of(one, player_of(request)) for one in co_organisers_asked(event)],
    )


def kept(**chosen: str) -> str:
    """What an address says besides the page."""
    said = urlencode({name: value for name, value in chosen.items() if value})
    return f"{said}&" if said else ""
