"""Only organisers can read the reasons that an organiser writes, at any endpoint."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.core import mail as outgoing
from django.test import Client

from accounts.models import Player
from accounts.services import export, tokens
from games.models import Message, Report
from notifications.channels.email import mail_sender
from notifications.models import Delivery, FeedEntry, Webhook
from notifications.notice_kinds import get_notice_kind
from notifications.services import notices
from tests.factories.events import (
    DAY,
    HOUR,
    NOW,
    create_started_tournament,
    decide,
    entrant,
    get_host,
    get_player,
    list_running_pairings,
    name_at,
)
from tests.helpers.notice_helpers import parse_mail
from tests.helpers.tournament_programs import Program
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

from .endpoints import list_endpoints
from .game_fixtures import GameFixture

pytestmark = pytest.mark.django_db
AROUND = (
    "/accounts/",
    "/admin/",
    "/oauth/",
    "/lesson/",
    "/rules/",
    "/api/operations/",
    "/api/types/",
)  # independent of tournaments
HUSH, SHOUT, GONE = "hush-hush", "for-all-to-read", "no-longer-said"


class DecidedCup:
    """A tournament whose organiser has given a reason for every decision, and public notes where possible."""

    def __init__(self) -> None:
        self.tournament = tournament = create_started_tournament(
            "knockout", 4, round_length=2 * DAY.total_seconds()
        )
        first, second = list_running_pairings(tournament)
        self.winner, self.loser = (name_at(first, place) for place in range(2))
        self.out, self.last = (name_at(second, place) for place in range(2))
        by: dict[str, Any] = {"by": get_host(), "code": tournament.code, "now": NOW}
        decide(first, self.winner, self.loser)
        undone = decisions.extend_round(
            **by, round_number=1, until=NOW + 3 * DAY, reason=f"{HUSH} extend", public_note=f"{GONE} extend"
        )
        decision_undo.undo_decision(
            **by, decision=undone.pk, reason=f"{HUSH} undo", public_note=f"{SHOUT} undo"
        )
        objecting = appeals.file_appeal(
            player=get_player(self.loser),
            code=tournament.code,
            pairing_id=first.pk,
            text=f"{HUSH} appeal",
            now=NOW,
        )
        appeals.answer_appeal(**by, appeal_id=objecting.pk, text=f"{HUSH} answer")
        replaced: dict[str, Any] = {"entrant": entrant(tournament, self.last).pk, "player": get_player("new")}
        proposal = replacements.propose_replacement(
            **by, **replaced, reason=f"{HUSH} replace", public_note=f"{SHOUT} replace"
        )
        self.look_while_asked = Program("new").list_all("proposals/")
        proposals.accept_proposal(player=get_player("new"), proposal_id=proposal.pk, now=NOW)
        decisions.disqualify_entrant(
            **by, entrant=entrant(tournament, self.out).pk, reason=f"{HUSH} out", public_note=f"{SHOUT} out"
        )
        sweep.sweep_tournaments(now=NOW)
        corrected = tournament.pairings.get(match="R1.2")
        decisions.correct_result(
            **by,
            pairing_id=corrected.pk,
            ranks=[1, 1],
            reason=f"{HUSH} correct",
            public_note=f"{SHOUT} correct",
        )
        Proposal.objects.filter(pk=proposal.pk).update(status="accepted")
        self.table, self.proposal = corrected, proposal

    def ground(self) -> GameFixture:
        """Return the objects that the endpoints need."""
        game = self.table.game
        assert game
        message = Message.objects.create(
            game=game, player=get_player("new"), text="Good luck!", created_at=NOW
        )
        report = Report.objects.create(
            message=message, player=get_player("new"), reason="luck", created_at=NOW
        )
        return GameFixture(game, [], {self.out: 1}, frozenset(), message, report, self.tournament, self.table)


@pytest.fixture
def decided_cup() -> DecidedCup:
    hearers = ("new", "stranger", "host")
    for name in hearers:
        get_player(name)
    decided_cup = DecidedCup()
    for player in Player.objects.exclude(name="host"):
        Webhook.objects.create(
            player=player, url="https://hooks.example.org/", signing_secret="c2VjcmV0", created_at=NOW
        )
    return decided_cup


def collect_pages(viewer: Player | None, fixture: GameFixture, decided_cup: DecidedCup) -> dict[str, str]:
    """Return the responses of all endpoints to a viewer, by address."""
    browser, headers = Client(), {}
    if viewer:
        browser.force_login(viewer)
        scopes = ("read", "email", "play", "organise", "account")
        headers["Authorization"] = (
            "Bearer " + tokens.create_token(player=viewer, name="t", scopes=scopes, now=NOW)[1]
        )
    more = [
        f"/proposals/{decided_cup.proposal.pk}/",
        f"/api/v1/tournaments/{decided_cup.tournament.code}/appeals/",
    ]
    more.append(
        f"/tournaments/{decided_cup.tournament.code}/tables/{decided_cup.tournament.pairings.get(match='R1.1').pk}/"
    )
    if viewer:
        asked_id = str(decided_cup.proposal.pk)
        token = links.make_link_token(links.ANSWER_PROPOSAL_PURPOSE, viewer.mail_token, asked_id)
        more.append(f"/proposals/answer/{token}/")
    bodies = {}
    for path in [*(endpoint.path for endpoint in list_endpoints(fixture, viewer)), *more]:
        if not path.startswith(AROUND) and "board." not in path:
            answer = browser.get(path, headers=headers if path.startswith("/api/") else {})
            body = b"".join(answer) if answer.streaming else answer.content  # type: ignore[arg-type]
            bodies[path] = body.decode("utf-8", errors="replace")
    return bodies


def test_no_door_tells_others_the_reason_of_an_organiser(decided_cup: DecidedCup) -> None:
    fixture = decided_cup.ground()
    for name in (None, "new", decided_cup.out, decided_cup.winner):
        viewer = get_player(name) if name else None
        answers = collect_pages(viewer, fixture, decided_cup)
        assert len(answers) > 80
        assert [path for path, text in answers.items() if HUSH in text] == [], name
        assert [path for path, text in answers.items() if GONE in text] == [], name
        decided = answers[f"/api/v1/tournaments/{decided_cup.tournament.code}/decisions/"]
        assert decided.count(SHOUT) == 4, "what is said to everybody is"
    appealed = collect_pages(get_player(decided_cup.loser), fixture, decided_cup)
    leaks = {path for path, text in appealed.items() if HUSH in text.replace(f"{HUSH} a", "")}
    assert leaks == set(), "whoever appeals reads their own words and the answer, and nothing else"


def test_nothing_that_is_sent_holds_the_reason_of_an_organiser(decided_cup: DecidedCup) -> None:
    later = NOW + 2 * HOUR
    while notices.fan_out_notices(now=later):
        pass
    calls = [
        get_notice_kind(delivery.kind).build_webhook_payload(delivery, later)
        for delivery in Delivery.objects.exclude(webhook=None)
    ]
    mail_sender.send_due_mails(now=later)
    mails = [message for message in map(parse_mail, outgoing.outbox) if message["To"] != get_host().email]
    bodies = [
        message_part
        for mail in mails
        for message_part in mail.walk()
        if message_part.get_content_maintype() == "text"
    ]
    text = "\n".join(body.get_content() for body in bodies)
    assert len(mails) > 6
    assert len(calls) > 6
    feeds = json.dumps(list(FeedEntry.objects.exclude(player=get_host()).values_list("data", flat=True)))
    exported = "".join(
        json.dumps(export.export_player_data(player=player, now=later), default=str)
        for player in Player.objects.exclude(name__in=("host", decided_cup.loser))
    )
    for text_part in (text, feeds, exported, *map(str, calls)):
        assert HUSH not in text_part.replace(f"{HUSH} appeal", "").replace(f"{HUSH} answer", "")
    for action in ("replace", "out", "correct"):
        assert f"{SHOUT} {action}" in text, "a note is quoted in the mails about its decision"
        assert f"{SHOUT} {action}" in feeds


def test_organisers_and_staff_read_the_reasons_and_what_was_taken_back(decided_cup: DecidedCup) -> None:
    Player.objects.filter(pk=get_player("boss").pk).update(is_staff=True)
    for name in ("host", "boss"):
        lines = Program(name).list_all(f"tournaments/{decided_cup.tournament.code}/decisions/")
        reasons = {line["reason"] for line in lines}
        assert {f"{HUSH} {action}" for action in ("extend", "undo", "replace", "out", "correct")} <= reasons
        assert f"{GONE} extend" in {line["public_note"] for line in lines}
    browser = Client()
    browser.force_login(get_host())
    page = browser.get(f"/tournaments/{decided_cup.tournament.code}/organise/log/").text
    assert page.count(HUSH) == 5
    assert f"Public note (hidden now): {GONE} extend" in page


def test_that_it_was_decided_and_taken_back_stays_public(decided_cup: DecidedCup) -> None:
    lines = Program(None).list_all(f"tournaments/{decided_cup.tournament.code}/decisions/")
    undo = next(line for line in lines if line["action"] == "undo-extend")
    first = next(line for line in lines if line["id"] == undo["undoes"])
    assert (first["action"], first["undone"], first["public_note"], first["created_by"]) == (
        "extend",
        True,
        "",
        "host",
    )
    assert undo["public_note"] == f"{SHOUT} undo"


def test_whoever_is_asked_to_play_on_reads_the_note_and_not_the_reason(decided_cup: DecidedCup) -> None:
    (proposal_data,) = decided_cup.look_while_asked
    assert (proposal_data["reason"], proposal_data["public_note"]) == (None, f"{SHOUT} replace")


def test_the_reason_an_event_waits_is_for_its_organisers(decided_cup: DecidedCup) -> None:
    Tournament.objects.filter(pk=decided_cup.tournament.pk).update(hold_reason="absent")
    at = f"tournaments/{decided_cup.tournament.code}/"
    for name in (None, "stranger", decided_cup.winner):
        data = Program(name).ask(at)
        assert (data["hold_reason"], data["waits_for_organiser"]) == (None, True)
    assert Program("host").ask(at)["hold_reason"] == "absent"


def test_every_form_says_who_will_read_what(decided_cup: DecidedCup) -> None:
    browser = Client()
    browser.force_login(get_host())
    at = f"/tournaments/{decided_cup.tournament.code}/organise"
    decision = decided_cup.tournament.decisions.latest("pk").pk
    about = entrant(decided_cup.tournament, decided_cup.winner).pk
    for path in (
        "extend/?round=1",
        f"correct/?pairing={decided_cup.table.pk}",
        f"undo/?decision={decision}",
        f"disqualify/?entrant={about}",
        f"replace/?entrant={about}",
        "cancel/",
    ):
        page = browser.get(f"{at}/{path}").text
        assert "Reason (for organisers only)" in page, path
        assert "organisers and this site’s operators can read it." in page, path
        assert "Everybody can read it with your name, in mails too. Undoing the decision hides it." in page, (
            path
        )
        assert 'name="public_note"' in page, path
    table = decided_cup.tournament.pairings.get(match="R1.1")
    assert Appeal.objects.filter(pairing=table).count() == 1
    browser.force_login(get_player(decided_cup.winner))
    page = browser.get(f"/tournaments/{decided_cup.tournament.code}/tables/{table.pk}/").text
    assert "Only they read your appeal." in page
    described = " ".join(Program(None).get("schema/").text.split())
    assert "Only the organisers and the site's operators can read it" in described


def test_an_event_that_is_cancelled_tells_the_note_and_keeps_the_reason() -> None:
    tournament = create_started_tournament("knockout", 2)
    tournaments.cancel_tournament(
        by=get_host(), code=tournament.code, now=NOW, reason=f"{HUSH} rain", public_note=f"{SHOUT} rain"
    )
    lines = FeedEntry.objects.filter(kind="tournament-cancelled")
    assert {line.data["text"] for line in lines} == {f"{SHOUT} rain"}
    (decision,) = Program(None).list_all(f"tournaments/{tournament.code}/decisions/")
    assert (decision["action"], decision["reason"], decision["public_note"]) == (
        "cancel",
        None,
        f"{SHOUT} rain",
    )
