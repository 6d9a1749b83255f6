"""Time over REST, and whether what it foretells to a player who stops comes true."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from games.models import Game, Player, Seat
from games.selectors.player_clocks import absence_forecast_view, forecast_absence
from games.services import bots as bot_service
from games.services import lobby, vacation

from .cast import NOW, Api, player
from .timing import (
    BEGUN,
    CALM,
    DAY,
    HOUR,
    MINUTE,
    deadline,
    lines,
    mover,
    person,
    quick,
    seat_of,
    seeded,
    swept,
    take_turn,
    turn_of,
)

pytestmark = pytest.mark.django_db


def new_game(*names: str, **terms: Any) -> Game:
    """A game that has just begun by the clock on the wall, which the API reads."""
    now = timezone.now()
    game = lobby.create_game(player=player(names[0]), now=now, seats=len(names), **terms)
    for name in names:
        lobby.join_game(player=player(name), code=game.code, now=now)
    game.refresh_from_db()
    return game


def stamp(at: datetime) -> str:
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def in_days(days: float) -> datetime:
    return (timezone.now() + timedelta(days=days)).replace(microsecond=0)


# ------------------------------------------------------------------------------------------------- vacation


def test_a_vacation_is_planned_and_ended() -> None:
    game = new_game("ada", "bob")
    ada = Api("ada", scopes=("read", "play", "account"))
    before = ada.get("me/time/").json()
    start, end = in_days(2), in_days(5)
    answer = ada.post("me/vacation/", {"from": start.isoformat(), "until": end.isoformat()})
    assert answer.status_code == 201, answer.json()
    assert answer.json() == ada.get("me/time/").json()
    shown = answer.json()["vacation"]
    assert (shown["from"], shown["until"]) == (stamp(start), stamp(end))
    assert before["vacation"]["left"] - shown["left"] == 3 * 86_400
    assert [line["game"] for line in shown_clocks(ada)] == [game.code]
    ended = ada.client.delete("/api/v1/me/vacation/", headers=ada.headers)
    assert ended.status_code == 200
    assert ended.json()["vacation"] == before["vacation"]
    again = ada.client.delete("/api/v1/me/vacation/", headers=ada.headers)
    assert (again.status_code, again.json()["code"]) == (409, "not-on-vacation")


def shown_clocks(api: Api) -> list[dict[str, Any]]:
    return list(api.get("me/time/").json()["clocks"])


def test_a_vacation_without_a_beginning_begins_now_and_clocks_say_that_they_rest() -> None:
    new_game("ada", "bob")
    ada = Api("ada", scopes=("read", "play", "account"))
    assert [line["resting"] for line in shown_clocks(ada)] == [[]]
    assert ada.post("me/vacation/", {"until": in_days(3).isoformat()}).status_code == 201
    assert [line["resting"] for line in shown_clocks(ada)] == [["vacation"]]
    twice = ada.post("me/vacation/", {"until": in_days(3).isoformat()})
    assert (twice.status_code, twice.json()["code"]) == (409, "on-vacation")


@pytest.mark.parametrize(
    ("asked", "status", "code"),
    [
        ({}, 400, "invalid"),
        ({"until": "soon"}, 400, "invalid"),
        ({"until": None}, 400, "invalid"),
        ({"until": "2020-01-01T00:00:00Z"}, 422, "invalid"),
        ({"until": "0001-01-01T00:00:00Z"}, 422, "invalid"),
        ({"until": "9999-12-31T23:59:59Z"}, 422, "too-little-vacation"),
        ({"until": "2020-01-01T00:00:00Z", "from": "2021-01-01T00:00:00Z"}, 422, "invalid"),
    ],
)
def test_a_vacation_that_cannot_be_is_refused_by_its_code(
    asked: dict[str, Any], status: int, code: str
) -> None:
    answer = Api("ada", scopes=("read", "play", "account")).post("me/vacation/", asked)
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert person("ada").away_until is None


def test_a_vacation_at_the_end_of_the_calendar_breaks_no_clock() -> None:
    new_game("ada", "bob", weekends=True, nights=True)
    ada = Api("ada", scopes=("read", "play", "account"))
    asked = {"from": "9999-12-30T00:00:00Z", "until": "9999-12-31T12:00:00Z"}
    assert ada.post("me/vacation/", asked).status_code == 201
    assert ada.get("me/time/").status_code == 200


def test_times_are_those_of_utc_for_a_browser_in_another_zone_too() -> None:
    """A page runs in its player's zone, and what it asked of the API came back an hour or nine off."""
    game = new_game("ada", "bob")
    Player.objects.filter(name="ada").update(time_zone="Asia/Tokyo")
    browser = Client()
    browser.force_login(person("ada"))
    until = in_days(3)

    def post(path: str, data: dict[str, str]) -> dict[str, Any]:
        answer = browser.post(f"/api/v1/{path}", data, content_type="application/json")
        assert answer.status_code in (200, 201), answer.content
        return dict(answer.json())

    for text in (stamp(until), until.isoformat(), stamp(until).removesuffix("Z")):
        assert post("me/vacation/", {"until": text})["vacation"]["until"] == stamp(until)
        browser.delete("/api/v1/me/vacation/")
        Player.objects.filter(name="ada").update(vacation_saved=20 * DAY, vacation_at=NOW)
    post(f"games/{game.code}/pause/", {"until": stamp(until)})
    assert Api("bob").get(f"games/{game.code}/pause/").json()["proposed_until"] == stamp(until)
    told = person("bob").events.get(kind="pause")
    assert told.data["until"] == stamp(until)


# --------------------------------------------------------------------------------------------------- pauses


def test_a_pause_is_proposed_declined_agreed_and_ended() -> None:
    game = new_game("ada", "bob")
    ada, bob, path = Api("ada"), Api("bob"), f"games/{game.code}/pause/"
    until = in_days(3)
    nothing = {"paused_until": None, "proposed_until": None, "proposed_by": None}
    assert ada.get(path).json() == nothing
    proposed = {"paused_until": None, "proposed_until": stamp(until), "proposed_by": "ada"}
    assert ada.post(path, {"until": until.isoformat()}).json() == proposed
    assert bob.get(path).json() == proposed
    assert bob.post(f"{path}decline/").json() == nothing
    ada.post(path, {"until": until.isoformat()})
    assert bob.post(f"{path}agree/").json() == nothing | {"paused_until": stamp(until)}
    assert ada.get(f"games/{game.code}/").json()["clock"]["paused_until"] == stamp(until)
    bob.post(path, {"until": "2020-01-01T00:00:00Z"})
    assert ada.post(f"{path}agree/").json() == nothing


def test_pauses_are_refused_by_their_codes() -> None:
    game = new_game("ada", "bob")
    ada, path = Api("ada"), f"games/{game.code}/pause/"
    told = [
        (ada.post(f"{path}agree/"), 409, "no-pause-proposed"),
        (ada.post(f"{path}decline/"), 409, "no-pause-proposed"),
        (ada.post(path, {"until": "2020-01-01T00:00:00Z"}), 409, "not-paused"),
        (ada.post(path, {"until": in_days(61).isoformat()}), 422, "invalid"),
        (ada.post(path, {}), 400, "invalid"),
        (Api("cleo").post(path, {"until": in_days(3).isoformat()}), 403, "not-seated"),
        (ada.post("games/nonsense/pause/", {"until": in_days(3).isoformat()}), 404, "not-found"),
        (ada.post(path, {"until": in_days(3).isoformat()}), 200, None),
        (ada.post(path, {"until": in_days(4).isoformat()}), 409, "pause-proposed"),
    ]
    for answer, status, code in told:
        assert (answer.status_code, answer.json().get("code")) == (status, code)
    ada.post(f"games/{game.code}/resign/")
    answer = Api("bob").post(f"{path}agree/")
    assert (answer.status_code, answer.json()["code"]) == (409, "not-running")


def test_each_door_asks_for_its_scope() -> None:
    game = new_game("ada", "bob")
    reader, nobody = Api("ada", scopes=("read",)), Api(None)
    assert reader.get("me/time/").status_code == 200
    assert reader.get(f"games/{game.code}/pause/").status_code == 200
    for path in ("me/vacation/", *(f"games/{game.code}/{deed}/" for deed in ("pause", "eight", "mute"))):
        assert reader.post(path, {}).json()["code"] == "missing-scope"
        assert nobody.post(path, {}).status_code == 401
    assert nobody.get("me/time/").status_code == 401


def test_a_game_is_muted_and_heard_again() -> None:
    game = new_game("ada", "bob")
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


# -------------------------------------------------------------------------------------- if you stop now


def test_without_a_game_there_is_nothing_to_lose() -> None:
    shown = Api("ada").get("me/time/").json()
    assert (shown["first_loss"], shown["clocks"]) == (None, [])
    new_game("ada", mode="solo")
    assert Api("ada").get("me/time/").json()["clocks"] == []


def test_who_resigned_or_whose_game_is_over_has_nothing_to_lose_there() -> None:
    gone, over, kept = new_game("ada", "bob", "cleo"), new_game("ada", "bob"), new_game("ada", "bob")
    for game in (gone, over):
        Api("ada").post(f"games/{game.code}/resign/")
    assert [line["game"] for line in shown_clocks(Api("ada"))] == [kept.code]


def test_a_partner_who_plays_on_keeps_the_side_in_the_game() -> None:
    """As long as the partner moves, the clock plays for the other: nobody ever resigns."""
    names = ("ada", "bob", "cleo", "dirk")
    game = quick(*names, mode="pairs")
    (mine,) = forecast_absence(person("ada"), NOW).clocks
    assert mine.loses_at is None
    strict = quick(*names, mode="pairs", timeouts="forfeit")
    losses = {one.seat.game_id: one.loses_at for one in forecast_absence(person("ada"), NOW).clocks}
    assert losses[game.pk] is None
    assert losses[strict.pk] == NOW + MINUTE + 27 * HOUR
    with_bot = seeded(CALM, "ada", mode="pairs", bots=("greedy",) * 3, vacation=False)
    losses = {one.seat.game_id: one.loses_at for one in forecast_absence(person("ada"), NOW).clocks}
    assert losses[with_bot.pk]  # a bot's move is no sign of life


def foretold(name: str, now: datetime) -> dict[str, str | None]:
    """What a player is told: when each game is lost, and the first of all."""
    shown = absence_forecast_view(forecast_absence(person(name), now), now)
    first = shown["first_loss"]
    assert first
    lost = {line["game"]: line["lost_at"] for line in shown["clocks"]}
    assert first["at"] == lost[first["game"]] == min(filter(None, lost.values()))
    return lost


def stop_and_wait(name: str, games: list[Game], now: datetime) -> dict[str, str | None]:
    """A player stops; the others answer at once, and every deadline is swept to the second."""
    lost: dict[str, str | None] = {}
    for _ in range(1000):
        for game in games:
            game.refresh_from_db()
            while game.status in ("running", "tiebreak") and game.code not in lost:
                if game.status == "tiebreak":
                    swept(now)
                elif game.bot_turn:
                    bot_service.play_bot_turns(code=game.code, now=now)
                elif mover(game) != name:
                    take_turn(game, now)
                else:
                    break
                game.refresh_from_db()
            if game.code not in lost and (seat_of(game, name), "resign", "clock") in lines(game):
                lost[game.code] = stamp(now)
        if len(lost) == len(games):
            return lost
        now = min(game.due_at for game in games if game.due_at and game.code not in lost)
        swept(now)
    raise AssertionError("they are never lost")


def test_a_player_who_stops_loses_each_game_exactly_when_they_were_told() -> None:
    """Weekends, nights in their zone, quiet hours, either policy, a bank, one's turn or not."""
    Player.objects.filter(pk=player("ada").pk).update(
        time_zone="Europe/Rome", quiet_from=time(21, 30), quiet_until=time(8)
    )
    games = [
        quick("ada", "bob"),
        quick("bob", "ada", allowance=7 * 3600, bank=0),
        quick("ada", "cleo", weekends=True),
        quick("ada", "cleo", nights=True),
        quick("ada", "dirk", nights=True, weekends=True, allowance=3 * 86_400),
        quick("bob", "ada", "cleo", timeouts="forfeit"),
        quick("ada", "bob", clock_name="live", allowance=None, bank=None),
    ]
    turn_of(games[0], "ada")
    now = NOW + 5 * HOUR
    told = foretold("ada", now)
    assert len(set(told.values())) == 7
    assert stop_and_wait("ada", games, now) == told


def test_it_is_exact_with_vacation_that_several_games_share() -> None:
    games = [
        quick("ada", "bob", vacation=True),
        quick("bob", "ada", vacation=True, allowance=20 * 3600, timeouts="forfeit"),
        quick("ada", "cleo", vacation=True, nights=True),
        quick("ada", "cleo", vacation=False),
    ]
    Player.objects.filter(pk=player("ada").pk).update(vacation_saved=timedelta(), vacation_at=NOW)
    without = foretold("ada", NOW)
    Player.objects.filter(name="ada").update(vacation_saved=9 * HOUR)
    told = foretold("ada", NOW)
    assert [told[game.code] > without[game.code] for game in games] == [True, True, True, False]
    assert stop_and_wait("ada", games, NOW) == told


def test_it_is_exact_with_a_vacation_that_is_planned() -> None:
    games = [quick("ada", "bob", vacation=True), quick("ada", "cleo", vacation=True, weekends=True)]
    Player.objects.filter(pk=player("ada").pk).update(vacation_saved=2 * DAY, vacation_at=NOW)
    without = foretold("ada", NOW)
    vacation.plan_vacation(player=person("ada"), start=NOW + 30 * HOUR, end=NOW + 70 * HOUR, now=NOW)
    told = foretold("ada", NOW)
    assert told != without
    assert stop_and_wait("ada", games, NOW) == told


def test_it_is_exact_in_a_blind_match_with_its_shorter_clock() -> None:
    game = seeded(1832, "ada", "bob", cards=False, target=4, vacation=False, clock_name="2d")
    while game.status == "running":
        take_turn(game)
    assert swept(NOW) == {"opened": 1}
    told = foretold("ada", NOW)
    assert told == {game.code: stamp(BEGUN + 8 * DAY + 2 * (MINUTE + DAY))}
    assert deadline(game) == BEGUN + 8 * DAY


def test_after_a_missed_turn_there_is_one_less() -> None:
    game = quick("ada", "bob")
    turn_of(game, "ada")
    whole = foretold("ada", NOW)
    now = deadline(game)
    swept(now)
    turn_of(game, "ada", now)
    assert foretold("ada", now) == whole  # nothing has changed: she stopped, as was said
    take_turn(game, now)
    assert foretold("ada", now)[game.code] == stamp(now + 3 * (MINUTE + 25 * HOUR))  # the bank is gone
