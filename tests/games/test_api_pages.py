"""The pages about the API: their examples work, and every operation is documented."""

from __future__ import annotations

import html
import json
import re
import shlex
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts.api.operations import EXAMPLES
from common.api.openapi import read_document
from common.api.shared_parts import PARAMETERS
from common.problems import ERROR_CODES_PATH
from games.game_notice_kinds import GameNoticeKind
from games.services import bots
from games.web import api_docs
from games.web.api_docs import TAG_TITLES
from games.web.api_types import render_text
from notifications import notice_kinds
from tests.factories.cast import Api, start_cast_game
from tests.helpers.api_examples import list_operations
from tests.helpers.page_policy import check_page
from tournaments.notice_kinds import TournamentNoticeKind

pytestmark = pytest.mark.django_db


def read_page(client: Client, path: str) -> str:
    """Return the text of a page with HTML entities decoded."""
    answer = client.get(path)
    assert answer.status_code == 200
    check_page(answer)
    assert len(answer.content) < 100_000
    return html.unescape(answer.text)


def test_the_guide_leads_to_everything(client: Client) -> None:
    page = read_page(client, "/api/")
    assert len(page) < 60_000
    for name, operation in list_operations():
        assert f'href="/api/operations/{name}/"' in page
        assert f"<h3>{TAG_TITLES[operation['tags'][0]]} <code>" in page
    for section_id in (
        "token",
        "first",
        "actions",
        "once",
        "polling",
        "notifications",
        "webhooks",
        "feeds",
        "fairness",
        "limits",
    ):
        assert f'<h2 id="{section_id}">' in page
    for address in set(re.findall(r'href="(/api/[^"#]*)"', page)) | {ERROR_CODES_PATH}:
        assert client.get(address).status_code == 200, address
    for anchor in re.findall(r'href="#([^"]+)"', page):
        assert f'id="{anchor}"' in page


def test_the_guide_names_every_kind_of_call_and_no_other(client: Client) -> None:
    page = read_page(client, "/api/")
    listed = re.search(r'<dl class="codes" id="webhook-kinds">(.*?)</dl>', page, re.DOTALL)
    assert listed
    kind_rows = re.findall(r"<dt><code>([^<]+)</code></dt><dd>([^<]+)</dd>", listed[1])
    assert [kind for kind, _label in kind_rows] == [kind.value for kind in notice_kinds.list_called_kinds()]
    assert {"turn", "reminder", "pause", "paused", "pause-declined", "test"} < {
        kind for kind, _label in kind_rows
    }
    assert {kind for kind, _label in kind_rows} == {
        *(
            set(GameNoticeKind)
            - {"digest", "reply", "mailed-invitation", "moved", "shoot-out", "declined", "chat", "orders"}
        ),
        "test",
        *TournamentNoticeKind,
    }
    assert not [kind for kind, label in kind_rows if kind == label], "each is explained"


def test_the_guide_says_what_takes_an_idempotency_key(client: Client) -> None:
    """tests/security/test_idempotency.py checks the operations themselves."""
    page = read_page(client, "/api/")
    assert "so does every POST that creates something" in page
    assert "Only a new token" not in page
    assert "of your own with an action" not in page


def test_the_guide_says_the_limits_of_this_site(client: Client, settings: Any) -> None:
    settings.API_RATE, settings.API_RATE_ANONYMOUS, settings.SITE_URL = 77, 33, "https://otto.example"
    page = read_page(client, "/api/")
    assert "77 requests a minute" in page
    assert "without a token 33" in page
    assert '"https://otto.example/api/v1/$@"' in page


def test_the_six_lines_play_a_first_game(client: Client) -> None:
    lines = re.search(r'<pre id="first-game"[^>]*>(.*?)</pre>', read_page(client, "/api/"), re.DOTALL)[
        1
    ].splitlines()  # type: ignore[index]
    assert len(lines) == 6
    assert lines[0].startswith("otto() { curl -s -H 'Authorization: Bearer otto_…'")
    ada, code, seq = Api("ada"), "", 0
    for line in lines[1:]:
        command, path, *rest = shlex.split(line)
        assert command == "otto"
        path = path.replace("7h2kq9m4xwzb", code)
        if not rest:
            bots.play_bot_turns(code=code, now=timezone.now())  # the bot starts if it drew the higher tile
            answer = ada.get(path)
            assert "draw" in answer.json()["you"]["legal"]
            seq = answer.json()["seq"]
            continue
        sent = json.loads(rest[1])
        answer = ada.post(path, sent | ({"seq": seq} if "seq" in sent else {}))
        assert answer.status_code in (200, 201), answer.content
        code = code or answer.json()["id"]
    assert answer.json()["seq"] == seq + 1


@pytest.mark.parametrize(("name", "operation"), list_operations())
def test_every_operation_has_a_page_with_its_examples(
    client: Client, name: str, operation: dict[str, Any]
) -> None:
    page = read_page(client, f"/api/operations/{name}/")
    assert f'<h1 lang="en">{operation["summary"]}</h1>' in page
    prose = re.sub("<pre.*?</pre>", "", page, flags=re.DOTALL)
    assert "`" not in prose, "no Markdown"
    assert html.unescape(render_text(operation["description"])) in prose
    for parameter in operation.get("parameters", []):
        shared_name = parameter.get("$ref", "").rpartition("/")[2]
        name_shown = PARAMETERS[shared_name]["name"] if shared_name else parameter["name"]
        assert f"<code>{name_shown}</code>" in page
    for status in operation["responses"]:
        assert f"<code>{status}</code>" in page
    stored_example = EXAMPLES.get(name.replace("_", "."), {})
    for part in ("request", "response"):
        if part in stored_example:
            value = stored_example[part]
            sample = value if isinstance(value, str) else json.dumps(value, indent=2, ensure_ascii=False)
            assert sample in page, f"{name}: no example of a {part}"
    body = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
    for example in body.get("examples", {}).values():
        for field in example["value"]:
            assert f"<code>{field}</code>" in page, "and its fields are explained"


@pytest.mark.parametrize(
    ("language", "frame"),
    [
        ("en", ["From 1 to 100.", "Default:", "At most 100 characters."]),
        ("it", ["Da 1 a 100.", "Valore predefinito:", "Al massimo 100 caratteri."]),
        ("nl", ["Van 1 tot en met 100.", "Standaard:", "Hoogstens 100 tekens."]),
    ],
)
def test_a_page_tells_defaults_and_limits_in_the_language_of_its_reader(
    client: Client, language: str, frame: list[str]
) -> None:
    addresses = ["/api/operations/games_list/", "/api/operations/games_bots/"]
    page = "".join(client.get(path, headers={"accept-language": language}).text for path in addresses)
    assert [text for text in frame if text not in " ".join(page.split())] == []
    assert '<div lang="en"><p>' in page, "what comes from the document is marked as English"


def test_the_page_of_an_operation_explains_its_response_one_level_deep(client: Client) -> None:
    page = read_page(client, "/api/operations/games_play/")
    assert '<code lang="en"><a href="/api/types/Game/">Game</a></code>, <code>application/json</code>' in page
    for field, schema in read_document()["components"]["schemas"]["Game"]["properties"].items():
        assert f"<dt><code>{field}</code></dt>" in page
        assert html.unescape(render_text(schema["description"])) in page
    assert 'array of <a href="/api/types/Seat/">Seat</a>' in page
    assert "integer or “latest”" in read_page(client, "/api/operations/events/"), "and one of several types"
    assert '<a href="/api/types/GameSummary/">' in read_page(client, "/api/types/GameSummaryPage/")


def test_every_type_has_a_page_and_every_link_leads_to_one(client: Client) -> None:
    names = read_document()["components"]["schemas"].keys()
    types = api_docs.load_types()
    assert types.keys() == names
    linked = set(re.findall(r'href="/api/types/(\w+)/"', str(types) + str(api_docs.load_operations())))
    assert len(linked) > 100
    assert linked <= names
    for name in ("Game", "GameEvent", "TurnFeedEntry", "NewGame", "Problem"):
        page = read_page(client, f"/api/types/{name}/")
        assert f'<h1 lang="en">{name}</h1>' in page
        assert "`" not in page
    assert "<code>lost figure</code>" in read_page(client, "/api/types/GameEvent/")
    assert client.get("/api/types/Nothing/").status_code == 404


def test_an_operation_that_is_none_has_no_page(client: Client) -> None:
    assert client.get("/api/operations/games_dance/").status_code == 404


@pytest.mark.parametrize("language", ["it", "nl"])
def test_a_refusal_is_written_in_the_language_of_the_program_and_its_code_stays(language: str) -> None:
    game = start_cast_game("ada", mode="solo")
    ada, accept = Api("ada"), {"Accept-Language": language}
    for ask in (
        lambda **headers: ada.get("games/nosuchgame22/", **headers),
        lambda **headers: ada.play(game.code, "J-c3-0", 0, **headers),
        lambda **headers: ada.play(game.code, "dance", 0, **headers),
    ):
        plain, answer = ask().json(), ask(**accept)
        assert answer["Content-Language"] == language
        data = answer.json()
        assert data["detail"] != plain["detail"]
        assert {**data, "detail": ""} == {**plain, "detail": ""}
