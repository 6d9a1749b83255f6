"""Push devices on the page of notices: a script turns push on and off, the buttons work without it."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import wraps
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.urls import path
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from accounts.models import Player
from accounts.web.request_utils import current_player
from common.service_errors import Conflict, ServiceError
from notifications.channels.push.vapid import get_public_key, is_push_enabled
from notifications.models import PushDevice
from notifications.models.push_devices import MAX_ENDPOINT_LENGTH
from notifications.services import push_devices


class PushDeviceForm(forms.Form):
    """The subscription of a browser."""

    endpoint = forms.CharField(max_length=MAX_ENDPOINT_LENGTH)
    p256dh = forms.CharField(max_length=90)
    auth = forms.CharField(max_length=24)


def build_push_context(player: Player) -> dict[str, object]:
    """Build what the page of notices shows of push; empty if push is off."""
    if not is_push_enabled():
        return {}
    devices = PushDevice.objects.filter(player=player).order_by("pk")
    return {
        "push_key": get_public_key(),
        # By the digest a browser finds itself in the list; the endpoint itself is a secret.
        "push_devices": [
            {"row": device, "digest": hashlib.sha256(device.endpoint.encode()).hexdigest()}
            for device in devices
        ],
    }


def push_view(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Decorator for a POST by the signed-in player. Raises Http404 if push is off."""

    @wraps(view)
    def wrapper(request: HttpRequest, **arguments: Any) -> HttpResponse:
        if not is_push_enabled():
            raise Http404(_("There is nothing at this address."))
        return view(request, player=current_player(request), now=timezone.now(), **arguments)

    return require_POST(login_required(never_cache(wrapper)))


@push_view
def register_device(request: HttpRequest, **arguments: Any) -> HttpResponse:
    """Register the browser of the request, for its script: 201, or an error with its text."""
    form = PushDeviceForm(request.POST)
    if not form.is_valid():
        return JsonResponse({"detail": _("This is not a browser’s push subscription.")}, status=400)
    label = push_devices.describe_browser(request.headers.get("User-Agent", ""))
    try:
        device = push_devices.register_device(label=label, **form.cleaned_data, **arguments)
    except ServiceError as error:
        return JsonResponse({"detail": error.detail}, status=409 if isinstance(error, Conflict) else 422)
    return JsonResponse({"id": device.pk}, status=201)


@push_view
def forget_device(request: HttpRequest, **arguments: Any) -> HttpResponse:
    """Remove the browser of the request, by its own word: when push is turned off there, or on sign-out."""
    push_devices.remove_device_by_endpoint(
        endpoint=request.POST.get("endpoint", "")[:MAX_ENDPOINT_LENGTH], **arguments
    )
    return HttpResponse(status=204)


@push_view
def remove_device(request: HttpRequest, **arguments: Any) -> HttpResponse:
    """Remove a device of the list."""
    try:
        push_devices.remove_device(**arguments)
        messages.success(request, _("Device removed. It gets no more notifications."))
    except ServiceError as error:
        messages.error(request, error.detail)
    return redirect("notices")


@push_view
def send_test_push(request: HttpRequest, **arguments: Any) -> HttpResponse:
    """Send a test to a device of the list."""
    try:
        push_devices.create_test_push(**arguments)
        messages.success(request, _("We have sent a test. This page shows whether it arrived."))
    except ServiceError as error:
        messages.error(request, error.detail)
        return redirect("notices")
    return redirect("delivery")


urlpatterns = [
    path("push/", register_device, name="push-register"),
    path("push/forget/", forget_device, name="push-forget"),
    path("push/<int:device_id>/remove/", remove_device, name="push-remove"),
    path("push/<int:device_id>/test/", send_test_push, name="push-test"),
]
