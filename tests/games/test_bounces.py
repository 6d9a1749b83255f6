"""Mails of ours that come back, and what that means for an address."""

from __future__ import annotations

from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command

from games import signed_links
from games.mail import inbound
from games.models import Delivery, InboundMail, Player
from games.services import outbox
from tests.games.cast import NOW, player
from tests.games.mailing import (
    DOMAIN,
    SOON,
    address,
    answers,
    log_of,
    mover,
    owner,
    raw,
    set_domain,
    with_cards,
)

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def domain(settings: Any) -> None:
    """Replies come in."""
    set_domain(settings)


def sent_to(name: str) -> Delivery:
    """A mail that has left."""
    delivery = Delivery.objects.create(
        player=player(name), kind="turn", reason="x", made_at=NOW, due_at=NOW, message_id="<turn.1@x>"
    )
    outbox.mark_mail_sent(delivery=delivery, address=player(name).email, message_id="<turn.1@x>", now=NOW)
    return delivery


def back(delivery: Delivery) -> str:
    return signed_links.build_address(
        signed_links.BOUNCE_PURPOSE, signed_links.make_bounce_token(delivery.pk)
    )


def report(name: str, delivery: Delivery, to: str = "") -> InboundMail:
    content = raw(name).replace(b"BOUNCE", back(delivery).encode())
    return inbound.receive_mail(content, recipient=to or back(delivery), sender="", now=SOON)


def state_of(delivery: Delivery) -> tuple[str, str, bool]:
    delivery.refresh_from_db()
    return delivery.status, delivery.why, player("ada").dead_at is not None


@pytest.mark.parametrize(
    ("name", "outcome", "status", "why", "dead"),
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
        ("gmail-en", "ignored", "sent", "", False),
    ],
)
def test_what_comes_back_is_noted_and_a_dead_address_gets_no_more(
    name: str, outcome: str, status: str, why: str, dead: bool
) -> None:
    delivery = sent_to("ada")
    row = report(name, delivery)
    assert (row.outcome, row.player) == (outcome, player("ada"))
    assert state_of(delivery)[0] == status
    assert why in state_of(delivery)[1]
    assert state_of(delivery)[2] == dead
    assert why in player("ada").dead_why or not dead
    assert answers() == []
    assert report(name, delivery).pk == row.pk
    assert InboundMail.objects.count() == 1


def test_a_report_may_name_the_mail_inside() -> None:
    delivery = sent_to("ada")
    assert report("report-spam", delivery, signed_links.build_reports_address()).outcome == "bounce"
    assert player("ada").dead_at == SOON


def test_the_address_for_all_reports_is_said_on_the_machine_alone() -> None:
    said = StringIO()
    call_command("inbound_mail", "--reports-address", stdout=said)
    assert said.getvalue().strip() == signed_links.build_reports_address()
    assert signed_links.read_address(signed_links.build_reports_address()) is not None


def test_a_report_to_an_address_without_a_signature_is_not_read() -> None:
    """Not even one that names a mail of ours inside, as whoever got that mail can write it."""
    delivery = sent_to("ada")
    for to in (
        f"bounce@{DOMAIN}",
        f"bounce-@{DOMAIN}",
        f"bounce-0@{DOMAIN}",
        f"bounce-0-{'a' * 16}@{DOMAIN}",
    ):
        assert signed_links.read_address(to) is None
        assert report("report-spam", delivery, to).outcome == "unknown"
    assert state_of(delivery) == ("sent", "", False)
    assert player("ada").dead_at is None


def test_a_report_about_no_mail_of_ours_is_not_believed() -> None:
    delivery = sent_to("ada")
    forged = back(delivery).replace(f"bounce-{delivery.pk}-", f"bounce-{delivery.pk}-a")
    for to in (forged, f"bounce-{delivery.pk}@{DOMAIN}", f"bounce-x@{DOMAIN}"):
        row = inbound.receive_mail(raw("report-no-such-user"), recipient=to, sender="", now=SOON)
        assert row.outcome == "unknown"
    assert (
        report("report-spam", Delivery(pk=999_999), signed_links.build_reports_address()).outcome == "unknown"
    )
    assert state_of(delivery) == ("sent", "", False)


def test_an_address_that_was_changed_since_is_not_dead() -> None:
    delivery = sent_to("ada")
    Player.objects.filter(name="ada").update(email="ada@elsewhere.example")
    assert report("report-no-such-user", delivery).outcome == "bounce"
    assert state_of(delivery)[0] == "bounced"
    assert state_of(delivery)[2] is False


def test_a_report_to_the_address_of_a_turn_is_ignored() -> None:
    game = with_cards()
    place = mover(game)
    to = address(game, place)
    row = inbound.receive_mail(raw("report-no-such-user"), recipient=to, sender="", now=SOON)
    assert (row.outcome, log_of(game), answers()) == ("ignored", [], [])
    assert owner(place).dead_at is None


def test_a_mail_that_is_claimed_again_after_its_bounce_stays_bounced() -> None:
    delivery = Delivery.objects.create(player=player("ada"), kind="turn", reason="x", made_at=NOW, due_at=NOW)
    report("report-no-such-user", delivery)  # quicker than the worker that sends it
    outbox.mark_mail_sent(
        delivery=delivery, address="ada@example.org", message_id="<1@x>", now=SOON + timedelta(1)
    )
    assert state_of(delivery)[0] == "bounced"
