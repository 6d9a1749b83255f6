"""Save the whole database to one file, and restore it from one.

PostgreSQL uses pg_dump and pg_restore in the custom format, SQLite its online backup. Both give a
consistent snapshot while games go on.
"""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import datetime
from pathlib import Path
from typing import BinaryIO

from django.conf import settings
from django.contrib.sessions.models import Session
from django.db import connection
from django.db.backends.postgresql.client import DatabaseClient
from django.db.migrations.loader import MigrationLoader
from django.db.models import Max

from accounts.models import Player
from common.models import MetricCounter
from games.models import Action, Game, Incident

from . import incidents

ProgressCallback = Callable[[int, int], None]
FILE_SIGNATURES = {"postgresql": b"PGDMP", "sqlite": b"SQLite format 3\0"}
SQLITE_PAGES_PER_STEP = 2000  # copied per step
LOCK_TIMEOUT = "10s"  # for a locked table
# The stored transaction ids are those of another server: a feed must not wait for them.
RESET_TRANSACTION_IDS_SQL = (
    "UPDATE public.notifications_feedentry SET transaction_id = 0 WHERE transaction_id <> 0;\n"
)


class BackupError(Exception):
    """A backup could not be written or restored; existing files and data are unchanged."""


def ignore_progress(done_count: int, total_count: int) -> None:
    """Ignore progress reports."""


@contextmanager
def temporary_backup_file() -> Iterator[Path]:
    """Yield a private temporary path for a backup that goes through a pipe; it is deleted afterwards.

    Both formats need random access, which a pipe lacks. The file is in VAR_DIR, as /tmp may be memory.
    """
    with tempfile.TemporaryDirectory(prefix=".backup-", dir=settings.VAR_DIR) as folder:
        yield Path(folder) / "otto"


# --------------------------------------------------------------------------------------------------- writing


def save_backup(*, path: Path, force: bool = False, progress: ProgressCallback = ignore_progress) -> int:
    """Write a backup to a path; return its size. Raises BackupError, e.g. if the file exists."""
    if path.exists() and not force:
        raise BackupError(f"{path} already exists; --force overwrites it")
    with write_atomically(path) as temp_path:
        if connection.vendor == "postgresql":
            dump_postgres(temp_path, progress)
        else:
            connection.ensure_connection()
            with closing(sqlite3.connect(temp_path)) as target:
                connection.connection.backup(
                    target,
                    pages=SQLITE_PAGES_PER_STEP,
                    progress=lambda _, remaining, total: progress(total - remaining, total),
                )
                target.execute("PRAGMA journal_mode=DELETE")  # a single file without a journal
    return path.stat().st_size


def save_backup_to_stream(stream: BinaryIO) -> int:
    """Write a complete backup to a stream; return its size. Raises BackupError, or OSError."""
    with temporary_backup_file() as path:
        size = save_backup(path=path)
        with path.open("rb") as file:
            shutil.copyfileobj(file, stream)
        return size


@contextmanager
def write_atomically(path: Path) -> Iterator[Path]:
    """Yield a private temporary file, renamed once it is complete and synced. Raises BackupError."""
    temp_path = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        os.close(os.open(temp_path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        yield temp_path
        with temp_path.open("rb") as file:
            os.fsync(file.fileno())
        temp_path.replace(path)
    except (OSError, sqlite3.Error) as error:
        raise BackupError(f"{path} cannot be written: {error}") from error
    finally:
        temp_path.unlink(missing_ok=True)


def dump_postgres(temp_path: Path, progress: ProgressCallback) -> None:
    """Run pg_dump, which reads one snapshot and does not block players. Raises BackupError."""
    total = len(connection.introspection.table_names())
    options = [
        "--format=custom",
        "--no-owner",
        "--no-privileges",
        "--verbose",
        f"--lock-wait-timeout={LOCK_TIMEOUT}",
    ]
    command, environment = build_pg_command("pg_dump", *options, f"--file={temp_path}")
    dumped_count, last_line = 0, ""
    with subprocess.Popen(
        command, env=environment, stderr=subprocess.PIPE, text=True, errors="replace"
    ) as process:
        assert process.stderr
        for line in process.stderr:
            last_line = line.strip() or last_line
            if "dumping contents of table" in line:
                dumped_count += 1
                progress(min(dumped_count, total), total)
    if process.returncode:
        raise BackupError(f"pg_dump failed: {last_line}")


def build_pg_command(program: str, *arguments: str) -> tuple[list[str], dict[str, str]]:
    """Return a PostgreSQL client command and its environment. Raises BackupError if it is not installed."""
    executable = shutil.which(program)
    if executable is None:
        raise BackupError(
            f"{program} is not on the PATH. Install PostgreSQL's client programs of the server's version "
            "(on Debian and Ubuntu: apt-get install postgresql-client)"
        )
    psql_command, extra_environment = DatabaseClient.settings_to_cmd_args_env(connection.settings_dict, [])
    # The arguments of psql, with the database name as an option: every client program accepts that.
    connection_options = [*psql_command[1:-1], f"--dbname={psql_command[-1]}"]
    return [executable, *connection_options, *arguments], os.environ | (extra_environment or {}) | {
        "PGAPPNAME": f"otto {program}"
    }


# --------------------------------------------------------------------------------------------------- reading


def load_backup(*, path: Path, force: bool = False) -> None:
    """Replace the database by a backup, all of it or nothing. Raises BackupError.

    Steps:
    1. Check that the file is a backup for this kind of database.
    2. Without `force`, refuse to overwrite a database with players or games.
    3. Refuse a backup of a newer release, which has unknown migrations.
    4. Restore.
    """
    check_backup_file(path)
    if not force and (existing_data := describe_existing_data()):
        raise BackupError(f"the database is not empty ({existing_data}); --force deletes all of that")
    if unknown_migrations := read_backup_migrations(path) - set(MigrationLoader(None).graph.nodes):
        names = ", ".join(f"{app}.{name}" for app, name in sorted(unknown_migrations))
        raise BackupError(f"the backup comes from a newer release, with {names}; install that release first")
    if connection.vendor == "postgresql":
        connection.close()
        restore_postgres(path)
    else:
        connection.ensure_connection()
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as source:
            source.backup(connection.connection)
        connection.close()


def load_backup_from_stream(stream: BinaryIO, *, force: bool = False) -> None:
    """Load a backup from a stream, once it has been read completely. Raises BackupError."""
    with temporary_backup_file() as path:
        try:
            with path.open("xb") as file:
                shutil.copyfileobj(stream, file)
        except OSError as error:
            raise BackupError(f"standard input cannot be kept: {error.strerror}") from error
        try:
            load_backup(path=path, force=force)
        except BackupError as backup_error:
            raise BackupError(str(backup_error).replace(str(path), "standard input")) from None


def check_backup_file(path: Path) -> None:
    """Raise BackupError unless the file is a backup of this kind of database."""
    try:
        with path.open("rb") as file:
            header = file.read(16)
    except OSError as error:
        raise BackupError(f"{path} cannot be read: {error.strerror}") from error
    for vendor, signature in FILE_SIGNATURES.items():
        if header.startswith(signature):
            if vendor != connection.vendor:
                raise BackupError(f"{path} is a backup of {vendor}, but this database is {connection.vendor}")
            break
    else:
        raise BackupError(f"{path} is not a backup of this site")


def describe_existing_data() -> str:
    """Describe the players and games in the database; empty if there are none."""
    existing_tables = set(connection.introspection.table_names())
    counts = {
        model._meta.verbose_name_plural: model._default_manager.count()
        for model in (Player, Game)
        if model._meta.db_table in existing_tables
    }
    return ", ".join(f"{count} {label}" for label, count in counts.items() if count)


def read_backup_migrations(path: Path) -> set[tuple[str, str]]:
    """Return the migrations recorded in a backup. Raises BackupError if it is damaged."""
    if connection.vendor == "sqlite":
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as source:
            try:
                # SQLite pads a truncated last page, so compare the sizes.
                (pages,), (size,) = (
                    source.execute(f"PRAGMA {pragma}").fetchone() for pragma in ("page_count", "page_size")
                )
                is_complete = pages * size == path.stat().st_size
                if not is_complete or source.execute("PRAGMA quick_check(1)").fetchone() != ("ok",):
                    raise BackupError(f"{path} is damaged")
                return set(source.execute("SELECT app, name FROM django_migrations"))
            except sqlite3.DatabaseError as error:
                raise BackupError(f"{path} is damaged: {error}") from error
    command = [
        build_pg_command("pg_restore")[0][0],
        "--data-only",
        "--table=django_migrations",
        "--file=-",
        str(path),
    ]
    result = subprocess.run(command, capture_output=True, text=True, errors="replace")
    if result.returncode:
        raise BackupError(f"{path} is damaged: {result.stderr.strip().splitlines()[-1]}")
    return {
        (app, name) for app, name in re.findall(r"^\d+\t([^\t]+)\t([^\t]+)\t", result.stdout, re.MULTILINE)
    }


def restore_postgres(path: Path) -> None:
    """Replace the schema by the backup in one psql transaction. Raises BackupError.

    COMMIT is sent only after pg_restore has succeeded. If this process dies, psql reads the end of its
    input and rolls back.
    """
    recreate_schema_sql = "BEGIN; DROP SCHEMA public CASCADE; CREATE SCHEMA public;\n"
    options = ["--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1", "--file=-"]
    command, environment = build_pg_command("psql", *options)
    environment["PGOPTIONS"] = (
        f"{environment.get('PGOPTIONS', '')} -c lock_timeout={LOCK_TIMEOUT} -c client_min_messages=warning"
    )
    pg_restore_command = [
        build_pg_command("pg_restore")[0][0],
        "--no-owner",
        "--no-privileges",
        "--exit-on-error",
        "--file=-",
    ]
    pipe = subprocess.PIPE
    with (
        subprocess.Popen([*pg_restore_command, str(path)], stdout=pipe, stderr=pipe) as pg_restore,
        subprocess.Popen(
            command, env=environment, stdin=pipe, stdout=subprocess.DEVNULL, stderr=pipe
        ) as psql,
    ):
        assert pg_restore.stdout
        assert psql.stdin
        try:
            psql.stdin.write(recreate_schema_sql.encode())
            shutil.copyfileobj(pg_restore.stdout, psql.stdin)
            is_complete = pg_restore.wait() == 0
            if is_complete:
                psql.stdin.write(f"{RESET_TRANSACTION_IDS_SQL}COMMIT;\n".encode())
            else:
                psql.kill()  # before it reads the end of its input
            psql.stdin.close()
        except BrokenPipeError:  # psql failed and has exited
            pg_restore.kill()
            is_complete = True
        stderr = (psql if is_complete else pg_restore).stderr
        error_text = stderr.read().decode(errors="replace").strip() if stderr else ""
    if not is_complete or psql.returncode:
        raise BackupError(
            f"the backup was not restored: {error_text.splitlines()[-1] if error_text else 'it is damaged'}"
        )


# ------------------------------------------------------------------------------------------------- afterwards


def end_all_sessions() -> int:
    """Delete all sessions, as the backup may hold some that were signed out since; return how many."""
    return Session.objects.all().delete()[0]


def start_restore_incident(*, now: datetime) -> Incident | None:
    """Stop all clocks from the last activity in the backup, so that nobody is charged for the lost time.

    Returns the incident, or None if nothing was played or an incident is open already.
    """
    if Incident.objects.filter(deadlines_recomputed=False).exists():
        return None
    last_action_at = Action.objects.order_by("-pk").values_list("at", flat=True).first()
    activity_times = [
        at for at in (last_action_at, MetricCounter.objects.aggregate(at=Max("updated_at"))["at"]) if at
    ]
    if not activity_times:
        return None
    return incidents.start_incident(now=min(max(activity_times), now), reason="restored from a backup")
