"""Whether the web server of this container answers; for Docker's health check, which has no curl."""

import os
import sys
from urllib.error import URLError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

address = f"http://127.0.0.1:{os.environ.get('GRANIAN_PORT', '8000')}/healthz"
host = urlsplit(os.environ["SITE_URL"]).hostname or ""
try:
    urlopen(Request(address, headers={"Host": host}), timeout=4).close()
except (URLError, OSError) as error:
    sys.exit(f"{address}: {error}")
