"""Inbound mail is dispatched to handlers by the purpose of the address, without knowledge of games."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import pytest

from games import inbound_mail as games_inbound_mail
from games import signed_links
from notifications.inbound import mail_processing
from notifications.inbound.addresses import BOUNCE_PURPOSE, build_address
from notifications.inbound.handlers import AddressClaim, InboundMailHandler, find_handler
from notifications.models import Delivery, InboundMail
from notifications.services.inbound_mail import InboundMailResult
from tests.factories.cast import NOW, player
from tests.helpers.reply_helpers import build_mail, set_domain

pytestmark = pytest.mark.django_db
TAKEN, UNTAKEN = signed_links.RESIGN_PURPOSE, signed_links.REPLY_PURPOSE


@pytest.fixture(autouse=True)
def domain(settings: Any) -> None:
    """Set the domain for replies."""
    set_domain(settings)


@pytest.fixture
def untaken(domain: None) -> str:
    """Build an address whose handler no longer exists when a mail arrives."""
    return build_address(UNTAKEN, "ours-1")


@pytest.fixture
def processed(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Sequence[str], str]]:
    """Install a handler for tokens that begin with `ours`; return the lines and keys it receives."""
    calls: list[tuple[Sequence[str], str]] = []

    def process_lines(*, lines: Sequence[str], key: str, now: datetime) -> InboundMailResult:
        calls.append((lines, key))
        return InboundMailResult("noted", "We read it.", "read")

    def find_claim(token: str) -> AddressClaim | None:
        return AddressClaim(player("ada"), "", process_lines) if token.startswith("ours") else None

    handler = InboundMailHandler(
        purpose=TAKEN,
        prefix="ours",
        answer_kind="of-another-app",
        find_claim=find_claim,
        success_outcome="noted",
        describe_outcome=lambda row: row.outcome_reason,
    )
    monkeypatch.setattr(games_inbound_mail, "INBOUND_MAIL_HANDLERS", (handler,))
    return calls


def receive(raw: bytes, to: str, sender: str = "ada@example.org") -> InboundMail:
    return mail_processing.receive_mail(raw, recipient=to, sender=sender, now=NOW)


def test_a_handler_gets_the_lines_once_and_its_answer_has_its_kind(processed: list[Any]) -> None:
    to = build_address(TAKEN, "ours-1")
    raw = build_mail("one\ntwo\n\n> three\n", player("ada").email, to)
    row = receive(raw, to)
    assert (row.outcome, row.outcome_reason, row.player) == ("noted", "read", player("ada"))
    assert receive(raw, to) == row
    assert processed == [(["one", "two"], f"mail:{row.digest}")]
    answer = Delivery.objects.get(player=player("ada"))
    assert (answer.kind, answer.data["text"]) == ("of-another-app", "We read it.")


def test_no_handler_sees_a_stranger_a_program_or_an_address_that_is_not_valid(processed: list[Any]) -> None:
    ada, bob = player("ada"), player("bob")
    to, stale = (build_address(TAKEN, token) for token in ("ours-1", "stale-1"))
    assert receive(build_mail("yes", bob.email, to), to).outcome_reason == "not the player's address"
    assert receive(build_mail("yes", ada.email, to, Auto_Submitted="auto-replied"), to).outcome == "ignored"
    row = receive(build_mail("yes", ada.email, stale), stale)
    assert (row.outcome, row.outcome_reason, row.player) == ("unknown", "the address is not valid", None)
    assert not processed
    assert not Delivery.objects.exists()


def test_mail_of_a_purpose_without_a_handler_is_unknown(untaken: str, processed: list[Any]) -> None:
    to = untaken
    row = receive(build_mail("yes", player("ada").email, to), to)
    assert (row.outcome, row.outcome_reason) == ("unknown", "no such address")
    assert not processed


def test_games_take_replies_and_confirmations_and_nobody_takes_reports() -> None:
    assert find_handler(signed_links.REPLY_PURPOSE)
    assert find_handler(signed_links.RESIGN_PURPOSE)
    assert find_handler(BOUNCE_PURPOSE) is None
    assert find_handler("") is None
