"""Querysets compiled once: SQL and row conversion of the ORM, cached instead of rebuilt for every request.

Compiled for every request, the token and seats queries make a POST of an action take 1.9 times as long, and a
GET of a game 3.1 times (bench/custom_sql.py, requests per second with four connections).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, Generic, TypeVar

from django.db import connection, models
from django.db.models.query import get_related_populators

ModelT = TypeVar("ModelT", bound=models.Model)
LOOKUP_PLACEHOLDER = "lookup placeholder"


class QueryPlan:
    """A queryset as compiled by the ORM: SQL, parameters, and the conversion of rows to model instances."""

    def __init__(self, queryset: models.QuerySet[Any], shared_relation: str) -> None:
        compiler = queryset.query.get_compiler(connection=connection)
        self.sql, self.params = compiler.as_sql()
        info, select = compiler.klass_info, compiler.select
        self.model = info["model"]
        self.model_columns = slice(info["select_fields"][0], info["select_fields"][-1] + 1)
        self.field_names = [column[0].target.attname for column in select[self.model_columns]]
        self.related_populators = get_related_populators(info, select, connection.alias)  # type: ignore[call-arg]
        self.unshared_populators = [
            populator
            for populator in self.related_populators
            if populator.model_cls._meta.model_name != shared_relation
        ]
        self.converters = compiler.get_converters(column[0] for column in select)
        self.apply_converters = compiler.apply_converters


class CompiledQueryset(Generic[ModelT]):
    """A queryset with one text parameter, compiled on first use.

    `build_queryset(text)` returns the queryset. `shared_relation` names a foreign key with the same target in
    every row: that object is built once and set on all instances.
    """

    def __init__(
        self, build_queryset: Callable[[str], models.QuerySet[ModelT]], shared_relation: str = ""
    ) -> None:
        self.build_queryset = build_queryset
        self.shared_relation = shared_relation

    @cached_property
    def plan(self) -> QueryPlan:
        """The compiled query, built on first use."""
        return QueryPlan(self.build_queryset(LOOKUP_PLACEHOLDER), self.shared_relation)

    def fetch_rows(self, lookup_value: str) -> tuple[tuple[Any, ...], ...]:
        """Run the query and return raw rows: plain values that can be compared and used as a cache key."""
        with connection.cursor() as cursor:
            cursor.execute(
                self.plan.sql,
                [lookup_value if value == LOOKUP_PLACEHOLDER else value for value in self.plan.params],
            )
            return tuple(cursor.fetchall())

    def build_objects(self, rows: Sequence[Sequence[Any]]) -> list[ModelT]:
        """Build model instances from raw rows."""
        plan = self.plan
        if plan.converters:
            rows = list(plan.apply_converters(rows, plan.converters))
        instances: list[ModelT] = []
        for row in rows:
            instance: ModelT = plan.model.from_db(connection.alias, plan.field_names, row[plan.model_columns])
            if instances and self.shared_relation:
                setattr(instance, self.shared_relation, getattr(instances[0], self.shared_relation))
            for populator in (
                plan.unshared_populators if instances and self.shared_relation else plan.related_populators
            ):
                populator.populate(row, instance)
            instances.append(instance)
        return instances

    def __call__(self, lookup_value: str) -> list[ModelT]:
        return self.build_objects(self.fetch_rows(lookup_value))
