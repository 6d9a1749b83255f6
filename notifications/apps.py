"""App configuration of notifications."""

from django.apps import AppConfig


class NotificationsConfig(AppConfig):
    """The notifications app."""

    name = "notifications"

    def ready(self) -> None:
        """Connect the handlers of django-anymail's signals."""
        from anymail import signals

        from notifications.inbound import anymail

        signals.inbound.connect(anymail.handle_inbound_event, dispatch_uid="inbound_mail")
        signals.tracking.connect(anymail.handle_tracking_event, dispatch_uid="mail_tracking")
