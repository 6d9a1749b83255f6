"""How static files are named and served."""

import re
from typing import Any

from whitenoise.middleware import WhiteNoiseMiddleware
from whitenoise.storage import CompressedManifestStaticFilesStorage

HASHED = re.compile(r"\.[0-9a-f]{12}\.\w+$")


class HashedOnceCollected(CompressedManifestStaticFilesStorage):
    """Names with a hash, which browsers may keep for ever; plain names until collectstatic has run."""

    manifest_strict = False

    def hashed_name(self, name, content=None, filename=None):
        try:
            return super().hashed_name(name, content, filename)
        except ValueError:
            return name


class StaticFiles(WhiteNoiseMiddleware):
    """Serves them; asked for a file of another release, it gives that of this one, to be kept for a minute.

    While servers are upgraded one after the other, the page of one asks another for what it does not have,
    and a page that was opened before still loads what the new ones have under another name.
    """

    def __call__(self, request: Any) -> Any:
        path = request.path_info
        if path not in self.files and path.startswith(self.static_prefix) and HASHED.search(path):
            plain = self.files.get(self.get_name_without_hash(path))
            if plain is not None:
                return self.serve(plain, request)
        return super().__call__(request)
