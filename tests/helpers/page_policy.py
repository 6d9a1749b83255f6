"""The content security policy, checked against pages."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import Any

from otto_site.security_headers import DEFAULT_CSP

PAGE_POLICY = "; ".join(f"{name} {sources}" for name, sources in DEFAULT_CSP.items())
EXTERNAL_URL = re.compile(r"^(https?:)?//")


class Inline(HTMLParser):
    """Collects what a strict policy blocks: inline styles and scripts, and resources of other hosts."""

    def __init__(self) -> None:
        super().__init__()
        self.problems: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        self.problems += [f"{tag} {name}" for name in attributes if name == "style" or name.startswith("on")]
        self.problems += [
            f"{tag} {value}" for value in attributes.values() if value and value.startswith("javascript:")
        ]
        data = attributes.get("type") in ("application/json", "application/ld+json")
        if tag == "style" or (tag == "script" and not attributes.get("src") and not data):
            self.problems.append(f"<{tag}>")
        fetched = attributes.get("src") or (attributes.get("href") if tag == "link" else "") or ""
        if EXTERNAL_URL.match(fetched):
            self.problems.append(f"{tag} {fetched}")


def find_inline_code(html: str) -> list[str]:
    reader = Inline()
    reader.feed(html)
    return reader.problems


def check_page(answer: Any, policy: str = PAGE_POLICY) -> None:
    """Check that a page has no inline code and has the security headers."""
    assert answer["Content-Type"].startswith("text/html")
    assert answer["Content-Security-Policy"] == policy
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert answer["X-Frame-Options"] == "DENY"
    assert answer["Cross-Origin-Opener-Policy"] == "same-origin"
    assert answer["Referrer-Policy"] in ("same-origin", "no-referrer")
    features = answer["Permissions-Policy"].split(", ")
    assert "clipboard-write=(self)" in features
    assert [feature for feature in features if not feature.endswith("=()")] == ["clipboard-write=(self)"]
    assert find_inline_code(answer.content.decode()) == []
    for cookie in filter(
        lambda cookie: cookie.value, answer.cookies.values()
    ):  # cookies without a value are being deleted
        assert (cookie["samesite"], bool(cookie["secure"]), bool(cookie["httponly"])) == ("Lax", True, True)
