"""REST views of notices: deliveries, webhooks and the private feed addresses."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.auth import FirstPartyOnly
from accounts.api.base import ViewerAPIView
from accounts.api.me import ACCOUNT_PERMISSION, SESSION_PERMISSION
from accounts.api.operations import operation
from accounts.services import players
from common.api.locations import Location
from common.api.responses import json_response
from common.api.serializers import RequestBody
from common.api.strict_fields import StrictBooleanField, StrictCharField
from common.read_models import build_json
from notifications.models import Webhook
from notifications.models.deliveries import MAX_URL_LENGTH
from notifications.selectors import deliveries
from notifications.selectors.deliveries import (
    DeliveryData,
    WebhookData,
    WebhookWithSecretData,
    build_delivery_data,
    build_new_webhook_data,
    build_webhook_data,
    build_webhooks_data,
)
from notifications.services import notices, webhooks
from notifications.web.feeds import FeedAddressesData, build_feed_addresses

MAX_KIND_LENGTH, MAX_KINDS = 30, 100


class KindsField(serializers.ListField):
    """The kinds of notices that a webhook is called with."""

    def __init__(self, **options: Any) -> None:
        super().__init__(
            child=StrictCharField(max_length=MAX_KIND_LENGTH),
            allow_null=True,
            allow_empty=False,
            max_length=MAX_KINDS,
            help_text="The kinds of notifications that it is called with, as the guide lists them;"
            " null: all.",
            **options,
        )


class NewWebhookSerializer(RequestBody):
    """Request to create a webhook."""

    url = StrictCharField(
        max_length=MAX_URL_LENGTH,
        help_text="The address that is called: https, with a public host, at most 500 characters.",
    )
    preset = serializers.ChoiceField(
        Webhook.Preset.choices,
        default=Webhook.Preset.JSON,
        help_text="The format of the body: plain JSON, or what Discord or Slack understand.",
    )
    kinds = KindsField(required=False, default=None)
    immediate = StrictBooleanField(
        required=False,
        allow_null=True,
        default=None,
        help_text="Whether it is called within seconds, in quiet hours too, and not when the mail is due; "
        "null: if the preset is json.",
    )


class ChangeWebhookSerializer(RequestBody):
    """Request to change a webhook, or to turn it on or off. Omitted fields keep their value."""

    active = StrictBooleanField(required=False, help_text="Whether it is called.")
    kinds = KindsField(required=False)
    immediate = StrictBooleanField(
        required=False, help_text="Whether it is called within seconds, instead of when the mail is due."
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Require a change. Raises ValidationError."""
        if not attrs:
            raise serializers.ValidationError(_("Name at least one field to change."))
        return attrs


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

    @operation("me.deliveries", scope="account", allow_apps=False, response=DeliveryData, many=True)
    def get(self, request: Request) -> HttpResponse:
        """List deliveries.

        Returns your last 50 mails, webhook calls and push messages, newest first, with their status. It also
        needs the scope `email`, because it shows addresses.
        """
        rows = deliveries.list_recent_deliveries(self.player)
        return json_response(build_json([*map(build_delivery_data, rows)]))


class SendTestMailView(EmailAddressAPIView):
    """Sends a test mail."""

    @operation(
        "me.deliveries.test",
        scope="account",
        allow_apps=False,
        response=DeliveryData,
        status=201,
        location=Location("me/deliveries/", "Your deliveries, newest first."),
    )
    def post(self, request: Request) -> HttpResponse:
        """Send a test mail.

        Sends a test mail to your address, at most one a minute. It also needs the scope `email`, because it
        shows your address.
        """
        delivery = notices.create_test_mail(player=self.player, now=self.now)
        return json_response(build_json(build_delivery_data(delivery)), 201)


class RetryAddressView(AccountAPIView):
    """Clears the bounced state of the player's address."""

    @operation("me.deliveries.revive", scope="account", allow_apps=False, status=204)
    def post(self, request: Request) -> Response:
        """Confirm your address.

        Confirms that your address accepts mail again after mails bounced. We then send mails to it again.
        """
        notices.clear_email_bounce(player=self.player, now=self.now)
        return HttpResponse(status=204)


# -------------------------------------------------------------------------------------------------- webhooks


class WebhookListView(SessionOnlyAPIView):
    """The player's webhooks."""

    @operation("me.webhooks.list", session_only=True, response=WebhookData, many=True)
    def get(self, request: Request) -> HttpResponse:
        """List webhooks.

        Returns your webhooks. `disabled_reason` says why a webhook is off; `failing_calls` lists the calls
        that we try again.
        """
        return json_response(build_json(build_webhooks_data(deliveries.list_webhooks(self.player))))

    @operation(
        "me.webhooks.create",
        session_only=True,
        request_body=NewWebhookSerializer,
        response=WebhookWithSecretData,
        status=201,
        location=Location("me/webhooks/{id}/", "The new webhook, without its secret."),
        holds_secret=True,
    )
    def post(self, request: Request) -> HttpResponse:
        """Create a webhook.

        Creates a webhook for your notifications. You can have five. The address must be https with a public
        host. Only this response shows `signing_secret`, which signs the calls. Choose notifications with
        `kinds`. With `immediate` the webhook does not wait until the mail is due.
        """
        serializer = NewWebhookSerializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        webhook = webhooks.create_webhook(player=self.player, now=self.now, **serializer.validated_data)
        return json_response(build_json(build_new_webhook_data(webhook)), 201)


class WebhookDetailView(SessionOnlyAPIView):
    """One webhook."""

    @operation("me.webhooks.show", session_only=True, response=WebhookData)
    def get(self, request: Request, webhook_id: int) -> HttpResponse:
        """Get a webhook.

        Returns one of your webhooks, without its secret.
        """
        webhook = webhooks.get_own_webhook(self.player, webhook_id)
        return json_response(build_json(build_webhook_data(webhook)))

    @operation(
        "me.webhooks.switch",
        session_only=True,
        request_body=ChangeWebhookSerializer,
        response=WebhookData,
    )
    def patch(self, request: Request, webhook_id: int) -> HttpResponse:
        """Change a webhook.

        Updates the notifications of a webhook, when it is called, or turns it on or off. Omitted fields keep
        their value.
        """
        serializer = ChangeWebhookSerializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        webhook = webhooks.change_webhook(
            player=self.player, webhook_id=webhook_id, now=self.now, **serializer.validated_data
        )
        return json_response(build_json(build_webhook_data(webhook)))

    @operation("me.webhooks.delete", session_only=True, status=204)
    def delete(self, request: Request, webhook_id: int) -> Response:
        """Delete a webhook.

        Deletes a webhook and the list of its deliveries.
        """
        webhooks.delete_webhook(player=self.player, webhook_id=webhook_id, now=self.now)
        return Response(status=204)


class CallTestWebhookView(SessionOnlyAPIView):
    """Calls a webhook with a test notice."""

    @operation(
        "me.webhooks.test",
        session_only=True,
        response=DeliveryData,
        status=201,
        location=Location("me/deliveries/", "Your deliveries, newest first."),
    )
    def post(self, request: Request, webhook_id: int) -> HttpResponse:
        """Call a webhook.

        Calls a webhook with a test notification, at most once a minute.
        """
        delivery = webhooks.create_test_call(player=self.player, webhook_id=webhook_id, now=self.now)
        return json_response(build_json(build_delivery_data(delivery)), 201)


class RotateWebhookSecretView(SessionOnlyAPIView):
    """Rotates the secret of a webhook."""

    @operation(
        "me.webhooks.secret",
        session_only=True,
        response=WebhookWithSecretData,
        holds_secret=True,
    )
    def post(self, request: Request, webhook_id: int) -> HttpResponse:
        """Replace a webhook's secret.

        Gives a webhook a new secret. Only this response shows it. The old secret becomes invalid at once.
        """
        webhook = webhooks.rotate_webhook_secret(player=self.player, webhook_id=webhook_id, now=self.now)
        return json_response(build_json(build_new_webhook_data(webhook)))


# ----------------------------------------------------------------------------------------------------- feeds


class FeedAddressView(SessionOnlyAPIView):
    """The player's feed addresses."""

    @operation("me.feeds", session_only=True, response=FeedAddressesData)
    def get(self, request: Request) -> HttpResponse:
        """Get feed addresses.

        Returns the private addresses of your feeds. They need no token, so treat them like passwords.
        """
        return json_response(build_json(build_feed_addresses(self.player)))

    @operation("me.feeds.renew", session_only=True, response=FeedAddressesData, holds_secret=True)
    def post(self, request: Request) -> HttpResponse:
        """Replace feed addresses.

        Replaces the addresses of your feeds. The old ones stop working at once.
        """
        player = players.rotate_feed_token(player=self.player, now=self.now)
        return json_response(build_json(build_feed_addresses(player)))
