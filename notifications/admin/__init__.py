"""Admin pages of deliveries."""

from . import deliveries

__all__ = ["deliveries"]
