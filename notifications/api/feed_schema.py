"""Feeds in the OpenAPI document: a type for each kind of entry, told apart by `kind`."""

from __future__ import annotations

from functools import cache

from drf_spectacular.utils import PolymorphicProxySerializer, extend_schema_field
from rest_framework import serializers

from common.read_model_serializers import build_serializer
from notifications.feed_entry_types import FeedEntryType, load_feed_entry_types
from notifications.selectors.feed import FeedData, FeedEntryData


def build_entry_serializer(entry_type: FeedEntryType) -> type[serializers.Serializer]:
    """Build the serializer of the entries of a type."""
    shared_fields = build_serializer(FeedEntryData)._declared_fields
    fields = {
        "kind": serializers.ChoiceField(
            [str(kind) for kind in entry_type.kinds], help_text=str(shared_fields["kind"].help_text)
        ),
        "data": build_serializer(entry_type.shown_details)(help_text=str(shared_fields["data"].help_text)),
    }
    namespace = shared_fields | fields | {"__doc__": entry_type.details.__doc__}
    return type(serializers.Serializer)(f"{entry_type.name}Serializer", (serializers.Serializer,), namespace)


@cache  # a document may not have two classes of one name
def build_feed_entry_serializer() -> PolymorphicProxySerializer:
    """Build the serializer of an entry of any kind."""
    serializers_by_kind = {
        kind: serializer
        for entry_type in load_feed_entry_types()
        for serializer in [build_entry_serializer(entry_type)]
        for kind in map(str, entry_type.kinds)
    }
    return PolymorphicProxySerializer(
        component_name="FeedEntry", serializers=serializers_by_kind, resource_type_field_name="kind"
    )


@cache
def build_feed_serializer() -> type[serializers.Serializer]:
    """Build the serializer of a page of the feed."""
    entry_field = extend_schema_field(build_feed_entry_serializer())(
        type("FeedEntryField", (serializers.Field,), {})
    )
    fields = build_serializer(FeedData)._declared_fields
    results = serializers.ListField(child=entry_field(), help_text=str(fields["results"].help_text))
    namespace = fields | {"results": results, "__doc__": FeedData.__doc__}
    return type(serializers.Serializer)("FeedSerializer", (serializers.Serializer,), namespace)
