from django.apps import AppConfig


class GamesConfig(AppConfig):
    name = "games"

    def ready(self) -> None:
        """Hear what providers of mail tell: django-anymail has no other way to say it than by signals."""
        from anymail import signals

        from games.mail import anymail

        signals.inbound.connect(anymail.mail_came_in, dispatch_uid="games.mail_came_in")
        signals.tracking.connect(anymail.something_happened, dispatch_uid="games.something_happened")
