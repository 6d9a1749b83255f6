"""URLs of the pages of notices, of calendars and of links in mails."""

from django.urls import include, path

urlpatterns = [
    path("me/", include("notifications.web.notification_settings")),
    path("me/", include("notifications.web.push")),
    path("", include("notifications.web.feeds")),
    path("", include("notifications.web.unsubscribe")),
    path("mailbox/", include("notifications.web.mailbox")),
]
