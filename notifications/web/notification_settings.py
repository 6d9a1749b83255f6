"""Notification settings: which notices, deliveries so far, webhooks, private feeds."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.models import Player
from accounts.services import players
from accounts.web.account_settings import allow_get_and_post, edit_preferences
from accounts.web.request_utils import current_player
from common.service_errors import ServiceError
from notifications.models import Webhook
from notifications.notice_kinds import PreferenceGroup, get_notice_kind, load_notice_kinds
from notifications.selectors import deliveries
from notifications.services import notices, webhooks

from .feeds import build_feed_addresses
from .notification_settings_forms import NoticesForm, WebhookForm, WebhookNoticesForm
from .push import build_push_context


@allow_get_and_post
@login_required
@never_cache
def edit_notice_settings(request: HttpRequest) -> HttpResponse:
    """Edit which notices the player gets."""
    return edit_preferences(
        request,
        NoticesForm,
        "notices",
        "notifications/notices.html",
        game_labels=list_kind_labels(PreferenceGroup.TURNS, PreferenceGroup.GENERAL),
        tournament_labels=list_kind_labels(PreferenceGroup.TOURNAMENTS),
        **build_push_context(current_player(request)),
    )


def list_kind_labels(*groups: PreferenceGroup) -> list[str]:
    """List the labels of the kinds of notice that a preference decides about, each once."""
    kinds = [kind for kind in load_notice_kinds().values() if kind.group in groups and not kind.is_feed_only]
    return list(dict.fromkeys(str(kind.label) for kind in kinds))


# ------------------------------------------------------------------------------------------------ deliveries


@require_safe
@login_required
@never_cache
def show_deliveries(request: HttpRequest) -> HttpResponse:
    """Show the latest deliveries to the player."""
    delivery_rows = [
        {
            "row": row,
            "kind_label": get_notice_kind(row.kind).label,
            "page": get_notice_kind(row.kind).find_page(row),
            "to": deliveries.delivery_address_of(row),
            "device": row.push_device.label if row.push_device else "",
        }
        for row in deliveries.list_recent_deliveries(current_player(request))
    ]
    return render(request, "notifications/delivery.html", {"lines": delivery_rows})


@require_POST
@login_required
def send_test_mail(request: HttpRequest) -> HttpResponse:
    """Send a test notice to the player."""
    notices.create_test_mail(player=current_player(request), now=timezone.now())
    messages.success(request, _("We have sent you a test mail. This page shows whether it arrived."))
    return redirect("delivery")


@require_POST
@login_required
def retry_address(request: HttpRequest) -> HttpResponse:
    """Clear the bounce of the player's address and send a test notice to it."""
    player, now = current_player(request), timezone.now()
    notices.clear_email_bounce(player=player, now=now)
    player.refresh_from_db()
    notices.create_test_mail(player=player, now=now)
    messages.success(request, _("We are trying your address again with a test mail."))
    return redirect("delivery")


# ----------------------------------------------------------------------------------------- webhooks and feeds


@allow_get_and_post
@login_required
@never_cache
def manage_webhooks(request: HttpRequest) -> HttpResponse:
    """List webhooks; on POST create one, whose secret is only in this response."""
    form = WebhookForm(request.POST or None)
    new_webhook: Webhook | None = None
    if request.method == "POST" and form.is_valid():
        try:
            new_webhook = webhooks.create_webhook(
                player=current_player(request), now=timezone.now(), **form.cleaned_data
            )
            form = WebhookForm()
        except ServiceError as error:
            form.add_error("url", error.detail)
    return render_webhooks(request, form, new_webhook)


def render_webhooks(request: HttpRequest, form: WebhookForm, new_webhook: Webhook | None) -> HttpResponse:
    """Render all webhooks; of a new one, or one with a new secret, also the secret."""
    player = current_player(request)
    context = {
        "form": form,
        "new_webhook": new_webhook,
        "new_webhook_host": deliveries.webhook_host_of(new_webhook) if new_webhook else "",
        "webhooks": build_webhook_rows(player),
        "max_webhooks": webhooks.MAX_WEBHOOKS_PER_PLAYER,
        **vars(build_feed_addresses(player)),
    }
    return render(request, "notifications/webhooks.html", context)


def build_webhook_rows(player: Player) -> list[dict[str, Any]]:
    """Build a row for each webhook: itself, its notices, the calls that failed, and the form."""
    webhook_rows = list(deliveries.list_webhooks(player))
    return [
        {
            "row": row,
            "host": deliveries.webhook_host_of(row),
            "data": data,
            "kind_labels": [get_notice_kind(kind).label for kind in data.kinds or ()],
            "failing_calls": [
                {"call": call, "kind_label": get_notice_kind(call.kind).label} for call in data.failing_calls
            ],
            "notices_form": WebhookNoticesForm.for_webhook(row),
        }
        for row, data in zip(webhook_rows, deliveries.build_webhooks_data(webhook_rows), strict=True)
    ]


def webhook_command(command: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Decorator for a command on one webhook of the player; the page of webhooks shows an error."""

    @wraps(command)
    def wrapper(request: HttpRequest, webhook_id: int) -> HttpResponse:
        try:
            return command(request, player=current_player(request), webhook_id=webhook_id, now=timezone.now())
        except ServiceError as error:
            messages.error(request, error.detail)
            return redirect("webhooks")

    return require_POST(login_required(never_cache(wrapper)))


@webhook_command
def send_test_call(request: HttpRequest, **target: Any) -> HttpResponse:
    """Call the webhook with a test notice."""
    webhooks.create_test_call(**target)
    messages.success(request, _("We have sent a test. This page shows whether it arrived."))
    return redirect("delivery")


@webhook_command
def change_webhook_notices(request: HttpRequest, **target: Any) -> HttpResponse:
    """Change which notices the webhook is called with, and when."""
    form = WebhookNoticesForm(request.POST)
    if not form.is_valid():
        messages.error(
            request, _("Choose when we call the webhook, and tick only notifications from the list.")
        )
        return redirect("webhooks")
    webhooks.change_webhook(**form.cleaned_data, **target)
    messages.success(request, _("Webhook updated."))
    return redirect("webhooks")


@webhook_command
def rotate_webhook_secret(request: HttpRequest, **target: Any) -> HttpResponse:
    """Give the webhook a new secret, which is only in this response."""
    return render_webhooks(request, WebhookForm(), webhooks.rotate_webhook_secret(**target))


@webhook_command
def switch_webhook_on(request: HttpRequest, **target: Any) -> HttpResponse:
    """Call the webhook again from now on."""
    webhooks.set_webhook_active(active=True, **target)
    return redirect("webhooks")


@webhook_command
def switch_webhook_off(request: HttpRequest, **target: Any) -> HttpResponse:
    """Call the webhook no more, until it is switched on."""
    webhooks.set_webhook_active(active=False, **target)
    return redirect("webhooks")


@webhook_command
def delete_webhook(request: HttpRequest, **target: Any) -> HttpResponse:
    """Delete the webhook."""
    webhooks.delete_webhook(**target)
    messages.success(request, _("Webhook deleted."))
    return redirect("webhooks")


@require_POST
@login_required
def replace_feed_addresses(request: HttpRequest) -> HttpResponse:
    """Replace the feed token, which invalidates the old feed URLs."""
    players.rotate_feed_token(player=current_player(request), now=timezone.now())
    messages.success(request, _("Your feeds have new addresses. The old ones no longer work."))
    return redirect("webhooks")


urlpatterns = [
    path("notices/", edit_notice_settings, name="notices"),
    path("delivery/", show_deliveries, name="delivery"),
    path("delivery/test/", send_test_mail, name="test-mail"),
    path("delivery/revive/", retry_address, name="revive"),
    path("webhooks/", manage_webhooks, name="webhooks"),
    path("feeds/new/", replace_feed_addresses, name="new-feeds"),
    path("webhooks/<int:webhook_id>/test/", send_test_call, name="webhook-test"),
    path("webhooks/<int:webhook_id>/change/", change_webhook_notices, name="webhook-change"),
    path("webhooks/<int:webhook_id>/secret/", rotate_webhook_secret, name="webhook-secret"),
    path("webhooks/<int:webhook_id>/delete/", delete_webhook, name="webhook-delete"),
    path("webhooks/<int:webhook_id>/on/", switch_webhook_on, name="webhook-on"),
    path("webhooks/<int:webhook_id>/off/", switch_webhook_off, name="webhook-off"),
]
