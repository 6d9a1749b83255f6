"""Notification settings: which notices, deliveries so far, webhooks, private feeds."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from games import notice_kinds, signed_links
from games.models import Webhook
from games.selectors import deliveries
from games.services import notices, players, webhooks
from games.services.errors import ServiceError

from .account_settings import allow_get_and_post, current_player
from .account_settings_forms import NoticesForm, WebhookForm

NOTICE_LABELS = {
    "turn": lazy("your turn"),
    "reminder": lazy("a reminder"),
    "digest": lazy("the daily mail"),
    "started": lazy("a game began"),
    "moved": lazy("a move"),
    "timeout": lazy("time was up"),
    "vacation": lazy("vacation was taken"),
    "blind": lazy("a blind match opened"),
    "over": lazy("a game ended"),
    "cancelled": lazy("a game was cancelled"),
    "pause": lazy("A pause is proposed"),
    "paused": lazy("All have agreed to a pause"),
    "pause-declined": lazy("No pause"),
    "invited": lazy("an invitation"),
    "reply": lazy("the answer to your mail"),
    "test": lazy("a test"),
}


@allow_get_and_post
@login_required
@never_cache
def edit_notice_settings(request: HttpRequest) -> HttpResponse:
    """Edit which notices the player gets."""
    form = NoticesForm(request.POST or None, instance=current_player(request))
    if request.method == "POST" and form.is_valid():
        players.change_profile(player=current_player(request), now=timezone.now(), **form.cleaned_data)
        messages.success(request, _("Saved."))
        return redirect("notices")
    return render(request, "games/account/notices.html", {"form": form})


# ------------------------------------------------------------------------------------------------ deliveries


@require_safe
@login_required
@never_cache
def show_deliveries(request: HttpRequest) -> HttpResponse:
    """Show the latest deliveries to the player."""
    delivery_rows = [
        {"row": row, "what": label_notice_kind(row.kind), "to": deliveries.delivery_address_of(row)}
        for row in deliveries.list_recent_deliveries(current_player(request))
    ]
    return render(request, "games/account/delivery.html", {"lines": delivery_rows})


def label_notice_kind(kind: str) -> str:
    """Return the label of a notice kind."""
    registered_kind = notice_kinds.NOTICE_KINDS.get(kind)
    return str(registered_kind.label if registered_kind else NOTICE_LABELS.get(kind, kind))


@require_POST
@login_required
def send_test_mail(request: HttpRequest) -> HttpResponse:
    """Send a test notice to the player."""
    notices.create_test_mail(player=current_player(request), now=timezone.now())
    messages.success(request, _("A test is on its way to you. This page will say what became of it."))
    return redirect("delivery")


@require_POST
@login_required
def retry_address(request: HttpRequest) -> HttpResponse:
    """Clear the bounce of the player's address and send a test notice to it."""
    player, now = current_player(request), timezone.now()
    notices.clear_email_bounce(player=player, now=now)
    player.refresh_from_db()
    notices.create_test_mail(player=player, now=now)
    messages.success(request, _("We try your address again, first with a test."))
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
        "made": new_webhook,
        "made_host": deliveries.webhook_host_of(new_webhook) if new_webhook else "",
        "webhooks": [
            {"row": row, "host": deliveries.webhook_host_of(row)} for row in deliveries.list_webhooks(player)
        ],
        "most": webhooks.MAX_WEBHOOKS_PER_PLAYER,
        "turns": signed_links.build_absolute_url(f"/feeds/{player.key}/turns.atom"),
        "deadlines": signed_links.build_absolute_url(f"/feeds/{player.key}/deadlines.ics"),
    }
    return render(request, "games/account/webhooks.html", context)


@require_POST
@login_required
@never_cache
def change_webhook(request: HttpRequest, webhook_id: int, deed: str) -> HttpResponse:
    """Test, switch on or off, delete a webhook, or give it a new secret."""
    player, now = current_player(request), timezone.now()
    try:
        if deed == "test":
            webhooks.create_test_call(player=player, webhook_id=webhook_id, now=now)
            messages.success(request, _("A test is on its way. This page will say what became of it."))
            return redirect("delivery")
        if deed == "secret":
            webhook = webhooks.rotate_webhook_secret(player=player, webhook_id=webhook_id, now=now)
            return render_webhooks(request, WebhookForm(), webhook)
        if deed == "delete":
            webhooks.delete_webhook(player=player, webhook_id=webhook_id, now=now)
            messages.success(request, _("The webhook is deleted."))
        else:
            webhooks.set_webhook_active(player=player, webhook_id=webhook_id, active=deed == "on", now=now)
    except ServiceError as error:
        messages.error(request, error.detail)
    return redirect("webhooks")


@require_POST
@login_required
def replace_feed_addresses(request: HttpRequest) -> HttpResponse:
    """Replace the feed token, which invalidates the old feed URLs."""
    players.rotate_feed_token(player=current_player(request), now=timezone.now())
    messages.success(request, _("Your feeds have new addresses; the old ones are worthless."))
    return redirect("webhooks")


WEBHOOK_PATH = "webhooks/<int:webhook_id>/"
urlpatterns = [
    path("notices/", edit_notice_settings, name="notices"),
    path("delivery/", show_deliveries, name="delivery"),
    path("delivery/test/", send_test_mail, name="test-mail"),
    path("delivery/revive/", retry_address, name="revive"),
    path("webhooks/", manage_webhooks, name="webhooks"),
    path("feeds/new/", replace_feed_addresses, name="new-feeds"),
    *(
        path(f"{WEBHOOK_PATH}{action}/", change_webhook, {"deed": action}, name=f"webhook-{action}")
        for action in ("test", "secret", "delete", "on", "off")
    ),
]
