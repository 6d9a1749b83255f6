"""The example of the TypeScript client: a page on another origin shows a running game."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.factories.cast import start_cast_game
from tests.helpers.first_moves import play_any_action
from tests.helpers.node import TYPESCRIPT_CLIENT
from tests.helpers.other_origin import serve_folder


@pytest.fixture
def other_origin() -> Iterator[str]:
    """Serve the folder of the client from another port, as its README says."""
    with serve_folder(TYPESCRIPT_CLIENT) as address:
        yield address


def test_a_page_of_another_origin_shows_a_game_as_it_is_played(
    stream_server: str, other_origin: str, transactional_db: None, browser: Browser, drive_browser: None
) -> None:
    game = start_cast_game("ada", "bob")
    context = browser.new_context()
    errors: list[str] = []
    try:
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on(
            "console",
            lambda line: (
                errors.append(f"{line.location['url']}: {line.text}") if line.type == "error" else None
            ),
        )
        page.goto(f"{other_origin}/examples/spectate.html?site={stream_server}&game={game.code}")
        expect(page.get_by_role("status")).to_contain_text("Move 0.")
        expect(page.locator("#board svg")).to_be_visible()
        play_any_action(game)
        expect(page.get_by_role("status")).to_contain_text("Move 1.")
        expect(page.locator("#log li")).to_have_count(1)
        play_any_action(game)
        expect(page.locator("#log li")).to_have_count(2)
        expect(page.locator("#log li").first).to_contain_text("Seat ")
    finally:
        context.close()
    assert [text for text in errors if "/favicon.ico: " not in text] == []


def test_the_example_is_short() -> None:
    lines = (TYPESCRIPT_CLIENT / "examples" / "spectate.html").read_text().splitlines()
    assert len(lines) <= 60
