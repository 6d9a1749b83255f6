"""Leagues in a browser: joining, leaving, viewing, organising."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import Player
from accounts.services import export
from common.service_errors import Conflict
from tests.factories.events import NOW, get_host, get_player
from tests.factories.guesting import play_now, play_on
from tests.factories.leagues import create_started_league, league_of, play_season, season
from tests.helpers import mail_outages
from tests.helpers.league_pages import (
    EMAIL,
    ask_to_join,
    build_league_path,
    find_join_link,
    organiser,
    press,
    sign_in_as,
    status,
)
from tests.helpers.league_pages import (
    reset_limits as reset_limits,
)
from tests.helpers.plain_browser import Page, PlainBrowser
from tournaments.leagues.selectors.season_entries import find_season_entry
from tournaments.leagues.services import join_requests, leagues, seasons
from tournaments.models import JoinRequest, League, LeagueMember
from tournaments.services import sweep

pytestmark = pytest.mark.django_db
# ---------------------------------------------------------------------------------------- joining and leaving


def test_a_player_joins_with_one_button_goes_out_and_comes_back() -> None:
    league, client = league_of(2), sign_in_as("ada")
    assert "Join league" in PlainBrowser(client, build_league_path(league)).page.html
    page = press(client, league, "join")
    assert status(league, "ada") == "member"
    assert "You are a member" in page.headings
    assert "/players/ada/" in page.html
    press(client, league, "leave")
    assert status(league, "ada") == "out"
    page = press(client, league, "join")
    assert status(league, "ada") == "member"
    press(client, league, "stand-by")
    assert status(league, "ada") == "substitute"
    press(client, league, "leave")
    assert LeagueMember.objects.filter(league=league, player=get_player("ada")).count() == 1


def test_who_drops_out_says_so_twice_and_a_substitute_plays_on() -> None:
    league = create_started_league(4)
    leagues.set_member_status(player=get_player("spare"), code=league.code, now=NOW, status="substitute")
    client = sign_in_as("p2")
    assert "Check the box" in press(client, league, "drop-out").html
    assert status(league, "p2") == "member"
    press(client, league, "drop-out", sure="1")
    assert (status(league, "p2"), status(league, "spare")) == ("out", "member")
    assert season(league).placements.filter(player=get_player("spare")).exists()
    assert (
        "do not play"
        in Page(
            client.post(f"{build_league_path(league)}drop-out/", {"sure": "1"}, follow=True).content.decode()
        ).html
    )


def test_a_player_who_withdraws_without_a_substitute_is_out_of_the_season() -> None:
    league, client = create_started_league(2), sign_in_as("p2")
    assert "Withdraw from this season" in PlainBrowser(client, build_league_path(league)).page.html
    page = press(client, league, "drop-out", sure="1")
    assert "You have withdrawn" in page.headings
    assert "Your running games continue" not in page.html
    assert "Withdraw from this season" not in page.html
    with pytest.raises(Conflict, match="already left"):
        leagues.drop_out_of_season(player=get_player("p2"), code=league.code, now=NOW)
    assert "You are a member" in press(client, league, "join").headings


def test_a_withdrawal_from_a_season_happens_as_a_whole_or_not_at_all() -> None:
    league = create_started_league(2)
    League.objects.update(status=League.Status.CLOSED)  # membership can no longer change
    with pytest.raises(Conflict, match="closed"):
        leagues.drop_out_of_season(player=get_player("p2"), code=league.code, now=NOW)
    season_entry = find_season_entry(league, get_player("p2"))
    assert season_entry
    assert season_entry.entrant.is_active


def test_pairs_join_together(client: Client) -> None:
    league, ada = league_of(0, mode="pairs"), sign_in_as("ada")
    get_player("bob")
    assert (
        "with a partner"
        in Page(ada.post(f"{build_league_path(league)}join/", follow=True).content.decode()).html
    )
    assert "No player is called" in press(ada, league, "join", partner="no such").html
    page = press(ada, league, "join", partner="bob")
    assert "We have asked bob. You join as soon as they accept." in page.html
    assert (status(league, "ada"), status(league, "bob")) == (None, None)
    bob = sign_in_as("bob")
    assert "ada invites you to play in" in PlainBrowser(bob, build_league_path(league)).page.html
    bob.post(f"/proposals/{league.proposals.get().pk}/accept/")
    assert "Your partner is bob." in PlainBrowser(ada, build_league_path(league)).page.html
    assert (status(league, "ada"), status(league, "bob")) == ("member", "member")
    ask_to_join(client, league)
    client.post(find_join_link(mail.outbox[0]), {"name": "Elsa"})
    page = PlainBrowser(client, build_league_path(league)).page
    assert "enter your partner’s name" in page.html
    assert status(league, "Elsa") is None


def test_a_button_pressed_twice_is_pressed_once() -> None:
    league, client = league_of(1), sign_in_as("ada")
    for _ in range(2):
        client.post(f"{build_league_path(league)}join/")
    assert status(league, "ada") == "member"
    assert league.league_members.count() == 2


def test_an_unknown_command_is_not_found_and_a_command_is_only_posted() -> None:
    league, client = league_of(1), sign_in_as("ada")
    assert client.post(f"{build_league_path(league)}conquer/").status_code == 404
    assert client.get(f"{build_league_path(league)}join/").status_code == 405
    assert status(league, "ada") is None
    assert client.get("/leagues/nothere/").status_code == 404
    assert client.post("/leagues/nothere/join/").status_code == 404
    for number in ("0", "2", "9" * 30):
        assert client.get(f"{build_league_path(league)}seasons/{number}/").status_code == 404


def test_a_closed_league_lets_nobody_in(client: Client) -> None:
    league = league_of(2)
    leagues.close_league(by=get_host(), code=league.code, now=NOW)
    page = PlainBrowser(client, build_league_path(league)).page
    assert "This league is closed" in page.headings
    assert client.post(f"{build_league_path(league)}ask/", {"email": EMAIL}).status_code == 302
    assert not mail.outbox
    page = Page(sign_in_as("ada").post(f"{build_league_path(league)}join/", follow=True).content.decode())
    assert "already closed" in page.html
    assert status(league, "ada") is None


# ------------------------------------------------------------------------------- visitors without an account


def test_a_stranger_joins_in_two_steps(client: Client) -> None:
    league = league_of(2)
    answer = ask_to_join(client, league)
    assert answer["Location"] == f"{build_league_path(league)}asked/"
    assert "Check your mail" in Page(client.get(answer["Location"]).content.decode()).headings
    assert not Player.objects.filter(email=EMAIL).exists()
    [message] = mail.outbox
    assert message.to == [EMAIL]
    reader = Client()  # the mail is read in another browser
    browser_page = PlainBrowser(reader, find_join_link(message))
    assert not Player.objects.filter(email=EMAIL).exists(), "mail scanners open links: to look does nothing"
    answer = browser_page.press(browser_page.page.form(action=""))
    assert answer["Location"] == build_league_path(league)
    page = Page(reader.get(build_league_path(league)).content.decode())
    assert "You are a member" in page.headings
    player = Player.objects.get(email=EMAIL)
    assert (player.name, player.has_usable_password(), status(league, "Elsa")) == ("Elsa", False, "member")
    assert EmailAddress.objects.get(user=player).verified
    [line] = export.export_player_data(player=player, now=timezone.now())["league_links"]
    assert (line["league"], line["email"], line["name"]) == (league.code, EMAIL, "Elsa")
    assert PlainBrowser(client, build_league_path(league)).page.forms, "the first browser stays a stranger's"


def test_the_link_works_once(client: Client) -> None:
    league = league_of(2)
    ask_to_join(client, league)
    link = find_join_link(mail.outbox[0])
    assert client.post(link, {"name": "Elsa"}).status_code == 302
    thief = Client()
    assert thief.get(link).status_code == 410
    assert thief.post(link, {"name": "Mallory"}).status_code == 410
    assert thief.get("/me/profile/").status_code == 302
    assert not Player.objects.filter(name="Mallory").exists()


def test_a_link_that_is_old_or_not_whole_does_nothing(client: Client) -> None:
    league = league_of(2)
    ask_to_join(client, league)
    link = find_join_link(mail.outbox[0])
    for wrong in (
        f"{link[:-4]}xxx/",
        "/leagues/join/x/",
        "/leagues/join/1:%00/",
        link.replace("/join/", "/join/1"),
    ):
        assert client.get(wrong).status_code == 404, wrong
        assert client.post(wrong).status_code == 404
    JoinRequest.objects.update(created_at=timezone.now() - timedelta(hours=25))
    assert client.get(link).status_code == 410
    assert client.post(link, {"name": "Elsa"}).status_code == 410
    assert not Player.objects.filter(email=EMAIL).exists()
    assert join_requests.delete_expired_join_requests(now=timezone.now()) == 0
    assert join_requests.delete_expired_join_requests(now=timezone.now() + timedelta(days=1)) == 1
    assert client.get(link).status_code == 410


def test_known_and_unknown_addresses_are_answered_alike(client: Client) -> None:
    league = league_of(2)
    answers = []
    for email in ("p1@example.org", EMAIL):
        cache.clear()
        answer = ask_to_join(client, league, email=email)
        page = client.get(answer["Location"])
        text = re.sub(r'(name="csrfmiddlewaretoken" value=)"\w+"', r"\1", page.content.decode())
        answers.append((answer.status_code, answer["Location"], text))
    assert answers[0] == answers[1]
    bodies = [strip_links(message) for message in mail.outbox]
    assert bodies[0] == bodies[1]
    subject = "Your link to join a league on OTTO online"
    assert [message.subject for message in mail.outbox] == [subject] * 2


def strip_links(message: Any) -> str:
    return re.sub(r"/(join|no-mail)/\S+", r"/\1/", message.body)


def test_who_has_an_account_is_signed_in_and_joins(client: Client) -> None:
    league, player = league_of(0), get_player("ada")
    EmailAddress.objects.create(user=player, email=player.email, verified=True, primary=True)
    ask_to_join(client, league, email="Ada@Example.org", name="")
    browser_page = PlainBrowser(client, find_join_link(mail.outbox[0]))
    assert 'name="name"' not in browser_page.page.html
    browser_page.press(browser_page.page.form(action=""))
    assert status(league, "ada") == "member"
    assert client.get("/me/profile/").context["user"] == player


def test_whoever_signed_up_with_the_address_of_somebody_else_is_shut_out(client: Client) -> None:
    league, player = league_of(0), get_player("mallory")
    Player.objects.filter(pk=player.pk).update(email=EMAIL)
    player.refresh_from_db()
    player.set_password("a long walk by the canal")
    player.save()
    EmailAddress.objects.create(user=player, email=EMAIL, verified=False, primary=True)
    ask_to_join(client, league)
    link = find_join_link(mail.outbox[0])
    assert client.post(link).status_code == 422, "whoever has the mailbox chooses the name"
    client.post(link, {"name": "Elsa"})
    player.refresh_from_db()
    assert player.name == "Elsa"
    assert not player.has_usable_password()
    assert EmailAddress.objects.get(user=player).verified
    assert client.get("/me/profile/").status_code == 200


def test_a_name_that_is_taken_or_none_is_asked_for_again(client: Client) -> None:
    league = league_of(1)
    ask_to_join(client, league, name="P1")
    link = find_join_link(mail.outbox[0])
    for name in ("P1", "", "x", "no/name", "n" * 31, "\0"):
        answer = client.post(link, {"name": name})
        assert answer.status_code == 422, name
        assert b"errorlist" in answer.content
    assert client.post(link, {"name": "Elsa"}).status_code == 302
    assert status(league, "Elsa") == "member"


def test_a_wrong_address_is_said_so_and_nothing_is_sent(client: Client) -> None:
    league = league_of(1)
    for email in ("", "elsa", "elsa@", "e\0lsa@example.org", "e" * 300 + "@example.org"):
        answer = client.post(f"{build_league_path(league)}ask/", {"email": email})
        assert answer.status_code == 422, email
    assert not mail.outbox
    assert not JoinRequest.objects.exists()


@pytest.mark.parametrize("fault", [mail_outages.refuse_connections, mail_outages.break_provider])
def test_a_stranger_whom_no_mail_reaches_is_notified_and_asks_again(client: Client, fault: Any) -> None:
    league = league_of(1)
    with fault():
        answer = ask_to_join(client, league)
    assert answer.status_code == 422
    assert "We could not send the mail. Try again in a few minutes." in answer.content.decode()
    assert ask_to_join(client, league)["Location"] == f"{build_league_path(league)}asked/"
    assert [message.to for message in mail.outbox] == [[EMAIL]]


def test_an_address_gets_only_so_many_links(client: Client) -> None:
    league = league_of(1)
    answers = [
        client.post(f"{build_league_path(league)}ask/", {"email": EMAIL}).status_code for _ in range(4)
    ]
    assert answers == [302, 302, 429, 429]
    assert len(mail.outbox) == 2
    assert client.post(f"{build_league_path(league)}ask/", {"email": "fred@example.org"}).status_code == 302


@pytest.mark.parametrize("other_browser", [False, True])
def test_a_guest_keeps_their_games(client: Client, other_browser: bool) -> None:
    league = league_of(1)
    guest, game = play_now(client)
    play_on(client, game, guest)
    assert (
        "You keep the games that you started as a guest."
        in PlainBrowser(client, build_league_path(league)).page.html
    )
    ask_to_join(client, league)
    reader = Client() if other_browser else client
    reader.post(find_join_link(mail.outbox[0]), {"name": "Elsa"})
    player = Player.objects.get(email=EMAIL)
    assert game.seats.get(bot_policy="").player == player
    assert not Player.objects.filter(is_guest=True).exists()
    assert reader.get(f"/games/{game.code}/").context["game"]["you"]
    assert status(league, "Elsa") == "member"


def test_a_guest_who_presses_the_button_of_a_player_is_asked_for_an_address(client: Client) -> None:
    league = league_of(1)
    play_now(client)
    assert client.post(f"{build_league_path(league)}join/")["Location"] == f"{build_league_path(league)}ask/"
    assert league.league_members.count() == 1


# --------------------------------------------------------------------------------------------------- viewing


def test_the_list_is_empty_and_then_it_is_not(client: Client) -> None:
    assert "No leagues yet" in PlainBrowser(client, "/leagues/").page.html
    league = league_of(3)
    page = PlainBrowser(client, "/leagues/").page
    assert (build_league_path(league), "The league") in {(href, "The league") for href, _at in page.links}
    assert "3 players" in page.html
    leagues.set_member_status(player=get_player("ada"), code=league.code, now=NOW)
    assert "you play" in PlainBrowser(sign_in_as("ada"), "/leagues/").page.html


def test_a_season_shows_my_division_first_my_games_and_the_reason_everybody_is_there() -> None:
    league = create_started_league(8)
    below = next(place for place in season(league).placements.filter(division__number=2))
    assert below.player
    client = sign_in_as(below.player.name)
    page = PlainBrowser(client, build_league_path(league)).page
    text = page.html
    assert text.index('id="division-2"') < text.index('id="division-1"')
    assert "You play in division 2" in page.headings
    assert "Your games this season" in page.headings
    assert "starts here" in text
    assert "from the bottom" not in text
    assert "would be promoted" in text
    games = [href for href, _at in page.links if re.fullmatch(r"/games/\w{12}/", href)]
    assert client.get(games[0]).context["game"]["you"]


def test_what_was_is_listed_by_season_and_by_champion(client: Client) -> None:
    league = create_started_league(8)
    done = play_season(league)
    sweep.sweep_tournaments(now=NOW)
    top = done.placements.get(rank=1, division__number=1).player
    up = done.placements.get(rank=1, division__number=2).player
    assert top
    assert up
    page = PlainBrowser(client, f"{build_league_path(league)}history/").page
    assert top.name in page.html
    assert f"new in division 1: {up.name}" in page.html
    assert "1 title" in page.html
    page = PlainBrowser(client, f"{build_league_path(league)}seasons/1/").page
    assert page.headings[0] == "Season 1"
    assert "promoted" in page.html
    assert "Final standings" in page.headings
    page = PlainBrowser(client, build_league_path(league)).page
    assert "Champion of season 1" in page.html
    assert "up from division 2" in page.html
    profile = PlainBrowser(client, f"/players/{top.name}/").page
    assert build_league_path(league) in profile.html
    assert build_league_path(league) not in PlainBrowser(client, "/players/p8/").page.html


def test_sixty_divisions_are_read_page_by_page_in_few_queries() -> None:
    league = league_of(0)
    people = [Player(email=f"m{n}@example.org", name=f"m{n}", joined_at=NOW) for n in range(240)]
    Player.objects.bulk_create(people)
    LeagueMember.objects.bulk_create(
        [LeagueMember(league=league, player=player, status_changed_at=NOW) for player in people]
    )
    leagues.start_league(by=get_host(), code=league.code, now=NOW)
    seasons.sweep_leagues(now=NOW)  # games start with the next sweep, which this test leaves out
    last = season(league).placements.filter(division__number=60).first()
    assert last
    assert last.player
    client = sign_in_as(last.player.name)
    division_numbers: set[str] = set()
    for page in range(1, 7):
        with CaptureQueriesContext(connection) as queries:
            answer = client.get(build_league_path(league), {"page": page})
        # One query reads the version that live pages compare, another whether the viewer can still withdraw.
        assert len(queries) <= 13, "\n".join(query["sql"] for query in queries)
        assert len(answer.content) < 100_000
        division_numbers |= set(re.findall(r'id="division-(\d+)"', answer.content.decode()))
        if page == 1:
            assert 'id="division-60"' in answer.content.decode()
    assert len(division_numbers) == 60
    for page in ("seasons/1/", "history/", "organise/"):
        reader = organiser() if page == "organise/" else client
        with CaptureQueriesContext(connection) as queries:
            answer = reader.get(f"{build_league_path(league)}{page}")
        assert answer.status_code == 200
        assert len(queries) <= 13
        assert len(answer.content) < 100_000
