"""Lists by file the texts of the site that break docs/style.md: `make texts`."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator

import django

from tests import text_checks
from tests.button_texts import find_dutch_imperatives, find_long_buttons
from tests.site_texts import list_messages, list_texts
from tests.text_checks import Finding

TEXT_CHECKS = (
    text_checks.find_retired_phrases,
    text_checks.find_straight_quotes,
    text_checks.find_foreign_quotes,
    text_checks.find_spacing,
    text_checks.find_formal_address,
    text_checks.find_needless_words,
    text_checks.find_exclamations,
    text_checks.find_capital_dates,
    text_checks.find_bare_dates,
    text_checks.find_other_english,
)


def iter_findings() -> Iterator[Finding]:
    """Yield every finding of every check."""
    for check in TEXT_CHECKS:
        yield from check(list_texts())
    yield from text_checks.find_other_words(list_messages())
    yield from text_checks.find_other_ends(list_messages())
    yield from text_checks.find_typed_numbers(list_messages())
    yield from find_long_buttons()
    yield from find_dutch_imperatives()


def print_report(places: list[str]) -> int:
    """Print the findings whose file begins with one of these places, or all; return their number."""
    findings = [
        finding
        for finding in iter_findings()
        if not places or any(finding.place.startswith(place) for place in places)
    ]
    for finding in sorted(findings, key=lambda finding: (finding.place, finding.rule, finding.words)):
        print(finding)
    for rule, count in Counter(finding.rule for finding in findings).most_common():
        print(f"{count:5} {rule}")
    return len(findings)


if __name__ == "__main__":
    django.setup()
    sys.exit(min(print_report(sys.argv[1:]), 1))
