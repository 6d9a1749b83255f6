"""What a player wants to be told, and when: on the page and over REST."""

from __future__ import annotations

from datetime import time, timedelta
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.test import Client

from games import clock
from games.models import Game, Player, Seat
from games.selectors.clocks import build_calendar, seat_clock_of
from games.services import players

from .cast import NOW, game_of, player
from .test_tokens import ask, check_problem, made

pytestmark = pytest.mark.django_db
FIELDS = {
    "mails": "digest",
    "tournament_mails": "duties",
    "digest_hour": "6",
    "remind_used": "50",
    "remind_left": "",
    "quiet_from": "22:30",
    "quiet_until": "07:00",
    "any_sender": "on",
}


def change(plain: str, **changes: Any) -> Any:
    return ask(plain, "me/", "PATCH", changes)


# ------------------------------------------------------------------------------------------------ on the page


def test_the_page_sets_what_i_want(client: Client) -> None:
    ada = player("ada")
    client.force_login(ada)
    assert client.post("/me/notices/", FIELDS)["Location"] == "/me/notices/"
    ada.refresh_from_db()
    assert (ada.mails, ada.digest_hour, ada.any_sender) == ("digest", 6, True)
    assert ada.tournament_mails == "duties"
    assert (ada.remind_used, ada.remind_left) == (50, None)
    assert (ada.quiet_from, ada.quiet_until) == (time(22, 30), time(7))
    page = client.get("/me/notices/").text
    assert 'value="22:30"' in page
    assert 'value="07:00"' in page

    client.post("/me/notices/", FIELDS | {"quiet_from": "", "quiet_until": "", "any_sender": ""})
    ada.refresh_from_db()
    assert (ada.quiet_from, ada.quiet_until) == (None, None)


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"mails": "always"}, "mails"),
        ({"tournament_mails": "some"}, "tournament_mails"),
        ({"digest_hour": "24"}, "digest_hour"),
        ({"digest_hour": ""}, "digest_hour"),
        ({"remind_used": "0"}, "remind_used"),
        ({"remind_left": "100"}, "remind_left"),
        ({"remind_left": "9" * 30}, "remind_left"),
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
    assert (ada.mails, ada.quiet_from) == ("each", None), "nothing is saved"


# -------------------------------------------------------------------------------------------------- over REST


def test_the_profile_tells_and_takes_each_of_them() -> None:
    _row, plain = made("ada")
    told = ask(plain, "me/").json()
    assert {name: told[name] for name in players.NOTICE_FIELDS} == {
        "mails": "each",
        "tournament_mails": "all",
        "digest_hour": 8,
        "remind_used": 75,
        "remind_left": 10,
        "quiet_from": None,
        "quiet_until": None,
        "any_sender": False,
        "invitations_from_strangers": True,
    }
    wanted = {
        "mails": "once",
        "tournament_mails": "none",
        "digest_hour": 23,
        "remind_used": None,
        "remind_left": 99,
        "quiet_from": "21:00",
        "quiet_until": "09:00",
        "any_sender": True,
        "invitations_from_strangers": False,
    }
    answer = change(plain, **wanted)
    assert answer.status_code == 200, answer.content
    assert {name: ask(plain, "me/").json()[name] for name in wanted} == wanted
    assert change(plain, quiet_from=None, quiet_until=None).json()["quiet_from"] is None


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"digest_hour": 24}, "digest_hour"),
        ({"digest_hour": "8"}, "digest_hour"),
        ({"digest_hour": None}, "digest_hour"),
        ({"remind_used": 0}, "remind_used"),
        ({"remind_left": 100}, "remind_left"),
        ({"remind_left": 10**30}, "remind_left"),
        ({"quiet_from": "22:00"}, "quiet_until"),
        ({"quiet_until": "22:00"}, "quiet_from"),
        ({"quiet_from": "18:00", "quiet_until": "06:01"}, "quiet_until"),
        ({"quiet_from": "18:00", "quiet_until": "18:00"}, "quiet_until"),
        ({"quiet_from": "24:00", "quiet_until": "06:00"}, "quiet_from"),
        ({"quiet_from": "6pm", "quiet_until": "06:00"}, "quiet_from"),
        ({"quiet_from": 22, "quiet_until": "06:00"}, "quiet_from"),
        ({"any_sender": "perhaps"}, "any_sender"),
        ({"any_sender": 0}, "any_sender"),
        ({"any_sender": None}, "any_sender"),
        ({"any_sender": []}, "any_sender"),
    ],
)
def test_what_cannot_be_wanted_is_a_400_that_names_the_field(wrong: dict[str, Any], field: str) -> None:
    _row, plain = made("ada")
    problem = check_problem(change(plain, **wrong), 400, "invalid")
    assert list(problem["errors"]) == [field]
    assert ask(plain, "me/").json()["quiet_from"] is None


def test_one_of_two_quiet_hours_can_be_moved() -> None:
    _row, plain = made("ada")
    change(plain, quiet_from="22:00", quiet_until="07:00")
    told = change(plain, quiet_until="08:00").json()
    assert (told["quiet_from"], told["quiet_until"]) == ("22:00", "08:00")
    assert change(plain, quiet_until=None).status_code == 400


def test_an_address_that_is_dead_cannot_be_declared_alive_by_patch() -> None:
    _row, plain = made("ada")
    Player.objects.update(dead_at=NOW, dead_why="gone")
    answer = change(plain, dead_at=None, dead_why="")
    assert (answer.status_code, set(answer.json()["errors"])) == (400, {"dead_at", "dead_why"})
    assert Player.objects.get(name="ada").dead_why == "gone"


def test_what_is_not_of_the_profile_is_a_mistake_of_ours() -> None:
    with pytest.raises(TypeError):
        players.change_profile(player=player("ada"), now=NOW, email="other@example.org")
    with pytest.raises(ValidationError):
        players.change_profile(player=player("ada"), now=NOW, digest_hour=99)


# ------------------------------------------------------------------------------------------ clocks that run


def night_game() -> tuple[Game, Seat]:
    """A game whose clocks rest at night, and the seat that is to act."""
    game = game_of("ada", "bob", nights=True)
    seat = next(place for place in game.places.select_related("player") if game.to_act >> place.number & 1)
    return game, seat


def left(game: Game, seat: Seat, at: Any) -> timedelta:
    """What the seat has at a time."""
    game.refresh_from_db()
    seat.player.refresh_from_db()
    seat_clock = seat_clock_of(game, seat.number)
    settled = clock.charge_elapsed_time(
        seat_clock, at, build_calendar(game, seat.player, seat_clock=seat_clock)
    )
    return settled.allowance_left + settled.bank


@pytest.mark.parametrize(
    "changes",
    [
        {"time_zone": "Asia/Tokyo"},
        {"quiet_from": time(13), "quiet_until": time(23)},
        {"time_zone": "America/New_York", "quiet_from": time(1), "quiet_until": time(5)},
    ],
)
def test_new_hours_leave_a_turn_that_runs_as_it_is(changes: dict[str, Any]) -> None:
    game, seat = night_game()
    now = NOW + timedelta(hours=20)
    before, first = left(game, seat, now), game.deadline
    players.change_profile(player=seat.player, now=now, **changes)
    assert left(game, seat, now) == before
    assert game.deadline == first
    seat_clock = seat_clock_of(game, seat.number)
    assert clock.deadline_of(seat_clock, build_calendar(game, seat.player, seat_clock=seat_clock)) == first
    assert clock.deadline_of(seat_clock, build_calendar(game, seat.player)) != first, "from the next turn on"


def test_what_moves_no_hours_touches_no_clock(django_assert_num_queries: Any) -> None:
    game, seat = night_game()
    before = game.clocks
    with django_assert_num_queries(1):  # the profile
        players.change_profile(
            player=seat.player, now=NOW + timedelta(hours=2), language="nl", time_zone="UTC"
        )
    game.refresh_from_db()
    assert game.clocks == before


def test_the_pages_leave_a_turn_that_runs_as_it_is_too(client: Client) -> None:
    game, seat = night_game()
    client.force_login(seat.player)
    first = game.deadline
    client.post("/me/profile/", {"language": "en", "time_zone": "Asia/Tokyo"})
    client.post("/me/notices/", FIELDS | {"quiet_from": "10:00", "quiet_until": "12:00"})
    game.refresh_from_db()
    assert game.deadline == first
    seat.player.refresh_from_db()
    assert (seat.player.time_zone, seat.player.quiet_from) == ("Asia/Tokyo", time(10))
    for path in ("/me/profile/", "/me/notices/"):
        assert "your next turn on" in client.get(path).text, path
