"""The text of a mail that was written as HTML, without what its program repeats of the mail before.

The standard library's parser takes minutes for some short texts, and raises on others. Nothing here needs to
know HTML well: tags are what stands between angle brackets, and each is looked at once.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

MOST = 200_000  # characters that are read
TAG = 5_000  # characters of a tag; a longer one is none

_LINES = {
    *(
        "address",
        "article",
        "br",
        "center",
        "dd",
        "div",
        "dl",
        "dt",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "hr",
    ),
    *("li", "ol", "p", "pre", "section", "table", "tr", "ul"),
}
_UNSEEN = {"head", "script", "style", "template", "title", "blockquote"}
_UNCLOSED = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr"}
# What programs call the box around the mail that is answered, and around a signature.
_QUOTES = ("gmail_quote", "yahoo_quoted", "protonmail_quote", "moz-cite-prefix", "gmail_attr", "zmail_extra")
_SIGNATURES = ("gmail_signature", "moz-signature", "protonmail_signature", "ms-outlook-mobile-signature")
# Where some begin to repeat it without a box: nothing below is the writer's own.
_ENDS = ("divrplyfwdmsg", "appendonsend", "mail-editor-reference-message-container", "olk_src_body_section")

_NAME = re.compile(r"/?[a-z][a-z0-9:]{0,30}", re.IGNORECASE)
_CALLED = re.compile(r"""\b(?:class|id)\s{0,9}=\s{0,9}("[^"]*|'[^']*|[^\s"'>]+)""", re.IGNORECASE)
_HUGE = re.compile(r"&#[xX]?[0-9a-fA-F]{8,};?")  # no character has such a number, and reading it takes long


def as_text(page: str) -> str:
    """What a mail says, line by line, above, between and below what is quoted."""
    said: list[str] = []
    unseen, depth = "", 0  # the element that is passed over, and how many of its name are open within
    for text, tag in tokens(page[:MOST]):
        if text and not unseen:
            said.append(text)
        name = found[0].lower() if (found := _NAME.match(tag)) else ""
        if unseen:
            depth += (name == unseen and not tag.endswith("/")) - (name == f"/{unseen}")
            if depth == 0:
                unseen = ""
            continue
        called = " ".join(_CALLED.findall(tag)).lower()
        if any(one in called for one in _ENDS):
            break
        hides = name in _UNSEEN or any(one in called for one in (*_QUOTES, *_SIGNATURES))
        if hides and name not in _UNCLOSED and not tag.endswith("/"):
            unseen, depth = name, 1
        if hides or name.lstrip("/") in _LINES:
            said.append("\n")
    text = html.unescape(_HUGE.sub("", "".join(said)))
    return "\n".join(" ".join(line.split()) for line in text.split("\n"))


def tokens(page: str) -> Iterator[tuple[str, str]]:
    """Text and the tag after it, again and again. A line break in the text is a space to the reader."""
    page = page.replace("\r", " ").replace("\n", " ")
    at = begun = 0
    end = page.find(">")
    while (at := page.find("<", at)) >= 0:
        if page.startswith("<!--", at):
            close = page.find("-->", at + 4)
            yield page[begun:at], ""
            at = begun = close + 3 if close >= 0 else len(page)
            continue
        if 0 <= end < at:
            end = page.find(">", at)
        if end < 0:
            break
        if end - at > TAG or not (_NAME.match(page, at + 1) or page[at + 1] in "!?"):
            at += 1  # an angle, not a tag
            continue
        yield page[begun:at], page[at + 1 : end]
        at = begun = end + 1
    yield page[begun:], ""
