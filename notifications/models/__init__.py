"""Database models: fields, constraints and one-line properties. All writes are in notifications.services."""

from .deliveries import Delivery, InboundMail, Webhook
from .feed import FeedEntry

__all__ = [
    "Delivery",
    "FeedEntry",
    "InboundMail",
    "Webhook",
]
