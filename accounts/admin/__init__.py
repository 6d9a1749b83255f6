"""Admin pages of accounts."""

from . import players

__all__ = ["players"]
