"""An organiser at a browser without scripts: from the empty form to the end, and what others get to see."""

from __future__ import annotations

import re
from datetime import timedelta
from html import unescape
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games.models import Player
from tests import database
from tests.games.plain import Page
from tournaments.models import Appeal, Entrant, EntrantPlayer, Tournament
from tournaments.services import appeals, entries, proposals, sweep, tournaments

from .play import NOW, host, name_at, playing, someone, started
from .test_evidence import DAILY, MINUTE, first_table, mailed, time_out

pytestmark = pytest.mark.django_db
HUGE = "9" * 400
MOST_QUERIES, MOST_BYTES = 12, 100_000


def at(player: Player) -> Client:
    client = Client()
    client.force_login(player)
    return client


@pytest.fixture
def browser() -> Client:
    client = at(host())
    client.get("/tournaments/new/")  # that somebody is here is written down once in a while, not for a page
    return client


def look(client: Client, path: str, status: int = 200) -> Page:
    answer = client.get(path)
    assert answer.status_code == status, (path, answer.status_code)
    return Page(answer.content.decode())


def send(client: Client, path: str, said: str = "", **fields: Any) -> str:
    """Open a page, send its first form with some fields filled in, and read what comes of it."""
    page = look(client, path)
    form = next(one for one in page.forms if one.method == "post" and one.action != "/language/")
    answer = client.post(form.action or path, chosen(page.html, form.fields) | fields, follow=True)
    html = answer.content.decode()
    told = re.findall(r'class="(?:errorlist|notice)[^>]*>.*?</', html)
    assert (answer.status_code, said in html) == (200, True), told
    return html


def chosen(html: str, fields: dict[str, str]) -> dict[str, str]:
    """The fields of a form with what its lists and large fields hold, which the plain browser leaves out."""
    found = dict(fields)
    for name, inside in re.findall(r'<select name="([^"]+)".*?>(.*?)</select>', html, re.DOTALL):
        picked = re.search(r'<option value="([^"]*)" selected', inside)
        found[name] = picked[1] if picked else ""
    for name, inside in re.findall(r'<textarea name="([^"]+)".*?>\s*(.*?)</textarea>', html, re.DOTALL):
        found[name] = unescape(inside)
    return found


def action_path(event: Tournament, name: str, **about: Any) -> str:
    query = "&".join(f"{key}={value}" for key, value in about.items())
    return f"/tournaments/{event.code}/organise/{name}/" + (f"?{query}" if query else "")


def dashboard_path(event: Tournament, part: str = "") -> str:
    return f"/tournaments/{event.code}/organise/" + (f"{part}/" if part else "")


def settle(event: Tournament) -> None:
    sweep.sweep_tournaments(now=timezone.now() + timedelta(seconds=1))
    event.refresh_from_db()


def laid_down(client: Client, **fields: Any) -> Tournament:
    send(client, "/tournaments/new/", "It is made.", name="The cup", **fields)
    return Tournament.objects.latest("pk")


# ------------------------------------------------------------------------------------------ the whole course


def test_a_name_and_a_format_are_enough(browser: Client) -> None:
    event = laid_down(browser, format="swiss")
    assert (event.status, event.format, event.table, event.mode) == ("draft", "swiss", 2, "singles")
    assert (event.clock, event.cards, event.chat, event.rated, event.ask) == ("2d", True, True, True, True)
    assert (event.starts_at, event.capacity, event.rounds, event.round_length) == (None, None, None, None)
    assert event.organiser == host()


def test_everything_that_is_filled_in_is_laid_down_in_the_zone_of_who_fills_it_in(browser: Client) -> None:
    Player.objects.filter(pk=host().pk).update(time_zone="Europe/Rome")
    event = laid_down(
        browser,
        format="swiss",
        seats="4",
        clock="custom",
        text="Bring <b>cake</b>.",
        rounds="5",
        starts_at="2031-07-01T20:00",
        opens_at="2031-06-01T08:30",
        closes_at="2031-08-01T20:00",
        late="on",
        capacity="64",
        when_full="on",
        seeding="rating",
        review="on",
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
    assert (event.table, event.rounds, event.capacity, event.target) == (4, 5, 64, 8)
    assert (event.clock, event.allowance, event.bank) == ("custom", 8 * 3600, 2 * 86400)
    assert (event.short_allowance, event.blind_allowance, event.round_length) == (7200, 1800, 21 * 86400)
    assert (event.late, event.when_full, event.review, event.vacation) == (True, True, True, False)
    assert (event.edition, event.seeding, event.text) == ("bannan-nl", "rating", "Bring <b>cake</b>.")
    assert event.starts_at
    assert event.starts_at.isoformat() == "2031-07-01T18:00:00+00:00"
    page = look(browser, f"/tournaments/{event.code}/edit/")
    assert 'value="2031-07-01T20:00"' in page.html
    assert "Bring &lt;b&gt;cake" in page.html
    send(browser, f"/tournaments/{event.code}/edit/", "Saved.")  # nothing was touched: nothing changes
    before = {field.attname: getattr(event, field.attname) for field in Tournament._meta.concrete_fields}
    event.refresh_from_db()
    assert before == {name: getattr(event, name) for name in before}
    send(browser, f"/tournaments/{event.code}/edit/", "Saved.", clock="7d", name="The great cup")
    event.refresh_from_db()
    assert (event.name, event.clock, event.allowance) == ("The great cup", "7d", 7 * 86400)
    assert event.short_allowance == 7 * 86400 // 4
    assert event.table == 4


def test_a_tournament_from_its_draft_to_its_end(browser: Client) -> None:
    event = laid_down(browser, format="swiss", rounds="2", target="1", cards="", rated="")
    send(browser, f"/tournaments/{event.code}/edit/", "Saved.", text="For all.")
    assert "Nobody sees it yet" in look(browser, dashboard_path(event)).html
    page = look(browser, dashboard_path(event))
    publish = page.form(action=action_path(event, "publish"))
    assert "people can enter" in browser.post(publish.action, publish.fields, follow=True).content.decode()
    assert "published already" in browser.post(publish.action, publish.fields, follow=True).content.decode()
    for name in ("ann", "ben", "cat"):
        entries.enter_tournament(player=someone(name), code=event.code, now=timezone.now())
    send(browser, action_path(event, "seeds"), "The order is saved.", order="cat\nAnn")
    assert entrant(event, "cat").seed == 1
    assert "cat" in look(browser, action_path(event, "seeds")).html
    # Three: one has a bye, and the round waits.
    page = look(browser, f"/tournaments/{event.code}/preview/")
    assert "would have no game" in page.html
    assert not event.tables.exists()
    assert "3 take part" in look(browser, action_path(event, "start")).html
    send(browser, action_path(event, "start"), "It starts in a moment.")
    settle(event)
    assert (event.status, event.held) == ("running", "odd-number")
    page = look(browser, dashboard_path(event))
    assert "The next round waits for you" in page.html
    assert "would have no game" in page.html
    go_on = page.form(action=action_path(event, "proceed"))
    assert "in a moment" in browser.post(go_on.action, go_on.fields, follow=True).content.decode()
    settle(event)
    assert event.tables.count() == 2
    # A round is given an end, and it is taken back.
    until = (timezone.now() + timedelta(days=3)).strftime("%Y-%m-%dT%H:%M")
    send(
        browser,
        action_path(event, "extend", round=1),
        "The end of the round is moved.",
        until=until,
        why="rain",
    )
    assert event.published.get().ends_at
    assert "rain" in look(browser, dashboard_path(event, "log")).html
    first = event.decisions.get(what="extend")
    send(browser, action_path(event, "undo", decision=first.pk), "It is taken back.", why="sun")
    assert event.published.get().ends_at is None
    # Somebody plays for another, and a result is written.
    table = playing(event)[0]
    old = entrant(event, name_at(table, 0))
    someone("dan")
    send(
        browser,
        action_path(event, "replace", entrant=old.pk),
        "dan is asked to play on",
        player="dan",
        why="ill",
    )
    assert name_at(table, 0) != "dan"
    assert "dan is asked to play on for" in look(browser, dashboard_path(event, "entrants")).html
    proposals.accept_proposal(player=someone("dan"), proposal_id=event.proposals.get().pk, now=timezone.now())
    assert name_at(table, 0) == "dan"
    won = {"rank-0": "1", "rank-1": "2", "points-0": "9", "points-1": "3", "eights-0": "1"}
    send(browser, action_path(event, "correct", table=table.pk), "The result is written.", **won)
    table.refresh_from_db()
    result = table.result or {}
    assert (result["ranks"], result["points"], result["eights"]) == ([1, 2], [9, 3], [1, 0])
    assert (result["forfeits"], result["by"]) == ([], "organiser")
    # A player objects, and is answered.
    loser = someone(name_at(table, 1))
    asked = appeals.file_appeal(
        player=loser, code=event.code, pairing_id=table.pk, text="I won!", now=timezone.now()
    )
    assert "I won!" in look(browser, dashboard_path(event)).html
    page = look(browser, action_path(event, "answer", appeal=asked.pk))
    assert "I won!" in page.html
    send(browser, action_path(event, "answer", appeal=asked.pk), "The answer is sent.", text="You did not.")
    asked.refresh_from_db()
    assert (asked.answer, asked.answered_by) == ("You did not.", host())
    assert "You did not." in look(browser, dashboard_path(event, "appeals")).html
    # Somebody is out, with a reason.
    out = entrant(event, "dan")
    send(
        browser, action_path(event, "disqualify", entrant=out.pk), "dan is disqualified.", why="two accounts"
    )
    out.refresh_from_db()
    assert out.status == Entrant.Status.DISQUALIFIED
    log = look(browser, dashboard_path(event, "log")).html
    for words in ("two accounts", "ill", "dan was disqualified", "dan plays in the place of", host().name):
        assert words in log
    settle(event)
    # It is given up.
    send(browser, action_path(event, "cancel"), "It is cancelled.", why="nobody is left")
    event.refresh_from_db()
    assert event.status == "cancelled"
    assert "It is cancelled" in look(browser, dashboard_path(event)).html


def entrant(event: Tournament, name: str) -> Entrant:
    return event.entrants.get(members__player__name=name)


def test_a_draft_can_be_thrown_away(browser: Client) -> None:
    event = laid_down(browser, format="knockout")
    answer = browser.post(action_path(event, "delete"))
    assert (answer.status_code, answer["Location"]) == (302, "/tournaments/")
    assert not Tournament.objects.exists()


def test_people_are_added_and_taken_away_by_name(browser: Client) -> None:
    event = laid_down(browser, format="knockout", by_invitation="on")
    ann = someone("ann")
    answer = browser.post(action_path(event, "invite"), {"names": "ANN\n\n ann \n"}, follow=True)
    assert "1 invitation." in answer.content.decode()
    assert [one.player for one in event.invites.all()] == [ann]
    answer = browser.post(action_path(event, "invite"), {"names": "ann\nnobody at all\nben"})
    assert answer.status_code == 422
    assert "Nobody here is called nobody at all." in answer.content.decode()
    assert "nobody at all\nben" in answer.content.decode().replace("\r", "")
    assert "ann" in look(browser, dashboard_path(event, "people")).html
    browser.post(action_path(event, "uninvite"), {"player": ann.pk})
    assert not event.invites.exists()
    browser.post(action_path(event, "helper"), {"name": "Ann"})
    at(ann).post(f"/proposals/{event.proposals.get().pk}/", {"answer": "accept"})
    assert (list(event.helpers.all()), look(at(ann), dashboard_path(event)).headings[0]) == ([ann], "The cup")
    browser.post(action_path(event, "helper-remove"), {"player": ann.pk})
    assert look(at(ann), dashboard_path(event), 404)


# -------------------------------------------------------------------------------------------- not for others


def test_others_get_no_further_than_the_door() -> None:
    event = started("knockout", 4)
    table = playing(event)[0]
    before = Tournament.objects.values().get()
    stranger, nobody = at(someone("stranger")), Client()
    paths = [dashboard_path(event, part) for part in ("", "entrants", "tables", "appeals", "log", "people")]
    paths += [f"/tournaments/{event.code}/edit/", f"/tournaments/{event.code}/preview/"]
    paths += [action_path(event, "cancel"), action_path(event, "correct", table=table.pk)]
    for path in paths:
        answer = stranger.get(path)
        assert answer.status_code == 403, path
        assert "who does not organise The cup" in answer.content.decode()
        assert nobody.get(path).status_code == 302
    for name in ("cancel", "start", "proceed", "delete", "helper", "disqualify", "correct", "seeds"):
        fields = {"table": table.pk, "name": "stranger", "rank-0": "1", "rank-1": "2", "why": "x"}
        fields["entrant"] = event.entrants.first().pk  # type: ignore[union-attr]
        assert stranger.post(action_path(event, name), fields).status_code == 403
        assert nobody.post(action_path(event, name), fields).status_code == 302
    assert Tournament.objects.values().get() == before
    Tournament.objects.update(status="draft")
    for path in paths:
        assert stranger.get(path).status_code == 404
    assert stranger.post(action_path(event, "publish")).status_code == 404


# ------------------------------------------------------------------------------------------------- bad input


WRONG: list[tuple[dict[str, str], str]] = [
    ({"name": ""}, "name"),
    ({"name": "x" * 81}, "name"),
    ({"name": "a\0b"}, "name"),
    ({"format": "chess"}, "format"),
    ({"format": "double", "seats": "3"}, "seats"),
    ({"seats": "7"}, "seats"),
    ({"clock": "custom"}, "allowance"),
    ({"clock": "custom", "allowance_0": "0", "allowance_1": "60", "bank_0": "1"}, "allowance"),
    ({"clock": "custom", "allowance_0": HUGE, "bank_0": HUGE}, "bank"),
    ({"clock": "sundial"}, "clock"),
    ({"rounds": HUGE, "format": "swiss"}, "rounds"),
    ({"rounds": "\0", "format": "swiss"}, "rounds"),
    ({"advance": "2", "seats": "2", "capacity": HUGE}, "capacity"),
    ({"advance": "3", "seats": "3"}, "advance"),
    ({"advance": "3", "seats": "4"}, "advance"),
    ({"when_full": "on"}, "capacity"),
    ({"starts_at": "0001-01-01T00:00"}, "starts_at"),
    ({"starts_at": "9999-12-31T23:59"}, "starts_at"),
    ({"starts_at": "soon"}, "starts_at"),
    ({"opens_at": "2031-01-02T10:00", "starts_at": "2031-01-01T10:00"}, "starts_at"),
    ({"closes_at": "2031-01-02T10:00", "starts_at": "2031-01-01T10:00"}, "starts_at"),
    ({"least_rating": "1800", "most_rating": "1700"}, "least_rating"),
    ({"least_rating": "-1"}, "least_rating"),
    ({"round_length_0": "1", "round_length_1": "60"}, "round_length"),
    ({"round_length_0": "500", "round_length_1": "86400"}, "round_length"),
    ({"blind_allowance_0": "5", "blind_allowance_1": "fortnights"}, "blind_allowance"),
    ({"target": HUGE}, "target"),
    ({"edition": "\0"}, "edition"),
    ({"text": "x" * 5001}, "text"),
]


def test_what_cannot_be_is_told_beside_its_field_and_nothing_is_lost(browser: Client) -> None:
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
    event = laid_down(
        browser, format="double", rounds="-4", laps="x", advance="3", third_place="on", late="on"
    )
    assert (event.rounds, event.laps, event.advance, event.third_place, event.late) == (
        None,
        1,
        1,
        False,
        False,
    )


BAD: list[tuple[str, dict[str, str]]] = [
    ("correct", {"table": "TABLE"}),
    ("correct", {"table": "TABLE", "rank-0": "2", "rank-1": "2"}),
    ("correct", {"table": "TABLE", "rank-0": HUGE, "rank-1": "1"}),
    ("correct", {"table": "TABLE", "rank-0": "1", "rank-1": "2", "points-0": HUGE, "points-1": "-3"}),
    ("correct", {"table": "TABLE", "rank-0": "1", "rank-1": "2", "why": "\0"}),
    ("extend", {"round": "1", "until": "2001-01-01T10:00"}),
    ("extend", {"round": "1", "until": "\0"}),
    ("extend", {"round": "1", "until": "9999-12-31T23:59"}),
    ("disqualify", {"entrant": "ENTRANT", "why": ""}),
    ("disqualify", {"entrant": "ENTRANT", "why": "x" * 501}),
    ("replace", {"entrant": "ENTRANT", "player": "nobody at all"}),
    ("replace", {"entrant": "ENTRANT", "player": "\0"}),
    ("replace", {"entrant": "ENTRANT", "player": "p1"}),
    ("seeds", {"order": "p1\nsomebody"}),
    ("helper", {"name": "nobody at all"}),
    ("helper", {"name": ""}),
    ("invite", {"names": "\0"}),
    ("cancel", {"why": "x" * 501}),
    ("delete", {}),
    ("start", {}),
]
UNKNOWN = [
    ("correct", {"table": HUGE}),
    ("correct", {"table": "999999999"}),
    ("correct", {}),
    ("extend", {"round": "77"}),
    ("disqualify", {"entrant": "-1"}),
    ("replace", {"entrant": "\0"}),
    ("undo", {"decision": "123"}),
    ("answer", {"appeal": "x"}),
    ("helper-remove", {"player": HUGE}),
    ("dance", {}),
]


def test_bad_input_gets_an_answer_and_changes_nothing(browser: Client) -> None:
    event = started("round-robin", 2)
    table, one = playing(event)[0], event.entrants.latest("pk")

    def state() -> Any:
        return Tournament.objects.values().get(), list(event.entrants.values()), event.tables.values().get()

    before = state()
    for name, fields in BAD:
        filled = {key: value.replace("TABLE", str(table.pk)) for key, value in fields.items()}
        filled = {key: value.replace("ENTRANT", str(one.pk)) for key, value in filled.items()}
        answer = browser.post(action_path(event, name), filled)
        assert answer.status_code in (409, 422), (name, fields, answer.status_code)
        assert "errorlist" in answer.content.decode(), (name, fields)
        assert state() == before
        assert not event.decisions.exists()
    for name, fields in UNKNOWN:
        assert browser.post(action_path(event, name), fields).status_code == 404, (name, fields)
        assert browser.get(action_path(event, name), fields).status_code in (302, 404)
    answer = browser.post(action_path(event, "proceed"), follow=True)
    assert "does not wait for you" in answer.content.decode()
    for part in ("entrants", "tables"):
        for query in ({"name": "\0"}, {"page": HUGE}, {"page": "-1"}, {"name": "x" * 500}):
            assert browser.get(dashboard_path(event, part), query).status_code == 200
    assert browser.get("/tournaments/nothere/organise/").status_code == 404


def test_what_runs_can_be_changed_only_where_it_does_not_touch_the_games(browser: Client) -> None:
    event = started("swiss", 2, rounds=3)
    page = look(browser, f"/tournaments/{event.code}/edit/")
    assert "It is running" in page.html
    fields = chosen(page.html, page.forms[0].fields) | {"name": "The plate", "target": "9", "rounds": "7"}
    browser.post(f"/tournaments/{event.code}/edit/", fields)
    event.refresh_from_db()
    assert (event.name, event.target, event.rounds) == ("The plate", 1, 3)


def test_an_appeal_shows_what_was_sent_before_the_clock_acted_but_not_where_to(browser: Client) -> None:
    event = started("knockout", 2, timeouts="forfeit", **DAILY)
    table, game, late = first_table(event)
    mailed(late, NOW + MINUTE)
    end = time_out(game)
    sweep.sweep_tournaments(now=end)
    asked = appeals.file_appeal(
        player=late, code=event.code, pairing_id=table.pk, text="I was away.", now=end
    )
    with CaptureQueriesContext(connection) as queries:
        page = look(browser, action_path(event, "answer", appeal=asked.pk))
    assert len(queries) <= MOST_QUERIES, [query["sql"] for query in queries]
    for words in ("I was away.", "the game was resigned for them", "your turn", "p…@…", "arrived"):
        assert words in page.html
    assert late.email not in page.html


# --------------------------------------------------------------------------------------------- however large


def test_the_desk_of_a_large_event_costs_no_more_than_that_of_a_small_one(browser: Client) -> None:
    event = tournaments.create_tournament(organiser=host(), name="Large", format="swiss", now=timezone.now())
    tournaments.publish_tournament(by=host(), code=event.code, now=timezone.now())
    many = Player.objects.bulk_create(
        [Player(name=f"guest{n}", email=f"g{n}@example.org", joined_at=timezone.now()) for n in range(511)]
    )
    found = Entrant.objects.bulk_create([Entrant(event=event, entered_at=timezone.now()) for _one in many])
    EntrantPlayer.objects.bulk_create(
        [EntrantPlayer(event=event, entrant=one, player=who) for one, who in zip(found, many, strict=True)]
    )
    database.count()
    with CaptureQueriesContext(connection) as queries:
        answer = browser.get(f"/tournaments/{event.code}/preview/")
    assert "Page 1 of 11" in answer.content.decode()
    assert len(answer.content) < MOST_BYTES
    assert len(queries) <= MOST_QUERIES, [query["sql"] for query in queries]
    tournaments.start_tournament(by=host(), code=event.code, now=timezone.now())
    assert sweep.run_next_step(event.pk, timezone.now()) == "began"
    assert sweep.run_next_step(event.pk, timezone.now()) == "held"
    looked_at(browser, event)
    browser.post(action_path(event, "proceed"))
    assert sweep.run_next_step(event.pk, timezone.now()) == "paired"
    Appeal.objects.bulk_create(
        [
            Appeal(table=table, by=many[n], at=timezone.now(), text="Look at this. " * 60)
            for n, table in enumerate(event.tables.all()[:60])
        ]
    )
    database.count()
    looked_at(browser, event)
    assert "guest77" in look(browser, dashboard_path(event, "entrants") + "?name=guest77").html
    assert "guest77" in look(browser, dashboard_path(event, "tables") + "?name=guest77").html


def looked_at(browser: Client, event: Tournament) -> None:
    paths = [dashboard_path(event, part) for part in ("", "entrants", "tables", "appeals", "log", "people")]
    paths += [dashboard_path(event, "tables") + "?playing&page=3", f"/tournaments/{event.code}/preview/"]
    for path in paths:
        with CaptureQueriesContext(connection) as queries:
            answer = browser.get(path)
        assert answer.status_code == 200
        assert len(queries) <= MOST_QUERIES, (path, [query["sql"] for query in queries])
        assert len(answer.content) < MOST_BYTES, path
