"""Changes of the seed order, and early views of the draw, are published."""

from __future__ import annotations

import html
import re
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils.translation import override

from common.service_errors import Denied
from tests.factories.events import (
    DAY,
    NOW,
    add_organiser,
    decide,
    entrant,
    get_host,
    get_player,
    list_running_pairings,
    published,
    replace,
)
from tests.factories.events import create_started_tournament as begun_event
from tests.factories.leagues import create_started_league
from tests.helpers.tournament_programs import Program
from tournaments.models import Decision, Tournament
from tournaments.pairing.matching import COMPLETE_GRAPH_LIMIT
from tournaments.selectors.seeding import MAX_LISTED_SEED_CHANGES, build_seeding_report
from tournaments.services import decision_undo, decisions, entries, removals, sweep, tournaments
from tournaments.text.fairness import list_pairing_rules

pytestmark = pytest.mark.django_db


def set_seeds(tournament: Tournament, *names: str, by: str = "host") -> None:
    order = [entrant(tournament, name).pk for name in names]
    entries.set_seeds(by=get_player(by), code=tournament.code, order=order, now=NOW)


def preview_round(tournament: Tournament, by: str = "host") -> None:
    assert Program(by).ask(f"tournaments/{tournament.code}/preview/")["state"] == "round"


def read_fairness(tournament: Tournament) -> Any:
    return Program(None).ask(f"tournaments/{tournament.code}/fairness/")


def read_page(tournament: Tournament, part: str = "fairness/") -> str:
    text = Client().get(f"/tournaments/{tournament.code}/{part}").text
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", text)).split())


def start_tournament(tournament: Tournament) -> None:
    tournaments.start_tournament(by=get_host(), code=tournament.code, now=NOW)
    sweep.sweep_tournaments(now=NOW)
    tournament.refresh_from_db()


def test_seeds_set_by_hand_are_public_with_who_and_when() -> None:
    tournament = published("knockout", 4)
    assert "Nobody is seeded by hand so far: we seed by lot." in read_page(tournament)
    set_seeds(tournament, "p3", "p1")
    for _twice in range(2):
        set_seeds(tournament, "p2", "p1")
    report = read_fairness(tournament)
    assert report["seeded_by_hand"] == [entrant(tournament, "p2").pk, entrant(tournament, "p1").pk]
    assert [
        (seed_change["by"], seed_change["count"], seed_change["after_preview"])
        for seed_change in report["seed_changes"]
    ] == [
        ("host", 2, False),
        ("host", 2, False),
    ], "the same order once more is no change"
    latest, first = Program(None).list_all(f"tournaments/{tournament.code}/decisions/")
    assert (latest["action"], latest["created_by"], latest["after_preview"]) == ("seeds", "host", False)
    assert latest["seeds"] == report["seeded_by_hand"]
    assert first["seeds"] == [entrant(tournament, "p3").pk, entrant(tournament, "p1").pk]
    text = read_page(tournament)
    assert "Seeded by hand: p2, p1. The others follow by lot." in text
    assert "host set seeds on" in text
    assert "Nobody chooses" not in text
    assert "Nobody is seeded by hand" not in text
    assert "Some seeds are set by hand" in read_page(tournament, "")
    assert "We draw all seeds by lot." not in read_page(tournament, "")
    set_seeds(tournament)
    assert read_fairness(tournament)["seeded_by_hand"] == []
    assert "host removed the seeds on" in read_page(tournament)


def test_what_is_changed_after_the_preview_is_marked_so() -> None:
    tournament = published("knockout", 4)
    add_organiser(tournament, "ref")
    set_seeds(tournament, "p1")
    for _twice in range(2):
        preview_round(tournament, "ref")
    set_seeds(tournament, "p4", by="host")
    tournaments.edit_tournament(by=get_host(), code=tournament.code, now=NOW + DAY, seeding="rating")
    report = read_fairness(tournament)
    assert [seed_change["after_preview"] for seed_change in report["seed_changes"]] == [False, True]
    assert [preview["by"] for preview in report["previews"]] == ["ref"], "who looks twice is named once"
    lines = {
        decision["action"]: decision
        for decision in Program(None).list_all(f"tournaments/{tournament.code}/decisions/")[:2]
    }
    assert {action: line["after_preview"] for action, line in lines.items()} == {"seeds": True, "edit": True}
    text = read_page(tournament)
    assert "host set seeds on" in text
    assert ", after a preview of the draw." in text
    assert "ref previewed the draw on" in text
    start_tournament(tournament)
    tournaments.edit_tournament(by=get_host(), code=tournament.code, now=NOW + 2 * DAY, text="Go!")
    assert Program(None).list_all(f"tournaments/{tournament.code}/decisions/")[0]["after_preview"] is False
    assert "ref previewed the draw on" in read_page(tournament)


def change_entrants(tournament: Tournament) -> list[str]:
    """Remove an entrant, replace another one and undo that; return the names of these actions in the log."""
    last_entrant = entrant(tournament, tournament.entrant_players.order_by("-pk")[0].player.name)  # type: ignore[union-attr]
    removals.remove_entrant(by=get_host(), code=tournament.code, entrant=last_entrant.pk, now=NOW)
    replaced = replace(tournament, "p1", f"r{tournament.decisions.count()}")
    decision_undo.undo_decision(by=get_host(), code=tournament.code, decision=replaced.pk, now=NOW)
    return ["undo-replace", "replace", "remove"]


def test_whoever_changes_the_entrants_after_the_preview_is_marked_so() -> None:
    tournament = published("knockout", 6)
    known_actions = change_entrants(tournament)
    lines = Program(None).list_all(f"tournaments/{tournament.code}/decisions/")
    assert [(line["action"], line["after_preview"]) for line in lines] == [
        (action, False) for action in known_actions
    ]
    assert "after a preview of the draw" not in read_page(tournament)
    preview_round(tournament)
    assert change_entrants(tournament) == known_actions
    lines = Program(None).list_all(f"tournaments/{tournament.code}/decisions/")[:3]
    assert [(line["action"], line["after_preview"]) for line in lines] == [
        (action, True) for action in known_actions
    ]
    assert read_page(tournament).count("after a preview of the draw") == len(known_actions)
    tournaments.start_tournament(by=get_host(), code=tournament.code, now=NOW + DAY)
    sweep.sweep_tournaments(now=NOW + DAY)
    replace(tournament, "p1", "late", NOW + 2 * DAY)
    latest = Program(None).list_all(f"tournaments/{tournament.code}/decisions/")[0]
    assert (latest["action"], latest["after_preview"]) == ("replace", False), "the draw is made"


def test_only_organisers_look_ahead_and_the_page_of_the_preview_tells_on_them() -> None:
    tournament = published("swiss", 4)
    with pytest.raises(Denied):
        decisions.preview_next_round(by=get_player("p1"), code=tournament.code, now=NOW)
    assert read_fairness(tournament)["previews"] == []
    assert "can preview the draw before the start. Nobody has so far." in read_page(tournament)
    browser = Client()
    browser.force_login(get_host())
    text = browser.get(f"/tournaments/{tournament.code}/preview/").text
    assert "The public log shows that you opened this preview" in text
    assert [preview["by"] for preview in read_fairness(tournament)["previews"]] == ["host"]


def test_who_previews_a_later_round_leaves_no_line_about_the_draw() -> None:
    tournament = begun_event("knockout", 4)
    Program("host").ask(f"tournaments/{tournament.code}/preview/")
    assert read_fairness(tournament)["previews"] == []
    assert "No organiser previewed the draw." in read_page(tournament)
    assert "Nobody was seeded by hand: we seeded by lot." in read_page(tournament)


@pytest.mark.parametrize("seeding", ["lot", "rating"])
@pytest.mark.parametrize("format", ["knockout", "double", "round-robin", "swiss"])
def test_what_the_page_says_is_so_for_each_format_and_seeding(format: str, seeding: str) -> None:
    tournament = published(format, 4, seeding=seeding)
    lots = {"lot": "we seed by lot.", "rating": "we seed by rating, and unrated players by lot."}
    assert lots[seeding] in read_page(tournament)
    start_tournament(tournament)
    text, report = read_page(tournament), read_fairness(tournament)
    assert (report["seeding"], report["seeds_logged"], report["seeded_by_hand"]) == (seeding, True, [])
    assert "Nobody chooses" not in text
    assert ("a number in a schedule" in text) == (format == "round-robin")
    assert ("a number in the bracket" in text) == (format in ("knockout", "double"))
    assert ("the upper half against the lower half" in text) == (format == "swiss")
    if format == "swiss":  # of four entrants with equal scores, 1 meets 3 and 2 meets 4
        meet = [pairing.reasons[0] for pairing in tournament.pairings.order_by("pk")]
        assert [(name["higher"], name["lower"]) for name in meet] == [(1, 3), (2, 4)]


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "Above {} players we look among neighbours in the standings first"),
        ("it", "Oltre {} giocatori cerchiamo prima tra i vicini in classifica"),
        ("nl", "Bij meer dan {} spelers zoeken we eerst onder spelers die dicht bij elkaar staan"),
    ],
)
def test_the_page_of_a_swiss_says_above_how_many_not_all_pairings_are_compared(
    language: str, words: str
) -> None:
    tournament = published("swiss", 4)
    with override(language):
        assert words.format(COMPLETE_GRAPH_LIMIT) in " ".join(list_pairing_rules(tournament))


def test_a_large_table_is_announced_as_it_is_paired() -> None:
    tournament = begun_event("swiss", 6, table_size=3)
    assert "In the first round, each table gets one player of each strength." in read_page(tournament)
    codes = {reason["code"] for table in tournament.pairings.all() for reason in table.reasons}
    assert "one-of-each-strength" in codes


def test_a_group_of_a_league_is_numbered_by_its_division() -> None:
    create_started_league(4)
    tournament = Tournament.objects.get()
    assert read_fairness(tournament)["seeding"] == "division"
    text = read_page(tournament)
    assert "The numbers in this group follow the order of the division." in text
    overview = read_page(tournament, "").replace("sits first by lot.", "")
    assert "by lot." not in overview
    assert "all seeds by lot" not in overview


def test_an_event_that_was_cancelled_before_its_start_claims_no_draw() -> None:
    tournament = published("knockout", 4)
    tournaments.cancel_tournament(by=get_host(), code=tournament.code, now=NOW)
    text = read_page(tournament)
    assert "The tournament was cancelled before the draw." in text
    assert "lots decide" not in text.split("Pairings")[0].lower()


def test_of_what_was_not_logged_yet_nothing_is_claimed() -> None:
    tournament = begun_event("knockout", 4)
    Tournament.objects.filter(pk=tournament.pk).update(seeding_logged=False)
    text = read_page(tournament)
    assert "Nobody was seeded" not in text
    assert "No organiser previewed the draw" not in text
    assert "This tournament is older than our record of seeds set by hand." in text
    older = published("knockout", 4)
    set_seeds(older, "p2")
    older.decisions.all().delete()
    Tournament.objects.filter(pk=older.pk).update(seeding_logged=False)
    assert read_fairness(older)["seeded_by_hand"] == [entrant(older, "p2").pk]
    assert "Seeded by hand: p2." in read_page(older)


def test_a_result_is_described_as_it_stood_before_it_was_corrected() -> None:
    tournament = begun_event("knockout", 4)
    table = list_running_pairings(tournament)[0]
    names = [
        pairing_seat.entrant.entrant_players.get().player.name
        for pairing_seat in table.pairing_seats.order_by("seat_no")
    ]
    decide(table, *names)
    first = tournament.decisions.get()
    decide(table, *reversed(names))
    second = tournament.decisions.latest("pk")
    decision_undo.undo_decision(by=get_host(), code=tournament.code, decision=second.pk, now=NOW)
    corrections = read_fairness(tournament)["corrections"]
    assert {correction["pairing"] for correction in corrections} == {table.pk}
    ranks = [
        tuple(correction[side] and correction[side]["ranks"] for side in ("before", "after"))
        for correction in corrections
    ]
    assert ranks == [(None, [1, 2]), ([1, 2], [2, 1]), ([2, 1], [1, 2])]
    undone, corrected, earlier = Program(None).list_all(f"tournaments/{tournament.code}/decisions/")
    assert (earlier["id"], earlier["result_before"]) == (first.pk, None)
    assert (corrected["result_before"]["ranks"], corrected["result"]["ranks"]) == ([1, 2], [2, 1])
    assert (undone["result_before"]["ranks"], undone["result"]["ranks"]) == ([2, 1], [1, 2])


def test_only_the_changes_that_are_listed_are_read() -> None:
    tournament = published("knockout", 2)
    order = list(tournament.entrants.order_by("pk").values_list("pk", flat=True))
    Decision.objects.bulk_create(
        Decision(
            tournament=tournament,
            created_by=get_host(),
            created_at=NOW,
            action="seeds",
            before={"order": order},
            after={"order": order},
        )
        for _number in range(MAX_LISTED_SEED_CHANGES + 5)
    )
    newest = list(tournament.decisions.order_by("-pk").values_list("pk", flat=True))[:MAX_LISTED_SEED_CHANGES]
    with CaptureQueriesContext(connection) as captured:
        report = build_seeding_report(tournament)
    assert [seed_change.decision for seed_change in report.seed_changes] == newest[::-1]
    assert report.seeded_by_hand == order
    of_seeds = [query["sql"] for query in captured if "'seeds'" in query["sql"]]
    assert len(of_seeds) == 1
    assert f"LIMIT {MAX_LISTED_SEED_CHANGES})" in of_seeds[0], "no more than these are read"
    assert '"before"' not in of_seeds[0]
