"""Webhook calls in the OpenAPI document."""

from __future__ import annotations

from typing import Any

from django.utils import translation
from drf_spectacular.openapi import AutoSchema
from rest_framework import serializers
from rest_framework.views import APIView

from common.read_model_serializers import build_serializer
from notifications.notice_kinds import WebhookPayloadData, list_called_kinds

HEADERS = {
    "webhook-id": "The number of the delivery. A repeated call has the same number.",
    "webhook-timestamp": "When the call was signed, in seconds since 1970. Refuse it after five minutes.",
    "webhook-signature": "The signature of number, time and body, as Standard Webhooks has it: `v1,…`.",
}
EXAMPLE = {
    "id": 812,
    "kind": "turn",
    "tournament": None,
    "league": None,
    "round": None,
    "match": None,
    "game": "7h2kq9m4xwzb",
    "seat": 2,
    "seq": 31,
    "deadline": "2030-04-11T10:00:00Z",
    "deadline_kind": "turn",
    "round_end": None,
    "at": "2030-04-02T10:00:00Z",
    "url": "https://otto.example/games/7h2kq9m4xwzb/",
    "text": "It is your turn (with Bob).",
}


def build_payload_serializer() -> type[serializers.Serializer]:
    """Build the serializer of a call's body, with the kinds that webhooks are called with."""
    fields = build_serializer(WebhookPayloadData)._declared_fields
    with translation.override("en"):
        kinds = [(kind.value, str(kind.label)) for kind in list_called_kinds()]
    meanings = "; ".join(f"`{value}`: {label}" for value, label in kinds)
    kind = serializers.ChoiceField(
        [value for value, _label in kinds], help_text=f"{fields['kind'].help_text} {meanings}."
    )
    deadline_kind = serializers.ChoiceField(
        ["turn", "round"], allow_null=True, help_text=str(fields["deadline_kind"].help_text)
    )
    namespace = fields | {"kind": kind, "deadline_kind": deadline_kind, "__doc__": WebhookPayloadData.__doc__}
    return type(serializers.Serializer)("WebhookPayloadSerializer", (serializers.Serializer,), namespace)


def add_webhooks(result: dict[str, Any], generator: Any, request: Any, public: bool) -> dict[str, Any]:
    """Add the calls to webhooks. A postprocessing hook of drf-spectacular."""
    auto_schema = AutoSchema()
    auto_schema.registry, auto_schema.view = generator.registry, APIView(request=None)
    auto_schema.method = "POST"
    component = auto_schema._map_serializer(build_payload_serializer()(), "response")
    round_end = component["properties"]["round_end"]  # the same as in the view of a game
    component["properties"]["round_end"] = {
        "oneOf": [{"$ref": "#/components/schemas/RoundEnd"}, {"type": "null"}],
        "description": round_end["description"],
    }
    result["components"]["schemas"]["WebhookPayload"] = component
    result["components"]["schemas"] = dict(sorted(result["components"]["schemas"].items()))
    result["webhooks"] = {
        "notice": {
            "post": {
                "operationId": "webhook_notice",
                "summary": "Receive a notification",
                "description": "We call each of your active webhooks that takes JSON. Answer with any 2xx"
                " status; otherwise we repeat the call later. We do not follow redirects.",
                "tags": ["me"],
                "security": [],
                "parameters": [
                    {
                        "name": name,
                        "in": "header",
                        "required": True,
                        "description": description,
                        "schema": {"type": "string"},
                    }
                    for name, description in HEADERS.items()
                ],
                "requestBody": {
                    "required": True,
                    "content": {
                        "application/json": {
                            "schema": {"$ref": "#/components/schemas/WebhookPayload"},
                            "example": EXAMPLE,
                        }
                    },
                },
                "responses": {"2XX": {"description": "The notification has arrived."}},
            }
        }
    }
    return result
