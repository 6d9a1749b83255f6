"""An app contributes to accounts through its `account_extension.py` alone."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.db import connection
from django.test import Client
from django.utils.translation import get_language

from accounts.account_extensions import (
    AccountExtension,
    PlayerTaskRunner,
    ProfileSection,
    load_account_extensions,
)
from accounts.models import Player, PlayerTask
from accounts.reserved_names import is_reserved, load_reserved_skeletons
from accounts.selectors.contacts import have_met
from accounts.services import addresses, export, guests, player_sweep, players
from accounts.services.player_tasks import request_player_task
from accounts.web.guests import list_guest_views
from common.extensions import collect_declarations
from games.models import Game, Invitation, Seat
from games.services import bot_games, lobby
from tests.extra_app import extra_app
from tests.factories.cast import NOW, open_browser, player, start_cast_game

pytestmark = pytest.mark.django_db


class ClubExtension(AccountExtension):
    """Records the calls it receives and checks that the player still exists at each."""

    name = "club"
    guest_views = ("club-room",)

    def __init__(self) -> None:
        self.calls: list[tuple[Any, ...]] = []
        self.last_ids: list[int] = []  # what `leave` returns, one value per batch
        self.breaks_at = ""

    def note(self, *call: Any) -> None:
        assert call[0] == "lock" or Player.objects.filter(name__in=call).exists()
        self.calls.append(call)
        if self.breaks_at == call[0]:
            raise RuntimeError("the club is closed")

    def export_player_data(self, player: Player) -> dict[str, Any]:
        return {"club": [player.name]}

    def leave(self, *, player: Player, now: datetime, after_id: int) -> int | None:
        is_playing = Game.objects.filter(status=Game.Status.RUNNING, seats__player=player).exists()
        self.note("leave", player.name, after_id, "still plays" if is_playing else "plays no more")
        return self.last_ids.pop(0) if self.last_ids else None

    def lock_rows_before_players(self, players: Sequence[Player]) -> None:
        assert connection.in_atomic_block
        self.note("lock", *(player.name for player in players))

    def erase_player(self, *, player: Player, now: datetime) -> None:
        self.note("erase", player.name)

    def merge_guest(self, *, guest: Player, player: Player, now: datetime) -> None:
        self.note("merge", guest.name, player.name)

    def revoke_access(self, player: Player) -> None:
        self.note("revoke", player.name)

    def have_met(self, player: Player, other: Player) -> bool:
        return {player.name, other.name} == {"ada", "cleo"}

    def list_reserved_names(self) -> Collection[str]:
        return {f"steward {get_language()}"}

    def list_player_tasks(self) -> dict[str, PlayerTaskRunner]:
        return {"sweep-up": self.sweep_up}

    def sweep_up(self, *, player_id: int, now: datetime) -> bool:
        self.note("sweep-up", Player.objects.get(pk=player_id).name)
        PlayerTask.objects.filter(player=player_id, kind="sweep-up").delete()
        return False

    def build_profile_sections(self, player: Player, *, is_own: bool) -> list[ProfileSection]:
        page_text = {"name": f"club member, {'me' if is_own else 'somebody'}"}
        return [ProfileSection(position, "games/profile_results.html", page_text) for position in (5, 40)]


CLUB = ClubExtension()
CACHES = (load_account_extensions, list_guest_views, load_reserved_skeletons)


@pytest.fixture
def club(tmp_path: Path, settings: Any) -> Iterator[ClubExtension]:
    CLUB.__init__()  # type: ignore[misc]
    with extra_app(tmp_path, settings, account_extension=f"from {__name__} import CLUB as EXTENSION"):
        for cached in CACHES:
            cached.cache_clear()
        yield CLUB
    for cached in CACHES:
        cached.cache_clear()


def test_extensions_come_in_the_order_of_the_rooms(club: ClubExtension) -> None:
    names = [extension.name for extension in load_account_extensions()]
    assert names == ["notifications", "games", "tournaments", "club"]


@pytest.mark.parametrize("declaration", ["", "EXTENSION = object()"])
def test_a_module_without_an_extension_is_refused(declaration: str, tmp_path: Path, settings: Any) -> None:
    refused = pytest.raises(ImproperlyConfigured, match=r"club\.account_extension\.EXTENSION")
    with extra_app(tmp_path, settings, account_extension=declaration), refused:
        collect_declarations("account_extension", "EXTENSION", AccountExtension)


def test_its_section_is_in_the_export_beside_those_of_the_others(club: ClubExtension) -> None:
    exported = export.export_player_data(player=player("ada"), now=NOW)
    assert exported["club"] == ["ada"]
    assert {"profile", "tokens", "events", "games", "ratings"} <= exported.keys()


# ---------------------------------------------------------------------------------------------------- removal


def test_what_it_has_under_way_is_left_before_the_games_and_erased_with_the_account(
    club: ClubExtension,
) -> None:
    start_cast_game("ada", "bob")
    players.delete_account(player=player("ada"), confirmation="ada", now=NOW)
    assert club.calls == [("leave", "ada", 0, "still plays"), ("lock", "ada"), ("erase", "ada")]
    assert not Player.objects.filter(name="ada").exists()


def test_a_long_leave_is_continued_where_it_was_and_only_by_who_has_more(club: ClubExtension) -> None:
    club.last_ids = [7, 7, 12]
    start_cast_game("ada", "bob")
    players.delete_account(player=player("ada"), confirmation="ada", now=NOW)
    assert PlayerTask.objects.get().progress == {"club": 0}
    assert not Player.objects.get(name="ada").is_active
    assert player_sweep.sweep_player_tasks(now=NOW) == {"removal": 3}
    assert [call[2] for call in club.calls if call[0] == "leave"] == [0, 0, 7, 12]
    assert not Player.objects.filter(name="ada").exists()
    assert not PlayerTask.objects.exists()


def test_a_removal_at_once_does_all_batches(club: ClubExtension) -> None:
    club.last_ids = [3, 9]
    players.remove_player(player=player("ada"), now=NOW)
    assert [call[2] for call in club.calls if call[0] == "leave"] == [0, 3, 9]
    assert not Player.objects.filter(name="ada").exists()


def test_if_it_cannot_erase_nothing_is_erased(club: ClubExtension) -> None:
    ada, bob = player("ada"), player("bob")
    game = lobby.create_game(player=bob, now=NOW, seat_count=3)
    lobby.join_game(player=bob, code=game.code, now=NOW)
    invitation = Invitation.objects.create(game=game, inviter=bob, email=ada.email, created_at=NOW)
    club.breaks_at = "erase"
    with pytest.raises(RuntimeError):
        players.erase_player(player=ada, now=NOW)
    assert Player.objects.filter(name="ada").exists()
    assert Invitation.objects.filter(pk=invitation.pk).exists(), "games had deleted it"
    club.breaks_at = ""
    for calls in ([("lock", "ada"), ("erase", "ada")], [("lock", "ada")]):  # the second erase does nothing
        club.calls.clear()
        players.erase_player(player=ada, now=NOW)
        assert club.calls == calls
        assert not Invitation.objects.filter(pk=invitation.pk).exists()


# ------------------------------------------------------------------------------------------------ guests


def test_a_guest_is_merged_by_all_apps_in_one_transaction(club: ClubExtension) -> None:
    guest, game = bot_games.start_bot_game(player=None, language="en", now=NOW)
    ada = player("ada")
    guests.claim_guest(guest=guest, player=ada, now=NOW)
    club.breaks_at = "merge"
    with pytest.raises(RuntimeError):
        guests.merge_claimed_guests(player=ada, now=NOW)
    assert Seat.objects.get(game=game, bot_policy="").player == guest, "games had been moved before"
    club.breaks_at = ""
    club.calls.clear()
    assert guests.merge_claimed_guests(player=ada, now=NOW) == 1
    assert club.calls == [("lock", guest.name), ("merge", guest.name, "ada")]
    assert Seat.objects.get(game=game, bot_policy="").player == ada
    assert not Player.objects.filter(pk=guest.pk).exists()


def test_guests_are_players_on_its_views_and_on_those_of_the_others(club: ClubExtension) -> None:
    assert {"club-room", "player", "game-play", "tournament"} <= list_guest_views()
    assert "tokens" not in list_guest_views()


# ------------------------------------------------------------------------------------------- other hooks


def test_access_is_revoked_when_the_owner_of_an_address_shows_up(club: ClubExtension) -> None:
    addresses.reset_access_after_confirmation(player=player("ada"), now=NOW)
    assert club.calls == [("revoke", "ada")]


def test_who_has_met_there_has_met(club: ClubExtension) -> None:
    assert have_met(player("ada"), player("cleo"))
    assert not have_met(player("ada"), player("dirk"))


def test_its_names_are_reserved_in_every_language(club: ClubExtension) -> None:
    assert all(is_reserved(f"steward {language}") for language in ("en", "it", "nl"))
    assert is_reserved("greedy bot")
    assert not is_reserved("steward of the seas")


def test_its_player_tasks_are_continued_by_the_sweep(club: ClubExtension) -> None:
    request_player_task(player=player("ada"), kind="sweep-up", now=NOW)
    assert player_sweep.sweep_player_tasks(now=NOW) == {"sweep-up": 1}
    assert club.calls == [("sweep-up", "ada")]


def test_a_profile_shows_sections_by_their_position(club: ClubExtension, client: Client) -> None:
    player("ada")
    for visitor, seen_as in ((client, "somebody"), (open_browser("ada"), "me")):
        page = visitor.get("/players/ada/").content.decode()
        first, own_results, last = (
            page.index(f"club member, {seen_as}"),
            page.index("ada has not finished"),
            page.rindex(f"club member, {seen_as}"),
        )
        assert first < own_results < last
