"""The page checks find what they should."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from .page_checks import (
    find_axe_violations,
    find_broken_words,
    find_cut_text,
    find_sideways_scroll,
    find_unruly_buttons,
    measure_layout_shift,
    take_album,
)
from .page_watch import get_watch

GOOD = "<!doctype html><html lang=en><title>OTTO online</title><main><h1>Fine</h1><p>All is well.</p></main>"


def show_html(page: Page, html: str) -> None:
    """Show a page of the site with this HTML."""
    page.route("**/shown/", lambda route: route.fulfill(body=html, content_type="text/html"))
    page.goto("/shown/")


def test_a_good_page_is_good(page: Page) -> None:
    show_html(page, GOOD)
    assert find_axe_violations(page) == find_sideways_scroll(page) == find_cut_text(page) == []
    assert measure_layout_shift(page) == 0


@pytest.mark.parametrize(
    ("html", "error_text"),
    [
        ("<script>throw new Error('out of tiles')</script>", "out of tiles"),
        ("<script>console.error('no such cell')</script>", "no such cell"),
        ("<img src='/static/no-such.png' alt=''>", "404: GET"),
        ("<link rel=stylesheet href='http://stranger.example/x.css'>", "a request to a stranger"),
    ],
)
def test_what_goes_wrong_on_a_page_is_noticed(page: Page, html: str, error_text: str) -> None:
    show_html(page, GOOD + html)
    measure_layout_shift(page)
    with pytest.raises(AssertionError, match=error_text):
        get_watch(page).check()


def test_an_answer_that_is_expected_is_no_error(page: Page) -> None:
    get_watch(page).expect(404)
    page.goto("/no/such/page/")
    expect(page.get_by_role("heading", level=1)).to_be_visible()


@pytest.mark.parametrize(
    ("html", "rule"),
    [
        ("<p style='color: #999; background: #fff'>pale</p>", "color-contrast"),
        ("<input name=who>", "label"),
        ("<h4>too deep</h4>", "heading-order"),
        ("<img src='/static/otto.svg'>", "image-alt"),
    ],
)
def test_what_some_cannot_read_is_found(page: Page, html: str, rule: str) -> None:
    show_html(page, GOOD.replace("</main>", f"{html}</main>"))
    assert any(line.startswith(f"{rule}:") for line in find_axe_violations(page)), find_axe_violations(page)


def test_what_is_too_wide_is_named(page: Page) -> None:
    show_html(page, GOOD.replace("</main>", "<div id=wide style='width: 2000px'>x</div></main>"))
    assert any('id="wide"' in line for line in find_sideways_scroll(page))


def test_what_is_cut_is_named(page: Page) -> None:
    box = "<div style='width: 40px; overflow: hidden; white-space: nowrap'>much longer than that</div>"
    show_html(page, GOOD.replace("</main>", f"{box}</main>"))
    assert any("much longer" in line for line in find_cut_text(page))


def test_links_on_each_other_are_named(page: Page) -> None:
    links = "<a href=/rules/>Rules</a> <a href=/lobby/ style='margin-left: -30px'>Sign in</a>"
    show_html(page, GOOD.replace("<main>", f"<header>{links}</header><main>"))
    assert find_cut_text(page) == ["Rules lies on Sign in"]


@pytest.mark.parametrize(
    ("button", "findings"),
    [
        ("<button>Play it</button>", []),
        (
            "<button>Play it<span class=hidden style='position: absolute'> and the next, too</span></button>",
            [],
        ),
        (
            "<button>Play what you have drawn first</button>",
            ["a button of 30 characters: Play what you have drawn first"],
        ),
        ("<button style='width: 40px'>Play what I drew</button>", ["a button of 4 lines: Play what I drew"]),
        ("<a class=button style='display: block; width: 99px'>Play what I drew</a>", []),
    ],
)
def test_an_unruly_button_is_named(page: Page, button: str, findings: list[str]) -> None:
    show_html(page, GOOD.replace("</main>", f"{button}</main>"))
    assert find_unruly_buttons(page) == findings


def test_a_broken_word_is_named(page: Page) -> None:
    box = (
        "<p style='width: 60px; overflow-wrap: anywhere'>a scoremarker, a@example.org <code>abcdef</code></p>"
    )
    show_html(page, GOOD.replace("</main>", f"{box}</main>"))
    assert [line.split(" is broken")[0] for line in find_broken_words(page)] == ["scoremarker"]


def test_what_jumps_is_counted(page: Page) -> None:
    move = "document.querySelector('h1').style.marginTop = '300px'"
    show_html(page, f"{GOOD}<script>onload = () => setTimeout(() => {move}, 50)</script>")
    page.wait_for_function("() => document.querySelector('h1').style.marginTop")
    assert measure_layout_shift(page) > 0.01


def test_pictures_are_taken_where_they_are_wanted(
    page: Page, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    show_html(page, GOOD)
    monkeypatch.delenv("SCREENSHOTS", raising=False)
    take_album(page, "fine")
    monkeypatch.setenv("SCREENSHOTS", str(tmp_path))
    take_album(page, "fine")
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "fine-desktop-dark.png",
        "fine-desktop-light.png",
        "fine-phone-dark.png",
        "fine-phone-light.png",
    ]
