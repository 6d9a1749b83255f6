"""The contact for vulnerability reports."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from django.test import Client
from django.utils import timezone

ROOT = Path(__file__).resolve().parents[2]


def test_the_address_of_the_operator_can_be_found(client: Client, settings: Any) -> None:
    settings.DEFAULT_FROM_EMAIL = "OTTO <play@otto.example>"
    answer = client.get("/.well-known/security.txt")
    assert (answer.status_code, answer["Content-Type"]) == (200, "text/plain; charset=utf-8")
    fields = dict(line.split(": ", 1) for line in answer.content.decode().splitlines())
    assert fields["Contact"] == "mailto:play@otto.example"
    expires = datetime.fromisoformat(fields["Expires"])
    assert timedelta(days=30) < expires - timezone.now() < timedelta(days=365)


def test_what_is_promised_names_tests_that_exist() -> None:
    text = (ROOT / "SECURITY.md").read_text()
    test_names = {
        word.strip("`.,;:()") for word in text.split() if word.strip("`.,;:()").startswith("tests/")
    }
    assert len(test_names) > 15
    for name in test_names:
        assert (ROOT / name).exists(), name
    test_files = {str(path.relative_to(ROOT)) for path in Path(__file__).parent.glob("test_*.py")}
    assert test_files - test_names == set(), "every file of attacks is behind a promise"
