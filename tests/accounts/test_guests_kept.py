"""The games of a guest are claimed by an account or deleted."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.contrib.sessions.models import Session
from django.core import mail
from django.test import Client
from django.utils import timezone

from accounts.models import Player
from accounts.services import guests, players, presence
from games import clock, tasks
from games.models import Game, Note, Seat
from games.selectors.clocks import seat_clock_of
from games.services import bot_games, bots, social, turns
from notifications.channels.email import mail_sender
from notifications.models import Delivery, FeedEntry
from notifications.services import notices
from tests.factories.cast import NOW, player, start_cast_game
from tests.factories.guesting import (
    check_game_is_sound,
    create_account,
    dump_rows,
    list_log,
    play_now,
    play_on,
)
from tests.helpers.accounts import EMAIL, find_link, is_signed_in, sign_in, sign_up

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)


@pytest.fixture(autouse=True)
def use_fast_hashers(settings: Any) -> None:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.mark.parametrize("other_browser", [False, True])
def test_signing_up_keeps_the_game(client: Client, other_browser: bool) -> None:
    guest, game = play_now(client)
    play_on(client, game, guest)
    social.write_note(player=guest, code=game.code, text="mine", now=timezone.now())
    log, game_path = list_log(game), f"/games/{game.code}/"
    assert client.get("/accounts/signup/", {"next": game_path}).status_code == 200
    assert sign_up(client, next=game_path)["Location"].startswith("/accounts/confirm-email/")
    assert client.get("/accounts/confirm-email/").status_code == 200
    assert client.get(game_path).context["game"]["you"], "until then the guest plays on"

    reader = Client() if other_browser else client
    link = find_link(mail.outbox[0])
    reader.get(link)
    assert Player.objects.filter(is_guest=True).exists(), "to look moves nothing"
    assert reader.post(link.partition("?")[0], {"next": game_path})["Location"] == game_path

    [owner] = Player.objects.all()
    assert (owner.email, owner.is_guest, owner.claimed_by, owner.mail_frequency) == (
        EMAIL,
        False,
        None,
        "each",
    )
    assert set(Seat.objects.values_list("player", "bot_policy")) == {(owner.pk, ""), (None, "greedy")}
    assert Note.objects.get(player=owner).text == "mine"
    game.refresh_from_db()
    assert (game.creator, game.status) == (owner, "running")
    assert list_log(game) == log
    check_game_is_sound(game)
    if other_browser:
        assert client.get(game_path).status_code == 404, "the guest is gone from the first browser"
        assert sign_in(client).status_code == 200, "nor does the password count that was chosen there"
        client = reader
    assert is_signed_in(client)
    assert client.get(game_path).context["game"]["you"]["seat"] == 1
    play_on(client, game, owner)
    assert list_log(game)[: len(log)] == log
    assert len(list_log(game)) > len(log)
    check_game_is_sound(game)


def send_mails_until(end: datetime) -> list[str]:
    """Run the mail workers every 12 hours from now on; return the recipients of all mails."""
    at = timezone.now()
    while at < end:
        while notices.fan_out_notices(now=at):
            pass
        mail_sender.send_due_mails(now=at)
        at += timedelta(hours=12)
    return [address for message in mail.outbox for address in message.to]


def test_until_the_address_is_confirmed_nothing_moves_and_no_mail_tells_of_a_turn(client: Client) -> None:
    guest, game = play_now(client)
    play_on(client, game, guest)
    sign_up(client)
    assert [message.to for message in mail.outbox] == [[EMAIL]]
    sign_in(client)  # the password is right, but the address is not confirmed
    play_on(client, game, guest)
    guest.refresh_from_db()
    assert guest.claimed_by == Player.objects.get(email=EMAIL)
    assert game.seats.get(bot_policy="").player == guest
    assert not FeedEntry.objects.exclude(player=guest).exists()
    confirmations = len(mail.outbox)
    assert send_mails_until(timezone.now() + 20 * DAY) == [EMAIL] * confirmations
    assert not Delivery.objects.exists()
    assert "turn" not in mail.outbox[-1].subject


def test_afterwards_the_new_owner_is_notified_of_turns_like_anybody(client: Client) -> None:
    guest, game = play_now(client)
    play_on(client, game, guest)
    sign_up(client)
    client.post(find_link(mail.outbox[0]))
    owner = Player.objects.get(email=EMAIL)
    mail.outbox.clear()
    while not FeedEntry.objects.filter(player=owner, kind="turn").exists():
        play_on(client, game, owner, 1)  # the end of a match may give the next turn without a notice
    send_mails_until(timezone.now() + 8 * DAY)
    assert {message.to[0] for message in mail.outbox} == {EMAIL}
    kinds = list(Delivery.objects.filter(player=owner).order_by("pk").values_list("kind", flat=True))
    assert kinds[0] == "turn"
    assert "reminder" in kinds


def test_a_turn_that_waits_when_the_game_is_kept_is_reminded_of(client: Client) -> None:
    guest, game = play_now(client)
    play_on(client, game, guest)
    send_mails_until(timezone.now() + timedelta(hours=1))  # the notice is for the guest, who gets no mail
    sign_up(client)
    client.post(find_link(mail.outbox[0]))
    send_mails_until(timezone.now() + 8 * DAY)
    assert Delivery.objects.filter(player__email=EMAIL, kind="reminder", status="sent").exists()


@pytest.mark.parametrize("by_code", [False, True])
def test_signing_in_takes_the_games_along(client: Client, by_code: bool) -> None:
    owner = create_account()
    guest, game = play_now(client)
    play_on(client, game, guest)
    assert client.get("/accounts/login/").status_code == 200
    if by_code:
        answer = client.post("/accounts/login/code/", {"email": EMAIL})
        assert client.get(answer["Location"]).status_code == 200
        code = re.search(r"\n\n([A-Z0-9-]{6,})\n\n", mail.outbox[0].body)[1]  # type: ignore[index]
        client.post(answer["Location"], {"code": code})
    else:
        sign_in(client)
    assert is_signed_in(client)
    assert list(Player.objects.all()) == [owner]
    assert game.seats.get(bot_policy="").player == owner
    play_on(client, game, owner)
    check_game_is_sound(game)


def test_a_wrong_password_takes_nothing(client: Client) -> None:
    create_account()
    guest, game = play_now(client)
    sign_in(client, "wrong")
    assert game.seats.get(bot_policy="").player == guest
    assert client.get(f"/games/{game.code}/").status_code == 200


def test_signing_up_with_an_address_that_has_an_account_moves_nothing_until_signing_in(
    client: Client,
) -> None:
    owner = create_account()
    guest, game = play_now(client)
    sign_up(client)
    guest.refresh_from_db()
    assert guest.claimed_by is not None, "as with an address of nobody's"
    assert guest.claimed_by != owner
    assert game.seats.get(bot_policy="").player == guest
    sign_in(client)
    assert game.seats.get(bot_policy="").player == owner


def test_who_signs_up_a_second_time_keeps_the_game_with_the_account_that_is_confirmed(client: Client) -> None:
    _guest, game = play_now(client)
    sign_up(client, email="elsa@exmaple.org", name="Elsa Vemeer")
    sign_up(client)
    client.post(find_link(mail.outbox[-1]))
    assert game.seats.get(bot_policy="").player == Player.objects.get(email=EMAIL)
    assert not Player.objects.filter(is_guest=True).exists()


def test_handing_over_twice_is_once() -> None:
    ada = player("ada")
    _guest, game = bot_games.start_bot_game(player=None, language="en", now=NOW)
    guest = game.seats.get(bot_policy="").player
    assert guest
    guests.claim_guest(guest=guest, player=ada, now=NOW)
    assert guests.merge_claimed_guests(player=ada, now=NOW) == 1
    before = dump_rows()
    assert guests.merge_claimed_guests(player=ada, now=NOW) == 0
    guests.claim_guest(guest=guest, player=ada, now=NOW)
    assert guests.merge_claimed_guests(player=ada, now=NOW) == 0
    assert dump_rows() == before


def test_all_guests_of_an_account_are_handed_over_with_games_that_are_over() -> None:
    ada = player("ada")
    games = []
    for _ in range(2):
        guest, game = bot_games.start_bot_game(player=None, language="en", now=NOW)
        guests.claim_guest(guest=guest, player=ada, now=NOW)
        games.append(game)
    owner = games[0].seats.get(bot_policy="").player
    assert owner
    turns.play_action(player=owner, code=games[0].code, text="resign", seq=None, key="", now=NOW)
    assert guests.merge_claimed_guests(player=ada, now=NOW) == 2
    assert set(Game.objects.filter(seats__player=ada, creator=ada)) == set(games)
    for game in games:
        check_game_is_sound(game)


def test_two_notes_on_one_game_become_one() -> None:
    ada, public = player("ada"), start_cast_game("bob", "cleo")
    guest, _game = bot_games.start_bot_game(player=None, language="en", now=NOW)
    social.write_note(player=ada, code=public.code, text="as ada", now=NOW)
    social.write_note(player=guest, code=public.code, text="as a guest", now=NOW)
    guests.claim_guest(guest=guest, player=ada, now=NOW)
    guests.merge_claimed_guests(player=ada, now=NOW)
    assert Note.objects.get(player=ada).text == "as ada\n\nas a guest"


def test_whoever_has_read_the_feed_of_the_account_hears_of_the_new_games() -> None:
    ada = player("ada")
    guest, game = bot_games.start_bot_game(player=None, language="en", now=NOW)
    start_cast_game("ada", "bob")
    read = FeedEntry.objects.filter(player=ada).latest("pk").pk
    guests.claim_guest(guest=guest, player=ada, now=NOW)
    guests.merge_claimed_guests(player=ada, now=NOW)
    assert {event.topic for event in FeedEntry.objects.filter(player=ada, pk__gt=read)} == {game.topic}


def test_no_time_is_won_or_lost_when_the_account_is_on_vacation() -> None:
    ada = player("ada")
    guest, game = bot_games.start_bot_game(player=None, language="en", now=NOW)
    bots.play_bot_turns(code=game.code, now=NOW)
    later = NOW + 8 * DAY  # one day of the bank is used
    Player.objects.filter(pk=ada.pk).update(vacation_start=later - DAY, vacation_end=later + 3 * DAY)
    guests.claim_guest(guest=guest, player=ada, now=later)
    guests.merge_claimed_guests(player=ada, now=later)
    game.refresh_from_db()
    assert seat_clock_of(game, 1).bank < timedelta(seconds=clock.TIME_CONTROL_PRESETS["7d"].bank)
    assert game.deadline
    assert abs(game.deadline - (NOW + (37 + 3) * DAY)) < timedelta(minutes=2)
    check_game_is_sound(game)


# ----------------------------------------------------------------------------------------- deletion of guests


def test_who_stays_away_is_forgotten_and_the_game_stays_whole() -> None:
    guest, game = bot_games.start_bot_game(player=None, language="en", now=NOW)
    assert guests.remove_stale_guests(now=NOW + guests.GUEST_RETENTION) == 0
    assert guests.remove_stale_guests(now=NOW + guests.GUEST_RETENTION + DAY) == 1
    assert not Player.objects.filter(pk=guest.pk).exists()
    game.refresh_from_db()
    assert (game.status, game.creator) == ("over", None)
    assert {name for _, _, name, _ in list_log(game)} == {"resign"}
    check_game_is_sound(game)


def test_neither_players_nor_guests_who_came_back_are_forgotten() -> None:
    back, _game = bot_games.start_bot_game(player=None, language="en", now=NOW)
    Player.objects.filter(pk=back.pk).update(last_seen_at=NOW + 20 * DAY)
    Player.objects.filter(pk=player("ada").pk).update(last_seen_at=NOW - 500 * DAY)
    assert guests.remove_stale_guests(now=NOW + 40 * DAY) == 0


def test_a_guest_whose_address_may_still_be_confirmed_stays() -> None:
    guest, _game = bot_games.start_bot_game(player=None, language="en", now=NOW)
    signed_up = NOW + 29 * DAY
    elsa = Player.objects.create_user(email=EMAIL, name="elsa", joined_at=signed_up)
    guests.claim_guest(guest=guest, player=elsa, now=signed_up)
    assert guests.remove_stale_guests(now=signed_up + 29 * DAY) == 0
    assert guests.remove_stale_guests(now=signed_up + 31 * DAY) == 1
    assert not Player.objects.filter(is_guest=True).exists()


def test_guests_are_forgotten_in_batches_and_one_that_breaks_stops_no_other() -> None:
    bot_games_row = [bot_games.start_bot_game(player=None, language="en", now=NOW) for _ in range(3)]
    broken, game = bot_games_row[0]
    game.secrets.state = "nonsense"
    game.secrets.save()
    late = NOW + 40 * DAY
    assert guests.remove_stale_guests(now=late, limit=2) == 1
    assert guests.remove_stale_guests(now=late, limit=2) == 1
    assert guests.remove_stale_guests(now=late, limit=2) == 0
    assert [guest for guest, _game in bot_games_row if Player.objects.filter(pk=guest.pk).exists()] == [
        broken
    ]


def test_the_worker_forgets_guests() -> None:
    bot_games.start_bot_game(player=None, language="en", now=timezone.now() - 31 * DAY)
    tasks.prune_guests()
    assert not Player.objects.filter(is_guest=True).exists()


def test_the_worker_forgets_sessions_that_have_run_out_and_no_other(client: Client) -> None:
    play_now(client)
    session_key = client.session.session_key
    for number in range(3):
        old = timezone.now() - timedelta(days=number + 1)
        Session.objects.create(session_key=f"old-{number}", session_data="", expire_date=old)
    assert presence.delete_expired_sessions(now=timezone.now(), limit=2) == 2
    assert Session.objects.filter(pk="old-0").exists()
    tasks.prune_guests()
    assert list(Session.objects.values_list("pk", flat=True)) == [session_key]
    assert client.get("/games/").status_code == 200


def test_an_account_that_goes_leaves_its_guest_behind() -> None:
    guest, game = bot_games.start_bot_game(player=None, language="en", now=NOW)
    elsa = Player.objects.create_user(email=EMAIL, name="elsa", joined_at=NOW)
    guests.claim_guest(guest=guest, player=elsa, now=NOW)
    players.delete_account(player=elsa, confirmation="elsa", now=NOW)
    guest.refresh_from_db()
    assert guest.claimed_by is None
    assert game.seats.get(bot_policy="").player == guest
