"""Regenerate the OpenAPI document, and what the client libraries have from it."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from common.api import openapi


class Command(BaseCommand):
    """Generates the files that /api/v1/schema/ serves; see common.api.openapi."""

    help = "Write common/api/openapi.json, openapi.yaml and what the clients have from them."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Define the arguments."""
        parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if a file is stale")

    def handle(self, *, check: bool, **options: Any) -> None:
        """Write the files that are stale; with --check, raise CommandError instead."""
        files = openapi.generate_files()
        stale = {
            path: content
            for path, content in files.items()
            if not path.is_file() or path.read_bytes() != content
        }
        leftovers = openapi.list_leftover_files(files)
        if check and (stale or leftovers):
            names = ", ".join(path.name for path in [*stale, *leftovers])
            raise CommandError(f"stale files: {names}. Run: make schema")
        for path in leftovers:
            path.unlink()
            self.stdout.write(f"deleted {path.name}")
        for path, content in stale.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
            self.stdout.write(f"wrote {path.name}")
