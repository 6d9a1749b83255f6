"""Conflicts of interest: organisers do not decide about their own pairings."""

from __future__ import annotations

from games.services.errors import Denied
from tournaments.selectors.conflicts_of_interest import own_pairing_message

OWN_PAIRING_CODE = "own-table"


def refuse_own_pairing(is_concerned: bool) -> None:
    """Raise Denied if the organiser is concerned by the decision."""
    if is_concerned:
        raise Denied(own_pairing_message(), code=OWN_PAIRING_CODE)
