"""ASGI entry point: `granian --interface asgi otto_site.asgi:application`."""

import os

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "otto_site.settings")
application = get_asgi_application()
