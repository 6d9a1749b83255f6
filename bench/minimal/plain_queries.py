"""Our site without custom SQL, as the peer of bench/custom_sql.py: everything goes through the ORM.

BENCH_WITHOUT names what is replaced: `queries` compiles the token and seats queries anew for every
request, as the ORM does, and `write` writes an action by the ORM in six statements, as on SQLite.
"""

from __future__ import annotations

import os
from typing import Any

from otto_site.wsgi import application as application

WITHOUT = os.environ["BENCH_WITHOUT"]

if WITHOUT == "queries":
    from common.compiled_queryset import LOOKUP_PLACEHOLDER, CompiledQueryset, QueryPlan

    fetch_rows_of_plan = CompiledQueryset.fetch_rows

    def compile_and_fetch_rows(self: Any, lookup_value: str) -> tuple[tuple[Any, ...], ...]:
        """Compile the query anew, then run it."""
        self.__dict__["plan"] = QueryPlan(self.build_queryset(LOOKUP_PLACEHOLDER), self.shared_relation)
        return fetch_rows_of_plan(self, lookup_value)

    CompiledQueryset.fetch_rows = compile_and_fetch_rows  # type: ignore[method-assign]
elif WITHOUT == "write":
    from django.db import transaction

    from games.services import action_log_sql

    action_log_sql.write_in_one_statement = transaction.atomic(action_log_sql.write_with_orm)
else:
    raise SystemExit(f"BENCH_WITHOUT is neither queries nor write: {WITHOUT}")
