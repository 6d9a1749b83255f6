"""The account extension of notices: their export, and the removal of settings made by a stranger."""

from __future__ import annotations

from typing import Any

from accounts.account_extensions import AccountExtension
from accounts.models import Player
from notifications.models import PushDevice, Webhook
from notifications.services import player_notices


class NotificationsAccountExtension(AccountExtension):
    """Webhooks, push devices, deliveries, received mails and the feed of a player."""

    name = "notifications"

    def export_player_data(self, player: Player) -> dict[str, Any]:
        """Export webhooks, push devices, deliveries, received mails and the feed."""
        return player_notices.export_notice_data(player)

    def revoke_access(self, player: Player) -> None:
        """Delete the webhooks and push devices."""
        Webhook.objects.filter(player=player).delete()
        PushDevice.objects.filter(player=player).delete()


EXTENSION = NotificationsAccountExtension()
