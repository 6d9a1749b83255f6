"""Invitation mails go through a real SMTP server; a refused mail is retried or given up."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from anymail.exceptions import AnymailAPIError
from django.conf import LazySettings
from django.core import mail
from django.core.mail.backends.locmem import EmailBackend

from accounts.daily_limits import load_daily_limits
from accounts.services import export
from common.budget import Budget
from common.service_errors import Conflict
from games import retention, signed_links
from games.contact_kinds import GameContactKind
from games.models import Game, Invitation
from games.services import invitations, lobby
from notifications.channels.email import mail_sender
from notifications.models import Delivery
from notifications.selectors import deliveries
from notifications.services import outbox
from tests.factories.cast import NOW, open_browser, player
from tests.helpers import mail_outages
from tests.markup import normalise_html
from tests.smtp import Sink

pytestmark = pytest.mark.django_db
ZOE = "zoe@example.org"


@pytest.fixture
def sink(settings: LazySettings) -> Iterator[Sink]:
    """Run an SMTP server and point the mail settings to it."""
    with Sink() as started:
        for name, value in started.settings().items():
            setattr(settings, name, value)
        yield started


@pytest.fixture
def open_game() -> Game:
    """A game of ada's with three free seats and a late expiry."""
    game = lobby.create_game(player=player("ada"), now=NOW, seat_count=4, time_control="7d")
    lobby.join_game(player=player("ada"), code=game.code, now=NOW)
    Game.objects.filter(pk=game.pk).update(expires_at=NOW + timedelta(days=30))
    return game


def invite_by_mail(game: Game, email: str = ZOE, now: Any = NOW, **words: Any) -> Invitation:
    return invitations.invite_to_game(player=player("ada"), code=game.code, email=email, now=now, **words)


def invite_three(game: Game) -> list[Invitation]:
    return [invite_by_mail(game, f"p{number}@example.org") for number in range(3)]


def mail_of(invitation: Invitation) -> Delivery:
    """Return the current delivery row of an invitation."""
    invitation.refresh_from_db()
    assert invitation.delivery
    return invitation.delivery


def read_game_page(name: str, game: Game) -> str:
    return normalise_html(open_browser(name).get(f"/games/{game.code}/").content.decode())


def test_many_share_one_connection_and_each_goes_out_once(sink: Sink, open_game: Game) -> None:
    rows = invite_three(open_game)
    assert mail_sender.send_due_mails(now=NOW) == 3
    assert mail_sender.send_due_mails(now=NOW + timedelta(days=1)) == 0
    assert sink.connections == 1
    assert len(sink.mails) == 3
    for row in rows:
        sent = mail_of(row)
        assert (sent.sent_at, sent.next_attempt_at, sent.status_reason, sent.attempts) == (NOW, None, "", 1)


@pytest.mark.parametrize("answer", ["550 5.1.1 no such user", "550 no such user"])
def test_an_address_that_does_not_exist_is_tried_once_and_the_seat_is_free_again(
    sink: Sink, open_game: Game, answer: str
) -> None:
    row = invite_three(open_game)[0]
    with pytest.raises(Conflict, match="no free seat"):
        invite_by_mail(open_game, "one-more@example.org")
    sink.refuse = lambda address: answer if address.startswith("p0") else ""
    assert mail_sender.send_due_mails(now=NOW) == 2, "the others go out all the same"
    lost = mail_of(row)
    assert (lost.sent_at, lost.next_attempt_at, lost.status_reason) == (None, None, answer)
    assert (row.status, lost.status) == ("lost", "bounced")
    assert player("ada").email_bounced_at is None, "it is not the inviter's address"
    for days in (1, 10, 29):
        assert mail_sender.send_due_mails(now=NOW + timedelta(days=days)) == 0
    assert mail_of(row).attempts == 1
    assert invite_by_mail(open_game, "one-more@example.org")


def test_what_a_server_does_not_take_is_tried_again_later_and_later_then_given_up(
    sink: Sink, open_game: Game
) -> None:
    row = invite_by_mail(open_game)
    sink.refuse = lambda address: "450 4.2.0 try later"
    now, delays = NOW, []
    while True:
        assert mail_sender.send_due_mails(now=now) == 0
        tried = mail_of(row)
        assert tried.status_reason == "450 4.2.0 try later"
        if tried.next_attempt_at is None:
            break
        delays.append(tried.next_attempt_at - now)
        assert mail_sender.send_due_mails(now=tried.next_attempt_at - timedelta(seconds=1)) == 0
        now = tried.next_attempt_at
    assert delays == list(outbox.MAIL_RETRY_DELAYS)
    assert (row.status, tried.attempts) == ("lost", len(outbox.MAIL_RETRY_DELAYS) + 1)


def test_a_full_mailbox_may_be_empty_the_next_time(sink: Sink, open_game: Game) -> None:
    row = invite_by_mail(open_game)
    sink.refuse = lambda address: "552 5.2.2 mailbox full"
    mail_sender.send_due_mails(now=NOW)
    sink.refuse = lambda address: ""
    assert mail_sender.send_due_mails(now=NOW + outbox.MAIL_RETRY_DELAYS[0]) == 1
    sent = mail_of(row)
    assert (sent.status_reason, row.status, sent.next_attempt_at) == ("", "", None)


def test_while_no_server_answers_the_first_is_held_and_the_others_are_not_even_asked_for(
    sink: Sink, open_game: Game, caplog: pytest.LogCaptureFixture
) -> None:
    invite_three(open_game)
    sink.stop()
    assert mail_sender.send_due_mails(now=NOW) == 0
    first, *other_invitations = Delivery.objects.order_by("pk")
    assert (first.attempts, first.next_attempt_at) == (0, NOW + outbox.SERVER_OUTAGE_RETRY_DELAY)
    assert first.status_reason.startswith("We could not reach the mail server:")
    assert {
        (invitation.attempts, invitation.next_attempt_at, invitation.status_reason)
        for invitation in other_invitations
    } == {(0, NOW, "")}
    assert "the mail server cannot be reached" in caplog.text
    sink.start()
    assert mail_sender.send_due_mails(now=NOW + outbox.SERVER_OUTAGE_RETRY_DELAY) == 3


def test_a_server_that_says_nothing_costs_one_wait_however_many_there_are(
    open_game: Game, settings: LazySettings
) -> None:
    invite_three(open_game)
    settings.EMAIL_TIMEOUT = 1
    with mail_outages.take_calls_silently():
        assert mail_sender.send_due_mails(now=NOW) == 0
    assert Delivery.objects.filter(next_attempt_at=NOW, attempts=0).count() == 2, "these were not tried"


def test_a_run_ends_when_its_budget_is_used_up(sink: Sink, open_game: Game) -> None:
    invite_three(open_game)
    sink.slow = 1.1
    budget = Budget(1)
    assert mail_sender.send_due_mails(now=NOW, budget=budget) == 1
    assert budget.work_left
    assert Delivery.objects.filter(attempts=0).count() == 2


class Choosy(EmailBackend):
    """A mail provider that rejects one of the addresses."""

    def send_messages(self, messages: Any) -> int:
        if messages[0].to == ["p0@example.org"]:
            raise AnymailAPIError("Postmark API response 503")
        return int(super().send_messages(messages))


def test_an_error_of_a_provider_does_not_stop_the_others(open_game: Game, settings: LazySettings) -> None:
    row = invite_three(open_game)[0]
    settings.EMAIL_BACKEND = f"{__name__}.Choosy"
    assert mail_sender.send_due_mails(now=NOW) == 2
    failed = mail_of(row)
    assert (failed.next_attempt_at, failed.status_reason) == (
        NOW + outbox.MAIL_RETRY_DELAYS[0],
        "Postmark API response 503",
    )
    assert len(mail.outbox) == 2


def test_one_that_cannot_be_written_is_logged_and_the_others_go(
    open_game: Game, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    row = invite_three(open_game)[0]
    token = signed_links.make_invitation_token

    def break_first(number: int) -> str:
        if number == row.pk:
            raise RuntimeError("no ink")
        return token(number)

    monkeypatch.setattr(signed_links, "make_invitation_token", break_first)
    assert mail_sender.send_due_mails(now=NOW) == 2
    failed = mail_of(row)
    assert (failed.next_attempt_at, failed.status_reason) == (
        NOW + outbox.MAIL_RETRY_DELAYS[0],
        "An error on our side. We have logged it.",
    )
    assert "no ink" in caplog.text


def test_one_whose_worker_died_every_time_is_given_up(sink: Sink, open_game: Game) -> None:
    row = invite_by_mail(open_game)
    Delivery.objects.update(attempts=len(outbox.MAIL_RETRY_DELAYS) + 1)
    assert mail_sender.send_due_mails(now=NOW) == 0
    given_up = mail_of(row)
    assert (row.status, given_up.status_reason) == ("lost", "Sending was interrupted too often.")


def test_of_two_workers_one_has_it_until_its_lease_is_over(sink: Sink, open_game: Game) -> None:
    invite_by_mail(open_game)
    ((pk, due_at),) = outbox.find_due_mails(now=NOW, limit=5)
    assert outbox.claim_mail(pk=pk, seen_due_at=due_at, now=NOW)
    assert outbox.claim_mail(pk=pk, seen_due_at=due_at, now=NOW) is None
    assert mail_sender.send_due_mails(now=NOW + outbox.MAIL_LEASE - timedelta(seconds=1)) == 0
    assert mail_sender.send_due_mails(now=NOW + outbox.MAIL_LEASE) == 1


# -------------------------------------------------------------------------------------- what the inviter sees


def test_the_host_and_nobody_else_sees_what_became_of_it(sink: Sink, open_game: Game) -> None:
    lobby.join_game(player=player("bob"), code=open_game.code, now=NOW)
    invite_by_mail(open_game)
    invite_by_mail(open_game, "yan@example.org")
    sink.refuse = lambda address: "550 5.1.1 nobody" if address == ZOE else "450 4.2.0 not now"
    mail_sender.send_due_mails(now=NOW)
    text = read_game_page("ada", open_game)
    assert f"{ZOE} · <strong>not sent</strong> · 550 5.1.1 nobody" in text
    assert "yan@example.org · waiting · 450 4.2.0 not now" in text
    for name in ("bob", "cleo"):
        assert ZOE not in read_game_page(name, open_game)
        assert "yan@" not in read_game_page(name, open_game)


def test_whom_no_mail_reached_can_be_invited_again(sink: Sink, open_game: Game) -> None:
    invite_by_mail(open_game)
    sink.refuse = lambda address: "550 5.1.1 nobody"
    mail_sender.send_due_mails(now=NOW)
    assert f"{ZOE} ·" in read_game_page("ada", open_game)
    sink.refuse = lambda address: ""
    second_invitation = invite_by_mail(open_game)
    with pytest.raises(Conflict) as refused:
        invite_by_mail(open_game)
    assert refused.value.code == "already-invited"
    assert mail_sender.send_due_mails(now=NOW) == 1
    assert mail_of(second_invitation).sent_at == NOW
    assert f"{ZOE} ·" not in read_game_page("ada", open_game), "all is well now"
    assert f"Invited: {ZOE}" in read_game_page("ada", open_game)


def test_what_did_not_go_out_counts_among_those_that_one_may_send(sink: Sink, open_game: Game) -> None:
    sink.refuse = lambda address: "550 5.1.1 nobody"
    for _n in range(load_daily_limits()[GameContactKind.MAILED_INVITATION].per_stranger):
        invite_by_mail(open_game)
        mail_sender.send_due_mails(now=NOW)
    with pytest.raises(Conflict) as refused:
        invite_by_mail(open_game)
    assert refused.value.code == "too-many-mails"


# ----------------------------------------------------------------------------------- ownership of addresses


def test_the_address_is_in_the_invitation_alone_and_the_row_goes_with_it(sink: Sink, open_game: Game) -> None:
    invite_by_mail(open_game)
    sink.refuse = lambda address: f"550 5.1.1 no {address}"
    mail_sender.send_due_mails(now=NOW)
    row = Delivery.objects.get()
    assert (row.address, row.message_id, row.data) == ("", "", {})
    assert ZOE in row.status_reason, "a server may say it back"
    Game.objects.filter(pk=open_game.pk).update(status=Game.Status.CANCELLED)
    assert retention.delete_old_invitations(now=NOW + timedelta(days=400)) == 1
    assert not Delivery.objects.exists()


def test_what_was_sent_for_a_player_is_not_listed_as_sent_to_them(sink: Sink, open_game: Game) -> None:
    invite_by_mail(open_game)
    assert mail_sender.send_due_mails(now=NOW) == 1
    assert deliveries.list_recent_deliveries(player("ada")) == []
    assert export.export_player_data(player=player("ada"), now=NOW)["deliveries"] == []


def test_who_gave_the_game_up_invites_nobody_any_more(sink: Sink, open_game: Game) -> None:
    row = invite_by_mail(open_game)
    lobby.cancel_game_by_host(player=player("ada"), code=open_game.code, now=NOW)
    assert mail_sender.send_due_mails(now=NOW) == 0
    assert sink.mails == []
    assert mail_of(row).status == "dropped"
