"""Docker's health check of the web server in this container; the image has no curl."""

import os
import sys
from urllib.error import URLError
from urllib.request import urlopen

address = f"http://127.0.0.1:{os.environ.get('GRANIAN_PORT', '8000')}/healthz"
try:
    urlopen(address, timeout=4).close()
except (URLError, OSError) as error:
    sys.exit(f"{address}: {error}")
