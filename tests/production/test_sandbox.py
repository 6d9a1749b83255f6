"""The public sandbox: one command empties it and no other site, and every page names it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.core.cache import cache
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection, transaction
from django.test import Client

from accounts.models import Player
from games.models import Action, Game
from tests.factories.cast import player, start_cast_game
from tests.helpers.first_moves import play_any_action
from tournaments.models import League

BANNER = "This is a sandbox: try anything."


def read_database_name() -> str:
    return str(connection.settings_dict["NAME"])


@pytest.fixture
def used_site(transactional_db: None) -> None:
    """A site with a running game."""
    play_any_action(start_cast_game("ada", "bob"))
    cache.set("something", 1)


@pytest.mark.usefixtures("used_site")
def test_a_site_that_is_no_sandbox_is_never_emptied() -> None:
    with pytest.raises(CommandError, match="not a sandbox"):
        call_command("reset_sandbox", read_database_name())
    assert Action.objects.count() == 1


@pytest.mark.usefixtures("used_site")
def test_another_database_than_the_one_named_is_never_emptied(settings: Any) -> None:
    settings.SANDBOX = True
    with pytest.raises(CommandError, match="another name"):
        call_command("reset_sandbox", "otto")
    assert Action.objects.count() == 1


@pytest.mark.usefixtures("used_site")
def test_a_sandbox_is_emptied_and_has_its_demo_again(settings: Any, tmp_path: Path, capsys: Any) -> None:
    settings.SANDBOX = settings.DEMO = True
    settings.EMAIL_FILE_PATH = tmp_path
    (tmp_path / "1.eml").write_text("To: ada@example.org")
    code = Game.objects.get().code
    call_command("reset_sandbox", read_database_name())
    assert not Player.objects.filter(name__in=["ada", "bob"]).exists()
    assert not Game.objects.filter(code=code).exists()
    assert League.objects.count() == 1
    assert cache.get("something") is None
    assert list(tmp_path.iterdir()) == []
    assert "Sandbox reset." in capsys.readouterr().out
    call_command("reset_sandbox", read_database_name())  # runs every night
    assert League.objects.count() == 1


@pytest.mark.usefixtures("used_site")
def test_the_log_of_games_is_guarded_again_afterwards(settings: Any) -> None:
    settings.SANDBOX = True
    call_command("reset_sandbox", read_database_name())
    play_any_action(start_cast_game("ada", "bob"))
    with pytest.raises(DatabaseError), transaction.atomic():
        Action.objects.all().delete()
    with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("TRUNCATE games_action CASCADE")
    assert Game.objects.count() == 1


@pytest.mark.django_db
def test_every_page_of_a_sandbox_says_so(client: Client, settings: Any) -> None:
    pages = ("/", "/rules/", "/api/", "/status/", "/accounts/login/")
    for path in pages:
        assert BANNER not in client.get(path).content.decode()
    settings.SANDBOX = True
    cache.clear()
    client.force_login(player("ada"))
    for path in (*pages, "/games/"):
        answer = client.get(path, follow=True)
        assert BANNER in " ".join(answer.content.decode().split()), path
