"""Tournaments in a browser without scripts: pages, forms and refusals."""

from __future__ import annotations

import random
import re
from datetime import timedelta
from typing import Any
from xml.etree import ElementTree

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games.models import Game
from games.services import bot_games
from tests.factories.events import (
    HOUR,
    NOW,
    create_started_tournament,
    entrant,
    find_pairing_of,
    get_host,
    get_player,
    list_running_pairings,
    play,
    published,
)
from tests.factories.evidence import DAILY, first_table, time_out
from tests.factories.leagues import create_started_league
from tests.helpers.plain_browser import Page, PlainBrowser
from tests.helpers.tournament_pages import browser, build_tournament_path, text_of_page
from tournaments import svg_drawing
from tournaments.models import Appeal, Entrant, Tournament, TournamentSecret
from tournaments.services import appeals, decisions, simulation, sweep, tournaments

pytestmark = pytest.mark.django_db
MOST_QUERIES = 13  # one reads the version that live pages compare


def send_form(client: Client, tournament: Tournament, command: str, **fields: Any) -> str:
    """Send a form; return the page that follows."""
    answer = client.post(build_tournament_path(tournament, f"{command}/"), fields, follow=True)
    assert answer.status_code == 200, answer.status_code
    return answer.content.decode()


def publish_open_tournament(count: int = 2, **fields: Any) -> Tournament:
    """Publish a tournament that accepts entries at any time."""
    return published("swiss", count, **fields)


# ------------------------------------------------------------------------------------------- before the start


def test_the_list_begins_with_ones_own_and_leads_to_the_rest() -> None:
    """Drafts are listed for their organisers only; an empty list names the next step."""
    assert "No tournaments yet" in text_of_page(browser(), "/tournaments/")
    own_tournament = publish_open_tournament(1)
    draft = tournaments.create_tournament(organiser=get_host(), name="Not yet", format="swiss", now=NOW)
    other = tournaments.create_tournament(organiser=get_host(), name="The other", format="knockout", now=NOW)
    tournaments.publish_tournament(by=get_host(), code=other.code, now=NOW)
    text = text_of_page(browser("p1"), "/tournaments/")
    assert (
        text.index("Your tournaments")
        < text.index(own_tournament.name)
        < text.index("Open for entries")
        < text.index("The other")
    )
    assert "Not yet" not in text
    assert "Not yet" in text_of_page(browser("host"), "/tournaments/")
    assert text_of_page(browser("p1"), build_tournament_path(draft), 404)
    assert "in preparation" in text_of_page(browser("host"), build_tournament_path(draft))


def test_one_joins_and_leaves_with_a_click_each() -> None:
    """A repeated entry changes nothing; leaving asks for confirmation."""
    tournament = publish_open_tournament()
    other_page = PlainBrowser(browser("eve"), build_tournament_path(tournament))
    form = other_page.page.form(action=build_tournament_path(tournament, "enter/"))
    assert other_page.press(form).status_code == 302
    assert other_page.press(form).status_code == 302
    assert Entrant.objects.filter(tournament=tournament, entrant_players__player__name="eve").count() == 1
    text = text_of_page(other_page.client, build_tournament_path(tournament))
    assert "You have entered" in text
    assert "already" in text
    leaving = PlainBrowser(other_page.client, build_tournament_path(tournament, "leave/"))
    assert "Cancel your entry?" in leaving.page.headings
    leaving.press(leaving.page.form(action=build_tournament_path(tournament, "leave/")))
    assert not Entrant.objects.filter(tournament=tournament, entrant_players__player__name="eve").exists()
    assert (
        other_page.client.get(build_tournament_path(tournament, "leave/")).status_code == 302
    )  # there is no entry to withdraw


def test_a_stranger_who_joins_signs_up_and_comes_back() -> None:
    """By the link and by a form sent directly; a guest, too."""
    tournament = publish_open_tournament()
    client = browser()
    back = f"/accounts/signup/?next=/tournaments/{tournament.code}/"
    assert back in {
        href for href, _at in Page(client.get(build_tournament_path(tournament)).content.decode()).links
    }
    answer = client.post(build_tournament_path(tournament, "enter/"))
    assert answer.status_code == 302
    assert answer["Location"].replace("%2F", "/") == back
    guest, _game = bot_games.start_bot_game(player=None, language="en", now=timezone.now())
    visitor = Client()
    visitor.force_login(guest)
    assert back in {
        href for href, _at in Page(visitor.get(build_tournament_path(tournament)).content.decode()).links
    }
    assert visitor.post(build_tournament_path(tournament, "enter/"))["Location"].replace("%2F", "/") == back
    assert tournament.entrants.count() == 2


def test_a_full_event_has_a_waiting_list_and_who_waits_moves_up() -> None:
    """The page shows the position on the waitlist."""
    tournament = publish_open_tournament(2, capacity=2)
    assert "Join the waiting list" in text_of_page(browser("eve"), build_tournament_path(tournament))
    assert "waiting list" in send_form(browser("eve"), tournament, "enter")
    send_form(browser("fay"), tournament, "enter")
    assert "You are number 2 on the waiting list" in text_of_page(
        browser("fay"), build_tournament_path(tournament)
    )
    send_form(browser("p1"), tournament, "leave")
    assert "You are number 1 on the waiting list" in text_of_page(
        browser("fay"), build_tournament_path(tournament)
    )
    assert "You have entered" in text_of_page(browser("eve"), build_tournament_path(tournament))
    assert "on the waiting list" in text_of_page(browser(), build_tournament_path(tournament, "entrants/"))


def test_only_who_confirms_will_play() -> None:
    """In a tournament with confirmation."""
    tournament = publish_open_tournament(2, confirmation=True)
    page = PlainBrowser(browser("p1"), build_tournament_path(tournament))
    assert "Confirm before the start" in page.page.html
    page.press(page.page.form(action=build_tournament_path(tournament, "confirm/")))
    assert entrant(tournament, "p1").confirmed_at
    assert "You have confirmed" in text_of_page(page.client, build_tournament_path(tournament))
    assert "confirmed" in text_of_page(browser(), build_tournament_path(tournament, "entrants/"))


def test_pairs_enter_by_the_partners_name() -> None:
    """An unknown name or the player's own name enters nobody."""
    tournament = published("knockout", 1, mode="pairs")
    get_player("carl")
    client = browser("dora")
    form = PlainBrowser(client, build_tournament_path(tournament)).page.form(
        action=build_tournament_path(tournament, "enter/")
    )
    assert "partner" in form.fields
    for name in ("nobody at all", "dora", "", "\0"):
        send_form(client, tournament, "enter", partner=name)
    assert tournament.entrants.count() == 1
    send_form(client, tournament, "enter", partner="carl")
    assert tournament.entrants.count() == 1
    assert "dora invites you to play in The cup as a pair." in text_of_page(
        browser("carl"), build_tournament_path(tournament)
    )
    assert "Waiting for an answer." in text_of_page(client, build_tournament_path(tournament))
    browser("carl").post(f"/proposals/{tournament.proposals.get(status='open').pk}/accept/")
    assert "You play with carl" in text_of_page(client, build_tournament_path(tournament))
    assert "You play with dora" in text_of_page(browser("carl"), build_tournament_path(tournament))


def test_who_cannot_enter_gets_the_reason() -> None:
    """Entries not open, entries closed, not invited, rating too high."""
    now = timezone.now()
    for fields, words in (
        ({"opens_at": now + timedelta(days=2)}, "Entries are not open yet"),
        ({"closes_at": now - timedelta(days=2)}, "Entries are closed"),
        ({"by_invitation": True}, "By invitation"),
        ({"max_rating": 100}, "You cannot enter"),
    ):
        tournament = tournaments.create_tournament(
            organiser=get_host(), name="Choosy", format="swiss", now=NOW, **fields
        )
        tournaments.publish_tournament(by=get_host(), code=tournament.code, now=NOW)
        page = Page(browser("eve").get(build_tournament_path(tournament)).content.decode())
        assert words in page.headings
        assert not [form for form in page.forms if form.action == build_tournament_path(tournament, "enter/")]
        send_form(browser("eve"), tournament, "enter")
        assert not tournament.entrants.exists()


# ---------------------------------------------------------------------------------------- running tournaments


def test_a_player_is_shown_the_next_step() -> None:
    """The page shows the player's turn with a link, or the opponent's turn; later the advance or the exit."""
    tournament = create_started_tournament("knockout", 4)
    table = find_pairing_of(tournament, "p1")
    assert table.game
    other = next(
        pairing_seat.entrant
        for pairing_seat in table.pairing_seats.all()
        if pairing_seat.entrant != entrant(tournament, "p1")
    )
    rival = other.entrant_players.get().player
    assert rival
    path = build_tournament_path(tournament)
    texts = {name: text_of_page(browser(name), path) for name in ("p1", rival.name)}
    assert f"You play {rival.name}" in texts["p1"]
    assert sum("your turn" in text for text in texts.values()) == 1
    assert (
        f'href="/games/{table.game.code}/"'
        in browser("p1").get(build_tournament_path(tournament)).content.decode()
    )
    assert "your turn" in text_of_page(browser(get_name_to_move(table)), "/tournaments/")
    for pairing in list_running_pairings(tournament):
        if pairing.pk == table.pk:
            decisions.correct_result(
                by=get_host(),
                code=tournament.code,
                pairing_id=pairing.pk,
                now=NOW,
                ranks=build_ranks(pairing, "p1"),
            )
    sweep.sweep_tournaments(now=NOW)
    assert "Nothing to do right now" in text_of_page(browser("p1"), build_tournament_path(tournament))
    assert "You are out" in text_of_page(browser(rival.name), build_tournament_path(tournament))


def get_name_to_move(table: Any) -> str:
    """Return the name of the player to move in a pairing."""
    seat = next(seat for seat in table.game.seats.all() if table.game.to_act_mask >> seat.seat_no & 1)
    return str(seat.player.name)


def build_ranks(table: Any, first: str) -> list[int]:
    """Return ranks in which this player is first."""
    pairing_seats = table.pairing_seats.order_by("seat_no").select_related("entrant")
    return [
        1 if pairing_seat.entrant.entrant_players.get().player.name == first else 2
        for pairing_seat in pairing_seats
    ]


def test_withdrawing_asks_first_and_is_done_once() -> None:
    """Afterwards the page says so and no longer offers to withdraw."""
    tournament = create_started_tournament("swiss", 4)
    page = PlainBrowser(browser("p1"), build_tournament_path(tournament, "withdraw/"))
    form = page.page.form(action=build_tournament_path(tournament, "withdraw/"))
    page.press(form)
    page.press(form)
    assert entrant(tournament, "p1").left_after_round == 1
    assert "You have withdrawn" in text_of_page(page.client, build_tournament_path(tournament))
    assert page.client.get(build_tournament_path(tournament, "withdraw/")).status_code == 302
    assert browser("stranger").get(build_tournament_path(tournament, "withdraw/")).status_code == 302


def test_a_round_of_a_swiss_event_can_be_sat_out() -> None:
    """Only the next round, from the tournament page; a value that is no number is refused."""
    tournament = create_started_tournament("swiss", 4, round_count=3)
    page = PlainBrowser(browser("p1"), build_tournament_path(tournament))
    page.press(page.page.form(action=build_tournament_path(tournament, "sit-out/")))
    assert entrant(tournament, "p1").absent_rounds == [2]
    assert "You sit out round 2." in text_of_page(page.client, build_tournament_path(tournament))
    for number in ("", "x", "1", "9" * 30, "\0"):
        send_form(page.client, tournament, "sit-out", round=number)
    assert entrant(tournament, "p1").absent_rounds == [2]


def test_an_appeal_is_made_once_and_read_with_its_answer_by_whoever_made_it() -> None:
    """The players of a pairing may appeal; others see neither the appeal nor the form."""
    tournament = create_started_tournament("knockout", 4)
    table = find_pairing_of(tournament, "p1")
    path = build_tournament_path(tournament, f"tables/{table.pk}/")
    assert "Something wrong?" not in text_of_page(browser("p1"), path)  # the game is still running
    play(table)
    sweep.sweep_tournaments(now=NOW)
    page = PlainBrowser(browser("p1"), path)
    form = page.page.form(action=build_tournament_path(tournament, "appeal/"))
    assert page.press(form, text="I was on a train.")["Location"] == path
    page.press(form, text="And once more.")
    assert Appeal.objects.count() == 1
    assert "No answer yet." in text_of_page(page.client, path)
    assert "train" not in text_of_page(browser(), path)
    rival = next(
        entrant_row
        for entrant_row in tournament.entrants.all()
        if entrant_row.pairing_seats.filter(pairing=table) and entrant_row != entrant(tournament, "p1")
    )
    appeals.answer_appeal(
        by=get_host(), code=tournament.code, appeal_id=Appeal.objects.get().pk, text="So be it.", now=NOW
    )
    assert "So be it." in text_of_page(page.client, path)
    beside = text_of_page(browser(rival.entrant_players.get().player.name), path)  # type: ignore[union-attr]
    assert "train" not in beside
    assert "So be it." not in beside
    assert "So be it." in text_of_page(browser("host"), path)
    stranger = browser("stranger")
    assert "Something wrong?" not in text_of_page(stranger, path)
    send_form(stranger, tournament, "appeal", pairing=table.pk, text="Me too.")
    assert Appeal.objects.count() == 1
    path = build_tournament_path(tournament, "appeal/")
    assert stranger.post(path, {"pairing": "9" * 40, "text": "x"}).status_code == 404
    assert (
        browser("p1")
        .post(build_tournament_path(tournament, "appeal/"), {"pairing": 10**8, "text": "x"})
        .status_code
        == 404
    )


@pytest.mark.parametrize(
    ("format", "count", "fields"),
    [
        ("knockout", 4, {"third_place": True}),
        ("double", 3, {}),
        ("round-robin", 3, {}),
        ("swiss", 3, {}),
        ("knockout", 4, {"table_size": 3, "advancing_count": 2}),
        ("round-robin", 5, {"table_size": 4, "round_count": 1}),
    ],
)
def test_every_part_can_be_read_from_start_to_end(format: str, count: int, fields: dict[str, Any]) -> None:
    """Read without an account while it runs, and by a player at the end; the seed appears only then."""
    tournament = create_started_tournament(format, count, **fields)
    check_every_page(tournament, browser())
    secret = bytes(TournamentSecret.objects.get(tournament=tournament).seed).hex()
    assert secret not in browser("host").get(build_tournament_path(tournament, "fairness/")).content.decode()
    while tournament.status != "finished":
        for table in list_running_pairings(tournament):
            order = list(range(1, table.pairing_seats.count() + 1))
            decisions.correct_result(
                by=get_host(), code=tournament.code, pairing_id=table.pk, ranks=order, now=NOW
            )
        sweep.sweep_tournaments(now=NOW)
        tournament.refresh_from_db()
    check_every_page(tournament, browser("p1"))
    assert "Won by" in text_of_page(browser(), build_tournament_path(tournament))
    assert secret not in text_of_page(
        browser(), build_tournament_path(tournament, "fairness/")
    )  # running games have hands that the seed would reveal
    for game in Game.objects.filter(pairing__tournament=tournament, status="running"):
        simulation.play_game(game.code, policy="random", rng=random.Random(1), now=NOW)
    sweep.sweep_tournaments(now=NOW + HOUR)
    text = text_of_page(browser(), build_tournament_path(tournament, "fairness/"))
    assert secret in text
    assert "The number agrees with the commitment." in text


def check_every_page(tournament: Tournament, client: Client) -> None:
    """Check that every page of a tournament responds and shows no raw codes."""
    pages = [
        build_tournament_path(tournament, part)
        for part in ("", "standings/", "entrants/", "fairness/", "rounds/1/")
    ]
    pages += [
        build_tournament_path(tournament, f"tables/{pairing.pk}/")
        for pairing in tournament.pairings.order_by("pk")[:2]
    ]
    for path in pages:
        text = text_of_page(client, path)
        assert not re.search(r"%\(|\bNone\b|\{[{%]", text), text
    assert client.get(build_tournament_path(tournament, "bracket/"), follow=True).status_code == 200
    picture = client.get(build_tournament_path(tournament, "bracket.svg"))
    drawn = tournament.format in ("knockout", "double") or (
        tournament.format == "round-robin" and tournament.table_size == 2
    )
    assert picture.status_code == (200 if drawn else 404)
    if drawn:
        ElementTree.fromstring(picture.content)
        assert svg_drawing.STYLE_HASH in picture["Content-Security-Policy"]


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("nothere/", 404),
        ("nothere/standings/", 404),
        ("nothere/bracket.svg", 404),
        ("CODE/rounds/0/", 404),
        ("CODE/rounds/999999999999999999999/", 404),
        ("CODE/tables/999999999999999999999/", 404),
        ("CODE/tables/1/", 404),
        ("CODE/standings/?page=-7", 200),
        ("CODE/standings/?page=%00", 200),
        ("CODE/entrants/?page=99999999999999999999", 200),
        ("CODE/bracket/?round=%00", 200),
        ("?show=%00&page=x", 200),
    ],
)
def test_addresses_that_nobody_gave_out_are_answered_calmly(path: str, status: int) -> None:
    """The response is an existing page or a 404."""
    tournament = published("knockout", 2)
    assert browser().get("/tournaments/" + path.replace("CODE", tournament.code)).status_code == status
    assert browser("p1").post(build_tournament_path(tournament, "nonsense/")).status_code == 404


def test_a_game_says_which_tournament_it_belongs_to() -> None:
    """Pages of other games need no query for it."""
    tournament = create_started_tournament("knockout", 2)
    table = find_pairing_of(tournament, "p1")
    assert table.game
    text = text_of_page(browser(), f"/games/{table.game.code}/")
    assert f"Tournament: {tournament.name}" in text
    assert (
        build_tournament_path(tournament, f"tables/{table.pk}/")
        in browser().get(f"/games/{table.game.code}/").content.decode()
    )


def test_private_games_are_not_linked_for_others() -> None:
    """Their results are public."""
    tournament = create_started_tournament("knockout", 2, private=True)
    table = find_pairing_of(tournament, "p1")
    assert table.game
    path = build_tournament_path(tournament, f"tables/{table.pk}/")
    assert table.game.code in browser("p1").get(path).content.decode()
    assert table.game.code not in browser().get(path).content.decode()


def test_late_comers_enter_a_running_swiss_and_whoever_waits_may_leave() -> None:
    """With the forms that are used before the start."""
    tournament = create_started_tournament("swiss", 4, late_entry=True, capacity=5, round_count=4)
    page = PlainBrowser(browser("eve"), build_tournament_path(tournament))
    assert "Enter now to play from the next round on" in page.page.html
    page.press(page.page.form(action=build_tournament_path(tournament, "enter/")))
    assert entrant(tournament, "eve").first_round == 2
    assert "Nothing to do right now" in text_of_page(page.client, build_tournament_path(tournament))
    send_form(browser("fay"), tournament, "enter")
    assert "You are on the waiting list" in text_of_page(browser("fay"), build_tournament_path(tournament))
    leaving = PlainBrowser(browser("fay"), build_tournament_path(tournament, "leave/"))
    leaving.press(leaving.page.form(action=build_tournament_path(tournament, "leave/")))
    assert tournament.entrants.count() == 5
    assert "Take part" not in text_of_page(
        browser("gus"), build_tournament_path(create_started_tournament("swiss", 4, round_count=4))
    )


def test_what_was_sent_before_time_was_up_is_shown_to_those_concerned() -> None:
    """The pairing's page links to it; for others the page does not exist."""
    tournament = create_started_tournament("knockout", 2, timeout_policy="forfeit", **DAILY)
    table, game, late = first_table(tournament)
    now = time_out(game)
    sweep.sweep_tournaments(now=now)
    path = build_tournament_path(tournament, f"tables/{table.pk}/")
    for name in (late.name, "host"):
        assert f"{path}evidence/" in browser(name).get(path).content.decode()
        client = browser(name)
        with CaptureQueriesContext(connection) as queries:
            text = text_of_page(client, f"{path}evidence/")
        assert "Timeout: we resigned the game for this player." in text
        assert len(queries) <= MOST_QUERIES
    assert "timeout" in text_of_page(browser(), path)
    assert "evidence" not in browser().get(path).content.decode()
    for name in ("", "stranger"):
        assert text_of_page(browser(name), f"{path}evidence/", 404)


def test_the_event_of_a_division_leads_to_its_league() -> None:
    """The division accepts no direct entries, and a substitute may replace an entrant who leaves."""
    league = create_started_league(4, division_size=4)
    tournament = Tournament.objects.get(division__season__league=league)
    member = tournament.entrant_players.order_by("pk")[0].player
    assert member
    client = browser(member.name)
    client.get(build_tournament_path(tournament))
    with CaptureQueriesContext(connection) as queries:
        answer = client.get(build_tournament_path(tournament))
    assert len(queries) <= MOST_QUERIES
    assert f'href="/leagues/{league.code}/"' in answer.content.decode()
    assert "substitute" in text_of_page(client, build_tournament_path(tournament, "withdraw/"))
    assert "Take part" not in text_of_page(browser("stranger"), build_tournament_path(tournament))
