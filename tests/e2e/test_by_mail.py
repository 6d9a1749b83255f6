"""Whole games by mail alone while Redis and the worker are killed: nothing is lost or doubled."""

from __future__ import annotations

import random
import re
import smtplib
import time
from collections import Counter
from datetime import UTC, datetime
from email.message import EmailMessage
from pathlib import Path

import httpx
import pytest

from accounts.models import Player
from games.models import Action, Game
from games.services import game_audit
from notifications.models import Delivery, FeedEntry
from tests.example_counts import SOAK
from tests.factories.cast import player, start_impatient_game
from tests.helpers.plain_browser import Page
from tests.helpers.site import DOMAIN, Site
from tests.services import require
from tests.smtp import Sink

GAMES_TIMEOUT_SECONDS = 300.0  # for all games together, also on a slow machine


@pytest.fixture
def sink() -> object:
    with Sink() as running:
        yield running


@pytest.fixture
def site(sink: Sink, transactional_db: None, tmp_path: Path) -> object:
    require("PostgreSQL")
    require("Redis")
    with Site(tmp_path, sink) as running:
        yield running


def start_game(*names: str, **terms: object) -> Game:
    """Start a game whose notices go out at once."""
    for name in names:
        player(name)
    Player.objects.update(remind_at_used_percent=None)
    return start_impatient_game(*names, now=datetime.now(UTC), target=4 if SOAK else 1, **terms)


class Reader:
    """Reads all mailboxes: opens each mail once and plays its turn by link or by reply."""

    def __init__(self, site: Site, sink: Sink, by_reply: set[str]) -> None:
        self.site, self.sink, self.by_reply = site, sink, by_reply
        self.web = httpx.Client(timeout=30)
        self.opened = 0
        self.play_count = 0

    def read(self) -> int:
        """Open the new mails; return their number."""
        mails = self.sink.mails[self.opened :]
        for mail in mails:
            self.opened += 1
            text = mail.message.get_body(("plain",)).get_content()  # type: ignore[union-attr]
            link = re.search(rf"{self.site.url}/turn/((([a-z0-9]+)-\d+-\d+)-[a-z0-9]+)/", text)
            if link and link[3] in self.by_reply:
                self.reply(mail.message, text, self.make_rng(link[2]))
            elif link:
                self.open(link[0], self.make_rng(link[2]))
        return len(mails)

    def make_rng(self, turn: str) -> random.Random:
        """Return a generator seeded by the turn, so that a game does not depend on the order of mails."""
        return random.Random(f"mailbox {turn}")

    def open(self, link: str, rng: random.Random) -> None:
        """Play a turn to its end on the pages behind its link, without script and without cookies."""
        page = self.web.get(link)
        for _ in range(30):
            if page.status_code != 200 or 'name="action"' not in page.text:
                assert page.status_code in (200, 410), page.text
                return
            seq = re.search(r'name="seq" value="(\d+)"', page.text)
            key = re.search(r'name="key" value="([^"]+)"', page.text)
            assert seq
            assert key
            address = str(page.url).partition("?")[0].partition("#")[0]
            parsed_page = Page(page.text)
            actions = [action for _form, action in parsed_page.plays()]
            actions += [action for form in parsed_page.forms for action in form.options.get("action", ())]
            if not actions:  # a kidnapped Quantum leap: choose its start and its end
                leap = next(form for form in parsed_page.forms if "start" in form.options)
                picked = {name: rng.choice(options) for name, options in leap.options.items()}
                page = self.web.get(address, params=leap.fields | picked)
                continue
            action = rng.choice(actions)
            page = self.web.post(
                address, data={"action": action, "seq": seq[1], "key": key[1]}, follow_redirects=True
            )
            self.play_count += 1

    def reply(self, mail: EmailMessage, text: str, rng: random.Random) -> None:
        """Reply with one of the examples in the mail."""
        examples = re.findall(r"^ {4}(\S.{0,13}?) {2,}\S|^ {4}(\S{1,14}) \S", text, re.M)
        texts = [first or second for first, second in examples]
        assert texts, text
        answer = EmailMessage()
        answer["From"], answer["To"] = mail["To"], mail["Reply-To"]
        answer["Subject"], answer["In-Reply-To"] = f"Re: {mail['Subject']}", mail["Message-ID"]
        answer["Message-ID"] = f"<{self.opened}@mail.example.net>"
        quoted = "\n".join(f"> {line}" for line in text.splitlines())
        answer.set_content(f"{rng.choice(texts)}\n\nOn some day OTTO wrote:\n{quoted}\n-- \nSent slowly\n")
        assert str(mail["Reply-To"]).endswith(DOMAIN)
        with smtplib.SMTP("127.0.0.1", self.site.inbound_port) as server:
            server.send_message(answer, from_addr=mail["To"], to_addrs=[mail["Reply-To"]])
        self.play_count += 1


def find_turn(site: Site, text: str) -> str:
    """Return game, seat and number of the turn that the text of a mail links to."""
    link = re.search(rf"{site.url}/turn/([a-z0-9]+-\d+-\d+)-[a-z0-9]+/", text)
    assert link, text
    return link[1]


def test_games_of_two_four_and_pairs_are_played_from_mailboxes_while_parts_are_killed(
    site: Site, sink: Sink, request: pytest.FixtureRequest
) -> None:
    two = start_game("ada", "bob")
    four = start_game("ada", "bob", "cleo", "dirk", cards=False)
    pairs = start_game("ada", "bob", "cleo", "dirk", mode="pairs")
    replied = start_game("cleo", "dirk", cards=False)
    reader = Reader(site, sink, by_reply={replied.code})
    request.addfinalizer(reader.web.close)
    games = Game.objects.filter(pk__in=[two.pk, four.pk, pairs.pk, replied.pk])
    kills = 0
    # Number of actions played, and the part that is killed then.
    plan = [(5, "redis"), (12, "worker"), (20, "redis"), (28, "worker")]
    if SOAK:
        plan += [(35, "worker"), (42, "redis"), (49, "worker")]
    until = time.monotonic() + GAMES_TIMEOUT_SECONDS
    while games.exclude(status="over").exists():
        assert time.monotonic() < until, f"{list(games.values())} {site.log('worker')} {site.log('inbound')}"
        site.tend_worker()
        if not reader.read():
            time.sleep(0.02)
        if plan and reader.play_count >= plan[0][0]:
            _, part = plan.pop(0)
            if part == "redis":
                site.kill_redis()
                reader.read()
                site.start_redis()
            else:
                site.kill_worker()
                site.start_worker()
                kills += 1
    assert not plan, "the games were over before everything had died"

    def is_settled() -> bool:
        reader.read()
        # Feed entries first: one that is fanned out in between is a delivery by the second query.
        to_tell = FeedEntry.objects.filter(notify_at__isnull=False, kind="over").exists()
        return (
            not to_tell and not Delivery.objects.filter(next_attempt_at__isnull=False, kind="over").exists()
        )

    while not is_settled():
        assert time.monotonic() < until, site.log("worker")
        time.sleep(0.05)

    assert list(game_audit.audit_games()) == [None] * 4
    # No player ran out of time; the clock plays only turns of a blind match without a choice.
    assert set(Action.objects.values_list("by", flat=True)) <= {"player", "clock"}
    assert not FeedEntry.objects.filter(kind="timeout").exists()
    # Every turn has one mail. One that a killed worker was sending may arrive again with its Message-ID.
    deliveries = Delivery.objects.filter(webhook=None)
    assert not deliveries.filter(status__in=["failed", "bounced"]).exists()
    came = Counter(mail.message["Message-ID"] for mail in sink.mails)
    turn_texts = {
        mail.message["Message-ID"]: mail.message.get_body(("plain",)).get_content()  # type: ignore[union-attr]
        for mail in sink.mails
        if mail.message["Message-ID"].startswith("<turn.")
    }
    mailed_turns = [find_turn(site, text) for text in turn_texts.values()]
    assert len(set(mailed_turns)) == len(mailed_turns)
    repeat_count = sum(came.values()) - len(came)
    sent = set(deliveries.filter(status="sent").values_list("message_id", flat=True))
    assert sent <= set(came)
    # If its turn is played before the next attempt, the mail arrived but is not recorded as sent.
    answered = set(came) - sent
    assert repeat_count + len(answered) <= kills
    for name in answered:
        assert deliveries.get(pk=name.split(".")[1]).next_attempt_at is None, name
    # Everybody has a result mail, except those who ended a game themselves.
    expected_results = set()
    for game in games:
        last_action = Action.objects.filter(game=game).latest("seq")
        seats = game.seats.all()
        if last_action.by == "player":
            seats = seats.exclude(seat_no=last_action.seat)
        expected_results |= {(game.topic, player_id) for player_id in seats.values_list("player", flat=True)}
    results = deliveries.filter(kind="over")
    assert set(results.values_list("topic", "player")) == expected_results
    arrived_results = {int(name.split(".")[1]) for name in came if name.startswith("<over.")}
    assert arrived_results == set(results.values_list("pk", flat=True))
