"""URLs of notices in the API."""

from django.urls import path

from . import feed, notices

WEBHOOK_PATH = "me/webhooks/<int:webhook_id>/"

urlpatterns = [
    path("events/", feed.FeedView.as_view()),
    path("me/deliveries/", notices.DeliveryListView.as_view(), name="api-deliveries"),
    path("me/deliveries/test/", notices.SendTestMailView.as_view()),
    path("me/deliveries/revive/", notices.RetryAddressView.as_view()),
    path("me/webhooks/", notices.WebhookListView.as_view(), name="api-webhooks"),
    path(WEBHOOK_PATH, notices.WebhookDetailView.as_view()),
    path(f"{WEBHOOK_PATH}test/", notices.CallTestWebhookView.as_view()),
    path(f"{WEBHOOK_PATH}secret/", notices.RotateWebhookSecretView.as_view()),
    path("me/feeds/", notices.FeedAddressView.as_view(), name="api-feeds"),
]
