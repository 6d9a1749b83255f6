"""OTTO online for programs.

from otto_client import Client

otto = Client("https://otto.example", "otto_…")
for turn in otto.me.turns():
    legal = otto.games.legal(turn["game"])
    otto.games.play(turn["game"], legal["actions"][0], legal["seq"])
"""

from .client import AsyncClient, Client
from .errors import (
    Conflict,
    Denied,
    Illegal,
    NotFound,
    OttoError,
    Problem,
    ServerError,
    Throttled,
    Unauthenticated,
    Unreachable,
)
from .operation_table import API_VERSION
from .version import VERSION

__all__ = [
    "API_VERSION",
    "VERSION",
    "AsyncClient",
    "Client",
    "Conflict",
    "Denied",
    "Illegal",
    "NotFound",
    "OttoError",
    "Problem",
    "ServerError",
    "Throttled",
    "Unauthenticated",
    "Unreachable",
]
