"""Backup and restore: one command each, complete or without effect."""

from __future__ import annotations

import json
import os
import shutil
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from accounts.models import Player
from games.models import Action, Game
from games.services import backup, game_audit
from tests.factories.cast import NOW, start_cast_game
from tests.factories.timing import play_first_legal, start_quick_game
from tests.services import skip_or_fail

from .restore_checks import check_pipes, check_round_trip, dump_rows, fill_database, run_command
from .scratch_database import use_other_database

ROOT = Path(__file__).resolve().parents[2]
on_postgres = pytest.mark.django_db(transaction=True)


@pytest.fixture
def postgresql_programs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Put the server's own PostgreSQL programs on the PATH, or skip."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT setting FROM pg_config WHERE name = 'BINDIR'")
        (folder,) = cursor.fetchone()
        major = connection.pg_version // 10000
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
    for name in ("pg_dump", "pg_restore", "psql"):
        if not shutil.which(name):
            skip_or_fail(name, "it is not on the PATH")
    version = subprocess.run(["pg_dump", "--version"], capture_output=True, text=True, check=True).stdout
    if int(version.split()[2].partition(".")[0]) < major:
        skip_or_fail("pg_dump", f"{version.strip()} is older than the server")


@on_postgres
def test_what_was_saved_is_restored_and_played_on(postgresql_programs: None, tmp_path: Path) -> None:
    check_round_trip(tmp_path, use_other_database, fill_database())


def build_environment(tmp_path: Path) -> dict[str, str]:
    """Return the environment of a process on the current database."""
    name = connection.settings_dict["NAME"]
    url = urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{name}").geturl()
    return {"DATABASE_URL": url, "VAR_DIR": str(tmp_path / "var")}


@on_postgres
def test_it_goes_through_pipes_as_well(postgresql_programs: None, tmp_path: Path) -> None:
    fill_database()
    source_environment = build_environment(tmp_path)
    target_environment = source_environment | {
        "DATABASE_URL": source_environment["DATABASE_URL"].replace("?", "_beside?")
    }
    check_pipes(use_other_database, source_environment, target_environment)


@on_postgres
def test_who_is_stopped_while_a_backup_comes_in_changes_nothing(
    saved_backup: Path, check_nothing_changed: None
) -> None:
    environment = build_environment(saved_backup.parent)
    command = [sys.executable, "-W", "ignore", str(ROOT / "manage.py"), "restore", "-", "--force"]
    pipe, room = subprocess.PIPE, saved_backup.parent / "var"
    with subprocess.Popen(command, env=os.environ | environment, stdin=pipe, stdout=pipe) as running:
        assert running.stdin
        assert running.stdout
        running.stdin.write(saved_backup.read_bytes()[:-1])
        running.stdin.flush()
        while not list(room.glob(".backup-*/otto")):
            assert running.poll() is None
            time.sleep(0.05)
        running.terminate()
        assert running.wait(60) == 1
    assert not list(room.glob(".backup-*"))


@on_postgres
def test_who_is_stopped_while_a_backup_is_restored_changes_nothing(
    saved_backup: Path, check_nothing_changed: None, monkeypatch
) -> None:
    """psql has read a part of the input and then its end, which it must not take for a complete backup."""

    def raise_system_exit(*files: object) -> None:
        raise SystemExit(1)  # as SIGTERM does at the worst moment, between two statements

    monkeypatch.setattr(backup.shutil, "copyfileobj", raise_system_exit)
    with pytest.raises(SystemExit):
        run_command("restore", saved_backup, force=True)


@on_postgres
def test_a_reader_who_goes_away_gets_no_backup_and_leaves_nothing_behind(
    postgresql_programs: None, tmp_path: Path
) -> None:
    environment = build_environment(tmp_path)
    command = [sys.executable, "-W", "ignore", str(ROOT / "manage.py"), "backup", "-"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, env=os.environ | environment, stdout=pipe, stderr=pipe) as running:
        assert running.stdout
        assert running.stderr
        running.stdout.close()
        assert running.wait(60) == 1
        assert running.stderr.read() == b"CommandError: The backup failed: [Errno 32] Broken pipe\n"
    assert not list((tmp_path / "var").glob(".backup-*"))


def test_the_same_on_the_embedded_database(tmp_path: Path) -> None:
    bare = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-m", "tests.production.restore_checks", str(tmp_path)],
        cwd=ROOT,
        env={**bare, "VAR_DIR": str(tmp_path), "DJANGO_SETTINGS_MODULE": "otto_site.settings"},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    full, damaged, foreign, nowhere = json.loads(done.stdout.splitlines()[-1])
    assert "the database is not empty (7 players, 4 games)" in full
    assert "damaged" in damaged
    assert "a backup of postgresql, but this database is sqlite" in foreign
    assert "cannot be read" in nowhere


@on_postgres
def test_a_backup_is_one_moment_whatever_is_played_meanwhile(
    postgresql_programs: None, tmp_path: Path
) -> None:
    game = start_quick_game("ada", "bob")
    enough, moved = threading.Event(), threading.Event()

    def play_all_the_time() -> None:
        try:
            while not enough.is_set():
                play_first_legal(game)
                moved.set()
        finally:
            connection.close()

    playing = threading.Thread(target=play_all_the_time)
    playing.start()
    try:
        assert moved.wait(30)
        run_command("backup", tmp_path / "busy")
    finally:
        enough.set()
        playing.join()
    with use_other_database():
        assert "1 games audited, 0 differ" in run_command("restore", tmp_path / "busy")
        assert Game.objects.get().seq == Action.objects.count() > 0


@on_postgres
def test_a_backup_replaces_nothing_unless_it_is_forced_to(postgresql_programs: None, tmp_path: Path) -> None:
    file = tmp_path / "kept"
    file.write_text("of yesterday")
    with pytest.raises(CommandError, match="--force overwrites it"):
        call_command("backup", file)
    assert file.read_text() == "of yesterday"
    run_command("backup", file, force=True)
    assert file.read_bytes().startswith(b"PGDMP")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    with pytest.raises(CommandError, match="cannot be written"):
        call_command("backup", tmp_path / "no such folder" / "x")
    assert [path.name for path in tmp_path.iterdir()] == ["kept"]


@pytest.fixture
def saved_backup(postgresql_programs: None, tmp_path: Path) -> Path:
    play_first_legal(start_cast_game("ada", "bob"))
    run_command("backup", tmp_path / "saved")
    return tmp_path / "saved"


@pytest.fixture
def check_nothing_changed() -> Iterator[None]:
    """Check that a refused command changes no rows."""
    before = dump_rows()
    yield
    assert dump_rows() == before


@on_postgres
def test_nothing_is_thrown_away_unless_it_is_said(saved_backup: Path, check_nothing_changed: None) -> None:
    with pytest.raises(CommandError, match=r"not empty \(2 players, 1 games\); --force"):
        run_command("restore", saved_backup)


@on_postgres
@pytest.mark.parametrize("part", [0.9, 0.5, 0.001])
def test_a_backup_that_is_not_whole_changes_nothing(
    saved_backup: Path, check_nothing_changed: None, part: float
) -> None:
    whole = saved_backup.read_bytes()
    saved_backup.write_bytes(whole[: int(len(whole) * part)])
    with pytest.raises(CommandError, match=r"damaged|not restored|not a backup"):
        run_command("restore", saved_backup, force=True)
    connection.close()


@on_postgres
def test_a_backup_that_psql_refuses_changes_nothing(
    saved_backup: Path, check_nothing_changed: None, monkeypatch
) -> None:
    monkeypatch.setattr(backup, "RESET_TRANSACTION_IDS_SQL", "SELECT 1 / 0;\n")
    with pytest.raises(CommandError, match="division by zero"):
        run_command("restore", saved_backup, force=True)


@on_postgres
def test_nothing_is_restored_over_somebody_who_is_still_here(
    saved_backup: Path, check_nothing_changed: None, monkeypatch
) -> None:
    monkeypatch.setattr(backup, "LOCK_TIMEOUT", "100ms")
    keeper = connection.copy("default")  # plays a web server that was not stopped
    try:
        with keeper.cursor() as other:
            other.execute("BEGIN")
            other.execute("SELECT count(*) FROM games_game")
            with pytest.raises(CommandError, match="lock timeout"):
                run_command("restore", saved_backup, force=True)
    finally:
        keeper.close()


@on_postgres
def test_a_backup_of_a_newer_release_waits_for_that(postgresql_programs: None, tmp_path: Path) -> None:
    Player.objects.create_user(email="x@example.org", name="x", joined_at=NOW)
    MigrationRecorder(connection).record_applied("games", "9999_of_the_future")
    try:
        run_command("backup", tmp_path / "newer")
    finally:
        MigrationRecorder(connection).record_unapplied("games", "9999_of_the_future")
    with (
        use_other_database(),
        pytest.raises(CommandError, match=r"newer release, with games.9999"),
    ):
        run_command("restore", tmp_path / "newer")


@on_postgres
def test_the_other_kind_of_backup_is_refused(tmp_path: Path, check_nothing_changed: None) -> None:
    (tmp_path / "embedded").write_bytes(b"SQLite format 3\0 and so on")
    with pytest.raises(CommandError, match="a backup of sqlite, but this database is postgresql"):
        run_command("restore", tmp_path / "embedded", force=True)


@on_postgres
def test_without_the_programs_of_postgresql_the_missing_ones_are_named(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(CommandError, match=r"pg_dump is not on the PATH. Install PostgreSQL's client"):
        call_command("backup", tmp_path / "x")
    assert not list(tmp_path.iterdir())


@on_postgres
def test_a_game_that_was_tampered_with_is_reported_after_restoring(
    postgresql_programs: None, tmp_path: Path
) -> None:
    game = start_quick_game("ada", "bob")
    play_first_legal(game)
    Game.objects.filter(pk=game.pk).update(head_hash="0" * 64)
    assert any(game_audit.audit_games())
    run_command("backup", tmp_path / "wrong")
    with use_other_database(), pytest.raises(SystemExit):
        run_command("restore", tmp_path / "wrong")
