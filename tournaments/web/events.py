"""Tournaments as players and lookers-on see them: the list, one of them, who takes part, who is ahead."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path
from django.utils import timezone
from django.utils.text import capfirst
from django.views.decorators.http import require_safe

from games.engine import fairness as arithmetic
from games.models import Player
from games.web.asking import viewer_of
from tournaments import words
from tournaments.api.costs import charged_course
from tournaments.models import Entrant, Event
from tournaments.selectors import desk, events, facts, my_events, page, seeding, seeds
from tournaments.selectors.ratings import ratings_of, shown
from tournaments.words import fairness as fairness_words

from . import bracket, entering, overview, rounds, terms
from .lines import public_log_lines
from .showing import criteria, look, part, playing_on, show, stages, standing

AT_FIRST, ON_A_PAGE = 8, 20  # tournaments in a list of several, and of one kind
LINES = 50  # of standings and entrants
DECISIONS = 25  # on a page
KINDS = (Event.Status.PUBLISHED, Event.Status.RUNNING, Event.Status.FINISHED)


# -------------------------------------------------------------------------------------------------- the list


@require_safe
def tournaments(request: HttpRequest) -> HttpResponse:
    """All that can be entered, watched or looked back at; one's own before the others."""
    viewer, now = viewer_of(request), timezone.now()
    kind = request.GET.get("show", "")
    if kind in KINDS:
        listed = part(request, facts.counted(events(kind)), ON_A_PAGE)
        alone = {"kind": kind, "rows": rows(listed, viewer), "part": listed}
        return render(request, "tournaments/list.html", {"kinds": [alone], "one": kind, "now": now})
    mine: list[Event] = []
    if viewer and not viewer.guest:
        own = my_events(viewer).exclude(status__in=(Event.Status.FINISHED, Event.Status.CANCELLED))
        mine = list(facts.counted(Event.objects.filter(pk__in=own.values("pk"))).order_by("-pk")[:ON_A_PAGE])
    kinds: list[dict[str, Any]] = []
    for status in KINDS:
        found = list(facts.counted(events(status).exclude(pk__in=[one.pk for one in mine]))[: AT_FIRST + 1])
        if found:
            more = len(found) > AT_FIRST
            kinds.append({"kind": status, "rows": rows(found[:AT_FIRST], viewer), "more": more})
    turns = page.turns(viewer, [one.pk for one in mine])
    return render(
        request,
        "tournaments/list.html",
        {"mine": rows(mine, viewer, turns), "kinds": kinds, "none": not kinds, "now": now},
    )


def rows(found: Iterable[Event], viewer: Player | None, turns: Iterable[int] = ()) -> list[dict[str, Any]]:
    """Lines of a list."""
    return [
        facts.summary(event)
        | {
            "told": capfirst(f"{words.format_name(event.format)} · {terms.in_short(event)}"),
            "state": words.status(event.status),
            "turn": event.pk in turns,
            "by_invitation": event.by_invitation,
            "when_full": event.when_full,
            "free": max(event.capacity - event.entered, 0) if event.capacity else None,  # type: ignore[attr-defined]
        }
        for event in found
    ]


# ------------------------------------------------------------------------------------------- parts of a whole


@require_safe
def entrants(request: HttpRequest, code: str) -> HttpResponse:
    """Everybody who takes part, in the order of the draw."""
    seen = look(request, code)
    listed = part(request, page.entrants(seen.event), LINES)
    counted = page.places(seen.event)
    before_waiting = sum(counted.values()) - counted[Entrant.Status.WAITING]
    people = [member.player for one in listed for member in one.members.all() if member.player]
    rating = {pk: shown(mu) for pk, mu in ratings_of([one.pk for one in people], seen.event.mode).items()}
    lines = [
        facts.entrant(one)
        | {
            "number": number if one.status != Entrant.Status.WAITING else number - before_waiting,
            "mine": seen.mine is not None and one.pk == seen.mine.pk,
            "state": "" if one.status == Entrant.Status.ENTERED else one.get_status_display(),
            "former": words.former_players(facts.before(one)),
            "people": [
                {"name": member.player.name, "rating": rating.get(member.player.pk)}
                for member in sorted(one.members.all(), key=lambda member: member.number)
                if member.player
            ],
        }
        for number, one in enumerate(listed, listed.start_index())
    ]
    waits = Entrant.Status.WAITING
    return show(
        request,
        seen,
        "entrants",
        here="entrants",
        part=listed,
        entered=counted[Entrant.Status.ENTERED],
        waiting=counted[waits],
        lines=[line for line in lines if line["status"] != waits],
        waiting_lines=[line for line in lines if line["status"] == waits],
    )


@require_safe
def standings(request: HttpRequest, code: str) -> HttpResponse:
    """Who is ahead, by what, and what every column means."""
    seen = look(request, code)
    mine = seen.mine.pk if seen.mine else None
    course = charged_course(request, seen.event)
    found = facts.standings(course)
    listed = part(request, found, LINES)
    knockout = seen.event.format in (Event.Format.KNOCKOUT, Event.Format.DOUBLE)
    matches = facts.bracket(course)["matches"] if knockout and found else []
    reached, still_in = stages(matches), playing_on(matches)
    own = next((number for number, line in enumerate(found) if line["entrant"] == mine), None)
    return show(
        request,
        seen,
        "standings",
        here="standings",
        part=listed,
        lines=[standing(line, reached, mine, still_in) for line in listed],
        columns=criteria(one["key"] for one in found[0]["criteria"]) if found else [],
        own_part=own // LINES + 1 if own is not None else None,
    )


@require_safe
def fairness(request: HttpRequest, code: str) -> HttpResponse:
    """What was promised before anybody entered, and whether it was kept."""
    seen = look(request, code)
    seed = seen.event.seed
    kept = bool(seed) and arithmetic.commitment(bytes.fromhex(seed)) == seen.event.commitment
    division = page.division_of(seen.event)
    sealed = False
    if division:
        season_seed = seeds.season_seed_of(division.season.league, division.season.number)
        sealed = seeds.follows_from_season(seen.event, season_seed)
    decisions = part(request, desk.log(seen.event), DECISIONS)
    return show(
        request,
        seen,
        "fairness",
        here="fairness",
        kept=kept,
        division=division,
        sealed_season=sealed,
        seeding=of_draw(seen.event),
        pairing=fairness_words.pairing(seen.event),
        part=decisions,
        lines=public_log_lines(list(decisions)),
    )


def of_draw(event: Event) -> list[str]:
    """Where the numbers of the draw come from, and who saw it before others."""
    started = event.started_at is not None
    if event.status == Event.Status.CANCELLED and not started:
        return fairness_words.without_a_draw()
    found = seeding.read_seeding(event)
    names = desk.names_of(found["seeded_by_hand"])
    return [
        *fairness_words.seeding(found, names, started=started),
        *fairness_words.previews(found, started=started),
    ]


urlpatterns = [
    path("", tournaments, name="tournaments"),
    path("<slug:code>/", overview.event, name="tournament"),
    path("<slug:code>/standings/", standings, name="tournament-standings"),
    path("<slug:code>/bracket/", bracket.page_of, name="tournament-bracket"),
    path("<slug:code>/bracket.svg", bracket.picture, name="tournament-bracket-picture"),
    path("<slug:code>/rounds/<int:number>/", rounds.round_of, name="tournament-round"),
    path("<slug:code>/tables/<int:pk>/", rounds.table_of, name="tournament-table"),
    path("<slug:code>/tables/<int:pk>/evidence/", rounds.evidence_of, name="tournament-evidence"),
    path("<slug:code>/entrants/", entrants, name="tournament-entrants"),
    path("<slug:code>/fairness/", fairness, name="tournament-fairness"),
    path("<slug:code>/leave/", entering.leave, name="tournament-leave"),
    path("<slug:code>/withdraw/", entering.withdraw, name="tournament-withdraw"),
    path("<slug:code>/<slug:deed>/", entering.act, name="tournament-act"),
]
