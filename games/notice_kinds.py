"""Registry of notice kinds that other apps add at start-up; games itself knows none of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from django.utils.functional import Promise

from games.models import Delivery, FeedEntry, Player


def group_alone(entry: FeedEntry) -> str:
    """The group key of an entry that gets a mail of its own."""
    return entry.reason


@dataclass(frozen=True)
class NoticeKind:
    """A notice kind as the outbox needs it; `COMPOSERS_BY_KIND` in games.mail.compose writes its mail."""

    label: str | Promise  # on the page of deliveries
    requires_action: bool  # whether the reader has something to do or decide
    obsolete_reason: Callable[[Delivery, datetime], str]  # why the mail is obsolete, else ""
    summarise: Callable[[Delivery, datetime], tuple[str, str]]  # a short text, and a URL for more
    group_key: Callable[[FeedEntry], str] = group_alone  # entries with the same key share one mail


NOTICE_KINDS: dict[str, NoticeKind] = {}
# Each returns why a mail about a game is superseded by another app's mail, else "".
SUPERSEDED_CHECKS: list[Callable[[Delivery], str]] = []


def wants_mail_of_kind(player: Player, kind: str) -> bool:
    """Whether a player wants mails of a kind at all."""
    if player.mails == Player.MailFrequency.NONE:
        return False
    if kind not in NOTICE_KINDS or player.tournament_mails == Player.TournamentMails.ALL:
        return True
    return player.tournament_mails == Player.TournamentMails.DUTIES and NOTICE_KINDS[kind].requires_action
