"""The OpenAPI document: generated ahead by `make schema`, kept beside this file, served as it lies there.

To generate it takes a third of a second, and the generator must not run in two threads at once.
"""

from __future__ import annotations

import gzip
import hashlib
import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from django.conf import settings
from django.http import HttpResponse
from django.utils import translation
from django.utils.http import parse_etags
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.renderers import (
    OpenApiJsonRenderer,
    OpenApiJsonRenderer2,
    OpenApiYamlRenderer,
    OpenApiYamlRenderer2,
)
from drf_spectacular.utils import extend_schema
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.request import Request

from .base import Door

JSON_FILE = Path(__file__).with_name("openapi.json")
YAML_FILE = JSON_FILE.with_suffix(".yaml")
MAX_AGE_SECONDS = 3600  # it changes with a release only


def generate_files() -> dict[Path, bytes]:
    """What the files must hold: the document in the language of the code, whoever generates it."""
    with translation.override(settings.LANGUAGE_CODE):
        document = SchemaGenerator().get_schema(request=None, public=True)
        as_json = json.dumps(document, indent=1, ensure_ascii=False) + "\n"
        return {JSON_FILE: as_json.encode(), YAML_FILE: OpenApiYamlRenderer().render(document)}


def read_document() -> dict[str, Any]:
    """The document as it was generated ahead."""
    document: dict[str, Any] = json.loads(JSON_FILE.read_bytes())
    return document


@dataclass(frozen=True)
class Representation:
    """One form of the document, ready to be sent."""

    body: bytes
    etag: str


@cache
def representation_of(path: Path, *, gzipped: bool) -> Representation:
    """A file of the document; compressed once for each process, so that no proxy does it for each request."""
    body = path.read_bytes()
    digest = hashlib.sha256(body).hexdigest()[:24]
    if gzipped:
        return Representation(gzip.compress(body, mtime=0), f'"{digest}-gzip"')
    return Representation(body, f'"{digest}"')


class Schema(Door):
    """The document, for everybody, as YAML or as JSON."""

    renderer_classes = [
        OpenApiYamlRenderer,
        OpenApiYamlRenderer2,
        OpenApiJsonRenderer,
        OpenApiJsonRenderer2,
    ]
    content_negotiation_class = DefaultContentNegotiation
    permission_classes = []

    @extend_schema(exclude=True)
    def get(self, request: Request) -> HttpResponse:
        """The document of this API."""
        media_type = request.accepted_renderer.media_type
        path = JSON_FILE if media_type.endswith("json") else YAML_FILE
        gzipped = "gzip" in request.headers.get("Accept-Encoding", "")
        document = representation_of(path, gzipped=gzipped)
        known = parse_etags(request.headers.get("If-None-Match", ""))
        if {document.etag, f"W/{document.etag}", "*"} & set(known):
            answer = HttpResponse(status=304)
        else:
            charset = "" if media_type.endswith("json") else "; charset=utf-8"
            answer = HttpResponse(document.body, content_type=media_type + charset)
            answer["Content-Disposition"] = f'inline; filename="OTTO online{path.suffix}"'
            if gzipped:
                answer["Content-Encoding"] = "gzip"
        answer["ETag"] = document.etag
        answer["Cache-Control"] = f"public, max-age={MAX_AGE_SECONDS}"
        answer["Vary"] = "Accept, Accept-Encoding"
        return answer
