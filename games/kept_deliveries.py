"""Deliveries that are kept because of games."""

from __future__ import annotations

from datetime import datetime

from django.db.models import Q, QuerySet

from games.models import Game
from notifications.models import Delivery
from notifications.retention import KeptDeliveries
from notifications.topics import find_topic_code


def build_unfinished_games_condition(batch: QuerySet[Delivery], now: datetime) -> Q:
    """Build the condition that a delivery is about an unfinished game."""
    topics = set(batch.values_list("topic", flat=True))
    codes = [code for topic in topics if (code := find_topic_code(topic, Game.TOPIC_FAMILY))]
    unfinished_games = Game.objects.unfinished().filter(code__in=codes).only("code")
    return Q(topic__in=[game.topic for game in unfinished_games])


KEPT_DELIVERIES = KeptDeliveries(build_unfinished_games_condition)
