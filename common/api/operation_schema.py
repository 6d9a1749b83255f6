"""Operations in the OpenAPI document: their declarations, and what follows from the method."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any

from drf_spectacular.openapi import AutoSchema
from rest_framework.pagination import CursorPagination

from .locations import Location
from .refusal_responses import GENERAL_CODES, KEY_CODES, build_own_refusal
from .serializers import ProblemSerializer
from .shared_parts import RATE_LIMIT_HEADERS, REFUSALS, Schema, refer_to

WRITE_METHODS = ("POST", "PUT", "PATCH", "DELETE")
BODY_METHODS = ("POST", "PUT", "PATCH")
# Any request may be refused with these; 400 for an unknown parameter, 403 for a token without the scope.
COMMON_REFUSALS = (400, 401, 403, 406, 429, 503)


@dataclass(frozen=True)
class OperationDeclaration:
    """The declaration of an operation by its view method, beyond what drf-spectacular takes.

    `refusals` are error codes by status that do not follow from method, address and parameters; `denials` are
    those of a token that may not do this.
    """

    refusals: Mapping[int, Sequence[str]] = field(default_factory=dict)
    denials: tuple[str, ...] = ()
    has_etag: bool = False
    pagination: type[CursorPagination] | None = None
    response_headers: tuple[str, ...] = ()
    location: Location | None = None
    path_parameters: Mapping[str, str] = field(default_factory=dict)


def list_refusal_statuses(
    declaration: OperationDeclaration, method: str, *, has_path_values: bool
) -> list[int]:
    """List the statuses with which an operation can refuse a request."""
    statuses = {*COMMON_REFUSALS, *declaration.refusals}
    if has_path_values:
        statuses.add(404)
    if method in WRITE_METHODS:
        statuses.add(409)
    if method in BODY_METHODS:
        statuses |= {413, 415}
    return sorted(statuses)


def build_page_size_parameter(pagination: type[CursorPagination]) -> Schema:
    """Build the parameter that chooses how many items a page has."""
    return {
        "name": str(pagination.page_size_query_param),
        "in": "query",
        "description": f"The most items on a page, from 1 to {pagination.max_page_size}."
        f" The default is {pagination.page_size}.",
        "schema": {
            "type": "integer",
            "minimum": 1,
            "maximum": pagination.max_page_size,
            "default": pagination.page_size,
        },
    }


def split_docstring(docstring: str) -> tuple[str, str]:
    """Split the docstring of an operation into its summary, without the period, and its description."""
    summary, *paragraphs = (" ".join(part.split()) for part in inspect.cleandoc(docstring).split("\n\n"))
    return summary.removesuffix("."), "\n\n".join(paragraphs)


class OperationSchema(AutoSchema):
    """Adds to an operation its summary, its refusals, its headers and its pages."""

    @property
    def declaration(self) -> OperationDeclaration:
        """The declaration of the view method; an operation without one is a bug."""
        declaration: OperationDeclaration = getattr(self.view, self.method.lower()).declaration
        return declaration

    def get_summary(self) -> str:
        """The first paragraph of the docstring."""
        return split_docstring(getattr(self.view, self.method.lower()).__doc__ or "")[0]

    def get_description(self) -> str:
        """The other paragraphs of the docstring."""
        return split_docstring(getattr(self.view, self.method.lower()).__doc__ or "")[1]

    def get_operation(self, *args: Any, **kwargs: Any) -> Schema | None:
        """Return the operation with all that its declaration says."""
        operation: Schema | None = super().get_operation(*args, **kwargs)
        if operation is not None:
            self.resolve_serializer(ProblemSerializer, "response")
            self.complete_parameters(operation)
            self.complete_responses(operation)
        return operation

    def complete_parameters(self, operation: Schema) -> None:
        """Describe the values of the address, and add the parameters that operations share."""
        declaration = self.declaration
        parameters: list[Schema] = operation.get("parameters", [])
        for parameter in parameters:
            if parameter["in"] == "path":
                parameter["description"] = declaration.path_parameters[parameter["name"]]
        if declaration.pagination:
            parameters += [
                refer_to("parameters", "Cursor"),
                build_page_size_parameter(declaration.pagination),
            ]
        if declaration.has_etag:
            parameters.append(refer_to("parameters", "IfNoneMatch"))
        if self.method == "POST":
            parameters.append(refer_to("parameters", "IdempotencyKey"))
        if parameters:
            operation["parameters"] = parameters

    def complete_responses(self, operation: Schema) -> None:
        """Describe the answer, and add its headers and the refusals."""
        declaration = self.declaration
        parameters = operation.get("parameters", [])
        headers = [*RATE_LIMIT_HEADERS, *declaration.response_headers, *["ETag"] * declaration.has_etag]
        for status, response in operation["responses"].items():
            response["description"] = self.describe_response(response) or HTTPStatus(int(status)).phrase
            response["headers"] = {name: refer_to("headers", name) for name in sorted(headers)}
            if declaration.location and status == "201":
                response["headers"]["Location"] = declaration.location.build_header()
        if declaration.has_etag:
            operation["responses"]["304"] = refer_to("responses", "NotModified")
        statuses = list_refusal_statuses(
            declaration,
            self.method,
            has_path_values=any(parameter.get("in") == "path" for parameter in parameters),
        )
        for status_code in statuses:
            operation["responses"][str(status_code)] = self.build_refusal_response(status_code)
        operation["responses"] = dict(sorted(operation["responses"].items()))

    def build_refusal_response(self, status: int) -> Schema:
        """Build the response of a refusal: shared, or with the codes that this operation alone has."""
        own_codes = self.declaration.refusals.get(status, ())
        if not own_codes:
            return refer_to("responses", REFUSALS[status][0])
        general_codes: tuple[str, ...] = GENERAL_CODES.get(status, ())
        if status == 403:
            csrf = ("csrf",) if self.method in WRITE_METHODS else ()
            general_codes = (*self.declaration.denials, *csrf, *general_codes)
        if self.method == "POST":
            general_codes = (*general_codes, *KEY_CODES.get(status, ()))
        return build_own_refusal(status, own_codes, general_codes)

    def describe_response(self, response: Schema) -> str:
        """Return the description of what an answer holds, from its read model."""
        if response.get("description"):
            return str(response["description"])
        for media in response.get("content", {}).values():
            schema = media.get("schema", {})
            reference = schema.get("$ref") or schema.get("items", {}).get("$ref")
            if reference:
                name = reference.rpartition("/")[2]
                component = next(part for part in self.registry._components.values() if part.name == name)
                text = str(component.schema.get("description", ""))
                return f"A list. Each item: {text}" if "items" in schema else text
        return ""
