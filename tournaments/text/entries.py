"""Text about entering a tournament: to somebody who can, and to somebody who cannot."""

from __future__ import annotations

from typing import NamedTuple

from django.utils.translation import gettext as _

from tournaments.models import Tournament
from tournaments.refusals import Refusal


class EntryText(NamedTuple):
    """A heading, and a sentence or nothing."""

    heading: str
    sentence: str = ""


def describe_entry(tournament: Tournament, refusal: Refusal | None, *, is_full: bool) -> EntryText:
    """Say whether the reader can enter: why not, by which the permission refuses it, or what happens then."""
    match refusal:
        case None if is_full:
            return EntryText(
                _("The tournament is full"),
                _("If you enter now, you join the waiting list and move up when somebody leaves."),
            )
        case None if tournament.is_running:
            return EntryText(
                _("Take part"), _("The tournament has started. Enter now to play from the next round on.")
            )
        case None:
            return EntryText(_("Take part"))
        case Refusal.ENTRY_TOO_EARLY:
            return EntryText(_("Entries are not open yet"))
        case Refusal.ENTRY_TOO_LATE | Refusal.ENTRY_OVER:
            return EntryText(_("Entries are closed"))
        case Refusal.NO_ACCOUNT if not tournament.by_invitation:
            return EntryText(_("Take part"))
        case Refusal.NO_ACCOUNT | Refusal.NOT_INVITED:
            return EntryText(_("By invitation"), _("Only players invited by the organiser can enter."))
        case Refusal.REMOVED:
            return EntryText(
                _("You cannot enter"),
                _(
                    "The organiser has removed you from this tournament. "
                    "You can enter again if they invite you."
                ),
            )
        case Refusal.OTHER_RATING:
            return EntryText(
                _("You cannot enter"), _("Your rating is outside the limits of this tournament.")
            )
        case _:
            return EntryText(_("You cannot enter"), refusal.format_text())


def describe_leaving_question(action: str, *, is_waiting: bool) -> str:
    """Ask whether an entrant really wants to leave; `action` is that of the permission."""
    if action == "withdraw":
        return _("Withdraw from this tournament?")
    return _("Leave the waiting list?") if is_waiting else _("Cancel your entry?")
