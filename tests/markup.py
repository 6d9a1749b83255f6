"""HTML as a browser reads it, independent of line breaks in templates."""

from __future__ import annotations

import re

BLOCK_TAGS = (
    "address|article|aside|blockquote|body|br|button|caption|dd|details|div|dl|dt|fieldset|figcaption|figure|footer|"
    "form|h[1-6]|head|header|hr|html|legend|li|main|nav|ol|option|p|pre|section|select|summary|table|tbody|td|tfoot|"
    "th|thead|title|tr|ul"
)
AROUND_BLOCKS = re.compile(rf"\s*(</?(?:{BLOCK_TAGS})\b[^>]*>)\s*")
INSIDE_TAGS = re.compile(r"<[^>]*>")


def normalise_html(html: str) -> str:
    """Return HTML with one space for every run of white space, and none around elements that start a line."""
    html = INSIDE_TAGS.sub(lambda tag: tag[0].replace(" >", ">"), re.sub(r"\s+", " ", html))
    return AROUND_BLOCKS.sub(r"\1", html)
