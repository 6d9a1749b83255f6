"""Operations that will go: since when they are deprecated, and when they end. See docs/api-policy.md.

An operation gets a row in `DEPRECATED_OPERATIONS`; headers, OpenAPI document and policy page follow from it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from django.conf import settings
from django.http import HttpResponse
from django.urls import reverse
from django.utils.http import http_date

MIN_NOTICE_MONTHS = 6  # between the announcement and the end
MIN_NOTICE = timedelta(days=182)


@dataclass(frozen=True)
class Deprecation:
    """The day of an operation's deprecation, the day of its end, and the id of its replacement, if any.

    Raises ValueError if it would end sooner than is promised.
    """

    since: date
    sunset: date
    replacement: str = ""

    def __post_init__(self) -> None:
        if self.sunset - self.since < MIN_NOTICE:
            raise ValueError(
                f"an operation ends {MIN_NOTICE_MONTHS} months after it is deprecated, not sooner"
            )


# By operation id of the OpenAPI document.
DEPRECATED_OPERATIONS: dict[str, Deprecation] = {}


def read_timestamp(day: date) -> int:
    """Return the first second of a day, UTC, as a Unix timestamp."""
    return int(datetime.combine(day, time(), UTC).timestamp())


def add_deprecation_headers(response: HttpResponse, operation_id: str) -> None:
    """Say in a response that its operation will go: Deprecation (RFC 9745), Sunset (RFC 8594) and Link."""
    deprecation = DEPRECATED_OPERATIONS.get(operation_id)
    if deprecation is None:
        return
    response["Deprecation"] = f"@{read_timestamp(deprecation.since)}"
    response["Sunset"] = http_date(read_timestamp(deprecation.sunset))
    address = f"{settings.SITE_URL}{reverse('api-policy')}"
    links = [
        f'<{address}#{operation_id}>; rel="deprecation"; type="text/html"',
        f'<{address}>; rel="sunset"; type="text/html"',
    ]
    if deprecation.replacement:
        replacement = f"{settings.SITE_URL}{reverse('api-operation', args=[deprecation.replacement])}"
        links.append(f'<{replacement}>; rel="successor-version"; type="text/html"')
    response["Link"] = ", ".join([*([response["Link"]] if "Link" in response else []), *links])


def mark_deprecated_operations(
    result: dict[str, Any], generator: Any, request: Any, public: bool
) -> Mapping[str, Any]:
    """drf-spectacular's hook: mark deprecated operations in the OpenAPI document."""
    for item in result["paths"].values():
        for operation in item.values():
            if isinstance(operation, dict) and operation.get("operationId") in DEPRECATED_OPERATIONS:
                operation["deprecated"] = True
    return result
