"""The lobby over REST: creating, joining, starting and repeating games."""

from __future__ import annotations

import hashlib
import re
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone

from games import clock, tasks
from games.engine import DEFAULT_EDITION, fairness
from games.models import Game, GameSecrets, Seat
from games.options import GAME_OPTIONS, read_options
from games.services import lobby
from notifications.models import FeedEntry
from tests.factories.bots import declare_bot
from tests.factories.cast import NAMES, Api, player, start_cast_game

pytestmark = pytest.mark.django_db


def create_game(host: str, **terms: Any) -> str:
    """Create a game of the host through the API."""
    answer = Api(host).post("games/", terms)
    assert answer.status_code == 201, answer.content
    return str(answer.json()["id"])


def join_game(code: str, *names: str, **words: Any) -> Any:
    """Seat these players one after the other; return the last response."""
    answer = None
    for name in names:
        answer = Api(name).post(f"games/{code}/join/", words)
        assert answer.status_code == 200, answer.content
    return answer.json()


def get_status_and_code(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


def get_view(code: str, name: str | None = None) -> Any:
    return Api(name).get(f"games/{code}/").json()


# ------------------------------------------------------------------------------------------------- creating


def test_a_game_without_wishes_gets_the_usual_terms() -> None:
    data = Api("ada").post("games/").json()
    assert (data["status"], data["mode"], data["seats_wanted"]) == ("open", "singles", 2)
    assert data["edition"] == DEFAULT_EDITION
    usual_options = {"cards": True, "obligation": "strict", "target": 24}
    assert data["options"] == usual_options | {"cards_from": 1, "seniority": "account"}
    assert (data["rules"], data["hints"]) == (2, True)
    usual = {
        "timeouts": "autoplay",
        "weekends": False,
        "nights": False,
        "vacation": True,
        "paused_until": None,
    }
    timing = {
        "name": "2d",
        "allowance_seconds": 172_800,
        "bank_seconds": 604_800,
        "blind_allowance_seconds": 86_400,
    }
    assert data["clock"] == timing | usual
    assert (data["order"], data["private"], data["rated"], data["chat"]) == ("as-joined", False, False, True)


@pytest.mark.parametrize(("obligation", "rated"), [("lenient", False), ("strict", True)])
def test_every_option_is_kept_as_it_was_chosen(obligation: str, rated: bool) -> None:
    chosen = {"mode": "pairs", "edition": "bannan-nl", "order": "shuffled", "private": True, "rated": rated}
    chosen["hints"] = False
    options = {"cards": True, "obligation": obligation, "target": 99, "cards_from": 2, "seniority": "lot"}
    timing = {
        "clock": "custom",
        "allowance_seconds": 60,
        "bank_seconds": 0,
        "blind_allowance_seconds": 90,
    }
    timing |= {"timeouts": "forfeit", "weekends": True, "nights": True, "vacation": True}
    view_data = get_view(create_game("ada", seats=4, **chosen, **options, **timing), "ada")
    assert {name: view_data[name] for name in chosen} == chosen
    assert (view_data["seats_wanted"], view_data["options"]) == (4, options)
    assert view_data["clock"] == {
        "name": "custom",
        "allowance_seconds": 60,
        "bank_seconds": 0,
        "blind_allowance_seconds": 90,
        "timeouts": "forfeit",
        "weekends": True,
        "nights": True,
        "vacation": True,
        "paused_until": None,
    }
    for name, preset in clock.TIME_CONTROL_PRESETS.items():
        view_data = get_view(create_game("ada", clock=name))["clock"]
        assert (view_data["name"], view_data["allowance_seconds"], view_data["bank_seconds"]) == (
            name,
            preset.allowance,
            preset.bank,
        )
        assert view_data["vacation"] == (name not in ("live", "fast"))


@pytest.mark.parametrize(
    ("terms", "status"),
    [
        ({"mode": "chess"}, 400),
        ({"mode": None}, 400),
        ({"seats": 0}, 400),
        ({"seats": 5}, 400),
        ({"seats": "2"}, 400),
        ({"seats": 1}, 422),
        ({"mode": "pairs", "seats": 3}, 422),
        ({"mode": "solo", "seats": 2}, 422),
        ({"edition": "arcastudio-9"}, 400),
        ({"cards": "perhaps"}, 400),
        ({"obligation": "none"}, 400),
        ({"cards_from": 0}, 400),
        ({"cards_from": 3}, 400),
        ({"cards_from": "2"}, 400),
        ({"seniority": "age"}, 400),
        ({"hints": "some"}, 400),
        ({"target": 0}, 400),
        ({"target": 100}, 400),
        ({"target": "24"}, 400),
        ({"clock": "1h"}, 400),
        ({"clock": "custom"}, 422),
        ({"clock": "custom", "allowance_seconds": 3600}, 422),
        ({"clock": "custom", "allowance_seconds": 59, "bank_seconds": 0}, 400),
        ({"clock": "custom", "allowance_seconds": 30 * 86_400 + 1, "bank_seconds": 0}, 400),
        ({"clock": "custom", "allowance_seconds": 3600, "bank_seconds": 120 * 86_400 + 1}, 400),
        ({"clock": "custom", "allowance_seconds": 3600, "bank_seconds": -1}, 400),
        ({"clock": "custom", "allowance_seconds": 10**30, "bank_seconds": 0}, 400),
        ({"clock": "2d", "allowance_seconds": 3600}, 422),
        ({"order": "by-name"}, 400),
        ({"private": 7}, 400),
        ({"rated": {}}, 400),
        ([], 400),
        (b"{", 400),
    ],
)
def test_a_wrong_option_is_refused_and_makes_no_game(terms: Any, status: int) -> None:
    answer = Api("ada").post("games/", terms)
    assert answer.status_code == status, answer.content
    assert answer["Content-Type"] == "application/problem+json"
    assert answer.json()["detail"]
    assert not Game.objects.exists()


def test_nobody_and_a_token_that_only_reads_make_no_game() -> None:
    assert get_status_and_code(Api(None).post("games/")) == (401, "not-authenticated")
    assert get_status_and_code(Api("ada", scopes=("read",)).post("games/")) == (403, "missing-scope")


def test_a_player_has_at_most_twenty_open_games() -> None:
    for _ in range(lobby.MAX_OPEN_GAMES_PER_PLAYER):
        code = lobby.create_game(player=player("ada"), now=timezone.now()).code
    assert get_status_and_code(Api("ada").post("games/")) == (409, "too-many-open")
    assert Api("ada").post(f"games/{code}/cancel/").status_code == 200
    assert Api("ada").post("games/").status_code == 201


def test_creating_does_not_join_and_the_commitment_is_there_before_anyone_can() -> None:
    code = create_game("ada")
    before = get_view(code)
    assert (before["seats"], before["fairness"]["client_seeds"]) == ([], [])
    assert re.fullmatch("[0-9a-f]{64}", before["fairness"]["commitment"])
    assert before["fairness"]["server_seed"] is None
    join_game(code, "ada", "bob")
    running = get_view(code, "ada")["fairness"]
    assert (running["commitment"], running["server_seed"]) == (before["fairness"]["commitment"], None)
    Api("bob").post(f"games/{code}/resign/")
    after = get_view(code)["fairness"]
    assert after["commitment"] == before["fairness"]["commitment"]
    assert hashlib.sha256(bytes.fromhex(after["server_seed"])).hexdigest() == after["commitment"]


# ------------------------------------------------------------------------------------------------ the lobby


def test_the_lobby_is_filtered_by_every_term() -> None:
    plain = create_game("ada")
    pairs = create_game("ada", mode="pairs", edition="bannan-nl", clock="live", rated=True)
    hidden = create_game("ada", private=True)
    running = start_cast_game("bob", "cleo").code

    def list_codes(query: str, name: str | None = None) -> list[str]:
        return [game["id"] for game in Api(name).get(f"games/?{query}").json()["results"]]

    assert list_codes("status=open") == [pairs, plain]
    assert list_codes("status=open", "ada") == [hidden, pairs, plain]
    assert list_codes("status=running") == [running]
    for query in ("mode=pairs", "edition=bannan-nl", "seats=4", "clock=live", "rated=true"):
        assert list_codes(query) == [pairs], query
    assert list_codes("rated=false&seats=2&status=open") == [plain]
    assert list_codes("own=true", "bob") == [running]
    assert list_codes("own=true") == []
    for query in ("status=lost", "mode=chess", "seats=x", "seats=9", "rated=so", "edition=x"):
        assert get_status_and_code(Api(None).get(f"games/?{query}")) == (400, "invalid"), query


def test_the_lobby_comes_in_pages_that_new_games_do_not_shift() -> None:
    codes = [create_game("ada") for _ in range(5)]
    page = Api(None).get("games/?page_size=2").json()
    ids = [game["id"] for game in page["results"]]
    assert page["previous"] is None
    create_game("bob")
    while page["next"]:
        page = Api(None).client.get(page["next"]).json()
        ids += [game["id"] for game in page["results"]]
    assert ids == codes[::-1]
    assert get_status_and_code(Api(None).get("games/?cursor=nonsense")) == (400, "invalid")


# ---------------------------------------------------------------------------------------- joining, leaving


def test_the_last_seat_starts_the_game_and_everybody_hears_of_it() -> None:
    code = create_game("ada")
    assert join_game(code, "ada")["status"] == "open"
    game_view = join_game(code, "bob")
    assert (game_view["status"], game_view["seq"], game_view["you"]["seat"]) == ("running", 0, 2)
    kinds = dict(FeedEntry.objects.filter(dedup_key=f"{code}:0").values_list("player__name", "kind"))
    first = ("ada", "bob")[game_view["to_act"][0] - 1]
    assert kinds == {"ada": "started", "bob": "started"} | {first: "turn"}
    assert get_status_and_code(Api("cleo").post(f"games/{code}/join/")) == (409, "not-open")
    assert get_status_and_code(Api("bob").post(f"games/{code}/leave/")) == (409, "not-open")


def test_nobody_sits_twice_and_the_hosts_seat_is_kept() -> None:
    code = create_game("ada", seats=3)
    join_game(code, "bob", "cleo")
    assert get_status_and_code(Api("bob").post(f"games/{code}/join/")) == (409, "already-joined")
    assert get_status_and_code(Api("dirk").post(f"games/{code}/join/")) == (409, "full")
    assert get_status_and_code(Api("ada").post(f"games/{code}/bots/")) == (409, "full")
    assert join_game(code, "ada")["status"] == "running"
    assert get_status_and_code(Api("dirk").post("games/nosuchgame/join/")) == (404, "not-found")


def test_who_leaves_makes_room_and_the_others_move_up() -> None:
    code = create_game("ada", seats=4)
    join_game(code, "ada", "bob", "cleo")
    left = Api("bob").post(f"games/{code}/leave/")
    assert (left.status_code, left.json()["joined"]) == (200, None)
    assert [(seat["joined"], seat["name"]) for seat in left.json()["seats"]] == [(1, "ada"), (2, "cleo")]
    assert get_status_and_code(Api("bob").post(f"games/{code}/leave/")) == (403, "not-seated")
    assert join_game(code, "bob")["joined"] == 3
    Api("ada").post(f"games/{code}/leave/")
    assert get_status_and_code(Api("ada").post(f"games/{code}/cancel/")) == (403, "not-host")
    assert Api("cleo").post(f"games/{code}/bots/").status_code == 201, "the next one hosts"
    for name in ("bob", "cleo"):
        left = Api(name).post(f"games/{code}/leave/")
    assert left.json()["status"] == "cancelled", "bots do not wait for people"


def test_who_leaves_a_private_game_is_no_longer_shown_on_a_seat() -> None:
    code, _bob = create_game("ada", seats=3, private=True), player("bob")
    Api("ada").post(f"games/{code}/invite/", {"name": "bob"})
    join_game(code, "ada", "bob")
    left = Api("bob").post(f"games/{code}/leave/")
    assert left.status_code == 200
    assert [seat["name"] for seat in left.json()["seats"]] == ["ada"]


@pytest.mark.parametrize("status", ["open", "running", "over"])
def test_a_private_game_does_not_exist_for_strangers(status: str) -> None:
    code = create_game("ada") if status == "open" else start_cast_game("ada", "bob").code
    Game.objects.update(private=True)
    if status == "over":
        Api("bob").post(f"games/{code}/resign/")
    host, stranger = Api("ada"), Api("cleo")
    assert host.get(f"games/{code}/").json()["status"] == status
    absent = stranger.get("games/nosuchgame/").json()
    for path in ("", "actions/legal/", "record/", "log/", "notes/", "chat/", "board.txt", "board.svg"):
        answer = stranger.get(f"games/{code}/{path}")
        assert (answer.status_code, answer.json()) == (404, absent), path
    assert Api(None).get(f"games/{code}/").status_code == 404
    bodies = {"actions": {"action": "draw", "seq": 0}, "chat": {"text": "hello"}, "invite": {"name": "ada"}}
    commands = ("join", "leave", "cancel", "decline", "bots", "rematch", "resign", *bodies)
    status_by_command = {
        command: stranger.post(f"games/{code}/{command}/", bodies.get(command)).status_code
        for command in commands
    }
    assert status_by_command == dict.fromkeys(commands, 404), "a door tells a stranger that the game exists"
    assert code not in stranger.get("games/").content.decode()


# ------------------------------------------------------------------------------------------ seeds and seats


def test_client_seeds_are_kept_exactly_and_who_gives_none_gets_the_joining_number() -> None:
    code = create_game("ada", seats=4)
    seeds = [" with spaces ", "ünïcödé 🙂", "x" * 64]
    for name, seed in zip(NAMES, seeds, strict=False):
        join_game(code, name, client_seed=seed)
    join_game(code, "dirk")
    assert get_view(code)["fairness"]["client_seeds"] == [*seeds, "4"]


@pytest.mark.parametrize("seed", ["a|b", "x" * 65, "\x00", "\ud800", 5, None, ["a"]])
def test_an_unusable_client_seed_is_refused_and_takes_no_seat(seed: object) -> None:
    code = create_game("ada")
    answer = Api("ada").post(f"games/{code}/join/", {"client_seed": seed})
    assert answer.status_code in (400, 422), answer.content
    assert not Seat.objects.exists()


@pytest.mark.parametrize("order", ["as-joined", "shuffled"])
def test_seats_follow_the_order_that_was_chosen(order: str) -> None:
    code = create_game("dirk", seats=4, order=order)
    for name in reversed(NAMES):
        join_game(code, name, client_seed=f"of {name}")
    seed = bytes(GameSecrets.objects.get(game__code=code).server_seed)
    seeds = [f"of {name}" for name in reversed(NAMES)]
    want = [1, 2, 3, 4] if order == "as-joined" else fairness.assign_seats(seed, seeds)
    record = Api(None).get(f"games/{code}/record/").json()
    assert record["seating"] == {"order": order, "joined": want}
    by_seat = sorted(zip(want, reversed(NAMES), strict=True))
    assert [seat["name"] for seat in record["seats"]] == [name for _, name in by_seat]
    assert record["fairness"]["client_seeds"] == [f"of {name}" for _, name in by_seat]
    assert [record["seats"][number - 1]["name"] for number in record["seniority"]] == list(NAMES)


@pytest.mark.parametrize("order", ["as-joined", "shuffled"])
@pytest.mark.parametrize("host_first", [True, False], ids=["host first", "partner first"])
def test_partners_sit_opposite(order: str, host_first: bool) -> None:
    code = create_game("ada", mode="pairs", order=order)
    player("bob")
    response = Api("ada").post(f"games/{code}/invite/", {"name": "bob", "partner": True})
    assert (response.status_code, response.json()["partner"]) == (201, True)
    join_game(code, *("ada", "bob") if host_first else ("bob", "ada"), client_seed="same")
    join_game(code, "cleo", "dirk", client_seed="same")
    seat = {place["name"]: place["seat"] for place in get_view(code)["seats"]}
    assert abs(seat["ada"] - seat["bob"]) == 2, seat
    if order == "shuffled":
        seed = bytes(GameSecrets.objects.get(game__code=code).server_seed)
        names = [*(("ada", "bob") if host_first else ("bob", "ada")), "cleo", "dirk"]
        want = fairness.assign_seats(seed, ["same"] * 4, couples=[(0, 1)])
        assert seat == dict(zip(names, want, strict=True))


def test_seniority_goes_by_the_age_of_the_account_and_bots_come_last() -> None:
    code = create_game("cleo", seats=4, rated=False, bots_allowed=True)
    join_game(code, "cleo")
    assert Api("cleo").post(f"games/{code}/bots/", {"policy": "random"}).status_code == 201
    declare_bot("ada", owner="bob")
    join_game(code, "bob", "ada", accept_bots=True)
    assert Game.objects.get(code=code).seniority == [3, 1, 4, 2]


# ----------------------------------------------------------------------------------- bots, solo, rematches


def test_bots_fill_seats_and_start_the_game() -> None:
    code = create_game("ada", seats=3)
    join_game(code, "ada")
    first = Api("ada").post(f"games/{code}/bots/", {"policy": "random"}).json()
    assert (first["status"], first["seats"][1]["name"]) == ("open", "random bot")
    last = Api("ada").post(f"games/{code}/bots/").json()
    assert [seat["bot"] for seat in last["seats"]] == [None, "random", "greedy"]
    assert (last["status"], last["fairness"]["client_seeds"]) == ("running", ["1", "2", "3"])
    assert get_status_and_code(Api("ada").post(f"games/{code}/bots/")) == (409, "not-open")


def test_a_bot_is_for_the_host_to_add_of_a_known_kind_and_not_to_a_rated_game() -> None:
    code = create_game("ada", seats=3)
    assert get_status_and_code(Api("bob").post(f"games/{code}/bots/")) == (403, "not-host")
    for policy in ("clock", "genius", 5):
        assert get_status_and_code(Api("ada").post(f"games/{code}/bots/", {"policy": policy})) == (
            400,
            "invalid",
        )
    assert get_status_and_code(Api("ada").post(f"games/{create_game('ada', rated=True)}/bots/")) == (
        409,
        "rated",
    )


def test_a_solo_game_starts_at_once() -> None:
    code = create_game("ada", mode="solo", rated=True)
    game_view = join_game(code, "ada")
    assert (game_view["status"], game_view["to_act"], game_view["rated"]) == ("running", [1], False)


def test_a_rematch_has_the_same_terms_and_whoever_asks_second_gets_the_same_game() -> None:
    terms = {"target": 8, "cards": False, "edition": "bannan-nl", "seat_order": "shuffled"}
    custom = {"time_control": "custom", "allowance": 3600, "bank": 60}
    old = start_cast_game("ada", "bob", bots=("random",), **terms, **custom)
    assert get_status_and_code(Api("ada").post(f"games/{old.code}/rematch/")) == (409, "not-over")
    Api("bob").post(f"games/{old.code}/resign/")
    Api("ada").post(f"games/{old.code}/resign/")
    assert get_status_and_code(Api("cleo").post(f"games/{old.code}/rematch/"))[0] == 404
    first = Api("ada").post(f"games/{old.code}/rematch/")
    assert first.status_code == 201
    second = Api("bob").post(f"games/{old.code}/rematch/").json()
    old_options, options = (
        read_options(Game.objects.get(code=code), GAME_OPTIONS) for code in (old.code, second["id"])
    )
    assert options == old_options | {"private": True}
    assert second["id"] == first.json()["id"] != old.code
    for name in ("options", "edition", "order", "clock", "seats_wanted", "mode"):
        assert second[name] == get_view(old.code)[name], name
    assert second["private"]
    assert second["fairness"]["commitment"] != old.commitment
    assert [seat["bot"] for seat in first.json()["seats"]] == ["random"]
    assert [seat["name"] for seat in first.json()["seats"]] == ["random bot"]
    assert second["status"] == "open"
    join_game(second["id"], "bob")
    assert join_game(second["id"], "ada")["status"] == "running"


def test_a_rematch_that_came_to_nothing_can_be_asked_for_again() -> None:
    old = start_cast_game("ada", "bob")
    Api("bob").post(f"games/{old.code}/resign/")
    first = Api("ada").post(f"games/{old.code}/rematch/").json()
    assert Api("ada").post(f"games/{first['id']}/cancel/").status_code == 200
    response = Api("bob").post(f"games/{old.code}/rematch/")
    assert (response.status_code, response.json()["status"]) == (201, "open")


def test_cancelling_is_for_the_host_and_those_who_joined_hear_of_it() -> None:
    code = create_game("ada", seats=3)
    join_game(code, "bob")
    assert get_status_and_code(Api("bob").post(f"games/{code}/cancel/")) == (403, "not-host")
    assert Api("ada").post(f"games/{code}/cancel/").json()["status"] == "cancelled"
    assert FeedEntry.objects.get(dedup_key=f"{code}:cancelled").player.name == "bob"
    assert get_status_and_code(Api("ada").post(f"games/{code}/cancel/")) == (409, "not-open")
    assert get_status_and_code(Api("cleo").post(f"games/{code}/join/")) == (409, "not-open")
    assert get_status_and_code(Api("bob").play(code, "draw", 0)) == (409, "cancelled")


def test_a_game_that_has_not_begun_is_not_played_and_has_no_record() -> None:
    code = create_game("ada")
    join_game(code, "ada")
    assert get_status_and_code(Api("ada").play(code, "draw", 0)) == (409, "not-started")
    assert get_status_and_code(Api("ada").get(f"games/{code}/record/")) == (404, "not-found")


@pytest.mark.parametrize(("name", "hours"), [("live", 0.5), ("12h", 84), ("2d", 14 * 24), ("7d", 30 * 24)])
def test_an_open_game_is_given_up_by_its_own_clock(name: str, hours: float) -> None:
    wait = timedelta(hours=hours)
    created_at = timezone.now() - wait
    game = lobby.create_game(player=player("ada"), now=created_at, seat_count=3, time_control=name)
    lobby.join_game(player=player("bob"), code=game.code, now=created_at)
    expires_at = datetime.fromisoformat(get_view(game.code)["expires_at"])
    assert abs(expires_at - created_at - wait) < timedelta(seconds=1)
    assert get_status_and_code(Api("cleo").post(f"games/{game.code}/join/")) == (409, "expired")
    assert lobby.expire_open_games(now=created_at + wait - timedelta(seconds=1)) == 0
    tasks.expire_open_games()
    assert get_view(game.code)["status"] == "cancelled"
    assert FeedEntry.objects.filter(kind="cancelled").count() == 1
    assert lobby.expire_open_games(now=created_at + 2 * wait) == 0
