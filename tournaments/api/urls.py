"""Every address of tournaments and leagues in the API."""

from __future__ import annotations

from typing import Any

urlpatterns: list[Any] = []
