"""Whoever sets seeds by hand, or sees the draw before others, does so in the open."""

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
from tests.tournaments.api_programs import Program
from tournaments.models import Decision, Tournament
from tournaments.pairing.matching import COMPLETE_GRAPH_LIMIT
from tournaments.selectors.seeding import MAX_LISTED_SEED_CHANGES, build_seeding_report
from tournaments.services import decision_undo, decisions, entries, removals, sweep, tournaments
from tournaments.text.fairness import describe_pairing_rules

pytestmark = pytest.mark.django_db


def set_seeds(event: Tournament, *names: str, by: str = "host") -> None:
    order = [entrant(event, name).pk for name in names]
    entries.set_seeds(by=get_player(by), code=event.code, order=order, now=NOW)


def preview_round(event: Tournament, by: str = "host") -> None:
    assert Program(by).ask(f"tournaments/{event.code}/preview/")["state"] == "round"


def read_fairness(event: Tournament) -> Any:
    return Program(None).ask(f"tournaments/{event.code}/fairness/")


def read_page(event: Tournament, part: str = "fairness/") -> str:
    text = Client().get(f"/tournaments/{event.code}/{part}").text
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", text)).split())


def start_tournament(event: Tournament) -> None:
    tournaments.start_tournament(by=get_host(), code=event.code, now=NOW)
    sweep.sweep_tournaments(now=NOW)
    event.refresh_from_db()


def test_seeds_set_by_hand_are_public_with_who_and_when() -> None:
    event = published("knockout", 4)
    assert "Nobody is seeded by hand so far: the draw is by lot." in read_page(event)
    set_seeds(event, "p3", "p1")
    for _twice in range(2):
        set_seeds(event, "p2", "p1")
    report = read_fairness(event)
    assert report["seeded_by_hand"] == [entrant(event, "p2").pk, entrant(event, "p1").pk]
    assert [
        (seed_change["by"], seed_change["count"], seed_change["after_preview"])
        for seed_change in report["seed_changes"]
    ] == [
        ("host", 2, False),
        ("host", 2, False),
    ], "the same order once more is no change"
    latest, first = Program(None).list_all(f"tournaments/{event.code}/decisions/")
    assert (latest["action"], latest["created_by"], latest["after_preview"]) == ("seeds", "host", False)
    assert latest["seeds"] == report["seeded_by_hand"]
    assert first["seeds"] == [entrant(event, "p3").pk, entrant(event, "p1").pk]
    text = read_page(event)
    assert "Seeded by hand: p2, p1. The others come behind them by lot." in text
    assert "host set seeds on" in text
    assert "Nobody chooses" not in text
    assert "Nobody is seeded by hand" not in text
    assert "Some are seeded by hand" in read_page(event, "")
    assert "The draw is by lot." not in read_page(event, "")
    set_seeds(event)
    assert read_fairness(event)["seeded_by_hand"] == []
    assert "host removed the seeds on" in read_page(event)


def test_what_is_changed_after_the_preview_is_marked_so() -> None:
    event = published("knockout", 4)
    add_organiser(event, "ref")
    set_seeds(event, "p1")
    for _twice in range(2):
        preview_round(event, "ref")
    set_seeds(event, "p4", by="host")
    tournaments.edit_tournament(by=get_host(), code=event.code, now=NOW + DAY, seeding="rating")
    report = read_fairness(event)
    assert [seed_change["after_preview"] for seed_change in report["seed_changes"]] == [False, True]
    assert [preview["by"] for preview in report["previews"]] == ["ref"], "who looks twice is named once"
    lines = {
        decision["action"]: decision
        for decision in Program(None).list_all(f"tournaments/{event.code}/decisions/")[:2]
    }
    assert {action: line["after_preview"] for action, line in lines.items()} == {"seeds": True, "edit": True}
    text = read_page(event)
    assert "host set seeds on" in text
    assert ", after the preview of the draw." in text
    assert "ref looked at the draw on" in text
    start_tournament(event)
    tournaments.edit_tournament(by=get_host(), code=event.code, now=NOW + 2 * DAY, text="Go!")
    assert Program(None).list_all(f"tournaments/{event.code}/decisions/")[0]["after_preview"] is False
    assert "ref looked at the draw on" in read_page(event)


def change_entrants(event: Tournament) -> list[str]:
    """The organiser removes somebody, has another replaced and takes that back; what the log calls it."""
    last_entrant = entrant(event, event.entrant_players.order_by("-pk")[0].player.name)  # type: ignore[union-attr]
    removals.remove_entrant(by=get_host(), code=event.code, entrant=last_entrant.pk, now=NOW)
    replaced = replace(event, "p1", f"r{event.decisions.count()}")
    decision_undo.undo_decision(by=get_host(), code=event.code, decision=replaced.pk, now=NOW)
    return ["undo-replace", "replace", "remove"]


def test_whoever_changes_the_entrants_after_the_preview_is_marked_so() -> None:
    event = published("knockout", 6)
    known_actions = change_entrants(event)
    lines = Program(None).list_all(f"tournaments/{event.code}/decisions/")
    assert [(line["action"], line["after_preview"]) for line in lines] == [
        (action, False) for action in known_actions
    ]
    assert "after the preview of the draw" not in read_page(event)
    preview_round(event)
    assert change_entrants(event) == known_actions
    lines = Program(None).list_all(f"tournaments/{event.code}/decisions/")[:3]
    assert [(line["action"], line["after_preview"]) for line in lines] == [
        (action, True) for action in known_actions
    ]
    assert read_page(event).count("after the preview of the draw") == len(known_actions)
    tournaments.start_tournament(by=get_host(), code=event.code, now=NOW + DAY)
    sweep.sweep_tournaments(now=NOW + DAY)
    replace(event, "p1", "late", NOW + 2 * DAY)
    latest = Program(None).list_all(f"tournaments/{event.code}/decisions/")[0]
    assert (latest["action"], latest["after_preview"]) == ("replace", False), "the draw is made"


def test_only_organisers_look_ahead_and_the_page_of_the_preview_tells_on_them() -> None:
    event = published("swiss", 4)
    with pytest.raises(Denied):
        decisions.preview_next_round(by=get_player("p1"), code=event.code, now=NOW)
    assert read_fairness(event)["previews"] == []
    assert "can look at the draw before the start. Nobody has so far." in read_page(event)
    browser = Client()
    browser.force_login(get_host())
    text = browser.get(f"/tournaments/{event.code}/preview/").text
    assert "Everybody can read that you looked" in text
    assert [preview["by"] for preview in read_fairness(event)["previews"]] == ["host"]


def test_who_previews_a_later_round_leaves_no_line_about_the_draw() -> None:
    event = begun_event("knockout", 4)
    Program("host").ask(f"tournaments/{event.code}/preview/")
    assert read_fairness(event)["previews"] == []
    assert "Nobody who organises it looked at the draw before the start." in read_page(event)
    assert "Nobody was seeded by hand: the draw was by lot." in read_page(event)


@pytest.mark.parametrize("seeding", ["lot", "rating"])
@pytest.mark.parametrize("format", ["knockout", "double", "round-robin", "swiss"])
def test_what_the_page_says_is_so_for_each_format_and_seeding(format: str, seeding: str) -> None:
    event = published(format, 4, seeding=seeding)
    lots = {"lot": "the draw is by lot", "rating": "the draw follows ratings, and lots for those without one"}
    assert lots[seeding] in read_page(event)
    start_tournament(event)
    text, report = read_page(event), read_fairness(event)
    assert (report["seeding"], report["seeds_logged"], report["seeded_by_hand"]) == (seeding, True, [])
    assert "Nobody chooses" not in text
    assert ("a number in the schedule" in text) == (format == "round-robin")
    assert ("a number in the bracket" in text) == (format in ("knockout", "double"))
    assert ("the upper half against the lower half" in text) == (format == "swiss")
    if format == "swiss":  # and so they are: of four who are level, 1 meets 3 and 2 meets 4
        meet = [pairing.reasons[0] for pairing in event.pairings.order_by("pk")]
        assert [(name["higher"], name["lower"]) for name in meet] == [(1, 3), (2, 4)]


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "Above {} players, these are looked for among neighbours in the standings first"),
        ("it", "Oltre i {} giocatori li si cerca prima tra i vicini in classifica"),
        ("nl", "Boven de {} spelers worden die eerst onder buren in de stand gezocht"),
    ],
)
def test_the_page_of_a_swiss_says_above_how_many_not_all_pairings_are_compared(
    language: str, words: str
) -> None:
    event = published("swiss", 4)
    with override(language):
        assert words.format(COMPLETE_GRAPH_LIMIT) in describe_pairing_rules(event)


def test_a_large_table_is_announced_as_it_is_paired() -> None:
    event = begun_event("swiss", 6, table_size=3)
    assert "The first round has one player of each strength at every table." in read_page(event)
    codes = {reason["code"] for table in event.pairings.all() for reason in table.reasons}
    assert "one-of-each-strength" in codes


def test_a_group_of_a_league_is_numbered_by_its_division() -> None:
    create_started_league(4)
    event = Tournament.objects.get()
    assert read_fairness(event)["seeding"] == "division"
    text = read_page(event)
    assert "Numbers in this group follow the order in which the division was made up." in text
    assert "by lot." not in read_page(event, "").replace("sits first by lot.", "")


def test_an_event_that_was_cancelled_before_its_start_claims_no_draw() -> None:
    event = published("knockout", 4)
    tournaments.cancel_tournament(by=get_host(), code=event.code, now=NOW)
    text = read_page(event)
    assert "It was cancelled before the start, so no draw was made." in text
    assert "by lot." not in text.split("How pairings follow")[0]


def test_of_what_was_not_logged_yet_nothing_is_claimed() -> None:
    event = begun_event("knockout", 4)
    Tournament.objects.filter(pk=event.pk).update(seeding_logged=False)
    text = read_page(event)
    assert "Nobody was seeded" not in text
    assert "Nobody who organises it looked" not in text
    assert "was not logged yet" in text
    older = published("knockout", 4)
    set_seeds(older, "p2")
    older.decisions.all().delete()
    Tournament.objects.filter(pk=older.pk).update(seeding_logged=False)
    assert read_fairness(older)["seeded_by_hand"] == [entrant(older, "p2").pk]
    assert "Seeded by hand: p2." in read_page(older)


def test_a_result_is_described_as_it_stood_before_it_was_corrected() -> None:
    event = begun_event("knockout", 4)
    table = list_running_pairings(event)[0]
    names = [
        pairing_seat.entrant.entrant_players.get().player.name
        for pairing_seat in table.pairing_seats.order_by("seat_no")
    ]
    decide(table, *names)
    first = event.decisions.get()
    decide(table, *reversed(names))
    second = event.decisions.latest("pk")
    decision_undo.undo_decision(by=get_host(), code=event.code, decision=second.pk, now=NOW)
    corrections = read_fairness(event)["corrections"]
    assert {correction["pairing"] for correction in corrections} == {table.pk}
    ranks = [
        tuple(correction[side] and correction[side]["ranks"] for side in ("before", "after"))
        for correction in corrections
    ]
    assert ranks == [(None, [1, 2]), ([1, 2], [2, 1]), ([2, 1], [1, 2])]
    undone, corrected, earlier = Program(None).list_all(f"tournaments/{event.code}/decisions/")
    assert (earlier["id"], earlier["result_before"]) == (first.pk, None)
    assert (corrected["result_before"]["ranks"], corrected["result"]["ranks"]) == ([1, 2], [2, 1])
    assert (undone["result_before"]["ranks"], undone["result"]["ranks"]) == ([2, 1], [1, 2])


def test_only_the_changes_that_are_listed_are_read() -> None:
    event = published("knockout", 2)
    order = list(event.entrants.order_by("pk").values_list("pk", flat=True))
    Decision.objects.bulk_create(
        Decision(
            tournament=event,
            created_by=get_host(),
            created_at=NOW,
            action="seeds",
            before={"order": order},
            after={"order": order},
        )
        for _number in range(MAX_LISTED_SEED_CHANGES + 5)
    )
    newest = list(event.decisions.order_by("-pk").values_list("pk", flat=True))[:MAX_LISTED_SEED_CHANGES]
    with CaptureQueriesContext(connection) as captured:
        report = build_seeding_report(event)
    assert [seed_change["decision"] for seed_change in report["seed_changes"]] == newest[::-1]
    assert report["seeded_by_hand"] == order
    of_seeds = [query["sql"] for query in captured if "'seeds'" in query["sql"]]
    assert len(of_seeds) == 1
    assert f"LIMIT {MAX_LISTED_SEED_CHANGES})" in of_seeds[0], "no more than these are read"
    assert '"before"' not in of_seeds[0]
