"""Numbers in the prose of the API reference agree with the constants.

Most stand in docstrings, which cannot contain constants: they are compared here, and a number without a
constant is an error.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import timedelta
from functools import cache
from typing import Any

import pytest
from django.conf import settings

from accounts.quiet_hours import MAX_QUIET_HOURS
from accounts.services.bot_accounts import OWNER_CODE_LIFETIME
from common.field_limits import MAX_IDEMPOTENCY_KEY_LENGTH
from common.rate_limits import EXPORT_COST
from games.api.bots import MAX_BOTS_LISTED
from games.api.game_extras import DRAWN_PICTURE_COST
from games.api.game_records import MAX_RECORDS
from games.clock import MAX_NIGHT_LENGTH, MIN_TIME_BETWEEN_NIGHTS
from games.engine.fairness import MAX_CLIENT_SEED_LENGTH
from games.picture_png import OFFERED_WIDTHS
from games.selectors.lists import MAX_CHAT_MESSAGES
from games.services.social import MAX_MESSAGES_PER_PERIOD, MESSAGE_LIMIT_PERIOD
from games.web.fairness import MAX_RECORD_BYTES
from notifications.api.feed import MAX_WAIT_SECONDS
from notifications.models.deliveries import MAX_URL_LENGTH
from notifications.selectors.deliveries import MAX_LISTED_DELIVERIES, MAX_LISTED_FAILING_CALLS
from notifications.services.webhooks import MAX_WEBHOOKS_PER_PLAYER
from tests.site_texts import list_messages, list_texts
from tests.source_tree import ROOT
from tests.text_checks import find_numbers
from tournaments.rating_scale import INITIAL_MU, display_rating
from tournaments.selectors.seeding import MAX_LISTED_SEED_CHANGES

HOUR = timedelta(hours=1)
SMALL_NUMBERS = {*"01234", "two", "three", "four"}
WORDS = {5: "five", 10: "ten", 12: "twelve", 100: "hundred"}
SENTENCES = [
    f"A player has {settings.API_RATE} requests a minute, an address without a token"
    f" {settings.API_RATE_ANONYMOUS}",
    f"You can send {MAX_MESSAGES_PER_PERIOD} messages an hour in a game.",
    f"Counts as {EXPORT_COST} requests.",
    f"A picture that must be drawn counts as {WORDS[DRAWN_PICTURE_COST]} requests;",
    f"A picture that must be drawn counts as {DRAWN_PICTURE_COST} requests in the rate limit",
    f"at most {WORDS[MAX_QUIET_HOURS // HOUR]} hours later",
    f"at most {MAX_NIGHT_LENGTH // HOUR} of {(MAX_NIGHT_LENGTH + MIN_TIME_BETWEEN_NIGHTS) // HOUR}.",
    f"Returns your last {MAX_LISTED_DELIVERIES} mails",
    f"Returns the bots that take challenges, by name, at most {MAX_BOTS_LISTED}.",
    f"Returns the last {WORDS[MAX_CHAT_MESSAGES]} chat messages",
    f"You can have {WORDS[MAX_WEBHOOKS_PER_PLAYER]}.",
    f"{WORDS[MAX_LISTED_FAILING_CALLS]} at most",
    f"The last {MAX_LISTED_SEED_CHANGES} changes of seeds",
    f"A response has at most {MAX_RECORDS:,} records",
    f"from 1 to {MAX_RECORDS}. The default is {MAX_RECORDS}.",
    f"at most {MAX_URL_LENGTH} characters",
    f"larger than {settings.DATA_UPLOAD_MAX_MEMORY_SIZE:,} bytes",
    f"every {settings.STREAM_KEEP_ALIVE:.0f} seconds",
    f"1 to {MAX_CLIENT_SEED_LENGTH} characters",
    f"a beginner has {display_rating(INITIAL_MU)}",
    f"from 0 to {MAX_WAIT_SECONDS} seconds",
    f"rounded up to {', '.join(map(str, OFFERED_WIDTHS[:-1]))} or {OFFERED_WIDTHS[-1]}.",
    f"At most {MAX_IDEMPOTENCY_KEY_LENGTH} printable ASCII characters.",
]

# Texts with a number that comes from no constant, by their beginning.
NO_CONSTANTS = {
    "Arcastudio 2.2": "the title of an edition",
    "The hour of the daily mail": "the hours of a day",
    "The rotation of the tile": "quarters of a turn",
    "The sides whose small circles": "quarters of a turn",
    "When the call was signed": "an advice to programs, as libraries follow it",
    "games.eight": "the name of an operation",
}
RANGE = re.compile(r"from (\d+) to (\d+)(?: seconds)?\.")
DEFAULT = re.compile(r"The default is (\d+)")
STATUS = re.compile(r"\b4\d\d\b")


def iter_parameters(node: Any) -> Iterator[dict[str, Any]]:
    """Yield every parameter of the document."""
    if isinstance(node, dict):
        if "in" in node and "schema" in node:
            yield node
        for value in node.values():
            yield from iter_parameters(value)
    elif isinstance(node, list):
        for value in node:
            yield from iter_parameters(value)


@cache
def list_api_texts() -> list[str]:
    texts = (text.words for text in list_texts() if text.place.endswith("openapi.json"))
    return [" ".join(words.split()) for words in texts]


@pytest.mark.parametrize("sentence", SENTENCES)
def test_a_number_is_that_of_its_constant(sentence: str) -> None:
    assert any(sentence in text for text in list_api_texts())


def test_words_that_stand_for_a_number_are_so() -> None:
    """Numbers that texts express in words."""
    assert MESSAGE_LIMIT_PERIOD == HOUR
    assert timedelta(days=1) == OWNER_CODE_LIFETIME
    assert any("a code that is valid for a day" in text for text in list_api_texts())
    assert MAX_RECORD_BYTES == 1_000_000
    assert sum("megabyte" in message.english[0] for message in list_messages()) == 2


def test_the_range_of_a_parameter_is_that_of_its_schema() -> None:
    parameters = [*iter_parameters(json.loads((ROOT / "common/api/openapi.json").read_text()))]
    ranges = 0
    for parameter in parameters:
        schema, words = parameter["schema"], parameter.get("description", "")
        for least, most in RANGE.findall(words):
            ranges += 1
            assert (int(least), int(most)) == (schema["minimum"], schema["maximum"]), words
        if "default" in schema and (default := DEFAULT.search(words)):
            assert int(default[1]) == schema["default"], words
    assert ranges > 10


def test_no_other_number_stands_in_the_reference() -> None:
    """Numbers up to four count players, tiles and sides, and are not checked."""
    held_pattern = re.compile(
        "|".join([*map(re.escape, SENTENCES), RANGE.pattern, DEFAULT.pattern, STATUS.pattern])
    )
    numbers = {
        text: [number for number in find_numbers(held_pattern.sub("", text)) if number not in SMALL_NUMBERS]
        for text in list_api_texts()
        if not text.startswith(tuple(NO_CONSTANTS))
    }
    assert {text: loose for text, loose in numbers.items() if loose} == {}
    assert [
        name for name in NO_CONSTANTS if not any(text.startswith(name) for text in list_api_texts())
    ] == []
