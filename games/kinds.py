"""Kinds of notices that other apps tell of: they add themselves when the site starts, as games knows none."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from django.utils.functional import Promise

from games.models import Delivery, Event, Player


def alone(line: Event) -> str:
    """Every line makes a mail of its own."""
    return line.reason


@dataclass(frozen=True)
class Kind:
    """What the outbox must know of a kind; its letter is one of games.mail.compose.KINDS."""

    label: str | Promise  # what it is, on the page of deliveries
    duty: bool  # whether its reader has something to do or to decide
    unneeded: Callable[[Delivery, datetime], str]  # why nobody needs the mail any more, else ""
    said: Callable[[Delivery, datetime], tuple[str, str]]  # in a sentence or two, and where to see more
    together: Callable[[Event], str] = alone  # lines with the same one make one mail


ELSEWHERE: dict[str, Kind] = {}
# Why a mail about a game is not needed, as one of another app says the same; else "".
ALSO_SAID: list[Callable[[Delivery], str]] = []


def wanted(player: Player, kind: str) -> bool:
    """Whether a player wants mails of a kind at all."""
    if player.mails == Player.Mails.NONE:
        return False
    if kind not in ELSEWHERE or player.tournament_mails == Player.TournamentMails.ALL:
        return True
    return player.tournament_mails == Player.TournamentMails.DUTIES and ELSEWHERE[kind].duty
