"""The base of API views for players."""

from __future__ import annotations

from accounts.models import Player
from common.api.views import ThrottledAPIView

from .auth import HasScope


class ViewerAPIView(ThrottledAPIView):
    """Base of all API views that know who asks."""

    permission_classes = [HasScope("read", write_scope="play", anonymous=True)]

    @property
    def player(self) -> Player:
        """The signed-in player; permissions guarantee one where this is used."""
        return self.request.user

    @property
    def viewer(self) -> Player | None:
        """The signed-in player, or None if anonymous."""
        return self.request.user if self.request.user.is_authenticated else None
