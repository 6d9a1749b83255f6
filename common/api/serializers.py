"""Bases of request and response bodies, and how requests are held to them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy
from drf_spectacular.extensions import OpenApiSerializerExtension
from rest_framework import serializers
from rest_framework.request import Request

MAX_FIELD_NAME_LENGTH, MAX_REPORTED_FIELDS = 100, 20  # of unknown fields in an error


class RequestBody(serializers.Serializer):
    """A request body. Unknown and read-only fields are rejected."""

    default_error_messages = {"invalid": lazy("Send a JSON object with these fields.")}

    def to_internal_value(self, data: Any) -> Any:
        """Validate the fields. Raises ValidationError, also for unknown and read-only fields."""
        if isinstance(data, Mapping):
            field_errors = {}
            for name in data:
                field = self.fields.get(name) if isinstance(name, str) else None
                if field is None:
                    field_errors[str(name)[:MAX_FIELD_NAME_LENGTH]] = [_("Unknown field. Check its name.")]
                elif field.read_only:
                    field_errors[name] = [_("You cannot change this field here.")]
                if len(field_errors) >= MAX_REPORTED_FIELDS:
                    break
            if field_errors:
                raise serializers.ValidationError(field_errors)
        return super().to_internal_value(data)


class ClosedRequestBodyExtension(OpenApiSerializerExtension):
    """Request bodies allow no fields other than the documented ones."""

    target_class = "common.api.serializers.RequestBody"
    match_subclasses = True

    def map_serializer(self, auto_schema: Any, direction: Any) -> dict[str, Any]:
        """The serializer's schema with `additionalProperties: false`."""
        body_schema: dict[str, Any] = auto_schema._map_serializer(
            self.target, direction, bypass_extensions=True
        )
        return body_schema | {"additionalProperties": False}


def reject_body(method: Callable[..., Any]) -> Callable[..., Any]:
    """Decorate a view method that takes no body: every field is rejected."""

    @wraps(method)
    def wrapper(view: Any, request: Request, *args: Any, **kwargs: Any) -> Any:
        """Reject a body, then call the method. Raises ValidationError."""
        RequestBody(data=request.data or {}).is_valid(raise_exception=True)
        return method(view, request, *args, **kwargs)

    return wrapper


class ChangedPlaceSerializer(serializers.Serializer):
    """A final rank that a correction would change."""

    entrant = serializers.IntegerField(help_text="The `id` of the entrant.")
    name = serializers.CharField(help_text="The name of the entrant.")
    before = serializers.IntegerField(help_text="The final rank until now.")
    after = serializers.IntegerField(help_text="The final rank after the correction.")


class ProblemSerializer(serializers.Serializer):
    """A refused request as a problem document (RFC 9457)."""

    type = serializers.CharField(help_text="A URI reference to the page that explains this kind of problem.")
    title = serializers.CharField(help_text="The name of the status code, in English.")
    status = serializers.IntegerField(help_text="The status code of the response.")
    detail = serializers.CharField(
        allow_blank=True,
        help_text="The problem, for people, in the language of `Accept-Language`.",
    )
    code = serializers.CharField(
        help_text="The kind of problem, for programs. A code never changes its meaning; `/api/errors/` lists"
        " all of them."
    )
    errors = serializers.DictField(
        child=serializers.ListField(child=serializers.CharField()),
        required=False,
        help_text="With `invalid` and `invalid-value`: the messages for each wrong field, by its path, as"
        " `scopes.0`. Messages about the whole request are under `request`.",
    )
    scope = serializers.CharField(
        required=False, help_text="With `missing-scope`: the scope that the token lacks."
    )
    rule = serializers.CharField(
        required=False, help_text="With `illegal` and `not-your-turn`: the rule that the action breaks."
    )
    instead = serializers.ListField(
        child=serializers.CharField(),
        required=False,
        help_text="With `illegal`: some legal actions close to what you sent.",
    )
    retry_after = serializers.IntegerField(
        required=False, help_text="The number of seconds to wait, as in the header `Retry-After`."
    )
    field = serializers.CharField(required=False, help_text="The field of the request that is refused.")
    limit = serializers.IntegerField(
        required=False, help_text="The limit that you have reached, or the lowest value allowed."
    )
    places = ChangedPlaceSerializer(
        many=True,
        required=False,
        help_text="With `rank-changes`: the final ranks that the correction would change.",
    )
    reopens = serializers.BooleanField(
        required=False,
        help_text="With `rank-changes`: whether the correction would let the tournament go on.",
    )


def build_page_serializer(serializer_class: type[serializers.Serializer]) -> Any:
    """Build the serializer of one page of a list."""
    return type(
        f"{serializer_class.__name__.removesuffix('Serializer')}Page",
        (serializers.Serializer,),
        {
            "__doc__": "One page of a list.",
            "next": serializers.URLField(
                allow_null=True, help_text="The address of the next page; null on the last page."
            ),
            "previous": serializers.URLField(
                allow_null=True, help_text="The address of the previous page; null on the first page."
            ),
            "results": serializer_class(many=True, help_text="The items of this page, in order."),
        },
    )


def validate_query(serializer_class: type[serializers.Serializer], request: Request) -> dict[str, Any]:
    """Validate the query parameters. Raises ValidationError."""
    # A plain dict: DRF treats empty values of a QueryDict as missing.
    serializer = serializer_class(data=request.query_params.dict())
    serializer.is_valid(raise_exception=True)
    return dict(serializer.validated_data)
