"""Stored notices about a player: for the export, a guest's account, and deletion."""

from __future__ import annotations

from typing import Any

from django.db.models import Q, QuerySet
from django.utils.translation import override

from accounts.models import Player
from accounts.models.players import FORMER_PLAYER_NAME
from accounts.services.export import export_rows
from notifications.models import Delivery, FeedEntry, InboundMail, PushDevice, Webhook
from notifications.notice_kinds import get_notice_kind, load_notice_kinds
from notifications.selectors.deliveries import list_deliveries_to
from notifications.topics import find_topic_code

from . import notices


def export_notice_data(player: Player) -> dict[str, Any]:
    """Return webhooks, push devices, deliveries, received mails and feed, and nothing about others."""
    return {
        # Without the signing secret: a leaked file must not allow forged calls.
        "webhooks": export_rows(
            Webhook.objects.filter(player=player).order_by("pk"),
            *("url", "preset", "kinds", "immediate", "active", "disabled_reason", "created_at"),
        ),
        # Without endpoint and keys: with them anybody could send messages in the name of this site.
        "push_devices": export_rows(
            PushDevice.objects.filter(player=player).order_by("pk"),
            *("label", "created_at", "last_used_at", "disabled_reason"),
        ),
        "deliveries": [
            row | {"data": remove_other_names(row["kind"], row["data"])}
            for row in export_rows_with_game(
                list_deliveries_to(player).order_by("pk"),
                *("webhook_id", "push_device_id", "kind", "data", "status", "status_reason", "attempts"),
                *("address", "created_at", "sent_at", "delivered_at", "opened_at"),
            )
        ],
        "received": export_rows_with_game(
            InboundMail.objects.filter(player=player).order_by("pk"),
            *("received_at", "sender", "recipient", "outcome", "outcome_reason"),
        ),
        "events": [
            row | {"data": remove_other_names(row["kind"], row["data"])}
            for row in export_rows_with_game(
                FeedEntry.objects.filter(player=player).order_by("pk"), "kind", "at", "data"
            )
        ],
    }


def export_rows_with_game(queryset: QuerySet[Any], *fields: str) -> list[dict[str, Any]]:
    """Return columns of a query as dicts, with the code of the game that a row is about, or None."""
    rows = export_rows(queryset, "topic", *fields)
    return [{"game": find_topic_code(row.pop("topic"), "game"), **row} for row in rows]


def remove_other_names(kind: str, data: dict[str, Any]) -> dict[str, Any]:
    """Return the data of a feed entry without the name of the other person in it."""
    return {key: value for key, value in data.items() if key != get_notice_kind(kind).name_key}


def anonymise_name(player: Player, *, about: Q) -> None:
    """Replace the player's name in the feed entries and deliveries of other players that match `about`."""
    name_keys = {kind.value: kind.name_key for kind in load_notice_kinds().values() if kind.name_key}
    with override("en"):
        former_name = str(FORMER_PLAYER_NAME)
    # In feeds, and in the mails made from them.
    querysets: list[QuerySet[Any]] = [FeedEntry.objects.all(), Delivery.objects.all()]
    for queryset in querysets:
        changed_rows = []
        for row in queryset.filter(about, kind__in=name_keys).exclude(player=player):
            name_key = name_keys[row.kind]
            if row.data.get(name_key) == player.name:
                row.data[name_key] = former_name
                changed_rows.append(row)
        queryset.bulk_update(changed_rows, ["data"], batch_size=500)


def copy_feed_entries(guest: Player, player: Player, condition: Q) -> None:
    """Copy a guest's feed entries that match a condition to an account.

    Copied, not moved: a program that reads the account's feed by cursor would miss older entries.
    """
    entries = FeedEntry.objects.filter(condition, player=guest).defer("response_body").order_by("pk")
    notices.write_feed_entries(
        [
            FeedEntry(
                player=player,
                topic=entry.topic,
                kind=entry.kind,
                dedup_key=entry.dedup_key,
                data=entry.data,
                at=entry.at,
                notify_at=entry.notify_at,
                notice_stage=entry.notice_stage,
            )
            for entry in entries
        ]
    )
