"""Querysets that are compiled once: the ORM's own SQL and objects, but no SQL made at every request."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, Generic, TypeVar

from django.db import connection, models
from django.db.models.query import get_related_populators

M = TypeVar("M", bound=models.Model)
MARK = "what the rows are found by"


class Plan:
    """What the ORM makes of a queryset: the SQL, and the way from rows to objects."""

    def __init__(self, queryset: models.QuerySet[Any], shared: str) -> None:
        compiler = queryset.query.get_compiler(connection=connection)
        self.sql, self.params = compiler.as_sql()
        info, select = compiler.klass_info, compiler.select
        self.model = info["model"]
        self.part = slice(info["select_fields"][0], info["select_fields"][-1] + 1)
        self.names = [column[0].target.attname for column in select[self.part]]
        self.related = get_related_populators(info, select, connection.alias)  # type: ignore[call-arg]
        self.rest = [one for one in self.related if one.model_cls._meta.model_name != shared]
        self.converters = compiler.get_converters(column[0] for column in select)
        self.convert = compiler.apply_converters


class Compiled(Generic[M]):
    """`make(text)` is a queryset that finds by one text; `shared` is a related model that all rows share."""

    def __init__(self, make: Callable[[str], models.QuerySet[M]], shared: str = "") -> None:
        self.make = make
        self.shared = shared

    @cached_property
    def plan(self) -> Plan:
        return Plan(self.make(MARK), self.shared)

    def rows(self, text: str) -> tuple[tuple[Any, ...], ...]:
        """The rows as the database gives them: values that can be compared and kept."""
        with connection.cursor() as cursor:
            cursor.execute(self.plan.sql, [text if value == MARK else value for value in self.plan.params])
            return tuple(cursor.fetchall())

    def objects(self, rows: Sequence[Sequence[Any]]) -> list[M]:
        """The objects that rows stand for."""
        plan = self.plan
        if plan.converters:
            rows = list(plan.convert(rows, plan.converters))
        found: list[M] = []
        for row in rows:
            one: M = plan.model.from_db(connection.alias, plan.names, row[plan.part])
            if found and self.shared:
                setattr(one, self.shared, getattr(found[0], self.shared))
            for populator in plan.rest if found and self.shared else plan.related:
                populator.populate(row, one)
            found.append(one)
        return found

    def __call__(self, text: str) -> list[M]:
        return self.objects(self.rows(text))
