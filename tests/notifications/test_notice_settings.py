"""Notification preferences of a player, on the page and over REST."""

from __future__ import annotations

from datetime import time, timedelta
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.test import Client

from accounts.models import Player
from accounts.services import players
from games import clock
from games.models import Game, Seat
from games.selectors.clocks import build_calendar, seat_clock_of
from tests.factories.cast import NOW, player, start_cast_game
from tests.helpers.tokens import ask_api, check_problem, create_token

pytestmark = pytest.mark.django_db
FIELDS = {
    "mail_frequency": "digest",
    "tournament_mails": "duties",
    "digest_hour": "6",
    "remind_at_used_percent": "50",
    "remind_at_left_percent": "",
    "quiet_from": "22:30",
    "quiet_until": "07:00",
    "allow_any_sender": "on",
}


def change_settings(plain: str, **changes: Any) -> Any:
    return ask_api(plain, "me/", "PATCH", changes)


# --------------------------------------------------------------------------------------------------- the page


def test_the_page_sets_what_i_want(client: Client) -> None:
    ada = player("ada")
    client.force_login(ada)
    assert client.post("/me/notices/", FIELDS)["Location"] == "/me/notices/"
    ada.refresh_from_db()
    assert (ada.mail_frequency, ada.digest_hour, ada.allow_any_sender) == ("digest", 6, True)
    assert ada.tournament_mails == "duties"
    assert (ada.remind_at_used_percent, ada.remind_at_left_percent) == (50, None)
    assert (ada.quiet_from, ada.quiet_until) == (time(22, 30), time(7))
    page = client.get("/me/notices/").text
    assert 'value="22:30"' in page
    assert 'value="07:00"' in page

    client.post("/me/notices/", FIELDS | {"quiet_from": "", "quiet_until": "", "allow_any_sender": ""})
    ada.refresh_from_db()
    assert (ada.quiet_from, ada.quiet_until) == (None, None)


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"mail_frequency": "always"}, "mail_frequency"),
        ({"tournament_mails": "some"}, "tournament_mails"),
        ({"digest_hour": "24"}, "digest_hour"),
        ({"digest_hour": ""}, "digest_hour"),
        ({"remind_at_used_percent": "0"}, "remind_at_used_percent"),
        ({"remind_at_left_percent": "100"}, "remind_at_left_percent"),
        ({"remind_at_left_percent": "9" * 30}, "remind_at_left_percent"),
        ({"quiet_until": ""}, "quiet_until"),
        ({"quiet_from": ""}, "quiet_from"),
        ({"quiet_from": "25:00"}, "quiet_from"),
        ({"quiet_from": "18:59"}, "quiet_until"),
        ({"quiet_from": "07:00"}, "quiet_until"),
    ],
)
def test_the_page_says_which_field_is_wrong(client: Client, wrong: dict[str, str], field: str) -> None:
    ada = player("ada")
    client.force_login(ada)
    answer = client.post("/me/notices/", FIELDS | wrong)
    assert answer.status_code == 200
    assert list(answer.context["form"].errors) == [field]
    ada.refresh_from_db()
    assert (ada.mail_frequency, ada.quiet_from) == ("each", None), "nothing is saved"


# ------------------------------------------------------------------------------------------------------- REST


def test_the_profile_tells_and_takes_each_of_them() -> None:
    _row, plain = create_token("ada")
    data = ask_api(plain, "me/").json()
    assert {name: data[name] for name in players.NOTICE_FIELDS} == {
        "mail_frequency": "each",
        "tournament_mails": "all",
        "digest_hour": 8,
        "remind_at_used_percent": 75,
        "remind_at_left_percent": 10,
        "quiet_from": None,
        "quiet_until": None,
        "allow_any_sender": False,
        "invitations_from_strangers": True,
    }
    wanted = {
        "mail_frequency": "once",
        "tournament_mails": "none",
        "digest_hour": 23,
        "remind_at_used_percent": None,
        "remind_at_left_percent": 99,
        "quiet_from": "21:00",
        "quiet_until": "09:00",
        "allow_any_sender": True,
        "invitations_from_strangers": False,
    }
    answer = change_settings(plain, **wanted)
    assert answer.status_code == 200, answer.content
    assert {name: ask_api(plain, "me/").json()[name] for name in wanted} == wanted
    assert change_settings(plain, quiet_from=None, quiet_until=None).json()["quiet_from"] is None


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"digest_hour": 24}, "digest_hour"),
        ({"digest_hour": "8"}, "digest_hour"),
        ({"digest_hour": None}, "digest_hour"),
        ({"remind_at_used_percent": 0}, "remind_at_used_percent"),
        ({"remind_at_left_percent": 100}, "remind_at_left_percent"),
        ({"remind_at_left_percent": 10**30}, "remind_at_left_percent"),
        ({"quiet_from": "22:00"}, "quiet_until"),
        ({"quiet_until": "22:00"}, "quiet_from"),
        ({"quiet_from": "18:00", "quiet_until": "06:01"}, "quiet_until"),
        ({"quiet_from": "18:00", "quiet_until": "18:00"}, "quiet_until"),
        ({"quiet_from": "24:00", "quiet_until": "06:00"}, "quiet_from"),
        ({"quiet_from": "6pm", "quiet_until": "06:00"}, "quiet_from"),
        ({"quiet_from": 22, "quiet_until": "06:00"}, "quiet_from"),
        ({"allow_any_sender": "perhaps"}, "allow_any_sender"),
        ({"allow_any_sender": 0}, "allow_any_sender"),
        ({"allow_any_sender": None}, "allow_any_sender"),
        ({"allow_any_sender": []}, "allow_any_sender"),
    ],
)
def test_what_cannot_be_wanted_is_a_400_that_names_the_field(wrong: dict[str, Any], field: str) -> None:
    _row, plain = create_token("ada")
    problem = check_problem(change_settings(plain, **wrong), 400, "invalid")
    assert list(problem["errors"]) == [field]
    assert ask_api(plain, "me/").json()["quiet_from"] is None


def test_one_of_two_quiet_hours_can_be_moved() -> None:
    _row, plain = create_token("ada")
    change_settings(plain, quiet_from="22:00", quiet_until="07:00")
    data = change_settings(plain, quiet_until="08:00").json()
    assert (data["quiet_from"], data["quiet_until"]) == ("22:00", "08:00")
    assert change_settings(plain, quiet_until=None).status_code == 400


def test_an_address_that_is_dead_cannot_be_declared_alive_by_patch() -> None:
    _row, plain = create_token("ada")
    Player.objects.update(email_bounced_at=NOW, email_bounce_reason="gone")
    answer = change_settings(plain, email_bounced_at=None, email_bounce_reason="")
    assert (answer.status_code, set(answer.json()["errors"])) == (
        400,
        {"email_bounced_at", "email_bounce_reason"},
    )
    assert Player.objects.get(name="ada").email_bounce_reason == "gone"


def test_what_is_not_of_the_profile_is_a_mistake_of_ours() -> None:
    with pytest.raises(TypeError):
        players.change_profile(player=player("ada"), now=NOW, email="other@example.org")
    with pytest.raises(ValidationError):
        players.change_profile(player=player("ada"), now=NOW, digest_hour=99)


# ------------------------------------------------------------------------------------------- running clocks


def start_night_game() -> tuple[Game, Seat]:
    """Start a game with night hours; return it with the seat to act."""
    game = start_cast_game("ada", "bob", nights=True)
    seat = next(
        place for place in game.seats.select_related("player") if game.to_act_mask >> place.seat_no & 1
    )
    return game, seat


def compute_time_left(game: Game, seat: Seat, at: Any) -> timedelta:
    """Return allowance and bank of a seat at a time."""
    game.refresh_from_db()
    seat.player.refresh_from_db()
    seat_clock = seat_clock_of(game, seat.seat_no)
    charged_clock = clock.charge_elapsed_time(
        seat_clock, at, build_calendar(game, seat.player, seat_clock=seat_clock)
    )
    return charged_clock.allowance_left + charged_clock.bank


@pytest.mark.parametrize(
    "changes",
    [
        {"time_zone": "Asia/Tokyo"},
        {"quiet_from": time(13), "quiet_until": time(23)},
        {"time_zone": "America/New_York", "quiet_from": time(1), "quiet_until": time(5)},
    ],
)
def test_new_hours_leave_a_turn_that_runs_as_it_is(changes: dict[str, Any]) -> None:
    game, seat = start_night_game()
    now = NOW + timedelta(hours=20)
    before, first = compute_time_left(game, seat, now), game.deadline
    players.change_profile(player=seat.player, now=now, **changes)
    assert compute_time_left(game, seat, now) == before
    assert game.deadline == first
    seat_clock = seat_clock_of(game, seat.seat_no)
    assert clock.deadline_of(seat_clock, build_calendar(game, seat.player, seat_clock=seat_clock)) == first
    assert clock.deadline_of(seat_clock, build_calendar(game, seat.player)) != first, "from the next turn on"


def test_what_moves_no_hours_touches_no_clock(django_assert_num_queries: Any) -> None:
    game, seat = start_night_game()
    before = game.seat_clocks
    with django_assert_num_queries(1):  # the update of the profile
        players.change_profile(
            player=seat.player, now=NOW + timedelta(hours=2), language="nl", time_zone="UTC"
        )
    game.refresh_from_db()
    assert game.seat_clocks == before


def test_the_pages_leave_a_turn_that_runs_as_it_is_too(client: Client) -> None:
    game, seat = start_night_game()
    client.force_login(seat.player)
    first = game.deadline
    client.post("/me/profile/", {"language": "en", "time_zone": "Asia/Tokyo"})
    client.post("/me/notices/", FIELDS | {"quiet_from": "10:00", "quiet_until": "12:00"})
    game.refresh_from_db()
    assert game.deadline == first
    seat.player.refresh_from_db()
    assert (seat.player.time_zone, seat.player.quiet_from) == ("Asia/Tokyo", time(10))
    for path in ("/me/profile/", "/me/notices/"):
        assert "your next turn" in client.get(path).text, path
