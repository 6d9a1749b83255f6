"""Parses inbound mail into headers and text parts, at a cost that the sender cannot drive up.

The standard library parses every part, however many and however deeply nested. This parser finds only what
is needed by its boundaries, skips attachments, limits everything and never raises.
"""

from __future__ import annotations

import binascii
import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass
from email.header import decode_header
from email.message import Message

MAX_HEAD_BYTES = 100_000
MAX_HEADERS = 500
MAX_HEADER_LENGTH = 2_000
MAX_PART_DEPTH, MAX_PARTS, MAX_BOUNDARY_SEARCHES = 10, 200, 20_000
MAX_TEXT_BYTES = 400_000  # of a text part, before decoding

_BLANK_LINE = re.compile(rb"\r?\n[ \t]*\r?\n")
_LINE_BREAK = re.compile(rb"\r\n|\n|\r")
_NOT_BASE64 = re.compile(rb"[^A-Za-z0-9+/]")
# Charsets that no mail program writes and that are slow or ambiguous to decode.
_UNSAFE_CHARSETS = {"idna", "punycode", "unicode_escape", "raw_unicode_escape", "undefined", "utf_7"}

Headers = dict[str, list[str]]


@dataclass(frozen=True)
class MimePart:
    """A leaf part: its headers, and the byte range of its content in the mail."""

    headers: Headers
    start: int
    end: int

    @property
    def content_type(self) -> str:
        """The content type."""
        return build_content_headers(self.headers).get_content_type()

    @property
    def is_attachment(self) -> bool:
        """True if the part is an attached file."""
        content_headers = build_content_headers(self.headers)
        return content_headers.get_content_disposition() == "attachment" or bool(
            content_headers.get_filename()
        )

    @property
    def is_flowed(self) -> bool:
        """True if the text is format=flowed: a line that ends with a space continues in the next."""
        return str(build_content_headers(self.headers).get_param("format", "")).lower() == "flowed"


@dataclass(frozen=True)
class MimeMail:
    """A mail and its headers by lower-case name."""

    raw: bytes
    headers: Headers
    body_start: int  # offset at which the body begins

    def get_all(self, name: str) -> list[str]:
        """All raw values of a header."""
        return self.headers.get(name, [])

    def get(self, name: str) -> str:
        """The first value of a header, decoded and on one line; empty if there is none."""
        return decode_header_value(next(iter(self.get_all(name)), ""))

    @property
    def content_type(self) -> str:
        """The content type."""
        return build_content_headers(self.headers).get_content_type()

    def iter_parts(self) -> Iterator[MimePart]:
        """Yield the leaf parts in order, at most MAX_PARTS, none from inside an attached mail."""
        searches_left = [MAX_BOUNDARY_SEARCHES]
        for index, part in enumerate(
            iter_leaf_parts(self.raw, self.headers, self.body_start, len(self.raw), 0, searches_left)
        ):
            if index >= MAX_PARTS:
                return
            yield part

    def decode_part(self, part: MimePart) -> str:
        """The text of a part."""
        return decode_text(self.raw[part.start : min(part.end, part.start + MAX_TEXT_BYTES)], part.headers)


def parse_mail(raw: bytes) -> MimeMail:
    """Parse a raw mail."""
    body_start = find_body_start(raw, 0, len(raw))
    return MimeMail(raw, parse_headers(raw[: min(body_start, MAX_HEAD_BYTES)]), body_start)


def find_body_start(raw: bytes, start: int, end: int) -> int:
    """The offset at which the body begins."""
    if raw[start : start + 1] == b"\n" or raw[start : start + 2] == b"\r\n":
        return raw.index(b"\n", start) + 1
    blank_line = _BLANK_LINE.search(raw, start, min(end, start + MAX_HEAD_BYTES))
    return blank_line.end() if blank_line else min(end, start + MAX_HEAD_BYTES)


def parse_headers(head: bytes) -> Headers:
    """Headers by lower-case name; lines that are not headers are skipped."""
    lines: list[str] = []
    for line in _LINE_BREAK.split(head):
        text = line.decode("utf-8", "replace")
        if text[:1] in (" ", "\t") and lines:
            if len(lines[-1]) <= MAX_HEADER_LENGTH:
                lines[-1] += f" {text.strip()}"
        elif len(lines) < MAX_HEADERS:
            lines.append(text)
    headers: Headers = {}
    for line in lines:
        name, colon, value = line.partition(":")
        if colon and name.strip():
            headers.setdefault(name.strip().lower(), []).append(value.strip()[:MAX_HEADER_LENGTH])
    return headers


def build_content_headers(headers: Headers) -> Message:
    """The content headers as a Message, whose methods parse their parameters."""
    content_headers = Message()
    for name in ("content-type", "content-disposition"):
        for value in headers.get(name, [])[:1]:
            content_headers[name] = value
    return content_headers


def decode_header_value(value: str) -> str:
    """A header value with encoded words decoded; unchanged if that fails."""
    if "=?" in value:
        try:
            chunks = decode_header(value)
            value = "".join(
                chunk.decode(resolve_charset(charset), "replace") if isinstance(chunk, bytes) else chunk
                for chunk, charset in chunks
            )
        except (ValueError, LookupError):  # HeaderParseError and binascii.Error are ValueErrors
            pass
    return " ".join(value.split())


def iter_leaf_parts(
    raw: bytes, headers: Headers, start: int, end: int, depth: int, searches_left: list[int]
) -> Iterator[MimePart]:
    """Yield the leaf parts in a byte range. `searches_left` limits boundary searches per mail."""
    content_headers = build_content_headers(headers)
    if content_headers.get_content_maintype() != "multipart" or depth >= MAX_PART_DEPTH:
        yield MimePart(headers, start, end)
        return
    boundary = get_boundary(content_headers)
    if not boundary:  # then treat it as one text
        yield MimePart({}, start, end)
        return
    for part_start, part_end in iter_part_ranges(raw, boundary, start, end, searches_left):
        body_start = find_body_start(raw, part_start, part_end)
        part_headers = parse_headers(raw[part_start : min(body_start, part_start + MAX_HEAD_BYTES)])
        yield from iter_leaf_parts(
            raw, part_headers, min(body_start, part_end), part_end, depth + 1, searches_left
        )


def get_boundary(content_headers: Message) -> bytes:
    """The multipart boundary; empty if there is none."""
    try:
        return (content_headers.get_boundary() or "").encode()[:200]
    except (ValueError, LookupError):
        return b""


def iter_part_ranges(
    raw: bytes, boundary: bytes, start: int, end: int, searches_left: list[int]
) -> Iterator[tuple[int, int]]:
    """Yield the byte range of each part; the last one need not be closed."""
    marker = b"--" + boundary
    part_start = -1
    position = raw.find(marker, start, end)
    while position >= 0 and searches_left[0] > 0:
        searches_left[0] -= 1
        marker_end = position + len(marker)
        line_end = raw.find(b"\n", marker_end, min(end, marker_end + MAX_HEADER_LENGTH))
        tail = raw[
            marker_end : line_end if line_end >= 0 else min(end, marker_end + MAX_HEADER_LENGTH)
        ].strip()
        if (position == start or raw[position - 1 : position] == b"\n") and tail in (b"", b"--"):
            if part_start >= 0:
                yield part_start, position
            if tail or line_end < 0:
                return
            part_start = line_end + 1
        position = raw.find(marker, marker_end, end)
    if part_start >= 0:
        yield part_start, end


def decode_text(content: bytes, headers: Headers) -> str:
    """Decode a text part, whatever its declared charset."""
    encoding = "".join(headers.get("content-transfer-encoding", [])[:1]).strip().lower()
    if encoding == "base64":
        base64_digits = _NOT_BASE64.sub(b"", content)
        base64_digits = (
            base64_digits[:-1] if len(base64_digits) % 4 == 1 else base64_digits
        )  # one digit is no byte
        content = binascii.a2b_base64(base64_digits + b"=" * (-len(base64_digits) % 4))
    elif encoding == "quoted-printable":
        content = binascii.a2b_qp(content)
    charset = resolve_charset(build_content_headers(headers).get_content_charset())
    for candidate_charset in (charset, "utf-8", "cp1252"):
        try:
            text = content.decode(candidate_charset)
            break
        except UnicodeError:
            continue
    else:
        text = content.decode(charset, "replace")
    return text.replace("\0", "").lstrip("\ufeff").encode("utf-8", "replace").decode()


def resolve_charset(charset: object) -> str:
    """A charset that Python can decode safely; utf-8 if the declared one is not."""
    try:
        codec = codecs.lookup(str(charset or "utf-8"))
    except (LookupError, ValueError):
        return "utf-8"
    is_unsafe = codec.name.replace("-", "_") in _UNSAFE_CHARSETS or not getattr(
        codec, "_is_text_encoding", True
    )
    return "utf-8" if is_unsafe else codec.name
