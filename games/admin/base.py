"""How operators sign in, what they look at, and how they do something."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

from django.contrib import admin, messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils import timezone

from games.services.errors import Refusal

OURS = ("games", "tournaments")


def change_password(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
    """On the site's own page, which asks as often as it allows and no more."""
    return redirect("account_change_password")


admin.site.password_change = change_password  # type: ignore[method-assign, assignment]
for model in list(admin.site._registry):
    if model._meta.app_label not in OURS:
        admin.site.unregister(model)


class Looked(admin.ModelAdmin):
    """Something that operators look at: `shown` and no more, and nothing of it can be written."""

    shown: Sequence[str] = ()
    joined: Sequence[str] = ()
    list_per_page = 50
    show_full_result_count = False

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        return self.shown

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        return self.shown

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return super().get_queryset(request).select_related(*self.joined)

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        """Whether a list may be filtered so: by its own filters alone.

        Django allows a lookup on every field of the model, which finds out a password's hash or a key letter
        by letter although no page shows it.
        """
        return lookup.partition("__")[0] in self.list_filter and super().lookup_allowed(
            lookup, value, request
        )

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_deed_permission(self, request: HttpRequest) -> bool:
        """Whether they may do what is offered here, and not only look."""
        return request.user.has_perm(f"{self.opts.app_label}.change_{self.opts.model_name}")

    def deed(
        self,
        request: HttpRequest,
        chosen: QuerySet[Any],
        done: str,
        service: Callable[[Any, datetime], object],
        question: str = "",
    ) -> HttpResponse | None:
        """Do something to each, after asking if there is a question; refusals are told, deeds are logged."""
        if question and not request.POST.get("sure"):
            return self.ask(request, chosen, question)
        count, now = 0, timezone.now()
        for one in chosen:
            try:
                if service(one, now) is False:
                    continue
            except Refusal as refused:
                self.message_user(request, f"{one}: {refused}", messages.ERROR)
                continue
            self.log_change(request, one, done)
            count += 1
        self.message_user(request, f"{done}: {count}")
        return None

    def ask(self, request: HttpRequest, chosen: QuerySet[Any], question: str) -> HttpResponse:
        """A page that asks, with the same request behind its button."""
        around = {
            "title": question,
            "opts": self.opts,
            "chosen": chosen,
            "keys": request.POST.getlist(ACTION_CHECKBOX_NAME),
            "checkbox": ACTION_CHECKBOX_NAME,
            "deed": request.POST["action"],
            "across": request.POST.get("select_across", "0"),
        }
        return TemplateResponse(request, "admin/sure.html", self.admin_site.each_context(request) | around)


class Settled(Looked):
    """Something of which one thing can be changed."""

    changed: str

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self.has_deed_permission(request)

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        return [name for name in self.shown if name != self.changed]
