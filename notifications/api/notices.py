"""REST views of notices: deliveries, webhooks and the private feed addresses."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.auth import FirstPartyOnly
from accounts.api.base import ViewerAPIView
from accounts.api.me import ACCOUNT_PERMISSION, SESSION_PERMISSION
from accounts.api.operations import operation
from accounts.services import players
from common.api.responses import json_response
from common.api.serializers import RequestBody
from common.api.strict_fields import StrictBooleanField, StrictCharField
from notifications.models import Delivery, Webhook
from notifications.models.deliveries import MAX_URL_LENGTH
from notifications.selectors import deliveries
from notifications.services import notices, webhooks
from notifications.web.feeds import build_feed_addresses


class DeliverySerializer(serializers.Serializer[Any]):
    """A mail or webhook call, and its status."""

    id = serializers.IntegerField()
    by = serializers.ChoiceField(["mail", "webhook"])
    webhook = serializers.IntegerField(allow_null=True)
    kind = serializers.CharField(help_text="turn, reminder, started, timeout, over, digest, test, ...")
    game = serializers.CharField(allow_null=True)
    status = serializers.ChoiceField(Delivery.Status.values)
    status_reason = serializers.CharField(
        allow_blank=True, help_text="the reason of its status, in your language"
    )
    attempts = serializers.IntegerField()
    to = serializers.CharField(allow_blank=True, help_text="your address, or the host of your webhook")
    created_at = serializers.DateTimeField()
    sent_at = serializers.DateTimeField(allow_null=True)
    submitted_at = serializers.DateTimeField(
        allow_null=True, help_text="when the other side may have taken it; null while it surely has not"
    )
    delivered_at = serializers.DateTimeField(allow_null=True)
    next_attempt_at = serializers.DateTimeField(allow_null=True)


class WebhookSerializer(serializers.ModelSerializer[Webhook]):
    """A webhook, without its secret."""

    class Meta:
        model = Webhook
        fields = ["id", "url", "preset", "active", "disabled_reason", "created_at"]


class WebhookWithSecretSerializer(WebhookSerializer):
    """A webhook with its secret."""

    signing_secret = serializers.CharField(
        help_text="what signs the calls, as standardwebhooks.com describes; shown this once"
    )

    class Meta(WebhookSerializer.Meta):
        fields = [*WebhookSerializer.Meta.fields, "signing_secret"]


class NewWebhookSerializer(RequestBody):
    """Request to create a webhook."""

    url = StrictCharField(max_length=MAX_URL_LENGTH)
    preset = serializers.ChoiceField(Webhook.Preset.values, default=Webhook.Preset.JSON)


class SwitchWebhookSerializer(RequestBody):
    """Request to switch a webhook on or off."""

    active = StrictBooleanField()


class FeedAddressesSerializer(serializers.Serializer[Any]):
    """The private addresses of your feeds."""

    turns = serializers.URLField(help_text="Atom: the turns that wait for you")
    deadlines = serializers.URLField(help_text="iCalendar: when they end")


class EmailAddressAPIView(ViewerAPIView):
    """Base of views that show the player's email address: no apps, and the scope `email` is needed."""

    permission_classes = [FirstPartyOnly("account", "email")]


class AccountAPIView(ViewerAPIView):
    """Base of views for the browser and for personal tokens with the scope `account`."""

    permission_classes = [ACCOUNT_PERMISSION]


class SessionOnlyAPIView(ViewerAPIView):
    """Base of views for the browser only.

    Webhook and feed addresses work like passwords, and stay valid after a token is revoked.
    """

    permission_classes = [SESSION_PERMISSION]


# ------------------------------------------------------------------------------------------------ deliveries


class DeliveryListView(EmailAddressAPIView):
    """The player's deliveries."""

    @operation("me.deliveries", scope="account", allow_apps=False, response=DeliverySerializer, many=True)
    def get(self, request: Request) -> HttpResponse:
        """Your last 50 mails and webhook calls, newest first, with their status.

        Needs the scope `email` as well: it shows where they went.
        """
        return json_response(
            [
                deliveries.delivery_view(delivery)
                for delivery in deliveries.list_recent_deliveries(self.player)
            ]
        )


class SendTestMailView(EmailAddressAPIView):
    """Sends a test mail."""

    @operation(
        "me.deliveries.test",
        scope="account",
        allow_apps=False,
        response=DeliverySerializer,
        status=201,
        idempotent=True,
    )
    def post(self, request: Request) -> HttpResponse:
        """Send yourself a test mail, one a minute at most.

        Needs the scope `email` as well: it shows where it goes.
        """
        return json_response(
            deliveries.delivery_view(notices.create_test_mail(player=self.player, now=self.now)), 201
        )


class RetryAddressView(AccountAPIView):
    """Clears the bounced state of the player's address."""

    @operation("me.deliveries.revive", scope="account", allow_apps=False, status=204)
    def post(self, request: Request) -> Response:
        """Confirm that your address accepts mail again, after mails to it bounced."""
        notices.clear_email_bounce(player=self.player, now=self.now)
        return Response(status=204)


# -------------------------------------------------------------------------------------------------- webhooks


class WebhookListView(SessionOnlyAPIView):
    """The player's webhooks."""

    @operation("me.webhooks.list", session_only=True, response=WebhookSerializer, many=True)
    def get(self, request: Request) -> Response:
        """Your webhooks; `disabled_reason` says why one was switched off."""
        return Response(WebhookSerializer(deliveries.list_webhooks(self.player), many=True).data)

    @operation(
        "me.webhooks.create",
        session_only=True,
        request_body=NewWebhookSerializer,
        response=WebhookWithSecretSerializer,
        status=201,
    )
    def post(self, request: Request) -> Response:
        """Make a webhook, five at most: it receives the notices that your mails contain.

        Only https to public addresses. `signing_secret` is shown this once; it signs each call.
        """
        serializer = NewWebhookSerializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        webhook = webhooks.create_webhook(player=self.player, now=self.now, **serializer.validated_data)
        return Response(WebhookWithSecretSerializer(webhook).data, status=201)


class WebhookDetailView(SessionOnlyAPIView):
    """One webhook."""

    @operation(
        "me.webhooks.switch",
        session_only=True,
        request_body=SwitchWebhookSerializer,
        response=WebhookSerializer,
    )
    def patch(self, request: Request, webhook_id: int) -> Response:
        """Switch a webhook on or off."""
        serializer = SwitchWebhookSerializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        webhook = webhooks.set_webhook_active(
            player=self.player, webhook_id=webhook_id, now=self.now, **serializer.validated_data
        )
        return Response(WebhookSerializer(webhook).data)

    @operation("me.webhooks.delete", session_only=True, status=204)
    def delete(self, request: Request, webhook_id: int) -> Response:
        """Delete a webhook and its deliveries."""
        webhooks.delete_webhook(player=self.player, webhook_id=webhook_id, now=self.now)
        return Response(status=204)


class CallTestWebhookView(SessionOnlyAPIView):
    """Calls a webhook with a test notice."""

    @operation(
        "me.webhooks.test", session_only=True, response=DeliverySerializer, status=201, idempotent=True
    )
    def post(self, request: Request, webhook_id: int) -> HttpResponse:
        """Call a webhook with a test notice, one a minute at most."""
        delivery = webhooks.create_test_call(player=self.player, webhook_id=webhook_id, now=self.now)
        return json_response(deliveries.delivery_view(delivery), 201)


class RotateWebhookSecretView(SessionOnlyAPIView):
    """Rotates the secret of a webhook."""

    @operation("me.webhooks.secret", session_only=True, response=WebhookWithSecretSerializer)
    def post(self, request: Request, webhook_id: int) -> Response:
        """Give a webhook a new secret; the old one becomes invalid."""
        webhook = webhooks.rotate_webhook_secret(player=self.player, webhook_id=webhook_id, now=self.now)
        return Response(WebhookWithSecretSerializer(webhook).data)


# ----------------------------------------------------------------------------------------------------- feeds


class FeedAddressView(SessionOnlyAPIView):
    """The player's feed addresses."""

    @operation("me.feeds", session_only=True, response=FeedAddressesSerializer)
    def get(self, request: Request) -> HttpResponse:
        """The private addresses of your feeds, which need no token."""
        return json_response(build_feed_addresses(self.player))

    @operation("me.feeds.renew", session_only=True, response=FeedAddressesSerializer)
    def post(self, request: Request) -> HttpResponse:
        """Create new addresses; the old ones stop working immediately."""
        return json_response(
            build_feed_addresses(players.rotate_feed_token(player=self.player, now=self.now))
        )
