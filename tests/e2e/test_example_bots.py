"""The example bots on a whole site: each plays a game to its end with a bot of the site."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent / "clients" / "python"))

from django.utils import timezone
from otto_client import Client, Conflict, NotFound

from accounts.models import Player
from accounts.services import tokens
from games.engine import record
from games.models import Game
from notifications.models import Webhook
from notifications.services import webhooks
from tests.factories.bots import declare_bot
from tests.factories.cast import NOW, player
from tests.helpers.polling import wait_for
from tests.helpers.site import Site
from tests.services import ROOT, free_port, is_port_open, require
from tests.smtp import Sink

CLIENT = ROOT / "clients" / "python"
EXAMPLES = ("polling_bot", "streaming_bot", "webhook_bot")
GAME_TIMEOUT_SECONDS = 120.0  # for a whole game, also on a slow machine


class StreamingSite(Site):
    """A site whose web server also serves streams."""

    def start_web(self) -> None:
        granian = ["--interface", "asgi", "--no-ws", "--host", "127.0.0.1", "--port", str(self.web_port)]
        command = ["-m", "granian", *granian, "otto_site.asgi:application"]
        self.services.append(self.service("web", command, self.serves))


@pytest.fixture
def site(transactional_db: None, tmp_path: Path) -> Iterator[Site]:
    require("PostgreSQL")
    require("Redis")
    with Sink() as sink, StreamingSite(tmp_path, sink, WEBHOOKS_TO_PRIVATE="1") as running:
        yield running


def create_token(name: str, *scopes: str) -> str:
    granted = scopes or ("read", "play")
    return tokens.create_token(player=player(name), name="bot", scopes=granted, now=NOW)[1]


def start_example(example: str, site: Site, name: str, port: int) -> subprocess.Popen[bytes]:
    """Run an example for a bot account, as its readers do."""
    environment = os.environ | {
        "OTTO_URL": site.url,
        "OTTO_TOKEN": create_token(name),
        "OTTO_EVERY": "0.1",
        "PORT": str(port),
        "PYTHONPATH": str(CLIENT),
    }
    if example == "webhook_bot":
        bot, url = player(name), f"http://127.0.0.1:{port}/"
        environment["OTTO_SECRET"] = Webhook.objects.get(player=bot, url=url).signing_secret
    return subprocess.Popen([sys.executable, str(CLIENT / "examples" / f"{example}.py")], env=environment)


@pytest.mark.parametrize("example", EXAMPLES)
def test_an_example_is_short(example: str) -> None:
    lines = (CLIENT / "examples" / f"{example}.py").read_text().splitlines()
    assert len(lines) < 40


def test_each_example_plays_a_game_to_its_end_against_a_bot_of_the_site(site: Site) -> None:
    port, processes, games = free_port(), {}, {}
    for example in EXAMPLES:
        declare_bot(example.replace("_", " "))
    # Bots get no mails, so that no game waits for one.
    Player.objects.filter(is_bot=True).update(mail_frequency=Player.MailFrequency.NONE)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("django.conf.settings.WEBHOOKS_TO_PRIVATE", True)
        webhooks.create_webhook(
            player=player("webhook bot"), url=f"http://127.0.0.1:{port}/", preset="json", now=timezone.now()
        )
    try:
        for example in EXAMPLES:
            processes[example] = start_example(example, site, example.replace("_", " "), port)
        wait_for(lambda: is_port_open(port), "the webhook bot does not listen", 30)
        for example in EXAMPLES:
            with Client(site.url, create_token(example.replace("_", " "))) as bot:
                game = bot.games.create(seats=2, target=1, cards=False)["id"]
                bot.games.join(game)
                bot.games.add_bot(game, "greedy")
                games[example] = game
        until = time.monotonic() + GAME_TIMEOUT_SECONDS
        while running := set(games) - {
            example for example, game in games.items() if Game.objects.get(code=game).is_over
        }:
            assert time.monotonic() < until, (running, site.log("web"), site.log("worker"))
            assert all(process.poll() is None for process in processes.values()), "a bot gave up"
            time.sleep(0.2)
    finally:
        for process in processes.values():
            process.kill()
            process.wait()
    with Client(site.url) as anonymous:
        for example, game in games.items():
            saved = anonymous.games.record(game)
            assert record.verify_record(saved).is_ok, example
            assert {"player", "bot"} <= {action["by"] for action in saved["actions"]}, example


def test_the_client_declares_a_bot_finds_it_and_challenges_it(site: Site) -> None:
    every = ("read", "play", "account")
    with (
        Client(site.url, create_token("dirk", *every)) as owner,
        Client(site.url, create_token("robo", *every)) as robo,
        Client(site.url, create_token("ada")) as ada,
    ):
        with pytest.raises(NotFound):
            robo.me.bot()
        assert robo.me.declare_bot(owner.me.make_owner_code(), "robo")["owner"] == "dirk"
        robo.me.withdraw_bot()
        robo.me.declare_bot(owner.me.make_owner_code(), "robo")
        assert robo.me.change_bot(about="Plays at random.")["about"] == "Plays at random."
        assert [bot["name"] for bot in owner.me.bots()] == ["robo"]
        assert [(bot["name"], bot["is_online"]) for bot in ada.bots.find()] == [("robo", True)]
        game = ada.bots.challenge("robo", cards=False)["id"]
        ada.games.join(game)
        assert robo.games.join(game)["status"] == "running"
        open_game = robo.games.create(seats=3)["id"]
        with pytest.raises(Conflict) as conflict:
            ada.games.join(open_game)
        assert conflict.value.code == "bots-unconfirmed"
        ada.games.join(open_game, accept_bots=True)
        assert ada.players.best(bots=True) == []
