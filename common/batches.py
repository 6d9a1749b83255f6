"""Iterate over many rows in batches, so that no transaction locks them all."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.db.models import QuerySet

DEFAULT_BATCH_SIZE = 500


def iter_pk_batches(rows: QuerySet[Any], *, size: int = DEFAULT_BATCH_SIZE) -> Iterator[list[Any]]:
    """Yield the primary keys of a queryset in order, `size` at a time.

    The caller opens one transaction per batch; data migrations need `atomic = False`.
    """
    last = None
    while True:
        page = rows.order_by("pk") if last is None else rows.filter(pk__gt=last).order_by("pk")
        keys = list(page.values_list("pk", flat=True)[:size])
        if not keys:
            return
        yield keys
        last = keys[-1]
