"""App configuration of games."""

from django.apps import AppConfig


class GamesConfig(AppConfig):
    """Connects the signals of django-anymail."""

    name = "games"

    def ready(self) -> None:
        """Connect the handlers for inbound mail and delivery reports; django-anymail offers only signals."""
        from anymail import signals

        from games.mail import anymail

        signals.inbound.connect(anymail.handle_inbound_event, dispatch_uid="games.mail_came_in")
        signals.tracking.connect(anymail.handle_tracking_event, dispatch_uid="games.something_happened")
