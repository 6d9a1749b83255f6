"""The whole database in one file, and the whole database from such a file.

PostgreSQL by its own programs, in their custom format; SQLite by its online backup. Both give one moment of
the site, whatever is played meanwhile.
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

from games.models import Action, Game, Incident, Player, Tally

from . import incidents

Progress = Callable[[int, int], None]
MAGIC = {"postgresql": b"PGDMP", "sqlite": b"SQLite format 3\0"}
PAGES = 2000  # of SQLite, copied at a time
WAIT = "10s"  # for a table that somebody else holds
# The numbers of transactions are another server's by now: no feed may wait for them to come round here.
SETTLED = "UPDATE public.games_event SET written = 0 WHERE written <> 0;\n"


class Failed(Exception):
    """A backup was not written, or not read; what was there is there still."""


def quiet(done: int, total: int) -> None:
    """Tell nobody."""


@contextmanager
def spool() -> Iterator[Path]:
    """Where a backup lies, for our eyes only, on its way through a pipe; it is gone afterwards.

    Both formats are read here and there, and a pipe only onwards. It can be large, and /tmp may be memory.
    """
    with tempfile.TemporaryDirectory(prefix=".backup-", dir=settings.VAR_DIR) as folder:
        yield Path(folder) / "otto"


# --------------------------------------------------------------------------------------------------- writing


def save(*, path: Path, force: bool = False, progress: Progress = quiet) -> int:
    """Write a backup; gives its size in bytes. Raises Failed, also if the file is there already."""
    if path.exists() and not force:
        raise Failed(f"{path} is there already; --force replaces it")
    with written(path) as draft:
        if connection.vendor == "postgresql":
            dump(draft, progress)
        else:
            connection.ensure_connection()
            with closing(sqlite3.connect(draft)) as target:
                connection.connection.backup(
                    target, pages=PAGES, progress=lambda _, left, total: progress(total - left, total)
                )
                target.execute("PRAGMA journal_mode=DELETE")  # one file, with nothing beside it
    return path.stat().st_size


def send(out: BinaryIO) -> int:
    """Write a backup into a pipe, once it is whole; gives its size. Raises Failed; OSError if it breaks."""
    with spool() as path:
        size = save(path=path)
        with path.open("rb") as file:
            shutil.copyfileobj(file, out)
        return size


@contextmanager
def written(path: Path) -> Iterator[Path]:
    """A file for our eyes only, that gets its name when it is whole and on the disk."""
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        os.close(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        yield draft
        with draft.open("rb") as whole:
            os.fsync(whole.fileno())
        draft.replace(path)
    except (OSError, sqlite3.Error) as error:
        raise Failed(f"{path} cannot be written: {error}") from error
    finally:
        draft.unlink(missing_ok=True)


def dump(draft: Path, progress: Progress) -> None:
    """One snapshot of PostgreSQL; nobody who plays waits for it."""
    total = len(connection.introspection.table_names())
    words = ["--format=custom", "--no-owner", "--no-privileges", "--verbose", f"--lock-wait-timeout={WAIT}"]
    command, around = asked("pg_dump", *words, f"--file={draft}")
    done, last = 0, ""
    with subprocess.Popen(
        command, env=around, stderr=subprocess.PIPE, text=True, errors="replace"
    ) as running:
        assert running.stderr
        for line in running.stderr:
            last = line.strip() or last
            if "dumping contents of table" in line:
                done += 1
                progress(min(done, total), total)
    if running.returncode:
        raise Failed(f"pg_dump gave up: {last}")


def asked(program: str, *words: str) -> tuple[list[str], dict[str, str]]:
    """A program of PostgreSQL's and the environment in which it reaches our database. Raises Failed."""
    found = shutil.which(program)
    if found is None:
        raise Failed(
            f"{program} is not on the PATH: install PostgreSQL's client programs, of the server's version "
            "(on Debian and Ubuntu: apt-get install postgresql-client)"
        )
    ours, more = DatabaseClient.settings_to_cmd_args_env(connection.settings_dict, [])
    # The same words as for psql, the name of the database last: there each program wants it said.
    reach = [*ours[1:-1], f"--dbname={ours[-1]}"]
    return [found, *reach, *words], os.environ | (more or {}) | {"PGAPPNAME": f"otto {program}"}


# --------------------------------------------------------------------------------------------------- reading


def load(*, path: Path, force: bool = False) -> None:
    """Put a backup in the place of what the database holds, all of it or nothing. Raises Failed."""
    check(path)
    if not force and (found := occupied()):
        raise Failed(f"the database is not empty ({found}); --force throws all of that away")
    if unknown := known_to(path) - set(MigrationLoader(None).graph.nodes):
        names = ", ".join(f"{app}.{name}" for app, name in sorted(unknown))
        raise Failed(f"the backup is of a newer release, which has {names}: install that first")
    if connection.vendor == "postgresql":
        connection.close()
        restore(path)
    else:
        connection.ensure_connection()
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as source:
            source.backup(connection.connection)
        connection.close()


def receive(source: BinaryIO, *, force: bool = False) -> None:
    """Load a backup that comes through a pipe, once all of it is here. Raises Failed."""
    with spool() as path:
        try:
            with path.open("xb") as file:
                shutil.copyfileobj(source, file)
        except OSError as error:
            raise Failed(f"standard input cannot be kept: {error.strerror}") from error
        try:
            load(path=path, force=force)
        except Failed as failed:
            raise Failed(str(failed).replace(str(path), "standard input")) from None


def check(path: Path) -> None:
    """Raise Failed unless it is a backup of this kind of database."""
    try:
        with path.open("rb") as file:
            head = file.read(16)
    except OSError as error:
        raise Failed(f"{path} cannot be read: {error.strerror}") from error
    for kind, magic in MAGIC.items():
        if head.startswith(magic):
            if kind != connection.vendor:
                raise Failed(f"{path} is a backup of {kind}, and the database here is {connection.vendor}")
            break
    else:
        raise Failed(f"{path} is not a backup of this site")


def occupied() -> str:
    """What is in the database already, in a few words; empty if nobody would miss it."""
    there = set(connection.introspection.table_names())
    counts = {
        model._meta.verbose_name_plural: model._default_manager.count()
        for model in (Player, Game)
        if model._meta.db_table in there
    }
    return ", ".join(f"{count} {what}" for what, count in counts.items() if count)


def known_to(path: Path) -> set[tuple[str, str]]:
    """The migrations that a backup has seen."""
    if connection.vendor == "sqlite":
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as source:
            try:
                # SQLite itself makes up the rest of a last page that was cut off.
                (pages,), (size,) = (
                    source.execute(f"PRAGMA {what}").fetchone() for what in ("page_count", "page_size")
                )
                whole = pages * size == path.stat().st_size
                if not whole or source.execute("PRAGMA quick_check(1)").fetchone() != ("ok",):
                    raise Failed(f"{path} is damaged")
                return set(source.execute("SELECT app, name FROM django_migrations"))
            except sqlite3.DatabaseError as error:
                raise Failed(f"{path} is damaged: {error}") from error
    command = [asked("pg_restore")[0][0], "--data-only", "--table=django_migrations", "--file=-", str(path)]
    listed = subprocess.run(command, capture_output=True, text=True, errors="replace")
    if listed.returncode:
        raise Failed(f"{path} is damaged: {listed.stderr.strip().splitlines()[-1]}")
    return {
        (app, name) for app, name in re.findall(r"^\d+\t([^\t]+)\t([^\t]+)\t", listed.stdout, re.MULTILINE)
    }


def restore(path: Path) -> None:
    """What is there goes and what was saved comes, in one transaction of psql's.

    It is told to commit only if pg_restore came to its end: should we die, psql reads an end as well.
    """
    anew = "BEGIN; DROP SCHEMA public CASCADE; CREATE SCHEMA public;\n"
    words = ["--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1", "--file=-"]
    command, around = asked("psql", *words)
    around["PGOPTIONS"] = (
        f"{around.get('PGOPTIONS', '')} -c lock_timeout={WAIT} -c client_min_messages=warning"
    )
    script = [asked("pg_restore")[0][0], "--no-owner", "--no-privileges", "--exit-on-error", "--file=-"]
    pipe = subprocess.PIPE
    with (
        subprocess.Popen([*script, str(path)], stdout=pipe, stderr=pipe) as reading,
        subprocess.Popen(command, env=around, stdin=pipe, stdout=subprocess.DEVNULL, stderr=pipe) as writing,
    ):
        assert reading.stdout
        assert writing.stdin
        try:
            writing.stdin.write(anew.encode())
            shutil.copyfileobj(reading.stdout, writing.stdin)
            whole = reading.wait() == 0
            if whole:
                writing.stdin.write(f"{SETTLED}COMMIT;\n".encode())
            else:
                writing.kill()  # before it has seen an end
            writing.stdin.close()
        except BrokenPipeError:  # psql has refused something and is gone
            reading.kill()
            whole = True
        stderr = (writing if whole else reading).stderr
        said = stderr.read().decode(errors="replace").strip() if stderr else ""
    if not whole or writing.returncode:
        raise Failed(f"the backup was not restored: {said.splitlines()[-1] if said else 'it is damaged'}")


# ------------------------------------------------------------------------------------------------- afterwards


def end_sessions() -> int:
    """Sign everybody out, who signed out since the backup too; gives how many sessions there were."""
    return Session.objects.all().delete()[0]


def rest(*, now: datetime) -> Incident | None:
    """All clocks rest from the last moment that the backup knows of: nobody pays for what was lost.

    None if nothing was ever played there, or an incident is open anyhow.
    """
    if Incident.objects.filter(settled=False).exists():
        return None
    last = Action.objects.order_by("-pk").values_list("at", flat=True).first()
    moments = [at for at in (last, Tally.objects.aggregate(at=Max("at"))["at"]) if at]
    if not moments:
        return None
    return incidents.start(now=min(max(moments), now), why="restored from a backup")
