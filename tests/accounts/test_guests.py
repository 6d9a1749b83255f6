"""Guests start a game at once without an account; what a guest may do."""

from __future__ import annotations

import html
import itertools
import re
import secrets
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.cache import cache
from django.db import connection
from django.template.loader import render_to_string
from django.test import Client, RequestFactory
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from rest_framework.request import Request

from accounts.api.auth import SessionAuthentication
from accounts.models import Player
from accounts.name_validation import check_name
from accounts.services import guests, players
from common.service_errors import Invalid, NotFound
from games import selectors, signed_links
from games.models import Game, Note
from games.services import invitations, limits, lobby
from tests.factories.cast import NOW, player, start_cast_game
from tests.factories.guesting import check_game_is_sound, dump_rows, play_now, play_on

pytestmark = pytest.mark.django_db


# ------------------------------------------------------------------------------------------------ playing now


def test_nobody_becomes_a_guest_at_a_table_where_the_game_has_begun(client: Client) -> None:
    guest, game = play_now(client)
    assert Player.objects.count() == Game.objects.count() == 1
    assert (guest.is_guest, guest.mail_frequency, guest.has_usable_password()) == (True, "none", False)
    assert guest.email.endswith("@guest.invalid")
    assert guest.last_seen_at
    check_name(guest.name)
    assert (game.status, game.mode, game.seat_count, game.cards) == ("running", "singles", 2, False)
    assert (game.private, game.rated, game.chat, game.time_control) == (True, False, False, "7d")
    assert game.creator == guest
    assert game.seats.get(bot_policy="greedy")
    page = client.get(f"/games/{game.code}/")
    assert page.status_code == 200
    assert page.context["game"]["you"]["seat"] == 1
    assert "<svg" in page.content.decode()
    check_game_is_sound(game)


def test_whoever_is_a_guest_already_gets_another_game(client: Client) -> None:
    first, game = play_now(client)
    second, other = play_now(client, policy="planner", cards="on", client_seed="a seed of mine")
    assert first == second
    assert game != other
    assert Player.objects.count() == 1
    assert other.cards
    assert other.seats.get(player=second).client_seed == "a seed of mine"
    assert other.seats.get(player=None).bot_policy == "planner"


def test_a_signed_in_player_gets_a_game_of_their_own(client: Client) -> None:
    client.force_login(player("ada"))
    owner, game = play_now(client)
    assert owner == player("ada")
    assert game.status == "running"
    assert not Player.objects.filter(is_guest=True).exists()


def test_a_guest_plays_keeps_notes_and_is_led_to_the_next_turn(client: Client) -> None:
    guest, game = play_now(client)
    play_on(client, game, guest)
    client.post(f"/games/{game.code}/note/", {"text": "closes the corner"})
    assert Note.objects.get(player=guest).text == "closes the corner"
    assert client.get("/next/")["Location"] == f"/games/{game.code}/"
    assert game.code in client.get("/games/").content.decode()
    client.post(f"/games/{game.code}/play/", {"action": "resign"})
    game.refresh_from_db()
    assert game.status == "over"
    check_game_is_sound(game)


def test_to_look_makes_nobody(client: Client) -> None:
    assert client.get("/play-now/")["Location"] == "/"
    assert not Player.objects.exists()


def test_another_page_cannot_press_the_button() -> None:
    assert Client(enforce_csrf_checks=True).post("/play-now/").status_code == 403
    assert not Player.objects.exists()


@pytest.mark.parametrize("form", [{"policy": "nonsense"}, {"policy": "clock"}, {"client_seed": "a|b"}])
def test_what_cannot_be_played_leaves_nothing_behind(client: Client, form: dict[str, str]) -> None:
    assert client.post("/play-now/", form)["Location"] == "/"
    assert not Player.objects.exists()
    assert not Game.objects.exists()
    assert not client.session.get("_auth_user_id")


def test_five_games_at_a_time_are_enough_for_a_guest(client: Client) -> None:
    _guest, game = play_now(client)
    for _ in range(limits.MAX_RUNNING_GAMES_PER_GUEST - 1):
        play_now(client)
    answer = client.post("/play-now/", follow=True)
    assert answer.redirect_chain == [("/games/", 302)]
    assert "You have 5 games in progress" in answer.content.decode()
    assert Game.objects.count() == limits.MAX_RUNNING_GAMES_PER_GUEST
    client.post(f"/games/{game.code}/play/", {"action": "resign"})
    play_now(client)


def test_one_address_makes_only_so_many_guests(settings: Any) -> None:
    settings.ACCOUNT_RATE_LIMITS = {"guest": "2/m/ip"}
    first = Client()
    play_now(first)
    play_now(Client())
    answer = Client().post("/play-now/")
    assert answer.status_code == 429
    assert b"Too many tries" in answer.content
    assert Player.objects.count() == 2
    play_now(first)  # an existing guest may still play
    assert play_now(Client(REMOTE_ADDR="192.0.2.7"))


def test_a_guest_who_resigns_game_after_game_has_to_slow_down(client: Client) -> None:
    cache.clear()
    for _ in range(11):  # the first game also created the guest
        _guest, game = play_now(client)
        client.post(f"/games/{game.code}/play/", {"action": "resign"})
    answer = client.post("/play-now/")
    assert answer.status_code == 429
    assert Game.objects.count() == 11
    play_now(Client())
    member = Client()
    member.force_login(player("ada"))
    for _ in range(12):  # the limit does not apply to accounts
        play_now(member)
    cache.clear()


def test_every_guest_has_a_name_of_its_own(monkeypatch: Any) -> None:
    thrown = itertools.chain([7, 7, 7], itertools.count(8))
    monkeypatch.setattr(secrets, "randbelow", lambda below: next(thrown))
    all_guests = [guests.create_guest(language=language, now=NOW) for language in ("en", "en", "it", "nl")]
    assert len({guest.name.lower() for guest in all_guests}) == 4
    for guest in all_guests:
        check_name(guest.name)
    assert all_guests[0].name == "Guest 100007"


def test_a_guest_reads_the_language_of_the_browser(client: Client) -> None:
    client.post("/play-now/", headers={"Accept-Language": "nl"})
    guest = Player.objects.get()
    assert guest.language == "nl"
    assert client.get("/games/", headers={"Accept-Language": "it"})["Content-Language"] == "it"


def test_the_button_and_the_note(client: Client) -> None:
    request = RequestFactory().get("/games/abc/")
    request.user = AnonymousUser()
    button = render_to_string("games/play_now.html", {}, request)
    assert 'action="/play-now/"' in button
    assert " data-seed" in button
    assert "csrfmiddlewaretoken" in button
    assert not render_to_string("games/guest_note.html", {}, request).strip()
    request.user, _game = play_now(client)
    note = render_to_string("games/guest_note.html", {"game": {"id": "abc"}}, request)
    assert "Sign up to keep this game" in note
    assert 'href="/accounts/signup/?next=/games/abc/"' in note
    assert "Sign up to keep your games" in render_to_string("games/guest_note.html", {}, request)
    request.user.claimed_by = player("ada")
    assert "the link in our mail" in render_to_string("games/guest_note.html", {}, request)


def test_no_page_of_a_guests_game_leads_nowhere(client: Client) -> None:
    guest, game = play_now(client)
    at_first = {f"/games/{game.code}/{page}" for page in ("", "replay/", "fairness/")}
    for over in (False, True):
        if over:
            client.post(f"/games/{game.code}/play/", {"action": "resign"})
        for path in {"/", "/games/", *at_first}:
            page = client.get(path).text
            assert path != f"/games/{game.code}/" or guest.name in page
            for link in set(re.findall(r'(?:href|data-record|data-log)="(/[^"#]*)"', page)):
                if not link.startswith("/static/"):
                    assert client.get(html.unescape(link)).status_code in (200, 302), (path, link)
    other = start_cast_game("ada", "bob")
    assert 'href="/players/ada/"' in client.get(f"/games/{other.code}/").text


def test_at_the_end_a_guest_plays_the_same_bot_again(client: Client) -> None:
    guest, game = play_now(client, policy="planner", cards="on")
    client.post(f"/games/{game.code}/play/", {"action": "resign"})
    answer = client.get(f"/games/{game.code}/")
    page = answer.text[answer.text.index('id="ending"') :]
    assert 'action="/play-now/"' in page
    assert 'href="/games/new/"' not in page
    assert client.get("/next/", follow=True).status_code == 200
    form = dict(re.findall(r'<input type="hidden" name="(policy|cards|offer)" value="([^"]*)"', page))
    assert form["offer"]
    assert "data-seed" in page
    form["client_seed"] = "a seed of the browser"  # added by a script; accepted only after a commitment
    address = client.post("/play-now/", form)["Location"]
    assert address != f"/games/{game.code}/"
    new_game = Game.objects.get(code=address.split("/")[2])
    assert (new_game.status, new_game.creator, new_game.cards) == ("running", guest, True)
    assert new_game.seats.filter(bot_policy="planner").exists()


def test_a_guests_pages_cost_no_more_than_a_players(client: Client) -> None:
    guest, game = play_now(client)
    play_on(client, game, guest)
    for path in ("/", "/games/", f"/games/{game.code}/"):
        with CaptureQueriesContext(
            connection,
        ) as queries:
            assert client.get(path).status_code == 200
        assert len(queries) <= 12, path


# ------------------------------------------------------------------------------------- permissions of guests


def get_sign_up_target(answer: Any) -> str:
    """Check that a response redirects to the sign-up page; return the path that follows."""
    url = urlsplit(answer["Location"])
    assert (answer.status_code, url.path) == (302, "/accounts/signup/")
    return parse_qs(url.query)["next"][0]


@pytest.mark.parametrize(
    "path",
    [
        "/games/new/",
        "/me/profile/",
        "/me/tokens/",
        "/me/apps/",
        "/me/export/",
        "/me/delete/",
        "/me/notices/",
        "/me/delivery/",
        "/me/webhooks/",
        "/me/time/",
        "/accounts/email/",
        "/accounts/password/change/",
        "/accounts/password/set/",
        "/accounts/reauthenticate/",
        "/accounts/2fa/",
        "/accounts/2fa/totp/activate/",
        "/accounts/2fa/recovery-codes/",
        "/oauth/authorize/?client_id=some&response_type=code",
    ],
)
def test_what_needs_an_account_leads_to_signing_up(client: Client, path: str) -> None:
    play_now(client)
    before = dump_rows()
    assert get_sign_up_target(client.get(path)) == path
    page = client.get("/accounts/signup/", {"next": path})
    assert "You need an account" in page.content.decode()
    answer = client.post(path)
    assert answer.status_code == 405 or get_sign_up_target(answer) == path
    assert dump_rows() == before


@pytest.mark.parametrize(
    "path",
    [
        "/me/tokens/revoke-all/",
        "/me/tokens/1/revoke/",
        "/me/apps/1/delete/",
        "/me/apps/1/disallow/",
        "/me/delivery/test/",
        "/me/delivery/revive/",
        "/me/feeds/new/",
        "/me/webhooks/1/test/",
        "/me/webhooks/1/delete/",
    ],
)
def test_so_does_what_only_acts(client: Client, path: str) -> None:
    play_now(client)
    before = dump_rows()
    get_sign_up_target(client.post(path))
    assert dump_rows() == before


@pytest.mark.parametrize(
    "command",
    [
        *("join", "leave", "bot", "invite", "decline", "say", "rematch"),
        *("pause", "pause-agree", "pause-decline", "eight", "mute"),
    ],
)
def test_at_a_table_a_guest_plays_and_keeps_notes_and_nothing_else(client: Client, command: str) -> None:
    form = {"policy": "greedy", "who": "bob", "text": "hello", "days": "3", "eight": "keep", "muted": "1"}
    waiting = lobby.create_game(player=player("ada"), now=timezone.now(), seat_count=3)
    _guest, own = play_now(client)
    before = dump_rows()
    for game in (own, waiting):
        answer = client.post(f"/games/{game.code}/{command}/", form)
        assert get_sign_up_target(answer) == f"/games/{game.code}/"
    assert dump_rows() == before


def test_an_invitation_asks_a_guest_to_sign_up_and_comes_back(client: Client) -> None:
    now = timezone.now()
    game = lobby.create_game(player=player("ada"), now=now)
    invitation = invitations.invite_to_game(
        player=player("ada"), code=game.code, now=now, email="elsa@example.org"
    )
    path = f"/invitations/{signed_links.make_invitation_token(invitation.pk)}/"
    play_now(client)
    page = client.get(path)
    assert f'href="/accounts/signup/?next={path}"' in page.content.decode().replace("%3A", ":")
    client.post(path)
    invitation.refresh_from_db()
    assert (invitation.status, game.seats.count()) == ("", 0)


@pytest.mark.parametrize("path", ["/", "/games/", "/api/", "/api/errors/", "/accounts/password/reset/"])
def test_what_is_public_is_public_for_guests(client: Client, path: str) -> None:
    play_now(client)
    assert client.get(path).status_code == 200


def test_a_guest_looks_at_public_games_and_signs_out(client: Client) -> None:
    public = start_cast_game("ada", "bob")
    guest, game = play_now(client)
    assert client.get(f"/games/{public.code}/").status_code == 200
    assert client.get("/accounts/logout/").status_code == 200
    client.post("/accounts/logout/")
    assert client.get(f"/games/{game.code}/").status_code == 404
    assert Player.objects.filter(pk=guest.pk).exists()


def test_for_the_api_a_guest_is_nobody(client: Client) -> None:
    guest, game = play_now(client)
    public = start_cast_game("ada", "bob")
    assert client.get("/api/v1/me/").status_code == 401
    assert client.get("/api/v1/events/").status_code == 401
    assert client.get(f"/api/v1/games/{game.code}/").status_code == 404
    assert client.get(f"/api/v1/games/{public.code}/").status_code == 200
    game_view = selectors.load_view_for(guest, game.code)
    before = dump_rows()
    for path, body in (
        ("games/", {"mode": "singles"}),
        (f"games/{game.code}/actions/", {"action": "resign", "seq": game_view.view["seq"]}),
        ("me/tokens/", {"name": "mine", "scopes": ["read"]}),
    ):
        answer = client.post(f"/api/v1/{path}", body, content_type="application/json")
        assert answer.status_code == 401
    assert dump_rows() == before


def test_the_sessions_of_guests_mean_nothing_to_the_api_itself() -> None:
    api_request = RequestFactory().get("/api/v1/me/")
    api_request.user = guests.create_guest(language="en", now=NOW)
    assert SessionAuthentication().authenticate(Request(api_request)) is None
    api_request.user = player("ada")
    assert SessionAuthentication().authenticate(Request(api_request)) == (player("ada"), None)


def test_a_guest_and_its_game_are_seen_by_nobody_else(client: Client) -> None:
    guest, game = play_now(client)
    other, stranger, ada = Client(), Client(), Client()
    play_now(other)
    ada.force_login(player("ada"))
    for who in (other, stranger, ada):
        assert who.get(f"/games/{game.code}/").status_code == 404
        assert guest.name not in who.get("/games/").content.decode()
        assert guest.name not in who.get("/api/v1/games/").content.decode()
        assert who.get(f"/api/v1/players/{guest.name}/").status_code == 404
    with pytest.raises(NotFound):
        players.get_public_player(name=guest.name)
    waiting = lobby.create_game(player=player("ada"), now=timezone.now())
    with pytest.raises(Invalid):
        invitations.invite_to_game(
            player=player("ada"), code=waiting.code, now=timezone.now(), name=guest.name
        )


def test_a_visitor_who_sends_a_command_comes_back_to_the_page_of_the_game() -> None:
    """The URL of the command itself cannot be opened with a GET."""
    game = start_cast_game("ada", "bob")
    answer = Client().post(f"/games/{game.code}/join/")
    assert answer["Location"] == f"/accounts/login/?next=/games/{game.code}/"
