"""Indexes that are built while people play; on SQLite, which one process has to itself, plain ones."""

from __future__ import annotations

from typing import Any

from django.contrib.postgres.operations import AddIndexConcurrently
from django.db.migrations import AddConstraint, AddIndex


class AddIndexOnline(AddIndexConcurrently):
    """An index, built CONCURRENTLY where the database can; the migration says `atomic = False`."""

    def database_forwards(self, app_label: str, editor: Any, old: Any, new: Any) -> None:
        if editor.connection.vendor == "postgresql":
            super().database_forwards(app_label, editor, old, new)
        else:
            AddIndex.database_forwards(self, app_label, editor, old, new)

    def database_backwards(self, app_label: str, editor: Any, old: Any, new: Any) -> None:
        if editor.connection.vendor == "postgresql":
            super().database_backwards(app_label, editor, old, new)
        else:
            AddIndex.database_backwards(self, app_label, editor, old, new)


class AddUniqueOnline(AddConstraint):
    """A unique constraint that is an index (it has a condition), built like one."""

    atomic = False

    def database_forwards(self, app_label: str, editor: Any, old: Any, new: Any) -> None:
        model = new.apps.get_model(app_label, self.model_name)
        if editor.connection.vendor != "postgresql":
            super().database_forwards(app_label, editor, old, new)
        elif self.allow_migrate_model(editor.connection.alias, model):
            sql = str(self.constraint.create_sql(model, editor))
            editor.execute(
                sql.replace("CREATE UNIQUE INDEX", "CREATE UNIQUE INDEX CONCURRENTLY", 1), params=None
            )
