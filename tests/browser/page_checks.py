"""Checks of accessibility, layout and size of a page, and screenshots."""

from __future__ import annotations

import json
import os
from pathlib import Path
from urllib.parse import urlsplit

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import BrowserContext, Page

from tests.services import ROOT
from tests.text_checks import MAX_BUTTON_LENGTH

from .page_watch import get_watch

RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
MOST_ASSET_BYTES = 60_000
file_sizes: dict[str, int] = {}  # of static files, by URL
PHONE, DESKTOP = {"width": 390, "height": 844}, {"width": 1280, "height": 900}

# Runs in every page before its own scripts: adds up the layout shifts that no input caused.
OBSERVER = """
window.jumped = 0;
window.jumps = new PerformanceObserver(list => window.count_jumps(list.getEntries()));
window.count_jumps = entries => { for (const e of entries) if (!e.hadRecentInput) window.jumped += e.value; };
window.jumps.observe({type: "layout-shift", buffered: true});
"""

DRAWN = """async () => {
  await document.fonts.ready;
  for (const frame of [1, 2]) await new Promise(requestAnimationFrame);
}"""

# Elements that extend beyond the right edge of the window, if the page scrolls sideways.
STICKS_OUT = """() => {
  const {scrollWidth, clientWidth} = document.documentElement;
  if (scrollWidth <= clientWidth) return [];
  const found = [`the page is ${scrollWidth} wide, the window ${clientWidth}`];
  for (const element of document.body.querySelectorAll("*")) {
    const {width, right} = element.getBoundingClientRect(), tag = element.cloneNode().outerHTML;
    if (width && right > clientWidth + 0.5) found.push(`${tag.slice(0, 120)} ends at ${Math.round(right)}`);
  }
  return found;
}"""

# Text in a box that hides its overflow, and links of the menu that overlap. Boxes smaller than a letter are
# for screen readers alone.
CUT = """() => {
  const found = [];
  for (const element of document.body.querySelectorAll("*")) {
    const style = getComputedStyle(element), hides = side => ["hidden", "clip"].includes(style[side]);
    if (!element.innerText || element.clientWidth < 4 || element.clientHeight < 4) continue;
    if (hides("overflowX") && element.scrollWidth > element.clientWidth + 1
        || hides("overflowY") && element.scrollHeight > element.clientHeight + 1)
      found.push(`${element.cloneNode().outerHTML.slice(0, 120)} cuts ${element.innerText.slice(0, 60)}`);
  }
  const links = [...document.querySelectorAll("header a")].map(link => [link, link.getBoundingClientRect()]);
  for (const [place, [link, box]] of links.entries()) {
    const isCoveredBy = ([, other]) => box.left < other.right - 1 && other.left < box.right - 1
      && box.top < other.bottom - 1 && other.top < box.bottom - 1;
    const other = links.slice(place + 1).find(isCoveredBy);
    if (other) found.push(`${link.innerText} lies on ${other[0].innerText}`);
  }
  return found;
}"""

# Buttons with a text that is too long or takes more than two lines, without text for screen readers.
UNRULY = """() => {
  const found = [];
  for (const button of document.body.querySelectorAll("button, .button, input[type=submit]")) {
    const walker = document.createTreeWalker(button, NodeFilter.SHOW_TEXT);
    const tops = [], range = document.createRange();
    let text = button.value && button.tagName === "INPUT" ? button.value : "";
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (node.parentElement.closest(".hidden, .visually-hidden, svg") || !node.data.trim()) continue;
      range.selectNodeContents(node);
      const lines = [...range.getClientRects()].filter(({width, height}) => width && height);
      if (!lines.length) continue;
      text += ` ${node.data}`;
      for (const {top, bottom} of lines) {
        const middle = (top + bottom) / 2;
        if (tops.every(other => Math.abs(other - middle) > (bottom - top) / 2)) tops.push(middle);
      }
    }
    text = text.trim().replace(/\\s+/g, " ");
    const most = button.querySelector("svg, img") ? 3 : 2;  // beside a picture stands its caption
    if (tops.length > most) found.push(`a button of ${tops.length} lines: ${text}`);
    if (text.length > MOST) found.push(`a button of ${text.length} characters: ${text}`);
  }
  return found;
}"""

# Words broken across lines, except for addresses, code and words with a hyphen.
BROKEN = """() => {
  const WORD = /(?<![\\p{L}\\d_.@\\/:=-])\\p{L}{2,24}(?![\\p{L}\\d_.@\\/:=-])/gu;
  const ASIDE = "code, pre, svg, script, style, textarea, select, .hidden, .visually-hidden";
  const found = [], range = document.createRange();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const box = node.parentElement;
    if (box.closest(ASIDE) || !box.offsetHeight) continue;
    range.selectNodeContents(node);
    if (range.getClientRects().length < 2) continue;
    for (const word of node.data.matchAll(WORD)) {
      range.setStart(node, word.index);
      range.setEnd(node, word.index + word[0].length);
      const [first, ...others] = range.getClientRects();
      if (first && others.some(({top}) => top > first.top + first.height / 2))
        found.push(`${word[0]} is broken in ${box.cloneNode().outerHTML.slice(0, 100)}`);
    }
  }
  return found;
}"""


def wait_until_settled(page: Page) -> None:
    """Wait until a page has received all answers and has drawn them."""
    page.wait_for_load_state("load")
    while get_watch(page).running:
        page.wait_for_timeout(20)
    page.evaluate(DRAWN)


def install_axe(context: BrowserContext) -> None:
    """Load axe-core in all pages of a context: for many pages that is quicker than sending it to each."""
    context.add_init_script(AXE_SCRIPT)


def find_axe_violations(page: Page, *rules: str) -> list[str]:
    """List the violations of WCAG 2.2 AA and best practice, or of these rules, that axe-core finds."""
    only = {"type": "rule", "values": [*rules]} if rules else {"type": "tag", "values": RULES}
    # Preloading would fetch the style sheets again by script, which a strict policy forbids.
    options = {"runOnly": only, "resultTypes": ["violations"], "preload": False, "iframes": False}
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    violations = page.evaluate("options => axe.run(options).then(results => results.violations)", options)
    return [
        f"{violation['id']}: {violation['help']}: {node['html'][:160]} ({'; '.join(list_reasons(node))})"
        for violation in violations
        for node in violation["nodes"]
    ]


def list_reasons(node: dict) -> list[str]:  # type: ignore[type-arg]
    return [check["message"] for kind in ("any", "all", "none") for check in node[kind]]


def find_sideways_scroll(page: Page) -> list[str]:
    """List the elements that make a page wider than its window."""
    return page.evaluate(STICKS_OUT)


def find_cut_text(page: Page) -> list[str]:
    """List the texts that their box cuts off, and links of the menu that overlap."""
    return page.evaluate(CUT)


def find_unruly_buttons(page: Page) -> list[str]:
    """List the buttons whose text is too long or takes more than two lines."""
    return page.evaluate(UNRULY.replace("MOST", str(MAX_BUTTON_LENGTH)))


def find_broken_words(page: Page) -> list[str]:
    """List the words that are broken because their box is too narrow."""
    return page.evaluate(BROKEN)


def measure_layout_shift(page: Page) -> float:
    """Return the cumulative layout shift since the page was opened."""
    wait_until_settled(page)
    return page.evaluate("() => { count_jumps(jumps.takeRecords()); return jumped; }")


def measure_assets(page: Page) -> int:
    """Return the bytes of all scripts and style sheets that a page has loaded, before compression.

    The browser lists them, but does not report their sizes to a sandboxed page, such as the mailbox.
    """
    addresses = page.evaluate(
        """() => performance.getEntriesByType("resource").map(({name}) => name)
          .filter((name) => /\\.(js|css)$/.test(new URL(name).pathname))"""
    )
    return sum(measure_file(page, address) for address in set(addresses))


def measure_file(page: Page, address: str) -> int:
    """Return the bytes of a static file; each file is requested once."""
    path = urlsplit(address).path
    if path not in file_sizes:
        answer = page.request.get(address)
        assert answer.ok, address
        file_sizes[path] = len(answer.body())
    return file_sizes[path]


def take_screenshot(page: Page, name: str) -> None:
    """Save a screenshot of the whole page as NAME.png in the folder $SCREENSHOTS, if that is set."""
    if folder := os.environ.get("SCREENSHOTS"):
        path = Path(ROOT, folder, f"{name}.png")
        path.parent.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=path, full_page=True, animations="disabled")


def take_album(page: Page, name: str) -> None:
    """Take screenshots in light and dark, on a phone and on a desktop."""
    if not os.environ.get("SCREENSHOTS"):
        return
    for screen, size in (("phone", PHONE), ("desktop", DESKTOP)):
        page.set_viewport_size(size)  # type: ignore[arg-type]
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
            take_screenshot(page, f"{name}-{screen}-{scheme}")
    page.emulate_media(color_scheme=None)


def count_words(page: Page, name: str) -> None:
    """Write how many words a page shows into the JSON file $WORD_COUNTS, if that is set."""
    if file := os.environ.get("WORD_COUNTS"):
        path = Path(ROOT, file)
        counts = json.loads(path.read_text()) if path.exists() else {}
        text = page.evaluate("() => document.body.innerText")
        counts[name] = len([word for word in text.split() if any(map(str.isalpha, word))])
        path.write_text(json.dumps(counts, indent=1))
