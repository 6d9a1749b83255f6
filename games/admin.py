"""For operators: a look at everything that is no player's secret, and the few deeds that are theirs.

Every deed goes through the service that the site itself uses, is asked about where it weighs much, and is
logged with who did it. Seeds, hands, towers, notes, passwords, tokens and the words of a chat that nobody
reported are not here. What other apps would show of addresses, second factors and tokens is taken out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

from allauth.account.decorators import secure_admin_login
from django import forms
from django.contrib import admin, messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.translation import gettext as _

from games.models import (
    Delivery,
    Game,
    Incident,
    Message,
    Player,
    Received,
    Report,
    Tally,
    Token,
    Webhook,
)
from games.selectors import name_at
from games.selectors.mail import host_of
from games.services import incidents, outbox, players, tokens, webhooks
from games.services.errors import Conflict, Refusal

OURS = ("games", "tournaments")


def change_password(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
    """On the site's own page, which asks as often as it allows and no more."""
    return redirect("account_change_password")


# Operators sign in where everybody does: with the same limits, the same second factor, the same codes.
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]
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


@admin.register(Player)
class PlayerAdmin(Looked):
    """Accounts and guests; they can be blocked, and let in again."""

    list_display = ["name", "email", "joined_at", "seen_at", "guest", "is_active", "is_staff"]
    list_filter = ["is_active", "guest", "is_staff"]
    search_fields = ["^name", "^email"]
    ordering = ["-pk"]
    shown = [
        *("name", "email", "language", "time_zone", "mails", "tournament_mails", "joined_at", "last_login"),
        *("seen_at", "mailed_at", "dead_at", "dead_why", "away_from", "away_until", "guest", "is_active"),
        "is_staff",
    ]
    actions = ["block", "unblock"]

    @admin.action(description="Block: they cannot come in any more", permissions=["deed"])
    def block(self, request: HttpRequest, chosen: QuerySet[Player]) -> HttpResponse | None:
        def blocked(one: Player, now: datetime) -> None:
            players.block(player=one, now=now)

        return self.deed(request, chosen, "blocked", blocked, "Block these players?")

    @admin.action(description="Unblock: they may come in again", permissions=["deed"])
    def unblock(self, request: HttpRequest, chosen: QuerySet[Player]) -> HttpResponse | None:
        def unblocked(one: Player, now: datetime) -> None:
            players.unblock(player=one, now=now)

        return self.deed(request, chosen, "unblocked", unblocked)


@admin.register(Game)
class GameAdmin(Looked):
    """Games from outside: terms and times. What their clocks wait for could tell what somebody holds."""

    list_display = ["code", "status", "names", "mode", "seq", "created_at", "moved_at", "deadline", "private"]
    list_filter = ["status", "mode", "rated", "private"]
    search_fields = ["code__exact"]
    ordering = ["-pk"]
    joined = ["creator"]
    shown = [
        *("code", "page", "status", "names", "creator", "created_at", "started_at", "finished_at"),
        *("mode", "edition", "rules", "seats", "cards", "obligation", "target", "order", "private", "rated"),
        *("chat", "clock", "allowance", "bank", "blind_allowance", "timeouts", "weekends", "nights"),
        *("vacation", "paused_from", "paused_until", "seq", "moved_at", "deadline", "commitment"),
    ]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Game]:
        return super().get_queryset(request).defer("clocks", "opening").prefetch_related("places__player")

    @admin.display(description="players")
    def names(self, game: Game) -> str:
        places = sorted(game.places.all(), key=lambda place: (place.number or 9, place.joined))
        return ", ".join(name_at(place) for place in places)

    @admin.display(description="page")
    def page(self, game: Game) -> str:
        return format_html('<a href="/games/{0}/">/games/{0}/</a>', game.code)


@admin.register(Delivery)
class DeliveryAdmin(Looked):
    """Mails and calls of webhooks, and what became of them; what was given up can be sent again."""

    list_display = ["made_at", "player", "kind", "by", "status", "tries", "due_at", "why"]
    list_filter = ["status", "kind"]
    search_fields = ["player__name__iexact", "game__code__exact"]
    ordering = ["-pk"]
    joined = ["player", "game", "webhook"]
    shown = [
        *("player", "game", "kind", "by", "reason", "status", "why", "tries", "made_at", "due_at"),
        *("sent_at", "delivered_at", "opened_at", "address"),
    ]
    actions = ["again"]

    @admin.display(description="by")
    def by(self, delivery: Delivery) -> str:
        return host_of(delivery.webhook) if delivery.webhook else "mail"

    @admin.action(description="Send again what was given up or came back", permissions=["deed"])
    def again(self, request: HttpRequest, chosen: QuerySet[Delivery]) -> HttpResponse | None:
        def sent(one: Delivery, now: datetime) -> bool:
            return outbox.again(delivery=one, now=now)

        return self.deed(request, chosen, "sent again", sent)


@admin.register(Webhook)
class WebhookAdmin(Looked):
    """Where players are told things; the whole address is a secret of theirs."""

    list_display = ["player", "host", "preset", "active", "trouble", "at"]
    list_filter = ["active", "preset"]
    search_fields = ["player__name__iexact"]
    ordering = ["-pk"]
    joined = ["player"]
    shown = ["player", "host", "preset", "active", "trouble", "at"]
    actions = ["switch_off"]

    @admin.display(description="host")
    def host(self, webhook: Webhook) -> str:
        return host_of(webhook)

    @admin.action(description="Switch off: what waits for them is dropped", permissions=["deed"])
    def switch_off(self, request: HttpRequest, chosen: QuerySet[Webhook]) -> HttpResponse | None:
        def off(one: Webhook, now: datetime) -> None:
            webhooks.switch(player=one.player, webhook_id=one.pk, active=False, now=now)

        return self.deed(request, chosen, "switched off", off, "Switch these webhooks off?")


@admin.register(Received)
class ReceivedAdmin(Looked):
    """Mails that came in. Where one was sent to is a key to somebody's turn, and is not shown."""

    list_display = ["at", "sender", "player", "outcome", "why"]
    list_filter = ["outcome"]
    search_fields = ["player__name__iexact", "sender__iexact"]
    ordering = ["-pk"]
    joined = ["player", "game"]
    shown = ["at", "sender", "player", "game", "outcome", "why"]


@admin.register(Token)
class TokenAdmin(Looked):
    """Keys to the API, by name; of the key itself nobody here knows anything."""

    list_display = ["name", "player", "scopes", "created_at", "expires_at", "last_used", "revoked_at"]
    search_fields = ["player__name__iexact"]
    ordering = ["-pk"]
    joined = ["player"]
    shown = ["name", "player", "scopes", "created_at", "expires_at", "last_used", "revoked_at"]
    actions = ["revoke"]

    @admin.action(description="Revoke: they open nothing any more", permissions=["deed"])
    def revoke(self, request: HttpRequest, chosen: QuerySet[Token]) -> HttpResponse | None:
        def revoked(one: Token, now: datetime) -> None:
            tokens.revoke(player=one.player, token_id=one.pk, now=now)

        return self.deed(request, chosen, "revoked", revoked, "Revoke these tokens?")


@admin.register(Tally)
class TallyAdmin(Looked):
    """What the workers have done, and when they last did."""

    list_display = ["name", "count", "seconds", "at"]
    ordering = ["name"]
    search_fields = ["^name"]
    shown = ["name", "count", "seconds", "at"]


class Opening(forms.ModelForm):
    """All clocks are to rest: why, and for sure."""

    sure = forms.BooleanField(label="Yes: all clocks of all games rest from now on.")

    class Meta:
        model = Incident
        fields = ["why"]

    def clean(self) -> Any:
        if Incident.objects.filter(settled=False).exists():
            raise ValidationError(_("an incident is open already"))
        return super().clean()


@admin.register(Incident)
class IncidentAdmin(Looked):
    """When something is wrong: adding one stops all clocks, ending it lets them go on."""

    list_display = ["started_at", "ended_at", "settled", "why"]
    ordering = ["-started_at"]
    shown = ["why", "started_at", "ended_at", "settled"]
    form = Opening
    actions = ["end"]

    def has_add_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("games.add_incident")

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        return self.shown if obj else ["why", "sure"]

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        return self.shown if obj else []

    def save_model(self, request: HttpRequest, obj: Incident, form: Any, change: bool) -> None:
        obj.pk = incidents.start(now=timezone.now(), why=obj.why).pk

    def add_view(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            return super().add_view(request, *args, **kwargs)
        except Conflict as refused:  # somebody else stopped them in this very moment
            self.message_user(request, str(refused), messages.ERROR)
            return redirect("admin:games_incident_changelist")

    @admin.action(description="End: all clocks go on", permissions=["deed"])
    def end(self, request: HttpRequest, chosen: QuerySet[Incident]) -> HttpResponse | None:
        def ended(one: Incident, now: datetime) -> None:
            incidents.end(now=now)

        open_ones = chosen.filter(settled=False)
        return self.deed(request, open_ones, "ended", ended, "Let all clocks go on?")


class Settled(Looked):
    """Something of which one thing can be changed."""

    changed: str

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self.has_deed_permission(request)

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        return [name for name in self.shown if name != self.changed]


@admin.register(Report)
class ReportAdmin(Settled):
    """Reports, open ones first; only whether one is settled can be changed."""

    list_display = ["at", "words", "player", "why", "settled"]
    list_filter = ["settled"]
    ordering = ["settled", "-at"]
    joined = ["message__game", "message__player", "player"]
    shown = ["at", "message", "words", "player", "why", "settled"]
    changed = "settled"

    @admin.display(description="message")
    def words(self, report: Report) -> str:
        return report.message.text


@admin.register(Message)
class MessageAdmin(Settled):
    """Lines of chat that somebody reported; only whether one is hidden can be changed."""

    list_display = ["at", "game", "player", "text", "hidden"]
    list_filter = ["hidden"]
    ordering = ["-at"]
    joined = ["game", "player"]
    shown = ["at", "game", "player", "text", "hidden"]
    changed = "hidden"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Message]:
        return super().get_queryset(request).filter(reports__isnull=False).distinct()
