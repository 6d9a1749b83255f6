"""One view that reads a row, and one that reads a row and writes one."""

from __future__ import annotations

from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.urls import path
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from .models import Line, Thing


class Show(APIView):
    """One indexed SELECT."""

    def get(self, request: Request, code: str) -> Response:
        thing = Thing.objects.get(code=code)
        return Response({"id": thing.pk, "code": thing.code, "text": thing.text})


class Write(APIView):
    """One indexed SELECT and one INSERT in a transaction."""

    def post(self, request: Request, code: str) -> Response:
        with transaction.atomic():
            thing = Thing.objects.get(code=code)
            line = Line.objects.create(thing=thing, seq=request.data["seq"], text=request.data["action"])
        return Response({"id": line.pk, "code": thing.code, "text": line.text}, status=201)


def healthz(request: HttpRequest) -> HttpResponse:
    """What the proxy asks for."""
    return HttpResponse()


urlpatterns = [
    path("healthz", healthz),
    path("things/<slug:code>/", Show.as_view()),
    path("things/<slug:code>/lines/", Write.as_view()),
]
