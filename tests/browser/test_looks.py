"""That the helpers see what they are there to see."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from .looks import album, axe, layout_shift, no_sideways_scroll, nothing_cut
from .watching import watch_of

GOOD = "<!doctype html><html lang=en><title>OTTO online</title><main><h1>Fine</h1><p>All is well.</p></main>"


def show(page: Page, html: str) -> None:
    """A page of the site's that says this."""
    page.route("**/shown/", lambda route: route.fulfill(body=html, content_type="text/html"))
    page.goto("/shown/")


def test_a_good_page_is_good(page: Page) -> None:
    show(page, GOOD)
    assert axe(page) == no_sideways_scroll(page) == nothing_cut(page) == []
    assert layout_shift(page) == 0


@pytest.mark.parametrize(
    ("html", "trouble"),
    [
        ("<script>throw new Error('out of tiles')</script>", "out of tiles"),
        ("<script>console.error('no such cell')</script>", "no such cell"),
        ("<img src='/static/no-such.png' alt=''>", "404: GET"),
        ("<link rel=stylesheet href='http://stranger.example/x.css'>", "a request to a stranger"),
    ],
)
def test_what_goes_wrong_on_a_page_is_noticed(page: Page, html: str, trouble: str) -> None:
    show(page, GOOD + html)
    layout_shift(page)
    with pytest.raises(AssertionError, match=trouble):
        watch_of(page).check()


def test_an_answer_that_is_expected_is_no_trouble(page: Page) -> None:
    watch_of(page).expect(404)
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
    show(page, GOOD.replace("</main>", f"{html}</main>"))
    assert any(line.startswith(f"{rule}:") for line in axe(page)), axe(page)


def test_what_is_too_wide_is_named(page: Page) -> None:
    show(page, GOOD.replace("</main>", "<div id=wide style='width: 2000px'>x</div></main>"))
    assert any('id="wide"' in line for line in no_sideways_scroll(page))


def test_what_is_cut_is_named(page: Page) -> None:
    box = "<div style='width: 40px; overflow: hidden; white-space: nowrap'>much longer than that</div>"
    show(page, GOOD.replace("</main>", f"{box}</main>"))
    assert any("much longer" in line for line in nothing_cut(page))


def test_what_jumps_is_counted(page: Page) -> None:
    move = "document.querySelector('h1').style.marginTop = '300px'"
    show(page, f"{GOOD}<script>onload = () => setTimeout(() => {move}, 50)</script>")
    page.wait_for_function("() => document.querySelector('h1').style.marginTop")
    assert layout_shift(page) > 0.01


def test_pictures_are_taken_where_they_are_wanted(
    page: Page, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    show(page, GOOD)
    monkeypatch.delenv("SCREENSHOTS", raising=False)
    album(page, "fine")
    monkeypatch.setenv("SCREENSHOTS", str(tmp_path))
    album(page, "fine")
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "fine-desktop-dark.png",
        "fine-desktop-light.png",
        "fine-phone-dark.png",
        "fine-phone-light.png",
    ]
