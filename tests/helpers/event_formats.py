"""Every format of tournaments."""

from __future__ import annotations

FORMATS = [
    {"format": "knockout"},
    {"format": "knockout", "third_place": True},
    {"format": "knockout", "table_size": 3, "advancing_count": 1},
    {"format": "knockout", "table_size": 4, "advancing_count": 2},
    {"format": "double"},
    {"format": "round-robin"},
    {"format": "round-robin", "table_size": 4},
    {"format": "swiss"},
    {"format": "swiss", "table_size": 3, "round_count": 4},
]
