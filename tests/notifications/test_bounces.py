"""Delivery reports about our mails, and their effect on an address."""

from __future__ import annotations

from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command

from accounts.models import Player
from notifications.inbound import mail_processing
from notifications.inbound.addresses import (
    BOUNCE_PURPOSE,
    build_address,
    build_reports_address,
    make_bounce_token,
    read_address,
)
from notifications.models import Delivery, InboundMail
from notifications.services import outbox
from tests.factories.cast import NOW, player
from tests.helpers.reply_helpers import (
    DOMAIN,
    ONE_HOUR_LATER,
    get_owner,
    get_seat_to_act,
    list_answers,
    list_log,
    make_reply_address,
    read_mail_file,
    set_domain,
    start_game_with_cards,
)

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def set_reply_domain(settings: Any) -> None:
    """Set the domain for replies."""
    set_domain(settings)


def create_sent_mail(name: str) -> Delivery:
    """Create the delivery of a sent mail."""
    delivery = Delivery.objects.create(
        player=player(name),
        kind="turn",
        dedup_key="x",
        created_at=NOW,
        next_attempt_at=NOW,
        message_id="<turn.1@x>",
    )
    outbox.mark_mail_sent(delivery=delivery, address=player(name).email, message_id="<turn.1@x>", now=NOW)
    return delivery


def make_bounce_address(delivery: Delivery) -> str:
    return build_address(BOUNCE_PURPOSE, make_bounce_token(delivery.pk))


def receive_bounce(name: str, delivery: Delivery, to: str = "") -> InboundMail:
    content = read_mail_file(name).replace(b"BOUNCE", make_bounce_address(delivery).encode())
    return mail_processing.receive_mail(
        content, recipient=to or make_bounce_address(delivery), sender="", now=ONE_HOUR_LATER
    )


def read_state(delivery: Delivery) -> tuple[str, str, bool]:
    delivery.refresh_from_db()
    return delivery.status, delivery.status_reason, player("ada").email_bounced_at is not None


@pytest.mark.parametrize(
    ("name", "outcome", "status", "reason", "is_bounced"),
    [
        ("report-no-such-user", "bounce", "bounced", "User unknown", True),
        ("report-exim", "bounce", "bounced", "could not be delivered to ada@example.org", True),
        ("report-mailbox-full", "bounce", "bounced", "mailbox full", False),
        ("report-delayed", "bounce", "sent", "timed out", False),
        ("report-spam", "bounce", "sent", "reported as abuse", True),
        ("report-not-spam", "ignored", "sent", "", False),
        ("report-delivered", "ignored", "sent", "", False),
        ("report-absent", "ignored", "sent", "", False),
        ("auto-exchange", "ignored", "sent", "", False),
        ("auto-colleague", "ignored", "sent", "", False),  # the address in its text is not the failed one
        ("gmail-en", "ignored", "sent", "", False),
    ],
)
def test_what_comes_back_is_noted_and_a_dead_address_gets_no_more(
    name: str, outcome: str, status: str, reason: str, is_bounced: bool
) -> None:
    delivery = create_sent_mail("ada")
    row = receive_bounce(name, delivery)
    assert (row.outcome, row.player) == (outcome, player("ada"))
    assert read_state(delivery)[0] == status
    assert reason in read_state(delivery)[1]
    assert read_state(delivery)[2] == is_bounced
    assert reason in player("ada").email_bounce_reason or not is_bounced
    assert list_answers() == []
    assert receive_bounce(name, delivery).pk == row.pk
    assert InboundMail.objects.count() == 1


def test_a_report_may_name_the_mail_inside() -> None:
    delivery = create_sent_mail("ada")
    assert receive_bounce("report-spam", delivery, build_reports_address()).outcome == "bounce"
    assert player("ada").email_bounced_at == ONE_HOUR_LATER


def test_the_address_for_all_reports_is_said_on_the_machine_alone() -> None:
    output = StringIO()
    call_command("inbound_mail", "--reports-address", stdout=output)
    assert output.getvalue().strip() == build_reports_address()
    assert read_address(build_reports_address()) is not None


def test_a_report_to_an_address_without_a_signature_is_not_read() -> None:
    """Not even if it names one of our mails, which every recipient of that mail can do."""
    delivery = create_sent_mail("ada")
    for to in (
        f"bounce@{DOMAIN}",
        f"bounce-@{DOMAIN}",
        f"bounce-0@{DOMAIN}",
        f"bounce-0-{'a' * 16}@{DOMAIN}",
    ):
        assert read_address(to) is None
        assert receive_bounce("report-spam", delivery, to).outcome == "unknown"
    assert read_state(delivery) == ("sent", "", False)
    assert player("ada").email_bounced_at is None


def test_a_report_about_no_mail_of_ours_is_not_believed() -> None:
    delivery = create_sent_mail("ada")
    forged = make_bounce_address(delivery).replace(f"bounce-{delivery.pk}-", f"bounce-{delivery.pk}-a")
    for to in (forged, f"bounce-{delivery.pk}@{DOMAIN}", f"bounce-x@{DOMAIN}"):
        row = mail_processing.receive_mail(
            read_mail_file("report-no-such-user"), recipient=to, sender="", now=ONE_HOUR_LATER
        )
        assert row.outcome == "unknown"
    assert receive_bounce("report-spam", Delivery(pk=999_999), build_reports_address()).outcome == "unknown"
    assert read_state(delivery) == ("sent", "", False)


def test_an_address_that_was_changed_since_is_not_dead() -> None:
    delivery = create_sent_mail("ada")
    Player.objects.filter(name="ada").update(email="ada@elsewhere.example")
    assert receive_bounce("report-no-such-user", delivery).outcome == "bounce"
    assert read_state(delivery)[0] == "bounced"
    assert read_state(delivery)[2] is False


def test_a_report_to_the_address_of_a_turn_is_ignored() -> None:
    game = start_game_with_cards()
    place = get_seat_to_act(game)
    to = make_reply_address(game, place)
    row = mail_processing.receive_mail(
        read_mail_file("report-no-such-user"), recipient=to, sender="", now=ONE_HOUR_LATER
    )
    assert (row.outcome, list_log(game), list_answers()) == ("ignored", [], [])
    assert get_owner(place).email_bounced_at is None


def test_a_mail_that_is_claimed_again_after_its_bounce_stays_bounced() -> None:
    delivery = Delivery.objects.create(
        player=player("ada"), kind="turn", dedup_key="x", created_at=NOW, next_attempt_at=NOW
    )
    receive_bounce("report-no-such-user", delivery)  # before the worker records the mail as sent
    outbox.mark_mail_sent(
        delivery=delivery, address="ada@example.org", message_id="<1@x>", now=ONE_HOUR_LATER + timedelta(1)
    )
    assert read_state(delivery)[0] == "bounced"
