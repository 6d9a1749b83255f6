"""One view that reads a row, and one that reads a row and writes another."""

from __future__ import annotations

from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.urls import path
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from .models import Line, Thing


class ThingView(APIView):
    """One indexed SELECT."""

    def get(self, request: Request, code: str) -> Response:
        """Return a thing by its code."""
        thing_row = Thing.objects.get(code=code)
        return Response({"id": thing_row.pk, "code": thing_row.code, "text": thing_row.text})


class LineCreateView(APIView):
    """One indexed SELECT and one INSERT in a transaction."""

    def post(self, request: Request, code: str) -> Response:
        """Store a line of a thing."""
        with transaction.atomic():
            thing_row = Thing.objects.get(code=code)
            line_row = Line.objects.create(
                thing=thing_row, seq=request.data["seq"], text=request.data["action"]
            )
        return Response({"id": line_row.pk, "code": thing_row.code, "text": line_row.text}, status=201)


def show_health(request: HttpRequest) -> HttpResponse:
    """Answer the proxy's health check."""
    return HttpResponse()


urlpatterns = [
    path("healthz", show_health),
    path("things/<slug:code>/", ThingView.as_view()),
    path("things/<slug:code>/lines/", LineCreateView.as_view()),
]
