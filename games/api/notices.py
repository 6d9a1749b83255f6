"""How notices reach a player, over REST: deliveries, webhooks, the addresses of private feeds."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.urls import path, reverse
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games import links
from games.models import Delivery, Player, Webhook
from games.models.limits import MAX_URL_LENGTH
from games.selectors import mail
from games.services import notices, players, webhooks

from .auth import OwnerPermission
from .base import Door, as_json
from .examples import EXAMPLES, described
from .me import ACCOUNT, IN_PERSON, YesOrNo
from .shapes import RequestBody, Text


class DeliveryRow(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    by = serializers.ChoiceField(["mail", "webhook"])
    webhook = serializers.IntegerField(allow_null=True)
    kind = serializers.CharField(help_text="turn, reminder, started, timeout, over, digest, test, ...")
    game = serializers.CharField(allow_null=True)
    status = serializers.ChoiceField(Delivery.Status.values)
    why = serializers.CharField(allow_blank=True, help_text="the reason of its status, in your language")
    tries = serializers.IntegerField()
    to = serializers.CharField(allow_blank=True, help_text="your address, or the host of your webhook")
    made_at = serializers.DateTimeField()
    sent_at = serializers.DateTimeField(allow_null=True)
    handed_over_at = serializers.DateTimeField(
        allow_null=True, help_text="when the other side may have taken it; null while it surely has not"
    )
    delivered_at = serializers.DateTimeField(allow_null=True)
    next_try_at = serializers.DateTimeField(allow_null=True)


class WebhookRow(serializers.ModelSerializer[Webhook]):
    class Meta:
        model = Webhook
        fields = ["id", "url", "preset", "active", "trouble", "at"]


class MadeWebhook(WebhookRow):
    secret = serializers.CharField(help_text="what signs the calls; shown this once")

    class Meta(WebhookRow.Meta):
        fields = [*WebhookRow.Meta.fields, "secret"]


class NewWebhook(RequestBody):
    url = Text(max_length=MAX_URL_LENGTH)
    preset = serializers.ChoiceField(Webhook.Preset.values, default=Webhook.Preset.JSON)


class SwitchWebhook(RequestBody):
    active = YesOrNo()


class FeedAddresses(serializers.Serializer[Any]):
    turns = serializers.URLField(help_text="Atom: the turns that wait for you")
    deadlines = serializers.URLField(help_text="iCalendar: when they end")


DELIVERY = {
    "id": 812,
    "by": "mail",
    "webhook": None,
    "kind": "turn",
    "game": "7h2kq9m4xwzb",
    "status": "sent",
    "why": "",
    "tries": 1,
    "to": "ada@example.org",
    "made_at": "2030-04-02T10:00:00Z",
    "sent_at": "2030-04-02T10:00:03Z",
    "handed_over_at": "2030-04-02T10:00:03Z",
    "delivered_at": None,
    "next_try_at": None,
}
TEST = DELIVERY | {"kind": "test", "game": None, "status": "waiting", "tries": 0, "sent_at": None}
TEST |= {"handed_over_at": None, "next_try_at": "2030-04-02T10:00:00Z"}
WEBHOOK = {
    "id": 3,
    "url": "https://bot.example.org/otto",
    "preset": "json",
    "active": True,
    "trouble": "",
    "at": "2030-04-02T10:00:00Z",
}
SECRET = {"secret": "5f0c1f6b2b8e4c55a3c7d9e0f1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4"}
FEEDS = {
    "turns": "https://otto.example.org/feeds/0f9c3a7be2d14c55a0b1c2d3/turns.atom",
    "deadlines": "https://otto.example.org/feeds/0f9c3a7be2d14c55a0b1c2d3/deadlines.ics",
}
OPERATIONS: dict[str, dict[str, Any]] = {
    "me.deliveries": {"response": [DELIVERY]},
    "me.deliveries.test": {"response": TEST},
    "me.webhooks.list": {"response": [WEBHOOK]},
    "me.webhooks.create": {
        "request": {"url": WEBHOOK["url"], "preset": "json"},
        "response": WEBHOOK | SECRET,
    },
    "me.webhooks.switch": {"request": {"active": True}, "response": WEBHOOK},
    "me.webhooks.test": {
        "response": TEST | {"by": "webhook", "webhook": WEBHOOK["id"], "to": "bot.example.org"}
    },
    "me.webhooks.secret": {"response": WEBHOOK | SECRET},
    "me.feeds": {"response": FEEDS},
    "me.feeds.renew": {"response": FEEDS},
}
for operation, example in OPERATIONS.items():
    EXAMPLES.setdefault(operation, example)


class AddressDoor(Door):
    """Shows the player's address: no app, and no token that may not see it."""

    permission_classes = [OwnerPermission("account", "email")]


class AccountDoor(Door):
    """For the browser and for personal tokens that may change the account."""

    permission_classes = [ACCOUNT]


class InPersonDoor(Door):
    """Addresses of webhooks and feeds are as good as passwords, and go on working without any token."""

    permission_classes = [IN_PERSON]


# ------------------------------------------------------------------------------------------------ deliveries


class Deliveries(AddressDoor):
    @described("me.deliveries", scope="account", apps=False, answer=DeliveryRow, many=True)
    def get(self, request: Request) -> HttpResponse:
        """Your last 50 mails and calls of webhooks, newest first, and what became of each.

        Needs the scope `email` as well: it shows where they went.
        """
        return as_json([mail.delivery(found) for found in mail.deliveries(self.player)])


class TestMail(AddressDoor):
    @described("me.deliveries.test", scope="account", apps=False, answer=DeliveryRow, status=201, keyed=True)
    def post(self, request: Request) -> HttpResponse:
        """Send yourself a mail, to see whether it arrives; one a minute at most.

        Needs the scope `email` as well: it shows where it goes.
        """
        return as_json(mail.delivery(notices.test(player=self.player, now=self.now)), 201)


class Revive(AccountDoor):
    @described("me.deliveries.revive", scope="account", apps=False, status=204)
    def post(self, request: Request) -> Response:
        """Say that your address takes mail again, after mails to it came back."""
        notices.revive(player=self.player, now=self.now)
        return Response(status=204)


# -------------------------------------------------------------------------------------------------- webhooks


class Webhooks(InPersonDoor):
    @described("me.webhooks.list", in_person=True, answer=WebhookRow, many=True)
    def get(self, request: Request) -> Response:
        """Your webhooks; `trouble` says why one was switched off."""
        return Response(WebhookRow(mail.webhooks(self.player), many=True).data)

    @described("me.webhooks.create", in_person=True, body=NewWebhook, answer=MadeWebhook, status=201)
    def post(self, request: Request) -> Response:
        """Make a webhook, five at most: from now on it is told what your mails tell.

        Only https to public addresses. `secret` is shown this once; it signs each call.
        """
        form = NewWebhook(data=request.data)
        form.is_valid(raise_exception=True)
        made = webhooks.create(player=self.player, now=self.now, **form.validated_data)
        return Response(MadeWebhook(made).data, status=201)


class OneWebhook(InPersonDoor):
    @described("me.webhooks.switch", in_person=True, body=SwitchWebhook, answer=WebhookRow)
    def patch(self, request: Request, webhook_id: int) -> Response:
        """Switch a webhook on or off."""
        form = SwitchWebhook(data=request.data)
        form.is_valid(raise_exception=True)
        changed = webhooks.switch(
            player=self.player, webhook_id=webhook_id, now=self.now, **form.validated_data
        )
        return Response(WebhookRow(changed).data)

    @described("me.webhooks.delete", in_person=True, status=204)
    def delete(self, request: Request, webhook_id: int) -> Response:
        """Take a webhook away, with its deliveries."""
        webhooks.delete(player=self.player, webhook_id=webhook_id, now=self.now)
        return Response(status=204)


class TestWebhook(InPersonDoor):
    @described("me.webhooks.test", in_person=True, answer=DeliveryRow, status=201, keyed=True)
    def post(self, request: Request, webhook_id: int) -> HttpResponse:
        """Call a webhook with a test, one a minute at most."""
        made = webhooks.test(player=self.player, webhook_id=webhook_id, now=self.now)
        return as_json(mail.delivery(made), 201)


class WebhookSecret(InPersonDoor):
    @described("me.webhooks.secret", in_person=True, answer=MadeWebhook)
    def post(self, request: Request, webhook_id: int) -> Response:
        """Give a webhook a new secret; the old one signs nothing any more."""
        changed = webhooks.rotate(player=self.player, webhook_id=webhook_id, now=self.now)
        return Response(MadeWebhook(changed).data)


# ----------------------------------------------------------------------------------------------------- feeds


def feed_addresses(player: Player) -> dict[str, str]:
    """Where a player's private feeds are."""
    return {
        "turns": links.page(reverse("feed-turns", args=[player.key])),
        "deadlines": links.page(reverse("feed-deadlines", args=[player.key])),
    }


class Feeds(InPersonDoor):
    @described("me.feeds", in_person=True, answer=FeedAddresses)
    def get(self, request: Request) -> HttpResponse:
        """The private addresses of your feeds: whoever has them needs no token."""
        return as_json(feed_addresses(self.player))

    @described("me.feeds.renew", in_person=True, answer=FeedAddresses)
    def post(self, request: Request) -> HttpResponse:
        """New addresses; the old ones are worthless at once."""
        return as_json(feed_addresses(players.change_key(player=self.player, now=self.now)))


hook = "me/webhooks/<int:webhook_id>/"
urlpatterns = [
    path("me/deliveries/", Deliveries.as_view(), name="api-deliveries"),
    path("me/deliveries/test/", TestMail.as_view()),
    path("me/deliveries/revive/", Revive.as_view()),
    path("me/webhooks/", Webhooks.as_view(), name="api-webhooks"),
    path(hook, OneWebhook.as_view()),
    path(f"{hook}test/", TestWebhook.as_view()),
    path(f"{hook}secret/", WebhookSecret.as_view()),
    path("me/feeds/", Feeds.as_view(), name="api-feeds"),
]
