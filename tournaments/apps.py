"""The app's configuration."""

from django.apps import AppConfig


class TournamentsConfig(AppConfig):
    """The tournaments app."""

    name = "tournaments"
