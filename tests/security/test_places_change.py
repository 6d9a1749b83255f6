"""A correction after the end lists the changed final ranks for confirmation, and notifies those players."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from common.service_errors import Conflict
from notifications.models import FeedEntry
from tests.factories.events import (
    DAY,
    NOW,
    create_started_tournament,
    decide,
    entrant,
    get_host,
    get_player,
    list_running_pairings,
    name_at,
    play_round,
    play_to_end,
)
from tests.helpers.tournament_mails import MINUTE, get_last_body, get_last_mail, list_sent, send_mails
from tests.helpers.tournament_programs import Program
from tournaments.models import Pairing, Tournament
from tournaments.services import decisions, sweep

pytestmark = pytest.mark.django_db
NINE_DAYS_LATER = NOW + 9 * DAY


def sweep_after_request() -> None:
    """Sweep as the worker would after a request, which uses real time."""
    sweep.sweep_tournaments(now=timezone.now() + MINUTE)


def list_names(table: Pairing) -> list[str]:
    return [name_at(table, place) for place in range(table.pairing_seats.count())]


def finish_cup(count: int = 4) -> tuple[Tournament, Pairing, str, str]:
    """Finish a tournament; return it with its final, the winner and the loser."""
    tournament = create_started_tournament("knockout", count)
    play_to_end(tournament)
    final = tournament.pairings.order_by("-pk")[0]
    champion, second = sorted(list_names(final), key=lambda name: entrant(tournament, name).rank or 0)
    return tournament, final, champion, second


def build_reversed_result(tournament: Tournament, final: Pairing, second: str) -> dict[str, Any]:
    """Return the result of a final in which the second player wins."""
    return {"pairing": final.pk, "ranks": [1 if name == second else 2 for name in list_names(final)]}


def map_ranks(tournament: Tournament) -> dict[str, int | None]:
    return {entrant.entrant_players.get().player.name: entrant.rank for entrant in tournament.entrants.all()}  # type: ignore[union-attr]


def collect_state(tournament: Tournament) -> list[Any]:
    tournament.refresh_from_db()
    tables = list(tournament.pairings.order_by("pk").values())
    return [
        tournament.status,
        tournament.decisions.count(),
        tables,
        map_ranks(tournament),
        FeedEntry.objects.count(),
    ]


# --------------------------------------------------------------------------------------------- confirmation


def test_a_program_sees_which_places_change_before_it_says_yes() -> None:
    tournament, final, champion, second = finish_cup()
    before = collect_state(tournament)
    wanted = build_reversed_result(tournament, final, second)
    answer = Program("host").send("POST", f"tournaments/{tournament.code}/correct/", wanted)
    data = answer.json()
    assert (answer.status_code, data["code"], data["reopens"]) == (409, "rank-changes", False)
    assert data["places"] == [
        {"entrant": entrant(tournament, second).pk, "name": second, "before": 2, "after": 1},
        {"entrant": entrant(tournament, champion).pk, "name": champion, "before": 1, "after": 2},
    ]
    assert collect_state(tournament) == before
    Program("host").do(f"tournaments/{tournament.code}/correct/", wanted | {"confirmed": True})
    sweep_after_request()
    assert map_ranks(tournament)[second] == 1
    decision = tournament.decisions.get()
    undo = f"tournaments/{tournament.code}/decisions/{decision.pk}/undo/"
    assert Program("host").refused(undo) == (409, "rank-changes")
    Program("host").do(undo, {"confirmed": True})
    sweep_after_request()
    assert map_ranks(tournament)[champion] == 1


def test_nothing_is_asked_where_no_place_changes_or_nothing_is_over() -> None:
    tournament, final, _champion, _second = finish_cup()
    final.refresh_from_db()
    assert final.result
    program = Program("host")
    same = {"pairing": final.pk, "ranks": final.result["ranks"], "points": [9, 9]}
    program.do(f"tournaments/{tournament.code}/correct/", same)
    running = create_started_tournament("swiss", 2)
    program.do(
        f"tournaments/{running.code}/correct/",
        {"pairing": list_running_pairings(running)[0].pk, "ranks": [1, 2]},
    )


def test_a_second_correction_before_the_event_ends_again_is_asked_about_too() -> None:
    tournament, final, champion, second = finish_cup()
    wanted = {"by": get_host(), "code": tournament.code, "pairing_id": final.pk, "now": NINE_DAYS_LATER}
    decisions.correct_result(
        **wanted, ranks=build_reversed_result(tournament, final, champion)["ranks"], confirmed=True
    )
    tournament.refresh_from_db()
    assert tournament.status == "running"  # until the next sweep
    with pytest.raises(Conflict) as refused:
        decisions.correct_result(**wanted, ranks=build_reversed_result(tournament, final, second)["ranks"])
    assert refused.value.code == "rank-changes"


def test_an_event_that_would_go_on_is_said_to() -> None:
    tournament = create_started_tournament("knockout", 2)
    (table,) = list_running_pairings(tournament)
    decide(table, *list_names(table))  # its game is still played, so that the seed stays secret
    sweep.sweep_tournaments(now=NOW)
    tournament.refresh_from_db()
    assert tournament.status == "finished"
    level = {"pairing": table.pk, "ranks": [1, 1]}
    correction_data = Program("host").send("POST", f"tournaments/{tournament.code}/correct/", level).json()
    assert (correction_data["code"], correction_data["reopens"], correction_data["places"]) == (
        "rank-changes",
        True,
        [],
    )
    Program("host").do(f"tournaments/{tournament.code}/correct/", level | {"confirmed": True})
    sweep_after_request()
    rematch = tournament.pairings.get(game_number=2)
    # The tournament runs again: nobody has a final rank, nothing is asked, and the end is announced again.
    assert set(map_ranks(tournament).values()) == {None}
    Program("host").do(f"tournaments/{tournament.code}/correct/", {"pairing": rematch.pk, "ranks": [2, 1]})
    last_pk = FeedEntry.objects.order_by("-pk")[0].pk
    sweep_after_request()
    tournament.refresh_from_db()
    assert tournament.status == "finished"
    correction_data = FeedEntry.objects.filter(kind="tournament-end", pk__gt=last_pk)
    changed = {line.player_id for line in correction_data}
    assert changed == set(tournament.entrant_players.values_list("player_id", flat=True))


def test_a_page_asks_once_more_and_means_what_it_has_shown() -> None:
    tournament, final, champion, second = finish_cup()
    client = Client()
    client.force_login(get_host())
    at = f"/tournaments/{tournament.code}/organise/correct/"
    assert "we ask you to confirm" in client.get(f"{at}?pairing={final.pk}").content.decode()
    wanted = build_reversed_result(tournament, final, second)
    form = {"pairing": str(final.pk), **{f"rank-{n}": str(rank) for n, rank in enumerate(wanted["ranks"])}}
    before = collect_state(tournament)
    answer = client.post(at, form)
    page = answer.content.decode()
    assert answer.status_code == 409
    assert f"{second}: place 2 → 1" in page
    assert f"{champion}: place 1 → 2" in page
    seal = re.search(r'name="confirmed" value="([0-9a-f]+)"', page)
    assert seal
    assert collect_state(tournament) == before
    # A confirmation does not hold for other ranks than those shown.
    level = form | {"rank-0": "1", "rank-1": "1", "confirmed": seal[1]}
    assert client.post(at, level).status_code == 409
    assert client.post(at, form | {"confirmed": "yes"}).status_code == 409
    assert collect_state(tournament) == before
    assert client.post(at, form | {"confirmed": seal[1]}).status_code == 302
    sweep_after_request()
    assert map_ranks(tournament)[second] == 1
    decision = tournament.decisions.get()
    undo = {"decision": str(decision.pk)}
    page = client.post(f"/tournaments/{tournament.code}/organise/undo/", undo).content.decode()
    assert f"{champion}: place 2 → 1" in page
    seal = re.search(r'name="confirmed" value="([0-9a-f]+)"', page)
    assert seal
    done = client.post(f"/tournaments/{tournament.code}/organise/undo/", undo | {"confirmed": seal[1]})
    assert done.status_code == 302


# ---------------------------------------------------------------------------------------------------- notices


def test_all_whose_place_changes_are_notified_and_nobody_else() -> None:
    tournament, final, champion, second = finish_cup()
    send_mails(NINE_DAYS_LATER)
    was = {name: len(list_sent(name)) for name in map_ranks(tournament)}
    last_pk = FeedEntry.objects.order_by("-pk")[0].pk
    decide(final, second, champion, now=NINE_DAYS_LATER)
    for _twice in range(2):
        sweep.sweep_tournaments(now=NINE_DAYS_LATER)
    tournament.refresh_from_db()
    assert tournament.status == "finished"
    feed_entries = FeedEntry.objects.filter(kind="tournament-end", pk__gt=last_pk)
    places_by_name = {line.player.name: (line.data["before"], line.data["after"]) for line in feed_entries}
    assert places_by_name == {second: (2, 1), champion: (1, 2)}
    assert feed_entries.count() == 2
    send_mails(NINE_DAYS_LATER + 2 * MINUTE)
    assert get_last_mail(second)["Subject"] == "The cup: Corrected: you have won"
    assert get_last_mail(champion)["Subject"] == "The cup: Corrected: your place is 2 of 4"
    assert "Your place was 1." in get_last_body(champion)
    assert f"Winner: {second}." in get_last_body(champion)
    other_names = set(was) - {champion, second}
    assert {name: len(list_sent(name)) for name in other_names} == {name: was[name] for name in other_names}


def test_each_further_correction_is_announced_again() -> None:
    _tournament, final, champion, second = finish_cup(2)
    for winner, loser in ((second, champion), (champion, second), (second, champion)):
        decide(final, winner, loser, now=NINE_DAYS_LATER)
        sweep.sweep_tournaments(now=NINE_DAYS_LATER)
    feed_entries = FeedEntry.objects.filter(
        kind="tournament-end", player=get_player(second), data__has_key="before"
    )
    assert [line.data["after"] for line in feed_entries.order_by("pk")] == [1, 2, 1]


def test_standings_of_points_are_compared_as_well() -> None:
    tournament = create_started_tournament("swiss", 2, round_count=1)
    play_round(tournament, NOW)
    first, second = sorted(("p1", "p2"), key=lambda name: entrant(tournament, name).rank or 0)
    table = tournament.pairings.get()
    wanted = [1 if name == second else 2 for name in list_names(table)]
    with pytest.raises(Conflict) as refused:
        decisions.correct_result(
            by=get_host(), code=tournament.code, pairing_id=table.pk, ranks=wanted, now=NOW
        )
    assert [place["name"] for place in refused.value.extra["places"]] == [second, first]


# ------------------------------------------------------------------------- while a correction is pending


def test_a_match_that_others_are_to_play_is_pending_without_the_old_scores() -> None:
    tournament = create_started_tournament("knockout", 4, hold_on_warnings=True)
    first, second = list_running_pairings(tournament)
    winner, loser = list_names(first)
    decide(first, winner, loser)
    decide(second, *list_names(second))
    sweep.sweep_tournaments(now=NOW)
    final = tournament.pairings.get(match="R2.1")
    stays = next(name for name in list_names(final) if name != winner)
    points = [71, 72]
    decisions.correct_result(
        by=get_host(), code=tournament.code, pairing_id=final.pk, ranks=[1, 2], points=points, now=NOW
    )
    client, at = Client(), f"tournaments/{tournament.code}/"
    assert final.game
    assert not any(match["pending"] for match in Program(None).ask(f"{at}bracket/")["matches"])
    assert "72" in client.get(f"/{at}bracket/").content.decode()
    decisions.correct_result(
        by=get_host(),
        code=tournament.code,
        pairing_id=first.pk,
        ranks=[1 if name == loser else 2 for name in list_names(first)],
        now=NOW,
        confirmed=True,
    )
    sweep.sweep_tournaments(now=NOW)
    tournament.refresh_from_db()
    assert tournament.hold_reason == "stale-result"
    matches = {match["match"]: match for match in Program(None).ask(f"{at}bracket/")["matches"]}
    second_match = matches["R2.1"]
    assert (second_match["pending"], second_match["games"]) == (True, [])
    assert {seat["name"] for seat in second_match["seats"]} == {loser, stays}
    assert [match_data["pending"] for name, match_data in matches.items() if name != "R2.1"] == [False, False]
    page = client.get(f"/{at}bracket/").content.decode()
    assert "on hold: an earlier result has changed" in page
    picture = client.get(f"/{at}bracket.svg").content.decode()
    assert 'class="b p"' in picture
    for html in (page, picture):
        assert not [score for score in points if f">{score}<" in html]
    decisions.approve_round(by=get_host(), code=tournament.code, now=NOW)
    sweep.sweep_tournaments(now=NOW)
    assert not any(match["pending"] for match in Program(None).ask(f"{at}bracket/")["matches"])
