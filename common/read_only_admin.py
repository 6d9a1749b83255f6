"""Base classes of the admin pages: operators look, run declared actions, and change little."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

from django.contrib import admin, messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils import timezone

from common.service_errors import ServiceError


class ReadOnlyAdmin(admin.ModelAdmin):
    """A read-only admin page that shows only `display_fields`."""

    display_fields: Sequence[str] = ()
    joined_relations: Sequence[str] = ()
    list_per_page = 50
    show_full_result_count = False

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """Show only `display_fields`."""
        return self.display_fields

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """Make every shown field read-only."""
        return self.display_fields

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """Join the related rows that the pages show."""
        return super().get_queryset(request).select_related(*self.joined_relations)

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        """True if a list may be filtered by a lookup: only by the declared filters.

        Django allows a lookup on every field of the model, which would reveal a password hash or a token
        character by character although no page shows it.
        """
        return lookup.partition("__")[0] in self.list_filter and super().lookup_allowed(
            lookup, value, request
        )

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Nothing can be added."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nothing can be changed."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nothing can be deleted."""
        return False

    def has_operate_permission(self, request: HttpRequest) -> bool:
        """True if the operator may run the actions of this page, and not only look."""
        return request.user.has_perm(f"{self.opts.app_label}.change_{self.opts.model_name}")

    def run_action(
        self,
        request: HttpRequest,
        queryset: QuerySet[Any],
        log_message: str,
        service: Callable[[Any, datetime], object],
        question: str = "",
    ) -> HttpResponse | None:
        """Run a service on each selected object, after a confirmation page if there is a question.

        1. With a question and no confirmation yet, show the confirmation page.
        2. Call the service on each object. A ServiceError is shown as an error; False means nothing was done.
        3. Log each change with the operator's name.
        4. Show how many objects were changed.
        """
        if question and not request.POST.get("sure"):
            return self.confirm_action(request, queryset, question)
        count, now = 0, timezone.now()
        for instance in queryset:
            try:
                if service(instance, now) is False:
                    continue
            except ServiceError as error:
                self.message_user(request, f"{instance}: {error}", messages.ERROR)
                continue
            self.log_change(request, instance, log_message)
            count += 1
        self.message_user(request, f"{log_message}: {count}")
        return None

    def confirm_action(self, request: HttpRequest, queryset: QuerySet[Any], question: str) -> HttpResponse:
        """A confirmation page whose button repeats the request."""
        context = {
            "title": question,
            "opts": self.opts,
            "selected_rows": queryset,
            "keys": request.POST.getlist(ACTION_CHECKBOX_NAME),
            "checkbox": ACTION_CHECKBOX_NAME,
            "action_name": request.POST["action"],
            "select_across": request.POST.get("select_across", "0"),
        }
        return TemplateResponse(
            request, "admin/confirm_action.html", self.admin_site.each_context(request) | context
        )


class SingleFieldAdmin(ReadOnlyAdmin):
    """An admin page on which one field can be changed."""

    editable_field: str

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Operators with the action permission may change the field."""
        return self.has_operate_permission(request)

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """Make all fields read-only but `editable_field`."""
        return [name for name in self.display_fields if name != self.editable_field]
