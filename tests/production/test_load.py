"""A small load test, and limits on unnecessary work of a running site."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from django.core.mail import EmailMessage
from django.core.mail.backends import locmem
from django.utils import timezone

from games import tasks
from notifications.channels.email import mail_sender
from notifications.models import Delivery, FeedEntry
from tests.cluster.world import World
from tests.example_counts import SOAK
from tests.factories.cast import player
from tests.factories.linking import start_game
from tests.services import free_port

ROOT = Path(__file__).resolve().parents[2]


def test_whole_games_by_api_and_by_mail_on_the_whole_site_without_an_error(
    proxied_world: World, tmp_path: Path
) -> None:
    size, mail_port, site = ["--clients", "100"] if SOAK else ["--short"], free_port(), tmp_path / "site.json"
    site.write_text(json.dumps(proxied_world.cluster.describe()))
    proxied_world.post.relay_port = mail_port
    own_names = {"DATABASE_URL", "REDIS_URL", "VAR_DIR"}  # set by the tests; the site has its own values
    environment = {name: value for name, value in os.environ.items() if name not in own_names}
    done = subprocess.run(
        [
            sys.executable,
            "-W",
            "ignore",
            "bench/load.py",
            *size,
            "--site",
            site,
            "--mail-port",
            str(mail_port),
        ],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=590,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    figures = {line["figure"]: line for line in map(json.loads, done.stdout.splitlines())}
    assert figures["errors"]["ours"] == 0
    assert figures["notices sent"]["ours"] == figures["notices sent"]["theirs"] >= 4
    assert figures["games audited clean"]["ours"] == figures["games audited clean"]["theirs"] >= 4
    assert any(name.startswith("moves/s") for name in figures)


@pytest.mark.django_db
def test_a_worker_sends_on_while_mails_wait(mailoutbox: list[EmailMessage]) -> None:
    now, ada = timezone.now(), player("ada")
    waiting = 2 * mail_sender.MAX_MAILS_PER_RUN + 1
    Delivery.objects.bulk_create(
        Delivery(player=ada, kind="test", dedup_key=f"test:{number}", created_at=now, next_attempt_at=now)
        for number in range(waiting)
    )
    tasks.deliver_mail()
    assert len(mailoutbox) == waiting
    assert Delivery.objects.filter(status="sent").count() == waiting


class BusyDay(locmem.EmailBackend):
    """A mail backend that starts a game while it sends the first mail."""

    def send_messages(self, messages: Sequence[EmailMessage]) -> int:
        if not FeedEntry.objects.exists():
            game = start_game("ada", "bob")
            FeedEntry.objects.filter(topic=game.topic).update(notify_at=timezone.now())
        return super().send_messages(messages)


@pytest.mark.django_db
def test_what_happens_while_mails_go_out_is_sent_before_the_next_run(
    mailoutbox: list[EmailMessage], settings: Any
) -> None:
    settings.EMAIL_BACKEND = f"{__name__}.BusyDay"
    now = timezone.now()
    Delivery.objects.create(
        player=player("cleo"), kind="test", dedup_key="test:1", created_at=now, next_attempt_at=now
    )
    tasks.deliver_mail()
    assert {message.to[0].partition("@")[0] for message in mailoutbox} == {"cleo", "ada", "bob"}
