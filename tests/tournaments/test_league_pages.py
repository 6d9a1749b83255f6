"""Leagues in a browser: joining, leaving, looking, organising."""

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

from games.models import Player
from games.services import export
from tests.games import away
from tests.games.guesting import play_now, play_on
from tests.games.plain import Page, Plain
from tournaments.models import JoinRequest, League, LeagueMember
from tournaments.services import join_requests, leagues, seasons, sweep

from .play import NOW, host, someone
from .test_leagues import begun, league_of, played, season

pytestmark = pytest.mark.django_db
EMAIL = "elsa@example.org"


@pytest.fixture(autouse=True)
def fresh(settings: Any) -> None:
    """Rate limits begin anew for every test, and hashing a password does not take its half second."""
    cache.clear()
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    settings.SITE_URL = "http://testserver"


def here(league: League) -> str:
    return f"/leagues/{league.code}/"


def signed_in(name: str) -> Client:
    client = Client()
    client.force_login(someone(name))
    return client


def press(client: Client, league: League, deed: str, at: str = "", **fields: str) -> Page:
    """Press a button of a page of the league, and look at where it leads."""
    one = Plain(client, at or here(league))
    answer = one.press(one.page.form(action=f"{here(league)}{deed}/"), **fields)
    assert answer.status_code == 302
    return Page(client.get(answer["Location"]).content.decode())


def status(league: League, name: str) -> str | None:
    found = LeagueMember.objects.filter(league=league, player__name=name).first()
    return found.status if found else None


# ------------------------------------------------------------------------------------------------- in and out


def test_a_player_joins_with_one_button_goes_out_and_comes_back() -> None:
    league, client = league_of(2), signed_in("ada")
    assert "Join the league" in Plain(client, here(league)).page.html
    page = press(client, league, "join")
    assert status(league, "ada") == "member"
    assert "You are in" in page.headings
    assert "/players/ada/" in page.html
    press(client, league, "leave")
    assert status(league, "ada") == "out"
    page = press(client, league, "join")
    assert status(league, "ada") == "member"
    press(client, league, "stand-by")
    assert status(league, "ada") == "substitute"
    press(client, league, "leave")
    assert LeagueMember.objects.filter(league=league, player=someone("ada")).count() == 1


def test_who_drops_out_says_so_twice_and_a_substitute_plays_on() -> None:
    league = begun(4)
    leagues.set_member_status(player=someone("spare"), code=league.code, now=NOW, status="substitute")
    client = signed_in("p2")
    assert "Check the box" in press(client, league, "drop-out").html
    assert status(league, "p2") == "member"
    press(client, league, "drop-out", sure="1")
    assert (status(league, "p2"), status(league, "spare")) == ("out", "member")
    assert season(league).places.filter(player=someone("spare")).exists()
    assert (
        "do not play"
        in Page(client.post(f"{here(league)}drop-out/", {"sure": "1"}, follow=True).content.decode()).html
    )


def test_pairs_join_together(client: Client) -> None:
    league, ada = league_of(0, mode="pairs"), signed_in("ada")
    someone("bob")
    assert "with a partner" in Page(ada.post(f"{here(league)}join/", follow=True).content.decode()).html
    assert "Nobody here is called" in press(ada, league, "join", partner="no such").html
    page = press(ada, league, "join", partner="bob")
    assert "bob is asked. You are in as soon as they agree." in page.html
    assert (status(league, "ada"), status(league, "bob")) == (None, None)
    bob = signed_in("bob")
    assert "ada asks you to play in" in Plain(bob, here(league)).page.html
    bob.post(f"/proposals/{league.proposals.get().pk}/", {"answer": "accept"})
    assert "Your partner is bob." in Plain(ada, here(league)).page.html
    assert (status(league, "ada"), status(league, "bob")) == ("member", "member")
    ask(client, league)
    client.post(link_in(mail.outbox[0]), {"name": "Elsa"})
    page = Plain(client, here(league)).page
    assert "say who plays with you" in page.html
    assert status(league, "Elsa") is None


def test_a_button_pressed_twice_is_pressed_once() -> None:
    league, client = league_of(1), signed_in("ada")
    for _ in range(2):
        client.post(f"{here(league)}join/")
    assert status(league, "ada") == "member"
    assert league.memberships.count() == 2


def test_what_is_no_deed_is_not_found_and_to_look_at_a_deed_leads_back() -> None:
    league, client = league_of(1), signed_in("ada")
    assert client.post(f"{here(league)}conquer/").status_code == 404
    assert client.get(f"{here(league)}join/")["Location"] == here(league)
    assert status(league, "ada") is None
    assert client.get("/leagues/nothere/").status_code == 404
    assert client.post("/leagues/nothere/join/").status_code == 404
    for number in ("0", "2", "9" * 30):
        assert client.get(f"{here(league)}seasons/{number}/").status_code == 404


def test_a_closed_league_lets_nobody_in(client: Client) -> None:
    league = league_of(2)
    leagues.close_league(by=host(), code=league.code, now=NOW)
    page = Plain(client, here(league)).page
    assert "This league is closed" in page.headings
    assert client.post(f"{here(league)}ask/", {"email": EMAIL}).status_code == 302
    assert not mail.outbox
    page = Page(signed_in("ada").post(f"{here(league)}join/", follow=True).content.decode())
    assert "closed already" in page.html
    assert status(league, "ada") is None


# ------------------------------------------------------------------------------------------------- strangers


def ask(client: Client, league: League, email: str = EMAIL, name: str = "Elsa") -> Any:
    one = Plain(client, here(league))
    form = one.page.form(action=f"{here(league)}ask/")
    return client.post(form.action, form.fields | {"email": email, "name": name})


def link_in(message: Any) -> str:
    found = re.search(r"https?://testserver(/leagues/join/\S+)", message.body)
    assert found, message.body
    return found[1]


def test_a_stranger_joins_in_two_steps(client: Client) -> None:
    league = league_of(2)
    answer = ask(client, league)
    assert answer["Location"] == f"{here(league)}asked/"
    assert "Look into your mail" in Page(client.get(answer["Location"]).content.decode()).headings
    assert not Player.objects.filter(email=EMAIL).exists()
    [message] = mail.outbox
    assert message.to == [EMAIL]
    reader = Client()  # the mail may be read elsewhere
    one = Plain(reader, link_in(message))
    assert not Player.objects.filter(email=EMAIL).exists(), "mail scanners open links: to look does nothing"
    answer = one.press(one.page.form(action=""))
    assert answer["Location"] == here(league)
    page = Page(reader.get(here(league)).content.decode())
    assert "You are in" in page.headings
    player = Player.objects.get(email=EMAIL)
    assert (player.name, player.has_usable_password(), status(league, "Elsa")) == ("Elsa", False, "member")
    assert EmailAddress.objects.get(user=player).verified
    [line] = export.export_player_data(player=player, now=timezone.now())["league_links"]
    assert (line["league"], line["email"], line["name"]) == (league.code, EMAIL, "Elsa")
    assert Plain(client, here(league)).page.forms, "the first browser stays a stranger's"


def test_the_link_works_once(client: Client) -> None:
    league = league_of(2)
    ask(client, league)
    link = link_in(mail.outbox[0])
    assert client.post(link, {"name": "Elsa"}).status_code == 302
    thief = Client()
    assert thief.get(link).status_code == 410
    assert thief.post(link, {"name": "Mallory"}).status_code == 410
    assert thief.get("/me/profile/").status_code == 302
    assert not Player.objects.filter(name="Mallory").exists()


def test_a_link_that_is_old_or_not_whole_does_nothing(client: Client) -> None:
    league = league_of(2)
    ask(client, league)
    link = link_in(mail.outbox[0])
    for wrong in (
        f"{link[:-4]}xxx/",
        "/leagues/join/x/",
        "/leagues/join/1:%00/",
        link.replace("/join/", "/join/1"),
    ):
        assert client.get(wrong).status_code == 404, wrong
        assert client.post(wrong).status_code == 404
    JoinRequest.objects.update(at=timezone.now() - timedelta(hours=25))
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
        answer = ask(client, league, email=email)
        page = client.get(answer["Location"])
        text = re.sub(r'(name="csrfmiddlewaretoken" value=)"\w+"', r"\1", page.content.decode())
        answers.append((answer.status_code, answer["Location"], text))
    assert answers[0] == answers[1]
    bodies = [link_less(message) for message in mail.outbox]
    assert bodies[0] == bodies[1]
    subject = "Your link to join a league on OTTO online"
    assert [message.subject for message in mail.outbox] == [subject] * 2


def link_less(message: Any) -> str:
    return re.sub(r"/(join|no-mail)/\S+", r"/\1/", message.body)


def test_who_has_an_account_is_signed_in_and_joins(client: Client) -> None:
    league, player = league_of(0), someone("ada")
    EmailAddress.objects.create(user=player, email=player.email, verified=True, primary=True)
    ask(client, league, email="Ada@Example.org", name="")
    one = Plain(client, link_in(mail.outbox[0]))
    assert 'name="name"' not in one.page.html
    one.press(one.page.form(action=""))
    assert status(league, "ada") == "member"
    assert client.get("/me/profile/").context["user"] == player


def test_whoever_signed_up_with_the_address_of_somebody_else_is_shut_out(client: Client) -> None:
    league, player = league_of(0), someone("mallory")
    Player.objects.filter(pk=player.pk).update(email=EMAIL)
    player.refresh_from_db()
    player.set_password("a long walk by the canal")
    player.save()
    EmailAddress.objects.create(user=player, email=EMAIL, verified=False, primary=True)
    ask(client, league)
    link = link_in(mail.outbox[0])
    assert client.post(link).status_code == 422, "whoever has the mailbox chooses the name"
    client.post(link, {"name": "Elsa"})
    player.refresh_from_db()
    assert player.name == "Elsa"
    assert not player.has_usable_password()
    assert EmailAddress.objects.get(user=player).verified
    assert client.get("/me/profile/").status_code == 200


def test_a_name_that_is_taken_or_none_is_asked_for_again(client: Client) -> None:
    league = league_of(1)
    ask(client, league, name="P1")
    link = link_in(mail.outbox[0])
    for name in ("P1", "", "x", "no/name", "n" * 31, "\0"):
        answer = client.post(link, {"name": name})
        assert answer.status_code == 422, name
        assert b"errorlist" in answer.content
    assert client.post(link, {"name": "Elsa"}).status_code == 302
    assert status(league, "Elsa") == "member"


def test_a_wrong_address_is_said_so_and_nothing_is_sent(client: Client) -> None:
    league = league_of(1)
    for email in ("", "elsa", "elsa@", "e\0lsa@example.org", "e" * 300 + "@example.org"):
        answer = client.post(f"{here(league)}ask/", {"email": email})
        assert answer.status_code == 422, email
    assert not mail.outbox
    assert not JoinRequest.objects.exists()


@pytest.mark.parametrize("trouble", [away.refusing, away.out_of_order])
def test_a_stranger_whom_no_mail_reaches_is_told_and_asks_again(client: Client, trouble: Any) -> None:
    league = league_of(1)
    with trouble():
        answer = ask(client, league)
    assert answer.status_code == 422
    assert "The mail could not be sent. Try again in a few minutes." in answer.content.decode()
    assert ask(client, league)["Location"] == f"{here(league)}asked/"
    assert [message.to for message in mail.outbox] == [[EMAIL]]


def test_an_address_gets_only_so_many_links(client: Client) -> None:
    league = league_of(1)
    answers = [client.post(f"{here(league)}ask/", {"email": EMAIL}).status_code for _ in range(4)]
    assert answers == [302, 302, 429, 429]
    assert len(mail.outbox) == 2
    assert client.post(f"{here(league)}ask/", {"email": "fred@example.org"}).status_code == 302


@pytest.mark.parametrize("other_browser", [False, True])
def test_a_guest_keeps_their_games(client: Client, other_browser: bool) -> None:
    league = league_of(1)
    guest, game = play_now(client)
    play_on(client, game, guest)
    assert "come with you" in Plain(client, here(league)).page.html
    ask(client, league)
    reader = Client() if other_browser else client
    reader.post(link_in(mail.outbox[0]), {"name": "Elsa"})
    player = Player.objects.get(email=EMAIL)
    assert game.places.get(bot="").player == player
    assert not Player.objects.filter(guest=True).exists()
    assert reader.get(f"/games/{game.code}/").context["game"]["you"]
    assert status(league, "Elsa") == "member"


def test_a_guest_who_presses_the_button_of_a_player_is_asked_for_an_address(client: Client) -> None:
    league = league_of(1)
    play_now(client)
    assert client.post(f"{here(league)}join/")["Location"] == f"{here(league)}ask/"
    assert league.memberships.count() == 1


# --------------------------------------------------------------------------------------------------- to look


def test_the_list_is_empty_and_then_it_is_not(client: Client) -> None:
    assert "There is no league yet" in Plain(client, "/leagues/").page.html
    league = league_of(3)
    page = Plain(client, "/leagues/").page
    assert (here(league), "The league") in {(href, "The league") for href, _at in page.links}
    assert "3 players" in page.html
    leagues.set_member_status(player=someone("ada"), code=league.code, now=NOW)
    assert "you play" in Plain(signed_in("ada"), "/leagues/").page.html


def test_a_season_shows_my_division_first_my_games_and_why_everybody_is_there() -> None:
    league = begun(8)
    below = next(place for place in season(league).places.filter(division__number=2))
    assert below.player
    client = signed_in(below.player.name)
    page = Plain(client, here(league)).page
    text = page.html
    assert text.index('id="division-2"') < text.index('id="division-1"')
    assert "You play in division 2" in page.headings
    assert "Your games this season" in page.headings
    assert "starts here" in text
    assert "from the bottom" not in text
    assert "would go up" in text
    games = [href for href, _at in page.links if re.fullmatch(r"/games/\w{12}/", href)]
    assert client.get(games[0]).context["game"]["you"]


def test_what_was_is_told_by_season_and_by_champion(client: Client) -> None:
    league = begun(8)
    done = played(league)
    sweep.sweep_tournaments(now=NOW)
    top = done.places.get(rank=1, division__number=1).player
    up = done.places.get(rank=1, division__number=2).player
    assert top
    assert up
    page = Plain(client, f"{here(league)}history/").page
    assert top.name in page.html
    assert f"to the first division: {up.name}" in page.html
    assert "1 title" in page.html
    page = Plain(client, f"{here(league)}seasons/1/").page
    assert page.headings[0] == "Season 1"
    assert "goes up" in page.html
    assert "How it ended" in page.headings
    page = Plain(client, here(league)).page
    assert "Champion of season 1" in page.html
    assert "up from division 2" in page.html
    profile = Plain(client, f"/players/{top.name}/").page
    assert here(league) in profile.html
    assert here(league) not in Plain(client, "/players/p8/").page.html


def test_sixty_divisions_are_read_page_by_page_in_few_queries() -> None:
    league = league_of(0)
    people = [Player(email=f"m{n}@example.org", name=f"m{n}", joined_at=NOW) for n in range(240)]
    Player.objects.bulk_create(people)
    LeagueMember.objects.bulk_create([LeagueMember(league=league, player=one, at=NOW) for one in people])
    leagues.start_league(by=host(), code=league.code, now=NOW)
    seasons.sweep_leagues(now=NOW)  # the games begin with the next sweep; they are not looked at here
    last = season(league).places.filter(division__number=60).first()
    assert last
    assert last.player
    client = signed_in(last.player.name)
    seen: set[str] = set()
    for page in range(1, 7):
        with CaptureQueriesContext(connection) as queries:
            answer = client.get(here(league), {"page": page})
        assert len(queries) <= 12, "\n".join(query["sql"] for query in queries)
        assert len(answer.content) < 100_000
        seen |= set(re.findall(r'id="division-(\d+)"', answer.content.decode()))
        if page == 1:
            assert 'id="division-60"' in answer.content.decode()
    assert len(seen) == 60
    for page in ("seasons/1/", "history/", "organise/"):
        reader = organiser() if page == "organise/" else client
        with CaptureQueriesContext(connection) as queries:
            answer = reader.get(f"{here(league)}{page}")
        assert answer.status_code == 200
        assert len(queries) <= 12
        assert len(answer.content) < 100_000


# ----------------------------------------------------------------------------------------------- to organise


def organiser() -> Client:
    host()
    return signed_in("host")


def test_an_organiser_makes_a_league_starts_it_and_closes_it() -> None:
    client = organiser()
    one = Plain(client, "/leagues/new/")
    form = next(form for form in one.page.forms if "name" in form.fields)
    wanted = {"name": "Autumn", "size": "4", "moves": "1", "clock": "3d", "seats": "2", "target": "4"}
    answer = client.post(one.path, form.fields | wanted | {"pause_1": "86400"})
    assert answer.status_code == 302, answer.content.decode()
    league = League.objects.get()
    assert (league.name, league.size, league.moves, league.pause) == ("Autumn", 4, 1, 3 * 86400)
    desk = f"{here(league)}organise/"
    assert answer["Location"] == desk
    for name in ("ada", "bob", "cleo"):
        leagues.set_member_status(player=someone(name), code=league.code, now=NOW)
    press(client, league, "start", desk)
    sweep.sweep_tournaments(now=timezone.now())
    sweep.sweep_tournaments(now=timezone.now())
    leagues.set_member_status(player=someone("spare"), code=league.code, now=NOW, status="substitute")
    page = press(client, league, "substitute", desk, out="bob", why="no time")
    assert "taken over" in page.html
    assert (status(league, "spare"), status(league, "bob")) == ("member", "out")
    page = press(client, league, "close", desk)
    assert "Check the box" in page.html
    league.refresh_from_db()
    assert league.seasons is None
    press(client, league, "close", desk, sure="1")
    league.refresh_from_db()
    assert league.seasons == 1


def test_a_league_is_changed_by_its_organiser() -> None:
    client, league = organiser(), league_of(2, pause=86400)
    one = Plain(client, f"{here(league)}edit/")
    form = next(form for form in one.page.forms if "name" in form.fields)
    assert (form.fields["name"], form.fields["size"]) == ("The league", "4")
    chosen = {"seats": "2", "clock": league.clock, "pause_1": "86400"}
    answer = client.post(one.path, form.fields | chosen | {"name": "Spring", "size": "6", "text": "Hello"})
    assert answer.status_code == 302, answer.content.decode()
    league.refresh_from_db()
    assert (league.name, league.size, league.text, league.pause) == ("Spring", 6, "Hello", 86400)


@pytest.mark.parametrize(
    "wrong",
    [{"name": ""}, {"size": "2"}, {"size": "x"}, {"moves": "9"}, {"groups": "99"}, {"seats": "5"},
     {"clock": "custom"}, {"name": "\0"}, {"size": "9" * 40}, {"pause_0": "9" * 40}, {"seasons": "0"}],
    ids=str,
)  # fmt: skip
def test_a_league_that_cannot_be_played_is_refused_with_a_reason(wrong: dict[str, str]) -> None:
    answer = organiser().post("/leagues/new/", {"name": "Autumn", "size": "4", "moves": "1"} | wrong)
    assert answer.status_code == 422
    assert b"errorlist" in answer.content
    assert not League.objects.exists()


def test_others_do_not_organise() -> None:
    league, client = league_of(3), signed_in("ada")
    for page in ("organise", "edit"):
        assert client.get(f"{here(league)}{page}/").status_code == 403
        assert Client().get(f"{here(league)}{page}/").status_code == 302
    for deed in ("start", "close", "substitute"):
        answer = client.post(f"{here(league)}{deed}/", {"sure": "1", "out": "p1"})
        assert answer.status_code == 403
    assert Client().get("/leagues/new/").status_code == 302
    league.refresh_from_db()
    assert league.status == "open"
