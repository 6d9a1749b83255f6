"""A mail from outside, taken apart: headers and text, at a cost that its sender cannot drive up.

The standard library reads every part of a mail, however many there are and however deep they lie.
Here only what is needed is found, by its boundaries; attachments are passed over, and nothing raises.
"""

from __future__ import annotations

import binascii
import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass
from email.header import decode_header
from email.message import Message

HEAD = 100_000  # bytes of a head that are read
HEADERS = 500
VALUE = 2_000  # characters of one header
DEPTH, PARTS, LOOKS = 10, 200, 20_000
TEXT = 400_000  # bytes of a text part, before it is decoded

_BLANK = re.compile(rb"\r?\n[ \t]*\r?\n")
_BREAK = re.compile(rb"\r\n|\n|\r")
_BASE64 = re.compile(rb"[^A-Za-z0-9+/]")
# Charsets that no mail program writes and that are slow to read, or say something else than they show.
_STRANGE = {"idna", "punycode", "unicode_escape", "raw_unicode_escape", "undefined", "utf_7"}

Headers = dict[str, list[str]]


@dataclass(frozen=True)
class Part:
    """A part that holds no others: its headers, and where in the mail its content lies."""

    headers: Headers
    start: int
    end: int

    @property
    def kind(self) -> str:
        """Its content type."""
        return typed(self.headers).get_content_type()

    @property
    def attached(self) -> bool:
        """Whether it is a file and not something to read."""
        said = typed(self.headers)
        return said.get_content_disposition() == "attachment" or bool(said.get_filename())

    @property
    def flowed(self) -> bool:
        """Whether a line that ends with a space goes on in the next."""
        return str(typed(self.headers).get_param("format", "")).lower() == "flowed"


@dataclass(frozen=True)
class Mail:
    """A mail and its headers, by their names in lower case."""

    raw: bytes
    headers: Headers
    body: int  # where it begins

    def all(self, name: str) -> list[str]:
        """Every header of a name, as it came."""
        return self.headers.get(name, [])

    def get(self, name: str) -> str:
        """The first header of a name, decoded and on one line; empty if there is none."""
        return plain(next(iter(self.all(name)), ""))

    @property
    def kind(self) -> str:
        """Its content type."""
        return typed(self.headers).get_content_type()

    def parts(self) -> Iterator[Part]:
        """The parts that can be read, in order; no more than so many, and none inside an attached mail."""
        looks = [LOOKS]
        for number, part in enumerate(leaves(self.raw, self.headers, self.body, len(self.raw), 0, looks)):
            if number >= PARTS:
                return
            yield part

    def text(self, part: Part) -> str:
        """What a part says."""
        return decoded(self.raw[part.start : min(part.end, part.start + TEXT)], part.headers)


def read(raw: bytes) -> Mail:
    """A mail as it came in."""
    body = after_head(raw, 0, len(raw))
    return Mail(raw, headers_of(raw[: min(body, HEAD)]), body)


def after_head(raw: bytes, start: int, end: int) -> int:
    """Where the content begins."""
    if raw[start : start + 1] == b"\n" or raw[start : start + 2] == b"\r\n":
        return raw.index(b"\n", start) + 1
    blank = _BLANK.search(raw, start, min(end, start + HEAD))
    return blank.end() if blank else min(end, start + HEAD)


def headers_of(head: bytes) -> Headers:
    """Headers by their names; what is no header is left out."""
    lines: list[str] = []
    for line in _BREAK.split(head):
        text = line.decode("utf-8", "replace")
        if text[:1] in (" ", "\t") and lines:
            if len(lines[-1]) <= VALUE:
                lines[-1] += f" {text.strip()}"
        elif len(lines) < HEADERS:
            lines.append(text)
    found: Headers = {}
    for line in lines:
        name, colon, value = line.partition(":")
        if colon and name.strip():
            found.setdefault(name.strip().lower(), []).append(value.strip()[:VALUE])
    return found


def typed(headers: Headers) -> Message:
    """The headers about the content, for the standard library's reading of their parameters."""
    said = Message()
    for name in ("content-type", "content-disposition"):
        for value in headers.get(name, [])[:1]:
            said[name] = value
    return said


def plain(value: str) -> str:
    """A header with its encoded words read; as it came, if that cannot be done."""
    if "=?" in value:
        try:
            words = decode_header(value)
            value = "".join(
                word.decode(known(charset), "replace") if isinstance(word, bytes) else word
                for word, charset in words
            )
        except (ValueError, LookupError):  # HeaderParseError and binascii.Error are ValueErrors
            pass
    return " ".join(value.split())


def leaves(
    raw: bytes, headers: Headers, start: int, end: int, depth: int, looks: list[int]
) -> Iterator[Part]:
    """The parts within a stretch of a mail. `looks` counts down how often a boundary is looked for."""
    said = typed(headers)
    if said.get_content_maintype() != "multipart" or depth >= DEPTH:
        yield Part(headers, start, end)
        return
    boundary = boundary_of(said)
    if not boundary:  # then it is one text, whatever it calls itself
        yield Part({}, start, end)
        return
    for first, last in stretches(raw, boundary, start, end, looks):
        body = after_head(raw, first, last)
        head = headers_of(raw[first : min(body, first + HEAD)])
        yield from leaves(raw, head, min(body, last), last, depth + 1, looks)


def boundary_of(said: Message) -> bytes:
    """What stands between the parts; empty if a mail does not say."""
    try:
        return (said.get_boundary() or "").encode()[:200]
    except (ValueError, LookupError):
        return b""


def stretches(
    raw: bytes, boundary: bytes, start: int, end: int, looks: list[int]
) -> Iterator[tuple[int, int]]:
    """From where to where each part goes; the last one need not be closed."""
    mark = b"--" + boundary
    first = -1
    at = raw.find(mark, start, end)
    while at >= 0 and looks[0] > 0:
        looks[0] -= 1
        rest = at + len(mark)
        line_end = raw.find(b"\n", rest, min(end, rest + VALUE))
        tail = raw[rest : line_end if line_end >= 0 else min(end, rest + VALUE)].strip()
        if (at == start or raw[at - 1 : at] == b"\n") and tail in (b"", b"--"):
            if first >= 0:
                yield first, at
            if tail or line_end < 0:
                return
            first = line_end + 1
        at = raw.find(mark, rest, end)
    if first >= 0:
        yield first, end


def decoded(content: bytes, headers: Headers) -> str:
    """A text part as text, whatever its charset is called."""
    encoding = "".join(headers.get("content-transfer-encoding", [])[:1]).strip().lower()
    if encoding == "base64":
        letters = _BASE64.sub(b"", content)
        letters = letters[:-1] if len(letters) % 4 == 1 else letters  # one alone says nothing
        content = binascii.a2b_base64(letters + b"=" * (-len(letters) % 4))
    elif encoding == "quoted-printable":
        content = binascii.a2b_qp(content)
    charset = known(typed(headers).get_content_charset())
    for name in (charset, "utf-8", "cp1252"):
        try:
            text = content.decode(name)
            break
        except UnicodeError:
            continue
    else:
        text = content.decode(charset, "replace")
    return text.replace("\0", "").lstrip("\ufeff").encode("utf-8", "replace").decode()


def known(charset: object) -> str:
    """A charset that can be read, else the one of most mails."""
    try:
        name = codecs.lookup(str(charset or "utf-8"))
    except (LookupError, ValueError):
        return "utf-8"
    strange = name.name.replace("-", "_") in _STRANGE or not getattr(name, "_is_text_encoding", True)
    return "utf-8" if strange else name.name
