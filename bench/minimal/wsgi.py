"""The WSGI application of the minimal site."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "bench.minimal.settings")
application = get_wsgi_application()
