"""App configuration of common."""

from django.apps import AppConfig


class CommonConfig(AppConfig):
    """The common app."""

    name = "common"
