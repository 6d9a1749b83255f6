"""Tournaments as players and lookers-on see them."""

from __future__ import annotations

from typing import Any

urlpatterns: list[Any] = []
