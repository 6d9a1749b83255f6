"""A PostgreSQL backend whose connection health check needs no round trip."""

from __future__ import annotations

import select

from django.db.backends.postgresql import base


class DatabaseWrapper(base.DatabaseWrapper):
    """Django's backend with another health check at the start of each request."""

    def is_usable(self) -> bool:
        """Return whether the connection is open: data from an idle server means that it is closing."""
        if self.connection is None or self.connection.closed:
            return False
        poller = select.poll()
        poller.register(self.connection.fileno(), select.POLLIN)
        return not poller.poll(0)
