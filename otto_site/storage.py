"""How static files are named and served."""

import re
from typing import Any

from whitenoise.middleware import WhiteNoiseMiddleware
from whitenoise.storage import CompressedManifestStaticFilesStorage

HASHED_NAME_PATTERN = re.compile(r"\.[0-9a-f]{12}\.\w+$")


class LenientManifestStorage(CompressedManifestStaticFilesStorage):
    """Hashed names, cacheable for ever, once collectstatic has run; plain names before."""

    manifest_strict = False
    support_js_module_import_aggregation = True  # imports in static/otto.js get the hashed names, too

    def hashed_name(self, name, content=None, filename=None):
        """Return the hashed name, or the plain one if the file was not collected."""
        try:
            return super().hashed_name(name, content, filename)
        except ValueError:
            return name


class StaticFilesMiddleware(WhiteNoiseMiddleware):
    """WhiteNoise, but a hashed name of another release gets this release's file, cached for a minute only.

    During a rolling upgrade a page of one server may request files of another release, and pages that were
    opened before the upgrade still load files by their old names.
    """

    def __call__(self, request: Any) -> Any:
        path = request.path_info
        if (
            path not in self.files
            and path.startswith(self.static_prefix)
            and HASHED_NAME_PATTERN.search(path)
        ):
            unhashed_file = self.files.get(self.get_name_without_hash(path))
            if unhashed_file is not None:
                return self.serve(unhashed_file, request)
        return super().__call__(request)
