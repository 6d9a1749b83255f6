"""Extracts the text of an HTML mail, without the quoted message.

The standard library's parser takes minutes on some short inputs and raises on others. This reader treats
whatever stands between angle brackets as a tag and looks at each tag once, so its cost is linear.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

MAX_HTML_LENGTH = 200_000  # longer pages are cut
MAX_TAG_LENGTH = 5_000  # a longer one is treated as text

_BLOCK_TAGS = {
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
_HIDDEN_TAGS = {"head", "script", "style", "template", "title", "blockquote"}
_VOID_TAGS = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr"}
# Class names of the elements around the quoted message and around a signature.
_QUOTE_CLASSES = (
    "gmail_quote",
    "yahoo_quoted",
    "protonmail_quote",
    "moz-cite-prefix",
    "gmail_attr",
    "zmail_extra",
)
_SIGNATURE_CLASSES = (
    "gmail_signature",
    "moz-signature",
    "protonmail_signature",
    "ms-outlook-mobile-signature",
)
# Markers of a quoted message without an enclosing element: everything below is quoted.
_QUOTE_START_MARKERS = (
    "divrplyfwdmsg",
    "appendonsend",
    "mail-editor-reference-message-container",
    "olk_src_body_section",
)

_TAG_NAME = re.compile(r"/?[a-z][a-z0-9:]{0,30}", re.IGNORECASE)
_CLASS_OR_ID = re.compile(r"""\b(?:class|id)\s{0,9}=\s{0,9}("[^"]*|'[^']*|[^\s"'>]+)""", re.IGNORECASE)
_HUGE_CHARACTER_REFERENCE = re.compile(
    r"&#[xX]?[0-9a-fA-F]{8,};?"
)  # not a valid code point, and slow to unescape


def html_to_text(markup: str) -> str:
    """The visible text of a mail, line by line, without quotes and signatures."""
    chunks: list[str] = []
    hidden_tag, depth = "", 0  # the skipped element and its nesting depth
    for text, tag in iter_tokens(markup[:MAX_HTML_LENGTH]):
        if text and not hidden_tag:
            chunks.append(text)
        name = name_match[0].lower() if (name_match := _TAG_NAME.match(tag)) else ""
        if hidden_tag:
            depth += (name == hidden_tag and not tag.endswith("/")) - (name == f"/{hidden_tag}")
            if depth == 0:
                hidden_tag = ""
            continue
        class_names = " ".join(_CLASS_OR_ID.findall(tag)).lower()
        if any(marker in class_names for marker in _QUOTE_START_MARKERS):
            break
        hides = name in _HIDDEN_TAGS or any(
            marker in class_names for marker in (*_QUOTE_CLASSES, *_SIGNATURE_CLASSES)
        )
        if hides and name not in _VOID_TAGS and not tag.endswith("/"):
            hidden_tag, depth = name, 1
        if hides or name.lstrip("/") in _BLOCK_TAGS:
            chunks.append("\n")
    text = html.unescape(_HUGE_CHARACTER_REFERENCE.sub("", "".join(chunks)))
    return "\n".join(" ".join(line.split()) for line in text.split("\n"))


def iter_tokens(markup: str) -> Iterator[tuple[str, str]]:
    """Yield pairs of text and the tag after it; line breaks in the text become spaces."""
    markup = markup.replace("\r", " ").replace("\n", " ")
    position = text_start = 0
    tag_end = markup.find(">")
    while (position := markup.find("<", position)) >= 0:
        if markup.startswith("<!--", position):
            comment_end = markup.find("-->", position + 4)
            yield markup[text_start:position], ""
            position = text_start = comment_end + 3 if comment_end >= 0 else len(markup)
            continue
        if 0 <= tag_end < position:
            tag_end = markup.find(">", position)
        if tag_end < 0:
            break
        if tag_end - position > MAX_TAG_LENGTH or not (
            _TAG_NAME.match(markup, position + 1) or markup[position + 1] in "!?"
        ):
            position += 1  # a bare angle bracket, not a tag
            continue
        yield markup[text_start:position], markup[position + 1 : tag_end]
        position = text_start = tag_end + 1
    yield markup[text_start:], ""
