"""Custom SQL is used only where the ORM cannot express it or is measured to be too slow."""

from __future__ import annotations

import ast

from .source_tree import ROOT, iter_modules

SQL_METHODS = {"cursor", "raw", "extra"}
# Each module with SQL, and the reason. If the reason is speed, the module's docstring has the figure measured
# by bench/custom_sql.py.
MODULES_WITH_SQL = {
    "common/clock_skew.py": "the time of the database",
    "common/compiled_queryset.py": "speed",
    "common/management/commands/migrate.py": "a lock for whoever migrates",
    "games/services/action_log_sql.py": "speed",
    "games/services/sandbox.py": "a lock that is waited for, and a trigger that is off for a moment",
    "games/services/social.py": "a lock, so that messages of a game commit in order",
    "notifications/selectors/feed.py": "transactions that still run",
    "otto_site/health.py": "whether the database answers",
}


def uses_sql(source: str) -> bool:
    """Return whether a module runs custom SQL."""
    return any(
        isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in SQL_METHODS
        for node in ast.walk(ast.parse(source))
    )


def test_sql_stands_where_it_is_known_to() -> None:
    modules = {
        path.relative_to(ROOT).as_posix()
        for path in iter_modules()
        if uses_sql(path.read_text(encoding="utf-8"))
    }
    assert modules == set(MODULES_WITH_SQL)


def test_sql_for_speed_has_its_figure() -> None:
    for module, reason in MODULES_WITH_SQL.items():
        if reason == "speed":
            docstring = ast.get_docstring(ast.parse((ROOT / module).read_text(encoding="utf-8"))) or ""
            assert "bench/custom_sql.py" in docstring, module


def test_sql_elsewhere_is_noticed() -> None:
    assert uses_sql("with connection.cursor() as cursor: ...")
    assert not uses_sql("Game.objects.filter(pk=1)")
