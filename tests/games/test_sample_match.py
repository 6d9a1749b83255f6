"""The sample match: a valid record, shown step by step with captions and without scripts."""

from __future__ import annotations

import html

import pytest
from django.conf import settings
from django.test import Client

from games.engine import load_edition
from games.engine.board import FULL_BOARD_MASK
from games.sample_match import REMARKS, SAMPLE_ACTIONS, SAMPLE_SETUP, Remark, list_sample_positions


def read_step(step: int | str, language: str = "en") -> str:
    answer = Client().get("/lesson/match/", {"at": step}, headers={"accept-language": language})
    assert answer.status_code == 200
    return html.unescape(answer.content.decode())


def test_the_match_is_played_by_the_engine_to_an_8() -> None:
    positions = list_sample_positions()
    assert len(positions) == len(SAMPLE_ACTIONS) + 1
    kinds = [event["event"] for position in positions for event in position.events]
    assert {"played", "closed", "dark tiles left", "second turn", "infinity"} <= {*kinds}
    assert kinds[-1] == "match ended"
    figures = positions[-1].view["board"]["figures"]
    assert {figure["kind"] for figure in figures} == {"small circle", "circle", "square", "infinity"}
    cells = [len(position.view["board"]["cells"]) for position in positions]
    assert cells == sorted(cells)
    assert cells[-1] < FULL_BOARD_MASK.bit_count()


@pytest.mark.parametrize("remark", REMARKS, ids=[str(remark.step) for remark in REMARKS])
def test_a_remark_stands_where_it_happens(remark: Remark) -> None:
    position = list_sample_positions()[remark.step]
    assert remark.event in [event["event"] for event in position.events]
    assert str(remark.text) in read_step(remark.step)


def test_every_step_can_be_reached_without_scripts() -> None:
    last = len(SAMPLE_ACTIONS)
    first_page, last_page = read_step(0), read_step(10**6)
    assert f"Step 0 of {last}" in first_page
    assert f"Step {last} of {last}" in last_page
    assert 'rel="next"' in first_page
    assert 'rel="prev"' not in first_page
    assert 'rel="next"' not in last_page
    assert 'rel="prev"' in last_page
    assert "Anna made an 8" in last_page
    for odd in ("", "x", "-3", "1e9"):
        assert f"Step 0 of {last}" in read_step(odd)


def test_the_match_names_its_edition_and_leads_to_its_rules() -> None:
    for language in ("en", "nl"):
        page = read_step(0, language)
        assert load_edition(SAMPLE_SETUP.edition).title in page
        assert f'href="/rules/?edition={SAMPLE_SETUP.edition}"' in page


def test_the_match_can_be_watched_in_every_language() -> None:
    pages = {code: read_step(12, code) for code, _ in settings.LANGUAGES}
    assert len({*pages.values()}) == len(settings.LANGUAGES)
    for code, page in pages.items():
        assert f'<html lang="{code}"' in page
