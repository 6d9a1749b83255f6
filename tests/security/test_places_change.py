"""A correction after the end says whom it moves before it does so, and tells them afterwards."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from games.models import FeedEntry
from games.services.errors import Conflict
from tests.tournaments.mailing import MINUTE, body, last, send, sent
from tests.tournaments.play import (
    DAY,
    NOW,
    decide,
    entrant,
    host,
    name_at,
    play_round,
    play_to_end,
    playing,
    someone,
    started,
)
from tests.tournaments.programs import Program
from tournaments.models import Pairing, Tournament
from tournaments.services import decisions, sweep

pytestmark = pytest.mark.django_db
LATER = NOW + 9 * DAY


def sweep_after_request() -> None:
    """What the worker does next: requests are of the real time."""
    sweep.sweep_tournaments(now=timezone.now() + MINUTE)


def names(table: Pairing) -> list[str]:
    return [name_at(table, place) for place in range(table.sittings.count())]


def over(count: int = 4) -> tuple[Tournament, Pairing, str, str]:
    """A cup that is over, its final, who won it and who lost it."""
    event = started("knockout", count)
    play_to_end(event)
    final = event.tables.order_by("-pk")[0]
    champion, second = sorted(names(final), key=lambda name: entrant(event, name).rank or 0)
    return event, final, champion, second


def turned(event: Tournament, final: Pairing, second: str) -> dict[str, Any]:
    """The result of a final by which the second has won it."""
    return {"table": final.pk, "ranks": [1 if name == second else 2 for name in names(final)]}


def ranks_of(event: Tournament) -> dict[str, int | None]:
    return {one.members.get().player.name: one.rank for one in event.entrants.all()}  # type: ignore[union-attr]


def state_of(event: Tournament) -> list[Any]:
    event.refresh_from_db()
    tables = list(event.tables.order_by("pk").values())
    return [event.status, event.decisions.count(), tables, ranks_of(event), FeedEntry.objects.count()]


# --------------------------------------------------------------------------------------------- asked before


def test_a_program_is_told_which_places_change_before_it_says_yes() -> None:
    event, final, champion, second = over()
    before = state_of(event)
    wanted = turned(event, final, second)
    answer = Program("host").send("POST", f"tournaments/{event.code}/correct/", wanted)
    told = answer.json()
    assert (answer.status_code, told["code"], told["reopens"]) == (409, "places-change", False)
    assert told["places"] == [
        {"entrant": entrant(event, second).pk, "name": second, "before": 2, "after": 1},
        {"entrant": entrant(event, champion).pk, "name": champion, "before": 1, "after": 2},
    ]
    assert state_of(event) == before
    Program("host").do(f"tournaments/{event.code}/correct/", wanted | {"confirmed": True})
    sweep_after_request()
    assert ranks_of(event)[second] == 1
    decision = event.decisions.get()
    undo = f"tournaments/{event.code}/decisions/{decision.pk}/undo/"
    assert Program("host").refused(undo) == (409, "places-change")
    Program("host").do(undo, {"confirmed": True})
    sweep_after_request()
    assert ranks_of(event)[champion] == 1


def test_nothing_is_asked_where_no_place_changes_or_nothing_is_over() -> None:
    event, final, _champion, _second = over()
    final.refresh_from_db()
    assert final.result
    program = Program("host")
    same = {"table": final.pk, "ranks": final.result["ranks"], "points": [9, 9]}
    program.do(f"tournaments/{event.code}/correct/", same)
    running = started("swiss", 2)
    program.do(f"tournaments/{running.code}/correct/", {"table": playing(running)[0].pk, "ranks": [1, 2]})


def test_a_second_correction_before_the_event_ends_again_is_asked_about_too() -> None:
    event, final, champion, second = over()
    decisions.correct_result(
        by=host(), code=event.code, now=LATER, confirmed=True, **turned(event, final, champion)
    )
    event.refresh_from_db()
    assert event.status == "running"  # until the sweep comes
    with pytest.raises(Conflict) as refused:
        decisions.correct_result(by=host(), code=event.code, now=LATER, **turned(event, final, second))
    assert refused.value.code == "places-change"


def test_an_event_that_would_go_on_is_said_to() -> None:
    event = started("knockout", 2)
    (table,) = playing(event)
    decide(table, *names(table))  # its game is still played, so that the seed is not public
    sweep.sweep_tournaments(now=NOW)
    event.refresh_from_db()
    assert event.status == "finished"
    level = {"table": table.pk, "ranks": [1, 1]}
    told = Program("host").send("POST", f"tournaments/{event.code}/correct/", level).json()
    assert (told["code"], told["reopens"], told["places"]) == ("places-change", True, [])
    Program("host").do(f"tournaments/{event.code}/correct/", level | {"confirmed": True})
    sweep_after_request()
    again = event.tables.get(rematch=2)
    # It is played on by now: nobody has a final place, nothing is asked, and the end is told to all.
    assert set(ranks_of(event).values()) == {None}
    Program("host").do(f"tournaments/{event.code}/correct/", {"table": again.pk, "ranks": [2, 1]})
    seen = FeedEntry.objects.order_by("-pk")[0].pk
    sweep_after_request()
    event.refresh_from_db()
    assert event.status == "finished"
    told = FeedEntry.objects.filter(kind="event-end", pk__gt=seen)
    changed = {line.player_id for line in told}
    assert changed == set(event.members.values_list("player_id", flat=True))


def test_a_page_asks_once_more_and_means_what_it_has_shown() -> None:
    event, final, champion, second = over()
    client = Client()
    client.force_login(host())
    at = f"/tournaments/{event.code}/organise/correct/"
    assert "you are asked once more" in client.get(f"{at}?table={final.pk}").content.decode()
    wanted = turned(event, final, second)
    form = {"table": str(final.pk), **{f"rank-{n}": str(rank) for n, rank in enumerate(wanted["ranks"])}}
    before = state_of(event)
    answer = client.post(at, form)
    page = answer.content.decode()
    assert answer.status_code == 409
    assert f"{second}: place 1 instead of 2" in page
    assert f"{champion}: place 2 instead of 1" in page
    seal = re.search(r'name="confirmed" value="([0-9a-f]+)"', page)
    assert seal
    assert state_of(event) == before
    # Other numbers than those that were shown are another question.
    level = form | {"rank-0": "1", "rank-1": "1", "confirmed": seal[1]}
    assert client.post(at, level).status_code == 409
    assert client.post(at, form | {"confirmed": "yes"}).status_code == 409
    assert state_of(event) == before
    assert client.post(at, form | {"confirmed": seal[1]}).status_code == 302
    sweep_after_request()
    assert ranks_of(event)[second] == 1
    decision = event.decisions.get()
    undo = {"decision": str(decision.pk)}
    page = client.post(f"/tournaments/{event.code}/organise/undo/", undo).content.decode()
    assert f"{champion}: place 1 instead of 2" in page
    seal = re.search(r'name="confirmed" value="([0-9a-f]+)"', page)
    assert seal
    done = client.post(f"/tournaments/{event.code}/organise/undo/", undo | {"confirmed": seal[1]})
    assert done.status_code == 302


# -------------------------------------------------------------------------------------------- told afterwards


def test_all_whose_place_changes_are_told_and_nobody_else() -> None:
    event, final, champion, second = over()
    send(LATER)
    was = {name: len(sent(name)) for name in ranks_of(event)}
    seen = FeedEntry.objects.order_by("-pk")[0].pk
    decide(final, second, champion, now=LATER)
    for _twice in range(2):
        sweep.sweep_tournaments(now=LATER)
    event.refresh_from_db()
    assert event.status == "finished"
    told = FeedEntry.objects.filter(kind="event-end", pk__gt=seen)
    heard = {line.player.name: (line.data["before"], line.data["after"]) for line in told}
    assert heard == {second: (2, 1), champion: (1, 2)}
    assert told.count() == 2
    send(LATER + 2 * MINUTE)
    assert last(second)["Subject"] == "The cup: Corrected: you have won"
    assert last(champion)["Subject"] == "The cup: Corrected: place 2 of 4 for you"
    assert "Before that, your place was 1." in body(champion)
    assert f"The winner: {second}." in body(champion)
    others = set(was) - {champion, second}
    assert {name: len(sent(name)) for name in others} == {name: was[name] for name in others}


def test_each_further_correction_is_told_again() -> None:
    _event, final, champion, second = over(2)
    for winner, loser in ((second, champion), (champion, second), (second, champion)):
        decide(final, winner, loser, now=LATER)
        sweep.sweep_tournaments(now=LATER)
    told = FeedEntry.objects.filter(kind="event-end", player=someone(second), data__has_key="before")
    assert [line.data["after"] for line in told.order_by("pk")] == [1, 2, 1]


def test_standings_of_points_are_compared_as_well() -> None:
    event = started("swiss", 2, rounds=1)
    play_round(event, NOW)
    first, second = sorted(("p1", "p2"), key=lambda name: entrant(event, name).rank or 0)
    table = event.tables.get()
    wanted = [1 if name == second else 2 for name in names(table)]
    with pytest.raises(Conflict) as refused:
        decisions.correct_result(by=host(), code=event.code, table=table.pk, ranks=wanted, now=NOW)
    assert [one["name"] for one in refused.value.extra["places"]] == [second, first]


# ------------------------------------------------------------------------------ while a correction waits


def test_a_match_that_others_are_to_play_is_pending_without_the_old_scores() -> None:
    event = started("knockout", 4, ask=True)
    first, second = playing(event)
    winner, loser = names(first)
    decide(first, winner, loser)
    decide(second, *names(second))
    sweep.sweep_tournaments(now=NOW)
    final = event.tables.get(match="R2.1")
    stays = next(name for name in names(final) if name != winner)
    points = [71, 72]
    decisions.correct_result(by=host(), code=event.code, table=final.pk, ranks=[1, 2], points=points, now=NOW)
    client, at = Client(), f"tournaments/{event.code}/"
    assert final.game
    assert not any(one["pending"] for one in Program(None).ask(f"{at}bracket/")["matches"])
    assert "72" in client.get(f"/{at}bracket/").content.decode()
    decisions.correct_result(
        by=host(),
        code=event.code,
        table=first.pk,
        ranks=[1 if name == loser else 2 for name in names(first)],
        now=NOW,
        confirmed=True,
    )
    sweep.sweep_tournaments(now=NOW)
    event.refresh_from_db()
    assert event.held == "stale-result"
    matches = {one["match"]: one for one in Program(None).ask(f"{at}bracket/")["matches"]}
    told = matches["R2.1"]
    assert (told["pending"], told["games"]) == (True, [])
    assert {seat["name"] for seat in told["seats"]} == {loser, stays}
    assert [one["pending"] for name, one in matches.items() if name != "R2.1"] == [False, False]
    page = client.get(f"/{at}bracket/").content.decode()
    assert "pending: an earlier result was corrected" in page
    picture = client.get(f"/{at}bracket.svg").content.decode()
    assert 'class="b p"' in picture
    for html in (page, picture):
        assert not [score for score in points if f">{score}<" in html]
    decisions.approve_round(by=host(), code=event.code, now=NOW)
    sweep.sweep_tournaments(now=NOW)
    assert not any(one["pending"] for one in Program(None).ask(f"{at}bracket/")["matches"])
