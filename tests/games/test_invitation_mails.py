"""Invitations by mail go out through a real mail server; what it refuses is tried again, or given up."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from anymail.exceptions import AnymailAPIError
from django.conf import LazySettings
from django.core import mail
from django.core.mail.backends.locmem import EmailBackend

from games import signed_links
from games.mail import invitation_mails
from games.models import Game, Invitation
from games.services import contact_limits, invitations, lobby, outbox
from games.services.budget import Budget
from games.services.errors import Conflict
from tests.smtp import Sink

from . import away
from .cast import NOW, browser, player

pytestmark = pytest.mark.django_db
ZOE = "zoe@example.org"


@pytest.fixture
def sink(settings: LazySettings) -> Iterator[Sink]:
    """A mail server, and settings that send there."""
    with Sink() as started:
        for name, value in started.settings().items():
            setattr(settings, name, value)
        yield started


@pytest.fixture
def game() -> Game:
    """A game of ada's with three seats for others, which waits for long."""
    made = lobby.create_game(player=player("ada"), now=NOW, seats=4, clock_name="7d")
    lobby.join_game(player=player("ada"), code=made.code, now=NOW)
    Game.objects.filter(pk=made.pk).update(expires_at=NOW + timedelta(days=30))
    return made


def invite(game: Game, email: str = ZOE, now: Any = NOW, **words: Any) -> Invitation:
    return invitations.invite_to_game(player=player("ada"), code=game.code, email=email, now=now, **words)


def several(game: Game) -> list[Invitation]:
    return [invite(game, f"p{number}@example.org") for number in range(3)]


def page(name: str, game: Game) -> str:
    return str(browser(name).get(f"/games/{game.code}/").content.decode())


def test_many_share_one_connection_and_each_goes_out_once(sink: Sink, game: Game) -> None:
    rows = several(game)
    assert invitation_mails.send_due_invitations(now=NOW) == 3
    assert invitation_mails.send_due_invitations(now=NOW + timedelta(days=1)) == 0
    assert sink.connections == 1
    assert len(sink.mails) == 3
    for row in rows:
        row.refresh_from_db()
        assert (row.sent_at, row.due_at, row.trouble, row.tries) == (NOW, None, "", 1)


@pytest.mark.parametrize("answer", ["550 5.1.1 no such user", "550 no such user"])
def test_an_address_that_does_not_exist_is_tried_once_and_the_seat_is_free_again(
    sink: Sink, game: Game, answer: str
) -> None:
    row = several(game)[0]
    with pytest.raises(Conflict, match="seats"):
        invite(game, "one-more@example.org")
    sink.refuse = lambda address: answer if address.startswith("p0") else ""
    assert invitation_mails.send_due_invitations(now=NOW) == 2, "the others go out all the same"
    row.refresh_from_db()
    assert (row.sent_at, row.due_at, row.trouble, row.answered) == (None, None, answer, "lost")
    for days in (1, 10, 29):
        assert invitation_mails.send_due_invitations(now=NOW + timedelta(days=days)) == 0
    row.refresh_from_db()
    assert row.tries == 1
    assert invite(game, "one-more@example.org")


def test_what_a_server_does_not_take_is_tried_again_later_and_later_then_given_up(
    sink: Sink, game: Game
) -> None:
    row = invite(game)
    sink.refuse = lambda address: "450 4.2.0 try later"
    now, waits = NOW, []
    while True:
        assert invitation_mails.send_due_invitations(now=now) == 0
        row.refresh_from_db()
        assert row.trouble == "450 4.2.0 try later"
        if row.due_at is None:
            break
        waits.append(row.due_at - now)
        assert invitation_mails.send_due_invitations(now=row.due_at - timedelta(seconds=1)) == 0
        now = row.due_at
    assert waits == list(outbox.MAIL_RETRY_DELAYS)
    assert (row.answered, row.tries) == ("lost", len(outbox.MAIL_RETRY_DELAYS) + 1)


def test_a_full_mailbox_may_be_empty_the_next_time(sink: Sink, game: Game) -> None:
    row = invite(game)
    sink.refuse = lambda address: "552 5.2.2 mailbox full"
    invitation_mails.send_due_invitations(now=NOW)
    sink.refuse = lambda address: ""
    assert invitation_mails.send_due_invitations(now=NOW + outbox.MAIL_RETRY_DELAYS[0]) == 1
    row.refresh_from_db()
    assert (row.trouble, row.answered, row.due_at) == ("", "", None)


def test_while_no_server_answers_the_first_is_held_and_the_others_are_not_even_asked_for(
    sink: Sink, game: Game, caplog: pytest.LogCaptureFixture
) -> None:
    several(game)
    sink.stop()
    assert invitation_mails.send_due_invitations(now=NOW) == 0
    first, *others = Invitation.objects.order_by("pk")
    assert (first.tries, first.due_at) == (0, NOW + outbox.SERVER_OUTAGE_RETRY_DELAY)
    assert first.trouble.startswith("The mail server cannot be reached:")
    assert {(one.tries, one.due_at, one.trouble) for one in others} == {(0, NOW, "")}
    assert "no mail server" in caplog.text
    sink.start()
    assert invitation_mails.send_due_invitations(now=NOW + outbox.SERVER_OUTAGE_RETRY_DELAY) == 3


def test_a_server_that_says_nothing_costs_one_wait_however_many_there_are(
    game: Game, settings: LazySettings
) -> None:
    several(game)
    settings.EMAIL_TIMEOUT = 1
    with away.silent():
        assert invitation_mails.send_due_invitations(now=NOW) == 0
    assert Invitation.objects.filter(due_at=NOW, tries=0).count() == 2, "these were not tried"


def test_a_run_ends_when_its_budget_is_used_up(sink: Sink, game: Game) -> None:
    several(game)
    sink.slow = 1.1
    budget = Budget(1)
    assert invitation_mails.send_due_invitations(now=NOW, budget=budget) == 1
    assert budget.work_left
    assert Invitation.objects.filter(tries=0).count() == 2


class Choosy(EmailBackend):
    """A provider that has no words for one of the addresses."""

    def send_messages(self, messages: Any) -> int:
        if messages[0].to == ["p0@example.org"]:
            raise AnymailAPIError("Postmark API response 503")
        return int(super().send_messages(messages))


def test_an_error_of_a_provider_does_not_stop_the_others(game: Game, settings: LazySettings) -> None:
    row = several(game)[0]
    settings.EMAIL_BACKEND = f"{__name__}.Choosy"
    assert invitation_mails.send_due_invitations(now=NOW) == 2
    row.refresh_from_db()
    assert (row.due_at, row.trouble) == (NOW + outbox.MAIL_RETRY_DELAYS[0], "Postmark API response 503")
    assert len(mail.outbox) == 2


def test_one_that_cannot_be_written_is_logged_and_the_others_go(
    game: Game, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    row = several(game)[0]
    token = signed_links.make_invitation_token

    def broken(number: int) -> str:
        if number == row.pk:
            raise RuntimeError("no ink")
        return token(number)

    monkeypatch.setattr(signed_links, "make_invitation_token", broken)
    assert invitation_mails.send_due_invitations(now=NOW) == 2
    row.refresh_from_db()
    assert (row.due_at, row.trouble) == (NOW + outbox.MAIL_RETRY_DELAYS[0], "Our mistake; it has been noted.")
    assert "no ink" in caplog.text


def test_one_whose_worker_died_every_time_is_given_up(sink: Sink, game: Game) -> None:
    row = invite(game)
    Invitation.objects.update(tries=len(outbox.MAIL_RETRY_DELAYS) + 1)
    assert invitation_mails.send_due_invitations(now=NOW) == 0
    row.refresh_from_db()
    assert (row.answered, row.trouble) == ("lost", "It was interrupted too often.")


def test_of_two_workers_one_has_it_until_its_lease_is_over(sink: Sink, game: Game) -> None:
    invite(game)
    ((pk, seen),) = invitations.find_due_mails(now=NOW, limit=5)
    assert invitations.claim_mail(pk=pk, seen_due_at=seen, now=NOW)
    assert invitations.claim_mail(pk=pk, seen_due_at=seen, now=NOW) is None
    assert invitation_mails.send_due_invitations(now=NOW + outbox.MAIL_LEASE - timedelta(seconds=1)) == 0
    assert invitation_mails.send_due_invitations(now=NOW + outbox.MAIL_LEASE) == 1


# --------------------------------------------------------------------------------------- whoever invited sees


def test_the_host_and_nobody_else_sees_what_became_of_it(sink: Sink, game: Game) -> None:
    lobby.join_game(player=player("bob"), code=game.code, now=NOW)
    invite(game)
    invite(game, "yan@example.org")
    sink.refuse = lambda address: "550 5.1.1 nobody" if address == ZOE else "450 4.2.0 not now"
    invitation_mails.send_due_invitations(now=NOW)
    text = page("ada", game)
    assert f"{ZOE} · <strong>given up</strong> · 550 5.1.1 nobody" in text
    assert "yan@example.org · waiting · 450 4.2.0 not now" in text
    for name in ("bob", "cleo"):
        assert ZOE not in page(name, game)
        assert "yan@" not in page(name, game)


def test_whom_no_mail_reached_can_be_invited_again(sink: Sink, game: Game) -> None:
    invite(game)
    sink.refuse = lambda address: "550 5.1.1 nobody"
    invitation_mails.send_due_invitations(now=NOW)
    assert f"{ZOE} ·" in page("ada", game)
    sink.refuse = lambda address: ""
    again = invite(game)
    with pytest.raises(Conflict) as refused:
        invite(game)
    assert refused.value.code == "already-invited"
    assert invitation_mails.send_due_invitations(now=NOW) == 1
    again.refresh_from_db()
    assert again.sent_at == NOW
    assert f"{ZOE} ·" not in page("ada", game), "all is well now"
    assert f"Invited: {ZOE}" in page("ada", game)


def test_what_did_not_go_out_counts_among_those_that_one_may_send(sink: Sink, game: Game) -> None:
    sink.refuse = lambda address: "550 5.1.1 nobody"
    for _n in range(contact_limits.DAILY_LIMITS[contact_limits.ContactKind.MAILED_INVITATION].per_stranger):
        invite(game)
        invitation_mails.send_due_invitations(now=NOW)
    with pytest.raises(Conflict) as refused:
        invite(game)
    assert refused.value.code == "too-many-mails"
