"""Leagues: seasons, divisions, and joining them."""

from __future__ import annotations

from typing import Any

urlpatterns: list[Any] = []
