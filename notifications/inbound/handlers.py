"""Handlers of inbound mail: each app declares `INBOUND_MAIL_HANDLERS` in its module `inbound_mail`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from accounts.models import Player
from common.extensions import collect_declarations
from notifications.models import InboundMail
from notifications.services.inbound_mail import InboundMailResult


class ProcessLines(Protocol):
    """Processes the author's own lines.

    A mail may be processed again after a crash; `key` identifies it, so that nothing is done twice.
    """

    def __call__(self, *, lines: Sequence[str], key: str, now: datetime) -> InboundMailResult: ...


@dataclass(frozen=True)
class AddressClaim:
    """The owner of an address, its subject, and the processing of their mail to it."""

    player: Player
    topic: str
    process_lines: ProcessLines


@dataclass(frozen=True)
class InboundMailHandler:
    """An app's part in the processing of mail to addresses of one purpose."""

    purpose: str  # of addresses.build_address
    prefix: str  # of the local part of such addresses
    answer_kind: str  # the notice kind of answers
    find_claim: Callable[[str], AddressClaim | None]  # by the token of the address; None if it is not valid
    success_outcome: str  # the outcome of mail that did what its author wanted
    describe_outcome: Callable[[InboundMail], str]  # for the mailbox of a trial site


def load_handlers() -> list[InboundMailHandler]:
    """The handlers of all apps."""
    return collect_declarations("inbound_mail", "INBOUND_MAIL_HANDLERS", InboundMailHandler)


def find_handler(purpose: str) -> InboundMailHandler | None:
    """The handler of mail to addresses of this purpose, or None."""
    return next((handler for handler in load_handlers() if handler.purpose == purpose), None)
