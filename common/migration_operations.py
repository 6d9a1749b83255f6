"""Migration operations that build indexes CONCURRENTLY on PostgreSQL; plain ones on SQLite."""

from __future__ import annotations

from typing import Any

from django.contrib.postgres.operations import AddIndexConcurrently
from django.db.migrations import AddConstraint, AddIndex, RunSQL


class AddIndexOnline(AddIndexConcurrently):
    """Add an index, CONCURRENTLY on PostgreSQL; the migration needs `atomic = False`."""

    def database_forwards(self, app_label: str, editor: Any, old: Any, new: Any) -> None:
        """Add the index, concurrently on PostgreSQL."""
        if editor.connection.vendor == "postgresql":
            super().database_forwards(app_label, editor, old, new)
        else:
            AddIndex.database_forwards(self, app_label, editor, old, new)

    def database_backwards(self, app_label: str, editor: Any, old: Any, new: Any) -> None:
        """Remove the index, concurrently on PostgreSQL."""
        if editor.connection.vendor == "postgresql":
            super().database_backwards(app_label, editor, old, new)
        else:
            AddIndex.database_backwards(self, app_label, editor, old, new)


class AddUniqueConstraintOnline(AddConstraint):
    """Add a conditional unique constraint, which is a unique index, CONCURRENTLY on PostgreSQL."""

    atomic = False

    def database_forwards(self, app_label: str, editor: Any, old: Any, new: Any) -> None:
        """Add the constraint, concurrently on PostgreSQL."""
        model = new.apps.get_model(app_label, self.model_name)
        if editor.connection.vendor != "postgresql":
            super().database_forwards(app_label, editor, old, new)
        elif self.allow_migrate_model(editor.connection.alias, model):
            sql = str(self.constraint.create_sql(model, editor))
            editor.execute(
                sql.replace("CREATE UNIQUE INDEX", "CREATE UNIQUE INDEX CONCURRENTLY", 1), params=None
            )


class RunPostgresSQL(RunSQL):
    """Statements for PostgreSQL alone, such as triggers; on SQLite nothing happens."""

    def database_forwards(self, app_label: str, editor: Any, old: Any, new: Any) -> None:
        """Run the statements on PostgreSQL."""
        if editor.connection.vendor == "postgresql":
            super().database_forwards(app_label, editor, old, new)

    def database_backwards(self, app_label: str, editor: Any, old: Any, new: Any) -> None:
        """Run the reverse statements on PostgreSQL."""
        if editor.connection.vendor == "postgresql":
            super().database_backwards(app_label, editor, old, new)
