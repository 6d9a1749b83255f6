"""Organising in a browser without scripts, from the empty form to the end, and the pages that others see."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import Player
from tests.factories.events import (
    NOW,
    create_started_tournament,
    get_host,
    get_player,
    list_running_pairings,
    name_at,
)
from tests.factories.evidence import DAILY, MINUTE, first_table, mailed, time_out
from tests.helpers.organiser_pages import (
    MOST_QUERIES,
    action_path,
    dashboard_path,
    look,
    read_form_fields,
    send,
    settle,
    sign_in_as,
)
from tests.helpers.organiser_pages import (
    browser as browser,
)
from tournaments.models import Entrant, Tournament
from tournaments.services import appeals, entries, proposals, sweep

pytestmark = pytest.mark.django_db
HUGE = "9" * 400


def create_tournament(client: Client, **fields: Any) -> Tournament:
    send(client, "/tournaments/new/", "Draft created.", name="The cup", **fields)
    return Tournament.objects.latest("pk")


# ---------------------------------------------------------------------------------------- a whole tournament


def test_a_name_and_a_format_are_enough(browser: Client) -> None:
    tournament = create_tournament(browser, format="swiss")
    assert (tournament.status, tournament.format, tournament.table_size) == ("draft", "swiss", 2)
    assert tournament.mode == "singles"
    assert (tournament.time_control, tournament.cards, tournament.chat) == ("2d", True, True)
    assert (tournament.rated, tournament.hold_on_warnings) == (True, True)
    assert (tournament.starts_at, tournament.capacity, tournament.round_count) == (None, None, None)
    assert tournament.round_length is None
    assert tournament.organiser == get_host()
    tournament = create_tournament(browser, format="swiss", edition="pergioco-72")
    assert (tournament.cards, tournament.seniority_rule) == (False, "lot"), "as the rulebook says"


def test_everything_that_is_filled_in_is_laid_down_in_the_zone_of_who_fills_it_in(browser: Client) -> None:
    Player.objects.filter(pk=get_host().pk).update(time_zone="Europe/Rome")
    tournament = create_tournament(
        browser,
        format="swiss",
        seats="4",
        time_control="custom",
        text="Bring <b>cake</b>.",
        round_count="5",
        starts_at="2031-07-01T20:00",
        opens_at="2031-06-01T08:30",
        closes_at="2031-08-01T20:00",
        late_entry="on",
        capacity="64",
        when_full="on",
        seeding="rating",
        manual_approval="on",
        vacation="no",
        edition="bannan-nl",
        target="8",
        allowance_0="8",
        allowance_1="3600",
        bank_0="2",
        bank_1="86400",
        round_length_0="21",
        round_length_1="86400",
        blind_allowance_0="30",
        blind_allowance_1="60",
    )
    assert (tournament.table_size, tournament.round_count, tournament.capacity) == (4, 5, 64)
    assert tournament.target == 8
    assert (tournament.time_control, tournament.allowance, tournament.bank) == ("custom", 8 * 3600, 2 * 86400)
    assert (tournament.rematch_allowance, tournament.blind_allowance) == (7200, 1800)
    assert tournament.round_length == 21 * 86400
    assert (tournament.late_entry, tournament.when_full, tournament.manual_approval) == (True, True, True)
    assert tournament.vacation is False
    assert (tournament.edition, tournament.seeding) == ("bannan-nl", "rating")
    assert tournament.text == "Bring <b>cake</b>."
    assert tournament.starts_at
    assert tournament.starts_at.isoformat() == "2031-07-01T18:00:00+00:00"
    page = look(browser, f"/tournaments/{tournament.code}/edit/")
    assert 'value="2031-07-01T20:00"' in page.html
    assert "Bring &lt;b&gt;cake" in page.html
    send(browser, f"/tournaments/{tournament.code}/edit/", "Saved.")  # an unchanged form changes nothing
    before = {field.attname: getattr(tournament, field.attname) for field in Tournament._meta.concrete_fields}
    tournament.refresh_from_db()
    assert before == {name: getattr(tournament, name) for name in before}
    send(browser, f"/tournaments/{tournament.code}/edit/", "Saved.", time_control="7d", name="The great cup")
    tournament.refresh_from_db()
    assert (tournament.name, tournament.time_control) == ("The great cup", "7d")
    assert tournament.allowance == 7 * 86400
    assert tournament.rematch_allowance == 7 * 86400 // 4
    assert tournament.table_size == 4


def test_a_tournament_from_its_draft_to_its_end(browser: Client) -> None:
    tournament = create_tournament(
        browser, format="swiss", round_count="2", target="1", cards="False", rated=""
    )
    send(browser, f"/tournaments/{tournament.code}/edit/", "Saved.", text="For all.")
    assert "Only organisers see this draft." in look(browser, dashboard_path(tournament)).html
    page = look(browser, dashboard_path(tournament))
    publish = page.form(action=action_path(tournament, "publish"))
    assert (
        "Tournament published." in browser.post(publish.action, publish.fields, follow=True).content.decode()
    )
    assert "already published" in browser.post(publish.action, publish.fields, follow=True).content.decode()
    for name in ("ann", "ben", "cat"):
        entries.enter_tournament(player=get_player(name), code=tournament.code, now=timezone.now())
    send(browser, action_path(tournament, "seeds"), "Order saved.", order="cat\nAnn")
    assert get_entrant(tournament, "cat").seed == 1
    assert "cat" in look(browser, action_path(tournament, "seeds")).html
    # Three entrants: one has a bye, and the round is held.
    page = look(browser, f"/tournaments/{tournament.code}/preview/")
    assert "would have no game" in page.html
    assert not tournament.pairings.exists()
    assert "3 entrants play" in look(browser, action_path(tournament, "start")).html
    send(browser, action_path(tournament, "start"), "The tournament starts in a moment.")
    settle(tournament)
    assert (tournament.status, tournament.hold_reason) == ("running", "odd-number")
    page = look(browser, dashboard_path(tournament))
    assert "The next round needs your OK" in page.html
    assert "would have no game" in page.html
    go_on = page.form(action=action_path(tournament, "proceed"))
    assert "in a moment" in browser.post(go_on.action, go_on.fields, follow=True).content.decode()
    settle(tournament)
    assert tournament.pairings.count() == 2
    # The round is extended, and the extension is undone.
    until = (timezone.now() + timedelta(days=3)).strftime("%Y-%m-%dT%H:%M")
    send(
        browser,
        action_path(tournament, "extend", round=1),
        "Deadline saved.",
        until=until,
        reason="rain",
    )
    assert tournament.rounds.get().ends_at
    assert "rain" in look(browser, dashboard_path(tournament, "log")).html
    first = tournament.decisions.get(action="extend")
    send(browser, action_path(tournament, "undo", decision=first.pk), "Decision undone.", reason="sun")
    assert tournament.rounds.get().ends_at is None
    # A player is replaced, and a result is corrected.
    table = list_running_pairings(tournament)[0]
    old = get_entrant(tournament, name_at(table, 0))
    get_player("dan")
    send(
        browser,
        action_path(tournament, "replace", entrant=old.pk),
        "We have asked dan to replace",
        player="dan",
        reason="ill",
    )
    assert name_at(table, 0) != "dan"
    assert "has asked dan to replace" in look(browser, dashboard_path(tournament, "entrants")).html
    proposals.accept_proposal(
        player=get_player("dan"), proposal_id=tournament.proposals.get().pk, now=timezone.now()
    )
    assert name_at(table, 0) == "dan"
    result_fields = {"rank-0": "1", "rank-1": "2", "points-0": "9", "points-1": "3", "eights-0": "1"}
    send(
        browser,
        action_path(tournament, "correct", pairing=table.pk),
        "Result saved.",
        **result_fields,
    )
    table.refresh_from_db()
    result = table.result or {}
    assert (result["ranks"], result["points"], result["eights"]) == ([1, 2], [9, 3], [1, 0])
    assert (result["forfeits"], result["by"]) == ([], "organiser")
    # A player appeals, and the organiser answers.
    loser = get_player(name_at(table, 1))
    appeal = appeals.file_appeal(
        player=loser, code=tournament.code, pairing_id=table.pk, text="I won!", now=timezone.now()
    )
    assert "I won!" in look(browser, dashboard_path(tournament)).html
    page = look(browser, action_path(tournament, "answer", appeal=appeal.pk))
    assert "I won!" in page.html
    send(
        browser,
        action_path(tournament, "answer", appeal=appeal.pk),
        "Answer sent.",
        text="You did not.",
    )
    appeal.refresh_from_db()
    assert (appeal.answer, appeal.answered_by) == ("You did not.", get_host())
    assert "You did not." in look(browser, dashboard_path(tournament, "appeals")).html
    # An entrant is disqualified with a reason.
    out = get_entrant(tournament, "dan")
    send(
        browser,
        action_path(tournament, "disqualify", entrant=out.pk),
        "dan is disqualified.",
        reason="two accounts",
    )
    out.refresh_from_db()
    assert out.status == Entrant.Status.DISQUALIFIED
    log = look(browser, dashboard_path(tournament, "log")).html
    for words in (
        "two accounts",
        "ill",
        "Disqualified: dan",
        "dan replaced",
        get_host().name,
    ):
        assert words in log
    settle(tournament)
    # The tournament is cancelled.
    send(browser, action_path(tournament, "cancel"), "Tournament cancelled.", reason="nobody is left")
    tournament.refresh_from_db()
    assert tournament.status == "cancelled"
    assert ">Cancelled</h2>" in look(browser, dashboard_path(tournament)).html


def get_entrant(tournament: Tournament, name: str) -> Entrant:
    return tournament.entrants.get(entrant_players__player__name=name)


def test_a_draft_can_be_thrown_away(browser: Client) -> None:
    tournament = create_tournament(browser, format="knockout")
    answer = browser.post(action_path(tournament, "delete"))
    assert (answer.status_code, answer["Location"]) == (302, "/tournaments/")
    assert not Tournament.objects.exists()


def test_people_are_added_and_taken_away_by_name(browser: Client) -> None:
    tournament = create_tournament(browser, format="knockout", by_invitation="on")
    ann = get_player("ann")
    answer = browser.post(action_path(tournament, "invite"), {"names": "ANN\n\n ann \n"}, follow=True)
    assert "1 player invited." in answer.content.decode()
    assert [invite.player for invite in tournament.invites.all()] == [ann]
    answer = browser.post(action_path(tournament, "invite"), {"names": "ann\nnobody at all\nben"})
    assert answer.status_code == 422
    assert "No player is called nobody at all." in answer.content.decode()
    assert "nobody at all\nben" in answer.content.decode().replace("\r", "")
    assert "ann" in look(browser, dashboard_path(tournament, "people")).html
    browser.post(action_path(tournament, "uninvite"), {"player": ann.pk})
    assert not tournament.invites.exists()
    browser.post(action_path(tournament, "co-organiser"), {"name": "Ann"})
    sign_in_as(ann).post(f"/proposals/{tournament.proposals.get().pk}/accept/")
    assert (
        list(tournament.co_organisers.all()),
        look(sign_in_as(ann), dashboard_path(tournament)).headings[0],
    ) == (
        [ann],
        "The cup",
    )
    browser.post(action_path(tournament, "co-organiser-remove"), {"player": ann.pk})
    assert look(sign_in_as(ann), dashboard_path(tournament), 404)


# --------------------------------------------------------------------------------------------- denied access


def test_others_get_no_further_than_the_door() -> None:
    tournament = create_started_tournament("knockout", 4)
    table = list_running_pairings(tournament)[0]
    before = Tournament.objects.values().get()
    stranger, anonymous = sign_in_as(get_player("stranger")), Client()
    paths = [
        dashboard_path(tournament, part) for part in ("", "entrants", "tables", "appeals", "log", "people")
    ]
    paths += [f"/tournaments/{tournament.code}/edit/", f"/tournaments/{tournament.code}/preview/"]
    paths += [action_path(tournament, "cancel"), action_path(tournament, "correct", pairing=table.pk)]
    for path in paths:
        answer = stranger.get(path)
        assert answer.status_code == 403, path
        assert "who does not organise The cup" in answer.content.decode()
        assert anonymous.get(path).status_code == 302
    for name in ("cancel", "start", "proceed", "delete", "co-organiser", "disqualify", "correct", "seeds"):
        fields = {"pairing": table.pk, "name": "stranger", "rank-0": "1", "rank-1": "2", "reason": "x"}
        fields["entrant"] = tournament.entrants.first().pk  # type: ignore[union-attr]
        assert stranger.post(action_path(tournament, name), fields).status_code == 403
        assert anonymous.post(action_path(tournament, name), fields).status_code == 302
    assert Tournament.objects.values().get() == before
    Tournament.objects.update(status="draft")
    for path in paths:
        assert stranger.get(path).status_code == 404
    assert stranger.post(action_path(tournament, "publish")).status_code == 404


# ------------------------------------------------------------------------------------------------- bad input


WRONG: list[tuple[dict[str, str], str]] = [
    ({"name": ""}, "name"),
    ({"name": "x" * 81}, "name"),
    ({"name": "a\0b"}, "name"),
    ({"format": "chess"}, "format"),
    ({"format": "double", "seats": "3"}, "seats"),
    ({"seats": "7"}, "seats"),
    ({"time_control": "custom"}, "allowance"),
    ({"time_control": "custom", "allowance_0": "0", "allowance_1": "60", "bank_0": "1"}, "allowance"),
    ({"time_control": "custom", "allowance_0": HUGE, "bank_0": HUGE}, "bank"),
    ({"time_control": "sundial"}, "time_control"),
    ({"round_count": HUGE, "format": "swiss"}, "round_count"),
    ({"round_count": "\0", "format": "swiss"}, "round_count"),
    ({"advancing_count": "2", "seats": "2", "capacity": HUGE}, "capacity"),
    ({"advancing_count": "3", "seats": "3"}, "advancing_count"),
    ({"advancing_count": "3", "seats": "4"}, "advancing_count"),
    ({"when_full": "on"}, "capacity"),
    ({"starts_at": "0001-01-01T00:00"}, "starts_at"),
    ({"starts_at": "9999-12-31T23:59"}, "starts_at"),
    ({"starts_at": "soon"}, "starts_at"),
    ({"opens_at": "2031-01-02T10:00", "starts_at": "2031-01-01T10:00"}, "starts_at"),
    ({"closes_at": "2031-01-02T10:00", "starts_at": "2031-01-01T10:00"}, "starts_at"),
    ({"min_rating": "1800", "max_rating": "1700"}, "min_rating"),
    ({"min_rating": "-1"}, "min_rating"),
    ({"round_length_0": "1", "round_length_1": "60"}, "round_length"),
    ({"round_length_0": "500", "round_length_1": "86400"}, "round_length"),
    ({"blind_allowance_0": "5", "blind_allowance_1": "fortnights"}, "blind_allowance"),
    ({"target": HUGE}, "target"),
    ({"edition": "\0"}, "edition"),
    ({"text": "x" * 5001}, "text"),
]


def test_what_cannot_be_is_shown_beside_its_field_and_nothing_is_lost(browser: Client) -> None:
    for fields, field in WRONG:
        sent = {"name": "The cup", "format": "knockout", "text": "kept", "confirmation": "on"} | fields
        answer = browser.post("/tournaments/new/", sent)
        assert answer.status_code == 422, fields
        assert field in answer.context["form"].errors, (fields, answer.context["form"].errors)
        html = answer.content.decode()
        assert f'id="id_{field}_error"' in html, fields
        assert "kept" in html or "text" in fields
        assert re.search(r'name="confirmation"[^>]* checked', html)
    assert not Tournament.objects.exists()


def test_what_does_nothing_for_a_format_is_in_nobodys_way(browser: Client) -> None:
    tournament = create_tournament(
        browser,
        format="double",
        round_count="-4",
        cycles="x",
        advancing_count="3",
        third_place="on",
        late_entry="on",
    )
    assert (tournament.round_count, tournament.cycles, tournament.advancing_count) == (None, 1, 1)
    assert (tournament.third_place, tournament.late_entry) == (False, False)


BAD: list[tuple[str, dict[str, str]]] = [
    ("correct", {"pairing": "TABLE"}),
    ("correct", {"pairing": "TABLE", "rank-0": "2", "rank-1": "2"}),
    ("correct", {"pairing": "TABLE", "rank-0": HUGE, "rank-1": "1"}),
    ("correct", {"pairing": "TABLE", "rank-0": "1", "rank-1": "2", "points-0": HUGE, "points-1": "-3"}),
    ("correct", {"pairing": "TABLE", "rank-0": "1", "rank-1": "2", "reason": "\0"}),
    ("extend", {"round": "1", "until": "2001-01-01T10:00"}),
    ("extend", {"round": "1", "until": "\0"}),
    ("extend", {"round": "1", "until": "9999-12-31T23:59"}),
    ("disqualify", {"entrant": "ENTRANT", "reason": ""}),
    ("disqualify", {"entrant": "ENTRANT", "reason": "x" * 501}),
    ("replace", {"entrant": "ENTRANT", "player": "nobody at all"}),
    ("replace", {"entrant": "ENTRANT", "player": "\0"}),
    ("replace", {"entrant": "ENTRANT", "player": "p1"}),
    ("seeds", {"order": "p1\nsomebody"}),
    ("co-organiser", {"name": "nobody at all"}),
    ("co-organiser", {"name": ""}),
    ("invite", {"names": "\0"}),
    ("cancel", {"reason": "x" * 501}),
    ("delete", {}),
    ("start", {}),
]
UNKNOWN = [
    ("correct", {"pairing": HUGE}),
    ("correct", {"pairing": "999999999"}),
    ("correct", {}),
    ("extend", {"round": "77"}),
    ("disqualify", {"entrant": "-1"}),
    ("replace", {"entrant": "\0"}),
    ("undo", {"decision": "123"}),
    ("answer", {"appeal": "x"}),
    ("co-organiser-remove", {"player": HUGE}),
    ("dance", {}),
]


def test_bad_input_gets_an_answer_and_changes_nothing(browser: Client) -> None:
    tournament = create_started_tournament("round-robin", 2)
    table, entrant_row = list_running_pairings(tournament)[0], tournament.entrants.latest("pk")

    def read_state() -> Any:
        return (
            Tournament.objects.values().get(),
            list(tournament.entrants.values()),
            tournament.pairings.values().get(),
        )

    before = read_state()
    for name, fields in BAD:
        filled = {key: value.replace("TABLE", str(table.pk)) for key, value in fields.items()}
        filled = {key: value.replace("ENTRANT", str(entrant_row.pk)) for key, value in filled.items()}
        answer = browser.post(action_path(tournament, name), filled)
        assert answer.status_code in (409, 422), (name, fields, answer.status_code)
        assert "errorlist" in answer.content.decode(), (name, fields)
        assert read_state() == before
        assert not tournament.decisions.exists()
    for name, fields in UNKNOWN:
        assert browser.post(action_path(tournament, name), fields).status_code == 404, (name, fields)
        assert browser.get(action_path(tournament, name), fields).status_code in (404, 405)
    answer = browser.post(action_path(tournament, "proceed"), follow=True)
    assert "not waiting for you" in answer.content.decode()
    for part in ("entrants", "tables"):
        for query in ({"name": "\0"}, {"page": HUGE}, {"page": "-1"}, {"name": "x" * 500}):
            assert browser.get(dashboard_path(tournament, part), query).status_code == 200
    assert browser.get("/tournaments/nothere/organise/").status_code == 404


def test_what_runs_can_be_changed_only_where_it_does_not_touch_the_games(browser: Client) -> None:
    tournament = create_started_tournament("swiss", 2, round_count=3)
    page = look(browser, f"/tournaments/{tournament.code}/edit/")
    assert "The tournament has started" in page.html
    fields = read_form_fields(page.html, page.forms[0].fields) | {
        "name": "The plate",
        "target": "9",
        "round_count": "7",
    }
    browser.post(f"/tournaments/{tournament.code}/edit/", fields)
    tournament.refresh_from_db()
    assert (tournament.name, tournament.target, tournament.round_count) == ("The plate", 1, 3)


def test_an_appeal_shows_what_was_sent_before_the_clock_acted_but_not_where_to(browser: Client) -> None:
    tournament = create_started_tournament("knockout", 2, timeout_policy="forfeit", **DAILY)
    table, game, late = first_table(tournament)
    mailed(late, NOW + MINUTE)
    end = time_out(game)
    sweep.sweep_tournaments(now=end)
    appeal = appeals.file_appeal(
        player=late, code=tournament.code, pairing_id=table.pk, text="I was away.", now=end
    )
    with CaptureQueriesContext(connection) as queries:
        page = look(browser, action_path(tournament, "answer", appeal=appeal.pk))
    assert len(queries) <= MOST_QUERIES, [query["sql"] for query in queries]
    for words in ("I was away.", "we resigned the game for this player", "your turn", "p…@…", "arrived"):
        assert words in page.html
    assert late.email not in page.html
