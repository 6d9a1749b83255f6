"""An app in addition to those of the project, with modules that a test provides."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from django.test import override_settings

from common.extensions import import_app_modules


@contextmanager
def extra_app(folder: Path, settings: Any, **sources: str) -> Iterator[None]:
    """Install the app `club`, as the top layer, with these modules, in a temporary folder."""
    (folder / "club").mkdir()
    for name, source in {"__init__": "", **sources}.items():
        (folder / "club" / f"{name}.py").write_text(source)
    apps = {name: [*getattr(settings, name), "club"] for name in ("INSTALLED_APPS", "PROJECT_APPS")}
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(folder)
        import_app_modules.cache_clear()
        try:
            with override_settings(**apps):
                yield
        finally:
            import_app_modules.cache_clear()
            for name in [name for name in sys.modules if name.partition(".")[0] == "club"]:
                del sys.modules[name]
