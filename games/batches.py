"""Many rows, some at a time: whoever plays meanwhile waits for none of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.db.models import QuerySet

SIZE = 500


def batches(rows: QuerySet[Any], *, size: int = SIZE) -> Iterator[list[Any]]:
    """The primary keys of rows, in their order, so many at a time.

    What is done to a batch is a transaction of its caller's own: migrations of data say `atomic = False`.
    """
    last = None
    while True:
        page = rows.order_by("pk") if last is None else rows.filter(pk__gt=last).order_by("pk")
        found = list(page.values_list("pk", flat=True)[:size])
        if not found:
            return
        yield found
        last = found[-1]
