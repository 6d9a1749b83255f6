"""Database models: fields, constraints and one-line properties. All writes are in notifications.services."""

from .deliveries import IS_MAIL, Delivery, InboundMail, Webhook
from .feed import FeedEntry
from .push_devices import PushDevice

__all__ = [
    "IS_MAIL",
    "Delivery",
    "FeedEntry",
    "InboundMail",
    "PushDevice",
    "Webhook",
]
