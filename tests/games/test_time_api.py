"""Time over REST, and whether the forecast for a player who stops acting comes true."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import Player
from common.read_models import build_json
from games.models import Game, Seat
from games.selectors.player_clocks import forecast_absence, load_time_overview
from games.services import bots as bot_service
from games.services import vacation
from tests.factories.cast import NOW, Api, player
from tests.factories.linking import start_game
from tests.factories.timing import (
    BEGUN,
    CALM,
    DAY,
    HOUR,
    MINUTE,
    get_deadline,
    get_name_to_act,
    get_seat_no,
    list_log_lines,
    play_until_turn_of,
    reload_player,
    start_quick_game,
    start_seeded_game,
    sweep_games,
    take_turn,
)

pytestmark = pytest.mark.django_db


def format_stamp(at: datetime) -> str:
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def get_future_time(days: float) -> datetime:
    return (timezone.now() + timedelta(days=days)).replace(microsecond=0)


# ------------------------------------------------------------------------------------------------- vacation


def test_a_vacation_is_planned_and_ended() -> None:
    game = start_game("ada", "bob")
    ada = Api("ada", scopes=("read", "play", "account"))
    before = ada.get("me/time/").json()
    start, end = get_future_time(2), get_future_time(5)
    answer = ada.post("me/vacation/", {"from": start.isoformat(), "until": end.isoformat()})
    assert answer.status_code == 201, answer.json()
    assert answer.json() == ada.get("me/time/").json()
    vacation_data = answer.json()["vacation"]
    assert (vacation_data["from"], vacation_data["until"]) == (format_stamp(start), format_stamp(end))
    assert before["vacation"]["left_seconds"] - vacation_data["left_seconds"] == 3 * 86_400
    assert [line["game"] for line in read_clocks(ada)] == [game.code]
    response = ada.client.delete("/api/v1/me/vacation/", headers=ada.headers)
    assert response.status_code == 200
    assert response.json()["vacation"] == before["vacation"]
    second_response = ada.client.delete("/api/v1/me/vacation/", headers=ada.headers)
    assert (second_response.status_code, second_response.json()["code"]) == (409, "not-on-vacation")


def read_clocks(api: Api) -> list[dict[str, Any]]:
    return list(api.get("me/time/").json()["clocks"])


def test_a_vacation_without_a_beginning_begins_now_and_clocks_say_that_they_rest() -> None:
    start_game("ada", "bob")
    ada = Api("ada", scopes=("read", "play", "account"))
    assert [line["stop_reasons"] for line in read_clocks(ada)] == [[]]
    assert ada.post("me/vacation/", {"until": get_future_time(3).isoformat()}).status_code == 201
    assert [line["stop_reasons"] for line in read_clocks(ada)] == [["vacation"]]
    twice = ada.post("me/vacation/", {"until": get_future_time(3).isoformat()})
    assert (twice.status_code, twice.json()["code"]) == (409, "on-vacation")


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({}, 400, "invalid"),
        ({"until": "soon"}, 400, "invalid"),
        ({"until": None}, 400, "invalid"),
        ({"until": "2020-01-01T00:00:00Z"}, 422, "invalid-value"),
        ({"until": "0001-01-01T00:00:00Z"}, 422, "invalid-value"),
        ({"until": "9999-12-31T23:59:59Z"}, 422, "too-little-vacation"),
        ({"until": "2020-01-01T00:00:00Z", "from": "2021-01-01T00:00:00Z"}, 422, "invalid-value"),
    ],
)
def test_a_vacation_that_cannot_be_is_refused_by_its_code(
    body: dict[str, Any], status: int, code: str
) -> None:
    answer = Api("ada", scopes=("read", "play", "account")).post("me/vacation/", body)
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert reload_player("ada").vacation_end is None


def test_a_vacation_at_the_end_of_the_calendar_breaks_no_clock() -> None:
    start_game("ada", "bob", weekends=True, nights=True)
    ada = Api("ada", scopes=("read", "play", "account"))
    body = {"from": "9999-12-30T00:00:00Z", "until": "9999-12-31T12:00:00Z"}
    assert ada.post("me/vacation/", body).status_code == 201
    assert ada.get("me/time/").status_code == 200


def test_times_are_those_of_utc_for_a_browser_in_another_zone_too() -> None:
    """A page in its player's time zone once received API times that were off by the UTC offset."""
    game = start_game("ada", "bob")
    Player.objects.filter(name="ada").update(time_zone="Asia/Tokyo")
    browser = Client()
    browser.force_login(reload_player("ada"))
    until = get_future_time(3)

    def post(path: str, data: dict[str, str]) -> dict[str, Any]:
        answer = browser.post(f"/api/v1/{path}", data, content_type="application/json")
        assert answer.status_code in (200, 201), answer.content
        return dict(answer.json())

    for text in (format_stamp(until), until.isoformat(), format_stamp(until).removesuffix("Z")):
        assert post("me/vacation/", {"until": text})["vacation"]["until"] == format_stamp(until)
        browser.delete("/api/v1/me/vacation/")
        Player.objects.filter(name="ada").update(vacation_balance=20 * DAY, vacation_accrued_at=NOW)
    post(f"games/{game.code}/pause/", {"until": format_stamp(until)})
    assert Api("bob").get(f"games/{game.code}/pause/").json()["proposed_until"] == format_stamp(until)
    entry = reload_player("bob").feed_entries.get(kind="pause")
    assert entry.data["until"] == format_stamp(until)


# --------------------------------------------------------------------------------------------------- pauses


def test_a_pause_is_proposed_declined_agreed_and_ended() -> None:
    game = start_game("ada", "bob")
    ada, bob, path = Api("ada"), Api("bob"), f"games/{game.code}/pause/"
    until = get_future_time(3)
    nothing = {"paused_until": None, "proposed_until": None, "proposed_by": None}
    assert ada.get(path).json() == nothing
    proposed = {"paused_until": None, "proposed_until": format_stamp(until), "proposed_by": "ada"}
    answer = ada.post(path, {"until": until.isoformat()})
    assert (answer.status_code, answer.json()) == (201, proposed)
    assert answer["Location"] == f"/api/v1/{path}"
    assert bob.get(path).json() == proposed
    assert bob.post(f"{path}decline/").json() == nothing
    ada.post(path, {"until": until.isoformat()})
    assert bob.post(f"{path}agree/").json() == nothing | {"paused_until": format_stamp(until)}
    assert ada.get(f"games/{game.code}/").json()["clock"]["paused_until"] == format_stamp(until)
    bob.post(path, {"until": "2020-01-01T00:00:00Z"})
    assert ada.post(f"{path}agree/").json() == nothing


def test_pauses_are_refused_by_their_codes() -> None:
    game = start_game("ada", "bob")
    ada, path = Api("ada"), f"games/{game.code}/pause/"
    refusals = [
        (ada.post(f"{path}agree/"), 409, "no-pause-proposed"),
        (ada.post(f"{path}decline/"), 409, "no-pause-proposed"),
        (ada.post(path, {"until": "2020-01-01T00:00:00Z"}), 409, "not-paused"),
        (ada.post(path, {"until": get_future_time(61).isoformat()}), 422, "invalid-value"),
        (ada.post(path, {}), 400, "invalid"),
        (Api("cleo").post(path, {"until": get_future_time(3).isoformat()}), 403, "not-seated"),
        (ada.post("games/nonsense/pause/", {"until": get_future_time(3).isoformat()}), 404, "not-found"),
        (ada.post(path, {"until": get_future_time(3).isoformat()}), 201, None),
        (ada.post(path, {"until": get_future_time(4).isoformat()}), 409, "pause-proposed"),
    ]
    for answer, status, code in refusals:
        assert (answer.status_code, answer.json().get("code")) == (status, code)
    ada.post(f"games/{game.code}/resign/")
    answer = Api("bob").post(f"{path}agree/")
    assert (answer.status_code, answer.json()["code"]) == (409, "not-running")


def test_each_door_asks_for_its_scope() -> None:
    game = start_game("ada", "bob")
    reader, anonymous = Api("ada", scopes=("read",)), Api(None)
    assert reader.get("me/time/").status_code == 200
    assert reader.get(f"games/{game.code}/pause/").status_code == 200
    for path in (
        "me/vacation/",
        *(f"games/{game.code}/{command}/" for command in ("pause", "eight", "mute")),
    ):
        assert reader.post(path, {}).json()["code"] == "missing-scope"
        assert anonymous.post(path, {}).status_code == 401
    assert anonymous.get("me/time/").status_code == 401


def test_a_game_is_muted_and_heard_again() -> None:
    game = start_game("ada", "bob")
    ada = Api("ada", scopes=("read", "play", "account"))
    for muted in (True, False):
        assert ada.post(f"games/{game.code}/mute/", {"muted": muted}).json() == {"muted": muted}
        assert ada.get(f"games/{game.code}/").json()["you"]["muted"] is muted
        assert Seat.objects.get(game=game, player=player("ada")).muted is muted
    assert "muted" not in Api("bob").get(f"games/{game.code}/").json()["seats"][0]
    assert Api("cleo", scopes=("account",)).post(f"games/{game.code}/mute/", {"muted": True}).status_code in (
        403,
        404,
    )


# ----------------------------------------------------------------------------------------- the forecast


def test_without_a_game_there_is_nothing_to_lose() -> None:
    data = Api("ada").get("me/time/").json()
    assert (data["first_loss"], data["clocks"]) == (None, [])
    start_game("ada", mode="solo")
    assert Api("ada").get("me/time/").json()["clocks"] == []


def test_who_resigned_or_whose_game_is_over_has_nothing_to_lose_there() -> None:
    left_game, over, kept_game = (
        start_game("ada", "bob", "cleo"),
        start_game("ada", "bob"),
        start_game("ada", "bob"),
    )
    for game in (left_game, over):
        Api("ada").post(f"games/{game.code}/resign/")
    assert [line["game"] for line in read_clocks(Api("ada"))] == [kept_game.code]


def test_a_partner_who_plays_on_keeps_the_side_in_the_game() -> None:
    """While the partner plays, the clock plays for the absent seat, and the side never resigns."""
    names = ("ada", "bob", "cleo", "dirk")
    game = start_quick_game(*names, mode="pairs")
    (clock_row,) = forecast_absence(reload_player("ada"), NOW).clocks
    assert clock_row.loses_at is None
    strict = start_quick_game(*names, mode="pairs", timeout_policy="forfeit")
    losses = {
        clock.seat.game_id: clock.loses_at for clock in forecast_absence(reload_player("ada"), NOW).clocks
    }
    assert losses[game.pk] is None
    assert losses[strict.pk] == NOW + MINUTE + 27 * HOUR
    with_bot = start_seeded_game(CALM, "ada", mode="pairs", bots=("greedy",) * 3, vacation=False)
    losses = {
        clock.seat.game_id: clock.loses_at for clock in forecast_absence(reload_player("ada"), NOW).clocks
    }
    assert losses[with_bot.pk]  # a bot's move is no sign of life


def forecast_losses(name: str, now: datetime) -> dict[str, str | None]:
    """Return the forecast loss of each game, and check the first one."""
    forecast = build_json(load_time_overview(reload_player(name), now))
    first = forecast["first_loss"]
    assert first
    lost = {line["game"]: line["lost_at"] for line in forecast["clocks"]}
    assert first["at"] == lost[first["game"]] == min(filter(None, lost.values()))
    return lost


def stop_and_wait(name: str, games: list[Game], now: datetime) -> dict[str, str | None]:
    """Let a player stop while the others act at once, and sweep every deadline to the second."""
    lost: dict[str, str | None] = {}
    for _ in range(1000):
        for game in games:
            game.refresh_from_db()
            while game.status in ("running", "tiebreak") and game.code not in lost:
                if game.status == "tiebreak":
                    sweep_games(now)
                elif game.bot_to_act:
                    bot_service.play_bot_turns(code=game.code, now=now)
                elif get_name_to_act(game) != name:
                    take_turn(game, now)
                else:
                    break
                game.refresh_from_db()
            if game.code not in lost and (get_seat_no(game, name), "resign", "clock") in list_log_lines(game):
                lost[game.code] = format_stamp(now)
        if len(lost) == len(games):
            return lost
        now = min(game.next_sweep_at for game in games if game.next_sweep_at and game.code not in lost)
        sweep_games(now)
    raise AssertionError("they are never lost")


def test_a_player_who_stops_loses_each_game_exactly_when_forecast() -> None:
    """Covers weekends, nights in their zone, quiet hours, both policies, banks, and both players on turn."""
    Player.objects.filter(pk=player("ada").pk).update(
        time_zone="Europe/Rome", quiet_from=time(21, 30), quiet_until=time(8)
    )
    games = [
        start_quick_game("ada", "bob"),
        start_quick_game("bob", "ada", allowance=7 * 3600, bank=0),
        start_quick_game("ada", "cleo", weekends=True),
        start_quick_game("ada", "cleo", nights=True),
        start_quick_game("ada", "dirk", nights=True, weekends=True, allowance=3 * 86_400),
        start_quick_game("bob", "ada", "cleo", timeout_policy="forfeit"),
        start_quick_game("ada", "bob", time_control="live", allowance=None, bank=None),
    ]
    play_until_turn_of(games[0], "ada")
    now = NOW + 5 * HOUR
    forecast = forecast_losses("ada", now)
    assert len(set(forecast.values())) == 7
    assert stop_and_wait("ada", games, now) == forecast


def test_it_is_exact_with_vacation_that_several_games_share() -> None:
    games = [
        start_quick_game("ada", "bob", vacation=True),
        start_quick_game("bob", "ada", vacation=True, allowance=20 * 3600, timeout_policy="forfeit"),
        start_quick_game("ada", "cleo", vacation=True, nights=True),
        start_quick_game("ada", "cleo", vacation=False),
    ]
    Player.objects.filter(pk=player("ada").pk).update(vacation_balance=timedelta(), vacation_accrued_at=NOW)
    without = forecast_losses("ada", NOW)
    Player.objects.filter(name="ada").update(vacation_balance=9 * HOUR)
    forecast = forecast_losses("ada", NOW)
    assert [forecast[game.code] > without[game.code] for game in games] == [True, True, True, False]
    assert stop_and_wait("ada", games, NOW) == forecast


def test_it_is_exact_with_a_vacation_that_is_planned() -> None:
    games = [
        start_quick_game("ada", "bob", vacation=True),
        start_quick_game("ada", "cleo", vacation=True, weekends=True),
    ]
    Player.objects.filter(pk=player("ada").pk).update(vacation_balance=2 * DAY, vacation_accrued_at=NOW)
    without = forecast_losses("ada", NOW)
    vacation.plan_vacation(player=reload_player("ada"), start=NOW + 30 * HOUR, end=NOW + 70 * HOUR, now=NOW)
    forecast = forecast_losses("ada", NOW)
    assert forecast != without
    assert stop_and_wait("ada", games, NOW) == forecast


def test_it_is_exact_in_a_blind_match_with_its_shorter_clock() -> None:
    game = start_seeded_game(1832, "ada", "bob", cards=False, target=4, vacation=False, time_control="2d")
    while game.status == "running":
        take_turn(game)
    assert sweep_games(NOW) == {"opened": 1}
    forecast = forecast_losses("ada", NOW)
    assert forecast == {game.code: format_stamp(BEGUN + 8 * DAY + 2 * (MINUTE + DAY))}
    assert get_deadline(game) == BEGUN + 8 * DAY


def test_after_a_missed_turn_there_is_one_less() -> None:
    game = start_quick_game("ada", "bob")
    play_until_turn_of(game, "ada")
    whole = forecast_losses("ada", NOW)
    now = get_deadline(game)
    sweep_games(now)
    play_until_turn_of(game, "ada", now)
    assert forecast_losses("ada", now) == whole  # unchanged, because ada stopped as assumed
    take_turn(game, now)
    assert forecast_losses("ada", now)[game.code] == format_stamp(
        now + 3 * (MINUTE + 25 * HOUR)
    )  # the bank is used up
