"""Migrations on a live site: none locks a table for long, and old code runs with the new schema."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
from django.contrib.postgres.operations import (
    AddConstraintNotValid,
    AddIndexConcurrently,
    ValidateConstraint,
)
from django.core.management import CommandError, call_command
from django.db import connection, models
from django.db.migrations import (
    AddConstraint,
    AddField,
    AddIndex,
    AlterField,
    CreateModel,
    DeleteModel,
    Migration,
    RemoveField,
    RenameField,
    RenameModel,
    RunPython,
    RunSQL,
    SeparateDatabaseAndState,
)
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState
from django.db.models.functions import Now, Random
from django.test.utils import CaptureQueriesContext

from accounts.models import Player
from common.batches import iter_pk_batches
from common.migration_operations import AddIndexOnline, AddUniqueConstraintOnline, RunPostgresSQL

from .live_changes import list_faults
from .scratch_database import use_other_database

pytestmark = pytest.mark.django_db(transaction=True)  # some operations refuse to run in a transaction
# The last migrations of the first release, before which no live site existed.
FIRST_RELEASE = {"games": 1, "tournaments": 1}


def get_number(name: str) -> int:
    return int(name.partition("_")[0])


# ------------------------------------------------------------------------------- migrations of the project


def list_faults_since_first_release(*scratch: Migration) -> dict[tuple[str, str], list[str]]:
    """Describe the faults of every migration since the first release, and of additional ones."""
    executor = MigrationExecutor(connection)
    state = ProjectState(real_apps=executor.loader.unmigrated_apps)
    plan = executor.migration_plan(executor.loader.graph.leaf_nodes(), clean_start=True)
    wrong: dict[tuple[str, str], list[str]] = {}
    last_numbers: dict[str, int] = {}
    for migration in [*(migration for migration, _ in plan), *scratch]:
        app, name = migration.app_label, migration.name
        if app in FIRST_RELEASE:
            last_numbers[app] = max(last_numbers.get(app, 0), get_number(name))
            if get_number(name) > FIRST_RELEASE[app] and (listed := list_faults(migration, state.clone())):
                wrong[app, name] = listed
        state = migration.mutate_state(state, preserve=False)
    assert last_numbers.keys() == FIRST_RELEASE.keys()
    assert all(last_numbers[app] >= first for app, first in FIRST_RELEASE.items())
    return wrong


def build_scratch_migration(app: str, *operations: Operation, atomic: bool = True) -> Migration:
    """Build a migration that a later release could contain."""
    migration = Migration("9999_scratch", app)
    migration.operations, migration.atomic = list(operations), atomic
    return migration


def test_no_migration_since_the_first_release_stands_in_the_way_of_people_who_play() -> None:
    assert list_faults_since_first_release() == {}


def test_a_later_migration_of_our_tables_is_judged() -> None:
    bad = build_scratch_migration("games", AddField("Game", "n", models.IntegerField(default=0)))
    worse = build_scratch_migration(
        "tournaments",
        RenameModel("Tournament", "Competition"),
        AddIndex("Round", models.Index(fields=["number"], name="by_number")),
    )
    faults = list_faults_since_first_release(bad, worse)
    assert faults.keys() == {("games", "9999_scratch"), ("tournaments", "9999_scratch")}
    assert faults["games", "9999_scratch"] == ["games_game.n is NOT NULL without a default in the database"]
    assert any("renamed" in fault for fault in faults["tournaments", "9999_scratch"])
    assert any("CONCURRENTLY" in fault for fault in faults["tournaments", "9999_scratch"])


def test_a_later_migration_of_our_tables_that_a_live_site_can_bear_is_let_through() -> None:
    column = build_scratch_migration("games", AddField("Game", "n", models.IntegerField(db_default=0)))
    index = models.Index(fields=["number"], name="by_number")
    indexes = build_scratch_migration("tournaments", AddIndexOnline("Round", index), atomic=False)
    assert list_faults_since_first_release(column, indexes) == {}


def test_what_only_the_database_still_knows_asks_nothing_of_an_insert() -> None:
    known_columns = {
        (model._meta.db_table, field.column)
        for model in [*Player._meta.apps.get_models(include_auto_created=True)]
        for field in model._meta.local_fields
    }
    tables = {table for table, _ in known_columns if table.startswith(("games_", "tournaments_"))}
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = 'public' "
            "AND is_nullable = 'NO' AND column_default IS NULL AND is_identity = 'NO'"
        )
        demanding = {row for row in cursor.fetchall() if row[0] in tables}
    assert demanding
    assert demanding <= known_columns


# ------------------------------------------------------------------------------------------- detected faults


def build_table(*more: Any, **options: Any) -> CreateModel:
    """Build a table of an app that does not exist."""
    fields = [("id", models.BigAutoField(primary_key=True)), ("name", models.CharField(max_length=9)), *more]
    return CreateModel("Thing", fields, options=options)


def list_operation_faults(
    *operations: Operation, before: tuple[Operation, ...] = (), atomic: bool = True
) -> list[str]:
    first = Migration("0001_first", "made_up")
    first.operations = [build_table(), *before]
    migration = Migration("0002_second", "made_up")
    migration.operations, migration.atomic = list(operations), atomic
    return list_faults(migration, first.mutate_state(ProjectState(), preserve=False))


def update_all_rows(apps: Any, editor: Any) -> None:
    apps.get_model("made_up", "Thing").objects.update(name="x")


def update_in_batches(apps: Any, editor: Any) -> None:
    things = apps.get_model("made_up", "Thing").objects
    for some in iter_pk_batches(things.filter(name="")):
        things.filter(pk__in=some).update(name="x")


short = models.Index(fields=["name"], name="by_name")
once = models.UniqueConstraint(fields=["name"], name="name_once")
some_once = models.UniqueConstraint(fields=["name"], condition=~models.Q(name=""), name="some_once")
filled = models.CheckConstraint(condition=~models.Q(name=""), name="name_filled")
number_of = models.IntegerField(db_default=0)


@pytest.mark.parametrize(
    ("operation", "sentence"),
    [
        (AddField("Thing", "n", models.IntegerField(default=0)), "NOT NULL without a default"),
        (AddField("Thing", "n", models.FloatField(db_default=Random())), "computed for every row"),
        (AddField("Thing", "n", models.IntegerField(null=True, unique=True)), "CONCURRENTLY"),
        (AddField("Thing", "n", models.IntegerField(null=True, db_index=True)), "CONCURRENTLY"),
        (AddField("Thing", "n", models.PositiveIntegerField(db_default=0)), "checked at once"),
        (AddField("Thing", "of", models.ForeignKey("Thing", models.CASCADE, null=True)), "CONCURRENTLY"),
        (AddIndex("Thing", short), "CONCURRENTLY"),
        (AddConstraint("Thing", once), "checked at once"),
        (AddConstraint("Thing", some_once), "CONCURRENTLY"),
        (AddConstraint("Thing", filled), "checked at once"),
        (AlterField("Thing", "name", models.TextField()), "type of a column"),
        (AlterField("Thing", "name", models.CharField(max_length=9, unique=True)), "checked at once"),
        (RenameField("Thing", "name", "title"), "renamed"),
        (RenameModel("Thing", "Object"), "renamed"),
        (RemoveField("Thing", "name"), "dropped, which the release before knows"),
        (DeleteModel("Thing"), "dropped, which the release before knows"),
        (RunSQL("UPDATE made_up_thing SET name = 'x'"), "not in batches"),
        (RunPostgresSQL("UPDATE made_up_thing SET name = 'x'"), "not in batches"),
        (RunPython(update_all_rows), "in one transaction"),
        (RunPython(update_all_rows), "not changed in batches"),
        (RunPython(update_in_batches), "in one transaction"),
    ],
)
def test_what_would_stop_a_live_site_is_found(operation: Operation, sentence: str) -> None:
    assert any(sentence in fault for fault in list_operation_faults(operation))


def test_a_column_that_becomes_not_null_is_found() -> None:
    before = AddField("Thing", "n", models.IntegerField(null=True))
    assert list_operation_faults(AlterField("Thing", "n", models.IntegerField()), before=(before,)) == [
        "all of made_up_thing read under a lock, for NOT NULL"
    ]


def test_data_are_not_changed_together_with_the_schema() -> None:
    assert list_operation_faults(
        AddField("Thing", "n", number_of), RunPython(update_in_batches), atomic=False
    ) == ["data changed together with the schema"]


def build_column_removal(**more: Any) -> SeparateDatabaseAndState:
    """Remove a column from the state only, as the release before the one that drops it does."""
    return SeparateDatabaseAndState(state_operations=[RemoveField("Thing", "name")], **more)


@pytest.mark.parametrize(
    ("operations", "before", "atomic"),
    [
        ([AddField("Thing", "n", number_of)], (), True),
        ([AddField("Thing", "n", models.IntegerField(null=True))], (), True),
        ([AddField("Thing", "at", models.DateTimeField(db_default=Now()))], (), True),
        ([AddField("Thing", "n", models.CharField(max_length=9, db_default=""))], (), True),
        (
            [AddField("Thing", "of", models.ForeignKey("Thing", models.CASCADE, null=True, db_index=False))],
            (),
            True,
        ),
        ([AddIndexConcurrently("Thing", short)], (), False),
        ([AddIndexOnline("Thing", short)], (), False),
        ([AddUniqueConstraintOnline("Thing", some_once)], (), False),
        ([RunPostgresSQL("CREATE FUNCTION two() RETURNS int LANGUAGE sql AS 'SELECT 2'")], (), True),
        ([AddConstraintNotValid("Thing", filled)], (), True),
        ([ValidateConstraint("Thing", "name_filled")], (AddConstraint("Thing", filled),), True),
        ([RunPython(update_in_batches)], (), False),
        ([build_column_removal()], (), True),
        ([RunSQL('ALTER TABLE "made_up_thing" DROP COLUMN "name";')], (build_column_removal(),), True),
        (
            [
                CreateModel(
                    "Other", [("id", models.BigAutoField(primary_key=True)), ("n", models.IntegerField())]
                ),
                AddIndex("Other", models.Index(fields=["n"], name="by_n")),
            ],
            (),
            True,
        ),
    ],
)
def test_what_a_live_site_can_bear_is_let_through(
    operations: list[Operation], before: tuple[Operation, ...], atomic: bool
) -> None:
    assert list_operation_faults(*operations, before=before, atomic=atomic) == []


# ------------------------------------------------------------------------------- operations for a live site


@pytest.mark.parametrize(
    ("operation", "name"),
    [
        (AddIndexOnline("Thing", short), "by_name"),
        (AddUniqueConstraintOnline("Thing", some_once), "some_once"),
    ],
)
def test_an_index_is_built_beside_those_who_write_and_taken_away_again(
    operation: Operation, name: str
) -> None:
    first, second = Migration("0001_first", "made_up"), Migration("0002_second", "made_up")
    first.operations, second.operations, second.atomic = [build_table()], [operation], False
    empty = ProjectState()
    before = first.mutate_state(empty)

    def list_valid_indexes() -> list[tuple[bool]]:
        with connection.cursor() as cursor:
            cursor.execute("SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass(%s)", [name])
            return cursor.fetchall()

    with connection.schema_editor() as editor:
        first.apply(empty.clone(), editor)
    try:
        with CaptureQueriesContext(connection) as queries, connection.schema_editor(atomic=False) as editor:
            second.apply(before.clone(), editor)
        assert any("CONCURRENTLY" in query["sql"] for query in queries)
        assert list_valid_indexes() == [(True,)]
        with connection.schema_editor(atomic=False) as editor:
            second.unapply(before.clone(), editor)
        assert list_valid_indexes() == []
    finally:
        with connection.schema_editor() as editor:
            first.unapply(empty.clone(), editor)


# ---------------------------------------------------------------------------------------------- lock timeouts

TABLE, COLUMN = "tournaments_tournament", "bots_allowed"  # the column that migration 0003 adds


@pytest.fixture
def scratch_database(transactional_db: None) -> Iterator[None]:
    with use_other_database(copied=True):
        call_command("migrate", "tournaments", "0003", verbosity=0)  # the tests reverse this migration
        yield


def open_reader() -> psycopg.Connection[Any]:
    """Open a transaction that has read from the table."""
    own_connection = psycopg.connect(
        **{**connection.get_connection_params(), "cursor_factory": None, "context": None}
    )
    # A busy machine may take longer to migrate than a transaction may stay idle.
    own_connection.execute("SET idle_in_transaction_session_timeout = 0")
    own_connection.execute(f"SELECT count(*) FROM {TABLE}")
    return own_connection


def drop_column(**options: Any) -> None:
    call_command("migrate", "tournaments", "0002", verbosity=0, lock_timeout=0.2, **options)


def has_column() -> bool:
    with connection.cursor() as cursor:
        columns = connection.introspection.get_table_description(cursor, TABLE)
    return COLUMN in {column.name for column in columns}


def test_a_migration_does_not_queue_behind_a_long_reader(scratch_database: None) -> None:
    with open_reader() as long, open_reader() as other:
        other.rollback()
        delays: list[float] = []
        enough = threading.Event()

        def read_all_the_time() -> None:
            while not enough.is_set():
                started_at = time.monotonic()
                other.execute(f"SELECT count(*) FROM {TABLE}")
                other.rollback()
                delays.append(time.monotonic() - started_at)
                time.sleep(0.01)

        looking = threading.Thread(target=read_all_the_time)
        looking.start()
        try:
            with pytest.raises(CommandError, match="another transaction locks"):
                drop_column(tries=2, pause=0.1)
        finally:
            enough.set()
            looking.join()
        assert len(delays) > 3
        assert max(delays) < 10, "the others went on"
        long.rollback()
    assert has_column(), "nothing was begun"
    with connection.cursor() as cursor:
        cursor.execute("SHOW lock_timeout")
        assert cursor.fetchone() == ("0",), "only migrations are in such a hurry"


def test_a_migration_comes_again_until_the_table_is_free(scratch_database: None) -> None:
    with open_reader() as long:
        going = threading.Timer(0.4, long.rollback)
        going.start()
        drop_column(tries=100, pause=0.05)
        going.join()
    assert not has_column()
    call_command("migrate", verbosity=0)
    assert has_column()
