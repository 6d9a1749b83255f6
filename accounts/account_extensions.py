"""The part of other apps in the export, removal, merging and display of an account.

An app that contributes something declares `EXTENSION`, an AccountExtension,
in `<app>/account_extension.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any

from accounts.models import Player
from common.extensions import collect_declarations
from common.refusals import BaseRefusal

PlayerTaskRunner = Callable[..., bool]  # takes player_id= and now=; returns whether there is more to do


@dataclass(frozen=True)
class ProfileSection:
    """A part of a player's public page; sections are shown in the order of their positions."""

    position: int
    template: str
    context: dict[str, Any]  # `section` in the template


class AccountExtension:
    """The part of an app in accounts. The methods here do nothing: an app writes those that it needs."""

    name: str  # of the app; progress of long work is stored under it
    guest_views: Collection[str] = ()  # names of URLs where a guest counts as a player

    def export_player_data(self, player: Player) -> dict[str, Any]:
        """Return what the app stores about a player, and nothing about others, as JSON values by section."""
        return {}

    def leave(self, *, player: Player, now: datetime, after_id: int) -> int | None:
        """Let a player who is being removed leave what is under way. Idempotent, outside any transaction.

        Long work is done in batches: returns the last id of a batch, to be called again with it, or None if
        all is done. The first call has the id 0.
        """
        return None

    def lock_rows_before_players(self, players: Sequence[Player]) -> None:
        """Lock rows that are locked before players everywhere: those players are erased or merged next."""

    def erase_player(self, *, player: Player, now: datetime) -> None:
        """Remove what names a player and stays without their row; in one transaction, with the row locked."""

    def merge_guest(self, *, guest: Player, player: Player, now: datetime) -> None:
        """Give an account all that a guest has; in the transaction that deletes the guest, rows locked."""

    def revoke_access(self, player: Player) -> None:
        """Delete what sends a player's data elsewhere: a stranger may have set it up."""

    def have_met(self, player: Player, other: Player) -> bool:
        """True if two different players know each other from this app."""
        return False

    def find_bot_declaration_refusal(self, player: Player) -> BaseRefusal | None:
        """Return the app's refusal to let a person's account become a bot, or None."""
        return None

    def has_games_since(self, player: Player, at: datetime) -> bool:
        """True if a player has sat in a game since a moment, or still does."""
        return False

    def load_ratings(self, player_ids: Collection[int]) -> dict[int, int]:
        """Return the ratings of those players who have one, in games of single players."""
        return {}

    def list_reserved_names(self) -> Collection[str]:
        """Return names that no player may have, in the active language."""
        return ()

    def list_player_tasks(self) -> dict[str, PlayerTaskRunner]:
        """Return what continues the player tasks of this app, by kind."""
        return {}

    def build_profile_sections(self, player: Player, *, is_own: bool) -> list[ProfileSection]:
        """Return sections of a player's public page; `is_own` if they look at it themselves."""
        return []


@cache
def load_account_extensions() -> tuple[AccountExtension, ...]:
    """The extensions of all apps, lowest room first."""
    return tuple(collect_declarations("account_extension", "EXTENSION", AccountExtension))
