"""ASGI entry point, with live streams: `granian --interface asgi otto_site.asgi:application`."""

import os

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "otto_site.settings")
django.setup(set_prefix=False)

from .asgi_handler import SiteHandler  # noqa: E402 (its imports need the settings)

application = SiteHandler()
