"""Logs in JSON, without secrets of users."""

from __future__ import annotations

import json
import logging

import pytest
from django.test import Client

from games import signed_links
from otto_site.logs import JsonFormatter, redact_secrets
from tests.factories.cast import start_cast_game

pytestmark = pytest.mark.django_db


def log_fields(record: logging.LogRecord) -> dict[str, object]:
    line = JsonFormatter().format(record)
    assert "\n" not in line
    data: dict[str, object] = json.loads(line)
    return data


def test_a_request_is_one_line_with_its_id_its_route_and_its_game(client: Client, caplog) -> None:
    game = start_cast_game("ada", "bob")
    with caplog.at_level(logging.INFO, "otto.request"):
        answer = client.get(f"/games/{game.code}/", headers={"X-Request-ID": "given-by-a-proxy"})
    assert answer["X-Request-ID"] == "given-by-a-proxy"
    (record,) = [record for record in caplog.records if record.name == "otto.request"]
    fields = record.details
    assert fields["route"] == "games/<slug:code>/"
    assert (fields["method"], fields["status"]) == ("GET", 200)
    assert fields["ms"] > 0


def test_an_id_that_could_not_be_one_is_not_taken(client: Client) -> None:
    for request_id in ("short", "x" * 65, "two words here", 'quo"te"s-in-it'):
        answer = client.get("/healthz", headers={"X-Request-ID": request_id})
        assert answer["X-Request-ID"] != request_id
        assert len(answer["X-Request-ID"]) == 16


def test_neither_tokens_nor_addresses_come_into_a_log(client: Client, caplog) -> None:
    token = signed_links.make_turn_token(
        purpose=signed_links.TURN_PURPOSE, game_code="abcdefghjkmn", seat_no=1, turn_seq=1, player_id=1
    )
    with caplog.at_level(logging.DEBUG):
        client.get(f"/t/{token}/")
        client.get(f"/invitations/{signed_links.make_invitation_token(3)}/")
    lines = [JsonFormatter().format(record) for record in caplog.records if record.name == "otto.request"]
    assert len(lines) == 2
    assert token.rpartition("-")[2] not in "".join(lines)
    assert signed_links.make_invitation_token(3).partition(":")[2] not in "".join(lines)


def test_what_looks_like_a_secret_or_an_address_is_taken_out_of_any_text() -> None:
    text = "mail to ada.lovelace+otto@mail.example.org refused; "
    text += "key otto_5f3aQ2mZl0c9V8b7N6m5x4z3 of game 6h6cnr3ewhhp"
    assert redact_secrets(text) == "mail to [address] refused; key [secret] of game 6h6cnr3ewhhp"
    assert redact_secrets("0123456789abcdef" * 4) == "[secret]"
    assert redact_secrets("tournaments.services.sweep") == "tournaments.services.sweep"


def test_a_traceback_is_one_line_too_and_cleaned() -> None:
    try:
        raise ValueError("no mailbox for ada@example.org")
    except ValueError:
        import sys

        record = logging.LogRecord("x", logging.ERROR, __file__, 1, "broken", None, sys.exc_info())
    fields = log_fields(record)
    assert fields["level"] == "error"
    assert "[address]" in str(fields["trace"])
    assert "ada@" not in str(fields)
