"""The client library and the production server: whole games, the example bot, a failing network."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest
from django.db import connection
from django.utils import timezone

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent / "clients" / "python"))

from otto_client import (
    Client,
    Conflict,
    Denied,
    Illegal,
    NotFound,
    ServerError,
    Throttled,
    Unauthenticated,
    Unreachable,
)

from accounts.services import tokens
from games.engine import record
from games.models import Action, Game
from games.services import sweep
from tests.factories.cast import NOW, player
from tests.services import Service, free_port, require
from tournaments.services import sweep as tournaments_sweep

ROOT = Path(__file__).resolve().parent.parent.parent
CLIENT = ROOT / "clients" / "python"
GAME_TIMEOUT_SECONDS = 30.0  # for a whole game, also on a slow machine


@pytest.fixture(scope="module")
def server(django_db_setup: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Start the production server on a free port, with the database of these tests."""
    require("PostgreSQL")
    port = free_port()
    database = urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{connection.settings_dict['NAME']}")
    environment = {"DATABASE_URL": database.geturl(), "API_RATE": "1000000", "PYTHONPATH": str(ROOT)}
    granian = ["--interface", "wsgi", "--blocking-threads", "2", "--host", "127.0.0.1", "--port", str(port)]
    command = [sys.executable, "-m", "granian", *granian, "otto_site.wsgi:application"]

    def is_listening() -> bool:
        try:
            return httpx.get(f"http://127.0.0.1:{port}/api/v1/games/", verify=False).is_success
        except httpx.TransportError:
            return False

    log = tmp_path_factory.mktemp("server") / "granian.log"
    running = Service(f"http://127.0.0.1:{port}", command, is_listening, log, environment=environment)
    yield running.url
    running.stop()


@pytest.fixture
def site(server: str, transactional_db: None) -> str:
    """Return the address of the server; the database is emptied after each test."""
    return server


def create_token(name: str, *scopes: str) -> str:
    token = tokens.create_token(
        player=player(name), name="client", scopes=scopes or ("read", "play"), now=NOW
    )
    return token[1]


@pytest.fixture
def bot(site: str) -> Iterator[subprocess.Popen[bytes]]:
    """Run the example bot for bob, as its readers do."""
    environment = os.environ | {
        "OTTO_URL": site,
        "OTTO_TOKEN": create_token("bob"),
        "OTTO_EVERY": "0.02",
        "PYTHONPATH": str(CLIENT),
    }
    process = subprocess.Popen([sys.executable, str(CLIENT / "examples" / "polling_bot.py")], env=environment)
    yield process
    process.kill()
    process.wait()


def test_a_game_against_the_example_bot_is_played_to_the_end(site: str, bot: subprocess.Popen[bytes]) -> None:
    rng = random.Random("client")
    until = time.monotonic() + GAME_TIMEOUT_SECONDS
    with Client(site, create_token("ada")) as ada, Client(site) as anonymous:
        game = ada.games.create(seats=2, target=4)["id"]
        ada.games.join(game)
        ada.games.invite(game, name="bob")
        for event in ada.events.follow(every=0.02, quiet=GAME_TIMEOUT_SECONDS):
            assert bot.poll() is None, "the bot gave up"
            assert time.monotonic() < until, ada.games.view(game)
            if event["kind"] == "over":
                break
            if Game.objects.filter(code=game, status="tiebreak").exists():
                # No worker runs here: start the blind match of a level game.
                sweep.sweep_games(now=timezone.now())
            if event["kind"] == "turn":
                legal = ada.games.legal(game)
                if legal["actions"] and legal["seq"] == event["data"]["seq"]:
                    ada.games.play(game, rng.choice(legal["actions"]), legal["seq"])
        end = ada.games.view(game)
        assert end["status"] == "over"
        assert end == ada.games.view(game)  # from the cache: the server answers 304
        assert anonymous.games.view(game)["totals"] == end["totals"]
        lines = list(anonymous.games.log(game))
        saved = anonymous.games.record(game)
    verdict = record.verify_record(saved)
    assert verdict.is_ok, verdict.text
    assert [line["seq"] for line in lines] == list(range(1, end["seq"] + 1))
    assert {line["seat"] for line in lines} == {1, 2}
    seeds = saved["fairness"]["client_seeds"]
    assert len(set(seeds)) == 2
    assert all(len(seed) == 32 for seed in seeds)


def test_everything_else_that_a_client_can_ask(site: str) -> None:
    all_of_hers = create_token("ada", "read", "email", "play", "account")
    with Client(site, all_of_hers) as ada, Client(site, create_token("bob")) as bob:
        games = [ada.games.create(private=number == 0)["id"] for number in range(3)]
        assert [game_row["id"] for game_row in ada.games.find(status="open", page_size=1)] == games[::-1]
        assert {game_row["id"] for game_row in bob.games.find(own=False)} == set(games[1:])
        kept_game, left, shown_game = games
        assert ada.games.cancel(left)["status"] == "cancelled"
        ada.games.join(shown_game, client_seed="a seed of ada's")
        assert ada.games.leave(shown_game)["joined"] is None
        with pytest.raises(NotFound):
            bob.games.view(kept_game)
        ada.games.join(kept_game)
        ada.games.invite(kept_game, name="bob")
        assert bob.me.invitations()[0]["game"] == kept_game
        game_view = bob.games.join(kept_game)
        assert game_view["you"]["seat"] == 2
        assert {turn["game"] for turn in ada.me.turns() + bob.me.turns()} == {kept_game}
        assert (
            ada.games.write_notes(kept_game, "keep the A")["text"]
            == ada.games.notes(kept_game)["text"]
            == "keep the A"
        )
        assert bob.games.notes(kept_game)["text"] == ""
        chat_line = bob.games.say(kept_game, "good luck!")
        assert ada.games.chat(kept_game) == [chat_line]
        ada.games.report(kept_game, chat_line["id"], "too friendly")
        assert "5" in ada.games.board_text(kept_game)
        assert ada.games.board_svg(kept_game).startswith("<svg")
        assert ada.games.board_png(kept_game, width=200).startswith(b"\x89PNG")
        assert bob.games.resign(kept_game)["status"] == "over"
        rematch = ada.games.rematch(kept_game)
        assert (rematch["status"], rematch["id"]) == ("open", bob.games.rematch(kept_game)["id"])
        ada.games.join(rematch["id"])
        started = bob.games.rematch(kept_game, commitment=rematch["fairness"]["commitment"])
        assert (started["status"], started["id"]) == ("running", rematch["id"])
        assert {len(seed) for seed in bob.games.record(rematch["id"])["fairness"]["client_seeds"]} == {32}
        assert ada.me.profile()["name"] == ada.players.show("ADA")["name"] == "ada"
        assert ada.me.change(language="nl")["language"] == "nl"
        token = ada.me.make_token("another", ["read"])
        assert token["parent"] in {token["id"] for token in ada.me.tokens()}
        assert token["id"] in {token["id"] for token in ada.me.tokens()}
        ada.me.revoke_token(token["id"])
        assert token["id"] not in {token["id"] for token in ada.me.tokens()}
        assert ada.me.profile()["email"] == "ada@example.org"


def sweep_all() -> None:
    """Run the sweeps, as a worker would."""
    while tournaments_sweep.sweep_tournaments(now=timezone.now()):
        pass


def test_a_tournament_is_organised_entered_and_decided(site: str) -> None:
    every = ("read", "play", "organise")
    with (
        Client(site, create_token("dirk", *every)) as host,
        Client(site, create_token("ada", *every)) as ada,
        Client(site, create_token("bob", *every)) as bob,
        Client(site) as anonymous,
    ):
        cups = host.tournaments
        cups.delete(cups.create("Not this one", "swiss")["id"])
        cup = cups.create(
            "The cup", "swiss", round_count=2, manual_approval=True, by_invitation=True, confirmation=True
        )["id"]
        assert cups.change(cup, text="By invitation.")["text"] == "By invitation."
        cups.publish(cup)
        player("cleo")
        for name in ("ada", "bob", "cleo"):
            cups.invite(cup, name)
        cups.uninvite(cup, "cleo")
        assert {invite["name"] for invite in cups.invites(cup)} == {"ada", "bob"}
        request = cups.ask_co_organiser(cup, "cleo")
        assert (request["kind"], request["status"], request["player"]) == ("co-organiser", "open", "cleo")
        cups.remove_co_organiser(cup, "cleo")
        assert [
            tournament_row["id"]
            for tournament_row in anonymous.tournaments.find(status="published", page_size=1)
        ] == [cup]
        ada.tournaments.enter(cup)
        assert ada.tournaments.set_client_seed(cup, "mine")["you"]["client_seed"] == "mine"
        ada.tournaments.leave(cup)
        ada.tournaments.enter(cup)
        entrant_id = next(iter(anonymous.tournaments.entrants(cup)))["id"]
        assert cups.remove(cup, entrant_id, "a slip")["was"] == "ada"
        cups.invite(cup, "ada")  # a removed entrant may return by invitation
        for api in (ada, bob):
            api.tournaments.enter(cup)
            api.tournaments.confirm(cup)
        ids = {entrant["name"]: entrant["id"] for entrant in anonymous.tournaments.entrants(cup)}
        cups.seed(cup, [ids["bob"], ids["ada"]])
        cups.start(cup)
        sweep_all()
        assert cups.preview(cup)["state"] == "round"
        cups.proceed(cup)
        sweep_all()
        assert [round_row["number"] for round_row in anonymous.tournaments.rounds(cup)] == [1]
        (table,) = anonymous.tournaments.pairings(cup, round=1)
        assert anonymous.tournaments.pairing(cup, table["id"])["words"]
        assert ada.tournaments.evidence(cup, table["id"]) == []
        cups.extend(cup, 1, "2090-01-01T00:00:00Z", "no hurry")
        appeal = ada.tournaments.appeal(cup, table["id"], "I cannot play.")
        assert cups.answer(cup, appeal["id"], "You need not.")["answered_by"] == "dirk"
        assert [appeal["id"] for appeal in ada.tournaments.appeals(cup)] == [appeal["id"]]
        decision = cups.correct(cup, table["id"], [1, 1], reason="by agreement", public_note="As both said.")
        assert cups.undo(cup, decision["id"])["undoes"] == decision["id"]
        assert host.proposals.withdraw(cups.replace(cup, ids["ada"], "cleo")["id"])["status"] == "withdrawn"
        with Client(site, create_token("cleo", *every)) as cleo:
            cleo.proposals.decline(cups.replace(cup, ids["ada"], "cleo")["id"])
            cups.replace(cup, ids["ada"], "cleo")
            request = next(iter(cleo.proposals.find()))
            assert cleo.proposals.accept(request["id"])["replaces"] == "ada"
            code = next(iter(anonymous.tournaments.pairings(cup, round=1)))["game"]
            assert code
            assert cleo.games.view(code)["you"]["hand_hidden"]
            assert not cleo.games.take_seat(code)["you"]["hand_hidden"]
        cups.disqualify(cup, ids["bob"], "two accounts")
        assert next(iter(anonymous.tournaments.decisions(cup)))["action"] == "disqualify"
        assert anonymous.tournaments.standings(cup)["criteria"][0]["key"] == "points"
        assert len(anonymous.tournaments.bracket(cup)["matches"]) == 1
        assert anonymous.tournaments.view(cup)["you"]["permissions"] == []
        with pytest.raises(Conflict):
            bob.tournaments.withdraw(cup)
        with pytest.raises(Denied):
            ada.tournaments.sit_out(cup, 2)
        assert cups.cancel(cup, "too few are left")["status"] == "cancelled"
        proof = anonymous.tournaments.fairness(cup)
        assert (len(proof["event_commitment"]), proof["event_seed"]) == (64, None)  # a game is still running


def test_a_league_is_joined_and_begins(site: str) -> None:
    every = ("read", "play", "organise")
    names = ("ada", "bob", "cleo")
    with Client(site, create_token("dirk", *every)) as host:
        league = host.leagues.create("The league", 4, promotion_count=1)["id"]
        assert host.leagues.change(league, season_pause_seconds=60)["id"] == league
        for name in names:
            with Client(site, create_token(name)) as api:
                api.leagues.join(league)
        with Client(site, create_token("eve")) as eve:
            assert eve.leagues.stand_by(league)["you"]["status"] == "substitute"
            host.leagues.remove(league, "eve", "a slip")
            with pytest.raises(Denied):
                eve.leagues.stand_by(league)
            host.leagues.readmit(league, "eve")
            eve.leagues.stand_by(league)
        assert host.leagues.ask_co_organiser(league, "ada")["kind"] == "co-organiser"
        host.leagues.remove_co_organiser(league, "ada")
        assert [league_row["id"] for league_row in host.leagues.find(status="open")] == [league]
        assert [member["name"] for member in host.leagues.members(league)] == [*names, "eve"]
        host.leagues.start(league)
        sweep_all()
        assert [season["players"] for season in host.leagues.seasons(league)] == [3]
        (division,) = host.leagues.season(league, 1, division=1)["divisions"]
        assert {placement["name"] for placement in division["placements"]} == set(names)
        assert host.leagues.replace(league, "bob")["player"] == "eve"
        with Client(site, create_token("cleo")) as cleo:
            assert cleo.leagues.leave(league)["you"]["status"] == "out"
            assert (cleo.players.ratings("ada"), list(cleo.players.rating_history("ada"))) == ([], [])
            assert cleo.players.best() == []
        assert host.leagues.close(league)["season_limit"] == 1
        assert host.leagues.view(league)["calendar"]


def test_a_client_plays_by_its_views_gives_orders_and_reads_editions(site: str) -> None:
    with Client(site, create_token("ada", "read", "play", "account")) as ada:
        after = ada.events.page("latest")["after"]
        game = ada.games.create(mode="solo", seats=1)["id"]
        view = ada.games.join(game)
        while view["status"] != "over":
            view = ada.games.play(game, view["you"]["legal"][0], view["seq"])
        kinds = []
        # Entries wait for older transactions on the same database server, also those of other tests.
        for entry in ada.events.follow(after, every=0.02, quiet=120):
            kinds.append(entry["kind"])
            if kinds[-1] == "over":
                break
        assert (kinds[0], kinds[-1]) == ("started", "over")
        assert list(ada.events.follow("latest", every=0.02, quiet=0)) == []
        against_bot = ada.games.create(seats=2)["id"]
        ada.games.join(against_bot)
        assert "you" not in ada.games.view(against_bot)
        ada.games.add_bot(against_bot)
        assert ada.games.view(against_bot)["you"]["orders"] == {"draw": False, "only": False}
        assert ada.games.set_orders(against_bot, only=True) == {"draw": False, "only": True}
        assert ada.games.view(against_bot)["you"]["orders"] == {"draw": False, "only": True}
        assert ada.games.set_orders(against_bot, draw=False, only=False) == {"draw": False, "only": False}
        editions = ada.editions.all()
        assert view["edition"] in [edition["id"] for edition in editions]
        assert ada.editions.view(view["edition"]) in editions
        with pytest.raises(NotFound):
            ada.editions.view("nothing")
        token = ada.me.make_token("bot", ["read"])
        assert ada.me.token(token["id"])["name"] == "bot"


def test_an_error_carries_its_code(site: str) -> None:
    with (
        Client(site, create_token("ada")) as ada,
        Client(site, create_token("bob", "read")) as bob,
        Client(site) as anonymous,
    ):
        game = ada.games.create(mode="solo", seats=1)["id"]
        ada.games.join(game)
        with pytest.raises(Illegal) as illegal:
            ada.games.play(game, "draw", 0)
        assert illegal.value.code == "illegal"
        assert illegal.value.rule
        legal = ada.games.legal(game)
        ada.games.play(game, legal["actions"][0], 0)
        with pytest.raises(Conflict) as stale:
            ada.games.play(game, legal["actions"][0], 0)
        assert stale.value.code == "stale"
        with pytest.raises(Denied) as denied:
            bob.games.create()
        assert (denied.value.code, denied.value.scope) == ("missing-scope", "play")
        with pytest.raises(Unauthenticated) as unknown:
            anonymous.games.create()
        assert unknown.value.code == "not-authenticated"


class Flaky(httpx.BaseTransport):
    """A transport that loses so many responses after the server has carried out the requests."""

    def __init__(self, lose: Callable[[httpx.Request], httpx.Response | None], times: int) -> None:
        self.real, self.lose, self.times = httpx.HTTPTransport(), lose, times

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        if not self.times:
            return self.real.handle_request(request)
        self.times -= 1
        instead = self.lose(request)
        if instead is None:
            self.real.handle_request(request).close()
            raise httpx.ReadError("the line went dead")
        return instead

    def close(self) -> None:
        self.real.close()


def test_an_action_whose_answer_was_lost_is_played_once(site: str) -> None:
    delays: list[float] = []
    token = create_token("ada")
    with Client(site, token, transport=Flaky(lambda request: None, 2), sleep=delays.append) as ada:
        game = ada.games.create(mode="solo", seats=1)["id"]
    assert len(delays) == 2
    assert [game] == list(Game.objects.filter(creator__name="ada").values_list("code", flat=True))
    delays.clear()
    with Client(site, token) as ada:
        ada.games.join(game)
        legal = ada.games.legal(game)["actions"]
    with Client(site, token, transport=Flaky(lambda request: None, 2), sleep=delays.append) as ada:
        assert ada.games.play(game, legal[0], 0)["seq"] == 1
    assert len(delays) == 2
    assert Action.objects.filter(game__code=game).count() == 1
    network = Flaky(lambda request: None, 9)
    with Client(site, token, transport=network, sleep=delays.append) as ada, pytest.raises(Unreachable):
        ada.games.decline(game)
    assert network.times == 4, "every POST has a key, and is tried five times"


def test_it_waits_as_long_as_the_server_asks_and_no_longer_than_it_will() -> None:
    delays: list[float] = []

    def busy(request: httpx.Request) -> httpx.Response:
        body = {"code": "throttled", "detail": "too many", "retry_after": 7}
        return httpx.Response(429, headers={"Retry-After": "7"}, json=body)

    def broken(request: httpx.Request) -> httpx.Response:
        return httpx.Response(502, text="<h1>Bad gateway</h1>")

    def calm(request: httpx.Request) -> httpx.Response:
        return httpx.Response(200, json=[])

    class Then(Flaky):
        def __init__(self, lose: Callable[[httpx.Request], httpx.Response], times: int) -> None:
            self.real, self.lose, self.times = httpx.MockTransport(calm), lose, times

    with Client("http://otto.invalid", transport=Then(busy, 2), sleep=delays.append) as otto:
        assert otto.me.turns() == []
        assert delays == [7, 7]
    with Client("http://otto.invalid", transport=Then(busy, 2), sleep=delays.append, max_wait=5) as otto:
        with pytest.raises(Throttled) as throttled:
            otto.me.turns()
        assert throttled.value.retry_after == 7
    with Client("http://otto.invalid", transport=Then(broken, 4), sleep=delays.append) as otto:
        assert otto.me.turns() == []
    with Client("http://otto.invalid", transport=Then(broken, 5), sleep=delays.append) as otto:
        with pytest.raises(ServerError) as raised:
            otto.me.turns()
        assert (raised.value.status, raised.value.code) == (502, "http-502")
