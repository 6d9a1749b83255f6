"""Times are in the zone of their reader; test_every_page.py checks the times of all pages."""

from __future__ import annotations

import re
from datetime import UTC, datetime

import pytest
from django.test import Client

from accounts.models import Player
from tests.factories.cast import start_cast_game
from tests.factories.events import published

from .times import find_wrong_times, list_times


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("zone", "pattern"), [("UTC", "UTC"), ("Europe/Rome", "CES?T"), ("Asia/Dubai", r"\+04")]
)
def test_a_time_follows_the_zone_of_its_reader(zone: str, pattern: str) -> None:
    start_cast_game("ada", "bob")
    Player.objects.filter(name__in=("ada", "bob")).update(time_zone=zone)
    times = []
    for name in ("ada", "bob"):
        client = Client()
        client.force_login(Player.objects.get(name=name))
        times += list_times(client.get("/games/").text).times
    assert times
    assert all(re.match(rf"\s{pattern}", after) for _at, after, _marked in times)


@pytest.mark.django_db
def test_who_is_not_signed_in_reads_the_zone_too(client: Client) -> None:
    tournament = published("knockout", 2, starts_at=datetime(2026, 3, 9, 18, tzinfo=UTC))
    assert "March 9, 2026, 18:00 UTC</time>" in client.get(f"/tournaments/{tournament.code}/").text


def test_what_is_wrong_about_a_time_is_found() -> None:
    page = "<p>until March 3, 2026, 12:00</p><p><time datetime='x'>12:00 CET</time> 3:30 is no ratio</p>"
    assert find_wrong_times(page) == [
        "12:00 without a zone, before ''",
        "3:30 without a zone, before ' is no ratio'",
        "12:00 outside of <time datetime>",
        "3:30 outside of <time datetime>",
    ]
    form = '<input type="datetime-local" name="starts_at">'
    assert find_wrong_times(form) == ["a form asks for a time and names no zone"]
    assert find_wrong_times(f"<p>Times are in UTC</p>{form}") == []
