"""What an organiser writes as a reason is read by organisers alone, whichever door the others try."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.core import mail as outgoing
from django.test import Client

from games.mail import mail_sender, webhook_sender
from games.models import Delivery, FeedEntry, Message, Player, Report, Webhook
from games.services import export, notices, tokens
from tests.games.telling import read
from tests.tournaments.play import (
    DAY,
    HOUR,
    NOW,
    decide,
    entrant,
    host,
    name_at,
    playing,
    someone,
    started,
)
from tests.tournaments.programs import Program
from tournaments import links
from tournaments.models import Appeal, Proposal, Tournament
from tournaments.services import (
    appeals,
    decision_undo,
    decisions,
    proposals,
    replacements,
    sweep,
    tournaments,
)

from .doors import doors
from .grounds import Ground

pytestmark = pytest.mark.django_db
AROUND = ("/accounts/", "/admin/", "/oauth/", "/lesson/", "/rules/", "/api/operations/")  # know no event
HUSH, SHOUT, GONE = "hush-hush", "for-all-to-read", "no-longer-said"


class DecidedCup:
    """An event in which an organiser has given a reason for everything, and a note where there may be one."""

    def __init__(self) -> None:
        self.event = event = started("knockout", 4, round_length=2 * DAY.total_seconds())
        first, second = playing(event)
        self.winner, self.loser = (name_at(first, place) for place in range(2))
        self.out, self.last = (name_at(second, place) for place in range(2))
        by: dict[str, Any] = {"by": host(), "code": event.code, "now": NOW}
        decide(first, self.winner, self.loser)
        undone = decisions.extend_round(
            **by, round_number=1, until=NOW + 3 * DAY, why=f"{HUSH} extend", public_note=f"{GONE} extend"
        )
        decision_undo.undo_decision(**by, decision=undone.pk, why=f"{HUSH} undo", public_note=f"{SHOUT} undo")
        objecting = appeals.file_appeal(
            player=someone(self.loser), code=event.code, pairing_id=first.pk, text=f"{HUSH} appeal", now=NOW
        )
        appeals.answer_appeal(**by, appeal_id=objecting.pk, text=f"{HUSH} answer")
        replaced: dict[str, Any] = {"entrant": entrant(event, self.last).pk, "player": someone("new")}
        asked = replacements.propose_replacement(
            **by, **replaced, why=f"{HUSH} replace", public_note=f"{SHOUT} replace"
        )
        self.look_while_asked = Program("new").every("proposals/")
        proposals.accept_proposal(player=someone("new"), proposal_id=asked.pk, now=NOW)
        decisions.disqualify_entrant(
            **by, entrant=entrant(event, self.out).pk, why=f"{HUSH} out", public_note=f"{SHOUT} out"
        )
        sweep.sweep_tournaments(now=NOW)
        corrected = event.tables.get(match="R1.2")
        decisions.correct_result(
            **by, table=corrected.pk, ranks=[1, 1], why=f"{HUSH} correct", public_note=f"{SHOUT} correct"
        )
        Proposal.objects.filter(pk=asked.pk).update(status="accepted")
        self.table, self.asked = corrected, asked

    def ground(self) -> Ground:
        """What the doors of the site are about."""
        game = self.table.game
        assert game
        message = Message.objects.create(game=game, player=someone("new"), text="Good luck!", at=NOW)
        report = Report.objects.create(message=message, player=someone("new"), why="luck", at=NOW)
        return Ground(game, [], {self.out: 1}, frozenset(), message, report, self.event, self.table)


@pytest.fixture
def decided_cup() -> DecidedCup:
    hearers = ("new", "stranger", "host")
    for name in hearers:
        someone(name)
    made = DecidedCup()
    for player in Player.objects.exclude(name="host"):
        Webhook.objects.create(player=player, url="https://hooks.example.org/", secret="s", at=NOW)
    return made


def pages(viewer: Player | None, ground: Ground, decided_cup: DecidedCup) -> dict[str, str]:
    """Whatever the doors of the site answer a viewer, by address."""
    browser, headers = Client(), {}
    if viewer:
        browser.force_login(viewer)
        scopes = ("read", "email", "play", "organise", "account")
        headers["Authorization"] = (
            "Bearer " + tokens.create_token(player=viewer, name="t", scopes=scopes, now=NOW)[1]
        )
    more = [f"/proposals/{decided_cup.asked.pk}/", f"/api/v1/tournaments/{decided_cup.event.code}/appeals/"]
    more.append(
        f"/tournaments/{decided_cup.event.code}/tables/{decided_cup.event.tables.get(match='R1.1').pk}/"
    )
    if viewer:
        asked_id = str(decided_cup.asked.pk)
        token = links.make_link_token(links.ANSWER_PROPOSAL_PURPOSE, viewer.mail_key, asked_id)
        more.append(f"/proposals/answer/{token}/")
    found = {}
    for path in [*(door.path for door in doors(ground, viewer)), *more]:
        if not path.startswith(AROUND) and "board." not in path:
            answer = browser.get(path, headers=headers if path.startswith("/api/") else {})
            body = b"".join(answer) if answer.streaming else answer.content  # type: ignore[arg-type]
            found[path] = body.decode("utf-8", errors="replace")
    return found


def test_no_door_tells_others_the_reason_of_an_organiser(decided_cup: DecidedCup) -> None:
    ground = decided_cup.ground()
    for name in (None, "new", decided_cup.out, decided_cup.winner):
        viewer = someone(name) if name else None
        answers = pages(viewer, ground, decided_cup)
        assert len(answers) > 80
        assert [path for path, text in answers.items() if HUSH in text] == [], name
        assert [path for path, text in answers.items() if GONE in text] == [], name
        decided = answers[f"/api/v1/tournaments/{decided_cup.event.code}/decisions/"]
        assert decided.count(SHOUT) == 4, "what is said to everybody is"
    appealed = pages(someone(decided_cup.loser), ground, decided_cup)
    leaks = {path for path, text in appealed.items() if HUSH in text.replace(f"{HUSH} a", "")}
    assert leaks == set(), "whoever appeals reads their own words and the answer, and nothing else"


def test_nothing_that_is_sent_holds_the_reason_of_an_organiser(decided_cup: DecidedCup) -> None:
    later = NOW + 2 * HOUR
    while notices.fan_out_notices(now=later):
        pass
    calls = [webhook_sender.build_payload(one, later) for one in Delivery.objects.exclude(webhook=None)]
    mail_sender.send_due_mails(now=later)
    mails = [one for one in map(read, outgoing.outbox) if one["To"] != host().email]
    bodies = [one for mail in mails for one in mail.walk() if one.get_content_maintype() == "text"]
    text = "\n".join(one.get_content() for one in bodies)
    assert len(mails) > 6
    assert len(calls) > 6
    feeds = json.dumps(list(FeedEntry.objects.exclude(player=host()).values_list("data", flat=True)))
    exported = "".join(
        json.dumps(export.export_player_data(player=one, now=later), default=str)
        for one in Player.objects.exclude(name__in=("host", decided_cup.loser))
    )
    for said in (text, feeds, exported, *map(str, calls)):
        assert HUSH not in said.replace(f"{HUSH} appeal", "").replace(f"{HUSH} answer", "")
    for deed in ("replace", "out", "correct"):
        assert f"{SHOUT} {deed}" in text, "a note is quoted in the mails about its decision"
        assert f"{SHOUT} {deed}" in feeds


def test_organisers_and_staff_read_the_reasons_and_what_was_taken_back(decided_cup: DecidedCup) -> None:
    Player.objects.filter(pk=someone("boss").pk).update(is_staff=True)
    for name in ("host", "boss"):
        lines = Program(name).every(f"tournaments/{decided_cup.event.code}/decisions/")
        reasons = {one["why"] for one in lines}
        assert {f"{HUSH} {deed}" for deed in ("extend", "undo", "replace", "out", "correct")} <= reasons
        assert f"{GONE} extend" in {one["public_note"] for one in lines}
    browser = Client()
    browser.force_login(host())
    page = browser.get(f"/tournaments/{decided_cup.event.code}/organise/log/").text
    assert page.count(HUSH) == 5
    assert f"Public note, no longer shown: {GONE} extend" in page


def test_that_it_was_decided_and_taken_back_stays_public(decided_cup: DecidedCup) -> None:
    lines = Program(None).every(f"tournaments/{decided_cup.event.code}/decisions/")
    undo = next(one for one in lines if one["what"] == "undo-extend")
    first = next(one for one in lines if one["id"] == undo["undoes"])
    assert (first["what"], first["undone"], first["public_note"], first["by"]) == ("extend", True, "", "host")
    assert undo["public_note"] == f"{SHOUT} undo"


def test_whoever_is_asked_to_play_on_reads_the_note_and_not_the_reason(decided_cup: DecidedCup) -> None:
    (asked,) = decided_cup.look_while_asked
    assert (asked["why"], asked["public_note"]) == (None, f"{SHOUT} replace")


def test_why_an_event_waits_is_for_its_organisers(decided_cup: DecidedCup) -> None:
    Tournament.objects.filter(pk=decided_cup.event.pk).update(held="absent")
    at = f"tournaments/{decided_cup.event.code}/"
    for name in (None, "stranger", decided_cup.winner):
        seen = Program(name).ask(at)
        assert (seen["held"], seen["waits_for_organiser"]) == ("", True)
    assert Program("host").ask(at)["held"] == "absent"


def test_every_form_says_who_will_read_what(decided_cup: DecidedCup) -> None:
    browser = Client()
    browser.force_login(host())
    at = f"/tournaments/{decided_cup.event.code}/organise"
    decision = decided_cup.event.decisions.latest("pk").pk
    about = entrant(decided_cup.event, decided_cup.winner).pk
    for path in (
        "extend/?round=1",
        f"correct/?table={decided_cup.table.pk}",
        f"undo/?decision={decision}",
        f"disqualify/?entrant={about}",
        f"replace/?entrant={about}",
        "cancel/",
    ):
        page = browser.get(f"{at}/{path}").text
        assert "Reason, for organisers only" in page, path
        assert "players cannot" in page, path
        assert "Everybody can read it, with your name, until the decision is taken back." in page, path
        assert 'name="public_note"' in page, path
    table = decided_cup.event.tables.get(match="R1.1")
    assert Appeal.objects.filter(table=table).count() == 1
    browser.force_login(someone(decided_cup.winner))
    page = browser.get(f"/tournaments/{decided_cup.event.code}/tables/{table.pk}/").text
    assert "Only those who organise the tournament read it." in page
    described = " ".join(Program(None).get("schema/").text.split())
    assert "only those who organise it, and the staff of the site, can read it" in described


def test_an_event_that_is_cancelled_tells_the_note_and_keeps_the_reason() -> None:
    event = started("knockout", 2)
    tournaments.cancel_tournament(
        by=host(), code=event.code, now=NOW, why=f"{HUSH} rain", public_note=f"{SHOUT} rain"
    )
    lines = FeedEntry.objects.filter(kind="event-cancelled")
    assert {line.data["text"] for line in lines} == {f"{SHOUT} rain"}
    (one,) = Program(None).every(f"tournaments/{event.code}/decisions/")
    assert (one["what"], one["why"], one["public_note"]) == ("cancel", None, f"{SHOUT} rain")
