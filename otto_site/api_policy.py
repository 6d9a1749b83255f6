"""The promises to client authors, as a page; docs/api-policy.md has the same."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from common.api.deprecations import DEPRECATED_OPERATIONS, MIN_NOTICE_MONTHS

VERSION_NOTICE_MONTHS = 12  # for which a version of the API stays beside the next one


@require_safe
def show_api_policy(request: HttpRequest) -> HttpResponse:
    """Show what may change and what stays, and which operations are deprecated now."""
    context = {
        "deprecations": [
            {"operation_id": operation_id, "deprecation": deprecation}
            for operation_id, deprecation in sorted(DEPRECATED_OPERATIONS.items())
        ],
        "notice_months": MIN_NOTICE_MONTHS,
        "version_months": VERSION_NOTICE_MONTHS,
    }
    return render(request, "api_policy.html", context)
