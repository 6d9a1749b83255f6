"""The page of the open data, and its files."""

from __future__ import annotations

from django.conf import settings
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from games.selectors.open_data import CHECKSUMS_NAME, Month, find_open_data_path, load_open_data_files


@require_safe
def show_open_data(request: HttpRequest) -> HttpResponse:
    """Show the files of finished games, their format, and what may be done with them."""
    context = {
        "files": [{"row": file, "month": Month.parse(file.month).start} for file in load_open_data_files()],
        "checksums_name": CHECKSUMS_NAME,
        "licence": settings.OPEN_DATA_LICENCE,
    }
    return render(request, "games/open_data.html", context)


@require_safe
def download_open_data(request: HttpRequest, name: str) -> FileResponse:
    """Send a file of finished games, or the checksums."""
    path = find_open_data_path(name)
    if path is None:
        raise Http404
    is_packed = name.endswith(".zst")
    response = FileResponse(
        path.open("rb"),
        as_attachment=is_packed,
        filename=name,
        content_type="application/zstd" if is_packed else "text/plain; charset=utf-8",
    )
    response["Cache-Control"] = "public, max-age=300"  # a deleted account's name is to disappear soon
    return response
