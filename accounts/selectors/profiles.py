"""Finds players by name."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import Exists, OuterRef, Value
from django.db.models.functions import Lower

from accounts.models import Player
from accounts.name_validation import INVISIBLE_CHARACTER, MAX_NAME_LENGTH, normalize_name

from .addresses import list_unconfirmed_accounts


def find_player_by_name(name: str) -> Player | None:
    """The member with a name, in any spelling variant, or None.

    Guests, closed and unconfirmed accounts are not found.
    """
    name = normalize_name(name)
    if not 0 < len(name) <= MAX_NAME_LENGTH or not name.isprintable() or INVISIBLE_CHARACTER.search(name):
        return None  # not a valid name; the database may not even store it
    unconfirmed = list_unconfirmed_accounts().filter(pk=OuterRef("pk"))
    members = Player.objects.filter(~Exists(unconfirmed), is_active=True, is_guest=False)
    bots = Player.objects.filter(is_bot=True, is_active=True, bot_owner=OuterRef("pk"))
    players = members.alias(low=Lower("name")).filter(low=Lower(Value(name))).annotate(owns_bots=Exists(bots))
    return next(iter(players), None)  # names are unique; ORDER BY would mislead the query planner


def find_lookalike_names(names: Iterable[str | None]) -> set[str]:
    """Those of the given names that can be mistaken for another player's or for one of the site's own."""
    checked_names = [name for name in names if name]
    return set(Player.objects.filter(name__in=checked_names, name_skeleton="").values_list("name", flat=True))
