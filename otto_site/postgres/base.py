"""A database backend that asks for no round trip to learn whether a kept connection still lives."""

from __future__ import annotations

import select

from django.db.backends.postgresql import base


class DatabaseWrapper(base.DatabaseWrapper):
    """Django's own, but for the health check at the start of each request."""

    def is_usable(self) -> bool:
        """Whether the connection lives: a server has nothing to say between requests but that it is going."""
        if self.connection is None or self.connection.closed:
            return False
        ears = select.poll()
        ears.register(self.connection.fileno(), select.POLLIN)
        return not ears.poll(0)
