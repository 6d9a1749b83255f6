"""Naming and serving of static files."""

import os
import re
import secrets
from collections.abc import Callable, Iterator
from pathlib import Path, PurePath
from typing import Any

import rcssmin
import rjsmin
from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage
from django.core.files.base import ContentFile
from django.core.files.storage import Storage
from whitenoise.middleware import WhiteNoiseMiddleware
from whitenoise.storage import CompressedManifestStaticFilesStorage

HASHED_NAME_PATTERN = re.compile(r"\.[0-9a-f]{12}\.\w+$")
# What leaves out comments and spaces that browsers do not need.
MINIFIERS: dict[str, Callable[[str], str]] = {".css": rcssmin.cssmin, ".js": rjsmin.jsmin}


def trim_text(text: str, suffix: str) -> str:
    """Return one of our scripts or style sheets without comments and needless spaces."""
    return MINIFIERS[suffix](text)


class TrimmedFiles:
    """Our own scripts and style sheets, as collectstatic reads them; the files stay as they are."""

    def __init__(self, storage: Storage) -> None:
        self.storage = storage

    def open(self, path: str) -> ContentFile:
        """Open a file, trimmed."""
        with self.storage.open(path) as file:
            text = file.read().decode()
        return ContentFile(trim_text(text, PurePath(path).suffix).encode())


def is_own_text(name: str) -> bool:
    """True if a file is one of our scripts or style sheets: those of libraries are in folders."""
    return "/" not in name and PurePath(name).suffix in MINIFIERS


def write_trimmed_copy(path: Path) -> Path:
    """Write one of our scripts or style sheets, trimmed, to VAR_DIR, and return the copy's path.

    Where it cannot be written, the file itself serves.
    """
    copy_path: Path = settings.VAR_DIR / "trimmed" / path.name
    trimmed_text = trim_text(path.read_text(), path.suffix)
    try:
        if not copy_path.exists() or copy_path.read_text() != trimmed_text:
            copy_path.parent.mkdir(parents=True, exist_ok=True)
            # Another process may be writing, too.
            part_path = copy_path.with_suffix(f".{os.getpid()}-{secrets.token_hex(4)}.part")
            part_path.write_text(trimmed_text)
            part_path.replace(copy_path)
    except OSError:
        return path
    return copy_path


class LenientManifestStorage(CompressedManifestStaticFilesStorage):
    """Hashed names, cacheable for ever, once collectstatic has run; plain names before."""

    manifest_strict = False
    support_js_module_import_aggregation = True  # imports in static/otto.js get the hashed names, too

    def post_process(self, paths: dict[str, Any], dry_run: bool = False, **options: Any) -> Iterator[Any]:
        """Write the files under their hashed names, ours trimmed."""
        trimmed_paths = {
            name: (TrimmedFiles(storage), path) if is_own_text(name) else (storage, path)
            for name, (storage, path) in paths.items()
        }
        yield from super().post_process(trimmed_paths, dry_run, **options)

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

    Where collectstatic has not run, our scripts and style sheets are trimmed, too, except with DEBUG.
    """

    def get_static_file(self, path: str, url: str, stat_cache: dict[str, Any] | None = None) -> Any:
        """Return the file for a URL, trimmed if it is one of our scripts or style sheets."""
        source = Path(path)
        has_hashed_names = bool(getattr(staticfiles_storage, "hashed_files", {}))  # collectstatic has run
        is_uncollected = source.parent in settings.STATICFILES_DIRS and not has_hashed_names
        if is_uncollected and is_own_text(source.name) and not self.autorefresh:
            return super().get_static_file(str(write_trimmed_copy(source)), url)
        return super().get_static_file(path, url, stat_cache)

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
