"""How notices reach a player, as pages: what is wanted, what was sent, webhooks and private feeds."""

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

from games import kinds, links
from games.models import Webhook
from games.selectors import mail
from games.services import notices, players, webhooks
from games.services.errors import Refusal

from .me import me, show_or_act
from .me_forms import NoticesForm, WebhookForm

KINDS = {
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


@show_or_act
@login_required
@never_cache
def wanted(request: HttpRequest) -> HttpResponse:
    form = NoticesForm(request.POST or None, instance=me(request))
    if request.method == "POST" and form.is_valid():
        players.change_profile(player=me(request), now=timezone.now(), **form.cleaned_data)
        messages.success(request, _("Saved."))
        return redirect("notices")
    return render(request, "games/account/notices.html", {"form": form})


# ------------------------------------------------------------------------------------------------ deliveries


@require_safe
@login_required
@never_cache
def delivery(request: HttpRequest) -> HttpResponse:
    lines = [
        {"row": row, "what": label(row.kind), "to": mail.address_of(row)}
        for row in mail.deliveries(me(request))
    ]
    return render(request, "games/account/delivery.html", {"lines": lines})


def label(kind: str) -> str:
    """What a kind of notice is."""
    found = kinds.ELSEWHERE.get(kind)
    return str(found.label if found else KINDS.get(kind, kind))


@require_POST
@login_required
def test_mail(request: HttpRequest) -> HttpResponse:
    notices.test(player=me(request), now=timezone.now())
    messages.success(request, _("A test is on its way to you. This page will say what became of it."))
    return redirect("delivery")


@require_POST
@login_required
def revive(request: HttpRequest) -> HttpResponse:
    """The address takes mail again, says its player; a test shows whether that is so."""
    player, now = me(request), timezone.now()
    notices.revive(player=player, now=now)
    player.refresh_from_db()
    notices.test(player=player, now=now)
    messages.success(request, _("We try your address again, first with a test."))
    return redirect("delivery")


# ----------------------------------------------------------------------------------------- webhooks and feeds


@show_or_act
@login_required
@never_cache
def webhook_list(request: HttpRequest) -> HttpResponse:
    """Makes a webhook, too: its secret is in this one answer and nowhere else."""
    form = WebhookForm(request.POST or None)
    made: Webhook | None = None
    if request.method == "POST" and form.is_valid():
        try:
            made = webhooks.create(player=me(request), now=timezone.now(), **form.cleaned_data)
            form = WebhookForm()
        except Refusal as refusal:
            form.add_error("url", refusal.detail)
    return page_of_webhooks(request, form, made)


def page_of_webhooks(request: HttpRequest, form: WebhookForm, made: Webhook | None) -> HttpResponse:
    """All webhooks; of the one that was just made, or has a new secret, also that."""
    player = me(request)
    facts = {
        "form": form,
        "made": made,
        "made_host": mail.host_of(made) if made else "",
        "webhooks": [{"row": row, "host": mail.host_of(row)} for row in mail.webhooks(player)],
        "most": webhooks.MOST,
        "turns": links.page(f"/feeds/{player.key}/turns.atom"),
        "deadlines": links.page(f"/feeds/{player.key}/deadlines.ics"),
    }
    return render(request, "games/account/webhooks.html", facts)


@require_POST
@login_required
@never_cache
def change_webhook(request: HttpRequest, webhook_id: int, deed: str) -> HttpResponse:
    player, now = me(request), timezone.now()
    try:
        if deed == "test":
            webhooks.test(player=player, webhook_id=webhook_id, now=now)
            messages.success(request, _("A test is on its way. This page will say what became of it."))
            return redirect("delivery")
        if deed == "secret":
            changed = webhooks.rotate(player=player, webhook_id=webhook_id, now=now)
            return page_of_webhooks(request, WebhookForm(), changed)
        if deed == "delete":
            webhooks.delete(player=player, webhook_id=webhook_id, now=now)
            messages.success(request, _("The webhook is deleted."))
        else:
            webhooks.switch(player=player, webhook_id=webhook_id, active=deed == "on", now=now)
    except Refusal as refusal:
        messages.error(request, refusal.detail)
    return redirect("webhooks")


@require_POST
@login_required
def new_addresses(request: HttpRequest) -> HttpResponse:
    players.change_key(player=me(request), now=timezone.now())
    messages.success(request, _("Your feeds have new addresses; the old ones are worthless."))
    return redirect("webhooks")


hook = "webhooks/<int:webhook_id>/"
urlpatterns = [
    path("notices/", wanted, name="notices"),
    path("delivery/", delivery, name="delivery"),
    path("delivery/test/", test_mail, name="test-mail"),
    path("delivery/revive/", revive, name="revive"),
    path("webhooks/", webhook_list, name="webhooks"),
    path("feeds/new/", new_addresses, name="new-feeds"),
    *(
        path(f"{hook}{deed}/", change_webhook, {"deed": deed}, name=f"webhook-{deed}")
        for deed in ("test", "secret", "delete", "on", "off")
    ),
]
