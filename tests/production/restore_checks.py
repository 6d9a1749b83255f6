"""Saves a filled site and restores it; run as a program, it does so on the embedded database."""

from __future__ import annotations

import io
import json
import os
import stat
import subprocess
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager, contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.db import connection

ROOT = Path(__file__).resolve().parents[2]
Elsewhere = Callable[[], AbstractContextManager[Any]]


def run_command(name: str, *words: Any, **options: Any) -> str:
    out = io.StringIO()
    call_command(name, *words, stdout=out, **options)
    return out.getvalue()


def run_in_process(*words: str, stdin: bytes = b"", **environment: str) -> subprocess.CompletedProcess[bytes]:
    """Run a command in its own process with pipes for input and output."""
    command = [sys.executable, "-W", "ignore", str(ROOT / "manage.py"), *words]
    return subprocess.run(
        command, input=stdin, env=os.environ | environment, capture_output=True, timeout=120
    )


def check_pipes(
    elsewhere: Elsewhere, source_environment: dict[str, str], target_environment: dict[str, str]
) -> None:
    """Back up to a pipe and restore from one; a truncated backup changes nothing."""
    saved = run_in_process("backup", "-", **source_environment)
    assert saved.returncode == 0, saved.stderr
    assert saved.stderr.decode().startswith(f"{len(saved.stdout):,} bytes.")
    before = dump_rows()
    for size in (len(saved.stdout) // 2, len(saved.stdout) - 1):
        done = run_in_process("restore", "-", "--force", stdin=saved.stdout[:size], **source_environment)
        assert done.returncode == 1, size
        assert "standard input is" in done.stderr.decode() or "not restored" in done.stderr.decode()
        assert ".backup-" not in done.stderr.decode()
    connection.close()
    assert dump_rows() == before
    with elsewhere():
        done = run_in_process("restore", "-", "--clocks-run", stdin=saved.stdout, **target_environment)
        assert done.returncode == 0, done.stderr
        assert ", 0 differ" in done.stdout.decode()
        assert dump_rows() == before
    for place in (source_environment, target_environment):
        assert not list(Path(place["VAR_DIR"]).glob(".backup-*")), "nothing is left on its way"


def dump_rows() -> dict[str, list[str]]:
    """Return every row of every table."""
    rows_by_table = {}
    with connection.cursor() as cursor:
        for table in sorted(connection.introspection.table_names(cursor)):
            columns = [
                column.name for column in connection.introspection.get_table_description(cursor, table)
            ]
            # Transaction ids are valid on one server only.
            columns = [
                name for name in columns if (table, name) != ("notifications_feedentry", "transaction_id")
            ]
            cursor.execute(f"SELECT {', '.join(map(connection.ops.quote_name, columns))} FROM {table}")
            rows_by_table[table] = sorted(map(repr, cursor.fetchall()))
    return rows_by_table


def fill_database() -> str:
    """Create games, a tournament, a token, messages and notices; return the code of a running game."""
    from accounts.services import tokens
    from common import counters
    from games.services import social, turns
    from notifications.services import notices
    from tests.factories.cast import NOW, player, start_cast_game
    from tests.factories.events import create_started_tournament
    from tests.factories.timing import play_first_legal, start_quick_game

    game = start_quick_game("ada", "bob")
    for _ in range(6):
        play_first_legal(game)
    social.post_chat_message(player=player("ada"), code=game.code, text="ciao “bella” \\N \t x", now=NOW)
    social.write_note(player=player("bob"), code=game.code, text="mine\nalone", now=NOW)
    solo = start_cast_game("ada", mode="solo")
    turns.play_action(player=player("ada"), code=solo.code, text="resign", seq=None, key="", now=NOW)
    tokens.create_token(player=player("ada"), name="bot", scopes=["read"], now=NOW)
    create_started_tournament("swiss", 4)
    notices.fan_out_notices(now=NOW + timedelta(minutes=5))
    counters.increment_counter(name="turns.sweep", now=NOW)
    return game.code


def check_round_trip(folder: Path, elsewhere: Elsewhere, code: str) -> None:
    """Back up here, restore elsewhere, and check that the site works there."""
    from django.contrib.sessions.models import Session
    from django.test import Client

    from accounts.models import Player
    from games.models import Game, Incident
    from games.services import game_audit, incidents, lobby
    from notifications.models import FeedEntry
    from notifications.selectors.feed import FEED_START, load_feed_page
    from tests.factories.cast import NOW, start_cast_game
    from tests.factories.timing import (
        check_all_games_are_sound,
        compute_time_left,
        get_deadline,
        play_first_legal,
    )

    file = folder / "otto.backup"
    # Counted without the feed, which waits for open transactions of tests on this server.
    entry_count = FeedEntry.objects.filter(player__name="ada").count()
    assert 0 < entry_count < 100
    FeedEntry.objects.update(transaction_id=2**40)  # far ahead of the target server
    browser = Client()
    browser.force_login(Player.objects.get(name="ada"))
    output = run_command("backup", file)
    assert str(file) in output
    browser.logout()  # ada signs out after the backup, so that the restore must not revive her session
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [path.name for path in folder.glob("*otto.backup*")] == ["otto.backup"]
    before = dump_rows()
    with elsewhere():
        output = run_command("restore", file, clocks_run=True)
        assert ", 0 differ" in output
        assert int(output.split(" games audited")[0].split()[-1]) >= 4
        assert not Session.objects.exists()
        assert "Everybody is signed out" in output
        assert dump_rows() == before
        ada, game = Player.objects.get(name="ada"), Game.objects.get(code=code)
        feed_page = load_feed_page(ada, FEED_START, 100)
        assert len(feed_page.entries) == entry_count, "feeds wait for no transaction of another server"
        # Restore again over existing data with the option for disasters: every clock stops.
        output = run_command("restore", file, force=True)
        assert "All clocks stopped at 2026-03-01 12:00 UTC." in output
        left, later = compute_time_left(game, "bob", NOW), NOW + timedelta(days=200)
        assert Incident.objects.get().started_at == NOW
        incidents.end_incident(now=later)
        assert get_deadline(game) > later
        assert compute_time_left(game, "bob", later) == left
        # Sequences continue, and so does the game.
        play_first_legal(game, now=later)
        new = start_cast_game("ada", "bob")
        play_first_legal(new)
        check_all_games_are_sound(game, new)
        assert new.pk > game.pk
        assert FeedEntry.objects.filter(topic=new.topic).exists()
        assert lobby.create_game(player=ada, now=later, seat_count=2).pk > new.pk
        assert not any(game_audit.audit_games())


# ------------------------------------------------------------------------------------------ embedded database


def main() -> None:
    import django

    django.setup()
    from games.services import backup
    from tests.services import copy_migrated_sqlite

    folder = Path(sys.argv[1])

    @contextmanager
    def use_database(name: str = "other.sqlite3") -> Any:
        connection.close()
        database_name = connection.settings_dict["NAME"]
        connection.settings_dict["NAME"] = folder / name
        try:
            yield
        finally:
            connection.close()
            connection.settings_dict["NAME"] = database_name

    copy_migrated_sqlite(folder)
    check_round_trip(folder, use_database, fill_database())
    beside = {"VAR_DIR": str(folder / "beside")}
    check_pipes(lambda: use_database("beside/otto.sqlite3"), {"VAR_DIR": str(folder)}, beside)
    refused = []
    damaged = folder / "damaged"
    damaged.write_bytes((folder / "otto.backup").read_bytes()[:100_000])
    (folder / "foreign").write_bytes(b"PGDMP and so on")
    for path, force in (("otto.backup", False), ("damaged", True), ("foreign", True), ("nowhere", True)):
        try:
            backup.load_backup(path=folder / path, force=force)
        except backup.BackupError as failed:
            refused.append(str(failed))
    print(json.dumps(refused))


if __name__ == "__main__":
    main()
