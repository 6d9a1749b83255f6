"""One command saves the site and one brings it back, whole."""

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

from games.models import Action, Game, Player
from games.services import backup, game_audit
from tests.games.cast import NOW, game_of
from tests.games.timing import act, quick
from tests.services import cannot_be_had

from .restoring import by_pipe, called, fill, round_trip, rows
from .scratch import another_database

ROOT = Path(__file__).resolve().parents[2]
on_postgres = pytest.mark.django_db(transaction=True)


@pytest.fixture
def programs(monkeypatch: pytest.MonkeyPatch) -> None:
    """The programs that belong to the server of the tests, if they can be had."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT setting FROM pg_config WHERE name = 'BINDIR'")
        (folder,) = cursor.fetchone()
        major = connection.pg_version // 10000
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
    for name in ("pg_dump", "pg_restore", "psql"):
        if not shutil.which(name):
            cannot_be_had(name, "it is not on the PATH")
    told = subprocess.run(["pg_dump", "--version"], capture_output=True, text=True, check=True).stdout
    if int(told.split()[2].partition(".")[0]) < major:
        cannot_be_had("pg_dump", f"{told.strip()} is older than the server")


@on_postgres
def test_what_was_saved_is_restored_and_played_on(programs: None, tmp_path: Path) -> None:
    round_trip(tmp_path, another_database, fill())


def surroundings(tmp_path: Path) -> dict[str, str]:
    """Of a process that works on the database of this moment."""
    name = connection.settings_dict["NAME"]
    ours = urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{name}").geturl()
    return {"DATABASE_URL": ours, "VAR_DIR": str(tmp_path / "var")}


@on_postgres
def test_it_goes_through_pipes_as_well(programs: None, tmp_path: Path) -> None:
    fill()
    here = surroundings(tmp_path)
    there = here | {"DATABASE_URL": here["DATABASE_URL"].replace("?", "_beside?")}
    by_pipe(another_database, here, there)


@on_postgres
def test_who_is_stopped_while_a_backup_comes_in_changes_nothing(saved: Path, unchanged: None) -> None:
    around = surroundings(saved.parent)
    command = [sys.executable, "-W", "ignore", str(ROOT / "manage.py"), "restore", "-", "--force"]
    pipe, room = subprocess.PIPE, saved.parent / "var"
    with subprocess.Popen(command, env=os.environ | around, stdin=pipe, stdout=pipe) as running:
        assert running.stdin
        assert running.stdout
        running.stdin.write(saved.read_bytes()[:-1])
        running.stdin.flush()
        while not list(room.glob(".backup-*/otto")):
            assert running.poll() is None
            time.sleep(0.05)
        running.terminate()
        assert running.wait(60) == 1
    assert not list(room.glob(".backup-*"))


@on_postgres
def test_who_is_stopped_while_a_backup_is_restored_changes_nothing(
    saved: Path, unchanged: None, monkeypatch
) -> None:
    """psql has read a part by then, and an end: it must not take that for the end of all."""

    def stopped(*files: object) -> None:
        raise SystemExit(1)  # as SIGTERM does, at its worst moment: between two statements

    monkeypatch.setattr(backup.shutil, "copyfileobj", stopped)
    with pytest.raises(SystemExit):
        called("restore", saved, force=True)


@on_postgres
def test_a_reader_who_goes_away_gets_no_backup_and_leaves_nothing_behind(
    programs: None, tmp_path: Path
) -> None:
    around = surroundings(tmp_path)
    command = [sys.executable, "-W", "ignore", str(ROOT / "manage.py"), "backup", "-"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, env=os.environ | around, stdout=pipe, stderr=pipe) as running:
        assert running.stdout
        assert running.stderr
        running.stdout.close()
        assert running.wait(60) == 1
        assert running.stderr.read() == b"CommandError: there is no backup: [Errno 32] Broken pipe\n"
    assert not list((tmp_path / "var").glob(".backup-*"))


def test_the_same_on_the_embedded_database(tmp_path: Path) -> None:
    bare = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-m", "tests.production.restoring", str(tmp_path)],
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
    assert "a backup of postgresql, and the database here is sqlite" in foreign
    assert "cannot be read" in nowhere


@on_postgres
def test_a_backup_is_one_moment_whatever_is_played_meanwhile(programs: None, tmp_path: Path) -> None:
    game = quick("ada", "bob")
    enough, moved = threading.Event(), threading.Event()

    def play() -> None:
        try:
            while not enough.is_set():
                act(game)
                moved.set()
        finally:
            connection.close()

    playing = threading.Thread(target=play)
    playing.start()
    try:
        assert moved.wait(30)
        called("backup", tmp_path / "busy")
    finally:
        enough.set()
        playing.join()
    with another_database():
        assert "1 games audited, 0 differ" in called("restore", tmp_path / "busy")
        assert Game.objects.get().seq == Action.objects.count() > 0


@on_postgres
def test_a_backup_replaces_nothing_unless_it_is_told_to(programs: None, tmp_path: Path) -> None:
    file = tmp_path / "kept"
    file.write_text("of yesterday")
    with pytest.raises(CommandError, match="--force replaces it"):
        call_command("backup", file)
    assert file.read_text() == "of yesterday"
    called("backup", file, force=True)
    assert file.read_bytes().startswith(b"PGDMP")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    with pytest.raises(CommandError, match="cannot be written"):
        call_command("backup", tmp_path / "no such folder" / "x")
    assert [one.name for one in tmp_path.iterdir()] == ["kept"]


@pytest.fixture
def saved(programs: None, tmp_path: Path) -> Path:
    act(game_of("ada", "bob"))
    called("backup", tmp_path / "saved")
    return tmp_path / "saved"


@pytest.fixture
def unchanged() -> Iterator[None]:
    """Whatever is refused, all that was there is there."""
    before = rows()
    yield
    assert rows() == before


@on_postgres
def test_nothing_is_thrown_away_unless_it_is_said(saved: Path, unchanged: None) -> None:
    with pytest.raises(CommandError, match=r"not empty \(2 players, 1 games\); --force"):
        called("restore", saved)


@on_postgres
@pytest.mark.parametrize("part", [0.9, 0.5, 0.001])
def test_a_backup_that_is_not_whole_changes_nothing(saved: Path, unchanged: None, part: float) -> None:
    whole = saved.read_bytes()
    saved.write_bytes(whole[: int(len(whole) * part)])
    with pytest.raises(CommandError, match=r"damaged|not restored|not a backup"):
        called("restore", saved, force=True)
    connection.close()


@on_postgres
def test_a_backup_that_psql_refuses_changes_nothing(saved: Path, unchanged: None, monkeypatch) -> None:
    monkeypatch.setattr(backup, "RESET_TRANSACTION_IDS_SQL", "SELECT 1 / 0;\n")
    with pytest.raises(CommandError, match="division by zero"):
        called("restore", saved, force=True)


@on_postgres
def test_nothing_is_restored_over_somebody_who_is_still_here(
    saved: Path, unchanged: None, monkeypatch
) -> None:
    monkeypatch.setattr(backup, "LOCK_TIMEOUT", "100ms")
    keeper = connection.copy("default")  # stands for a web server that nobody stopped
    try:
        with keeper.cursor() as other:
            other.execute("BEGIN")
            other.execute("SELECT count(*) FROM games_game")
            with pytest.raises(CommandError, match="lock timeout"):
                called("restore", saved, force=True)
    finally:
        keeper.close()


@on_postgres
def test_a_backup_of_a_newer_release_waits_for_that(programs: None, tmp_path: Path) -> None:
    Player.objects.create_user(email="x@example.org", name="x", joined_at=NOW)
    MigrationRecorder(connection).record_applied("games", "9999_of_the_future")
    try:
        called("backup", tmp_path / "newer")
    finally:
        MigrationRecorder(connection).record_unapplied("games", "9999_of_the_future")
    with (
        another_database(),
        pytest.raises(CommandError, match=r"newer release, which has games.9999"),
    ):
        called("restore", tmp_path / "newer")


@on_postgres
def test_the_other_kind_of_backup_is_refused(tmp_path: Path, unchanged: None) -> None:
    (tmp_path / "embedded").write_bytes(b"SQLite format 3\0 and so on")
    with pytest.raises(CommandError, match="a backup of sqlite, and the database here is postgresql"):
        called("restore", tmp_path / "embedded", force=True)


@on_postgres
def test_without_the_programs_of_postgresql_one_is_told_which(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(CommandError, match="pg_dump is not on the PATH: install PostgreSQL's client"):
        call_command("backup", tmp_path / "x")
    assert not list(tmp_path.iterdir())


@on_postgres
def test_a_game_that_was_tampered_with_is_told_after_restoring(programs: None, tmp_path: Path) -> None:
    game = quick("ada", "bob")
    act(game)
    Game.objects.filter(pk=game.pk).update(chain="0" * 64)
    assert any(game_audit.audit_games())
    called("backup", tmp_path / "wrong")
    with another_database(), pytest.raises(SystemExit):
        called("restore", tmp_path / "wrong")
